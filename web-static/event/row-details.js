// The contents of an opened row of the standings, apart from how the place was computed: the player's seats, the event's
// effect on the rating, and whether the games have been proved. Ratings and proofs are read when the row is opened.
import { element, link, listed, read, whereWords } from "../lib/common.js";
import { number, said, say } from "../lib/words.js";

const rows = new Map(); // id of the element to fill -> { standings, row }

/* ---- Seats ---- */

// How often the player sat in each seat, from first to last.
function seatRecord(row) {
  const seated = row.rounds.filter((round) => round.seat !== undefined && round.seats > 1);
  if (seated.length === 0) return null;
  const most = Math.max(...seated.map((round) => round.seats));
  const times = Array.from({ length: most }, (_, seat) => seated.filter((round) => round.seat === seat).length);
  return element("p", {}, say("row.seats", { times: times.join("-") }));
}

/* ---- Ratings ---- */

// Rating changes by the row's games or by the event as a whole, newest first.
async function ratingChanges(scope, row, event) {
  const games = new Set(row.rounds.map((round) => round.game).filter(Boolean));
  const isOf = (change) => (change.game === null ? change.event === event.id : games.has(change.game));
  const found = [];
  let after = "";
  for (let page = 0; page < 5; page++) {
    const { items, next } = await read(`/v1/players/${row.player.id}/ratings/history?limit=100&scope=${scope}${after}`);
    found.push(...items.filter(isOf));
    if (next === null || items.at(-1)?.at < event.created_at) break;
    after = `&after=${next}`;
  }
  return found.sort((a, b) => a.number - b.number);
}

function changeWords(key, changes) {
  if (changes.length === 0) return null;
  const [was, is] = [changes[0].before.display.rating, changes.at(-1).after.display.rating];
  const sign = is > was ? "+" : "";
  return element("p", {}, said(key, { was, is: element("strong", {}, number(is)), change: `${sign}${number(is - was)}` }));
}

async function ratings({ standings, row }) {
  const event = await read(`/v1/events/${standings.event}`);
  const { slug } = event.ruleset;
  const [own, glicko] = await Promise.all([ratingChanges(slug, row, event), ratingChanges(`glicko.${slug}`, row, event)]);
  return [changeWords("row.rating", own), changeWords("row.glicko", glicko)];
}

/* ---- Proofs ---- */

const isProved = async (game) => (await read(`/v1/games/${game}/verification`)).verdict === "valid";

async function proofs({ row }) {
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

// The element inside a row that can be opened.
export function rowDetails(standings, row) {
  const id = `details-${row.player.id}`;
  rows.set(id, { standings, row });
  return [seatRecord(row), element("div", { id, class: "details", "data-keep": true })];
}

// Fills it, once.
export async function fillDetails(part) {
  const known = rows.get(part?.id);
  if (known === undefined || part.hasChildNodes()) return;
  part.append(element("p", { class: "hint" }, say("row.reading")));
  const found = await Promise.all([ratings(known), proofs(known)]).catch(() => [element("p", { class: "hint" }, say("row.not_read"))]);
  part.replaceChildren(...found.flat(Infinity).filter((each) => each !== null));
}
