// Line databases: where the lines of running games are, that nothing forks or is lost between them and the central database, and
// what happens while one of them is away.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { Psql } from '../../db/psql.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, now, play, playRandomly, Random, reachAuction } from '../support/play.mjs';
import { readRecord } from '../support/record.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const LINES = 2;
const random = new Random('lines');
let bed;
let services;
let organizer;
let players;
let psql; // of each line database, as the migrator

const start = async (options = [], environment = {}) => bed.startService(options, environment);
// What one that has just started does; it is not left to say that somebody serves.
async function withNewcomer(act) {
  const newcomer = await start();
  await act(newcomer.client);
  await newcomer.end();
}

before(async () => {
  bed = new Testbed({ lines: LINES });
  services = [await start(), await start()];
  organizer = await makePlayer(services[0].client, 'Organizer');
  players = await makePlayers(services[0].client, 2);
  psql = bed.lines.migrator.map((url) => new Psql(url));
});
after(async () => {
  for (const each of psql ?? []) each.end();
  await bed?.end();
});

const administrator = (...sql) => execFileSync('psql', ['-X', '-q', '-d', bed.cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@'), ...sql.flatMap((each) => ['-c', each])], { stdio: ['ignore', 'ignore', 'pipe'] });
const clients = () => services.map(({ client }) => client);
const recordOf = async (game, client = services[0].client) => (await client.get(`${game.at}/record`)).text;
// What both services answer, as soon as they have heard of each other.
async function agreed(game) {
  let record;
  await until(20, 'both services have the same record', async () => {
    record = await recordOf(game, clients()[0]);
    return (await recordOf(game, clients()[1])) === record;
  });
  return record;
}
const newGame = async (settings) => (await makeGame(services[0].client, organizer, players, { take_back: true, ...settings })).game;
const central = (game) => Number(bed.cluster.sql(`SET ROLE tillroll_owner; SELECT max(seq) FROM tillroll.record_line WHERE game_id = '${game.id}'`));
const elsewhere = (sql) => psql.map((each) => each.run(`SET ROLE tillroll_owner; ${sql}`).trim());
const placeOf = (game) => (parseInt(game.id.slice(-6), 16) % LINES) + 1;
// The seq of its lines that are in a line database, by place.
const linesOf = (game) => elsewhere(`SELECT coalesce(string_agg(seq::text, ' ' ORDER BY seq), '') FROM tillroll.record_line WHERE game_id = '${game.id}' AND line IS NOT NULL`);
const fallback = (game, seat, client = services[0].client) => client.post(`${game.at}/fallback`, { seat }, organizer.token);

// A game at each of the places, some plies into it.
async function gamesEverywhere(plies, settings = {}) {
  const games = [];
  while (new Set(games.map(placeOf)).size < LINES) {
    const game = await newGame(settings);
    await playRandomly(services[0].client, game, random, { plies });
    games.push(game);
  }
  return [1, 2].map((place) => games.find((game) => placeOf(game) === place));
}

// Sends a legal move to one of the services.
async function move(game, client) {
  const { deciders: [seat] } = await now(client, game);
  const legal = await legalMoves(client, game, seat);
  return play(client, game, seat, [random.pick(legal.moves)], legal.seq);
}

async function bid(game, seat, service) {
  const { client } = services[service];
  const { moves, seq } = await legalMoves(client, game, seat);
  good(await play(client, game, seat, [moves[0]], seq));
}

describe('line databases', () => {
  it('have the plain moves of running games, all but the first', async () => {
    // By then these come from memory.
    await gamesEverywhere(2);
    for (const game of await gamesEverywhere(6)) {
      const found = linesOf(game);
      assert.equal(central(game), 1);
      assert.equal(found[placeOf(game) - 1], '2 3 4 5 6');
      assert.equal(found[LINES - placeOf(game)], '');
      const record = await agreed(game);
      assert.equal(readRecord(record).entries.length, 6);
      assert.equal(bed.verify(record).status, 2, 'it is valid so far, and not finished');
    }
  });

  it('give up their lines to the central database when something else than a move is written there', async () => {
    for (const game of await gamesEverywhere(5)) {
      const before = await recordOf(game);
      good(await fallback(game, (await now(services[1].client, game)).deciders[0], services[1].client));
      const record = await recordOf(game, services[1].client);
      assert.ok(record.startsWith(before) && record.length > before.length);
      assert.equal(central(game), readRecord(record).entries.length);
      assert.equal(await agreed(game), record);
    }
  });

  it('go on after a line of the central database', async () => {
    const [game] = await gamesEverywhere(5);
    let takenBack = 0;
    for (let ply = 0; ply < 12 || takenBack < 2; ply++) {
      assert.ok(ply < 100, 'nobody may take back');
      const client = clients()[ply % 2];
      const [seat] = (await now(client, game)).deciders;
      const { token } = game.players[seat];
      const { seq, may_take_back: from } = good(await client.get(game.at, { token }));
      if (from !== null) {
        good(await client.post(`${game.at}/takeback`, { from, seq }, token));
        takenBack++;
      }
      good(await move(game, client));
    }
    const record = await agreed(game);
    assert.ok(central(game) < readRecord(record).entries.length, 'the last lines are elsewhere');
    assert.equal(bed.verify(record).status, 2);
  });

  it('get nothing of who has decided in secret before all have, in games with clocks', async () => {
    const seats = [...players, await makePlayer(services[0].client, 'Third')];
    const { game } = await makeGame(services[0].client, organizer, seats, { ruleset: 'mall-world', clock: { move_ms: 3_600_000 } });
    await until(60, 'an auction', async () => {
      const { deciders, seq } = await reachAuction(services[0].client, game, random);
      return seq > 3 || (await Promise.all(deciders.map((seat) => bid(game, seat, 0))), false);
    });
    const before = await agreed(game);
    const { deciders } = await now(services[0].client, game);
    const [last, ...early] = [...deciders].reverse();
    for (const [i, seat] of early.entries()) {
      await bid(game, seat, i % 2);
      assert.equal(await agreed(game), before);
    }
    const elsewhereThen = linesOf(game);
    assert.notDeepEqual(elsewhereThen, ['', '']);
    await bid(game, last, 1);
    const record = await agreed(game);
    const since = readRecord(record).entries.slice(readRecord(before).entries.length);
    assert.deepEqual(since.slice(0, early.length).map((entry) => entry.words.join(' ')), early.map((seat) => `sealed ${seat}`));
    assert.deepEqual(since.slice(early.length, early.length + deciders.length).map((entry) => entry.seat), deciders);
    assert.equal(bed.verify(record).status, 2);
  });

  it('are not needed for a game that is over', async () => {
    const [game] = await gamesEverywhere(9);
    const before = await recordOf(game);
    await endQuietly(services[0].client, game, organizer);
    const record = await recordOf(game);
    assert.ok(record.startsWith(before));
    assert.deepEqual(bed.verify(record), { status: 0, output: bed.verify(record).output });
    psql[placeOf(game) - 1].run(`SET ROLE tillroll_owner; BEGIN; SET LOCAL tillroll.settled = 'yes'; DELETE FROM tillroll.record_line WHERE game_id = '${game.id}'; COMMIT`);
    assert.equal(await recordOf(game), record);
    await withNewcomer(async (client) => assert.equal(await recordOf(game, client), record));
  });

  it('and the central one let no record fork, whoever is faster', async () => {
    const { game } = await makeGame(services[0].client, organizer, players, { take_back: true });
    let races = 0;
    for (let round = 0; round < 25; round++) {
      const position = await now(services[0].client, game);
      if (position.deciders.length === 0) break;
      const [seat] = position.deciders;
      const legal = await legalMoves(services[0].client, game, seat);
      const send = (client) => play(client, game, seat, [random.pick(legal.moves)], legal.seq);
      // The same seq, wanted by a plain move at each of both, and by an official's act.
      const answers = await Promise.all([send(clients()[0]), send(clients()[1]), ...(round === 20 ? [fallback(game, seat, clients()[1])] : [])]);
      const taken = answers.slice(0, 2).filter(({ status }) => status === 200);
      races += answers.length;
      for (const { status, text } of answers) assert.ok([200, 409, 422].includes(status), text);
      const { entries } = readRecord(await agreed(game));
      for (const { json } of taken) assert.equal(entries[json.receipt.seq - 1]?.head, json.receipt.head, 'what was acknowledged is in the record');
    }
    assert.ok(races > 20);
    // Where both have a line with a number, it is the same line.
    const rows = (text) => new Map(text.split('\n').filter(Boolean).map((line) => line.split('|')));
    const there = rows(elsewhere(`SELECT seq, encode(hash, 'hex') FROM tillroll.record_line WHERE game_id = '${game.id}' AND line IS NOT NULL`)[placeOf(game) - 1]);
    const here = rows(bed.cluster.sql(`SET ROLE tillroll_owner; SELECT seq, encode(hash, 'hex') FROM tillroll.record_line WHERE game_id = '${game.id}'`));
    for (const [seq, hash] of here) if (there.has(seq)) assert.equal(there.get(seq), hash);
  });

  it('refuse lines that do not continue a record, changes, and sessions that take them for others', () => {
    const id = '01890000-0000-7000-8000-000000000001';
    const insert = `INSERT INTO tillroll.record_line VALUES ('${id}', 1, '1 0 1 pass #00000000', decode(repeat('00', 32), 'hex'))`;
    const fails = (sql, message) => assert.throws(() => psql[0].run(`SET ROLE tillroll_owner; ${sql}`), message);
    fails(`SET tillroll.line_database = '1 of 2'; ${insert}`, /does not continue its record/);
    fails(`SET tillroll.line_database = '2 of 2'; ${insert}`, /another place/);
    fails(`RESET tillroll.line_database; ${insert}`, /another place/);
    fails('UPDATE tillroll.record_line SET hash = hash WHERE line IS NOT NULL', /only grow/);
    fails('DELETE FROM tillroll.record_line', /only grow/);
    fails('TRUNCATE tillroll.record_line', /only grow/);
    assert.throws(() => bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.record_line VALUES ('${id}', 0, 'x', decode(repeat('00', 32), 'hex'))`), /in 2 line databases/);
  });

  it('are not to be left out of the list, nor to change places there', async () => {
    for (const list of ['', bed.lines.service[0], bed.lines.service.toReversed().join(' ')])
      await assert.rejects(start([], { TILLROLL_LINE_DATABASES: list }), ({ cause }) => /line databases are joined|has another place/.test(cause.message));
  });

  it('are audited together with the central one, and not without', () => {
    const audit = bed.tillroll('audit');
    assert.equal(audit.status, 0, audit.stdout + audit.stderr);
    const alone = bed.tillroll('audit', '--line-databases', bed.lines.service[0]);
    assert.deepEqual([alone.status, alone.stdout], [2, '']);
    assert.match(alone.stderr, /^tillroll: 2 line databases are joined to the central database, and 1 are named in TILLROLL_LINE_DATABASES/);
  });
});

// Takes the first line database away.
const takeAway = () => administrator('ALTER DATABASE lines_1 ALLOW_CONNECTIONS false', "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'lines_1'");
// `game` is one of its games, by which it is seen that the services have noticed.
async function bringBack(game) {
  administrator('ALTER DATABASE lines_1 ALLOW_CONNECTIONS true');
  await until(20, 'it is there again', async () => (await Promise.all(clients().map((client) => client.get(`${game.at}/record`, { unchecked: true })))).every(({ status }) => status === 200));
}

describe('a line database that is away', () => {
  it('has the clocks of its games stand, and of no others, from when nobody served until it is back', async () => {
    const [first, second] = await gamesEverywhere(4, { clock: { bank_ms: 3_600_000, increment_ms: 1000, cap_ms: 7_200_000 }, on_timeout: 'forfeit' });
    const before = readRecord(await recordOf(first)).entries.length;
    // Each service finds the gap by itself: a pair of lines for one, or for each.
    const isStopped = async (game) => /^(stop server, resume(, |$))+$/.test(readRecord(await recordOf(game)).entries.map((entry) => entry.words.join(' ')).filter((words) => ['stop server', 'resume'].includes(words)).join(', '));
    await Promise.all(services.map((each) => each.end('SIGKILL')));
    bed.cluster.sql("SET ROLE tillroll_owner; UPDATE tillroll.served SET at = at - interval '1 hour'");
    takeAway();
    services = [await start(), await start()];
    const { client } = services[0];
    await until(60, 'the other game goes on', () => isStopped(second));
    good(await until(60, 'moves are taken', async () => {
      const answer = await move(second, client);
      return answer.status === 200 && answer;
    }));
    const refused = await fallback(first, 0);
    assert.deepEqual([refused.status, refused.json.code, refused.json.detail], [503, 'unavailable', 'The database cannot be reached; try again.']);
    const said = () => services.map(({ errors }) => readFileSync(errors, 'utf8')).join('');
    await until(60, 'it is said why', () => said().includes(`the clocks of game ${first.id} stand until line database 1 is back`)).catch((error) => {
      const served = bed.cluster.sql('SET ROLE tillroll_owner; SELECT row_to_json(served) FROM tillroll.served');
      const lines = bed.cluster.sql(`SET ROLE tillroll_owner; SELECT game_id, seq, line FROM tillroll.record_line WHERE game_id IN ('${first.id}', '${second.id}') AND seq > 0 ORDER BY 1, 2`);
      throw new Error(`${error.message}; the services said:\n${said()}\nserved: ${served}\nat ${first.id} and ${second.id}:\n${lines}`);
    });
    const back = Date.now();
    await bringBack(first);
    await until(60, 'its game is stopped, and goes on', () => isStopped(first));
    const { entries } = readRecord(await recordOf(first));
    assert.deepEqual(new Set(entries.slice(before).map((entry) => entry.words.join(' '))), new Set(['stop server', 'resume']));
    assert.equal(entries[before].elapsed, entries[before - 1].elapsed, 'nothing is before the last move');
    assert.ok(Date.parse((await now(client, first)).started_at) + entries.at(-1).elapsed >= back);
    good(await until(60, 'its moves are taken', async () => {
      const answer = await move(first, client);
      return answer.status === 200 && answer;
    }));
    for (const game of [first, second]) {
      assert.ok(await isStopped(game));
      await endQuietly(client, game, organizer);
      assert.equal(bed.verify(await recordOf(game)).status, 0);
    }
  });

  it('takes its own games along, and no others, until it is back', async () => {
    const [first, second] = await gamesEverywhere(3);
    const records = await Promise.all([first, second].map((game) => recordOf(game)));
    takeAway();
    const { client } = services[1];
    const legal = await legalMoves(client, second, (await now(client, second)).deciders[0]);
    assert.ok(legal.moves.length > 0);
    good(await move(second, client));
    const refused = await client.get(`${first.at}/record`, { unchecked: true });
    assert.deepEqual([refused.status, refused.json.code], [503, 'unavailable']);
    await withNewcomer(async (newcomer) => {
      good(await move(second, newcomer));
      assert.equal((await newcomer.get(first.at, { unchecked: true })).status, 503);
    });
    await bringBack(first);
    assert.equal(await recordOf(first, client), records[0]);
    good(await until(20, 'moves are played', async () => {
      const answer = await move(first, client);
      return answer.status === 200 && answer;
    }));
    assert.ok((await recordOf(first)).startsWith(records[0]));
  });
});

describe('tillroll lines', () => {
  it('sweeps out what is left of games that are over', async () => {
    const [game] = await gamesEverywhere(6);
    await endQuietly(services[0].client, game, organizer);
    const record = await recordOf(game);
    administrator("ALTER TABLE tillroll.game DISABLE TRIGGER USER; UPDATE tillroll.game SET started_at = started_at - interval '2 hours', finished_at = finished_at - interval '2 hours' WHERE finished_at IS NOT NULL; ALTER TABLE tillroll.game ENABLE TRIGGER USER");
    const count = () => elsewhere('SELECT count(DISTINCT game_id) FROM tillroll.record_line').reduce((sum, each) => sum + Number(each), 0);
    const before = count();
    const swept = bed.tillroll('lines', 'sweep');
    assert.equal(swept.status, 0, swept.stderr);
    assert.ok(count() < before && count() > 0);
    assert.equal(linesOf(game).join(''), '');
    await withNewcomer(async (client) => assert.equal(await recordOf(game, client), record));
  });

  it('sweeps the others while one is away, and says which is', async () => {
    const [game] = await gamesEverywhere(2);
    takeAway();
    const { status, stdout, stderr } = bed.tillroll('lines', 'sweep');
    await bringBack(game);
    assert.deepEqual([status, stdout], [1, '0 rows of finished games are removed\n']);
    assert.match(stderr, /^tillroll: line database 1 is left as it is$/m);
    assert.doesNotMatch(stderr, /line database 2/);
  });

  it('joins nothing to a database without games', () => {
    const { status, stderr } = bed.tillroll('lines', 'join', '--database', bed.lines.migrator[0]);
    assert.deepEqual([status, stderr.trim()], [1, 'tillroll: the central database has no tables yet; run tillroll migrate first']);
  });

  it('neither joins nor leaves while services run', () => {
    for (const word of ['join', 'leave']) {
      const { status, stderr } = bed.tillroll('lines', word);
      assert.deepEqual([status, stderr.trim()], [1, 'tillroll: a service is running; end it first']);
    }
  });

  it('moves everything to the central database, and back to the same bytes', async () => {
    const games = await gamesEverywhere(5);
    const records = await Promise.all(games.map((game) => recordOf(game)));
    await bed.endAllBut();
    const left = bed.tillroll('lines', 'leave');
    assert.equal(left.status, 0, left.stderr);
    assert.deepEqual(elsewhere('SELECT count(*) FROM tillroll.record_line'), ['0', '0']);
    const alone = await start([], { TILLROLL_LINE_DATABASES: '' });
    for (const [i, game] of games.entries()) {
      assert.equal(await recordOf(game, alone.client), records[i]);
      good(await move(game, alone.client));
    }
    const longer = await Promise.all(games.map((game) => recordOf(game, alone.client)));
    await alone.end();
    const joined = bed.tillroll('lines', 'join');
    assert.equal(joined.status, 0, joined.stderr);
    services = [await start(), await start()];
    for (const [i, game] of games.entries()) {
      assert.equal(await recordOf(game), longer[i]);
      for (let ply = 0; ply < 4; ply++) good(await move(game, clients()[ply % 2]));
      await endQuietly(services[0].client, game, organizer);
      const record = await recordOf(game);
      assert.ok(record.startsWith(longer[i]));
      assert.equal(bed.verify(record).status, 0);
    }
    assert.equal(bed.tillroll('audit').status, 0);
  });
});
