// The contents of an opened row of the standings: the player's seats, how the place was computed, the event's effect on the
// rating, and whether the games have been proved. Operands, ratings and proofs are read when the row is opened.
import { element, fill, link, listed, nameOf, pagesOf, Problem, read, whereWords } from "../lib/common.js";
import { tieBreakName, tieBreakValue } from "../lib/reckoning.js";
import { addWords, figure, number, said, say } from "../lib/words.js";

/* ---- Seats ---- */

// How often the player sat in each seat, from first to last.
function seatRecord(row) {
  const seated = row.rounds.filter((round) => round.seat !== undefined && round.seats > 1);
  if (seated.length === 0) return null;
  const most = Math.max(...seated.map((round) => round.seats));
  const times = Array.from({ length: most }, (_, seat) => seated.filter((round) => round.seat === seat).length);
  return element("p", {}, say("row.seats", { times: times.join("-") }));
}

/* ---- Tie-breaks ---- */

// The row with what its tie-breaks were computed from.
async function readRow({ event, stage, after_round: round }, { player }) {
  const query = new URLSearchParams({ stage, player: player.id });
  if (round > 0) query.set("after_round", round);
  return (await read(`/v1/events/${event}/standings?${query}`)).rows[0];
}

function operand(row, value) {
  const of = value.player.id === row.player.id ? [] : [nameOf(value.player), " "];
  return element("li", {}, value.round === 0 ? null : `${whereWords({ round: value.round })}: `, of, figure(value.value.text), value.cut ? [" ", say("standings.left_out")] : null);
}

function tieBreak(standings, row, { used, operands }, i) {
  const { code } = standings.chain[i];
  return element("div", {},
    element("dt", {}, `${code}: `, tieBreakName(standings.chain[i])),
    element("dd", {}, element("strong", {}, tieBreakValue(standings, row, i)), used ? null : [" ", say("standings.not_needed")]),
    operands.length === 0 ? null : element("dd", { class: "operands-of" }, element("ul", { class: "operands" }, operands.map((each) => operand(row, each)))));
}

// `whole`: the row with operands.
function tieBreaks(standings, row, whole) {
  return element("dl", {}, whole.tie_breaks.map((value, i) => tieBreak(standings, row, value, i)));
}

/* ---- Ratings ---- */

// Rating changes by the row's games or by the event as a whole, newest first.
async function ratingChanges(scope, row, event) {
  const games = new Set(row.rounds.map((round) => round.game).filter(Boolean));
  const isOf = (change) => (change.game === null ? change.event === event.id : games.has(change.game));
  const found = [];
  let pages = 0;
  for await (const items of pagesOf(`/v1/players/${row.player.id}/ratings/history?limit=100&scope=${scope}`)) {
    found.push(...items.filter(isOf));
    if (++pages === 5 || items.at(-1)?.at < event.created_at) break;
  }
  return found.sort((a, b) => a.number - b.number);
}

function changeWords(key, changes) {
  if (changes.length === 0) return null;
  const [was, is] = [changes[0].before.display.rating, changes.at(-1).after.display.rating];
  const sign = is > was ? "+" : "";
  return element("p", {}, said(key, { was, is: element("strong", {}, number(is)), change: `${sign}${number(is - was)}` }));
}

async function ratings(standings, row) {
  const event = await read(`/v1/events/${standings.event}`);
  const { slug } = event.ruleset;
  const [own, glicko] = await Promise.all([ratingChanges(slug, row, event), ratingChanges(`glicko.${slug}`, row, event)]);
  return [changeWords("row.rating", own), changeWords("row.glicko", glicko)];
}

/* ---- Proofs ---- */

const isProved = async (game) => (await read(`/v1/games/${game}/verification`)).verdict === "valid";

async function proofs(row) {
  const played = row.rounds.filter((round) => round.rank !== undefined);
  const rounds = played.filter((round) => round.game !== null);
  const reported = played.filter((round) => round.game === null && round.kind === "played");
  return [reported.length === 0 ? null : element("p", {}, say("row.reported", { count: reported.length })), await proofsOf(rounds)];
}

async function proofsOf(rounds) {
  if (rounds.length === 0) return null;
  const proved = await Promise.all(rounds.map((round) => isProved(round.game)));
  const failed = rounds.filter((_, i) => !proved[i]);
  if (failed.length === 0) return element("p", {}, element("span", { class: "badge good" }, say("row.proved", { count: rounds.length })));
  return element("p", { class: "warning" }, said("row.not_proved", { games: listed(failed.map((round) => link(`/games/${round.game}`, whereWords(round)))) }));
}

/* ---- The part ---- */

const explained = new WeakMap(); // part -> the row that it was last filled for, as text

// Fills the part, or fills it again for a row that has changed. `standings`: those that show the row.
export async function fillDetails(part, standings, row) {
  const text = JSON.stringify(row);
  if (explained.get(part) === text) return;
  explained.set(part, text);
  await addWords("why");
  const filled = (whole, ...more) => fill(part, seatRecord(row), tieBreaks(standings, row, whole), more);
  if (!part.hasChildNodes()) filled(row, element("p", { class: "hint" }, say("row.reading")));
  try {
    filled(...await Promise.all([readRow(standings, row), ratings(standings, row), proofs(row)]));
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    explained.delete(part);
    filled(row, element("p", { class: "hint" }, say("row.not_read")));
  }
}
