// The worked examples of engine/record/RECORD.md, engine/log/LOG.md and engine/game/CHANCE.md, made anew: { name: text }.
//
//     node examples.mjs [NAME]    prints one, or all
//     node examples.mjs --write   puts them into the documents, where a block begins with "```example NAME"
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { leafHash, leafText, nodeHash, printJson } from "../stranger.mjs";
import { seedOf, verifyRecord } from "../record/verify_roll.mjs";
import { Stream } from "./chance.mjs";

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hexOf = (...parts) => sha256(...parts).toString("hex");

// An Ed25519 key whose secret is the hash of a word (RFC 8032, section 5.1.5; RFC 8410).
function keyOf(word) {
    const privateKey = createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), sha256(word)]), format: "der", type: "pkcs8" });
    const bytes = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32);
    return { bytes, hex: bytes.toString("hex"), sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

const service = keyOf("tillroll example service");
const roll = readFileSync(new URL("records/00.roll", import.meta.url));
const signatures = readFileSync(new URL("records/00.sig", import.meta.url), "utf8");
const record = verifyRecord(roll);
const { header, entries } = record;
const examples = { record: roll.toString(), signatures };

// ---- RECORD.md ----

const first = hexOf("tillroll 1\n");
const second = roll.toString().split("\n")[1].replace(/ #.*/, "");
examples.chain = `h(0) = ${first}\nh(1) = ${hexOf(`${first} ${second}\n`)}\n`;

const seed = seedOf(header, record.secret);
const stream = new Stream(seed, "costs", 0);
const words = [stream.word(), stream.word(), stream.word()];
examples.luck = [
    `secret    ${record.secret}`, `scope     ${header.game}`, `commit    ${header.commit}`, `seed      ${seed}`,
    `stream    costs`, `key       ${stream.key.toString("hex")}`, `words     ${words.join(" ")}`,
    `shuffle   ${new Stream(seed, "costs", 0).shuffle(6).join(" ")}`,
].map((line) => `${line}\n`).join("");

const at = (seq) => entries[seq - 1];
const leaves = [1, 2].map((seq) => leafHash(`tillroll receipt\n${header.game}\n${seq}\n${at(seq).after}\n`));
const root = nodeHash(...leaves);
const pretty = (value) => `${JSON.stringify(value, null, 1).replace(/\n +/g, "\n ").replace(/\[\n /g, "[").replace(/\n \]/g, "]")}\n`;
examples.key = `${service.hex}\n`;
examples.receipt = pretty({
    game: header.game, seq: 2, head: at(2).after, key: hexOf(service.bytes).slice(0, 16), leaves: 2, index: 1, path: [leaves[0].toString("hex")],
    signature: service.sign(`tillroll receipts\n2\n${root.toString("hex")}\n`).toString("hex"),
});
examples["entropy-receipt"] = pretty({
    game: header.game, commitment: header.commit, seat: 0, entropy: "10", key: hexOf(service.bytes).slice(0, 16),
    signature: service.sign(`tillroll entropy receipt\n${header.game}\n${header.commit}\n0\n10\n`).toString("hex"),
});

// ---- LOG.md ----

const name = "club.example/log";
const typed = Buffer.concat([Buffer.of(1), service.bytes]);
const id = sha256(name, "\n", typed).subarray(0, 4);
const noteLine = (text) => `\u2014 ${name} ${Buffer.concat([id, service.sign(text)]).toString("base64")}\n`;
examples.vkey = `${name}+${id.toString("hex")}+${typed.toString("base64")}\n`;

const player = header.seats[0].player;
const keys = [keyOf("tillroll example key 1"), keyOf("tillroll example key 2")];
const messages = keys.map((key, i) => `tillroll key\n${player}\n${key.hex}\n${i === 0 ? "-" : keys[0].hex}\n`);
const history = [
    `1 1795186800000 registered ${keys[0].hex} ${keys[0].sign(messages[0]).toString("hex")} -`,
    `2 1795273200000 registered ${keys[1].hex} ${keys[1].sign(messages[1]).toString("hex")} ${keys[0].sign(messages[1]).toString("hex")}`,
    `3 1795273260000 required`,
    `4 1795359600000 revoked ${keys[1].hex}`,
];
examples["key-history"] = history.map((line) => `${line}\n`).join("");
examples["key-leaf"] = leafText("key", `${player}/key/3`, hexOf(`${history[2]}\n`));

const logged = [leafText("commitment", header.game, header.commit), leafText("game", header.game, entries.at(-1).after), examples["key-leaf"]];
const hashes = logged.map((leaf) => leafHash(leaf));
const treeRoot = nodeHash(nodeHash(hashes[0], hashes[1]), hashes[2]);
examples.leaves = logged.map((leaf, i) => `${leaf}# leaf ${i}: ${hashes[i].toString("hex")}\n`).join("\n");
const entryTile = Buffer.concat(logged.flatMap((leaf) => [Buffer.of(0, leaf.length), Buffer.from(leaf)]));
const rows = (bytes) => bytes.toString("hex").replace(/.{64}/g, "$&\n").trimEnd();
examples["entry-tile"] = `${rows(entryTile)}\n`;
const checkpoint = `${name}\n3\n${treeRoot.toString("base64")}\n`;
examples.checkpoint = `${checkpoint}\n${noteLine(checkpoint)}`;
const b64 = (hash) => `${hash.toString("base64")}\n`;
examples["bundle-end"] = `\n${noteLine(roll)}\n${signatures}\nc2sp.org/tlog-proof@v1\nindex 1\n${b64(hashes[0])}${b64(hashes[2])}\n${examples.checkpoint}`;

const dispute = entries.find(({ kind }) => kind === "freeze").words[1];
const arbiter = /by (\S+)/.exec(entries.find(({ kind }) => kind === "ruling").move)[1];
const steps = [
    [1795187049559, player, "opened", { claim: "rules", entry: 3, event: null, game: header.game, players: [player], text: "Zu fr\u00fch: \u201cundo\u201d \u{1f3b2}" }],
    [1795187049560, arbiter, "frozen", {}],
    [1795187069559, arbiter, "ruled", { appeal_until: 1795273469559, code: "misapplied-rule", orders: [{ order: "stands" }], reason: "It may.", resumed: true }],
];
const disputeLines = [`tillroll dispute 1 ${dispute}`, ...steps.map(([ms, actor, kind, detail], i) => `${i + 1} ${ms} ${actor} ${kind} ${printJson(detail, true)}`)];
let head = "";
examples.dispute = disputeLines.map((line, i) => {
    head = i === 0 ? hexOf(`${line}\n`) : hexOf(`${head} ${line}\n`);
    return `${line} #${head.slice(0, 8)}\n`;
}).join("");
examples["dispute-leaf"] = leafText("dispute", dispute, head);

const event = "0190163d-8694-739b-aea5-966c26f8adb7";
const secret = "00".repeat(31) + "01";
const bundle = [
    { bundle: 2, commitment: hexOf(`tillroll commit\n${event}\n`, Buffer.from(secret, "hex")), event, records: false, secret },
    { actor: arbiter, at: 1795186800123, detail: { name: "Fr\u00fchling" }, kind: "created", line: 1 },
    { name: "Ada L.", player },
].map((line) => `${printJson(line)}\n`).join("");
examples["event-bundle"] = bundle + `${printJson({ key: service.hex, sha256: hexOf(bundle), signature: service.sign(`tillroll bundle\n${event}\n${hexOf(bundle)}\n`).toString("hex") })}\n`;
examples["event-line"] = `1 2026-11-20T15:00:00.123Z ${arbiter} created {"name":"Fr\u00fchling"}\n`;
examples["event-step-leaf"] = leafText("event-step", `${event}/line/1`, hexOf(`${hexOf(`tillroll event-log 1 ${event}\n`)} ${examples["event-line"]}`));

export { examples };

// The blocks of a document: { name, text, at, end }.
export function blocksOf(document) {
    return [...document.matchAll(/^```example (\S+)\n([^]*?)^```$/gm)].map((match) => ({ name: match[1], text: match[2], at: match.index, end: match.index + match[0].length }));
}

export const documents = ["record/RECORD", "log/LOG", "game/CHANCE"].map((page) => new URL(`../../../engine/${page}.md`, import.meta.url));

function writeDocument(url) {
    const text = readFileSync(url, "utf8");
    let at = 0;
    let out = "";
    for (const block of blocksOf(text)) {
        out += `${text.slice(at, block.at)}\`\`\`example ${block.name}\n${examples[block.name]}\`\`\``;
        at = block.end;
    }
    writeFileSync(url, out + text.slice(at));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    if (process.argv[2] === "--write") documents.forEach(writeDocument);
    else for (const [each, text] of Object.entries(examples)) if (process.argv[2] === undefined || process.argv[2] === each) console.log(`--- ${each}\n${text}`);
}
