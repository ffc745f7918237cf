// A player's rating history and opponents.
import { element, link, pagesOf, playerLink, scopeName, table, time } from "../lib/common.js";
import { linePlot } from "../lib/plots.js";
import { number, say } from "../lib/words.js";

/* ---- Ratings ---- */

const most = 300; // changes: more would not improve the plot
const spanned = 200; // points of the scale, at least: most ratings are not known any better

async function changes(id, scope) {
  const found = [];
  for await (const items of pagesOf(`/v1/players/${id}/ratings/history?limit=100&scope=${scope}`)) {
    found.push(...items);
    if (found.length >= most) break;
  }
  return found.reverse(); // oldest first
}

export const ratedTablePath = ({ event, round, table: at }) => `/events/${event}/rounds/${round}/tables/${at}`;

// What changed a rating: a game, a reported result, or an event.
export function ratingCause(change) {
  if (change.reported !== undefined) return [link(ratedTablePath(change.reported), time(change.at)), ` (${say("rating.by_report")})`];
  return link(change.game === null ? `/events/${change.event}` : `/games/${change.game}`, time(change.at));
}

function pointOf(change) {
  return { name: change.at.slice(0, 10), part: ratingCause(change), value: change.after.display.rating };
}

async function graph(id, rating, rulesets) {
  const points = (await changes(id, rating.scope)).map(pointOf);
  if (points.length < 2) return null;
  return linePlot(say("player.graph_of", { scope: scopeName(rating.scope, rulesets), count: points.length }), points,
    { item: say("player.after_game"), value: say("rating.rating") }, number, spanned);
}

// One plot for each scope in which the player is rated; as they are listed, those with most games first.
export async function ratingGraphs(id, ratings, rulesets) {
  const drawn = await Promise.all(ratings.items.slice(0, 4).map((each) => graph(id, each, rulesets)));
  const shown = drawn.filter((each) => each !== null);
  return shown.length === 0 ? null : [element("h2", {}, say("player.course")), element("div", { class: "plots" }, shown.map((each) => element("div", {}, each)))];
}

/* ---- Opponents ---- */

const columns = (counted) => [{ text: say("seats.player"), header: true }, { text: counted, number: true, class: "extra" }, { text: say("player.ahead"), number: true },
  { text: say("player.level"), number: true }, { text: say("player.behind"), number: true }, { text: say("player.last_met"), class: "extra" }];

const tally = ({ player }, counted, count, last) => [playerLink(player), number(count), number(counted.ahead), number(counted.level), number(counted.behind), last];

// Played games, and tables of which people have reported the results, told apart.
export function headToHead({ items, games_most: count }) {
  const played = items.filter(({ games }) => games > 0).map((each) => tally(each, each, each.games, link(`/games/${each.last_game}`, say("player.that_game"))));
  const reported = items.filter((each) => each.reported !== null)
    .map((each) => tally(each, each.reported, each.reported.tables, link(ratedTablePath(each.reported.last_table), say("player.that_table"))));
  if (items.length === 0) return null;
  return [element("h2", {}, say("player.head_to_head")), played.length === 0 ? null : table(say("player.head_to_head_about", { count }), columns(say("home.games")), played),
    reported.length === 0 ? null : table(say("player.head_to_head_reported", { count }), columns(say("player.tables")), reported)];
}
