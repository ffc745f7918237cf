// Duplicate events from entry to final standings: everybody plays the same boards, every record is
// verified offline against the round's one commitment, and travellers, score cards and standings are
// reckoned anew from the records.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { assertFraction, makeDuplicate, markResults, own, playHidden, rankResults, readRound, seated } from '../support/duplicate.mjs';
import { makePlayer, makePlayers, Random, soonOver } from '../support/play.mjs';
import { commitmentTo, readRecord } from '../support/record.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
let organizer;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
});
after(() => bed.end());

// As many at a time as the service has connections to spare.
async function each(list, work, most = 8) {
  const rest = [...list];
  const worker = async () => {
    while (rest.length > 0) await work(rest.shift());
  };
  await Promise.all(Array.from({ length: most }, worker));
}

const boardOf = (game) => game.event.board;

function runs({ ruleset, bots, boards, seats, options = {} }) {
  let players;
  let event;
  let round;
  let games;
  let records;
  let marked;
  const random = new Random(`duplicate ${ruleset}`);

  before(async () => {
    players = await makePlayers(client, bots, 'Bot');
  });

  it('starts with all boards at once, everybody on each of them', async () => {
    event = await makeDuplicate(client, organizer, players, { ruleset, options, boards, seats_preferred: seats });
    assert.equal(event.format, 'duplicate');
    assert.equal(event.boards, boards);
    assert.equal(event.scoring, 'matchpoints');
    assert.equal(event.play, 'asynchronous');
    assert.deepEqual(event.seats, { min: seats, max: seats, preferred: seats });
    assert.equal(event.rounds.planned, 1);
    round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    games = seated(round, players);
    assert.equal(round.tables, (bots / seats) * boards);
    assert.equal(round.secret, null);
    assert.deepEqual(games.map((game) => game.event.table), games.map((_, at) => at + 1));
    for (let board = 1; board <= boards; board++) {
      const sitting = games.filter((game) => boardOf(game) === board).flatMap((game) => game.players.map((player) => player.id));
      assert.deepEqual([...sitting].sort(), players.map((player) => player.id).sort());
    }
    const steps = good(await client.get(`/v1/events/${event.id}/log`)).items;
    const started = steps.find((step) => step.kind === 'round_started');
    assert.deepEqual(started.detail, { round: 1, attempt: 1, boards, commitment: round.commitment });
  });

  it('deals the same luck to all tables of a board, and other luck to other boards', async () => {
    const starts = await Promise.all(games.map(async (game) => {
      const views = await Promise.all(game.players.map((player) => client.get(`${game.at}/view`, { token: player.token }).then(good)));
      return { board: boardOf(game), text: JSON.stringify(views.map((each) => each.view)) };
    }));
    for (const start of starts)
      for (const other of starts) assert.equal(start.text === other.text, start.board === other.board);
  });

  it('is played to its end', async () => {
    await each(games, (game) => playHidden(client, game, random));
    round = await readRound(client, event, 1);
    assert.equal(round.state, 'finished');
    assert.equal(round.tables_finished, round.tables);
    for (const game of round.games) {
      assert.equal(game.hidden, false);
      assert.notEqual(game.finished_at, null);
    }
    const late = await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token);
    assert.equal(late.json.code, 'no-more-rounds');
    const { seq } = good(await client.get(`/v1/events/${event.id}/log`)).items.find((line) => line.kind === 'round_started');
    const then = good(await client.get(`/v1/events/${event.id}/rounds/1?as_of=${seq}`));
    assert.deepEqual([then.state, then.tables_finished, then.secret, then.games], ['running', 0, null, []]);
    const [{ player }] = good(await client.get(`/v1/events/${event.id}/standings`)).rows;
    const board = (at) => client.get(`/v1/events/${event.id}/rounds/1/boards/1?as_of=${at}`);
    const card = async (at) => good(await client.get(`/v1/events/${event.id}/entries/${player.id}/score-card?as_of=${at}`)).boards;
    assert.deepEqual([(await board(seq)).status, await card(seq)], [404, []]);
    const hidden = good(await board(seq + 1)); // the line of the first board
    assert.deepEqual([hidden.state, hidden.results], ['hidden', []]);
    assert.deepEqual((await card(seq + 1)).map(({ board: number, state }) => [number, state]), [[1, 'hidden']]);
  });

  it('ends every record with the secret that the round had committed to', async () => {
    const texts = await Promise.all(games.map(async (game) => (await client.get(`${game.at}/record`)).text));
    records = texts.map(readRecord);
    assert.equal(commitmentTo(`${event.id}/round/1`, round.secret), round.commitment);
    records.forEach((record, at) => {
      const { table, board } = games[at].event;
      assert.equal(record.header.event, `${event.id} round 1 table ${table} board ${board}`);
      assert.equal(record.header.commit, round.commitment);
      assert.equal(record.secret, round.secret);
      assert.equal(record.end.said, record.end.before);
    });
    for (const text of texts) assert.equal(bed.verify(text).status, 0, bed.verify(text).output);
    // The same game on another board of the round is not what was played.
    assert.equal(bed.verify(texts[0].replace(/ board \d+ /, ' board 32 ')).status, 1);
  });

  it('has travellers that follow from the records', async () => {
    const results = records.flatMap((record, at) =>
      record.results.map(({ seat, score, rank }) => ({
        round: 1, board: boardOf(games[at]), seat, score, rank, player: record.seats[seat].player, game: games[at].id, table: games[at].event.table,
      })));
    marked = markResults(results);
    assert.equal(marked.reduce((sum, one) => sum + one.matchpoints, 0), boards * bots * (bots / seats - 1));
    for (let board = 1; board <= boards; board++) {
      const traveller = good(await client.get(`/v1/events/${event.id}/rounds/1/boards/${board}`));
      const expected = marked.filter((one) => one.board === board);
      assert.equal(traveller.state, 'open');
      assert.equal(traveller.tables, bots / seats);
      assert.equal(traveller.field_most, bots / seats);
      assert.deepEqual(traveller.missing, []);
      assert.equal(traveller.results.length, expected.length);
      const order = traveller.results.map((one) => one.seat * 10000 + one.place);
      assert.deepEqual(order, [...order].sort((a, b) => a - b));
      for (const shown of traveller.results) {
        const one = expected.find((each) => each.player === shown.player.id);
        for (const key of ['seat', 'table', 'game', 'score', 'rank', 'field', 'matchpoints', 'place']) assert.equal(shown[key], one[key], key);
        assertFraction(shown.percentage, one.percentage, 'percentage');
      }
    }
    const beyond = await client.get(`/v1/events/${event.id}/rounds/1/boards/${boards === 32 ? 1 : boards + 1}`);
    assert.equal(beyond.status, 404);
  });

  it('has standings and score cards that follow from them', async () => {
    const expected = rankResults(players.map((player) => player.id), marked, { scoring: 'matchpoints', boards });
    const { rows, chain } = good(await client.get(`/v1/events/${event.id}/standings`));
    assert.deepEqual(chain.map((each) => each.code), ['MP', 'WON', 'LAST', 'RND']);
    assert.deepEqual(rows.map((row) => row.rank), players.map((_, at) => at + 1));
    rows.forEach((row, at) => {
      // Players whom only the draw parts may stand in any order.
      const reckoned = expected.find((one) => one.player === row.player.id);
      for (const key of ['points', 'last']) assert.equal(reckoned[key].minus(expected[at][key]).sign(), 0);
      assert.equal(reckoned.won, expected[at].won);
      assertFraction(row.points, reckoned.points, 'points');
      assert.equal(row.played, boards);
      assert.equal(row.unplayed, 0);
      assert.deepEqual(row.rounds.map((strip) => strip.board), Array.from({ length: boards }, (_, board) => board + 1));
    });
    await each(rows, async (row) => {
      const card = good(await client.get(`/v1/events/${event.id}/entries/${row.player.id}/score-card`));
      assert.equal(card.rank, row.rank);
      assert.deepEqual(card.points, row.points);
      assert.equal(card.boards.length, boards);
      for (const line of card.boards) {
        const one = marked.find((each) => each.player === row.player.id && each.board === line.board);
        for (const key of ['seat', 'table', 'game', 'score', 'field', 'matchpoints', 'place']) assert.equal(line[key], one[key], key);
        assertFraction(line.percentage, one.percentage, 'percentage');
      }
    });
  });

  it(seats === 1 ? 'rates nobody, for nobody was met' : 'rates everybody for every game', async () => {
    const best = good(await client.get(`/v1/leaderboard?scope=${ruleset}&limit=100`)).items;
    assert.equal(best.length, seats === 1 ? 0 : bots);
    for (const rating of best) assert.equal(rating.games, boards);
  });

  it('is closed, and final', async () => {
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    assert.equal(good(await client.get(`/v1/events/${event.id}/standings`)).state, 'final');
    assert.equal((await own(client, games[0])).hidden, false);
  });
}

// Each day with a third of the bots.
describe('24 bots over 4 boards', () => runs({ ruleset: soonOver, bots: isLong ? 24 : 8, boards: isLong ? 4 : 2, seats: 4 }));
describe('20 bots over 6 boards of Supermarché', () => runs({ ruleset: 'supermarche', bots: isLong ? 20 : 6, boards: isLong ? 6 : 3, seats: 1 }));
if (isLong) {
  describe('bidding in secret, over boards of Mall World', () => runs({ ruleset: 'mall-world', bots: 6, boards: 2, seats: 3 }));
  describe('boards of Super Motherload', () => runs({ ruleset: 'super-motherload', bots: 4, boards: 2, seats: 2, options: { decks: 'seat', sides: 'drawn' } }));
  describe('boards of Superstore 3000', () => runs({ ruleset: 'superstore-3000', bots: 6, boards: 2, seats: 3 }));
}
