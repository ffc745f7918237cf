// Records beside the page (mine/scorer.js). This script may compile WebAssembly: the policy that it is served under says so.
//
//      page    { id, call, given }         a method of ScorerEngine, and its argument
//      here    { ready: true }, or { missing: true } if this server has no games for browsers; or { fault }
//              { id, result }, or { id, refused: { code, message } }
import { Refused, ScorerEngine } from "./engine.js";

const calls = new Set(["begin", "propose", "back", "viewAt", "position"]);
let engine;

function answer({ id, call, given }) {
  try {
    postMessage({ id, result: calls.has(call) ? engine[call](given) : null });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    postMessage({ id, refused: { code: error.code, message: error.message } });
  }
}

async function begin() {
  const found = await fetch("/static/scorer.wasm");
  if (!found.ok) {
    postMessage({ missing: true });
    return;
  }
  engine = await ScorerEngine.make(await found.arrayBuffer());
  self.addEventListener("message", ({ data }) => answer(data));
  postMessage({ ready: true });
}

begin().catch((error) => postMessage({ fault: String(error) }));
