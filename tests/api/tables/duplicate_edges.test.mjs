// Barometer play, score totals, players who drop out or sit out, and what cannot be asked for.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { assertFraction, makeDuplicate, markResults, own, playHidden, rankResults, readRound, seated } from '../support/duplicate.mjs';
import { endQuietly, makePlayers, Random, soonOver } from '../support/play.mjs';
import { commitmentTo, readRecord } from '../support/record.mjs';
import { bed, client, organizer, players, serve } from '../support/served.mjs';

const random = new Random('duplicate edges');
serve({ players: 9 });

const startRound = (event) => client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token);
const traveller = async (event, round, board) => client.get(`/v1/events/${event.id}/rounds/${round}/boards/${board}`);
const standingsOf = async (event) => good(await client.get(`/v1/events/${event.id}/standings`));

describe('a barometer', () => {
  const boards = isLong ? 3 : 2;
  const seats = 3;
  let event;
  let four;

  before(async () => {
    four = players.slice(0, 7); // two tables of three; one sits out
    event = await makeDuplicate(client, organizer, four, { ruleset: soonOver, boards, seats_preferred: seats, play: 'barometer', scoring: 'total' });
  });

  it('plays board after board, each opened when its last table has ended', async () => {
    good(await startRound(event));
    for (let board = 1; board <= boards; board++) {
      const round = await readRound(client, event, 1);
      assert.equal(round.state, 'running');
      assert.equal(round.secret, null);
      assert.equal(round.tables, 2 * board);
      assert.equal(round.tables_finished, 2 * (board - 1));
      const [one, other] = seated({ games: round.games.filter((game) => game.event.board === board) }, four);
      assert.equal((await traveller(event, 1, board + 1)).status, 404);
      assert.equal(good(await traveller(event, 1, board)).state, 'hidden');
      await playHidden(client, one, random);
      assert.equal(good(await traveller(event, 1, board)).state, 'hidden');
      assert.equal((await client.get(one.at)).status, 404);
      assert.equal((await standingsOf(event)).rows.filter((row) => row.played === board).length, 0);
      const early = await startRound(event);
      assert.equal(early.json.code, 'round-running');
      await playHidden(client, other, random);
      assert.equal(good(await traveller(event, 1, board)).state, 'open');
      assert.equal((await standingsOf(event)).rows.reduce((sum, row) => sum + row.played, 0), 6 * board);
      assert.equal((await own(client, one)).seats.every((seat) => seat.score !== null), true);
      const { text } = await client.get(`${one.at}/record`);
      assert.equal(/ reveal /.test(text), board === boards);
      const [, badge] = /<p class="about"><span class="(badge.*?)<\/span>/.exec((await client.get(`/games/${one.id}`, { unchecked: true })).text);
      assert.equal(badge, board === boards ? 'badge good">proved by replay' : 'badge">finished', 'the secret is still needed for other boards');
    }
  });

  it('ends with records that verify against one commitment', async () => {
    const round = await readRound(client, event, 1);
    assert.equal(round.state, 'finished');
    assert.equal(commitmentTo(`${event.id}/round/1`, round.secret), round.commitment);
    for (const game of round.games) {
      const { text } = await client.get(`/v1/games/${game.id}/record`);
      assert.equal(bed.verify(text).status, 0, bed.verify(text).output);
      const record = readRecord(text);
      assert.equal(record.header.commit, round.commitment);
      assert.deepEqual(record.results.map(({ score }) => score), game.seats.map((seat) => seat.score));
    }
  });

  it('lets others sit out on each board, and meet others', async () => {
    const { games } = await readRound(client, event, 1);
    const out = [];
    for (let board = 1; board <= boards; board++) {
      const { missing } = good(await traveller(event, 1, board));
      assert.equal(missing.length, 1);
      out.push(missing[0].id);
    }
    assert.equal(new Set(out).size, boards);
    const pairs = games.flatMap(({ seats: at }) => at.flatMap((a) => at.map((b) => `${a.player.id} ${b.player.id}`)));
    const met = new Map();
    for (const pair of pairs.filter((each) => each.split(' ')[0] < each.split(' ')[1])) met.set(pair, (met.get(pair) ?? 0) + 1);
    assert.ok(Math.max(...met.values()) <= 2);
  });

  it('ranks by totals, a board sat out counting as the mean of the others', async () => {
    const { games } = await readRound(client, event, 1);
    const results = games.flatMap((game) =>
      game.seats.map((seat) => ({ round: 1, board: game.event.board, seat: seat.seat, score: seat.score, player: seat.player.id })));
    const expected = rankResults(four.map((player) => player.id), markResults(results), { scoring: 'total', boards });
    const { rows, chain } = await standingsOf(event);
    assert.equal(chain[0].code, 'TOT');
    rows.forEach((row, at) => {
      const reckoned = expected.find((one) => one.player === row.player.id);
      assertFraction(row.points, reckoned.points, 'points');
      assert.equal(reckoned.points.minus(expected[at].points).sign(), 0);
      assert.equal(row.tie_breaks[1].numerator, reckoned.won * (row.tie_breaks[1].denominator / 2));
    });
  });
});

describe('duplicate rounds', () => {
  it('follow each other; who drops during one plays it to its end', async () => {
    const event = await makeDuplicate(client, organizer, players.slice(0, 8), { boards: 2, rounds: 2, seats_preferred: 2, play: 'barometer' });
    good(await startRound(event));
    const gone = players[3];
    assert.equal((await client.delete(`/v1/events/${event.id}/entries/${gone.id}`, gone.token)).status, 204);
    const sitsIn = (game) => game.seats.some((seat) => seat.player.id === gone.id);
    for (let number = 1; number <= 2; number++) {
      for (let board = 1; board <= 2; board++) {
        const round = await readRound(client, event, number);
        const games = seated({ games: round.games.filter((game) => game.event.board === board) }, players);
        assert.equal(games.length, number === 1 ? 4 : 3);
        assert.equal(games.filter(sitsIn).length, number === 1 ? 1 : 0);
        for (const game of games) await endQuietly(client, game, organizer);
      }
      if (number === 1) good(await startRound(event));
    }
    const [one, two] = [await readRound(client, event, 1), await readRound(client, event, 2)];
    assert.notEqual(one.commitment, two.commitment);
    assert.equal(commitmentTo(`${event.id}/round/2`, two.secret), two.commitment);
    const missing = good(await traveller(event, 2, 1)).missing.map((player) => player.id);
    assert.equal(missing.length, 1);
    assert.ok(!missing.includes(gone.id));
    const { rows } = await standingsOf(event);
    assert.equal(rows.find((row) => row.player.id === gone.id).played, 2);
    // Fields of three are brought up to fields of four.
    const results = [one, two].flatMap((round) => round.games.flatMap((game) =>
      game.seats.map((seat) => ({ round: round.number, board: game.event.board, seat: seat.seat, score: seat.score, player: seat.player.id }))));
    const marked = markResults(results);
    for (const shown of good(await traveller(event, 2, 2)).results) {
      const reckoned = marked.find((each) => each.round === 2 && each.board === 2 && each.player === shown.player.id);
      assert.equal(shown.field, 3);
      assertFraction(shown.percentage, reckoned.percentage, 'percentage');
    }
    const before = good(await client.get(`/v1/events/${event.id}/standings?after_round=1`));
    assert.ok(before.rows.every((row) => row.played === 2));
  });

  it('end once, also when their last tables end at the same moment', async () => {
    const event = await makeDuplicate(client, organizer, players.slice(0, 8), { boards: 4, seats_preferred: 2 });
    const games = seated(good(await startRound(event)), players);
    // Every seat but the last of each table is quiet: one request ends a table.
    for (const game of games) await client.post(`${game.at}/fallback`, { seat: 0 }, organizer.token);
    const answers = await Promise.all(games.map((game) => client.post(`${game.at}/fallback`, { seat: 1 }, organizer.token)));
    for (const answer of answers) assert.ok([200, 204].includes(answer.status), answer.text);
    const round = await readRound(client, event, 1);
    assert.equal(round.state, 'finished');
    for (const game of round.games) assert.equal(bed.verify((await client.get(`/v1/games/${game.id}/record`)).text).status, 0);
    assert.ok((await standingsOf(event)).rows.every((row) => row.played === 4));
  });

  it('are not ruled before their results are open; a player who has not come forfeits the game', async () => {
    const event = await makeDuplicate(client, organizer, players.slice(0, 4), { boards: 1, seats_preferred: 2 });
    const games = seated(good(await startRound(event)), players);
    const [missing] = games[0].players;
    const ruling = `/v1/events/${event.id}/rounds/1/tables/${games[0].event.table}/ruling`;
    const rule = (json, query = '') => client.request('PUT', `${ruling}${query}`, { json, token: organizer.token });
    const noShow = { no_show: [missing.id], reason: 'Did not come.' };
    for (const query of ['', '?preview=true']) {
      const answer = await rule(noShow, query);
      assert.deepEqual([answer.status, answer.json.code], [409, 'board-shared']);
      assert.match(answer.json.detail, /\/forfeit/);
    }
    assert.ok([200, 204].includes((await client.post(`${games[0].at}/forfeit`, { seat: 0 }, organizer.token)).status));
    for (const game of games) await endQuietly(client, game, organizer);
    const { rows } = await standingsOf(event);
    const forfeited = rows.filter((row) => row.rounds[0].forfeited).map((row) => row.player.id);
    assert.deepEqual(forfeited, [missing.id]);
    good(await rule(noShow));
  });

  it('with too few players for a table are not started', async () => {
    const event = await makeDuplicate(client, organizer, players.slice(0, 4), { boards: 2, seats_preferred: 4 });
    assert.equal((await client.delete(`/v1/events/${event.id}/entries/${players[0].id}`, organizer.token)).status, 204);
    assert.equal((await startRound(event)).json.code, 'too-few-players');
    assert.deepEqual(good(await client.get(`/v1/events/${event.id}/rounds`)).items, []);
  });

  it('with more than 1000 tables are not started', async () => {
    const many = await makePlayers(client, 32, 'Loner');
    const event = await makeDuplicate(client, organizer, many, { ruleset: 'supermarche', boards: 32 });
    assert.equal((await startRound(event)).json.code, 'too-many-tables');
    assert.deepEqual(good(await client.get(`/v1/events/${event.id}/rounds`)).items, []);
  });
});

describe('boards', () => {
  it('are there once entries are closed and the board has been started', async () => {
    const draft = good(await client.post('/v1/events', { name: 'Boards', ruleset: 'shinjuku', format: 'duplicate', boards: 2 }, organizer.token));
    assert.equal((await traveller(draft, 1, 1)).json.code, 'wrong-state');
    assert.equal((await client.get(`/v1/events/${draft.id}/entries/${players[0].id}/score-card`)).json.code, 'wrong-state');
    const event = await makeDuplicate(client, organizer, players.slice(0, 4), { boards: 2, seats_preferred: 4 });
    assert.equal((await traveller(event, 1, 1)).status, 404);
    assert.deepEqual(good(await client.get(`/v1/events/${event.id}/entries/${players[0].id}/score-card`)).boards, []);
    assert.equal((await client.get(`/v1/events/${event.id}/entries/${players[5].id}/score-card`)).status, 404);
    good(await startRound(event));
    for (const [round, board] of [[0, 1], [1, 0], [1, 3], [2, 1]]) assert.equal((await traveller(event, round, board)).status, 404);
    const card = good(await client.get(`/v1/events/${event.id}/entries/${players[0].id}/score-card`));
    assert.deepEqual(card.boards.map((line) => line.state), ['hidden', 'hidden']);
    assert.ok(card.boards.every((line) => !('score' in line)));
  });
});

describe('a duplicate event', () => {
  const asked = { name: 'Boards', ruleset: 'shinjuku', format: 'duplicate', boards: 4 };
  const refused = [
    ['without boards', { boards: undefined }, 'missing-field'],
    ['with no board', { boards: 0 }, 'bad-field'],
    ['with 33 boards', { boards: 33 }, 'bad-field'],
    ['with 65 boards in all', { boards: 13, rounds: 5 }, 'bad-field'],
    ['with another scoring', { scoring: 'imps' }, 'bad-field'],
    ['with another play', { play: 'postal' }, 'bad-field'],
    ['with another profile', { profile: 'power' }, 'bad-field'],
    ['with tables of different sizes', { seats_preferred: 4, seats_min: 3 }, 'bad-field'],
    ['with larger tables', { seats_preferred: 3, seats_max: 4 }, 'bad-field'],
    ['of another format', { format: 'knockout' }, 'bad-field'],
    ['in pod Swiss with boards', { format: 'pod_swiss', rounds: 3 }, 'bad-field'],
    ['in pod Swiss with scoring', { format: undefined, boards: undefined, rounds: 3, scoring: 'total' }, 'bad-field'],
    ['in pod Swiss with play', { format: undefined, boards: undefined, rounds: 3, play: 'barometer' }, 'bad-field'],
    ['in pod Swiss with a game for one', { format: 'pod_swiss', ruleset: 'supermarche', boards: undefined, rounds: 3 }, 'bad-field'],
  ];
  for (const [name, change, code] of refused)
    it(`${name} is refused`, async () => {
      const answer = await client.post('/v1/events', { ...asked, ...change }, organizer.token);
      assert.equal(answer.status, 400);
      assert.equal(answer.json.code, code);
    });

  it('has defaults', async () => {
    const event = good(await client.post('/v1/events', asked, organizer.token));
    assert.deepEqual(event.rounds, { planned: 1, started: 0 });
    assert.equal(event.scoring, 'matchpoints');
    assert.equal(event.play, 'asynchronous');
    const { seats_max } = good(await client.get('/v1/rulesets/shinjuku'));
    assert.deepEqual(event.seats, { min: seats_max, max: seats_max, preferred: seats_max });
    assert.equal(good(await client.post('/v1/events', { ...asked, boards: 16, rounds: 4 }, organizer.token)).boards, 16);
  });
});

describe('versions of a ruleset', () => {
  it('are listed together; new events play the newest or the one they name, and both are proved', async () => {
    const listed = good(await client.get('/v1/rulesets')).items.filter((each) => each.slug === 'supermarche');
    assert.deepEqual(listed.map((each) => each.version), ['1.0.0', '0.9.0']);
    assert.equal(good(await client.get('/v1/rulesets/supermarche')).version, '1.0.0');
    const records = [];
    for (const [version, asked] of [['1.0.0', {}], ['0.9.0', { version: '0.9.0' }]]) {
      const event = await makeDuplicate(client, organizer, players.slice(0, 1), { ruleset: 'supermarche', boards: 1, ...asked });
      assert.equal(event.ruleset.version, version);
      const [game] = seated(good(await startRound(event)), players);
      await playHidden(client, game, random);
      const found = good(await client.get(game.at));
      assert.deepEqual([found.state, found.ruleset.version], ['finished', version]);
      const { verdict } = good(await client.get(`${game.at}/verification`));
      assert.equal(verdict, 'valid');
      const record = (await client.get(`${game.at}/record`)).text;
      assert.match(record, new RegExp(`^game \\S+ supermarche ${version.replaceAll('.', '\\.')} `, 'm'));
      assert.equal(bed.verify(record).status, 0);
      records.push(record);
      assert.equal(bed.verify(record.replace(` ${version} `, version === '1.0.0' ? ' 0.9.0 ' : ' 1.0.0 ')).status, 1);
    }
    const unknown = await client.post('/v1/events', { name: 'New', ruleset: 'supermarche', version: '2.0.0', format: 'duplicate', boards: 1 }, organizer.token);
    assert.deepEqual([unknown.status, unknown.json.code], [400, 'bad-field']);
  });
});
