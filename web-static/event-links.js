// The ways from an event to its other pages, and into pages of others.
import { element, link } from "./common.js";
import { said, say } from "./words.js";

// `parts`: of the page itself, [fragment, name], which come first.
export function otherPages(event, parts = []) {
  const page = (name, words) => link(`/events/${event.id}/${name}`, words);
  return element("nav", { class: "links parts-of no-print", "aria-label": say("event.parts") }, parts.map(([fragment, name]) => link(`#${fragment}`, name)),
    page("statistics", say("stats.title")), page("hall", say("hall.title")));
}

// What others put into a page of theirs to show the standings in it.
export function embedWords(event) {
  const at = `${location.origin}/events/${event.id}/embed`;
  return said("embed.about", { link: link(at, say("embed.link")), code: element("code", {}, `<iframe src="${at}" width="100%" height="600"></iframe>`) });
}
