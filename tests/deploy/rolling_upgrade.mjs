// What tests/deploy/rolling_upgrade runs, with the directory of the release before.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { Random } from '../api/support/play.mjs';
import { build, Testbed } from '../api/support/testbed.mjs';
import { sleep } from '../api/support/waiting.mjs';
import { Witness } from '../faults/witness.mjs';

const [, , before, ...settings] = process.argv;
const { tables = 8, moves = 300 } = Object.fromEntries(settings.map((word) => word.split('=')).map(([name, value]) => [name, Number(value)]));
const bed = new Testbed();
const url = (user) => bed.cluster.migratorUrl.replace('tillroll_migrator@/tillroll', `${user}@/rolling`);
const say = (text) => console.log(`    ${text}`);

// The directories of a release's programs and pages.
const releases = {
  before: { programs: path.join(before, 'build'), source: path.join(before, 'source') },
  today: { programs: build, source: path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..') },
};
const migrate = ({ programs, source }) => [path.join(programs, 'tillroll'), ['migrate', '--database', url('tillroll_migrator'), '--directory', path.join(source, 'db/migrations')]];
// What a service of before answers is not as today's is described.
async function start({ programs, source }) {
  const today = source === releases.today.source;
  const service = await bed.startService(['--pages', path.join(source, 'web-static'), ...(today ? ['--notices', 'all'] : [])], { TILLROLL_DATABASE: url('tillrolld') }, path.join(programs, 'tillrolld'));
  service.client.described = today;
  return service;
}

// As a proxy does: first nobody is sent there any more.
async function retire(services) {
  const [service] = services.splice(0, 1);
  await sleep(1000);
  await service.end();
}

let good = false;
try {
  execFileSync('psql', ['-X', '-q', '-d', url('postgres').replace('/rolling', '/postgres'), '-c', 'CREATE DATABASE rolling OWNER tillroll_owner']);
  execFileSync(...migrate(releases.before));
  const services = [await start(releases.before), await start(releases.before)];
  const witness = new Witness(() => services.map(({ client }) => client), new Random('rolling'));
  await witness.prepare(tables);
  witness.start();
  await witness.moreMoves(moves);
  const applying = spawn(...migrate(releases.today), { stdio: ['ignore', 'pipe', 'inherit'] });
  let applied = '';
  applying.stdout.on('data', (text) => (applied += text));
  const [status] = await once(applying, 'exit');
  assert.equal(status, 0);
  say(`two of before on the database of before: ${witness.moves} moves; then, while they played on: ${applied.trim().replaceAll('\n', ', ')}`);
  for (const both of ['two of before on the new database', 'one of each', 'two of today']) {
    const begin = witness.moves;
    await witness.moreMoves(moves);
    say(`${both}: ${witness.moves - begin} moves`);
    if (both === 'two of today') break;
    services.push(await start(releases.today));
    await retire(services);
  }
  await witness.stop();
  const faults = await witness.checkAll();
  const audit = spawnSync(path.join(build, 'tillroll'), ['audit', '--database', url('tillrolld')], { encoding: 'utf8' });
  if (audit.status !== 0) faults.push(`tillroll audit: ${audit.stdout}${audit.stderr}`);
  const failed = witness.away + witness.unknown;
  say(`${witness.moves} moves of ${witness.games.length} games, ${failed} requests failed, ${faults.length} faults`);
  for (const fault of faults) say(fault);
  good = faults.length === 0 && failed === 0;
} catch (error) {
  console.log(bed.written().toString().split('\n').filter((line) => line.startsWith('tillroll') || line.includes('failed')).slice(-20).join('\n'));
  throw error;
} finally {
  await bed.end();
}
process.exit(good ? 0 : 1);
