// The steps of tests/bench/run, which builds what is measured and calls this.
import { cpus, release, totalmem } from 'node:os';

import { Bed, foreignTasks } from './bed.mjs';
import { moves } from './steps/moves.mjs';

const steps = { moves };
const usual = ['moves'];

const scale = { seconds: Number(process.env.BENCH_SECONDS ?? 3), rounds: Number(process.env.BENCH_ROUNDS ?? 5) };
const named = process.argv.length > 2 ? process.argv.slice(2) : usual;
for (const name of named) {
  if (steps[name] !== undefined) continue;
  console.error(`tests/bench/run: there is no step ${name}; there are: ${Object.keys(steps).join(' ')}`);
  process.exit(2);
}

function about(bed) {
  console.log(`${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}; client, server and database on the same cores`);
  console.log(`${scale.rounds} rounds of ${scale.seconds} s, interleaved; medians`);
  state(bed);
}

// Whether the machine is quiet enough for the figures to mean something.
function state(bed) {
  console.log(`    8 KiB written and synced in ${bed.fsync().toFixed(0)} us (median); ${foreignTasks()} foreign tasks want to run`);
}

const bed = await Bed.open();
try {
  about(bed);
  await bed.fill('players', '--count', 4000);
  for (const name of named) {
    await steps[name](bed, scale);
    state(bed);
  }
} finally {
  await bed.end();
}
