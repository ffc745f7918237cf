// Checks chance.json against the independent implementation in chance.mjs.
//
//     node check_chance.mjs           checks; exit 0 if they agree
//     node check_chance.mjs --print   prints the vectors anew

import { readFileSync } from "node:fs";

import { blake2b, Stream } from "./chance.mjs";

const SEEDS = [
    "00".repeat(32),
    "ff".repeat(32),
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
];
const STREAMS = [["deck", 0], ["bag", 0], ["deck", 1], ["deck", 12], ["dice", 4294967295], ["", 0]];
const BOUNDS = [1, 2, 3, 6, 7, 10, 72, 100, 2147483649, 4294967295];
const FAR = [15, 16, 17, 1000003, 4294967294];

function times(count, make) {
    return Array.from({ length: count }, make);
}

function vector(seed, name, epoch) {
    const open = (next = 0) => Object.assign(new Stream(seed, name, epoch), { next });
    const words = open();
    return {
        seed, stream: name, epoch,
        key: open().key.toString("hex"),
        words: times(20, () => words.word()),
        far_words: FAR.map((at) => ({ at, word: open(at).word() })),
        uniform: BOUNDS.map((n) => {
            const stream = open();
            return { n, values: times(16, () => stream.uniform(n)), words_taken: stream.next };
        }),
        shuffle_of_72: open().shuffle(72),
    };
}

const vectors = SEEDS.flatMap((seed) => STREAMS.map(([name, epoch]) => vector(seed, name, epoch)));

// RFC 7693, appendix A; and the first keyed value of the official test vectors.
const abc = blake2b(Buffer.from("abc"), Buffer.alloc(0), 64).toString("hex");
const keyed = blake2b(Buffer.alloc(0), Buffer.from([...Array(64).keys()]), 64).toString("hex");
if (!abc.startsWith("ba80a53f981c4d0d6a2797b69f12f6e9") ||
    !keyed.startsWith("10ebb67700b1868efb4417987acf4690")) {
    console.error("check_chance: this BLAKE2b is wrong");
    process.exit(2);
}

if (process.argv[2] === "--print") {
    const lines = vectors.map((v) => `  ${JSON.stringify(v)}`);
    console.log(`[\n${lines.join(",\n")}\n]`);
} else {
    const file = new URL("chance.json", import.meta.url);
    const stored = JSON.parse(readFileSync(file, "utf8"));
    const wrong = vectors.filter((v, i) => JSON.stringify(v) !== JSON.stringify(stored[i]));
    for (const v of wrong) console.error(`check_chance: differs: ${v.seed} ${v.stream} ${v.epoch}`);
    if (stored.length !== vectors.length || wrong.length > 0) process.exit(1);
    console.log(`check_chance: ${vectors.length} vectors agree`);
}
