// Shinjuku on its map: a whole game played by clicking in two browsers, and what its board shows.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { legalMoves, makeGame, now, playRandomly, Random } from '../api/support/play.mjs';
import { readRecord } from '../api/support/record.mjs';
import { desktop, finish, overflow, phone, violations } from './support/browser.mjs';
import { daily, notLong } from '../long.mjs';
import { bed, client, organizer, players, read, reader } from './support/read.mjs';
import { clickOn, signIn } from './support/table.mjs';

const random = new Random('map');
const own = new Map(); // player -> that player's page
read({ players: 2 }, async () => {
  for (const player of players) own.set(player.id, await signIn(reader, player, '/leaderboard'));
});

// The page of a player, at a game.
async function at(player, game) {
  const page = own.get(player.id);
  await page.goto(`${reader.origin}/games/${game.id}`);
  await page.waitForSelector('.shinjuku');
  return page;
}

// Plays on over HTTP until a legal move of whoever decides is of this kind: { seat, moves, seq }.
async function untilLegal(game, verb) {
  for (;;) {
    const [seat] = (await now(client, game)).deciders;
    const legal = await legalMoves(client, game, seat);
    if (legal.moves.some((move) => move.split(' ')[0] === verb)) return { ...legal, seat, move: legal.moves.find((move) => move.split(' ')[0] === verb) };
    await playRandomly(client, game, random, { plies: 1 });
  }
}

describe('a whole game', () => {
  it('is played by clicking, in two browsers, each of which follows the other', { skip: notLong }, async () => {
    const { game } = await makeGame(client, organizer, players);
    const pages = await Promise.all(game.players.map((player) => at(player, game)));
    const clicked = pages.map(() => []);
    pages.forEach((page, seat) => page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/moves')) clicked[seat].push(...request.postDataJSON().moves);
    }));
    await Promise.all(pages.map((page, seat) => clickOn(page, seat + 1, 30)));
    const { seq, plies } = await now(client, game);
    for (const page of pages) {
      await page.waitForFunction((text) => document.querySelector('.where').textContent === text, `Line ${seq} of ${seq}`);
      assert.equal(await page.locator('.log ol > li').count(), seq);
      assert.equal(await page.locator('main .badge.good').textContent(), 'proved by replay');
    }
    const record = (await client.get(`${game.at}/record`)).text;
    assert.equal(bed.verify(record).status, 0);
    const played = readRecord(record).entries.filter((entry) => entry.seat !== null);
    assert.equal(clicked.flat().length, plies);
    pages.forEach((_, seat) => assert.deepEqual(played.filter((ply) => ply.seat === seat).map((ply) => ply.words.join(' ')), clicked[seat]));
    const verbs = new Set(clicked.flat().map((move) => move.split(' ')[0]));
    assert.ok(verbs.has('matsuri') && verbs.has('end') && verbs.size >= 4, [...verbs].join(' '));
    assert.deepEqual(await violations(pages[0]), []);
  });
});

describe('the map', () => {
  let game;
  before(async () => {
    ({ game } = await makeGame(client, organizer, players));
    await playRandomly(client, game, random, { plies: 80 });
  });

  it('has what the view has: Stores, track, customers, the Queue, the Matsuri', async () => {
    const page = await reader.open(`/games/${game.id}`);
    await page.waitForSelector('.shinjuku');
    const { view } = good(await client.get(`${game.at}/view`));
    const seatOf = (selector) => page.locator(selector).evaluateAll((all) => all.map((each) => [each.parentNode.id.replace('station-', ''), Number(/seat-(\d)/.exec(each.getAttribute('class'))[1])]));
    assert.deepEqual(new Map(await seatOf('.station > .store')), new Map(Object.entries(view.stores).map(([id, store]) => [id, store.seat])));
    assert.equal(await page.locator('.track').count(), view.track.filter((each) => each.seat !== null).length);
    for (const [ward, customers] of Object.entries(view.wards))
      assert.equal(await page.locator(`#in-${ward} .customer`).count(), Object.values(customers).reduce((sum, count) => sum + count, 0), ward);
    assert.deepEqual(await page.locator('.queue li .token').count(), view.queue.flatMap((card) => Object.values(card.customers)).reduce((sum, count) => sum + count, 0));
    assert.equal(await page.locator(`#in-${view.matsuri} .matsuri`).count(), 1);
    assert.equal(await page.locator('.board .matsuri').count(), 2); // and in the legend
    assert.equal(await page.locator('.hand').count(), 0);
    assert.equal(await page.locator('.ward').count(), 23);
    assert.equal(await page.locator('[id^="station-"]').count(), 44);
    await finish(page);
  });

  it('is told in words: the customers of each ward, its stations, and where their lines lead', async () => {
    const page = await reader.open(`/games/${game.id}`);
    await page.waitForSelector('.shinjuku');
    const { view } = good(await client.get(`${game.at}/view`));
    const { wards, stations, connections } = good(await client.get('/v1/rulesets/shinjuku/components'));
    const told = await page.locator('.map + ul > li:has(ul)').evaluateAll((all) => all.map((each) => [each.firstChild.data, [...each.querySelectorAll('li')].map((one) => one.textContent)]));
    assert.equal(told.length, wards.rows.length);
    wards.rows.forEach(({ id, name }, i) => {
      const here = Object.entries(view.wards[id]).filter(([, count]) => count > 0);
      assert.ok(told[i][0].startsWith(`${name} ward; customers: ${here.length === 0 ? 'nobody' : here[0][1]}`), told[i][0]);
      assert.deepEqual(told[i][1].map((text) => text.split(/: |;/)[0]), stations.rows.filter((each) => each.ward === id).map((each) => each.name));
    });
    const lines = told.flatMap(([, each]) => each).flatMap((text) => text.split('; lines to ')[1].split(', '));
    assert.equal(lines.length, 2 * connections.rows.length);
    assert.equal(lines.filter((line) => line.includes('(track of ')).length, 2 * view.track.filter((each) => each.seat !== null).length);
    assert.equal(await page.locator('.map g:has(> title):not([aria-hidden=true], [aria-hidden=true] *, [role=button])').count(), 0); // not read twice
    await finish(page);
  });

  it('shows each player their own hand, and only that', async () => {
    const page = await at(game.players[1], game);
    const { view } = good(await client.get(`${game.at}/view`, { token: game.players[1].token }));
    const count = Object.values(view.players[1].hand).reduce((sum, each) => sum + each, 0);
    assert.equal(await page.locator('#player-1 .hand li').count(), count);
    assert.equal(await page.locator('#player-0 .hand').count(), 0);
  });

  it('takes a move of every kind by its things, and asks before it is sent', async () => {
    for (const [verb, things] of daily([
      ['matsuri', ([, ward]) => [`#ward-${ward}`]],
      ['open', ([, at, good]) => [`#station-${at}`, good === 'from' ? null : `.supply [data-token="${good}"]`]],
      ['expand', ([, a, b]) => [`#track-${[a, b].sort().join('-')}`]],
      ['move', ([, at]) => [`#station-${at}`]],
    ], 2)) {
      const { seat, moves, seq, move } = await untilLegal(game, verb);
      const page = await at(game.players[seat], game);
      const wanted = verb === 'expand' ? moves.find((each) => /^expand \S+ \S+$/.test(each)) : move;
      for (const thing of things(wanted.split(' ')).filter(Boolean)) await page.locator(thing).click({ force: true });
      for (const token of wanted.split(' ')) {
        const choice = page.locator('.choices button');
        if ((await page.locator('.ready').count()) > 0) break;
        const labels = await choice.allTextContents();
        const label = { open: 'Open', move: 'Move customers', expand: 'Lay track', matsuri: 'Matsuri', from: 'moved from' }[token] ?? null;
        const at = labels.findIndex((each) => each === label || each.toLowerCase().replaceAll(' ', '-') === token);
        if (at >= 0) await choice.nth(at).click();
      }
      const [request] = await Promise.all([page.waitForRequest(/\/moves$/), page.locator('.ready button').click()]);
      assert.deepEqual(request.postDataJSON(), { moves: [wanted], seq }, verb);
      await page.waitForFunction((n) => !document.querySelector('.where').textContent.startsWith(`Line ${n} `), seq);
    }
  });

  it('is played with the keyboard alone', { skip: notLong }, async () => {
    const { seat, seq } = await untilLegal(game, 'matsuri');
    const page = await at(game.players[seat], game);
    const tabTo = async (test) => {
      for (let i = 0; i < 200; i++) {
        if (await page.evaluate(test)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail('never reached');
    };
    await tabTo(() => document.activeElement.matches('.ward.can'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('.ready');
    assert.match(await page.locator('.ready p').first().textContent(), /^The Matsuri moves to /);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.ready', { state: 'detached' });
    await page.keyboard.press('Enter');
    await tabTo(() => document.activeElement.matches('.ready button'));
    await page.keyboard.press('Enter');
    await page.waitForFunction((n) => document.querySelector('.where').textContent.startsWith(`Line ${n} `), seq + 1);
  });

  it('is free of what axe finds at every kind of decision, light and dark, and fits a phone', { skip: notLong }, async () => {
    for (const verb of ['pay', 'end', 'step']) {
      const { seat } = await untilLegal(game, verb);
      const page = await at(game.players[seat], game);
      await page.setViewportSize(phone.viewport);
      assert.equal(await overflow(page), 0, verb);
      assert.deepEqual(await violations(page), [], verb);
      await page.setViewportSize(desktop.viewport);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await violations(page, ['color-contrast']), [], verb);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  });

  it('nothing went wrong on the pages', async () => {
    for (const page of own.values()) await finish(page);
  });
});
