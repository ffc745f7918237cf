// A hall screen: what people there look for, in large type, page by page. In a round's first half that is where they sit, by name;
// then which tables still play. The standings follow, and the results of the round. Beside them is the board of the best running game.
// It follows the event.
import { clockText, delayWords, element, gameName, nameOf, nameText, pageId, parameter, place, present, read, scoreWords, sharedPlace, showContent, title } from "../lib/common.js";
import { isFinished, tablesOf } from "../event/rounds.js";
import { divisionsOf, hasResults } from "../event/standings.js";
import { figure, number, say } from "../lib/words.js";

const id = pageId();
const at = `/v1/events/${id}`;
const main = document.getElementById("main");
const seconds = Math.min(Math.max(Number(parameter("seconds")) || 12, 3), 120);
const letters = new CSSStyleSheet();
const scale = new CSSStyleSheet();
document.adoptedStyleSheets.push(letters, scale);
const state = { event: null, parts: [], page: 0, paused: false, live: null, deadline: null };

/* ---- Content: parts made of blocks of lines that stay together. In a line, the player is the cell
 * `name` ---- */

// Where everybody sits whose table plays. Those with a bye look for themselves, too.
function seatsPart(round, tables) {
  const sitting = tables.flatMap(({ table, seats }) => seats.map(({ player, seat }) => [player, String(table), String(seat + 1)]));
  const free = round.byes.filter(({ kind }) => kind !== "absent").map(({ player }) => [player, say("kind.pairing_bye"), ""]);
  const all = [...sitting, ...free].sort(([one], [other]) => one.name.localeCompare(other.name));
  return { heading: say("hall.seats", { round: round.number }), columns: [say("seats.player"), say("round.table"), say("seats.seat")], name: 0, narrow: true, blocks: all.map((each) => [each]) };
}

function openPart(round, tables) {
  const blocks = tables.map(({ table, seats }) => seats.map(({ player }, i) => [i === 0 ? String(table) : "", player]));
  return { heading: say("hall.open", { round: round.number, count: tables.length }), columns: [say("round.table"), say("seats.player")], name: 1, narrow: true, blocks };
}

// Games for one have no places.
function resultsPart(round, tables) {
  const alone = tables.every(({ seats }) => seats.length === 1);
  const without = (cells) => (alone ? cells.filter((_, i) => i !== 2) : cells);
  const blocks = tables.map((each) => each.seats.map((seat, i) => without([
    i === 0 ? String(each.table) : "", seat.player, place(seat.rank, each.seats.map((other) => other.rank)), scoreWords(seat.score, each.seats.length)])));
  return { heading: say("hall.results", { round: round.number }), columns: without([say("round.table"), say("seats.player"), say("seats.place"), say("seats.score")]), name: 1, blocks };
}

// What comes before the standings, and after them. Who plays several boards is looked for by table.
function roundParts(round) {
  const tables = tablesOf(round);
  const open = tables.filter((table) => !isFinished(table));
  const finished = tables.filter(isFinished);
  const isEarly = finished.length < open.length && tables.every(({ board }) => board === null);
  return { before: open.length === 0 ? null : isEarly ? seatsPart(round, open) : openPart(round, open), after: finished.length === 0 ? null : resultsPart(round, finished) };
}

// All players by name, while places would only reflect the drawing of lots.
function entriesPart({ rows }) {
  const players = rows.map((row) => row.player).sort((a, b) => a.name.localeCompare(b.name));
  return { heading: say("entry.title"), columns: [say("seats.player")], name: 0, blocks: players.map((each) => [[each]]) };
}

function standingsParts(standings) {
  if (!hasResults(standings)) return [entriesPart(standings)];
  const after = standings.after_round > 0 ? say(`standings.state_${standings.state}_after`, { round: standings.after_round }) : say(`standings.state_${standings.state}`);
  const heading = standings.reported > 0 ? say("hall.with_reported", { heading: after, count: standings.reported }) : after;
  return divisionsOf(standings).map(({ division, rows }) => {
    const noPoints = rows.every((row) => row.points === null); // in a bracket
    const without = (cells) => (noPoints ? cells.filter((_, i) => i !== 2) : cells);
    return {
      heading: division === null ? heading : `${heading} ${say("standings.division", { division })}`,
      columns: without([say("seats.place"), say("seats.player"), say("changes.points"), say("standings.played")]), name: 1,
      blocks: rows.map((row) => [without([row.rank === null ? say("standings.still_in") : sharedPlace(row.rank, row.shared), row.player,
        row.points === null ? "" : figure(row.points.text), number(row.played)])]),
    };
  });
}

/* ---- The time of the round ---- */

function timerText(deadline) {
  const left = Date.parse(deadline) - Date.now();
  return left > 0 ? clockText(Math.ceil(left / 1000)) : say("hall.time_is_up");
}

function timerPart() {
  if (state.deadline === null) return null;
  return element("p", { id: "timer", class: "timer", role: "timer", "aria-label": say("hall.timer") }, timerText(state.deadline));
}

setInterval(() => {
  const timer = document.getElementById("timer");
  if (timer !== null && state.deadline !== null) timer.textContent = timerText(state.deadline);
}, 1000);

/* ---- The board ---- */

const boardShare = 0.45; // of the screen's width

const hasBoard = () => state.live?.parts && innerWidth >= 900;

// The first table of a round paired from the standings; without rounds, the longest running game.
async function bestGame(event, round) {
  if (round !== null) return tablesOf(round).find(({ playing }) => playing?.state === "running" && !playing.hidden)?.playing.id ?? null;
  const { items } = await read("/v1/games?state=running&limit=100");
  return items.findLast((game) => game.event?.id === event.id && !game.hidden)?.id ?? null;
}

async function followBest(event, round) {
  const id = event.state === "closed" ? null : await bestGame(event, round);
  if (id !== null && state.live === null) {
    const { LiveBoard } = await import("../event/live-board.js");
    state.live ??= new LiveBoard(show);
  }
  state.live?.follow(id);
}

function boardPart() {
  if (!hasBoard()) return null;
  const { game, players, board } = state.live.parts;
  return element("section", { id: "live", "aria-labelledby": "live-title" }, element("h2", { id: "live-title" }, gameName(game)), element("p", {}, players, " ", delayWords(game)), board);
}

// The board, as large as possible. A smaller one has more room beside it and is laid out anew, so its height is not in
// proportion: the largest scale that fits is searched for. Meanwhile there is no scroll bar, which a board that is too high would
// bring, and which would take of its width.
function fitBoard() {
  const board = main.querySelector("#live > .board");
  if (board === null) return;
  const below = main.querySelector(".bar").offsetHeight * 1.6; // the controls, with their margins
  const fits = (zoom) => {
    scale.replaceSync(`:root { overflow: hidden; } #live > .board { zoom: ${zoom}; }`);
    const { top, height } = board.getBoundingClientRect();
    return top + height <= innerHeight - below;
  };
  let [low, high] = fits(1) ? [1, 1] : [0.2, 1];
  for (let i = 0; low < high && i < 6; i++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  scale.replaceSync(`#live > .board { zoom: ${low}; }`);
}

function show() {
  showContent(main, content());
  fitBoard();
}

/* ---- Pages ---- */

const width = () => innerWidth * (hasBoard() ? 1 - boardShare : 1);

// The number of columns and lines on a page of a part for a font size in pixels. Header and footer take up five lines.
function room({ narrow }, size) {
  const line = size * 1.6;
  return { columns: Math.min(Math.max(Math.floor(width() / (size * (narrow ? 19 : 24))), 1), 4), lines: Math.max(Math.floor(innerHeight / line) - (state.deadline === null ? 5 : 7), 3) };
}

// The blocks of a part, column by column.
function columnsOf(blocks, lines) {
  const columns = [[]];
  for (const block of blocks) {
    const used = columns.at(-1).length;
    if (used > 0 && used + block.length > lines) columns.push([]);
    columns.at(-1).push(...block);
  }
  return columns;
}

function pagesOf(part, { columns, lines }) {
  const all = columnsOf(part.blocks, lines);
  return Array.from({ length: Math.ceil(all.length / columns) }, (_, i) => ({ ...part, of: all.slice(i * columns, (i + 1) * columns) }));
}

// Larger letters mean more pages, within a limit, and must leave room for names.
const sizes = [0.03, 0.025, 0.021, 0.018, 0.014];
const pagesWanted = 8;
const seatsWanted = 4; // of these: who looks for a seat does not wait for long

function pages() {
  const parts = state.parts.filter((part) => part.blocks.length > 0);
  const tried = sizes.map((each) => Math.max(each * Math.min(innerWidth, innerHeight * 1.6), 14)).map((size) => ({ size, all: parts.flatMap((part) => pagesOf(part, room(part, size))) }));
  const { size, all } = tried.find((each) => each.all.length <= pagesWanted && each.all.filter(({ narrow }) => narrow).length <= seatsWanted && each.size * 22 <= width()) ?? tried.at(-1);
  letters.replaceSync(`#main { font-size: ${size}px; }`);
  return all;
}

/* ---- Drawing ---- */

function columnTable(page, lines) {
  return element("table", {}, element("caption", { class: "unseen" }, page.heading),
    element("thead", {}, element("tr", {}, page.columns.map((name, i) => element("th", { scope: "col", class: i === page.name ? null : "number" }, name)))),
    element("tbody", {}, lines.map((cells) => element("tr", {}, cells.map((cell, i) => (i === page.name ? element("th", { scope: "row" }, nameOf(cell)) : element("td", { class: "number" }, cell)))))));
}

function controls(all) {
  const control = (name, attributes = {}) => element("button", { type: "button", "data-turn": name, ...attributes }, say(`hall.do_${name}`));
  const turning = all.length < 2 ? null : [element("span", {}, say("hall.page", { number: state.page + 1, count: all.length })), control("back"), control(state.paused ? "go_on" : "pause"), control("next")];
  return element("p", { class: "bar" }, turning, document.fullscreenEnabled ? control("full") : null);
}

function content() {
  const all = pages();
  state.page = all.length === 0 ? 0 : state.page % all.length;
  const page = all[state.page] ?? null;
  return [
    element("h1", {}, nameOf(state.event)), timerPart(),
    element("div", { class: hasBoard() ? "screen with-board" : "screen" },
      element("div", {}, page === null ? element("p", {}, say("hall.nothing")) : [element("h2", {}, page.heading), element("div", { class: "columns" }, page.of.map((lines) => columnTable(page, lines)))]),
      boardPart()),
    controls(all),
  ];
}

function turn(by) {
  const count = pages().length;
  if (count > 0) state.page = (state.page + by + count) % count;
  show();
}

let timer = null;
function wind() {
  clearInterval(timer);
  timer = state.paused ? null : setInterval(() => turn(1), seconds * 1000);
}

const turns = {
  back: () => turn(-1), next: () => turn(1),
  pause: () => { state.paused = true; }, go_on: () => { state.paused = false; },
  full: () => (document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()),
};

function act(name) {
  turns[name]();
  wind();
  show();
}

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("button[data-turn]")?.dataset.turn;
  if (name !== undefined) act(name);
});

const keys = { ArrowLeft: "back", ArrowRight: "next", f: "full" };
document.addEventListener("keydown", (event) => {
  if (event.target.closest("button") && event.key === " ") return;
  if (event.key === " ") act(state.paused ? "go_on" : "pause");
  else if (Object.hasOwn(keys, event.key)) act(keys[event.key]);
});

window.addEventListener("resize", () => {
  if (state.event !== null) show();
});

/* ---- Following ---- */

async function draw() {
  const event = await read(at);
  const { started } = event.rounds;
  const isOpen = ["draft", "entries_open"].includes(event.state);
  const [round, standings, entries] = await Promise.all([started === 0 ? null : read(`${at}/rounds/${started}`),
    isOpen ? null : read(`${at}/standings?operands=none`), isOpen ? read(`${at}/entries`) : null]);
  state.event = event;
  state.deadline = round?.state === "running" ? round.deadline : null;
  const { before, after } = round === null ? { before: null, after: null } : roundParts(round);
  const middle = standings === null ? [entriesPart({ rows: entries.items })] : before !== null && !hasResults(standings) ? [] : standingsParts(standings);
  state.parts = [before, ...middle, after].filter((part) => part !== null);
  await followBest(event, round);
  if (timer === null) wind();
  title(say("hall.title_of", { event: nameText(event) }));
  return { more: event.state !== "closed", after: event.changes, content: content(), shown: fitBoard };
}

present(draw, 3000, `${at}/stream`);
