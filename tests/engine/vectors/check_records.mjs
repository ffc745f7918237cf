// Checks records/ (its README says what is there) against `tillroll verify`, the engine and verify_roll.mjs.
//
//     node check_records.mjs     exit 0 if they agree; needs a build (TILLROLL_BUILD, else build/release)

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { checkSignatures, verifyRecord } from "../record/verify_roll.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? "build/release");
const folder = path.join(root, "tests/engine/vectors/records");
const names = readdirSync(folder).filter((file) => file.endsWith(".roll")).map((file) => file.slice(0, -".roll".length));
const read = (name) => readFileSync(path.join(folder, name), "utf8");

function run(program, ...words) {
    const { status, stdout } = spawnSync(path.join(build, program), words, { encoding: "utf8" });
    return { status, stdout };
}

/* ---- Good ones ---- */

const kinds = new Set();
for (const name of names) {
    const roll = path.join(folder, `${name}.roll`);
    const verified = run("tillroll", "verify", "--signatures", path.join(folder, `${name}.sig`), roll);
    assert.equal(verified.status, 0, verified.stdout);
    const states = run("tests/write_states", roll);
    assert.deepEqual([states.status, states.stdout], [0, read(`${name}.states`)], name);
    const record = verifyRecord(readFileSync(roll));
    assert.ok(checkSignatures(record, readFileSync(path.join(folder, `${name}.sig`))) > 0, name);
    for (const { kind } of record.entries) kinds.add(kind);
}
assert.deepEqual([...kinds].sort(), ["fallback", "forfeit", "freeze", "ply", "result", "resume", "return", "reveal", "ruling", "sealed", "stop",
    "substitute", "timeout", "undo"]);

/* ---- Bad ones ---- */

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

// The record of these lines: numbered, chained and marked.
function assemble(lines) {
    let seq = 0;
    let hash = "";
    return lines.map((line, i) => {
        const numbered = line.replace(/^\d+ /, () => `${++seq} `);
        const text = numbered.startsWith("head ") ? `head ${hash}` : numbered;
        hash = i === 0 ? sha256("tillroll 1\n") : sha256(`${hash} ${text}\n`);
        return `${text} #${hash.slice(0, 8)}\n`;
    }).join("");
}

function edited({ record, line, to, insert, remove }) {
    const lines = read(`${record}.roll`).trimEnd().split("\n").map((each) => each.replace(/ #[0-9a-f]{8}$/, ""));
    if (remove) lines.splice(line - 1, 1);
    else if (insert !== undefined) lines.splice(line - 1, 0, insert);
    else lines[line - 1] = to;
    return assemble(lines);
}

const bad = JSON.parse(read("bad.json"));
const scratch = mkdtempSync(path.join(tmpdir(), "bad-records-"));
try {
    const files = bad.map((edit, i) => {
        const file = path.join(scratch, `${i}.roll`);
        writeFileSync(file, edited(edit));
        return file;
    });
    const { stdout } = run("tillroll", "verify", ...files);
    const found = stdout.trimEnd().split("\n").map((line) => /\.roll: invalid: line (\d+): ([a-z-]+): /.exec(line)?.slice(1).join(" ") ?? line);
    assert.deepEqual(found, bad.map((edit) => `${edit.refused_at} ${edit.code}`));
    // The second verifier knows no rules of games, but the form of a header.
    for (const [i, { to = "", refused_at: line }] of bad.entries())
        if (/^(event|seat|start) /.test(to)) assert.throws(() => verifyRecord(readFileSync(files[i])), new RegExp(`^Error: line ${line}: `), to);

    // What stands behind the end and is no part of a bundle.
    for (const name of names)
        for (const more of ["\n", "x", " ", "\n\n", "\nx\n", "\0", "\n\u2014 name AAAA\nx\n"]) {
            const file = path.join(scratch, "more.roll");
            writeFileSync(file, `${read(`${name}.roll`)}${more}`);
            const { status, stdout } = run("tillroll", "verify", file);
            assert.equal(status, 1);
            assert.match(stdout, /^\S*more\.roll: invalid: .*\n$/, `${name} and ${JSON.stringify(more)}`);
            assert.throws(() => verifyRecord(readFileSync(file)));
        }
} finally {
    rmSync(scratch, { recursive: true });
}

console.log(`check_records: ${names.length} records with ${kinds.size} kinds of lines, ${bad.length} bad ones`);
