// An event's page, for all formats. The parts are drawn by their own scripts.
import { element, link, nameText, pageId, parameter, playerLink, present, read, title } from "../lib/common.js";
import { player } from "../lib/account.js";
import { aboutHead, aboutPart } from "../event/about.js";
import { officialsLink, otherPages, readPanel, signInPart } from "../event/event-links.js";
import { readLog } from "../event/event-log.js";
import { fold } from "../event/fold.js";
import { facts, formatName, hasRounds, readSeasons, roundLinks } from "../event/facts.js";
import { podium, readCards } from "../event/podium.js";
import { challengeList, isByHand, queueList, readRounds, roundSection, rulingList, rulingsIn } from "../event/rounds.js";
import { divisionsOf, fillOpenRows, hasResults, placesTable, standingsTables } from "../event/standings.js";
import { findForm } from "../lib/find-me.js";
import { say } from "../lib/words.js";

const id = pageId();
const at = `/v1/events/${id}`;
let shown = null;
let drawn = null; // the parts that were drawn last
let bracketPart = null; // few events need it
let boardGrid = null; // likewise
let seasonsOnce = null;

/* ---- Stage and round ---- */

function asked(name) {
  const number = Number(parameter(name));
  return Number.isInteger(number) && number >= 1 ? number : null;
}

// The requested view of the rounds (newest first): a stage that has begun, after one of its rounds or now.
function choose(rounds) {
  const newest = rounds[0]?.stage ?? 1;
  const round = rounds.find((each) => each.number === asked("after_round")) ?? null;
  const stage = asked("stage") !== null && asked("stage") <= newest ? asked("stage") : round?.stage ?? newest;
  const after = round !== null && round.stage === stage ? round.number : null;
  return { stage, newest, after, rounds: rounds.filter((each) => each.stage === stage) };
}

function query(chosen, more = {}) {
  const values = new URLSearchParams(more);
  if (chosen.stage !== chosen.newest || chosen.after !== null) values.set("stage", chosen.stage);
  if (chosen.after !== null) values.set("after_round", chosen.after);
  return values.size === 0 ? "" : `?${values}`;
}

function stageLinks(event, chosen) {
  if (event.settings.stages.length < 2) return null;
  return element("nav", { class: "links steps-of no-print", "aria-label": say("event.stages") }, event.settings.stages.map((stage, i) => {
    const name = say("event.stage", { number: i + 1, format: formatName(stage.format) });
    if (i + 1 > chosen.newest) return element("span", {}, name, " ", say(stage.entrants ? "event.stage_to_come_for" : "event.stage_to_come", { count: stage.entrants }));
    return element("a", { href: i + 1 === chosen.newest ? location.pathname : `?stage=${i + 1}`, "aria-current": i + 1 === chosen.stage ? "page" : null }, name);
  }));
}

function afterRoundLinks(chosen) {
  const numbers = chosen.rounds.map((round) => round.number).reverse();
  if (numbers.length < 2) return null;
  const last = numbers.at(-1);
  const stage = chosen.stage === chosen.newest ? "" : `?stage=${chosen.stage}`;
  return element("nav", { class: "links steps-of no-print", "aria-label": say("event.standings_after_round") }, say("event.after_round"), " ", numbers.map((round) =>
    element("a", { href: round === last ? `${location.pathname}${stage}` : `?stage=${chosen.stage}&after_round=${round}`,
      "aria-current": round === (chosen.after ?? last) ? "page" : null }, String(round))));
}

/* ---- Participants ---- */

function entryWords(entry) {
  const words = [entry.state === "entered" ? null : say(`entry.is_${entry.state}`), entry.checked_in ? say("entry.checked_in") : null].filter(Boolean);
  return words.length === 0 ? null : ` (${words.join(", ")})`;
}

function entryList({ items }) {
  const there = items.filter((entry) => entry.state !== "waiting" && entry.state !== "withdrawn");
  if (there.length === 0) return element("p", {}, say("entry.nobody"));
  return element("ul", { class: "names" }, there.map((entry) => element("li", {}, playerLink(entry.player), entryWords(entry))));
}

function waitingList({ items }) {
  const waiting = items.filter((entry) => entry.state === "waiting").sort((a, b) => a.waiting_place - b.waiting_place);
  return waiting.length === 0 ? null : [element("h2", {}, say("event.waiting_list")),
    element("ol", {}, waiting.map((entry) => element("li", {}, playerLink(entry.player))))];
}

/* ---- Reading ---- */

const isRuled = (standings) => standings?.rows.some((row) => row.rounds.some((round) => /^(adjudicated|forfeit|void)/.test(round.kind)));

// Gives entropy if games wait for it, and says so.
async function ownEntropy(event) {
  const { entropyNotice, giveEntropy } = await import("../game/entropy.js");
  return entropyNotice(await giveEntropy(event));
}

async function readParts(event) {
  const hasStandings = event.rounds.started > 0 || (!hasRounds(event) && !["draft", "entries_open"].includes(event.state));
  const rounds = await readRounds(event);
  const chosen = choose(rounds);
  const [seasons, standings, entries, challenges, queue, roles, given] = await Promise.all([
    seasonsOnce ??= readSeasons(event), // which change seldom
    hasStandings ? read(`${at}/standings${query(chosen, { operands: "none" })}`) : null,
    hasStandings && event.waiting === 0 && player() === null ? null : read(`${at}/entries`),
    hasStandings && event.games_from === "challenges" ? read(`${at}/challenges`) : null,
    hasStandings && event.games_from === "queue" ? read(`${at}/queue`) : null,
    player() === null ? null : read(`${at}/roles`),
    player() === null ? null : ownEntropy(event),
  ]);
  const isOver = event.state === "closed" && chosen.stage === chosen.newest && chosen.after === null;
  const [bracket, log, cards] = await Promise.all([
    standings?.kind === "bracket" ? read(`${at}/bracket${query(chosen)}`) : null,
    rounds.some(isByHand) || isRuled(standings) ? readLog(at) : [],
    isOver ? readCards(standings, event.ruleset.slug) : null,
  ]);
  const mine = await readPanel(event, { entries, round: rounds[0], roles, standings, queue });
  if (event.format === "duplicate") ({ boardGrid } = await import("../event/board-grid.js"));
  if (bracket !== null) ({ bracketPart } = await import("../event/bracket.js"));
  return { event, seasons, rounds, chosen, standings, entries, challenges, queue, roles, given, mine, bracket, cards, rulings: rulingsIn(log) };
}

/* ---- Drawing ---- */

// Results that no record proves.
function reportedWords({ reported, recorded }) {
  return [recorded > 0 ? element("p", { id: "recorded", class: "notice" }, say("standings.recorded", { count: recorded })) : null, reported > 0 ? element("p", { id: "reported", class: "notice" }, say("standings.reported", { count: reported })) : null];
}

// The odds, read when their fold is opened.
function oddsPart({ event, chosen, standings }) {
  const open = event.state === "running" && hasRounds(event) && event.format !== "duplicate" && chosen.after === null && chosen.stage === chosen.newest;
  return open && hasResults(standings) ? element("details", { id: "odds" }, element("summary", {}, say("event.odds")), element("div", { id: "odds-shown", "data-keep": true })) : null;
}

const crosstableMost = 40; // players; larger ones would be unreadable
const crosstableAt = (chosen) => `${at}/crosstable${query(chosen)}`;

// The crosstable, read when its fold is opened.
function crosstablePart({ event, chosen, standings }) {
  if (standings.kind === "bracket" || event.format === "duplicate" || event.seats.max === 1 || !hasResults(standings)) return null;
  const json = element("p", {}, link(crosstableAt(chosen), say("cross.as_json")));
  if (divisionsOf(standings).some(({ rows }) => rows.length > crosstableMost)) return json;
  return element("details", { id: "cross", class: "glossary" }, element("summary", {}, say("cross.title")), element("div", { id: "cross-shown", "data-keep": true }), json);
}

const fillers = {
  odds: async (place) => (await import("../event/odds.js")).showOdds(at, place),
  cross: async (place) => (await import("../event/crosstable.js")).showCrosstable(crosstableAt(drawn.chosen), place, drawn.standings),
};

document.addEventListener("toggle", async ({ target }) => {
  if (target.open) await fillers[target.id]?.(target.querySelector("[data-keep]"));
}, true);

// What has been opened follows the event.
async function fillOpen() {
  const cross = document.querySelector("#cross[open] > [data-keep]");
  await Promise.all([fillOpenRows(), cross === null ? null : fillers.cross(cross)]);
}

function standingsPart(parts) {
  const { event, chosen, standings, bracket } = parts;
  return [
    bracket === null ? null : [element("h2", { id: "bracket" }, say("event.bracket")), bracketPart(bracket, chosen.rounds)],
    element("h2", { id: "standings" }, say("event.standings")), afterRoundLinks(chosen), reportedWords(standings), standingsTables(standings), oddsPart(parts),
    crosstablePart(parts),
    event.settings.stages.length > 1 && standings.stages > 1 ? [element("h2", {}, say("event.places")), placesTable(standings)] : null,
  ];
}

// Sections further down the page: [fragment, name].
function partsOf({ rounds, standings, bracket, rulings }) {
  return [
    bracket === null ? null : ["bracket", say("event.bracket")],
    standings === null ? null : ["standings", say("event.standings")],
    rounds.length === 0 ? null : ["rounds", say("event.rounds")],
    rulings.length === 0 ? null : ["rulings", say("rounds.rulings")],
  ].filter((each) => each !== null);
}

// The newest round, and the earlier ones folded.
function roundsPart({ event, rounds, rulings }) {
  const [newest, ...older] = rounds.map((round, i) => roundSection(event, round, rulings, i === 0, null, boardGrid));
  return [element("h2", { id: "rounds" }, say("event.rounds")), newest, older.length === 0 ? null : fold("older-rounds", say("rounds.older"), older)];
}

function content(parts) {
  const { event, rounds, chosen, standings, entries, challenges, queue, rulings } = parts;
  return [
    aboutHead(event),
    facts(event, parts.seasons),
    officialsLink(event, parts.roles),
    parts.mine === null ? signInPart(event) : parts.mine.draw(),
    parts.given,
    otherPages(event, partsOf(parts)),
    roundLinks(event),
    parts.cards === null ? null : podium(standings, parts.cards),
    standings === null ? aboutPart(event) : findForm(),
    stageLinks(event, chosen),
    standings === null ? [element("h2", {}, say("entry.title")), entryList(entries)] : standingsPart(parts),
    entries === null ? null : waitingList(entries),
    challenges === null ? null : [element("h2", {}, say("event.challenges")), challengeList(challenges, event)],
    queue === null ? null : [element("h2", {}, say("event.queue")), queueList(queue, event)],
    rounds.length === 0 ? null : roundsPart(parts),
    rulingList(rulings),
    standings === null ? null : aboutPart(event),
  ];
}

async function draw() {
  const event = await read(at);
  const parts = await readParts(event);
  const more = event.state !== "closed";
  const data = JSON.stringify(parts);
  if (data === shown) return { more, after: event.changes };
  shown = data;
  drawn = parts;
  title(nameText(event));
  return { more, after: event.changes, content: content(parts), shown: fillOpen };
}

present(draw, 3000, `${at}/stream`);
