// What notices of turns cost the moves. They are handed over to a receiver that does nothing but answer and count (tests/bench/sink.c): the push
// service of the other bench would take a third of the time of the cores that a notice takes. One service plays short runs in turns, so that what
// else the machine does falls on all alike, and compares each with the others of its round: moves a second, and the time of the cores for each
// move, which scatters less.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { build } from '../bed.mjs';
import { heading, median, row, shuffled, thousands } from '../table.mjs';
import { gamesOf } from './moves.mjs';
import { as, fillPlayers, load, options, pause, subscribe, watch, watchedGames } from './notices.mjs';

const clients = 64;
const part = 100; // moves of a game that is left before it ends
const runsEach = 4; // of a round of the other benches
const restMs = 1000; // after which a game that was left was looked at, and its notice has come

class Sink {
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

// The parent of a process, and its seconds of a core, with those of its children that have ended.
function lookAt(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ').map(Number);
    return { parent: fields[1], seconds: (fields[11] + fields[12] + fields[13] + fields[14]) / 100 };
  } catch {
    return { seconds: 0 }; // it has ended
  }
}

// Of the postmaster and its processes.
function databaseSeconds(postmaster) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => ({ pid: Number(pid), ...lookAt(pid) }));
  return all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster).reduce((sum, { seconds }) => sum + seconds, 0);
}

// By whom: seconds of the cores so far.
const coresOf = (bed, service, sink) => ({ service: lookAt(service.child.pid).seconds, database: databaseSeconds(bed.cluster.pid()), receiver: lookAt(sink.child.pid).seconds });

const parts = ['service', 'database', 'receiver', 'client'];
const logBytes = (bed) => Number(as(bed, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"));

// Moves of `clients` in games that end nowhere: how many, their rate, how many were told, and for each move the microseconds of the cores, by
// whom, and the bytes of the database's log.
async function play(bed, service, sink, watched, script, seconds) {
  watch(bed, watched, { looked: true });
  await pause(restMs);
  const told = await sink.count();
  const bytes = logBytes(bed);
  const cores = coresOf(bed, service, sink);
  const run = await bed.load(service, ['--connections', clients, '--seconds', seconds, '--warm-up', 0], script);
  await pause(restMs);
  const used = coresOf(bed, service, sink);
  run.notices = (await sink.count()) - told;
  run.us = Object.fromEntries(Object.keys(used).map((who) => [who, (1e6 * (used[who] - cores[who])) / run.moves]));
  run.us.client = run.client_us;
  run.total = parts.reduce((sum, who) => sum + run.us[who], 0);
  run.log = (logBytes(bed) - bytes) / run.moves;
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

// The median, and between which values the middle half of the rounds lies.
function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (fraction) => sorted[Math.round(fraction * (sorted.length - 1))];
  return `${median(values).toFixed(3)}x (middle half of the rounds ${at(0.25).toFixed(3)}x to ${at(0.75).toFixed(3)}x)`;
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
  const of = (pick) => median(all.map(pick));
  const said = (which) =>
    `${which}: ${thousands(of((round) => round[which].moves_per_s))} moves/s, ${thousands(of((round) => round[which].notices))} notices of ${thousands(of((round) => round[which].moves))} moves; for each move us of ${parts.map((who) => `${who} ${of((round) => round[which].us[who]).toFixed(1)}`).join(', ')}; bytes of the log ${thousands(of((round) => round[which].log))}`;
  for (const which of ['others', 'watched']) {
    const rates = all.map((round) => round[which].moves_per_s / round.none.moves_per_s);
    const cores = all.map((round) => round[which].total / round.none.total);
    const perNotice = (who) => of((round) => ((who(round.watched) - who(round.none)) * round.watched.moves) / round.watched.notices).toFixed(0);
    row(`moves a second of ${clients} clients, ${which === 'others' ? 'while other games are watched' : 'in watched games'}, beside those where none is`, median(rates), 'x', { atLeast: 0.95 }, [
      `moves a second: ${middle(rates)}; ${load()}`,
      `time of the cores for each move: ${middle(cores)}`,
      said('none'),
      said(which),
      ...(which === 'watched' ? [`for each notice: ${perNotice((run) => run.total)} us of the cores, of which ${parts.map((who) => `${who} ${perNotice((run) => run.us[who])}`).join(', ')}`] : []),
    ]);
  }
}
