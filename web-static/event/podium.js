// The first three of an event that is over.
import { element, playerLink, sharedPlace } from "../lib/common.js";
import { divisionsOf, hasResults } from "./standings.js";
import { figure, say } from "../lib/words.js";

const most = 9; // more who share the first places are no podium

// Of an event of several stages places are those in the event as a whole.
function placed({ places, rows, stages }) {
  const all = stages > 1 ? places.map((each) => ({ ...each, points: null })) : rows.map((row) => ({ ...row, place: row.annulled ? null : row.rank }));
  return all.filter((each) => each.place !== null && each.place <= 3).sort((a, b) => a.place - b.place);
}

// Nothing before the end, and where there are several divisions.
export function podium(standings) {
  if (standings?.state !== "final" || !hasResults(standings) || divisionsOf(standings).length > 1) return null;
  const first = placed(standings);
  if (first.length === 0 || first.length > most) return null;
  return element("section", { id: "podium" }, element("h2", {}, say("podium.title")), element("ol", { class: "podium" }, first.map((each) => element("li", { "data-place": each.place },
    element("span", { class: "place" }, sharedPlace(each.place, each.shared)), " ", playerLink(each.player),
    each.points === null ? null : element("span", { class: "hint" }, say("standings.points", { count: Number(each.points.text), points: figure(each.points.text) }))))));
}
