// The traveller of a board: every result in the same seat compared with the others.
import { element, link, listed, nameOf, nameText, pageId, place, playerLink, present, read, table, title } from "./common.js";

const [, , id, , round, , board] = location.pathname.split("/");
const at = `/v1/events/${pageId()}/rounds/${round}/boards/${board}`;
const columns = [{ text: "Place", number: true }, { text: "Player", header: true }, { text: "Score", number: true },
  { text: "Matchpoints", number: true, title: "2 for each result beaten in this seat, 1 for each tie" },
  { text: "%", number: true, class: "points", title: "Of the top; smaller fields are brought up to the largest by Neuberg's formula" },
  { text: "Table" }];

function seatTable(traveller, seat) {
  const results = traveller.results.filter((result) => result.seat === seat);
  const places = results.map((result) => result.place);
  const rows = results.map((result) => [place(result.place, places), playerLink(result.player), String(result.score),
    `${result.matchpoints} of ${2 * (result.field - 1)}`, result.percentage.text, link(`/games/${result.game}`, `Table ${result.table}`)]);
  return table(`Seat ${seat}: ${results.length} ${results.length === 1 ? "result" : "results"}.`, columns, rows);
}

function results(traveller) {
  if (traveller.state === "hidden") {
    return element("p", { class: "notice" }, "Somebody still has this board to play. Its results are shown when all have.");
  }
  return [...new Set(traveller.results.map((result) => result.seat))].map((seat) => seatTable(traveller, seat));
}

function otherBoards(event) {
  return element("nav", { class: "links no-print", "aria-label": "Boards of this round" }, "Boards: ",
    Array.from({ length: event.boards }, (_, i) => String(i + 1)).map((number) =>
      element("a", { href: `/events/${id}/rounds/${round}/boards/${number}`, "aria-current": number === board ? "page" : null }, number)));
}

async function draw() {
  const [event, traveller] = await Promise.all([read(`/v1/events/${id}`), read(at)]);
  title(`Board ${board} of round ${round}, ${nameText(event)}`);
  return { more: traveller.state === "hidden", content: [
    element("h1", {}, `Board ${board} of round ${round}`),
    element("p", { class: "about" }, element("span", { class: traveller.state === "open" ? "badge good" : "badge" }, traveller.state),
      ` ${event.ruleset.title} at ${traveller.tables} ${traveller.tables === 1 ? "table" : "tables"}. `, link(`/events/${id}`, nameOf(event))),
    otherBoards(event),
    results(traveller),
    traveller.missing.length ? element("p", {}, "Sat out: ", listed(traveller.missing.map(playerLink))) : null,
    element("p", {}, link(at, "This board as JSON")),
  ] };
}

present(draw, 5000);
