// A result from a table where people play with their own copy: the form for reporting it.
import { nameOf, place } from "../lib/common.js";
import { field, numberBox, tickBox } from "../lib/forms.js";
import { number } from "../lib/words.js";

const isPlacesOnly = (claim) => claim !== null && claim.every((each) => each.score === null);

// The fields for a result. `words`: of the box for places, and its hint. `claim`: a reported one to begin with, or null.
export function reportFields(seats, words, claim = null) {
  const only = isPlacesOnly(claim);
  const value = (i) => (claim === null ? "" : only ? claim[i].rank : claim[i].score);
  return [
    ...seats.map((seat, i) => field(numberBox(`value-${i}`, value(i), -268435456, 268435456), nameOf(seat.player))),
    field(tickBox("places-only", only), ...words),
  ];
}

// What the form says: the body of the request. An empty field is left out, and the service says what is missing.
export function readReport(form, seats) {
  const meaning = form.querySelector("#places-only").checked ? "rank" : "score";
  return { seats: seats.map((seat, i) => {
    const { value } = form.querySelector(`#value-${i}`);
    return { player: seat.player.id, ...(value === "" ? {} : { [meaning]: Number(value) }) };
  }) };
}

// The body that repeats a reported result.
export const bodyOf = (seats, claim) => ({ seats: seats.map((seat, i) => (
  { player: seat.player.id, rank: claim[i].rank, ...(claim[i].score === null ? {} : { score: claim[i].score }) })) });

export const valueOf = ({ rank, score }, claim) => (score === null ? place(rank, claim.map((each) => each.rank)) : number(score));
