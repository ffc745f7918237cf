// Clocks, absences, substitutes and take-backs: what the rules of an event, its officials and its
// players write into the records of games besides moves. Every record that is finished here is
// verified by `tillroll verify` and by the second verifier, which shares no code with it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { verifyRecord } from '../../engine/record/verify_roll.mjs';
import { good } from '../support/client.mjs';
import { countAll } from '../support/figures.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayer, makePlayers, now, play, playBriefly, playRandomly, Random, startRound } from '../support/play.mjs';
import { readRecord } from '../support/record.mjs';
import { Stream } from '../support/stream.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed, service, client, organizer, arbiter, players;

before(async () => {
  bed = new Testbed();
  service = await bed.startService();
  client = service.client;
  [organizer, arbiter] = await makePlayers(client, 2, 'Official');
  players = await makePlayers(client, 4, 'Clocked');
});
after(() => bed?.end());

const record = async (game, by = client) => (await by.get(`${game.at}/record`)).text;
const words = async (game) => readRecord(await record(game)).entries.map((entry) => entry.words.join(' '));

// Both verifiers accept the finished record.
async function proved(game) {
  const text = await record(game);
  const said = bed.verify(text);
  assert.equal(said.status, 0, said.output);
  const verified = verifyRecord(Buffer.from(text));
  assert.ok(verified.finished);
  return readRecord(text);
}

// And so does whoever proves the event from its bundle.
async function provedEvent(event) {
  good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  const said = bed.proveEvent((await client.get(`/v1/events/${event.id}/bundle`)).text);
  assert.equal(said.status, 0, said.output);
}

const finished = (game, by = client) =>
  until(20, 'the game ends', async () => {
    const document = good(await by.get(game.at));
    return document.state === 'finished' && document;
  });

const three = (settings) => makeGame(client, organizer, players.slice(0, 3), settings);

// More time than any test takes.
const ample = { bank_ms: 3_600_000, increment_ms: 1000, cap_ms: 7_200_000 };
const none = { bank_ms: 1 };

describe('the settings of an event', () => {
  it('say how games are played', async () => {
    const made = good(await client.post('/v1/events', { name: 'Slow', ruleset: 'shinjuku', rounds: 1, clock: { move_ms: 86_400_000 }, on_timeout: 'fallback', take_back: true }, organizer.token));
    assert.deepEqual(made.settings.clock, { move_ms: 86_400_000 });
    assert.deepEqual([made.settings.on_timeout, made.settings.take_back], ['fallback', true]);
    const patch = (json) => client.request('PATCH', `/v1/events/${made.id}`, { token: organizer.token, json });
    const changed = good(await patch({ clock: { bank_ms: 1000 }, take_back: false }));
    assert.deepEqual(changed.settings.clock, { bank_ms: 1000, increment_ms: 0, cap_ms: 31_622_400_000 });
    assert.deepEqual([changed.settings.on_timeout, 'take_back' in changed.settings], ['fallback', false]);
    const without = good(await patch({ clock: null, on_timeout: 'arbiter' }));
    assert.ok(!('clock' in without.settings) && !('on_timeout' in without.settings));
    for (const clock of [3, {}, { bank_ms: 0 }, { bank_ms: 10, cap_ms: 9 }, { bank_ms: 1, move_ms: 1 }, { move_ms: 0 }, { move_ms: 31_622_400_001 }, { bank_ms: 1.5 }, { bank_ms: 1, delay_ms: 1 }])
      assert.equal((await client.request('PATCH', `/v1/events/${made.id}`, { token: organizer.token, json: { clock }, unchecked: true })).json.code, 'bad-field', JSON.stringify(clock));
    assert.equal((await client.request('PATCH', `/v1/events/${made.id}`, { token: organizer.token, json: { on_timeout: 'lose' }, unchecked: true })).json.code, 'bad-field');
  });

  it('stand in games that begin afterwards, and in their records', async () => {
    const { game } = await three({ clock: ample, on_timeout: 'forfeit' });
    const shown = await now(client, game);
    assert.deepEqual([shown.clock, shown.on_timeout, shown.take_back], [ample, 'forfeit', false]);
    assert.equal(readRecord(await record(game)).header.clock, 'bank=3600000 increment=1000 cap=7200000');
    assert.deepEqual(shown.clocks.seats.map((seat) => [seat.left_ms, seat.running]), [[3_600_000, true], [3_600_000, false], [3_600_000, false]]);
    assert.equal(Date.parse(shown.clocks.seats[0].runs_out_at), Date.parse(shown.started_at) + 3_600_000);
    const { game: free } = await three({});
    assert.deepEqual([(await now(client, free)).clock, (await now(client, free)).clocks], [null, null]);
  });

  it('are told by views and streams as the record has them', async () => {
    const { game } = await three({ clock: ample });
    const stream = await Stream.open(client, `${game.at}/stream`);
    await playRandomly(client, game, new Random('told'), { plies: 5 });
    await stream.reached(5);
    const last = stream.messages.at(-1);
    const shown = await now(client, game);
    assert.deepEqual(last.data.clocks, shown.clocks);
    assert.deepEqual(good(await client.get(`${game.at}/view`)).clocks, shown.clocks);
    stream.close();
    const spent = readRecord(await record(game)).entries.at(-1).elapsed;
    assert.equal(shown.clocks.elapsed_ms, spent);
    // What is left and what was used is the time that has gone by, and the increments.
    const left = shown.clocks.seats.reduce((sum, seat) => sum + seat.left_ms, 0);
    assert.equal(left, 3 * ample.bank_ms + 5 * ample.increment_ms - spent);
    await endQuietly(client, game, organizer);
    await proved(game);
  });
});

describe('a clock that runs out, when nobody asks', () => {
  it('has the fallback move played', async () => {
    const { game } = await three({ clock: none, on_timeout: 'quiet_move' });
    await finished(game);
    const { entries } = await proved(game);
    const [first, second] = entries.filter((entry) => entry.words[0] === 'timeout' || entry.seat !== null);
    assert.deepEqual([first.words.join(' '), second.seat], ['timeout 0', 0]);
    const plies = entries.filter((entry) => entry.seat !== null).length;
    assert.equal(entries.filter((entry) => entry.words[0] === 'timeout').length, plies);
  });

  it('has fallback moves played until the player returns', async () => {
    const { game } = await three({ clock: { move_ms: 300 }, on_timeout: 'fallback' });
    await until(20, 'somebody is absent', async () => (await words(game)).includes('fallback 0'));
    const again = await client.post(`${game.at}/return`, {}, game.players[0].token);
    // That clock starts anew; or the others have gone as well, and the game is over.
    if (again.status === 200) assert.ok((await words(game)).includes('return 0'));
    else assert.equal(again.json.code, 'game-over');
    await finished(game);
    const { entries } = await proved(game);
    for (const [at, entry] of entries.entries())
      if (entry.words[0] === 'timeout') assert.equal(entries[at + 1].words.join(' '), `fallback ${entry.words[1]}`);
  });

  it('costs the game: who goes first is last', async () => {
    const { game, event } = await three({ clock: none, on_timeout: 'forfeit' });
    const shown = await finished(game);
    const { entries, results } = await proved(game);
    const out = entries.filter((entry) => entry.words[0] === 'forfeit').map((entry) => Number(entry.words[1]));
    assert.deepEqual(out.map((seat) => results[seat].rank), [3, 2, 1]);
    assert.ok(shown.seats.every((seat) => seat.forfeited && seat.fallback && !seat.timed_out));
    assert.deepEqual(shown.seats.map((seat) => seat.rank), results.map((result) => result.rank));
    const standings = good(await client.get(`/v1/events/${event.id}/standings`));
    assert.ok(JSON.stringify(standings).length > 0);
  });

  it('calls the arbiter, and until one comes the player may move', async () => {
    const { game, event } = await three({ clock: { move_ms: 200 }, on_timeout: 'arbiter' });
    const stream = await Stream.open(client, `/v1/events/${event.id}/stream`);
    const seats = async () => (await now(client, game)).seats.map((seat) => seat.timed_out);
    await until(60, 'the time-out stands', async () => (await seats())[0]);
    await until(60, 'the event tells of it', async () => stream.messages.some((message) => message.event === 'game' && message.data.seats[0].timed_out));
    stream.close();
    assert.deepEqual(await words(game), ['timeout 0']);
    const legal = await legalMoves(client, game, 0);
    const moved = await play(client, game, 0, [legal.moves[0]], legal.seq);
    assert.equal(moved.status, 200, moved.text);
    assert.equal((await seats())[0], false);
    good(await client.post(`${game.at}/forfeit`, { seat: 0 }, organizer.token));
    for (const seat of [1, 2]) await client.post(`${game.at}/fallback`, { seat }, organizer.token);
    await finished(game);
    await proved(game);
  });

  it('refuses a move that comes too late', async () => {
    const { game } = await three({ clock: { move_ms: 800 }, on_timeout: 'forfeit' });
    const legal = await legalMoves(client, game, 0);
    await until(60, 'the seat is out', async () => (await words(game)).includes('forfeit 0'));
    const late = await play(client, game, 0, [legal.moves[0] ?? 'end']); // on a busy machine it was late before it asked
    assert.equal(late.status, 409, late.text);
    assert.ok(['seat-on-fallback', 'game-over'].includes(late.json.code), late.text);
    assert.equal((await client.post(`${game.at}/return`, {}, game.players[0].token)).status, 409);
    await finished(game);
    await proved(game);
  });
});

describe('several services', () => {
  it('write each time-out once, whoever sees it', async () => {
    const second = await bed.startService();
    const counted = () => countAll([client, second.client], 'tillroll_clocks_expired_total');
    const before = await counted();
    let timeouts = 0;
    const games = [];
    for (let i = 0; i < (isLong ? 6 : 3); i++) games.push((await three({ clock: { bank_ms: 150, increment_ms: 40 }, on_timeout: ['quiet_move', 'fallback', 'forfeit'][i % 3] })).game);
    for (const game of games) {
      await finished(game, second.client);
      const { entries } = await proved(game);
      const written = entries.filter((entry) => entry.words[0] === 'timeout').length;
      assert.ok(written > 0);
      timeouts += written;
      assert.equal(await record(game, second.client), await record(game));
    }
    await until(60, 'each is counted once', async () => await counted() - before === timeouts);
    await second.end();
  });

  it('do not count the time in which none of them served', async () => {
    const { game } = await three({ clock: ample, on_timeout: 'forfeit' });
    const { game: running } = await three({});
    await playRandomly(client, game, new Random('gap'), { plies: 3 });
    await service.end('SIGKILL');
    bed.cluster.sql("SET ROLE tillroll_owner; UPDATE tillroll.served SET at = at - interval '1 hour'");
    const before = Date.now();
    service = await bed.startService();
    client = service.client;
    await until(60, 'the game goes on', async () => (await words(game)).includes('resume'));
    const { entries } = readRecord(await record(game));
    const [stop, resume] = entries.slice(-2);
    assert.deepEqual([stop.words.join(' '), resume.words.join(' ')], ['stop server', 'resume']);
    assert.equal(stop.elapsed, entries.at(-3).elapsed, 'nothing is before the last move');
    assert.ok(Date.parse((await now(client, game)).started_at) + resume.elapsed >= before);
    assert.ok(!(await record(running)).includes(' stop '), 'games without clocks are left alone');
    const legal = await until(60, 'moves are taken', async () => {
      const [seat] = (await now(client, game)).deciders;
      const each = await legalMoves(client, game, seat);
      return (await play(client, game, seat, [each.moves[0]], each.seq)).status === 200;
    });
    assert.ok(legal);
    await endQuietly(client, game, organizer);
    await proved(game);
  });
});

describe('decisions taken at the same time, with clocks', () => {
  it('stop the clock of who has decided, and wait for the others no longer than their time', async () => {
    const { game } = await makeGame(client, organizer, players, { ruleset: 'mall-world', clock: { move_ms: 700 }, on_timeout: 'quiet_move' });
    const random = new Random('auction');
    // A time-out on the way is no matter: the game goes on.
    const position = await until(60, 'an auction', async () => {
      const shown = await now(client, game);
      assert.notEqual(shown.state, 'finished');
      if (shown.deciders.length > 1) return shown;
      const legal = await legalMoves(client, game, shown.deciders[0]);
      const offers = legal.moves.filter((move) => move.startsWith('offer ') && move.split(' ').length > 2);
      await play(client, game, shown.deciders[0], [random.pick(offers.length ? offers : legal.moves)], legal.seq);
      return false;
    });
    const [seat, other] = position.deciders;
    const bids = (await legalMoves(client, game, seat)).moves;
    const answer = await play(client, game, seat, [bids.at(-1)], position.seq);
    const others = (await legalMoves(client, game, other)).moves;
    // Decided for the same position, though a line has come in between.
    if (position.deciders.length > 2) await play(client, game, other, [others[0]], position.seq);
    const { entries } = await until(20, 'the auction is over', async () => {
      const read = readRecord(await record(game));
      return read.entries.some((entry) => entry.seq > position.seq && entry.seat !== null) && read;
    });
    const since = entries.filter((entry) => entry.seq > position.seq);
    const first = since.findIndex((entry) => entry.seat !== null);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(since.slice(0, first).every((entry) => ['sealed', 'timeout'].includes(entry.words[0])), since.map((entry) => entry.words.join(' ')).join('; '));
    assert.equal(since[0].words.join(' '), `sealed ${seat}`);
    assert.ok(since.slice(0, first).some((entry) => entry.words[0] === 'timeout'));
    const together = since.slice(first, first + position.deciders.length);
    assert.deepEqual(together.map((entry) => entry.seat), position.deciders);
    assert.equal(new Set(together.map((entry) => entry.elapsed)).size, 1);
    assert.equal(together[0].words.join(' '), bids.at(-1));
    await endQuietly(client, game, organizer);
    await finished(game);
    await proved(game);
  });
});

describe('who is there', () => {
  // What standings say of how places came about: [player, mark] in order of ids.
  const marks = async (event) =>
    good(await client.get(`/v1/events/${event.id}/standings`)).rows
      .flatMap(({ player, rounds }) => ['forfeited', 'substituted'].filter((mark) => rounds.some((round) => round[mark])).map((mark) => [player.id, mark]))
      .sort();

  it('returns unaided, or is called back by an official', async () => {
    const { game, event } = await three({});
    good(await client.post(`/v1/events/${event.id}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
    good(await client.post(`${game.at}/fallback`, { seat: 1 }, arbiter.token));
    assert.equal((await client.post(`${game.at}/return`, {}, game.players[0].token)).json.code, 'bad-return');
    const answer = good(await client.post(`${game.at}/return`, {}, game.players[1].token));
    assert.equal(answer.seq, 2);
    assert.deepEqual((await now(client, game)).seats.map((seat) => seat.fallback), [false, false, false]);
    good(await client.post(`${game.at}/fallback`, { seat: 2 }, organizer.token));
    good(await client.post(`${game.at}/recall`, { seat: 2 }, arbiter.token));
    assert.equal((await client.post(`${game.at}/recall`, { seat: 2 }, arbiter.token)).json.code, 'bad-return');
    assert.equal((await client.post(`${game.at}/recall`, { seat: 2 }, game.players[2].token)).json.code, 'not-allowed');
    assert.deepEqual(await words(game), ['fallback 1', 'return 1', 'fallback 2', 'return 2']);
    await playBriefly(client, game, new Random('returned'));
    const { results } = await proved(game);
    assert.deepEqual((await now(client, game)).seats.map((seat) => seat.rank), results.map((result) => result.rank));
  });

  it('or has forfeited, and ranks below all who played on', async () => {
    const { game, event } = await three({});
    await playRandomly(client, game, new Random('forfeit'), { plies: 4 });
    good(await client.post(`${game.at}/forfeit`, { seat: 0 }, organizer.token));
    assert.equal((await client.post(`${game.at}/forfeit`, { seat: 0 }, organizer.token)).json.code, 'bad-forfeit');
    assert.equal((await client.post(`${game.at}/recall`, { seat: 0 }, organizer.token)).json.code, 'bad-return');
    await playBriefly(client, game, new Random('without'));
    const { results } = await proved(game);
    assert.equal(results[0].rank, 3);
    const shown = await now(client, game);
    assert.deepEqual(shown.seats.map((seat) => [seat.forfeited, seat.rank === 3]), [[true, true], [false, false], [false, false]]);
    const round = good(await client.get(`/v1/events/${event.id}/rounds/1`));
    assert.equal(round.games[0].id, game.id);
    assert.equal(round.games[0].seats[0].forfeited, true);
    assert.deepEqual(await marks(event), [[game.players[0].id, 'forfeited']]);
    await provedEvent(event);
  });

  it('or has a substitute, who sees and moves in the seat', async () => {
    const [newcomer, third] = await makePlayers(client, 2, 'Newcomer');
    const { game, event } = await three({});
    await playRandomly(client, game, new Random('before'), { plies: 6 });
    const seat = 1;
    const old = game.players[seat];
    const viewer = async (player) => good(await client.get(`${game.at}/view`, { token: player.token })).viewer;
    assert.deepEqual(await viewer(old), { kind: 'seat', seat });
    assert.deepEqual(await viewer(newcomer), { kind: 'spectator' });
    const own = await Stream.open(client, `${game.at}/stream`, { token: old.token });
    await own.reached(6);
    const eyes = good(await client.get(`${game.at}/view`, { token: old.token })).view;

    for (const [player, code] of [[game.players[0], 'has-sat-here'], [old, 'has-sat-here']])
      assert.equal((await client.post(`${game.at}/substitute`, { seat, player: player.id }, organizer.token)).json.code, code);
    assert.equal((await client.post(`${game.at}/substitute`, { seat, player: game.id }, organizer.token)).json.code, 'bad-field');
    good(await client.post(`${game.at}/substitute`, { seat, player: newcomer.id }, organizer.token));
    game.players = game.players.with(seat, newcomer);

    assert.deepEqual(await viewer(old), { kind: 'spectator' });
    assert.deepEqual(await viewer(newcomer), { kind: 'seat', seat });
    assert.deepEqual(good(await client.get(`${game.at}/view`, { token: newcomer.token })).view, eyes);
    await own.ended();
    assert.equal(own.last, 6, 'the old player’s stream ends before the substitution');
    for (const [method, path, json] of [['GET', '/legal-moves'], ['POST', '/moves', { moves: ['end'] }], ['POST', '/return', {}], ['POST', '/takeback', { from: 1, seq: 1 }]])
      assert.equal((await client.request(method, `${game.at}${path}`, { token: old.token, json })).json.code, 'not-a-seat');
    assert.ok(!good(await client.get('/v1/me/games', { token: old.token })).items.some((each) => each.id === game.id));
    assert.ok(good(await client.get('/v1/me/games', { token: newcomer.token })).items.some((each) => each.id === game.id));
    const eyesOfNew = await Stream.open(client, `${game.at}/stream`, { token: newcomer.token });
    await eyesOfNew.reached(7);
    assert.deepEqual(eyesOfNew.messages.map((message) => message.data.events), [...own.messages.map((message) => message.data.events), undefined]);
    eyesOfNew.close();
    // A player who was put out cannot come back to another seat, and nobody who has seen a hand can.
    assert.equal((await client.post(`${game.at}/substitute`, { seat: 0, player: old.id }, organizer.token)).json.code, 'has-sat-here');
    good(await client.post(`${game.at}/substitute`, { seat: 0, player: third.id }, organizer.token));
    game.players = game.players.with(0, third);
    const shown = await now(client, game);
    assert.deepEqual(shown.seats.map((each) => each.substitute_for?.id ?? null), [shown.seats[0].substitute_for.id, old.id, null]);

    await playBriefly(client, game, new Random('after'));
    const { results } = await proved(game);
    // The result in the event is the entry's.
    const standings = JSON.stringify(good(await client.get(`/v1/events/${event.id}/standings`)));
    assert.ok(standings.includes(old.id) && !standings.includes(newcomer.id));
    assert.deepEqual(await marks(event), [shown.seats[0].substitute_for.id, old.id].map((id) => [id, 'substituted']).sort());
    assert.deepEqual((await now(client, game)).seats.map((each) => each.rank), results.map((each) => each.rank));
    await provedEvent(event);
    assert.ok(good(await client.get(`/v1/players/${newcomer.id}/ratings`)).items.length > 0, 'rated is who sat there at the end');
  });

  it('at every service: a player who has lost the seat elsewhere cannot move here', async () => {
    const second = await bed.startService();
    const newcomer = await makePlayer(client, 'Elsewhere');
    const { game } = await three({});
    const [seat] = (await now(client, game)).deciders;
    const old = game.players[seat];
    const legal = await legalMoves(client, game, seat);
    good(await second.client.post(`${game.at}/substitute`, { seat, player: newcomer.id }, organizer.token));
    const late = await play(client, game, seat, [legal.moves[0]], legal.seq);
    assert.ok([403, 409].includes(late.status), late.text);
    await until(60, 'heard of', async () => (await client.get(`${game.at}/legal-moves`, { token: old.token })).status === 403);
    game.players = game.players.with(seat, newcomer);
    await playBriefly(client, game, new Random('elsewhere'));
    await proved(game);
    await second.end();
  });

  it('cannot be anybody who plays the same board', async () => {
    const four = players.slice(0, 4);
    const event = await makeEvent(client, organizer, four, { ruleset: 'shinjuku', format: 'duplicate', boards: 2, seats_min: 2, seats_max: 2, seats_preferred: 2, rounds: 1 });
    const { games } = await startRound(client, event, organizer, four);
    const outsider = await makePlayer(client, 'Outside');
    const [game] = games;
    const entrant = four.find((player) => !game.players.includes(player));
    assert.equal((await client.post(`${game.at}/substitute`, { seat: 0, player: entrant.id }, organizer.token)).json.code, 'has-sat-here');
    assert.equal((await client.post(`${game.at}/substitute`, { seat: 0, player: outsider.id }, organizer.token)).status, 204);
    assert.equal((await client.get(game.at, { token: game.players[0].token })).status, 404);
    assert.equal(good(await client.get(game.at, { token: outsider.token })).seats[0].player.id, outsider.id);
  });
});

describe('a move of one’s own turn', () => {
  // Plays until somebody may take back: { seat, from, seq }.
  async function reach(game, random) {
    for (let ply = 0; ply < 400; ply++) {
      const { deciders: [seat], seq } = await now(client, game);
      const { may_take_back: from } = good(await client.get(game.at, { token: game.players[seat].token }));
      if (from > 1) return { seat, from, seq };
      const legal = await legalMoves(client, game, seat);
      good(await play(client, game, seat, [random.pick(legal.moves)], legal.seq));
    }
    throw new Error('nobody may take back');
  }

  it('is taken back, where the event allows it', async () => {
    const { game } = await three({ take_back: true, clock: ample });
    const random = new Random('back');
    const { seat, from, seq } = await reach(game, random);
    const player = game.players[seat];
    for (const other of [undefined, game.players[(seat + 1) % 3].token])
      assert.equal(good(await client.get(game.at, { token: other })).may_take_back, null);
    const take = (json, token = player.token) => client.post(`${game.at}/takeback`, json, token);
    assert.equal((await take({ from, seq: seq - 1 })).json.code, 'stale-sequence');
    assert.equal((await take({ from: seq + 1, seq })).json.code, 'no-take-back');
    assert.equal((await take({ from: from - 1, seq })).json.code, 'no-take-back');
    assert.equal((await take({ from, seq }, game.players[(seat + 1) % 3].token)).json.code, 'no-take-back');
    const moves = readRecord(await record(game)).entries.filter((entry) => entry.seq >= from).map((entry) => entry.words.join(' '));
    const answer = good(await take({ from, seq }));
    assert.equal(answer.seq, seq + 1);
    assert.deepEqual((await words(game)).at(-1), `undo ${from}`);
    const events = good(await client.get(`${game.at}/events?after=${seq}`)).items;
    assert.deepEqual(events.map(({ kind, seat: by, target }) => [kind, by, target]), [['undo', seat, from]]);
    // The same moves can be made once more, and all goes on; a service that has to replay sees the same.
    for (const move of moves) good(await play(client, game, seat, [move]));
    const second = await bed.startService();
    assert.deepEqual(good(await second.client.get(`${game.at}/view`, { token: player.token })), good(await client.get(`${game.at}/view`, { token: player.token })));
    await second.end();
    await playBriefly(client, game, random);
    await proved(game);
  });

  it('stays where the event does not', async () => {
    const { game } = await three({});
    const random = new Random('stays');
    for (let ply = 0; ply < 6; ply++) {
      const { deciders: [seat], seq } = await now(client, game);
      const shown = good(await client.get(game.at, { token: game.players[seat].token }));
      assert.equal(shown.may_take_back, null);
      if (seq > 0) assert.equal((await client.post(`${game.at}/takeback`, { from: seq, seq }, game.players[seat].token)).json.code, 'no-take-back');
      const legal = await legalMoves(client, game, seat);
      good(await play(client, game, seat, [random.pick(legal.moves)], legal.seq));
    }
  });
});

describe('an Idempotency-Key', () => {
  it('is for one request, its query included', async () => {
    const { game, event } = await three({});
    await endQuietly(client, game, organizer);
    const rule = (query, key) =>
      client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling${query}`, { token: organizer.token, headers: { 'Idempotency-Key': key }, json: { seats: game.players.map((player, i) => ({ player: player.id, rank: i + 1, score: 0, kind: 'adjudicated' })), reason: 'x' } });
    const preview = await rule('?preview=true', 'k1');
    assert.equal(preview.status, 200, preview.text);
    const other = await rule('', 'k1');
    assert.equal(other.json.code, 'key-reused');
    assert.deepEqual(good(await rule('?preview=true', 'k1')), preview.json);
  });
});
