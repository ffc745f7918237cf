// Long lists of an event: what matters is shown, and the rest is folded behind a line that says what is there. Browsers open it for
// what they find in the page and for links into it, it is printed, and it stays open when the reader comes back.
import { element } from "../lib/common.js";

const at = "tillroll.open"; // in sessionStorage: the names of what is open

const nameOf = (fold) => `${location.pathname} ${fold.id}`;

function opened() {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(at) ?? "[]"));
  } catch {
    return new Set(); // the browser keeps nothing
  }
}

function remember(fold) {
  const all = opened();
  if (all.has(nameOf(fold)) === fold.open) return;
  if (fold.open) all.add(nameOf(fold));
  else all.delete(nameOf(fold));
  try {
    sessionStorage.setItem(at, JSON.stringify([...all]));
  } catch {
    // likewise
  }
}

// Opens a fold written by the server if the reader had opened it before.
export function reopen(fold) {
  fold.open = opened().has(nameOf(fold));
}

// `id`: its own on the page. `words`: what is in it, and how much.
export function fold(id, words, ...content) {
  const made = element("details", { id, class: "fold" }, element("summary", {}, words), content);
  reopen(made);
  return made;
}

let printed = []; // what is open only for the printer

document.addEventListener("toggle", ({ target }) => {
  if (target.matches(".fold[id]") && !printed.includes(target)) remember(target);
}, true);

// A style sheet alone opens them only in newer browsers.
addEventListener("beforeprint", () => {
  printed = [...document.querySelectorAll(".fold:not([open])")];
  for (const each of printed) each.open = true;
});

addEventListener("afterprint", () => {
  for (const each of printed) each.open = false;
  printed = [];
});
