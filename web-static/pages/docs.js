// Pages of the documentation, which need no script: the head of the site, the search while somebody types, and addresses of
// before, when the page of the API stood at /docs.
import { greet } from "../lib/account.js";
import { offerLanguages } from "../lib/language.js";
import { translate } from "../lib/words.js";

const main = document.getElementById("main");
const field = document.querySelector("form[role=search] input");

/* ---- What an address points to ---- */

// What `/docs#name` pointed to: a problem's code is on the first page, all else is on that of the API. A code that is on neither
// is that of a move which a game's rules refuse.
const elsewhere = { "/docs": (name) => `/docs/api#${name}`, "/docs/api": () => "/docs#refused-moves" };

function reveal() {
  const name = location.hash.slice(1);
  if (name === "") return;
  const found = document.getElementById(name);
  if (found === null) {
    const leads = elsewhere[location.pathname];
    if (leads !== undefined) location.replace(leads(name));
    return;
  }
  const closed = found.closest("details:not([open])");
  if (closed === null) return;
  closed.open = true;
  found.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

/* ---- The search ---- */

const written = main.cloneNode(true).childNodes; // what stood here before somebody typed
let newest = 0;

// Only what the address of a search can hold.
const wordsOf = (text) => text.replaceAll(/[^A-Za-z0-9._\- ]/g, " ").trim().split(/ +/).filter(Boolean);

async function search() {
  const words = wordsOf(field.value);
  const own = ++newest;
  if (words.length === 0) {
    main.replaceChildren(...[...written].map((each) => each.cloneNode(true)));
    return;
  }
  const answer = await fetch(`/docs/search?q=${words.join("+")}`).catch(() => null);
  if (own !== newest || !answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (own === newest) main.replaceChildren(...page.getElementById("main").childNodes);
}

field.addEventListener("input", search);
if (location.pathname === "/docs/search") field.value = (new URLSearchParams(location.search).get("q") ?? "");

translate();
greet();
offerLanguages();
delete main.dataset.plain;
