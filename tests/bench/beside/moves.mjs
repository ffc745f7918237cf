#!/usr/bin/env node
// Compares moves over HTTP with those of another commit: builds both, plays with a service of each in turns, and prints the medians of moves
// a second, and how many times as fast this checkout is. The other commit has a cluster of its own, and its own bench_fill and load.
//
//     tests/bench/beside/moves.mjs COMMIT [ROUNDS]      ROUNDS: 4, of 3 s for each number of clients
import os from 'node:os';
import path from 'node:path';

process.env.TMPDIR = os.tmpdir(); // on the disk: older commits do not ask for it
const { Bed } = await import('../bed.mjs');
const { median, shuffled } = await import('../table.mjs');
const { buildTrees } = await import('./trees.mjs');

const [commit, rounds = '4'] = process.argv.slice(2);
if (commit === undefined || commit === '-' || !(Number(rounds) > 0)) {
  console.error('usage: tests/bench/beside/moves.mjs COMMIT [ROUNDS]');
  process.exit(2);
}
const { before } = buildTrees(commit, ['bench_fill']);

const clients = [1, 8, 64, 256];
const beds = { before: await (await import(path.join(before, 'tests/bench/bed.mjs'))).Bed.open(), now: await Bed.open() };
try {
  const services = {};
  for (const [which, bed] of Object.entries(beds)) {
    await bed.fill('players', '--count', 4000);
    services[which] = await bed.serve();
  }
  const rates = Object.fromEntries(clients.map((count) => [count, { before: [], now: [] }]));
  for (let round = 0; round < Number(rounds); round++)
    for (const count of shuffled(clients))
      for (const which of shuffled(Object.keys(beds))) {
        // Games that are left after 100 moves, as in the step `moves`.
        const script = await beds[which].script(count + Math.ceil((4 * Math.min(60_000, 4_000 * count)) / 100), { moves: 100 });
        const report = await beds[which].load(services[which], ['--connections', count, '--seconds', 3, '--warm-up', 1], script);
        rates[count][which].push(report.moves_per_s);
        script.drop();
      }
  for (const count of clients) {
    const [old, now] = [median(rates[count].before), median(rates[count].now)];
    console.log(`${String(count).padStart(3)} clients: ${old.toFixed(0)} moves/s before, ${now.toFixed(0)} now, ${(now / old).toFixed(2)}x`);
  }
} finally {
  for (const bed of Object.values(beds)) await bed.end();
}
