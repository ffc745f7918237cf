// What arbiters, auditors and learners ask of records on the command line: a proposal for an unfinished game, who loses in favour
// of whom over many games, and positions with one best move.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build } from '../support/build.mjs';

const directory = mkdtempSync(path.join(tmpdir(), 'tillroll-evidence-'));
after(() => rmSync(directory, { recursive: true }));

const run = (...words) => spawnSync(path.join(build, 'tillroll'), words, { encoding: 'utf8' });
const keep = (name, text) => {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
};

// Finished games of several players, whose secret is in them.
const records = fileURLToPath(new URL('../../engine/vectors/records/', import.meta.url));
const games = readdirSync(records).filter((name) => name.endsWith('.roll')).map((name) => path.join(records, name));
const isLong = (file) => run('adjudicate', '--to', '12', '--samples', '2', '--json', file).status === 0;
const game = games.find((file) => isLong(file) && /\nseat 1 /.test(readFileSync(file, 'utf8')));
const secret = readFileSync(game, 'utf8').match(/ reveal ([0-9a-f]{64})/)[1];
const upTo = (seq) => {
  const lines = readFileSync(game, 'utf8').split('\n');
  return `${lines.slice(0, 1 + lines.findIndex((line) => line.startsWith(`${seq} `))).join('\n')}\n`;
};

describe('tillroll adjudicate', () => {
  const proposalOf = (...words) => JSON.parse(run('adjudicate', '--samples', '40', '--json', ...words).stdout);

  it('proposes the same for a position of a finished game and for the unfinished one with its secret', () => {
    const proposal = proposalOf('--to', '12', game);
    assert.equal(proposal.samples, 40);
    assert.equal(proposal.seq, 12);
    for (const seat of proposal.seats) assert.equal(seat.ended.reduce((sum, each) => sum + each), 40);
    const unfinished = keep('unfinished.roll', upTo(12));
    assert.deepEqual(proposalOf('--secret', secret, unfinished), proposal);
    assert.equal(proposalOf('--view', 'public', '--secret', secret, unfinished).view, 'public');
    const told = run('adjudicate', '--samples', '40', '--to', '12', game).stdout;
    assert.match(told, /^A proposal, not a verdict/);
    // As the page of a dispute: with two standard errors.
    const { seats } = proposalOf('--to', '12', game);
    const shown = [...told.matchAll(/mean score (\S+) \+- (\S+);/g)].map(([, ...numbers]) => numbers.map(Number));
    assert.equal(shown.length, seats.length);
    for (const [i, { score_hundredths: score, score_error_hundredths: error }] of seats.entries())
      assert.ok(Math.abs(shown[i][0] - score / 100) < 0.051 && Math.abs(shown[i][1] - error / 50) < 0.051, told);
  });

  it('says what it lacks', () => {
    const unfinished = keep('unfinished.roll', upTo(12));
    assert.equal(run('adjudicate', unfinished).status, 2);
    assert.equal(run('adjudicate', '--secret', '0'.repeat(64), unfinished).status, 1);
    assert.equal(run('adjudicate', '--secret', 'x', unfinished).status, 2);
    assert.equal(run('adjudicate', '--view', 'all', game).status, 2);
    const over = run('adjudicate', game);
    assert.equal(over.status, 2);
    assert.match(over.stderr, /the game is over there/);
  });
});

describe('tillroll collusion', () => {
  // An analysis in which the seat 0 loses 1 by each of its moves, which go to the seat `to`.
  const analysis = (id, names, to, version = '3') => JSON.stringify({
    analysis: version, game: id, one: 65536, seats: names.map((name, seat) => ({ seat, name })),
    plies: [0, 1].map(() => ({ seat: 0, skill: names.map((_, seat) => (seat === 0 ? -65536 : seat === to ? 65536 : 0)) })),
  });

  it('flags one who always gives to the same opponent, and nobody else', () => {
    const files = Array.from({ length: 20 }, (_, i) => keep(`given-${i}.json`, analysis(`g${i}`, ['Ada', ...(i % 2 ? ['Ben', `C${i}`, 'Dan'] : ['Dan', `C${i}`, 'Ben'])], i % 2 ? 1 : 3)));
    const found = run('collusion', ...files);
    assert.equal(found.status, 0, found.stderr);
    assert.match(found.stdout, /^20 games, /);
    assert.deepEqual(found.stdout.split('\n').filter((line) => line.startsWith('flagged')).map((line) => line.trim().split(/ {2,}/).at(-1)), ['Ada -> Ben']);
    const { pairs } = JSON.parse(run('collusion', '--json', ...files).stdout);
    assert.deepEqual(pairs.map(({ from, to, games: met, cost, given, flagged }) => [from, to, met, cost, given, flagged]), [['Ada', 'Ben', 20, 40 * 65536, 40 * 65536, true]]);
    const all = JSON.parse(run('collusion', '--json', '--all', ...files).stdout);
    assert.equal(all.pairs.length, all.pairs_met);
    assert.equal(JSON.parse(run('collusion', '--json', ...files.slice(0, 6)).stdout).pairs.length, 0);
  });

  it('reads records, each game once, and leaves out what says nothing', () => {
    const twice = run('collusion', '--budget', '8', '--all', game, game);
    assert.equal(twice.status, 0);
    assert.match(twice.stderr, /left out: the game has been read before/);
    assert.match(twice.stdout, /^1 games, /);
    assert.equal(run('collusion', keep('alone.json', analysis('alone', ['Ada'], 0))).stderr.includes('a game for one'), true);
    assert.equal(run('collusion', keep('other.json', analysis('other', ['Ada', 'Ben'], 1, '0'))).status, 2);
    assert.equal(run('collusion', keep('broken.json', '{"analysis":')).status, 2);
    assert.equal(run('collusion', keep('broken.roll', 'nothing\n')).status, 1);
  });
});

describe('tillroll puzzles', () => {
  it('finds a position with one best move, and shows no more of it than its player saw', () => {
    const found = run('puzzles', '--most', '1', path.join(records, '07.roll'));
    assert.equal(found.status, 0, found.stderr);
    const lines = found.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.equal(lines.length, 1);
    const [puzzle] = lines;
    assert.deepEqual([puzzle.seq, puzzle.seat, puzzle.ruleset, puzzle.samples], [42, 1, 'superstore-3000', 200]);
    assert.ok(puzzle.apart_hundredths >= 500);
    const values = puzzle.moves.map(({ value }) => value);
    assert.deepEqual(values, [...values].sort((a, b) => b - a));
    assert.ok(values[0] > values[1]);
  });

  it('needs a finished record', () => {
    assert.equal(run('puzzles', keep('unfinished.roll', upTo(12))).status, 2);
    assert.equal(run('puzzles', keep('broken.roll', 'nothing\n')).status, 1);
    assert.equal(run('puzzles', '--most', '0', game).status, 2);
  });
});
