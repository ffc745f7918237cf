// Officials of an event who play in it: what they may not do, cell by cell, by every route that the service's own table has for officials; and whom
// they ask.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeDuplicate, seated } from '../support/duplicate.mjs';
import { makeEvent, makeGame, makePlayer, makePlayers } from '../support/play.mjs';
import { build, Testbed } from '../support/testbed.mjs';

let bed;
let client;
let organizer;
let uninvolved;
let game;
let dispute;
let hidden; // a game of a duplicate event, whose board others have still before them
let hiddenDispute;
const callers = {}; // of the game
let waiting; // of the hidden one: at another table of its event

const code = async (answer) => {
  const { status, json } = await answer;
  return status < 400 ? `${status}` : `${status} ${json.code}`;
};

async function makeBot(owner, scopes = ['read', 'play', 'organize']) {
  const made = good(await client.post('/v1/me/bots', { name: `B${Math.random().toString(36).slice(2, 10)}` }, owner.token));
  const { token } = good(await client.post(`/v1/me/bots/${made.id}/tokens`, { label: 'x', scopes }, owner.token));
  return { id: made.id, name: made.name, token };
}

const name = (event, player, role = 'arbiter') => client.post(`/v1/events/${event.id}/roles`, { player: player.id, role }, organizer.token).then(good);
const giveRoles = (player, bits) => bed.cluster.sql(`SET ROLE tillroll_owner; UPDATE tillroll.player SET roles = ${bits} WHERE id = '${player.id}'`);
const complain = (at, player) => client.post(`/v1/games/${at.id}/disputes`, { claim: 'other', text: 'Something is wrong.' }, player.token).then(good);

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  const [ada, ben, owner, left, substitute, ...others] = await makePlayers(client, 14, 'Somebody');
  organizer = await makePlayer(client, 'Organizer');
  uninvolved = await makePlayer(client, 'Uninvolved');
  const [playing, sibling] = [await makeBot(owner), await makeBot(owner)];
  const own = await makeBot(ada);
  const made = await makeGame(client, organizer, [ada, ben, playing, left]);
  game = { ...made.game, table: made.game.event.table, event: made.event };
  const seat = game.players.indexOf(left);
  good(await client.post(`${game.at}/substitute`, { seat, player: substitute.id }, organizer.token));
  dispute = await complain(game, ben);
  Object.assign(callers, {
    'who plays': ada,
    'whose bot plays': owner,
    'a bot whose owner plays': own,
    'a bot of the owner of a bot that plays': sibling,
    'a bot that plays': playing,
    'who has been substituted': left,
    'the substitute': substitute,
    'who is not concerned': uninvolved,
  });
  for (const each of Object.values(callers)) await name(made.event, each);

  const event = await makeDuplicate(client, organizer, others.slice(0, 6), { boards: 2, seats_min: 3, seats_max: 3, seats_preferred: 3 });
  const games = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), others);
  [waiting] = games[1].players;
  hidden = { ...games[0], table: games[0].event.table, event };
  hiddenDispute = await complain(hidden, hidden.players[0]);
  await name(event, waiting);
  await name(event, uninvolved);
  for (const each of [ada, owner, left, substitute, uninvolved, waiting]) giveRoles(each, 2); // auditors, who alone look
});
after(() => bed.end());

const table = execFileSync(path.join(build, 'tests/write_routes'), { encoding: 'utf8' }).trim().split('\n').map((line) => {
  const [method, target, , , , , office] = line.split(' ');
  return { method, target, office };
}).filter(({ office }) => office !== '-');

// Writing requests have a body that is refused, but only to those who may come in.
function ask({ method, target }, on, about, player) {
  const places = target.includes('/disputes/') ? [about.id] : target.includes('/events/') ? [on.event.id] : [on.id];
  const numbers = [1, on.table];
  const written = target.replace(/\{id\}/g, () => places.shift()).replace(/\{number\}/g, () => numbers.shift());
  const json = ['POST', 'PUT', 'PATCH'].includes(method) ? { nonsense: 1 } : undefined;
  return client.request(method, written, { token: player.token, json });
}

const refusal = { game: '403 party-to-the-game', table: '403 party-to-the-game', look: '403 party-to-dispute', dispute: '403 party-to-dispute' };
const access = /^40[134] (not-signed-in|bad-token|missing-scope|not-allowed|not-a-seat|not-found|party-to-the-game|party-to-dispute)$/;

describe('an official', () => {
  it('acts by these routes', () => assert.deepEqual(table.map(({ office }) => office).sort(),
    [...Array(6).fill('dispute'), ...Array(4).fill('game'), 'look', 'table', 'table', 'table']));

  for (const route of table)
    it(`${route.method} ${route.target}`, async () => {
      const before = bed.cluster.fingerprint();
      for (const [who, player] of Object.entries(callers)) {
        if (player === uninvolved) continue;
        const bot = who.startsWith('a bot'); // has no office on the site
        const wanted = bot && route.office === 'look' ? '403 not-allowed' : refusal[route.office];
        assert.equal(await code(ask(route, game, dispute, player)), wanted, who);
      }
      // They do not hear of a dispute over a board that they may still have to play.
      const unheard = route.office === 'dispute' ? '404 not-found' : refusal[route.office];
      assert.equal(await code(ask(route, hidden, hiddenDispute, waiting)), unheard, 'who has the board before them');
      assert.equal(bed.cluster.fingerprint(), before);
      for (const [on, about] of [[game, dispute], [hidden, hiddenDispute]])
        assert.doesNotMatch(await code(ask(route, on, about, uninvolved)), access);
    });

  it('of the site is no exception', async () => {
    const [admin] = [callers['who plays']];
    giveRoles(admin, 7);
    for (const route of table) assert.equal(await code(ask(route, game, dispute, admin)), refusal[route.office], route.target);
    giveRoles(admin, 2);
  });
});

describe('an organizer who plays', () => {
  it('does not forfeit an opponent, and names somebody who may', async () => {
    const [playing, ...opponents] = await makePlayers(client, 3);
    const arbiter = await makePlayer(client, 'Arbiter');
    const { game, event } = await makeGame(client, playing, [playing, ...opponents]);
    const seat = game.players.indexOf(opponents[0]);
    const own = game.players.indexOf(playing);
    for (const [step, body] of [['forfeit', { seat }], ['fallback', { seat }], ['recall', { seat }], ['forfeit', { seat: own }], ['substitute', { seat, player: arbiter.id }]]) {
      const { status, json } = await client.post(`${game.at}/${step}`, body, playing.token);
      assert.equal(`${status} ${json.code}`, '403 party-to-the-game');
      assert.match(json.detail, /Another organizer or arbiter of the event .*POST \/v1\/events\/<id>\/roles/);
    }
    const ruling = `/v1/events/${event.id}/rounds/1/tables/1/ruling`;
    const seats = game.seats.map(({ player }, i) => ({ player: player.id, rank: i + 1 }));
    for (const query of ['', '?preview=true'])
      assert.equal(await code(client.request('PUT', ruling + query, { json: { seats, reason: 'I won.' }, token: playing.token })), '403 party-to-the-game');
    good(await client.post(`/v1/events/${event.id}/roles`, { player: arbiter.id, role: 'arbiter' }, playing.token));
    good(await client.post(`${game.at}/forfeit`, { seat }, arbiter.token));
    assert.ok(good(await client.request('PUT', ruling, { json: { seats, reason: 'As played.' }, token: arbiter.token })));
    assert.equal(await code(client.delete(ruling, playing.token)), '403 party-to-the-game');
  });

  it('draws rounds, which is for everybody to read', async () => {
    const [playing, ...opponents] = await makePlayers(client, 4);
    const event = await makeEvent(client, playing, [playing, ...opponents], { seats_min: 4, seats_max: 4 });
    good(await client.post(`/v1/events/${event.id}/rounds`, { publish: false }, playing.token));
    good(await client.post(`/v1/events/${event.id}/rounds/next/redraw`, { reason: 'Again.' }, playing.token));
    const { items } = good(await client.get(`/v1/events/${event.id}/log`));
    const drawn = items.filter(({ kind }) => kind === 'round_drawn' || kind === 'round_withdrawn');
    assert.ok(drawn.length >= 2);
    for (const { by } of drawn) assert.equal(by.id, playing.id);
  });

  it('grants themself no bye with points', async () => {
    const [playing, ...opponents] = await makePlayers(client, 3);
    const event = await makeEvent(client, playing, [playing, ...opponents]);
    const bye = (player, kind) => client.post(`/v1/events/${event.id}/entries/${player.id}/byes`, { round: 2, kind }, playing.token);
    for (const kind of ['half', 'full']) assert.equal(await code(bye(playing, kind)), '403 party-to-the-game');
    good(await bye(playing, 'zero'));
    good(await bye(opponents[0], 'half'));
  });
});

describe('an official who does not play', () => {
  it('puts in neither themself nor a bot of theirs', async () => {
    const { game } = await makeGame(client, organizer, await makePlayers(client, 3));
    const stranger = await makePlayer(client);
    for (const player of [organizer, await makeBot(organizer)])
      assert.equal(await code(client.post(`${game.at}/substitute`, { seat: 0, player: player.id }, organizer.token)), '403 party-to-the-game');
    good(await client.post(`${game.at}/substitute`, { seat: 0, player: stranger.id }, organizer.token));
  });
});

describe('a table whose game waits for entropy', () => {
  it('is ruled by nobody who will play there', async () => {
    const [playing, ...opponents] = await makePlayers(client, 3);
    const seats = { seats_min: 3, seats_max: 3, rounds: 1, entropy_seconds: 3600 };
    const event = await makeEvent(client, organizer, [playing, ...opponents], seats);
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    await name(event, playing);
    const ruling = `/v1/events/${event.id}/rounds/1/tables/1/ruling`;
    const json = { no_show: opponents.map(({ id }) => id), reason: 'They did not come.' };
    assert.equal(await code(client.request('PUT', ruling, { json, token: playing.token })), '403 party-to-the-game');
    good(await client.request('PUT', ruling, { json, token: organizer.token }));
  });
});

