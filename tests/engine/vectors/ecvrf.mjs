// An independent implementation of engine/base/ecvrf.h's verification, after RFC 9381 (suite 3) and RFC 8032 alone: the curve is written
// out here with whole numbers, SHA-512 comes from OpenSSL by way of node:crypto.

import { createHash } from "node:crypto";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (a) => ((a % P) + P) % P;

function power(base, exponent) {
    let result = 1n;
    for (let factor = mod(base); exponent > 0n; exponent >>= 1n, factor = mod(factor * factor))
        if (exponent & 1n) result = mod(result * factor);
    return result;
}

const inverse = (a) => power(a, P - 2n);
const D = mod(-121665n * inverse(121666n));
const ROOT = power(2n, (P - 1n) / 4n); // of -1

const numberOf = (bytes) => bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

// ---- Points: [x, y, z, t], in extended coordinates (RFC 8032, 5.1.4) ----

const NEUTRAL = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
    const a = mod((y1 - x1) * (y2 - x2));
    const b = mod((y1 + x1) * (y2 + x2));
    const c = mod(2n * D * t1 * t2);
    const d = mod(2n * z1 * z2);
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function multiply(number, point) {
    let result = NEUTRAL;
    for (let twice = point; number > 0n; number >>= 1n, twice = add(twice, twice))
        if (number & 1n) result = add(result, twice);
    return result;
}

const negative = ([x, y, z, t]) => [mod(-x), y, z, mod(-t)];
const isNeutral = ([x, y, z]) => x === 0n && y === z;

// Null unless the bytes are the one form of a point.
function pointOf(bytes) {
    const whole = numberOf(bytes);
    const sign = whole >> 255n;
    const y = whole & (2n ** 255n - 1n);
    if (y >= P) return null;
    const u = mod(y * y - 1n);
    const v = mod(D * y * y + 1n);
    let x = mod(u * v ** 3n % P * power(u * v ** 7n, (P - 5n) / 8n));
    if (mod(v * x * x) !== u) x = mod(x * ROOT);
    if (mod(v * x * x) !== u || (x === 0n && sign === 1n)) return null;
    if ((x & 1n) !== sign) x = P - x;
    return [x, y, 1n, mod(x * y)];
}

function bytesOf([x, y, z]) {
    const number = mod(y * inverse(z)) | ((mod(x * inverse(z)) & 1n) << 255n);
    return Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse();
}

const BASE = pointOf(Buffer.concat([Buffer.from([0x58]), Buffer.alloc(31, 0x66)]));

// The point, if it has prime order and is not neutral; else null.
function groupPointOf(bytes) {
    const point = pointOf(bytes);
    return point !== null && !isNeutral(point) && isNeutral(multiply(ORDER, point)) ? point : null;
}

// ---- RFC 9381, 5 ----

const hash = (what, ...parts) => createHash("sha512").update(Buffer.concat([Buffer.from([3, what]), ...parts, Buffer.from([0])])).digest();

function encode(key, input) {
    for (let counter = 0; counter < 256; counter++) {
        const point = pointOf(hash(1, key, input, Buffer.from([counter])).subarray(0, 32));
        const cleared = point === null ? NEUTRAL : multiply(8n, point);
        if (!isNeutral(cleared)) return cleared;
    }
    return NEUTRAL;
}

// Null unless it is formed.
function readProof(proof) {
    if (proof.length !== 80) return null;
    const gamma = groupPointOf(proof.subarray(0, 32));
    const c = numberOf(proof.subarray(32, 48));
    const s = numberOf(proof.subarray(48));
    return gamma === null || c === 0n || s === 0n || s >= ORDER ? null : { gamma, c, s };
}

const known = new Map();

// Whether key, proof and input belong together; a missing proof (no bytes) of a good key does.
export function holds(key, input, proof) {
    const question = [key, input, proof].map((bytes) => bytes.toString("hex")).join(" ");
    if (!known.has(question)) known.set(question, findOut(key, input, proof));
    return known.get(question);
}

function findOut(key, input, proof) {
    const y = groupPointOf(key);
    if (y === null) return false;
    if (proof.length === 0) return true;
    const read = readProof(proof);
    if (read === null) return false;
    const h = encode(key, input);
    const u = add(multiply(read.s, BASE), negative(multiply(read.c, y)));
    const v = add(multiply(read.s, h), negative(multiply(read.c, read.gamma)));
    const challenge = hash(2, key, bytesOf(h), proof.subarray(0, 32), bytesOf(u), bytesOf(v)).subarray(0, 16);
    return challenge.equals(proof.subarray(32, 48));
}

export function outputOf(proof) {
    return hash(3, bytesOf(multiply(8n, readProof(proof).gamma)));
}
