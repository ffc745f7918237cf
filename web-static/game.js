import { byRank, duration, element, gameName, link, listed, nameOf, nameText, pageId, place, playerLink, present, read, time, title } from "./common.js";

const id = pageId();
const at = `/v1/games/${id}`;
// What has been read so far. `next`: the last entry of the log that is on the page. `turn`: the item
// of the log that the next entry of the same player belongs to.
const state = { game: null, event: null, next: 0, elapsed: 0, turn: null };

/* ---- The log ---- */

function seatName(seat) {
  const player = state.game.seats[seat]?.player;
  return player ? nameOf(player) : `seat ${seat}`;
}

// Events speak of `{seat 2}`; people have names.
function sentence(text) {
  return text.split(/\{seat (\d+)\}/).map((part, i) => (i % 2 === 1 ? seatName(Number(part)) : part));
}

function systemWords(item) {
  if (item.kind === "fallback") return [seatName(item.seat), " is absent: the quiet move plays from here."];
  if (item.kind === "reveal") return ["The game's secret is in the record: now everybody can check the luck."];
  const seat = state.game.seats[item.seat];
  return [seatName(item.seat), `: place ${place(seat.rank, state.game.seats.map((each) => each.rank))} with a score of ${seat.score}.`];
}

function logLine(item) {
  const played = item.kind === "ply";
  const said = played ? item.events.map((event) => sentence(event.text)) : [systemWords(item)];
  const took = item.elapsed_ms - state.elapsed;
  state.elapsed = item.elapsed_ms;
  return element("li", { id: `line-${item.seq}` },
    element("a", { class: "seq", href: `#line-${item.seq}`, title: `${duration(item.elapsed_ms)} after the start` },
      element("span", { class: "unseen" }, "Line "), String(item.seq)),
    played ? element("code", {}, item.move) : element("span", {}, item.kind),
    element("div", { class: "words" }, said.map((each) => element("p", {}, each))),
    element("span", { class: "took" }, played ? element("span", { class: "unseen" }, "took ") : null, played ? duration(took) : null));
}

// Consecutive moves of one player stand under his name.
function turnOf(item) {
  const by = item.kind === "ply" ? item.seat : null;
  if (state.turn === null || state.turn.by !== by) {
    const who = by === null ? "The table" : seatName(by);
    const lines = element("ol");
    const turn = element("li", {}, element("h3", {}, who, " ",
      element("span", { class: "when" }, state.elapsed === 0 ? "at the start" : `after ${duration(state.elapsed)}`)), lines);
    document.getElementById("log").append(turn);
    state.turn = { by, lines };
  }
  return state.turn.lines;
}

// The entries that are not on the page yet, and after which one to ask for more.
async function readLog() {
  const items = [];
  let { next } = state;
  for (;;) {
    const page = await read(`${at}/events?after=${next}`);
    if (page.items.length === 0) return { items, next };
    items.push(...page.items);
    next = page.next;
  }
}

/* ---- The position ---- */

const ofSeats = new Set(["seat", "active", "deciders"]);

function plainMember(name, value) {
  if (!ofSeats.has(name)) return String(value);
  return typeof value === "number" ? seatName(value) : String(value);
}

// Any document as nested lists of terms: plain, but complete and the same for every game.
function position(value, name = "") {
  if (value === null) return "-";
  if (typeof value !== "object") return plainMember(name, value);
  if (Array.isArray(value)) {
    if (value.length === 0) return "none";
    if (value.every((item) => item === null || typeof item !== "object")) return listed(value.map((item) => plainMember(name, item ?? "-")));
    return element("ul", {}, value.map((item) => element("li", {}, position(item))));
  }
  const members = Object.entries(value);
  if (members.length === 0) return "none";
  if (members.every(([, member]) => member === null || typeof member !== "object")) {
    return listed(members.map(([key, member]) => element("span", {}, `${key.replaceAll("_", " ")} `, member === null ? "-" : plainMember(key, member))));
  }
  return element("dl", { class: "terms" }, members.flatMap(([key, member]) => [
    element("dt", {}, key.replaceAll("_", " ")), element("dd", {}, position(member, key))]));
}

/* ---- The page ---- */

function seats(game) {
  const ranks = game.seats.map((seat) => seat.rank);
  const column = (text, attributes) => element("th", { scope: "col", ...attributes }, text);
  return element("table", { class: "seats" }, element("caption", {}, game.state === "finished" ? "Result" : "Players"),
    element("thead", {}, element("tr", {}, column("Place"), column("Player"), column("Seat", { class: "number" }), column("Score", { class: "number" }))),
    element("tbody", {}, byRank(game.seats).map((seat) => element("tr", { class: "row" },
      element("td", {}, place(seat.rank, ranks)),
      element("th", { scope: "row" }, playerLink(seat.player),
        game.deciders.includes(seat.seat) ? [" ", element("span", { class: "badge" }, "to move")] : null, seat.fallback ? " (absent)" : null),
      element("td", { class: "number" }, String(seat.seat)),
      element("td", { class: "number" }, seat.score === null ? "" : String(seat.score))))));
}

async function verdict(game) {
  if (game.state !== "finished") return element("span", { class: "badge" }, "running");
  const found = await read(`${at}/verification`);
  if (found.verdict === "valid") return element("span", { class: "badge good" }, "proved by replay");
  return element("span", { class: "badge bad" }, found.fault ? `damaged at line ${found.fault.line}: ${found.fault.message}` : found.verdict);
}

function facts(game, badge) {
  const { event } = state;
  const options = Object.entries(game.options).map(([name, value]) => `${name} ${value}`);
  return element("p", { class: "about" }, badge, " ",
    event === null ? null : [link(`/events/${event.id}`, nameOf(event)), ". "],
    `${game.plies} moves, started `, time(game.started_at),
    game.finished_at === null ? null : `, took ${duration(Date.parse(game.finished_at) - Date.parse(game.started_at))}`, ". ",
    options.length ? `Options: ${options.join(", ")}.` : null);
}

function roll(game) {
  return [
    element("h2", {}, "The roll"),
    element("p", {}, element("a", { href: `${at}/record`, download: `${id}.roll` }, "Download the record"),
      " and check it without trusting this server: ", element("code", {}, `tillroll verify ${id}.roll`)),
    element("p", {}, "Head of the chain: ", element("code", { class: "hash" }, game.head),
      ". Whoever has noted it can tell whether any line was changed since."),
    element("ol", { id: "log", class: "log", "aria-label": "The game, line by line", "data-keep": true }),
  ];
}

// The page's elements but for the log's lines.
async function content(game) {
  const [badge, view] = await Promise.all([verdict(game), read(`${at}/view`)]);
  return [
    element("h1", {}, gameName(game)),
    facts(game, badge),
    seats(game),
    element("p", { class: "about" }, "Seats are in the order around the table, counted from 0 as in the record. The draw spreads them evenly over the rounds."),
    element("details", {}, element("summary", {}, "The position, as everybody may see it"), position(view.view)),
    roll(game),
  ];
}

async function readGame() {
  const game = await read(at, { again: true });
  if (game !== undefined) state.game = game;
  return game !== undefined;
}

async function draw() {
  const changed = await readGame();
  if (!changed && state.next >= state.game.seq) return { more: true, after: state.next };
  if (state.game.event !== null) state.event ??= await read(`/v1/events/${state.game.event.id}`);
  const log = await readLog();
  if (log.next > state.game.seq) await readGame();
  title(state.event === null ? gameName(state.game) : `${gameName(state.game)}, ${nameText(state.event)}`);
  return {
    content: await content(state.game),
    shown: () => append(log),
    more: state.game.state !== "finished" || log.next < state.game.seq,
    after: log.next,
  };
}

function append({ items, next }) {
  for (const item of items) turnOf(item).append(logLine(item));
  state.next = next;
}

present(draw, 2000, `${at}/stream`);
