// The boards of Superstore 3000 and Mall World: a whole game of each played by clicking on its board alone, and what
// the boards show.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { now, reachAuction } from '../api/support/play.mjs';
import { notLong } from '../long.mjs';
import { Boards, countOf, isLegibleInTheDark, lookAt, verbOf } from './support/boards.mjs';

const boards = new Boards();
before(() => boards.start('malls', 3));
after(() => boards.end());

// A move of some kind, each as likely; building rather than others.
function build(moves, random) {
  const verbs = [...new Set(moves.map(verbOf))];
  const often = verbs.filter((each) => each === 'build');
  const verb = random.pick([...verbs, ...often, ...often]);
  return random.pick(moves.filter((move) => verbOf(move) === verb));
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
    const game = await boards.game('superstore-3000', 2);
    const verbs = await boards.playOnBoard(game, 11);
    for (const verb of ['build', 'money']) assert.ok(verbs.has(verb), verb);
    await boards.replay(game, [1, 9, 20, 33, 45], showsMalls);
  });

  it('has something to click for every kind of move, for everybody', { skip: notLong }, async () => {
    let game;
    await boards.throughKinds(async () => (game = await boards.game('superstore-3000', 3)), ['build', 'money', 'dock', 'attract', 'serve'], build, lookAt);
    const page = await boards.at(game.players[0], game);
    await showsMalls(page, await boards.view(game, 0));
    await isLegibleInTheDark(page);
  });

  it('shows a tile where it would stand, sends it, and marks it', async () => {
    const game = await boards.game('superstore-3000', 2);
    const [seat] = (await now(boards.client, game)).deciders;
    const page = await boards.at(game.players[seat], game);
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
    const game = await boards.game('mall-world', 3);
    const verbs = await boards.playOnBoard(game, 5, '[data-verbs~=accept], [data-verbs~=confirm]');
    for (const verb of ['accept', 'offer', 'confirm', 'take']) assert.ok(verbs.has(verb), verb);
    await boards.replay(game, [1, 15, 40, 70], showsMall);
  });

  it('has something to click for every kind of move, and hides what is hidden', { skip: notLong }, async () => {
    let game;
    await boards.throughKinds(async () => (game = await boards.game('mall-world', 3)), ['accept', 'offer', 'confirm', 'bid', 'realize', 'take'], build, async (found) => {
      await lookAt(found);
      await showsMall(found.page, found.view);
    });
    const page = await boards.at(game.players[1], game);
    assert.equal(await page.locator('.hand').count(), 1);
    await isLegibleInTheDark(page);
  });

  it('shows one’s own clock standing once one has bid, and to others all of them running', async () => {
    const game = await boards.game('mall-world', 3, { clock: { bank_ms: 3_600_000, increment_ms: 0 } });
    const { deciders: [bidder, other, ...more] } = await reachAuction(boards.client, game, boards.random);
    const running = (page) => page.locator('.clock.running').evaluateAll((clocks) => clocks.map((clock) => Number(clock.dataset.seat)));
    const [page, others] = [await boards.at(game.players[bidder], game), await boards.at(game.players[other], game)];
    assert.deepEqual(await running(page), [bidder, other, ...more]);
    await page.locator('.choices button').first().click();
    await page.locator('[data-do=send]').click();
    await page.locator('.play').getByText('You have decided').waitFor();
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

it('nothing went wrong on the pages', () => boards.finish());
