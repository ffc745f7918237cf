// Notices of turns to 10,000 browsers: how long after a move they come, and what a service costs its database while nobody wants any. Delays are
// measured at a push service of the bench's own, in this process. What notices cost the moves is measured by notice-costs.
import { createECDH, createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { loadavg } from 'node:os';
import path from 'node:path';

import { heading, row, thousands } from '../table.mjs';

export const subscribers = 10_000;
export const watchedGames = subscribers / 2;
const rates = [50, 200, 500]; // moves a second
const quietSeconds = 20;
const patienceMs = 60_000; // for what is still to come

export const pause = (milliseconds) => new Promise((resolve) => void setTimeout(resolve, milliseconds));
export const options = ['--push-targets', 'all'];
export const load = () => `load average ${loadavg()[0].toFixed(1)}`;

// Answers 201 to everything. `arrived(topic, player)` hears of each message; `player` counts from 0.
class PushService {
  count = 0;
  arrived = () => {};

  async start() {
    this.server = http.createServer((request, response) => {
      this.count += 1;
      this.arrived(request.headers.topic, Number(request.url.slice(1)));
      request.resume();
      response.writeHead(201).end();
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  end() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const as = (bed, statements) => bed.sql(`SET search_path = tillroll, public; ${statements}`);

// A browser of each player, and no others. They share a key pair, which takes the service as long as 10,000 different ones.
export function subscribe(bed, push, players) {
  const file = path.join(bed.directory, 'subscriptions');
  const pair = createECDH('prime256v1');
  const key = pair.generateKeys('hex');
  const id = (number) => `0193a000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
  writeFileSync(file, players.map(([player], i) => [id(i), player, `${push.origin}/${i}`, `\\\\x${key}`, `\\\\x${randomBytes(16).toString('hex')}`, 'bench', 'en'].join('\t')).join('\n'));
  as(bed, `TRUNCATE push_subscription;\n\\copy push_subscription (id, player_id, endpoint, public_key, auth, device, language) FROM '${file}'`);
}

// Only these games are watched, as if they had just begun, or as if they had been looked at. Nothing else waits.
export function watch(bed, games, { looked = false } = {}) {
  const seq = looked ? '(SELECT max(seq) FROM record_line WHERE game_id = game)' : '-1';
  const ids = `'{${games.map(({ id }) => id).join(',')}}'::uuid[]`;
  as(bed, `DELETE FROM notice_cause; DELETE FROM outbox; DELETE FROM notice_watch; INSERT INTO notice_watch (game_id, seq) SELECT game, ${seq} FROM unnest(${ids}) AS game; ANALYZE notice_watch`);
}

export const waiting = (bed) => Number(as(bed, "SELECT count(*) FROM outbox WHERE state = 'waiting'"));

const unseen = (bed) => Number(as(bed, 'SELECT count(*) FROM notice_watch WHERE seq = -1'));

// Until the first notice has come, all games have been looked at, and no notice waits.
async function settle(bed, push) {
  const begin = performance.now();
  while (push.count === 0 || unseen(bed) > 0 || waiting(bed) > 0) {
    if (performance.now() - begin > patienceMs) throw new Error(`${waiting(bed)} notices are still waiting`);
    await pause(500);
  }
}

// ---- From a move to its notice ----

const topicOf = (game) => createHash('sha256').update(game.id).digest('hex').slice(0, 32);

// Plays one move in each game in turn, at a fixed rate, from where the run before ended: `turn` counts them all. The time of a notice begins when its move is sent, so it includes
// the move's own. Resolves with these times in ms and what went wrong.
async function paced(push, service, games, turn, players, rate, seconds) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const numbers = new Map(players.map(([, token], i) => [token, i]));
  const open = new Map(); // by topic
  const found = { times: [], wrong: 0, others: 0, moves: 0, lost: 0 };
  push.arrived = (topic, player) => {
    const expected = open.get(topic);
    if (expected === undefined || expected.player !== player) {
      found.others += 1;
      return;
    }
    open.delete(topic);
    found.times.push(performance.now() - expected.sent);
  };
  const move = (game) => {
    const [seat, seq, , text] = game.plies[game.played];
    const next = game.plies[(game.played += 1)];
    const topic = topicOf(game);
    if (open.has(topic)) found.lost += 1; // overtaken by the answer to it
    open.delete(topic);
    if (next !== undefined && next[0] !== seat) open.set(topic, { sent: performance.now(), player: numbers.get(game.tokens[next[0]]) });
    const headers = { authorization: `Bearer ${game.tokens[seat]}`, 'content-type': 'application/json' };
    const request = http.request({ agent, host: '127.0.0.1', port: service.client.port, method: 'POST', path: `/v1/games/${game.id}/moves`, headers }, (response) => {
      if (response.statusCode !== 200) found.wrong += 1;
      response.resume();
    });
    request.on('error', () => (found.wrong += 1));
    request.end(JSON.stringify({ moves: [text], seq }));
  };
  const begin = performance.now();
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - begin) / 1000) {
    for (; found.moves < elapsed * rate; found.moves += 1) move(games[(turn + found.moves) % games.length]);
    await pause(5);
  }
  for (const end = performance.now() + patienceMs; open.size > 0 && performance.now() < end; ) await pause(50);
  found.lost += open.size;
  agent.destroy();
  push.arrived = () => {};
  found.times.sort((a, b) => a - b);
  return found;
}

async function delays(bed, push, players, { seconds, rounds }) {
  const most = Math.ceil((rounds * seconds * 2 * rates.reduce((sum, rate) => sum + rate)) / watchedGames) + 4;
  const games = (await bed.script(watchedGames, { moves: most })).read();
  for (const game of games) game.played = 0;
  watch(bed, games);
  const begin = performance.now();
  const service = await bed.serve(options);
  await settle(bed, push);
  const all = (performance.now() - begin) / 1000;
  row('notices a second, where many wait', push.count / all, '/s', {}, [`${thousands(push.count)} in ${all.toFixed(1)} s; ${load()}`]);
  let turn = 0;
  for (const rate of rates) {
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      runs.push(await paced(push, service, games, turn, players, rate, 2 * seconds));
      turn += runs.at(-1).moves;
    }
    const times = runs.flatMap((run) => run.times).sort((a, b) => a - b);
    const at = (fraction) => times[Math.ceil(fraction * times.length) - 1];
    const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
    row(`p99 from a move to its notice, ${rate} moves a second, ${thousands(subscribers)} subscribers`, at(0.99), 'ms', { atLeast: 1000, less: true }, [
      `${thousands(times.length)} notices of ${thousands(sum('moves'))} moves: p50 ${at(0.5).toFixed(0)} ms, slowest ${at(1).toFixed(0)} ms; p99 of the rounds ${runs.map((run) => run.times[Math.ceil(0.99 * run.times.length) - 1]?.toFixed(0)).join(', ')} ms`,
      `${sum('lost')} did not come before the next move, ${sum('others')} of something else came, ${sum('wrong')} moves failed; ${load()}`,
    ]);
  }
  await service.end();
}

// ---- Without any ----

async function quiet(bed) {
  watch(bed, []);
  const count = () => Number(bed.sql("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'tillroll'"));
  const measure = async (more) => {
    const service = await bed.serve([...options, ...more]);
    await pause(5000);
    const before = count();
    await pause(quietSeconds * 1000);
    const rate = (count() - before) / quietSeconds;
    await service.end();
    return rate;
  };
  const without = await measure(['--notices-ms', '0']);
  row('transactions a second of a service that nobody uses', await measure([]), '/s', { atLeast: 10, less: true }, [`${without.toFixed(1)} with --notices-ms 0; ${load()}`]);
}

// As many players as there are browsers: [id, token].
export async function fillPlayers(bed) {
  await bed.fill('players', '--count', subscribers - 4000);
  return readFileSync(bed.tokens, 'utf8').trim().split('\n').map((line) => line.split(' '));
}

export async function notices(bed, scale) {
  heading('Notices of turns');
  const players = await fillPlayers(bed);
  const push = await new PushService().start();
  try {
    await quiet(bed);
    subscribe(bed, push, players);
    await delays(bed, push, players, scale);
  } finally {
    push.end();
  }
}
