// Entries of an event: places and waiting, check-in, numbers, late entries, leaving and coming back, byes on request.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeEvent, makePlayers, playBriefly, Random, startRound } from '../support/play.mjs';
import { client, organizer, players, serve } from '../support/served.mjs';

serve({ players: 8 });

const usual = { name: 'Entries', ruleset: 'shinjuku', seats_min: 2, seats_max: 3, rounds: 3 };
const patch = (at, json, token = organizer.token) => client.request('PATCH', at, { json, token });

// An event whose entries are open: its address.
async function open(settings = {}) {
  const event = good(await client.post('/v1/events', { ...usual, ...settings }, organizer.token));
  const at = `/v1/events/${event.id}`;
  good(await client.post(`${at}/open-entries`, {}, organizer.token));
  return at;
}

const enter = (at, player, json = {}, token = player.token) => client.post(`${at}/entries`, json, token);
const entriesOf = async (at, query = '') => good(await client.get(`${at}/entries${query}`)).items;
const statesOf = async (at, query) =>
  (await entriesOf(at, query)).map(({ player, state }) => [players.findIndex(({ id }) => id === player.id), state]);
const entryOf = async (at, player) => (await entriesOf(at)).find((entry) => entry.player.id === player.id);
const mayOf = async (at) => good(await client.get(at)).may;
const close = async (at) => good(await client.post(`${at}/close-entries`, {}, organizer.token));
const leave = (at, player, token = player.token) => client.delete(`${at}/entries/${player.id}`, token);

async function playRound(at, seed) {
  const round = await startRound(client, { id: at.split('/').at(-1) }, organizer, players);
  for (const game of round.games) await playBriefly(client, game, new Random(seed));
  return round;
}

describe('places', () => {
  it('are given in the order of entering, and who comes too late for one waits in that order', async () => {
    const at = await open({ capacity: 2 });
    for (const [i, player] of players.slice(0, 4).entries()) {
      const entry = good(await enter(at, player));
      assert.equal(entry.state, i < 2 ? 'entered' : 'waiting');
      assert.equal(entry.waiting_place, i < 2 ? null : i - 1);
    }
    const event = good(await client.get(at));
    assert.equal(event.entries, 2);
    assert.equal(event.waiting, 2);
    assert.equal((await leave(at, players[0])).status, 204);
    assert.deepEqual(await statesOf(at), [[1, 'entered'], [2, 'entered'], [3, 'waiting']]);
    assert.equal((await entryOf(at, players[3])).waiting_place, 1);
    const again = good(await enter(at, players[0]));
    assert.equal(again.waiting_place, 2);
    assert.ok(again.entered_at >= (await entryOf(at, players[3])).entered_at);
  });

  it('become more with the capacity, and are not taken away with it', async () => {
    const at = await open({ capacity: 1 });
    for (const player of players.slice(0, 3)) good(await enter(at, player));
    assert.equal(good(await patch(at, { capacity: 2 })).entries, 2);
    assert.deepEqual(await statesOf(at), [[0, 'entered'], [1, 'entered'], [2, 'waiting']]);
    assert.equal(good(await patch(at, { capacity: 1 })).entries, 2);
    assert.equal(good(await patch(at, { capacity: null })).waiting, 0);
  });

  it('get no number while somebody waits for one', async () => {
    const at = await open({ capacity: 2 });
    for (const player of players.slice(0, 3)) good(await enter(at, player));
    await close(at);
    assert.deepEqual((await entriesOf(at)).map(({ number }) => number), [1, 2, null]);
    assert.equal((await entryOf(at, players[2])).state, 'waiting');
  });
});

// Entries are closed with as many as one table needs; the refusal says both numbers and what can be done.
describe('entries with which no table could be filled', () => {
  const refusal = async (at) => {
    const { status, json } = await client.post(`${at}/close-entries`, {}, organizer.token);
    assert.deepEqual([status, json.code], [409, 'too-few-players']);
    const { state, may } = good(await client.get(at));
    assert.equal(state, 'entries_open');
    const [, there, needed] = /^(\d+) .* at least (\d+)\./.exec(json.detail);
    assert.equal(may.players_missing, needed - there);
    return json.detail;
  };

  it('are not closed', async () => {
    const at = await open({ seats_min: 3 });
    assert.equal(await refusal(at), '0 players take part so far, and the event needs at least 3. Let more enter, or allow smaller tables (seats_min: Shinjuku is played by 2 or more); then close entries.');
    await enter(at, players[0]);
    assert.match(await refusal(at), /^1 player takes part so far, and the event needs at least 3\. /);
    await enter(at, players[1]);
    assert.match(await refusal(at), /^2 players take part so far, and the event needs at least 3\. /);
    good(await patch(at, { seats_min: 2 }));
    assert.equal((await mayOf(at)).players_missing, 0);
    assert.equal((await close(at)).state, 'entries_closed');
  });

  it('are none of who has not checked in', async () => {
    const at = await open({ format: 'dutch', seats_min: undefined, seats_max: undefined, check_in: true });
    for (const player of players.slice(0, 3)) await enter(at, player);
    good(await client.post(`${at}/entries/${players[0].id}/check-in`, {}, players[0].token));
    assert.equal(await refusal(at), '1 player takes part so far, and the event needs at least 2. Let more enter, or check in (2 players have not yet); then close entries.');
    good(await client.post(`${at}/entries/${players[1].id}/check-in`, {}, players[1].token));
    await close(at);
    assert.deepEqual(await statesOf(at), [[0, 'entered'], [1, 'entered'], [2, 'not_there']]);
  });
});

describe('places of who is not there', () => {
  it('go to those who wait and have come', async () => {
    const at = await open({ capacity: 2, check_in: true });
    for (const player of players.slice(0, 4)) good(await enter(at, player));
    for (const player of [players[1], players[3]]) good(await client.post(`${at}/entries/${player.id}/check-in`, {}, player.token));
    await close(at);
    assert.deepEqual((await entriesOf(at)).map(({ player, number }) => [player.id, number]), [[players[1].id, 1], [players[3].id, 2]]);
  });

  it('are not asked for where nobody waits', async () => {
    const at = await open({ capacity: 3, check_in: true });
    for (const player of players.slice(0, 4)) good(await enter(at, player));
    for (const player of players.slice(1, 3)) good(await client.post(`${at}/entries/${player.id}/check-in`, {}, player.token));
    await close(at);
    assert.deepEqual(await statesOf(at), [[1, 'entered'], [2, 'entered'], [0, 'not_there'], [3, 'waiting']]);
  });

  it('can be entered late by who still waits, and when somebody has dropped out', async () => {
    const at = await open({ capacity: 3, check_in: true, late_entries: 1 });
    assert.equal((await mayOf(at)).enter, 'place');
    for (const player of players.slice(0, 5)) good(await enter(at, player));
    assert.equal((await mayOf(at)).enter, 'waiting_list');
    for (const player of players.slice(1, 3)) good(await client.post(`${at}/entries/${player.id}/check-in`, {}, player.token));
    await close(at);
    assert.equal((await mayOf(at)).enter, 'place');
    assert.equal(good(await enter(at, players[3])).number, 3);
    assert.equal((await enter(at, players[4])).json.code, 'event-full');
    assert.equal((await mayOf(at)).enter, 'full');
    assert.equal((await leave(at, players[1])).status, 204);
    assert.equal((await mayOf(at)).enter, 'place');
    assert.equal(good(await enter(at, players[4])).number, 4);
    assert.equal((await enter(at, players[4])).json.code, 'already-entered');
    assert.equal((await enter(at, players[0])).json.code, 'event-full');
  });
});

describe('an entry', () => {
  it('is made once, by the player or an organizer', async () => {
    const at = await open();
    good(await enter(at, players[0]));
    assert.equal((await enter(at, players[0])).json.code, 'already-entered');
    const other = await enter(at, players[1], { player: players[2].id });
    assert.equal(other.json.code, 'not-allowed');
    const entry = good(await enter(at, organizer, { player: players[2].id }));
    assert.equal(entry.player.id, players[2].id);
    assert.equal((await enter(at, organizer, { player: 'me' })).json.code, 'bad-field');
    assert.equal((await enter(at, organizer, { player: '01a20118-0000-7000-8000-000000000000' })).json.code, 'not-found');
    const { items } = good(await client.get(`${at}/log`));
    assert.deepEqual(
      items.filter(({ kind }) => kind === 'entered').map(({ by, detail }) => [by.id, detail.player]),
      [[players[0].id, players[0].id], [organizer.id, players[2].id]],
    );
  });

  it('is taken back by its player and by officials, and by nobody else', async () => {
    const at = await open();
    for (const player of players.slice(0, 3)) good(await enter(at, player));
    assert.equal((await leave(at, players[0], players[1].token)).json.code, 'not-allowed');
    good(await client.post(`${at}/roles`, { player: players[1].id }, organizer.token));
    assert.equal((await leave(at, players[0], players[1].token)).status, 204);
    assert.equal((await leave(at, players[0])).json.code, 'not-entered');
    assert.equal((await leave(at, players[5])).json.code, 'not-entered');
    assert.deepEqual(await statesOf(at), [[1, 'entered'], [2, 'entered']]);
  });

  it('is numbered when entries are closed, and anew when they were opened again', async () => {
    const at = await open();
    for (const player of [players[2], players[0]]) good(await enter(at, player));
    await close(at);
    assert.deepEqual((await entriesOf(at)).map(({ player, number }) => [player.id, number]), [
      [players[2].id, 1],
      [players[0].id, 2],
    ]);
    assert.equal(good(await client.post(`${at}/open-entries`, {}, organizer.token)).state, 'entries_open');
    assert.deepEqual((await entriesOf(at)).map(({ number }) => number), [null, null]);
    assert.equal((await leave(at, players[2])).status, 204);
    good(await enter(at, players[2]));
    await close(at);
    assert.deepEqual((await entriesOf(at)).map(({ player }) => player.id), [players[0].id, players[2].id]);
  });

  it('is numbered by lot where the event says so, as its log tells', async () => {
    const at = await open({ seeding: 'draw' });
    for (const player of players) good(await enter(at, player));
    await close(at);
    const numbered = (await entriesOf(at)).map(({ player }) => player.id);
    assert.deepEqual([...numbered].sort(), players.map(({ id }) => id).sort());
    const { items } = good(await client.get(`${at}/log`));
    assert.deepEqual(items.at(-1).detail.numbers, numbered);
  });
});

describe('check-in', () => {
  const checkIn = (at, player, json = {}, token = player.token) =>
    client.post(`${at}/entries/${player.id}/check-in`, json, token);

  it('is for events that ask for it', async () => {
    const at = await open();
    good(await enter(at, players[0]));
    assert.equal((await checkIn(at, players[0])).json.code, 'wrong-state');
  });

  it('decides who gets a number', async () => {
    const at = await open({ check_in: true });
    for (const player of players.slice(0, 4)) good(await enter(at, player));
    assert.equal(good(await checkIn(at, players[0])).checked_in, true);
    assert.equal((await checkIn(at, players[0])).json.code, 'already-entered');
    assert.equal((await checkIn(at, players[1], {}, players[0].token)).json.code, 'not-allowed');
    assert.equal((await checkIn(at, players[1], { present: 'yes' })).json.code, 'bad-field');
    good(await checkIn(at, players[1], {}, organizer.token));
    good(await checkIn(at, players[2]));
    assert.equal(good(await checkIn(at, players[2], { present: false })).checked_in, false);
    assert.equal((await checkIn(at, players[6])).json.code, 'not-entered');
    assert.equal((await close(at)).entries, 2);
    assert.deepEqual(await statesOf(at), [[0, 'entered'], [1, 'entered'], [2, 'not_there'], [3, 'not_there']]);
  });
});

describe('in the course of an event', () => {
  it('somebody enters late, for the rounds that are left', async () => {
    const at = await open({ late_entries: 1 });
    for (const player of players.slice(0, 4)) good(await enter(at, player));
    await close(at);
    const first = good(await enter(at, players[4]));
    assert.deepEqual([first.number, first.from_round, first.state], [5, 1, 'entered']);
    await playRound(at, 'late');
    const second = good(await enter(at, players[5]));
    assert.deepEqual([second.number, second.from_round], [6, 2]);
    const round = await playRound(at, 'late again');
    assert.ok(round.games.some((game) => game.players.includes(players[5])));
    assert.equal((await enter(at, players[6])).json.code, 'too-late');
    assert.equal((await mayOf(at)).enter, 'closed');
    good(await patch(at, { late_entries: 3, capacity: 6 }));
    assert.equal((await enter(at, players[6])).json.code, 'event-full');
    assert.equal((await mayOf(at)).enter, 'full');
    good(await patch(at, { capacity: null }));
    assert.equal(good(await enter(at, players[6])).from_round, 3);
  });

  it('nobody enters late where the event does not take late entries', async () => {
    const at = await open();
    for (const player of players.slice(0, 2)) good(await enter(at, player));
    await close(at);
    assert.equal((await enter(at, players[2])).json.code, 'wrong-state');
    assert.equal((await mayOf(at)).enter, 'closed');
  });

  it('somebody drops out and comes back', async () => {
    const at = await open();
    for (const player of players.slice(0, 6)) good(await enter(at, player));
    await close(at);
    await playRound(at, 'drop');
    const preview = good(await client.delete(`${at}/entries/${players[0].id}?preview=true`, players[0].token));
    assert.deepEqual(preview, { step: 'dropped', differences: [] });
    assert.equal((await entryOf(at, players[0])).state, 'entered');
    assert.equal((await leave(at, players[0])).status, 204);
    assert.equal((await leave(at, players[0])).json.code, 'already-entered');
    const dropped = await entryOf(at, players[0]);
    assert.deepEqual([dropped.state, dropped.dropped_after_round], ['dropped', 1]);
    assert.equal(good(await client.get(at)).entries, 5);
    const without = await playRound(at, 'without');
    assert.ok(!without.games.some((game) => game.players.includes(players[0])));
    const back = `${at}/entries/${players[0].id}/return`;
    assert.equal((await client.post(back, {}, players[0].token)).json.code, 'not-allowed');
    const returned = good(await client.post(back, {}, organizer.token));
    assert.deepEqual([returned.state, returned.dropped_after_round], ['entered', null]);
    assert.equal((await client.post(back, {}, organizer.token)).json.code, 'not-entered');
    const again = await playRound(at, 'again');
    assert.ok(
      again.games.some((game) => game.players.includes(players[0])) ||
        again.byes.some(({ player }) => player.id === players[0].id),
    );
  });

  it('byes are asked for and granted until their round is drawn', async () => {
    const at = await open();
    for (const player of players.slice(0, 6)) good(await enter(at, player));
    const byes = (player) => `${at}/entries/${player.id}/byes`;
    const ask = (player, json, token = player.token) => client.post(byes(player), json, token);
    // Players who enter may already know which rounds they will miss.
    assert.equal((await mayOf(at)).bye_from, 1);
    assert.equal((await ask(players[6], { round: 2 })).json.code, 'not-entered');
    assert.deepEqual(good(await ask(players[2], { round: 2 })).byes, [{ round: 2, kind: 'zero' }]);
    assert.deepEqual(good(await ask(players[3], { round: 2 })).byes, [{ round: 2, kind: 'zero' }]);
    assert.deepEqual(good(await client.delete(`${byes(players[3])}/2`, players[3].token)).byes, []);
    good(await client.delete(`${at}/entries/${players[5].id}`, players[5].token));
    assert.equal((await ask(players[5], { round: 1 })).json.code, 'not-entered');
    good(await enter(at, players[5]));
    await close(at);
    assert.equal((await mayOf(at)).bye_from, 1);
    assert.deepEqual(good(await client.get(`${at}/entries`)).items.find((each) => each.player.id === players[2].id).byes, [{ round: 2, kind: 'zero' }]);
    assert.deepEqual(good(await ask(players[0], { round: 1 })).byes, [{ round: 1, kind: 'zero' }]);
    assert.equal((await ask(players[0], { round: 1 })).json.code, 'already-entered');
    assert.equal((await ask(players[1], { round: 1, kind: 'half' })).json.code, 'not-allowed');
    assert.equal((await ask(players[1], { round: 1 }, players[0].token)).json.code, 'not-allowed');
    good(await ask(players[1], { round: 1, kind: 'half' }, organizer.token));
    good(await ask(players[1], { round: 2, kind: 'full' }, organizer.token));
    assert.deepEqual(good(await client.delete(`${byes(players[1])}/2`, players[1].token)).byes, [{ round: 1, kind: 'half' }]);
    assert.equal((await client.delete(`${byes(players[1])}/2`, players[1].token)).json.code, 'not-entered');
    assert.equal((await ask(players[7], { round: 1 })).json.code, 'not-entered');
    const { rounds } = good(await client.get(at));
    const beyond = await ask(players[1], { round: rounds.planned + 1, kind: 'full' }, organizer.token);
    assert.deepEqual([beyond.status, beyond.json.code], [400, 'bad-field']);
    assert.match(beyond.json.detail, new RegExp(`it has ${rounds.planned}\\.`));
    good(await client.post(`${at}/rounds`, { publish: false }, organizer.token));
    assert.equal((await mayOf(at)).bye_from, 2); // from when the round has been paired
    const round = await startRound(client, { id: at.split('/').at(-1) }, organizer, players);
    assert.deepEqual(
      round.byes.map(({ player, kind }) => [players.findIndex(({ id }) => id === player.id), kind]).sort(),
      [[0, 'zero_bye'], [1, 'half_bye']],
    );
    assert.equal((await ask(players[2], { round: 1 })).json.code, 'too-late');
    assert.equal((await client.delete(`${byes(players[0])}/1`, players[0].token)).json.code, 'too-late');
  });
});

describe('a bye in a round that will not be', () => {
  const ask = (event, player, round) => client.post(`/v1/events/${event.id}/entries/${player.id}/byes`, { round }, player.token);
  const make = (settings) => makeEvent(client, organizer, players.slice(0, 5), { seats_min: undefined, seats_max: undefined, rounds: undefined, ...settings });

  it('is refused where the schedule is known', async () => {
    const event = await make({ name: 'All against all', format: 'round_robin' });
    assert.equal((await ask(event, players[0], 6)).json.code, 'bad-field');
    good(await ask(event, players[0], 5));
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).last_round, 5);
    const stages = await make({ name: 'Two stages', stages: [{ format: 'dutch', rounds: 2 }, { format: 'pod_swiss', rounds: 2, entrants: 4 }] });
    assert.equal((await ask(stages, players[0], 5)).json.code, 'bad-field');
    good(await ask(stages, players[0], 4));
    assert.equal(good(await client.get(`/v1/events/${stages.id}`)).last_round, 4);
  });

  it('is taken where results decide how many there are', async () => {
    good(await ask(await make({ name: 'Knockout', format: 'single_elimination' }), players[0], 9));
  });

  it('is refused where there are no rounds', async () => {
    const answer = await ask(await make({ name: 'Ladder', format: 'ladder' }), players[0], 1);
    assert.deepEqual([answer.status, answer.json.code], [409, 'no-rounds']);
  });
});

describe('who was entered', () => {
  it('can be looked up at any line and any time', async () => {
    const at = await open();
    good(await enter(at, players[0]));
    good(await enter(at, players[1]));
    assert.equal((await leave(at, players[0])).status, 204);
    const { items } = good(await client.get(`${at}/log`));
    const line = items.find(({ kind, detail }) => kind === 'entered' && detail.player === players[1].id);
    assert.deepEqual(await statesOf(at, `?as_of=${line.seq}`), [[0, 'entered'], [1, 'entered']]);
    assert.deepEqual(await statesOf(at, `?as_of=${line.seq - 1}`), [[0, 'entered']]);
    assert.deepEqual(await statesOf(at), [[1, 'entered']]);
    assert.deepEqual(await statesOf(at, '?as_of=2100-01-01T00:00:00Z'), [[1, 'entered']]);
    assert.equal((await client.get(`${at}/entries?as_of=2001-01-01T00:00:00Z`)).json.code, 'not-found');
    for (const wrong of ['0', '99', 'now', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01', ''])
      assert.equal((await client.get(`${at}/entries?as_of=${wrong}`)).json.code, 'bad-parameter', wrong);
    assert.equal((await client.get(`${at}/entries?at=1`)).json.code, 'bad-parameter');
  });
});

describe('the list of one’s own events', () => {
  it('has those that one has entered or has an office in, until they are closed', async () => {
    const [player, official] = await makePlayers(client, 2, 'Owner');
    const mine = async (of) => good(await client.get('/v1/me/events', { token: of.token })).items.map((each) => `/v1/events/${each.id}`);
    assert.deepEqual([await mine(player), await mine(official)], [[], []]);
    const draft = good(await client.post('/v1/events', usual, official.token));
    const at = await open();
    good(await enter(at, player));
    good(await client.post(`${at}/roles`, { player: official.id, role: 'arbiter' }, organizer.token));
    assert.deepEqual([await mine(player), await mine(official)], [[at], [at, `/v1/events/${draft.id}`]]);
    assert.deepEqual(good(await client.get('/v1/me/events?limit=1', { token: player.token })).items, [good(await client.get('/v1/events?limit=1')).items[0]]);
    const organized = async ({ id }, query = '') => good(await client.get(`/v1/players/${id}/organized${query}`)).items;
    assert.deepEqual([await organized(player), await organized(official)], [[], []]); // neither a draft nor an arbiter's
    good(await client.post(`/v1/events/${draft.id}/open-entries`, {}, official.token));
    assert.deepEqual((await organized(official)).map(({ id }) => id), [draft.id]);
    const [{ id: newest }, { id: before }] = await organized(organizer, '?limit=2');
    assert.equal(`/v1/events/${newest}`, at);
    assert.equal((await organized(organizer, `?limit=1&after=${newest}`))[0].id, before);
    assert.equal((await client.get('/v1/players/01900000-0000-7000-8000-000000000000/organized')).json.code, 'not-found');
    assert.equal((await leave(at, player)).status, 204);
    assert.deepEqual(await mine(player), []);
    good(await client.post(`${at}/cancel`, { reason: 'Rain' }, organizer.token));
    assert.deepEqual(await mine(official), [`/v1/events/${draft.id}`]);
    assert.equal((await client.get('/v1/me/events')).json.code, 'not-signed-in');
  });
});
