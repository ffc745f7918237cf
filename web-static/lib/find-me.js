// Finding oneself or another player on a long page: every row of the player is marked, and the first is scrolled into view, out of what
// is folded if need be.
// The mark is a style rule for that player, so it survives redrawing.
import { player } from "./account.js";
import { element, unfold } from "./common.js";
import { plain, say } from "./words.js";

const mark = new CSSStyleSheet();
document.adoptedStyleSheets.push(mark);
let last = { text: null, at: -1 }; // the search text, and which match is marked

const addressOf = (id) => `/players/${id}`;

function show(id) {
  const links = [...document.querySelectorAll(`main tr > th > a[href="${CSS.escape(addressOf(id))}"]`)];
  const first = links.find((each) => each.checkVisibility()) ?? links[0] ?? null;
  if (first !== null) unfold(first);
  mark.replaceSync(`main tr:has(> th > a[href="${CSS.escape(addressOf(id))}"]) > * { background: var(--target); box-shadow: inset 0 2px var(--accent), inset 0 -2px var(--accent); }`);
  first?.scrollIntoView({ block: "center" });
  first?.focus({ preventScroll: true });
  return first;
}

// Players whose name contains the text, each once, in page order.
function named(text) {
  const links = [...document.querySelectorAll(`main tr > th > a[href^="/players/"]`)].filter((each) => plain(each.textContent).includes(plain(text)));
  return [...new Set(links.map((each) => each.getAttribute("href").split("/")[2]))];
}

function tell(form, words) {
  form.querySelector("[role=status]").textContent = words;
}

// The next match; the first one for a new search.
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

// The form: a button for signed-in players that finds their own name, and a name field for all.
export function findForm() {
  return element("form", { id: "find", class: "find no-print", role: "search", "data-keep": true },
    player() === null ? null : element("button", { type: "button", "data-find-me": true }, say("find.me")),
    element("label", { for: "find-name" }, say("find.name")),
    element("input", { id: "find-name", name: "name", type: "search", maxlength: 60, autocomplete: "off" }),
    element("button", {}, say("find.find")), element("span", { role: "status" }));
}
