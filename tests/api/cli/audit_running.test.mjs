// `tillroll audit` and games that are being played: whatever officials, clocks and disputes have written into their records, they are
// whole; what is damaged in one is found all the same. And what officials did who were a party is told, without being called damage.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner, records, unlocked } from '../support/damage.mjs';
import { makeDuplicate, playHidden, seated } from '../support/duplicate.mjs';
import { giveAll, waitingGame } from '../support/entropy.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayer, makePlayers, now, play, playRandomly, Random, reachAuction, soonOver, untilTurn } from '../support/play.mjs';
import { playSigned, register } from '../support/signing.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('audit of running games');
let bed, client, organizer, players, substitute;

const running = []; // [kind, game, the word of a line that makes it one]

const official = (game, step, body) => client.post(`${game.at}/${step}`, body, organizer.token).then(good);
const three = async (settings) => (await makeGame(client, organizer, players.slice(0, 3), settings)).game;
const ofThree = async (settings, plies = 6) => {
  const game = await three(settings);
  await playRandomly(client, game, random, { plies });
  return game;
};

async function put(game, seat, player) {
  await official(game, 'substitute', { seat, player: player.id });
  game.players = game.players.with(seat, player);
}

async function openDispute(game) {
  const dispute = good(await client.post(`/v1/games/${game.id}/disputes`, { claim: 'rules', entry: 3, text: 'Too cheap.' }, game.players[0].token));
  good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
  return dispute;
}

const kinds = {
  async substitute() {
    const game = await ofThree();
    await put(game, 1, substitute);
    await playRandomly(client, game, random, { plies: 4 });
    return [game, 'substitute'];
  },
  async 'a second substitute, with a key'() {
    const game = await ofThree();
    await put(game, 0, substitute);
    const second = await makePlayer(client, 'Second');
    await register(client, second);
    await put(game, 0, second);
    await untilTurn(client, game, 0, random);
    good(await playSigned(client, game, 0, (await legalMoves(client, game, 0)).moves[0]));
    return [game, 'substitute'];
  },
  async forfeit() {
    const game = await ofThree();
    await official(game, 'forfeit', { seat: 2 });
    return [game, 'forfeit'];
  },
  async 'fallback and return'() {
    const game = await ofThree();
    await official(game, 'fallback', { seat: 2 });
    await official(game, 'recall', { seat: 2 });
    return [game, 'return'];
  },
  async clock() {
    const game = await three({ clock: { bank_ms: 1 } });
    await until(20, 'a clock runs out', async () => (await client.get(`${game.at}/record`)).text.includes(' timeout '));
    return [game, 'timeout'];
  },
  async freeze() {
    const game = await ofThree();
    await openDispute(game);
    return [game, 'freeze'];
  },
  async 'take-back by ruling'() {
    const game = await ofThree();
    const dispute = await openDispute(game);
    good(await client.post(`/v1/disputes/${dispute.id}/ruling`, { orders: [{ order: 'takeback', entry: 4 }], code: 'wrong-cost', reason: 'It was.' }, organizer.token));
    return [game, 'ruling'];
  },
  async 'take-back by a player'() {
    for (;;) {
      const game = await ofThree({ take_back: true }, 1 + random.below(12));
      for (const [seat, player] of game.players.entries()) {
        const { may_take_back: from, seq } = good(await client.get(game.at, { token: player.token }));
        if (from === null || from === undefined || (await now(client, game)).deciders[0] !== seat) continue;
        good(await client.post(`${game.at}/takeback`, { from, seq }, player.token));
        return [game, 'undo'];
      }
    }
  },
  async 'sealed, and not in the record yet'() {
    const { game } = await makeGame(client, organizer, players, { ruleset: 'mall-world', clock: { move_ms: 3_600_000 } });
    const { deciders, seq } = await reachAuction(client, game, random);
    const [seat] = deciders;
    good(await play(client, game, seat, [(await legalMoves(client, game, seat)).moves[0]], seq));
    return [game, undefined, deciders];
  },
  async sealed() {
    const [game, , deciders] = await kinds['sealed, and not in the record yet']();
    good(await client.post(`${game.at}/fallback`, { seat: [0, 1, 2, 3].find((each) => !deciders.includes(each)) }, organizer.token));
    return [game, 'sealed'];
  },
  async entropy() {
    const event = await makeEvent(client, organizer, players.slice(0, 3), { seats_min: 3, seats_max: 3, rounds: 1, entropy_seconds: 3600 });
    const [{ waiting, seats }] = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)).seating;
    const game = waitingGame(waiting.game, seats, players);
    await giveAll(client, game);
    await playRandomly(client, game, random, { plies: 3 });
    return [game, undefined];
  },
  async delay() {
    return [await ofThree({ delay_entries: 4 }), undefined];
  },
};

const parties = 'tillroll.game_seat';
const audit = (...options) => {
  const { status, stdout } = bed.tillroll('audit', ...options);
  const lines = stdout.split('\n');
  return {
    status,
    faults: lines.filter((line) => /: invalid: /.test(line)),
    notices: lines.filter((line) => line.startsWith('notice: ')),
    all: lines.find((line) => line.startsWith('all ')),
    officials: lines.find((line) => line.startsWith('officials: ')),
  };
};

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--timers-ms', '50']));
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 4);
  substitute = await makePlayer(client, 'Substitute');
  for (const [kind, make] of Object.entries(kinds)) running.push([kind, ...(await make())]);
});
after(() => bed.end());

function damaged(id, seq, change, code) {
  const where = `game_id = '${id}' AND seq >= ${seq}`;
  asOwner(bed.cluster, `CREATE TABLE tillroll.kept AS SELECT * FROM ${records} WHERE ${where}`);
  try {
    unlocked(bed.cluster, records, change);
    const { status, faults } = audit();
    assert.equal(status, 1);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0], new RegExp(`^${id}: invalid: (line \\d+: )?${code}: `));
  } finally {
    unlocked(bed.cluster, records, `DELETE FROM ${records} WHERE ${where}; INSERT INTO ${records} SELECT * FROM tillroll.kept ORDER BY 1, 2; DROP TABLE tillroll.kept`);
  }
}

// What stands in the row of a seat, whatever the triggers of its table say.
const setSeat = (game, seat, column, value) =>
  asOwner(bed.cluster, `ALTER TABLE ${parties} DISABLE TRIGGER USER; UPDATE ${parties} SET ${column} = '${value}' WHERE game_id = '${game.id}' AND seat = ${seat}; ALTER TABLE ${parties} ENABLE TRIGGER USER`);

describe('running games of every kind', () => {
  it('are whole', async () => {
    for (const [kind, game, word] of running) {
      const { text } = await client.get(`${game.at}/record`, { token: game.players[0].token });
      assert.ok(word === undefined || text.includes(` ${word} `), `${kind}: no line ${word}`);
      assert.equal((await now(client, game)).state, 'running', kind);
    }
    const { status, faults, notices, all } = audit();
    assert.deepEqual([status, faults, notices], [0, [], []]);
    const games = Number(asOwner(bed.cluster, 'SELECT count(*) FROM tillroll.game')); // some more, in which nothing could be taken back
    assert.ok(games >= running.length);
    assert.match(all, new RegExp(`^all +0 +${games} `));
  });

  it('are damaged where a line is not what it was', () => {
    for (const [kind, game] of running) {
      const last = Number(asOwner(bed.cluster, `SELECT max(seq) FROM ${records} WHERE game_id = '${game.id}'`));
      damaged(game.id, last, `UPDATE ${records} SET line = overlay(line placing CASE right(line, 1) WHEN '0' THEN '1' ELSE '0' END from length(line)) WHERE game_id = '${game.id}' AND seq = ${last}`, 'broken-chain');
      assert.ok(last > 0, kind);
    }
    assert.equal(audit().status, 0);
  });

  it('are damaged where others sit than the record says', () => {
    const found = ({ id }) => {
      const { status, faults } = audit();
      assert.deepEqual([status, faults.map((line) => line.split(': ').slice(0, 3))], [1, [[id, 'invalid', 'wrong-seats']]]);
    };
    for (const [kind, game] of running.filter(([each]) => /substitute|forfeit/.test(each))) {
      const seat = game.players.findIndex((player) => !players.includes(player));
      const at = seat === -1 ? 0 : seat;
      const before = asOwner(bed.cluster, `SELECT player_id FROM ${parties} WHERE game_id = '${game.id}' AND seat = ${at}`);
      // The first player of the seat, or a player who never had it.
      setSeat(game, at, 'player_id', seat === -1 ? organizer.id : game.seats[at].player.id);
      found(game);
      setSeat(game, at, 'player_id', before);
      assert.ok(before, kind);
    }
    assert.equal(audit().status, 0);
  });
});

describe('a duplicate game with a substitute', () => {
  it('is whole while it is played, and while others still play its board', async () => {
    const event = await makeDuplicate(client, organizer, players, { ruleset: soonOver, boards: 1, seats_preferred: 2, seats_min: 2, seats_max: 2 });
    const [first, second] = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
    await playHidden(client, first, random, 4);
    const { status } = await client.post(`${first.at}/substitute`, { seat: 1, player: substitute.id }, organizer.token);
    assert.ok(status < 300);
    first.players = first.players.with(1, substitute);
    assert.deepEqual(audit().faults, []);
    await playHidden(client, first, random);
    const { status: pending, faults } = audit();
    assert.deepEqual([pending, faults], [0, []]);
    await playHidden(client, second, random);
    assert.equal(audit().status, 0);
  });
});

describe('officials who were a party', () => {
  it('are told, and make the audit fail only where it is strict', async () => {
    // What a release before this one let a playing organizer do, and did not store.
    const [cheat, victim, third] = await makePlayers(client, 3);
    const { event, game } = await makeGame(client, organizer, [cheat, victim, third]);
    await official(game, 'forfeit', { seat: game.players.indexOf(victim) });
    await endQuietly(client, game, organizer);
    const ruling = { seats: game.seats.map(({ player }, i) => ({ player: player.id, rank: i + 1 })), reason: 'I won.' };
    good(await client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: ruling, token: organizer.token }));
    assert.match(audit().officials, /^officials: of \d+ acts, 0 by a party to the game, and perhaps in 0 more games$/);
    const line = good(await client.get(`/v1/events/${event.id}/log`)).items.findIndex(({ kind }) => kind === 'ruled') + 1;

    // An act by who was a party, as it is stored.
    const acts = 'tillroll.official_act';
    const [seq] = asOwner(bed.cluster, `SELECT seq FROM ${acts} WHERE game_id = '${game.id}' ORDER BY seq`).split('\n');
    const by = (player) => unlocked(bed.cluster, acts, `UPDATE ${acts} SET player_id = '${player.id}' WHERE game_id = '${game.id}' AND seq = ${seq}`);
    by(cheat);
    let told = audit();
    assert.deepEqual([told.status, told.notices.length], [0, 1]);
    assert.ok(told.notices[0].startsWith(`notice: game ${game.id}: official-was-party: entry ${seq} was written by ${cheat.id}, `), told.notices[0]);
    assert.equal(audit('--strict').status, 1);
    by(organizer);

    // A ruling: the organizer's own bot had a seat, whoever else ruled.
    const bot = good(await client.post('/v1/me/bots', { name: 'Own' }, organizer.token));
    const at = game.players.indexOf(third);
    setSeat(game, at, 'put_out', `{${bot.id}}`);
    told = audit();
    const wanted = `notice: event ${event.id}: official-was-party: line ${line} of its log is a ruling on table 1 of round 1 by ${organizer.id}, `;
    assert.ok(told.notices.some((notice) => notice.startsWith(wanted)), told.notices.join('\n'));
    assert.equal(told.status, 0);
    setSeat(game, at, 'put_out', '{}');

    // Nothing is stored of who did it.
    asOwner(bed.cluster, `CREATE TABLE tillroll.kept AS SELECT * FROM ${acts} WHERE game_id = '${game.id}'`);
    unlocked(bed.cluster, acts, `DELETE FROM ${acts} WHERE game_id = '${game.id}'`);
    assert.deepEqual(audit().notices, []); // no official of the event plays there
    good(await client.post(`/v1/events/${event.id}/roles`, { player: cheat.id, role: 'organizer' }, organizer.token));
    told = audit();
    assert.deepEqual([told.status, told.notices.length], [0, 1]);
    assert.ok(told.notices[0].startsWith(`notice: game ${game.id}: official-may-have-been-party: `), told.notices[0]);
    assert.ok(told.notices[0].includes(cheat.id));
    assert.match(told.officials, / 0 by a party to the game, and perhaps in 1 more games$/);
    assert.equal(audit('--strict').status, 1);
    unlocked(bed.cluster, acts, `INSERT INTO ${acts} SELECT * FROM tillroll.kept`);
    asOwner(bed.cluster, 'DROP TABLE tillroll.kept');
    assert.deepEqual(audit('--strict').notices, []);
  });
});
