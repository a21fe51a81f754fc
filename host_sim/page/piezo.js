// The piezo and the LED: in words always, heard when asked for.

import { $, press, say } from "./dom.js";
import { shortcut } from "./keys.js";
import { on } from "./link.js";

let audio = null;
let heard = false;
let sounding = { hz: 0, volume: 0 };
let active = false; // an active buzzer has one pitch: that it sounds is all there is to say

function tone(hz, volume) {
  sounding = { hz, volume };
  const sound = hz ? (active ? "on" : `${hz} Hz`) : "silent";
  say("piezo", `${active ? "buzzer" : "piezo"}: ${sound}`);
  $("piezo-part").classList.toggle("sounding", hz > 0);
  if (!audio) return;
  const now = audio.context.currentTime;
  if (hz) audio.oscillator.frequency.setValueAtTime(hz, now);
  // A ramp of a few milliseconds: an abrupt start would click louder than the tone.
  audio.gain.gain.setTargetAtTime(heard && hz ? 0.14 * volume : 0, now, 0.002);
}

function toggle() {
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
  else if (audio) audio.context.suspend(); // or it would go on computing silence
  press($("sound"), heard);
  $("sound").querySelector("span").textContent = heard ? "Sound on" : "Sound off";
  tone(sounding.hz, sounding.volume);
}

on("sound", (message) => tone(message.hz, message.volume));
on("close", () => tone(0, 0));
on("state", (state) => {
  active = state.sounder === "active";
  tone(sounding.hz, sounding.volume);
});
on("led", (message) => {
  $("led").classList.toggle("on", message.on);
  say("led-word", message.on ? "LED on" : "LED off");
});
$("sound").addEventListener("click", toggle);
shortcut("m", toggle);
