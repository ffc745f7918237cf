// One file at a time through verify.wasm (wasm/verifier.h): for the page's worker and for tests. The engine asks whether
// signatures hold in the midst of its work, and the browser's answers come later: what is asked for the first time is
// noted and taken to hold, and with the answers the file is judged again, until nothing new is asked.

import { bytesOfHex, hexOf, textAt } from "../lib/bytes.js";

const verdicts = ["valid", "invalid", "unknown"];

/* ---- What the browser can do ---- */

// Whether a signature holds. None holds with an invalid key.
export async function holds({ signature, text, key }) {
  try {
    return await crypto.subtle.verify("Ed25519", await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]), signature, text);
  } catch (error) {
    if (error.name === "DataError") return false;
    throw error;
  }
}

// RFC 8032, 7.1, test 1: browsers learned Ed25519 late, and have no cryptography at all for pages that came without TLS.
export async function knowsEd25519() {
  const key = bytesOfHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  const signature = bytesOfHex("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
  try {
    return await holds({ signature, text: new Uint8Array(0), key });
  } catch {
    return false;
  }
}

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

// The chain of the first `count` lines once more, by the browser's SHA-256 (engine/record/RECORD.md, Chain). Null where it has none.
export async function chainHead(bytes, count) {
  if (globalThis.crypto?.subtle === undefined) return null;
  const lines = new TextDecoder().decode(bytes).split("\n", count);
  let head = "";
  for (const line of lines) {
    const bare = line.slice(0, line.lastIndexOf(" #"));
    head = hexOf(await sha256(new TextEncoder().encode(head === "" ? `${bare}\n` : `${head} ${bare}\n`)));
  }
  return head;
}

/* ---- What the engine found ---- */

const linesOf = (text) => text.split("\n").filter((line) => line !== "");

const readers = {
  record: (found, [verdict]) => { found.record = verdict; },
  fault: (found, [line, code]) => { found.fault = { line: Number(line), code }; },
  lines: (found, [lines]) => { found.lines = Number(lines); },
  game: (found, [id, slug, version, plies]) => { found.game = { id, slug, version, plies: Number(plies) }; },
  head: (found, [head]) => { found.head = head; },
  void: (found) => { found.voided = true; },
  seat: (found, [seat, rank, score, ...name]) => {
    found.seats.push({ seat: Number(seat), rank: Number(rank), score: Number(score), name: name.join(" ") });
  },
  dealer: (found, [name, word]) => { found.dealers.push({ name, proved: word === "proved" }); },
  changes: (found, [verdict]) => { found.changes = verdict; },
  signature: (found, [verdict]) => { found.signature = verdict; },
  players: (found, [verdict]) => { found.players = verdict; },
  proof: (found, [verdict]) => { found.proof = verdict; },
  witnesses: (found, [verdict]) => { found.witnesses = verdict; },
  cosigner: (found, [name]) => { found.cosigners.push(name); },
  key: (found) => { found.noKey = true; },
};

function readFound(text) {
  const found = { seats: [], cosigners: [], dealers: [] };
  for (const line of linesOf(text)) {
    const [word, ...rest] = line.split(" ");
    readers[word](found, rest);
  }
  return found;
}

/* ---- The engines ---- */

// What both modules need: they ask whether signatures hold in the midst of their work, and the browser's answers come later.
class Engine {
  #answers = new Map(); // what was asked -> whether it holds
  #open = new Map(); // what was asked and is not answered yet
  told = () => {};

  // `bytes`: the module; `name`: the function that it calls to tell how far it is; `can`: whether the browser has Ed25519. Without, every
  // signature is taken to hold, and the caller must not say that one does.
  async start(bytes, name, can) {
    const imports = { env: {
      ed25519_asked: (signature, text, size, key) => (can ? this.#asked(signature, text, size, key) : 1),
      [name]: (...told) => this.told(...told),
    } };
    const { instance } = await WebAssembly.instantiate(bytes, imports);
    this.module = instance.exports;
    return this;
  }

  #bytes(at, size) {
    return new Uint8Array(this.module.memory.buffer, at, size).slice();
  }

  #asked(signature, text, size, key) {
    const question = { signature: this.#bytes(signature, 64), key: this.#bytes(key, 32), text: this.#bytes(text, size) };
    const name = `${hexOf(question.signature)}${hexOf(question.key)}${new TextDecoder("latin1").decode(question.text)}`;
    const answer = this.#answers.get(name);
    if (answer === undefined) this.#open.set(name, question);
    return (answer ?? true) ? 1 : 0;
  }

  // Calls judge(), and again if it took signatures to hold that do not.
  async asking(judge) {
    this.#answers.clear();
    for (;;) {
      this.#open.clear();
      const judged = judge();
      let again = false;
      for (const [name, question] of this.#open) {
        const good = await holds(question);
        this.#answers.set(name, good);
        again ||= !good;
      }
      if (!again) return judged;
    }
  }
}

// Records, through verify.wasm (engine/wasm/verifier.h).
export class Verifier extends Engine {
  static async make(bytes) {
    return new Verifier().start(bytes, "verifier_told", true);
  }

  // Judges things that stand one behind the other, by the function `judge` of the engine.
  async #judge(judge, parts, ...more) {
    return this.asking(() => {
      const room = new Uint8Array(this.module.memory.buffer, this.module.verifier_room(), this.size);
      let at = 0;
      for (const part of parts) {
        room.set(part, at);
        at += part.length;
      }
      const verdict = verdicts[judge(...parts.map((part) => part.length), ...more)];
      return { verdict, said: linesOf(textAt(this.module.memory, this.module.verifier_said())) };
    });
  }

  // How many bytes a file may have.
  get size() {
    return this.module.verifier_room_size();
  }

  // Judges a record or a bundle; `key`: the server's, or a trust policy with a line end, as text, or "". `told` is called now and then with the number of
  // lines that are good so far. With a policy, cosignatures from before `notBefore`, seconds since 1970, do not count. `changes`: the
  // history of the log's key (/v1/log/key-changes), "" for none. Resolves with { verdict, said, found }: the lines of `tillroll verify`, and what there is.
  async judge(bytes, key = "", told = () => {}, { notBefore = 0, changes = "" } = {}) {
    this.told = told;
    const judged = await this.#judge(this.module.verifier_judge, [bytes, new TextEncoder().encode(key), new TextEncoder().encode(changes)], notBefore);
    return { ...judged, found: readFound(textAt(this.module.memory, this.module.verifier_found())) };
  }

  // Judges its players' signatures. Resolves with { verdict, said }.
  async judgePlayers(bytes, signatures) {
    return this.#judge(this.module.verifier_judge_players, [bytes, signatures]);
  }
}

// True for an event's bundle of any version.
export function isEvent(bytes) {
  return /^\{"bundle":[1-5],$/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 12)));
}

// Bundles of events, through event.wasm (engine/wasm/event/event.h).
export class EventVerifier extends Engine {
  static async make(bytes, can = true) {
    return new EventVerifier().start(bytes, "event_told", can);
  }

  // Judges a bundle. `told` is called with the number of records that were replayed, and of all. Resolves with { verdict, ...document }, or
  // with null if there is no room for the file.
  async judge(bytes, told = () => {}) {
    this.told = told;
    const room = this.module.event_room(bytes.length);
    if (room === 0) return null;
    new Uint8Array(this.module.memory.buffer, room, bytes.length).set(bytes);
    return this.asking(() => {
      const verdict = verdicts[this.module.event_judge()];
      return { verdict, ...JSON.parse(textAt(this.module.memory, this.module.event_document())) };
    });
  }
}
