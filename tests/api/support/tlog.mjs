// The reader's side of a transparency log, written from RFC 6962, RFC 9162 and the C2SP pages, and by
// others: inclusion and checkpoints are verified by Sigstore's client (@sigstore/verify).
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { verifyMerkleInclusion } = require('@sigstore/verify/dist/timestamp/merkle.js');
const { verifyCheckpoint } = require('@sigstore/verify/dist/timestamp/checkpoint.js');

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
export const leafHash = (data) => sha256(Buffer.of(0), data);
export const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);
const hex = (text) => Buffer.from(text, 'hex');

// MTH of RFC 6962 section 2.1 over the first leaves of a list of hashes. Full trees are kept: they
// are the same in every larger one.
export class DefinedTree {
  #leaves;
  #full = new Map();

  constructor(leaves) {
    this.#leaves = leaves;
  }

  root(size, first = 0) {
    if (size === 0) return sha256();
    if (size === 1) return this.#leaves[first];
    const key = `${first} ${size}`;
    let root = this.#full.get(key);
    if (root !== undefined) return root;
    let half = 1;
    while (2 * half < size) half *= 2;
    root = nodeHash(this.root(half, first), this.root(size - half, first + half));
    if (2 * half === size) this.#full.set(key, root);
    return root;
  }
}

export const rootOf = (leaves) => new DefinedTree(leaves).root(leaves.length);

// Throws unless the path (hex) leads from the entry (its bytes) to the root (bytes).
export function checkInclusion(entry, index, size, path, root) {
  verifyMerkleInclusion({
    canonicalizedBody: Buffer.from(entry),
    inclusionProof: { logIndex: String(index), treeSize: String(size), hashes: path.map(hex), rootHash: root },
  });
}

// RFC 9162 section 2.1.4.2, with the cases that it leaves out: from nothing, and to itself.
export function isConsistent(first, firstRoot, second, secondRoot, path) {
  const nodes = path.map(hex);
  if (first === 0) return nodes.length === 0;
  if (first === second) return nodes.length === 0 && firstRoot.equals(secondRoot);
  if (nodes.length === 0) return false;
  if (Number.isInteger(Math.log2(first))) nodes.unshift(firstRoot);
  let fn = BigInt(first - 1);
  let sn = BigInt(second - 1);
  while (fn & 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let fr = nodes[0];
  let sr = nodes[0];
  for (const c of nodes.slice(1)) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      fr = nodeHash(c, fr);
      sr = nodeHash(c, sr);
      while (!(fn & 1n) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      sr = nodeHash(sr, c);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && fr.equals(firstRoot) && sr.equals(secondRoot);
}

// ---- Signed notes ----

// `<name>+<id>+<base 64>`
export function readVkey(vkey) {
  const [name, id, ...rest] = vkey.split('+');
  const typed = Buffer.from(rest.join('+'), 'base64');
  assert.equal(typed.length, 33);
  assert.equal(typed[0], 1);
  assert.equal(sha256(`${name}\n`, typed).subarray(0, 4).toString('hex'), id);
  const der = Buffer.concat([hex('302a300506032b6570032100'), typed.subarray(1)]);
  return { name, id: hex(id), publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

// The note's text. Throws unless the key has signed it.
export function openNote(note, key) {
  const divide = note.lastIndexOf('\n\n');
  const text = note.slice(0, divide + 1);
  const lines = note.slice(divide + 2).split('\n');
  assert.equal(lines.pop(), '');
  const own = lines.map((line) => /^— (\S+) (\S+)$/.exec(line)).filter(([, name]) => name === key.name);
  assert.equal(own.length, 1);
  const signature = Buffer.from(own[0][2], 'base64');
  assert.ok(signature.subarray(0, 4).equals(key.id));
  assert.ok(verifySignature(null, Buffer.from(text), key.publicKey, signature.subarray(4)), 'the signature');
  return text;
}

// { origin, size, root }. Throws unless the key has signed it.
export function openCheckpoint(note, key) {
  const [origin, size, root, ...more] = openNote(note, key).split('\n');
  assert.deepEqual(more, ['']);
  assert.equal(origin, key.name);
  const checkpoint = { origin, size: Number(size), root: Buffer.from(root, 'base64'), note };
  const now = new Date();
  verifyCheckpoint(
    { integratedTime: String(Math.floor(now / 1000)), inclusionProof: { checkpoint: { envelope: note }, rootHash: checkpoint.root } },
    [{ publicKey: key.publicKey, logID: key.id, validFor: { start: new Date(0), end: new Date(8.64e15) } }],
  );
  return checkpoint;
}

// { index, path, checkpoint } of a proof (c2sp.org/tlog-proof).
export function readProof(text) {
  const divide = text.indexOf('\n\n');
  const [first, index, ...path] = text.slice(0, divide).split('\n');
  assert.equal(first, 'c2sp.org/tlog-proof@v1');
  return {
    index: Number(/^index (\d+)$/.exec(index)[1]),
    path: path.map((line) => Buffer.from(line, 'base64').toString('hex')),
    checkpoint: text.slice(divide + 2),
  };
}

// ---- Tiles ----

// 1234067 -> x001/x234/067
function tileNumber(number) {
  const groups = [String(number % 1000).padStart(3, '0')];
  for (let rest = Math.floor(number / 1000); rest > 0; rest = Math.floor(rest / 1000)) groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  return groups.join('/');
}

// The names of a level's tiles when it has so many hashes: [name, width].
export function tileNames(width) {
  const names = [];
  for (let number = 0; number * 256 < width; number++) {
    const hashes = Math.min(256, width - number * 256);
    names.push([tileNumber(number) + (hashes < 256 ? `.p/${hashes}` : ''), hashes]);
  }
  return names;
}

// The leaves of a bundle of entries.
export function readEntries(bytes) {
  const entries = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt16BE(at);
    entries.push(bytes.subarray(at + 2, at + 2 + length).toString());
    at += 2 + length;
  }
  return entries;
}
