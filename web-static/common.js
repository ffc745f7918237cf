// What all pages share: reading the API, making elements, drawing and following, writing numbers and
// times. Text from the server only ever becomes text nodes and attributes, never markup.
import { greet } from "./account.js";
import { News, pause } from "./news.js";
import { updateChildren } from "./update.js";

/* ---- Elements ---- */

// Makes an element. Attributes whose value is null or false are left out, and so are such children.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...parts(children));
  return made;
}

function parts(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined);
}

export function link(address, ...content) {
  return element("a", { href: address }, ...content);
}

// A name that people have chosen: its writing direction does not reach the text around it.
export function nameOf(named) {
  return element("bdi", {}, named.name);
}

// The same for attributes and titles, which hold no elements.
export function nameText(named) {
  return `\u2068${named.name}\u2069`;
}

export function playerLink(player) {
  return link(`/players/${player.id}`, nameOf(player));
}

// Parts with commas between them.
export function listed(items) {
  return items.flatMap((item, i) => (i === 0 ? [item] : [", ", item]));
}

// A table from columns ({text, title, number, header, class}) and rows: cells, or an element that is
// a whole row already.
export function table(caption, columns, rows) {
  const head = columns.map((column) => element("th", { scope: "col", class: classes(column) },
    column.title ? element("abbr", { title: column.title }, column.text) : column.text));
  const body = rows.map((row) => (Array.isArray(row) ? tableRow(columns, row) : row));
  return element("div", { class: "scroll" }, element("table", {},
    element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

export function tableRow(columns, cells, attributes = {}) {
  return element("tr", { class: "row", ...attributes }, cells.map((cell, i) => (columns[i].header
    ? element("th", { scope: "row", class: classes(columns[i]) }, cell)
    : element("td", { class: classes(columns[i]) }, cell))));
}

function classes(column) {
  return [column.number ? "number" : null, column.class].filter(Boolean).join(" ") || null;
}

/* ---- Reading ---- */

export class Problem extends Error {
  constructor(code, status, message) {
    super(message);
    this.code = code;
    this.status = status;
  }

  // What time may heal, as against what will be answered the same for ever.
  get passes() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const tags = new Map();

async function ask(path, settings) {
  try {
    return await fetch(path, settings);
  } catch {
    throw new Problem("unreachable", 0, "The server cannot be reached.");
  }
}

async function documentOf(answer) {
  try {
    return await answer.json();
  } catch {
    throw new Problem("unreadable", answer.ok ? 502 : answer.status, "The server's answer cannot be read.");
  }
}

// Reads a document. With `again`: undefined if it has not changed since it was last read.
export async function read(path, { again = false } = {}) {
  const answer = await ask(path, { headers: again && tags.has(path) ? { "If-None-Match": tags.get(path) } : {} });
  if (answer.status === 304) return undefined;
  const found = await documentOf(answer);
  if (!answer.ok) throw new Problem(found.code, answer.status, found.detail);
  if (answer.headers.has("ETag")) tags.set(path, answer.headers.get("ETag"));
  return found;
}

// Changes something; resolves with the answer's document, null if it has none.
export async function send(method, path, body = null, headers = {}) {
  const type = body === null ? {} : { "Content-Type": "application/json" };
  const answer = await ask(path, { method, headers: { ...type, ...headers }, body: body === null ? null : JSON.stringify(body) });
  if (answer.status === 204) return null;
  const found = await documentOf(answer);
  if (!answer.ok) throw Object.assign(new Problem(found.code, answer.status, found.detail), { document: found });
  return found;
}

// The id in this page's address: /events/<id>.
export function pageId() {
  return location.pathname.split("/")[2];
}

export function parameter(name) {
  return new URLSearchParams(location.search).get(name);
}

// `?after=` for the page of a list that `name` in this page's address stands for.
export function listPage(name) {
  const after = parameter(name);
  return after === null ? "" : `&after=${encodeURIComponent(after)}`;
}

// Links to the next page of a list, and back to the first one.
export function listLinks(name, next, text) {
  const first = parameter(name) === null ? null : link(location.pathname, "Newest");
  const further = next === null ? null : link(`?${name}=${next}`, text);
  return first === null && further === null ? null : element("p", { class: "links no-print" }, first, further);
}

/* ---- Drawing ---- */

// Draws the page and follows it. `draw` resolves with what to show (`content`, or undefined if that
// has not changed), what to do once it is shown (`shown`), whether there may be `more` later, and up to
// which message of the page's `stream` all is in it (`after`). What goes wrong is said in words, and
// tried again where that can help. Without a stream the page looks again after `everyMs`.
export async function present(draw, everyMs = 3000, stream = null) {
  greet();
  const main = document.getElementById("main");
  const news = stream === null ? null : new News(stream);
  let drawn = false;
  let seen = null;
  main.setAttribute("aria-busy", "true");
  for (;;) {
    try {
      const { content, shown, more = false, after = null } = await draw();
      if (content !== undefined) showContent(main, content);
      await shown?.();
      if (!drawn) goToFragment();
      drawn = true;
      connection(true);
      if (!more) {
        news?.close();
        return;
      }
      seen = after;
    } catch (error) {
      seen = null;
      if (drawn && error instanceof Problem) connection(false);
      else showContent(main, excuse(error));
      if (!(error instanceof Problem)) throw error;
      if (!error.passes) return;
    } finally {
      main.removeAttribute("aria-busy");
    }
    if (news === null || seen === null) await pause(everyMs);
    else await news.next(seen, everyMs);
  }
}

// Makes a part of the page equal to new content, and keeps what can stay.
export function showContent(main, content) {
  const wanted = document.createDocumentFragment();
  wanted.append(...parts([content]));
  updateChildren(main, wanted);
}

function excuse(error) {
  const known = error instanceof Problem;
  title("Cannot be shown");
  return [
    element("h1", {}, error.status === 404 ? "There is nothing here" : "This cannot be shown"),
    element("p", { class: "notice", role: "alert" }, known ? error.message : "This page has a fault.",
      known && error.passes ? " The page keeps trying." : null),
    element("p", {}, link("/", "All events")),
  ];
}

// Says that what is shown may be old, for as long as it may.
function connection(good) {
  let notice = document.getElementById("connection");
  if (notice === null) {
    if (good) return;
    notice = element("p", { id: "connection", class: "notice", role: "status" });
    document.getElementById("main").before(notice);
  }
  notice.textContent = good ? "" : "The server cannot be reached: what is shown may be old. The page keeps trying.";
}

// What the address points to was not there yet when the browser looked for it.
function goToFragment() {
  if (location.hash.length > 1) location.replace(location.hash);
}

export function title(text) {
  document.title = `${text} - Tillroll`;
}

/* ---- Numbers, times and words ---- */

export function time(text) {
  const when = new Date(text);
  return element("time", { datetime: text }, when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }));
}

// How long something took, to two units.
export function duration(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return `${ms} ms`;
  if (seconds < 10) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

// Millionths, to two places: how ratings are written.
export function millionths(number) {
  return (number / 1e6).toFixed(2);
}

// What a rating is of.
export function scopeName(scope, rulesets) {
  const [, kind, slug] = /^(?:(glicko|solo)\.)?(.*)$/.exec(scope);
  const title = slug === "overall" ? "All" : rulesets.items.find((each) => each.slug === slug)?.title ?? slug;
  return { glicko: `${title}, tables of two`, solo: `${title}, games for one` }[kind] ?? title;
}

export function words(state) {
  return state.replaceAll("_", " ");
}

// How far an event is: not every format says how many rounds there will be, and no event of several stages.
export function roundsWords(event) {
  const { started, planned } = event.rounds;
  return planned === null || event.settings.stages.length > 1 ? String(started) : `${started} of ${planned}`;
}

// A place as `3`, or `3–4` where several share it. `all`: everybody's ranks.
export function place(rank, all) {
  if (rank === null) return "";
  const sharing = all.filter((each) => each === rank).length;
  return sharing > 1 ? `${rank}–${rank + sharing - 1}` : String(rank);
}

// Seats in the order of their places; as they sit while the game runs.
export function byRank(seats) {
  return [...seats].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.seat - b.seat);
}

// A game that is still hidden has no page of its own.
export function gameLink(game) {
  return game.hidden ? element("span", {}, gameName(game)) : link(`/games/${game.id}`, gameName(game));
}

export function gameName(game) {
  if (game.event === null) return game.ruleset.title;
  const board = game.event.board === null ? "" : `, board ${game.event.board}`;
  const round = game.event.round === 0 ? "" : `, round ${game.event.round}`;
  return `${game.ruleset.title}${round}, table ${game.event.table}${board}`;
}
