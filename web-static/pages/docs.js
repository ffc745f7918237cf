// Documentation pages, which work without scripts: the site's header, search while typing, and old addresses from when the
// API page was at /docs.
import { followTurns, greet } from "../lib/account.js";
import { offerLanguages } from "../lib/language.js";
import { translate, wordsLoaded } from "../lib/words.js";

const main = document.getElementById("main");
const field = document.querySelector("form[role=search] input");

/* ---- Old addresses ---- */

// The target of an old `/docs#name`: problem codes are on the first page, everything else on the API page. Codes on neither
// are refusals of moves by a game's rules.
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

const written = main.cloneNode(true).childNodes; // the page's content before the search
let newest = 0;

// Only characters that search addresses can contain.
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

wordsLoaded.then(() => {
  translate();
  greet();
  followTurns();
  offerLanguages();
  delete main.dataset.plain;
});
