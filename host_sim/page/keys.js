// The four buttons: mouse, fingers, keys; held as long as anything holds them, and latched.

import { press } from "./dom.js";
import { on, send } from "./link.js";

const buttons = new Map([...document.querySelectorAll(".key")].map((button) => [button.dataset.role, button]));
const held = new Map(); // role -> what holds it: fingers, keys, the latch
const LATCH = "latch";

function hold(role, source) {
  const sources = held.get(role) || new Set();
  held.set(role, sources);
  if (sources.has(source)) return;
  sources.add(source);
  if (sources.size > 1) return;
  press(buttons.get(role), true);
  send({ t: "key", role, down: true });
}

function release(role, source) {
  const sources = held.get(role);
  if (!sources || !sources.delete(source) || sources.size) return;
  press(buttons.get(role), false);
  send({ t: "key", role, down: false });
}

function latched(role) {
  return Boolean(held.get(role) && held.get(role).has(LATCH));
}

function latch(role, on) {
  if (on) hold(role, LATCH);
  else release(role, LATCH);
  buttons.get(role).querySelector(".pin").hidden = !on;
}

/** Let go of all that fingers and keys hold; what is latched stays. */
export function releaseAll() {
  for (const [role, sources] of held) for (const source of [...sources]) if (source !== LATCH) release(role, source);
  typed.clear();
}

on("close", () => {
  releaseAll();
  for (const role of buttons.keys()) latch(role, false);
  held.clear();
  show([]);
});
on("keys", (message) => show(message.down));

function show(down) {
  // Another page may hold one. Our own are shown at once, without the way to the server and back.
  for (const [role, button] of buttons) {
    const ours = (held.get(role) || new Set()).size > 0;
    press(button, ours || down.includes(role));
  }
}

for (const [role, button] of buttons) {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    if (event.ctrlKey) {
      latch(role, !latched(role));
      return;
    }
    button.setPointerCapture(event.pointerId);
    hold(role, "pointer " + event.pointerId);
  });
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(kind, (event) => {
      const source = "pointer " + event.pointerId;
      if (latched(role) && held.get(role).has(source)) latch(role, false); // a plain click lets go of it
      release(role, source);
    });
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
// A long touch holds, it asks for no menu; nor does Ctrl with a click on a Mac.
document.getElementById("device").addEventListener("contextmenu", (event) => event.preventDefault());

// A click must not take the focus: Enter is OK for who plays with mouse and keyboard, and not the button clicked last.
for (const button of document.querySelectorAll("button, a, [type=checkbox]")) {
  button.addEventListener("mousedown", (event) => event.preventDefault());
}

const KEYS = {
  ArrowLeft: "left", a: "left",
  Backspace: "back", Escape: "back", s: "back",
  Enter: "ok", " ": "ok", k: "ok",
  ArrowRight: "right", l: "right",
};
const typed = new Map(); // event.code -> what that key holds down
const shortcuts = new Map();

/** What a key of the keyboard does that is none of the device's. */
export function shortcut(key, work) {
  shortcuts.set(key, work);
}

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
  const at = event.target.closest ? event.target : document.body;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (at.closest("select, [type=file]") || (at.closest("input") && key === " ")) return; // their own business
  const focused = at.closest("button, a, pre");
  const pressing = key === "Enter" || key === " ";
  let role = KEYS[key];
  if (focused && (pressing || (role && focused.closest("[role=tab], pre") && key.startsWith("Arrow")))) {
    role = focused.dataset.role; // on one of the four: that one; elsewhere: its own business
  }
  if (role) {
    event.preventDefault();
    if (event.shiftKey) {
      latch(role, !latched(role));
      return;
    }
    typed.set(event.code, { role, button: pressing && focused ? focused : null });
    hold(role, "key " + event.code);
  } else if (shortcuts.has(key)) {
    event.preventDefault();
    shortcuts.get(key)();
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
