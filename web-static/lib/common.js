// What all pages share: reading the API, making elements, drawing and following, writing numbers and
// times. Text from the server only ever becomes text nodes and attributes, never markup.
import { followTurns, greet, isGuest } from "./account.js";
import { offerLanguages } from "./language.js";
import { News, pause } from "./news.js";
import { readRefusals, refusalWords } from "../refusals/refusals.js";
import { updateChildren } from "./update.js";
import { capital, dateAndTime, hasWords, language, number, say, translate, wordsLoaded } from "./words.js";

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

// A name chosen by a person, isolated so that its writing direction does not affect the surrounding text.
export function nameOf(named) {
  return element("bdi", {}, named.name);
}

// The same for attributes and titles, which cannot contain elements.
export function nameText(named) {
  return `\u2068${named.name}\u2069`;
}

// The names of house players begin so; the service gives such names to nobody else.
export const isHouse = ({ name }) => name.startsWith("House · ");

export function playerLink(player) {
  return element("a", { href: `/players/${player.id}`, class: isHouse(player) ? "house" : null }, nameOf(player));
}

// A code to scan, with the address of a player's page.
export function codeOf(player) {
  return element("img", { class: "code", src: `/players/${player.id}/code.svg`, alt: say("player.code", { name: nameText(player) }), loading: "lazy" });
}

// After the name of an event or player from another service: others here may have the same name.
export function importedBadge(imported) {
  return imported ? [" ", element("span", { class: "badge", title: say("list.imported_from") }, say("list.imported"))] : null;
}

// Parts with something between them; null: no part.
export function listed(items, between = ", ") {
  return items.filter((item) => item !== null).flatMap((item, i) => (i === 0 ? [item] : [between, item]));
}

// A hash or key in hexadecimal digits, which is broken anywhere.
export const hexText = (text) => element("code", { class: "hash" }, text);

// Replaces what is in an element; `content` like the children of element().
export function fill(place, ...content) {
  place.replaceChildren(...parts(content));
}

// The game's emblem, drawn by style.css.
export const gameSign = (slug) => element("span", { class: "game-sign", "data-game": slug, "aria-hidden": "true" });

// English text from the service, marked as such on pages in another language.
export function english(...content) {
  return language === "en" ? content : element("span", { lang: "en" }, content);
}

// A table from columns ({text, title, number, header, class}) and rows: arrays of cells, or finished row elements.
export function table(caption, columns, rows) {
  return element("div", { class: "scroll" }, narrowTable(caption, columns, rows));
}

// The same where it always fits; with the class `seats` for those at a table.
export const seatsTable = (caption, columns, rows) => narrowTable(caption, columns, rows, "seats");

function narrowTable(caption, columns, rows, name = null) {
  const head = columns.map((column) => element("th", { scope: "col", class: classes(column) },
    column.title ? element("abbr", { title: column.title }, column.text) : column.text));
  const body = rows.map((row) => (Array.isArray(row) ? tableRow(columns, row) : row));
  return element("table", { class: name }, element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body));
}

export function tableRow(columns, cells, attributes = {}) {
  return element("tr", { class: "row", ...attributes }, cells.map((cell, i) => (columns[i].header
    ? element("th", { scope: "row", class: classes(columns[i]) }, cell)
    : element("td", { class: classes(columns[i]) }, cell))));
}

function classes(column) {
  return [column.number ? "number" : null, column.class].filter(Boolean).join(" ") || null;
}

export const printButton = (words) => element("button", { type: "button", "data-print": true }, words);

// A button that shares this page, and what it says afterwards.
export function shareButton() {
  return [element("button", { type: "button", class: "no-print", "data-share": true }, say("share.share")),
    element("span", { class: "hint no-print", role: "status", "data-keep": true, "data-shared": true })];
}

document.addEventListener("click", async ({ target }) => {
  if (target.dataset?.print !== undefined) print();
  if (target.dataset?.share !== undefined) await (await import("./share.js")).share(target);
});

/* ---- Reading ---- */

export class Problem extends Error {
  constructor(code, status, message) {
    super(message);
    this.code = code;
    this.status = status;
  }

  // Its displayed text.
  get words() {
    return this.message;
  }

  // The same in the page's own words, if there are any for `key`.
  inWords(key) {
    return hasWords(key) ? new Problem(this.code, this.status, say(key)) : this;
  }

  // Errors that may go away, as opposed to permanent ones.
  get passes() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

// What the service, or an engine, refuses, in the reader's language if there are words for it. Some sentences begin with the name of
// what they are about.
export function refusalOf(sentence) {
  const [name, rest] = [sentence.split(" ", 1)[0], sentence.slice(sentence.indexOf(" ") + 1)];
  const about = refusalWords(rest);
  return refusalWords(sentence) ?? (about === null ? english(sentence) : `${name}: ${about}`);
}

// The service's own message.
class Refusal extends Problem {
  get words() {
    return refusalOf(this.message);
  }
}

// Made when there are words for it.
async function refusal(code, status, sentence) {
  await readRefusals();
  return new Refusal(code, status, sentence);
}

// Shows an error in the element reserved for it.
export function showFault(place, problem) {
  fill(place, problem.words ?? say("fault.page"));
}

const tags = new Map();

async function ask(path, settings) {
  try {
    return await fetch(path, settings);
  } catch {
    throw new Problem("unreachable", 0, say(settings?.method === undefined ? "problem.unreachable" : "problem.unsent"));
  }
}

async function documentOf(answer) {
  try {
    return await answer.json();
  } catch {
    throw new Problem("unreadable", answer.ok ? 502 : answer.status, say("problem.unreadable"));
  }
}

/* ---- Long steps ---- */

// Shows the progress of a step near the focus: in the open dialog, or above the page. null: nothing is running.
function showWork(job) {
  document.getElementById("working")?.remove();
  if (job === null) return;
  const { phase, progress } = job;
  const words = progress === null ? say(`job.is_${phase ?? "waiting"}`) : say(`job.part_${phase}`, progress);
  const notice = element("p", { id: "working", class: "notice", role: "status" }, words);
  const dialog = document.querySelector("dialog[open] form");
  if (dialog === null) document.getElementById("main").before(notice);
  else dialog.append(notice);
}

async function lookAt(path, job) {
  try {
    const answer = await ask(path, {});
    const found = await documentOf(answer);
    if (!answer.ok) throw await refusal(found.code, answer.status, found.detail);
    return found;
  } catch (problem) {
    if (!problem.passes) throw problem;
    return job; // the step continues without us
  }
}

// Polls a step until it is over. Returns what the response would have been, { status, found }.
async function follow(path, job) {
  try {
    while (job.state === "running") {
      showWork(job);
      await pause(1000);
      job = await lookAt(path, job);
    }
  } finally {
    showWork(null);
  }
  if (job.result === null) throw new Problem("interrupted", 503, say("job.interrupted"));
  return { status: job.result.status, found: job.result.answer };
}

// The document of a response that may have to be waited for; null if another client had requested the step before.
async function outcome(answer) {
  const found = await documentOf(answer);
  return answer.status === 202 ? follow(answer.headers.get("location"), found) : { status: answer.status, found };
}

/* ---- Reading and sending ---- */

// Reads a document. With `again`: undefined if it has not changed since it was last read.
export async function read(path, { again = false } = {}) {
  const answer = await ask(path, { headers: again && tags.has(path) ? { "If-None-Match": tags.get(path) } : {} });
  if (answer.status === 304) return undefined;
  const { status, found } = await outcome(answer);
  if (found === null) return read(path, { again });
  if (status >= 400) throw await refusal(found.code, status, found.detail);
  if (answer.headers.has("ETag")) tags.set(path, answer.headers.get("ETag"));
  return found;
}

// The pages of a list, each as its items; `path` with a query.
export async function* pagesOf(path) {
  for (let after = ""; after !== null; ) {
    const { items, next } = await read(path + after);
    yield items;
    after = next === null ? null : `&after=${next}`;
  }
}

// A file as the service has it, byte for byte.
export async function readText(path) {
  const answer = await ask(path);
  if (answer.ok) return answer.text();
  const { code, detail } = await documentOf(answer);
  throw await refusal(code, answer.status, detail);
}

async function attempt(method, path, body, headers) {
  const type = body === null ? {} : { "Content-Type": "application/json" };
  const answer = await ask(path, { method, headers: { ...type, ...headers }, body: body === null ? null : JSON.stringify(body) });
  return answer.status === 204 ? { status: 204, found: null } : outcome(answer);
}

// What officials decide may need their signatures: the service asks for them one by one. If a game has gone on meanwhile, it asks anew.
async function attemptSigned(method, path, body, headers) {
  const { holdsAny, signedOfficial } = await import("../game/signing.js");
  const signedBy = (signatures) => attempt(method, path, body, { ...headers, "Tillroll-Signature": signatures.join(",") });
  let signatures = [];
  let last = await holdsAny() ? await signedBy(["ask"]) : await attempt(method, path, body, headers);
  for (let left = 16; left > 0 && ["official-signature-required", "bad-signature"].includes(last.found?.code); left--) {
    if (last.found.code === "bad-signature") {
      signatures = [];
      last = await signedBy(["ask"]);
      continue;
    }
    const signature = await signedOfficial(path, last.found.sign);
    if (signature === null) return attempt(method, path, body, headers); // does it need one?
    signatures.push(signature);
    last = await signedBy(signatures);
  }
  return last;
}

const signing = { "official-signature-required": "problem.sign_elsewhere", "no-key-in-use": "problem.sign_none" };

// Sends a change; resolves with the response document, null if there is none.
export async function send(method, path, body = null, headers = {}) {
  const official = /^\/v1\/((events|disputes)\/[^/]+|games\/[^/]+\/(fallback|forfeit|recall|substitute)$)/.test(path);
  const { status, found } = await (official ? attemptSigned : attempt)(method, path, body, headers);
  if (official && status >= 400 && found?.code in signing) throw new Problem(found.code, status, say(signing[found.code]));
  if (status >= 400) throw Object.assign(found ? await refusal(found.code, status, found.detail) : new Problem(undefined, status, say("job.refused")), { document: found });
  return found;
}

// The first id in a text, such as an address; undefined: there is none.
export const idIn = (text) => /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0];

// The id in this page's address: /events/<id>.
export function pageId() {
  return location.pathname.split("/")[2];
}

export function parameter(name) {
  return new URLSearchParams(location.search).get(name);
}

// The `?after=` of the list called `name` in this page's address.
export function listPage(name) {
  const after = parameter(name);
  return after === null ? "" : `&after=${encodeURIComponent(after)}`;
}

// Links to the next page of a list, and back to the first one.
export function listLinks(name, next, text) {
  const first = parameter(name) === null ? null : link(location.pathname, say("list.newest"));
  const further = next === null ? null : link(`?${name}=${next}`, text);
  return first === null && further === null ? null : element("p", { class: "links no-print" }, first, further);
}

/* ---- Drawing ---- */

// Draws the page and follows it. `draw` resolves with what to show (`content`, or undefined if unchanged), what to do once
// it is shown (`shown`), whether there may be `more` later, and the last message of the page's `stream` that is included
// (`after`). Errors are shown, and retried if that can help. Without a stream the page polls every `everyMs`.
export async function present(draw, everyMs = 3000, stream = null) {
  await wordsLoaded;
  translate();
  greet();
  offerLanguages();
  const main = document.getElementById("main");
  const news = stream === null ? null : new News(stream);
  let drawn = false;
  let seen = null;
  main.setAttribute("aria-busy", "true");
  main.lang = "en"; // the server's content
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
      if ((drawn || (isPlain(main) && error.passes)) && error instanceof Problem) connection(false);
      else await apologize(main, error);
      if (!(error instanceof Problem)) throw error;
      if (!error.passes) return;
    } finally {
      main.removeAttribute("aria-busy");
      if (!isPlain(main)) main.removeAttribute("lang");
      followTurns();
    }
    if (news === null || seen === null) await pause(everyMs);
    else await news.next(seen, everyMs);
  }
}

// The server's content for readers without scripts is still shown.
function isPlain(main) {
  return main.hasAttribute("data-plain");
}

// Opens all folds around an element.
export function unfold(shown) {
  for (let folded = shown.closest("details:not([open])"); folded !== null; folded = folded.parentElement.closest("details:not([open])")) folded.open = true;
}

// Updates a part of the page to new content, keeping what can stay.
export function showContent(main, content) {
  if (isPlain(main)) {
    main.replaceChildren();
    main.removeAttribute("data-plain");
  }
  const wanted = document.createDocumentFragment();
  wanted.append(...parts([content]));
  updateChildren(main, wanted);
}

const lost = ["not-found", "not-an-id"];

// Signing in leads back to this page.
export const signInLink = (words = say("account.sign_in")) => link(`/login?next=${location.pathname}`, words);

// A link to the form by which guests choose a password and get an account.
export const guestLink = () => link("/account", say("account.make_of_guest"));

function excuse(error) {
  const known = error instanceof Problem;
  const words = lost.includes(error.code) ? say("lost.about") : known ? error.words : say("fault.page");
  title(say(error.status === 404 ? "fault.nothing_here" : "fault.title"));
  return [
    element("h1", {}, say(error.status === 404 ? "fault.nothing_here" : "fault.not_shown")),
    element("p", { class: "notice", role: "alert" }, words, known && error.passes ? [" ", say("fault.keeps_trying")] : null),
    error.code === "missing-scope" && isGuest() ? element("p", {}, guestLink()) : null,
    element("p", { class: "links" }, link("/#events", say("fault.all_events")), link("/leaderboard", say("site.leaderboard")), link("/docs", say("site.docs"))),
  ];
}

// Readers of a missing page can search.
async function apologize(main, error) {
  if (!(error instanceof Problem)) console.error(error);
  showContent(main, excuse(error));
  if (error.status === 404) main.append(element("h2", {}, say("lost.search")), (await import("./search.js")).searchForm());
}

// Shows that the displayed content may be outdated, while that is the case.
function connection(good) {
  let notice = document.getElementById("connection");
  if (notice === null) {
    if (good) return;
    notice = element("p", { id: "connection", class: "notice", role: "status" });
    document.getElementById("main").before(notice);
  }
  notice.textContent = good ? "" : say("fault.old");
}

// The address's fragment did not exist yet when the browser looked for it.
function goToFragment() {
  if (location.hash.length > 1) location.replace(location.hash);
}

export function title(text) {
  document.title = say("site.title", { page: text });
}

/* ---- Numbers, times and words ---- */

export function time(text) {
  return element("time", { datetime: text }, dateAndTime(new Date(text)));
}

// A duration in at most two units.
export function duration(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return say("duration.ms", { ms });
  if (seconds < 10) return say("duration.s", { s: number(ms / 1000, 1) });
  if (seconds < 60) return say("duration.s", { s: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say("duration.min_s", { min: minutes, s: seconds % 60 });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return say("duration.h_min", { h: hours, min: minutes % 60 });
  return say("duration.d_h", { d: Math.floor(hours / 24), h: hours % 24 });
}

// Seconds as a clock shows them: 1:23:45 or 4:05.
export function clockText(seconds) {
  const two = (count) => String(count).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const units = [["day", 86400000], ["hour", 3600000], ["minute", 60000], ["second", 1000]];

// In the largest unit of which it is a whole number.
export function lengthWords(ms) {
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? units.at(-1);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: ms < 3600000 ? "short" : "long" }).format(ms / size);
}

// The clock of a game's players.
export function clockWords({ move_ms: move, bank_ms: bank, increment_ms: more }) {
  if (move !== undefined) return say("clock.move", { length: lengthWords(move) });
  return more > 0 ? say("clock.bank_more", { length: lengthWords(bank), more: lengthWords(more) }) : say("clock.bank", { length: lengthWords(bank) });
}

// Millionths, to two decimals.
export function millionths(value) {
  return number(value / 1e6, 2);
}

// A rating and its deviation, as two cells.
export function ratingCells({ display }) {
  return [number(display.rating), `± ${number(display.deviation)}`];
}

// The name of a rating's scope.
export function scopeName(scope, rulesets) {
  const [, kind, slug] = /^(?:(glicko|house|solo)\.)?(.*)$/.exec(scope);
  const game = slug === "overall" ? say("scope.overall") : rulesets.items.find((each) => each.slug === slug)?.title ?? slug;
  return kind === undefined ? game : say(`scope.${kind}`, { game });
}

// Each game once, in its newest version, which comes first in a list of rulesets.
export const newestOf = (rulesets) => rulesets.filter((each, i) => rulesets.findIndex(({ slug }) => slug === each.slug) === i);

export const eventState = ({ cancelled, state }) => say(`state.${cancelled ? "cancelled" : state}`);

// The progress of an event. Some formats, and events with several stages, have no known number of rounds.
export function roundsWords(event) {
  const { started, planned } = event.rounds;
  return planned === null || event.settings.stages.length > 1 ? number(started) : say("event.rounds_of", { started, planned });
}

// A place as `3`, or `3–4` if several share it; empty for those who play alone. `all`: everyone's ranks.
export function place(rank, all) {
  return all.length === 1 ? "" : sharedPlace(rank, all.filter((each) => each === rank).length);
}

// The same if the number of those sharing it is known.
export function sharedPlace(rank, shared) {
  if (rank === null) return "";
  return shared > 1 ? `${rank}–${rank + shared - 1}` : String(rank);
}

// The score of one of so many seats; empty while there is none. In games for one, a score below zero stands for a defeat.
export function scoreWords(score, seats) {
  if (score === null) return "";
  return seats === 1 && score < 0 ? say("seats.defeat") : number(score);
}

// Seats by place; in seat order while the game runs.
export function byRank(seats) {
  return [...seats].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.seat - b.seat);
}

// The position of something in an event, by its round, board and table; zero, null and missing ones are omitted.
export function whereWords({ round, board, table: at }) {
  const known = { round, board, table: at };
  const names = Object.keys(known).filter((name) => known[name]);
  return names.length === 0 ? "" : say(`where.${names.join("_")}`, known);
}

// "Table 3", "Round 2": the same, capitalized.
export function whereLine(at) {
  return capital(whereWords(at));
}

// For those who watch a running game that is shown with a delay; null for other games.
export function delayWords({ state, delay_entries: count }) {
  return state === "finished" || !count ? null : say("game.delayed", { count });
}

// Whether a game runs, is finished or is void.
export const stateWords = (game) => say(`game.is_${game.voided ? "void" : game.state}`);

// A game that is still hidden has no page.
export function gameLink(game) {
  return game.hidden ? element("span", {}, gameName(game)) : link(`/games/${game.id}`, gameName(game));
}

export function gameName(game) {
  const { title: name } = game.ruleset;
  return game.event === null ? name : say("game.name", { game: name, where: whereWords(game.event) });
}
