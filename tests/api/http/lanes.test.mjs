// Clients that make the service work hard, or fill its places, must not keep others out: passwords, reports and streams have places of their own, and
// long work is charged by the time it took.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Client, good } from '../support/client.mjs';
import { makeGame, makePlayer, makePlayers, password } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { root, Testbed } from '../support/testbed.mjs';

let bed;
let players;
let organizer;
let games;
let event;

before(async () => {
  bed = new Testbed();
  const { client } = await bed.startService();
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 9);
  games = [];
  for (let i = 0; i < 3; i++) {
    const made = await makeGame(client, organizer, players.slice(3 * i, 3 * i + 3));
    games.push(made.game);
    event = made.event;
  }
});
after(() => bed.end());

// A report file that takes a while to check: everybody has met the neighbour.
function reportFile(count) {
  const lines = ['012 Open', 'XXR 15'];
  for (let number = 1; number <= count; number++) {
    const odd = number % 2 === 1;
    const game = `${String(odd ? number + 1 : number - 1).padStart(6)} ${odd ? 'w 1' : 'b 0'}`;
    lines.push(`001 ${String(number).padStart(4)}`.padEnd(14) + 'Player'.padEnd(33) + '     '.padEnd(33) + (odd ? ' 1.0' : ' 0.0') + String(number).padStart(5) + `  ${game.slice(2)}`);
  }
  return lines.join('\r\n');
}

const check = (client, body, { token, from } = {}) =>
  client.request('POST', '/v1/exchange/trf/check', { token, body, headers: { 'Content-Type': 'text/plain', ...(from && { 'X-Forwarded-For': from }) } });
const short = reportFile(4);
const large = reportFile(1000);

function assertMustWait(answer, status, code) {
  assert.equal(`${answer.status} ${answer.json.code}`, `${status} ${code}`, answer.text);
  assert.ok(Number(answer.headers['retry-after']) >= 1);
}

describe('reports', () => {
  // A millisecond a minute: whoever has had one report has to wait.
  it('are charged to the address, or to the player who is signed in', async () => {
    const { client } = await bed.startService(['--trusted-proxy', '127.0.0.1', '--report-ms-per-minute', '1']);
    assert.equal(good(await check(client, short, { from: '192.0.2.1' })).same, false);
    assertMustWait(await check(client, short, { from: '192.0.2.1' }), 429, 'too-many-requests');
    good(await check(client, short, { from: '192.0.2.2' }));
    good(await check(client, short, { from: '192.0.2.1', token: players[0].token }));
    assertMustWait(await check(client, short, { from: '192.0.2.3', token: players[0].token }), 429, 'too-many-requests');
    good(await check(client, short, { from: '192.0.2.1', token: players[1].token }));
    assert.equal((await check(client, short, { token: 'tr_nonsense' })).status, 401);
    const answer = await client.get(`/v1/events/${event.id}/bundle`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    assertMustWait(answer, 429, 'too-many-requests');
  });

  it('are what an event was like, too, and its statistics', async () => {
    const begin = async (...more) => (await bed.startService(['--trusted-proxy', '127.0.0.1', '--report-ms-per-minute', '1', ...more])).client;
    const get = async (client, target, from) => (await client.get(target, { headers: { 'X-Forwarded-For': from }, unchecked: true })).status;
    // A request that took less than a millisecond leaves room for another.
    const fourOf = async (client, from, target) => {
      const statuses = [];
      for (const line of [2, 3, 4, 5]) statuses.push(await get(client, target(line), from));
      return statuses;
    };
    const [keeps, forgets] = [await begin(), await begin('--answer-cache-bytes', '0')];
    for (const [i, what] of ['', '/entries', '/log', '/rounds', '/rounds.ics'].entries()) {
      const from = `192.0.2.${10 + i}`;
      const statuses = await fourOf(keeps, from, (line) => `/v1/events/${event.id}${what}?as_of=${line}`);
      assert.deepEqual([statuses[0], statuses[3]], [200, 429], `${what} ${statuses}`);
      // What is so now costs nothing that would be charged.
      assert.equal(await get(keeps, `/v1/events/${event.id}${what}`, from), 200);
    }
    const statistics = () => `/events/${event.id}/statistics`;
    assert.deepEqual(await fourOf(keeps, '192.0.2.20', statistics), [200, 200, 200, 200]);
    assert.equal((await fourOf(forgets, '192.0.2.20', statistics))[3], 429);
    const recordings = () => `/v1/events/${event.id}/rounds/1/tables/1/recordings`;
    assert.equal((await fourOf(keeps, '192.0.2.23', recordings))[3], 429);
    // Every page of a season's standings is made from all its events.
    const { client } = await bed.startService();
    const season = good(await client.post('/v1/seasons', { name: 'A season', method: 'points' }, organizer.token));
    good(await client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, organizer.token));
    for (const [i, what] of [`/v1/seasons/${season.id}/standings?limit=`, `/seasons/${season.id}?limit=`].entries())
      assert.equal((await fourOf(forgets, `192.0.2.${21 + i}`, (line) => `${what}${line}`))[3], 429, what);
  });

  it('are charged to all together who are not signed in', async () => {
    const { client } = await bed.startService(['--trusted-proxy', '127.0.0.1', '--reports-ms-per-minute', '1']);
    good(await check(client, short, { from: '192.0.2.1' }));
    assertMustWait(await check(client, short, { from: '192.0.2.2' }), 429, 'too-many-requests');
    for (let i = 0; i < 3; i++) good(await check(client, short, { from: '192.0.2.2', token: players[0].token }));
  });

  it('of 40 addresses keep no login out, and nobody who is signed in', async () => {
    const service = await bed.startService(['--trusted-proxy', '127.0.0.1', '--report-ms-per-minute', '6000', '--reports-ms-per-minute', '20000']);
    const clients = Array.from({ length: 5 }, () => new Client(service.client.port));
    const addresses = Array.from({ length: 40 }, (_, i) => `198.51.100.${i + 1}`);
    const reports = addresses.flatMap((from, i) => Array.from({ length: 10 }, () => check(clients[i % 4], large, { from })));
    const signIn = async (i) =>
      clients[4].request('POST', '/v1/tokens', { json: { name: players[i % 9].name, password }, headers: { 'X-Forwarded-For': `203.0.113.${i + 1}` } });
    const logins = await Promise.all(Array.from({ length: 40 }, (_, i) => signIn(i)));
    assert.deepEqual(logins.map((each) => each.status), logins.map(() => 201));
    good(await check(clients[4], short, { token: players[0].token, from: addresses[0] }));
    const answers = await Promise.all(reports);
    const count = (status) => answers.filter((each) => each.status === status).length;
    assert.ok(count(200) > 0);
    assert.ok(count(503) > 0);
    assert.equal(count(200) + count(429) + count(503), 400);
    for (const each of answers.filter(({ status }) => status !== 200)) assert.ok(Number(each.headers['retry-after']) >= 1);
    for (const each of clients) each.close();
  });
});

describe('a long answer', () => {
  it('counts as several reads, unless it is kept', async () => {
    const set = JSON.stringify({ ...JSON.parse(readFileSync(path.join(root, 'engine/games/shinjuku/components.json'), 'utf8')), title: 'x'.repeat(34_000) });
    const { client: open } = await bed.startService();
    good(await open.request('POST', '/v1/rulesets/shinjuku/components', { body: set, token: organizer.token, headers: { 'Content-Type': 'application/json' } }));
    const long = `/v1/components/${createHash('sha256').update(set).digest('hex')}`;
    const answered = async (...cache) => {
      const { client } = await bed.startService(['--reads-per-minute', '120', ...cache]); // 13 at once
      let count = 0;
      while ((await client.get(long)).status === 200) count++;
      return count;
    };
    const [forgotten, kept] = [await answered('--answer-cache-bytes', '0'), await answered()];
    assert.ok(kept >= forgotten + 3, `${forgotten} ${kept}`);
  });
});

describe('streams', () => {
  it('of those who are not signed in leave room for who is, and these for who plays', async () => {
    const { client } = await bed.startService(['--trusted-proxy', '127.0.0.1', '--streams', '16', '--streams-per-address', '2', '--streams-per-player', '3']);
    const open = [];
    const follow = async (game, address, token) => {
      const stream = await Stream.open(client, `/v1/games/${game.id}/stream`, { token, headers: { 'X-Forwarded-For': address } });
      if (stream.status === 200) open.push(stream);
      else await stream.ended();
      return stream;
    };
    const refused = async (stream, status, code) => assertMustWait({ ...stream, text: '' }, status, code);
    // From as many addresses as they like.
    for (let i = 0; i < 8; i++) assert.equal((await follow(games[0], `192.0.2.${i + 1}`)).status, 200);
    for (let i = 8; i < 20; i++) await refused(await follow(games[0], `192.0.2.${i + 1}`), 503, 'unavailable');
    // Signed in, but not at their own games.
    for (let i = 0; i < 6; i++) assert.equal((await follow(games[2], `192.0.2.${101 + i}`, players[i % 2].token)).status, 200);
    await refused(await follow(games[2], '192.0.2.150', players[2].token), 503, 'unavailable');
    await refused(await follow(games[1], '192.0.2.150'), 503, 'unavailable');
    // Players at their own games have what is left, each up to the number of one player.
    await refused(await follow(games[0], '192.0.2.151', players[0].token), 429, 'too-many-streams');
    assert.equal((await follow(games[0], '192.0.2.152', players[2].token)).status, 200);
    assert.equal((await follow(games[1], '192.0.2.153', players[3].token)).status, 200);
    await refused(await follow(games[1], '192.0.2.154', players[4].token), 503, 'unavailable');
    for (const stream of open) stream.close();
  });
});
