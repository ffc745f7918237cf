// What a player has to click can be clicked: on a desk without scrolling, on a phone inside the screen, near small things.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { own } from '../api/support/duplicate.mjs';
import { legalMoves, play, playRandomly } from '../api/support/play.mjs';
import { daily, notLong } from '../long.mjs';
import { Boards, verbOf } from './support/boards.mjs';
import { overflow, violations } from './support/browser.mjs';

const desk = { width: 1440, height: 900 };
const pocket = { width: 390, height: 844 };

const boards = new Boards();
before(() => boards.start('reach', 3));
after(async () => {
  await boards.finish();
  await boards.end();
});

// What can be chosen on the board or beside it and is not wholly on the screen.
const outside = (page, selector) => page.evaluate((what) => [...document.querySelectorAll(what)].filter((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).map((each) => each.dataset.token ?? each.textContent), selector);

// Puts a move together by the buttons beside the board alone, without scrolling the page: each can be clicked where it is,
// at most after the list has been scrolled in itself.
async function chooses(page, what) {
  await page.reload();
  await page.waitForSelector('.choices, .ready');
  for (let steps = 0; ; steps++) {
    assert.ok(steps < 60, what);
    const count = await page.locator('.choices button').count();
    const isReady = await page.locator('.ready [data-do="send"]').count() > 0;
    if (count === 0 || (isReady && steps > 0)) break;
    const hit = await page.evaluate((i) => {
      const button = document.querySelectorAll('.choices button')[i];
      const list = button.closest('.choices');
      list.scrollTop += button.getBoundingClientRect().top - list.getBoundingClientRect().top - 8;
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (at?.closest('button') !== button) return button.textContent;
      button.click();
      return null;
    }, boards.random.below(count));
    assert.equal(hit, null, what);
  }
  assert.deepEqual(await outside(page, '.ready [data-do="send"]'), [], what);
}

const isSentAtOnce = (kind) => kind === 'roll';

async function looks({ page, kind }) {
  await page.setViewportSize(desk);
  await page.reload();
  await page.waitForSelector('.choices, .ready');
  assert.deepEqual(await outside(page, '.board .can, .choices button, .ready button'), [], `${kind} at ${desk.width} x ${desk.height}`);
  if (!isSentAtOnce(kind)) await chooses(page, `${kind} by the list`);
  await page.setViewportSize(pocket);
  assert.deepEqual(await outside(page, '.choices button, .ready button'), [], `${kind} on a phone`);
  if (!isSentAtOnce(kind)) await chooses(page, `${kind} by the list on a phone`);
  assert.equal(await overflow(page), 0, kind);
}

const kinds = {
  'shinjuku': ['open', 'pay'],
  'superstore-3000': ['build', 'dock'],
  'super-motherload': ['bomb', 'drill', 'buy'],
  'mall-world': ['accept', 'offer', 'bid', 'realize', 'take'],
  'supermarche': ['buy', 'stock', 'sale', 'roll'],
};

describe('everything that can be chosen is on the screen', () => {
  for (const [slug, verbs] of daily(Object.entries(kinds), 5)) {
    it(slug, async () => {
      await boards.throughKinds(() => boards.game(slug, slug === 'supermarche' ? 1 : 3), daily(verbs, 2), (moves, random) => random.pick(moves), looks);
    });
  }
});

describe('the log beside the board', () => {
  it('says things by the names that the board has for them, marks what is new since the last move, and has the notation in a tab', async () => {
    const game = await boards.game('mall-world', 3);
    for (let plies = 0; plies < 8 && (await own(boards.client, game)).deciders.length === 1; plies++) await playRandomly(boards.client, game, boards.random, { plies: 1 });
    const { deciders } = await own(boards.client, game);
    const page = await boards.at(game.players[deciders[0]], game);
    const { items } = good(await boards.client.get(`${game.at}/events`));
    const told = await page.locator('#lately-lines').textContent();
    const ids = items.flatMap((item) => item.move?.split(' ').slice(1) ?? []).filter((id) => id.includes('-'));
    assert.ok(ids.length > 0);
    for (const id of ids) assert.ok(!told.includes(id), `${id} in: ${told}`);
    const last = items.findLast((item) => item.seat === deciders[0])?.seq ?? 0;
    assert.equal(await page.locator('#lately-lines .since + li a').count(), last === 0 || last === items.length ? 0 : 1);
    if (last > 0 && last < items.length) assert.equal(await page.locator('#lately-lines .since + li a').textContent(), String(last + 1));
    await page.getByRole('button', { name: 'Notation' }).click();
    assert.deepEqual(await page.locator('#lately-lines code').allTextContents(), items.filter((item) => item.kind === 'ply').map((item) => item.move));
    assert.deepEqual(await violations(page), []);
  });
});

describe('Shinjuku', () => {
  it('says which action it is, and that ending the turn loses the others', async () => {
    const game = await boards.game('shinjuku', 3);
    for (;;) {
      const { deciders: [seat], seq } = await own(boards.client, game);
      const { moves } = await legalMoves(boards.client, game, seat);
      const { action_number: number, decision } = await boards.view(game, seat);
      if (decision === 'action' && number <= 2 && moves.includes('end')) {
        const page = await boards.at(game.players[seat], game);
        assert.equal(await page.locator('#turn strong').textContent(), `Action ${number} of 2`);
        const verbs = page.locator('.choices button');
        assert.equal(await verbs.last().textContent(), 'End the turn');
        await verbs.last().click();
        assert.match(await page.locator('.ready .warning').textContent(), number === 1 ? /2 actions left/ : /1 action left/);
        return;
      }
      good(await play(boards.client, game, seat, [boards.random.pick(moves)], seq));
    }
  });

  it('takes a tap beside a small station for that station', { skip: notLong }, async () => {
    const game = await boards.game('shinjuku', 3);
    for (let { deciders: [seat], seq } = await own(boards.client, game); ; { deciders: [seat], seq } = await own(boards.client, game)) {
      const { moves } = await legalMoves(boards.client, game, seat);
      if (moves.some((move) => verbOf(move) === 'open')) {
        await tapBeside(await boards.at(game.players[seat], game));
        return;
      }
      good(await play(boards.client, game, seat, [boards.random.pick(moves)], seq));
    }
  });
});

// Taps beside a station on a phone, where its own circle does not reach and nothing else that can be chosen lies.
async function tapBeside(page) {
  await page.setViewportSize(pocket);
  await page.locator('.map').evaluate((map) => map.scrollIntoView({ block: 'start' }));
  const beside = await page.evaluate(() => {
    const all = [...document.querySelectorAll('.board .can')].map((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return { each, x: (left + right) / 2, y: (top + bottom) / 2 };
    });
    const around = Array.from({ length: 16 }, (_, i) => [17 * Math.cos(i * Math.PI / 8), 17 * Math.sin(i * Math.PI / 8)]);
    for (const one of all.filter(({ each }) => each.matches('.station'))) {
      for (const [dx, dy] of around) {
        const [x, y] = [one.x + dx, one.y + dy];
        const there = document.elementsFromPoint(x, y);
        if (all.some((other) => other !== one && Math.hypot(other.x - x, other.y - y) < 18)) continue;
        if (there[0]?.closest('.map svg') && there.every((each) => each.closest('.can') === null)) return { token: one.each.dataset.token, x, y };
      }
    }
    return null;
  });
  assert.notEqual(beside, null);
  await page.mouse.click(beside.x, beside.y);
  assert.equal(await page.locator('.station.picked').getAttribute('data-token'), beside.token);
}
