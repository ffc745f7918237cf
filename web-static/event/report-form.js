// A result from a table where people play with their own copy: the form for reporting it, and how what has been reported is shown.
import { element, nameOf, pageId, place } from "../lib/common.js";
import { field, numberBox, tickBox } from "../lib/forms.js";
import { number, say } from "../lib/words.js";

export const reportPage = (round, table) => `/events/${pageId()}/rounds/${round}/tables/${table}`;
export const reportAt = (round, table) => `/v1/events/${pageId()}/rounds/${round}/tables/${table}`;

const isPlacesOnly = (claim) => claim !== null && claim.every((each) => each.score === null);

// The fields for a result. `claim`: a reported one to begin with, or null.
export function reportFields(seats, claim = null) {
  const only = isPlacesOnly(claim);
  const value = (i) => (claim === null ? "" : only ? claim[i].rank : claim[i].score);
  return [
    ...seats.map((seat, i) => field(numberBox(`value-${i}`, value(i), -268435456, 268435456), nameOf(seat.player))),
    field(tickBox("places-only", only), say("rounds.places_only"), say("rounds.places_only_hint")),
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

// Who took a step: a player at the table, an official, or nobody in time.
export function whoOf(seats, who) {
  if (typeof who === "number") return nameOf(seats[who].player);
  return say(who === "time" ? "rounds.by_time" : "rounds.by_official");
}

// The state of a report, for the caption of a table.
export function reportState(table) {
  const words = table.report.against !== null ? say("rounds.contested") : table.reported ? say("rounds.reported") : say("rounds.unconfirmed");
  return [" ", element("span", { class: "badge" }, words)];
}
