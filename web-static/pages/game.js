// The page of a game: its table (game-table.js), its result, its analysis (analysis.js), and its record line by line.
import { boardOf, componentsAt } from "../boards/boards.js";
import { terms } from "../boards/plain.js";
import { byRank, delayWords, duration, element, english, gameName, hexText, link, listed, nameOf, nameText, pageId, playerLink, present, read, seatsTable, shareButton, time, title } from "../lib/common.js";
import { GameAnalysis } from "../game/analysis.js";
import { disputesPart, showDisputes } from "../game/dispute-open.js";
import { followPart, showFollow } from "../game/follow.js";
import { GameLog } from "../game/game-log.js";
import { GameTable } from "../game/game-table.js";
import { drawWaiting, isWaiting } from "../game/game-waiting.js";
import { absencePart, leavePart } from "../game/presence.js";
import { followRematch, rematchPart } from "../game/rematch.js";
import { optionName, optionValue } from "../lib/options.js";
import { namesIn } from "../game/seat-names.js";
import { isLeft, scoreBeside, standing } from "../game/story.js";
import { followWatching, watchingPart } from "../game/watching.js";
import { said, say } from "../lib/words.js";
import { RulesPanel } from "../rules/rules.js";

const id = pageId();
const at = `/v1/games/${id}`;
const table = new GameTable(at);
const log = new GameLog();
const analysis = new GameAnalysis(() => table.analysed(analysis));
// What has been read so far.
const state = { waits: isWaiting(), game: null, event: null, board: null, components: null, rules: null, ruling: null, awaited: false, items: [] };

/* ---- The page ---- */

function seats(game) {
  const columns = [{ text: say(game.seats.length === 1 ? "seats.result" : "seats.place") }, { text: say("seats.player"), header: true }, { text: say("seats.seat"), number: true }, { text: say("seats.score"), number: true }];
  return seatsTable(say(game.state === "finished" ? "seats.result" : "seats.players"), columns, byRank(game.seats).map((seat) => [
    standing(game, seat, state.components),
    [playerLink(seat.player), seat.house?.version ? [" ", say("seats.house_version", { version: seat.house.version })] : null,
      game.deciders.includes(seat.seat) ? [" ", element("span", { class: "badge" }, say("seats.to_move"))] : null, seat.forfeited ? [" ", say("seats.forfeited")] : seat.fallback && !isLeft(game) ? [" ", say("seats.absent")] : null],
    String(seat.seat + 1), scoreBeside(game, seat)]));
}

// `state.awaited`: whether the end of its record waits for the other tables of a duplicate round.
async function verdict(game) {
  state.awaited = false;
  if (game.state !== "finished") return element("span", { class: "badge" }, say(game.stopped ? "game.is_stopped" : "game.is_running"));
  if (game.voided) return element("span", { class: "badge bad" }, say("game.is_void"));
  const found = await read(`${at}/verification`);
  state.awaited = found.verdict === "unfinished";
  if (state.awaited) return element("span", { class: "badge" }, say("game.is_finished"));
  if (found.verdict === "valid") return element("span", { class: "badge good" }, say("game.proved"));
  return element("span", { class: "badge bad" }, found.fault ? said("game.damaged", { line: found.fault.line, message: english(found.fault.message) }) : say("game.unproved"));
}

// Where a ruling gives the event another result than the record: read when the page opens, and when the game is over.
async function rulingPart({ state: reached, event }) {
  if (event === null || event.table === null || event.round === null) return null;
  if (state.ruling?.reached !== reached) state.ruling = { reached, ...await read(`/v1/events/${event.id}/rounds/${event.round}/tables/${event.table}/report`) };
  return state.ruling.ruled ? element("p", { id: "ruling", class: "notice" }, said("game.ruled", { event: link(`/events/${event.id}#rulings`, nameOf(state.event)) })) : null;
}

function facts(game, badge, isSeated) {
  const { event } = state;
  const options = Object.entries(game.options).map(([name, value]) => [optionName(game.ruleset.slug, name), " ", optionValue(game.ruleset.slug, name, value)]);
  const moves = say("game.moves", { count: game.plies });
  const when = time(game.started_at);
  const took = game.finished_at === null ? null : duration(Date.parse(game.finished_at) - Date.parse(game.started_at));
  return element("p", { class: "about" }, badge, " ",
    event === null ? null : [link(`/events/${event.id}`, nameOf(event)), ". "],
    took === null ? said("game.started", { moves, when }) : said("game.took", { moves, when, duration: took }), " ",
    options.length === 0 ? null : said("game.options", { options: listed(options) }), isSeated ? null : [" ", delayWords(game)], watchingPart(game));
}

// The co-dealers who took part in the game's luck besides players and service.
function dealersLine({ dealers }) {
  const names = (answered) => dealers.filter((each) => each.answered === answered).map((each) => each.name);
  return dealers.length === 0 ? null : element("p", { id: "dealers" }, [
    names(true).length === 0 ? null : said("roll.dealers", { names: listed(names(true)) }),
    names(false).length === 0 ? null : [" ", said("roll.dealers_missing", { names: listed(names(false)) })]]);
}

// The set of components that the commands need, if it is not the built-in one.
function ownSet(set) {
  return element("p", { id: "own-set" }, said("roll.components", { link: element("a", { href: `/v1/components/${set}`, download: `${set.slice(0, 8)}.json` }, say("roll.download_components")) }));
}

// `set`: the SHA-256 of a component set of the game's own, or null.
function roll(game, set) {
  const file = set?.slice(0, 8);
  return [
    element("h2", { id: "roll" }, say("roll.title")),
    element("p", {}, said("roll.check", {
      link: element("a", { href: `${at}/record`, download: `${id}.roll` }, say("roll.download")), command: element("code", {}, set === null ? `tillroll verify ${id}.roll` : `tillroll verify --components ${file}.json ${id}.roll`) })),
    set === null ? null : ownSet(set),
    element("p", {}, said("roll.signatures", {
      link: element("a", { href: `${at}/signatures`, download: `${id}.sig` }, say("roll.download_signatures")),
      command: element("code", {}, set === null ? `tillroll verify --signatures ${id}.sig ${id}.roll` : `tillroll verify --components ${file}.json --signatures ${id}.sig ${id}.roll`) })),
    game.state === "finished" && !state.awaited ? element("p", {}, link(`/games/${id}/verify`, say("game.verify_itself"))) : null,
    dealersLine(game),
    element("p", {}, said("roll.head", { hash: hexText(game.head) })),
    element("ol", { id: "log", class: "log", "aria-label": say("roll.lines"), "data-keep": true }),
  ];
}

// Ways to what follows far below a board, and of showing the game to somebody. Players of a running game have no use for them.
function waysPart(game, isSeated) {
  if (isSeated && game.state === "running") return null;
  const hasAnalysis = !state.awaited && GameAnalysis.has(game);
  return element("p", { id: "ways", class: "links no-print" }, hasAnalysis ? [link("#analysis", say("analysis.title")), " "] : null, link("#roll", say("roll.title")), " ", shareButton());
}

// The page's elements except the table and the log's lines.
function content(game, badge, ruling, view) {
  return [
    element("h1", {}, gameName(game)),
    facts(game, badge, view.viewer.kind === "seat"),
    ruling,
    state.awaited ? element("p", { id: "awaited", class: "notice" }, say("game.awaited")) : null,
    followPart(game),
    waysPart(game, view.viewer.kind === "seat"),
    element("div", { id: "table", class: "table", "data-keep": true }),
    seats(game),
    state.awaited ? null : GameAnalysis.part(game),
    game.event === null || game.seats.length === 1 ? null : element("p", { class: "about" }, say("seats.about")),
    element("details", { id: "position" }, element("summary", {}, say(view.viewer.kind === "seat" ? "game.position_own" : "game.position")), terms(view.view, namesIn(game))),
    disputesPart(),
    roll(game, state.event?.settings.components ?? view.components ?? null),
  ];
}

/* ---- Reading ---- */

async function readGame() {
  const game = await read(at, { again: true });
  if (game !== undefined) state.game = game;
  return game !== undefined;
}

// The entries after those already read.
async function readItems() {
  for (;;) {
    const page = await read(`${at}/events?after=${state.items.at(-1)?.seq ?? 0}`);
    if (page.items.length === 0) return page.next;
    state.items.push(...page.items);
  }
}

// The board beside the event and the components, since each is a way to the service and back.
async function readRules({ event, ruleset: { slug } }) {
  const readBoard = async () => { state.board ??= await boardOf(slug); };
  const readComponents = async () => {
    if (event !== null) state.event ??= await read(`/v1/events/${event.id}`);
    state.components ??= await read(componentsAt(slug, event === null ? (await read(`${at}/view`)).components : state.event.settings.components));
  };
  state.rules ??= new RulesPanel(slug);
  await Promise.all([readBoard(), readComponents()]);
}

function setTitle(game) {
  const name = state.event === null ? gameName(game) : `${gameName(game)}, ${nameText(state.event)}`;
  title(table.isMyTurn ? say("play.title", { title: name }) : name);
}

async function draw() {
  const waiting = state.waits ? await drawWaiting(id) : null;
  state.waits = waiting !== null;
  return waiting ?? drawGame();
}

async function drawGame() {
  const changed = await readGame();
  const next = state.items.at(-1)?.seq ?? 0;
  if (!changed && next >= state.game.seq) return { more: true, after: next };
  await readRules(state.game);
  const last = await readItems();
  if (last > state.game.seq) await readGame();
  const { game } = state;
  const [badge, ruling, view] = await Promise.all([verdict(game), rulingPart(game), read(`${at}/view`)]);
  return {
    content: content(game, badge, ruling, view),
    shown: async () => {
      log.append(document.getElementById("log"), game, state.items, state);
      await table.update(document.getElementById("table"), { ...state, game, view, aside: () => absencePart(game), after: () => leavePart(game) ?? rematchPart(game) });
      analysis.show({ game, items: state.items, board: state.board, components: state.components, own: table.own });
      setTitle(game);
      await showDisputes(game);
      followRematch(game);
      followWatching(at, game);
      await showFollow(game);
    },
    more: game.state !== "finished" || state.awaited || last < game.seq,
    after: last,
  };
}

present(draw, 2000, `${at}/stream`);
