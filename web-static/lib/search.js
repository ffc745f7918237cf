// Finding players and events by name.
import { element, eventState, fill, link, nameOf, playerLink, Problem, send } from "./common.js";
import { say } from "./words.js";

const waitMs = 250;
let timer = null;
let asked = 0; // request counter: outdated responses are ignored

function list(heading, items) {
  return items.length === 0 ? null : [element("h3", {}, heading), element("ul", {}, items.map((item) => element("li", {}, item)))];
}

function found({ players, events }) {
  if (players.length === 0 && events.length === 0) return [element("p", {}, say("search.nothing"))];
  return [
    list(say("search.players"), players.map((each) => playerLink(each))),
    list(say("site.events"), events.map((each) => [link(`/events/${each.id}`, nameOf(each)), ` (${each.ruleset.title}, ${eventState(each)})`])),
  ];
}

async function ask(form) {
  const words = form.elements.words.value.trim().replace(/\s+/g, " ");
  const results = form.querySelector(".results");
  const number = ++asked;
  if (words === "") {
    results.replaceChildren();
    return;
  }
  const parts = await send("POST", "/v1/search", { words }).then(found).catch((error) => {
    if (!(error instanceof Problem)) throw error;
    return [element("p", { class: "fault" }, error.words)];
  });
  if (number === asked) fill(results, parts);
}

document.addEventListener("input", (event) => {
  const { form } = event.target;
  if (form?.id !== "search") return;
  clearTimeout(timer);
  timer = setTimeout(() => ask(form), waitMs);
});

document.addEventListener("submit", (event) => {
  if (event.target.id !== "search") return;
  event.preventDefault();
  clearTimeout(timer);
  ask(event.target);
});

export function searchForm() {
  return element("form", { id: "search", class: "search no-print", role: "search", "data-keep": true },
    element("label", { for: "search-words" }, say("search.label")),
    element("input", { id: "search-words", name: "words", type: "search", maxlength: 60, autocomplete: "off", "aria-describedby": "search-hint" }),
    element("button", {}, say("find.find")),
    element("p", { id: "search-hint", class: "hint" }, say("search.hint")),
    element("div", { class: "results", role: "status" }));
}
