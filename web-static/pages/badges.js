// Badges of an event's players, to print and cut out.
import { codeOf, element, link, nameOf, nameText, pageId, present, printButton, read, title } from "../lib/common.js";
import { say } from "../lib/words.js";

const id = pageId();

function badge(event, entry) {
  return element("li", {}, element("span", { class: "of" }, nameOf(event)), element("strong", {}, nameOf(entry.player)),
    element("span", { class: "of" }, entry.number === null ? event.ruleset.title : say("badges.number", { game: event.ruleset.title, number: String(entry.number) })),
    codeOf(entry.player));
}

present(async () => {
  const [event, entries] = await Promise.all([read(`/v1/events/${id}`), read(`/v1/events/${id}/entries`)]);
  const there = entries.items.filter(({ state }) => state === "entered");
  title(say("badges.title_of", { event: nameText(event) }));
  return { content: [
    element("h1", {}, say("badges.title")),
    element("p", { class: "about no-print" }, link(`/events/${id}`, nameOf(event))),
    there.length === 0 ? element("p", {}, say("badges.none"))
      : [element("p", { class: "no-print" }, printButton(say("badges.print"))),
        element("ul", { class: "badges" }, there.map((entry) => badge(event, entry)))],
  ] };
});
