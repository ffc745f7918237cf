// The budget of a move: what each part of it takes, beside what that part takes alone.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

import { readFigures } from '../../api/support/figures.mjs';
import { build } from '../bed.mjs';
import { childrenOf, foldersOfFunctions, readThread, sample, threadsOf, traceCalls } from '../budget/profile.mjs';
import { median } from '../table.mjs';
import { gamesOf } from './moves.mjs';

const counts = [1, 8, 64, 256];
const callNames = new Map([[0, 'read'], [1, 'write'], [18, 'pwrite64'], [44, 'sendto'], [45, 'recvfrom'], [46, 'sendmsg'], [75, 'fdatasync'], [232, 'epoll_wait'], [281, 'epoll_pwait'], [286, 'timerfd_settime']]); // x86-64

const SOCKETS = 'sockets';
const WAKING = 'waiting and waking';
const HTTP = 'HTTP and gate';
const JSON_PART = 'JSON, limits, answer';
const RULES = 'rules';
const RECORD = 'record and receipt';
const SODIUM = 'hash and signature';
const QUEUE = 'queue and SQL protocol';
const FLUSH = 'writing and flush';
const SQL = 'SQL';
const CHAIN = 'SQL: chain hash';
const OTHER = 'memory, clock, interrupts';
const groups = [SOCKETS, WAKING, HTTP, JSON_PART, RULES, RECORD, SODIUM, QUEUE, SQL, CHAIN, FLUSH, OTHER];

const calls = new Map([
  ...['recvfrom', 'sendto', 'sendmsg', 'recvmsg', 'accept4'].map((call) => [call, SOCKETS]),
  ...['epoll_wait', 'epoll_pwait', 'epoll_ctl', 'poll', 'futex', 'read', 'write', 'timerfd_settime', 'eventfd2'].map((call) => [call, WAKING]),
  ...['pwrite64', 'fdatasync', 'fsync', 'pwritev'].map((call) => [call, FLUSH]),
]);
const folders = [
  [/^engine\/(game|games|search)\b/, RULES],
  [/^engine\/(record|log)\b/, RECORD],
  [/^db\b/, QUEUE],
  [/^api\/http\b/, HTTP],
  [/^(api|engine)\b/, JSON_PART],
];
const programs = [
  [/^libmicrohttpd/, HTTP],
  [/^libjansson/, JSON_PART],
  [/^libsodium/, SODIUM],
  [/^libpq/, QUEUE],
  [/^(postgres|plpgsql)/, SQL],
  [/^libcrypto/, CHAIN],
];

function grouping() {
  const folderOf = foldersOfFunctions(build);
  return ({ symbol, program, call }) => {
    if (call !== undefined) return calls.get(call) ?? OTHER;
    if (/^(tcp|ip|skb|sock|unix|inet)_/.test(symbol)) return SOCKETS;
    if (/^(do_)?e?poll_/.test(symbol)) return WAKING;
    if (program === 'tillrolld') {
      const folder = folderOf.get(symbol.replace(/\..*$/, ''));
      return folders.find(([pattern]) => folder !== undefined && pattern.test(folder))?.[1] ?? OTHER;
    }
    return programs.find(([pattern]) => pattern.test(program))?.[1] ?? OTHER;
  };
}

// Runs a command whose words end where `perf` takes the program that it is to watch.
const runWith = (load) => async (recording) => {
  const child = spawn(recording[0], recording.slice(1), { stdio: ['ignore', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  await load();
  child.kill('SIGINT');
  await ended;
};

// The backend that writes moves: it works most meanwhile.
async function findWriter(postmaster, load) {
  const before = new Map(childrenOf(postmaster).map((pid) => [pid, readThread(pid).used_us]));
  await load();
  const used = (pid) => readThread(pid).used_us - before.get(pid);
  return [...before.keys()].sort((a, b) => used(b) - used(a))[0];
}

const total = (tids, of) => tids.reduce((sum, tid) => sum + of(tid), 0);

async function readState(bed, service, writer) {
  const figures = readFigures((await service.client.get('/metrics')).text);
  const { pid } = service.child;
  const backend = readThread(writer);
  const loop = readThread(pid);
  return {
    loop: loop.used_us,
    loop_switches: loop.switches,
    service: total(threadsOf(pid), (tid) => readThread(pid, tid).used_us) - loop.used_us,
    backend: backend.used_us,
    backend_switches: backend.switches,
    database: total(childrenOf(bed.cluster.pid()), (each) => readThread(each).used_us) - backend.used_us,
    commits: figures.value('tillroll_commit_writes_count'),
  };
}

async function measure(bed, service, clients, seconds, groupOf, files) {
  const script = await bed.script(3 * gamesOf(clients, seconds + 2));
  const load = () => bed.load(service, ['--connections', clients, '--seconds', seconds, '--warm-up', 1], script);
  const writer = await findWriter(bed.cluster.pid(), () => bed.load(service, ['--connections', clients, '--seconds', 1], script));
  const threads = [service.child.pid, writer];
  const before = await readState(bed, service, writer);
  const run = await bed.load(service, ['--connections', clients, '--seconds', seconds], script);
  const after = await readState(bed, service, writer);
  const parts = await sample(runWith(load), threads, path.join(files, 'samples'), groupOf);
  const times = clients === 1 ? await traceCalls(runWith(load), threads, path.join(files, 'calls'), callNames) : undefined;
  script.drop();
  const each = Object.fromEntries(Object.keys(before).map((key) => [key, (after[key] - before[key]) / run.moves]));
  return { clients, run, each, parts: [...parts.values()], times };
}

const number = (value) => (value < 0.05 ? '-' : value.toFixed(1)).padStart(9);
const line = (what, values, limit = '') => console.log(`${what.padEnd(34)}${values.map(number).join('')}   ${limit}`);

function printParts(title, points, of, thread, limits) {
  console.log(title);
  for (const group of groups) {
    const values = points.map(({ each, parts }) => {
      const all = [...parts[thread].values()].reduce((sum, count) => sum + count, 0);
      return (each[of] * (parts[thread].get(group) ?? 0)) / Math.max(1, all);
    });
    if (values.some((value) => value >= 0.05)) line(`  ${group}`, values, limits[group]);
  }
}

// The way of one move, of which each step waits for the one before.
function printWay({ run, times }, fsync) {
  const [loop, database] = [...times.values()].map((of) => (...keys) => keys.reduce((sum, key) => sum + (of.has(key) ? median(of.get(key)) : 0), 0));
  const steps = [
    ['service: request read, checked, played, sent on', loop('recvfrom > sendto', 'sendto')],
    ['database: statement and chain check', database('recvfrom > pwrite64')],
    ['database: writing the log', database('pwrite64')],
    ['database: flush', database('fdatasync'), `${fsync.toFixed(0)}: 8 KiB written and synced`],
    ['database: end of the transaction, answer', database('fdatasync > sendto', 'sendto')],
    ['service: commit read, answer made', loop('recvfrom', 'recvfrom > epoll_wait', 'epoll_wait > sendmsg')],
    ['service: answer sent', loop('sendmsg')],
  ];
  const sum = steps.reduce((all, [, time]) => all + time, 0);
  console.log('The way of a move, 1 client: medians of real time, in microseconds, each with its share of the tracing');
  for (const [what, time, limit] of steps) line(`  ${what}`.padEnd(52), [time], limit);
  line('  client, and four times waking and being woken'.padEnd(52), [run.p50_us - sum]);
  line('  altogether (p50 of the client, untraced)'.padEnd(52), [run.p50_us]);
  line('  beside it: the signature, during the flush'.padEnd(52), [loop('sendto > epoll_wait')]);
}

function readLimits() {
  const output = execFileSync(path.join(build, 'tests/bench_limits'), { encoding: 'utf8' });
  return Object.fromEntries(output.trim().split('\n').map((each) => [each.split(' ')[0], Number(each.split(' ')[1])]));
}

// Processor time of the database for one of pgbench's inserts.
async function insertAlone(bed, clients, seconds) {
  const used = () => {
    const fields = execFileSync('cat', [`/proc/${bed.cluster.pid()}/stat`], { encoding: 'utf8' }).replace(/^.*\) /s, '').split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10_000; // of processes that have ended
  };
  const before = used();
  const { rate, p50_us } = await bed.pgbench(clients, seconds);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { us: (used() - before) / (rate * (seconds + Math.ceil(clients / 100))), rate, p50_us };
}

export async function budget(bed, { seconds }) {
  try {
    execFileSync('perf', ['stat', '-e', 'raw_syscalls:sys_enter', 'true'], { stdio: 'ignore' });
  } catch {
    console.log('The budget of a move needs perf, and the rights to trace (root).');
    return;
  }
  const service = await bed.serve();
  const files = mkdtempSync(path.join(bed.directory, 'budget-'));
  const groupOf = grouping();
  const limit = readLimits();
  const fsync = bed.fsync();
  const points = [];
  const inserts = [];
  for (const clients of counts) {
    points.push(await measure(bed, service, clients, seconds, groupOf, files));
    inserts.push(await insertAlone(bed, clients, seconds));
  }
  rmSync(files, { recursive: true });
  const tcp = `${limit.tcp.toFixed(1)}: a round trip over TCP, both ends`;
  const switching = `${limit.unix.toFixed(1)}: a round trip over a Unix socket, both ends, two switches`;
  console.log('\nThe budget of a move: processor time in microseconds, and what a part takes alone');
  console.log(`${'clients'.padEnd(34)}${counts.map((count) => String(count).padStart(9)).join('')}   alone`);
  line('moves in a commit', points.map(({ each }) => 1 / each.commits));
  line('p50 of a move, real time', points.map(({ run }) => run.p50_us), `${inserts.map((each) => each.p50_us.toFixed(0)).join(' ')}: an insert by pgbench, with ${counts.join(' ')} clients`);
  line('client', points.map(({ run }) => run.client_us));
  line('service, the loop', points.map(({ each }) => each.loop));
  line('service, other threads', points.map(({ each }) => each.service));
  line('database, the writer', points.map(({ each }) => each.backend), `${inserts.map(({ us }) => us.toFixed(0)).join(' ')}: an insert by pgbench, with ${counts.join(' ')} clients`);
  line('database, other processes', points.map(({ each }) => each.database));
  line('context switches, loop', points.map(({ each }) => each.loop_switches), '2 a move alone in its commit');
  line('context switches, writer', points.map(({ each }) => each.backend_switches), '2 a commit: its request, and the flush');
  printParts('the loop', points, 'loop', 0, {
    [SOCKETS]: tcp,
    [WAKING]: switching,
    [JSON_PART]: `${limit.json.toFixed(1)}: reading the body as JSON`,
    [SODIUM]: `${limit.hash.toFixed(1)}: SHA-256 of a line; ${limit.sign.toFixed(1)}: an Ed25519 signature, one a commit`,
  });
  printParts('the writer', points, 'backend', 1, {
    [CHAIN]: `${limit.hash.toFixed(1)}: SHA-256 of a line`,
    [FLUSH]: `${fsync.toFixed(0)}: real time to write and sync 8 KiB`,
  });
  printWay(points[0], fsync);
  await service.end();
}
