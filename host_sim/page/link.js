// The connection to host_sim/hub.py. host_sim/protocol.py says what passes over it.

import { $, say } from "./dom.js";

const listeners = {};
let socket = null;
let patience = 250;
let why = "";

/** Call `listener` for each message of this kind; "frame", "open" and "close" are kinds too. */
export function on(kind, listener) {
  (listeners[kind] ||= []).push(listener);
}

function tell(kind, what) {
  for (const listener of listeners[kind] || []) listener(what);
}

/** False: there is no connection to send it over. */
export function send(message) {
  if (!socket || socket.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

export function connect() {
  socket = new WebSocket(`ws://${location.host}/ws`);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    patience = 250;
    $("lost").hidden = true;
    document.body.dataset.connected = "true";
    tell("open");
  };
  socket.onmessage = (event) => {
    if (typeof event.data === "string") {
      const message = JSON.parse(event.data);
      tell(message.t, message);
    } else tell("frame", event.data);
  };
  socket.onclose = (event) => {
    tell("close");
    document.body.dataset.connected = "false";
    if ([1008, 1009, 1013].includes(event.code)) why = ` (${event.reason || "the message was too long"})`;
    say("lost", `No connection to the simulator${why}. Is it still running? Trying again…`);
    why = "";
    $("lost").hidden = false;
    setTimeout(connect, patience);
    patience = Math.min(2000, patience * 2);
  };
}
