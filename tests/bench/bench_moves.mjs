// Durable moves per second over HTTP: tables of random players against a server and a PostgreSQL of
// their own on this machine. Prints, per number of tables that play at the same time, how many moves
// were answered per second of the whole run, the median and the 99th percentile of a move's time.
// Each move is one POST on a kept connection; its legal moves are read before it and count in the
// run's time, not in the move's. Build first (./deploy/run or ./tests/run), then:
//
//     node tests/bench/bench_moves.mjs [TABLES...]      (default 1 8 32)
import http from 'node:http';

import { Client } from '../api/support/client.mjs';
import { makeEvent, makePlayer, makePlayers, startRound } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';

const SECONDS = 5;
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 8, 32];
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });

function request(port, method, path, token, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { Authorization: `Bearer ${token}` };
    if (text !== undefined) Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    const sent = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(Buffer.concat(parts)) }));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

async function playTable(port, game, until, times) {
  let deciders = [...Array(game.players.length).keys()];
  while (performance.now() < until && deciders.length > 0) {
    const seat = deciders[0];
    const { token } = game.players[seat];
    const legal = (await request(port, 'GET', `${game.at}/legal-moves`, token)).body;
    if (legal.moves.length === 0) {
      deciders = deciders.slice(1);
      continue;
    }
    const move = legal.moves[Math.floor(Math.random() * legal.moves.length)];
    const begin = performance.now();
    const played = await request(port, 'POST', `${game.at}/moves`, token, { moves: [move], seq: legal.seq });
    times.push(performance.now() - begin);
    if (played.status !== 200) throw new Error(`${move}: ${played.status}`);
    deciders = played.body.deciders;
  }
}

const bed = new Testbed();
try {
  const service = await bed.startService(['--connections-per-address', '4096']);
  const client = service.client ?? new Client(service.port);
  const organizer = await makePlayer(client, 'Organizer');
  const players = await makePlayers(client, 3 * Math.max(...counts), 'Player');
  console.log('tables   moves/s   p50 ms   p99 ms');
  for (const count of counts) {
    const settings = { seats_min: 3, seats_max: 3, rounds: 1 };
    const event = await makeEvent(client, organizer, players.slice(0, 3 * count), settings);
    const { games } = await startRound(client, event, organizer, players);
    const times = [];
    const begin = performance.now();
    await Promise.all(games.map((game) => playTable(client.port, game, begin + SECONDS * 1000, times)));
    const seconds = (performance.now() - begin) / 1000;
    times.sort((a, b) => a - b);
    const at = (part) => times[Math.floor(part * (times.length - 1))].toFixed(2).padStart(8);
    console.log(`${String(count).padStart(6)} ${(times.length / seconds).toFixed(0).padStart(9)} ${at(0.5)} ${at(0.99)}`);
  }
} finally {
  agent.destroy();
  await bed.end();
}
