// A second verifier of records, written after engine/record/RECORD.md alone and without the rules of any
// game: it shares no code with the engine, and uses nothing but Node's own modules.
//
//     node verify_roll.mjs RECORD [SIGNATURES]    exit 0 if nothing is wrong
//
// Checks form, chain and marks, the order of lines, names, the component set, the commitment, what
// stops and rulings follow from each other, the head, and signatures. Not checked: whether plies are
// legal, clocks, scores and ranks, for which the rules are needed.

import { isUtf8 } from "node:buffer";
import { createHash, createPublicKey, verify } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { holds as dealt, outputOf } from "../vectors/ecvrf.mjs";
import { blake2b } from "../vectors/chance.mjs";

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const HASH = "[0-9a-f]{64}";
const NUMBER = "(?:0|[1-9][0-9]*)";
const COUNT = "[1-9][0-9]*";
const SEAT = "[0-4]";
const SEATED = `(${SEAT}) (${ID}) ((?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+) (${HASH}|-)`;
const NO_NAME = /[\0-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const MS_MAX = 31622400000;
const POINTS_MAX = 1_000_000;
const SCORE_MAX = 2 ** 31 - 1;
const LINES_BACK = 16;

const HEADER = [
    ["first", /^tillroll [12]$/],
    ["game", new RegExp(`^game (${ID}) ([a-z0-9-]+) ([0-9]+\\.[0-9]+\\.[0-9]+) (${HASH})$`)],
    // Round 0 is none: of ladders and open play, which have no boards.
    ["event", new RegExp(`^event (?:-|(${ID}) round (${COUNT}|0(?= table \\d+ board -$)) table (${COUNT}) board (-|${COUNT}))$`)],
    ["option", /^option ([a-z0-9-]+) ([a-z0-9-]+)$/],
    ["clock", new RegExp(`^clock (?:-|move=(${COUNT})|bank=(${COUNT}) increment=(${NUMBER}) cap=(${COUNT}))$`)],
    ["seat", new RegExp(`^seat ${SEATED}$`)],
    ["commit", new RegExp(`^commit (${HASH})$`)],
    ["chance", /^chance recorded$/], // in version 2, where luck is told, instead of a commitment
    ["entropy", new RegExp(`^entropy (${SEAT}) ((?:[0-9a-f]{2}){1,32})$`)],
    ["dealer", new RegExp(`^dealer ([a-z0-9][a-z0-9.-]{0,31}) (${HASH}) (missing|[0-9a-f]{160})$`)],
    ["start", /^start ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z)$/],
];
const REPEATED = new Set(["option", "seat", "entropy", "dealer"]);
const NEEDED = new Set(["first", "game", "event", "clock", "seat", "start"]);
const WORD = "[\\x21-\\x7e]{1,80}";
const TOLD = new Set(["bind", "deal", "show", "back"]);
const NOT_TOLD = new Set(["undo", "sealed", "timeout", "fallback", "return", "forfeit", "house", "reveal"]);

const RULED = ` by ${ID} why [a-z][a-z0-9-]{0,39}`;
const SYSTEM = {
    sealed: new RegExp(`^sealed (${SEAT})$`),
    timeout: new RegExp(`^timeout (${SEAT})$`),
    fallback: new RegExp(`^fallback (${SEAT})$`),
    return: new RegExp(`^return (${SEAT})$`),
    forfeit: new RegExp(`^forfeit (${SEAT})$`),
    substitute: new RegExp(`^substitute ${SEATED}$`),
    house: new RegExp(`^house (${SEAT}) ([a-z]{1,16}) (${COUNT})$`),
    stop: /^stop (?:pause|server)$/,
    freeze: new RegExp(`^freeze (${ID})$`),
    ruling: new RegExp(`^ruling (${ID}) (?:(stands)|(void)|(forfeit) (${SEAT})|(adjust) (${SEAT}) (-?${COUNT})` +
        `|(takeback) (${COUNT})( rekey)?)${RULED}$`),
    resume: /^resume$/,
    reveal: new RegExp(`^reveal (${HASH})$`),
    result: new RegExp(`^result (${SEAT}) (0|-?${COUNT}) ([1-5])$`),
    bind: new RegExp(`^bind (${WORD}) (${WORD})$`),
    deal: /^deal$/,
    show: /^show$/,
    back: new RegExp(`^back (${COUNT})$`),
};

class Fault extends Error {}

function need(condition, line, message) {
    if (!condition) throw new Fault(`line ${line}: ${message}`);
}

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

// ---- Form and chain ----

function splitLines(bytes) {
    need(bytes.length <= 8 * 1024 * 1024, 0, "longer than 8 MiB");
    need(bytes.length > 0 && bytes[bytes.length - 1] === 10, 0, "does not end with a line feed");
    const lines = bytes.toString("latin1").split("\n");
    lines.pop();
    need(lines.length <= 65535, 0, "more than 65,535 lines");
    lines.forEach((line, i) => {
        need(line.length <= 512, i + 1, "longer than 512 bytes");
        need(/^[\x20-\x7e]+ #[0-9a-f]{8}$/.test(line), i + 1, "no line of a record");
    });
    return lines;
}

// The lines without marks, each with the chain's value before and after it.
function followChain(lines) {
    let before = "";
    return lines.map((marked, i) => {
        const line = marked.slice(0, -10);
        const after = sha256(i === 0 ? `${line}\n` : `${before} ${line}\n`);
        need(marked.slice(-8) === after.slice(0, 8), i + 1, `the mark should be #${after.slice(0, 8)}`);
        const link = { line, before, after };
        before = after;
        return link;
    });
}

// ---- The header ----

function readName(encoded, line) {
    const bytes = Buffer.from(encoded.replace(/%(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), "latin1");
    need(isUtf8(bytes), line, "a name that is no UTF-8");
    const name = bytes.toString("utf8");
    const again = [...bytes].map((byte) => {
        const character = String.fromCharCode(byte);
        return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    }).join("");
    need(again === encoded, line, "a name is not encoded in the one way");
    need(bytes.length <= 200 && name === name.normalize("NFC"), line, "no name");
    need(!NO_NAME.test(name), line, "a name with characters that no name has");
}

// A day that there is, and a time of it.
function checkTime(text, line) {
    const time = new Date(text);
    need(!Number.isNaN(time.getTime()) && time.toISOString() === text, line, "no time");
}

function readClock(match, line) {
    const numbers = match.slice(1).filter((word) => word !== undefined).map(Number);
    need(numbers.every((number) => number <= MS_MAX), line, "a time of more than 366 days");
    if (numbers.length === 3) need(numbers[2] >= numbers[0], line, "the cap is below the bank");
}

function readHeader(links) {
    const header = { seats: [], entropy: [], options: [], dealers: [], told: false };
    let at = 0;
    for (const [key, form] of HEADER) {
        let found = 0;
        while (at < links.length && (found === 0 || REPEATED.has(key))) {
            const match = form.exec(links[at].line);
            if (match === null) break;
            readHeaderLine(header, key, match, at + 1, links[at].line);
            found++;
            at++;
        }
        need(found > 0 || !NEEDED.has(key), at + 1, `expected the line \`${key}\``);
    }
    header.lines = at;
    need((header.commit === undefined) === header.recorded && header.told === header.recorded, at, "luck is either told or committed to");
    need(!header.recorded || (!header.clock && header.board === "-" && header.entropy.length + header.dealers.length === 0), at,
        "a recorded game has no clock, board, entropy or dealers");
    return header;
}

function readHeaderLine(header, key, match, line, text) {
    if (key === "first") {
        header.recorded = text === "tillroll 2";
    } else if (key === "chance") {
        header.told = true;
    } else if (key === "game") {
        [, header.game, header.slug, header.version, header.components] = match;
    } else if (key === "event") {
        [, header.event, header.round, header.table, header.board = "-"] = match;
        need([header.round, header.table, header.board].every((word) => !(Number(word) > 4294967295)), line, "a number above 4,294,967,295");
    } else if (key === "option") {
        need(header.options.length === 0 || header.options.at(-1) < match[1], line, "options out of order");
        header.options.push(match[1]);
    } else if (key === "clock") {
        readClock(match, line);
        header.clock = text !== "clock -";
    } else if (key === "seat") {
        need(Number(match[1]) === header.seats.length, line, "seats out of order");
        readName(match[3], line);
        header.seats.push({ player: match[2], key: match[4] });
    } else if (key === "commit") {
        header.commit = match[1];
    } else if (key === "dealer") {
        const [, name, dealerKey, proof] = match;
        need(header.dealers.length < 5 && !(header.dealers.at(-1)?.name >= name), line, "dealers out of order");
        header.dealers.push({ name, key: dealerKey, proof, line });
    } else if (key === "start") {
        checkTime(match[1], line);
    } else if (key === "entropy") {
        const last = header.entropy.at(-1);
        need(header.board === "-", line, "a board takes no entropy");
        need(Number(match[1]) < header.seats.length && (last === undefined || last.seat < Number(match[1])), line,
            "entropy out of order");
        header.entropy.push({ seat: Number(match[1]), text });
    }
}

// `set`: the bytes of a component set other than the ruleset's own, if one is at hand.
function checkComponents(header, set) {
    if (set !== undefined && sha256(set) === header.components) return;
    const file = new URL(`../../../engine/games/${header.slug}/components.json`, import.meta.url);
    need(existsSync(file), 2, "the game is unknown");
    need(sha256(readFileSync(file)) === header.components, 2, "another component set");
}

// ---- Luck ----

function scopeOf(header) {
    return header.board === "-" ? header.game : `${header.event}/round/${header.round}`;
}

function checkCommitment(header, secret, line) {
    const message = Buffer.concat([Buffer.from(`tillroll commit\n${scopeOf(header)}\n`), Buffer.from(secret, "hex")]);
    need(sha256(message) === header.commit, line, "the secret is not the one that was committed to");
}

const entropyOf = (header) => header.entropy.map(({ text }) => `${text}\n`).join("");

// What a dealer's output is of.
function dealerInput(header) {
    const entropy = header.entropy.length === 0 ? "-" : sha256(entropyOf(header));
    return Buffer.from(`tillroll dealer 1\n${scopeOf(header)}\n${header.commit}\n${entropy}\n`);
}

function checkDealers(header) {
    for (const { key, proof, line } of header.dealers) {
        const proved = proof === "missing" ? Buffer.alloc(0) : Buffer.from(proof, "hex");
        need(dealt(Buffer.from(key, "hex"), dealerInput(header), proved), line, "the proof does not hold");
    }
}

export function seedOf(header, secret) {
    const outputs = header.dealers.map(({ name, key, proof }) =>
        `dealer ${name} ${key} ${proof === "missing" ? proof : outputOf(Buffer.from(proof, "hex")).toString("hex")}\n`).join("");
    return blake2b(Buffer.from(`tillroll/seed/${header.dealers.length === 0 ? 1 : 2}${scopeOf(header)}${header.board}${entropyOf(header)}${outputs}`),
        Buffer.from(secret, "hex"), 32).toString("hex");
}

// ---- Entries ----

function readEntry(text, seq, line) {
    const match = new RegExp(`^(${COUNT}) (-|${SEAT}) (${NUMBER}) (.+)$`).exec(text);
    need(match !== null && Number(match[1]) === seq && match[3].length <= 15, line, "no entry, or out of order");
    const entry = { seq, seat: match[2], elapsed: Number(match[3]), move: match[4], kind: "ply", words: [] };
    if (match[2] !== "-") {
        const undo = /^undo( .*)?$/.exec(entry.move);
        if (undo === null) return entry;
        entry.kind = "undo";
        entry.target = Number(entry.move.slice(5));
        need(new RegExp(`^undo ${COUNT}$`).test(entry.move), line, "no undo");
        return entry;
    }
    entry.kind = entry.move.split(" ")[0];
    need(Object.hasOwn(SYSTEM, entry.kind), line, "no system line");
    entry.words = SYSTEM[entry.kind].exec(entry.move);
    need(entry.words !== null, line, "no system line");
    return entry;
}

// What can be said of the order of lines without the rules.
class Story {
    constructor(header) {
        this.header = header;
        this.seats = header.seats.map((seat) => ({ ...seat }));
        this.elapsed = 0;
        this.held = ""; // "stopped" or "frozen": nobody plays
        this.dispute = "";
        this.end = "";
        this.points = this.seats.map(() => 0);
        this.results = 0;
        this.epochs = 0;
        this.takebacks = 0;
        this.dealt = !header.recorded;
        this.before = [this.position()]; // before entry 1, 2, ...
    }

    tell(entry, line) {
        need(entry.elapsed >= this.elapsed, line, "the clock runs backwards");
        this.elapsed = entry.elapsed;
        if (entry.seat !== "-") need(Number(entry.seat) < this.seats.length, line, "no such seat");
        need(this.mayCome(entry), line, `\`${entry.kind}\` has no place here`);
        const what = this[entry.kind];
        if (what !== undefined) what.call(this, entry, line);
        this.before.push(this.position());
    }

    // What the scorer of a recorded game goes back to.
    position() {
        const { dealt, held, dispute } = this;
        return { dealt, held, dispute };
    }

    mayCome(entry) {
        if ((this.header.recorded ? NOT_TOLD : TOLD).has(entry.kind)) return false;
        const last = this.header.recorded ? "show" : "reveal";
        if (this.end !== "") return entry.kind === (this.end === "void" ? last : "result");
        if (entry.kind === "ply" && !this.dealt) return false;
        if (entry.kind === "result") return false;
        if (["substitute", "house"].includes(entry.kind)) return true;
        if (this.held === "frozen") return ["ruling", "resume"].includes(entry.kind);
        if (this.held === "stopped") return ["freeze", "resume"].includes(entry.kind);
        return !["ruling", "resume"].includes(entry.kind);
    }

    seated(word, line) {
        need(Number(word) < this.seats.length, line, "no such seat");
    }

    sealed(entry, line) {
        this.seated(entry.words[1], line);
        need(this.header.clock, line, "a secret decision is told only where there are clocks");
    }

    timeout(entry, line) {
        this.seated(entry.words[1], line);
        need(this.header.clock, line, "there are no clocks");
    }

    fallback(entry, line) {
        this.seated(entry.words[1], line);
    }

    return(entry, line) {
        this.seated(entry.words[1], line);
    }

    forfeit(entry, line) {
        this.seated(entry.words[1], line);
    }

    substitute(entry, line) {
        const [, seat, player, name, key] = entry.words;
        this.seated(seat, line);
        readName(name, line);
        need(this.seats.every((other) => other.player !== player), line, "the player sits at the table");
        this.seats[Number(seat)] = { player, key };
    }

    house(entry, line) {
        const [text, seat, , version] = entry.words;
        this.seated(seat, line);
        need(Number(version) <= 4294967295, line, "a number above 4,294,967,295");
        need(this.seats[Number(seat)].house !== text, line, "the seat is played so already");
        this.seats[Number(seat)].house = text;
    }

    stop() {
        this.held = "stopped";
    }

    freeze(entry) {
        this.held = "frozen";
        this.dispute = entry.words[1];
    }

    resume() {
        this.held = "";
    }

    undo(entry, line) {
        need(entry.target < entry.seq && ++this.takebacks <= 999, line, "takes back what is not there");
    }

    ruling(entry, line) {
        const [, dispute, , isVoid, isForfeit, out, isAdjust, adjusted, points, isTakeback, target, rekey] = entry.words;
        need(dispute === this.dispute, line, "the game is frozen for another dispute");
        need(!this.header.recorded || !(isForfeit || isTakeback), line, "a recorded game has no such ruling");
        if (isForfeit) this.seated(out, line);
        if (isAdjust) {
            this.seated(adjusted, line);
            this.points[Number(adjusted)] += Number(points);
            need(Math.max(Math.abs(Number(points)), Math.abs(this.points[Number(adjusted)])) <= POINTS_MAX, line, "more than 1,000,000 points");
        }
        if (isTakeback) need(Number(target) < entry.seq && ++this.takebacks <= 999, line, "takes back what is not there");
        if (rekey) this.epochs++;
        if (isVoid) {
            this.end = "void";
            this.held = "";
        }
    }

    deal(entry, line) {
        need(!this.dealt, line, "the game has begun");
        this.dealt = true;
    }

    show(entry, line) {
        need(this.dealt || this.end === "void", line, "the game has not begun");
        this.end = this.end === "void" ? "closed" : "revealed";
    }

    back(entry, line) {
        need(entry.words[1] < entry.seq && ++this.takebacks <= 999, line, "goes back to what is not there");
        Object.assign(this, this.before[entry.words[1] - 1]);
    }

    reveal(entry, line) {
        checkCommitment(this.header, entry.words[1], line);
        this.secret = entry.words[1];
        this.end = this.end === "void" ? "closed" : "revealed";
    }

    result(entry, line) {
        need(this.end === "revealed" && Number(entry.words[1]) === this.results, line, "results out of order");
        need(Math.abs(Number(entry.words[2])) <= SCORE_MAX, line, "a score that is too large");
        need(Number(entry.words[3]) <= this.seats.length, line, "a rank below the last");
        if (++this.results === this.seats.length) this.end = "closed";
    }
}

// ---- Signatures ----

// RFC 8410: the fixed bytes in front of an Ed25519 public key.
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

function holds(key, message, signature) {
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(key, "hex")]), format: "der", type: "spki" });
    return verify(null, Buffer.from(message), publicKey, Buffer.from(signature, "hex"));
}

// The heads at which the player may have signed, the latest first.
function headsFor(entries, at) {
    const mine = entries[at];
    const heads = [mine.before];
    for (let i = at - 1; i >= 0 && heads.length < LINES_BACK; i--) {
        const { kind, seat, elapsed, words, before } = entries[i];
        const together = kind === "ply" && seat < mine.seat && elapsed === mine.elapsed;
        const system = seat === "-" && !(kind === "ruling" && words[9] !== undefined);
        if (!together && !system) break;
        heads.push(before);
    }
    return heads;
}

// What an official did: signed at the head before it, or before the rulings of the same request.
function isOfficials(record, seq, official, key, signature) {
    const entry = record.entries[seq - 1];
    if (!["forfeit", "fallback", "return", "substitute", "ruling"].includes(entry?.kind)) return false;
    if (entry.kind === "ruling" && !entry.text.includes(` by ${official} `)) return false;
    const [, kind, detail] = /^(\S+) (.*)$/.exec(entry.text);
    for (let at = seq - 1; at >= 0 && seq - at <= LINES_BACK; at--) {
        const before = record.entries[at];
        if (at < seq - 1 && !(before.kind === "ruling" && before.text.includes(` by ${official} `) && before.elapsed === entry.elapsed)) return false;
        if (holds(key, `tillroll official\n${record.header.game}\n${before.before}\n${official}\n${kind}\n${detail}\n`, signature)) return true;
    }
    return false;
}

export function checkSignatures(record, bytes) {
    const text = bytes.toString("latin1");
    need(text.endsWith("\n"), 0, "signatures do not end with a line feed");
    const lines = text.slice(0, -1).split("\n");
    need(lines[0] === "tillroll signatures 1", 1, "no signatures");
    need(lines[1] === `game ${record.header.game}`, 2, "signatures of another game");
    let last = 0;
    let lastGiver = -1;
    lines.slice(2).forEach((line, i) => {
        const given = new RegExp(`^entropy (${SEAT}) ([0-9a-f]{128})$`).exec(line);
        if (given !== null) {
            const seat = Number(given[1]);
            need(last === 0 && seat > lastGiver, i + 3, "out of order");
            lastGiver = seat;
            const entropy = record.header.entropy.find((giver) => giver.seat === seat);
            const key = record.header.seats[seat]?.key ?? "-";
            need(entropy !== undefined && key !== "-", i + 3, "no key for this signature");
            need(holds(key, `tillroll entropy\n${record.header.game}\n${record.header.commit}\n` +
                `${seat}\n${entropy.text.split(" ")[2]}\n`, given[2]), i + 3, "the signature does not hold");
            return;
        }
        const act = new RegExp(`^official (${COUNT}) (${ID}) ([0-9a-f]{64}) ([0-9a-f]{128})$`).exec(line);
        if (act !== null) {
            need(Number(act[1]) > last && isOfficials(record, Number(act[1]), act[2], act[3], act[4]), i + 3, "not signed by the official, or out of order");
            last = Number(act[1]);
            return;
        }
        const match = new RegExp(`^(${COUNT}) ([0-9a-f]{128})$`).exec(line);
        need(match !== null && Number(match[1]) > last, i + 3, "no signature, or out of order");
        last = Number(match[1]);
        const entry = record.entries[last - 1];
        need(entry !== undefined && ["ply", "undo"].includes(entry.kind) && entry.key !== "-", i + 3,
            "no key for this signature");
        const good = headsFor(record.entries, last - 1).some((head) =>
            holds(entry.key, `tillroll move\n${record.header.game}\n${head}\n${entry.seat}\n${entry.move}\n`, match[2]));
        need(good, i + 3, "the signature does not hold");
    });
    return lines.length - 2;
}

// ---- The whole ----

// Throws a Fault with the first line that is wrong. An unfinished record has no secret.
export function verifyRecord(bytes, set) {
    const links = followChain(splitLines(bytes));
    const header = readHeader(links);
    checkComponents(header, set);
    checkDealers(header);
    const story = new Story(header);
    const entries = [];
    let finished = false;
    links.slice(header.lines).forEach(({ line, before, after }, i) => {
        const number = header.lines + i + 1;
        need(!finished, number, "nothing follows the head");
        if (line.startsWith("head ")) {
            need(story.end === "closed", number, "the head comes too early");
            need(line === `head ${before}`, number, "another head");
            finished = true;
            return;
        }
        need(story.end !== "closed", number, "only the head may follow");
        const entry = { ...readEntry(line, i + 1, number), before, after, text: line.split(" ").slice(3).join(" ") };
        if (entry.seat !== "-") entry.key = story.seats[Number(entry.seat)]?.key;
        story.tell(entry, number);
        entries.push(entry);
    });
    const secret = story.secret;
    return { header, entries, finished, epochs: story.epochs, secret,
        seed: secret === undefined ? undefined : seedOf(header, secret) };
}

export { Fault };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    try {
        const record = verifyRecord(readFileSync(process.argv[2]));
        const words = [`${record.entries.length} entries`, record.finished ? "finished" : "unfinished"];
        if (process.argv[3] !== undefined)
            words.push(`${checkSignatures(record, readFileSync(process.argv[3]))} signatures`);
        console.log(`nothing wrong: ${words.join(", ")}`);
    } catch (fault) {
        console.error(`verify_roll: ${fault.message}`);
        process.exit(1);
    }
}
