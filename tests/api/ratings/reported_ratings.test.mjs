// Ratings of reported results, of events that have them rated: when, of whom, by which results, what says "reported", and that the
// event's bundle gives the same ratings; after a ruling, too.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makePlayers } from '../support/play.mjs';
import { assertRounded, glicko2, plackettLuce } from '../support/ratings.mjs';
import { bed, client, organizer, serve } from '../support/served.mjs';

serve();

const atTables = { name: 'Evening', ruleset: 'shinjuku', seats_min: 3, seats_max: 3, rounds: 1, play: 'table', confirm_minutes: 0, rate_reported: true };

// An event whose first round has started, with places held for guests: { at, id, tables }, who sits where.
async function begin(players, { guests = [], ...settings } = {}) {
  const { id } = good(await client.post('/v1/events', { ...atTables, ...settings }, organizer.token));
  const at = `/v1/events/${id}`;
  good(await client.post(`${at}/open-entries`, {}, organizer.token));
  for (const player of players) good(await client.post(`${at}/entries`, {}, player.token));
  const held = [];
  for (const name of guests) held.push(good(await client.post(`${at}/places`, { name }, organizer.token)).player);
  good(await client.post(`${at}/close-entries`, {}, organizer.token));
  const { seating } = good(await client.post(`${at}/rounds`, {}, organizer.token));
  const known = [...players, ...held];
  return { at, id, tables: seating.map((table) => table.seats.map(({ player }) => known.find((each) => each.id === player.id))) };
}

const close = (at) => client.post(`${at}/close`, {}, organizer.token).then(good);
const historyOf = async ({ id }, scope = 'shinjuku') => good(await client.get(`/v1/players/${id}/ratings/history?scope=${scope}`)).items;
const ratingsOf = async ({ id }) => good(await client.get(`/v1/players/${id}/ratings`)).items;
const revisions = async () => good(await client.get('/v1/ratings/revisions')).items;
const start = { mu: 25_000_000, sigma: 8_333_333 };

// What the command works out from the event's bundle: { rated_games, rated_reported, of: player -> { mu, sigma } }.
async function proved(at) {
  const proof = bed.proveEvent((await client.get(`${at}/bundle`)).text, ['--json']);
  assert.equal(proof.status, 0, proof.output);
  const { places, ...rest } = JSON.parse(proof.output);
  return { ...rest, of: (player) => {
    const place = places.find((each) => each.player === player.id);
    return { mu: place.mu_millionths, sigma: place.sigma_millionths };
  } };
}

// That the newest change is this one, and that the formula and the bundle say the same.
async function assertRated(at, table, number, seats) {
  const real = plackettLuce(seats.map(({ rank }) => ({ ...start, rank })));
  const bundle = await proved(at);
  for (const [i, { player }] of seats.entries()) {
    for (const scope of ['shinjuku', 'overall']) {
      const [change] = await historyOf(player, scope);
      assert.deepEqual(change.reported, { event: at.split('/').at(-1), round: 1, table: number });
      assert.deepEqual([change.game, change.event], [null, change.reported.event]);
      assertRounded(change.after.mu_millionths, real[i].mu, `mu of ${player.name}`);
      assertRounded(change.after.sigma_millionths, real[i].sigma, `sigma of ${player.name}`);
      assert.deepEqual(bundle.of(player), { mu: change.after.mu_millionths, sigma: change.after.sigma_millionths });
    }
  }
}

describe('reported results of an event that has them rated', () => {
  let event;
  let players;

  it('are rated when it is closed, and not before', async () => {
    players = await makePlayers(client, 6, 'Seated');
    event = await begin(players);
    assert.equal(good(await client.get(event.at)).settings.rate_reported, true);
    good(await client.post(`${event.at}/rounds/1/reports`, { results: '1: 41 38 22\n2: 2. 1. 3.' }, organizer.token));
    for (const player of players) assert.deepEqual(await ratingsOf(player), []);
    await close(event.at);
    for (const player of players) assert.deepEqual((await ratingsOf(player)).map(({ scope, games, reported }) => [scope, games, reported]), [['overall', 1, 1], ['shinjuku', 1, 1]]);
    const [first, second] = event.tables;
    await assertRated(event.at, first, 1, first.map((player, i) => ({ player, rank: i + 1 })));
    await assertRated(event.at, second, 2, second.map((player, i) => ({ player, rank: [2, 1, 3][i] })));
    const { rated_games, rated_reported, reported } = await proved(event.at);
    assert.deepEqual([rated_games, rated_reported, reported], [2, 2, 2]);
    assert.match(bed.proveEvent((await client.get(`${event.at}/bundle`)).text).output, /2 of the reported results are rated/);
  });

  it('are rated again after a ruling, as a revision', async () => {
    const [table] = event.tables;
    const before = await historyOf(table[0]);
    const seats = table.map(({ id }, i) => ({ player: id, rank: 3 - i }));
    const ruling = `${event.at}/rounds/1/tables/1/ruling`;
    good(await client.request('PUT', ruling, { json: { seats, reason: 'Read upside down.' }, token: organizer.token }));
    await assertRated(event.at, table, 1, table.map((player, i) => ({ player, rank: 3 - i })));
    const [revision] = await revisions();
    assert.deepEqual([revision.game, revision.reason, revision.changes], [null, 'Read upside down.', 4]); // the second stays second
    assert.deepEqual(revision.reported, { event: event.id, round: 1, table: 1 });
    const { items } = good(await client.get(`/v1/ratings/revisions/${revision.number}`));
    assert.ok(items.every(({ game, reported }) => game === null && reported.table === 1));
    const was = items.find(({ player, scope }) => player.id === table[0].id && scope === 'shinjuku').was.after;
    assert.deepEqual(was, before[0].after);
    assert.equal((await historyOf(table[0]))[0].number, before[0].number);
  });

  it('are rated no more while a ruling says that one did not play', async () => {
    const [table] = event.tables;
    const ruling = `${event.at}/rounds/1/tables/1/ruling`;
    const seats = table.map(({ id }, i) => (i === 0 ? { player: id, rank: 3, kind: 'forfeit_loss' } : { player: id, rank: i }));
    good(await client.request('PUT', ruling, { json: { seats, reason: 'Did not come.' }, token: organizer.token }));
    for (const player of table) assert.deepEqual([await historyOf(player), await ratingsOf(player)], [[], []]);
    assert.equal((await proved(event.at)).rated_games, 1);
    good(await client.request('DELETE', ruling, { json: { reason: 'Came late.' }, token: organizer.token }));
    await assertRated(event.at, table, 1, table.map((player, i) => ({ player, rank: i + 1 })));
    const page = good(await client.get(`/v1/players/${table[0].id}/ratings/history?scope=shinjuku&limit=1`));
    assert.deepEqual(good(await client.get(`/v1/players/${table[0].id}/ratings/history?scope=shinjuku&limit=1&after=${page.next}`)), { items: [], next: null });
  });
});

describe('who is rated by a reported result', () => {
  it('guests are not, and the others among themselves', async () => {
    const players = await makePlayers(client, 4, 'Member');
    const { at, tables } = await begin(players, { guests: ['Mo', 'Kim'] });
    good(await client.post(`${at}/rounds/1/reports`, { results: '1: 3 2 1\n2: 3 2 1' }, organizer.token));
    await close(at);
    const log = good(await client.get(`${at}/log?limit=100`)).items;
    const guests = tables.flat().filter((each) => !players.includes(each));
    assert.deepEqual(log.find(({ kind }) => kind === 'closed').detail.unrated.toSorted(), guests.map(({ id }) => id).toSorted());
    for (const guest of guests) assert.deepEqual(await ratingsOf(guest), []);
    for (const [i, table] of tables.entries()) {
      const left = table.filter((each) => players.includes(each));
      if (left.length > 1) await assertRated(at, table, i + 1, left.map((player, place) => ({ player, rank: place + 1 })));
      else for (const player of left) assert.deepEqual(await ratingsOf(player), []);
    }
  });

  it('nobody is where the event does not have it', async () => {
    const players = await makePlayers(client, 3, 'Alone');
    const { at, tables: [table] } = await begin(players, { rate_reported: false });
    good(await client.post(`${at}/rounds/1/reports`, { results: '1: 3 2 1' }, organizer.token));
    await close(at);
    for (const player of table) assert.deepEqual(await ratingsOf(player), []);
    const seats = table.map(({ id }, i) => ({ player: id, rank: 3 - i }));
    const count = (await revisions()).length;
    good(await client.request('PUT', `${at}/rounds/1/tables/1/ruling`, { json: { seats, reason: 'Read upside down.' }, token: organizer.token }));
    assert.equal((await revisions()).length, count);
    const { rated_games, rated_reported } = await proved(at);
    assert.deepEqual([rated_games, rated_reported], [0, undefined]);
  });

  it('tables of two count for Glicko-2, too', async () => {
    const players = await makePlayers(client, 2, 'Pair');
    const { at, tables: [[ada, ben]] } = await begin(players, { seats_min: 2, seats_max: 2 });
    const seats = [ada, ben].map(({ id }, i) => ({ player: id, rank: i + 1 }));
    good(await client.post(`${at}/rounds/1/tables/1/report`, { seats }, ada.token));
    good(await client.post(`${at}/rounds/1/tables/1/confirmation`, {}, ben.token));
    await close(at);
    const own = { rating: 1_500_000_000, deviation: 350_000_000, volatility: 60_000_000 };
    const [change] = await historyOf(ada, 'glicko.shinjuku');
    const real = glicko2(own, [{ opponent: own, score: 1 }]);
    assertRounded(change.after.mu_millionths, real.rating, 'rating');
    assertRounded(change.after.sigma_millionths, real.deviation, 'deviation');
    assert.equal((await historyOf(ada))[0].reported.table, 1);
    assert.deepEqual((await ratingsOf(ben)).map(({ scope, reported }) => [scope, reported]), [['glicko.shinjuku', 1], ['overall', 1], ['shinjuku', 1]]);
    const { items } = good(await client.get('/v1/leaderboard?scope=glicko.shinjuku'));
    assert.deepEqual(items.map(({ player, reported }) => [player.id, reported]), [[ada.id, 1], [ben.id, 1]]);
    const page = await fetch(`http://127.0.0.1:${client.port}/leaderboard?scope=glicko.shinjuku`);
    const text = await page.text();
    assert.match(text, /provisional, 1 reported/);
    assert.doesNotMatch(text, /Ranked by/); // by nothing but the rating
    assert.match(await (await fetch(`http://127.0.0.1:${client.port}/leaderboard?scope=shinjuku`)).text(), /Ranked by/);
  });
});
