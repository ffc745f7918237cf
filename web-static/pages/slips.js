// Result slips of a round, to print and cut out: who sits at the table, room for the result, and a code for reporting it by phone.
import { element, link, nameOf, nameText, pageId, present, printButton, read, title, whereLine } from "../lib/common.js";
import { reportPage } from "../event/rounds.js";
import { say } from "../lib/words.js";

const id = pageId();
const own = Number(location.pathname.split("/")[4]);

function slip(event, { table, seats }) {
  const page = reportPage(own, table);
  return element("li", { class: "slip" },
    element("img", { src: `${page}/code.svg`, alt: say("slips.code", { address: `${location.origin}${page}` }), width: 110, height: 110 }),
    element("strong", {}, whereLine({ round: own, table })), element("span", { class: "of" }, nameOf(event)),
    element("table", {}, element("thead", {}, element("tr", {}, [say("seats.seat"), say("seats.player"), say("seats.score"), say("seats.place")].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, seats.map((seat) => element("tr", {}, element("td", { class: "number" }, String(seat.seat + 1)), element("th", { scope: "row" }, nameOf(seat.player)), element("td", { class: "blank" }), element("td", { class: "blank" }))))),
    element("span", { class: "of sign" }, say("slips.signature")));
}

present(async () => {
  const [event, round] = await Promise.all([read(`/v1/events/${id}`), read(`/v1/events/${id}/rounds/${own}`)]);
  title(say("slips.title_of", { round: own, event: nameText(event) }));
  return { content: [
    element("h1", {}, say("slips.title", { round: own })),
    element("p", { class: "about no-print" }, link(`/events/${id}/rounds/${own}`, whereLine({ round: own })), ", ", link(`/events/${id}`, nameOf(event))),
    element("p", { class: "no-print" }, printButton(say("badges.print"))),
    element("ul", { class: "badges slips" }, round.seating.map((table) => slip(event, table))),
  ] };
});
