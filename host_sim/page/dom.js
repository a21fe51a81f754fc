// Elements by their id.

export const $ = (id) => document.getElementById(id);

/** A text that is set only when it differs: a live region would say it again. */
export function say(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

export function press(button, on) {
  button.setAttribute("aria-pressed", String(Boolean(on)));
}

/** A file for a link that saves it. */
export function offer(link, text, name) {
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
}

/** Do this when something else is chosen. A mouse leaves the select then, so that keys are for the device again. */
export function chosen(select, work) {
  let mouse = false;
  select.addEventListener("pointerdown", () => { mouse = true; });
  select.addEventListener("keydown", () => { mouse = false; });
  select.addEventListener("change", () => {
    if (mouse) select.blur();
    work(select.value);
  });
}
