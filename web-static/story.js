// What happened in a game, in words with the names of its players.
import { nameOf, nameText, place } from "./common.js";
import { hasWords, said, say } from "./words.js";

export function seatName(game, seat) {
  const player = game.seats[seat]?.player;
  return player ? nameOf(player) : say("position.seat", { seat });
}

// The same where no element can stand.
export function seatText(game, seat) {
  const player = game.seats[seat]?.player;
  return player ? nameText(player) : say("position.seat", { seat });
}

// Events speak of `{seat 2}`; people have names.
function sentence(game, text) {
  return text.split(/\{seat (\d+)\}/).map((part, i) => (i % 2 === 1 ? seatName(game, Number(part)) : part));
}

function systemWords(game, item) {
  const name = item.seat === undefined ? "" : seatName(game, item.seat);
  if (item.kind === "result") {
    const { rank, score } = game.seats[item.seat];
    return said("roll.result", { name, place: place(rank, game.seats.map((each) => each.rank)), score });
  }
  return hasWords(`roll.${item.kind}`) ? said(`roll.${item.kind}`, { name }) : said("roll.other", { kind: item.kind, name });
}

// One entry of the record as sentences, each a list of texts and elements.
export function sentences(game, item) {
  return item.kind === "ply" ? item.events.map((event) => sentence(game, event.text)) : [systemWords(game, item)];
}
