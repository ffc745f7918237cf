// What an event is, and how that changes: settings, stages, copies, roles, pairs that are kept apart,
// the log and any earlier moment of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeEvent, playBriefly, Random, startRound } from '../support/play.mjs';
import { client, organizer, players, serve } from '../support/served.mjs';

serve({ players: 6 });

const usual = { name: 'Life', ruleset: 'shinjuku', seats_min: 2, seats_max: 3, rounds: 3 };
const make = async (settings = {}, token = organizer.token) =>
  good(await client.post('/v1/events', { ...usual, ...settings }, token));
const patch = (at, json, token = organizer.token) => client.request('PATCH', at, { json, token });
const remove = (at, json, token = organizer.token) => client.request('DELETE', at, { json, token });
const logOf = async (at, query = '') => good(await client.get(`${at}/log${query}`));

const written = {
  capacity: null,
  check_in: false,
  late_entries: 0,
  name: 'Life',
  options: { advanced: 'off' },
  ruleset: 'shinjuku',
  seeding: 'entering',
  stages: [
    {
      format: 'pod_swiss', pairing_version: 4, profile: 'strict', round_minutes: 0, rounds: 3, scoring: '5-3-2-1', seats_max: 3,
      seats_min: 2, seats_preferred: 3, tie_breaks: ['PTS', 'DE', 'WIN', 'OPA/C1', 'SBA', 'SHR', 'LAST', 'RND'],
      unplayed_rules: 'pods-1',
    },
  ],
  same_owner: 'apart', version: '1.0.0',
};

describe('the settings of an event', () => {
  it('are written with every field, and are the first line of its log', async () => {
    const event = await make();
    assert.deepEqual(event.settings, written);
    const { items } = await logOf(`/v1/events/${event.id}`);
    assert.deepEqual(items.map(({ kind, detail, by }) => [kind, detail, by.id]), [['created', written, organizer.id]]);
  });

  it('may have stages', async () => {
    const stages = [
      { format: 'pod_swiss', rounds: 2, seats_min: 3 },
      { format: 'single_elimination', entrants: 4, consolation: true },
    ];
    const event = good(await client.post('/v1/events', { name: 'Cut', ruleset: 'shinjuku', stages }, organizer.token));
    assert.equal(event.format, 'pod_swiss');
    assert.equal(event.rounds.planned, 2);
    assert.deepEqual(event.settings.stages[1], { consolation: true, entrants: 4, format: 'single_elimination', round_minutes: 0 });
  });

  it('may be those of any format', async () => {
    const formats = {
      dutch: { rounds: 5 }, round_robin: {}, pod_round_robin: { rounds: 3 }, single_elimination: {},
      double_elimination: {}, pod_elimination: {}, league: { rounds: 4 }, ladder: {}, open_play: {}, duplicate: { boards: 4 },
    };
    for (const [format, fields] of Object.entries(formats)) {
      const event = good(await client.post('/v1/events', { name: format, ruleset: 'shinjuku', format, ...fields }, organizer.token));
      assert.equal(event.format, format);
      assert.equal(event.games_from, { ladder: 'challenges', open_play: 'queue' }[format] ?? 'rounds');
      assert.equal(event.settings.stages[0].format, format);
      assert.equal(event.rounds.planned, fields.rounds ?? (format === 'duplicate' ? 1 : null));
      assert.deepEqual(good(await client.get(`/v1/events/${event.id}`)).settings, event.settings);
    }
    const { items } = good(await client.get('/v1/events?limit=10'));
    assert.deepEqual(items.map(({ format }) => format), Object.keys(formats).reverse());
  });

  it('are refused with the field that is wrong', async () => {
    for (const [fields, code, detail] of [
      [{ rounds: 99 }, 'bad-field', /^rounds must be a whole number from 1 to 20/],
      [{ rounds: undefined }, 'missing-field', /^rounds /],
      [{ size: 3 }, 'unknown-field', /^size /],
      [{ boards: 3 }, 'bad-field', /^boards is for duplicate/],
      [{ stages: [] }, 'bad-field', /./],
      [{ capacity: 0 }, 'bad-field', /^capacity /],
      [{ name: ' x' }, 'bad-field', /^name /],
      [{ ruleset: 'chess' }, 'bad-field', /^ruleset /],
      [{ scoring: 'most' }, 'bad-field', /^scoring /],
      [{ scoring: { places: { 3: [3, 1, 0] } } }, 'bad-field', /^scoring needs the code of a `scheme`/],
      [{ scoring: { scheme: '5-3-2-1', places: { 3: [3, 1, 2] } } }, 'bad-field', /^scoring has a place worth more than a better one/],
    ]) {
      const { status, json } = await client.post('/v1/events', { ...usual, ...fields }, organizer.token);
      assert.equal(status, 400);
      assert.equal(json.code, code, json.detail);
      assert.match(json.detail, detail);
    }
  });

  it('change by a line of the log', async () => {
    const event = await make();
    const at = `/v1/events/${event.id}`;
    const changed = good(await patch(at, { name: 'Renamed', rounds: 5, capacity: 16, scoring: '4-3-2-1' }));
    assert.equal(changed.name, 'Renamed');
    assert.equal(changed.rounds.planned, 5);
    const stage = { ...written.stages[0], rounds: 5, scoring: '4-3-2-1' };
    const settings = { ...written, name: 'Renamed', capacity: 16, stages: [stage] };
    assert.deepEqual(changed.settings, settings);
    assert.deepEqual((await logOf(at)).items.at(-1).detail, settings);
    const { items } = good(await client.get('/v1/events?limit=1'));
    assert.deepEqual([items[0].name, items[0].rounds.planned], ['Renamed', 5]);
    // Nothing new is no line.
    assert.deepEqual(good(await patch(at, { name: 'Renamed' })), changed);
    assert.equal((await patch(at, { name: 'X' }, players[0].token)).json.code, 'not-allowed');
    assert.equal((await patch(at, { size: 1 })).json.code, 'unknown-field');
    assert.equal((await patch(at, { rounds: 'many' })).json.code, 'bad-field');
    assert.equal(good(await patch(at, { format: 'dutch', rounds: 4 })).format, 'dutch');
  });

  it('that are fixed stay as they are once a stage has begun', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 4), { seats_min: 2, seats_max: 3 });
    const at = `/v1/events/${event.id}`;
    await startRound(client, event, organizer, players);
    for (const change of [{ ruleset: 'superstore-3000' }, { seeding: 'draw' }, { seats_max: 4 }, { format: 'league' }])
      assert.equal((await patch(at, change)).json.code, 'bad-field', JSON.stringify(change));
    assert.equal(good(await patch(at, { rounds: 1, capacity: 10, name: 'Still' })).rounds.planned, 1);
  });

  it('are tried before they are changed', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 3), { seats_min: 3, seats_max: 3 });
    const at = `/v1/events/${event.id}`;
    const before = good(await patch(`${at}?preview=true`, { scoring: '4-3-2-1' }));
    assert.deepEqual(before.differences, []);
    const round = await startRound(client, event, organizer, players);
    for (const game of round.games) await playBriefly(client, game, new Random('preview'));
    const { rows } = good(await client.get(`${at}/standings`));
    const preview = good(await patch(`${at}?preview=true`, { scoring: '4-3-2-1' }));
    assert.equal(preview.settings.stages[0].scoring, '4-3-2-1');
    // 5 2 1 at a table of three becomes something else for at least the winner.
    assert.ok(preview.differences.length > 0);
    for (const each of preview.differences) {
      const row = rows.find(({ player }) => player.id === each.player.id);
      assert.deepEqual(each.points_was, row.points);
      assert.notDeepEqual(each.points_is, row.points);
    }
    assert.deepEqual(good(await client.get(`${at}/standings`)).rows, rows);
    good(await patch(at, { scoring: '4-3-2-1' }));
    const after = good(await client.get(`${at}/standings`)).rows;
    for (const each of preview.differences)
      assert.deepEqual(after.find(({ player }) => player.id === each.player.id).points, each.points_is);
    assert.equal((await patch(`${at}?preview=maybe`, {})).json.code, 'bad-parameter');
    // Points of the organizer's own: shared or not, three players have all of them.
    const own = { scheme: '4-3-2-1', places: { 3: [10, '15/2', 0] }, pairing_bye: 5 };
    const { settings } = good(await patch(at, { scoring: own }));
    assert.deepEqual(settings.stages[0].scoring, {
      draw: null, full_bye: '5/2', half_bye: 1, neutral: '5/2', pairing_bye: 5,
      places: { 2: [4, 1], 3: [10, '15/2', 0], 4: [4, 3, 2, 1], 5: [4, 3, 3, 2, 1] }, scheme: '4-3-2-1', zero_bye: 0,
    });
    const points = good(await client.get(`${at}/standings`)).rows.map((row) => row.points);
    assert.equal(points.reduce((sum, { numerator, denominator }) => sum + (60 / denominator) * numerator, 0), 17.5 * 60);
    const copy = good(await client.post(`${at}/clone`, { name: 'Copy' }, organizer.token));
    assert.deepEqual(copy.settings.stages, settings.stages);
  });
});

describe('a copy of an event', () => {
  it('has its settings, and nothing else of it', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 2), { seats_max: 3, seats_min: 2, capacity: 9 });
    const copy = await client.post(`/v1/events/${event.id}/clone`, { name: 'Another' }, players[0].token);
    assert.equal(copy.status, 201);
    assert.equal(copy.headers.location, `/v1/events/${copy.json.id}`);
    assert.deepEqual(copy.json.settings, { ...event.settings, name: 'Another' });
    assert.equal(copy.json.state, 'draft');
    assert.equal(copy.json.entries, 0);
    assert.equal(copy.json.organizer.id, players[0].id);
    assert.notEqual(copy.json.commitment, event.commitment);
    assert.equal((await client.post(`/v1/events/${event.id}/clone`, {}, players[0].token)).json.code, 'missing-field');
  });
});

describe('roles', () => {
  const roles = async (at, query = '') => good(await client.get(`${at}/roles${query}`)).items.map(({ player, role }) => [player.id, role]);

  it('are given and taken, and stand in the log', async () => {
    const at = `/v1/events/${(await make()).id}`;
    assert.deepEqual(await roles(at), [[organizer.id, 'organizer']]);
    good(await client.post(`${at}/roles`, { player: players[0].id }, organizer.token));
    good(await client.post(`${at}/roles`, { player: players[1].id, role: 'organizer' }, organizer.token));
    assert.deepEqual((await roles(at)).map(([, role]) => role), ['organizer', 'organizer', 'arbiter']);
    const again = await client.post(`${at}/roles`, { player: players[0].id }, organizer.token);
    assert.equal(again.json.code, 'already-entered');
    assert.equal((await client.post(`${at}/roles`, { player: players[2].id }, players[0].token)).json.code, 'not-allowed');
    assert.equal((await client.post(`${at}/roles`, { player: players[2].id, role: 'king' }, organizer.token)).json.code, 'bad-field');
    // The new organizer may take the first one's role, but not leave the event without any.
    good(await remove(`${at}/roles`, { player: organizer.id, role: 'organizer' }, players[1].token));
    assert.equal((await client.post(`${at}/open-entries`, {}, organizer.token)).json.code, 'not-allowed');
    const last = await remove(`${at}/roles`, { player: players[1].id, role: 'organizer' }, players[1].token);
    assert.equal(last.json.code, 'last-organizer');
    good(await client.post(`${at}/open-entries`, {}, players[1].token));
    good(await remove(`${at}/roles`, { player: players[0].id }, players[1].token));
    assert.deepEqual(await roles(at), [[players[1].id, 'organizer']]);
    const { items } = await logOf(at);
    assert.deepEqual(
      items.filter(({ kind }) => kind.startsWith('role_')).map(({ kind, detail }) => [kind, detail.role]),
      [['role_given', 'arbiter'], ['role_given', 'organizer'], ['role_taken', 'organizer'], ['role_taken', 'arbiter']],
    );
    // As they were after each of these lines, and today.
    const [arbiter, second, first] = [[players[0].id, 'arbiter'], [players[1].id, 'organizer'], [organizer.id, 'organizer']];
    const then = [[first, arbiter], [first, second, arbiter], [second, arbiter], [second]];
    for (const [i, line] of items.filter(({ kind }) => kind.startsWith('role_')).entries()) assert.deepEqual(await roles(at, `?as_of=${line.seq}`), then[i]);
    assert.deepEqual(await roles(at, '?as_of=1'), [first]);
    assert.equal((await client.get(`${at}/roles?as_of=99`)).json.code, 'bad-parameter');
    // What cannot show the past does not show today's state instead.
    for (const [what, token] of [['stream'], ['rounds/1/tables/1/recordings'], ['places', players[1].token], ['rounds/next', players[1].token], ['disputes'], ['bundle']]) {
      const { status, json } = await client.get(`${at}/${what}?as_of=1`, { token });
      assert.deepEqual([status, json?.code], [400, 'bad-parameter'], what);
    }
  });
});

describe('pairs', () => {
  it('are kept apart, forbidden or at a price', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 4), { seats_min: 2, seats_max: 2, rounds: 2 });
    const at = `/v1/events/${event.id}`;
    const [a, b, c] = players.map(({ id }) => id);
    const add = (json, token = organizer.token) => client.post(`${at}/kept-apart`, json, token);
    assert.deepEqual(good(await add({ players: [a, b] })).items, [{ players: [a, b], weight: 'forbidden' }]);
    assert.equal((await add({ players: [b, a] })).json.code, 'already-entered');
    assert.deepEqual(good(await add({ players: [b, a], weight: 7 })).items.map(({ weight }) => weight), [7]);
    good(await add({ players: [a, b] }));
    good(await add({ players: [a, c], weight: 3 }));
    for (const [json, code] of [
      [{ players: [a] }, 'bad-field'], [{ players: [a, a] }, 'bad-field'], [{ players: [a, 'b'] }, 'bad-field'],
      [{ players: [a, c], weight: 0 }, 'bad-field'], [{ players: [a, players[5].id] }, 'not-entered'],
    ])
      assert.equal((await add(json)).json.code, code);
    assert.equal((await add({ players: [b, c] }, players[0].token)).json.code, 'not-allowed');
    const round = await startRound(client, event, organizer, players);
    assert.ok(!round.games.some((game) => [a, b].every((id) => game.players.some((player) => player.id === id))));
    assert.equal(good(await remove(`${at}/kept-apart`, { players: [b, a] })).items.length, 1);
    assert.equal((await remove(`${at}/kept-apart`, { players: [b, a] })).json.code, 'not-entered');
    assert.deepEqual(good(await client.get(`${at}/kept-apart`)).items, [{ players: [a, c], weight: 3 }]);
  });
});

describe('the log', () => {
  it('comes in pages', async () => {
    const event = await makeEvent(client, organizer, players, { seats_min: 2, seats_max: 3 });
    const at = `/v1/events/${event.id}`;
    const whole = await logOf(at);
    assert.equal(whole.next, null);
    assert.equal(whole.items.length, 3 + players.length);
    const found = [];
    let next = 0;
    do {
      const page = await logOf(at, `?after=${next}&limit=2`);
      found.push(...page.items);
      next = page.next;
    } while (next !== null);
    assert.deepEqual(found, whole.items);
    assert.deepEqual((await logOf(at, '?as_of=3')).items, whole.items.slice(0, 3));
    for (const query of ['limit=0', 'limit=1001', 'after=x', 'page=2'])
      assert.equal((await client.get(`${at}/log?${query}`)).json.code, 'bad-parameter', query);
  });

  it('tells what the event was at any line', async () => {
    const { id } = await make();
    const at = `/v1/events/${id}`;
    good(await patch(at, { name: 'Later', rounds: 4 }));
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    good(await client.post(`${at}/entries`, {}, players[0].token));
    const was = async (line) => {
      const event = good(await client.get(`${at}?as_of=${line}`));
      return [event.name, event.state, event.entries, event.rounds.planned];
    };
    assert.deepEqual(await was(1), ['Life', 'draft', 0, 3]);
    assert.deepEqual(await was(2), ['Later', 'draft', 0, 4]);
    assert.deepEqual(await was(3), ['Later', 'entries_open', 0, 4]);
    assert.deepEqual(await was(4), ['Later', 'entries_open', 1, 4]);
    assert.equal((await client.get(`${at}?as_of=5`)).json.code, 'bad-parameter');
  });

  it('keeps the secret until the event is over, also for those who look back from then', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 2), { seats_min: 2, seats_max: 2, rounds: 1 });
    const at = `/v1/events/${event.id}`;
    assert.equal((await client.post(`${at}/close`, {}, organizer.token)).json.code, 'wrong-state');
    const round = await startRound(client, event, organizer, players);
    assert.equal((await client.post(`${at}/close`, {}, organizer.token)).json.code, 'round-running');
    for (const game of round.games) await playBriefly(client, game, new Random('over'));
    assert.match(good(await client.post(`${at}/close`, {}, organizer.token)).secret, /^[0-9a-f]{64}$/);
    const { items } = await logOf(at);
    assert.equal(items.at(-1).kind, 'closed');
    assert.equal(good(await client.get(`${at}?as_of=${items.length - 1}`)).secret, null);
    assert.equal((await patch(at, { rounds: 1, capacity: 1 })).status, 200);
  });
});
