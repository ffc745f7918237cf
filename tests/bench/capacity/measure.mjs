// Measures on this machine what tests/bench/capacity/simulate.mjs asks of it, and prints it as JSON; tests/bench/capacity/run builds
// what it needs first. Times are those that processors were used, which other work on the machine changes less than it changes rates.
import { readFileSync, readdirSync } from 'node:fs';

import { readFigures } from '../../api/support/figures.mjs';
import { Bed } from '../bed.mjs';
import { gamesOf } from '../steps/moves.mjs';

const TICK_US = 10_000; // of the times in /proc
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const viewers = 1000;

// { parent, used_us } of a process, or undefined if it has ended.
function readProcess(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    return { parent: Number(fields[1]), used_us: (Number(fields[11]) + Number(fields[12])) * TICK_US };
  } catch {
    return undefined;
  }
}

// Microseconds of processors that the database's processes have used, as far as they still run.
function usedByDatabase(postmaster) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(readProcess);
  return all.filter((each) => each?.parent === postmaster).reduce((sum, each) => sum + each.used_us, 0);
}

async function readState(bed, service) {
  const figures = readFigures((await service.client.get('/metrics')).text);
  const [wal, lines] = bed.sql("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'), count(*) FROM tillroll.record_line").split('|').map(Number);
  const { used_us } = readProcess(service.child.pid);
  return { service: used_us, database: usedByDatabase(bed.cluster.pid()), commits: figures.value('tillroll_commit_writes_count'), wal, lines };
}

const rounded = (number) => Number(number.toPrecision(3));

// What a move costs with so many clients.
async function measureMoves(bed, service, clients) {
  const script = await bed.script(gamesOf(clients, seconds + 1));
  bed.sql('CHECKPOINT');
  const before = await readState(bed, service);
  const run = await bed.load(service, ['--connections', clients, '--seconds', seconds], script);
  const after = await readState(bed, service);
  script.drop();
  const each = (key) => (after[key] - before[key]) / (after.lines - before.lines);
  return {
    clients,
    moves_per_s: Math.round(run.moves_per_s),
    service_us: rounded(each('service')),
    database_us: rounded(each('database')),
    client_us: rounded(run.client_us),
    moves_per_commit: rounded(1 / each('commits')),
    wal_bytes: Math.round(each('wal')),
  };
}

// Processor time of the service for one answer to GET.
async function measureRead(bed, service, target, token) {
  if (token !== undefined) process.env.TILLROLL_TOKEN = token;
  const before = readProcess(service.child.pid).used_us;
  const run = await bed.load(service, ['--get', target, '--connections', 32, '--seconds', seconds]);
  delete process.env.TILLROLL_TOKEN;
  return rounded((readProcess(service.child.pid).used_us - before) / run.answers);
}

// Processor time of the service for one message to one who follows.
async function measureStreams(bed, service) {
  const script = await bed.script(2);
  const target = `/v1/games/${script.read()[0].id}/stream`;
  await (await bed.watch(service, target, 50, 1)).report;
  const watching = await bed.watch(service, target, viewers, seconds + 2);
  const before = readProcess(service.child.pid).used_us;
  await bed.load(service, ['--connections', 1, '--think', 20, '--seconds', seconds], script);
  const { received } = await watching.report;
  return rounded((readProcess(service.child.pid).used_us - before) / received);
}

const bed = await Bed.open();
try {
  await bed.fill('players', '--count', 1000);
  const fsync_us = Math.round(bed.fsync());
  const service = await bed.serve();
  const points = [];
  for (const clients of [1, 8, 64, 256]) points.push(await measureMoves(bed, service, clients));
  bed.sql('VACUUM tillroll.record_line');
  const [bytes, lines] = bed.sql("SELECT pg_total_relation_size('tillroll.record_line'), count(*) FROM tillroll.record_line").split('|').map(Number);
  const [game] = (await bed.script(1)).read();
  const reads = {
    view_us: await measureRead(bed, service, `/v1/games/${game.id}/view`),
    legal_moves_us: await measureRead(bed, service, `/v1/games/${game.id}/legal-moves`, game.tokens[game.plies[0][0]]),
  };
  const message_us = await measureStreams(bed, service);
  console.log(JSON.stringify({ fsync_us, points, line_bytes: Math.round(bytes / lines), reads, message_us }, null, 2));
  await service.end();
} finally {
  await bed.end();
}
