// What the rules hide reaches nobody, on any route. Three services serve one database, and two of them
// believe in another deal (twin_catalog.c): in theirs seat 0, or seat 1, of every game holds other
// cards, coins, orders, and all piles end differently. The record, and so all that others may know, is
// the same. So is every byte that they get; and the seat itself sees the difference.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeDuplicate, seated } from '../support/duplicate.mjs';
import { isLong } from '../../long.mjs';
import { askedOf, assertAllRoutes, lookAt, lookAtAll } from '../support/every_route.mjs';
import { readFigures } from '../support/figures.mjs';
import { makeGame, makePlayers, Random } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('noninterference');
// So many plies of each are played (each day a quarter of that). Super Motherload deals before anybody has chosen.
const dealt = { decks: 'seat', sides: 'drawn' };
const rulesets = [
  { ruleset: 'mall-world', plies: 20 },
  { ruleset: 'shinjuku', plies: 20 },
  { ruleset: 'super-motherload', plies: 14, options: dealt },
  { ruleset: 'superstore-3000', plies: 18 },
];
let bed;
let client; // of the service that deals as it should
let twins; // { client, seat } of the others
let organizer;
let arbiter;
let stranger; // who plays in another event
let players;
const tables = []; // { event, game, bank }: bank holds moves that were legal somewhen
let season;
let dispute; // over a game that goes on

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService([], {}, 'tests/twin_tillrolld'));
  twins = [];
  for (const seat of [0, 1]) {
    const service = await bed.startService([], { TILLROLL_TWIN: String(seat) }, 'tests/twin_tillrolld');
    twins.push({ client: service.client, seat });
  }
  [organizer, arbiter] = await makePlayers(client, 2, 'Official');
  players = await makePlayers(client, 3);
  const others = await makePlayers(client, 3, 'Stranger');
  [stranger] = others;
  for (const { plies, ...settings } of rulesets) {
    const { event, game } = await makeGame(client, organizer, players, { ...settings, name: settings.ruleset });
    tables.push({ event, game, plies, bank: new Set() });
  }
  const solo = await makeDuplicate(client, organizer, players, { ruleset: 'supermarche', boards: 1, name: 'For one' });
  const round = good(await client.post(`/v1/events/${solo.id}/rounds`, {}, organizer.token));
  for (const game of seated(round, players)) tables.push({ event: solo, game, plies: 4, bank: new Set() });
  await makeGame(client, organizer, others, { name: 'Elsewhere' });
  const complaint = { claim: 'rules', text: 'I hold something else.' };
  dispute = good(await client.post(`${tables[1].game.at}/disputes`, complaint, players[0].token));
  season = good(await client.post('/v1/seasons', { name: 'A season' }, organizer.token));
  for (const { event } of tables.slice(0, 4)) {
    good(await client.post(`/v1/events/${event.id}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
    good(await client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, organizer.token));
  }
});
after(() => bed.end());

const seatOf = (player, game) => game.players.findIndex((each) => each.id === player?.id);
const legalAt = async (at, game, seat) =>
  good(await at.get(`${game.at}/legal-moves`, { token: game.players[seat].token }));
const positionAt = async (at, game) => good(await at.get(game.at, { token: game.players[0].token }));

// The others have heard of all that the first has stored.
async function settle({ game, event }) {
  const { seq } = await positionAt(client, game);
  const { changes } = good(await client.get(`/v1/events/${event.id}`));
  for (const twin of twins)
    await until(20, 'the twin has heard', async () =>
      (await positionAt(twin.client, game)).seq === seq && good(await twin.client.get(`/v1/events/${event.id}`)).changes === changes);
}

// Leads to an auction of several, in which the worlds part as soon as all bids are in.
const isOffer = (move) => /^offer \S+ /.test(move);
const isUsual = (move) => !isOffer(move) && move !== 'draw'; // cards of Super Motherload come round again

// What waits for the transparency log is in it, and all have seen it.
async function settleLog() {
  await bed.logged();
  await until(20, 'all have the same checkpoint', async () => {
    const texts = await Promise.all([client, ...twins.map((twin) => twin.client)].map(async (at) => (await at.get('/v1/log/checkpoint')).text));
    return new Set(texts).size === 1;
  });
}

// One ply that is legal in all three worlds.
async function playOne(table, wanted = isUsual) {
  const { game, bank } = table;
  const { deciders } = await positionAt(client, game);
  assert.ok(deciders.length > 0, `${table.event.name} is over`);
  for (let tries = 0; tries < 12; tries++) {
    const seat = random.pick(deciders);
    const legal = await legalAt(client, game, seat);
    const there = await Promise.all(twins.map((twin) => legalAt(twin.client, game, seat)));
    const common = legal.moves.filter((move) => there.every((each) => each.moves.includes(move)));
    if (common.length === 0) continue;
    for (const move of [common[0], random.pick(common), common.at(-1)]) bank.add(move);
    const fit = common.filter(wanted);
    const move = random.pick(fit.length > 0 ? fit : common);
    good(await client.post(`${game.at}/moves`, { moves: [move], seq: legal.seq }, game.players[seat].token));
    await settle(table);
    return;
  }
  assert.fail(`${table.event.name}: the worlds have parted`);
}

// Each day nobody, an official and two of the players.
const watchers = () => (isLong ? [undefined, stranger, organizer, arbiter, ...players] : [undefined, arbiter, ...players.slice(0, 2)]);

// Odds are played ten thousand times, and cards are drawn: that nobody sees a difference there has to do each day, and of one event.
const isAsked = (watcher, event) => (target) => isLong || !/\/(odds|card\.png)$/.test(target) || (watcher === undefined && event === tables[0].event);

// What one caller gets everywhere, game by game and then of all that belongs to no game.
async function lookEverywhere(at, watcher, tables, all) {
  const byGame = {};
  for (const { event, game } of tables) {
    const asked = askedOf({ event, games: [game], players: [...players, stranger], season, dispute });
    byGame[game.id] = await lookAtAll(at, watcher?.token, Object.fromEntries(Object.entries(asked).map(([route, targets]) => [
      route, () => targets().filter((target) => /\/games\/[0-9a-f]/.test(target))])), { unchecked: true });
  }
  const shared = {};
  // Each day everybody looks at every second event, and every event is looked at by every second of them.
  const events = [...new Set(tables.map((table) => table.event))].filter((_, i) => all && (isLong || (i + watchers().indexOf(watcher)) % 2 === 0));
  for (const event of events) {
    const asked = askedOf({ event, games: [], players: [...players, stranger], season, dispute });
    const fresh = Object.entries(asked).map(([route, targets]) => [route, () => targets().filter((target) => !(`${route.split(' ')[0]} ${target}` in shared)).filter(isAsked(watcher, event))]);
    Object.assign(shared, await lookAtAll(at, watcher?.token, Object.fromEntries(fresh), { unchecked: true }));
  }
  return { byGame, shared };
}

let looked = 0;
function assertSame(here, there, what) {
  assert.deepEqual(Object.keys(there), Object.keys(here));
  for (const target of Object.keys(here)) assert.equal(there[target], here[target], `${what}: ${target}`);
  looked += Object.keys(here).length;
}

// `among`: who looks. `shared`: also at what belongs to no game.
async function compareWorlds(tables, { among = watchers(), shared = true } = {}) {
  for (const watcher of among) {
    const [here, ...there] = await Promise.all([client, ...twins.map((twin) => twin.client)].map((at) => lookEverywhere(at, watcher, tables, shared)));
    for (const [i, { seat }] of twins.entries()) {
      const what = `${watcher?.name ?? 'nobody'}, seat ${seat} has other things`;
      assertSame(here.shared, there[i].shared, what);
      for (const { game } of tables) {
        if (seatOf(watcher, game) === seat && game.players.length > 1) continue;
        assertSame(here.byGame[game.id], there[i].byGame[game.id], what);
      }
    }
  }
}

// The worlds are different ones: the seat that has other things sees it.
async function assertTwisted({ game }) {
  for (const twin of game.players.length > 1 ? twins : []) {
    const { token } = game.players[twin.seat];
    const [here, there] = await Promise.all([client, twin.client].map((at) => at.get(`${game.at}/view`, { token })));
    assert.notEqual(there.text, here.text, `seat ${twin.seat} of ${game.id}`);
  }
}

describe('in worlds that differ in what is hidden', () => {
  it('every route is asked, or there is a reason', () => {
    assertAllRoutes(askedOf({ ...tables[0], games: [tables[0].game], players, season, dispute }));
  });

  it('all bytes of all routes are the same', async () => {
    for (const table of tables) {
      await settle(table);
      for (let ply = 0; ply < table.plies / (isLong ? 1 : 4); ply++) await playOne(table);
      await assertTwisted(table);
    }
    await settleLog();
    await compareWorlds(tables);
    assert.ok(looked > (isLong ? 2000 : 600), String(looked));
  });

  // But for what takes time or memory.
  it('so are the figures of what was asked', async () => {
    const count = async (at) => readFigures((await at.get('/metrics')).text);
    const worlds = [client, ...twins.map((twin) => twin.client)];
    const before = await Promise.all(worlds.map(count));
    await compareWorlds(tables.slice(0, 1), { among: isLong ? watchers() : [players[0]] });
    const now = await Promise.all(worlds.map(count));
    const grown = ['tillroll_http_requests_total', 'tillroll_limit_refused_total', 'tillroll_commit_writes', 'tillroll_clocks_expired_total', 'tillroll_timers_done_total'];
    const [here, ...there] = worlds.map((_, i) => grown.flatMap((name) => now[i].families.get(name).samples.map((each) =>
      `${each.name} ${JSON.stringify(each.labels)} ${each.value - before[i].value(each.name, each.labels)}`)).filter((line) => !/ 0$/.test(line)));
    assert.ok(here.length > 20, here.join('\n'));
    for (const each of there) assert.deepEqual(each, here);
  });

  it('moves are refused with the same words', async () => {
    let refused = 0;
    for (const { game, bank } of tables)
      for (const [seat, player] of game.players.entries()) {
        const { seq } = await positionAt(client, game);
        const worlds = [client, ...twins.filter((twin) => twin.seat !== seat || game.players.length === 1).map((twin) => twin.client)];
        const legal = new Set((await Promise.all(worlds.map((at) => legalAt(at, game, seat)))).flatMap((each) => each.moves));
        const moves = [...bank, 'no move at all', 'bid 99'].filter((move) => !legal.has(move)).slice(isLong ? -25 : -8);
        for (const move of moves) {
          const look = (at) => lookAt(at, player.token, 'POST', `${game.at}/moves`, { json: { moves: [move], seq } });
          const [here, ...there] = await Promise.all(worlds.map(look));
          assert.match(here, /^4/);
          for (const each of there) assert.equal(each, here, `${move} of seat ${seat}`);
          refused++;
        }
      }
    assert.ok(refused > (isLong ? 200 : 60), String(refused));
  });

  it('a bid is nobody’s but its bidder’s, and so is that it was made', async () => {
    const table = tables.find((each) => each.event.name === 'mall-world');
    for (let ply = 0; (await positionAt(client, table.game)).deciders.length < 2; ply++) {
      assert.ok(ply < 60, 'no auction');
      await playOne(table, isOffer);
    }
    const { seq } = await positionAt(client, table.game);
    for (const [seat, player] of table.game.players.slice(0, 2).entries()) {
      const { moves } = await legalAt(client, table.game, seat);
      if (moves.length > 1) good(await client.post(`${table.game.at}/moves`, { moves: [moves.at(-1)], seq }, player.token));
    }
    await settle(table);
    await assertTwisted(table);
    await compareWorlds([table], { shared: isLong });
  });
});
