// A player's signing keys in this browser. Private keys never leave it, and scripts cannot read them: WebCrypto makes them
// non-extractable, IndexedDB stores them.
import { hexOf } from "../lib/bytes.js";
import { send } from "../lib/common.js";

const bytesOf = (text) => new TextEncoder().encode(text);

/* ---- Storage ---- */

const finished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function store(mode) {
  const opening = indexedDB.open("tillroll", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys", { keyPath: "hex" });
  return (await finished(opening)).transaction("keys", mode).objectStore("keys");
}

// { hex, key }, or null if the key with this public half is not in this browser.
async function find(hex) {
  if (hex === null || !("indexedDB" in window)) return null;
  return (await finished((await store("readonly")).get(hex))) ?? null;
}

export async function holds(hex) {
  return (await find(hex).catch(() => null)) !== null;
}

export async function forget(hex) {
  await finished((await store("readwrite")).delete(hex));
}

/* ---- Creating and signing ---- */

const makePair = () => crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);

// False in old browsers, and on pages without TLS from other machines.
export async function canSign() {
  try {
    return "indexedDB" in window && (await makePair()).privateKey !== undefined;
  } catch {
    return false;
  }
}

const sign = async (key, text) => hexOf(await crypto.subtle.sign("Ed25519", key, bytesOf(text)));

// Creates and stores a key. Returns the request that registers it, signed with the key in use if that is in this browser.
async function makeKey(player, inUse) {
  const { privateKey, publicKey } = await makePair();
  const hex = hexOf(await crypto.subtle.exportKey("raw", publicKey));
  await finished((await store("readwrite")).put({ hex, key: privateKey }));
  const before = await find(inUse);
  const signedBy = (key) => sign(key, `tillroll key\n${player}\n${hex}\n${before?.hex ?? "-"}\n`);
  const proof = await signedBy(privateKey);
  return before === null ? { key: hex, proof } : { key: hex, proof, endorsement: await signedBy(before.key) };
}

// Makes a key in this browser and registers it; resolves with all keys. One that the service does not take is of no use.
export async function registerKey(player, inUse) {
  const made = await makeKey(player, inUse);
  try {
    return await send("POST", `/v1/players/${player}/signing-keys`, made);
  } catch (error) {
    await forget(made.key);
    throw error;
  }
}

// For a new account, so that its moves are signed from the first game on. An account is whole without a key, and the account page makes one,
// too, so nothing is said if this fails.
export async function makeFirstKey(player) {
  if (await canSign()) await registerKey(player, null).catch(() => null);
}

// The request member that signs `move` (or `undo <n>`) at the position of `legal`, the answer about legal moves; empty if
// the key that the game names is not in this browser.
export async function signed(game, legal, move) {
  const own = await find(legal.key).catch(() => null);
  if (own === null) return {};
  return { signature: await sign(own.key, `tillroll move\n${game}\n${legal.head}\n${legal.seat}\n${move}\n`) };
}

// The same for entropy given to a waiting game.
export async function signedEntropy(game, seat, entropy, key) {
  const own = await find(key).catch(() => null);
  if (own === null) return {};
  return { signature: await sign(own.key, `tillroll entropy\n${game.game}\n${game.commitment}\n${seat}\n${entropy}\n`) };
}

/* ---- Moves that the service does not take (engine/log/deposit.h) ---- */

// What a witness has to know of the game at `at` besides a move, read while the service answers; null if it does not. A page may only
// send to its own service, so the move is saved as a file, and `tillroll deposit` leaves it with a witness.
export async function readDeposit(at) {
  try {
    const [record, { keys: [{ vkey }] }] = await Promise.all([fetch(`${at}/record`).then((answer) => answer.text()), fetch("/v1/keys").then((answer) => answer.json())]);
    const [, game] = /^game (\S+) /m.exec(record);
    const [, commitment] = /^commit (\S+) /m.exec(record);
    const [, event, round] = /^event (\S+) round (\d+) table \d+ board \d+ /m.exec(record) ?? [];
    return { origin: vkey.split("+")[0], game, scope: event === undefined ? game : `${event}/round/${round}`, commitment };
  } catch {
    return null;
  }
}

// The file of a signed move.
export function depositFile({ origin, game, scope, commitment }, { head, seat, key }, move, signature) {
  const bytes = new TextEncoder().encode(`tillroll deposit 1\n${origin}\n${game}\n${scope}\n${commitment}\n${head}\n${seat}\n${key}\n${move}\n${signature}\n`);
  return new Blob([bytes], { type: "text/plain" });
}

/* ---- What officials sign ---- */

// Whether any key is in this browser.
export async function holdsAny() {
  if (!("indexedDB" in window)) return false;
  return (await finished((await store("readonly")).count()).catch(() => 0)) > 0;
}

// The signature that the service asks for, of an official's act by a request to `path`; null if the key is not in this browser.
// Nothing but such an act is signed, and only one of the event or game that the path names.
export async function signedOfficial(path, { key, text }) {
  const lines = text.split("\n");
  const [, place, id] = /^\/v1\/(events|games|disputes)\/([^/]+)/.exec(path);
  if (lines.length !== 7 || lines[0] !== "tillroll official" || (place !== "disputes" && lines[1] !== id)) return null;
  const own = await find(key).catch(() => null);
  return own === null ? null : sign(own.key, text);
}
