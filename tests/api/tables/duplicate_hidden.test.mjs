// Nobody who still has to play a board sees anything of it, on any route. The twins are one event at
// two moments between which others have moved: what a caller gets must be the same, byte for byte.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { daily, isLong } from '../../long.mjs';
import { makeDuplicate, own, playHidden, readRound, seated } from '../support/duplicate.mjs';
import { askedOf, assertAllRoutes, lookAtAll } from '../support/every_route.mjs';
import { endQuietly, makePlayer, makePlayers, Random } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

const random = new Random('duplicate hidden');
let bed;
let client;
let organizer;
let stranger;
let players;
let event;
let games;
let arbiter;
let season; // of which the event is part
let dispute; // over the first game
const told = []; // every byte that was sent before the round was complete

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, stranger] = await makePlayers(client, 2, 'Somebody');
  players = [organizer, ...(await makePlayers(client, 8))]; // nine at tables of four: one sits out
  event = await makeDuplicate(client, organizer, players, { boards: 3, seats_preferred: 4 });
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  games = seated(round, players);
  const complaint = { claim: 'rules', text: 'I hold two of Kita.' };
  dispute = good(await client.post(`/v1/games/${games[0].id}/disputes`, complaint, games[0].players[0].token));
  season = good(await client.post('/v1/seasons', { name: 'A season' }, organizer.token));
  good(await client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, organizer.token));
  await bed.logged();
});
after(() => bed.end());

const numbers = [1, 2, 3];
const eventAt = () => `/v1/events/${event.id}`;
// What is said of each player is asked each day of three of them.
const looked = () => ({ event, games, players: [...(isLong ? players : players.slice(0, 3)), stranger], season, dispute });
// Each day these are nobody and one player.
const some = (watchers) => (isLong ? watchers : [watchers[0], watchers[2]]);

// Everything that a caller gets, as { `GET target`: text of status, header and body }.
const lookAround = (token) => lookAtAll(client, token, askedOf(looked()), { told });

const sits = (player, game) => game.players.some((each) => each.id === player?.id);

// Looks with the eyes of `watchers` before and after `happen`; calls `compare` with both.
const same = (now, then) => {
  assert.deepEqual(Object.keys(now), Object.keys(then));
  for (const [target, text] of Object.entries(now)) assert.equal(text, then[target], target);
};
async function twins(watchers, happen, compare = same) {
  const before = [];
  await bed.logged();
  for (const watcher of watchers) before.push(await lookAround(watcher?.token));
  await happen();
  await bed.logged();
  for (const [i, watcher] of watchers.entries()) compare(await lookAround(watcher?.token), before[i]);
}

// Where a page says whether the game runs, how many tables are done, and what follows from that: tables that still play come first.
const blotPage = (text) => text.replace(/(<th scope="row">Shinjuku, round 1, table 1, board 1<\/th><td>)(running|finished)</, '$1?<')
  .replace(/(<td class="number">1<\/td><td class="number">1<\/td>.*<td>)(playing|finished)(<\/td><\/tr>)/g, '$1?$3')
  .replace(/(<tr class="row"><td class="number">.*\n)+/g, (rows) => rows.split('\n').sort().join('\n'))
  .replace(/\d+ of (\d+) finished/, '? of $1 finished').replace(/data-changes="\d+"/, '')
  .replace(/etag: "[^"]*"/i, '').replace(/content-length: \d+/i, '')
  .replace(/(?:^<tr class="row">.*<\/tr>\n)+/gm, (rows) => `${rows.trimEnd().split('\n').sort().join('\n')}\n`);

// That a table has finished may be known: these words, and nothing else, are blotted out. A stream of
// the event tells it in one message more.
const finish = (game) => (now, then) => {
  const blot = (text) => {
    const [head, body] = [text.slice(0, text.indexOf('\n\n')), text.slice(text.indexOf('\n\n') + 2)];
    if (/text\/html/.test(head)) return blotPage(text);
    if (!/json/.test(head) || /x-ndjson/.test(head)) return text;
    const seek = (value) => {
      if (value === null || typeof value !== 'object') return value;
      for (const each of Object.values(value)) seek(each);
      if (value.id === game.id && value.hidden) value.state = '?';
      if ('tables_finished' in value) value.tables_finished = '?';
      if ('changes' in value) value.changes = '?';
      return value;
    };
    const blotted = JSON.stringify(seek(JSON.parse(body)));
    // The tag of an answer follows from its bytes.
    return head.replace(/content-length: \d+/i, '').replace(blotted === body ? '' : /etag: "[^"]*"/i, '') + blotted;
  };
  const isRunning = (target) => /state=running/.test(target);
  for (const [target, text] of Object.entries(now)) {
    if (isRunning(target)) continue;
    if (target === `GET ${eventAt()}/stream`) {
      assert.ok(text.startsWith(then[target]));
      const [, told] = /^id: \d+\nevent: game\ndata: (.*)\n\n$/.exec(text.slice(then[target].length));
      const { id, state, hidden, finished_at: at, seats } = JSON.parse(told);
      assert.deepEqual([id, state, hidden, at], [game.id, 'finished', true, null]);
      assert.ok(seats.every((seat) => seat.score === null && seat.rank === null && !seat.fallback));
      continue;
    }
    assert.equal(blot(text), blot(then[target]), target);
  }
};

describe('while a duplicate round is played', () => {
  it('the twins are asked for every route that there is', () => {
    assertAllRoutes(askedOf(looked()));
  });

  it('outsiders, and players elsewhere, see the same bytes whatever is played', async () => {
    const game = games[0];
    const watchers = [undefined, stranger, ...players.filter((player) => !sits(player, game))];
    assert.ok(watchers.length >= 6);
    await twins(some(watchers), () => playHidden(client, game, random, 25));
    assert.ok((await own(client, game)).plies >= 25);
  });

  it('an arbiter can end a stalled table, and sees no more of it; who has the board before them cannot', async () => {
    const game = games.find((each) => !sits(organizer, each));
    arbiter = await makePlayer(client, 'Arbiter');
    good(await client.post(`${eventAt()}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
    await bed.logged();
    await twins(isLong ? [undefined, organizer, arbiter] : [organizer, arbiter], async () => {
      const seat = game.players.length - 1;
      const refused = await client.post(`${game.at}/fallback`, { seat }, organizer.token);
      assert.equal(`${refused.status} ${refused.json.code}`, '403 party-to-the-game');
      told.push(refused.bytes);
      const answer = await client.post(`${game.at}/fallback`, { seat }, arbiter.token);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
      told.push(answer.bytes);
      assert.equal((await own(client, game)).seats[seat].fallback, true);
    });
    const stranger403 = await client.post(`${game.at}/fallback`, { seat: 0 }, stranger.token);
    assert.equal(stranger403.status, 404);
  });

  it('for all others a hidden game is not there: as if nobody had ever made it', async () => {
    const nothing = '0193a2b4-5c6d-7e8f-9012-3456789abcde';
    for (const game of daily(games, 2))
      for (const watcher of [stranger, ...players.filter((player) => !sits(player, game))])
        for (const rest of ['', '/view', '/view?seq=0', '/events', '/stream', '/legal-moves', '/record', '/verification']) {
          const shut = await client.get(game.at + rest, { token: watcher.token });
          const none = await client.get(`/v1/games/${nothing}${rest}`, { token: watcher.token });
          assert.equal(shut.status, 404);
          assert.equal(shut.text, none.text);
        }
  });

  it('a table that has ended shows that it has, and no more, not even to its own players', async () => {
    const [game] = games;
    const watchers = [undefined, stranger, ...players.filter((player) => !sits(player, game))];
    await twins(some(watchers), () => playHidden(client, game, random), finish(game));
    const round = await readRound(client, event, 1);
    const shown = round.games.find((each) => each.id === game.id);
    assert.equal(shown.state, 'finished');
    assert.equal(shown.hidden, true);
    assert.equal(shown.finished_at, null);
    assert.ok(shown.seats.every((seat) => seat.score === null && seat.rank === null && !seat.fallback));
    const seen = await own(client, game);
    assert.equal(seen.hidden, false);
    assert.equal(seen.state, 'finished');
    assert.deepEqual(seen.deciders, []);
    assert.ok(seen.seats.every((seat) => seat.score === null));
    const text = (await client.get(`${game.at}/record`, { token: game.players[0].token })).text;
    assert.doesNotMatch(text, / reveal | result |^head /m);
    assert.equal(good(await client.get(`${game.at}/verification`, { token: game.players[0].token })).verdict, 'unfinished');
    const refused = await client.post(`${game.at}/moves`, { moves: ['end'] }, game.players[0].token);
    assert.equal(refused.json.code, 'game-over');
  });

  it('its players see their seat of it, like everywhere', async () => {
    const game = games[1];
    for (const [seat, player] of game.players.entries()) {
      const view = good(await client.get(`${game.at}/view`, { token: player.token }));
      assert.deepEqual(view.viewer, { kind: 'seat', seat });
      assert.equal(good(await client.get(`${game.at}/legal-moves`, { token: player.token })).seat, seat);
    }
  });

  it('nothing is compared before the last table has ended', async () => {
    for (const game of games.slice(1, -1)) await endQuietly(client, game, arbiter);
    const standings = good(await client.get(`${eventAt()}/standings`, { token: players[0].token }));
    assert.ok(standings.rows.every((row) => row.played === 0 && row.points.numerator === 0 && row.rounds.length === 0));
    for (const number of numbers) {
      const traveller = good(await client.get(`${eventAt()}/rounds/1/boards/${number}`));
      assert.equal(traveller.state, 'hidden');
      assert.equal(traveller.tables, 2);
      assert.deepEqual(traveller.results, []);
    }
    assert.deepEqual(good(await client.get('/v1/leaderboard')).items, []);
    assert.equal((await readRound(client, event, 1)).secret, null);
  });

  it('then all of it is open to everybody at once', async () => {
    // The round's secret must not have been told to anybody before; nor what fixes a board's luck.
    await Promise.all(players.slice(0, isLong ? 3 : 1).map((player) => lookAround(player.token)));
    await endQuietly(client, games.at(-1), arbiter);
    const round = await readRound(client, event, 1);
    assert.equal(round.state, 'finished');
    for (const secret of [Buffer.from(round.secret), Buffer.from(round.secret, 'hex')]) {
      assert.ok(told.length > (isLong ? 1000 : 500), String(told.length));
      for (const bytes of told) assert.ok(!bytes.includes(secret));
      assert.ok(!bed.written().includes(secret));
    }
    for (const game of round.games) {
      assert.equal(game.hidden, false);
      assert.ok(game.seats.every((seat) => seat.score !== null && seat.rank !== null));
      const { text } = await client.get(`/v1/games/${game.id}/record`);
      assert.equal(bed.verify(text).status, 0);
      assert.equal(good(await client.get(`/v1/games/${game.id}/verification`)).verdict, 'valid');
    }
    for (const number of numbers) {
      const traveller = good(await client.get(`${eventAt()}/rounds/1/boards/${number}`));
      assert.equal(traveller.state, 'open');
      assert.equal(traveller.results.length, 8);
      assert.equal(traveller.missing.length, 1);
    }
  });

  it('keeps the secret sealed in a schema of its own', () => {
    assert.equal(bed.cluster.sql("SET ROLE tillroll_owner; SELECT count(*) FROM tillroll_vault.round_secret WHERE octet_length(sealed) = 72"), '1');
    assert.equal(bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll_vault.game_secret'), '0');
  });
});
