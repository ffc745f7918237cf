// Finding oneself, or anybody, on a long page: every row of a player is marked, and the first is brought into view.
// The mark is a rule of style for whoever is looked for, so that it outlives whatever is drawn anew.
import { player } from "./account.js";
import { element } from "./common.js";
import { say } from "./words.js";

const mark = new CSSStyleSheet();
document.adoptedStyleSheets.push(mark);
let last = { text: null, at: -1 }; // what was looked for by name, and which of those found is marked

const addressOf = (id) => `/players/${id}`;

// Names as they are compared: without capitals and accents.
const plain = (name) => name.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

function show(id) {
  const links = [...document.querySelectorAll(`main tr > th > a[href="${CSS.escape(addressOf(id))}"]`)];
  const first = links.find((each) => each.checkVisibility()) ?? null;
  mark.replaceSync(`main tr:has(> th > a[href="${CSS.escape(addressOf(id))}"]) > * { background: var(--target); box-shadow: inset 0 2px var(--accent), inset 0 -2px var(--accent); }`);
  first?.scrollIntoView({ block: "center" });
  first?.focus({ preventScroll: true });
  return first;
}

// Players whose name has the text in it, each once, in the order of the page.
function named(text) {
  const links = [...document.querySelectorAll(`main tr > th > a[href^="/players/"]`)].filter((each) => plain(each.textContent).includes(plain(text)));
  return [...new Set(links.map((each) => each.getAttribute("href").split("/")[2]))];
}

function tell(form, words) {
  form.querySelector("[role=status]").textContent = words;
}

// The next of those that have the name; from the first when another is looked for.
function find(form) {
  const text = form.elements.name.value.trim();
  if (text === "") return;
  const found = named(text);
  last = { text, at: found.length === 0 ? -1 : text === last.text ? (last.at + 1) % found.length : 0 };
  if (found.length > 0) show(found[last.at]);
  tell(form, found.length === 0 ? say("find.none_here") : say("find.found", { number: last.at + 1, count: found.length }));
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "find") return;
  event.preventDefault();
  find(event.target);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-find-me]");
  if (!button) return;
  tell(button.form, show(player().id) === null ? say("find.not_here") : "");
});

// The form: a button for signed-in players that finds their own name, and a name field for everybody.
export function findForm() {
  return element("form", { id: "find", class: "find no-print", role: "search", "data-keep": true },
    player() === null ? null : element("button", { type: "button", "data-find-me": true }, say("find.me")),
    element("label", { for: "find-name" }, say("find.name")),
    element("input", { id: "find-name", name: "name", type: "search", maxlength: 60, autocomplete: "off" }),
    element("button", {}, say("find.find")), element("span", { role: "status" }));
}
