// Services, database processes and all of them together are killed at random while many play.
import assert from 'node:assert/strict';

import { sleep, until } from '../../api/support/waiting.mjs';
import { Field } from '../field.mjs';

// Everything that can be killed, and how it comes back. Database processes that a service's work
// needs come back by themselves when the postmaster lives.
const kinds = {
  service: async (field) => {
    const at = field.random.below(field.services.length);
    await field.killService(at);
    await field.startAt(at);
  },
  backend: async (field) => field.killBackend(),
  'backend, asked to end': async (field) => field.killBackend('SIGTERM'),
  postmaster: async (field) => {
    process.kill(field.postmaster(), 'SIGKILL');
    await field.cluster.restart();
  },
  'postmaster, at once': async (field) => {
    process.kill(field.postmaster(), 'SIGQUIT');
    await until(60, 'the database has ended', () => field.postmaster() === undefined);
    await field.cluster.restart();
  },
  'all of the database': async (field) => {
    field.signalPostgres('SIGKILL');
    await field.cluster.restart();
  },
  everything: async (field) => {
    for (const service of field.services) service.signal('SIGKILL');
    field.signalPostgres('SIGKILL');
    await field.cluster.restart();
    for (const at of field.services.keys()) {
      await field.killService(at);
      await field.startAt(at);
    }
  },
};

export async function kills(report, { kills: count = 300, moves = 100_000, tables = 16, hurry = false, seed = `kills ${Date.now()}` } = {}) {
  const field = await Field.open({ seed });
  try {
    const witness = await field.match(tables);
    const done = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0]));
    const between = Math.ceil(moves / count);
    for (let kill = 0; kill < count; kill++) {
      await witness.moreMoves(Math.ceil(between / 2) + field.random.below(between));
      await sleep(field.random.below(20));
      assert.deepEqual(field.deaths(), []);
      const kind = field.random.pick(Object.keys(kinds));
      await kinds[kind](field);
      done[kind]++;
      if (kill % 25 === 24) report.progress(`${kill + 1} kills, ${witness.moves} moves`);
    }
    await witness.moreMoves(Math.max(1, moves - witness.moves), 3600);
    await witness.stop({ hurry });
    const faults = await field.faults(witness);
    report.line(`seed ${seed}`);
    report.line(`${count} kills: ${Object.entries(done).map(([kind, times]) => `${kind} ${times}`).join('; ')}`);
    report.match(witness, faults);
    return faults.length === 0;
  } catch (error) {
    report.line(`${error.message}\n    ${field.complaints()}`);
    throw error;
  } finally {
    await field.end();
  }
}
