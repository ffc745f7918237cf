// The panel of an event for a signed-in reader: what comes next for them, in a sentence, and what they can do.
import { isGuest, keepPlayer, player } from "../lib/account.js";
import { element, link, listed, nameOf, nameText, Problem, read, send, sharedPlace, signInLink, time, whereWords } from "../lib/common.js";
import { freeRounds, mayEnter } from "./event-links.js";
import { hasRounds } from "./facts.js";
import { attempt, button, choiceBox, field, formFault, openDialog } from "../lib/forms.js";
import { reportPage, whoOf } from "./rounds.js";
import { isResult, pointsWords } from "./standings.js";
import { updateChildren } from "../lib/update.js";
import { said, say } from "../lib/words.js";

let shown = null; // { event, mine } of the panel
const at = () => `/v1/events/${shown.event.id}`;
const entryAt = () => `${at()}/entries/${player().id}`;

const isMe = (each) => each.id === player().id;

/* ---- Reading ---- */

async function ownGames(event) {
  const { items } = await read("/v1/me/games?state=running&limit=50");
  return Promise.all(items.filter((game) => game.event?.id === event.id).map((game) => read(`/v1/games/${game.id}`)));
}

async function newestRound(event) {
  const { started } = event.rounds;
  return started === 0 ? null : read(`/v1/events/${event.id}/rounds/${started}`);
}

// Tables of a ladder or of open play at which the reader plays with a printed copy, with what has been reported from them.
function ownTables(event, challenges, queue) {
  if (event.play !== "table") return [];
  const played = (challenges?.challenges ?? []).filter((each) => each.table !== null && [each.challenger, each.challenged].some(isMe));
  const seated = (queue?.tables ?? []).filter((each) => each.players.some(isMe));
  return Promise.all([...played, ...seated].map(({ table }) => read(`/v1/events/${event.id}/rounds/0/tables/${table}/report`)));
}

// Everything that the panel of a signed-in player shows; null if the session has ended. `known`: what the page has already
// read: entries, the newest round, roles, standings, the queue.
export async function readMine(event, known = {}) {
  const path = `/v1/events/${event.id}`;
  try {
    const isLadder = event.games_from === "challenges" && !["draft", "entries_open"].includes(event.state);
    const [games, entries, round, roles, challenges, queue, standings] = await Promise.all([
      event.state === "closed" ? [] : ownGames(event),
      known.entries ?? read(`${path}/entries`),
      known.round ?? newestRound(event),
      known.roles ?? read(`${path}/roles`),
      event.games_from === "challenges" ? read(`${path}/challenges?challenger=${player().id}`) : null,
      known.queue ?? (event.games_from === "queue" ? read(`${path}/queue`) : null),
      known.standings ?? (isLadder ? read(`${path}/standings?operands=none`) : event.rounds.started > 0 ? read(`${path}/standings?operands=none&player=${player().id}`) : null),
    ]);
    return { games, tables: await ownTables(event, challenges, queue), round, entry: entries.items.find((each) => isMe(each.player)) ?? null, row: standings?.rows.find((each) => isMe(each.player)) ?? null, place: standings?.places?.find((each) => isMe(each.player)) ?? null,
      ofStage: standings === null ? null : standings.stage, isBracket: standings?.kind === "bracket",
      isOfficial: roles.items.some((each) => isMe(each.player)),
      challenges: (challenges?.challenges ?? []).filter((each) => [each.challenger, each.challenged].some(isMe)),
      rungs: isLadder ? standings.rows : [], mayChallenge: challenges?.may_challenge ?? [],
      waiting: queue?.waiting.length ?? 0, waits: queue?.waiting.some((each) => isMe(each.player)) ?? false, isSeated: queue?.tables.some((each) => each.players.some(isMe)) ?? false };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    keepPlayer(null);
    return null;
  }
}

/* ---- What comes next ---- */

const isLast = ({ rounds, last_round: last }) => last !== null && rounds.started >= last;

// The stage of a round, as an index, as far as the settings say how long the stages are. `newest`: the newest round, or null.
function stageOf({ settings: { stages } }, round, newest) {
  let last = 0;
  const planned = stages.findIndex((stage) => (last += stage.rounds ?? Infinity) >= round);
  return Math.max(planned, (newest?.stage ?? 1) - 1);
}

// Where a game is played; a game of an earlier round, which goes on although a ruling has decided its table, with its round.
const whereOf = ({ event: { round, board, table } }) => whereWords({ round: round < shown.event.rounds.started ? round : undefined, board, table });

const seatOf = (seats) => seats.find((each) => isMe(each.player))?.seat ?? null;

// The names of the others at the reader's table, to follow its place.
function withWhom(seats) {
  const others = seats.filter((each) => !isMe(each.player));
  return others.length === 0 ? null : [" ", said("mine.with", { names: listed(others.map((each) => nameOf(each.player))) })];
}

function gameWords(game) {
  const where = link(`/games/${game.id}`, whereOf(game));
  const seat = seatOf(game.seats);
  return said(game.deciders.includes(seat) ? "mine.your_turn" : "mine.playing", { where: [where, withWhom(game.seats)], seat: seat + 1 });
}

// What the reader can do about the result of their table in a round of `event` (its id).
export function reportWords(round, { table, seats, ruled, reported, report }, event) {
  const seat = seatOf(seats);
  const where = link(reportPage(round.number, table, event), whereWords({ table }));
  if (ruled || (reported && report.against === null)) return said("mine.reported", { where });
  if (report === null) return said("mine.report_it", { where: [where, withWhom(seats)], seat: seat + 1 });
  if (report.against !== null) return said("mine.contested", { where });
  return said(report.by === seat ? "mine.unconfirmed" : "mine.confirm_it", { where, name: whoOf(seats, report.by) });
}

// The reader's seat in the current round, if their game is not a running one.
function seatWords({ round, games }) {
  const table = round.seating.find((each) => seatOf(each.seats) !== null);
  if (table === undefined) return round.byes.some((bye) => isMe(bye.player)) ? say("mine.bye_now", { round: round.number }) : null;
  if (games.length > 0) return null;
  const game = round.games.find(({ state, event }) => state === "running" && event.table === table.table);
  const other = game?.seats.find((each) => each.substitute_for !== null && isMe(each.substitute_for));
  if (other !== undefined) return said("mine.substituted", { where: link(`/games/${game.id}`, whereWords({ table: table.table })), name: nameOf(other.player) });
  if (round.play === "table") return reportWords(round, table, shown.event.id);
  const where = table.waiting?.game ? link(`/games/${table.waiting.game}`, whereWords({ table: table.table })) : whereWords({ table: table.table });
  return table.seats.every((each) => each.kind === null) ? said("mine.your_table", { where: [where, withWhom(table.seats)], seat: seatOf(table.seats) + 1 }) : null;
}

function roundWords(event, { round }) {
  if (round === null) return event.state === "entries_open" ? say("mine.when_closed") : say("mine.first_round");
  if (round.state === "running") {
    const count = round.tables - round.tables_finished;
    return isLast(event) ? say("mine.last_round_waits", { count }) : say("mine.round_waits", { number: round.number + 1, count });
  }
  if (isLast(event)) return say("mine.rounds_over");
  const next = stageOf(event, round.number + 1, round);
  return next < round.stage ? say("mine.next_round", { number: round.number + 1 }) : say("mine.next_stage", { stage: next + 1, count: event.settings.stages[next].entrants ?? event.entries });
}

// On the ladder: the reader's rung, and what is open or can be done from it.
function rungWords(event, mine) {
  if (mine.row === null) return [];
  const rung = say(mine.row.rank === 1 ? "mine.on_top" : "mine.on_rung", { rung: mine.row.rank });
  const open = mine.challenges.filter((each) => each.table === null).map((each) => {
    const words = isMe(each.challenger) ? said("mine.has_challenged", { name: nameOf(each.challenged) }) : said("mine.is_challenged", { name: nameOf(each.challenger) });
    return each.answer_by === null ? words : [words, " ", said(isMe(each.challenger) ? "mine.answer_until" : "mine.answer_by", { when: time(each.answer_by) })];
  });
  if (mine.challenges.length > 0 || mine.row.rank === 1) return [rung, ...open];
  return [rung, mine.mayChallenge.length === 0 ? say("mine.nobody_free") : say("mine.may_challenge", { count: event.settings.stages[0].reach })];
}

function withoutRounds(event, mine) {
  if (["draft", "entries_open"].includes(event.state)) return [say("mine.begins")];
  if (event.games_from === "challenges") return rungWords(event, mine);
  if (mine.waits) return [say("mine.waits"), mine.waiting === 1 ? null : say("mine.waits_too", { count: mine.waiting - 1 })];
  return [mine.games.length > 0 || mine.waiting === 0 ? null : say("mine.others_wait", { count: mine.waiting })];
}

// The reader's place, which leads to its row. Before a result it would only be the lot.
function placeWords({ row }) {
  if (row === null || row.rank === null || row.points === null || !row.rounds.some(isResult)) return null;
  return said("mine.stands", { place: element("a", { href: `#row-${player().id}` }, sharedPlace(row.rank, row.shared)), points: pointsWords(row.points) });
}

function playWords(event, mine) {
  const isPlaying = mine.round?.state === "running";
  return [...mine.games.map(gameWords), hasRounds(event) && isPlaying ? seatWords(mine) : null, hasRounds(event) ? placeWords(mine) : null,
    ...mine.tables.map((table) => reportWords({ number: 0 }, table, event.id)), ...hasRounds(event) ? [roundWords(event, mine)] : withoutRounds(event, mine)];
}

// Whether the bye can still be given up: its round has not been paired.
const mayGiveUp = ({ may }, { round }) => may.bye_from !== null && round >= may.bye_from;
const byesToCome = (event, { byes }) => byes.filter((bye) => bye.round > event.rounds.started);

// Why the reader is out, or null: a later stage is for the best of the stage before, and a bracket for players who have not lost too often.
// `standings` may be those of a stage that is over; a player who has lost in a bracket may still be among the best of its stage.
function outOf({ settings: { stages } }, { round, row, ofStage, isBracket }) {
  if (round === null || ofStage !== round.stage) return null;
  if (row === null) return round.stage > 1 ? say("mine.not_advanced", { stage: round.stage }) : null;
  if (round.stage < stages.length) return null;
  if (row.rank === 1 && isBracket) return say("mine.won");
  return isBracket && row.rank !== null ? say("mine.out", { place: sharedPlace(row.rank, row.shared) }) : null;
}

function inWords(event, mine) {
  const out = outOf(event, mine);
  if (out !== null) return [...mine.games.map(gameWords), out];
  if (event.state !== "entries_open" || !event.settings.check_in)
    return [say("mine.in"), ...playWords(event, mine), ...byesToCome(event, mine.entry).map(({ round }) => say("mine.bye_now", { round }))];
  return mine.entry.checked_in ? [say("mine.in_checked"), ...playWords(event, mine)] : [say("mine.in"), say("mine.check_in_first")];
}

// Some events are for players with a password.
const isKeptOut = ({ settings }) => isGuest() && settings.guests !== "allowed";

// Whether entries are taken now; null if the event takes none.
function entryWords(event) {
  const { enter } = event.may;
  if (enter === "closed") return null;
  if (isKeptOut(event)) return say("mine.no_guests");
  if (event.state === "entries_open") return say({ place: "mine.open", waiting_list: "mine.full", full: "mine.all_taken" }[enter]);
  return say(enter === "full" ? "mine.late_full" : "mine.late");
}

const outWords = (event) => entryWords(event) ?? say(event.state === "draft" ? "mine.draft" : "mine.closed");

// Free places go to the waiting list only while entries are open.
function waitingWords(event, { entry }) {
  if (event.state !== "entries_open") return [say("mine.list_over"), entryWords(event)];
  const checks = !event.settings.check_in ? null : say(entry.checked_in ? "mine.list_checked" : "mine.list_check_in");
  return [say("mine.on_list", { place: entry.waiting_place }), checks];
}

// Nobody returns to a bracket.
const droppedWords = ({ may }, { isOfficial }) => say(may.return && !isOfficial ? "mine.dropped_ask" : "mine.dropped");

function sentences(event, mine) {
  if (event.cancelled) return [say("mine.cancelled")];
  if (event.state === "closed") return [mine.place?.place ? say("mine.placed", { place: sharedPlace(mine.place.place, mine.place.shared) }) : say("mine.over")];
  switch (mine.entry?.state) {
    case "entered": return inWords(event, mine);
    case "waiting": return waitingWords(event, mine);
    case "dropped": return [...mine.games.map(gameWords), droppedWords(event, mine)];
    case "not_there": return [say("mine.not_there"), entryWords(event)];
    default: return [...mine.games.map(gameWords), outWords(event)];
  }
}

/* ---- Actions ---- */

const does = (action, words, data = {}, attributes = {}) => button(words, { "data-mine": action, ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value])), ...attributes });

function challengeButtons(event, mine) {
  const open = mine.challenges.filter((each) => each.table === null);
  const own = open.find((each) => isMe(each.challenger));
  return [
    ...open.filter((each) => isMe(each.challenged)).flatMap(({ challenger }) => [
      does("accept", said("mine.do_accept", { name: nameOf(challenger) }), { player: challenger.id }, { class: "main" }),
      does("cancel", said("mine.do_decline", { name: nameOf(challenger) }), { player: challenger.id })]),
    own === undefined ? null : does("cancel", said("mine.do_cancel", { name: nameOf(own.challenged) }), { player: player().id }),
    mine.mayChallenge.length > 0 ? does("challenge", say("mine.do_challenge"), {}, { class: "main" }) : null,
  ];
}

// Check-in also matters on the waiting list: its players who are there get the places of those who are not.
function checkButton(event, { checked_in: isThere }) {
  if (event.state !== "entries_open" || !event.settings.check_in) return null;
  return isThere ? does("check_out", say("mine.do_check_out")) : does("check_in", say("mine.do_check_in"), {}, { class: "main" });
}

function entryButtons(event, mine) {
  const { entry } = mine;
  const isOpen = event.state === "entries_open";
  return [
    entry.checked_in ? null : checkButton(event, entry),
    event.games_from === "challenges" && !isOpen ? challengeButtons(event, mine) : null,
    event.games_from === "queue" && !isOpen && !mine.isSeated
      ? mine.waits ? does("unqueue", say("mine.do_unqueue")) : does("queue", say("mine.do_queue"), {}, { class: "main" }) : null,
    freeRounds(event, entry).length > 0 ? does("bye", say("mine.do_bye")) : null,
    ...entry.byes.filter((each) => mayGiveUp(event, each)).map((each) => does("revoke_bye", say("mine.do_revoke_bye", { round: each.round }), { round: each.round })),
    entry.checked_in ? checkButton(event, entry) : null,
    does("leave", say(entry.number === null ? "mine.do_withdraw" : "mine.do_drop")),
  ];
}

function enterButton(event) {
  if (!mayEnter(event) || isKeptOut(event)) return [];
  return [does("enter", say(event.may.enter === "waiting_list" ? "mine.do_wait" : "mine.do_enter"), {}, { class: "main" })];
}

function buttons(event, mine) {
  if (event.state === "closed") return [];
  switch (mine.entry?.state) {
    case "entered": return outOf(event, mine) === null ? entryButtons(event, mine) : [];
    case "waiting": return [checkButton(event, mine.entry), ...event.state === "entries_open" ? [] : enterButton(event), does("leave_list", say("mine.do_leave_list"))];
    case "dropped": return mine.isOfficial && event.may.return ? [does("return", say("mine.do_return"), {}, { class: "main" })] : [];
    default: return enterButton(event);
  }
}

/* ---- The panel ---- */

// To the reader's games, before anything else; those that wait for the reader stand out.
function playLinks({ games }) {
  return games.map((game) => {
    const isTurn = game.deciders.includes(seatOf(game.seats));
    return element("a", { href: `/games/${game.id}`, class: isTurn ? "main" : null }, say(isTurn ? "mine.do_play" : "mine.do_look", { where: whereOf(game) }));
  });
}

// To the report of the reader's table in the current round, while something about it is theirs to say.
function reportLink(event, { round }) {
  const table = round?.play === "table" && round.state === "running" ? round.seating.find((each) => seatOf(each.seats) !== null) : undefined;
  if (table === undefined || table.ruled || (table.reported && table.report.against === null)) return null;
  const { report } = table;
  if (report !== null && (report.against !== null || report.by === seatOf(table.seats))) return null;
  return element("a", { href: reportPage(round.number, table.table, event.id), class: report === null ? null : "main" }, say(report === null ? "mine.do_report" : "mine.do_answer", { where: whereWords({ table: table.table }) }));
}

const offers = (event, mine) => [...playLinks(mine), reportLink(event, mine), ...buttons(event, mine).flat()].filter((each) => each !== null);

// `mine`: from readMine(). null for officials who do not play and cannot enter.
export function minePanel(event, mine) {
  shown = { event, mine };
  const offered = offers(event, mine);
  if (mine.isOfficial && mine.entry === null && mine.games.length === 0 && offered.length === 0) return null;
  return element("section", { id: "mine", class: "mine no-print", "aria-labelledby": "mine-title" },
    element("h2", { id: "mine-title", tabindex: -1 }, say("mine.title")),
    element("p", { id: "mine-now", role: "status" }, listed(sentences(event, mine), " ")),
    offered.length === 0 ? null : element("p", { class: "bar" }, offered), formFault("mine-fault"));
}

// Moves are not steps of the event and do not appear in its stream.
async function lookAtGames() {
  if (shown === null || shown.mine.games.length === 0 || document.visibilityState !== "visible") return;
  const { event, mine } = shown;
  const games = await Promise.all(mine.games.map((game) => read(`/v1/games/${game.id}`))).catch(() => null);
  if (games === null || shown.mine !== mine) return;
  mine.games = games.filter((game) => game.state === "running");
  updateChildren(document.getElementById("mine"), minePanel(event, mine));
}

setInterval(lookAtGames, 5000);

/* ---- Handlers of its buttons ---- */

// The error, in words for the reader.
function put(problem) {
  if (problem.status === 401) {
    keepPlayer(null);
    return { words: said("mine.signed_out", { link: signInLink() }) };
  }
  return problem.inWords(`mine.fault_${problem.code}`);
}

async function doIt(method, path, body = null) {
  try {
    await send(method, path, body);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    throw Object.assign(new PutProblem(problem.code, problem.status, problem.message), { said: put(problem).words });
  }
}

class PutProblem extends Problem {
  get words() {
    return this.said;
  }
}

function leave() {
  const isIn = shown.mine.entry.number !== null;
  openDialog({ heading: say(isIn ? "mine.drop_title" : "mine.withdraw_title"), about: say(!isIn ? "mine.withdraw_about" : hasRounds(shown.event) ? "mine.drop_about" : "mine.leave_about"),
    label: say(isIn ? "mine.do_drop" : "mine.do_withdraw"), act: () => doIt("DELETE", entryAt()) });
}

// What a bye does to others, where opponents are not drawn anew each round.
function byeKey({ format }, most) {
  if (format.endsWith("elimination")) return "mine.bye_waits";
  return ["round_robin", "league"].includes(format) && most === 2 ? "mine.bye_loses" : "mine.bye_about";
}

// What a bye means in the first of the rounds that can be chosen and, where it means something else there, in a bracket that comes later.
function byeWords(event, [[first]]) {
  const { stages } = event.settings;
  const from = stageOf(event, first, shown.mine.round);
  const isBracket = ({ format }) => format.endsWith("elimination");
  return [say(byeKey(stages[from], event.seats.max)), !isBracket(stages[from]) && stages.slice(from + 1).some(isBracket) ? [" ", say("mine.bye_later")] : null];
}

function bye() {
  const rounds = freeRounds(shown.event, shown.mine.entry).map((round) => [round, String(round)]);
  openDialog({ heading: say("mine.do_bye"), about: byeWords(shown.event, rounds), label: say("mine.do_bye"),
    fields: [field(choiceBox("bye-round", rounds, rounds[0][0]), say("mine.bye_round"))],
    read: (form) => ({ round: Number(form.elements["bye-round"].value), kind: "zero" }),
    act: (body) => doIt("POST", `${entryAt()}/byes`, body) });
}

function challenge() {
  const { mayChallenge, rungs } = shown.mine;
  const names = mayChallenge.map((each) => [each.id, say("mine.rung", { rung: rungs.find(({ player: { id } }) => id === each.id).rank, name: nameText(each) })]);
  openDialog({ heading: say("mine.do_challenge"), label: say("mine.do_challenge"),
    fields: [field(choiceBox("challenged", names, names[0][0]), say("mine.whom"))],
    read: (form) => ({ player: form.elements.challenged.value }),
    act: (body) => doIt("POST", `${at()}/challenges`, body) });
}

const actions = {
  enter: () => doIt("POST", `${at()}/entries`, {}),
  check_in: () => doIt("POST", `${entryAt()}/check-in`, { present: true }),
  check_out: () => doIt("POST", `${entryAt()}/check-in`, { present: false }),
  leave_list: () => doIt("DELETE", entryAt()),
  return: () => doIt("POST", `${entryAt()}/return`, {}),
  revoke_bye: ({ round }) => doIt("DELETE", `${entryAt()}/byes/${round}`),
  accept: ({ player: id }) => doIt("POST", `${at()}/challenges/${id}/accept`, {}),
  cancel: ({ player: id }) => doIt("DELETE", `${at()}/challenges/${id}`),
  queue: () => doIt("POST", `${at()}/queue`, {}),
  unqueue: () => doIt("DELETE", `${at()}/queue`),
  leave,
  bye,
  challenge,
};

document.addEventListener("click", (click) => {
  const pressed = click.target.closest?.("[data-mine]");
  if (!pressed) return;
  const panel = document.getElementById("mine");
  panel.querySelector("h2").focus(); // the button may be gone
  attempt(panel, async () => actions[pressed.dataset.mine](pressed.dataset));
});
