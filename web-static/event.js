import { byRank, element, link, listed, nameOf, nameText, pageId, parameter, place, playerLink, present, read, roundsWords, time, title, words } from "./common.js";
import { standingsTable } from "./standings.js";

const id = pageId();
const at = `/v1/events/${id}`;
const finished = new Map(); // rounds that do not change any more
let shown = null;

const stateWords = {
  draft: "being prepared", entries_open: "open for entries", entries_closed: "entries are closed, the first round is to come",
  running: "running", closed: "closed",
};

const playWords = { asynchronous: "all boards at once", barometer: "board after board" };
const scoringWords = { matchpoints: "matchpoints", total: "total scores" };

// The names of formats are words, but for these.
const formatNames = { pod_swiss: "pod Swiss", dutch: "Swiss, Dutch system", open_play: "open play" };

function formatWords(event) {
  if (event.format !== "duplicate") return formatNames[event.format] ?? words(event.format);
  return `duplicate: ${event.boards} ${event.boards === 1 ? "board" : "boards"} a round, ${playWords[event.play]}, ${scoringWords[event.scoring]}`;
}

function facts(event) {
  const { min, max } = event.seats;
  return element("p", { class: "about" },
    element("span", { class: event.state === "closed" ? "badge good" : "badge" }, stateWords[event.state]),
    ` ${event.ruleset.title}, tables of ${min === max ? min : `${min} to ${max}`}. Round ${roundsWords(event)} (${formatWords(event)}), `,
    `${event.entries} entries. Organizer: `, playerLink(event.organizer), ". Made ", time(event.created_at), ".");
}

function afterRoundLinks(event, after) {
  if (event.rounds.started < 2) return null;
  const rounds = Array.from({ length: event.rounds.started }, (_, i) => i + 1);
  return element("nav", { class: "links no-print", "aria-label": "Standings after round" }, "After round ", rounds.map((round) =>
    element("a", { href: round === event.rounds.started ? location.pathname : `?after_round=${round}`, "aria-current": round === after ? "page" : null }, String(round))));
}

// A hidden game has no page of its own yet.
function tableName(game) {
  const name = [`Table ${game.event.table}`, element("span", { class: "unseen" }, ` of round ${game.event.round}`)];
  return game.hidden ? name : link(`/games/${game.id}`, name);
}

function tableCard(game) {
  const ranks = game.seats.map((seat) => seat.rank);
  const column = (text) => element("th", { scope: "col" }, text);
  return element("table", { class: "card" },
    element("caption", {}, tableName(game), game.event.board === null ? null : `, board ${game.event.board}`,
      game.state === "running" ? " (playing)" : game.hidden ? " (finished)" : null),
    element("thead", { class: "unseen" }, element("tr", {}, column("Place"), column("Player"), column("Score"))),
    element("tbody", {}, byRank(game.seats).map((seat) => element("tr", {},
      element("td", { class: "rank" }, place(seat.rank, ranks)),
      element("th", { scope: "row" }, playerLink(seat.player), seat.fallback ? " (absent)" : null),
      element("td", { class: "number" }, seat.score === null ? "" : String(seat.score))))));
}

// The boards that have been started, each with a page that compares its results.
function boardLinks(round) {
  const boards = [...new Set(round.games.map((game) => game.event.board))].filter((board) => board !== null);
  return boards.length === 0 ? null : element("nav", { class: "links", "aria-label": `Boards of round ${round.number}` }, "Results by board: ",
    boards.map((board) => link(`/events/${id}/rounds/${round.number}/boards/${board}`, String(board))));
}

function roundSecret(round) {
  return element("p", {}, "All tables play with one secret, to which the round committed before it was drawn: ",
    element("code", { class: "hash" }, round.commitment), round.secret === null ? ". It is revealed when the last table has ended."
      : [". Revealed: ", element("code", { class: "hash" }, round.secret)]);
}

function quality(round) {
  if (round.quality === null) return roundSecret(round);
  const { criteria, proved_best: proved, repeats_bound: bound } = round.quality;
  return element("details", { class: "glossary" },
    element("summary", {}, proved ? "Why these tables: proved that no draw is better" : "Why these tables"),
    element("p", {}, "Of two draws the one that is lower in the first value where they differ is better. ",
      bound === undefined ? null : `No draw could have fewer repeats than ${bound}. `, `Draws made of this round: ${round.attempt}.`),
    element("dl", { class: "terms" }, criteria.flatMap((criterion) => [
      element("dt", {}, `${criterion.code}: ${criterion.name} = ${criterion.value}`), element("dd", {}, criterion.meaning)])));
}

function roundSection(round) {
  const state = round.state === "running" ? ` (running, ${round.tables_finished} of ${round.tables} tables finished)` : null;
  return element("section", { id: `round-${round.number}` },
    element("h3", {}, `Round ${round.number}`, state),
    boardLinks(round),
    element("div", { class: "tables" }, round.games.map(tableCard)),
    round.byes.length ? element("p", {}, "Bye: ", listed(round.byes.map((bye) => playerLink(bye.player)))) : null,
    quality(round));
}

function entryList(entries) {
  if (entries.items.length === 0) return element("p", {}, "Nobody has entered yet.");
  return element("ul", { class: "names" }, entries.items.map((entry) => element("li", {}, playerLink(entry.player))));
}

function checking(event) {
  return [element("h2", {}, "For checking"), element("ul", {},
    element("li", {}, link(`${at}/standings`, "Standings"), ", ", link(`${at}/rounds`, "rounds"), " and ", link(`${at}/log`, "the event's log"), " as JSON"),
    element("li", {}, "Pairings are drawn from a secret to which the event committed before anybody entered: ",
      element("code", { class: "hash" }, event.commitment), event.secret === null ? ". It is revealed when the event closes."
        : [". Revealed: ", element("code", { class: "hash" }, event.secret)]))];
}

async function readRound(number) {
  const round = finished.get(number) ?? await read(`${at}/rounds/${number}`);
  if (round.state === "finished") finished.set(number, round);
  return round;
}

// The numbers of all started rounds, newest first.
function roundNumbers(event) {
  return Array.from({ length: event.rounds.started }, (_, i) => event.rounds.started - i);
}

function chosenRound(event) {
  const asked = Number(parameter("after_round"));
  return Number.isInteger(asked) && asked >= 1 && asked <= event.rounds.started ? asked : event.rounds.started;
}

async function draw() {
  const event = await read(at);
  const after = chosenRound(event);
  const started = event.rounds.started > 0;
  const [standings, entries, rounds] = await Promise.all([
    started ? read(`${at}/standings?after_round=${after}`) : null,
    started ? null : read(`${at}/entries`),
    Promise.all(roundNumbers(event).map(readRound)),
  ]);
  const more = event.state !== "closed";
  const data = JSON.stringify([event, standings, entries, rounds]);
  if (data === shown) return { more, after: event.changes };
  shown = data;
  title(nameText(event));
  return { more, after: event.changes, content: [
    element("h1", {}, nameOf(event)),
    facts(event),
    started ? element("nav", { class: "links no-print", "aria-label": "Rounds" }, "Tables of round ",
      rounds.map((round) => link(`#round-${round.number}`, String(round.number)))) : null,
    started ? [element("h2", {}, "Standings"), afterRoundLinks(event, after), standingsTable(standings)]
      : [element("h2", {}, "Entries"), entryList(entries)],
    started ? [element("h2", {}, "Rounds"), rounds.map(roundSection)] : null,
    checking(event),
  ] };
}

present(draw, 3000, `${at}/stream`);
