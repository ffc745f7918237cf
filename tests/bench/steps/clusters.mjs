// Moves over HTTP with one PostgreSQL cluster, and with line databases in clusters of their own, where each flush to disk takes 4 ms
// longer than here (tests/bench/slow_flush.c). A flush takes along all moves that wait for it, so two things are compared: clusters
// with as many clients each, and clusters that share the same clients.
import path from 'node:path';

import { Bed, build } from '../bed.mjs';
import { heading, median, ms, row, thousands } from '../table.mjs';

const flush_us = 4000;
const clusters = [0, 1, 4]; // line databases; none is one cluster for everything
const clients = [4, 16, 64, 256];

export async function lines(_, { seconds, rounds }) {
  heading('Line databases, with flushes of 4 ms');
  process.env.LD_PRELOAD = path.join(build, 'tests/slow_flush.so');
  process.env.SLOW_FLUSH_US = String(flush_us);
  const bed = await Bed.open();
  const runs = Object.fromEntries(clusters.map((count) => [count, Object.fromEntries(clients.map((each) => [each, []]))]));
  try {
    const databases = await bed.lineDatabases(Math.max(...clusters));
    await bed.fill('players', '--count', 2000);
    for (let round = 0; round < rounds; round++)
      for (const count of clusters) {
        const script = await bed.script(600 * seconds, { moves: 100 });
        if (count > 0) bed.join(databases, count);
        const service = await bed.serve();
        for (const each of clients) runs[count][each].push(await bed.load(service, ['--connections', each, '--seconds', seconds, '--warm-up', 2], script));
        await service.end();
        if (count > 0) bed.leave();
        script.drop();
      }
  } finally {
    delete process.env.LD_PRELOAD;
    await bed.end();
  }
  const of = (count, each, pick) => median(runs[count][each].map(pick));
  const rate = (count, each) => of(count, each, (run) => run.moves_per_s);
  for (const count of clusters) {
    const name = count === 0 ? 'one cluster' : `${count} line database${count === 1 ? '' : 's'}`;
    for (const each of clients) console.log(`    ${name}, ${each} clients: ${thousands(rate(count, each))} moves/s, p50 ${ms(of(count, each, (run) => run.p50_us))}, p99 ${ms(of(count, each, (run) => run.p99_us))}`);
  }
  for (const each of clients.slice(0, -1)) row(`four with ${each} clients each beside one with ${each}`, rate(4, 4 * each) / rate(0, each), 'x', { atLeast: 3.2, aim: 4 });
  for (const each of clients) row(`four with ${each} clients beside one with ${each}`, rate(4, each) / rate(0, each), 'x', { atLeast: 0.9, aim: 1 });
  row('one line database beside none, 64 clients', rate(1, 64) / rate(0, 64), 'x', { atLeast: 0.9, aim: 1 });
}
