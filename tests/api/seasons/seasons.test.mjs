// Seasons: which events are part of one, and its standings worked out again from those of the events.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { assertFraction, Fraction, makeDuplicate, readRound, seated } from '../support/duplicate.mjs';
import { endQuietly, makeEvent, makePlayers, playBriefly, Random, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

const random = new Random('seasons');
let bed;
let client;
let other; // a service that keeps no answers
let organizer;
let stranger;
let players;
const closed = []; // events, in the order of their closing
let running;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  other = (await bed.startService(['--answer-cache-bytes', '0'])).client;
  [organizer, stranger] = await makePlayers(client, 2, 'Somebody');
  players = await makePlayers(client, 6);
  for (const entrants of [players.slice(0, 6), players.slice(0, 4)]) {
    const event = await makeEvent(client, organizer, entrants, { seats_min: entrants.length / 2, seats_max: entrants.length / 2, rounds: 1 });
    const round = await startRound(client, event, organizer, entrants);
    for (const game of round.games) await playBriefly(client, game, random);
    await close(event);
  }
  // A player who dropped out before the first round has no result.
  const duplicate = await makeDuplicate(client, organizer, players.slice(1, 6), { ruleset: 'supermarche', boards: 2, seats_preferred: 1 });
  assert.equal((await client.delete(`/v1/events/${duplicate.id}/entries/${players[5].id}`, organizer.token)).status, 204);
  good(await client.post(`/v1/events/${duplicate.id}/rounds`, {}, organizer.token));
  for (const game of seated(await readRound(client, duplicate, 1), players)) await endQuietly(client, game, organizer);
  await close(duplicate);
  running = await makeEvent(client, organizer, players, { name: 'Running', rounds: 2 });
});
after(() => bed.end());

async function close(event) {
  good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  closed.push(event);
}

const makeSeason = async (rules = {}) => good(await client.post('/v1/seasons', { name: 'Winter circuit', ...rules }, organizer.token));
const add = (season, event, who = organizer) => client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, who.token);

async function makeFull(rules, events) {
  const season = await makeSeason(rules);
  for (const event of events) good(await add(season, event));
  return season;
}

const standingsOf = async (season) => {
  const standings = good(await client.get(`/v1/seasons/${season.id}/standings`));
  assert.deepEqual(good(await other.get(`/v1/seasons/${season.id}/standings`)), standings);
  return standings;
};

const floor = ({ numerator, denominator }) => numerator / denominator; // of what is not negative

// What each player got in each event, by the definitions, from the standings of the events.
async function resultsOf(event) {
  const { rows } = good(await client.get(`/v1/events/${event.id}/standings`));
  const played = rows.filter((row) => row.played > 0);
  return played.map((row) => ({
    player: row.player.id,
    event: event.id,
    place: 1 + played.filter((each) => each.rank < row.rank).length,
    entrants: played.length,
    sixtieths: floor(new Fraction(row.points.numerator, row.points.denominator).times(60)),
  }));
}

const pointsValue = ({ sixtieths }, weight) => (sixtieths * BigInt(weight) * 1000000n) / 60000n;
const percentileValue = ({ place: p, entrants: n }, weight) =>
  floor(new Fraction(100 * (n + 5), n + 6).times(n - p, n - 1).times(1000000).times(weight, 1000));

async function checkStandings(season, events, value, { best = 256, weights = events.map(() => 1000), least = 2 } = {}) {
  const standings = await standingsOf(season);
  const results = (await Promise.all(closed.filter((event) => events.includes(event)).map(resultsOf))).flat();
  const totals = new Map();
  for (const { player } of results) {
    const own = results.filter((each) => each.player === player).map((each) => {
      const weight = weights[events.findIndex((event) => event.id === each.event)];
      return { ...each, valid: each.entrants >= least, value: each.entrants >= least ? value(each, weight) : 0n };
    });
    own.sort((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0));
    const counted = own.filter((each) => each.valid).slice(0, best);
    totals.set(player, counted.reduce((sum, each) => sum + each.value, 0n));
    const row = standings.items.find((each) => each.player.id === player);
    assert.equal(BigInt(row.total_millionths), totals.get(player));
    assert.equal(row.results.length, own.length);
    for (const shown of row.results) {
      const one = own.find((each) => each.event === shown.event);
      assert.deepEqual([shown.place, shown.shared, shown.entrants], [one.place, 1, one.entrants]);
      assert.equal(BigInt(shown.value_millionths), one.value);
      assertFraction(shown.points, new Fraction(one.sixtieths, 60), 'points');
    }
    assert.deepEqual(row.results.map((each) => BigInt(each.value_millionths)), own.map((each) => each.value));
    assert.equal(row.results.filter((each) => each.counted).length, counted.length);
  }
  assert.equal(standings.items.length, totals.size);
  const order = standings.items.map((row) => row.total_millionths);
  assert.deepEqual(order, [...order].sort((a, b) => b - a));
  standings.items.forEach((row, i) => assert.ok(row.rank <= i + 1 && row.rank > order.filter((total) => total > order[i]).length));
  return standings;
}

describe('a season', () => {
  it('is made with rules', async () => {
    const made = await client.post('/v1/seasons', { name: 'Winter circuit', method: 'percentile', best: 3, least_entrants: 4, weighting: 'field' }, organizer.token);
    assert.equal(made.status, 201);
    assert.equal(made.headers.location, `/v1/seasons/${made.json.id}`);
    assert.deepEqual(made.json.rules, { method: 'percentile', best: 3, least_entrants: 4, weighting: 'field' });
    assert.deepEqual(good(await client.get(made.headers.location)), made.json);
    assert.deepEqual((await makeSeason()).rules, { method: 'points', best: null, least_entrants: 2, weighting: 'equal' });
    const { items } = good(await client.get('/v1/seasons?limit=1'));
    assert.equal(items.length, 1);
    for (const rules of [{ method: 'luck' }, { best: 0 }, { best: 257 }, { least_entrants: 1 }, { weighting: 'mine' }, { name: '' }, { best: '3' }])
      assert.equal((await client.post('/v1/seasons', { name: 'Spring', ...rules }, organizer.token)).json.code, 'bad-field', JSON.stringify(rules));
    assert.equal((await client.post('/v1/seasons', { name: 'Spring', rounds: 3 }, organizer.token)).json.code, 'unknown-field');
    assert.equal((await client.post('/v1/seasons', { name: 'Spring' })).status, 401);
  });

  it('has the events that both sides want', async () => {
    const season = await makeSeason();
    const theirs = good(await client.post('/v1/events', { name: 'Theirs', ruleset: 'shinjuku', rounds: 1 }, stranger.token));
    const second = good(await client.post('/v1/events', { name: 'Theirs too', ruleset: 'shinjuku', rounds: 1 }, stranger.token));
    const state = (answer, event) => answer.events.find((each) => each.event.id === event.id);
    assert.equal((await add(season, theirs, players[0])).json.code, 'not-allowed');
    const invited = state(good(await add(season, theirs)), theirs);
    assert.deepEqual([invited.invited, invited.offered, invited.counts], [true, false, false]);
    assert.equal((await add(season, theirs)).json.code, 'already-added');
    const both = good(await add(season, theirs, stranger));
    assert.equal(both.events_counted, 1);
    assert.ok(state(both, theirs).counts);
    assert.deepEqual(state(good(await add(season, second, stranger)), second).offered, true);
    assert.equal((await add(season, second, stranger)).json.code, 'already-added');
    assert.equal(good(await add(season, second)).events_counted, 2);
    assert.equal(good(await add(season, running)).events_counted, 3);
    assert.equal((await add(season, running)).json.code, 'already-added');
    for (const event of ['', 'x', season.id]) assert.equal((await client.post(`/v1/seasons/${season.id}/events`, { event }, organizer.token)).json.code, 'bad-field');
    assert.equal((await client.post(`/v1/seasons/${running.id}/events`, { event: running.id }, organizer.token)).status, 404);
    const steps = good(await client.get(`/v1/seasons/${season.id}/log`)).items;
    assert.deepEqual(steps.map((step) => [step.seq, step.kind, step.by.id, step.detail.event]), [
      [1, 'created', organizer.id, undefined],
      [2, 'event_invited', organizer.id, theirs.id],
      [3, 'event_added', stranger.id, theirs.id],
      [4, 'event_offered', stranger.id, second.id],
      [5, 'event_added', organizer.id, second.id],
      [6, 'event_added', organizer.id, running.id],
    ]);
    assert.deepEqual(good(await client.get(`/v1/seasons/${season.id}`)), good(await other.get(`/v1/seasons/${season.id}`)));
  });

  it('is found by an event that counts for it', async () => {
    const event = good(await client.post('/v1/events', { name: 'Theirs', ruleset: 'shinjuku', rounds: 1 }, stranger.token));
    const of = async (query = '') => good(await client.get(`/v1/seasons?event=${event.id}${query}`)).items.map(({ id }) => id);
    const [first, second] = [await makeSeason(), await makeSeason()].sort((a, b) => (a.id < b.id ? -1 : 1)); // of one millisecond: in any order
    for (const season of [first, second]) good(await add(season, event, stranger));
    assert.deepEqual(await of(), []); // offered
    for (const season of [first, second]) good(await add(season, event));
    assert.deepEqual(await of(), [second.id, first.id]);
    assert.deepEqual(await of(`&limit=1&after=${second.id}`), [first.id]);
    assert.equal((await client.delete(`/v1/seasons/${second.id}/events/${event.id}`, stranger.token)).status, 204);
    assert.deepEqual(await of(), [first.id]);
    assert.deepEqual(good(await other.get(`/v1/seasons?event=${event.id}`)).items.map(({ id }) => id), [first.id]);
    assert.equal((await client.get('/v1/seasons?event=x')).json.code, 'bad-parameter');
  });

  it('loses an event that either side removes, and its log keeps that it was there', async () => {
    const season = await makeSeason({ method: 'points' });
    const events = async () => good(await client.get(`/v1/seasons/${season.id}`)).events.map((each) => each.event.id);
    const remove = (event, who = organizer) => client.delete(`/v1/seasons/${season.id}/events/${event.id}`, who.token);
    const theirs = good(await client.post('/v1/events', { name: 'Theirs', ruleset: 'shinjuku', rounds: 1 }, stranger.token));
    for (const event of [closed[0], closed[1]]) good(await add(season, event));
    good(await add(season, theirs, stranger));
    assert.equal((await remove(theirs, players[0])).json.code, 'not-allowed');
    assert.equal((await remove(closed[0], stranger)).json.code, 'not-allowed');
    assert.equal((await remove(theirs, stranger)).status, 204); // taken back
    assert.equal((await remove(theirs, stranger)).json.code, 'not-found');
    good(await add(season, theirs, stranger));
    assert.equal((await remove(theirs)).status, 204); // declined
    assert.equal((await remove(running)).json.code, 'not-found');
    assert.equal((await remove({ id: season.id })).status, 404);
    assert.equal((await remove(closed[0])).status, 204);
    assert.deepEqual(await events(), [closed[1].id]);
    await checkStandings(season, [closed[1]], pointsValue);
    const log = (query = '') => client.get(`/v1/seasons/${season.id}/log${query}`).then((answer) => good(answer).items);
    assert.deepEqual((await log()).slice(-5).map((step) => [step.seq, step.kind, step.by.id, step.detail.event]), [
      [4, 'event_offered', stranger.id, theirs.id],
      [5, 'event_removed', stranger.id, theirs.id],
      [6, 'event_offered', stranger.id, theirs.id],
      [7, 'event_removed', organizer.id, theirs.id],
      [8, 'event_removed', organizer.id, closed[0].id],
    ]);
    assert.deepEqual((await log('?after=7')).map((step) => step.seq), [8]);
    assert.equal((await client.get(`/v1/seasons/${season.id}/log?limit=1`)).json.code, 'bad-parameter');
    good(await add(season, closed[0]));
    await checkStandings(season, [closed[0], closed[1]], pointsValue);
    good(await client.post(`/v1/seasons/${season.id}/close`, {}, organizer.token));
    assert.equal((await remove(closed[0])).json.code, 'wrong-state');
  });

  it('has at most 64 events, and what is offered leaves room for what is invited', async () => {
    const season = await makeSeason();
    const [{ id }] = good(await client.get('/v1/events?limit=1')).items;
    bed.cluster.sql(`SET ROLE tillroll_owner;
      INSERT INTO tillroll.event SELECT (jsonb_populate_record(event, jsonb_build_object('id', gen_random_uuid()))).*
        FROM tillroll.event, generate_series(1, 320) WHERE id = '${id}';
      INSERT INTO tillroll.season_event SELECT '${season.id}', id, false, true FROM
        (SELECT id FROM tillroll.event WHERE id NOT IN (SELECT event_id FROM tillroll.event_step) LIMIT 256) AS few`);
    const mine = good(await client.post('/v1/events', { name: 'One more', ruleset: 'shinjuku', rounds: 1 }, stranger.token));
    assert.equal((await add(season, mine, stranger)).json.code, 'too-many-events');
    good(await add(season, mine));
    assert.ok(good(await add(season, mine, stranger)).events_counted === 1);
    bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.season_event SELECT '${season.id}', id, true, false FROM
      tillroll.event WHERE id NOT IN (SELECT event_id FROM tillroll.event_step) AND id NOT IN (SELECT event_id FROM tillroll.season_event WHERE season_id = '${season.id}') LIMIT 63`);
    assert.equal((await add(season, running)).json.code, 'too-many-events');
  });

  it('keeps at most sixteen unanswered offers of one person, so that there is room for those of others', async () => {
    const season = await makeSeason();
    const [keen, other] = await makePlayers(client, 2, 'Keen');
    const offer = async (player) => {
      const event = good(await client.post('/v1/events', { name: 'An offer', ruleset: 'shinjuku', rounds: 1 }, player.token));
      return { event, answer: await add(season, event, player) };
    };
    const offers = [];
    for (let i = 0; i < 16; i++) offers.push(await offer(keen));
    for (const { answer } of offers) good(answer);
    const bot = good(await client.post('/v1/me/bots', { name: `Robot of ${keen.name}` }, keen.token));
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'organize'] }, keen.token));
    for (const player of [keen, { token }]) assert.equal((await offer(player)).answer.json.code, 'too-many-events');
    good((await offer(other)).answer);
    good(await add(season, offers[0].event));
    good((await offer(keen)).answer);
  });

  it('of points adds up what the events gave', async () => {
    const season = await makeFull({ method: 'points' }, closed);
    const { state, events } = await checkStandings(season, closed, pointsValue);
    assert.equal(state, 'provisional');
    assert.deepEqual(events.map((each) => each.event.id), closed.map((each) => each.id));
    assert.deepEqual(events.map((each) => each.entrants), [6, 4, 4]);
  });

  it('counts the best results only, and only of events with enough players', async () => {
    await checkStandings(await makeFull({ method: 'points', best: 2 }, closed), closed, pointsValue, { best: 2 });
    const { items } = await checkStandings(await makeFull({ method: 'percentile', best: 1, least_entrants: 5 }, closed), closed, percentileValue, { best: 1, least: 5 });
    assert.equal(items.find((row) => row.player.id === players[0].id).results.filter((each) => each.counted).length, 1);
  });

  it('of percentiles rewards the larger field', async () => {
    await checkStandings(await makeFull({ method: 'percentile' }, closed), closed, percentileValue);
  });

  it('weighs events by their fields', async () => {
    const season = await makeFull({ method: 'percentile', weighting: 'field' }, closed);
    const { events } = await standingsOf(season);
    // Before the first event everybody has the initial rating: six of them are expected half a point
    // each, by five.
    assert.equal(events[0].weight_thousandths, 600);
    // Nobody is rated in games for one.
    assert.equal(events[2].weight_thousandths, 400);
    assert.ok(events[1].weight_thousandths > 200 && events[1].weight_thousandths < 600);
    const weights = events.map((each) => each.weight_thousandths);
    await checkStandings(season, closed, percentileValue, { weights });
  });

  it('tells what can still change', async () => {
    const season = await makeFull({ method: 'points', best: 2 }, [...closed, running]);
    const { items, events } = await checkStandings(season, [...closed, running], pointsValue, { best: 2 });
    assert.deepEqual(events.map((each) => each.over), [true, true, true, false]);
    const most = 2n * 5n * 1000000n; // two rounds, five points for a win
    assertFraction(events[3].points_most, new Fraction(10), 'points_most');
    for (const row of items) {
      const values = row.results.map((each) => BigInt(each.value_millionths));
      const possible = [...values, most].sort((a, b) => (a < b ? 1 : -1)).slice(0, 2);
      assert.equal(BigInt(row.most_millionths), possible.reduce((sum, value) => sum + value, 0n));
      assert.equal(row.rank_best, 1 + items.filter((each) => each.total_millionths > row.most_millionths).length);
      assert.equal(row.rank_worst, items.filter((each) => each.most_millionths >= row.total_millionths).length);
      const better = items.filter((each) => each.total_millionths > row.total_millionths);
      if (better.length === 0) {
        assert.equal(row.next_place, null);
        continue;
      }
      const target = Math.min(...better.map((each) => each.total_millionths));
      assert.equal(row.next_place.total_millionths, target);
      // With such a result, and not with one that is worth less, the total is reached.
      const reaches = (value) => [...values, value].sort((a, b) => (a < b ? 1 : -1)).slice(0, 2).reduce((sum, each) => sum + each, 0n) >= BigInt(target);
      assert.ok(reaches(BigInt(row.next_place.needed_millionths)));
      assert.ok(!reaches(BigInt(row.next_place.needed_millionths) - 1n));
    }
  });

  it('has standings in pages', async () => {
    const season = await makeFull({}, closed);
    const { items } = await standingsOf(season);
    const paged = [];
    for (let next = ''; next !== null; ) {
      const page = good(await client.get(`/v1/seasons/${season.id}/standings?limit=2${next && `&after=${next}`}`));
      paged.push(...page.items);
      next = page.next;
    }
    assert.deepEqual(paged, items);
    for (const query of [`after=${stranger.id}`, 'limit=0', 'round=1'])
      assert.equal((await client.get(`/v1/seasons/${season.id}/standings?${query}`)).json.code, 'bad-parameter');
    assert.deepEqual((await standingsOf(await makeSeason())).items, []);
  });

  it('follows its events, and is closed when they are', async () => {
    const season = await makeFull({}, [closed[0], running]);
    const before = await standingsOf(season);
    assert.equal((await client.post(`/v1/seasons/${season.id}/close`, {}, stranger.token)).json.code, 'not-allowed');
    assert.equal((await client.post(`/v1/seasons/${season.id}/close`, {}, organizer.token)).json.code, 'wrong-state');
    for (let number = 1; number <= 2; number++) {
      const round = await startRound(client, running, organizer, players);
      for (const game of round.games) await endQuietly(client, game, organizer);
    }
    assert.deepEqual(await standingsOf(season), { ...before, events: (await standingsOf(season)).events });
    await close(running);
    const after = await checkStandings(season, [closed[0], running], pointsValue);
    assert.notDeepEqual(after.items, before.items);
    for (const row of after.items) assert.deepEqual([row.rank_best, row.rank_worst, row.most_millionths], [row.rank, row.rank, row.total_millionths]);
    assert.equal(good(await client.post(`/v1/seasons/${season.id}/close`, {}, organizer.token)).state, 'closed');
    assert.deepEqual(await standingsOf(season), { ...after, state: 'final' });
    assert.equal((await client.post(`/v1/seasons/${season.id}/close`, {}, organizer.token)).json.code, 'wrong-state');
    assert.equal((await add(season, closed[1])).json.code, 'wrong-state');
    assert.equal(good(await client.get(`/v1/seasons/${season.id}/log`)).items.at(-1).kind, 'closed');
  });
});
