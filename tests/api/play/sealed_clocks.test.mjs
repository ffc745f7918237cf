// Clocks while several seats decide at the same time: the clock of who has decided is charged to that
// moment, which nobody else learns before the decisions are opened or another line has to be written.
// That nobody learns of it is in sealed.test.mjs.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { verifyRecord } from '../../engine/record/verify_roll.mjs';
import { good } from '../support/client.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, now, play, reachAuction, Random } from '../support/play.mjs';
import { readRecord } from '../support/record.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed, service, client, organizer, players;

before(async () => {
  bed = new Testbed();
  service = await bed.startService();
  client = service.client;
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 4, 'Bidder');
});
after(() => bed?.end());

const bank = { bank_ms: 3_600_000, increment_ms: 5000, cap_ms: 7_200_000 };
const record = async (game, by = client) => (await by.get(`${game.at}/record`)).text;
const entriesSince = async (game, seq) => readRecord(await record(game)).entries.filter((entry) => entry.seq > seq);
const said = (entries) => entries.map((entry) => entry.words.join(' '));
const isPly = (entry) => entry.seat !== null;

async function newAuction(seed, settings = {}) {
  const { game } = await makeGame(client, organizer, players, { ruleset: 'mall-world', clock: bank, ...settings });
  return { game, position: await reachAuction(client, game, new Random(seed)) };
}

// The least bid, which the rules always allow.
async function bid(game, seat, seq, by = client) {
  const { moves } = await legalMoves(by, game, seat);
  return good(await play(by, game, seat, [moves[0]], seq));
}

// When the seats decided, in milliseconds since the game began, as it is stored: [[seat, elapsed]] in this order.
const decidedAt = (game) =>
  bed.cluster.sql(`SET ROLE tillroll_owner; SELECT seat, tillroll.to_ms(received_at) - tillroll.to_ms(started_at)
    FROM tillroll_vault.sealed_move JOIN tillroll.game ON game.id = game_id WHERE game_id = '${game.id}' ORDER BY received_at, seat`)
    .split('\n').map((line) => line.split('|').map(Number));

async function proved(game) {
  await endQuietly(client, game, organizer);
  const text = await until(20, 'the game is over', async () => {
    const read = await record(game);
    return / reveal /.test(read) && read;
  });
  const { status, output } = bed.verify(text);
  assert.equal(status, 0, output);
  assert.ok(verifyRecord(Buffer.from(text)).finished);
}

// All decide in this order, with time in between, each at the service that `at` gives.
async function decide(game, order, seq, at = () => client) {
  for (const [i, seat] of order.entries()) {
    await bid(game, seat, seq, at(i));
    await sleep(30);
  }
}

// The record has a line for all but the last, when they decided, and the decisions at the time of the last.
async function isAsDecided(game, position, order) {
  const entries = await entriesSince(game, position.seq);
  const times = decidedAt(game).slice(-order.length);
  assert.deepEqual(times.map(([seat]) => seat), order);
  const lines = entries.slice(0, order.length - 1);
  assert.deepEqual(lines.map((entry) => [entry.words.join(' '), entry.elapsed]), times.slice(0, -1).map(([seat, at]) => [`sealed ${seat}`, at]));
  const together = entries.slice(lines.length, lines.length + order.length);
  assert.deepEqual(together.map((entry) => [entry.seat, entry.elapsed]), [...order].sort().map((seat) => [seat, times.at(-1)[1]]));
  return times;
}

describe('the clock of who has decided in secret', () => {
  it('is charged to that moment, and shown so as soon as all have decided', async () => {
    const { game, position } = await newAuction('charged');
    const order = [...position.deciders].reverse();
    await decide(game, order, position.seq);
    const times = await isAsDecided(game, position, order);
    const before = position.clocks.seats;
    const spent = Object.fromEntries(times.map(([seat, at]) => [seat, at - position.clocks.elapsed_ms]));
    const shown = (await now(client, game)).clocks.seats;
    for (const seat of order) assert.equal(shown[seat].left_ms, before[seat].left_ms - spent[seat] + bank.increment_ms, `seat ${seat}`);
    assert.ok(spent[order[0]] < spent[order.at(-1)]);
    await proved(game);
  });

  it('stands in the seat’s own eyes, and runs in all others’', async () => {
    const { game, position } = await newAuction('own eyes');
    const [first, second] = position.deciders;
    const view = async (token) => good(await client.get(`${game.at}/view`, { token }));
    const shown = (await view()).clocks;
    await bid(game, first, position.seq);
    const [[, at]] = decidedAt(game);
    const own = await view(game.players[first].token);
    assert.deepEqual([own.seq, own.decided, own.clocks.elapsed_ms], [position.seq, true, at]);
    assert.deepEqual(own.clocks.seats.map((clock) => clock.running), shown.seats.map((clock) => clock.running && clock.seat !== first));
    assert.equal(own.clocks.seats[first].left_ms, shown.seats[first].left_ms - (at - shown.elapsed_ms));
    // The others' run out when they would have.
    assert.deepEqual(own.clocks.seats.map((clock) => clock.runs_out_at), shown.seats.map((clock) => (clock.seat === first ? null : clock.runs_out_at)));
    for (const token of [undefined, organizer.token, game.players[second].token]) assert.deepEqual((await view(token)).clocks, shown);
  });

  it('is the same after kill -9, and whichever of several services is asked', async () => {
    const { game, position } = await newAuction('restarted');
    const order = position.deciders;
    await bid(game, order[0], position.seq);
    await service.end('SIGKILL');
    service = await bed.startService();
    client = service.client;
    const second = await bed.startService();
    await until(20, 'clocks are kept', async () => (await play(client, game, order[1], ['bid 99'], position.seq)).status === 422);
    assert.equal((await now(second.client, game)).seq, position.seq);
    await decide(game, order.slice(1), position.seq, (i) => [second.client, client][i % 2]);
    await isAsDecided(game, position, order);
    await until(20, 'both say the same', async () => await record(game, second.client) === await record(game));
    await second.end();
    await proved(game);
  });

  it('cannot run out, although others see it run', async () => {
    const settings = { clock: { move_ms: 3000 }, on_timeout: 'forfeit' };
    const { game, position } = await newAuction('runs out', settings);
    const second = await bed.startService(); // whose clocks say the same
    const [absent, ...rest] = position.deciders;
    for (const seat of rest) await bid(game, seat, position.seq);
    const times = decidedAt(game);
    assert.deepEqual(await entriesSince(game, position.seq), []);
    const entries = await until(20, 'the time is up', async () => {
      const read = await entriesSince(game, position.seq);
      return read.length > 0 && read;
    });
    // What was held back stands before the time-out, with its own times.
    const before = entries.slice(0, rest.length);
    assert.deepEqual(before.map((entry) => [entry.words.join(' '), entry.elapsed]), times.map(([seat, at]) => [`sealed ${seat}`, at]));
    assert.deepEqual(said(entries.slice(rest.length, rest.length + 2)), [`timeout ${absent}`, `forfeit ${absent}`]);
    assert.deepEqual(entries.slice(rest.length + 2, rest.length + 2 + position.deciders.length).map((entry) => entry.seat), position.deciders);
    assert.ok(!said(entries.slice(0, rest.length + 2)).some((words) => rest.some((seat) => words === `timeout ${seat}`)));
    await second.end();
    await proved(game);
  });

  it('runs out in the eyes of others, who do not see more than that', async () => {
    const { game } = await makeGame(client, organizer, players, { ruleset: 'mall-world', clock: { bank_ms: 4000, increment_ms: 600_000, cap_ms: 3_600_000 }, on_timeout: 'forfeit' });
    // An auction of seats that have had a turn, and so have time, and of seats that have had none.
    const played = new Set();
    const isOffer = (move) => move.startsWith('offer ') && move.split(' ').length > 2;
    let position = await now(client, game);
    while (position.deciders.length === 1) {
      const [seat] = position.deciders;
      const { moves, seq } = await legalMoves(client, game, seat);
      const wanted = moves.filter((move) => (played.size > 0 && !(played.size === 1 && played.has(seat)) ? isOffer(move) : !move.startsWith('offer ')));
      good(await play(client, game, seat, [(wanted.length > 0 ? wanted : moves)[0]], seq));
      played.add(seat);
      position = await now(client, game);
    }
    const late = position.deciders.filter((seat) => played.has(seat));
    const early = position.deciders.filter((seat) => !played.has(seat));
    assert.ok(late.length > 0 && early.length > 0, `${late} and ${early}`);
    for (const seat of early) await bid(game, seat, position.seq);
    const shown = await now(client, game);
    await until(20, 'their clocks are out', () => early.every((seat) => Date.parse(shown.clocks.seats[seat].runs_out_at) + 500 < Date.now()));
    assert.deepEqual(await now(client, game), shown);
    // Another decision is refused because there is one, not because of the time.
    const { moves } = await legalMoves(client, game, late[0]);
    const other = await play(client, game, early[0], [moves[1]]);
    assert.deepEqual([other.status, other.json.code], [409, 'already-decided']);
    for (const seat of late) await bid(game, seat, position.seq);
    await isAsDecided(game, position, [...early, ...late]);
    assert.ok(!said(await entriesSince(game, 0)).some((words) => words.startsWith('timeout ')));
    await proved(game);
  });
});

describe('lines that are held back', () => {
  it('are written before an absence, and not again for those of whom the record says so already', async () => {
    const { game, position } = await newAuction('absence');
    const [first, ...rest] = position.deciders;
    const offerer = [0, 1, 2, 3].find((seat) => !position.deciders.includes(seat));
    await bid(game, first, position.seq);
    const answer = good(await client.post(`${game.at}/fallback`, { seat: offerer }, organizer.token));
    const early = await entriesSince(game, position.seq);
    assert.deepEqual(said(early), [`sealed ${first}`, `fallback ${offerer}`]);
    assert.equal(answer.seq, early.at(-1).seq, 'the receipt is of the absence');
    const { seq } = await now(client, game);
    for (const seat of rest) {
      const { moves } = await legalMoves(client, game, seat);
      good(await play(client, game, seat, [moves[0]], seq));
    }
    const entries = await entriesSince(game, seq);
    const firstPly = entries.findIndex(isPly);
    assert.deepEqual(said(entries.slice(0, firstPly)), rest.slice(0, -1).map((seat) => `sealed ${seat}`));
    assert.deepEqual(entries.slice(firstPly, firstPly + position.deciders.length).map((entry) => entry.seat), position.deciders);
    await proved(game);
  });

  it('are written before a freeze, which stops the clocks of all others', async () => {
    const { game, position } = await newAuction('frozen');
    const [first, second] = position.deciders;
    await bid(game, first, position.seq);
    const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'rules', text: 'Is this right?' }, game.players[second].token));
    assert.deepEqual(await entriesSince(game, position.seq), [], 'a complaint writes nothing');
    good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
    assert.deepEqual(said(await entriesSince(game, position.seq)), [`sealed ${first}`, `freeze ${dispute.id}`]);
    good(await client.post(`/v1/disputes/${dispute.id}/ruling`, { orders: [{ order: 'stands' }], code: 'stands', reason: 'It is.' }, organizer.token));
    const { seq } = await now(client, game);
    for (const seat of position.deciders.slice(1)) await bid(game, seat, seq);
    assert.deepEqual((await entriesSince(game, seq)).filter(isPly).slice(0, position.deciders.length).map((entry) => entry.seat), position.deciders);
    await proved(game);
  });

  it('stand again where a player was absent in between', async () => {
    const { game, position } = await newAuction('back again');
    const [first, ...rest] = position.deciders;
    await bid(game, first, position.seq);
    good(await client.post(`${game.at}/fallback`, { seat: first }, organizer.token));
    good(await client.post(`${game.at}/return`, {}, game.players[first].token));
    const { seq } = await now(client, game);
    for (const seat of rest) await bid(game, seat, seq);
    const entries = await entriesSince(game, position.seq);
    assert.deepEqual(said(entries.slice(0, 2 + rest.length + 1)),
      [`sealed ${first}`, `fallback ${first}`, `return ${first}`, ...[first, ...rest.slice(0, -1)].map((seat) => `sealed ${seat}`)]);
    assert.equal(entries[3].elapsed, entries[2].elapsed, 'from the return on');
    await proved(game);
  });

  it('wait when a house player says how it plays, which then has the time of the line before', async () => {
    const token = bed.tillroll('admin', 'house', 'casual').stdout.trim();
    const house = { token, id: good(await client.get('/v1/me', { token })).id };
    const seated = [...players.slice(0, 3), house];
    const table = good(await client.post('/v1/lobby', { ruleset: 'mall-world', seats: 4, listed: false, clock: bank }, players[0].token));
    let last;
    for (const player of seated.slice(1)) last = good(await client.post(`/v1/invitations/${table.code}/seat`, {}, player.token));
    const at = `/v1/games/${last.game}`;
    const game = { id: last.game, at, players: good(await client.get(at)).seats.map(({ player }) => seated.find(({ id }) => id === player.id)) };
    const seat = game.players.indexOf(house);
    const declare = (version) => client.post(`${at}/house`, { version }, token);
    let declared = 0;
    // Until there is an auction in which the house has a bid, and others have decided before.
    const position = await until(60, 'an auction with the house', async () => {
      const shown = await reachAuction(client, game, new Random(`house ${declared}`), async (by, table, mover, moves, seq) => {
        if (mover !== seat || declared > 0) return play(by, table, mover, moves, seq);
        return play(by, table, mover, moves, good(await declare((declared += 1))).seq);
      });
      if (shown.deciders.includes(seat)) return shown;
      for (const each of shown.deciders) await bid(game, each, shown.seq);
      return false;
    });
    const [first, ...rest] = position.deciders.filter((each) => each !== seat);
    await bid(game, first, position.seq);
    const line = good(await declare((declared += 1)));
    assert.equal(line.seq, position.seq + 1, 'the receipt is of it');
    const entries = await entriesSince(game, position.seq);
    assert.deepEqual(entries.map((entry) => [entry.words.join(' '), entry.elapsed]), [[`house ${seat} casual ${declared}`, position.clocks.elapsed_ms]]);
    assert.deepEqual((await now(client, game)).clocks, position.clocks);
    for (const each of [...rest, seat]) await bid(game, each, line.seq);
    await isAsDecided(game, { ...position, seq: line.seq }, [first, ...rest, seat]);
    const { status, output } = bed.verify(await record(game));
    assert.equal(status, 2, output);
  });

  it('are not written for a request that is refused, or asked for nothing', async () => {
    const { game, position } = await newAuction('refused');
    const [first, second] = position.deciders;
    await bid(game, first, position.seq);
    for (const [path, body, token, code] of [
      ['return', {}, game.players[second].token, 'bad-return'], ['recall', { seat: second }, organizer.token, 'bad-return'],
      ['takeback', { from: position.seq, seq: position.seq }, game.players[second].token, 'no-take-back'],
    ]) assert.equal((await client.post(`${game.at}/${path}`, body, token)).json.code, code);
    const { seq, head } = await now(client, game);
    assert.deepEqual([seq, head], [position.seq, position.head]);
    await proved(game);
  });
});
