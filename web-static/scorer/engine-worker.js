// Records beside the page (mine/scorer.js).
import { answerCalls } from "../game/engine-answers.js";
import { ScorerEngine } from "./engine.js";

answerCalls("/static/scorer.wasm", async (bytes) => {
  const engine = await ScorerEngine.make(bytes);
  return Object.fromEntries(["begin", "follow", "propose", "back", "viewAt", "position", "shown"].map((call) => [call, (given) => engine[call](given)]));
});
