// The analysis for browsers is the engine's: what analysis.wasm finds in a record has the digest of tests/engine/vectors/analysis.json, which
// the builds of gcc and clang are compared with (tests/engine/analysis/test_analysis.c).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
const least = 8; // the smallest budget
const mebibyte = 1 << 20;
const slow = ['shinjuku', 'super-motherload']; // whose random games take more than ten seconds

let engine;
before(async () => {
  const { instance } = await WebAssembly.instantiate(readFileSync(path.join(build, 'analysis.wasm')), {});
  engine = instance.exports;
});

function recordOf(slug) {
  return execFileSync(path.join(build, 'tests/test_analysis'), ['record', slug], { maxBuffer: 16 * mebibyte });
}

function said(at) {
  const bytes = new Uint8Array(engine.memory.buffer, at);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0))));
}

function begin(record, budget, set = '') {
  const bytes = Buffer.concat([record, Buffer.from(set)]);
  new Uint8Array(engine.memory.buffer, engine.analyst_room(), bytes.length).set(bytes);
  return said(engine.analyst_begin(record.length, bytes.length - record.length, budget));
}

function steps() {
  const plies = [];
  for (let ply = said(engine.analyst_step()); ply !== null; ply = said(engine.analyst_step())) plies.push(ply);
  return plies;
}

// As add_ply() in test_analysis.c.
function digest(plies) {
  const hash = createHash('sha256');
  for (const ply of plies) {
    hash.update(`${ply.seq}\n${ply.better ?? ''}\0${ply.loss}\n`);
    for (const seat of ply.value.keys()) hash.update(`${ply.skill[seat]}\n${ply.luck[seat]}\n${ply.value[seat]}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

describe('analysis for browsers', () => {
  const { version, ...digests } = JSON.parse(readFileSync(path.join(root, 'tests/engine/vectors/analysis.json')));
  for (const [slug, expected] of Object.entries(digests)) it(`${slug}: has the numbers of version ${version}, and its sums`, { skip: slow.includes(slug) && notLong }, () => {
    const { plies: count, dealt } = begin(recordOf(slug), least);
    const plies = steps();
    const whole = said(engine.analyst_document());
    assert.equal(plies.length, count);
    assert.equal(digest(plies), expected);
    assert.deepEqual([whole.analysis, whole.ruleset, whole.budget, whole.one], [version, slug, least, 65536]);
    assert.deepEqual(whole.seats.map((seat) => seat.start + seat.deal), dealt);
    for (const seat of whole.seats) assert.equal(seat.start + seat.luck + seat.own + seat.others, seat.result);
    assert.deepEqual(whole.seats.map((seat) => seat.result), plies.at(-1).value);
    assert.ok(plies.every(({ better, better_text: text }) => better === undefined || text === null || typeof text === 'string'));
  });

  it('says of a record that is not whole what is wrong', () => {
    const record = recordOf('mall-world');
    const end = record.lastIndexOf('\n', record.length - 2) + 1;
    assert.equal(begin(record.subarray(0, end), least).code, 'unfinished');
    const damaged = Buffer.from(record);
    damaged[end - 10] ^= 1;
    const { code, line } = begin(damaged, least);
    assert.ok(code && line > 0);
    assert.throws(() => engine.analyst_step(), WebAssembly.RuntimeError);
  });

  it('takes the usual budget for 0, and none that is out of range', () => {
    const record = recordOf('mall-world');
    begin(record, 0);
    assert.equal(said(engine.analyst_document()).budget, 640);
    for (const budget of [1, 7, 4097]) assert.throws(() => engine.analyst_begin(record.length, 0, budget), WebAssembly.RuntimeError);
    assert.throws(() => engine.analyst_begin(engine.analyst_room_size() + 1, 0, 0), WebAssembly.RuntimeError);
    assert.throws(() => engine.analyst_begin(record.length, engine.analyst_room_size(), 0), WebAssembly.RuntimeError);
  });
});
