// A result from a table where people play with their own copy: the form for reporting it.
import { nameOf, place, Problem } from "../lib/common.js";
import { field, numberBox, tickBox } from "../lib/forms.js";
import { number, say } from "../lib/words.js";

const scoreMost = 268435456;

export const scoreBox = (id, value) => numberBox(id, value, -scoreMost, scoreMost);

const isPlacesOnly = (claim) => claim !== null && claim.every((each) => each.score === null);

// The fields for a result. `words`: of the box for places, and its hint. `claim`: a reported one to begin with, or null.
export function reportFields(seats, words, claim = null) {
  const only = isPlacesOnly(claim);
  const value = (i) => (claim === null ? "" : only ? claim[i].rank : claim[i].score);
  return [
    ...seats.map((seat, i) => field(scoreBox(`value-${i}`, value(i)), nameOf(seat.player))),
    field(tickBox("places-only", only), ...words),
  ];
}

const refuse = (words, { name }) => Object.assign(new Problem("typed", 400, words), { field: name });

// The whole number in a box; null if it is empty. Otherwise throws a problem with these words.
function wholeIn(box, least, most, words) {
  if (box.value === "" && !box.validity.badInput) return null;
  const value = Number(box.value);
  if (box.value === "" || !Number.isInteger(value) || value < least || value > most) throw refuse(words, box);
  return value;
}

// The score in a box; null if it is empty. Throws a problem for the box.
export const scoreIn = (box) => wholeIn(box, -scoreMost, scoreMost, say("report.fault_score"));

// Each place is one more than the number of better ones.
const fit = (places) => places.every((each) => each === 1 + places.filter((other) => other < each).length);

// What the form says: the body of the request. Throws a problem for the first box that it cannot be read from.
export function readReport(form, seats) {
  const boxes = seats.map((_, i) => form.elements[`value-${i}`]);
  const arePlaces = form.elements["places-only"].checked;
  const values = boxes.map((box) => {
    const value = arePlaces ? wholeIn(box, 1, seats.length, say("report.fault_place", { count: seats.length })) : scoreIn(box);
    if (value === null) throw refuse(say(arePlaces ? "report.fault_no_place" : "report.fault_no_score"), box);
    return value;
  });
  if (arePlaces && !fit(values)) throw refuse(say("report.fault_places"), boxes.at(-1));
  return { seats: seats.map(({ player }, i) => ({ player: player.id, [arePlaces ? "rank" : "score"]: values[i] })) };
}

// The body that repeats a reported result.
export const bodyOf = (seats, claim) => ({ seats: seats.map((seat, i) => (
  { player: seat.player.id, rank: claim[i].rank, ...(claim[i].score === null ? {} : { score: claim[i].score }) })) });

// A score, or a place, which says so: both are small numbers, and the winner has the smaller place.
export function valueOf({ rank, score }, claim) {
  if (score !== null) return number(score);
  const shown = place(rank, claim.map((each) => each.rank));
  return shown === "" ? "" : say("report.in_place", { place: shown });
}
