// The glass: an OLED's pixels from the bytes that the panel was sent.

import { $ } from "./dom.js";

const WIDTH = 128, HEIGHT = 64, HEADER = 14;
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
let windows = [];

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
  ink.strokeStyle = "#ffb84d";
  ink.lineWidth = Math.max(1, scale / 3);
  for (const [x, y, w, h] of windows) ink.strokeRect(x * scale + 0.5, y * scale + 0.5, w * scale - 1, h * scale - 1);
  glass.dataset.drawn = glass.dataset.sequence || "";
}

function drawSoon() {
  if (!due) {
    due = true;
    requestAnimationFrame(draw);
  }
}

/** A frame as the server sends it. */
export function see(data) {
  const view = new DataView(data);
  contrast = view.getUint8(0);
  frame = new Uint8Array(data, HEADER);
  glass.dataset.sequence = view.getUint32(2);
  glass.dataset.us = view.getBigUint64(6);
  drawSoon();
}

/** The 1,024 bytes that are shown. */
export const shown = () => frame;

/** Outline these boxes: x, y, width, height in pixels of the glass each. */
export function outline(boxes) {
  windows = boxes;
  drawSoon();
}

/** Make the pixels of the glass as large as the window lets them be, and whole ones of the screen. */
export function fit() {
  const ratio = window.devicePixelRatio || 1;
  const narrow = window.innerWidth <= 560, stacked = window.innerWidth <= 1100;
  const beside = narrow ? 16 + 24 + 12 : stacked ? 24 + 92 + 40 : 24 + 92 + 56 + 34 + 372;
  const width = (document.documentElement.clientWidth - beside) * ratio;
  const height = (window.innerHeight - 470) * ratio;
  const widest = Math.floor(width / WIDTH);
  const least = Math.ceil(2 * ratio); // scroll rather than shrink: below this the small type can't be read
  const fitting = Math.max(least, Math.min(Math.floor(height / HEIGHT), Math.floor(6 * ratio)));
  const next = Math.max(1, Math.min(widest, stacked ? Math.floor(5 * ratio) : fitting));
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

window.addEventListener("resize", fit);
fit();
