// A player and their bots, and several bots of one owner: kept apart by every way to a table, or allowed openly.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed, client, organizer, owner, first, second, others;

const code = async (answer) => {
  const { status, json } = await answer;
  return status < 400 ? `${status}` : `${status} ${json.code}`;
};

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  owner = await makePlayer(client, 'Owner');
  others = await makePlayers(client, 8);
  const bots = [];
  for (const name of ['First', 'Second']) {
    const bot = good(await client.post('/v1/me/bots', { name }, owner.token));
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'play'] }, owner.token));
    bots.push({ id: bot.id, name: bot.name, token });
  }
  [first, second] = bots;
});
after(() => bed.end());

const people = () => [owner, first, second, ...others];
const isOne = (player) => [owner.id, first.id, second.id].includes(player.id);
const together = (games) => games.filter((game) => game.seats.filter((seat) => isOne(seat.player)).length > 1).length;

async function playRounds(event, rounds) {
  let met = 0;
  for (let i = 0; i < rounds; i++) {
    const round = await startRound(client, event, organizer, people());
    met += together(round.games);
    for (const game of round.games) await endQuietly(client, game, organizer);
  }
  return met;
}

async function proved(event) {
  good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  const said = bed.proveEvent((await client.get(`/v1/events/${event.id}/bundle`)).text);
  assert.equal(said.status, 0, said.output);
}

async function entries(settings) {
  const event = good(await client.post('/v1/events', { name: 'Entries', ruleset: 'shinjuku', ...settings }, organizer.token));
  const at = `/v1/events/${event.id}`;
  good(await client.post(`${at}/open-entries`, {}, organizer.token));
  return { event, at, enter: (player) => client.post(`${at}/entries`, {}, player.token) };
}

describe('those with one owner', () => {
  it('are parted by draws, of which the log tells what they depend on', async () => {
    for (const settings of [{ seats_min: 3, seats_max: 4, rounds: 4 }, { format: 'dutch', seats_min: undefined, seats_max: undefined, rounds: 4 }]) {
      const event = await makeEvent(client, organizer, people(), settings);
      assert.equal(event.settings.same_owner, 'apart');
      assert.equal(await playRounds(event, 4), 0);
      const { items } = good(await client.get(`/v1/events/${event.id}/log`));
      const owners = items.filter(({ kind }) => kind === 'entered').map(({ detail }) => [detail.player, detail.owner]);
      assert.deepEqual(owners, people().map(({ id }) => [id, id === first.id || id === second.id ? owner.id : undefined]));
      await proved(event);
    }
  });

  it('meet where the event allows it openly', async () => {
    const event = await makeEvent(client, organizer, [owner, first, second], { seats_min: 3, seats_max: 3, rounds: 1, same_owner: 'allowed' });
    assert.equal(await playRounds(event, 1), 1);
    assert.match((await client.request('GET', `/events/${event.id}`, { unchecked: true })).text, /A player and their bots, and several bots of one owner, may sit at the same table here/);
    await proved(event);
  });

  it('are not drawn where they cannot be parted, until the event allows it', async () => {
    const event = await makeEvent(client, organizer, [owner, first, others[0]], { seats_min: 3, seats_max: 3, rounds: 1 });
    const at = `/v1/events/${event.id}`;
    assert.equal(await code(client.post(`${at}/rounds`, {}, organizer.token)), '409 forbidden-pairs');
    good(await client.request('PATCH', at, { json: { same_owner: 'allowed' }, token: organizer.token }));
    good(await client.post(`${at}/rounds`, {}, organizer.token));
  });

  it('are not brought together by hand', async () => {
    const event = await makeEvent(client, organizer, [owner, first, ...others.slice(0, 2)], { seats_min: 2, seats_max: 2 });
    const next = `/v1/events/${event.id}/rounds/next`;
    good(await client.post(`/v1/events/${event.id}/rounds`, { publish: false }, organizer.token));
    const tables = [[owner.id, first.id], [others[0].id, others[1].id]];
    assert.equal(await code(client.request('PUT', next, { json: { tables, byes: [], reason: 'So.' }, token: organizer.token })), '409 same-owner');
  });

  it('do not both enter where a schedule, a bracket or boards say who meets', async () => {
    for (const settings of [{ format: 'round_robin' }, { format: 'single_elimination' }, { format: 'duplicate', boards: 1 }]) {
      const { at, enter } = await entries(settings);
      good(await enter(first));
      for (const player of [owner, second]) {
        const { status, json } = await enter(player);
        assert.equal(`${status} ${json.code}`, '409 same-owner');
        assert.match(json.detail, /One of them can enter; an organizer can also set `same_owner` to `allowed`/);
      }
      assert.equal((await client.delete(`${at}/entries/${first.id}`, first.token)).status, 204);
      good(await enter(owner));
    }
  });

  it('do not challenge each other on a ladder', async () => {
    const event = await makeEvent(client, organizer, [first, owner, others[0]], { format: 'ladder', seats_min: undefined, seats_max: undefined, rounds: undefined });
    const at = `/v1/events/${event.id}/challenges`;
    assert.equal(await code(client.post(at, { player: first.id }, owner.token)), '409 same-owner');
    good(await client.post(at, { player: first.id }, others[0].token));
  });

  it('are called to different tables of open play', async () => {
    const event = await makeEvent(client, organizer, people(), { format: 'open_play', seats_min: 2, seats_max: 2, rounds: undefined });
    const queue = `/v1/events/${event.id}/queue`;
    const join = (player) => client.post(queue, {}, player.token).then(good);
    await join(owner);
    const { waiting, tables } = await join(first);
    assert.deepEqual([waiting.length, tables], [2, []]);
    assert.deepEqual((await join(others[0])).tables.map(({ players }) => players.map((each) => each.id).sort()), [[owner.id, others[0].id].sort()]);
  });

  it('do not take a seat beside each other as substitutes', async () => {
    const event = await makeEvent(client, organizer, [owner, ...others.slice(0, 2)], { seats_min: 3, seats_max: 3, rounds: 1 });
    const { games: [game] } = await startRound(client, event, organizer, people());
    const seat = (player) => game.players.indexOf(player);
    const put = (at, player) => code(client.post(`${game.at}/substitute`, { seat: at, player: player.id }, organizer.token));
    assert.equal(await put(seat(others[0]), first), '409 same-owner');
    assert.equal(await put(seat(owner), first), '200');
    assert.equal(await put(seat(others[0]), second), '409 same-owner');
  });

  it('are as they were in events that are older than the setting', async () => {
    const { event, at, enter } = await entries({ format: 'round_robin', same_owner: 'allowed' });
    good(await enter(first));
    good(await enter(owner));
    // As a release before wrote it.
    const older = (kind, field) => `UPDATE tillroll.event_step SET detail = (detail::jsonb - '${field}')::json::tillroll.event_detail WHERE event_id = '${event.id}' AND kind = '${kind}'`;
    bed.cluster.sql(`BEGIN; SET LOCAL ROLE tillroll_owner; ALTER TABLE tillroll.event_step DISABLE TRIGGER USER; ${older('created', 'same_owner')}; ${older('entered', 'owner')};
      ALTER TABLE tillroll.event_step ENABLE TRIGGER USER; ALTER TABLE tillroll.event_step ENABLE ALWAYS TRIGGER append_only; COMMIT`);
    good(await client.post(`${at}/close-entries`, {}, organizer.token));
    const shown = good(await client.get(at));
    assert.equal(shown.settings.same_owner, undefined);
    const change = (json) => client.request('PATCH', at, { json, token: organizer.token });
    assert.equal(await code(change({ same_owner: 'apart' })), '400 bad-field');
    assert.equal(good(await change({ protest_minutes: 60 })).settings.same_owner, undefined);
    assert.equal(together(good(await client.post(`${at}/rounds`, {}, organizer.token)).games), 1);
    // What is made after it is new.
    assert.equal(good(await client.post(`${at}/clone`, { name: 'Another' }, organizer.token)).settings.same_owner, 'apart');
  });
});
