// The rounds of an event: tables as they count, byes with reasons, and rulings with reasons. The reasons for pairings are on
// the audit page (pages/audit.js).
import { player } from "../lib/account.js";
import { byRank, element, english, lengthWords, link, listed, nameOf, pageId, place, playerLink, read, scoreWords, time, whereLine, whereWords } from "../lib/common.js";
import { capital, hasWords, said, say } from "../lib/words.js";
import { fold } from "./fold.js";

const byeKinds = ["pairing_bye", "full_bye", "half_bye", "zero_bye", "absent"];

/* ---- Reported results ---- */

export const reportPage = (round, table, event = pageId()) => `/events/${event}/rounds/${round}/tables/${table}`;
// Where an official decides: on the desk, with the reason that was given; tables outside rounds have only their own page.
export const contestedAt = ({ event, round, table }) => (round === 0 ? reportPage(round, table, event.id) : `/events/${event.id}/manage#contested-${round}-${table}`);
export const reportAt = (round, table) => `/v1/events/${pageId()}/rounds/${round}/tables/${table}`;

// The author of a step, in words: a player at the table, an official, or nobody in time.
export function whoOf(seats, who) {
  if (typeof who === "number") return nameOf(seats[who].player);
  return say(who === "time" ? "rounds.by_time" : "rounds.by_official");
}

// The state of a report, for the caption of a table.
function reportState(table) {
  const words = table.report.against !== null ? say("rounds.contested") : table.recorded ? say("rounds.recorded")
    : table.reported ? say("rounds.reported") : say("rounds.unconfirmed");
  return [" ", element("span", { class: "badge" }, words)];
}

/* ---- Matches of brackets ---- */

// The service's name of a round of a bracket, such as "upper semi-final" or "round of 16", in the page's language.
export function bracketRound(name) {
  const [, half, round, count] = /^(upper |lower )?(.*?)(?: (\d+))?$/.exec(name);
  const key = `bracket.named_${round.replaceAll(/\W+/g, "_")}`;
  if (!hasWords(key)) return english(name);
  const words = say(key, { count });
  return half === undefined ? words : say(`bracket.in_${half.trim()}`, { round: words });
}

// What a table of a round has been made for, from the reasons of the round's pairing: a match, and the how many-th game of it. null: no bracket.
export function matchOf({ quality }, { match }) {
  const found = quality?.tables?.find((each) => each.match === match);
  if (found === undefined || found.name === undefined) return null;
  return [bracketRound(found.name), found.game > 1 ? [" ", element("span", { class: "badge" }, say("bracket.again", { game: found.game }))] : null];
}

/* ---- Tables ---- */

// Every table as it counts, with its game, if any. In duplicate rounds results are hidden together with their games, whose
// documents decide what is visible; only a ruling, which comes after a board was opened, counts instead.
export function tablesOf(round) {
  const seated = round.seating.map((table) => (
    { ...table, playing: round.games.find((game) => game.event.table === table.table && game.event.board === table.board) ?? null }));
  if (!seated.some((table) => table.board !== null)) return seated;
  return round.games.map((game) => {
    const { ruled, may_revoke, seats } = round.seating.find(({ table }) => table === game.event.table);
    return { table: game.event.table, board: game.event.board, match: null, ruled, may_revoke, playing: game, seats: ruled ? seats : game.seats };
  });
}

// A hidden game has no page yet; one that waits for entropy has.
function gameOf({ playing, waiting }) {
  if (playing === null) return waiting?.game ?? null;
  return playing.hidden ? null : playing.id;
}

function tableName(round, table) {
  const name = [whereLine({ table: table.table }), element("span", { class: "unseen" }, " ", say("rounds.of_round", { round: round.number }))];
  const game = gameOf(table);
  if (round.play === "table") return link(reportPage(round.number, table.table), name);
  return game === null ? name : link(`/games/${game}`, name);
}

function tableState(table) {
  if (table.ruled) return [" ", element("span", { class: "badge" }, say("rounds.ruling"))];
  if (table.report) return reportState(table);
  if (table.playing === null) return table.waiting ? [" ", said("rounds.waits_for_entropy", { when: time(table.waiting.until) })] : null;
  if (table.playing.state === "running") return [" ", say("rounds.playing")];
  return table.playing.hidden ? [" ", say("rounds.finished")] : null;
}

// What there is to know about a seat of a game: who plays for the player, and whether anybody does.
function seatState({ player, substitute_for: original, forfeited, fallback }, id) {
  return [original === null || player.id === id ? null : [" ", said("seats.substitute", { name: nameOf(player) })], forfeited ? [" ", say("seats.forfeited")] : fallback ? [" ", say("seats.absent")] : null];
}

function seatRow(table, seat, ranks) {
  const played = table.playing?.seats.find((each) => [each.player.id, each.substitute_for?.id].includes(seat.player.id));
  const kind = seat.kind && seat.kind !== "played" ? ` (${say(`kind.${seat.kind}`)})` : null;
  return element("tr", {},
    element("td", { class: "rank" }, place(seat.rank, ranks)),
    element("th", { scope: "row" }, playerLink(seat.player), played ? seatState(played, seat.player.id) : null, kind),
    element("td", { class: "number" }, scoreWords(seat.score, ranks.length)));
}

const isOwn = ({ seats }) => seats.some((seat) => seat.player.id === player()?.id);

function matchWords(round, table) {
  const match = matchOf(round, table);
  return match === null ? null : [", ", match];
}

function tableCard(round, table) {
  const ranks = table.seats.map((seat) => seat.rank);
  const column = (text) => element("th", { scope: "col" }, text);
  return element("table", { class: isOwn(table) ? "card own" : "card" },
    element("caption", {}, tableName(round, table), table.board === null ? null : `, ${whereWords({ board: table.board })}`, matchWords(round, table), tableState(table)),
    element("thead", { class: "unseen" }, element("tr", {}, column(say("seats.place")), column(say("seats.player")), column(say("seats.score")))),
    element("tbody", {}, byRank(table.seats).map((seat) => seatRow(table, seat, ranks))));
}

function tablePart(round, table, rulings, actions) {
  const card = tableCard(round, table);
  const under = actions?.(round, table) ?? null;
  if (!table.ruled && under === null) return card;
  const ruling = table.ruled ? rulings.findLast((each) => each.kind === "ruled" && each.round === round.number && each.table === table.table) : null;
  return element("div", { id: under === null ? null : `table-${round.number}-${table.table}` }, card,
    ruling?.reason ? element("p", { class: "reason" }, said("rounds.ruling_reason", { reason: element("bdi", {}, ruling.reason) })) : null, under);
}

/* ---- A round ---- */

// The started boards, each linked to the page that compares its results.
function boardLinks(event, round) {
  const boards = [...new Set(round.games.map((game) => game.event.board))].filter((board) => board !== null);
  return boards.length === 0 ? null : element("nav", { class: "links steps-of", "aria-label": say("rounds.boards_of", { round: round.number }) }, say("rounds.results_by_board"), " ",
    boards.map((board) => link(`/events/${event.id}/rounds/${round.number}/boards/${board}`, String(board))));
}

function byes(round) {
  const kinds = byeKinds.filter((kind) => round.byes.some((bye) => bye.kind === kind));
  return kinds.map((kind) => element("p", {}, `${capital(say(`kind.${kind}`))}: `,
    listed(round.byes.filter((bye) => bye.kind === kind).map((bye) => playerLink(bye.player)))));
}

function roundState(round) {
  if (round.tables === 0) return [" ", say("rounds.dealing")];
  return round.state === "running" ? [" ", say("rounds.running", { finished: round.tables_finished, count: round.tables })] : null;
}

// A table of a game has finished with it; any other when its result counts.
export const isFinished = ({ seats, playing, board }) => (board === null ? seats[0].kind !== null : playing.state !== "running");

const MANY = 12; // tables that are shown at once

// If a round has many tables, shows the reader's own and the first that still play (once none does, the first), and folds the rest.
// Fewer are shown where they can be searched.
function tableCards(round, rulings, actions, isSought) {
  const most = isSought === null ? MANY : 4;
  const cards = (tables) => element("div", { class: "tables" }, tables.map((table) => tablePart(round, table, rulings, actions)));
  const tables = tablesOf(round).filter((table) => isSought?.(table) ?? true);
  if (tables.length <= MANY) return cards(tables);
  const others = tables.filter((table) => !isOwn(table));
  const open = others.filter((table) => !isFinished(table));
  const [first, finished] = open.length === 0 ? [others, []] : [open, others.filter(isFinished)];
  const rest = first.slice(most);
  return [cards([...tables.filter(isOwn), ...first.slice(0, most)]),
    rest.length === 0 ? null : fold(`more-tables-${round.number}`, say("rounds.more_tables", { count: rest.length }), cards(rest)),
    finished.length === 0 ? null : fold(`finished-tables-${round.number}`, say("rounds.finished_tables", { count: finished.length }), cards(finished))];
}

// Boards mean a table for each board and four players: the grid of players by boards shows them all, and the tables are
// folded.
function gridAndCards(event, round, rulings, actions, boardGrid) {
  const tables = tablesOf(round);
  const boards = Math.max(event.settings.stages[0].boards ?? 0, ...tables.map((each) => each.board));
  return [boardGrid(round, boards, tables), element("details", { id: `tables-${round.number}` }, element("summary", {}, say("rounds.one_by_one")), tableCards(round, rulings, actions))];
}

// `actions(round, table)`: what to show under a table for officials, or null. `grid`: boardGrid(), with which boards are
// shown. `isSought(table)`: whether to show it; null: all.
export function roundSection(event, round, rulings, newest, actions = null, grid = null, isSought = null) {
  const name = round.quality?.name ?? null;
  return element("section", { id: `round-${round.number}`, class: newest ? null : "older" },
    element("h3", {}, whereLine({ round: round.number }), name === null ? null : [": ", bracketRound(name)], roundState(round)),
    round.deadline === null || round.state !== "running" ? null : element("p", { class: "deadline" }, said("rounds.deadline", { when: time(round.deadline) })),
    boardLinks(event, round),
    grid !== null && event.format === "duplicate" ? gridAndCards(event, round, rulings, actions, grid) : tableCards(round, rulings, actions, isSought),
    byes(round));
}

/* ---- Reading ---- */

const finished = new Map(); // rounds that can change only by a ruling

// A finished round changes only by a ruling, after which the event has a newer line of that kind.
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

// Whether officials have decided anything in it.
export const isByHand = (round) => round.changes > 0 || round.attempt > 1 || round.seating.some((table) => table.ruled);

const decisions = new Set(["ruled", "ruling_revoked", "table_replayed", "round_changed", "round_withdrawn"]);

// The log lines that decide tables or seats manually.
export function rulingsIn(log) {
  return log.filter(({ kind }) => decisions.has(kind)).map(({ kind, at: when, by, detail }) => (
    { kind, when, by, round: detail.round, table: detail.table ?? null, reason: detail.reason ?? null }));
}

function rulingItem({ kind, round, table, by, when, reason }) {
  const values = { what: say(`rounds.was_${kind}`), when: time(when), by: by === null ? null : playerLink(by) };
  return element("li", {}, whereLine({ round, table }), ", ", said(by === null ? "rounds.decision" : "rounds.decision_by", values),
    reason === null ? "." : [": ", element("bdi", {}, reason)]);
}

export function rulingList(rulings) {
  if (rulings.length === 0) return null;
  return [element("h2", { id: "rulings" }, say("rounds.rulings")), element("ul", { class: "rulings" }, rulings.map(rulingItem))];
}

/* ---- Formats without rounds ---- */

// The table, by the page where its result is reported if the event is played at real tables.
const tableLink = ({ id, play }, table) => (play === "table" ? link(reportPage(0, table, id), whereWords({ table })) : whereWords({ table }));

// How a ladder is played, for all readers.
function ladderWords({ settings: { stages: [{ reach, effect, answer_minutes: minutes }] } }) {
  return element("p", { id: "ladder-rules", class: "hint" }, say("rounds.ladder_reach", { count: reach }), " ", say(`rounds.ladder_${effect}`),
    minutes > 0 ? [" ", say("rounds.ladder_answer", { length: lengthWords(minutes * 60_000) })] : null);
}

export function challengeList({ challenges }, event) {
  return [ladderWords(event), challenges.length === 0 ? element("p", {}, say("rounds.no_challenge")) : element("ul", {}, challenges.map((each) => element("li", {},
    said(each.table === null ? "rounds.challenge" : "rounds.challenge_played",
      { challenger: playerLink(each.challenger), challenged: playerLink(each.challenged), when: time(each.at), where: each.table === null ? null : tableLink(event, each.table) }))))];
}

export function queueList({ waiting, tables }, event) {
  return [
    waiting.length === 0 ? element("p", {}, say("rounds.nobody_waits"))
      : [element("p", {}, say("rounds.waiting")), element("ol", {}, waiting.map((each) => element("li", {}, said("rounds.waits_since", { name: playerLink(each.player), when: time(each.since) }))))],
    tables.length === 0 ? null : [element("p", {}, say("rounds.playing_now")), element("ul", {}, tables.map((each) => element("li", {},
      said("rounds.plays_since", { where: event.play === "table" ? tableLink(event, each.table) : whereLine({ table: each.table }), players: listed(each.players.map((player) => playerLink(player))), when: time(each.started_at) }))))],
  ];
}
