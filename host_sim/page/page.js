"use strict";
// The page of `python -m host_sim`: draws what the server says, sends what the hands do. host_sim/serve.py has the protocol.

const $ = (id) => document.getElementById(id);
const WIDTH = 128, HEIGHT = 64, HEADER = 14;

// ---- the glass ---------------------------------------------------------------------------------

const glass = $("glass");
const ink = glass.getContext("2d", { alpha: false });
const small = document.createElement("canvas"); // the pixels one to one; scaled up when drawn
small.width = WIDTH;
small.height = HEIGHT;
const smallInk = small.getContext("2d");
const image = smallInk.createImageData(WIDTH, HEIGHT);
let frame = new Uint8Array(WIDTH * HEIGHT / 8);
let contrast = 255;
let scale = 0; // pixels of the screen for one of the glass
let gaps = null;
let due = false;

function draw() {
  due = false;
  // Contrast is the current through the diodes: the lowest is still well readable in a dim room.
  const light = 0.34 + 0.66 * Math.pow(contrast / 255, 0.7);
  const pixels = image.data;
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const on = frame[i >> 3] >> (7 - (i & 7)) & 1;
    pixels[4 * i] = on ? 218 * light : 4;
    pixels[4 * i + 1] = on ? 236 * light : 6;
    pixels[4 * i + 2] = on ? 250 * light : 8;
    pixels[4 * i + 3] = 255;
  }
  smallInk.putImageData(image, 0, 0);
  ink.imageSmoothingEnabled = false;
  ink.drawImage(small, 0, 0, glass.width, glass.height);
  if (gaps) {
    ink.fillStyle = gaps;
    ink.fillRect(0, 0, glass.width, glass.height);
  }
  // A lit pixel spills a little light on its neighbours.
  ink.imageSmoothingEnabled = true;
  ink.globalCompositeOperation = "lighter";
  ink.globalAlpha = 0.12;
  ink.drawImage(small, 0, 0, glass.width, glass.height);
  ink.globalAlpha = 1;
  ink.globalCompositeOperation = "source-over";
}

function drawSoon() {
  if (!due) {
    due = true;
    requestAnimationFrame(draw);
  }
}

function fit() {
  const ratio = window.devicePixelRatio || 1;
  const narrow = window.innerWidth <= 560, stacked = window.innerWidth <= 1000;
  const beside = narrow ? 16 + 24 + 12 : stacked ? 24 + 92 + 40 : 24 + 92 + 56 + 46 + 250;
  const width = (document.documentElement.clientWidth - beside) * ratio;
  const height = (window.innerHeight - 440) * ratio;
  const widest = Math.floor(width / WIDTH);
  const least = Math.ceil(2 * ratio); // scroll rather than shrink: below this the small type can't be read
  const fitting = Math.max(least, Math.min(Math.floor(height / HEIGHT), Math.floor(6 * ratio)));
  const next = Math.max(1, Math.min(widest, fitting));
  if (next === scale && glass.width === WIDTH * next) return;
  scale = next;
  glass.width = WIDTH * scale;
  glass.height = HEIGHT * scale;
  document.documentElement.style.setProperty("--px", scale / ratio + "px");
  gaps = null;
  if (scale >= 3) {
    const gap = Math.max(1, Math.round(scale / 8));
    const cell = document.createElement("canvas");
    cell.width = cell.height = scale;
    const cellInk = cell.getContext("2d");
    cellInk.fillStyle = "rgb(2 4 8 / 36%)";
    cellInk.fillRect(scale - gap, 0, gap, scale);
    cellInk.fillRect(0, scale - gap, scale - gap, gap);
    gaps = ink.createPattern(cell, "repeat");
  }
  draw();
}

// ---- the connection ----------------------------------------------------------------------------

let socket = null;
let patience = 250;

function send(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/ws`);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    patience = 250;
    $("lost").hidden = true;
    document.body.dataset.connected = "true";
  };
  socket.onmessage = (event) => {
    if (typeof event.data === "string") hear(JSON.parse(event.data));
    else see(event.data);
  };
  socket.onclose = (event) => {
    releaseAll();
    held.clear();
    showKeys([]);
    tone(0, 0);
    document.body.dataset.connected = "false";
    const why = event.code === 1008 || event.code === 1009 ? ` (${event.reason || "the message was too long"})` : "";
    $("lost").textContent = `No connection to the simulator${why}. Is it still running? Trying again…`;
    $("lost").hidden = false;
    setTimeout(connect, patience);
    patience = Math.min(2000, patience * 2);
  };
}

function see(data) {
  const view = new DataView(data);
  contrast = view.getUint8(0);
  frame = new Uint8Array(data, HEADER);
  glass.dataset.sequence = view.getUint32(2);
  glass.dataset.us = view.getBigUint64(6);
  drawSoon();
}

let crashed = false;

function hear(message) {
  if (message.t === "state") {
    const runs = { cpython: "CPython", micropython: "MicroPython", rp2040: "emulated RP2040" }[message.tier];
    activeBuzzer = message.sounder === "active";
    tone(sounding.hz, sounding.volume);
    $("state").textContent = `${message.board} · firmware on ${runs || message.tier}`;
    $("pause").setAttribute("aria-pressed", message.paused);
    $("paused").hidden = !message.paused;
    $("device").dataset.crashed = message.crashed;
  } else if (message.t === "led") {
    $("led").classList.toggle("on", message.on);
    $("led-word").textContent = message.on ? "LED on" : "LED off";
  } else if (message.t === "sound") {
    tone(message.hz, message.volume);
  } else if (message.t === "keys") {
    showKeys(message.down);
  } else if (message.t === "text") {
    tell(message.text);
  } else if (message.t === "crash") {
    $("crash-text").textContent = message.text;
    $("crash").hidden = !message.text;
    if (message.text && !crashed) $("again").focus();
    crashed = Boolean(message.text);
  }
}

let told = null;

function tell(text) {
  glass.dataset.text = text;
  glass.setAttribute("aria-label", "The glass: " + (text || "dark"));
  // A running clock would be read aloud every second: it is news only together with something else.
  const news = text.replace(/\d+:\d\d/g, "");
  if (news === told) return;
  told = news;
  $("live").textContent = text || "The glass is dark.";
}

// ---- the four buttons --------------------------------------------------------------------------

const buttons = new Map([...document.querySelectorAll(".key")].map((button) => [button.dataset.role, button]));
const held = new Map(); // role -> the fingers and keys that hold it

function hold(role, source) {
  const sources = held.get(role) || new Set();
  held.set(role, sources);
  if (sources.has(source)) return;
  sources.add(source);
  if (sources.size > 1) return;
  buttons.get(role).setAttribute("aria-pressed", "true");
  send({ t: "key", role, down: true });
}

function release(role, source) {
  const sources = held.get(role);
  if (!sources || !sources.delete(source) || sources.size) return;
  buttons.get(role).setAttribute("aria-pressed", "false");
  send({ t: "key", role, down: false });
}

function releaseAll() {
  for (const [role, sources] of held) for (const source of [...sources]) release(role, source);
  typed.clear();
}

function showKeys(down) {
  // Another page may hold one. Our own are shown at once, without the way to the server and back.
  for (const [role, button] of buttons) {
    const ours = (held.get(role) || new Set()).size > 0;
    button.setAttribute("aria-pressed", String(ours || down.includes(role)));
  }
}

for (const [role, button] of buttons) {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    hold(role, "pointer " + event.pointerId);
  });
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(kind, (event) => release(role, "pointer " + event.pointerId));
  }
  button.addEventListener("click", (event) => {
    // Screen readers and voice control click without a finger and without a key.
    if (event.detail === 0) {
      hold(role, "click");
      setTimeout(release, 60, role, "click");
    }
  });
  button.addEventListener("blur", () => {
    for (const [code, what] of typed) if (what.button === button) letGo(code);
  });
  button.addEventListener("dragstart", (event) => event.preventDefault());
}
$("device").addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch holds, it asks for no menu

// A click must not take the focus: Enter is OK for who plays with mouse and keyboard, and not the button clicked last.
for (const button of document.querySelectorAll(".key, .tools button, #resume")) {
  button.addEventListener("mousedown", (event) => event.preventDefault());
}

const KEYS = {
  ArrowLeft: "left", a: "left",
  Backspace: "back", Escape: "back", s: "back",
  Enter: "ok", " ": "ok", k: "ok",
  ArrowRight: "right", l: "right",
};
const typed = new Map(); // event.code -> what that key holds down

function letGo(code) {
  const what = typed.get(code);
  if (!what) return false;
  typed.delete(code);
  release(what.role, "key " + code);
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.repeat) {
    if (typed.has(event.code)) event.preventDefault();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const focused = event.target.closest && event.target.closest("button, a, pre");
  const pressing = key === "Enter" || key === " ";
  let role = KEYS[key];
  if (pressing && focused) {
    role = focused.dataset.role; // on one of the four: that one; on another button: its own business
  }
  if (role) {
    event.preventDefault();
    typed.set(event.code, { role, button: pressing && focused ? focused : null });
    hold(role, "key " + event.code);
  } else if (key === "m") {
    toggleSound();
  }
});
document.addEventListener("keyup", (event) => {
  if (letGo(event.code)) event.preventDefault();
  if (event.key === "Meta") releaseAll(); // macOS keeps the other keys' release to itself
});
window.addEventListener("blur", releaseAll);
window.addEventListener("pagehide", releaseAll);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) releaseAll();
});

// ---- the piezo ---------------------------------------------------------------------------------

let audio = null;
let heard = false;
let sounding = { hz: 0, volume: 0 };
let activeBuzzer = false; // it has one pitch: that it sounds is all there is to say

function tone(hz, volume) {
  sounding = { hz, volume };
  const sound = hz ? (activeBuzzer ? "on" : `${hz} Hz`) : "silent";
  $("piezo").textContent = `${activeBuzzer ? "buzzer" : "piezo"}: ${sound}`;
  $("piezo-part").classList.toggle("sounding", hz > 0);
  if (!audio) return;
  const now = audio.context.currentTime;
  if (hz) audio.oscillator.frequency.setValueAtTime(hz, now);
  // A ramp of a few milliseconds: an abrupt start would click louder than the tone.
  audio.gain.gain.setTargetAtTime(heard && hz ? 0.14 * volume : 0, now, 0.002);
}

function toggleSound() {
  heard = !heard;
  if (heard && !audio) {
    // Only now: browsers give no sound to a page before it has been touched.
    const context = new AudioContext({ latencyHint: "interactive" });
    const oscillator = new OscillatorNode(context, { type: "square" });
    const gain = new GainNode(context, { gain: 0 });
    const body = new BiquadFilterNode(context, { type: "highpass", frequency: 400 }); // a disc has no bass
    oscillator.connect(body).connect(gain).connect(context.destination);
    oscillator.start();
    audio = { context, oscillator, gain };
  }
  if (heard) audio.context.resume();
  const button = $("sound");
  button.setAttribute("aria-pressed", String(heard));
  button.querySelector("span").textContent = heard ? "Sound on" : "Sound off";
  tone(sounding.hz, sounding.volume);
}

// ---- the rest ----------------------------------------------------------------------------------

$("sound").addEventListener("click", toggleSound);
$("power").addEventListener("click", () => send({ t: "reset" }));
$("again").addEventListener("click", () => {
  $("again").blur(); // else Enter would stay with a button that is gone
  send({ t: "reset" });
});
$("pause").addEventListener("click", () => send({ t: "pause" }));
$("resume").addEventListener("click", () => send({ t: "pause", on: false }));

window.addEventListener("resize", fit);
fit();
connect();
