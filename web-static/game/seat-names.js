// The names of a game's players, by their seats.
import { nameOf, nameText } from "../lib/common.js";
import { say } from "../lib/words.js";

export function seatName(game, seat) {
  const player = game.seats[seat]?.player;
  return player ? nameOf(player) : say("position.seat", { seat: seat + 1 });
}

// The same where elements are not possible.
export function seatText(game, seat) {
  const player = game.seats[seat]?.player;
  return player ? nameText(player) : say("position.seat", { seat: seat + 1 });
}

// Both, as boards take them (boards/boards.js).
export const namesIn = (game) => ({ seatName: (seat) => seatName(game, seat), seatText: (seat) => seatText(game, seat) });
