// The podium of a finished event.
import { element, link, playerLink, read, sharedPlace } from "../lib/common.js";
import { divisionsOf, hasResults } from "./standings.js";
import { figure, say } from "../lib/words.js";

const most = 9; // if more share the first places, there is no podium

// With several stages, places are those of the whole event.
function placed({ places, rows, stages }) {
  const all = stages > 1 ? places.map((each) => ({ ...each, points: null })) : rows.map((row) => ({ ...row, place: row.annulled ? null : row.rank }));
  return all.filter((each) => each.place !== null && each.place <= 3).sort((a, b) => a.place - b.place);
}

// The players on it; empty before the end, and with several divisions.
function firstOf(standings) {
  if (standings?.state !== "final" || !hasResults(standings) || divisionsOf(standings).length > 1) return [];
  const first = placed(standings);
  return first.length > most ? [] : first;
}

// Their ratings in a game: player -> rating.
export async function readCards(standings, slug) {
  const all = await Promise.all(firstOf(standings).map(async ({ player }) => [player.id, (await read(`/v1/players/${player.id}/ratings`)).items.find((each) => each.scope === slug)]));
  return Object.fromEntries(all.filter(([, rating]) => rating !== undefined));
}

function card({ display, games, scope }) {
  return link(`/leaderboard?scope=${scope}`, say("podium.card", { rating: String(display.rating), count: games }));
}

// In duplicate events scored by matchpoints, points are a percentage.
function pointsWords({ chain }, { text }) {
  return chain[0]?.code === "MP" ? say("standings.board_percent", { percent: figure(text) }) : say("standings.points", { count: Number(text), points: figure(text) });
}

// `cards`: from readCards().
export function podium(standings, cards) {
  const first = firstOf(standings);
  if (first.length === 0) return null;
  return element("section", { id: "podium" }, element("h2", {}, say("podium.title")), element("ol", { class: "podium" }, first.map((each) => element("li", { "data-place": each.place },
    element("span", { class: "place" }, sharedPlace(each.place, each.shared)), " ", playerLink(each.player),
    each.points === null ? null : element("span", { class: "hint" }, pointsWords(standings, each.points)),
    cards[each.player.id] === undefined ? null : element("span", { class: "hint" }, card(cards[each.player.id]))))));
}
