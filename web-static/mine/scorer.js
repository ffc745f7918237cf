// The scorer's page: one person follows a game at a real table, with a tap for each word of a move, and picks what comes from where when
// something is turned up. Every step is kept in this browser first (scorer/journal.js), so the page works without a connection and after
// it is opened again, and is sent when the service can be reached.
import { boardOf } from "../boards/boards.js";
import { emblem } from "../game/emblems.js";
import { EngineCalls } from "../game/engine-calls.js";
import { GameTable } from "../game/game-table.js";
import { player } from "../lib/account.js";
import { hexOf } from "../lib/bytes.js";
import { element, fill, link, nameOf, nameText, pageId, present, Problem, read, send, showContent, signInLink, title, whereLine } from "../lib/common.js";
import { button, textBox } from "../lib/forms.js";
import { said, say } from "../lib/words.js";
import { reportAt, reportPage } from "../event/rounds.js";
import { RulesPanel } from "../rules/rules.js";
import { Journal } from "../scorer/journal.js";
import { gameOf, readSet, viewOf } from "../scorer/recorded.js";

const main = document.getElementById("main");
const [, , , , round, , table] = location.pathname.split("/").map((each) => Number(each));
const event = pageId();
const key = `tillroll.scorer.${event}.${round}.${table}`;
const journal = new Journal(localStorage, key);
const everyMs = 5000; // until what could not be sent is sent again
const many = 12; // choices from which on they can be searched
const few = 8; // of what a step was told, so many are shown

const state = { others: [], board: null, components: null, set: undefined, rules: null, position: null, decided: [], names: new Map(), own: null };

/* ---- The engine, in a worker ---- */

const engine = new EngineCalls();
const ask = (...call) => engine.ask(...call);

/* ---- What is not sent yet ---- */

function tellSent() {
  const { unsent, fault, kept } = journal;
  const words = fault !== null ? [say(fault.code === "recording-differs" ? "scorer.differs" : "scorer.refused"), " ", fault.words, " ", button(say("scorer.do_adopt", { count: unsent }), { "data-act": "adopt", id: "adopt" })]
    : unsent > 0 ? say("scorer.unsent", { count: unsent }) : kept === null ? "" : say("scorer.sent");
  const place = document.getElementById("sent");
  if (place === null) return;
  fill(place, words);
  place.classList.toggle("notice", unsent > 0 || fault !== null);
}

// Goes on from the service's record: the recording was continued in another browser.
async function adopt() {
  journal.begin(await read(`/v1/recordings/${journal.kept.id}`));
  state.decided = [];
  await beginEngine();
  forget();
}

// Continues from the service's record when the page becomes visible again, if nothing is lost by that.
async function catchUp() {
  const isIdle = () => journal.unsent === 0 && journal.fault === null && state.decided.length === 0 && document.getElementById("picker").hidden;
  if (!isIdle()) return;
  const { length } = journal.kept.entries;
  const { rows } = await read(`/v1/recordings/${journal.kept.id}`);
  if (rows <= length || !isIdle() || journal.kept.entries.length !== length || state.position.phase === "finished") return;
  await adopt();
  await show();
}

// Keeps the screen on, so that the phone need not be woken before each move.
async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch (error) {
    if (error.name !== "NotAllowedError") throw error; // the device saves its battery
  }
}

async function seenAgain() {
  if (document.visibilityState !== "visible") return;
  await stayAwake();
  await sync();
  try {
    await catchUp();
  } catch (error) {
    if (!(error instanceof Problem)) throw error; // there is no connection yet
  }
}

async function sync() {
  tellSent();
  if (journal.unsent === 0) return;
  await journal.sync(send);
  tellSent();
}

/* ---- Steps ---- */

const elapsed = () => Math.max(Date.now() - Date.parse(journal.kept.startedAt), 0);

// Sides are those of the attractions that were told before, in their order: the one that comes next, or null.
function sidedOf(told) {
  const sides = told.filter(({ place }) => place === "side").length;
  return ["pink", "purple"].flatMap((color) => told.filter(({ place }) => place === color))[sides]?.component ?? null;
}

const contextOf = (told) => ({ components: state.components, view: state.position.view?.view ?? null, seats: state.own.seats.length, of: sidedOf(told) });

// The name of a component: as the board writes it, or from the game's own list. `told`: what was told before it.
function nameOfComponent(word, from, told = []) {
  if (from === "first") return nameText(state.own.seats[Number(word)].player);
  return state.board.component?.(word, from, contextOf(told)) ?? state.names.get(word) ?? word.replace(/\b-/g, " ");
}

// What the board draws for it stands before its name, if it has a drawing.
function pictureOfComponent(word, from, told) {
  const drawing = state.board.comes?.[from.replace(/-\d$/, "")]?.(word, contextOf(told)) ?? null;
  return drawing === null ? [] : [emblem(state.board, drawing), " "];
}

function collectNames(value) {
  if (value === null || typeof value !== "object") return;
  if (typeof value.id === "string" && typeof (value.name ?? value.title) === "string") state.names.set(value.id, value.name ?? value.title);
  Object.values(value).forEach(collectNames);
}

function placeWords(from, told) {
  const [, stem, seat] = /^([a-z]+)-?(.*)$/.exec(from);
  if (stem === "side" && sidedOf(told) !== null) return say("scorer.side_of", { name: nameOfComponent(sidedOf(told), "pink") });
  const name = /^\d$/.test(seat) ? nameText(state.own.seats[Number(seat)].player) : seat === "" ? "" : nameOfComponent(seat, from);
  return say(`scorer.from_${stem}`, { name });
}

// Sorts numbers and letters; other choices stay in the order of the game's list.
const inOrder = (choices) => (choices.every((each) => /^(-?\d+|[ab])$/.test(each)) ? [...choices].sort((a, b) => a - b || a.localeCompare(b)) : choices);

// Asks what comes from a place; `told`: what the step has been told before. Resolves with the component, or null for back.
function pick({ asks, choices }, told) {
  return new Promise((resolve) => {
    const picker = document.getElementById("picker");
    const done = (component) => {
      picker.replaceChildren();
      picker.hidden = true;
      resolve(component);
    };
    const buttons = inOrder(choices).map((component) => button([...pictureOfComponent(component, asks, told), element("span", {}, nameOfComponent(component, asks, told))], { "data-component": component }));
    const search = choices.length > many ? element("p", {}, textBox("search", null, { "aria-label": say("scorer.search"), placeholder: say("scorer.search"), autocomplete: "off" })) : null;
    const heading = placeWords(asks, told);
    const names = told.slice(-few).map((each, i, shown) => nameOfComponent(each.component, each.place, told.slice(0, told.length - shown.length + i)));
    const before = told.length === 0 ? [] : [element("p", { id: "told" }, say("scorer.told", { names: [...(told.length > few ? ["…"] : []), ...names].join(" · ") }))];
    picker.replaceChildren(element("h2", { tabindex: -1 }, heading), ...before, ...(search === null ? [] : [search]),
      element("div", { class: "choices", role: "group", "aria-label": heading }, buttons), element("p", {}, button(say("scorer.call_off"), { id: "call-off" })));
    picker.hidden = false;
    picker.oninput = ({ target }) => buttons.forEach((each) => { each.hidden = !each.textContent.toLowerCase().includes(target.value.trim().toLowerCase()); });
    picker.onclick = ({ target }) => {
      const control = target.closest("button");
      if (control !== null) done(control.dataset.component ?? null);
    };
    picker.scrollIntoView({ block: "nearest" });
    picker.querySelector("h2").focus({ preventScroll: true });
  });
}

async function keep({ entries }) {
  journal.add(entries);
  state.decided = [];
  sync();
}

// Carries a step out, asking for what it does not say. Back asks for the last choice again; before the first, it calls the step off: false.
async function complete(decided) {
  const asked = []; // where in `told` somebody chose
  const step = { told: [], decided, ms: elapsed() };
  for (;;) {
    const answer = await ask("propose", step);
    if (answer.entries) {
      await keep(answer);
      return true;
    }
    if (answer.choices.length === 0) throw new Problem("stuck", 422, say("scorer.stuck", { place: answer.asks }));
    const component = answer.choices.length === 1 ? answer.choices[0] : await pick(answer, step.told);
    if (component === null) {
      if (asked.length === 0) return false;
      step.told.length = asked.pop();
      continue;
    }
    if (answer.choices.length > 1) asked.push(step.told.length);
    step.told.push({ place: answer.asks, component });
  }
}

// A seat has decided. Where several do at the same time, the step is taken when the last one has.
async function decide(move) {
  const { deciders, next } = state.position;
  const decided = [...state.decided, { seat: next, move }];
  if (decided.length < deciders.length) {
    state.decided = decided;
    return;
  }
  if (!await complete(decided)) throw new Problem("called-off", 422, say("scorer.called_off"));
}

async function goBack() {
  if (state.decided.length > 0) state.decided = [];
  else {
    await keep(await ask("back", { target: state.position.last, ms: elapsed() }));
    forget();
  }
}

/* ---- The table ---- */

const seqNow = () => state.position.items.length + state.decided.length;

// Requests of the table (GameTable), answered here.
const service = {
  canTell: false,
  atOnce: true,
  whole: true,
  turn: () => said("scorer.turn", { name: nameOf(state.own.seats[state.position.next].player) }),
  async read(path) {
    if (path === "scorer/legal-moves") return { seq: seqNow(), moves: state.position.legal, key: null };
    const wanted = Number(/^scorer\/view\?seq=(\d+)$/.exec(path)[1]);
    return viewOf(await ask("viewAt", wanted), wanted);
  },
  async send(_method, path, { moves }) {
    if (path === "scorer/moves") for (const move of moves) {
      await decide(move);
      await readPosition();
    }
    else await goBack();
    await show();
    return { sealed: false };
  },
};

let board = null; // the GameTable

function forget() {
  board.restart();
}

function asGame() {
  const { phase } = state.position;
  const seq = seqNow();
  return gameOf({ position: state.position, ruleset: state.own.ruleset, players: state.own.seats.map(({ player: who }) => who), seq,
    counts: phase === "show" || phase === "finished", mayTakeBack: phase === "play" && seq > 0 ? seq : null });
}

/* ---- The page ---- */

async function readPosition() {
  state.position = await ask("position", state.decided.map(({ seat }) => seat));
}

function stepPart() {
  const { phase, items } = state.position;
  const does = (name, words, attributes = {}) => button(words, { "data-act": name, id: `step-${name}`, ...attributes });
  if (phase === "deal") return [element("p", {}, say("scorer.deal_hint")), element("p", {}, does("deal", say("scorer.do_deal"), { class: "main" }))];
  if (phase === "show") return [element("p", {}, say("scorer.show_hint")), element("p", { class: "bar" }, does("end", say("scorer.do_end"), { class: "main" }), does("back", say("scorer.do_back")))];
  if (phase === "finished") return [element("p", { class: "notice" }, say("scorer.finished")), element("p", { class: "bar" }, link(reportPage(round, table), say("scorer.to_table")), does("another", say("scorer.do_another")))];
  return items.length === 0 && state.decided.length === 0 ? element("p", {}, does("back", say("scorer.do_again"))) : [];
}

async function show() {
  await readPosition();
  const root = document.getElementById("table");
  showContent(document.getElementById("step"), stepPart());
  root.hidden = state.position.phase === "deal";
  if (!root.hidden) await board.update(root, {
    game: asGame(), view: viewOf(state.position.view, seqNow()), items: state.position.items, board: state.board, components: state.components, rules: state.rules });
  tellSent();
}

const heading = () => whereLine({ round: round === 0 ? undefined : round, table });

function content() {
  return [
    element("h1", {}, heading()),
    element("p", { class: "about" }, link(reportPage(round, table), nameOf(state.own.event))),
    element("p", { id: "sent", role: "status", "data-keep": true }),
    element("p", { id: "step-fault", class: "fault", role: "alert", "data-keep": true }),
    element("section", { id: "picker", class: "play", hidden: true, "data-keep": true }),
    element("div", { id: "step", "data-keep": true }),
    element("div", { id: "table", class: "table", hidden: true, "data-keep": true }),
    element("p", { class: "hint" }, say("scorer.hidden_hint")),
  ];
}

const acts = {
  deal: () => complete([{ what: "deal" }]),
  end: () => complete([{ what: "show" }]),
  back: goBack,
  // The table is played once more: an official has had it replayed.
  another: async () => {
    await journal.sync(send);
    if (journal.unsent > 0) throw new Problem("unsent", 0, say("scorer.unsent", { count: journal.unsent }));
    journal.forget();
    location.reload();
    await new Promise(() => {}); // the page goes away
  },
  start: async () => {
    try {
      journal.begin(await send("POST", `${reportAt(round, table)}/recordings`, { id: newId() }));
    } catch (problem) {
      const own = problem.document?.recording; // begun in another browser
      if (own === undefined) throw problem;
      journal.begin(await read(`/v1/recordings/${own}`));
    }
    await open();
  },
  adopt,
};

main.addEventListener("click", async ({ target }) => {
  const name = target.closest?.("button[data-act]")?.dataset.act;
  if (name === undefined) return;
  const fault = document.getElementById("step-fault");
  fault.replaceChildren();
  try {
    await acts[name]();
    await show();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fault.replaceChildren(error.words);
  }
});

/* ---- Opening ---- */

// What the page needs to know of the table, kept beside the journal for when there is no connection.
async function readOwn() {
  try {
    const [found, about] = await Promise.all([read(`${reportAt(round, table)}/report`), read(`/v1/events/${event}`)]);
    const own = { event: { id: event, name: about.name }, ruleset: about.ruleset, seats: found.seats.map(({ player: who }) => ({ player: who })), play: found.play, state: about.state, components: about.settings.components ?? null };
    localStorage.setItem(`${key}.table`, JSON.stringify(own));
    return own;
  } catch (problem) {
    const own = problem.passes ? localStorage.getItem(`${key}.table`) : null;
    if (own === null) throw problem;
    return JSON.parse(own);
  }
}

// As crypto.randomUUID() makes it, which browsers lack on pages that came without TLS.
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// The reader's own recording that runs, begun in another browser; null if there is none. `state.others`: those of others.
async function readBegun() {
  const { items } = await read(`${reportAt(round, table)}/recordings`);
  state.others = items.filter((each) => each.scorer.id !== player()?.id && each.finished_at === null);
  if (player() === null) return null;
  const own = items.findLast((each) => each.scorer.id === player().id && each.finished_at === null);
  return own === undefined ? null : read(`/v1/recordings/${own.id}`);
}

// Has the browser keep what this page consists of.
async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("/scorer-worker.js", { scope: "/static/scorer/" }); // for the engine's worker
  await navigator.serviceWorker.register("/scorer-worker.js", { scope: location.pathname });
  const { active } = await navigator.serviceWorker.ready;
  const addresses = [location.href, ...performance.getEntriesByType("resource").map((each) => each.name)].filter((each) => new URL(each).origin === location.origin);
  const kept = new MessageChannel();
  kept.port1.onmessage = () => { document.documentElement.dataset.kept = "yes"; };
  const ofEngine = ["/scorer.wasm", "/scorer/engine-worker.js", "/scorer/engine.js", "/game/engine-answers.js", "/lib/bytes.js"].map((path) => `${location.origin}/static${path}`);
  active.postMessage([...new Set(addresses), ...ofEngine], [kept.port2]);
}

async function beginEngine() {
  const { header, entries } = journal.kept;
  await ask("begin", { header, entries, components: state.components, set: state.set });
}

async function open() {
  await beginEngine();
  board = new GameTable("scorer", service);
  showContent(main, content());
  setInterval(sync, everyMs);
  window.addEventListener("online", sync);
  document.addEventListener("visibilitychange", seenAgain);
  keepPage().catch(() => {}); // without it the page needs a connection to be opened
}

function invitation() {
  const { play, state: phase } = state.own;
  const words = play === "online" ? say("report.online") : phase !== "running" ? say("scorer.not_now")
    : player() === null ? signInLink() : null;
  return [
    element("h1", {}, say("scorer.title", { where: heading() })), element("p", { class: "about" }, link(reportPage(round, table), nameOf(state.own.event))),
    element("p", { id: "step-fault", class: "fault", role: "alert" }), element("p", {}, say("scorer.about")),
    state.others.map(({ id, scorer }) => element("p", { class: "notice" }, said("scorer.other", { name: nameOf(scorer), link: link(`/recordings/${id}`, say("report.watch")) }))),
    element("p", {}, words ?? button(say("scorer.do_start"), { "data-act": "start", id: "step-start", class: "main" })),
  ];
}

present(async () => {
  state.own = await readOwn();
  title(say("scorer.title", { where: heading() }));
  const { slug } = state.own.ruleset;
  state.rules = new RulesPanel(slug);
  const prepared = state.rules.prepare().catch((error) => {
    if (!(error instanceof Problem)) throw error; // a game without written rules can still be recorded
  });
  const [drawn, set, ready] = await Promise.all([boardOf(slug), readSet(slug, state.own.components ?? null), engine.start("/static/scorer/engine-worker.js"), prepared]);
  if (!ready) return { content: [element("h1", {}, say("scorer.title", { where: heading() })), element("p", { class: "notice" }, say("practice.missing"))] };
  const { components } = set;
  Object.assign(state, { board: drawn, ...set });
  collectNames(components);
  if (journal.kept === null) {
    const begun = await readBegun();
    if (begun !== null) journal.begin(begun);
  }
  if (journal.kept === null) return { content: invitation() };
  return { content: content(), shown: async () => { await open(); await show(); seenAgain(); } };
});
