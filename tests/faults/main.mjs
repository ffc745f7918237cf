// The steps of tests/faults/run, which builds what is needed and calls this.
import { away } from './steps/away.mjs';
import { clusters } from './steps/clusters.mjs';
import { full } from './steps/full.mjs';
import { kills } from './steps/kills.mjs';
import { memory } from './steps/memory.mjs';
import { power } from './steps/power.mjs';
import { promotions } from './steps/promotions.mjs';
import { slow } from './steps/slow.mjs';

const steps = { kills, clusters, power, promotions, full, away, memory, slow };

const report = {
  progress: (text) => process.stderr.write(`    ${new Date().toISOString().slice(11, 19)} ${text}\n`),
  line: (text) => console.log(`    ${text}`),
  match(witness, faults) {
    this.line(`${witness.moves} moves of ${witness.games.length} games acknowledged, ${witness.twice} of them at two services at once, ${witness.races} after a race`);
    this.line(`${witness.away} tries found no service or were refused for now; ${witness.unknown} had an unknown end: ${witness.settled} requests settled by sending them again`);
    const count = (kind) => faults.filter((fault) => fault.includes(` ${kind}: `)).length;
    this.line(`${count('lost')} lost, ${count('doubled')} doubled, ${count('forked')} forked`);
    this.faults(faults);
  },
  faults(faults) {
    this.line(`${faults.length} faults`);
    for (const fault of faults.slice(0, 20)) this.line(fault);
  },
};

const names = process.argv.slice(2).filter((word) => !word.includes('='));
const options = Object.fromEntries(process.argv.slice(2).filter((word) => word.includes('=')).map((word) => {
  const [name, value] = word.split('=');
  return [name, /^\d+$/.test(value) ? Number(value) : value];
}));
const named = names.length > 0 ? names : Object.keys(steps);
const unknown = named.find((name) => steps[name] === undefined);
if (unknown !== undefined) {
  console.error(`tests/faults/run: there is no step ${unknown}; there are: ${Object.keys(steps).join(' ')}`);
  process.exit(2);
}
let good = true;
for (const name of named) {
  console.log(name);
  const begin = Date.now();
  const passed = await steps[name](report, options);
  console.log(`    ${passed ? 'ok' : 'FAILED'} after ${Math.round((Date.now() - begin) / 1000)} s`);
  good &&= passed;
}
process.exit(good ? 0 : 1);
