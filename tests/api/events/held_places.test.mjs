// Places held for people without an account: who may hold them, what their links are worth, and claiming them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makePlayer, makePlayers, password } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed;
let client;
let organizer;
let other;
let players;
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, other] = await makePlayers(client, 2, 'Host');
  players = await makePlayers(client, 4, 'Seated');
});
after(() => bed.end());

const code = (answer) => (answer.status < 300 ? answer.status : `${answer.status} ${answer.json?.code}`);
const sql = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);
const own = () => ({ Origin: `http://127.0.0.1:${client.port}` });
const tokenOf = (answer) => /tillroll=(tr_[0-9a-f]{64})/.exec(String(answer.headers['set-cookie']))[1];

async function makeEvent(settings = {}) {
  const { id } = good(await client.post('/v1/events', { name: 'Club night', ruleset: 'shinjuku', seats_min: 2, seats_max: 2, rounds: 2, ...settings }, organizer.token));
  good(await client.post(`/v1/events/${id}/open-entries`, {}, organizer.token));
  return `/v1/events/${id}`;
}

const patch = (event, changes) => client.request('PATCH', event, { json: changes, token: organizer.token });
const hold = (event, name, by = organizer) => client.post(`${event}/places`, { name }, by.token);
const renew = (event, place, by = organizer) => client.post(`${event}/places/${place.player.id}/code`, {}, by.token);
const places = async (event) => good(await client.get(`${event}/places`, { token: organizer.token })).items;
const entries = async (event) => good(await client.get(`${event}/entries`)).items;
const claim = (place, name, secret = password) => client.post(`/v1/claims/${place.code}/account`, { name, password: secret }, undefined, own());
const attach = (place, by) => client.post(`/v1/claims/${place.code}/attach`, {}, by.token);
const shown = (place) => client.get(`/v1/claims/${place.code}`);

describe('a held place', () => {
  it('is an entry of a guest whom nobody can be, with a code that is stored as a hash alone', async () => {
    const event = await makeEvent();
    const answer = await hold(event, 'Mo');
    const place = good(answer);
    assert.equal(answer.status, 201);
    assert.equal(place.player.name, 'Mo [guest]');
    assert.match(place.code, /^[a-z2-7]{26}$/);
    assert.deepEqual((await entries(event)).map((entry) => [entry.player.id, entry.state]), [[place.player.id, 'entered']]);
    assert.equal(good(await client.get(`/v1/players/${place.player.id}`)).guest, true);
    assert.deepEqual(await places(event), [{ player: place.player, held_at: place.held_at }]);
    for (const name of ['Mo', 'Mo [guest]']) assert.equal(code(await client.post('/v1/tokens', { name, password })), '401 wrong-password');
    assert.ok(!sql('SELECT * FROM tillroll.held_place; SELECT * FROM tillroll.player; SELECT * FROM tillroll.kept_answer').includes(place.code));
    assert.deepEqual(good(await shown(place)), { event: { id: event.split('/').at(-1), name: 'Club night' }, player: place.player, attachable: true });
    await until(20, 'the request is in the log', () => bed.written().includes('/v1/claims/{word}'));
    assert.ok(!bed.written().includes(place.code), 'the code is in the log');
  });

  it('gets a number where another guest has the name', async () => {
    const event = await makeEvent();
    const names = [];
    for (let i = 0; i < 3; i++) names.push(good(await hold(event, 'Kim Lee')).player.name);
    assert.deepEqual(names, ['Kim Lee [guest]', 'Kim Lee 2 [guest]', 'Kim Lee 3 [guest]']);
    assert.equal(code(await hold(event, 'x'.repeat(53))), '400 bad-field');
  });

  it('is for the organizers of the event only', async () => {
    const event = await makeEvent();
    const place = good(await hold(event, 'Ali'));
    const elsewhere = good(await client.post('/v1/events', { name: 'Elsewhere', ruleset: 'shinjuku', rounds: 2 }, other.token));
    for (const by of [other, players[0]]) {
      assert.equal(code(await hold(event, 'Eve', by)), '403 not-allowed');
      assert.equal(code(await renew(event, place, by)), '403 not-allowed');
      assert.equal(code(await client.get(`${event}/places`, { token: by.token })), '403 not-allowed');
    }
    assert.equal(code(await client.get(`${event}/places`)), '401 not-signed-in');
    // Through an event of one's own nobody reaches a place in another.
    assert.equal(code(await renew(`/v1/events/${elsewhere.id}`, place, other)), '404 not-found');
    assert.equal(code(await client.delete(`/v1/events/${elsewhere.id}/entries/${place.player.id}`, other.token)), '409 not-entered');
    assert.equal(code(await shown(place)), 200);
    // A player without a role cannot enter another's guest.
    assert.equal(code(await client.post(`${event}/entries`, { player: place.player.id }, organizer.token)), '400 bad-field');
  });

  it('is held from the command line, which prints the code', async () => {
    const event = await makeEvent();
    const run = await bed.tillrollAs(organizer.token, 'event', 'hold', event.split('/').at(-1), 'Lin', '--server', `http://127.0.0.1:${client.port}`);
    assert.equal(run.status, 0, run.output);
    const [found] = /[a-z2-7]{26}/.exec(run.output);
    assert.equal(good(await shown({ code: found })).player.name, 'Lin [guest]');
  });

  it('needs entries that are open, and there are so many at a time', async () => {
    const { id } = good(await client.post('/v1/events', { name: 'Draft', ruleset: 'shinjuku', rounds: 2 }, organizer.token));
    assert.equal(code(await hold(`/v1/events/${id}`, 'Early')), '409 wrong-state');
    const event = await makeEvent();
    good(await hold(event, 'First'));
    sql(`WITH made AS (INSERT INTO tillroll.player (id, name, created_at, guest)
      SELECT gen_random_uuid(), 'Many ' || n || ' [guest]', now(), true FROM generate_series(1, 511) AS n RETURNING id)
      INSERT INTO tillroll.held_place (player_id, event_id, code_hash, held_at) SELECT id, '${event.split('/').at(-1)}', sha256(id::text::bytea), now() FROM made`);
    assert.equal(code(await hold(event, 'One more')), '409 too-many-places');
  });

  it('lets who comes after entries were closed in, once, as anybody who had not checked in', async () => {
    const event = await makeEvent({ check_in: true, late_entries: 1 });
    const [here, there, late] = await Promise.all(['In Time', 'Just In Time', 'Too Late'].map(async (name) => good(await hold(event, name))));
    const enter = (place, by = organizer) => client.post(`${event}/entries`, { player: place.player.id }, by.token);
    for (const place of [here, there]) good(await client.post(`${event}/entries/${place.player.id}/check-in`, { present: true }, organizer.token));
    assert.equal(code(await enter(late)), '400 bad-field');
    good(await client.post(`${event}/close-entries`, {}, organizer.token));
    assert.equal(code(await enter(late, other)), '403 not-allowed');
    const entry = good(await enter(late));
    assert.deepEqual([entry.state, entry.number, entry.checked_in], ['entered', 3, true]);
    assert.equal(code(await enter(late)), '400 bad-field');
    assert.equal(code(await shown(late)), 200); // the link is still worth the place
  });

  it('is given up by withdrawing it, and its link with it', async () => {
    const event = await makeEvent();
    const place = good(await hold(event, 'Gone'));
    assert.equal((await client.delete(`${event}/entries/${place.player.id}`, organizer.token)).status, 204);
    assert.deepEqual([await places(event), (await entries(event)).length], [[], 0]);
    assert.equal(code(await shown(place)), '404 not-found');
    assert.equal(code(await claim(place, 'Gone')), '404 not-found');
    assert.equal(code(await renew(event, place)), '404 not-found');
  });

  it('is kept, however old, while other guests are forgotten', async () => {
    const event = await makeEvent();
    const place = good(await hold(event, 'Patient'));
    sql("UPDATE tillroll.player SET created_at = now() - interval '1 year' WHERE name LIKE 'Patient%'");
    sql("INSERT INTO tillroll.player (id, name, created_at, guest) VALUES (gen_random_uuid(), 'Forgotten [guest]', now() - interval '1 year', true)");
    sql("UPDATE tillroll.upkeep SET due_at = now() WHERE task = 'delete_old'");
    await bed.startService(['--upkeep-seconds', '1']);
    await until(60, 'the other guest is forgotten', async () => sql("SELECT count(*) FROM tillroll.player WHERE name = 'Forgotten [guest]'").trim() === '0');
    assert.equal(good(await client.get(`/v1/players/${place.player.id}`)).name, 'Patient [guest]');
  });
});

describe('a link', () => {
  it('ends when a new one is made', async () => {
    const event = await makeEvent();
    const old = good(await hold(event, 'Twice'));
    const place = good(await renew(event, old));
    assert.notEqual(place.code, old.code);
    for (const use of [shown(old), claim(old, 'Nobody Here'), attach(old, players[0])]) assert.equal(code(await use), '404 not-found');
    assert.equal(code(await shown(place)), 200);
  });

  it('makes an account of the place once, and what was played stays with it', async () => {
    const event = await makeEvent();
    const place = good(await hold(event, 'Rosa'));
    for (const player of players.slice(0, 1)) good(await client.post(`${event}/entries`, {}, player.token));
    good(await client.post(`${event}/close-entries`, {}, organizer.token));
    good(await client.post(`${event}/rounds`, {}, organizer.token));
    assert.equal(good(await shown(place)).attachable, false);
    assert.equal(code(await attach(place, players[2])), '409 wrong-state');
    assert.equal(code(await claim(place, players[1].name)), '409 name-taken');
    assert.equal(code(await claim(place, 'Rosa Claimed', 'short')), '400 bad-field');
    assert.equal(code(await client.post(`/v1/claims/${place.code}/account`, { name: 'Rosa Claimed', password })), '403 foreign-origin');
    const claimed = await Promise.all([claim(place, 'Rosa Claimed'), claim(place, 'Rosa Robbed')]);
    assert.deepEqual(claimed.map(code).sort(), [201, '404 not-found'].sort());
    const [answer] = claimed.filter((each) => each.status === 201);
    assert.equal(good(answer).player.id, place.player.id);
    assert.equal(good(answer).player.guest, false);
    const token = tokenOf(answer);
    assert.deepEqual(await places(event), []);
    assert.equal((await entries(event)).find((entry) => entry.player.id === place.player.id).player.name, good(answer).player.name);
    const { items: games } = good(await client.get('/v1/me/games', { token }));
    assert.equal(games.length, 1);
    assert.equal(code(await client.post('/v1/tokens', { name: good(answer).player.name, password })), 201);
    assert.equal(code(await shown(place)), '404 not-found');
  });

  it('attaches the place to an account while entries are open', async () => {
    const event = await makeEvent();
    const place = good(await hold(event, 'Ines'));
    good(await client.post(`${event}/entries`, {}, players[0].token));
    assert.equal(code(await attach(place, players[0])), '409 already-entered');
    assert.equal(code(await shown(place)), 200); // what is refused uses no code up
    const entry = good(await attach(place, players[1]));
    assert.deepEqual([entry.player.id, entry.state], [players[1].id, 'entered']);
    assert.deepEqual((await entries(event)).map((each) => each.player.id).sort(), [players[0].id, players[1].id].sort());
    assert.deepEqual(await places(event), []);
    for (const use of [attach(place, players[2]), claim(place, 'Ines Again')]) assert.equal(code(await use), '404 not-found');
  });

  it('attaches no place that others wait for, and none to a guest', async () => {
    const event = await makeEvent({ capacity: 2 });
    const place = good(await hold(event, 'Full'));
    for (const player of players.slice(0, 2)) good(await client.post(`${event}/entries`, {}, player.token));
    assert.equal(code(await attach(place, players[2])), '409 event-full');
    const guest = tokenOf(await client.post('/v1/guests', { name: 'Passer-by' }, undefined, own()));
    assert.equal(code(await attach(place, { token: guest })), '403 not-allowed');
    assert.deepEqual((await entries(event)).map((each) => each.state), ['entered', 'entered', 'waiting']);
    assert.equal(code(await claim(place, 'Full Claimed')), 201);
  });

  it('that is none tells nothing', async () => {
    const stranger = await makePlayer(client, 'Curious');
    for (const wrong of ['a'.repeat(26), 'A'.repeat(26), 'x', 'a'.repeat(200)]) {
      const place = { code: wrong };
      for (const use of [shown(place), claim(place, 'Curious Too'), attach(place, stranger)]) assert.equal(code(await use), '404 not-found');
    }
  });
});

describe('a guest', () => {
  const comeIn = async (name) => ({ token: tokenOf(await client.post('/v1/guests', { name }, undefined, own())) });

  it('enters an event only where it allows guests', async () => {
    const guest = await comeIn('Walk-in');
    const event = await makeEvent();
    assert.equal(good(await client.get(event)).settings.guests, undefined);
    assert.equal(code(await client.post(`${event}/entries`, {}, guest.token)), '403 guest-not-allowed');
    good(await patch(event, { guests: 'allowed' }));
    assert.equal(good(await client.get(event)).settings.guests, 'allowed');
    const entry = good(await client.post(`${event}/entries`, {}, guest.token));
    assert.deepEqual([entry.player.name, entry.state], ['Walk-in [guest]', 'entered']);
    // For themselves, and nobody else.
    assert.equal(code(await client.post(`${event}/entries`, { player: players[0].id }, guest.token)), '403 not-allowed');
    assert.equal(code(await client.post('/v1/events', { name: 'Mine', ruleset: 'shinjuku' }, guest.token)), '403 missing-scope');
    assert.equal((await client.delete(`${event}/entries/${entry.player.id}`, guest.token)).status, 204);
  });

  it('stays in an event that allows none any more, and becomes an account there', async () => {
    const event = await makeEvent({ guests: 'allowed' });
    const guest = await comeIn('Early bird');
    const { player } = good(await client.post(`${event}/entries`, {}, guest.token));
    good(await patch(event, { guests: 'no' }));
    assert.deepEqual((await entries(event)).map((entry) => entry.state), ['entered']);
    good(await client.post('/v1/me/account', { name: 'Bird Own', password }, guest.token));
    assert.deepEqual((await entries(event)).map((entry) => entry.player), [{ id: player.id, name: 'Bird Own' }]);
    assert.equal(code(await patch(event, { guests: 'perhaps' })), '400 bad-field');
  });
});
