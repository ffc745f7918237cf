// The database is away for a while, and then it is there and says nothing for a while.
import { readFileSync } from 'node:fs';

import { sleep } from '../../api/support/waiting.mjs';
import { Field } from '../field.mjs';

const memory = (service) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))[1]) / 1024;

// While the database is not to be had: what needs none is answered, what needs it is not for ever
// waited for.
async function watch(field, seconds, faults, { says }) {
  const end = Date.now() + seconds * 1000;
  let slowest = 0;
  while (Date.now() < end) {
    for (const { client } of field.services) {
      const health = await client.get('/healthz', { unchecked: true });
      if (health.status !== 200) faults.push(`/healthz: ${health.status}`);
      if (!says) continue;
      const begin = Date.now();
      const ready = await client.get('/readyz', { unchecked: true });
      slowest = Math.max(slowest, Date.now() - begin);
      if (ready.status !== 503 || ready.json.code !== 'unavailable') faults.push(`/readyz: ${ready.status} ${ready.text}`);
    }
    await sleep(100);
  }
  return slowest;
}

export async function away(report, { seconds = 60, silent = 15, tables = 16, hurry = false, seed = `away ${Date.now()}` } = {}) {
  const field = await Field.open({ seed });
  try {
    const witness = await field.match(tables);
    const faults = [];
    await witness.moreMoves(200);
    const before = field.services.map(memory);
    field.cluster.stop();
    const slowest = await watch(field, seconds, faults, { says: true });
    await field.cluster.restart();
    await witness.moreMoves(200);
    const grown = Math.max(...field.services.map((service, at) => memory(service) - before[at]));
    report.line(`away for ${seconds} s: slowest refusal ${slowest} ms; a service has grown by ${grown.toFixed(1)} MiB`);
    field.signalPostgres('SIGSTOP');
    await watch(field, silent, faults, { says: false });
    field.signalPostgres('SIGCONT');
    await witness.moreMoves(200);
    report.line(`silent for ${silent} s`);
    await witness.stop({ hurry });
    faults.push(...(await field.faults(witness)));
    report.match(witness, faults);
    return faults.length === 0;
  } catch (error) {
    report.line(field.complaints());
    throw error;
  } finally {
    field.signalPostgres('SIGCONT');
    await field.end();
  }
}
