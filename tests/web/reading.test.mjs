// Whoever reads, and however: names that try to be markup, screen readers, the keyboard, a phone, dark
// mode, paper, no scripts at all.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { finish, overflow, phone, texts, violations } from './support/browser.mjs';
import { eventName, makeWorld } from './support/world.mjs';

let world;
let addresses;
const opened = new Map(); // address -> its page, with some of what can be opened
before(async () => {
  world = await makeWorld('reading');
  addresses = [
    '/',
    `/events/${world.event.id}`,
    `/events/${world.event.id}?after_round=1`,
    `/games/${world.rounds[0].games[0].id}`,
    `/players/${world.players[7].id}`,
    '/leaderboard',
    '/docs',
  ];
  for (const address of addresses) {
    opened.set(address, await world.reader.open(address));
    await openEvery(opened.get(address), 6);
  }
});
after(() => world.end());

// Opens every n-th thing that can be opened.
const openEvery = (page, n) =>
  page.evaluate((each) => {
    for (const summary of [...document.querySelectorAll('summary, button.opener')].filter((_, i) => i % each === 0)) summary.click();
  }, n);
const openAll = (page) => openEvery(page, 1);

describe('names', () => {
  it('are shown as text wherever they stand, and break nothing', async () => {
    for (const [address, page] of opened) {
      // Only what the pages themselves are made of: the replay of a game has a slider.
      assert.equal(await page.locator('main :is(script, img, iframe, b, style, form, input:not(#ply))').count(), 0, address);
      const odd = await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((each) => [...each.attributes])
        .filter(({ name, value }) => /^on|^style$/.test(name) || (/^(href|src)$/.test(name) && /^\s*javascript:/i.test(value))).map(({ name }) => name));
      assert.deepEqual(odd, [], address);
    }
  });

  it('of every kind are read back from the pages unchanged', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    const shown = new Set(await texts(page, 'main .scroll tbody th bdi'));
    for (const player of world.players) assert.ok(shown.has(player.name), player.name);
    assert.ok((await page.title()).includes(eventName));
    for (const player of world.players) {
      await page.goto(`${world.reader.origin}/players/${player.id}`);
      await page.waitForSelector('main h1');
      assert.equal(await page.locator('h1').textContent(), player.name);
      assert.ok((await page.title()).includes(player.name));
    }
    await finish(page);
  });

  it('keep their writing direction to themselves', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    const loose = await page.evaluate(() => {
      const strong = /[\u0590-\u07ff]/;
      const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) if (strong.test(walker.currentNode.data) && !walker.currentNode.parentNode.closest('bdi')) found.push(walker.currentNode.data);
      return found;
    });
    assert.deepEqual(loose, []);
    await finish(page);
  });
});

describe('accessibility', () => {
  it('has nothing that axe finds fault with', async () => {
    for (const [address, page] of opened) assert.deepEqual(await violations(page), [], address);
  });

  it('has contrast in dark mode too', async () => {
    for (const address of ['/', `/events/${world.event.id}`, '/docs']) {
      const page = opened.get(address);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await violations(page, ['color-contrast']), [], address);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  });

  it('orders headings, and gives every table a caption and every header a scope', async () => {
    for (const [address, page] of opened) {
      const levels = await page.locator('h1, h2, h3, h4, h5, h6').evaluateAll((all) => all.map((each) => Number(each.tagName[1])));
      assert.equal(levels.filter((level) => level === 1).length, 1);
      levels.forEach((level, i) => assert.ok(i === 0 ? level === 1 : level <= levels[i - 1] + 1, `${address}: ${levels}`));
      const tables = await page.locator('table').evaluateAll((all) => all.map((table) => [
        table.caption?.textContent.trim().length > 0, [...table.querySelectorAll('th')].every((each) => ['row', 'col'].includes(each.scope)),
        [...table.querySelectorAll('thead th')].every((each) => each.textContent.trim().length > 0)]));
      for (const table of tables) assert.deepEqual(table, [true, true, true], address);
    }
  });
});

describe('the keyboard', () => {
  it('skips to the content first, then goes through the links in order', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'To the content' });
    assert.ok(await skip.evaluate((each) => each === document.activeElement));
    const box = await skip.boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement.closest('main') !== null));
    const order = await page.evaluate(() => {
      window.order = [...document.querySelectorAll('main :is(a, button, summary)')].filter((each) => each.checkVisibility());
      return window.order.length;
    });
    const reached = [];
    for (let i = 0; i < order; i++) {
      reached.push(await page.evaluate(() => window.order.indexOf(document.activeElement)));
      await page.keyboard.press('Tab');
    }
    assert.deepEqual(reached, Array.from({ length: order }, (_, i) => i));
    await finish(page);
  });

  it('opens and closes rows and explanations', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    const opener = page.locator('button.opener').first();
    assert.equal(await opener.evaluate((each) => each.nodeName), 'BUTTON');
    for (const [key, open] of [['Enter', true], ['Space', false], ['Space', true]]) {
      await opener.press(key);
      assert.equal(await page.locator('tr.more').first().isVisible(), open);
      assert.equal(await opener.getAttribute('aria-expanded'), String(open));
    }
    await page.locator('summary').first().press('Enter');
    assert.equal(await page.locator('details').first().evaluate((each) => each.open), true);
    await finish(page);
  });
});

describe('a phone', () => {
  it('never has to be moved sideways, whatever is opened', async () => {
    for (const address of addresses) {
      const page = await world.reader.open(address, phone);
      assert.equal(await overflow(page), 0, address);
      await openAll(page);
      assert.equal(await overflow(page), 0, `${address}, all opened`);
      await finish(page);
    }
  });

  it('shows place, name, points and rounds of the standings at once', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`, phone);
    const hidden = await page.locator('main .scroll').evaluate((each) => each.scrollWidth - each.clientWidth);
    assert.equal(hidden, 0);
    for (const heading of ['Place', 'Player', 'Points', 'Rounds']) assert.ok(await page.locator('thead th', { hasText: heading }).first().isVisible());
    await finish(page);
  });
});

describe('other readers', () => {
  it('nothing went wrong on any of the pages', async () => {
    for (const page of opened.values()) await finish(page);
  });

  it('dark mode is dark, light mode is light', async () => {
    const lightness = async (colorScheme) => {
      const page = await world.reader.open('/', { colorScheme });
      const [paper, ink] = await page.evaluate(() => ['backgroundColor', 'color'].map((name) =>
        getComputedStyle(document.body)[name].match(/\d+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0)));
      await finish(page);
      return { paper, ink };
    };
    const [light, dark] = [await lightness('light'), await lightness('dark')];
    assert.ok(light.paper > 600 && light.ink < 200);
    assert.ok(dark.paper < 200 && dark.ink > 600);
  });

  it('the head of a long table stays in sight', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    await openAll(page);
    await page.locator('main .scroll tbody tr.row').nth(6).evaluate((row) => window.scrollTo(0, row.getBoundingClientRect().top + window.scrollY - 200));
    const top = await page.locator('main .scroll thead th').first().evaluate((each) => each.getBoundingClientRect().top);
    assert.equal(top, 0);
    await finish(page);
  });

  it('paper has the standings and none of the buttons', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('button:visible, nav:visible').count(), 0);
    assert.equal(await page.locator('tr.row:visible').count(), 13);
    await finish(page);
  });

  it('without scripts there is a notice, with links to the data', async () => {
    for (const address of ['/', '/leaderboard', '/docs', `/events/${world.event.id}`, `/games/${world.rounds[0].games[0].id}`, `/players/${world.players[0].id}`]) {
      const page = await world.reader.open(address, { javaScriptEnabled: false });
      assert.match(await page.locator('.notice').textContent(), /Allow scripts/);
      assert.equal(await page.locator('main[aria-busy]').count(), 0);
      for (const link of await page.locator('.notice a').all()) {
        const answer = await world.client.get(await link.getAttribute('href'));
        assert.equal(answer.status, 200);
        assert.ok(answer.json);
      }
      await finish(page);
    }
  });
});
