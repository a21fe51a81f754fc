// What the firmware knows, and what it cost: shown, and asked for, only while its tab is open.

import { $, say } from "./dom.js";
import { outline } from "./glass.js";
import { on, send } from "./link.js";

let boxes = [];
let open = false;

/** The tab was opened or closed. */
export function inspect(now) {
  open = now;
  send({ t: "inspect", on: open });
  lines();
  for (const id of ["i-journal", "i-log"]) $(id).scrollTop = $(id).scrollHeight; // what came while it was hidden
}

function lines() {
  outline(open && $("outline").checked ? boxes : []);
}

on("open", () => {
  if (open) send({ t: "inspect", on: true });
});
on("inspector", (found) => {
  const change = found.change;
  boxes = change.windows;
  lines();
  const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  say("i-change", `${change.bytes} bytes on the bus, ${change.data} of them pixels, in ${(change.took / 1000).toFixed(1)} ms`
    + ` and ${many(change.transfers, "transfer")}, ${((found.us - change.us) / 1e6).toFixed(1)} s ago`);
  const texts = boxes.map(([x, y, w, h]) => `${w}×${h} at ${x},${y}`);
  say("i-windows", texts.slice(0, 4).join("; ") + (texts.length > 4 ? `; ${texts.length - 4} more` : "") || "none");
  if (found.crash || found.tripped) say("i-crash", (found.crash || found.tripped).trim());
  if (!found.asked) {
    if (found.why) say("i-screen", found.why);
    return;
  }
  say("i-screen", found.screen);
  say("i-ticks", `${String(found.ticks).replace(/\B(?=(\d{3})+$)/g, " ")} µs`);
  const whole = found.free + found.used;
  $("i-heap").hidden = found.free < 0;
  if (found.free < 0) say("i-heap-text", "CPython does not count it");
  else {
    $("i-heap").value = found.used / whole;
    say("i-heap-text", `${kilo(found.free)} free of ${kilo(whole)}`);
  }
  const scores = (found.players || []).map((name, i) => `${name} ${found.scores[i]}`).join(", ");
  const winner = found.winner && found.winner !== "none" ? `; ${found.winner} won` : "";
  say("i-scores", found.game ? `${scores}${winner}` : "no match");
  say("i-count", found.game ? `${found.game}, ${found.entries} entries` : "");
  log("i-journal", (found.journal || []).map(([number, text]) => `${String(number).padStart(4)}  ${text}`));
});
on("log", (message) => log("i-log", message.lines));
on("crash", (message) => {
  if (message.text) say("i-crash", message.text);
});

function kilo(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** The latest lines are seen, unless somebody has scrolled up. */
function log(id, lines) {
  const box = $(id);
  const atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
  say(id, lines.join("\n"));
  if (atEnd) box.scrollTop = box.scrollHeight;
}

$("outline").addEventListener("change", lines);
