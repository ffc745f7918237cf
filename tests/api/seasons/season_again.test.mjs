// A season of events of all formats, with bots that play at random, players who drop out, come late
// or do not show up; and every number that it came to, computed again from records and logs by
// support/recompute.mjs, which shares no code with the service.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { assertFraction, markResults, rankResults } from '../support/duplicate.mjs';
import { endQuietly, makeEvent, makePlayers, playRandomly, Random } from '../support/play.mjs';
import {
  bracketPlaces, compareRecords, eventSeed, Field, glicko, initialGlicko, initialRating, ladderRungs, openPlayRows, percentileValue, plackettLuce, podProgress, readLog,
} from '../support/recompute.mjs';
import { checkPods } from './recompute_pods.mjs';
import { Testbed } from '../support/testbed.mjs';

const random = new Random('a season');
let bed;
let client;
let organizer;
let players;
let season;
const played = []; // { id, name, event (read again), standings, secret }

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer] = await makePlayers(client, 1, 'Olga');
  players = await makePlayers(client, 12);
  season = good(await client.post('/v1/seasons', { name: 'The season', method: 'percentile', best: 6 }, organizer.token));
});
after(() => bed.end());

const at = (event) => `/v1/events/${event.id}`;
const official = { token: () => organizer.token };
const put = (target, json) => client.request('PUT', target, { json, token: official.token() });

// Some moves at random, and the fallback move to the end.
async function playGame(game) {
  if (random.below(3) > 0) await playRandomly(client, game, random, { plies: 1 + random.below(12) });
  await endQuietly(client, game, organizer);
}

function seated(games) {
  for (const game of games) {
    game.at = `/v1/games/${game.id}`;
    game.players = game.seats.map((seat) => players.find((player) => player.id === seat.player.id));
  }
  return games;
}

const drop = async (event, player) => assert.equal((await client.delete(`${at(event)}/entries/${player.id}`, organizer.token)).status, 204);

// Plays rounds until there are no more; `between` is called before each with its number.
async function playRounds(event, between = () => {}) {
  for (let number = 1; ; number++) {
    await between(number);
    const answer = await client.post(`${at(event)}/rounds`, {}, organizer.token);
    if (answer.status === 409 && answer.json.code === 'no-more-rounds') return number - 1;
    const round = good(answer);
    for (const game of seated(round.games)) await playGame(game);
  }
}

// Closes an event and reads all there is to know of it.
async function close(event) {
  const closed = good(await client.post(`${at(event)}/close`, {}, organizer.token));
  good(await client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, organizer.token));
  const text = (await client.get(`${at(event)}/bundle`)).bytes.toString('utf8');
  const lines = text.trim().split('\n').map((line) => JSON.parse(line));
  const log = lines.filter((line) => line.kind !== undefined);
  const records = new Map(lines.filter((line) => line.record !== undefined).map((line) => [line.game, line.record]));
  const again = readLog(log);
  assert.deepEqual(compareRecords(again, records), []);
  assert.ok(records.size > 0);
  const shown = { id: event.id, name: closed.name, log, again, records, seed: eventSeed(event.id, lines[0].secret) };
  shown.standings = good(await client.get(`${at(event)}/standings`));
  played.push(shown);
  return shown;
}

// Standings by points of a stage, or of one division of it: places, points and every tie-break.
function assertPoints(shown, { stage = 1, rows = shown.standings.rows, among } = {}) {
  const { again, seed } = shown;
  const settings = again.settings.stages[stage - 1];
  const rounds = Math.max(...again.tables.filter((table) => table.stage === stage).map((table) => table.round));
  const field = new Field(again, { stage, settings, rounds, seed, among: among ?? again.stages[stage - 1] });
  const ranked = field.rank();
  assert.deepEqual(rows.map((row) => [row.number, row.rank]), ranked.map((row) => [row.number, row.rank]), shown.name);
  for (const row of rows) {
    assert.equal(BigInt(row.points.numerator) * 60n, BigInt(ranked.find((each) => each.number === row.number).points) * BigInt(row.points.denominator));
    for (const value of row.tie_breaks) {
      if (value.code === 'DE') continue; // its value is the place, which is compared
      const { n, d } = field.value(value.code, row.number);
      assert.equal(BigInt(value.numerator) * d, n * BigInt(value.denominator), `${shown.name} ${row.number} ${value.code}: ${value.text}`);
    }
  }
}

// The rounds of multiplayer Swiss, each from what was before it.
function assertPods({ log, again, seed }) {
  const settings = again.settings.stages[0];
  const rounds = [];
  let tried = 0;
  for (const { detail } of log.filter(({ kind }) => kind === 'round_drawn')) {
    const before = readLog(log.slice(0, log.findIndex((line) => line.detail === detail)));
    const ranked = new Field(before, { stage: 1, settings, rounds: detail.round - 1, seed, among: before.stages[0] }).rank();
    const by = (value) => new Map(ranked.map((row) => [row.number, value(row)]));
    const points = by((row) => row.points);
    tried += checkPods(detail, { settings, seed, rounds, points, place: by((row) => row.rank), seeds: new Map(before.stages[0].map((number, i) => [number, i + 1])) });
    rounds.push({ tables: detail.tables, points });
  }
  return tried;
}

const two = { seats_min: 2, seats_max: 2 };
const make = (settings, entrants) => makeEvent(client, organizer, entrants, { seats_min: undefined, seats_max: undefined, rounds: undefined, ...settings });

describe('events played, and what they came to', () => {
  it('pod Swiss, with one who leaves, one who returns and a late entry', async () => {
    const event = await make({ name: 'Pods', format: 'pod_swiss', rounds: 4, seats_min: 3, seats_max: 4, late_entries: 2 }, players.slice(0, 10));
    await playRounds(event, async (number) => {
      if (number === 2) await drop(event, players[3]);
      if (number === 3) good(await client.post(`${at(event)}/entries`, {}, players[10].token));
      if (number === 4) good(await client.post(`${at(event)}/entries/${players[3].id}/return`, {}, organizer.token));
    });
    const shown = await close(event);
    assertPoints(shown);
    assert.ok(assertPods(shown) > 4000);
  });

  it('Dutch Swiss, with byes, a forfeit and an odd field', async () => {
    const event = await make({ name: 'Dutch', format: 'dutch', rounds: 5, scoring: '1-half-0' }, players.slice(0, 9));
    await playRounds(event, async (number) => {
      if (number === 1) good(await client.post(`${at(event)}/entries/${players[5].id}/byes`, { round: 2, kind: 'half' }, organizer.token));
      if (number === 2) good(await client.post(`${at(event)}/entries/${players[6].id}/byes`, { round: 3, kind: 'zero' }, players[6].token));
      if (number === 4) {
        await drop(event, players[7]);
        const { games } = good(await client.get(`${at(event)}/rounds/3`));
        good(await put(`${at(event)}/rounds/3/tables/1/ruling`, { no_show: [games[0].seats[1].player.id], reason: 'Never came.' }));
      }
    });
    assertPoints(await close(event));
  });

  it('a round robin', { skip: notLong }, async () => {
    const event = await make({ name: 'All against all', format: 'round_robin', scoring: '3-1-0' }, players.slice(2, 8));
    await playRounds(event, async (number) => number === 4 && drop(event, players[5]));
    assertPoints(await close(event));
  });

  it('a round robin played twice', { skip: notLong }, async () => {
    const event = await make({ name: 'Twice', format: 'round_robin', twice: true }, players.slice(0, 3));
    await playRounds(event);
    assertPoints(await close(event));
  });

  it('a round robin of pods', { skip: notLong }, async () => {
    const event = await make({ name: 'League night', format: 'pod_round_robin', rounds: 4, seats_min: 3, seats_max: 3 }, players.slice(0, 9));
    await playRounds(event);
    assertPoints(await close(event));
  });

  it('single elimination', async () => {
    const event = await make({ name: 'Knockout', format: 'single_elimination' }, players.slice(0, 7));
    await playRounds(event);
    const { again, standings } = await close(event);
    const places = new Map(bracketPlaces(again, 1).map(({ number, place }) => [number, place]));
    assert.equal([...places.values()].filter((place) => place === 1).length, 1);
    assert.deepEqual(standings.rows.map((row) => [row.number, row.rank]), standings.rows.map((row) => [row.number, places.get(row.number)]));
  });

  it('double elimination', { skip: notLong }, async () => {
    const event = await make({ name: 'Twice lost', format: 'double_elimination' }, players.slice(3, 9));
    await playRounds(event);
    const { again, standings } = await close(event);
    const places = new Map(bracketPlaces(again, 1).map(({ number, place }) => [number, place]));
    assert.deepEqual(standings.rows.map((row) => [row.number, row.rank]), standings.rows.map((row) => [row.number, places.get(row.number)]));
  });

  it('pod elimination', async () => {
    const event = await make({ name: 'Last table', format: 'pod_elimination', seats_min: 3, seats_max: 4, advance: 2 }, players);
    await playRounds(event);
    const { again, standings } = await close(event);
    const { reached, final } = podProgress(again, 1);
    assert.ok(final !== null);
    assert.equal(standings.rows[0].number, final[0].number);
    standings.rows.forEach((row, i) => assert.ok(i === 0 || reached.get(standings.rows[i - 1].number) >= reached.get(row.number), `${row.number}`));
  });

  it('a league', { skip: notLong }, async () => {
    const event = await make({ name: 'Divisions', format: 'league', ...two, division: 4, division_smallest: 3, moves: 1 }, players.slice(0, 8));
    await playRounds(event);
    const shown = await close(event);
    for (const division of [1, 2]) {
      const rows = shown.standings.rows.filter((row) => row.division === division);
      assert.equal(rows.length, 4);
      const among = shown.again.stages[0].slice(4 * division - 4, 4 * division);
      assertPoints(shown, { rows, among });
    }
  });

  it('a ladder', async () => {
    const event = await make({ name: 'Ladder', format: 'ladder', reach: 3 }, players.slice(0, 5));
    for (const [challenger, challenged] of [[3, 1], [4, 2], [1, 0], [2, 3]]) {
      const answer = await client.post(`${at(event)}/challenges`, { player: players[challenged].id }, players[challenger].token);
      if (answer.status === 409) continue; // the rungs do not allow it by now
      good(answer);
      good(await client.post(`${at(event)}/challenges/${players[challenger].id}/accept`, {}, players[challenged].token));
      for (const game of seated(good(await client.get('/v1/games?state=running')).items)) await playGame(game);
    }
    const { again, standings } = await close(event);
    assert.ok(again.tables.length >= 2);
    assert.deepEqual(standings.rows.map((row) => row.number), ladderRungs(again));
  });

  it('open play', { skip: notLong }, async () => {
    const event = await make({ name: 'Open', format: 'open_play', ...two, best: 2 }, players.slice(0, 6));
    for (let turn = 0; turn < 10; turn++) {
      await client.post(`${at(event)}/queue`, {}, random.pick(players.slice(0, 6)).token);
      for (const game of seated(good(await client.get('/v1/games?state=running')).items)) await playGame(game);
    }
    const { again, standings } = await close(event);
    assert.ok(again.tables.length >= 2);
    const rows = openPlayRows(again).filter((row) => row.games > 0);
    const shown = standings.rows.filter((row) => row.played > 0);
    assert.deepEqual(new Set(shown.map((row) => row.number)), new Set(rows.map((row) => row.number)));
    for (const row of shown) {
      const { sum } = rows.find((each) => each.number === row.number);
      assert.equal(BigInt(row.points.numerator) * 60n, BigInt(sum) * BigInt(row.points.denominator));
    }
    assert.deepEqual(shown.map((row) => row.points.numerator / row.points.denominator), rows.map((row) => row.sum / 60));
  });

  it('duplicate', async () => {
    const event = await make({ name: 'Same luck', format: 'duplicate', boards: 3, seats_preferred: 2, scoring: 'matchpoints', play: 'asynchronous' }, players.slice(0, 6));
    const { games } = good(await client.post(`${at(event)}/rounds`, {}, organizer.token));
    for (const game of seated(games)) await endQuietly(client, game, organizer);
    const { again, standings } = await close(event);
    const results = again.tables.flatMap((table) => table.result.map((seat, i) => ({ round: table.round, board: table.board, seat: i, player: again.player[seat.number], score: seat.score })));
    const ranked = rankResults([...again.number.keys()], markResults(results), { scoring: 'matchpoints', boards: 3 });
    for (const row of standings.rows) assertFraction(row.points, ranked.find((each) => each.player === row.player.id).points, row.player.name);
  });

  it('Swiss and a final of the best four', async () => {
    const event = await make({ name: 'Swiss and cut', stages: [{ format: 'dutch', rounds: 3 }, { format: 'single_elimination', entrants: 4 }] }, players.slice(0, 8));
    await playRounds(event);
    const shown = await close(event);
    const first = good(await client.get(`${at(event)}/standings?stage=1`));
    assertPoints(shown, { stage: 1, rows: first.rows });
    assert.deepEqual(shown.again.stages[1], first.rows.slice(0, 4).map((row) => row.number));
    const places = new Map(bracketPlaces(shown.again, 2).map(({ number, place }) => [number, place]));
    assert.deepEqual(shown.standings.places.slice(0, 4).map((place) => [place.number, place.place]), shown.standings.places.slice(0, 4).map(({ number }) => [number, places.get(number)]));
    assert.deepEqual(shown.standings.places.slice(4).map((place) => place.number), first.rows.slice(4).map((row) => row.number));
  });
});

describe('what they came to together', () => {
  // Games in the order in which they were rated, which is public with the history.
  async function history(player, scope) {
    const list = [];
    for (let after = ''; ; ) {
      const page = good(await client.get(`/v1/players/${player.id}/ratings/history?scope=${scope}&limit=100${after}`));
      list.push(...page.items);
      if (page.next === null) return list.reverse();
      after = `&after=${page.next}`;
    }
  }

  it('the ratings of all games, by Plackett-Luce', async () => {
    const results = new Map();
    for (const { again } of played)
      for (const table of again.tables)
        if (table.game !== undefined && !table.result.some((seat) => seat.kind.startsWith('forfeit')))
          results.set(table.game, table.result.map((seat) => ({ player: again.player[seat.number], rank: seat.rank })));
    const order = new Map();
    for (const player of players) for (const each of await history(player, 'overall')) if (results.has(each.game)) order.set(each.game, each.number);
    assert.equal(order.size, results.size);
    const ratings = new Map(players.map((player) => [player.id, initialRating]));
    for (const [game] of [...order].sort((a, b) => a[1] - b[1])) {
      const seats = results.get(game);
      const after = plackettLuce(seats.map((seat) => ratings.get(seat.player)), seats.map((seat) => seat.rank));
      seats.forEach((seat, i) => ratings.set(seat.player, after[i]));
    }
    for (const player of players) {
      const { items } = good(await client.get(`/v1/players/${player.id}/ratings`));
      const { mu_millionths, sigma_millionths } = items.find((each) => each.scope === 'overall');
      const [mu, sigma] = [mu_millionths / 1e6, sigma_millionths / 1e6];
      assert.ok(Math.abs(mu - ratings.get(player.id).mu) < 1.5e-6, `${player.name}: ${mu} and ${ratings.get(player.id).mu}`);
      assert.ok(Math.abs(sigma - ratings.get(player.id).sigma) < 1.5e-6, `${player.name}: ${sigma}`);
    }
  });

  it('the first period of Glicko-2', async () => {
    const { again } = played.find((each) => each.name === 'Dutch');
    const games = new Map();
    for (const table of again.tables.filter((each) => each.game !== undefined && each.result.every((seat) => !seat.kind.startsWith('forfeit')))) {
      const [a, b] = table.result;
      const score = a.rank < b.rank ? 1 : a.rank === b.rank ? 0.5 : 0;
      for (const [own, points] of [[a, score], [b, 1 - score]]) {
        const id = again.player[own.number];
        games.set(id, [...(games.get(id) ?? []), { opponent: initialGlicko, score: points }]);
      }
    }
    assert.ok(games.size >= 8);
    for (const player of players.filter((each) => games.has(each.id))) {
      const [first] = (await history(player, 'glicko.shinjuku')).filter((each) => each.event === played.find((one) => one.name === 'Dutch').id);
      const expected = glicko(initialGlicko, games.get(player.id));
      assert.ok(Math.abs(first.after.mu_millionths / 1e6 - expected.rating) < 1e-5, `${first.after.mu_millionths} and ${expected.rating}`);
      assert.ok(Math.abs(first.after.sigma_millionths / 1e6 - expected.deviation) < 1e-5);
    }
  });

  it('the standings of the season', async () => {
    const shown = good(await client.get(`/v1/seasons/${season.id}/standings`));
    const totals = new Map(players.map((player) => [player.id, []]));
    for (const { standings, name } of played) {
      const rows = standings.places ?? standings.rows.map((row) => ({ ...row, place: row.rank }));
      const took = rows.filter((row) => (row.place ?? null) !== null && (standings.rows.find((each) => each.player.id === row.player.id)?.played ?? 1) > 0);
      for (const row of took) {
        const shared = took.filter((other) => other.place === row.place).length;
        const place = 1 + took.filter((other) => other.place < row.place).length;
        totals.get(row.player.id).push({ name, value: percentileValue(took.length, place, shared) });
      }
    }
    for (const row of shown.items) {
      const best = totals.get(row.player.id).map((each) => each.value).sort((a, b) => (a < b ? 1 : -1)).slice(0, 6);
      const total = best.reduce((a, b) => a + b, 0n);
      assert.equal(BigInt(row.total_millionths), total, `${row.player.name}: ${JSON.stringify(row.results)}`);
    }
    assert.equal(shown.items.length, players.length);
  });
});
