// Where a game's luck comes from, computed anew: BLAKE2b (RFC 7693) for the keys, ChaCha20 for the
// numbers. What follows from a revealed secret must be what was dealt.
import { createCipheriv } from 'node:crypto';

const mask = (1n << 64n) - 1n;
const start = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const orders = [
  '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d',
  '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0',
].map((order) => [...order].map((digit) => parseInt(digit, 16)));
const turn = (value, by) => ((value >> by) | (value << (64n - by))) & mask;

function compress(h, block, length, last) {
  const m = Array.from({ length: 16 }, (_, i) => block.readBigUInt64LE(8 * i));
  const v = [...h, ...start];
  v[12] ^= BigInt(length);
  if (last) v[14] ^= mask;
  const mix = (a, b, c, d, x, y) => {
    v[a] = (v[a] + v[b] + x) & mask;
    v[d] = turn(v[d] ^ v[a], 32n);
    v[c] = (v[c] + v[d]) & mask;
    v[b] = turn(v[b] ^ v[c], 24n);
    v[a] = (v[a] + v[b] + y) & mask;
    v[d] = turn(v[d] ^ v[a], 16n);
    v[c] = (v[c] + v[d]) & mask;
    v[b] = turn(v[b] ^ v[c], 63n);
  };
  for (let round = 0; round < 12; round++) {
    const s = orders[round % 10];
    for (let i = 0; i < 4; i++) mix(i, i + 4, i + 8, i + 12, m[s[2 * i]], m[s[2 * i + 1]]);
    for (let i = 0; i < 4; i++) mix(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4), m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
  }
  h.forEach((_, i) => (h[i] ^= v[i] ^ v[i + 8]));
}

// BLAKE2b of `size` bytes; `key` may be empty.
export function blake2b(message, key = Buffer.alloc(0), size = 32) {
  const h = [...start];
  h[0] ^= 0x01010000n ^ BigInt(key.length << 8) ^ BigInt(size);
  const padded = key.length > 0 ? Buffer.concat([key, Buffer.alloc(128 - key.length), message]) : Buffer.from(message);
  for (let at = 0; at === 0 || at < padded.length; at += 128) {
    const block = Buffer.alloc(128);
    padded.copy(block, 0, at, at + 128);
    compress(h, block, Math.min(at + 128, padded.length), at + 128 >= padded.length);
  }
  const hash = Buffer.alloc(64);
  h.forEach((word, i) => hash.writeBigUInt64LE(word, 8 * i));
  return hash.subarray(0, size);
}

// The seed of a game without entropy of its players.
export const seedOf = (scope, secret, board = '-') => blake2b(Buffer.from(`tillroll/seed/1${scope}${board}`), Buffer.from(secret, 'hex'));

// The numbers of one of a seed's streams.
export class Stream {
  #words;
  #next = 0;

  constructor(seed, name) {
    const key = blake2b(Buffer.from(`tillroll/chance/1${name}`), seed);
    this.#words = createCipheriv('chacha20', key, Buffer.alloc(16)).update(Buffer.alloc(4096));
  }

  // The n-th word, from 0.
  word(n) {
    return this.#words.readUInt32LE(4 * n);
  }

  uniform(n) {
    if (n === 1) return 0;
    for (;;) {
      const word = this.#words.readUInt32LE(4 * this.#next++);
      if (word < Math.floor(2 ** 32 / n) * n) return word % n;
    }
  }

  shuffle(list) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.uniform(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }
}
