// Prints what tests/bench/capacity/measured.json, or the file that is named, means: how well the simulation foretells what was measured,
// which part of an installation gives way first and at how many moves a second, and what so many games need.
import { readFileSync } from 'node:fs';

import { thousands } from '../table.mjs';
import { Clock, Disk, Host, Random, Service, Thread } from './model.mjs';

const SECOND = 1e6;
const measured = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const rates = Object.fromEntries(measured.points.map(({ clients, moves_per_s }) => [clients, moves_per_s]));

// The line through points [x, y], closest in y: { at0, slope }.
function fit(points) {
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean(([each]) => each), mean(([, each]) => each)];
  const slope = mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2);
  return { at0: y - slope * x, slope };
}

// What was measured for each move, with more or fewer of them in a commit, parted into the move's and the commit's.
function costs() {
  const part = (key) => {
    const { at0, slope } = fit(measured.points.map((point) => [1 / point.moves_per_commit, point[key]]));
    return { move: at0, commit: slope };
  };
  return { service: part('service_us'), database: part('database_us'), client: measured.points.at(-1).client_us };
}

// As many clients as are given, each of which sends its next move when the last is answered, all on the same processors: moves a second.
function closed(price, cores, clients, seconds = 1) {
  const clock = new Clock();
  const host = new Host(clock, cores);
  const service = new Service({ host, database: host, disk: new Disk(clock, measured.fsync_us), costs: price });
  const client = new Thread(host);
  const send = () => client.add(price.client, () => service.move(send));
  for (let i = 0; i < clients; i++) send();
  clock.run(seconds * SECOND);
  return service.written / seconds;
}

// The factor, 0 to 4, with which so many clients are as fast as was measured.
function solve(clients, attempt) {
  let [least, most] = [0, 4];
  for (let i = 0; i < 14; i++) {
    const factor = (least + most) / 2;
    if (closed(attempt(factor), measured.cores, clients, 0.2) > rates[clients]) least = factor;
    else most = factor;
  }
  return (least + most) / 2;
}

const scaled = ({ move, commit }, moves, commits) => ({ move: moves * move, commit: commits * commit });

// Processor times as they were measured do not make the rates that were: threads overlap otherwise than here, and a machine that was not
// at rest took longer. So those of moves and those of commits have a factor each, fitted to the rates of one client and of 64.
function fitToRates(times) {
  const price = (moves, commits) => ({ service: scaled(times.service, moves, commits), database: scaled(times.database, moves, commits), client: moves * times.client });
  const commits = (moves) => solve(1, (factor) => price(moves, factor));
  const moves = solve(64, (factor) => price(factor, commits(factor)));
  return { ...price(moves, commits(moves)), moves, commits: commits(moves) };
}

// Work of a loop for each move besides the move itself: a view, a list of legal moves, and three who follow.
const besides = (price) => price.moves * (measured.reads.view_us + measured.reads.legal_moves_us + 3 * measured.message_us);

// Moves that come by themselves, on an installation: how long they take, and what is how busy.
function open(price, installation, rate, seconds = 1) {
  const clock = new Clock();
  const random = new Random(1);
  const flush = installation.flush_us ?? measured.fsync_us;
  const database = new Host(clock, installation.database_cores);
  const disk = new Disk(clock, flush);
  const services = Array.from({ length: installation.services }, () => {
    const host = installation.together ? database : new Host(clock, 1);
    return new Service({ host, database, disk, costs: price, besides: besides(price) });
  });
  const times = [];
  let came = 0;
  const come = () => {
    const at = clock.now;
    came++;
    services[Math.floor(random.next() * services.length)].move(() => times.push(clock.now - at));
    clock.after(random.exponential(SECOND / rate), come);
  };
  come();
  clock.run(seconds * SECOND);
  times.sort((a, b) => a - b);
  const busy = (list, pick) => Math.max(...list.map((each) => pick(each) / clock.now));
  return {
    answered: times.length / came,
    p50: times[times.length >> 1],
    p99: times[Math.ceil(0.99 * times.length) - 1],
    batch: services.reduce((sum, each) => sum + each.written, 0) / services.reduce((sum, each) => sum + each.commits, 0),
    busy: {
      'loop of a service': busy(services, (each) => each.loop.used),
      'backend of a service, with its flushes': busy(services, (each) => each.backend.used + each.commits * flush),
      'processors of the database': busy([database], (each) => each.used / each.cores),
      'disk of the database': busy([disk], (each) => each.used),
    },
  };
}

const holds = (run) => run.answered > 0.9 && run.p99 < 100_000;

// The highest rate that holds, and what is busiest where it no longer does.
function limit(price, installation) {
  let [good, bad] = [100, 1_000_000];
  while (bad / good > 1.03) {
    const rate = Math.sqrt(good * bad);
    if (holds(open(price, installation, rate))) good = rate;
    else bad = rate;
  }
  const [first] = Object.entries(open(price, installation, bad).busy).sort(([, a], [, b]) => b - a);
  return { rate: good, first: first[0], run: open(price, installation, good) };
}

const percent = (part) => `${Math.round(100 * Math.min(part, 1))} %`.padStart(6);
const line = (...cells) => console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(50) : String(cell).padStart(13))).join(''));

const price = fitToRates(costs());
console.log(`For each move / each commit: service ${price.service.move.toFixed(1)} / ${price.service.commit.toFixed(0)} us, database ${price.database.move.toFixed(1)} / ${price.database.commit.toFixed(0)} us; client ${price.client.toFixed(1)} us; flush ${measured.fsync_us} us; that is ${price.moves.toFixed(2)} and ${price.commits.toFixed(2)} of what was measured\n`);

line(`Moves a second, ${measured.cores} cores for all`, 'simulated', 'measured', 'ratio');
for (const [clients, rate] of Object.entries(rates)) {
  const foretold = closed(price, measured.cores, Number(clients));
  line(`${clients} clients${['1', '64'].includes(clients) ? ' (fitted)' : ''}`, thousands(foretold), thousands(rate), (foretold / rate).toFixed(2));
}

console.log(`\nWith each move one view, one list of legal moves and three who follow: ${besides(price).toFixed(0)} us of a loop.`);
line('What gives way first (p99 100 ms)', 'moves/s', 'games', 'a commit', 'p50', 'p99', 'first');
const installations = [
  { name: 'all on one machine of 2 cores', services: 1, database_cores: 2, together: true },
  { name: '4 services, database of 4 cores', services: 4, database_cores: 4 },
  { name: '8 services, database of 8 cores', services: 8, database_cores: 8 },
  { name: '16 services, database of 16 cores', services: 16, database_cores: 16 },
  { name: '8 services, flush of 1 ms', services: 8, database_cores: 8, flush_us: 1000 },
  { name: '8 services, flush of 5 ms (replica elsewhere)', services: 8, database_cores: 8, flush_us: 5000 },
];
const interval = 30; // seconds between two moves of a game
for (const installation of installations) {
  const { rate, first, run } = limit(price, installation);
  line(installation.name, thousands(rate), thousands(rate * interval), run.batch.toFixed(1), `${(run.p50 / 1000).toFixed(1)} ms`, `${(run.p99 / 1000).toFixed(1)} ms`, `  ${first}`);
}

console.log('\nHow busy, 8 services and a database of 8 cores');
const parts = ['loop of a service', 'backend of a service, with its flushes', 'processors of the database', 'disk of the database'];
line('moves/s', 'loop', 'backend', 'processors', 'disk', 'p99');
for (const rate of [100, 1000, 5000, 10_000, 20_000, 33_333, 50_000]) {
  const run = open(price, installations[2], rate);
  line(thousands(rate), ...parts.map((part) => percent(run.busy[part])), holds(run) ? `${(run.p99 / 1000).toFixed(1)} ms` : 'does not hold');
}

console.log(`\nA game moves every ${interval} s and three follow it; loops and processors no more than 60 % busy, 8 moves a commit`);
line('games at once', 'moves/s', 'loops', 'db cores', 'service GiB', 'WAL MB/s', 'GB/day');
for (const games of [20, 1000, 10_000, 100_000, 1_000_000]) {
  const rate = games / interval;
  const cores = (us) => Math.ceil((rate * us) / (0.6 * SECOND));
  const memory = games * measured.game_bytes + 3 * games * measured.stream_bytes;
  line(
    thousands(games),
    thousands(rate),
    cores(price.service.move + price.service.commit / 8 + besides(price)),
    cores(price.database.move + price.database.commit / 8),
    (memory / 2 ** 30).toFixed(memory < 2 ** 30 ? 2 : 0),
    ((rate * measured.points[2].wal_bytes) / 1e6).toFixed(2),
    ((rate * 86_400 * measured.line_bytes) / 1e9).toFixed(2),
  );
}
