// An event's own description: time and place with a countdown, cost, and prizes.
import { duration, element, listed, nameOf, time } from "../lib/common.js";
import { say } from "../lib/words.js";

/* ---- Text that people have written ---- */

// Only complete http and https addresses become links; punctuation after one is not part of it.
function wordPart(word) {
  const [, address, rest] = /^(https?:\/\/\S*[^\s.,;:!?)])(\S*)$/.exec(word) ?? [];
  return address === undefined ? word : [element("a", { href: address, rel: "nofollow" }, address), rest];
}

const linePart = (line) => line.split(/(\s+)/).map(wordPart);

// Blank lines separate paragraphs.
export function written(text) {
  return text.split(/\n{2,}/).map((paragraph) => element("p", { dir: "auto" },
    paragraph.split("\n").map((line, i) => [i === 0 ? null : element("br"), linePart(line)])));
}

/* ---- When and where ---- */

function startsIn(moment) {
  const left = Date.parse(moment) - Date.now();
  return left > 0 ? say("about.starts_in", { left: duration(left) }) : "";
}

function tick() {
  for (const each of document.querySelectorAll("[data-until]")) {
    const words = startsIn(each.dataset.until);
    if (each.textContent !== words) each.textContent = words;
    each.hidden = words === "";
  }
}

setInterval(tick, 1000);

// The heading of an event's page, with its banner, and the line below it.
export function aboutHead(event) {
  const { banner, place, starts_at: moment } = event.settings;
  const waits = moment !== undefined && event.state !== "closed" && event.rounds.started === 0;
  const parts = [moment === undefined ? null : time(moment), place === undefined ? null : element("bdi", {}, place)].filter((each) => each !== null);
  return [
    element("h1", banner === undefined ? {} : { class: "banner", "data-banner": banner, "data-game": event.ruleset.slug }, nameOf(event)),
    parts.length === 0 ? null : element("p", { class: "when" }, listed(parts, " \u00b7 "),
      waits && event.state !== "running" && startsIn(moment) !== "" ? [" ", element("span", { id: "countdown", class: "badge", role: "timer", "data-until": moment }, startsIn(moment))] : null,
      waits ? [" ", element("a", { class: "calendar no-print", href: `/v1/events/${event.id}/rounds.ics` }, say("about.calendar"))] : null),
  ];
}

/* ---- The part ---- */

export function aboutPart({ settings }) {
  const { contact, description, fee, prizes } = settings;
  const facts = [[say("about.fee"), fee], [say("about.prizes"), prizes], [say("about.contact"), contact]].filter(([, text]) => text !== undefined);
  if (description === undefined && facts.length === 0) return null;
  return element("section", { id: "about" }, element("h2", {}, say("about.title")), description === undefined ? null : written(description),
    facts.length === 0 ? null : element("dl", { class: "terms" }, facts.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, written(text))])));
}
