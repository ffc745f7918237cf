#!/usr/bin/env node
// What the end of a game costs the database, beside another commit: builds both, and plays the last plies of games with a service of each, in
// turns. Prints the medians of the processor time for each game that has ended: of all processes of the database but the one that writes moves,
// and of the service's threads but its loop. What beginning these games in memory and telling their players costs is included.
//
//     tests/bench/beside/ends.mjs COMMIT [ROUNDS]      ROUNDS: 12, of 3 s each; COMMIT "-": this checkout alone
import os from 'node:os';
import path from 'node:path';

process.env.TMPDIR = os.tmpdir(); // on the disk: older commits do not ask for it
const { coresOf, sinceThen } = await import('../steps/notice_costs.mjs');
const { median, shuffled } = await import('../table.mjs');
const { buildTrees } = await import('./trees.mjs');

const [commit, rounds = '12'] = process.argv.slice(2);
if (commit === undefined || !(Number(rounds) > 0)) {
  console.error('usage: tests/bench/beside/ends.mjs COMMIT [ROUNDS]');
  process.exit(2);
}
const trees = buildTrees(commit, ['bench_fill']);
const [seconds, games, plies] = [3, 1400, 148]; // the shortest have 150
const nobody = { child: { pid: process.pid } };
const endedIn = (bed) => Number(bed.sql('SELECT count(*) FROM tillroll.game WHERE finished_at IS NOT NULL'));

async function play({ bed, service }) {
  const script = await bed.script(games, { plies });
  const [ended, before] = [endedIn(bed), coresOf(bed, service, nobody)];
  await bed.load(service, ['--connections', 64, '--seconds', seconds, '--warm-up', 1], script);
  const us = sinceThen(service, before, coresOf(bed, service, nobody));
  script.drop();
  const count = endedIn(bed) - ended;
  return { database: us.database / count, threads: us.threads / count };
}

const sides = {};
try {
  for (const [which, tree] of Object.entries(trees)) {
    const bed = await (await import(path.join(tree, 'tests/bench/bed.mjs'))).Bed.open();
    sides[which] = { bed, runs: [] };
    await bed.fill('players', '--count', 4000);
    sides[which].service = await bed.serve();
    await play(sides[which]); // statements are prepared
  }
  for (let round = 0; round < Number(rounds); round++) for (const which of shuffled(Object.keys(sides))) sides[which].runs.push(await play(sides[which]));
  for (const [which, { runs }] of Object.entries(sides))
    for (const part of ['database', 'threads']) {
      const ms = runs.map((run) => run[part] / 1000);
      console.log(`${which.padEnd(6)} ${part} ${median(ms).toFixed(2)} ms each: ${ms.map((each) => each.toFixed(1)).join(' ')}`);
    }
} finally {
  for (const { bed } of Object.values(sides)) await bed.end();
}
