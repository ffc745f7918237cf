// The board of Super Motherload: a whole game played by clicking on its board alone, and what the board shows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { legalMoves, now } from '../api/support/play.mjs';
import { Boards, canAll, countOf, isLegibleInTheDark, lookAt, verbOf } from './support/boards.mjs';
import { notLong } from '../long.mjs';

const boards = new Boards();
before(() => boards.start('mine', 3));
after(() => boards.end());

// A move of some kind, each as likely; rather one that digs with all there is, so that something is found and bought.
function dig(moves, random) {
  const verbs = [...new Set(moves.map(verbOf))];
  const verb = random.pick([...verbs.filter((each) => each !== 'end' || verbs.length === 1), ...verbs.filter((each) => ['drill', 'bomb'].includes(each))]);
  const list = moves.filter((move) => verbOf(move) === verb);
  const most = Math.max(...list.map((move) => move.split(' ').length));
  return random.pick(verb === 'drill' ? list.filter((move) => move.split(' ').length === most) : list);
}

async function showsMine(page, view) {
  assert.equal(await page.locator('.shaft .space').count(), 98 * view.boards.length);
  const count = (strings, wanted) => strings.join('').split('').filter(wanted).length;
  assert.equal(await page.locator('.shaft .dug').count(), view.boards.reduce((sum, { tunnels }) => sum + count(tunnels, (each) => each === 'T'), 0));
  const cells = await page.locator('.shaft td:not(thead *)').allTextContents(); // the same in words
  assert.equal(cells.length, 98 * view.boards.length);
  assert.equal(cells.filter((words) => words === 'tunnel').length, await page.locator('.shaft .dug').count());
  assert.equal(cells.filter((words) => words.endsWith(', an artifact')).length, view.boards.reduce((sum, each) => sum + each.artifacts_left, 0));
  assert.equal(await page.locator('.shaft g.space:not([aria-hidden=true], :has([role=button]))').count(), 0); // and not twice
  assert.equal(await page.locator('.shaft .find.artifact').count(), view.boards.reduce((sum, each) => sum + each.artifacts_left, 0));
  assert.equal(await page.locator('.goal').count(), view.boards.length === 0 ? 0 : [...view.majors, ...view.minors].filter((goal) => goal !== null).length);
  for (const { seat, deck, stacks, hand, artifacts } of view.players) {
    const part = page.locator(`#player-${seat}`);
    assert.equal(await part.locator('.tile').count(), deck === null ? 0 : Object.values(stacks).reduce((sum, stack) => sum + countOf(stack.minerals), 0));
    assert.equal(await part.locator('.hand .pilot').count(), countOf(hand ?? {}));
    assert.equal(await part.locator('.relic').count(), Object.keys(artifacts ?? {}).length);
  }
}

describe('Super Motherload', () => {
  it('is played on its board, and replayed', { skip: notLong }, async () => {
    const game = await boards.game('super-motherload', 2);
    const verbs = await boards.playOnBoard(game, 7, '#do-end');
    for (const verb of ['side', 'deck', 'drill', 'place', 'end']) assert.ok(verbs.has(verb), verb);
    await boards.replay(game, [1, 3, 12], showsMine);
  });

  it('has something to click for every kind of move, and hides what is hidden', { skip: notLong }, async () => {
    const kinds = ['side', 'deck', 'draw', 'drill', 'bomb', 'place', 'put', 'discard', 'claim', 'artifact', 'buy', 'copy', 'swap'];
    let last;
    await boards.throughKinds(() => boards.game('super-motherload', 3), kinds, dig, async (found) => {
      last = found.page;
      await (['deck', 'place', 'put', 'buy'].includes(found.kind) ? lookAt : canAll)(found);
      await showsMine(found.page, found.view);
    });
    await isLegibleInTheDark(last);
  });

  it('shows where a tunnel would lie and what is there, sends it, and marks it', async () => {
    const game = await boards.game('super-motherload', 2, { options: { sides: 'drawn', decks: 'seat' } });
    const { moves } = await legalMoves(boards.client, game, 0);
    const wanted = moves.find((move) => /^drill \w+ \w+ \w+$/.test(move));
    const page = await boards.at(game.players[0], game);
    await page.locator('#do-drill').press('Enter');
    for (const card of wanted.split(' ').slice(2)) await page.locator(`.hand [data-token=${card}]:not(.picked)`).first().press(' ');
    const color = page.locator(`#do-${wanted.split(' ')[1]}.can`);
    if (await color.count() > 0) await color.press('Enter');
    const send = () => Promise.all([page.waitForResponse(/\/moves$/), page.locator('.ready button').click()]);
    assert.deepEqual((await send())[0].request().postDataJSON().moves, [wanted]);
    await page.locator('#way-h').click();
    await page.locator('#space-1a1').click();
    assert.equal(await page.locator('.ghost').count(), 1);
    assert.match(await page.locator('.ready p').first().textContent(), /^Dig a1, b1 \(depth 1\): /);
    assert.deepEqual((await send())[0].request().postDataJSON().moves, ['place 1a1 h']);
    await page.waitForSelector('.last:not([d=""])');
    assert.equal(await page.locator('.ghost').count(), 0);
    await showsMine(page, await boards.view(game, 0));
    assert.ok((await now(boards.client, game)).plies >= 2);
  });

  it('says what there is to do, and why an action is missing', async () => {
    const game = await boards.game('super-motherload', 2, { options: { sides: 'drawn', decks: 'seat' } });
    const { moves } = await legalMoves(boards.client, game, 0);
    const page = await boards.at(game.players[0], game);
    const view = await boards.view(game, 0);
    // The status of a view, or what the planned move does, and what should be thought of before.
    const said = (changes, own, legal, words) => page.evaluate(async ({ view, changes, own, legal, words }) => {
      const { draw, sentence, warning } = await import(performance.getEntriesByType('resource').find(({ name }) => name.includes('/boards/super-motherload.js')).name);
      const shown = { ...view, ...changes, turn: { ...view.turn, ...changes.turn }, players: view.players.map((player) => ({ ...player, ...(player.seat === 0 ? own : {}) })) };
      const context = { components: await (await fetch('/v1/rulesets/super-motherload/components')).json(), seats: 2, own: 0, view: shown, planned: null, moves: legal, entry: null,
        seatName: (seat) => String(seat), seatText: (seat) => String(seat) };
      const status = (selector) => [...draw(shown, context).querySelectorAll(`.status > ${selector}`)].map(({ textContent }) => textContent);
      return words === null ? [...status('p > strong'), ...status('.hint')] : [sentence(words, context), warning(words, shown, context)].filter(Boolean).join(' ');
    }, { view, changes, own, legal, words });
    assert.deepEqual(await said({}, {}, moves, null), ['Draw, drill or bomb.', ...(moves.some((move) => verbOf(move) === 'bomb') ? [] : ['Not possible now: Bomb (you hold no red card).'])]);
    assert.deepEqual(await said({}, { bombs: 0 }, ['draw', 'end'], null), ['Draw, drill or bomb.', 'Not possible now: Drill (there is no room for it in the mine).', 'Not possible now: Bomb (you have no bomb token).']);
    assert.deepEqual(await said({}, { hand: { b0: 1 } }, ['drill blue b0', 'end'], null), ['Draw, drill or bomb.', 'Not possible now: Bomb (you hold no red card).',
      'Not possible now: Draw two cards (your draw pile and your discards are empty).']);
    assert.deepEqual(await said({ turn: { left: 0 } }, {}, ['end'], null), ['No action is left: use an artifact, claim an achievement or end the turn.']);
    const stacks = (value) => ({ stacks: { ...view.players[0].stacks, yellow: { card: 'y10', cost: 10, value, minerals: { ruby: 1 } }, blue: { card: 'b10', cost: 10, value: 10, minerals: { gold: 2 } } } });
    assert.deepEqual(await said({ decision: 'buy' }, stacks(9), ['buy blue', 'artifact draw-two'], null), ['The blue stack buys its pilot. You can use artifacts first.']);
    assert.deepEqual(await said({ decision: 'buy' }, stacks(12), ['buy blue', 'buy yellow'], null), ['Which stack buys first?']);
    const put = (bonuses) => ({ decision: 'put', turn: { act: { kind: 'drill', color: 'red', length: 3, bonuses }, waiting: { iron: 1, gold: 2 } } });
    assert.deepEqual(await said(put([]), {}, ['put red'], null), ['Which stack do these go on?']);
    assert.equal(await said(put([]), {}, ['put red'], ['put', 'red']), 'gold $5, gold $5, iron $2 on the red stack.');
    assert.deepEqual(await said(put(['split']), {}, ['put red'], null), ['One at a time, the dearest first: which stack does the next one go on?']);
    assert.equal(await said(put(['split']), {}, ['put red'], ['put', 'red']), 'gold $5 on the red stack.');
    const end = (left, claimable) => said({ turn: { left, claimable } }, {}, ['end'], ['end']);
    assert.equal(await end(0, []), 'End your turn.');
    assert.equal(await end(0, ['demolition']), 'End your turn. You could claim first: Demolition.');
    assert.equal(await end(1, ['demolition']), 'End your turn. You have 1 action left. You could claim first: Demolition.');
  });
});

it('nothing went wrong on the pages', () => boards.finish());
