// Plays beside the page (pages/practice.js), which stays responsive while the other seats think, and checks component sets
// (pages/components.js).
import { answerCalls } from "../game/engine-answers.js";
import { newSeed, Practice } from "./practice.js";

answerCalls("/static/practice.wasm", async (bytes) => {
  const practice = await Practice.make(bytes);
  return {
    check: (slug, set) => practice.check(slug, set),
    opening: (slug, set, seats) => (practice.check(slug, set)?.components ? practice.opening(seats) : null),
    about: (slug) => practice.about(slug),
    useSet: (set) => practice.useSet(set),
    start: (game) => practice.start({ seed: newSeed(), ...game }),
    move: (moves, ms) => practice.move(moves, ms),
    takeBack: () => practice.takeBack(),
    viewAt: (seq) => practice.viewAt(seq),
    position: (after) => practice.position(after),
  };
});
