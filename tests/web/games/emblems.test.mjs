// The emblems in what is told of a game: those of the board, before the name of each thing that it draws.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { playLively } from '../../api/support/play.mjs';
import { daily, isLong } from '../../long.mjs';
import { Boards } from '../support/boards.mjs';
import { desktop, overflow, phone, violations } from '../support/browser.mjs';

const seated = { 'mall-world': 3, 'shinjuku': 2, 'super-motherload': 2, 'supermarche': 1, 'superstore-3000': 2 };
// Members that a sentence need not name (telling.test.mjs: `unsaid`): the store where a customer goes is one of the wish.
const unsaid = new Set(['customer_satisfied: store', 'customer_satisfied: wish']);

const plies = isLong ? 120 : 60; // of each game, if it has so many

const boards = new Boards();
before(() => boards.start('emblems', 3));
after(async () => {
  await boards.finish();
  await boards.end();
});

// What the sentences of a game lack, and how many emblems there are of each kind of thing.
const told = (page, slug, at, language) => page.evaluate(async ([name, address, inLanguage]) => {
  localStorage.setItem('tillroll.language', inLanguage);
  const { boardOf } = await import('/static/boards/boards.js');
  await (await import('/static/lib/words.js')).wordsLoaded;
  const { thingsIn } = await import('/static/lib/telling.js');
  const { sentences } = await import('/static/game/story.js');
  const { element, read } = await import('/static/lib/common.js');
  await (await import('/static/lib/words.js')).wordsLoaded;
  const set = { board: await boardOf(name), components: await read(`/v1/rulesets/${name}/components`) };
  const game = await read(address);
  const [lacking, counts, faults] = [new Set(), {}, []];
  for (let after = 0; ;) {
    const { items } = await read(`${address}/events?after=${after}`);
    if (items.length === 0) return { lacking: [...lacking], counts, faults };
    for (const item of items.filter(({ kind }) => kind === 'ply')) {
      const drawn = sentences(game, item, set).map((each) => element('p', {}, each));
      for (const [i, event] of item.events.entries()) {
        const words = [...drawn[i].querySelectorAll('.together')].map((each) => each.lastChild.textContent.toLowerCase());
        for (const thing of thingsIn(name, event, set.components)) {
          const { member, id } = thing;
          if (!set.board.emblems[member]?.(id, event, set)) continue;
          const called = thing.name;
          counts[member] = (counts[member] ?? 0) + 1;
          if (called !== null && !words.includes(called.toLowerCase().split(' ')[0])) lacking.add(`${event.kind}: ${member}`);
          if (called === null && drawn[i].querySelector(':scope > .emblem, :scope > [lang] > .emblem') === null) lacking.add(`${event.kind}: ${member}`);
        }
        for (const each of drawn[i].querySelectorAll('.emblem')) if (each.getAttribute('aria-hidden') !== 'true' || each.children.length !== 1) faults.push(drawn[i].outerHTML);
      }
    }
    after = items.at(-1).seq;
  }
}, [slug, at, language]);

describe('what is told of a game has the emblems of its board', () => {
  for (const [slug, seats] of daily(Object.entries(seated), 3)) {
    it(slug, async () => {
      let game = null;
      do { // one that does not end after a few plies
        game = await boards.game(slug, seats, seats === 1 ? { options: { difficulty: 'easy' } } : {});
        await playLively(boards.client, game, boards.random, plies);
      } while (good(await boards.client.get(game.at, { token: game.players[0].token })).seq < plies * 0.4);
      const page = await boards.at(game.players[0], game);
      for (const language of ['en', 'de']) {
        if (language === 'de') {
          await page.evaluate(() => localStorage.setItem('tillroll.language', 'de'));
          await page.reload();
          await page.waitForSelector('.board > *');
        }
        const { lacking, counts, faults } = await told(page, slug, game.at, language);
        assert.deepEqual(lacking.filter((each) => !unsaid.has(each)), [], language);
        assert.deepEqual(faults, []);
        assert.ok(Object.values(counts).reduce((sum, each) => sum + each, 0) > 30, JSON.stringify(counts));
      }
      assert.ok(await page.locator('#lately-lines .emblem').count() > 5);
      for (const colorScheme of daily(['light', 'dark'], 2)) {
        await page.emulateMedia({ colorScheme });
        for (const viewport of [desktop.viewport, phone.viewport]) {
          await page.setViewportSize(viewport);
          if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${slug}-${colorScheme}-${viewport.width}.png` });
          assert.equal(await overflow(page), 0);
        }
        assert.deepEqual(await violations(page), []);
      }
      await page.evaluate(() => localStorage.setItem('tillroll.language', 'en'));
      await page.setViewportSize(desktop.viewport);
      await page.emulateMedia({ colorScheme: 'light' });
    });
  }
});
