// Events that are cancelled before anything is played: of every kind, over HTTP and by the command line, and what comes of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeDuplicate } from '../support/duplicate.mjs';
import { endQuietly, makeEvent, startRound } from '../support/play.mjs';
import { bed, client, organizer, players, serve } from '../support/served.mjs';

serve({ players: 4 });

const none = { rounds: undefined, seats_min: undefined, seats_max: undefined };
const league = { name: 'League', format: 'league', rounds: undefined, seats_min: 2, seats_max: 2, division: 4, moves: 1 };
const cancel = (event, reason = 'The hall is closed.') => client.post(`/v1/events/${event.id}/cancel`, { reason }, organizer.token);
const refusal = ({ status, json }) => [status, json.code];
const kinds = async (event) => good(await client.get(`/v1/events/${event.id}/log`)).items.map(({ kind }) => kind);

// It is closed for good, and nothing can be done in it any more.
async function assertOver(event, ...steps) {
  const { state, cancelled } = good(await client.get(`/v1/events/${event.id}`));
  assert.deepEqual([state, cancelled], ['closed', true]);
  assert.equal((await kinds(event)).at(-1), 'cancelled');
  assert.deepEqual(refusal(await cancel(event)), [409, 'wrong-state']);
  for (const step of steps) assert.deepEqual(refusal(await step()), [409, 'wrong-state']);
  assert.deepEqual(refusal(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token)), [409, 'wrong-state']);
}

describe('an event is cancelled', () => {
  it('from the command line, with a reason', async () => {
    const event = await makeEvent(client, organizer, players);
    const server = `http://127.0.0.1:${client.port}`;
    const run = (...words) => bed.tillrollAs(organizer.token, 'event', 'cancel', ...words, '--server', server);
    assert.notEqual((await run(event.id)).status, 0);
    assert.deepEqual(await kinds(event), (await kinds(event)).filter((kind) => kind !== 'cancelled'));
    const done = await run(event.id, 'The hall is closed.');
    assert.equal(done.status, 0, done.output);
    const { items } = good(await client.get(`/v1/events/${event.id}/log`));
    assert.deepEqual([items.at(-1).detail, items.at(-1).by.id], [{ reason: 'The hall is closed.' }, organizer.id]);
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).cancelled_reason, 'The hall is closed.');
    assert.equal(good(await client.get(`/v1/events/${event.id}?as_of=${items.length - 1}`)).cancelled_reason, null);
    await assertOver(event, () => client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const again = await run(event.id, 'Twice.');
    assert.equal(again.status, 1);
    assert.match(again.output, /409 /);
  });

  it('as a ladder, with a challenge that was not answered', async () => {
    const event = await makeEvent(client, organizer, players, { name: 'Ladder', format: 'ladder', ...none });
    const challenge = (by, whom) => client.post(`/v1/events/${event.id}/challenges`, { player: whom.id }, by.token);
    good(await challenge(players[1], players[0]));
    good(await cancel(event));
    await assertOver(event, () => challenge(players[3], players[2]), () => client.post(`/v1/events/${event.id}/challenges/${players[1].id}/accept`, {}, players[0].token));
    assert.deepEqual(good(await client.get('/v1/games?state=running')).items, []);
  });

  it('as open play, with somebody in the queue', async () => {
    const event = await makeEvent(client, organizer, players, { name: 'Open', format: 'open_play', rounds: undefined, seats_min: 2, seats_max: 3 });
    const join = (player) => client.post(`/v1/events/${event.id}/queue`, {}, player.token);
    good(await join(players[0]));
    good(await cancel(event));
    await assertOver(event, () => join(players[1]));
    assert.deepEqual(good(await client.get(`/v1/events/${event.id}/queue`)).tables, []);
  });

  it('as a duplicate event, whose rounds are not drawn before they start', async () => {
    const event = await makeDuplicate(client, organizer, players, { boards: 2 });
    good(await cancel(event));
    await assertOver(event, () => client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const played = await makeDuplicate(client, organizer, players, { boards: 2 });
    good(await client.post(`/v1/events/${played.id}/rounds`, {}, organizer.token));
    assert.deepEqual(refusal(await cancel(played)), [409, 'wrong-state']);
    assert.equal(good(await client.get(`/v1/events/${played.id}`)).cancelled, false);
  });

  it('as a league, which then has no next season', async () => {
    const event = await makeEvent(client, organizer, players, league);
    good(await cancel(event));
    await assertOver(event);
    for (const query of ['', '?preview=true']) {
      const { status, json } = await client.post(`/v1/events/${event.id}/next-season${query}`, { name: 'Next' }, organizer.token);
      assert.deepEqual([status, json.code], [409, 'wrong-state'], query);
      assert.match(json.detail, /cancelled/);
    }
  });

  it('not when a game has been played', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 2), { name: 'Two', seats_min: 2, seats_max: 2 });
    const { games: [game] } = await startRound(client, event, organizer, players);
    await endQuietly(client, game, organizer);
    assert.deepEqual(refusal(await cancel(event)), [409, 'wrong-state']);
  });
});

it('an audit finds nothing wrong with cancelled events, and all of them in the log', async () => {
  const { status, stdout, stderr } = bed.tillroll('audit');
  assert.equal(status, 0, stdout + stderr);
});
