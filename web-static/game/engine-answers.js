// The worker's side of EngineCalls (engine-calls.js): the engine that answers runs here, beside the page. The worker's script may compile
// WebAssembly: the policy that it is served under says so.
//
//      page    { id, call, given }         a function's name, and the list of its arguments
//      here    { ready: true }, or { missing: true } if this server has no engines for browsers; or { fault }
//              { id, result }, or { id, refused: { code, message, index } }

// What an engine does not take: { code, message } is its own; `index`: the number of the move among those sent.
export class Refused extends Error {
  constructor({ code, message }, index) {
    super(message);
    this.code = code;
    this.index = index;
  }
}

function answer(calls, { id, call, given }) {
  try {
    postMessage({ id, result: calls[call](...given) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    postMessage({ id, refused: { code: error.code, message: error.message, index: error.index } });
  }
}

async function begin(address, make) {
  const found = await fetch(address);
  if (!found.ok) {
    postMessage({ missing: true });
    return;
  }
  const calls = await make(await found.arrayBuffer());
  self.addEventListener("message", ({ data }) => answer(calls, data));
  postMessage({ ready: true });
}

// `address`: of the engine. `make(bytes)`: resolves with the functions that can be called.
export function answerCalls(address, make) {
  begin(address, make).catch((error) => postMessage({ fault: String(error) }));
}
