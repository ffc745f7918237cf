// House players in events: who may enter, tables that are filled with them, how they are marked and rated, and what the bundle proves.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { makePlayer, makePlayers } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { House } from './house_program.mjs';

const bed = new Testbed();
const there = new Testbed(); // another service
let client;
let keeper;
let organizer;
let people;
let accounts; // of the house: three casual, one strong
let program;

const at = (event) => `/v1/events/${event.id}`;
const code = async (answer) => (await answer).json.code;
const names = ({ items }) => items.map(({ player }) => player.name);

// An event whose entries are open, with these players.
async function open(players, settings = {}) {
  const event = good(await client.post('/v1/events', { name: 'Filled', ruleset: 'superstore-3000', seats_min: 2, seats_max: 4, rounds: 1, entropy_seconds: 0, ...settings }, organizer.token));
  good(await client.post(`${at(event)}/open-entries`, {}, organizer.token));
  for (const { token } of players) good(await client.post(`${at(event)}/entries`, {}, token));
  return event;
}

const fill = (event, level, more = {}) => client.post(`${at(event)}/house`, { level, ...more }, organizer.token);

async function start(event) {
  good(await client.post(`${at(event)}/close-entries`, {}, organizer.token));
  return good(await client.post(`${at(event)}/rounds`, {}, organizer.token)).games;
}

async function play(games, players) {
  await Promise.all(games.map(({ id }) => keeper.script(id, players)));
  for (const { id } of games) await until(240, `the end of ${id}`, async () => good(await client.get(`/v1/games/${id}`)).state === 'finished');
}

const ratings = async ({ id }) => Object.fromEntries((good(await client.get(`/v1/players/${id}/ratings`)).items ?? []).map((each) => [each.scope, each.mu_millionths]));
const board = async (scope) => good(await client.get(`/v1/leaderboard?games_min=0&limit=100&scope=${scope}`)).items.map(({ player }) => player.name);

// What the command says of the event's bundle, as JSON.
async function verified(event) {
  const file = path.join(bed.directory, `${event.id}.bundle`);
  writeFileSync(file, (await client.get(`${at(event)}/bundle`)).text);
  const { status, stdout, stderr } = bed.tillroll('event', '--json', file);
  assert.equal(status, 0, stdout + stderr);
  return JSON.parse(stdout);
}

before(async () => {
  ({ client } = await bed.startService());
  keeper = new House(bed, client);
  [organizer, ...people] = await makePlayers(client, 8, 'Person');
  accounts = [];
  for (const level of ['casual', 'casual', 'casual', 'strong']) accounts.push(await keeper.account(level));
  program = keeper.start(accounts);
});
after(async () => {
  keeper.end();
  await there.end();
  await bed.end();
});

describe('an event', () => {
  it('takes no house players, and bots, unless it says otherwise', async () => {
    const { settings } = await open([]);
    for (const name of ['house', 'bots', 'rate_house']) assert.ok(!(name in settings), name);
    const event = await open([people[0]]);
    assert.equal(await code(fill(event, 'casual')), 'house-not-allowed');
    const bot = good(await client.post('/v1/me/bots', { name: 'Bot of the first' }, people[0].token));
    good(await client.post(`${at(event)}/entries`, { player: bot.id }, organizer.token));
    const another = await open([], { bots: false });
    assert.equal(another.settings.bots, false);
    const refused = await client.post(`${at(another)}/entries`, { player: bot.id }, organizer.token);
    assert.deepEqual([refused.status, refused.json.code], [403, 'bot-not-allowed']);
  });

  it('refuses levels and answers that there are not', async () => {
    for (const [name, value, words] of [['house', 'divine', /none beginner casual regular strong master/], ['house', true, /none/], ['bots', 'no', /true or false/], ['rate_house', 1, /true or false/]]) {
      const { status, json } = await client.post('/v1/events', { name: 'Bad', ruleset: 'superstore-3000', rounds: 1, [name]: value }, organizer.token);
      assert.deepEqual([status, json.code], [400, 'bad-field'], name);
      assert.match(json.detail, words);
    }
  });

  it('takes house players up to a level, from organizers only', async () => {
    const event = await open(people.slice(0, 2), { house: 'regular' });
    assert.equal(await code(fill(event, 'strong')), 'house-not-allowed');
    assert.equal(await code(client.post(`${at(event)}/entries`, { player: accounts[3].id }, organizer.token)), 'house-not-allowed');
    assert.equal(await code(fill(event, 'divine')), 'bad-field');
    assert.equal(await code(fill(event, 'none')), 'bad-field');
    assert.equal(await code(client.post(`${at(event)}/house`, {}, organizer.token)), 'bad-field');
    assert.equal(await code(fill(event, 'casual', { count: 0 })), 'bad-field');
    assert.equal(await code(fill(event, 'casual', { count: 4 })), 'house-unavailable');
    assert.equal(await code(fill(event, 'beginner')), 'house-unavailable');
    assert.equal(await code(client.post(`${at(event)}/house`, { level: 'casual' }, people[0].token)), 'not-allowed');
    assert.equal(await code(client.post(`${at(event)}/entries`, {}, accounts[0].token)), 'house-not-allowed');
    assert.deepEqual(names(good(await client.get(`${at(event)}/entries`))), people.slice(0, 2).map(({ name }) => name));
    good(await client.post(`${at(event)}/entries`, { player: accounts[0].id }, organizer.token));
    assert.deepEqual(names(good(await fill(event, 'casual'))), ['House · casual 2']);
    assert.deepEqual(good(await fill(event, 'casual')).items, []);
  });

  it('checks them in, and has them wait for no place', async () => {
    const event = await open(people.slice(0, 3), { house: 'casual', capacity: 4, check_in: true });
    assert.equal(await code(fill(event, 'casual', { count: 2 })), 'event-full');
    const { items: [entry] } = good(await fill(event, 'casual'));
    assert.deepEqual([entry.house, entry.checked_in, entry.state], [{ level: 'casual' }, true, 'entered']);
    const { items } = good(await client.get(`${at(event)}/entries`));
    assert.deepEqual(items.map(({ house }) => house), [null, null, null, { level: 'casual' }]);
  });

  it('without rounds has to be told how many', async () => {
    const event = await open([people[0]], { format: 'open_play', rounds: undefined, house: 'casual' });
    assert.equal(await code(fill(event, 'casual')), 'bad-field');
    assert.equal(good(await fill(event, 'casual', { count: 2 })).items.length, 2);
  });
});

describe('a filled event', () => {
  let event;
  let games;
  let left;

  it('is played to its standings by the program', async () => {
    event = await open(people.slice(0, 6), { house: 'casual', name: 'Played with the house' });
    assert.deepEqual(names(good(await fill(event, 'casual'))), ['House · casual', 'House · casual 2']);
    games = await start(event);
    assert.deepEqual(games.map(({ seats }) => seats.length), [4, 4]);
    assert.equal(games.flatMap(({ seats }) => seats).filter(({ house }) => house?.level === 'casual').length, 2);
    // One person leaves; a house player takes over, at a table that has none so far, if there is one. Those above the event's level may not.
    const apart = games.filter(({ seats }) => seats.every(({ house }) => house === null));
    const leavers = people.slice(3, 6).map(({ id }) => id);
    const game = (apart.length > 0 ? apart : games).find(({ seats }) => seats.some(({ player }) => leavers.includes(player.id)));
    const { seat, player } = game.seats.find((each) => leavers.includes(each.player.id));
    left = player.id;
    assert.equal(await code(client.post(`/v1/games/${game.id}/substitute`, { seat, player: accounts[3].id }, organizer.token)), 'house-not-allowed');
    good(await client.post(`/v1/games/${game.id}/substitute`, { seat, player: accounts[2].id }, organizer.token));
    await play(games, people);
    const { rows, places } = good(await client.get(`${at(event)}/standings`));
    assert.equal(rows.length, 8);
    assert.equal(rows.filter(({ house }) => house?.level === 'casual').length, 2);
    for (const row of rows) assert.equal(row.people_rank === null, row.house !== null);
    const ahead = (row) => rows.filter((other) => other.house === null && other.rank < row.rank).length;
    for (const row of rows) if (row.house === null) assert.equal(row.people_rank, 1 + ahead(row));
    for (const place of places) assert.equal(place.people_place === null, place.house !== null);
  });

  it('is rated on a list of its own', async () => {
    for (const person of people.slice(0, 6).filter(({ id }) => id !== left)) assert.deepEqual(Object.keys(await ratings(person)), ['house.superstore-3000']);
    assert.deepEqual(await board('overall'), []);
    assert.deepEqual(await board('superstore-3000'), []);
    assert.deepEqual((await board('house.superstore-3000')).toSorted(), ['House · casual', 'House · casual 2', 'House · casual 3']);
  });

  it('is rated again where a ruling changes it, and only there', async () => {
    const table = games[0].event.table;
    const before = await Promise.all(people.slice(0, 6).map(ratings));
    const { seats } = good(await client.get(`/v1/games/${games[0].id}`));
    const players = seats.map(({ player, substitute_for: first }) => (first ?? player).id);
    const rule = async (order) => {
      const ruled = order.map((player, i) => ({ player, rank: 1 + i, score: 40 - i }));
      good(await client.request('PUT', `${at(event)}/rounds/1/tables/${table}/ruling`, { json: { seats: ruled, reason: 'Counted again.' }, token: organizer.token }));
      return Promise.all(people.slice(0, 6).map(ratings));
    };
    // One of the two orders is not that in which the game ended.
    const afters = [await rule(players), await rule([...players].reverse())];
    const after = afters.find((each) => !isDeepStrictEqual(each, before));
    assert.notEqual(after, undefined);
    for (const each of after) assert.deepEqual(Object.keys(each).filter((scope) => scope !== 'house.superstore-3000'), []);
    good(await client.delete(`${at(event)}/rounds/1/tables/${table}/ruling`, organizer.token));
    assert.deepEqual(await Promise.all(people.slice(0, 6).map(ratings)), before);
  });

  it('has a bundle that proves it', async () => {
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    const { rated_games, house_rated_games, places } = await verified(event);
    assert.deepEqual([rated_games, house_rated_games], [0, 2]);
    assert.deepEqual(places.filter(({ house }) => house === 'casual').map(({ name }) => name).toSorted(), ['House · casual', 'House · casual 2']);
    const log = good(await client.get(`${at(event)}/log?limit=100`)).items;
    assert.equal(log.filter(({ kind, detail }) => kind === 'result' && detail.house?.length === 1).length, 1);
    assert.equal(log.filter(({ kind, detail }) => kind === 'entered' && detail.house === 'casual').length, 2);
  });
});

describe('a filled event on another service', () => {
  it('has its marks, and its list of house players', async () => {
    const { client: other } = await there.startService();
    const admin = await makePlayer(other, 'Admin');
    asOwner(there.cluster, `UPDATE tillroll.player SET roles = 1 WHERE id = '${admin.id}'`);
    const [{ id }] = good(await client.get('/v1/events?limit=100')).items.filter(({ name }) => name === 'Played with the house');
    const bytes = Buffer.from((await client.get(`/v1/events/${id}/bundle`)).text);
    const target = `/v1/imports/${createHash('sha256').update(bytes).digest('hex')}`;
    const sent = await other.request('PUT', `${target}/parts/1`, { token: admin.token, body: bytes, headers: { 'Content-Type': 'text/plain' } });
    assert.equal(sent.status, 204, sent.text);
    good(await other.post(target, { key: good(await client.get('/v1/keys')).keys[0].public_key, parts: 1 }, admin.token));
    const { rows } = good(await other.get(`/v1/events/${id}/standings`));
    const here = good(await client.get(`/v1/events/${id}/standings`)).rows;
    const shown = (row) => [row.player.name, row.rank, row.people_rank, row.house?.level];
    assert.deepEqual(rows.map(shown), here.map(shown));
    const board = async (scope) => good(await other.get(`/v1/leaderboard?games_min=0&limit=100&scope=${scope}`)).items.map(({ player }) => player.name);
    assert.deepEqual([await board('overall'), await board('superstore-3000')], [[], []]);
    assert.deepEqual((await board('house.superstore-3000')).toSorted(), ['House · casual', 'House · casual 2', 'House · casual 3']);
  });
});

describe('games with house players', () => {
  it('are rated like others where the event says so, and people alone are on their leaderboards', async () => {
    const event = await open(people.slice(0, 3), { house: 'casual', rate_house: true });
    good(await fill(event, 'casual'));
    const games = await start(event);
    assert.equal(await code(client.request('PATCH', at(event), { json: { rate_house: false }, token: organizer.token })), 'bad-field');
    const before = await ratings(people[0]);
    await play(games, people);
    for (const person of people.slice(0, 3)) assert.deepEqual(Object.keys(await ratings(person)), ['house.superstore-3000', 'overall', 'superstore-3000']);
    assert.equal((await ratings(people[0]))['house.superstore-3000'], before['house.superstore-3000']);
    for (const scope of ['overall', 'superstore-3000'])
      assert.deepEqual((await board(scope)).toSorted(), people.slice(0, 3).map(({ name }) => name).toSorted(), scope);
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    assert.equal((await verified(event)).rated_games, 1);
  });

  it('of two seats make no rating period', { skip: notLong }, async () => {
    const event = await open([people[6]], { house: 'casual', format: 'dutch', seats_min: undefined, seats_max: undefined });
    good(await fill(event, 'casual'));
    await play(await start(event), people);
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    assert.deepEqual(Object.keys(await ratings(people[6])), ['house.superstore-3000']);
  });

  it('need the program, which ends when it is told to', async () => {
    assert.equal(await keeper.stop(program), 0);
    assert.match(program.output, /moves played/);
  });
});
