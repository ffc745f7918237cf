// The board of Supermarché: a whole game played by clicking on its board alone, and what the board shows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { legalMoves } from '../api/support/play.mjs';
import { Boards, countOf, isLegibleInTheDark, lookAt, verbOf } from './support/boards.mjs';
import { notLong } from '../long.mjs';

const boards = new Boards();
before(() => boards.start('market', 1));
after(() => boards.end());

const make = () => boards.game('supermarche', 1, { options: { difficulty: 'easy' } });

// Full shelves and no risks: a game that lasts.
function trade(moves, random) {
  const verb = random.pick([...new Set(moves.map(verbOf))]);
  const list = moves.filter((move) => verbOf(move) === verb);
  return random.pick(verb === 'stock' ? list.filter((move) => move !== 'stock done' || list.length === 1) : list);
}

async function showsShelves(page, view) {
  const inBoxes = (shelves) => Object.values(shelves).reduce((sum, boxes) => sum + countOf(boxes), 0);
  assert.equal(await page.locator('.shelves td:nth-child(2) .cube').count(), inBoxes(view.store));
  assert.equal(await page.locator('.shelves td:nth-child(3) .cube').count(), inBoxes(view.stock_room));
  assert.equal(await page.locator('.money').textContent(), `${view.money < 0 ? '−' : ''}$${Math.abs(view.money)}`);
  assert.equal(await page.locator('.on-sale').count(), view.on_sale === null ? 0 : 1);
  assert.equal(await page.getByText(`Sales held: ${view.sales_so_far.length} (at least 3)`, { exact: true }).count(), 1); // there may be more
  assert.equal(await page.locator('.customer').count(), view.row.length);
  for (const state of ['down', 'up', 'shopping', 'done', 'discarded'])
    assert.equal(await page.locator(`.customer.${state}`).count(), view.row.filter((card) => card.state === state).length, state);
  assert.equal(await page.locator('.trip .die').count(), view.trip?.dice ? 2 : 0);
  assert.equal(await page.locator('.trip').count(), view.trip === null ? 0 : 1);
}

describe('Supermarché', () => {
  it('is played on its board, and replayed', { skip: notLong }, async () => {
    const verbs = new Set();
    let game;
    const missing = () => ['buy', 'stock', 'serve'].filter((verb) => !verbs.has(verb));
    for (let games = 0; missing().length > 0; games++) { // a store that is unlucky closes before all of it
      assert.ok(games < 8, `never: ${missing()}`);
      game = await make();
      for (const verb of await boards.playOnBoard(game, 3 + games)) verbs.add(verb);
    }
    await boards.replay(game, [1, 4, 9], showsShelves);
  });

  it('has something to click for every kind of move', { skip: notLong }, async () => {
    let last;
    await boards.throughKinds(make, ['buy', 'stock', 'sale', 'serve', 'initial', 'roll', 'pay', 'next', 'restock'], trade, async (found) => {
      last = found.page;
      await lookAt(found);
      await showsShelves(found.page, found.view);
    });
    await isLegibleInTheDark(last);
  });

  it('shows where cubes would lie, sends it, and marks it', async () => {
    const game = await make();
    const { moves } = await legalMoves(boards.client, game, 0);
    assert.ok(moves.includes('buy bakery 2') && moves.includes('buy produce 1'));
    const page = await boards.at(game.players[0], game);
    await page.locator('#buy-bakery').press('Enter');
    await page.locator('#buy-2').press(' ');
    assert.equal(await page.locator('.shelves td:nth-child(3) .cube.ghost').count(), 2);
    assert.match(await page.locator('.ready p').first().textContent(), /^Buy 2 cubes of Bakery for \$/);
    assert.equal(await page.locator('.ready .warning').textContent(), 'After this you cannot buy in this round: Produce.');
    const [answered] = await Promise.all([page.waitForResponse(/\/moves$/), page.locator('.ready button').click()]);
    assert.deepEqual(answered.request().postDataJSON().moves, ['buy bakery 2']);
    await page.waitForSelector('td.fresh .cube');
    assert.equal(await page.locator('.cube.ghost').count(), 0);
    await showsShelves(page, await boards.view(game, 0));
  });

  it('says what a newcomer could not know: what is passed over, that a sale is due, and what would lose the game', async () => {
    const game = await make();
    const page = await boards.at(game.players[0], game);
    const said = (view, moves, words) => page.evaluate(async ({ view, moves, words }) => {
      const { draw, warning } = await import(performance.getEntriesByType('resource').find(({ name }) => name.includes('/boards/supermarche.js')).name);
      const context = { components: await (await fetch('/v1/rulesets/supermarche/components')).json(), seats: 1, own: 0, view, planned: null, moves, entry: null };
      return words === null ? draw(view, context).querySelector('.status p:nth-child(2)').textContent : warning(words, view, context);
    }, { view, moves, words });
    const view = await boards.view(game, 0);
    const stock = ['stock bakery r2 1', 'stock bakery r3 1', 'stock dairy r4 1', 'stock dairy r4 2', 'stock done'];
    assert.equal(await said(view, stock, ['stock', 'dairy', 'r4', '1']), 'After this you cannot move now: Bakery (expires after round 2), Bakery (expires after round 3).');
    assert.equal(await said(view, stock, ['stock', 'bakery', 'r2', '1']), null);
    const sales = (round, sales_so_far) => said({ ...view, decision: 'sale', round, sales_so_far }, [], null);
    assert.equal(await sales(3, []), 'Which food goes on sale this round?');
    assert.equal(await sales(4, []), 'Which food goes on sale? From now on each round needs a sale, so that there are 3 in the game.');
    assert.equal(await sales(6, ['dairy', 'bakery', 'frozen']), 'Which food goes on sale this round?');
    const trip = { customer: 'dave', takings: 3, normal: { foods: ['dairy'], available: false }, coupon: null };
    const risk = (money, words) => said({ ...view, decision: words[0] === 'pay' ? 'pay' : 'roll', money, trip }, [], words);
    assert.equal(await risk(12, ['restock']), 'This costs you $12.');
    assert.equal(await risk(11, ['restock']), 'This costs you $12. With that you are below $0, and the game is lost.');
    assert.equal(await risk(15, ['pay', 'normal']), 'The customer leaves: you pay $12 and give back $3.');
    assert.equal(await risk(14, ['pay', 'normal']), 'The customer leaves: you pay $12 and give back $3. With that you are below $0, and the game is lost.');
  });
});

it('nothing went wrong on the pages', () => boards.finish());
