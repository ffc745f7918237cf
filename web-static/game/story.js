// What happened in a game, in words with its players' names.
import { byRank, english, nameOf, place, scoreWords, seatsTable } from "../lib/common.js";
import { withEmblems } from "./emblems.js";
import { seatName } from "./seat-names.js";
import { levelName, named, telling } from "../lib/telling.js";
import { hasWords, number, said, say } from "../lib/words.js";

// The place; in one-player games the level of the score, since a place would be meaningless.
export function standing(game, seat, components) {
  const level = game.seats.length === 1 ? levelName(seat.score, components) : null;
  return level ?? place(seat.rank, game.seats.map((each) => each.rank));
}

// The score; empty for a defeat, which is the standing.
export const scoreBeside = (game, { score }) => (game.seats.length === 1 && score < 0 ? "" : scoreWords(score, game.seats.length));

// The result of a game that no service knows: all that there is to say of its seats.
export function resultTable(seats) {
  const ranks = seats.map((seat) => seat.rank);
  return seatsTable(say("seats.result"), [{ text: say("seats.place") }, { text: say("seats.player"), header: true }, { text: say("seats.score"), number: true }],
    byRank(seats).map((seat) => [place(seat.rank, ranks), nameOf(seat.player), number(seat.score)]));
}

// A casual game that players have left: the players who stayed were not absent, although fallback moves ended it.
export const isLeft = (game) => game.event === null && game.state === "finished" && game.seats.some((seat) => seat.forfeited);

// Replaces `{seat 2}` in events by the player's name.
function sentence(game, text) {
  return text.split(/\{seat (\d+)\}/).map((part, i) => (i % 2 === 1 ? seatName(game, Number(part)) : part));
}

// In the page's language if it has a sentence, otherwise the service's.
function eventWords(game, event, board, components) {
  const { slug } = game.ruleset;
  const told = telling(slug, event, components);
  const words = told === null ? sentence(game, named(slug, event, components)) : told.map((part) => (part.seat !== undefined ? seatName(game, part.seat) : part));
  const drawn = withEmblems(words, event, { slug, board, components });
  return told === null ? english(drawn) : drawn;
}

function systemWords(game, item, components) {
  const values = { ...item, name: item.seat === undefined ? "" : seatName(game, item.seat) };
  if (item.kind === "substitute") values.player = nameOf(item.player);
  if (item.kind === "house" && hasWords(`level.is_${item.level}`)) values.level = say(`level.is_${item.level}`);
  if (item.kind === "result") {
    const { rank, score } = game.seats[item.seat];
    const level = game.seats.length === 1 ? levelName(score, components) : null;
    if (level !== null && score < 0) return said("roll.was_result_lost", { ...values, level });
    if (level !== null) return said("roll.was_result_level", { ...values, level, score });
    Object.assign(values, { place: place(rank, game.seats.map((each) => each.rank)), score });
  }
  const key = [`roll.was_${item.kind}_${item.order}`, `roll.was_${item.kind}`, "roll.other"].find(hasWords);
  return said(key, values);
}

// One entry of the record as sentences, each a list of texts and elements. `board`, `components`: of the game.
export function sentences(game, item, { board, components }) {
  if (item.kind !== "ply") return [systemWords(game, item, components)];
  const untold = `told.${game.ruleset.slug}.nothing`; // a ply of which nothing is told yet
  if (item.events.length === 0) return [hasWords(untold) ? said(untold, { name: seatName(game, item.seat) }) : seatName(game, item.seat)];
  return item.events.map((event) => eventWords(game, event, board, components));
}
