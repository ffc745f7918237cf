// Shared by the page of a scorer and the page for following a recording.
import { componentsAt } from "../boards/boards.js";
import { read } from "../lib/common.js";

// { components, set }: `set` is what the engine needs of a set that is not the ruleset's own, its bytes as text.
export async function readSet(slug, hash) {
  if (hash === null) return { components: await read(componentsAt(slug)), set: undefined };
  const answer = await fetch(componentsAt(slug, hash));
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  const set = await answer.text();
  return { components: JSON.parse(set), set };
}

// The game as GET /v1/games/{id} has it. `position`: ScorerEngine's; `players`: by seat; `seq`: of the view that is shown; `counts`: the
// scores are those of the end.
export function gameOf({ position, ruleset, players, seq, counts, mayTakeBack = null }) {
  const { outcome, deciders, items, phase } = position;
  return {
    id: "scorer", event: null, ruleset, state: phase === "show" || phase === "finished" ? "finished" : "running", deciders, seq, plies: items.length, options: {}, clocks: null,
    stopped: null, voided: false, may_take_back: mayTakeBack,
    seats: players.map((player, seat) => ({ seat, player, score: counts ? outcome[seat].score : null, rank: counts ? outcome[seat].rank : null })) };
}

// A view found by the engine (`viewAt`), as GameTable reads it.
export const viewOf = (found, seq) => ({ ...found, seq, decided: false });
