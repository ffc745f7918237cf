// What engine/record/RECORD.md and engine/log/LOG.md say of all that goes with a record, written after these two pages alone:
// receipts, bundles of games and events, the log's notes, checkpoints, tiles, leaves and proofs, the logs of disputes
// and the histories of keys. Like verify_roll.mjs, which is the same for the record itself, it shares no code with the
// engine, and uses nothing but Node's own modules. Every function throws a Fault, with a sentence, where something is wrong.
import { createHash, createPublicKey, verify } from "node:crypto";
import { isUtf8 } from "node:buffer";

import { blake2b } from "./vectors/chance.mjs";
import { checkSignatures, Fault, verifyRecord } from "./record/verify_roll.mjs";

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const COUNT = "[1-9][0-9]*";

function need(condition, message) {
    if (!condition) throw new Fault(message);
}

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hexOf = (text) => sha256(text).toString("hex");

// RFC 8410: the fixed bytes in front of an Ed25519 public key.
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

// Ed25519; key and signature in hex.
export function isSigned(message, signature, key) {
    if (!/^[0-9a-f]{128}$/.test(signature) || !/^[0-9a-f]{64}$/.test(key)) return false;
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(key, "hex")]), format: "der", type: "spki" });
    return verify(null, Buffer.from(message), publicKey, Buffer.from(signature, "hex"));
}

// Base 64 in its one form (RFC 4648 section 4, with padding).
function base64(text, size) {
    const bytes = Buffer.from(text, "base64");
    need(bytes.toString("base64") === text && (size === undefined || bytes.length === size), "no base 64, or of another length");
    return bytes;
}

// ---- Trees ----

export const leafHash = (data) => sha256(Buffer.of(0), data);
export const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

// The root to which the path (hashes, lowest first) leads from a leaf's hash.
export function climb(hash, index, size, path) {
    need(Number.isSafeInteger(index) && index >= 0 && index < size, "the tree has no such leaf");
    let [node, last, at, root] = [index, size - 1, 0, hash];
    for (; last > 0; node = Math.floor(node / 2), last = Math.floor(last / 2)) {
        if (node % 2 === 1) root = nodeHash(path[at++] ?? need(false, "the path is too short"), root);
        else if (node < last) root = nodeHash(root, path[at++] ?? need(false, "the path is too short"));
    }
    need(at === path.length, "the path is too long");
    return root;
}

// ---- Receipts ----

const hashes = (list) => list.map((text) => (need(/^[0-9a-f]{64}$/.test(text), "no hash"), Buffer.from(text, "hex")));

// The server, by its key, has given this word.
export function checkReceipt(receipt, key) {
    const { game, seq, head, leaves, index, path, signature } = receipt;
    const root = climb(leafHash(`tillroll receipt\n${game}\n${seq}\n${head}\n`), index, leaves, hashes(path));
    need(isSigned(`tillroll receipts\n${leaves}\n${root.toString("hex")}\n`, signature, key), "the receipt is not signed with this key");
}

export function checkEntropyReceipt({ game, commitment, seat, entropy, signature }, key) {
    need(isSigned(`tillroll entropy receipt\n${game}\n${commitment}\n${seat}\n${entropy}\n`, signature, key), "the receipt is not signed with this key");
}

export function checkSealedReceipt({ game, ply, seat, move, signature }, key) {
    need(isSigned(`tillroll sealed move\n${game}\n${ply}\n${seat}\n${move}\n`, signature, key), "the receipt is not signed with this key");
}

// The record (as verifyRecord() gives it) has a sealed move: among the plies that are taken together from number `ply` of plies and
// take-backs on.
export function checkOpened({ game, ply, seat, move }, { header, entries }) {
    need(header.game === game, "the record is of another game");
    const counted = entries.filter(({ kind, move: text }) => kind === "ply" || kind === "undo" || (kind === "ruling" && / takeback /.test(text)));
    const [first, ...rest] = counted.slice(ply);
    need(first?.kind === "ply", "the decisions were not completed");
    const together = [first, ...rest.filter((entry) => entry.kind === "ply" && entry.elapsed === first.elapsed)];
    need(together.find((entry) => entry.seat === String(seat))?.move === move, "another move, or none");
}

// The record (as verifyRecord() gives it) keeps it.
export function checkKept(receipt, record) {
    need(record.header.game === receipt.game, "the record is of another game");
    if (receipt.commitment !== undefined) {
        need(record.header.commit === receipt.commitment, "another commitment");
        need(record.header.entropy.some(({ text }) => text === `entropy ${receipt.seat} ${receipt.entropy}`), "another entropy, or none");
        return;
    }
    need(record.entries.some(({ seq, after }) => seq === receipt.seq && after === receipt.head), "another entry, or none");
}

// ---- Notes, checkpoints, proofs ----

// `<name>+<id>+<base 64 of a byte 1 and the key>`
export function readVkey(vkey) {
    const [, name, id, rest] = /^([^ +]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? need(false, "no verification key");
    const typed = base64(rest, 33);
    need(typed[0] === 1 && sha256(name, "\n", typed).toString("hex", 0, 4) === id, "the key is another than it says");
    return { name, id, key: typed.toString("hex", 1) };
}

// { text, signatures: [{ name, id, signature }] }: what stands before and behind the last empty line.
export function readNote(bytes) {
    const note = bytes.toString();
    const at = note.lastIndexOf("\n\n");
    need(isUtf8(bytes) && at >= 0 && note.endsWith("\n"), "no signed note");
    const signatures = note.slice(at + 2).split("\n").slice(0, -1).map((line) => {
        const [, name, rest] = /^\u2014 ([^ +]+) (\S+)$/.exec(line) ?? need(false, "no line of a signature");
        const signed = base64(rest);
        return { name, id: signed.toString("hex", 0, 4), signature: signed.toString("hex", 4) };
    });
    need(signatures.length > 0, "nobody has signed the note");
    return { text: note.slice(0, at + 1), signatures };
}

export function checkNote(note, vkey) {
    const { name, id, key } = readVkey(vkey);
    const own = note.signatures.filter((each) => each.name === name && each.id === id);
    need(own.length > 0, "not signed with this key");
    need(own.every(({ signature }) => isSigned(note.text, signature, key)), "a signature is forged");
}

export function readCheckpoint(text) {
    const [origin, size, root] = text.split("\n");
    need(/^(0|[1-9][0-9]*)$/.test(size) && text.endsWith("\n"), "no checkpoint");
    return { origin, size: Number(size), root: base64(root, 32) };
}

function readProof(bytes) {
    const text = bytes.toString();
    const end = text.indexOf("\n\n");
    const [first, index, ...path] = text.slice(0, end).split("\n");
    need(first === "c2sp.org/tlog-proof@v1" && /^index (0|[1-9][0-9]*)$/.test(index), "no proof");
    return { index: Number(index.slice(6)), path: path.map((line) => base64(line, 32)), note: readNote(bytes.subarray(Buffer.byteLength(text.slice(0, end + 2)))) };
}

// ---- Bundles of games ----

// Cuts off what begins with this line behind an empty one.
function cut(bytes, line) {
    const at = bytes.indexOf(`\n\n${line}\n`);
    return at < 0 ? [bytes, null] : [bytes.subarray(0, at + 1), bytes.subarray(at + 2)];
}

// Everything in a bundle; the key is a verification key.
export function checkGameBundle(whole, vkey) {
    const [bytes, part] = cut(whole, "tillroll components 1");
    const set = part?.subarray("tillroll components 1\n".length);
    const [before, proofBytes] = cut(bytes, "c2sp.org/tlog-proof@v1");
    const [noted, signatures] = cut(before, "tillroll signatures 1");
    const note = readNote(noted);
    checkNote(note, vkey);
    const record = verifyRecord(Buffer.from(note.text), set);
    need(record.finished, "the record is not finished");
    need(set === undefined || hexOf(set) === record.header.components, "another component set");
    const signed = signatures === null ? 0 : checkSignatures(record, signatures);
    const proof = readProof(proofBytes ?? need(false, "no proof"));
    checkNote(proof.note, vkey);
    const checkpoint = readCheckpoint(proof.note.text);
    need(checkpoint.origin === readVkey(vkey).name, "a checkpoint of another log");
    const head = note.text.trimEnd().split("\n").at(-1).split(" ")[1];
    checkLogged(leafText("game", record.header.game, head), proof.index, proof.path, checkpoint);
    return { record, signed, checkpoint };
}

// ---- The log ----

export const leafText = (subject, name, hash) => `tillroll ${subject}\n${name}\n${hash}\n`;

export function checkLogged(leaf, index, path, checkpoint) {
    need(climb(leafHash(leaf), index, checkpoint.size, path).equals(checkpoint.root), "the path does not lead to the root");
}

// The part of a tile's address behind /v1/log/tile/; `width` of a tile that is not full.
export function tileName(level, number, width = 256) {
    const groups = String(number).padStart(3, "0").padStart(Math.ceil(Math.max(3, String(number).length) / 3) * 3, "0").match(/.../g);
    return `${level}/${groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/")}${width < 256 ? `.p/${width}` : ""}`;
}

export function hashesOfTile(bytes) {
    need(bytes.length % 32 === 0, "no tile");
    return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(32 * i, 32 * i + 32));
}

// The leaves of an entry tile.
export function leavesOfTile(bytes) {
    const leaves = [];
    for (let at = 0; at < bytes.length;) {
        const end = at + 2 + bytes.readUInt16BE(at);
        need(end <= bytes.length, "the tile is cut off");
        leaves.push(bytes.toString("utf8", at + 2, end));
        at = end;
    }
    return leaves;
}

// RFC 9162 section 2.1.4.2: the tree of `to` leaves continues that of `from`.
export function checkConsistent(from, fromRoot, to, toRoot, path) {
    need(from <= to && (from > 0 || path.length === 0), "no such proof");
    if (from === 0) return;
    if (from === to) return need(path.length === 0 && fromRoot.equals(toRoot), "the trees differ");
    const nodes = (from & (from - 1)) === 0 ? [fromRoot, ...path] : [...path];
    need(nodes.length > 0, "the path is too short");
    let [node, last] = [from - 1, to - 1];
    for (; node % 2 === 1; node = Math.floor(node / 2)) last = Math.floor(last / 2);
    let [one, other] = [nodes[0], nodes[0]];
    for (const hash of nodes.slice(1)) {
        need(last > 0, "the path is too long");
        if (node % 2 === 1 || node === last) {
            one = nodeHash(hash, one);
            other = nodeHash(hash, other);
            for (; node > 0 && node % 2 === 0; node = Math.floor(node / 2)) last = Math.floor(last / 2);
        } else {
            other = nodeHash(other, hash);
        }
        [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    }
    need(last === 0 && one.equals(fromRoot) && other.equals(toRoot), "the larger tree does not continue the smaller one");
}

// RFC 6962 section 2.1.
export function rootOf(list) {
    if (list.length === 0) return sha256("");
    if (list.length === 1) return list[0];
    let half = 1;
    while (2 * half < list.length) half *= 2;
    return nodeHash(rootOf(list.slice(0, half)), rootOf(list.slice(half)));
}

// ---- JSON in its one form ----

const shortEscapes = { "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
const escaped = (unit) => shortEscapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

// `ascii`: with all but ASCII escaped as well.
export function printJson(value, ascii = false) {
    if (typeof value === "string") return `"${value.replace(ascii ? /["\\\0-\x1f]|[^\0-\x7f]/g : /["\\\0-\x1f]/g, (found) => Array.from({ length: found.length }, (_, i) => escaped(found[i])).join(""))}"`;
    if (Array.isArray(value)) return `[${value.map((each) => printJson(each, ascii)).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    return `{${Object.keys(value).sort(byBytes).map((key) => `${printJson(key, ascii)}:${printJson(value[key], ascii)}`).join(",")}}`;
}

function readJson(text, ascii) {
    const value = JSON.parse(text);
    need(printJson(value, ascii) === text, "JSON that is not written in the one way");
    return value;
}

// ---- Disputes ----

// The log as GET /v1/disputes/<id>/log gives it. Returns its steps, each with the chain's value after it.
export function readDisputeLog(text) {
    need(text.endsWith("\n"), "it does not end with a line feed");
    const lines = text.split("\n").slice(0, -1);
    let head = "";
    let last = 0;
    return lines.map((marked, i) => {
        const [, line, mark] = /^(.*) #([0-9a-f]{8})$/.exec(marked) ?? need(false, "a line without mark");
        head = hexOf(i === 0 ? `${line}\n` : `${head} ${line}\n`);
        need(head.startsWith(mark), `line ${i}: the mark is wrong`);
        if (i === 0) {
            need(new RegExp(`^tillroll dispute 1 ${ID}$`).test(line), "no log of a dispute");
            return { dispute: line.slice(-36), head };
        }
        const [, number, at, actor, kind, detail] = new RegExp(`^(${COUNT}) (0|${COUNT}) (${ID}) ([a-z]+) (\\{.*\\})$`).exec(line) ?? need(false, `line ${i}: no step`);
        need(Number(number) === i && Number(at) >= last, `line ${i}: out of order`);
        last = Number(at);
        return { number: i, at: last, actor, kind, detail: readJson(detail, true), head };
    });
}

// ---- Keys ----

// The `log` of GET /v1/players/<id>/signing-keys. Returns the key in use, or null.
export function checkKeyHistory(player, lines) {
    const keys = [];
    const revoked = new Set();
    let required = false;
    let last = 0;
    const inUse = () => (keys.length === 0 || revoked.has(keys.at(-1)) ? null : keys.at(-1));
    lines.forEach((line, i) => {
        const [number, at, kind, key, proof, endorsement, ...more] = line.split(" ");
        need(number === String(i + 1) && /^[0-9]+$/.test(at) && Number(at) >= last && more.length === 0, `line ${number}: out of order`);
        last = Number(at);
        if (kind === "registered") {
            const message = `tillroll key\n${player}\n${key}\n${inUse() ?? "-"}\n`;
            need(!keys.includes(key) && isSigned(message, proof, key), `line ${number}: the new key has not signed itself`);
            need(inUse() === null ? endorsement === "-" : isSigned(message, endorsement, inUse()), `line ${number}: the key in use has not signed the new one`);
            keys.push(key);
        } else if (kind === "revoked") {
            need(keys.includes(key) && !revoked.has(key) && proof === undefined, `line ${number}: no key that could be revoked`);
            revoked.add(key);
        } else {
            need((kind === "required" || kind === "optional") && required === (kind === "optional") && key === undefined, `line ${number}: no step`);
            required = kind === "required";
        }
    });
    return inUse();
}

export const keyLeaf = (player, line) => leafText("key", `${player}/key/${line.split(" ")[0]}`, hexOf(`${line}\n`));

// ---- Events ----

// A line of an event's log, as it is hashed.
// The value of the chain after lines of an event's log.
export const eventHead = (event, lines) => lines.reduce((hash, line) => hexOf(`${hash} ${line}`), hexOf(`tillroll event-log 1 ${event}\n`));

export const eventLine = ({ line, at, actor, kind, detail }) =>
    `${line} ${new Date(at).toISOString()} ${actor === "" ? "-" : actor} ${kind} ${detail}\n`;

// Officials' signatures: of the line, at the value of the chain after line `base`; what lies between is of the same request.
function checkOfficials(event, log, signatures) {
    const lines = log.map((line) => eventLine({ ...line, detail: printJson(line.detail) }));
    for (const { base, key, line, signature } of signatures) {
        const { actor, at, kind, detail } = log[line - 1];
        need(base >= 1 && base < line && line - base < 8, "signed too early");
        for (const each of log.slice(base, line - 1)) need(each.at === at && (each.actor === "" || each.actor === actor), "signed before others changed the event");
        need(isSigned(`tillroll official\n${event}\n${eventHead(event, lines.slice(0, base))}\n${actor}\n${kind}\n${printJson(detail)}\n`, signature, key), "an official's signature is not valid");
    }
}

// The record that a scorer kept of a table: the log names it where its result was reported.
function checkRecording({ recorded, recording }, event, log, set) {
    const { finished, header, entries } = verifyRecord(Buffer.from(recorded), set);
    need(finished && header.recorded && header.event === event, "no record of a scorer, or of another event");
    const line = log.find(({ kind, detail }) => kind === "reported" && detail.record?.id === recording);
    need(line !== undefined && line.detail.record.head === entries.at(-1).after, "the log does not name this record");
    need(line.detail.round === Number(header.round) && line.detail.table === Number(header.table), "a record of another table");
    const results = entries.filter(({ text }) => text.startsWith("result ")).map(({ text }) => text.split(" ").slice(1).map(Number));
    need(printJson(results.map(([, score, rank]) => [rank, score])) === printJson(line.detail.seats.map(([, ...result]) => result)), "the log has another result");
    return header;
}

// The games of an event have its ruleset and options, which cannot change once it has begun.
function checkRules(record, { ruleset, version, options }) {
    const [, slug, number] = /^game \S+ (\S+) (\S+) /m.exec(record);
    const own = [...record.matchAll(/^option (\S+) (\S+) #/gm)].every(([, name, value]) => options[name] === value);
    need(slug === ruleset && number === version && own, "a game with other rules than the event");
}

// The bundle of an event, but for what needs rules: pairings, standings, plies. `key`: the service's, in hex.
export function checkEventBundle(bytes, key) {
    const lines = bytes.toString().split("\n");
    need(isUtf8(bytes) && lines.pop() === "", "it does not end with a line feed");
    const items = lines.map((line) => readJson(line, false));
    const [header, seal] = [items[0], items.at(-1)];
    need([2, 3, 4, 5].includes(header.bundle), "another version");
    const body = bytes.subarray(0, bytes.length - Buffer.byteLength(lines.at(-1)) - 1);
    need(seal.key === key && seal.sha256 === hexOf(body), "the seal is of other bytes, or by another key");
    need(isSigned(`tillroll bundle\n${header.event}\n${seal.sha256}\n`, seal.signature, seal.key), "the seal is not signed");
    if (header.secret !== null)
        need(hexOf(Buffer.concat([Buffer.from(`tillroll commit\n${header.event}\n`), Buffer.from(header.secret, "hex")])) === header.commitment, "another secret than was committed to");
    const isSignature = (item) => Object.hasOwn(item, "signature");
    const signatures = items.slice(1, -1).filter(isSignature);
    const recordings = items.slice(1, -1).filter((item) => Object.hasOwn(item, "recording"));
    need(header.bundle === 5 || (recordings.length > 0 ? header.bundle === 4 : (signatures.length > 0) === (header.bundle > 2)), "another version");
    signatures.forEach((signature) => need(Object.hasOwn(items[items.indexOf(signature) - 1], "kind") && items[items.indexOf(signature) - 1].line === signature.line, "a signature of another line"));
    checkOfficials(header.event, items.filter((item) => Object.hasOwn(item, "kind")), signatures);
    const parts = items.slice(1, -1).filter((item) => !isSignature(item));
    const order = ["line", "player", "components", "game", "recording"].map((member) => parts.filter((item) => Object.hasOwn(item, member) && (member !== "player" || Object.hasOwn(item, "name"))));
    const [log, players, sets, games] = order;
    need(order.flat().length === parts.length, "a line that has no place in a bundle");
    log.forEach(({ line }, i) => need(line === i + 1, "a line of the log is missing"));
    need(parts.every((item, i) => item === order.flat()[i]), "lines out of order");
    const anew = log.findLastIndex(({ kind }) => kind === "restated");
    const told = [...(log[anew]?.detail.lines ?? []), ...log.slice(anew + 1)];
    const begun = told.findIndex(({ kind }) => ["stage_started", "round_started", "table_started"].includes(kind)); // from here on the rules stay as they are
    const settings = told.slice(0, begun < 0 ? told.length : begun).findLast(({ kind }) => kind === "created" || kind === "settings_changed").detail;
    const chosen = settings.components;
    need(sets.length === (chosen === undefined ? 0 : 1) && (chosen !== undefined) === (header.bundle === 5), "a component set too many, or none");
    need(sets.every((item) => Object.keys(item).length === 1), "a component set with something else");
    const set = sets[0] && Buffer.from(sets[0].components);
    need(set === undefined || hexOf(set) === chosen, "another component set than was chosen");
    const records = games.map(({ game, record, signatures, attempt }) => {
        const checked = verifyRecord(Buffer.from(record), set);
        checkRules(record, settings);
        need(chosen === undefined || checked.header.components === chosen, "a game with another component set than was chosen");
        need(checked.finished && checked.header.game === game && checked.header.event === header.event && attempt >= 1, "a record of another game");
        if (signatures !== undefined) checkSignatures(checked, Buffer.from(signatures));
        return checked;
    });
    need(new Set(recordings.map(({ recording }) => recording)).size === recordings.length, "a recording is there twice");
    const recorded = recordings.map((each) => checkRecording(each, header.event, log, set));
    return { header, log, players, games, records, recorded, signatures };
}

// The seed of an event's draws, in hex.
export const eventSeed = (event, secret) => blake2b(Buffer.from(`tillroll/event/1${event}`), Buffer.from(secret, "hex"), 32).toString("hex");
