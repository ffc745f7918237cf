// The boards of Superstore 3000 and Mall World: a whole game of each played by clicking on its board alone, and what
// the boards show.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { legalMoves, makeGame, now, play, Random, reachAuction } from '../api/support/play.mjs';
import { readRecord } from '../api/support/record.mjs';
import { desktop, finish, overflow, phone, violations } from './support/browser.mjs';
import { bed, client, organizer, players, read, reader } from './support/read.mjs';
import { clickBoard, missing, signIn } from './support/table.mjs';
import { notLong } from '../long.mjs';

const random = new Random('malls');
const own = new Map(); // player -> that player's page
read({ players: 3 }, async () => {
  for (const player of players) own.set(player.id, await signIn(reader, player, '/leaderboard'));
});

// The page of a player, at a game.
async function at(player, game) {
  const page = own.get(player.id);
  await page.goto(`${reader.origin}/games/${game.id}`);
  await page.waitForSelector('.board > *');
  return page;
}

const viewOf = async (game, seat = null) => good(await client.get(`${game.at}/view`, seat === null ? {} : { token: game.players[seat].token })).view;
const verbOf = (move) => move.split(' ')[0];
const countOf = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

// Plays a whole game on its board, in two browsers; a third player is absent. { game, verbs }, the verbs being those
// that were clicked.
async function playOnBoard(ruleset, seats, seed, often = null) {
  const { game } = await makeGame(client, organizer, players.slice(0, seats), { ruleset });
  for (let seat = 2; seat < seats; seat++) good(await client.post(`${game.at}/fallback`, { seat }, organizer.token));
  const pages = await Promise.all(game.players.slice(0, 2).map((player) => at(player, game)));
  const clicked = pages.map(() => []);
  const listeners = pages.map((page, seat) => (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/moves')) clicked[seat].push(...request.postDataJSON().moves);
  });
  pages.forEach((page, seat) => page.on('request', listeners[seat]));
  await Promise.all(pages.map((page, seat) => clickBoard(page, seed + seat, often)));
  pages.forEach((page, seat) => page.off('request', listeners[seat]));
  const record = (await client.get(`${game.at}/record`)).text;
  assert.equal(bed.verify(record).status, 0);
  const played = readRecord(record).entries.filter((entry) => entry.seat !== null);
  pages.forEach((_, seat) => assert.deepEqual(played.filter((ply) => ply.seat === seat).map((ply) => ply.words.join(' ')), clicked[seat]));
  assert.deepEqual(await violations(pages[0]), []);
  return { game, verbs: new Set(clicked.flat().map(verbOf)) };
}

// The replay of a finished game at some of its lines, which `check` is told of: (page, view).
async function replay(game, lines, check) {
  const page = await reader.open(`/games/${game.id}?ply=0`);
  const { seq: last } = await now(client, game);
  for (const seq of [0, ...lines, last]) {
    await page.evaluate((ply) => (location.hash = `#ply=${ply}`), seq);
    await page.waitForFunction((text) => document.querySelector('.where')?.textContent === text, `Line ${seq} of ${last}`);
    await check(page, good(await client.get(`${game.at}/view?seq=${seq}`)).view);
  }
  await finish(page);
}

// Plays over HTTP, one game after another, until each decision of `kinds` has come up: `look` is told of every first
// one, ({ page, seat, moves, kind, view }), `page` being that of who decides. Returns the last game.
async function throughKinds(ruleset, kinds, look) {
  const left = new Set(kinds);
  for (let games = 0; games < 8; games++) {
    const { game } = await makeGame(client, organizer, players, { ruleset });
    const decided = new Set();
    for (let { deciders, seq } = await now(client, game); deciders.length > 0; { deciders, seq } = await now(client, game)) {
      const seat = deciders.find((each) => !decided.has(`${each} ${seq}`));
      decided.add(`${seat} ${seq}`);
      const { moves } = await legalMoves(client, game, seat);
      const verbs = [...new Set(moves.map(verbOf))];
      for (const kind of verbs.filter((verb) => left.delete(verb))) {
        const page = await at(game.players[seat], game);
        await page.waitForSelector('.choices');
        await look({ page, seat, moves, kind, view: await viewOf(game, seat) });
      }
      if (left.size === 0) return game;
      const verb = random.pick([...verbs, ...verbs.filter((each) => each === 'build'), ...verbs.filter((each) => each === 'build')]);
      good(await play(client, game, seat, [random.pick(moves.filter((move) => verbOf(move) === verb))], seq));
    }
  }
  return assert.fail(`never: ${[...left]}`);
}

// What is looked at at each kind of decision.
async function lookAt({ page, moves, kind }) {
  assert.deepEqual((await missing(page, moves)).without, [], kind);
  await page.setViewportSize(phone.viewport);
  assert.equal(await overflow(page), 0, kind);
  assert.deepEqual(await violations(page), [], kind);
  await page.setViewportSize(desktop.viewport);
}

async function isLegibleInTheDark(page) {
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await violations(page, ['color-contrast']), []);
  await page.emulateMedia({ colorScheme: 'light' });
}

// What is ready is sent, and answered.
async function sends(page, move) {
  const [answered] = await Promise.all([page.waitForResponse(/\/moves$/), page.locator('.ready button').click()]);
  assert.deepEqual(answered.request().postDataJSON().moves, [move]);
  assert.equal(answered.status(), 200);
}

describe('Superstore 3000', () => {
  async function showsMalls(page, view) {
    for (const { seat, mall, bank_notes: notes } of view.players) {
      const part = page.locator(`#player-${seat}`);
      assert.equal(await part.locator('.mall .tile').count(), mall.length);
      assert.equal(await part.locator('.mall .attraction').count(), mall.filter((tile) => tile.face).length);
      assert.equal(await part.locator('.mall .lying').count(), mall.filter((tile) => tile.occupied).length);
      assert.equal(await part.locator('.mall .customer').count(), mall.flatMap((tile) => tile.standing ?? []).length);
      assert.equal(await part.locator('.facts .fact > span:not(.unseen)').first().textContent(), String(notes));
    }
    assert.equal(await page.locator('.slot:not(.gone)').count(), view.dispenser.a.length + view.dispenser.b.length);
    assert.equal(await page.locator('.bay').count(), view.docking_bays.length);
  }

  it('is played on its board, and replayed', { skip: notLong }, async () => {
    const { game, verbs } = await playOnBoard('superstore-3000', 2, 11);
    for (const verb of ['build', 'money']) assert.ok(verbs.has(verb), verb);
    await replay(game, [1, 9, 20, 33, 45], showsMalls);
  });

  it('has something to click for every kind of move, for everybody', { skip: notLong }, async () => {
    const game = await throughKinds('superstore-3000', ['build', 'money', 'dock', 'attract', 'serve'], lookAt);
    const page = await at(game.players[0], game);
    await showsMalls(page, await viewOf(game, 0));
    await isLegibleInTheDark(page);
  });

  it('shows a tile where it would stand, sends it, and marks it', async () => {
    const { game } = await makeGame(client, organizer, players.slice(0, 2), { ruleset: 'superstore-3000' });
    const [seat] = (await now(client, game)).deciders;
    const page = await at(game.players[seat], game);
    await page.locator('#slot-a1').press('Enter');
    await page.locator(`#place-${seat}-m2-2`).press(' ');
    assert.equal(await page.locator('.ghost').count(), 1);
    await sends(page, 'build a1 m2 2');
    await page.waitForSelector(`#tile-${seat}-m2-2.fresh`);
    assert.equal(await page.locator('.ghost').count(), 0);
    assert.equal(await page.locator('.card-text').count(), 1);
  });
});

describe('Mall World', () => {
  async function showsMall(page, view) {
    assert.deepEqual(await page.locator('.plan .shop').count(), Object.keys(view.shops).length);
    assert.deepEqual(await page.locator('.plan .chip').count(), Object.values(view.shops).filter((shop) => shop.group !== null).length);
    assert.equal(await page.locator('.room.covered').count(), view.covered.length);
    assert.equal(await page.locator('#lobby .order').count(), view.lobby.length);
    assert.equal(await page.locator('.bribe').count(), view.bureau.length);
    assert.equal(await page.locator('#display .approval').count(), countOf(view.display));
    for (const { seat, cards, orders, confirmed } of view.players) {
      assert.equal(await page.locator(`#player-${seat} .hand .approval`).count(), countOf(cards ?? {}));
      // A card that is of no use now says so in words.
      const useless = Object.entries(cards ?? {}).filter(([card]) => !view.over && !view.realizable.includes(card));
      assert.equal(await page.locator(`#player-${seat} .hand .approval .hint`).count(), countOf(Object.fromEntries(useless)));
      assert.equal(await page.locator(`#player-${seat} .order`).count(), (orders ?? []).length + confirmed.length);
    }
  }

  it('is played on its board, and replayed', { skip: notLong }, async () => {
    const { game, verbs } = await playOnBoard('mall-world', 3, 5, '[data-verbs~=accept], [data-verbs~=confirm]');
    for (const verb of ['accept', 'offer', 'confirm', 'take']) assert.ok(verbs.has(verb), verb);
    await replay(game, [1, 15, 40, 70], showsMall);
  });

  it('has something to click for every kind of move, and hides what is hidden', { skip: notLong }, async () => {
    const game = await throughKinds('mall-world', ['accept', 'offer', 'confirm', 'bid', 'realize', 'take'], async (found) => {
      await lookAt(found);
      await showsMall(found.page, found.view);
    });
    const page = await at(game.players[1], game);
    assert.equal(await page.locator('.hand').count(), 1);
    await isLegibleInTheDark(page);
  });

  it('shows one’s own clock standing once one has bid, and to others all of them running', async () => {
    const { game } = await makeGame(client, organizer, players, { ruleset: 'mall-world', clock: { bank_ms: 3_600_000, increment_ms: 0 } });
    const { deciders: [bidder, other, ...more] } = await reachAuction(client, game, random);
    const running = (page) => page.locator('.clock.running').evaluateAll((clocks) => clocks.map((clock) => Number(clock.dataset.seat)));
    const [page, others] = [await at(game.players[bidder], game), await at(game.players[other], game)];
    assert.deepEqual(await running(page), [bidder, other, ...more]);
    await page.locator('.choices button').first().click();
    await page.locator('[data-do=send]').click();
    await page.getByText('You have decided').first().waitFor();
    assert.deepEqual(await running(page), [other, ...more]);
    const [stands, runs] = [bidder, other].map((seat) => page.locator(`.clock[data-seat="${seat}"]`));
    const [stood, ran] = [await stands.textContent(), await runs.textContent()];
    await page.waitForFunction(([seat, text]) => document.querySelector(`.clock[data-seat="${seat}"]`).textContent !== text, [other, ran]);
    assert.equal(await stands.textContent(), stood);
    await others.reload();
    await others.waitForSelector('.board > *');
    assert.deepEqual(await running(others), [bidder, other, ...more]);
  });
});

it('nothing went wrong on the pages', async () => {
  for (const page of own.values()) await finish(page);
});
