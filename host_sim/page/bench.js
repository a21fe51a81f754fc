// Time, power, tier and board: what stands around the device.

import { $, chosen, press, say } from "./dom.js";
import { shortcut } from "./keys.js";
import { on, send } from "./link.js";

export const TIERS = { cpython: "CPython", micropython: "MicroPython", rp2040: "an emulated Pico" };
let state = {};

on("state", (now) => {
  state = now;
  say("state", `${now.board}, firmware on ${TIERS[now.tier]}`);
  press($("pause"), now.paused);
  press($("power"), now.powered);
  $("speed").value = String(now.speed);
  $("bounce").value = now.bounce || "";
  $("unplug").checked = !now.panel;
  $("full").checked = now.full;
  choose();
  const own = now.mode === "own", played = now.mode === "replay";
  $("device").dataset.off = !now.powered || now.crashed;
  for (const id of ["power", "reset", "bounce", "unplug", "full", "cut"]) $(id).disabled = played;
  for (const id of ["board", "tier"]) $(id).disabled = !own;
  $("mode").hidden = own;
  $("mode").dataset.mode = now.mode;
  const modes = { recording: "Recording", replay: `Playing ${now.playing}`, replayed: `Played ${now.playing}` };
  say("mode-text", modes[now.mode] || "");
  say("mode-end", now.mode === "replayed" ? "Back to yours" : "Stop");
  badge();
});

function badge() {
  let text = "", button = "";
  if (!state.crashed) {
    if (!state.powered) [text, button] = ["Switched off", "Switch on"];
    else if (state.paused) [text, button] = ["Paused", "Go on"];
    else if (!state.panel) [text, button] = ["Panel unplugged", "Plug in"];
  }
  $("badge").hidden = !text;
  // On a glass that is dark it covers nothing; above it stand the LED and the piezo, which say why it is.
  $("badge").classList.toggle("inside", !state.powered || !state.panel);
  say("badge-text", text);
  say("badge-end", button);
}

$("badge-end").addEventListener("click", () => {
  $("badge-end").blur(); // else Enter would stay with a button that is gone
  if (!state.powered) send({ t: "power", on: true });
  else if (state.paused) send({ t: "pause", on: false });
  else send({ t: "panel", on: true });
});

// ---- what can be chosen ------------------------------------------------------------------------

let boards = [];

on("machines", (machines) => {
  boards = machines.boards;
  $("board").replaceChildren(...machines.boards.map((board) => new Option(board.name.replace("Raspberry Pi ", "").replace(/ with an? /, ", "), board.id)));
  for (const id of ["tier", "on"]) {
    $(id).replaceChildren(...machines.tiers.map((tier) => {
      const option = new Option(TIERS[tier.id] + (tier.absent ? " (not here)" : ""), tier.id);
      option.dataset.absent = tier.absent || "";
      return option;
    }));
  }
  const absent = machines.tiers.filter((tier) => tier.absent).map((tier) => `${TIERS[tier.id]}: ${tier.absent}.`);
  $("note").hidden = !(machines.note || absent.length);
  say("note", [machines.note, ...absent].filter(Boolean).join(" "));
  choose();
});

/** What can't run here, or not this board, can't be chosen. */
function fitting() {
  const board = boards.find((one) => one.id === state.board_id);
  for (const option of $("tier").options) {
    const why = option.dataset.absent || (board && board.unfit[option.value]) || "";
    option.disabled = Boolean(why);
    option.title = why;
  }
  for (const option of $("on").options) option.disabled = Boolean(option.dataset.absent);
}

function choose() {
  fitting();
  if (state.tier && (state.mode === "own" || state.mode === "recording")) {
    $("tier").value = state.tier;
    $("board").value = state.board_id;
    if (document.activeElement !== $("on") && !$("on").dataset.chosen) $("on").value = state.tier;
  }
}

for (const id of ["tier", "board"]) {
  chosen($(id), () => {
    const board = boards.find((one) => one.id === $("board").value);
    const tier = board.unfit[$("tier").value] ? "micropython" : $("tier").value; // one that can run it
    send({ t: "machine", tier, board: board.id });
    choose(); // until it is so
  });
}
chosen($("on"), () => { $("on").dataset.chosen = "yes"; });

// ---- time and power ----------------------------------------------------------------------------

on("clock", (clock) => {
  const seconds = clock.us / 1e6;
  $("clock").dataset.us = clock.us;
  const minutes = seconds < 60 ? "" : `${Math.floor(seconds / 60)}:`;
  const rest = (seconds % 60).toFixed(3);
  // Where this machine can't keep up, it says how fast it is.
  const behind = clock.rate && (!state.speed || clock.rate < state.speed * 0.8);
  say("clock", `${minutes}${minutes ? rest.padStart(6, "0") : rest} s` + (behind ? ` · ${rate(clock.rate)} ×` : ""));
});

function rate(value) {
  return value < 10 ? value.toFixed(value < 1 ? 2 : 1) : String(Math.round(value));
}

const pause = () => send({ t: "pause" });
const step = (ms) => send({ t: "step", ms });

function faster(by) {
  const speeds = [...$("speed").options].map((option) => Number(option.value));
  const next = speeds.indexOf(Number($("speed").value)) + by;
  if (next < 0 || next >= speeds.length) return;
  $("speed").value = String(speeds[next]); // so that the next press goes on from there
  send({ t: "speed", times: speeds[next] });
}

$("pause").addEventListener("click", pause);
$("step").addEventListener("click", () => step(1));
$("frame").addEventListener("click", () => step(0));
$("power").addEventListener("click", () => send({ t: "power", on: !state.powered || state.crashed }));
$("cut").addEventListener("click", () => send({ t: "power", on: false }));
$("reset").addEventListener("click", () => send({ t: "reset" }));
$("unhang").addEventListener("click", () => send({ t: "reset" }));
$("again").addEventListener("click", () => {
  $("again").blur();
  send({ t: "reset" });
});
chosen($("speed"), (times) => send({ t: "speed", times: Number(times) }));
$("mode-end").addEventListener("click", () => {
  $("mode-end").blur();
  send({ t: "own" });
});
chosen($("bounce"), (kind) => send({ t: "bounce", kind: kind || null }));
$("unplug").addEventListener("change", () => send({ t: "panel", on: !$("unplug").checked }));
$("full").addEventListener("change", () => send({ t: "full", on: $("full").checked }));
shortcut("p", pause);
shortcut(".", () => step(1));
shortcut(",", () => step(0));
shortcut("-", () => faster(-1));
shortcut("+", () => faster(1));
shortcut("=", () => faster(1)); // the same key without Shift, on many keyboards
