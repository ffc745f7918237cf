// A game against the engine's levels of play, alone and in the browser: once it is loaded, the page asks the service for nothing.
// With `?learn=1` it is a first game that explains itself (rules/lesson.js).
import { boardOf, componentsAt } from "../boards/boards.js";
import { keptSet } from "../components/own-set.js";
import { aboutOf } from "../components/set-tables.js";
import { EngineCalls } from "../game/engine-calls.js";
import { GameLog } from "../game/game-log.js";
import { GameTable } from "../game/game-table.js";
import { resultTable } from "../game/story.js";
import { player } from "../lib/account.js";
import { element, pageId, parameter, present, Problem, read, readText, showContent, title } from "../lib/common.js";
import { attempt, formFault } from "../lib/forms.js";
import { otherSets, setBox } from "../lib/options.js";
import { say } from "../lib/words.js";
import { Lesson } from "../rules/lesson.js";
import { RulesPanel } from "../rules/rules.js";

const slug = pageId();
const learns = parameter("learn") !== null;
const key = `tillroll.${learns ? "learn" : "practice"}.${slug}`;
const rules = new RulesPanel(slug);
let lesson = null;

/* ---- The engine, in a worker ---- */

const engine = new EngineCalls();
const patience = 400; // ms until the page says that the computer is thinking

function tellThinking(text) {
  document.getElementById("thinking")?.replaceChildren(text);
}

async function ask(call, ...given) {
  const late = setTimeout(tellThinking, patience, say("practice.thinking"));
  try {
    return await engine.ask(call, ...given);
  } finally {
    clearTimeout(late);
    tellThinking("");
  }
}

/* ---- The game ---- */

const state = { about: null, board: null, sets: [], components: null, position: null, items: [], began: 0, log: null };
const elapsed = () => Date.now() - state.began;

// The log has sentences about each player, so the reader has a name, too ("You takes a card").
const playerName = (seat) => {
  const { own } = state.position.game;
  return seat === own ? (player()?.name ?? say("practice.guest")) : say("practice.adviser", { number: seat < own ? seat + 1 : seat });
};

// The game as GET /v1/games/{id} has it.
function asGame() {
  const { game, outcome, deciders, mayTakeBack, seq } = state.position;
  const seats = Array.from({ length: game.seats }, (_, seat) => ({
    seat, player: { name: playerName(seat) }, score: outcome?.[seat].score ?? null, rank: outcome?.[seat].rank ?? null }));
  return {
    id: "practice", event: null, ruleset: { slug, title: state.about.title, version: state.about.version }, state: outcome === null ? "running" : "finished",
    seats, deciders, seq, plies: seq, options: {}, clocks: null, stopped: null, voided: false, may_take_back: mayTakeBack };
}

const viewOf = (view, seq) => ({ viewer: { kind: "seat", seat: state.position.game.own }, view, seq, decided: false });

// Requests of the table (GameTable), answered locally.
const service = {
  canTell: false,
  async read(path) {
    const { legal, seq } = state.position;
    if (path === "practice/legal-moves") return { seq, moves: legal, key: null };
    const wanted = Number(/^practice\/view\?seq=(\d+)$/.exec(path)[1]);
    return viewOf(await ask("viewAt", wanted), wanted);
  },
  async send(_method, path, { moves }) {
    if (path === "practice/moves") await ask("move", moves, elapsed());
    else {
      await ask("takeBack");
      forget();
    }
    await show();
    return { sealed: false };
  },
};

const table = new GameTable("practice", service);

// What was shown belongs to another course of the game.
function forget() {
  table.restart();
  state.items = [];
  state.log = new GameLog();
  document.getElementById("log")?.replaceChildren();
}

function keep() {
  localStorage.setItem(key, JSON.stringify({ version: state.about.version, seen: lesson?.seen, ...state.position.game }));
}

// The stored game, if it is of this version.
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return found?.version === state.about.version ? found : null;
  } catch {
    return null;
  }
}

const loaded = new Map(); // address -> the component set there, as text

// The component set of a game, for the page and, if it is not the ruleset's own, for the engine. Each is asked for once.
async function readSet(hash) {
  const at = componentsAt(slug, hash);
  const own = keptSet(slug);
  if (!loaded.has(at)) loaded.set(at, hash && own?.components === hash ? own.text : await readText(at));
  if (hash) await ask("useSet", new TextEncoder().encode(loaded.get(at)));
  return JSON.parse(loaded.get(at));
}

async function begin(game) {
  const components = await readSet(game.components);
  forget();
  state.components = components;
  state.began = Date.now() - (game.plies?.at(-1)?.ms ?? 0);
  return ask("start", { ...game, slug });
}

async function resume() {
  const found = kept();
  const asked = learns ? null : parameter("set");
  if (asked !== null) history.replaceState(null, "", location.pathname); // a reload goes on with the game
  if (learns) lesson = new Lesson(slug, found?.seen);
  const other = asked !== null && found?.components !== asked;
  if (!other && found !== null && await begin(found).catch(() => false)) return;
  await begin({ seats: state.about.seats_min, own: 0, level: "regular", components: asked ?? undefined });
}

// Registered sets, and the one of this device.
async function setsToChoose() {
  const sets = await otherSets(slug);
  const own = keptSet(slug);
  if (own === null || sets.some(({ components }) => components === own.components)) return sets;
  return [...sets, { components: own.components, name: aboutOf(JSON.parse(own.text)).name }];
}

/* ---- The page ---- */

async function readPosition() {
  state.position = await ask("position", state.items.length);
  state.items.push(...state.position.items);
  lesson?.look(state.position);
  keep();
}

async function show() {
  await readPosition();
  await draw();
}

async function draw() {
  const game = asGame();
  await table.update(document.getElementById("table"), {
    game, view: viewOf(state.position.view, state.position.seq), items: state.items, board: state.board, components: state.components, rules, aside: () => lesson?.card() ?? null });
  state.log.append(document.getElementById("log"), game, state.items, state);
  showContent(document.getElementById("result"), result(game));
}

// A one-player game has no places, but levels of winning or losing.
const aloneResult = ({ result: how, level }) => element("p", { class: "notice" }, say(`market.result_${how}`, { level: say(`market.level_${level}`) }));

function result({ seats, state: is }) {
  if (is !== "finished") return [];
  return seats.length === 1 ? aloneResult(state.position.view.outcome[0]) : resultTable(seats);
}

const options = (from, to, chosen) => Array.from({ length: to - from + 1 }, (_, i) =>
  element("option", { value: from + i, selected: from + i === chosen }, String(from + i)));

function newGameForm() {
  const { seats_min: least, seats_max: most } = state.about;
  const { seats, own, level, components } = state.position.game;
  const levels = element("select", { id: "level" }, state.about.levels.map((name) => element("option", { value: name, selected: name === level }, say(`level.is_${name}`))));
  const counts = element("select", { id: "seats" }, options(least, most, seats));
  const seat = element("select", { id: "own" }, options(1, seats, own + 1));
  const set = learns ? null : setBox("components", state.sets, components);
  const form = element("form", { id: "new-game", class: "practice no-print", "data-keep": true },
    most === 1 ? null : [element("label", { for: "seats" }, say("practice.players")), counts, element("label", { for: "own" }, say("practice.own_seat")), seat,
      element("label", { for: "level" }, say("practice.level")), levels],
    set === null ? null : [element("label", { for: "components" }, say("set.title")), set],
    element("button", { type: "submit" }, say("practice.new_game")), formFault());
  counts.addEventListener("change", () => seat.replaceChildren(...options(1, Number(counts.value), Math.min(Number(seat.value), Number(counts.value)))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      if (learns) lesson = new Lesson(slug);
      await begin({ components: set?.value || undefined, seats: Number(counts.value), own: Number(seat.value) - 1, level: levels.value });
      await show();
      document.getElementById("table").scrollIntoView({ block: "start" });
    });
  });
  return form;
}

const heading = (game) => say(learns ? "lesson.title" : "practice.title", { game });

function content() {
  const about = learns ? "lesson.about" : state.about.seats_max === 1 ? "practice.about_alone" : "practice.about";
  return [
    element("h1", {}, heading(state.about.title)),
    element("p", { class: "about" }, say(about), " ", say("practice.offline")),
    element("div", { id: "result", "data-keep": true }),
    element("div", { id: "table", class: "table", "data-keep": true }),
    element("p", { id: "thinking", class: "hint", role: "status", "data-keep": true }),
    element("h2", {}, say("practice.new_game")),
    newGameForm(),
    element("p", { class: "hint" }, say("practice.new_game_hint")),
    element("h2", {}, say("practice.log")),
    element("ol", { id: "log", class: "log", "aria-label": say("practice.log"), "data-keep": true }),
  ];
}

present(async () => {
  const ruleset = await read(`/v1/rulesets/${slug}`);
  title(heading(ruleset.title));
  const prepared = rules.prepare().catch((error) => {
    if (!(error instanceof Problem)) throw error; // a game without written rules can still be played
  });
  const [board, sets, ready] = await Promise.all([boardOf(slug), setsToChoose(), engine.start("/static/practice/practice-worker.js"), prepared, readSet(null)]);
  if (!ready) return { content: [element("h1", {}, heading(ruleset.title)), element("p", { class: "notice" }, say("practice.missing"))] };
  Object.assign(state, { board, sets, about: await ask("about", slug) });
  await resume();
  await readPosition();
  return { content: content(), shown: draw };
});
