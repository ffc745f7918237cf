// Answers that are kept and given again: the same as those that are made for one request, for every
// caller, after every change; in gzip; once for many.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';

import { daily, isLong, notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { makeDuplicate, readRound, seated } from '../support/duplicate.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayer, makePlayers, now, play, playRandomly, Random, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('cache');
let bed;
let service; // keeps answers
let client;
let plain; // a client of a service that keeps none
let organizer;
let players;
let stranger;
let season;

before(async () => {
  bed = new Testbed();
  service = await bed.startService();
  client = service.client;
  plain = (await bed.startService(['--answer-cache-bytes', '0'])).client;
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 4);
  stranger = await makePlayer(client, 'Stranger');
  season = good(await client.post('/v1/seasons', { name: 'A season' }, organizer.token));
});
after(() => bed.end());

// Two of the players: one who stays, and the one who withdraws.
const viewers = () => [undefined, stranger, organizer, players[0], players[3]];

const gameTargets = (game) => ['', '/view', '/view?seq=0', '/events', '/events?after=2', '/record', '/verification', '/legal-moves'].map((what) => `/v1/games/${game.id}${what}`);

// Every address whose answer may come from memory, of an event and its games.
const targetsOf = (event, games = []) => [
  ...['', '/log', '/entries', '/rounds', '/rounds/1', '/rounds/2', '/standings', '/standings?after_round=1',
    '/rounds/1/boards/1', '/rounds/1/boards/2'].map((what) => `/v1/events/${event.id}${what}`),
  `/v1/events/${event.id}/entries/${players[0].id}/score-card`,
  ...games.flatMap(gameTargets),
  ...[`/events/${event.id}`, `/events/${event.id}?after_round=1`, `/events/${event.id}/embed`, `/events/${event.id}/rounds/1`, `/events/${event.id}/rounds/1/boards/1`,
    `/events/${event.id}/entries/${players[0].id}/score-card`, '/', '/leaderboard',
    `/players/${players[0].id}`, `/v1/players/${players[0].id}/opponents`, ...games.map((game) => `/games/${game.id}`)],
  ...[`/v1/players/${players[0].id}/ratings`, `/v1/players/${players[0].id}/games`, '/v1/events', '/v1/events?limit=1', '/v1/events?state=running',
    '/v1/games', '/v1/games?state=running', '/v1/games?limit=1', '/v1/leaderboard', '/v1/leaderboard?scope=shinjuku',
    '/v1/leaderboard?scope=glicko.shinjuku', '/v1/leaderboard?scope=solo.supermarche', '/v1/leaderboard?games_min=2', '/v1/ratings/revisions',
    '/v1/rulesets/shinjuku/seat-advantage', '/v1/seasons', `/v1/seasons/${season.id}`, `/v1/seasons/${season.id}/log`, `/v1/seasons/${season.id}/standings`, `/seasons/${season.id}`],
];
const everywhere = ['/openapi.json', '/v1/problems', '/v1/rulesets', '/v1/rulesets/shinjuku', '/v1/rulesets/shinjuku/components'];

// What an answer says, without what differs by itself. A shared answer names no request.
function said({ status, rawHeaders, text }) {
  const fields = [];
  for (let i = 0; i < rawHeaders.length; i += 2) fields.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return [status, ...fields.filter((field) => !/^(Date|X-Request-Id):/.test(field)), text].join('\n');
}

const asGzip = (etag) => etag.replace(/"$/, '-gzip"');
const ask = (target, token, headers) => client.request('GET', target, { token, headers, unchecked: true });

// The answer in gzip holds the same bytes, and both tags are known again.
async function checkCodings(target, token, identity) {
  const { etag } = identity.headers;
  const packed = await ask(target, token, { 'Accept-Encoding': 'gzip' });
  const isPacked = packed.headers['content-encoding'] === 'gzip';
  assert.equal(packed.status, 200);
  assert.equal(packed.headers.vary, 'Accept-Encoding');
  assert.equal(packed.headers.etag, isPacked ? asGzip(etag) : etag, target);
  assert.equal(packed.text, identity.text, target);
  if (isPacked) assert.ok(packed.bytes.length <= 0.9 * identity.bytes.length, target);
  for (const tag of isPacked ? [etag, asGzip(etag)] : [etag])
    for (const accepted of ['gzip', 'identity']) {
      const known = await ask(target, token, { 'If-None-Match': tag, 'Accept-Encoding': accepted });
      assert.equal(known.status, 304, target);
      assert.equal(known.headers.etag, tag);
      assert.equal(known.bytes.length, 0);
    }
  const head = await client.request('HEAD', target, { token, unchecked: true });
  assert.equal(head.status, 200);
  assert.equal(head.headers['content-length'], String(identity.bytes.length));
  return isPacked;
}

// Asks for everything, twice, and beside a service without kept answers: with the eyes of whoever has not signed in and of another in turn
// (of two in the long run; of everybody there for codings); each day every third address, in turn. (That the answers are as they are described is asked elsewhere.)
let turn = 0;
async function compare(targets, { codings = false } = {}) {
  let packed = 0;
  const [nobody, ...others] = viewers();
  const more = isLong ? 2 : 1;
  turn += more;
  const looking = codings && isLong ? viewers() : [nobody, ...Array.from({ length: more }, (_, i) => others[(turn + i) % others.length])];
  const look = async (viewer) => {
    const options = { token: viewer?.token, unchecked: true };
    for (const target of targets.filter((_, i) => isLong || codings || (i + turn) % 3 === 0)) {
      const [expected, first] = await Promise.all([plain.get(target, options), client.get(target, options)]);
      const again = await client.get(target, options);
      for (const answer of [first, again]) assert.equal(said(answer), said(expected), `${viewer?.name}: GET ${target}`);
      if (codings && expected.headers.etag) packed += await checkCodings(target, options.token, expected);
    }
  };
  await Promise.all(looking.map(look));
  return packed;
}

describe('answers that are kept are those that are made, for all callers, after', () => {
  it('every step of an event', async () => {
    const event = good(await client.post('/v1/events', { name: 'Kept', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 2 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    const games = [];
    const step = async (what, token) => {
      good(await what);
      await compare(targetsOf(event, games));
    };
    await compare([...targetsOf(event), ...everywhere]);
    await step(client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, organizer.token));
    await step(client.post(`${at}/open-entries`, {}, organizer.token));
    for (const player of players) {
      if (isLong || player === players[0]) await step(client.post(`${at}/entries`, {}, player.token));
      else good(await client.post(`${at}/entries`, {}, player.token));
    }
    assert.equal((await client.delete(`${at}/entries/${players[3].id}`, players[3].token)).status, 204);
    await compare(targetsOf(event));
    await step(client.post(`${at}/entries`, {}, players[3].token));
    await step(client.post(`${at}/close-entries`, {}, organizer.token));
    const round = await startRound(client, event, organizer, players);
    games.push(...round.games);
    await compare(targetsOf(event, games));
    const [game] = games;
    const [seat] = (await now(client, game)).deciders;
    const { moves, seq } = await legalMoves(client, game, seat);
    await step(play(client, game, seat, [moves[0]], seq));
    await playRandomly(client, game, random, { plies: 20 });
    await step(client.post(`${game.at}/fallback`, { seat: 0 }, organizer.token));
    await endQuietly(client, game, organizer);
    await compare(targetsOf(event, games));
    const second = await startRound(client, event, organizer, players);
    games.push(...second.games);
    await compare(targetsOf(event, games));
    assert.equal((await client.delete(`${at}/entries/${players[1].id}`, organizer.token)).status, 204);
    await compare(targetsOf(event, games));
    await endQuietly(client, second.games[0], organizer);
    await compare(targetsOf(event, games));
    await step(client.post(`${at}/close`, {}, organizer.token));
    const packed = await compare([...targetsOf(event, games), ...everywhere], { codings: true });
    assert.ok(packed > 20, `${packed} answers came in gzip`); // how many depends on how long the games were
  });

  for (const style of daily(['asynchronous', 'barometer'], 2))
    it(`every table of a duplicate round, ${style}`, async () => {
      const event = await makeDuplicate(client, organizer, players, { ruleset: 'shinjuku', seats_preferred: 2, boards: 2, rounds: 1, play: style });
      good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
      const ended = new Set();
      for (;;) {
        const games = seated(await readRound(client, event, 1, players[0].token), players);
        const [game] = games.filter((each) => !ended.has(each.id));
        await compare(targetsOf(event, games));
        if (game === undefined) break;
        const token = game.players[0].token;
        const { deciders: [seat] } = good(await client.get(game.at, { token }));
        const { moves, seq } = await legalMoves(client, game, seat);
        good(await play(client, game, seat, [moves[0]], seq));
        await compare(targetsOf(event, games));
        await endQuietly(client, game, organizer);
        ended.add(game.id);
      }
      assert.equal(ended.size, 4);
      good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
      await compare(targetsOf(event));
    });

  it('sealed decisions', async () => {
    const { event, game } = await makeGame(client, organizer, players, { ruleset: 'mall-world' });
    let position = await now(client, game);
    let sealed = 0;
    for (let ply = 0; sealed < 6 && position.deciders.length > 0; ply++) {
      for (const seat of position.deciders) {
        const { moves, seq } = await legalMoves(client, game, seat);
        if (moves.length === 0) continue;
        const answer = good(await play(client, game, seat, [random.pick(moves)], seq));
        if (!answer.sealed) break;
        sealed++;
        await compare(gameTargets(game));
      }
      position = await now(client, game);
    }
    assert.ok(sealed >= 6);
    await compare(targetsOf(event, [game]));
  });
});

// The lines that the service has logged of an address, which must come to be `count`.
async function logged(path, count) {
  const lines = await until(60, `${count} lines of the log`, () => {
    const found = readFileSync(service.log, 'utf8').split('\n').filter((line) => line.includes(`"path":"${path}"`));
    return found.length >= count && found;
  });
  assert.equal(lines.length, count);
  return lines.map((line) => JSON.parse(line));
}

describe('a change', () => {
  it('has an answer made once, for 200 that ask for it at the same time', async () => {
    const later = good(await client.post('/v1/events', { name: 'Later', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    assert.equal(good(await client.get(`/v1/events/${later.id}`)).state, 'draft'); // is kept
    const event = await makeEvent(client, organizer, players);
    const { games: [game] } = await startRound(client, event, organizer, players);
    const target = `/v1/events/${event.id}/standings`;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
    const get = () => new Promise((resolve, reject) => {
      http.get({ host: '127.0.0.1', port: client.port, path: target, agent }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => resolve(`${answer.statusCode} ${answer.headers.etag} ${Buffer.concat(parts)}`));
      }).on('error', reject);
    });
    // The connections are there before.
    await Promise.all(Array.from({ length: 200 }, get));
    await endQuietly(client, game, organizer);
    // The database tells of it as well: it has when the service has heard of what another one has changed since.
    good(await plain.post(`/v1/events/${later.id}/open-entries`, {}, organizer.token));
    await until(60, 'the change is heard of', async () => good(await client.get(`/v1/events/${later.id}`)).state !== 'draft');
    const answers = await Promise.all(Array.from({ length: 200 }, get));
    agent.destroy();
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0], /^200 .*"played":1/s);
    const lines = (await logged(target, 400)).slice(200);
    assert.equal(lines.filter((line) => line.worker).length, 1);
  });

  it('is in every answer to who asks after it was answered', async () => {
    const { game } = await makeGame(client, organizer, players);
    let over = false;
    let floor = 0;
    let read = 0;
    const reader = async (what) => {
      while (!over) {
        const least = floor;
        const { status, json } = await client.get(`${game.at}${what}`, { unchecked: true });
        assert.equal(status, 200);
        assert.ok(json.seq >= least, `${what} at ${json.seq} after ${least}`);
        read++;
      }
    };
    const readers = Array.from({ length: 16 }, (_, i) => reader(i % 2 ? '' : '/view'));
    await playRandomly(client, game, random, { plies: 100, each: ({ answer }) => (floor = answer.seq) });
    over = true;
    await Promise.all(readers);
    assert.ok(read > 200);
  });

  it('of something else leaves an answer as it is', async () => {
    const [one, two] = [await makeGame(client, organizer, players), await makeGame(client, organizer, players)];
    const target = `${one.game.at}/record`;
    await client.get(target);
    const [seat] = (await now(client, two.game)).deciders;
    const { moves, seq } = await legalMoves(client, two.game, seat);
    good(await play(client, two.game, seat, [moves[0]], seq));
    await client.get(target);
    // What a route does not read makes no other answer.
    await client.get(`${target}?what=ever`);
    assert.deepEqual((await logged(target, 3)).map((line) => line.worker), [true, false, false]);
  });
});

describe('a kept answer', () => {
  it('is not given to whose token is no good, nor to the players of the game it shows', async () => {
    const { game } = await makeGame(client, organizer, players);
    const target = `${game.at}/view`;
    good(await client.get(target));
    const bad = await client.get(target, { token: `tr_${'0'.repeat(64)}` });
    assert.equal(`${bad.status} ${bad.json.code}`, '401 bad-token');
    for (const [seat, player] of game.players.entries())
      assert.deepEqual(good(await client.get(target, { token: player.token })).viewer, { kind: 'seat', seat });
    assert.deepEqual(good(await client.get(target, { token: stranger.token })).viewer, { kind: 'spectator' });
    const leaver = await makePlayer(client, 'Leaver');
    good(await client.get(target, { token: leaver.token }));
    assert.equal((await client.delete('/v1/tokens/current', leaver.token)).status, 204);
    assert.equal((await client.get(target, { token: leaver.token })).status, 401);
  });

  it('counts against the limit of reads', async () => {
    const { client: strict } = await bed.startService(['--reads-per-minute', '20']);
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await strict.get('/v1/rulesets')).status);
    assert.equal(statuses.filter((status) => status === 200).length < 4, true, statuses.join(' '));
    assert.equal(statuses.at(-1), 429);
  });

  it('has no body for what is not there', async () => {
    for (const target of ['/v1/events/01890000-0000-7000-8000-000000000001', '/v1/games/01890000-0000-7000-8000-000000000001/view'])
      for (let time = 0; time < 2; time++) {
        const answer = await client.get(target, { headers: { 'Accept-Encoding': 'gzip' } });
        assert.equal(answer.status, 404);
        assert.equal(answer.headers['content-encoding'], undefined);
        assert.match(answer.headers['x-request-id'], /^[0-9a-f]{16}$/);
      }
  });
});

describe('a page', () => {
  it('comes in gzip with a tag of its own', async () => {
    for (const target of ['/', '/static/style.css', '/static/lib/common.js', `/players/${players[0].id}`]) {
      const identity = await ask(target);
      assert.equal(identity.headers['content-encoding'], undefined);
      assert.equal(await checkCodings(target, undefined, identity), true, target);
    }
  });
});

// As the administrator of the database.
function administer(statements) {
  const url = bed.cluster.serviceUrl.replace('//tillrolld@', '//postgres@');
  return execFileSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url], { input: statements, encoding: 'utf8' });
}

// Until the service that keeps answers has heard of it; from then on for everybody.
async function compareSoon(targets) {
  const look = (from, target) => from.get(target, { unchecked: true });
  await Promise.all(targets.map((target) =>
    until(60, `GET ${target} is up to date`, async () => said(await look(client, target)) === said(await look(plain, target)))));
  await compare(targets);
}

describe('changes that another service commits', () => {
  it('are heard of: every step of an event', async () => {
    const event = good(await plain.post('/v1/events', { name: 'Elsewhere', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 1 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    const games = [];
    const step = async (what) => {
      if (what.status !== 204) good(what);
      await compareSoon(targetsOf(event, games));
    };
    await step(await plain.post(`${at}/open-entries`, {}, organizer.token));
    for (const player of players) {
      const entered = await plain.post(`${at}/entries`, {}, player.token);
      if (isLong || player === players[0]) await step(entered);
      else good(entered);
    }
    await step(await plain.delete(`${at}/entries/${players[3].id}`, players[3].token));
    await step(await plain.post(`${at}/close-entries`, {}, organizer.token));
    games.push(...(await startRound(plain, event, organizer, players)).games);
    await compareSoon(targetsOf(event, games));
    const [game] = games;
    const [seat] = (await now(plain, game)).deciders;
    const { moves, seq } = await legalMoves(plain, game, seat);
    await step(await play(plain, game, seat, [moves[0]], seq));
    await step(await plain.post(`${game.at}/fallback`, { seat: 0 }, organizer.token));
    await endQuietly(plain, game, organizer);
    await compareSoon(targetsOf(event, games));
    await step(await plain.post(`${at}/close`, {}, organizer.token));
  });

  it('are heard of: the boards of a duplicate round', { skip: notLong }, async () => {
    const event = await makeDuplicate(plain, organizer, players, { ruleset: 'shinjuku', seats_preferred: 2, boards: 2, rounds: 1, play: 'barometer' });
    good(await plain.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    for (const ended = new Set(); ended.size < 4;) {
      const games = seated(await readRound(plain, event, 1, players[0].token), players);
      await compareSoon(targetsOf(event, games));
      const [game] = games.filter((each) => !ended.has(each.id));
      await endQuietly(plain, game, organizer);
      ended.add(game.id);
      await compareSoon(targetsOf(event, games));
    }
  });

  it('are in an answer to whoever has been told of them by a refusal', async () => {
    const { game } = await makeGame(client, organizer, players);
    for (let ply = 0; ply < 20; ply++) {
      const { deciders: [seat] } = await now(client, game);
      const { moves, seq } = await legalMoves(plain, game, seat);
      good(await play(plain, game, seat, [moves[0]], seq));
      // The same move again, or a late one: both tell what has been played.
      const late = await play(client, game, seat, ply % 2 ? [moves[0]] : ['no move'], seq);
      assert.equal(late.status, ply % 2 ? 200 : 409);
      assert.ok((await now(client, game)).seq >= late.json.seq);
    }
  });

  it('are not missed while the service cannot hear: then it asks the database for each answer', async () => {
    const event = await makeEvent(client, organizer, players);
    const { games: [game] } = await startRound(client, event, organizer, players);
    const target = `/v1/events/${event.id}/standings`;
    let asked = 0;
    const read = async () => (asked++, good(await client.get(target)));
    // Whether a worker was needed for each of the last `count` answers.
    const needed = async (count) => (await logged(target, asked)).slice(-count).map((line) => line.worker);
    await until(60, 'the answer is kept', async () => (await read(), !(await needed(1))[0]));
    // Nobody new can connect; the connections that there are go on, but for those that listen.
    administer('ALTER ROLE tillrolld CONNECTION LIMIT 0');
    try {
      assert.match(administer("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1953066092"), /t/);
      await until(60, 'the service knows that it does not hear', async () => (await read(), (await needed(1))[0]));
      await endQuietly(plain, game, organizer);
      assert.equal((await read()).rows[0].played, 1);
      for (let i = 0; i < 5; i++) await read();
      assert.deepEqual(await needed(6), [true, true, true, true, true, true]);
    } finally {
      administer('ALTER ROLE tillrolld CONNECTION LIMIT -1');
    }
    await until(20, 'the service hears again', async () => (await read(), !(await needed(1))[0]));
    assert.equal((await read()).rows[0].played, 1);
  });
});
