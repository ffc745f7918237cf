// Judges files beside the page (verify.js), which stays responsive. This script alone may compile WebAssembly: the
// policy that it is served under says so.
//
//      page    { files: [{ name, bytes }], key, trust: { hours, changes } }: the largest age of cosignatures, null for any; the
//              history of the log's key, "" for none
//      here    { engine: { name, hash, size } } for each that is used, or { missing: true } if this server has none for browsers
//              { told: { lines, of } } now and then: of a record's lines, or an event's records
//              { results: [...] }, one a file that is a record or an event; or { fault }
import { hexOf } from "../lib/bytes.js";
import { chainHead, EventVerifier, isEvent, knowsEd25519, sha256, Verifier } from "./verifier.js";

const canHash = globalThis.crypto?.subtle !== undefined;
const around = 2; // lines before one that is wrong
const widest = 200; // characters of a line that is shown

// The bytes of a module, or null if this server has none.
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) {
    postMessage({ missing: true });
    return null;
  }
  const bytes = new Uint8Array(await answer.arrayBuffer());
  postMessage({ engine: { name: address.split("/").at(-1), size: bytes.length, hash: canHash ? hexOf(await sha256(bytes)) : null } });
  return bytes;
}

async function begin() {
  const bytes = await load("/static/verify.wasm");
  return bytes && { verifier: await Verifier.make(bytes), can: await knowsEd25519() };
}

const ready = begin();
let events = null; // loaded for the first bundle

async function eventVerifier(can) {
  const bytes = events === null ? await load("/static/event.wasm") : null;
  events ??= bytes && await EventVerifier.make(bytes, can);
  return events;
}

/* ---- What a file is ---- */

const startOf = (bytes, length) => new TextDecoder("latin1").decode(bytes.subarray(0, length));
const areSignatures = (bytes) => startOf(bytes, 20) === "tillroll signatures ";
const isPolicy = (bytes) => /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:log|witness|group|quorum)[ \t]/.test(startOf(bytes, 65536));
const areChanges = (bytes) => startOf(bytes, 22) === "tillroll server-key 1\n";
const gameOf = (bytes) => /^[^\n]*\ngame ([0-9a-f-]{36})/.exec(startOf(bytes, 80))?.[1];

function countLines(bytes) {
  let lines = 0;
  for (const byte of bytes) if (byte === 10) lines++;
  return lines;
}

// A line that is wrong, and those before it.
function excerpt(bytes, line) {
  const from = Math.max(line - 1 - around, 0);
  const lines = new TextDecoder().decode(bytes).split("\n", line).slice(from);
  return { from: from + 1, lines: lines.map((each) => (each.length > widest ? `${each.slice(0, widest)}…` : each)) };
}

// Players whose entropy the record has: lines of its head.
function countEntropy(bytes) {
  const [head] = startOf(bytes, 8192).split("\nstart");
  return head.match(/^entropy \d+ /gm)?.length ?? 0;
}

/* ---- Judging ---- */

// A bundle without its players' signatures.
function withoutPlayers(bytes) {
  const text = startOf(bytes, bytes.length);
  const from = text.search(/\n\ntillroll signatures 1\n/);
  if (from < 0) return bytes;
  const after = text.slice(from + 2).search(/\n\nc2sp\.org\//);
  const rest = bytes.subarray(after < 0 ? bytes.length - 1 : from + 2 + after);
  const whole = new Uint8Array(from + rest.length);
  whole.set(bytes.subarray(0, from));
  whole.set(rest, from);
  return whole;
}

// Without Ed25519 nothing is said about signatures: no key is named, and those of players are left out.
async function judgeRecord({ verifier, can }, { name, bytes, signatures }, key, { hours, changes }) {
  const of = countLines(bytes);
  const notBefore = hours === null ? 0 : Math.max(Math.floor(Date.now() / 1000) - 3600 * hours, 1);
  const judged = await verifier.judge(can ? bytes : withoutPlayers(bytes), can ? key : "", (lines) => postMessage({ told: { lines, of } }), { notBefore, changes: can ? changes : "" });
  const { found } = judged;
  const result = { kind: "record", name, ...judged, can, hours, entropy: countEntropy(bytes) };
  if (found.record === "invalid" && found.fault.line > 0) result.excerpt = excerpt(bytes, found.fault.line);
  if (found.record !== "invalid") {
    result.chain = await chainHead(bytes, found.lines);
    if (signatures !== undefined) result.players = can ? await verifier.judgePlayers(bytes, signatures) : { verdict: "unknown", said: [] };
  }
  return result;
}

async function judgeFile(engine, file, key, trust) {
  if (isEvent(file.bytes)) {
    const judge = await eventVerifier(engine.can);
    const judged = await judge?.judge(file.bytes, (lines, of) => postMessage({ told: { lines, of } }));
    return judged ? { ...judged, kind: "event", name: file.name, can: engine.can } : { kind: "too-large", name: file.name };
  }
  if (file.bytes.length + key.length + trust.changes.length + (file.signatures?.length ?? 0) > engine.verifier.size) return { kind: "too-large", name: file.name };
  return judgeRecord(engine, file, key, trust);
}

// Players' signatures belong to the record of the game that they name.
function paired(files) {
  const signatures = files.filter((file) => areSignatures(file.bytes));
  const others = files.filter((file) => !signatures.includes(file)).map((file) => ({ ...file }));
  const alone = signatures.filter((file) => {
    const record = others.find((other) => gameOf(other.bytes) === gameOf(file.bytes));
    if (record !== undefined) record.signatures = file.bytes;
    return record === undefined;
  });
  return { others, alone };
}

// Whether a history is that of a log that is trusted: one of another log is left out.
function isAbout(changes, trusted) {
  const name = /^[^\n]+\n([^+\n]+\+)/.exec(changes)?.[1];
  return name !== undefined && trusted.includes(name);
}

// A trust policy among the files takes the place of the key, and a history of keys that of the server's.
async function judgeAll({ files, key, trust }) {
  const engine = await ready;
  if (engine === null) return;
  const policy = files.find((file) => isPolicy(file.bytes));
  const trusted = policy === undefined ? key : `${new TextDecoder().decode(policy.bytes)}\n`;
  const history = files.find((file) => areChanges(file.bytes));
  const changes = history !== undefined ? new TextDecoder().decode(history.bytes) : isAbout(trust.changes, trusted) ? trust.changes : "";
  const { others, alone } = paired(files.filter((file) => file !== policy && file !== history));
  const results = alone.map(({ name }) => ({ kind: "alone", name }));
  for (const file of others) results.push({ ...(await judgeFile(engine, file, trusted, { ...trust, changes })), policy: policy?.name });
  postMessage({ results });
}

const failed = (error) => postMessage({ fault: String(error) });
ready.catch(failed);
self.addEventListener("message", ({ data }) => judgeAll(data).catch(failed));
