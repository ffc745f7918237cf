// The main job: an event from its first player to its last standing, over HTTP, with everything that
// it claims worked out again from what it shows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { legalMoves, makeEvent, now, play, playRandomly, Random, soonOver, startRound } from '../support/play.mjs';
import { commitmentTo, isSigned, mark, readChain, readRecord } from '../support/record.mjs';
import { bed, client, organizer, players, serve } from '../support/served.mjs';

const random = new Random('event');
let event;
const rounds = [];
const receipts = new Map(); // game id -> receipts in order
const running = new Map(); // game id -> records as they were while it ran
serve({ players: 8 });

const textOf = async (game) => (await client.get(`${game.at}/record`)).text;
const games = () => rounds.flatMap((round) => round.games);

// Points of the default scheme, in 60ths: equal places share what they cover.
const scheme = { 2: [5, 1], 3: [5, 2, 1], 4: [5, 3, 2, 1], 5: [5, 4, 3, 2, 1] };
function pointsOf(seats, seat) {
  const tied = seats.filter((each) => each.rank === seat.rank).length;
  const covered = scheme[seats.length].slice(seat.rank - 1, seat.rank - 1 + tied);
  return (covered.reduce((sum, points) => sum + points, 0) * 60) / tied;
}

async function playWithReceipts(game) {
  receipts.set(game.id, []);
  running.set(game.id, []);
  await playRandomly(client, game, random, {
    each: async ({ answer }) => {
      receipts.get(game.id).push(answer.receipt);
      if (!answer.finished && receipts.get(game.id).length % 40 === 0) running.get(game.id).push(await textOf(game));
    },
  });
}

describe('an event', () => {
  it('begins with a draft whose luck is committed to', async () => {
    const made = await client.post(
      '/v1/events',
      { name: 'Friday night', ruleset: soonOver, seats_min: 3, seats_max: 4, rounds: 3 },
      organizer.token,
    );
    assert.equal(made.status, 201);
    event = made.json;
    assert.equal(made.headers.location, `/v1/events/${event.id}`);
    assert.equal(event.state, 'draft');
    assert.deepEqual(event.seats, { min: 3, max: 4, preferred: 4 });
    const { secret, changes, cancelled_reason: cancelledReason, last_round: last, may, ...rest } = good(await client.get(made.headers.location));
    assert.equal(secret, null);
    assert.equal(changes, 1);
    assert.equal(cancelledReason, null);
    assert.equal(last, 3);
    assert.deepEqual(may, { enter: 'closed', bye_from: null, players_missing: 0, return: true, close: false, cancel: true });
    assert.deepEqual(rest, event);
  });

  it('takes entries while they are open', async () => {
    const at = `/v1/events/${event.id}`;
    assert.equal((await client.post(`${at}/entries`, {}, players[0].token)).json.code, 'wrong-state');
    assert.equal(good(await client.post(`${at}/open-entries`, {}, organizer.token)).state, 'entries_open');
    for (const player of players) {
      const entry = good(await client.post(`${at}/entries`, {}, player.token));
      assert.equal(entry.player.id, player.id);
      assert.equal(entry.number, null);
    }
    assert.equal((await client.delete(`${at}/entries/${players[3].id}`, players[3].token)).status, 204);
    assert.equal(good(await client.get(at)).entries, 7);
    good(await client.post(`${at}/entries`, {}, players[3].token));
    const closed = good(await client.post(`${at}/close-entries`, {}, organizer.token));
    assert.equal(closed.state, 'entries_closed');
    assert.equal(closed.entries, 8);
    const entries = good(await client.get(`${at}/entries`)).items;
    assert.deepEqual(entries.map((entry) => entry.number), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(
      entries.map((entry) => entry.player.id),
      [0, 1, 2, 4, 5, 6, 7, 3].map((each) => players[each].id),
    );
    assert.equal((await client.post(`${at}/entries`, {}, organizer.token)).json.code, 'wrong-state');
  });

  it('is played in three rounds, one player dropping out before the last', async () => {
    for (let number = 1; number <= 3; number++) {
      if (number === 3)
        assert.equal((await client.delete(`/v1/events/${event.id}/entries/${players[5].id}`, organizer.token)).status, 204);
      const round = await startRound(client, event, organizer, players);
      rounds.push(round);
      assert.equal(round.number, number);
      assert.equal(round.state, 'running');
      const seated = round.games.flatMap((game) => game.players.map((player) => player.id));
      assert.equal(new Set(seated).size, seated.length);
      assert.equal(seated.length, number === 3 ? 7 : 8);
      assert.deepEqual(round.games.map((game) => game.players.length).sort(), number === 3 ? [3, 4] : [4, 4]);
      const early = await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token);
      assert.equal(early.json.code, 'round-running');
      // The tables play at the same time.
      await Promise.all(round.games.map(playWithReceipts));
      const finished = good(await client.get(`/v1/events/${event.id}/rounds/${number}`));
      assert.equal(finished.state, 'finished');
      assert.equal(finished.tables_finished, 2);
    }
    const late = await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token);
    assert.equal(late.json.code, 'no-more-rounds');
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).state, 'running');
  });

  it('gave a signed receipt for every move, with the head that the record has there', async () => {
    const { keys } = good(await client.get('/v1/keys'));
    for (const game of games()) {
      const record = readRecord(await textOf(game));
      const plies = record.entries.filter((entry) => entry.seat !== null);
      assert.equal(receipts.get(game.id).length, plies.length);
      receipts.get(game.id).forEach((receipt, at) => {
        assert.equal(receipt.game, game.id);
        assert.equal(receipt.seq, plies[at].seq);
        assert.equal(receipt.head, plies[at].head);
        assert.ok(isSigned(receipt, keys));
        assert.ok(!isSigned({ ...receipt, seq: receipt.seq + 1 }, keys));
      });
    }
  });

  it('gave receipts that hold it to its word', async () => {
    const { keys } = good(await client.get('/v1/keys'));
    const [game, other] = games();
    const text = await textOf(game);
    const key = keys[0].public_key;
    for (const receipt of [receipts.get(game.id)[0], receipts.get(game.id).at(-1)]) {
      const { status, output } = bed.verifyReceipt({ receipt }, key, text);
      assert.equal(status, 0, output);
      assert.match(output, /: kept: entry \d+ is the one that was promised/);
      assert.match(bed.verifyReceipt(receipt, 'ab'.repeat(32), text).output, /invalid: not signed with this key/);
      assert.match(bed.verifyReceipt(receipt, key, await textOf(other)).output, /other-game/);
      assert.equal(bed.verifyReceipt({ ...receipt, seq: 1.5 }, key, text).status, 2);
    }
    // What was promised is neither in a record that ends before it nor in one with another entry there.
    const receipt = receipts.get(game.id)[3];
    const texts = readChain(text).map((line) => line.text);
    const at = texts.findIndex((line) => line.startsWith(`${receipt.seq} `));
    const cut = bed.verifyReceipt(receipt, key, mark(texts.slice(0, at)));
    assert.deepEqual([cut.status, /no-entry/.test(cut.output)], [1, true], cut.output);
    const changed = bed.verifyReceipt(receipt, key, mark(texts.map((line, n) => (n === at ? `${line} x` : line))));
    assert.deepEqual([changed.status, /other-entry/.test(changed.output)], [1, true], changed.output);
  });

  it('kept records that only grew, and told no secret while they ran', async () => {
    for (const game of games()) {
      const final = await textOf(game);
      const { secret } = readRecord(final);
      assert.ok(running.get(game.id).length > 0);
      for (const text of running.get(game.id)) {
        assert.ok(final.startsWith(text));
        assert.ok(!text.includes(secret));
        assert.doesNotMatch(text, / reveal | result |^head /m);
        readChain(text);
      }
    }
  });

  it('ended each game with a record whose chain, commitment and results hold', async () => {
    for (const game of games()) {
      const text = await textOf(game);
      const record = readRecord(text);
      assert.equal(record.header.commit, commitmentTo(game.id, record.secret));
      assert.equal(record.header.game.split(' ')[0], game.id);
      assert.equal(record.header.event, `${event.id} round ${game.event.round} table ${game.event.table} board -`);
      assert.deepEqual(record.seats, game.players.map(({ id, name }) => ({ player: id, name })));
      assert.equal(record.end.said, record.end.before);
      const shown = await now(client, game);
      assert.equal(shown.state, 'finished');
      assert.deepEqual(record.results, shown.seats.map(({ seat, score, rank }) => ({ seat, score, rank })));
      for (const { score, rank } of record.results) {
        const ahead = record.results.filter((each) => each.score > score).length;
        const level = record.results.filter((each) => each.score === score).length;
        assert.ok(rank > ahead && rank <= ahead + level);
      }
      const ruleset = good(await client.get(`/v1/rulesets/${soonOver}`));
      assert.equal(record.header.game, `${game.id} ${soonOver} ${ruleset.version} ${ruleset.components_sha256}`);
      assert.deepEqual(good(await client.get(`${game.at}/verification`)), { game: game.id, verdict: 'valid', head: shown.head });
    }
  });

  it('has records that `tillroll verify` finds valid, and spoilt ones that it does not', async () => {
    for (const game of games()) {
      const text = await textOf(game);
      assert.equal(bed.verify(text).status, 0, bed.verify(text).output);
      assert.equal(bed.verify(text.replace(/ (\d+) (#[0-9a-f]{8}\nhead)/, ' 5 $2')).status, 1);
      assert.equal(bed.verify(running.get(game.id)[0]).status, 2);
    }
  });

  it('has standings that follow from the results', async () => {
    for (let last = 0; last <= 3; last++) {
      const standings = good(await client.get(`/v1/events/${event.id}/standings?after_round=${last}`));
      const points = new Map(players.map((player) => [player.id, 0]));
      for (const round of rounds.slice(0, last))
        for (const game of round.games) {
          const { seats } = await now(client, game);
          for (const seat of seats) points.set(seat.player.id, points.get(seat.player.id) + pointsOf(seats, seat));
        }
      assert.equal(standings.rows.length, 8);
      for (const row of standings.rows)
        assert.equal(row.points.numerator * 60, points.get(row.player.id) * row.points.denominator);
      const order = standings.rows.map((row) => points.get(row.player.id));
      assert.deepEqual(order, [...order].sort((a, b) => b - a));
      assert.deepEqual(standings.rows.map((row) => row.rank), [1, 2, 3, 4, 5, 6, 7, 8]);
      for (const row of standings.rows) {
        const strips = row.rounds.filter((each) => each.kind === 'played');
        assert.equal(row.played, strips.length);
        for (const strip of strips) {
          const game = games().find((each) => each.id === strip.game);
          assert.equal(game.event.round, strip.round);
          assert.equal(game.players[strip.seat].id, row.player.id);
        }
      }
    }
  });

  it('moved the ratings, and the leaderboard is in their order', async () => {
    const best = good(await client.get('/v1/leaderboard')).items;
    assert.equal(best.length, 8);
    const order = best.map((each) => each.rating_millionths);
    assert.deepEqual(order, [...order].sort((a, b) => b - a));
    assert.ok(new Set(order).size > 4);
    for (const each of best) {
      assert.equal(each.rating_millionths, each.mu_millionths - 3 * each.sigma_millionths);
      assert.equal(each.games, games().filter((game) => game.players.some((player) => player.id === each.player.id)).length);
      const own = good(await client.get(`/v1/players/${each.player.id}/ratings`)).items;
      assert.deepEqual(own.map((rating) => rating.scope).sort(), ['overall', soonOver]);
      assert.deepEqual(own.find((rating) => rating.scope === 'overall'), each);
    }
    const pages = [];
    for (let next = ''; next !== null; ) {
      const page = good(await client.get(`/v1/leaderboard?scope=${soonOver}&limit=3${next && `&after=${next}`}`));
      pages.push(...page.items.map((each) => each.player.id));
      next = page.next;
    }
    assert.deepEqual(pages, best.map((each) => each.player.id));
  });

  it('gave the ratings with which its players enter the next one', async () => {
    const made = await makeEvent(client, organizer, players.slice(0, 3), { ruleset: soonOver });
    const log = (await client.get(`/v1/events/${made.id}/bundle`)).text.trim().split('\n').map((line) => JSON.parse(line));
    const entered = log.filter((line) => line.kind === 'entered').map(({ detail }) => detail);
    assert.equal(entered.length, 3);
    for (const { player, rating, strength } of entered) {
      const now = good(await client.get(`/v1/players/${player}/ratings`)).items.find((each) => each.scope === soonOver);
      assert.deepEqual(strength, [now.mu_millionths, now.sigma_millionths]);
      assert.equal(rating, Math.max(1, Math.trunc(now.rating_millionths / 1000)));
    }
  });

  it('has a history of each rating: game by game, each from where the one before ended', async () => {
    for (const { player, ...now } of good(await client.get(`/v1/leaderboard?scope=${soonOver}`)).items) {
      const changes = [];
      for (let next = ''; next !== null; ) {
        const page = good(await client.get(`/v1/players/${player.id}/ratings/history?scope=${soonOver}&limit=2${next && `&after=${next}`}`));
        assert.ok(page.items.length <= 2);
        changes.push(...page.items);
        next = page.next;
      }
      assert.equal(changes.length, now.games);
      assert.deepEqual(changes[0].after, { mu_millionths: now.mu_millionths, sigma_millionths: now.sigma_millionths, volatility_billionths: null, rating_millionths: now.rating_millionths, display: now.display });
      changes.forEach((change, i) => {
        assert.ok(games().find((game) => game.id === change.game).players.some((each) => each.id === player.id));
        assert.deepEqual(change.before, i + 1 < changes.length ? changes[i + 1].after : { mu_millionths: 25e6, sigma_millionths: 8333333, volatility_billionths: null, rating_millionths: 25e6 - 3 * 8333333, display: { rating: 1500, deviation: 350, ranked_by: 450 } });
      });
      assert.deepEqual(good(await client.get(`/v1/players/${player.id}/ratings/history`)).items.map((each) => each.game), changes.map((each) => each.game));
    }
  });

  it('refuses a history that makes no sense', async () => {
    const [{ player }] = good(await client.get('/v1/leaderboard')).items;
    const path = `/v1/players/${player.id}/ratings/history`;
    const other = games().find((game) => !game.players.some((each) => each.id === player.id));
    for (const query of ['scope=chess', 'limit=0', `after=${player.id}`, `after=${other.id}`, 'page=2']) {
      const answer = await client.get(`${path}?${query}`);
      assert.deepEqual([answer.status, answer.json.code], [400, 'bad-parameter'], query);
    }
    assert.deepEqual(good(await client.get(`${path}?scope=mall-world`)), { items: [], next: null });
    assert.equal((await client.get(`/v1/players/${other.id}/ratings/history`)).status, 404);
  });

  it('is closed, which reveals what its draws came from', async () => {
    const closed = good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    assert.equal(closed.state, 'closed');
    assert.equal(commitmentTo(event.id, closed.secret), event.commitment);
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).secret, closed.secret);
    assert.equal(good(await client.get(`/v1/events/${event.id}/standings`)).state, 'final');
  });

  it('has every step in its log', async () => {
    const steps = good(await client.get(`/v1/events/${event.id}/log`)).items;
    const entered = players.map((player) => ['entered', player.id]);
    // What follows from games is nobody's step, and comes in any order within a round.
    const results = [['result', null], ['result', null]];
    const round = [['round_drawn', organizer.id], ['round_started', organizer.id], ...results];
    assert.deepEqual(
      steps.map((step) => [step.kind, step.by?.id ?? null]),
      [
        ['created', organizer.id],
        ['entries_opened', organizer.id],
        ...entered,
        ['withdrawn', players[3].id],
        ['entered', players[3].id],
        ['entries_closed', organizer.id],
        ['stage_started', organizer.id],
        ...round,
        ...round,
        ['dropped', organizer.id],
        ...round,
        ['closed', organizer.id],
      ],
    );
    assert.deepEqual(steps.map((step) => step.seq), steps.map((_, at) => at + 1));
    assert.deepEqual(steps[0].detail, event.settings);
    assert.deepEqual(steps.filter((step) => step.kind === 'round_started').map((step) => step.detail.round), [1, 2, 3]);
  });

  it('shows in lists what it shows alone, page by page', async () => {
    const listed = [];
    for (let next = ''; next !== null; ) {
      const page = good(await client.get(`/v1/games?limit=2${next && `&after=${next}`}`));
      assert.ok(page.items.length <= 2);
      listed.push(...page.items);
      next = page.next;
    }
    assert.deepEqual(listed.map((game) => game.id).sort(), games().map((game) => game.id).sort());
    const mine = good(await client.get('/v1/me/games', { token: players[5].token })).items;
    assert.equal(mine.length, 2);
    assert.deepEqual(mine, good(await client.get(`/v1/players/${players[5].id}/games`)).items);
    assert.deepEqual(good(await client.get('/v1/games?state=running')).items, []);
    const everybody = good(await client.get('/v1/players')).items.map((player) => player.id);
    assert.deepEqual([...everybody].sort(), [organizer, ...players].map((player) => player.id).sort());
  });

  it('answers 304 to who has it already', async () => {
    const game = games()[0];
    for (const at of [game.at, `${game.at}/view`, `${game.at}/record`, `/v1/events/${event.id}/standings`]) {
      const { etag } = (await client.get(at)).headers;
      const again = await client.get(at, { headers: { 'If-None-Match': etag } });
      assert.equal(again.status, 304, at);
      assert.equal(again.text, '');
      assert.equal(again.headers.etag, etag);
      assert.equal((await client.get(at, { headers: { 'If-None-Match': '"other"' } })).status, 200);
    }
  });
});

describe('events at the edges', () => {
  it('with too few players left cannot be drawn', async () => {
    const small = await makeEvent(client, organizer, players.slice(0, 3));
    assert.equal((await client.delete(`/v1/events/${small.id}/entries/${players[0].id}`, players[0].token)).status, 204);
    const refused = await client.post(`/v1/events/${small.id}/rounds`, {}, organizer.token);
    assert.equal(refused.json.code, 'too-few-players');
    assert.deepEqual(good(await client.get(`/v1/events/${small.id}/rounds`)).items, []);
    assert.equal(good(await client.get(`/v1/events/${small.id}`)).state, 'entries_closed');
  });

  it('give a bye where the tables cannot take everybody, which counts the mean of a table of four', async () => {
    const five = await makeEvent(client, organizer, players.slice(0, 5), { rounds: 1 });
    const round = await startRound(client, five, organizer, players);
    assert.equal(round.games.length, 1);
    assert.equal(round.byes.length, 5 - round.games[0].players.length);
    const { rows } = good(await client.get(`/v1/events/${five.id}/standings`));
    for (const { player } of round.byes) {
      const row = rows.find((each) => each.player.id === player.id);
      assert.deepEqual(row.points, { numerator: 11, denominator: 4, text: '2.75' });
      assert.deepEqual(row.rounds.map((each) => each.kind), ['pairing_bye']);
    }
  });

  it('draw seats of two at the ruleset’s own options', async () => {
    const two = await makeEvent(client, organizer, players.slice(0, 2), {
      seats_min: 2, seats_max: 2, rounds: 1, options: { advanced: 'on' }, profile: 'power',
    });
    assert.deepEqual(two.options, { advanced: 'on' });
    const { games: [game] } = await startRound(client, two, organizer, players);
    assert.deepEqual(game.options, { advanced: 'on' });
    const view = good(await client.get(`${game.at}/view`)).view;
    assert.equal(view.advanced, true);
    assert.equal(view.matsuri, null);
    const legal = await legalMoves(client, game, 0);
    assert.ok(legal.moves.includes('end'));
    assert.equal((await play(client, game, 0, ['end'], legal.seq)).status, 200);
  });
});
