// What a tab keeps of a seat's premove: the move, and the moves of the seat's last turn, from which another one can be chosen. It
// survives reloading, and goes with the tab, the session or the game (forgetPremove). The service hears of a move when it is sent.
import { ownPrefix, player } from "../lib/account.js";

const most = 200_000; // characters: browsers give a service some millions

const keyOf = (at) => `${ownPrefix}premove.${at}`;

export const forgetPremove = (at) => sessionStorage.removeItem(keyOf(at));

// `turn`: the line of the seat's last move.
export function keepPremove(at, seat, { turn, moves, prepared }) {
  const text = (kept) => JSON.stringify({ player: player()?.id, seat, turn, moves: kept, prepared });
  const whole = text(moves);
  try {
    sessionStorage.setItem(keyOf(at), whole.length <= most ? whole : text([]));
  } catch {
    forgetPremove(at); // there is no room: then it is known to the page alone
  }
}

// { moves, prepared } of this player at this seat, if the seat has not moved since; otherwise nothing is kept any longer.
export function keptPremove(at, seat, turn) {
  const kept = JSON.parse(sessionStorage.getItem(keyOf(at)));
  if (kept !== null && kept.player === player()?.id && kept.seat === seat && kept.turn === turn) return kept;
  forgetPremove(at);
  return { moves: [], prepared: null };
}
