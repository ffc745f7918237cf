// Games that wait for entropy other than in rounds that begin: those that a ruling has played anew, of ladders, and of open play.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { verifyRecord } from '../../engine/record/verify_roll.mjs';
import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { bytes, give, giveAll, linesOf, look, waitingGame } from '../support/entropy.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, now, playBriefly, playRandomly, Random } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('places');
let bed, client, organizer;
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--timers-ms', '50']));
  organizer = await makePlayer(client, 'Organizer');
});
after(() => bed?.end());

const code = async (answer) => `${(await answer).status} ${(await answer).json?.code ?? ''}`.trim();
const at = (event) => `/v1/events/${event.id}`;
const roundOf = async (event) => good(await client.get(`${at(event)}/rounds/1`));
const pageOf = async (game) => (await client.get(`/games/${game.id}`, { unchecked: true })).text;
const provedBundle = async (event) => bed.proveEvent((await client.get(`${at(event)}/bundle`)).text);

// The only game that waits for this player, as it will be.
async function waitingFor(player, players) {
  const { items: [waiting, ...others] } = good(await client.get('/v1/me/waiting', { token: player.token }));
  assert.deepEqual(others, []);
  return { ...waitingGame(waiting.game, waiting.seats, players), event: waiting.event };
}

// Its record has what all of them gave, to what the service had committed to.
async function checkStarted(game, commitment, given) {
  assert.equal((await look(client, game)).state, 'started');
  const record = (await client.get(`${game.at}/record`)).text;
  assert.deepEqual(linesOf(record, 'commit'), [`commit ${commitment}`]);
  assert.deepEqual(linesOf(record, 'entropy'), given.map((entropy, seat) => `entropy ${seat} ${entropy}`));
}

async function checkFinished(game) {
  const record = (await client.get(`${game.at}/record`)).text;
  assert.equal(bed.verify(record).status, 0, bed.verify(record).output);
  assert.equal(verifyRecord(Buffer.from(record)).finished, true);
}

describe('a table that is played anew', () => {
  const ruling = { orders: [{ order: 'replay' }], code: 'irregularity', reason: 'A card was seen.' };
  const complain = async (game, player) => good(await client.post(`${game.at}/disputes`, { claim: 'other', text: 'I saw a card.' }, player.token));
  const freeze = async (dispute) => good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
  const rule = (dispute, body) => client.post(`/v1/disputes/${dispute.id}/ruling`, body, organizer.token);
  const games = async (player) => good(await client.get(`/v1/players/${player.id}/ratings`)).items.find((each) => each.scope === 'overall')?.games ?? 0;
  const pointsIn = async (event) => good(await client.get(`${at(event)}/standings`)).rows.map((row) => row.points.numerator);

  // A table whose first game has begun, with entropy, and been played as far as `plies`.
  async function startedTable(plies) {
    const players = await makePlayers(client, 3, 'Giver');
    const event = await makeEvent(client, organizer, players, { seats_max: 3, rounds: 1, entropy_seconds: 3600 });
    const round = good(await client.post(`${at(event)}/rounds`, {}, organizer.token));
    const game = waitingGame(round.seating[0].waiting.game, round.seating[0].seats, players);
    await giveAll(client, game);
    await (plies === undefined ? playBriefly(client, { ...game, organizer }, random) : playRandomly(client, game, random, { plies }));
    return { event, game };
  }

  // The game that is to follow, after the ruling.
  async function orderReplay({ event, game }, dispute) {
    const ruled = good(await rule(dispute, ruling));
    const { games: left, seating: [table] } = await roundOf(event);
    assert.deepEqual(left, [], 'the game before is the table’s no more');
    assert.equal(ruled.log.at(-1).replayed_as, table.waiting.game);
    assert.deepEqual(table.seats.map((seat) => seat.player.id), game.players.map((player) => player.id));
    return waitingGame(table.waiting.game, table.seats, game.players);
  }

  for (const finished of [false, true])
    it(`waits for entropy anew, after a ${finished ? 'finished' : 'running'} game`, async () => {
      const { event, game } = await startedTable(finished ? undefined : 5);
      const dispute = await complain(game, game.players[0]);
      const another = await complain(game, game.players[1]);
      if (!finished) await freeze(dispute);
      assert.equal(await games(game.players[0]), finished ? 1 : 0);
      const again = await orderReplay({ event, game }, dispute);
      assert.notEqual(again.id, game.id);
      const { commitment, state, seats } = await look(client, again);
      assert.deepEqual([state, ...seats.map((seat) => seat.given)], ['waiting', false, false, false], 'what was given before is no part of it');
      assert.notEqual(commitment, (await look(client, game)).commitment);
      assert.equal(await code(client.get(again.at)), '404 not-found');
      assert.match(await pageOf(again), /<td>awaited<\/td>/);
      // Until it has been played nothing counts, and the old game cannot be ruled any more.
      assert.deepEqual(await Promise.all(game.players.map(games)), [0, 0, 0]);
      assert.ok((await pointsIn(event)).every((points) => points === 0));
      for (const orders of [[{ order: 'replay' }], [{ order: 'forfeit', seat: 0 }], [{ order: 'void' }]])
        assert.equal(await code(rule(another, { ...ruling, orders })), '422 bad-order', JSON.stringify(orders));
      assert.equal(await code(client.post(`${at(event)}/close`, {}, organizer.token)), '409 round-running');

      await checkStarted(again, commitment, await giveAll(client, again));
      assert.deepEqual((await roundOf(event)).games.map(({ id }) => id), [again.id]);
      await playBriefly(client, { ...again, organizer }, random);
      await checkFinished(again);
      assert.deepEqual(await Promise.all(game.players.map(games)), [1, 1, 1]);
      good(await client.post(`${at(event)}/close`, {}, organizer.token));
      const { status, output } = await provedBundle(event);
      assert.equal(status, 0, output);
    });

  it('begins without those who do not give in time', async () => {
    const { event, game } = await startedTable(5);
    good(await client.request('PATCH', at(event), { json: { entropy_seconds: 2 }, token: organizer.token }));
    const dispute = await complain(game, game.players[0]);
    await freeze(dispute);
    const again = await orderReplay({ event, game }, dispute);
    await until(20, 'the game starts', async () => (await look(client, again)).state === 'started');
    assert.equal((await now(client, again)).state, 'running');
    await endQuietly(client, again, organizer);
    await checkFinished(again);
  });

  it('begins at once where the event waits no more', async () => {
    const { event, game } = await startedTable(5);
    good(await client.request('PATCH', at(event), { json: { entropy_seconds: 0 }, token: organizer.token }));
    const dispute = await complain(game, game.players[0]);
    await freeze(dispute);
    const ruled = good(await rule(dispute, ruling));
    const { games: [again], seating: [table] } = await roundOf(event);
    assert.deepEqual([table.waiting, ruled.log.at(-1).replayed_as, again.state], [null, again.id, 'running']);
  });

  it('that was ruled and closed before has no game, and the one before counts for nothing', { skip: notLong }, async () => {
    const { event, game } = await startedTable();
    const again = await orderReplay({ event, game }, await complain(game, game.players[0]));
    const seats = game.players.map((player) => ({ player: player.id, rank: 1 }));
    good(await client.request('PUT', `${at(event)}/rounds/1/tables/1/ruling`, { json: { seats, reason: 'No time is left.' }, token: organizer.token }));
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    for (const seat of [0, 1, 2]) good(await give(client, again, seat, bytes()));
    assert.equal((await look(client, again)).state, 'dropped');
    assert.match(await pageOf(again), /it will not be played/);
    assert.deepEqual((await roundOf(event)).games, []);
    assert.deepEqual(await Promise.all(game.players.map(games)), [0, 0, 0]);
    const { status, output } = await provedBundle(event);
    assert.equal(status, 0, output);
  });
});

describe('a challenge on a ladder', () => {
  it('that is accepted waits for the entropy of both, and is played then', async () => {
    const players = await makePlayers(client, 4, 'Climber');
    const event = await makeEvent(client, organizer, players,
      { name: 'Ladder', format: 'ladder', rounds: undefined, seats_min: undefined, seats_max: undefined, entropy_seconds: 3600 });
    const [champion, challenger] = players;
    good(await client.post(`${at(event)}/challenges`, { player: champion.id }, challenger.token));
    assert.deepEqual(good(await client.get('/v1/me/waiting', { token: champion.token })).items, [], 'not before it is accepted');
    good(await client.post(`${at(event)}/challenges/${challenger.id}/accept`, {}, champion.token));
    const game = await waitingFor(champion, players);
    assert.deepEqual(game.event, { id: event.id, round: 0, table: 1 });
    assert.deepEqual((await waitingFor(challenger, players)).id, game.id);
    assert.equal(await code(client.get(game.at)), '404 not-found');
    assert.match(await pageOf(game), /<h1>Shinjuku, table 1<\/h1>/);
    assert.equal(good(await client.get(`${at(event)}/challenges`)).challenges[0].table, 1);
    const { commitment } = await look(client, game);
    await checkStarted(game, commitment, await giveAll(client, game));
    await endQuietly(client, game, organizer);
    await checkFinished(game);
    assert.deepEqual(good(await client.get(`${at(event)}/challenges`)).challenges, []);
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    const { status, output } = await provedBundle(event);
    assert.equal(status, 0, output);
  });
});

describe('a table of open play', () => {
  it('waits for the entropy of those who were called, as long as the event says', async () => {
    const players = await makePlayers(client, 4, 'Walker');
    const event = await makeEvent(client, organizer, players,
      { name: 'Open', format: 'open_play', rounds: undefined, seats_min: 2, seats_max: 2, entropy_seconds: 3600 });
    const queue = (player) => client.post(`${at(event)}/queue`, {}, player.token);
    good(await queue(players[0]));
    assert.deepEqual(good(await client.get('/v1/me/waiting', { token: players[0].token })).items, []);
    const { tables, waiting } = good(await queue(players[1]));
    assert.deepEqual([tables.length, waiting], [1, []]);
    const game = await waitingFor(players[0], players);
    assert.deepEqual(game.event, { id: event.id, round: 0, table: 1 });
    assert.equal(await code(queue(players[0])), '409 already-entered');
    const { commitment } = await look(client, game);
    await checkStarted(game, commitment, await giveAll(client, game));
    // Another table, at which one does not give: its game begins when the time is over.
    good(await client.request('PATCH', at(event), { json: { entropy_seconds: 2 }, token: organizer.token }));
    for (const player of players.slice(2)) good(await queue(player));
    const late = await waitingFor(players[2], players);
    const entropy = bytes();
    good(await give(client, late, 1, entropy));
    await until(20, 'the game starts', async () => (await look(client, late)).state === 'started');
    assert.deepEqual(linesOf((await client.get(`${late.at}/record`)).text, 'entropy'), [`entropy 1 ${entropy}`]);
    for (const each of [game, late]) {
      await endQuietly(client, each, organizer);
      await checkFinished(each);
    }
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    const { status, output } = await provedBundle(event);
    assert.equal(status, 0, output);
  });
});

it('the audit finds nothing', () => {
  const { status, stdout } = bed.tillroll('audit');
  assert.equal(status, 0, stdout);
});
