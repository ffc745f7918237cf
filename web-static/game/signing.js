// A player's signing keys in this browser. What they sign with never leaves it, and no script can read it: WebCrypto
// makes them so, IndexedDB keeps them.
const bytesOf = (text) => new TextEncoder().encode(text);
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/* ---- Keeping ---- */

const finished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function store(mode) {
  const opening = indexedDB.open("tillroll", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys", { keyPath: "hex" });
  return (await finished(opening)).transaction("keys", mode).objectStore("keys");
}

// { hex, key }, or null if the key of this public half is not in this browser.
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

/* ---- Making and signing ---- */

const makePair = () => crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);

// False in browsers that are too old, and on pages without TLS that are not of this machine.
export async function canSign() {
  try {
    return "indexedDB" in window && (await makePair()).privateKey !== undefined;
  } catch {
    return false;
  }
}

const sign = async (key, text) => hexOf(await crypto.subtle.sign("Ed25519", key, bytesOf(text)));

// Makes a key and keeps it. What registers it, with the signature of the key in use if that is in this browser.
export async function makeKey(player, inUse) {
  const { privateKey, publicKey } = await makePair();
  const hex = hexOf(await crypto.subtle.exportKey("raw", publicKey));
  await finished((await store("readwrite")).put({ hex, key: privateKey }));
  const before = await find(inUse);
  const signedBy = (key) => sign(key, `tillroll key\n${player}\n${hex}\n${before?.hex ?? "-"}\n`);
  const proof = await signedBy(privateKey);
  return before === null ? { key: hex, proof } : { key: hex, proof, endorsement: await signedBy(before.key) };
}

// The member of a request that signs `move` (or `undo <n>`) at the position of `legal`, the answer about legal moves; an
// empty one if the key that the game names is not in this browser.
export async function signed(game, legal, move) {
  const own = await find(legal.key).catch(() => null);
  if (own === null) return {};
  return { signature: await sign(own.key, `tillroll move\n${game}\n${legal.head}\n${legal.seat}\n${move}\n`) };
}

// The same for entropy that is given to a game that waits for it.
export async function signedEntropy(game, seat, entropy, key) {
  const own = await find(key).catch(() => null);
  if (own === null) return {};
  return { signature: await sign(own.key, `tillroll entropy\n${game.game}\n${game.commitment}\n${seat}\n${entropy}\n`) };
}
