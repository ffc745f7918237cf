// The state of the event, and its next step.
import { element, eventState, link, nameOf, nameText, time } from "../lib/common.js";
import { openDialog, reasonField } from "../lib/forms.js";
import { tablesOf } from "../event/rounds.js";
import { said, say } from "../lib/words.js";
import { absentees, carryOut, doing, isOrganizer, section } from "./part.js";
import { fold } from "../event/fold.js";
import { isContested, isUnconfirmed, reportButton } from "./results.js";

const withoutRounds = (event) => event.games_from !== "rounds";
const hasBegun = (event) => event.state === "entries_closed" || event.state === "running";

const isPlaying = (rounds) => rounds.length > 0 && rounds[0].state === "running";

// Whether all rounds have been played, if their number is known.
const isOver = ({ last_round: last }, rounds) => last !== null && rounds.length >= last;

// Whether the next round can be paired, as far as known here; the service decides.
export function mayDraw(event, rounds) {
  return hasBegun(event) && !withoutRounds(event) && event.format !== "duplicate" && !isPlaying(rounds) && !isOver(event, rounds);
}

// Before a later stage: says for which players it is.
function stageWords(event, draw) {
  if (!draw?.begins_stage || draw.stage === 1) return undefined;
  return say("next.begins_stage", { number: draw.number, stage: draw.stage, count: event.settings.stages[draw.stage - 1].entrants ?? event.entries });
}

// At real tables a round is paired and started with one tap: its players are there, and wait.
const isAtTables = (event, draw) => event.settings.stages[draw.stage - 1].play === "table";

// How far a round of boards has come: those that are to come have no tables yet.
const boardsOf = (event, round) => ({ number: round.number, finished: round.tables_finished, count: round.tables,
  board: Math.max(...round.games.map((game) => game.event.board)), boards: event.settings.stages[0].boards ?? 1 });

// Warns that entries without check-in take no part once entries are closed.
function uncheckedPart(parts) {
  const count = absentees(parts).length;
  return count === 0 ? null : element("p", { class: "notice" }, say("next.unchecked", { count }));
}

// Players who did not come to the newest round, and are paired again.
function noShows({ rounds: [newest], draw }) {
  if (newest === undefined || draw?.state !== "preview") return [];
  const missed = new Set(tablesOf(newest).flatMap(({ seats }) => seats).filter(({ kind }) => kind === "forfeit_loss").map((seat) => seat.player.id));
  const paired = [...draw.tables.flatMap(({ players }) => players), ...draw.byes.filter(({ kind }) => kind === "pairing_bye").map((bye) => bye.player)];
  return paired.filter((player) => missed.has(player.id));
}

// Nobody is dropped by itself: a player may have been late only.
function noShowsPart(desk) {
  const players = noShows(desk.parts);
  if (players.length === 0 || !isOrganizer(desk)) return null;
  const drop = (player) => doing("leave", say("entry.do_leave_of", { name: nameText(player) }), { player: player.id }, { id: `no-show-${player.id}` });
  return element("div", { id: "no-shows", class: "notice" }, element("p", {}, say("next.no_shows", { count: players.length, round: desk.parts.rounds[0].number })), element("p", { class: "bar" }, players.map(drop)));
}

// The time of the round, for officials who walk through the hall.
function deadlinePart({ rounds: [newest] }) {
  return newest?.state !== "running" || newest.deadline === null ? null : element("p", { class: "deadline" }, said("rounds.deadline", { when: time(newest.deadline) }));
}

// True if a board has a single table, so that its results are compared with none.
function isAlone({ event }) {
  return event.format === "duplicate" && event.seats.max > 1 && event.entries > 0 && event.entries < 2 * event.seats.min && ["entries_open", "entries_closed"].includes(event.state);
}

// The next step: { step, words, about }, `step` null if the event is waiting for games or another person.
function nextOf({ event, rounds, draw, why }) {
  const number = rounds.length + 1;
  if (event.state === "draft") return { step: "open_entries" };
  if (event.state === "entries_open" && event.may.players_missing > 0) return { step: null, about: say("next.too_few", { count: event.may.players_missing }) };
  if (event.state === "entries_open") return { step: "close_entries" };
  if (event.state === "closed") return { step: null, about: say(event.cancelled ? "next.cancelled" : "next.closed") };
  if (withoutRounds(event)) return { step: event.may.close ? "close" : null, about: say(`next.about_${event.format}`) };
  if (isPlaying(rounds) && rounds[0].tables === 0) return { step: null, about: say("next.dealing", { number: rounds[0].number }) };
  const contested = isPlaying(rounds) && rounds[0].tables_finished === rounds[0].tables ? tablesOf(rounds[0]).filter(isContested).length : 0;
  if (contested > 0) return { step: null, about: say("next.contested", { number: rounds[0].number, count: contested }) };
  const unconfirmed = isPlaying(rounds) ? rounds[0].seating.filter(isUnconfirmed).length : 0;
  if (unconfirmed > 0 && rounds[0].tables_finished + unconfirmed === rounds[0].tables) return { step: null, about: say("next.unconfirmed", { number: rounds[0].number, count: unconfirmed }) };
  if (isPlaying(rounds) && event.play === "barometer") return { step: null, about: say("next.playing_boards", boardsOf(event, rounds[0])) };
  if (isPlaying(rounds)) return { step: null, about: say("next.playing", { number: rounds[0].number, finished: rounds[0].tables_finished, count: rounds[0].tables }) };
  if (isOver(event, rounds) || why?.code === "no-more-rounds") return { step: "close" };
  if (event.format === "duplicate" || (draw?.state === "preview" && isAtTables(event, draw))) return { step: "draw_and_start", number, about: stageWords(event, draw) };
  if (draw === null) return { step: null, about: why?.words ?? "" };
  return draw.state === "draft" ? { step: "start", number: draw.number } : { step: "draw", number: draw.number, about: stageWords(event, draw) };
}

const arbiterMay = new Set(["start"]);

function stepButton(desk, { step, number }) {
  if (step === null || !(isOrganizer(desk) || arbiterMay.has(step))) return null;
  return doing(step, say(`next.do_${step}`, { number }), {}, { id: `do-${step}`, class: "main" });
}

// A round that is played elsewhere than the others of its stage.
function otherPlace(event, draw) {
  const elsewhere = isAtTables(event, draw) ? "online" : "table";
  return doing("start_elsewhere", say(draw.state === "draft" ? `next.start_${elsewhere}` : `next.draw_and_start_${elsewhere}`, { number: draw.number }), { play: elsewhere, draft: String(draw.state === "draft") }, { id: `also-start_${elsewhere}` });
}

// Additional steps, which are rarely needed.
function others(desk, step) {
  const { event, rounds, draw } = desk.parts;
  if (!isOrganizer(desk)) return null;
  const offered = [
    step === "draw" ? doing("draw_and_start", say("next.draw_and_start_instead"), {}, { id: "also-draw_and_start" }) : null,
    step === "draw_and_start" && draw !== null ? doing("draw", say("next.do_draw", { number: draw.number }), {}, { id: "also-draw" }) : null,
    draw !== null ? otherPlace(event, draw) : null,
    event.state === "entries_closed" && rounds.length === 0 ? doing("open_entries", say("next.open_again"), {}, { id: "also-open_entries" }) : null,
    event.may.close && step !== "close" ? doing("close", say("next.close_early"), {}, { id: "also-close" }) : null,
    event.may.cancel ? doing("cancel", say("next.cancel"), {}, { id: "also-cancel" }) : null,
  ].filter((each) => each !== null);
  return offered.length === 0 ? null : element("details", { id: "other-steps" }, element("summary", {}, say("next.others")), element("p", { class: "bar" }, offered));
}

// Says what can be done about a round that was started by mistake.
function staysPart({ event, rounds }) {
  if (!isPlaying(rounds) || rounds[0].tables_finished > 0 || rounds[0].tables === 0) return null;
  return element("p", { class: "hint" }, say(event.format === "duplicate" ? "next.stays_boards" : rounds[0].play === "table" ? "next.stays_table" : "next.stays_online"));
}

const MANY = 24; // tables whose numbers are not folded

// At real tables their numbers ask for the result; elsewhere they lead to the table.
function openTables(desk) {
  const numberOf = (round, table) => (round.play === "table" ? reportButton(desk, round, table, String(table.table), { id: `report-${round.number}-${table.table}` })
    : link(`#table-${round.number}-${table.table}`, String(table.table)));
  const open = desk.parts.rounds.filter((round) => round.state === "running").flatMap((round) => tablesOf(round).filter((table) => table.seats.every((seat) => seat.kind === null) && !table.report)
    .map((table) => numberOf(round, table)));
  if (open.length === 0) return null;
  const numbers = (words) => element("nav", { class: "links open-tables", "aria-label": say("next.open_tables") }, words, open);
  return open.length <= MANY ? numbers([say("next.open_tables"), " "]) : fold("open-tables", say("next.many_open_tables", { count: open.length }), numbers(null));
}

// The challenges of a ladder that are not played yet.
function challengesPart({ challenges }) {
  const open = challenges.filter((each) => each.table === null);
  return open.length === 0 ? null : element("ul", { id: "challenges" }, open.map(({ challenger, challenged }) => element("li", {},
    said("next.challenge", { challenger: nameOf(challenger), challenged: nameOf(challenged) }), " ",
    doing("cancel_challenge", said("next.cancel_challenge", { name: nameOf(challenger) }), { player: challenger.id }, { id: `cancel-challenge-${challenger.id}` }))));
}

export function part(desk) {
  const { event } = desk.parts;
  const found = nextOf(desk.parts);
  const about = found.about ?? say(`next.about_${found.step}`, { number: found.number, entries: event.entries });
  const go = stepButton(desk, found);
  return section("next", say("next.title"),
    element("p", {}, element("span", { class: event.state === "closed" && !event.cancelled ? "badge good" : "badge" }, eventState(event)), " ", element("span", { id: "next-about" }, about), go === null && found.step !== null ? [" ", say("next.of_organizers")] : null),
    deadlinePart(desk.parts), uncheckedPart(desk.parts), noShowsPart(desk), isAlone(desk.parts) ? element("p", { class: "notice" }, say("next.one_table", { count: 2 * event.seats.min })) : null,
    element("p", { class: "bar" }, go),
    staysPart(desk.parts), challengesPart(desk.parts), openTables(desk), others(desk, found.step));
}

const simply = (desk, path, body = {}) => carryOut(desk, "POST", `${desk.at}/${path}`, body);

function close(desk) {
  openDialog({ heading: say("next.do_close"), about: say("next.close_sure"), label: say("next.do_close"), act: () => simply(desk, "close") });
}

function cancel(desk) {
  openDialog({ heading: say("next.cancel"), about: say("next.cancel_sure"), label: say("next.cancel"), fields: [reasonField("reason", true)],
    read: (form) => ({ reason: form.elements.reason.value.trim() }),
    act: (body) => simply(desk, "cancel", body) });
}

export const actions = {
  open_entries: (desk) => simply(desk, "open-entries"),
  close_entries: (desk) => simply(desk, "close-entries"),
  draw: (desk) => simply(desk, "rounds", { publish: false }),
  draw_and_start: (desk) => simply(desk, "rounds"),
  start: (desk) => simply(desk, "rounds/next/start"),
  start_elsewhere: (desk, { play, draft }) => simply(desk, draft === "true" ? "rounds/next/start" : "rounds", { play }),
  cancel_challenge: (desk, { player }) => carryOut(desk, "DELETE", `${desk.at}/challenges/${player}`),
  close,
  cancel,
};
