// Who may do what: every route for every kind of caller. What the table does not list is refused,
// and a route that is missing from it is a failure.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from './support/client.mjs';
import { document } from './support/contract.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayer, makePlayers, password, play, startRound } from './support/play.mjs';
import { Testbed } from './support/testbed.mjs';

let bed;
let client;
let organizer;
let other;
let stranger;
let players;
let draft;
let open;
let ready;
let game;
let elsewhere;
let entrant;
let season;

const event = { name: 'An event', ruleset: 'shinjuku', rounds: 3 };

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, other, stranger] = await makePlayers(client, 3, 'Somebody');
  players = await makePlayers(client, 6);
  ({ game } = await makeGame(client, organizer, players.slice(0, 3)));
  entrant = game.players[0];
  draft = good(await client.post('/v1/events', event, organizer.token));
  open = good(await client.post('/v1/events', event, organizer.token));
  good(await client.post(`/v1/events/${open.id}/open-entries`, {}, organizer.token));
  good(await client.post(`/v1/events/${open.id}/entries`, {}, entrant.token));
  ready = await makeEvent(client, organizer, players.slice(0, 3));
  ({ game: elsewhere } = await makeGame(client, other, players.slice(3, 6)));
  season = good(await client.post('/v1/seasons', { name: 'A season' }, organizer.token));
  good(await client.post(`/v1/seasons/${season.id}/events`, { event: game.event.id }, organizer.token));
});
after(() => bed.end());

// The entrant has entered the organizer's events, and has the first move of the game.
const callers = {
  anonymous: () => undefined,
  stranger: () => stranger.token,
  'player of another game': () => players[3].token,
  entrant: () => entrant.token,
  'organizer of another event': () => other.token,
  organizer: () => organizer.token,
};
const who = Object.keys(callers);

// The table: for each route, what each of them gets, in this order:
//   anonymous, stranger, player of another game, entrant, organizer of another event, organizer.
// Refusals by state (409) are answers to those who may.
const everybody = (status) => Array(6).fill(status);
const signedIn = (status) => [401, ...Array(5).fill(status)];
const organizers = (status) => [401, 403, 403, 403, 403, status];

const table = {
  'GET /healthz': everybody(200),
  'GET /readyz': everybody(200),
  'GET /openapi.json': everybody(200),
  'GET /v1/problems': everybody(200),
  'GET /v1/rulesets': everybody(200),
  'GET /v1/rulesets/{slug}': everybody(200),
  'GET /v1/rulesets/{slug}/components': everybody(200),
  'GET /v1/rulesets/{slug}/seat-advantage': everybody(200),
  'POST /v1/players': everybody(409),
  'GET /v1/players': everybody(200),
  'GET /v1/players/{player}': everybody(200),
  'GET /v1/players/{player}/ratings': everybody(200),
  'GET /v1/players/{player}/ratings/history': everybody(200),
  'GET /v1/players/{player}/games': everybody(200),
  'POST /v1/tokens': everybody(201),
  'DELETE /v1/tokens/current': signedIn(204),
  'GET /v1/me': signedIn(200),
  'GET /v1/me/games': signedIn(200),
  'GET /v1/keys': everybody(200),
  'POST /v1/events': signedIn(400),
  'GET /v1/events': everybody(200),
  'GET /v1/events/{event}': everybody(200),
  'PATCH /v1/events/{event}': organizers(200),
  'POST /v1/events/{event}/clone': signedIn(400),
  'GET /v1/events/{event}/roles': everybody(200),
  'POST /v1/events/{event}/roles': organizers(400),
  'DELETE /v1/events/{event}/roles': organizers(400),
  'GET /v1/events/{event}/kept-apart': everybody(200),
  'POST /v1/events/{event}/kept-apart': organizers(400),
  'DELETE /v1/events/{event}/kept-apart': organizers(400),
  'POST /v1/events/{event}/open-entries': organizers(409),
  'POST /v1/events/{event}/close-entries': organizers(409),
  'POST /v1/events/{event}/close': organizers(409),
  'GET /v1/events/{event}/log': everybody(200),
  'GET /v1/events/{event}/stream': everybody(200),
  'POST /v1/events/{event}/entries': signedIn(409),
  'GET /v1/events/{event}/entries': everybody(200),
  'DELETE /v1/events/{event}/entries/{player}': [401, 403, 403, 204, 403, 204],
  'POST /v1/events/{event}/entries/{player}/return': [401, 403, 403, 403, 403, 409],
  'POST /v1/events/{event}/entries/{player}/check-in': [401, 403, 403, 409, 403, 409],
  'POST /v1/events/{event}/entries/{player}/byes': [401, 403, 403, 409, 403, 409],
  'DELETE /v1/events/{event}/entries/{player}/byes/{number}': [401, 403, 403, 409, 403, 409],
  'POST /v1/events/{event}/rounds': organizers(201),
  'GET /v1/events/{event}/rounds': everybody(200),
  'GET /v1/events/{event}/rounds/{number}': everybody(200),
  'GET /v1/events/{event}/rounds/next': organizers(409),
  'PUT /v1/events/{event}/rounds/next': organizers(400),
  'DELETE /v1/events/{event}/rounds/next': organizers(409),
  'POST /v1/events/{event}/rounds/next/redraw': organizers(400),
  'POST /v1/events/{event}/rounds/next/start': organizers(409),
  'PUT /v1/events/{event}/rounds/{number}/tables/{table}/ruling': organizers(400),
  'DELETE /v1/events/{event}/rounds/{number}/tables/{table}/ruling': organizers(409),
  'GET /v1/events/{event}/rounds/{number}/boards/{board}': everybody(404),
  'GET /v1/events/{event}/entries/{player}/score-card': everybody(404),
  'GET /v1/events/{event}/standings': everybody(200),
  'GET /v1/events/{event}/crosstable': everybody(200),
  'GET /v1/events/{event}/bracket': everybody(409),
  'GET /v1/events/{event}/challenges': everybody(200),
  'POST /v1/events/{event}/challenges': signedIn(400),
  'DELETE /v1/events/{event}/challenges/{player}': signedIn(404),
  'POST /v1/events/{event}/challenges/{player}/accept': signedIn(404),
  'GET /v1/events/{event}/queue': everybody(200),
  'POST /v1/events/{event}/queue': signedIn(409),
  'DELETE /v1/events/{event}/queue': signedIn(409),
  'GET /v1/games': everybody(200),
  'GET /v1/games/{game}': everybody(200),
  'GET /v1/games/{game}/view': everybody(200),
  'GET /v1/games/{game}/events': everybody(200),
  'GET /v1/games/{game}/stream': everybody(200),
  'GET /v1/games/{game}/legal-moves': [401, 403, 403, 200, 403, 403],
  'POST /v1/games/{game}/moves': [401, 403, 403, 422, 403, 403],
  'POST /v1/games/{game}/fallback': [401, 403, 403, 403, 403, 200],
  'GET /v1/games/{game}/record': everybody(200),
  'GET /v1/games/{game}/verification': everybody(200),
  'GET /v1/games/{game}/record.note': everybody(409),
  'GET /v1/games/{game}/record.bundle': everybody(409),
  'GET /v1/games/{game}/inclusion': everybody(409),
  'GET /v1/leaderboard': everybody(200),
  'GET /v1/log/checkpoint': everybody(200),
  'GET /v1/log/tile/{level}/{number}': everybody(404),
  'GET /v1/log/tile/{level}/{high}/{low}': everybody(404),
  'GET /v1/log/tile/{level}/{high}/{middle}/{low}': everybody(404),
  'GET /v1/log/tile/{level}/{high}/{middle}/{low}/{width}': everybody(404),
  'GET /v1/log/inclusion': everybody(400),
  'GET /v1/log/consistency': everybody(400),
  'GET /v1/log/documents/{hash}': everybody(404),
  'GET /v1/ratings/revisions': everybody(200),
  'GET /v1/ratings/revisions/{number}': everybody(404),
  'POST /v1/seasons': signedIn(400),
  'GET /v1/seasons': everybody(200),
  'GET /v1/seasons/{season}': everybody(200),
  'GET /v1/seasons/{season}/log': everybody(200),
  // An event of the organizer, asked for already.
  'POST /v1/seasons/{season}/events': organizers(409),
  'POST /v1/seasons/{season}/close': organizers(409),
  'GET /v1/seasons/{season}/standings': everybody(200),
};

// Which event, and which body, if not the usual.
const fresh = async (token) => good(await client.post('/v1/tokens', { name: (good(await client.get('/v1/me', { token }))).name, password })).token;
const events = {
  'POST /v1/events/{event}/open-entries': () => open,
  'POST /v1/events/{event}/close-entries': () => draft,
  'POST /v1/events/{event}/close': () => draft,
  'POST /v1/events/{event}/entries': () => draft,
  'DELETE /v1/events/{event}/entries/{player}': () => open,
  'POST /v1/events/{event}/rounds': () => ready,
};
const bodies = {
  'POST /v1/players': () => ({ name: organizer.name, password }),
  'POST /v1/tokens': () => ({ name: organizer.name, password }),
  'POST /v1/events': () => ({ ...event, rounds: 0 }),
  'POST /v1/events/{event}/entries/{player}/byes': () => ({ round: 1 }),
  'POST /v1/seasons': () => ({ name: 'A season', best: 0 }),
  'POST /v1/seasons/{season}/events': () => ({ event: game.event.id }),
  'POST /v1/games/{game}/moves': () => ({ moves: ['no move at all'] }),
  'POST /v1/games/{game}/fallback': () => ({ seat: 2 }),
};

async function call(route, token) {
  const [method, path] = route.split(' ');
  const target = path
    .replace('{event}', (events[route] ?? (() => ({ id: game.event.id })))().id)
    .replace('{game}', game.id)
    .replace('{season}', season.id)
    .replace('{player}', entrant.id)
    .replace('{number}', '1')
    .replace('{board}', '1')
    .replace('{table}', '1')
    .replace('{slug}', 'shinjuku')
    .replace('{hash}', '0'.repeat(64))
    .replace('{level}', '0')
    .replace(/\{(number|high|middle|low|width)\}/g, '001');
  const json = method === 'POST' ? (bodies[route]?.() ?? {}) : undefined;
  return client.request(method, target, { token, json });
}

describe('access', () => {
  it('has a line for every route', () => {
    const routes = Object.entries(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
    assert.deepEqual(Object.keys(table).sort(), routes.sort());
  });

  for (const [route, expected] of Object.entries(table))
    it(route, async () => {
      const ask = async (at) => {
        let token = callers[who[at]]();
        if (route.endsWith('/tokens/current') && token !== undefined) token = await fresh(token);
        const answer = await call(route, token);
        assert.equal(answer.status, expected[at], `${who[at]}: ${answer.text}`);
      };
      // Those who may not come first: what the others do must not be what refuses them.
      const refused = [...who.keys()].filter((at) => expected[at] >= 400);
      const watched = refused.length > 0 && !route.startsWith('GET');
      const before = watched && bed.cluster.fingerprint();
      for (const at of refused) await ask(at);
      if (watched) assert.equal(bed.cluster.fingerprint(), before);
      for (const at of who.keys()) {
        if (refused.includes(at)) continue;
        if (route.endsWith('/entries/{player}')) await client.post(`/v1/events/${open.id}/entries`, {}, entrant.token);
        await ask(at);
      }
    });
});

describe('seats', () => {
  it('are their own players’ only', async () => {
    const { seq } = await legalMoves(client, elsewhere, 0);
    const { moves } = await legalMoves(client, elsewhere, 0);
    const at = `${elsewhere.at}/moves`;
    for (const [token, more, code] of [
      [elsewhere.players[1].token, {}, 'not-your-turn'],
      [elsewhere.players[1].token, { seat: 0 }, 'not-your-seat'],
      [elsewhere.players[0].token, { seat: 1 }, 'not-your-seat'],
      [entrant.token, {}, 'not-a-seat'],
      [entrant.token, { seat: 0 }, 'not-a-seat'],
      [other.token, { seat: 0 }, 'not-a-seat'],
    ])
      assert.equal((await client.post(at, { moves: [moves[0]], seq, ...more }, token)).json.code, code);
    assert.equal((await legalMoves(client, elsewhere, 0)).seq, seq);
    assert.equal((await client.post(at, { moves: [moves[0]], seq, seat: 0 }, elsewhere.players[0].token)).status, 200);
  });

  it('that are not at the move have no legal moves and get no hints', async () => {
    const legal = await legalMoves(client, elsewhere, 1);
    assert.deepEqual(legal.moves, []);
    const refused = await play(client, elsewhere, 1, ['end'], legal.seq);
    assert.equal(refused.status, 409);
    assert.deepEqual(refused.json.legal_hint, []);
  });

  it('of a finished game have no moves', async () => {
    await endQuietly(client, elsewhere, other);
    const before = (await client.get(`${elsewhere.at}/record`)).text;
    for (const seat of [0, 1, 2]) {
      assert.deepEqual((await legalMoves(client, elsewhere, seat)).moves, []);
      const refused = await client.post(`${elsewhere.at}/moves`, { moves: ['end'] }, elsewhere.players[seat].token);
      assert.equal(`${refused.status} ${refused.json.code}`, '409 game-over');
    }
    assert.equal((await client.get(`${elsewhere.at}/record`)).text, before);
  });
});

describe('tokens', () => {
  it('are one’s own until they are revoked', async () => {
    const player = await makePlayer(client, 'Visitor');
    const second = good(await client.post('/v1/tokens', { name: player.name.toUpperCase(), password }));
    assert.equal(second.player.id, player.id);
    assert.notEqual(second.token, player.token);
    assert.equal(good(await client.get('/v1/me', { token: second.token })).id, player.id);
    assert.equal((await client.delete('/v1/tokens/current', player.token)).status, 204);
    assert.equal((await client.get('/v1/me', { token: player.token })).json.code, 'bad-token');
    assert.equal((await client.delete('/v1/tokens/current', player.token)).json.code, 'bad-token');
    assert.equal((await client.get('/v1/me', { token: second.token })).status, 200);
  });

  it('end a bad one even where none is needed', async () => {
    for (const path of ['/v1/events', `${game.at}/view`, '/readyz'])
      assert.equal((await client.get(path, { token: `tr_${'f'.repeat(64)}` })).json.code, 'bad-token');
  });

  it('stand in no table and no log', async () => {
    const written = bed.written();
    const everything = bed.cluster.sql('SET ROLE tillroll_owner; SELECT encode(hash, \'hex\') FROM tillroll.token; SELECT * FROM tillroll.player');
    for (const player of [organizer, other, stranger, ...players]) {
      assert.ok(!written.includes(player.token));
      assert.ok(!everything.includes(player.token.slice(3)));
    }
    assert.ok(!everything.includes(password));
    assert.ok(!written.includes(password));
    assert.match(everything, /argon2id/);
  });
});

describe('an organizer', () => {
  it('has no seat by that, and no view of what is hidden', async () => {
    const view = good(await client.get(`${game.at}/view`, { token: organizer.token }));
    assert.deepEqual(view.viewer, { kind: 'spectator' });
  });

  it('can enter his own event', async () => {
    const mine = good(await client.post('/v1/events', event, organizer.token));
    good(await client.post(`/v1/events/${mine.id}/open-entries`, {}, organizer.token));
    assert.equal((await client.post(`/v1/events/${mine.id}/entries`, {}, organizer.token)).status, 201);
    for (const player of players.slice(0, 2)) good(await client.post(`/v1/events/${mine.id}/entries`, {}, player.token));
    good(await client.post(`/v1/events/${mine.id}/close-entries`, {}, organizer.token));
    const { games } = await startRound(client, mine, organizer, [organizer, ...players]);
    const seat = games[0].players.indexOf(organizer);
    const view = good(await client.get(`${games[0].at}/view`, { token: organizer.token }));
    assert.deepEqual(view.viewer, { kind: 'seat', seat });
  });
});
