// Games that are shown late to those who do not play in them: whatever happens in what they may not see
// yet, they get the same bytes on every route; and of what is old enough they get all.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { isLong } from '../../long.mjs';
import { askedOf, assertAllRoutes, lookAtAll } from '../support/every_route.mjs';
import { endQuietly, legalMoves, makeGame, makePlayers, Random } from '../support/play.mjs';
import { playSigned, register } from '../support/signing.mjs';
import { Stream } from '../support/stream.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('delay');
let bed, client, second, organizer, stranger, players;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  ({ client: second } = await bed.startService());
  [organizer, stranger] = await makePlayers(client, 2, 'Somebody');
  players = await makePlayers(client, 3);
  for (const player of players) await register(client, player);
});
after(() => bed?.end());

const rowsOf = (record) => {
  const lines = record.trimEnd().split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('start ')) + 1);
};
const recordOf = async (game, token) => (await client.get(`${game.at}/record`, { token })).text;

// One signed move of whoever has to decide.
async function move(game) {
  const { deciders } = good(await client.get(game.at, { token: game.players[0].token }));
  const legal = await legalMoves(client, game, deciders[0]);
  good(await playSigned(client, game, deciders[0], random.pick(legal.moves), { legal }));
}

describe('a game that is shown late', () => {
  it('gives others the same bytes on every route, whatever is played', async () => {
    const clock = { bank_ms: 3_600_000, increment_ms: 1000 };
    const { event, game } = await makeGame(client, organizer, players, { delay_entries: 1000, clock, take_back: true });
    const season = good(await client.post('/v1/seasons', { name: 'A season' }, organizer.token));
    const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'other', text: 'Something.' }, players[0].token));
    const asked = askedOf({ event, games: [game], players: [...players, stranger], season, dispute });
    assertAllRoutes(asked);
    await bed.logged();
    // Everybody at both services; each day nobody at one and who organizes at the other.
    const others = [undefined, stranger.token, organizer.token].flatMap((token) => [client, second].map((at) => ({ at, token })));
    const look = async () => {
      const seen = [];
      for (const { at, token } of isLong ? others : [others[0], others.at(-1)]) seen.push(await lookAtAll(at, token, asked, { unchecked: true }));
      return seen;
    };
    const first = await look();
    const seats = await Promise.all(game.players.map(async ({ token }) => (await client.get(`${game.at}/view`, { token })).text));
    for (let i = 0; i < 12; i++) await move(game);
    assert.equal((await client.post(`${game.at}/fallback`, { seat: 1 }, organizer.token)).status, 204);
    await until(20, 'the line is written', async () => rowsOf(await recordOf(game, players[0].token)).length > 12);
    good(await client.post(`${game.at}/return`, {}, game.players[1].token));
    for (let i = 0; i < 4; i++) await move(game);
    assert.equal((await client.post(`${game.at}/forfeit`, { seat: 2 }, organizer.token)).status, 204);
    const again = await look();
    again.forEach((seen, i) => {
      for (const [target, answer] of Object.entries(seen)) assert.equal(answer, first[i][target], `${i}: ${target}`);
      assert.equal(Object.keys(seen).length, Object.keys(first[i]).length);
    });
    // Its players see the difference.
    const after = await Promise.all(game.players.map(async ({ token }) => (await client.get(`${game.at}/view`, { token })).text));
    after.forEach((view, seat) => assert.notEqual(view, seats[seat]));
    // What is there and not shown yet is answered as what is not there at all.
    const beyond = async (token, entry) => {
      const asks = [
        client.post(`${game.at}/disputes`, { claim: 'other', entry, text: 'That one.' }, token),
        client.get(`${game.at}/view?seq=${entry}`, { token }),
        client.get(`${game.at}/events?after=${entry}`, { token }),
        client.get(`${game.at}/stream`, { token, headers: { 'Last-Event-ID': String(entry) } }),
        client.get(`${game.at}/view`, { token, headers: { 'If-None-Match': `"${first_line + entry}"` } }),
        client.post(`${game.at}/moves`, { seq: entry, moves: ['pass'] }, token),
        client.post(`${game.at}/takeback`, { seq: entry, from: 1 }, token),
      ];
      return (await Promise.all(asks)).map(({ status, json }) => `${status} ${JSON.stringify({ ...json, instance: null, next: null, request_id: null })}`);
    };
    const last = rowsOf(await recordOf(game, players[0].token)).length;
    const first_line = (await recordOf(game, players[0].token)).trimEnd().split('\n').length - last;
    for (const token of [stranger.token, organizer.token]) {
      const seen = await beyond(token, last);
      assert.match(seen[0], token === organizer.token ? /^400 .*bad-field/ : /^403 /);
      assert.deepEqual(await beyond(token, 1), seen);
      assert.deepEqual(await beyond(token, 999), seen);
    }
    assert.equal((await client.get(`${game.at}/view?seq=1`)).json.code, 'bad-parameter');
    assert.deepEqual(rowsOf(await recordOf(game)), []);
    assert.equal((await client.get(`${game.at}/signatures`)).text.split('\n').length, 3);
    assert.ok((await client.get(`${game.at}/signatures`, { token: players[0].token })).text.split('\n').length > 10);
  });

  it('is shown as it was so many entries before', async () => {
    const { game } = await makeGame(client, organizer, players, { delay_entries: 3 });
    assert.equal(good(await client.get(game.at)).delay_entries, 3);
    const stream = await Stream.open(client, `${game.at}/stream`);
    const own = await Stream.open(client, `${game.at}/stream`, { token: players[0].token });
    for (let entry = 1; entry <= 10; entry++) {
      await move(game);
      const all = await recordOf(game, players[0].token);
      const shown = Math.max(0, entry - 3);
      assert.equal(rowsOf(all).length, entry);
      const late = good(await client.get(game.at));
      assert.equal(late.seq, shown);
      const early = good(await client.get(game.at, { token: players[0].token }));
      assert.equal(early.seq, entry);
      assert.ok(all.startsWith(await recordOf(game)));
      assert.equal(rowsOf(await recordOf(game)).length, shown);
      assert.equal(good(await client.get(`${game.at}/view`)).seq, shown);
      assert.equal(good(await client.get(`${game.at}/events`)).items.length, shown);
      assert.equal((await client.get(`${game.at}/signatures`)).text.trimEnd().split('\n').length, 2 + shown);
      assert.equal((await client.get(`${game.at}/stream`, { headers: { 'Last-Event-ID': String(shown + 1) } })).json?.code, 'bad-field');
      await own.reached(entry);
      if (shown > 0) await stream.reached(shown);
      assert.deepEqual(stream.messages.map(({ id }) => Number(id)), Array.from({ length: shown }, (_, i) => i + 1));
    }
    await endQuietly(client, game, organizer);
    await stream.ended();
    const record = await recordOf(game);
    assert.equal(record, await recordOf(game, players[0].token));
    assert.equal(bed.verify(record).status, 0);
    assert.equal(stream.messages.length, rowsOf(record).length);
    stream.close();
    own.close();
  });
});

it('a dispute over an entry, and a ruling that goes back to one, do not tell others that it is there', async () => {
  const { event, game } = await makeGame(client, organizer, players, { delay_entries: 100 });
  for (let i = 0; i < 6; i++) await move(game);
  const made = good(await client.post(`${game.at}/disputes`, { claim: 'misclick', entry: 5, text: 'Not that one.' }, players[0].token));
  const at = `/v1/disputes/${made.id}`;
  const seen = async (token) => {
    const lists = await Promise.all([`${game.at}/disputes`, `/v1/events/${event.id}/disputes`].map((list) => client.get(list, { token })));
    const { json } = await client.get(at, { token });
    return [json.entry, ...lists.map((list) => good(list).items[0].entry), json.log.flatMap(({ orders = [] }) => orders)];
  };
  assert.deepEqual(await seen(stranger.token), [null, null, null, []]);
  assert.deepEqual(await seen(players[1].token), [5, null, null, []]);
  assert.deepEqual(await seen(organizer.token), [5, null, null, []]);
  good(await client.post(`${at}/freeze`, {}, organizer.token));
  const orders = [{ order: 'takeback', entry: 5 }];
  good(await client.post(`${at}/ruling`, { orders, code: 'misclick', reason: 'It was none.' }, organizer.token));
  assert.deepEqual(await seen(stranger.token), [null, null, null, [{ order: 'takeback' }]]);
  assert.deepEqual(await seen(players[1].token), [5, null, null, orders]);
  await endQuietly(client, game, organizer);
  assert.deepEqual(await seen(stranger.token), [5, 5, 5, orders]);
});

it('events say by how much, and usually by nothing', async () => {
  const settings = { name: 'E', ruleset: 'shinjuku', rounds: 1 };
  for (const delay_entries of [-1, 1001, '3', 1.5, null])
    assert.equal((await client.post('/v1/events', { ...settings, delay_entries }, organizer.token)).json.code, 'bad-field');
  const made = good(await client.post('/v1/events', settings, organizer.token));
  assert.ok(!('delay_entries' in made.settings));
  const changed = good(await client.request('PATCH', `/v1/events/${made.id}`, { json: { delay_entries: 12 }, token: organizer.token }));
  assert.equal(changed.settings.delay_entries, 12);
});
