// A little of what tests/faults/run does at length.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { notLong } from '../long.mjs';
import { canMount } from './disk.mjs';
import { clusters } from './steps/clusters.mjs';
import { full } from './steps/full.mjs';
import { kills } from './steps/kills.mjs';
import { memory } from './steps/memory.mjs';
import { power } from './steps/power.mjs';
import { compare } from './witness.mjs';

// Keeps what a step says, for the message.
const listen = () => {
  const lines = [];
  return { lines, line: (text) => lines.push(text), progress: () => {}, match: (_, faults) => lines.push(...faults), faults: (faults) => lines.push(...faults) };
};

async function passes(step, options) {
  const report = listen();
  assert.ok(await step(report, { hurry: true, seed: 'sample', ...options }), report.lines.join('\n'));
}

describe('nothing acknowledged is lost or doubled', { timeout: 180_000 }, () => {
  it('when services and the database are killed', () => passes(kills, { kills: 2, moves: 40, tables: 2 }));
  it('when line databases are killed', { skip: notLong }, () => passes(clusters, { kills: 2, moves: 40, tables: 2, lines: 2 }));
  it('when the disk is full', { skip: !canMount() && 'nothing can be mounted' }, () => passes(full, { rounds: 1, tables: 2, seconds: 1 }));
  it('when the power is cut', { skip: !canMount() && 'nothing can be mounted' }, () => passes(power, { cuts: 1, controls: 0, moves: 40, tables: 2 }));
  it('when memory is short', () => passes(memory, { step: 80, routes: 2 }));
});

describe('the comparison', () => {
  const game = (...acknowledged) => ({ id: 'g', acknowledged });
  it('sees what is lost, doubled and forked', () => {
    assert.deepEqual(compare(game('1 0 a x', '2 1 b y'), ['1 0 a x', '2 1 b y']), []);
    assert.deepEqual(compare(game('1 0 a x', '2 1 b y'), ['1 0 a x']), ['g: lost: 2 1 b y']);
    assert.deepEqual(compare(game('1 0 a x'), ['1 0 a x', '2 1 b y']), ['g: doubled: nobody was told of 2 1 b y']);
    assert.deepEqual(compare(game('1 0 a x'), ['1 0 a z']), ['g: forked: acknowledged 1 0 a x, stored 1 0 a z']);
    assert.deepEqual(compare(game('1 0 a x', '1 0 c z'), ['1 0 a x']), ['g: forked: 1 0 a x and 1 0 c z', 'g: forked: acknowledged 1 0 c z, stored 1 0 a x']);
  });
});
