// The page of `python -m host_sim`: shows what the server says, sends what the hands do. One file a concern.

import "./bench.js";
import { $, say } from "./dom.js";
import { see } from "./glass.js";
import { inspect } from "./inspector.js";
import { connect, on } from "./link.js";
import "./keys.js";
import "./piezo.js";
import "./record.js";

on("frame", see);

// ---- in words ----------------------------------------------------------------------------------

let told = null;

on("text", ({ text }) => {
  const glass = $("glass");
  glass.dataset.text = text;
  glass.setAttribute("aria-label", "The glass: " + (text || "dark"));
  // A running clock would be read aloud every second: it is news only together with something else.
  const news = text.replace(/\d+:\d\d/g, "");
  if (news === told) return;
  told = news;
  say("live", text || "The glass is dark.");
});

// ---- when it goes wrong ------------------------------------------------------------------------

let crashed = false;
let tier = "";

on("state", (state) => { tier = state.tier; });
on("crash", ({ text }) => {
  if (text) say("crash-text", text);
  $("crash").hidden = !text;
  if (text && !crashed) $("again").focus();
  crashed = Boolean(text);
});
on("stuck", (stuck) => {
  $("stuck").hidden = !stuck.on;
  const why = tier === "rp2040"
    ? "The emulated Pico is at work: its first boot takes a while."
    : "The firmware does not answer: it loops without looking at the clock, or this machine is very busy.";
  say("stuck-text", stuck.on ? why : "");
});

// ---- the tabs ----------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll("[role=tab]")];

function openTab(tab) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    $(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  inspect(tab.id === "tab-inspect");
  try {
    sessionStorage.setItem("tab", tab.id);
  } catch {
    // a browser that keeps nothing opens the first one
  }
}

for (const [i, tab] of tabs.entries()) {
  tab.addEventListener("click", () => openTab(tab));
  tab.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus();
    openTab(next);
  });
}
try {
  const kept = sessionStorage.getItem("tab");
  if (kept && $(kept)) openTab($(kept));
} catch {
  // likewise
}

connect();
