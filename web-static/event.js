// An event: where it stands, whatever its format. The parts are drawn by their own scripts.
import { element, link, listed, nameOf, nameText, pageId, parameter, playerLink, present, read, roundsWords, time, title, words } from "./common.js";
import { player } from "./account.js";
import { bracketPart } from "./bracket.js";
import { crosstable } from "./crosstable.js";
import { readLog } from "./event-log.js";
import { challengeList, queueList, readRounds, roundSection, rulingList, rulingsIn } from "./rounds.js";
import { placesTable, standingsTables } from "./standings.js";
import { say } from "./words.js";

const id = pageId();
const at = `/v1/events/${id}`;
let shown = null;

/* ---- What it is ---- */

const stateWords = {
  draft: "being prepared", entries_open: "open for entries", entries_closed: "entries are closed, the first round is to come",
  running: "running", closed: "closed",
};

const playWords = { asynchronous: "all boards at once", barometer: "board after board" };
const scoringWords = { matchpoints: "matchpoints", total: "total scores" };

// The names of formats are words, but for these.
const formatNames = { pod_swiss: "pod Swiss", dutch: "Swiss, Dutch system" };

const formatName = (format) => formatNames[format] ?? words(format);

function formatWords(event) {
  if (event.format !== "duplicate") return event.settings.stages.map((stage) => formatName(stage.format)).join(", then ");
  return `duplicate: ${event.boards} ${event.boards === 1 ? "board" : "boards"} a round, ${playWords[event.play]}, ${scoringWords[event.scoring]}`;
}

const hasRounds = (event) => event.format !== "ladder" && event.format !== "open_play";

function entriesWords(event) {
  const { capacity } = event.settings;
  return `${event.entries}${capacity === null ? "" : ` of ${capacity}`} entries${event.waiting > 0 ? `, ${event.waiting} waiting` : ""}`;
}

function facts(event) {
  const { min, max } = event.seats;
  const how = hasRounds(event) ? `Round ${roundsWords(event)} (${formatWords(event)})` : `Played as ${formatWords(event)}`;
  const state = !hasRounds(event) && event.state === "entries_closed" ? "running" : event.state;
  return element("p", { class: "about" },
    element("span", { class: event.state === "closed" ? "badge good" : "badge" }, stateWords[state]),
    ` ${event.ruleset.title}, tables of ${min === max ? min : `${min} to ${max}`}. ${how}, `,
    `${entriesWords(event)}. Organizer: `, playerLink(event.organizer), ". Made ", time(event.created_at), ".");
}

// The way to where the event is run, for those who do.
function officialsLink({ event, roles }) {
  if (!roles?.items.some((each) => each.player.id === player()?.id)) return null;
  return element("p", { class: "no-print" }, link(`/events/${event.id}/manage`, say("desk.run")));
}

/* ---- Which stage, after which round ---- */

function asked(name) {
  const number = Number(parameter(name));
  return Number.isInteger(number) && number >= 1 ? number : null;
}

// What of the rounds (newest first) is to be shown: a stage that has begun, after a round of it or now.
function choose(rounds) {
  const newest = rounds[0]?.stage ?? 1;
  const round = rounds.find((each) => each.number === asked("after_round")) ?? null;
  const stage = asked("stage") !== null && asked("stage") <= newest ? asked("stage") : round?.stage ?? newest;
  const after = round !== null && round.stage === stage ? round.number : null;
  return { stage, newest, after, rounds: rounds.filter((each) => each.stage === stage) };
}

function query(chosen) {
  const values = new URLSearchParams();
  if (chosen.stage !== chosen.newest || chosen.after !== null) values.set("stage", chosen.stage);
  if (chosen.after !== null) values.set("after_round", chosen.after);
  return values.size === 0 ? "" : `?${values}`;
}

function stageLinks(event, chosen) {
  if (event.settings.stages.length < 2) return null;
  return element("nav", { class: "links no-print", "aria-label": "Stages" }, event.settings.stages.map((stage, i) => {
    const name = `Stage ${i + 1}: ${formatName(stage.format)}`;
    if (i + 1 > chosen.newest) return element("span", {}, `${name} (to come${stage.entrants ? `, for ${stage.entrants}` : ""})`);
    return element("a", { href: i + 1 === chosen.newest ? location.pathname : `?stage=${i + 1}`, "aria-current": i + 1 === chosen.stage ? "page" : null }, name);
  }));
}

function afterRoundLinks(chosen) {
  const numbers = chosen.rounds.map((round) => round.number).reverse();
  if (numbers.length < 2) return null;
  const last = numbers.at(-1);
  const stage = chosen.stage === chosen.newest ? "" : `?stage=${chosen.stage}`;
  return element("nav", { class: "links no-print", "aria-label": "Standings after round" }, "After round ", numbers.map((round) =>
    element("a", { href: round === last ? `${location.pathname}${stage}` : `?stage=${chosen.stage}&after_round=${round}`,
      "aria-current": round === (chosen.after ?? last) ? "page" : null }, String(round))));
}

/* ---- Who takes part ---- */

function entryWords(entry) {
  const words = [entry.state === "not_there" ? "not there" : null, entry.state === "dropped" ? "dropped" : null,
    entry.checked_in ? "checked in" : null].filter(Boolean);
  return words.length === 0 ? null : ` (${words.join(", ")})`;
}

function entryList({ items }) {
  const there = items.filter((entry) => entry.state !== "waiting" && entry.state !== "withdrawn");
  if (there.length === 0) return element("p", {}, "Nobody has entered yet.");
  return element("ul", { class: "names" }, there.map((entry) => element("li", {}, playerLink(entry.player), entryWords(entry))));
}

function waitingList({ items }) {
  const waiting = items.filter((entry) => entry.state === "waiting").sort((a, b) => a.waiting_place - b.waiting_place);
  return waiting.length === 0 ? null : [element("h2", {}, "Waiting list"),
    element("ol", {}, waiting.map((entry) => element("li", {}, playerLink(entry.player))))];
}

/* ---- For checking ---- */

// What there is to take away of what has begun. Reports for FIDE are of points at tables of two.
function downloads({ event, rounds, standings }) {
  const isReported = ["dutch", "round_robin"].includes(event.format);
  const names = [
    standings === null ? [] : ["standings.csv", "results.csv"],
    rounds.length === 0 ? [] : [`pairings.csv?round=${rounds[0].number}`, "rounds.ics"],
    rounds.length === 0 || !isReported ? [] : ["export.trf16", "export.trf26"], "feed.json", "bundle"].flat();
  return element("li", {}, "Files: ", listed(names.map((name) => link(`${at}/${name}`, name.split("?")[0]))));
}

function checking(parts) {
  const { event } = parts;
  return element("section", { class: "no-print" }, element("h2", {}, "For checking"), element("ul", {},
    downloads(parts),
    element("li", {}, link(`${at}/standings`, "Standings"), ", ", link(`${at}/rounds`, "rounds"), " and ", link(`${at}/log`, "the event's log"), " as JSON"),
    element("li", {}, "Pairings are drawn from a secret to which the event committed before anybody entered: ",
      element("code", { class: "hash" }, event.commitment), event.secret === null ? ". It is revealed when the event closes."
        : [". Revealed: ", element("code", { class: "hash" }, event.secret)])));
}

/* ---- Reading ---- */

const byHand = (round) => round.changes > 0 || round.attempt > 1 || round.seating.some((table) => table.ruled);
const isRuled = (standings) => standings?.rows.some((row) => row.rounds.some((round) => /^(adjudicated|forfeit)/.test(round.kind)));

async function readParts(event) {
  const hasStandings = event.rounds.started > 0 || (!hasRounds(event) && !["draft", "entries_open"].includes(event.state));
  const rounds = await readRounds(event);
  const chosen = choose(rounds);
  const [standings, entries, challenges, queue, roles] = await Promise.all([
    hasStandings ? read(`${at}/standings${query(chosen)}`) : null,
    hasStandings && event.waiting === 0 ? null : read(`${at}/entries`),
    hasStandings && event.format === "ladder" ? read(`${at}/challenges`) : null,
    hasStandings && event.format === "open_play" ? read(`${at}/queue`) : null,
    player() === null ? null : read(`${at}/roles`),
  ]);
  const of = (part) => read(`${at}/${part}${query(chosen)}`);
  const [bracket, met, log] = await Promise.all([
    standings?.kind === "bracket" ? of("bracket") : null,
    standings !== null && standings.kind !== "bracket" && event.format !== "duplicate" ? of("crosstable") : null,
    rounds.some(byHand) || isRuled(standings) ? readLog(at) : [],
  ]);
  return { event, rounds, chosen, standings, entries, challenges, queue, roles, bracket, met, rulings: rulingsIn(log) };
}

/* ---- Drawing ---- */

function standingsPart({ event, chosen, standings, bracket, met }) {
  return [
    bracket === null ? null : [element("h2", {}, "Bracket"), bracketPart(bracket, chosen.rounds)],
    element("h2", {}, "Standings"), afterRoundLinks(chosen), standingsTables(standings),
    met === null ? null : crosstable(standings, met),
    event.settings.stages.length > 1 && standings.stages > 1 ? [element("h2", {}, "Places in the event"), placesTable(standings)] : null,
  ];
}

function content(parts) {
  const { event, rounds, chosen, standings, entries, challenges, queue, rulings } = parts;
  return [
    element("h1", {}, nameOf(event)),
    facts(event),
    officialsLink(parts),
    rounds.length === 0 ? null : element("nav", { class: "links no-print", "aria-label": "Rounds" }, "Tables of round ",
      rounds.map((round) => link(`#round-${round.number}`, String(round.number)))),
    stageLinks(event, chosen),
    standings === null ? [element("h2", {}, "Entries"), entryList(entries)] : standingsPart(parts),
    entries === null ? null : waitingList(entries),
    challenges === null ? null : [element("h2", {}, "Challenges"), challengeList(challenges)],
    queue === null ? null : [element("h2", {}, "Queue"), queueList(queue)],
    rounds.length === 0 ? null : [element("h2", {}, "Rounds"), rounds.map((round, i) => roundSection(event, round, rulings, i === 0))],
    rulingList(rulings),
    checking(parts),
  ];
}

async function draw() {
  const event = await read(at);
  const parts = await readParts(event);
  const more = event.state !== "closed";
  const data = JSON.stringify(parts);
  if (data === shown) return { more, after: event.changes };
  shown = data;
  title(nameText(event));
  return { more, after: event.changes, content: content(parts) };
}

present(draw, 3000, `${at}/stream`);
