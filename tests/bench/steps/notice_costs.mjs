// What notices of turns cost the moves. They are handed over to a receiver that does nothing but answer and count (tests/bench/sink.c): the push
// service of the other bench would take a third of the time of the cores that a notice takes. One service plays short runs in turns, so that what
// else the machine does falls on all alike. Compared are the medians of all runs: moves a second, and the time of the cores for each move, which
// scatters less. How far chance may have moved such a ratio is found by drawing the rounds again and again (bootstrap).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { readFigures } from '../../api/support/figures.mjs';
import { build } from '../bed.mjs';
import { childrenOf, readThread, threadsOf } from '../budget/profile.mjs';
import { heading, likely, median, row, shuffled, thousands } from '../table.mjs';
import { gamesOf } from './moves.mjs';
import { as, fillPlayers, load, options, pause, subscribe, waiting, watch, watchedGames } from './notices.mjs';

const clients = 64;
const part = 100; // moves of a game that is left before it ends
const runsEach = 8; // of a round of the other benches: by fewer, 5 % cannot be told
const restMs = 1000; // after which a game that was left was looked at, and its notice has come

export class Sink {
  async start() {
    this.child = spawn(path.join(build, 'tests/bench_sink'), { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await once(this.child.stdout, 'data');
    this.origin = `http://127.0.0.1:${Number(said)}`;
    return this;
  }

  async count() {
    return Number(await (await fetch(this.origin)).text());
  }

  end() {
    this.child.kill();
  }
}

// Microseconds of the cores that each of these threads and processes has had: the loop and the other threads of the service, the database's
// process that has written most and its others, the receiver.
const used = (tids, of = (tid) => tid) => new Map(tids.map((tid) => [tid, readThread(of(tid), tid).used_us]));
export const coresOf = (bed, service, sink) => ({
  service: used(threadsOf(service.child.pid), () => service.child.pid),
  database: used(childrenOf(bed.cluster.pid())),
  receiver: used([sink.child.pid]),
});

export function sinceThen(service, before, after) {
  const each = (who) => [...after[who]].map(([tid, us]) => [tid, us - (before[who].get(tid) ?? 0)]);
  const sum = (list) => list.reduce((total, [, us]) => total + us, 0);
  const loop = sum(each('service').filter(([tid]) => tid === service.child.pid));
  const writer = Math.max(...each('database').map(([, us]) => us));
  return { loop, threads: sum(each('service')) - loop, writer, database: sum(each('database')) - writer, receiver: sum(each('receiver')) };
}

const parts = ['loop', 'threads', 'writer', 'database', 'receiver', 'client'];
const named = { loop: "the service's loop", threads: 'its other threads', writer: "the database's process that writes", database: 'its others', receiver: 'receiver', client: 'client' };
const commitsOf = async (service) => readFigures((await service.client.get('/metrics')).text).value('tillroll_commit_writes_count');
const logBytes = (bed) => Number(as(bed, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"));

// Moves of `clients` in games that end nowhere: how many, their rate, how many were told; for each move the microseconds of the cores, by whom,
// and the bytes of the database's log; and moves in a commit, on which the first depend.
async function play(bed, service, sink, watched, script, seconds) {
  watch(bed, watched, { looked: true });
  await pause(restMs);
  const told = await sink.count();
  const bytes = logBytes(bed);
  const commits = await commitsOf(service);
  const cores = coresOf(bed, service, sink);
  const run = await bed.load(service, ['--connections', clients, '--seconds', seconds, '--warm-up', 0], script);
  await pause(restMs);
  const us = sinceThen(service, cores, coresOf(bed, service, sink));
  run.per_commit = run.moves / ((await commitsOf(service)) - commits);
  run.us = Object.fromEntries(Object.keys(us).map((who) => [who, us[who] / run.moves]));
  run.us.client = run.client_us;
  run.total = parts.reduce((sum, who) => sum + run.us[who], 0);
  run.log = (logBytes(bed) - bytes) / run.moves;
  while (waiting(bed) > 0) await pause(restMs);
  run.notices = (await sink.count()) - told;
  return run;
}

// `none`: no game is watched. `others`: all subscribers wait for a move in games that are not played meanwhile. `watched`: those who play are
// told of every turn.
async function playRound(bed, service, sink, idle, seconds) {
  const perRun = Math.ceil((gamesOf(clients, seconds) * 150) / part);
  const script = await bed.script(3 * perRun, { moves: part });
  const round = {};
  for (const which of shuffled(['none', 'others', 'watched'])) {
    const watched = which === 'none' ? [] : which === 'others' ? idle : script.read().slice(script.next, script.next + perRun);
    round[which] = await play(bed, service, sink, watched, script, seconds);
  }
  script.drop();
  return round;
}

export async function noticeCosts(bed, { seconds, rounds }) {
  heading('What notices of turns cost the moves');
  const players = await fillPlayers(bed);
  const sink = await new Sink().start();
  const all = [];
  try {
    subscribe(bed, sink, players);
    const idle = (await bed.script(watchedGames, { moves: 4 })).read();
    const service = await bed.serve(options);
    for (let round = 0; round < runsEach * rounds; round++) all.push(await playRound(bed, service, sink, idle, seconds));
    await service.end();
  } finally {
    sink.end();
  }
  const of = (pick, rounds = all) => median(rounds.map(pick));
  const said = (which) =>
    `${which}: ${thousands(of((round) => round[which].moves_per_s))} moves/s, ${of((round) => round[which].per_commit).toFixed(1)} in a commit; ${thousands(of((round) => round[which].notices))} notices of ${thousands(of((round) => round[which].moves))} moves; for each move ${of((round) => round[which].total).toFixed(1)} us: ${parts.map((who) => `${named[who]} ${of((round) => round[which].us[who]).toFixed(1)}`).join(', ')}; bytes of the log ${thousands(of((round) => round[which].log))}`;
  const beside = (which, pick) => likely(all, (rounds) => of((round) => pick(round[which]), rounds) / of((round) => pick(round.none), rounds));
  const ratio = ({ value, from, to }) => `${value.toFixed(3)}x, with 95 % certainty ${from.toFixed(3)}x to ${to.toFixed(3)}x`;
  const enough = ({ value, from, to }) => (to - value > 0.05 || value - from > 0.05 ? '; a difference of 5 % cannot be told by this: more rounds' : '');
  for (const which of ['others', 'watched']) {
    const rates = beside(which, (run) => run.moves_per_s);
    const cores = beside(which, (run) => run.total);
    const perNotice = (who) => of((round) => ((who(round.watched) - who(round.none)) * round.watched.moves) / round.watched.notices).toFixed(0);
    row(`moves a second of ${clients} clients, ${which === 'others' ? 'while other games are watched' : 'in watched games'}, beside those where none is`, rates.value, 'x', { atLeast: 0.95 }, [
      `moves a second: ${ratio(rates)}, by ${all.length} rounds${enough(rates)}; ${load()}`,
      `time of the cores for each move: ${ratio(cores)}`,
      said('none'),
      said(which),
      ...(which === 'watched' ? [`for each notice: ${perNotice((run) => run.total)} us of the cores, of which ${parts.map((who) => `${named[who]} ${perNotice((run) => run.us[who])}`).join(', ')}`] : []),
    ]);
  }
}
