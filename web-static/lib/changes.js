// The effect of a step: old and new places and points, who advances, and rounds paired from other standings.
import { element, listed, nameOf, table } from "./common.js";
import { figure, said, say } from "./words.js";

const from = (was, is) => (was === is ? was : element("span", {}, was, element("span", { "aria-hidden": "true" }, " \u2192 "), element("span", { class: "unseen" }, say("changes.to")), element("strong", {}, is)));

const placeText = (place) => (place === null ? say("changes.no_place") : String(place));

export function differencesTable(differences) {
  if (differences.length === 0) return element("p", {}, say("changes.none"));
  return table(say("changes.caption", { count: differences.length }),
    [{ text: say("seats.player"), header: true }, { text: say("seats.place"), number: true }, { text: say("changes.points"), number: true }],
    differences.map((each) => [nameOf(each.player), from(placeText(each.place_was), placeText(each.place_is)), from(figure(each.points_was.text), figure(each.points_is.text))]));
}

function qualifyingWords({ qualifying }) {
  if (!qualifying) return null;
  const line = (key, players) => (players.length === 0 ? null : element("p", {}, said(key, { players: element("span", {}, listed(players.map(nameOf))) })));
  return [line("changes.in", qualifying.in), line("changes.out", qualifying.out)];
}

// The response to a ruling or its preview, in words.
export function rulingChanges(ruling) {
  if (ruling.differences === undefined) return [element("p", {}, say("changes.unsaid"))];
  return [differencesTable(ruling.differences), qualifyingWords(ruling),
    ruling.rounds?.length > 0 ? element("p", { class: "warning" }, say("changes.rounds", { count: ruling.rounds.length, rounds: ruling.rounds.join(", ") })) : null,
    ruling.tables?.length > 0 ? element("p", { class: "warning" }, say("changes.tables", { count: ruling.tables.length,
      tables: ruling.tables.map((each) => `${each.round}/${each.table}`).join(", ") })) : null];
}
