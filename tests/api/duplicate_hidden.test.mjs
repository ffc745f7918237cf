// Nobody who still has to play a board sees anything of it, on any route. The twins are one event at
// two moments between which others have moved: what a caller gets must be the same, byte for byte.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { good } from './support/client.mjs';
import { makeDuplicate, own, playHidden, readRound, seated } from './support/duplicate.mjs';
import { endQuietly, makePlayer, makePlayers, Random } from './support/play.mjs';
import { Stream } from './support/stream.mjs';
import { Testbed } from './support/testbed.mjs';
import { until } from './support/waiting.mjs';

const random = new Random('duplicate hidden');
let bed;
let client;
let organizer;
let stranger;
let players;
let event;
let games;
let season; // of which the event is part
const told = []; // every byte that was sent before the round was complete

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, stranger] = await makePlayers(client, 2, 'Somebody');
  players = [organizer, ...(await makePlayers(client, 8))]; // nine at tables of four: one sits out
  event = await makeDuplicate(client, organizer, players, { boards: 3, seats_preferred: 4 });
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  games = seated(round, players);
  await until(10, 'the log has both leaves', async () => (await client.get('/v1/log/tile/0/000.p/2')).status === 200);
  season = good(await client.post('/v1/seasons', { name: 'A season' }, organizer.token));
  good(await client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, organizer.token));
});
after(() => bed.end());

// Every route of the service, from its own table.
const routes = [...readFileSync(new URL('../../api/routes.c', import.meta.url), 'utf8').matchAll(/\{HTTP_([A-Z]+), "([^"]+)"/g)].map(
  ([, method, pattern]) => `${method} ${pattern}`,
);

// What is no twin's business: it shows nothing of a game or an event, or it changes them.
const apart = [
  'GET /healthz', 'GET /readyz', 'GET /openapi.json', 'GET /v1/problems', 'GET /v1/rulesets', 'GET /v1/rulesets/{word}',
  'GET /v1/rulesets/{word}/components', 'GET /v1/keys', 'POST /v1/players', 'POST /v1/tokens', 'POST /v1/exchange/trf/pairings', 'POST /v1/exchange/trf/check', 'POST /v1/sessions', 'DELETE /v1/tokens/current',
  'PATCH /v1/me', 'POST /v1/me/password', 'POST /v1/me/delete', 'GET /v1/me/tokens', 'POST /v1/me/tokens', 'DELETE /v1/me/tokens/{id}',
  'GET /v1/me/bots', 'POST /v1/me/bots', 'DELETE /v1/me/bots/{id}', 'POST /v1/me/bots/{id}/tokens',
  'POST /v1/events', 'POST /v1/seasons', 'POST /v1/seasons/{id}/events', 'POST /v1/seasons/{id}/close', 'POST /v1/events/{id}/open-entries', 'POST /v1/events/{id}/entries',
  'DELETE /v1/events/{id}/entries/{id}', 'PATCH /v1/events/{id}', 'POST /v1/events/{id}/clone',
  'POST /v1/events/{id}/roles', 'DELETE /v1/events/{id}/roles', 'POST /v1/events/{id}/kept-apart', 'DELETE /v1/events/{id}/kept-apart',
  'POST /v1/events/{id}/entries/{id}/return', 'POST /v1/events/{id}/entries/{id}/check-in',
  'POST /v1/events/{id}/entries/{id}/byes', 'DELETE /v1/events/{id}/entries/{id}/byes/{number}', 'GET /', 'GET /leaderboard', 'GET /docs', 'GET /login', 'GET /static/{word}', 'GET /static/{word}/{word}',
];

const numbers = [1, 2, 3];
const eventAt = () => `/v1/events/${event.id}`;
const everyGame = (rest) => games.map((game) => `/v1/games/${game.id}${rest}`);
const everyPlayer = (before, rest) => [...players, stranger].map((player) => `${before}${player.id}${rest}`);

// How each of the others is asked: its targets.
const asked = {
  'GET /v1/players': () => ['/v1/players'],
  'GET /v1/players/{id}': () => everyPlayer('/v1/players/', ''),
  'GET /v1/players/{id}/ratings': () => everyPlayer('/v1/players/', '/ratings'),
  'GET /v1/players/{id}/ratings/history': () => everyPlayer('/v1/players/', '/ratings/history'),
  'GET /v1/players/{id}/games': () => [...everyPlayer('/v1/players/', '/games'), ...everyPlayer('/v1/players/', '/games?state=running')],
  'GET /v1/me': () => ['/v1/me'],
  'GET /v1/me/games': () => ['/v1/me/games', '/v1/me/games?state=running'],
  'GET /v1/events': () => ['/v1/events'],
  'GET /v1/events/{id}': () => [eventAt()],
  'POST /v1/events/{id}/close-entries': () => [`${eventAt()}/close-entries`], // 409
  'POST /v1/events/{id}/close': () => [`${eventAt()}/close`], // 409
  'POST /v1/events/{id}/rounds': () => [`${eventAt()}/rounds`], // 409
  'GET /v1/events/{id}/log': () => [`${eventAt()}/log`],
  'GET /v1/events/{id}/roles': () => [`${eventAt()}/roles`],
  'GET /v1/events/{id}/kept-apart': () => [`${eventAt()}/kept-apart`],
  'GET /v1/events/{id}/entries': () => [`${eventAt()}/entries`],
  'GET /v1/events/{id}/rounds': () => [`${eventAt()}/rounds`],
  'GET /v1/events/{id}/rounds/next': () => [`${eventAt()}/rounds/next`], // 409
  'PUT /v1/events/{id}/rounds/next': () => [`${eventAt()}/rounds/next`], // 400
  'DELETE /v1/events/{id}/rounds/next': () => [`${eventAt()}/rounds/next`], // 409
  'POST /v1/events/{id}/rounds/next/redraw': () => [`${eventAt()}/rounds/next/redraw`], // 400
  'POST /v1/events/{id}/rounds/next/start': () => [`${eventAt()}/rounds/next/start`], // 409
  'PUT /v1/events/{id}/rounds/{number}/tables/{number}/ruling': () =>
    numbers.map((number) => `${eventAt()}/rounds/1/tables/${number}/ruling?preview=true`),
  'DELETE /v1/events/{id}/rounds/{number}/tables/{number}/ruling': () =>
    numbers.map((number) => `${eventAt()}/rounds/1/tables/${number}/ruling`), // 409
  'GET /v1/events/{id}/crosstable': () => [`${eventAt()}/crosstable`],
  ...Object.fromEntries(['standings.csv', 'pairings.csv', 'results.csv', 'rounds.ics', 'feed.json', 'export.trf16', 'export.trf26', 'bundle'].map((what) => [
    `GET /v1/events/{id}/${what}`, () => [`${eventAt()}/${what}`]])),
  'GET /v1/events/{id}/bracket': () => [`${eventAt()}/bracket`],
  'GET /v1/events/{id}/challenges': () => [`${eventAt()}/challenges`],
  'POST /v1/events/{id}/challenges': () => [`${eventAt()}/challenges`], // 400
  'DELETE /v1/events/{id}/challenges/{id}': () => everyPlayer(`${eventAt()}/challenges/`, ''), // 404
  'POST /v1/events/{id}/challenges/{id}/accept': () => everyPlayer(`${eventAt()}/challenges/`, '/accept'), // 404
  'GET /v1/events/{id}/queue': () => [`${eventAt()}/queue`],
  'POST /v1/events/{id}/queue': () => [`${eventAt()}/queue`], // 409
  'DELETE /v1/events/{id}/queue': () => [`${eventAt()}/queue`], // 409
  'GET /v1/events/{id}/rounds/{number}': () => numbers.map((number) => `${eventAt()}/rounds/${number}`),
  'GET /v1/events/{id}/rounds/{number}/boards/{number}': () =>
    numbers.map((number) => `${eventAt()}/rounds/1/boards/${number}`),
  'GET /v1/events/{id}/entries/{id}/score-card': () => everyPlayer(`${eventAt()}/entries/`, '/score-card'),
  'GET /v1/events/{id}/standings': () => [`${eventAt()}/standings`, `${eventAt()}/standings?after_round=1`, `${eventAt()}/standings?as_of=9`],
  'GET /v1/events/{id}/stream': () => [`${eventAt()}/stream`],
  'GET /v1/games/{id}/stream': () => everyGame('/stream'),
  'GET /v1/games': () => ['/v1/games', '/v1/games?limit=2', '/v1/games?state=running'],
  'GET /v1/games/{id}': () => everyGame(''),
  'GET /v1/games/{id}/view': () => [...everyGame('/view'), ...everyGame('/view?seq=0'), ...everyGame('/view?seq=2')],
  'GET /v1/games/{id}/events': () => [...everyGame('/events'), ...everyGame('/events?after=3')],
  'GET /v1/games/{id}/legal-moves': () => everyGame('/legal-moves'),
  'POST /v1/games/{id}/moves': () => everyGame('/moves'), // not the caller's seat, or no move at all
  ...Object.fromEntries(['fallback', 'recall', 'forfeit', 'substitute'].map((line) => [`POST /v1/games/{id}/${line}`, () => everyGame(`/${line}`)])), // of a seat that is not there
  'POST /v1/games/{id}/return': () => everyGame('/return'), // with a field too many
  'POST /v1/games/{id}/takeback': () => everyGame('/takeback'), // from no entry
  'GET /v1/games/{id}/record': () => everyGame('/record'),
  'GET /v1/games/{id}/verification': () => everyGame('/verification'),
  'GET /v1/games/{id}/record.note': () => everyGame('/record.note'),
  'GET /v1/games/{id}/record.bundle': () => everyGame('/record.bundle'),
  'GET /v1/games/{id}/inclusion': () => everyGame('/inclusion'),
  // The log has two leaves, the commitments to the secrets of the event and of the round.
  'GET /v1/log/checkpoint': () => ['/v1/log/checkpoint'],
  'GET /v1/log/tile/{word}/{word}': () => ['/v1/log/tile/0/000'],
  'GET /v1/log/tile/{word}/{word}/{word}': () => [1, 2, 3].flatMap((width) => [`/v1/log/tile/0/000.p/${width}`, `/v1/log/tile/entries/000.p/${width}`]),
  'GET /v1/log/tile/{word}/{word}/{word}/{word}': () => ['/v1/log/tile/0/x001/000.p/1'],
  'GET /v1/log/tile/{word}/{word}/{word}/{word}/{word}': () => ['/v1/log/tile/0/x001/x000/000.p/1'],
  'GET /v1/log/inclusion': () => [`/v1/log/inclusion?leaf=${'0'.repeat(64)}`],
  'GET /v1/log/consistency': () => ['/v1/log/consistency?from=1'],
  'GET /v1/log/documents/{word}': () => [`/v1/log/documents/${'0'.repeat(64)}`],
  'GET /v1/leaderboard': () => ['/v1/leaderboard', '/v1/leaderboard?scope=shinjuku', '/v1/leaderboard?scope=glicko.shinjuku', '/v1/leaderboard?scope=solo.supermarche'],
  'GET /v1/rulesets/{word}/seat-advantage': () => ['/v1/rulesets/shinjuku/seat-advantage'],
  'GET /v1/ratings/revisions': () => ['/v1/ratings/revisions'],
  'GET /v1/ratings/revisions/{number}': () => ['/v1/ratings/revisions/1'],
  'GET /v1/seasons': () => ['/v1/seasons'],
  'GET /v1/seasons/{id}': () => [`/v1/seasons/${season.id}`],
  'GET /v1/seasons/{id}/log': () => [`/v1/seasons/${season.id}/log`],
  'GET /v1/seasons/{id}/standings': () => [`/v1/seasons/${season.id}/standings`],
  'GET /events/{id}': () => [`/events/${event.id}`],
  'GET /events/{id}/rounds/{number}/boards/{number}': () => [`/events/${event.id}/rounds/1/boards/1`],
  'GET /events/{id}/entries/{id}/score-card': () => [`/events/${event.id}/entries/${players[1].id}/score-card`],
  'GET /games/{id}': () => games.map((game) => `/games/${game.id}`),
  'GET /seasons/{id}': () => [`/seasons/${season.id}`],
  'GET /players/{id}': () => [`/players/${players[1].id}`],
};
const bodies = {
  'POST /v1/games/{id}/moves': { moves: ['no move at all'] },
  ...Object.fromEntries(['fallback', 'recall', 'forfeit', 'substitute'].map((line) => [`POST /v1/games/{id}/${line}`, { seat: 4 }])),
  'POST /v1/games/{id}/return': { seat: 4 },
  'POST /v1/games/{id}/takeback': { from: 0, seq: 0 },
};

const sameEveryTime = ([name]) => !['date', 'x-request-id'].includes(name.toLowerCase());

// What a stream has told up to now: until there is no more than the document of the same thing tells of.
async function streamed(target, token) {
  const { json } = await client.get(target.slice(0, -'/stream'.length), { token });
  const stream = await Stream.open(client, target, { token });
  if (stream.flows) await stream.reached(json.changes ?? json.seq);
  else await stream.ended();
  stream.close();
  return { status: stream.status, rawHeaders: stream.response.rawHeaders, text: stream.text, bytes: Buffer.from(stream.text) };
}

// Everything that a caller gets, as { `GET target`: text of status, header and body }.
async function lookAround(token) {
  const seen = {};
  for (const [route, targets] of Object.entries(asked))
    for (const target of targets()) {
      const [method] = route.split(' ');
      const json = method === 'POST' ? (bodies[route] ?? {}) : undefined;
      const answer = target.endsWith('/stream')
        ? await streamed(target, token)
        : await client.request(method, target, { token, json, unchecked: !target.startsWith('/v1') });
      const fields = [];
      for (let i = 0; i < answer.rawHeaders.length; i += 2) fields.push([answer.rawHeaders[i], answer.rawHeaders[i + 1]]);
      seen[`${method} ${target}`] = `${answer.status}\n${fields.filter(sameEveryTime).map((field) => field.join(': ')).join('\n')}\n\n${answer.text}`;
      told.push(answer.bytes);
    }
  return seen;
}

const sits = (player, game) => game.players.some((each) => each.id === player?.id);

// Looks with the eyes of `watchers` before and after `happen`; calls `compare` with both.
async function twins(watchers, happen, compare = assert.deepEqual) {
  const before = [];
  for (const watcher of watchers) before.push(await lookAround(watcher?.token));
  await happen();
  for (const [i, watcher] of watchers.entries()) compare(await lookAround(watcher?.token), before[i]);
}

// That a table has finished may be known: these words, and nothing else, are blotted out. A stream of
// the event tells it in one message more.
const finish = (game) => (now, then) => {
  const blot = (text) => {
    const [head, body] = [text.slice(0, text.indexOf('\n\n')), text.slice(text.indexOf('\n\n') + 2)];
    if (!/json/.test(head) || /x-ndjson/.test(head)) return text;
    const seek = (value) => {
      if (value === null || typeof value !== 'object') return value;
      for (const each of Object.values(value)) seek(each);
      if (value.id === game.id && value.hidden) value.state = '?';
      if ('tables_finished' in value) value.tables_finished = '?';
      if ('changes' in value) value.changes = '?';
      return value;
    };
    const blotted = JSON.stringify(seek(JSON.parse(body)));
    // The tag of an answer follows from its bytes.
    return head.replace(/content-length: \d+/i, '').replace(blotted === body ? '' : /etag: "[^"]*"/i, '') + blotted;
  };
  const isRunning = (target) => /state=running/.test(target);
  for (const [target, text] of Object.entries(now)) {
    if (isRunning(target)) continue;
    if (target === `GET ${eventAt()}/stream`) {
      assert.ok(text.startsWith(then[target]));
      const [, told] = /^id: \d+\nevent: game\ndata: (.*)\n\n$/.exec(text.slice(then[target].length));
      const { id, state, hidden, finished_at: at, seats } = JSON.parse(told);
      assert.deepEqual([id, state, hidden, at], [game.id, 'finished', true, null]);
      assert.ok(seats.every((seat) => seat.score === null && seat.rank === null && !seat.fallback));
      continue;
    }
    assert.equal(blot(text), blot(then[target]), target);
  }
};

describe('while a duplicate round is played', () => {
  it('the twins are asked for every route that there is', () => {
    assert.ok(routes.length > 45);
    assert.deepEqual([...Object.keys(asked), ...apart].sort(), [...routes].sort());
  });

  it('outsiders, and players elsewhere, see the same bytes whatever is played', async () => {
    const game = games[0];
    const watchers = [undefined, stranger, ...players.filter((player) => !sits(player, game))];
    assert.ok(watchers.length >= 6);
    await twins(watchers, () => playHidden(client, game, random, 25));
    assert.ok((await own(client, game)).plies >= 25);
  });

  it('an organizer who has a board before him can end a stalled table, and sees no more of it', async () => {
    const game = games.find((each) => !sits(organizer, each));
    await twins([undefined, organizer], async () => {
      const seat = game.players.length - 1;
      const answer = await client.post(`${game.at}/fallback`, { seat }, organizer.token);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
      told.push(answer.bytes);
      assert.equal((await own(client, game)).seats[seat].fallback, true);
    });
    const stranger403 = await client.post(`${game.at}/fallback`, { seat: 0 }, stranger.token);
    assert.equal(stranger403.status, 404);
  });

  it('for all others a hidden game is not there: as if nobody had ever made it', async () => {
    const nothing = '0193a2b4-5c6d-7e8f-9012-3456789abcde';
    for (const game of games)
      for (const watcher of [stranger, ...players.filter((player) => !sits(player, game))])
        for (const rest of ['', '/view', '/view?seq=0', '/events', '/stream', '/legal-moves', '/record', '/verification']) {
          const shut = await client.get(game.at + rest, { token: watcher.token });
          const none = await client.get(`/v1/games/${nothing}${rest}`, { token: watcher.token });
          assert.equal(shut.status, 404);
          assert.equal(shut.text, none.text);
        }
  });

  it('a table that has ended shows that it has, and no more, not even to its own players', async () => {
    const [game] = games;
    const watchers = [undefined, stranger, ...players.filter((player) => !sits(player, game))];
    await twins(watchers, () => playHidden(client, game, random), finish(game));
    const round = await readRound(client, event, 1);
    const shown = round.games.find((each) => each.id === game.id);
    assert.equal(shown.state, 'finished');
    assert.equal(shown.hidden, true);
    assert.equal(shown.finished_at, null);
    assert.ok(shown.seats.every((seat) => seat.score === null && seat.rank === null && !seat.fallback));
    const seen = await own(client, game);
    assert.equal(seen.hidden, false);
    assert.equal(seen.state, 'finished');
    assert.deepEqual(seen.deciders, []);
    assert.ok(seen.seats.every((seat) => seat.score === null));
    const text = (await client.get(`${game.at}/record`, { token: game.players[0].token })).text;
    assert.doesNotMatch(text, / reveal | result |^head /m);
    assert.equal(good(await client.get(`${game.at}/verification`, { token: game.players[0].token })).verdict, 'unfinished');
    const refused = await client.post(`${game.at}/moves`, { moves: ['end'] }, game.players[0].token);
    assert.equal(refused.json.code, 'game-over');
  });

  it('its players see their seat of it, like everywhere', async () => {
    const game = games[1];
    for (const [seat, player] of game.players.entries()) {
      const view = good(await client.get(`${game.at}/view`, { token: player.token }));
      assert.deepEqual(view.viewer, { kind: 'seat', seat });
      assert.equal(good(await client.get(`${game.at}/legal-moves`, { token: player.token })).seat, seat);
    }
  });

  it('nothing is compared before the last table has ended', async () => {
    for (const game of games.slice(1, -1)) await endQuietly(client, game, organizer);
    const standings = good(await client.get(`${eventAt()}/standings`, { token: players[0].token }));
    assert.ok(standings.rows.every((row) => row.played === 0 && row.points.numerator === 0 && row.rounds.length === 0));
    for (const number of numbers) {
      const traveller = good(await client.get(`${eventAt()}/rounds/1/boards/${number}`));
      assert.equal(traveller.state, 'hidden');
      assert.equal(traveller.tables, 2);
      assert.deepEqual(traveller.results, []);
    }
    assert.deepEqual(good(await client.get('/v1/leaderboard')).items, []);
    assert.equal((await readRound(client, event, 1)).secret, null);
  });

  it('then all of it is open to everybody at once', async () => {
    // The round's secret must not have been told to anybody before; nor what fixes a board's luck.
    await Promise.all(players.slice(0, 3).map((player) => lookAround(player.token)));
    await endQuietly(client, games.at(-1), organizer);
    const round = await readRound(client, event, 1);
    assert.equal(round.state, 'finished');
    for (const secret of [Buffer.from(round.secret), Buffer.from(round.secret, 'hex')]) {
      assert.ok(told.length > 1000);
      for (const bytes of told) assert.ok(!bytes.includes(secret));
      assert.ok(!bed.written().includes(secret));
    }
    for (const game of round.games) {
      assert.equal(game.hidden, false);
      assert.ok(game.seats.every((seat) => seat.score !== null && seat.rank !== null));
      const { text } = await client.get(`/v1/games/${game.id}/record`);
      assert.equal(bed.verify(text).status, 0);
      assert.equal(good(await client.get(`/v1/games/${game.id}/verification`)).verdict, 'valid');
    }
    for (const number of numbers) {
      const traveller = good(await client.get(`${eventAt()}/rounds/1/boards/${number}`));
      assert.equal(traveller.state, 'open');
      assert.equal(traveller.results.length, 8);
      assert.equal(traveller.missing.length, 1);
    }
  });

  it('keeps the secret sealed in a schema of its own', () => {
    assert.equal(bed.cluster.sql("SET ROLE tillroll_owner; SELECT count(*) FROM tillroll_vault.round_secret WHERE octet_length(sealed) = 72"), '1');
    assert.equal(bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll_vault.game_secret'), '0');
  });
});
