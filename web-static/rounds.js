// The rounds of an event: tables as they count, who sat out and why, rulings with their reasons, and why
// the tables were drawn so.
import { byRank, element, link, listed, nameOf, place, playerLink, read, time, words } from "./common.js";
import { kindNames } from "./standings.js";

const byeNames = { pairing_bye: "Bye", full_bye: "Full bye", half_bye: "Half bye", zero_bye: "Bye without points", absent: "Absent" };

/* ---- Tables ---- */

// Every table as it counts, with the game where there is one. In duplicate rounds results are hidden
// with their games, which know best what may be seen.
export function tablesOf(round) {
  const seated = round.seating.map((table) => (
    { ...table, playing: round.games.find((game) => game.event.table === table.table && game.event.board === table.board) ?? null }));
  if (!seated.some((table) => table.board !== null)) return seated;
  return round.games.map((game) => ({ table: game.event.table, board: game.event.board, match: null, ruled: false, playing: game, seats: game.seats }));
}

// A hidden game has no page of its own yet.
function tableName(round, table) {
  const name = [`Table ${table.table}`, element("span", { class: "unseen" }, ` of round ${round.number}`)];
  return table.playing === null || table.playing.hidden ? name : link(`/games/${table.playing.id}`, name);
}

function tableState(table) {
  if (table.ruled) return [" ", element("span", { class: "badge" }, "ruling")];
  if (table.playing === null) return null;
  if (table.playing.state === "running") return " (playing)";
  return table.playing.hidden ? " (finished)" : null;
}

function seatRow(table, seat, ranks) {
  const played = table.playing?.seats.find((each) => each.player.id === seat.player.id);
  const kind = seat.kind && seat.kind !== "played" ? ` (${kindNames[seat.kind]})` : null;
  return element("tr", {},
    element("td", { class: "rank" }, place(seat.rank, ranks)),
    element("th", { scope: "row" }, playerLink(seat.player), played?.fallback ? " (absent)" : null, kind),
    element("td", { class: "number" }, seat.score === null ? "" : String(seat.score)));
}

function tableCard(round, table) {
  const ranks = table.seats.map((seat) => seat.rank);
  const column = (text) => element("th", { scope: "col" }, text);
  return element("table", { class: "card" },
    element("caption", {}, tableName(round, table), table.board === null ? null : `, board ${table.board}`, tableState(table)),
    element("thead", { class: "unseen" }, element("tr", {}, column("Place"), column("Player"), column("Score"))),
    element("tbody", {}, byRank(table.seats).map((seat) => seatRow(table, seat, ranks))));
}

function tablePart(round, table, rulings, actions) {
  const card = tableCard(round, table);
  const under = actions?.(round, table) ?? null;
  if (!table.ruled && under === null) return card;
  const ruling = table.ruled ? rulings.findLast((each) => each.kind === "ruled" && each.round === round.number && each.table === table.table) : null;
  return element("div", { id: under === null ? null : `table-${round.number}-${table.table}` }, card,
    ruling?.reason ? element("p", { class: "reason" }, "Ruling: ", element("bdi", {}, ruling.reason)) : null, under);
}

/* ---- A round ---- */

// The boards that have been started, each with a page that compares its results.
function boardLinks(event, round) {
  const boards = [...new Set(round.games.map((game) => game.event.board))].filter((board) => board !== null);
  return boards.length === 0 ? null : element("nav", { class: "links", "aria-label": `Boards of round ${round.number}` }, "Results by board: ",
    boards.map((board) => link(`/events/${event.id}/rounds/${round.number}/boards/${board}`, String(board))));
}

function byes(round) {
  const kinds = Object.keys(byeNames).filter((kind) => round.byes.some((bye) => bye.kind === kind));
  return kinds.map((kind) => element("p", {}, `${byeNames[kind]}: `,
    listed(round.byes.filter((bye) => bye.kind === kind).map((bye) => playerLink(bye.player)))));
}

function roundSecret(round) {
  if (round.commitment === null) return null;
  return element("p", {}, "All tables play with one secret, to which the round committed before it was drawn: ",
    element("code", { class: "hash" }, round.commitment), round.secret === null ? ". It is revealed when the last table has ended."
      : [". Revealed: ", element("code", { class: "hash" }, round.secret)]);
}

function drawWords(round) {
  const { repeats_bound: bound } = round.quality;
  const changes = round.changes === 0 ? "" : ` Changed by hand after that: ${round.changes}.`;
  return `Of two draws the one that is lower in the first value where they differ is better.${
    bound === undefined ? "" : ` No draw could have fewer repeats than ${bound}.`} Draws made of this round: ${round.attempt}.${changes}`;
}

function quality(round) {
  if (round.quality === null) return roundSecret(round);
  const { criteria, proved_best: proved } = round.quality;
  if (criteria.length === 0) return null;
  return element("details", { class: "glossary" },
    element("summary", {}, proved ? "Why these tables: proved that no draw is better" : "Why these tables"),
    element("p", {}, drawWords(round)),
    element("dl", { class: "terms" }, criteria.flatMap((criterion) => [
      element("dt", {}, `${criterion.code}: ${criterion.name} = ${criterion.value}`), element("dd", {}, criterion.meaning)])));
}

function roundState(round) {
  return round.state === "running" ? ` (running, ${round.tables_finished} of ${round.tables} tables finished)` : null;
}

// `actions(round, table)`: what stands under a table for its officials, or null.
export function roundSection(event, round, rulings, newest, actions = null) {
  const name = round.quality?.name ?? null;
  return element("section", { id: `round-${round.number}`, class: newest ? null : "older" },
    element("h3", {}, `Round ${round.number}`, name === null ? null : `: ${words(name)}`, roundState(round)),
    round.deadline === null || round.state !== "running" ? null : element("p", { class: "deadline" }, "To be played by ", time(round.deadline), "."),
    boardLinks(event, round),
    element("div", { class: "tables" }, tablesOf(round).map((table) => tablePart(round, table, rulings, actions))),
    byes(round),
    quality(round));
}

/* ---- Reading ---- */

const finished = new Map(); // rounds that do not change any more, unless by a ruling

// A finished round changes only by a ruling, after which its newest line of the event is another.
async function readRound(event, number) {
  const kept = finished.get(number);
  if (kept?.changes === event.changes) return kept.round;
  const at = `/v1/events/${event.id}/rounds/${number}`;
  const round = await read(at, { again: kept !== undefined }) ?? kept.round;
  if (round.state === "finished") finished.set(number, { round, changes: event.changes });
  return round;
}

// All rounds of this page's event that have started, newest first.
export function readRounds(event) {
  const numbers = Array.from({ length: event.rounds.started }, (_, i) => event.rounds.started - i);
  return Promise.all(numbers.map((number) => readRound(event, number)));
}

/* ---- Rulings ---- */

const decisions = new Set(["ruled", "ruling_revoked", "table_replayed", "round_changed", "round_withdrawn"]);

// The lines of an event's log that decide tables or seats by hand.
export function rulingsIn(log) {
  return log.filter(({ kind }) => decisions.has(kind)).map(({ kind, at: when, by, detail }) => (
    { kind, when, by, round: detail.round, table: detail.table ?? null, reason: detail.reason ?? null }));
}

const rulingWords = { ruled: "ruled", ruling_revoked: "ruling revoked", table_replayed: "played anew", round_changed: "seated by hand", round_withdrawn: "draw withdrawn" };

function rulingWhere({ round, table }) {
  return [round > 0 ? `Round ${round}` : null, table === null ? null : `${round > 0 ? "table" : "Table"} ${table}`].filter(Boolean).join(", ");
}

export function rulingList(rulings) {
  if (rulings.length === 0) return null;
  return [element("h2", {}, "Rulings"), element("ul", { class: "rulings" }, rulings.map((ruling) => element("li", {},
    `${rulingWhere(ruling)}, ${rulingWords[ruling.kind]}`, ruling.by === null ? null : [" by ", playerLink(ruling.by)], " ", time(ruling.when),
    ruling.reason === null ? "." : [": ", element("bdi", {}, ruling.reason)])))];
}

/* ---- Where there are no rounds ---- */

export function challengeList({ challenges }) {
  if (challenges.length === 0) return element("p", {}, "No challenge is open.");
  return element("ul", {}, challenges.map((each) => element("li", {},
    playerLink(each.challenger), " challenges ", playerLink(each.challenged), ", ", time(each.at),
    each.table === null ? null : ` (playing at table ${each.table})`)));
}

export function queueList({ waiting, tables }) {
  return [
    waiting.length === 0 ? element("p", {}, "Nobody waits for a table.")
      : [element("p", {}, "Waiting for a table:"), element("ol", {}, waiting.map((each) => element("li", {}, playerLink(each.player), " since ", time(each.since))))],
    tables.length === 0 ? null : [element("p", {}, "Playing:"), element("ul", {}, tables.map((each) => element("li", {},
      `Table ${each.table}: `, listed(each.players.map((player) => playerLink(player))), ", since ", time(each.started_at))))],
  ];
}
