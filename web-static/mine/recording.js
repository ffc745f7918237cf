// The page of a recording, for phones around a real table and for everybody else: the board as it stands in the scorer's record, which is
// replayed here for a spectator's eyes (engine/wasm/scorer/scorer.h). What is hidden in hands is not in the record.
import { boardOf } from "../boards/boards.js";
import { EngineCalls } from "../game/engine-calls.js";
import { GameTable } from "../game/game-table.js";
import { delayWords, element, link, nameOf, nameText, pageId, present, Problem, read, time, title, whereLine } from "../lib/common.js";
import { player } from "../lib/account.js";
import { said, say, timeOfDay } from "../lib/words.js";
import { reportPage } from "../event/rounds.js";
import { RulesPanel } from "../rules/rules.js";
import { partsOf } from "../scorer/journal.js";
import { gameOf, readSet, viewOf } from "../scorer/recorded.js";

const id = pageId();
const at = `/v1/recordings/${id}`;
const lately = 12 * 3600_000; // ms for which the time of day alone says when
const engine = new EngineCalls();
const state = { recording: null, position: null, event: null, players: [], board: null, components: null, rules: null, taken: 0 };

// Requests of the table (GameTable), answered here.
const table = new GameTable("recording", {
  canTell: false,
  async read(path) {
    const seq = Number(/\?seq=(\d+)$/.exec(path)[1]);
    return viewOf(await engine.ask("viewAt", seq), seq);
  },
});

/* ---- Reading ---- */

const playersOf = (header) => [...header.matchAll(/^seat \d+ (\S+) (\S+) /gm)].map(([, who, name]) => ({ id: who, name: decodeURIComponent(name) }));

// False if this server has no engine for browsers.
async function begin({ header, entries }) {
  const { event, ruleset: { slug } } = state.recording;
  state.players = playersOf(header);
  state.event = await read(`/v1/events/${event.id}`);
  state.rules = new RulesPanel(slug);
  const prepared = state.rules.prepare().catch((error) => {
    if (!(error instanceof Problem)) throw error; // a game without written rules can still be watched
  });
  const [board, set, ready] = await Promise.all([boardOf(slug), readSet(slug, state.event.settings.components ?? null), engine.start("/static/scorer/engine-worker.js"), prepared]);
  if (!ready) return false;
  Object.assign(state, { board, components: set.components });
  await engine.ask("begin", { header, entries, ...set, watches: true });
  return true;
}

// Takes what has come since; what was taken back is another course of the game.
async function goOn({ entries }) {
  const added = entries.slice(state.taken);
  if (added.some((entry) => / back \d+$/.test(entry))) table.restart();
  await engine.ask("follow", { entries: added });
}

/* ---- Drawing ---- */

const heading = () => whereLine({ round: state.recording.round === 0 ? undefined : state.recording.round, table: state.recording.table });
const where = () => reportPage(state.recording.round, state.recording.table, state.recording.event.id);

// Players of the game and its scorer see it as it is.
const isAtTable = () => player() !== null && [state.recording.scorer, ...state.players].some((each) => each.id === player().id);

function stateWords() {
  const { scorer, started_at: start, finished_at: end } = state.recording;
  const { phase, elapsed_ms: ms } = state.position;
  const name = nameOf(scorer);
  if (end !== null) return said("recording.was", { name, when: time(end) });
  const last = new Date(Date.parse(start) + ms);
  const when = Date.now() - last < lately ? element("time", { datetime: last.toISOString() }, timeOfDay(last)) : time(last.toISOString());
  const words = phase === "deal" ? said("recording.deal", { name }) : said(phase === "show" ? "recording.show" : "recording.is", { name, when });
  return isAtTable() ? words : [words, " ", delayWords({ state: "running", delay_entries: state.event.settings.delay_entries })];
}

const game = () => gameOf({ position: state.position, ruleset: state.recording.ruleset, players: state.players, seq: state.position.items.length, counts: state.position.phase === "finished" });

const top = () => [
  element("h1", {}, heading()),
  element("p", { class: "about" }, link(`/events/${state.recording.event.id}`, nameOf(state.recording.event)), " · ", link(where(), say("recording.table"))),
];

function content() {
  const isOver = state.position.phase === "finished";
  return [
    top(),
    element("p", { id: "recording-state", role: "status" }, stateWords()),
    isOver && !state.recording.counts ? element("p", { class: "notice" }, said("recording.to_confirm", { link: link(where(), say("recording.table")) })) : null,
    element("div", { id: "table", class: "table", hidden: state.position.view === null, "data-keep": true }),
    element("p", { class: "hint" }, link(`${at}/record`, say(isOver ? "report.the_record" : "report.the_record_so_far"))),
  ];
}

async function showTable() {
  const root = document.getElementById("table");
  const { view, items } = state.position;
  root.hidden = view === null;
  if (view !== null) await table.update(root, { game: game(), view: viewOf(view, items.length), items, board: state.board, components: state.components, rules: state.rules });
}

async function draw() {
  const isFirst = state.position === null;
  const found = await read(at, { again: true });
  if (found === undefined && !isFirst) return { more: state.recording.finished_at === null, after: state.recording.rows };
  state.recording = found ?? state.recording;
  const parts = partsOf(state.recording.record);
  title(`${heading()}, ${nameText(state.recording.event)}`);
  if (!isFirst) await goOn(parts);
  else if (!await begin(parts)) return { content: [top(), element("p", { class: "notice" }, say("practice.missing"))] };
  state.taken = parts.entries.length;
  state.position = await engine.ask("shown");
  return { content: content(), shown: showTable, more: state.recording.finished_at === null, after: state.recording.rows };
}

present(draw, 3000, `${at}/stream`);
