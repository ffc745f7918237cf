// Access: every route for every kind of caller, as the table of routes says. The table is the
// service's own (write_routes prints it), so a new route is tried here as soon as it has a row.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { daily, isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { checkCommonHeaders } from '../support/contract.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayer, makePlayers, password, play, startRound } from '../support/play.mjs';
import { build, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed;
let client;
let organizer;
let other;
let stranger;
let players;
let game;
let elsewhere;
let entrant;
let season;
let dispute;
let job;
let official;
let outsider;
let dropped;
let replaced;
let owner;
let bot;
let admin;
let auditor;
let arbiter;

const event = { name: 'An event', ruleset: 'shinjuku', rounds: 3 };
const scopes = ['read', 'play', 'organize', 'account'];

// Tokens by hand: also such as nobody would be given. All that were minted are stored at once.
const minted = [];
function store() {
  const rows = minted.splice(0).join(',\n');
  bed.cluster.sql(`SET ROLE tillroll_owner;
    INSERT INTO tillroll.token (hash, player_id, created_at, expires_at, revoked_at, label, scopes) VALUES ${rows}`);
}

function mint(player, given, { expires = '1 day', revoked = false } = {}) {
  const token = `tr_${randomBytes(32).toString('hex')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  const bits = given.reduce((sum, scope) => sum + (1 << scopes.indexOf(scope)), 0);
  minted.push(`('\\x${hash}', '${player.id}', now() - interval '2 days', now() + interval '${expires}',
    ${revoked ? 'now()' : 'NULL'}, 'Minted', ${bits})`);
  return token;
}

function giveRole(player, bit) {
  bed.cluster.sql(`SET ROLE tillroll_owner; UPDATE tillroll.player SET roles = ${bit} WHERE id = '${player.id}'`);
  return player;
}

async function makeBot() {
  const made = good(await client.post('/v1/me/bots', { name: `Bot ${randomBytes(6).toString('hex')}` }, owner.token));
  return { id: made.id, name: made.name };
}

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  let substitute;
  [organizer, other, stranger, owner, admin, auditor, arbiter, official, substitute] = await makePlayers(client, 9, 'Somebody');
  players = await makePlayers(client, 9);
  giveRole(admin, 1);
  giveRole(auditor, 2);
  giveRole(arbiter, 4);
  bot = await makeBot();
  // Two tables of three: the game at one, those who only entered at the other.
  const made = await makeEvent(client, organizer, players.slice(0, 6), { seats_min: 3, seats_max: 3, rounds: 3 });
  const round = await startRound(client, made, organizer, players);
  game = { ...round.games[0], event: made };
  [entrant, dropped] = round.games[1].players;
  assert.equal((await client.delete(`/v1/events/${made.id}/entries/${dropped.id}`, organizer.token)).status, 204);
  ({ game: elsewhere } = await makeGame(client, other, players.slice(6, 9)));
  [outsider] = elsewhere.players;
  season = good(await client.post('/v1/seasons', { name: 'A season' }, organizer.token));
  good(await client.post(`/v1/events/${made.id}/roles`, { player: official.id, role: 'arbiter' }, organizer.token));
  replaced = game.players[1];
  good(await client.post(`${game.at}/substitute`, { seat: 1, player: substitute.id }, organizer.token));
  game.players = game.players.with(1, substitute);
  const complaint = { claim: 'other', text: 'Something is wrong.' };
  dispute = good(await client.post(`/v1/games/${game.id}/disputes`, complaint, game.players[0].token));
  job = (await client.post(`/v1/events/${made.id}/rounds`, {}, organizer.token, { Prefer: 'respond-async' })).json;
  // What it changes when it ends would be taken for what a refused request has changed.
  await until(60, 'the job has ended', async () => good(await client.get(`/v1/jobs/${job.id}`, { token: organizer.token })).state !== 'running');
  callers = makeCallers();
});
after(() => bed.end());

// ---- The callers: `is` names the relations that each has to what the paths name ----

let callers;

const without = (list, one) => list.filter((each) => each !== one);

function makeCallers() {
  const known = {
    stranger: { player: stranger },
    'player of this game': { player: game.players[0], is: ['seat', 'waiting-seat', 'game-party', 'dispute-party'] },
    'substitute in this game': { player: game.players[1], is: ['seat', 'waiting-seat', 'game-party', 'dispute-party'] },
    'substituted player': { player: replaced },
    'player of another game': { player: outsider },
    entrant: { player: entrant, is: ['entry', 'account'] },
    'dropped entrant': { player: dropped },
    organizer: { player: organizer, is: ['organizer', 'job', 'arbiter', 'game-official', 'season-organizer', 'entry', 'game-party', 'dispute-party', 'dispute-official'] },
    'arbiter of the event': { player: official, is: ['arbiter', 'game-official', 'entry', 'game-party', 'dispute-party', 'dispute-official'] },
    'organizer of another event': { player: other },
    owner: { player: owner, is: ['owner'] },
    admin: { player: admin, roles: ['admin'] },
    auditor: { player: auditor, roles: ['auditor'] },
    arbiter: { player: arbiter, roles: ['arbiter'] },
    bot: { player: bot, scopes: ['read', 'play', 'organize'] },
  };
  const all = {
    nobody: { token: undefined },
    'bad token': { bad: true, token: `tr_${'f'.repeat(64)}` },
    'no token at all': { bad: true, token: 'nonsense' },
    'expired token': { bad: true, token: mint(organizer, scopes, { expires: '-1 day' }) },
    'revoked token': { bad: true, token: mint(organizer, scopes, { revoked: true }) },
  };
  for (const [name, each] of Object.entries(known)) {
    const may = { is: [], roles: [], scopes, ...each };
    all[name] = { ...may, token: mint(may.player, may.scopes) };
    for (const scope of may.scopes) {
      const rest = without(may.scopes, scope);
      all[`${name} without ${scope}`] = { ...may, scopes: rest, token: mint(may.player, rest) };
    }
  }
  // Browsers: a cookie in place of a token, and the origin of the page.
  const own = `http://127.0.0.1:${client.port}`;
  for (const name of daily(['player of this game', 'stranger', 'organizer without organize', 'organizer', 'admin', 'owner'], 3)) {
    const may = { ...all[name], token: undefined, cookie: all[name].token };
    all[`${name} by cookie`] = { ...may, origin: own };
    for (const origin of daily([undefined, 'null', 'https://evil.example', `${own}.evil.example`, `http://127.0.0.1:1${client.port}`], 2))
      all[`${name} by cookie on a page of ${origin}`] = { ...may, origin, foreign: true };
  }
  all['cookie of a session that has ended'] = { token: undefined, cookie: all['revoked token'].token, origin: own };
  store();
  return all;
}

// ---- What the table says ----

const printed = execFileSync(path.join(build, 'tests/write_routes'), { encoding: 'utf8' });
const list = (words) => (words === '-' ? [] : words.split(','));
const table = printed.trim().split('\n').map((line) => {
  const [method, target, access, scope, roles, kind] = line.split(' ');
  return { method, target, access, scope, roles: list(roles), page: kind === 'page' };
});

const allowed = 'allowed';
const refusals = { machine: 'not-allowed', role: 'not-allowed', 'game-party': 'not-allowed', 'dispute-party': 'not-allowed', 'dispute-official': 'not-allowed', 'own-page': 'foreign-origin', organizer: 'not-allowed', arbiter: 'not-allowed', 'game-official': 'not-allowed', 'season-organizer': 'not-allowed', job: 'not-allowed', entry: 'not-allowed', seat: 'not-a-seat', 'waiting-seat': 'not-a-seat', owner: 'not-found', account: 'not-allowed' };

function stated(route, caller) {
  if (route.access === 'own-page') return caller.origin !== undefined && !caller.foreign ? allowed : 'foreign-origin';
  if (route.access === 'machine') return allowed; // all of these callers are on it
  const looked = route.access !== 'public' || route.scope !== '-';
  if (!looked) return allowed;
  if (caller.bad) return 'bad-token';
  if (caller.foreign && route.method !== 'GET') return 'foreign-origin';
  if (!caller.player) return route.access === 'public' ? allowed : 'not-signed-in';
  // Organizers withdraw the entries of others.
  const scope = route.access === 'entry' && caller.player !== entrant ? 'organize' : route.scope;
  if (scope !== '-' && !caller.scopes.includes(scope)) return 'missing-scope';
  const may = ['public', 'player', ...caller.is].includes(route.access) || route.roles.some((role) => caller.roles.includes(role));
  return may ? allowed : refusals[route.access];
}

// ---- Asking ----

// Writing requests have a body that is refused, but only to those who may come in.
const words = { '/v1/rulesets/{word}': 'shinjuku', '/v1/rulesets/{word}/components': 'shinjuku', '/v1/rulesets/{word}/component-sets': 'shinjuku', '/v1/rulesets/{word}/seat-advantage': 'shinjuku', '/static/{word}': 'style.css' };
const ids = (target) => {
  if (target.startsWith('/v1/me/bots')) return [bot.id];
  if (target.includes('/games/')) return [game.id];
  if (target.includes('/seasons/')) return [season.id, season.id];
  if (target.includes('/disputes/')) return [dispute.id];
  if (target.includes('/jobs/')) return [job.id];
  if (target.includes('/events/')) return [game.event.id, entrant.id];
  return [entrant.id, entrant.id];
};

function ask({ method, target, page }, { token, cookie, origin }) {
  const places = ids(target);
  const written = target
    .replace(/\{id\}/g, () => places.shift())
    .replace(/\{number\}/g, '1')
    .replace(/\{word\}/g, words[target] ?? '000');
  const json = ['POST', 'PUT', 'PATCH'].includes(method) ? { nonsense: 1 } : undefined;
  const headers = {};
  if (cookie !== undefined) headers.Cookie = `theme=dark; __Host-tillroll=${cookie}; __Host-tillrolls=x`;
  if (origin !== undefined) headers.Origin = origin;
  return client.request(method, written, { token, json, headers, unchecked: page });
}

// `allowed`, or the code of the refusal.
const access = ['not-signed-in', 'bad-token', 'foreign-origin', 'missing-scope', 'not-allowed', 'not-a-seat'];
const found = (route, answer) => (access.includes(answer.json?.code) || (route.access === 'owner' && answer.status === 404) ? answer.json.code : allowed);

// What the request would use up is made anew.
async function afresh(route, caller) {
  if (route.target.startsWith('/v1/me/bots/') && caller.player === owner) bot = await makeBot();
  if (route.target !== '/v1/tokens/current' || !caller.player) return caller;
  const token = mint(caller.player, caller.scopes);
  store();
  return caller.cookie === undefined ? { ...caller, token } : { ...caller, cookie: token };
}

describe('access', () => {
  it('is stated for all routes', () => {
    assert.ok(table.length > 50);
    for (const route of table) {
      assert.ok(['public', 'player', ...Object.keys(refusals)].includes(route.access), route.target);
      assert.ok(['-', ...scopes].includes(route.scope), route.target);
    }
  });

  async function refuse(route, name) {
    const answer = await ask(route, callers[name]);
    assert.equal(found(route, answer), stated(route, callers[name]), `${name}: ${answer.status} ${answer.text}`);
    checkCommonHeaders(answer.headers);
  }

  async function letIn(route, name) {
    const answer = await ask(route, await afresh(route, callers[name]));
    assert.equal(found(route, answer), allowed, `${name}: ${answer.status} ${answer.text}`);
    assert.ok(answer.status < 500, `${name}: ${answer.status} ${answer.text}`);
    checkCommonHeaders(answer.headers, { framed: route.target.endsWith('/embed') && answer.status < 400 });
  }

  // A token without a scope that the route does not ask for is one like any other: all of these only in the long run.
  const namesFor = (route) => Object.keys(callers).filter((name) => isLong || !/ without (?!organize by)/.test(name) || name.includes(`without ${route.scope}`) || name === 'organizer without organize');
  const refusedBy = (route) => namesFor(route).filter((name) => stated(route, callers[name]) !== allowed);

  // Callers without access come first, so that they are not refused because of what the others did.
  describe('for those who may not', () => {
    let untouched;
    before(() => { untouched = bed.cluster.fingerprint(); });

    for (const route of table)
      it(`${route.method} ${route.target}`, async () => {
        const refused = refusedBy(route);
        for (const name of refused) await refuse(route, name);
        // So that it is known whose fault it is; each day once for all routes, below.
        if (isLong && refused.length > 0 && route.method !== 'GET') assert.equal(bed.cluster.fingerprint(), untouched);
      });

    it('changes nothing', () => {
      assert.equal(bed.cluster.fingerprint(), untouched);
    });
  });

  // And again those who may not, now that tokens and answers are in memory.
  describe('for those who may', () => {
    for (const route of table)
      it(`${route.method} ${route.target}`, async () => {
        const refused = refusedBy(route);
        for (const name of namesFor(route)) if (!refused.includes(name)) await letIn(route, name);
        for (const name of daily(refused, 6)) await refuse(route, name);
      });
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

  it('can enter their own event', async () => {
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
