// The traveller of a board: every result in the same seat compared with the others, and where two tables' games part.
import { element, link, listed, nameOf, nameText, pageId, place, playerLink, present, read, scoreWords, table, title, whereLine } from "../lib/common.js";
import { attempt, formFault } from "../lib/forms.js";
import { figure, said, say } from "../lib/words.js";

const [, , id, , round, , board] = location.pathname.split("/");
const at = `/v1/events/${pageId()}/rounds/${round}/boards/${board}`;
const columns = () => [{ text: say("seats.place"), number: true }, { text: say("seats.player"), header: true }, { text: say("seats.score"), number: true },
  { text: say("traveller.matchpoints"), number: true, class: "extra", title: say("traveller.matchpoints_are") },
  { text: "%", number: true, class: "points", title: say("traveller.percent_is") }, { text: say("traveller.table") }];

function seatTable(traveller, seat) {
  const results = traveller.results.filter((result) => result.seat === seat);
  const seats = new Set(traveller.results.map((each) => each.seat)).size;
  const places = results.map((result) => result.place);
  const rows = results.map((result) => [place(result.place, places), playerLink(result.player), scoreWords(result.score, seats),
    result.field === 1 ? "" : say("traveller.matchpoints_of", { count: result.matchpoints, most: 2 * (result.field - 1) }), figure(result.percentage.text),
    link(`/games/${result.game}`, whereLine({ table: result.table }))]);
  return table(seats === 1 ? say("traveller.results", { count: results.length }) : say("traveller.seat", { seat: seat + 1, count: results.length }), columns(), rows);
}

function results(traveller) {
  if (traveller.state === "hidden") {
    return element("p", { class: "notice" }, say("traveller.hidden_about"));
  }
  return [...new Set(traveller.results.map((result) => result.seat))].map((seat) => seatTable(traveller, seat));
}

/* ---- Two tables ---- */

function moveLine({ game, table: number, then }) {
  return element("li", {}, said("traveller.move", { table: whereLine({ table: number }), player: playerLink(then.player), move: link(`/games/${game}#ply=${then.seq}`, element("code", {}, then.move)) }));
}

async function parting([one, two]) {
  const { same, tables } = await read(`/v1/games/${one}/parting?with=${two}`);
  const further = tables.filter(({ then }) => then !== null);
  if (further.length === 0) return element("p", {}, say("traveller.all_same"));
  return [element("p", {}, same === 0 ? say("traveller.none_same") : say("traveller.first_same", { count: same })), element("ul", {}, further.map(moveLine))];
}

// Which two tables to compare, at first the best of the first seat with the next.
function comparison(traveller) {
  const tables = new Map(traveller.results.map((result) => [result.game, result.table]));
  if (tables.size < 2) return null;
  const [first, second] = tables.keys();
  const byTable = [...tables].sort(([, a], [, b]) => a - b);
  const box = (name, chosen) => element("select", { id: name }, byTable.map(([game, number]) => element("option", { value: game, selected: game === chosen }, whereLine({ table: number }))));
  const [one, two] = [box("one", first), box("two", second)];
  const found = element("div", { id: "parting", role: "status" });
  const form = element("form", { id: "compare", class: "practice no-print" }, element("label", { for: "one" }, say("traveller.compare")), one, element("label", { for: "two" }, say("traveller.compare_with")), two,
    element("button", { type: "submit" }, say("traveller.compare_now")), formFault());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => found.replaceChildren(...[await parting([one.value, two.value])].flat()));
  });
  return [form, found];
}

function otherBoards(event) {
  return element("nav", { class: "links steps-of no-print", "aria-label": say("traveller.boards_of_round") }, say("traveller.boards"), " ",
    Array.from({ length: event.boards }, (_, i) => String(i + 1)).map((other) =>
      element("a", { href: `/events/${id}/rounds/${round}/boards/${other}`, "aria-current": other === board ? "page" : null }, other)));
}

async function draw() {
  const [event, traveller] = await Promise.all([read(`/v1/events/${id}`), read(at)]);
  const heading = say("traveller.title", { board, round });
  title(`${heading}, ${nameText(event)}`);
  return { more: traveller.state === "hidden", content: [
    element("h1", {}, heading),
    element("p", { class: "about" }, element("span", { class: traveller.state === "open" ? "badge good" : "badge" }, say(`traveller.is_${traveller.state}`)), " ",
      say("traveller.game_at", { game: event.ruleset.title, count: traveller.tables }), " ", link(`/events/${id}`, nameOf(event))),
    otherBoards(event),
    results(traveller),
    traveller.missing.length ? element("p", {}, said("traveller.sat_out", { players: listed(traveller.missing.map(playerLink)) })) : null,
    comparison(traveller),
    element("p", {}, link(at, say("traveller.as_json"))),
  ] };
}

present(draw, 5000);
