// Ratings worked out again from what the service shows: Plackett-Luce game by game, Glicko-2 event by
// event, after corrections too; leaderboards; what seats are worth; percentiles of games for one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { assertFraction, Fraction, makeDuplicate, playHidden, readRound, seated } from '../support/duplicate.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, now, playRandomly, Random, startRound } from '../support/play.mjs';
import { assertRounded, glicko2, plackettLuce, rested, wilson } from '../support/ratings.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('ratings');
let bed;
let client;
let organizer;
let players;
const games = []; // in the order in which they ended: { id, event, players, seats }
const events = []; // of two seats, in the order in which they were closed

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 6);
  // What a ruling will do: the owner of the tables overrides a result, or has it not count.
  asOwner(bed.cluster, `
    CREATE TABLE tillroll.override (game_id uuid, seat integer, rank integer, void boolean NOT NULL);
    GRANT SELECT ON tillroll.override TO tillroll_service;
    CREATE OR REPLACE VIEW tillroll.counted_result AS
      SELECT game_id, seat, score, coalesce(override.rank, result.rank) AS rank
        FROM tillroll.game_result AS result LEFT JOIN tillroll.override USING (game_id, seat)
        WHERE NOT coalesce(override.void, false)`);
});
after(() => bed.end());

async function pages(path, each = () => {}) {
  const items = [];
  for (let next = ''; next !== null; ) {
    const page = good(await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=2${next && `&after=${next}`}`));
    each(page);
    assert.ok(page.items.length <= 2);
    items.push(...page.items);
    next = page.next;
  }
  return items;
}

const history = (player, scope) => pages(`/v1/players/${player.id}/ratings/history?scope=${scope}`);
const ratings = async (player) => new Map(good(await client.get(`/v1/players/${player.id}/ratings`)).items.map((each) => [each.scope, each]));

// An event of one round of a game that is soon over; its games are played one after the other.
async function playEvent(entrants, seats, end = playRandomly) {
  const event = await makeEvent(client, organizer, entrants, { seats_min: seats, seats_max: seats, rounds: 1, ruleset: 'superstore-3000' });
  const round = await startRound(client, event, organizer, entrants);
  for (const game of round.games) {
    await end(client, game, random);
    games.push({ id: game.id, event: event.id, players: game.players, seats: (await now(client, game)).seats });
  }
  return event;
}

async function close(event) {
  good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  if (event.seats.max === 2) events.push(event);
}

const initial = { mu: 25e6, sigma: 8333333 };
// As pages show it: 1500 and 350 are a new player's.
const displayed = (rating, deviation, ranked) => ({ rating: Math.round(rating / 1e6), deviation: Math.round(deviation / 1e6), ranked_by: Math.round(ranked / 1e6) });
const values = ({ mu_millionths: mu, sigma_millionths: sigma }) => ({ mu, sigma });

// Every rating of every game that counts, from the ranks given, beside what the service shows.
async function checkPlackettLuce(ranksOf) {
  for (const scope of ['overall', 'superstore-3000']) {
    const held = new Map(players.map((player) => [player.id, initial]));
    const steps = new Map();
    for (const player of players) steps.set(player.id, (await history(player, scope)).reverse());
    for (const game of games) {
      const ranks = ranksOf(game);
      if (ranks === null) continue;
      const expected = plackettLuce(game.players.map((player, seat) => ({ ...held.get(player.id), rank: ranks[seat] })));
      game.players.forEach((player, seat) => {
        const step = steps.get(player.id).shift();
        assert.equal(step.game, game.id);
        assert.equal(step.event, null);
        assert.deepEqual(values(step.before), held.get(player.id));
        const is = values(step.after);
        assertRounded(is.mu, expected[seat].mu, 'mu');
        assertRounded(is.sigma, expected[seat].sigma, 'sigma');
        assert.equal(step.after.rating_millionths, is.mu - 3 * is.sigma);
        assert.deepEqual(step.after.display, displayed(42 * is.mu + 450e6, 42 * is.sigma, 42 * (is.mu - 3 * is.sigma) + 450e6));
        held.set(player.id, is);
      });
    }
    for (const player of players) {
      assert.deepEqual(steps.get(player.id), []);
      const played = games.filter((game) => ranksOf(game) !== null && game.players.includes(player)).length;
      const rating = (await ratings(player)).get(scope);
      assert.equal(rating?.games ?? 0, played);
      if (played > 0) assert.deepEqual(values(rating), held.get(player.id));
    }
  }
}

const glickoOf = (value) => ({ rating: value.mu_millionths, deviation: value.sigma_millionths, volatility: value.volatility_billionths });

async function checkGlicko(ranksOf) {
  const held = new Map();
  const steps = new Map();
  for (const player of players) steps.set(player.id, (await history(player, 'glicko.superstore-3000')).reverse());
  for (const [period, event] of events.entries()) {
    const played = games.filter((game) => game.event === event.id && ranksOf(game) !== null);
    const entrants = players.filter((player) => played.some((game) => game.players.includes(player)));
    const before = new Map(entrants.map((player) => {
      const { value, last } = held.get(player.id) ?? {};
      if (value === undefined) return [player.id, { rating: 1500e6, deviation: 350e6, volatility: 60e6 }];
      return [player.id, { ...value, deviation: rested(value.deviation, value.volatility, period - 1 - last) }];
    }));
    for (const player of entrants) {
      const step = steps.get(player.id).shift();
      assert.equal(step.event, event.id);
      assert.equal(step.game, null);
      const shown = glickoOf(step.before);
      assert.equal(shown.rating, before.get(player.id).rating);
      assert.equal(shown.volatility, before.get(player.id).volatility);
      assertRounded(shown.deviation, before.get(player.id).deviation, 'deviation before');
      before.set(player.id, shown);
    }
    for (const player of entrants) {
      const expected = glicko2(before.get(player.id), played.filter((game) => game.players.includes(player)).map((game) => {
        const seat = game.players.indexOf(player);
        const ranks = ranksOf(game);
        return { opponent: before.get(game.players[1 - seat].id), score: (1 + Math.sign(ranks[1 - seat] - ranks[seat])) / 2 };
      }));
      const step = (await history(player, 'glicko.superstore-3000')).find((each) => each.event === event.id);
      const is = glickoOf(step.after);
      for (const key of ['rating', 'deviation', 'volatility']) assertRounded(is[key], expected[key], `${key} of ${player.name}`);
      assert.equal(step.after.rating_millionths, is.rating);
      assert.deepEqual(step.after.display, displayed(is.rating, is.deviation, is.rating));
      held.set(player.id, { value: is, last: period });
    }
  }
  for (const player of players) {
    assert.deepEqual(steps.get(player.id), []);
    const rating = (await ratings(player)).get('glicko.superstore-3000');
    assert.equal(rating !== undefined, held.has(player.id));
    if (rating === undefined) continue;
    const { value, last } = held.get(player.id);
    assert.equal(rating.system, 'glicko-2');
    assert.equal(rating.mu_millionths, value.rating);
    assert.equal(rating.volatility_billionths, value.volatility);
    assertRounded(rating.sigma_millionths, rested(value.deviation, value.volatility, events.length - 1 - last), 'deviation now');
    assert.equal(rating.provisional, rating.sigma_millionths > 110e6);
  }
}

const asPlayed = (game) => game.seats.map((seat) => seat.rank);

// Puts the games into the order in which they were rated, which the histories tell.
async function sortGames() {
  const order = new Map();
  for (const player of players) for (const { game, number } of await history(player, 'overall')) order.set(game, number);
  games.sort((a, b) => order.get(a.id) - order.get(b.id));
  assert.equal(new Set(order.values()).size, order.size);
}

describe('ratings', () => {
  it('by Plackett-Luce follow from each game as it ends', async () => {
    events.length = 0;
    const first = await playEvent(players.slice(0, 4), 2);
    await checkPlackettLuce(asPlayed);
    assert.equal((await ratings(players[0])).has('glicko.superstore-3000'), false);
    await close(first);
    await close(await playEvent(players, 3));
    await checkPlackettLuce(asPlayed);
  });

  it('stand in one order, whatever ends at the same time, at whatever service', async () => {
    const { client: second } = await bed.startService();
    const at = games.length;
    const event = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3, rounds: 2, ruleset: 'superstore-3000' });
    for (let number = 1; number <= 2; number++) {
      const round = await startRound(client, event, organizer, players);
      await Promise.all(round.games.map((game, i) => playRandomly(i % 2 ? client : second, game, random)));
      for (const game of round.games) games.push({ id: game.id, event: event.id, players: game.players, seats: (await now(client, game)).seats });
    }
    assert.equal(games.length, at + 4);
    await sortGames();
    await checkPlackettLuce(asPlayed);
  });

  it('by Glicko-2 follow from each event of two as it is closed', async () => {
    await checkGlicko(asPlayed);
    assert.equal(games.filter((game) => game.players.length === 3).length, 6);
    for (const player of players.slice(4)) assert.equal((await ratings(player)).has('glicko.superstore-3000'), false);
    // Two stay away for two periods, and come back.
    await close(await playEvent(players.slice(2, 6), 2));
    await close(await playEvent(players.slice(2, 4), 2, (...game) => endQuietly(game[0], game[1], organizer)));
    await checkGlicko(asPlayed);
    await close(await playEvent(players.slice(0, 4), 2));
    await checkGlicko(asPlayed);
    assert.equal(events.length, 4);
  });

  it('are listed with those of most games first', async () => {
    const items = good(await client.get(`/v1/players/${players[0].id}/ratings`)).items;
    assert.deepEqual(items.map(({ scope }) => scope), ['overall', 'superstore-3000', 'glicko.superstore-3000']);
    assert.ok(items[1].games > items[2].games);
  });

  it('are shown with scopes that there are', async () => {
    const path = `/v1/players/${players[0].id}/ratings/history`;
    for (const scope of ['glicko.', 'glicko.chess', 'glicko.overall', 'solo.supermarche', 'Glicko.superstore-3000'])
      assert.equal((await client.get(`${path}?scope=${scope}`)).json.code, 'bad-parameter', scope);
    assert.deepEqual(good(await client.get(`${path}?scope=glicko.mall-world`)), { items: [], next: null });
  });
});

describe('a leaderboard', () => {
  for (const scope of ['overall', 'superstore-3000', 'glicko.superstore-3000'])
    it(`of ${scope} has everybody with enough games once, best first`, async () => {
      const all = good(await client.get(`/v1/leaderboard?scope=${scope}&limit=100`)).items;
      const own = (await Promise.all(players.map(ratings))).map((each) => each.get(scope)).filter((each) => each !== undefined);
      own.sort((a, b) => b.rating_millionths - a.rating_millionths || (a.player.id < b.player.id ? -1 : 1));
      assert.deepEqual(all, own);
      assert.ok(all.length >= 4);
      assert.deepEqual(await pages(`/v1/leaderboard?scope=${scope}`), all);
      const most = Math.max(...all.map((each) => each.games));
      for (const least of [0, 1, 2, most, most + 1]) {
        const some = await pages(`/v1/leaderboard?scope=${scope}&games_min=${least}`);
        assert.deepEqual(some, all.filter((each) => each.games >= least));
      }
    });

  it('of Glicko-2 gives places from ten games on, and has the others after them', async () => {
    const at = '/v1/leaderboard?scope=glicko.superstore-3000';
    const all = good(await client.get(`${at}&limit=100`)).items;
    assert.ok(all.length >= 4 && all.every((each) => each.games < 10));
    const order = [...all.slice(-2), ...all.slice(0, -2)].map((each) => each.player.id);
    const addGames = (count) => bed.cluster.sql(`SET ROLE tillroll_owner; UPDATE tillroll.rating SET games = games + ${count}
      WHERE scope = 'glicko.superstore-3000' AND player_id IN ('${order[0]}', '${order[1]}')`);
    addGames(10);
    // Addresses that nobody has asked for: what was is kept.
    for (const limit of [1, 2, 3, 50]) {
      const found = [];
      for (let next = ''; next !== null;) {
        const page = good(await client.get(`${at}&limit=${limit}&games_min=0${next && `&after=${next}`}`));
        assert.equal(page.games_for_place, 10);
        found.push(...page.items);
        ({ next } = page);
      }
      assert.deepEqual(found.map((each) => each.player.id), order, `${limit}`);
    }
    assert.equal(good(await client.get(`${at}&limit=50&games_min=11`)).items.length, 2);
    assert.equal(good(await client.get('/v1/leaderboard?limit=51')).games_for_place, 1);
    addGames(-10);
  });

  it('refuses what makes no sense', async () => {
    const nobody = await makePlayer(client, 'Nobody');
    for (const query of ['scope=solo.superstore-3000', 'scope=solo.', 'scope=chess', 'games_min=-1', 'games_min=10001', 'games_min=x', `after=${nobody.id}`,
      `scope=solo.supermarche&after=${nobody.id}`])
      assert.equal((await client.get(`/v1/leaderboard?${query}`)).json.code, 'bad-parameter', query);
  });
});

describe('after a correction', () => {
  const overrides = new Map(); // game id -> ranks, or null
  const corrected = (game) => (overrides.has(game.id) ? overrides.get(game.id) : asPlayed(game));
  const stored = () => bed.cluster.sql('SET ROLE tillroll_owner; SELECT md5(string_agg(change::text, chr(10) ORDER BY change::text)) FROM tillroll.rating_change AS change WHERE revision = 0');
  let asFirst;
  let original;
  let revisions = 0;

  function override(game, ranks) {
    overrides.set(game.id, ranks);
    const rows = game.players.map((_, seat) => `('${game.id}', ${seat}, ${ranks === null ? 'NULL' : ranks[seat]}, ${ranks === null})`);
    asOwner(bed.cluster, `DELETE FROM tillroll.override WHERE game_id = '${game.id}'; INSERT INTO tillroll.override VALUES ${rows.join(', ')}`);
  }

  const snapshot = async () => JSON.stringify(await Promise.all(players.map(async (player) => [...(await ratings(player)).values()])));

  // All histories: key of a change -> its values, to be compared with what a revision tells.
  async function allChanges() {
    const all = new Map();
    for (const player of players)
      for (const scope of ['overall', 'superstore-3000', 'glicko.superstore-3000'])
        for (const { before: was, after: is, game, event, revision } of await history(player, scope))
          all.set(`${scope} ${game ?? event} ${player.id}`, { revision, pair: { before: was, after: is } });
    return all;
  }

  async function correct(game, ranks, reason) {
    const was = await allChanges();
    override(game, ranks);
    bed.rateAgain(game.id, reason);
    revisions++;
    await until(60, 'the service has heard of it', async () => good(await client.get('/v1/ratings/revisions')).items[0]?.number === revisions);
    const is = await allChanges();
    const head = good(await client.get(`/v1/ratings/revisions/${revisions}?limit=1`));
    assert.equal(head.reason, reason);
    assert.equal(head.game, game.id);
    assert.equal(head.by, null);
    const items = await pages(`/v1/ratings/revisions/${revisions}`, (page) => assert.equal(page.changes, head.changes));
    assert.equal(items.length, head.changes);
    // It tells exactly what is different, and from what to what.
    const told = new Map(items.map((item) => [`${item.scope} ${item.game ?? item.event} ${item.player.id}`, item]));
    assert.equal(told.size, items.length);
    for (const key of new Set([...was.keys(), ...is.keys()])) {
      const same = JSON.stringify(was.get(key)?.pair) === JSON.stringify(is.get(key)?.pair);
      assert.equal(told.has(key), !same, key);
      if (same) continue;
      assert.deepEqual(told.get(key).was, was.get(key)?.pair ?? null);
      assert.deepEqual(told.get(key).is, is.get(key)?.pair ?? null);
      if (is.has(key)) assert.equal(is.get(key).revision, revisions);
    }
    return items;
  }

  it('everything since is rated again, in the order of before', async () => {
    assert.deepEqual(good(await client.get('/v1/ratings/revisions')), { items: [], next: null });
    asFirst = stored();
    original = await snapshot();
    const [game] = games;
    const items = await correct(game, [...asPlayed(game)].reverse().map((rank) => (asPlayed(game)[0] === asPlayed(game)[1] ? 3 - rank : rank)), 'The scores were swapped.');
    if (asPlayed(game)[0] !== asPlayed(game)[1]) assert.ok(items.length > 10);
    await checkPlackettLuce(corrected);
    await checkGlicko(corrected);
    assert.equal(stored(), asFirst);
  });

  it('a game that does not count any more is in nobody’s history', async () => {
    const game = games.find((each) => each.players.length === 3);
    const items = await correct(game, null, 'Void: a seat was taken by somebody else.');
    assert.deepEqual(new Set(items.filter((item) => item.is === null).map((item) => item.game)), new Set([game.id]));
    await checkPlackettLuce(corrected);
    await checkGlicko(corrected);
    assert.equal(stored(), asFirst);
  });

  it('a player who has no game left has no rating, and gets one again', { skip: notLong }, async () => {
    const [newcomer, other] = await makePlayers(client, 2, 'Newcomer');
    players.push(newcomer, other);
    await close(await playEvent([newcomer, other], 2));
    const game = games.at(-1);
    await checkPlackettLuce(corrected);
    await correct(game, null, 'Void.');
    assert.equal((await ratings(newcomer)).size, 0);
    const board = good(await client.get('/v1/leaderboard?limit=100&games_min=0')).items;
    assert.equal(board.some((each) => each.player.id === newcomer.id), false);
    await checkPlackettLuce(corrected);
    await checkGlicko(corrected);
    await close(await playEvent([newcomer, other], 2));
    await checkPlackettLuce(corrected);
    await checkGlicko(corrected);
    await correct(game, asPlayed(game), 'It counts after all.');
    await checkPlackettLuce(corrected);
    await checkGlicko(corrected);
  });

  it('that is taken back, all is as if it had never been', async () => {
    const [first] = games;
    const third = games.find((each) => each.players.length === 3);
    await correct(first, asPlayed(first), 'They were not swapped.');
    await correct(third, asPlayed(third), 'It was the right player.');
    await checkPlackettLuce(asPlayed);
    await checkGlicko(asPlayed);
    assert.equal(bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.rating_change WHERE revision > 0') > 20, true);
    for (const player of players.slice(0, 2)) {
      const now = JSON.stringify([...(await ratings(player)).values()].filter((each) => each.system === 'plackett-luce'));
      assert.ok(original.includes(now.slice(1, -1)));
    }
  });

  it('the same again makes a revision that changes nothing', async () => {
    assert.deepEqual(await correct(games[2], asPlayed(games[2]), 'Looked at again.'), []);
  });

  it('revisions come in pages, newest first, and are not for ever', async () => {
    const all = await pages('/v1/ratings/revisions');
    assert.deepEqual(all.map((each) => each.number), Array.from({ length: revisions }, (_, i) => revisions - i));
    assert.equal((await client.get(`/v1/ratings/revisions/${revisions + 1}`)).status, 404);
    assert.equal((await client.get('/v1/ratings/revisions/0')).status, 404);
    for (const query of ['after=x', 'limit=0', 'page=1']) assert.equal((await client.get(`/v1/ratings/revisions?${query}`)).json.code, 'bad-parameter');
    // So can they be read without scripts.
    const page = async (query) => (await client.get(`/ratings/revisions${query}`, { unchecked: true })).text;
    const listed = [...(await page('')).matchAll(/<a href="\?number=(\d+)">\1<\/a><\/th><td>.*?<\/td><td><a href="\/games\/([-0-9a-f]+)">a game<\/a><\/td><td><\/td><td><bdi>(.*?)<\/bdi><\/td><td class="number">(\d+)</g)].map((each) => each.slice(1));
    assert.deepEqual(listed, all.slice(0, 50).map(({ number, game, reason, changes }) => [String(number), game, reason, String(changes)]));
    const { number, reason } = all.find(({ changes }) => changes > 0);
    const { items } = good(await client.get(`/v1/ratings/revisions/${number}?limit=100`));
    const one = await page(`?number=${number}`);
    assert.ok(one.includes(`Reason: <bdi>${reason}</bdi></p>`));
    const value = (pair) => (pair === null ? 'not rated' : String(pair.after.display.rating));
    assert.deepEqual([...one.matchAll(/<a href="\/players\/([-0-9a-f]+)">.*?<td class="number">(.*?)<\/td><td class="number">(.*?)<\/td><\/tr>/g)].map((each) => each.slice(1)),
      items.map(({ player, was, is }) => [player.id, value(was), value(is)]));
    assert.equal((await client.get('/ratings/revisions?number=0', { unchecked: true })).status, 404);
  });
});

describe('what seats are worth', () => {
  it('follows from the games that were played to their end', async () => {
    const { versions } = good(await client.get('/v1/rulesets/superstore-3000/seat-advantage'));
    const [{ sizes }] = versions;
    for (const seats of [2, 3]) {
      const played = games.filter((game) => game.seats.length === seats && !game.seats.some((seat) => seat.fallback));
      assert.ok(played.length >= 2);
      const size = sizes.find((each) => each.seats === seats);
      assert.equal(size.tables, played.length);
      assertFraction(size.even, new Fraction(1, seats), 'even');
      size.by_seat.forEach((shown, seat) => {
        assert.equal(shown.seat, seat);
        const won = played.reduce((sum, game) => {
          const first = game.seats.filter((each) => each.rank === 1);
          return sum + (game.seats[seat].rank === 1 ? 1 / first.length : 0);
        }, 0);
        const [low, high] = wilson(won, played.length);
        assert.ok(Math.abs(shown.wins.value_millionths - (1e6 * won) / played.length) <= 0.5);
        assert.ok(shown.wins.low_millionths <= 1e6 * low + 1e-3 && shown.wins.low_millionths > 1e6 * low - 2);
        assert.ok(shown.wins.high_millionths >= Math.min(1e6, 1e6 * high) - 1e-3 && shown.wins.high_millionths < 1e6 * high + 3);
        const scores = played.map((game) => game.seats[seat].score);
        const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
        assert.ok(Math.abs(shown.score.value_millionths - 1e6 * mean) <= 1);
        assert.equal(shown.significant, false); // of so few tables
      });
    }
  });

  it('is empty for a game that nobody has played, or only one can', async () => {
    for (const slug of ['mall-world', 'supermarche']) {
      const { versions } = good(await client.get(`/v1/rulesets/${slug}/seat-advantage`));
      assert.equal(versions[0].ruleset.slug, slug);
      assert.deepEqual(versions[0].sizes, []);
    }
    assert.equal((await client.get('/v1/rulesets/chess/seat-advantage')).status, 404);
  });
});

describe('games for one', () => {
  it('have percentiles on their boards, and a leaderboard of their means', { skip: notLong }, async () => {
    const solo = new Map(); // player id -> percentiles in millionths
    for (const entrants of [players.slice(0, 5), players.slice(3, 6)]) {
      const event = await makeDuplicate(client, organizer, entrants, { ruleset: 'supermarche', boards: 2, seats_preferred: 1 });
      good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
      for (const game of seated(await readRound(client, event, 1), entrants)) await playHidden(client, game, random, 30).then(() => endQuietly(client, game, organizer));
      for (const board of [1, 2]) {
        const { results } = good(await client.get(`/v1/events/${event.id}/rounds/1/boards/${board}`));
        assert.equal(results.length, entrants.length);
        for (const { player, score, percentile } of results) {
          const below = results.filter((each) => each.score < score).length;
          const level = results.filter((each) => each.score === score).length - 1;
          assertFraction(percentile, new Fraction(100 * (2 * below + level), 2 * (results.length - 1)), 'percentile');
          const millionths = ((2n * BigInt(below) + BigInt(level)) * 1000000n) / (2n * BigInt(results.length - 1));
          solo.set(player.id, [...(solo.get(player.id) ?? []), millionths]);
        }
      }
    }
    const scope = 'solo.supermarche';
    const board = good(await client.get(`/v1/leaderboard?scope=${scope}`)).items;
    assert.equal(board.length, solo.size);
    const mean = (id) => new Fraction(solo.get(id).reduce((sum, each) => sum + each, 0n), 1000000 * solo.get(id).length);
    for (const row of board) {
      assert.equal(row.games, solo.get(row.player.id).length);
      assertFraction(row.percentile, mean(row.player.id).times(100), 'mean percentile');
      assert.equal(row.system, 'percentile');
      assert.equal(row.scope, scope);
    }
    const order = board.map((row) => row.player.id);
    assert.deepEqual(order, [...order].sort((a, b) => mean(b).minus(mean(a)).sign() || (a < b ? -1 : 1)));
    assert.deepEqual(await pages(`/v1/leaderboard?scope=${scope}`), board);
    assert.deepEqual(await pages(`/v1/leaderboard?scope=${scope}&games_min=3`), board.filter((row) => row.games >= 3));
    // Nobody is rated by them.
    const [{ player }] = board;
    assert.equal((await ratings(player)).has('supermarche'), false);
  });
});
