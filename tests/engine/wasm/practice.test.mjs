// The games for browsers are the engine's: what practice.wasm plays from a seed has the result of `tillroll match` from the same
// seed, for each ruleset and number of seats, and each level makes the same choices (tests/engine/search/choices.h). And a game
// goes on from its plies, and takes back.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Refused } from '../../../web-static/game/engine-answers.js';
import { Practice } from '../../../web-static/practice/practice.js';
import { Stream } from '../vectors/chance.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
const seatsOf = { 'mall-world': [3, 5], shinjuku: [2, 4], 'super-motherload': [2, 4], supermarche: [1, 1], 'superstore-3000': [2, 4] };
const matchSeed = '5a'.repeat(32);

const folder = mkdtempSync(path.join(tmpdir(), 'practice-'));
after(() => rmSync(folder, { recursive: true }));

let practice;
let bare; // the module itself
before(async () => {
  const bytes = readFileSync(path.join(build, 'practice.wasm'));
  practice = await Practice.make(bytes);
  ({ instance: bare } = await WebAssembly.instantiate(bytes, {}));
});

// The seed of a match's first game (api/cli/bots/match.c).
function gameSeed() {
  const stream = new Stream(matchSeed, 'match/seed', 0);
  return Buffer.from(Array.from({ length: 32 }, () => stream.uniform(256))).toString('hex');
}

// [score, place] of each seat.
function matched(slug, seats, ...more) {
  const said = execFileSync(path.join(build, 'tillroll'), ['match', '--ruleset', slug, '--seats', String(seats), '--seed', matchSeed, ...more]);
  return said.toString().trimEnd().split('\n').slice(1).map((line) => line.trim().split(/\s+/).slice(3, 5).map(Number));
}

function playAll() {
  let last = practice.position();
  while (last.deciders.length > 0) {
    const advice = practice.advice();
    assert.ok(last.legal.includes(advice), advice);
    practice.move([advice], 7);
    last = practice.position();
  }
  return last;
}

// What a level chooses in fixed positions of a game (tests/engine/search/choices.h).
function choices(slug, level) {
  const { exports: engine } = bare;
  const seats = Math.min(3, seatsOf[slug][1]);
  const room = () => new Uint8Array(engine.memory.buffer, engine.practice_room());
  const read = (at) => {
    const bytes = new Uint8Array(engine.memory.buffer, at);
    return JSON.parse(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0))));
  };
  const put = (head, text) => {
    const bytes = Buffer.concat([Buffer.alloc(32, head), Buffer.from(text)]);
    room().set(bytes);
    return text.length;
  };
  const decider = () => Math.log2(engine.practice_deciders() & -engine.practice_deciders());
  const choose = (seat, head, name) => read(engine.practice_choose(seat, put(head, name)));
  const begin = () => assert.equal(engine.practice_start(put(7, slug), seats), 1);
  const playOn = () => {
    const seat = decider();
    const move = choose(seat, 0, 'regular');
    room().set(Buffer.from(move));
    assert.equal(read(engine.practice_play(seat, move.length)), null);
  };
  let plies = 0;
  for (begin(); engine.practice_deciders() !== 0; plies++) playOn();
  const hash = createHash('sha256');
  const numbers = ['strong', 'master'].includes(level) ? [13, 15] : [1, 4, 7, 10, 13, 15];
  begin();
  for (let ply = 0; numbers.length > 0 && engine.practice_deciders() !== 0; ply++) {
    const seat = decider();
    if (ply >= Math.floor((plies * numbers[0]) / 16) && read(engine.practice_legal(seat)).length > 1) hash.update(`${choose(seat, numbers.shift(), level)}\n`);
    playOn();
  }
  return hash.digest('hex').slice(0, 16);
}

describe('games for browsers', () => {
  for (const [slug, [least, most]] of Object.entries(seatsOf)) for (let seats = least; seats <= most; seats++) it(`${slug}, ${seats} seats: end as the engine's do`, () => {
    assert.equal(practice.about(slug).seats_max, most);
    assert.ok(practice.start({ slug, seats, own: seats - 1, seed: gameSeed() }));
    const { outcome, items, game } = playAll();
    assert.deepEqual(outcome.map(({ score, rank }) => [score, rank]), matched(slug, seats));
    assert.equal(items.length, game.plies.length);
    assert.ok(items.every(({ events }) => events.every(({ kind, text }) => kind && text)));
  });

  const { version, ...digests } = JSON.parse(readFileSync(path.join(root, 'tests/engine/vectors/levels.json')));
  for (const [slug, levels] of Object.entries(digests)) for (const [level, digest] of Object.entries(levels)) it(`${slug}: ${level} plays as version ${version} does`, () => {
    assert.equal(choices(slug, level), digest);
  });

  it('know no other levels', () => {
    const game = { slug: 'superstore-3000', seats: 2, own: 0, seed: gameSeed() };
    assert.equal(practice.start({ ...game, level: 'grandmaster' }), false);
    assert.ok(practice.start({ ...game, level: 'strong' }));
    assert.equal(practice.choose(0, 'grandmaster', new Uint8Array(32)), null);
    assert.deepEqual(practice.about('superstore-3000').levels, Object.keys(digests['superstore-3000']));
  });

  it('are for so many seats as the rules have', () => {
    assert.equal(practice.about('chess'), null);
    for (const [slug, [least, most]] of Object.entries(seatsOf)) for (const seats of [least - 1, most + 1])
      assert.equal(practice.start({ slug, seats, own: 0, seed: gameSeed() }), false);
  });

  it('are played with another component set, as the engine does, and go on with it', () => {
    const set = readFileSync(path.join(root, 'engine/games/supermarche/components.json'), 'utf8').replace('"start_money": 15', '"start_money": 20');
    const [components, file] = [createHash('sha256').update(set).digest('hex'), path.join(folder, 'rich.json')];
    const game = { slug: 'supermarche', components, seats: 1, own: 0, seed: gameSeed() };
    assert.equal(practice.start(game), false); // no set was given
    for (const wrong of [`${set} `, '{}', '']) {
      practice.useSet(Buffer.from(wrong));
      assert.equal(practice.start(game), false);
    }
    practice.useSet(Buffer.from(set));
    assert.ok(practice.start(game));
    assert.equal(practice.position().view.money, 20);
    const { outcome, game: played } = playAll();
    writeFileSync(file, set);
    assert.deepEqual(outcome.map(({ score, rank }) => [score, rank]), matched('supermarche', 1, '--components', file));
    assert.equal(played.components, components);
    practice.takeBack();
    assert.equal(practice.position().game.components, components);
    assert.ok(practice.start({ ...game, components: undefined }));
    assert.equal(practice.position().view.money, 15);
  });

  it('play all of several moves, or none', () => {
    practice.start({ slug: 'superstore-3000', seats: 2, own: 0, seed: gameSeed() });
    const { game, view, legal } = practice.position();
    assert.throws(() => practice.move([legal[0], 'no move'], 1), (error) => error instanceof Refused && error.index === 1 && error.code === 'bad-syntax');
    assert.deepEqual(practice.position().game, game);
    assert.deepEqual(practice.position().view, view);
  });

  it('go on from their plies, and take the last move back', () => {
    practice.start({ slug: 'shinjuku', seats: 3, own: 1, seed: gameSeed() });
    for (let i = 0; i < 8; i++) practice.move([practice.advice()], i);
    const before = practice.position();
    assert.ok(practice.start(before.game));
    assert.deepEqual(practice.position(), before);
    practice.move([practice.advice()], 9);
    practice.takeBack();
    assert.deepEqual(practice.position(), before);
    assert.equal(practice.start({ ...before.game, plies: [{ seat: 0, move: 'no move', ms: 0 }] }), false);
  });

  it('show a player no card of another hand', () => {
    practice.start({ slug: 'shinjuku', seats: 2, own: 0, seed: gameSeed() });
    const { view } = practice.position();
    assert.ok(Object.keys(view.players[0]).includes('hand'));
    assert.equal(view.players[1].hand ?? null, null);
  });
});
