// Record what is pressed, save it, play it and others again.

import { $, offer, press, say } from "./dom.js";
import { shortcut } from "./keys.js";
import { on, send } from "./link.js";

const LONGEST = 100_000; // characters of a scenario that the server takes
let recording = false;
let recorded = "";

on("state", (state) => {
  recording = state.mode === "recording";
  press($("rec"), recording);
  $("rec").querySelector("span").textContent = recording ? "Stop recording" : "Record";
  $("gif").nextElementSibling.textContent = state.mode === "own" ? "of the last minute" : "of all since it began";
});
on("machines", (machines) => {
  const options = machines.scenarios.map((name) => new Option(name.replace(/\.txt$/, "").replaceAll("_", " "), name));
  $("scenarios").replaceChildren(...options);
});
on("recording", (message) => {
  if (message.text === recorded) return; // told again to a page that came back
  recorded = message.text;
  $("recorded").hidden = false;
  say("scenario", recorded);
  offer($("save"), recorded, "recording.txt");
});
on("played", (message) => {
  const mark = message.ok === null ? "" : message.ok ? "✓ " : "✗ ";
  say("played", mark + message.text);
  $("played").dataset.ok = String(message.ok);
});
on("notice", (message) => {
  say("notice-text", message.text);
  $("notice").hidden = false;
});
$("dismiss").addEventListener("click", () => { $("notice").hidden = true; });

const toggle = () => send({ t: "record", on: !recording });

function play(name, text) {
  $("notice").hidden = true;
  if (text.length > LONGEST) {
    say("notice-text", `${name} is too long for the page: play it with .venv/bin/python -m host_sim run.`);
    $("notice").hidden = false;
    return;
  }
  send({ t: "replay", name, text, tier: $("on").value });
}

$("rec").addEventListener("click", () => {
  $("rec").blur(); // Enter is OK again, for the recording
  toggle();
});
shortcut("r", toggle);
$("replay").addEventListener("click", () => play("recording.txt", recorded));
$("play-it").addEventListener("click", () => {
  $("notice").hidden = true;
  send({ t: "replay", name: $("scenarios").value, tier: $("on").value });
});
$("file").addEventListener("change", async () => {
  const [file] = $("file").files;
  if (file) play(file.name, await file.text());
  $("file").value = ""; // the same one can be opened again
});
