// A player's signing keys in this browser. Private keys never leave it, and scripts cannot read them: WebCrypto makes them
// non-extractable, IndexedDB stores them.
const bytesOf = (text) => new TextEncoder().encode(text);
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

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
export async function makeKey(player, inUse) {
  const { privateKey, publicKey } = await makePair();
  const hex = hexOf(await crypto.subtle.exportKey("raw", publicKey));
  await finished((await store("readwrite")).put({ hex, key: privateKey }));
  const before = await find(inUse);
  const signedBy = (key) => sign(key, `tillroll key\n${player}\n${hex}\n${before?.hex ?? "-"}\n`);
  const proof = await signedBy(privateKey);
  return before === null ? { key: hex, proof } : { key: hex, proof, endorsement: await signedBy(before.key) };
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
