// An independent implementation of engine/game/chance.h, after the documents alone: BLAKE2b (RFC 7693) is
// written out here, ChaCha20 (RFC 8439) comes from OpenSSL by way of node:crypto.

import { createCipheriv } from "node:crypto";

const MASK = (1n << 64n) - 1n;
const IV = [
    0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
    0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const SIGMA = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

const rotate = (x, n) => ((x >> n) | (x << (64n - n))) & MASK;

function compress(h, block, length, last) {
    const m = Array.from({ length: 16 }, (_, i) => block.readBigUInt64LE(8 * i));
    const v = [...h, ...IV];
    v[12] ^= length;
    if (last) v[14] ^= MASK;
    const mix = (a, b, c, d, x, y) => {
        v[a] = (v[a] + v[b] + x) & MASK;
        v[d] = rotate(v[d] ^ v[a], 32n);
        v[c] = (v[c] + v[d]) & MASK;
        v[b] = rotate(v[b] ^ v[c], 24n);
        v[a] = (v[a] + v[b] + y) & MASK;
        v[d] = rotate(v[d] ^ v[a], 16n);
        v[c] = (v[c] + v[d]) & MASK;
        v[b] = rotate(v[b] ^ v[c], 63n);
    };
    for (let round = 0; round < 12; round++) {
        const s = SIGMA[round % 10];
        mix(0, 4, 8, 12, m[s[0]], m[s[1]]);
        mix(1, 5, 9, 13, m[s[2]], m[s[3]]);
        mix(2, 6, 10, 14, m[s[4]], m[s[5]]);
        mix(3, 7, 11, 15, m[s[6]], m[s[7]]);
        mix(0, 5, 10, 15, m[s[8]], m[s[9]]);
        mix(1, 6, 11, 12, m[s[10]], m[s[11]]);
        mix(2, 7, 8, 13, m[s[12]], m[s[13]]);
        mix(3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    return h.map((x, i) => x ^ v[i] ^ v[i + 8]);
}

export function blake2b(message, key, size) {
    const keyBlock = key.length > 0 ? Buffer.concat([key, Buffer.alloc(128 - key.length)]) : key;
    const data = Buffer.concat([keyBlock, message]);
    let h = [...IV];
    h[0] ^= 0x01010000n ^ BigInt(key.length << 8) ^ BigInt(size);
    let at = 0;
    for (; data.length - at > 128; at += 128)
        h = compress(h, data.subarray(at, at + 128), BigInt(at + 128), false);
    const rest = Buffer.concat([data.subarray(at), Buffer.alloc(128 - (data.length - at))]);
    h = compress(h, rest, BigInt(data.length), true);
    const out = Buffer.alloc(64);
    h.forEach((x, i) => out.writeBigUInt64LE(x, 8 * i));
    return out.subarray(0, size);
}

export class Stream {
    constructor(seed, name, epoch) {
        const full = epoch > 0 ? `${name}/e${epoch}` : name;
        this.key = blake2b(Buffer.from(`tillroll/chance/1${full}`), Buffer.from(seed, "hex"), 32);
        this.next = 0;
    }

    word() {
        const counterAndNonce = Buffer.alloc(16);
        counterAndNonce.writeUInt32LE(Math.floor(this.next / 16));
        const cipher = createCipheriv("chacha20", this.key, counterAndNonce);
        const block = cipher.update(Buffer.alloc(64));
        return block.readUInt32LE(4 * (this.next++ % 16));
    }

    uniform(n) {
        if (n === 1) return 0;
        const limit = Math.floor(2 ** 32 / n) * n;
        for (;;) {
            const word = this.word();
            if (word < limit) return word % n;
        }
    }

    shuffle(count) {
        const items = Array.from({ length: count }, (_, i) => i);
        for (let i = count - 1; i > 0; i--) {
            const j = this.uniform(i + 1);
            [items[i], items[j]] = [items[j], items[i]];
        }
        return items;
    }
}
