// The record's form, chain and signatures, written anew from their description and sharing nothing
// with the service: what it says of itself is not taken from it.
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

// The lines of a record with the chain's value after each: [{ text, head }]. Fails where a mark does
// not fit.
export function readChain(record) {
  assert.ok(record.endsWith('\n'));
  let head;
  return record.slice(0, -1).split('\n').map((line, at) => {
    const [, text, mark] = /^(.*) #([0-9a-f]{8})$/.exec(line) ?? assert.fail(`line ${at + 1} has no mark`);
    assert.ok(line.length <= 512);
    head = at === 0 ? sha256('tillroll 1\n') : sha256(`${head} ${text}\n`);
    if (at === 0) assert.equal(text, 'tillroll 1');
    assert.equal(mark, head.slice(0, 8), `the mark of line ${at + 1}`);
    return { text, head };
  });
}

// The record of these lines, which have no marks.
export function mark(texts) {
  let head;
  return texts
    .map((text, at) => {
      head = at === 0 ? sha256('tillroll 1\n') : sha256(`${head} ${text}\n`);
      return `${text} #${head.slice(0, 8)}\n`;
    })
    .join('');
}

// header: word -> rest of the line; seats: [{ player, name }]; entries: [{ seq, seat, elapsed, words,
// head }], seat null for the service's own lines.
export function readRecord(record) {
  const lines = readChain(record);
  const header = {};
  const seats = [];
  const entries = [];
  let end;
  for (const { text, head } of lines.slice(1)) {
    const words = text.split(' ');
    if (words[0] === 'seat') seats.push({ player: words[2], name: decodeURIComponent(words[3]) });
    else if (words[0] === 'head') end = { said: words[1], before: entries.at(-1).head };
    else if (/^[0-9]+$/.test(words[0]))
      entries.push({
        seq: Number(words[0]),
        seat: words[1] === '-' ? null : Number(words[1]),
        elapsed: Number(words[2]),
        words: words.slice(3),
        head,
      });
    else header[words[0]] = words.slice(1).join(' ');
  }
  entries.forEach((entry, at) => {
    assert.equal(entry.seq, at + 1);
    assert.ok(at === 0 || entry.elapsed >= entries[at - 1].elapsed);
  });
  const one = (kind) => entries.filter((entry) => entry.seat === null && entry.words[0] === kind);
  return {
    header,
    seats,
    entries,
    end,
    secret: one('reveal')[0]?.words[1],
    results: one('result').map(({ words }) => ({
      seat: Number(words[1]),
      score: Number(words[2]),
      rank: Number(words[3]),
    })),
  };
}

export const commitmentTo = (scope, secret) =>
  sha256(`tillroll commit\n${scope}\n`, Buffer.from(secret, 'hex'));

// The beginning of every Ed25519 public key in SubjectPublicKeyInfo (RFC 8410).
const spki = Buffer.from('302a300506032b6570032100', 'hex');

const leafHash = (text) => createHash('sha256').update('\0').update(text).digest();
const nodeHash = (left, right) => createHash('sha256').update('\x01').update(left).update(right).digest();

// The root of an RFC 6962 tree of `leaves`, from a leaf and its path; undefined if they do not fit.
function climb(leaf, index, leaves, path) {
  const siblings = path.map((hex) => Buffer.from(hex, 'hex'));
  let hash = leaf;
  if (index >= leaves) return undefined;
  for (let width = leaves, place = index; width > 1; width = Math.ceil(width / 2), place >>= 1) {
    if ((place ^ 1) >= width) continue;
    const sibling = siblings.shift();
    if (sibling === undefined) return undefined;
    hash = place % 2 === 0 ? nodeHash(hash, sibling) : nodeHash(sibling, hash);
  }
  return siblings.length === 0 ? hash : undefined;
}

// What a receipt says; the rest, its place among those signed together, is the way it is proved.
export const said = ({ game, seq, head }) => ({ game, seq, head });

// True if the receipt is signed by one of `keys` (GET /v1/keys).
export function isSigned(receipt, keys) {
  const key = keys.find((each) => each.id === receipt.key);
  if (key === undefined) return false;
  const publicKey = createPublicKey({
    key: Buffer.concat([spki, Buffer.from(key.public_key, 'hex')]),
    format: 'der',
    type: 'spki',
  });
  const { game, seq, head, leaves, index, path } = receipt;
  const root = climb(leafHash(`tillroll receipt\n${game}\n${seq}\n${head}\n`), index, leaves, path);
  if (root === undefined) return false;
  const message = `tillroll receipts\n${leaves}\n${root.toString('hex')}\n`;
  return verify(null, Buffer.from(message), publicKey, Buffer.from(receipt.signature, 'hex'));
}
