// Plays beside the page (pages/practice.js), which stays responsive while the other seats think, and checks component sets
// (pages/components.js). This script may compile WebAssembly: the policy that it is served under says so.
//
//      page    { id, call, arguments }     a function below
//      here    { ready: true }, or { missing: true } if this server has no games for browsers; or { fault }
//              { id, result }, or { id, refused: { code, message, index } }
import { newSeed, Practice, Refused } from "./practice.js";

let practice;

const calls = {
  check: (slug, bytes) => practice.check(slug, bytes),
  opening: (slug, bytes, seats) => (practice.check(slug, bytes)?.components ? practice.opening(seats) : null),
  about: (slug) => practice.about(slug),
  useSet: (bytes) => practice.useSet(bytes),
  start: (game) => practice.start({ seed: newSeed(), ...game }),
  move: (moves, ms) => practice.move(moves, ms),
  takeBack: () => practice.takeBack(),
  viewAt: (seq) => practice.viewAt(seq),
  position: (after) => practice.position(after),
};

function answer({ id, call, arguments: given }) {
  try {
    postMessage({ id, result: calls[call](...given) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    postMessage({ id, refused: { code: error.code, message: error.message, index: error.index } });
  }
}

async function begin() {
  const found = await fetch("/static/practice.wasm");
  if (!found.ok) {
    postMessage({ missing: true });
    return;
  }
  practice = await Practice.make(await found.arrayBuffer());
  self.addEventListener("message", ({ data }) => answer(data));
  postMessage({ ready: true });
}

begin().catch((error) => postMessage({ fault: String(error) }));
