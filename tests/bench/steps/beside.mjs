// Moves while something else goes on: an audit, a flood of page requests; and clients in lock-step.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { House } from '../../api/cli/house_program.mjs';
import { good } from '../../api/support/client.mjs';
import { tillroll } from '../bed.mjs';
import { heading, median, ms, row, shuffled, thousands } from '../table.mjs';
import { thinking } from './players.mjs';

// Runs `tillroll` with these options again and again until the returned function is called.
function again(options, environment = {}) {
  let child;
  let over = false;
  const ended = (async () => {
    while (!over) {
      child = spawn(tillroll, options.map(String), { stdio: 'ignore', env: { ...process.env, ...environment } });
      await once(child, 'exit');
    }
  })();
  return () => {
    over = true;
    child.kill('SIGTERM');
    return ended;
  };
}

const games = (seconds) => 250 + 25 * (seconds + 2);
const of = (runs, pick) => median(runs.map(pick));
const told = (runs, which) => `${which}: ${thousands(of(runs, (run) => run[which].moves_per_s))} moves/s, p50 ${ms(of(runs, (run) => run[which].p50_us))}, p99 ${ms(of(runs, (run) => run[which].p99_us))}, slowest ${ms(Math.max(...runs.map((run) => run[which].max_us)))}`;

async function measure(bed, service, other, { seconds, rounds }) {
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const script = await bed.script(2 * games(seconds));
    const run = {};
    for (const which of shuffled(['alone', 'beside'])) {
      const end = which === 'beside' ? other() : undefined;
      run[which] = await bed.load(service, [...thinking, '--seconds', seconds, '--warm-up', 1], script);
      await end?.();
    }
    runs.push(run);
    script.drop();
  }
  return runs;
}

async function lockStep(bed, service, { rounds }) {
  for (const count of [128, 256, 384]) {
    let slowest = 0;
    let steps = 0;
    for (let round = 0; round < rounds; round++) {
      const script = await bed.script(count * 3);
      const run = await bed.load(service, ['--connections', count, '--seconds', 1, '--warm-up', 1, '--lock-step'], script);
      slowest = Math.max(slowest, run.max_us);
      steps += run.answers / count;
      script.drop();
    }
    row(`slowest answer to ${count} clients in lock-step`, slowest / 1000, 'ms', { atLeast: 100, less: true }, [`${thousands(steps)} steps`]);
  }
}

// House players of the level that thinks most, at tables among themselves: one process that never waits.
async function busyHouse(bed, { client }) {
  const keeper = new House(bed, client);
  const accounts = [];
  while (accounts.length < 4) accounts.push(await keeper.account('master'));
  for (let table = 0; table < 8; table++) {
    const { code } = good(await client.post('/v1/lobby', { ruleset: 'superstore-3000', seats: 4, listed: false }, accounts[0].token));
    for (const { token } of accounts.slice(1)) good(await client.post(`/v1/invitations/${code}/seat`, {}, token));
  }
  return () => {
    const program = keeper.start(accounts);
    return () => keeper.stop(program);
  };
}

export async function beside(bed, scale) {
  heading('Moves of 250 players, 2,500 a second, while something else goes on');
  const service = await bed.serve();
  await bed.fill('finished', '--ruleset', 'all', '--count', 4000);
  const audited = await measure(bed, service, () => again(['audit'], { TILLROLL_DATABASE: bed.cluster.migratorUrl }), scale);
  row('p99 during an audit beside none', of(audited, (run) => run.beside.p99_us / run.alone.p99_us), 'x', { atLeast: 3, aim: 1.5, less: true }, [told(audited, 'beside'), told(audited, 'alone')]);
  const address = `http://127.0.0.1:${service.client.port}`;
  const flood = () => again(['load', '--server', address, '--get', '/', '--connections', 64, '--seconds', 60]);
  const flooded = await measure(bed, service, flood, scale);
  row('p99 under a flood of page requests', of(flooded, (run) => run.beside.p99_us) / 1000, 'ms', { atLeast: 15, aim: 5, less: true }, [told(flooded, 'beside'), told(flooded, 'alone')]);
  const house = await measure(bed, service, await busyHouse(bed, service), scale);
  row('p99 beside a busy house process and beside none', of(house, (run) => run.beside.p99_us / run.alone.p99_us), 'x', { atLeast: 1.5, less: true }, [told(house, 'beside'), told(house, 'alone')]);
  await lockStep(bed, service, scale);
  await service.end();
}
