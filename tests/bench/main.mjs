// The steps of tests/bench/run, which builds what is measured and calls this. Each step has a cluster
// of its own, so that none finds what another has left behind.
import { cpus, release, totalmem } from 'node:os';

import { Bed, foreignTasks } from './bed.mjs';
import { beside } from './steps/beside.mjs';
import { budget } from './steps/budget.mjs';
import { growth } from './steps/growth.mjs';
import { lines } from './steps/clusters.mjs';
import { memory } from './steps/memory.mjs';
import { moves } from './steps/moves.mjs';
import { noticeCosts } from './steps/notice_costs.mjs';
import { notices } from './steps/notices.mjs';
import { pages } from './steps/pages.mjs';
import { pairing } from './steps/pairing.mjs';
import { players } from './steps/players.mjs';
import { render } from './steps/render.mjs';
import { replay } from './steps/replay.mjs';
import { start } from './steps/start.mjs';
import { strength } from './steps/strength.mjs';
import { verify } from './steps/verify.mjs';

const steps = { moves, players, beside, notices, 'notice-costs': noticeCosts, pages, render, memory, start, replay, pairing, verify, budget, growth, clusters: lines, 'players-strength': strength };
const slow = ['budget', 'growth', 'clusters', 'players-strength'];
const bare = ['clusters', 'players-strength']; // without a cluster, or with their own
const usual = Object.keys(steps).filter((name) => !slow.includes(name));

const scale = { seconds: Number(process.env.BENCH_SECONDS ?? 3), rounds: Number(process.env.BENCH_ROUNDS ?? 5) };
const named = process.argv.length > 2 ? process.argv.slice(2) : usual;
const unknown = named.find((name) => steps[name] === undefined);
if (unknown !== undefined) {
  console.error(`tests/bench/run: there is no step ${unknown}; there are: ${Object.keys(steps).join(' ')}`);
  process.exit(2);
}

// Whether the machine is quiet enough for the figures to mean something.
function state(bed) {
  console.log(`    8 KiB written and synced in ${bed.fsync().toFixed(0)} us (median); ${foreignTasks()} foreign tasks want to run`);
}

console.log(`${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}; client, server and database on the same cores`);
console.log(`${scale.rounds} rounds of ${scale.seconds} s, taking turns; medians`);
for (const name of named) {
  if (bare.includes(name)) {
    await steps[name](undefined, scale);
    continue;
  }
  const bed = await Bed.open();
  try {
    state(bed);
    await bed.fill('players', '--count', 4000);
    await steps[name](bed, scale);
    state(bed);
  } finally {
    await bed.end();
  }
}
