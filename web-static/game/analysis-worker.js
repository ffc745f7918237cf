// Analyses a finished game beside its page (analysis.js), which stays responsive. This script may compile WebAssembly: the policy that it is
// served under says so.
//
//      page    { game, budget }, its id, and the playouts a ply (0: the game's usual ones)
//      here    { missing: true } if this server has no analysis for browsers, or { problem } as the API answers
//              { begun: { plies, dealt } }, { ply } for each, and { whole } in the end (engine/wasm/analysis/analyst.h)
//              { refused: { code, message } }: the record is not analysed; or { fault }
import { textAt } from "../lib/bytes.js";

const said = (engine, at) => JSON.parse(textAt(engine.memory, at));

async function loadEngine() {
  const found = await fetch("/static/analysis.wasm");
  if (!found.ok) return null;
  const { instance } = await WebAssembly.instantiate(await found.arrayBuffer(), {});
  return instance.exports;
}

// `set`: the bytes of the component set that the record names, none for the ruleset's own.
function begin(engine, record, set, budget) {
  const room = new Uint8Array(engine.memory.buffer, engine.analyst_room(), engine.analyst_room_size());
  room.set(record);
  room.set(set, record.length);
  return said(engine, engine.analyst_begin(record.length, set.length, budget));
}

// The component set that the record names, as the service shows it.
async function setOf(record) {
  const [, hash] = /^game \S+ \S+ \S+ ([0-9a-f]{64}) #/m.exec(new TextDecoder().decode(record.subarray(0, 4096)));
  const answer = await fetch(`/v1/components/${hash}`, { credentials: "omit" });
  return new Uint8Array(answer.ok ? await answer.arrayBuffer() : 0);
}

async function analyse({ game, budget }) {
  // As everybody may see it: a player's own record of a board that others still have to play is not analysed.
  const answer = await fetch(`/v1/games/${game}/record`, { credentials: "omit" });
  if (answer.status === 404) return postMessage({ refused: { code: "unfinished" } });
  if (!answer.ok) return postMessage({ problem: await answer.json() });
  const record = new Uint8Array(await answer.arrayBuffer());
  const engine = await loadEngine();
  if (engine === null) return postMessage({ missing: true });
  let begun = begin(engine, record, [], budget);
  if (begun.code === "wrong-components") begun = begin(engine, record, await setOf(record), budget);
  if (begun.code !== undefined) return postMessage({ refused: begun });
  postMessage({ begun });
  for (let ply = said(engine, engine.analyst_step()); ply !== null; ply = said(engine, engine.analyst_step())) {
    if (ply.code !== undefined) return postMessage({ refused: ply });
    postMessage({ ply });
  }
  return postMessage({ whole: said(engine, engine.analyst_document()) });
}

self.addEventListener("message", ({ data }) => analyse(data).catch((error) => postMessage({ fault: String(error) })));
