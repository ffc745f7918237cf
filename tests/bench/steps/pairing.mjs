// Draws of Pod Swiss rounds: simulated events of nine rounds, every range of table sizes, every BENCH_SWEEP-th field size.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { build } from '../bed.mjs';
import { heading, row } from '../table.mjs';

const step = process.env.BENCH_SWEEP ?? '40';
const goals = { '2 to 64': { atLeast: 0.2, worst: 1 }, '65 to 200': { worst: 1 } };

export function pairing() {
  heading(`Draws of Pod Swiss rounds, every ${step}th size of 2 to 200 players, processor time`);
  const output = execFileSync(path.join(build, 'tests/bench_pairing'), ['sweep', step], { encoding: 'utf8' });
  const line = /^sweep (.+) players: (\d+) draws, median ([\d.]+) ms, 99% ([\d.]+) ms, worst ([\d.]+) ms$/gm;
  for (const [, players, draws, median, high, worst] of output.matchAll(line)) {
    row(`${players} players: 99th percentile`, high / 1000, 's', { atLeast: goals[players].atLeast, less: true }, [`${draws} draws, median ${median} ms`]);
    row(`${players} players: worst`, worst / 1000, 's', { atLeast: goals[players].worst, less: true });
  }
}
