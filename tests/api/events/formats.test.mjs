// What events of some formats do besides rounds: a league's next season, what becomes due on ladders
// and in open play though nobody asks, and rulings in duplicate events.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner, unlocked } from '../support/damage.mjs';
import { makeDuplicate, readRound, seated } from '../support/duplicate.mjs';
import { countAll } from '../support/figures.mjs';
import { endQuietly, makeEvent, makePlayers, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed;
let client;
let second;
let organizer;
let people;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--timers-ms', '50']));
  ({ client: second } = await bed.startService(['--timers-ms', '50']));
  [organizer, ...people] = await makePlayers(client, 10);
});
after(() => bed.end());

const at = (event) => `/v1/events/${event.id}`;
const ids = (list) => list.map((each) => each.id);
const refusal = ({ status, json }) => [status, json?.code];
const logOf = async (event) => good(await client.get(`${at(event)}/log`)).items;
const standingsOf = async (event) => good(await client.get(`${at(event)}/standings`)).rows;
const kindsOf = async (event, kind) => (await logOf(event)).filter((line) => line.kind === kind);

// As if all that was done in the event had been done so much earlier.
function makeEarlier(event, minutes) {
  unlocked(bed.cluster, 'tillroll.event_step', `UPDATE tillroll.event_step SET at = at - interval '${minutes} minutes' WHERE event_id = '${event.id}'`);
  asOwner(bed.cluster, `UPDATE tillroll.event_timer SET due_at = due_at - interval '${minutes} minutes' WHERE event_id = '${event.id}'`);
}

const dueAt = (event) => bed.cluster.sql(`SET ROLE tillroll_owner; SELECT due_at FROM tillroll.event_timer WHERE event_id = '${event.id}'`);

describe('the next season of a league', () => {
  let event;
  const next = (json, query = '', token = organizer.token) => client.post(`${at(event)}/next-season${query}`, json, token);

  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 8), {
      name: 'League', format: 'league', rounds: undefined, seats_min: 2, seats_max: 2, division: 4, moves: 1, seeding: 'draw',
    });
    for (let round = 1; round <= 3; round++) for (const game of (await startRound(client, event, organizer, people)).games) await endQuietly(client, game, organizer);
    // All games were tied: results by rulings, the one with the smaller number first.
    for (let round = 1; round <= 3; round++)
      for (const table of good(await client.get(`${at(event)}/rounds/${round}`)).seating) {
        const [first, other] = table.seats.map((seat) => seat.player).sort((a, b) => a.number - b.number);
        const seats = [{ player: first.id, rank: 1 }, { player: other.id, rank: 2 }];
        good(await client.request('PUT', `${at(event)}/rounds/${round}/tables/${table.table}/ruling`, { json: { seats, reason: 'As told.' }, token: organizer.token }));
      }
  });

  it('is made when the season is over, by its organizers, of leagues only', async () => {
    assert.deepEqual(refusal(await next({ name: 'Spring' })), [409, 'wrong-state']);
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    assert.deepEqual(refusal(await next({ name: 'Spring' }, '', people[0].token)), [403, 'not-allowed']);
    assert.deepEqual(refusal(await next({})), [400, 'missing-field']);
    assert.deepEqual(refusal(await next({ name: 'Spring', leaving: ['x'] })), [400, 'bad-field']);
    const other = await makeEvent(client, organizer, people.slice(0, 3), { name: 'No league' });
    assert.deepEqual(refusal(await client.post(`${at(other)}/next-season`, { name: 'x' }, organizer.token)), [409, 'no-league']);
  });

  it('has everybody in the division that the last season has put them in, as the preview says', async () => {
    const rows = await standingsOf(event);
    const [upper, lower] = [rows.slice(0, 4), rows.slice(4)].map((half) => half.map((row) => row.player.id));
    const preview = good(await next({ name: 'Spring' }, '?preview=true'));
    const expected = [...upper.slice(0, 3), lower[0], upper[3], ...lower.slice(1)];
    assert.deepEqual(preview.places.map((place) => place.player.id), expected);
    assert.deepEqual(preview.places.map((place) => place.division), [1, 1, 1, 1, 2, 2, 2, 2]);
    assert.deepEqual(preview.places.map((place) => place.moves), ['stays', 'stays', 'stays', 'up', 'down', 'stays', 'stays', 'stays']);
    const made = await next({ name: 'Spring' });
    assert.equal(made.status, 201);
    assert.equal(made.headers.location, at(made.json));
    assert.equal(made.json.state, 'entries_open');
    assert.equal(made.json.settings.seeding, 'entering');
    good(await client.post(`${at(made.json)}/close-entries`, {}, organizer.token));
    good(await client.post(`${at(made.json)}/rounds`, {}, organizer.token));
    const spring = await standingsOf(made.json);
    for (const [half, division] of [[expected.slice(0, 4), 1], [expected.slice(4), 2]])
      assert.deepEqual(spring.filter((row) => row.division === division).map((row) => row.player.id).sort(), [...half].sort());
  });

  it('is without those who leave, and those below move up', async () => {
    const rows = ids((await standingsOf(event)).map((row) => row.player));
    const { places, leaving } = good(await next({ name: 'Spring', leaving: [rows[1]] }, '?preview=true'));
    assert.deepEqual(ids(leaving), [rows[1]]);
    assert.deepEqual(ids(places.map((place) => place.player)), [rows[0], rows[2], rows[4], rows[3], ...rows.slice(5)]);
    assert.deepEqual(places.map((place) => place.moves), ['stays', 'stays', 'up', 'stays', 'stays', 'stays', 'stays']);
  });
});

describe('a challenge that is not answered in time', () => {
  let event;
  const challenges = async () => good(await client.get(`${at(event)}/challenges`)).challenges;
  const challenge = (by, whom) => client.post(`${at(event)}/challenges`, { player: whom.id }, by.token);

  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 4), { name: 'Ladder', format: 'ladder', rounds: undefined, seats_min: undefined, seats_max: undefined, answer_minutes: 5 });
  });

  it('says until when it is to be answered', async () => {
    good(await challenge(people[2], people[0]));
    const [open] = await challenges();
    assert.equal(Date.parse(open.answer_by) - Date.parse(open.at), 5 * 60_000);
    assert.notEqual(dueAt(event), '');
  });

  it('is won by forfeit, once, whoever of two services sees it', async () => {
    const counted = () => countAll([client, second], 'tillroll_timers_done_total');
    const before = await counted();
    makeEarlier(event, 6);
    await until(60, 'the challenge is ruled', async () => (await kindsOf(event, 'ruled')).length > 0);
    await until(60, 'it is counted', async () => await counted() === before + 1);
    assert.equal(dueAt(event), '');
    assert.deepEqual(await challenges(), []);
    const [started, ...others] = await kindsOf(event, 'table_started');
    assert.deepEqual([others, started.by], [[], null]);
    const [ruled, ...more] = await kindsOf(event, 'ruled');
    assert.deepEqual(more, []);
    assert.deepEqual(ruled.detail.seats, [[3, 1, 0, 'forfeit_win'], [1, 2, 0, 'forfeit_loss']]);
    assert.deepEqual(ids((await standingsOf(event)).map((row) => row.player)), ids([people[2], people[0], people[1], people[3]]));
    assert.deepEqual(good(await second.get(`${at(event)}/standings`)).rows, await standingsOf(event));
    // Nobody has played.
    assert.deepEqual(good(await client.get('/v1/games?state=running')).items.filter((game) => game.event?.id === event.id), []);
  });

  it('is not one that was accepted, or that may be answered at any time', async () => {
    good(await challenge(people[1], people[0]));
    good(await client.post(`${at(event)}/challenges/${people[1].id}/accept`, {}, people[0].token));
    assert.equal((await challenges())[0].answer_by, null);
    assert.equal(dueAt(event), '');
    good(await challenge(people[3], people[2]));
    assert.notEqual(dueAt(event), '');
    good(await client.request('PATCH', at(event), { json: { answer_minutes: 0 }, token: organizer.token }));
    assert.equal(dueAt(event), '');
  });
});

describe('who has waited long enough in open play', () => {
  it('plays at a smaller table, once', async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 5), {
      name: 'Open', format: 'open_play', rounds: undefined, seats_min: 3, seats_max: 4, seats_preferred: 4, patience_minutes: 5,
    });
    const wait = (player) => client.post(`${at(event)}/queue`, {}, player.token);
    for (const player of people.slice(0, 2)) good(await wait(player));
    makeEarlier(event, 6);
    // Two are too few: nothing happens, and nobody looks again before somebody comes.
    await until(60, 'the timer has gone', async () => dueAt(event) === '');
    assert.deepEqual(await kindsOf(event, 'table_started'), []);
    good(await wait(people[2]));
    // The third finds two who have waited for long, and all three are called at once.
    const [table] = await kindsOf(event, 'table_started');
    assert.deepEqual([...table.detail.numbers].sort(), [1, 2, 3]);

    for (const player of people.slice(3, 5)) good(await wait(player));
    const { tables } = good(await client.get(`${at(event)}/queue`));
    const game = good(await client.get('/v1/games?state=running')).items.find((each) => each.event?.id === event.id);
    game.at = `/v1/games/${game.id}`;
    game.players = game.seats.map((seat) => people.find((player) => player.id === seat.player.id));
    assert.equal(tables.length, 1);
    await endQuietly(client, game, organizer);
    good(await wait(people[0]));
    assert.equal((await kindsOf(event, 'table_started')).length, 1);
    makeEarlier(event, 6);
    await until(60, 'a table is called', async () => (await kindsOf(event, 'table_started')).length > 1);
    const [, called, ...others] = await kindsOf(event, 'table_started');
    assert.deepEqual([others, called.by, [...called.detail.numbers].sort()], [[], null, [1, 4, 5]]);
    assert.deepEqual(good(await client.get(`${at(event)}/queue`)).waiting, []);
  });
});

describe('a ruling in a duplicate event', () => {
  it('shows whose place and points it changes, at other tables too', async () => {
    const event = await makeDuplicate(client, organizer, people.slice(0, 8), { name: 'Boards', ruleset: 'shinjuku', boards: 1, rounds: 1, play: 'asynchronous' });
    await startRound(client, event, organizer, people);
    for (const game of seated(await readRound(client, event, 1, organizer.token), people)) await endQuietly(client, game, organizer);
    const before = await standingsOf(event);
    const { seating } = await readRound(client, event, 1);
    const [table, other] = seating;
    const seats = table.seats.map((seat, i) => ({ player: seat.player.id, rank: i + 1, score: 40 - i }));
    const target = `${at(event)}/rounds/1/tables/${table.table}/ruling`;
    const preview = good(await client.request('PUT', `${target}?preview=true`, { json: { seats }, token: organizer.token }));
    assert.deepEqual(await standingsOf(event), before);
    const changed = ids(preview.differences.map((each) => each.player));
    for (const seat of other.seats) assert.ok(changed.includes(seat.player.id), 'somebody at the other table');
    const ruled = good(await client.request('PUT', target, { json: { seats, reason: 'Counted again.' }, token: organizer.token }));
    assert.deepEqual(ruled.differences, preview.differences);
    assert.deepEqual([ruled.rounds, ruled.tables, ruled.qualifying], [[], [], null]);
    const after = await standingsOf(event);
    const same = (a, b) => a.rank === b.rank && JSON.stringify(a.points) === JSON.stringify(b.points);
    for (const row of after) {
      const was = before.find((each) => each.player.id === row.player.id);
      const difference = ruled.differences.find((each) => each.player.id === row.player.id);
      assert.equal(difference === undefined, same(was, row), row.player.name);
      if (difference === undefined) continue;
      assert.deepEqual([difference.place_was, difference.place_is], [was.rank, row.rank]);
      assert.deepEqual([difference.points_was, difference.points_is], [was.points, row.points]);
    }
  });
});

describe('an event without a capacity of its own', () => {
  it('takes no more entries than its format can seat', async () => {
    const event = good(await client.post('/v1/events', { name: 'Twice', ruleset: 'shinjuku', format: 'round_robin', twice: true, capacity: null }, organizer.token));
    good(await client.post(`${at(event)}/open-entries`, {}, organizer.token));
    const made = bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.player (id, name, password_hash, created_at)
      SELECT gen_random_uuid(), 'Crowd ' || n, (SELECT password_hash FROM tillroll.player WHERE id = '${organizer.id}'), now()
      FROM generate_series(1, 33) AS n RETURNING id`).split('\n');
    const answers = [];
    for (const player of made) answers.push(await client.post(`${at(event)}/entries`, { player }, organizer.token));
    assert.deepEqual(answers.map((answer) => answer.status), [...Array(32).fill(201), 409]);
    assert.deepEqual(refusal(answers.at(-1)), [409, 'event-full']);
    assert.match(answers.at(-1).json.detail, /round_robin, takes 32 entries/);
    assert.equal((await client.delete(`${at(event)}/entries/${made[0]}`, organizer.token)).status, 204);
    assert.equal((await client.post(`${at(event)}/entries`, { player: made[32] }, organizer.token)).status, 201);
    good(await client.post(`${at(event)}/close-entries`, {}, organizer.token));
    good(await client.post(`${at(event)}/rounds`, { publish: false }, organizer.token));
  });
});

describe('pairs that are kept apart', () => {
  const apart = (event, weight) => client.post(`${at(event)}/kept-apart`, { players: [people[0].id, people[1].id], weight }, organizer.token);
  const make = (settings) => makeEvent(client, organizer, people.slice(0, 4), { seats_min: undefined, seats_max: undefined, ...settings });

  it('are forbidden in the Dutch system, and not weighed', async () => {
    const event = await make({ name: 'Dutch', format: 'dutch' });
    assert.deepEqual(refusal(await apart(event, 5)), [409, 'pairs-not-parted']);
    assert.equal((await apart(event)).status, 200);
    for (let round = 1; round <= 2; round++) {
      const { games } = await startRound(client, event, organizer, people);
      for (const game of games) {
        assert.ok(!ids([people[0], people[1]]).every((id) => ids(game.players).includes(id)));
        await endQuietly(client, game, organizer);
      }
    }
  });

  it('are refused where no draw would part them', async () => {
    for (const settings of [{ format: 'round_robin', rounds: undefined }, { format: 'single_elimination', rounds: undefined }, { format: 'ladder', rounds: undefined }])
      assert.deepEqual(refusal(await apart(await make({ name: 'Fixed', ...settings }))), [409, 'pairs-not-parted'], settings.format);
  });

  it('do not come to count for nothing when the format changes', async () => {
    const event = await make({ name: 'Pods', format: 'pod_swiss', seats_min: 2, seats_max: 4 });
    assert.equal((await apart(event, 5)).status, 200);
    const change = (json) => client.request('PATCH', at(event), { json, token: organizer.token });
    assert.deepEqual(refusal(await change({ format: 'dutch', rounds: 3 })), [409, 'pairs-not-parted']);
    assert.equal((await apart(event)).status, 200);
    assert.equal((await change({ format: 'dutch', rounds: 3 })).status, 200);
    assert.deepEqual(refusal(await change({ format: 'round_robin' })), [409, 'pairs-not-parted']);
  });
});
