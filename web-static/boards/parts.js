// What boards share besides svg.js.
import { element } from "../lib/common.js";

// Words for readers who cannot see the drawing beside them.
export const unseen = (text) => element("span", { class: "unseen" }, text);

export const markOf = (seat, context) => element("span", { class: `mark seat-${seat}`, title: context.seatText(seat) }, String(seat + 1));

// {food: 2} as [food, food].
export const each = (counts) => Object.entries(counts).flatMap(([name, count]) => Array.from({ length: count }, () => name));

// The viewer's part of a view, none for a spectator, and the other players in the order of their turns after it.
export function ownAndOthers({ players }, { own }) {
  const inOrder = players.map((_, i) => players[((own ?? 0) + i) % players.length]);
  return own === null ? [[], inOrder] : [inOrder.slice(0, 1), inOrder.slice(1)];
}

// What is made of a game's components, once for each set of them.
export function tablesOf(make) {
  const known = new WeakMap();
  return ({ components }) => {
    if (!known.has(components)) known.set(components, make(components));
    return known.get(components);
  };
}
