// Reading in every way: names that try to be markup, screen readers, the keyboard, a phone, dark mode, paper, no scripts at all.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { daily, isLong, notLong } from '../long.mjs';
import { finish, overflow, phone, texts, violations } from './support/browser.mjs';
import { eventName, makeWorld } from './support/world.mjs';

let world;
let addresses;
const opened = new Map(); // address -> its page, with some of what can be opened
before(async () => {
  world = await makeWorld('reading');
  addresses = [
    `/events/${world.event.id}`,
    `/events/${world.event.id}/rounds/2`,
    '/',
    `/events/${world.event.id}/statistics`,
    `/games/${world.rounds[0].games[0].id}`,
    `/events/${world.event.id}/audit`,
    `/players/${world.players[7].id}`,
    '/leaderboard',
    `/events/${world.event.id}/hall`,
    `/events/${world.event.id}?after_round=1`,
    '/docs',
    '/ratings/revisions',
    ...(isLong ? ['/docs/api'] : []), // which has more elements than all others together
  ];
  for (const address of daily(addresses, 4)) {
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
      assert.equal(await page.locator('main :is(script, img, iframe, b, style, form:not([role=search]), input:not(#ply, [type=search]))').count(), 0, address);
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
    for (const player of daily(world.players, 6)) {
      await page.goto(`${world.reader.origin}/players/${player.id}`);
      await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
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

  it('has contrast in dark mode too', { skip: notLong }, async () => {
    for (const address of [`/events/${world.event.id}`, '/', `/events/${world.event.id}/hall`, `/events/${world.event.id}/statistics`, '/docs/api']) {
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
  it('skips to the content first, then goes through the links in order', { skip: notLong }, async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    assert.ok(await skip.evaluate((each) => each === document.activeElement));
    const box = await skip.boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement.closest('main') !== null));
    const order = await page.evaluate(() => {
      window.order = [...document.querySelectorAll('main :is(a, button, summary, input)')].filter((each) => each.checkVisibility());
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
    for (const address of daily(addresses, 4)) {
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
});

describe('without scripts', () => {
  const closed = { javaScriptEnabled: false };
  const get = async (target) => good(await world.client.get(target));
  const tidy = (text) => text.replace(/\s+/g, ' ').trim();
  const cells = (page, selector) => page.locator(`${selector} tbody tr`).evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, ' ').trim())));
  const shared = (rank, count) => (rank === null ? '' : count > 1 ? `${rank}–${rank + count - 1}` : String(rank));
  const sharing = (seats, rank) => seats.filter((each) => each.rank === rank).length;
  let eventPage;
  before(() => { eventPage = `/events/${world.event.id}`; });

  it('an event has its standings and the results of its newest round', async () => {
    for (const query of daily(['?after_round=1', '', '?after_round=99'], 3)) {
      const page = await world.reader.open(eventPage + query, closed);
      const standings = await get(`/v1${eventPage}/standings${query === '?after_round=1' ? query : ''}`);
      assert.equal(await page.locator('h1').textContent(), eventName);
      assert.deepEqual((await cells(page, 'table.standings')).map((row) => row.slice(0, 3)), standings.rows.map((row) => [
        shared(row.rank, row.shared), tidy(row.player.name) + (row.dropped ? ' (dropped)' : ''), row.points.text]));
      assert.deepEqual((await page.locator('table.standings tbody tr').first().locator('.strip li').allTextContents()).map((text) => text.split(': ')[1]),
        standings.rows[0].rounds.map((round) => (round.rank === undefined ? '–' : `${round.rank}${round.shared > 1 ? '=' : ''}`)));
      await finish(page);
    }
    const page = await world.reader.open(eventPage, closed);
    const round = await get(`/v1${eventPage}/rounds/3`);
    assert.deepEqual(await cells(page, 'table.pairings'), round.seating.flatMap((table) => table.seats.map((seat) => [
      String(table.table), tidy(seat.player.name), shared(seat.rank, sharing(table.seats, seat.rank)), String(seat.score), ''])));
    assert.equal(await page.locator('.byes li').textContent(), `${round.byes[0].player.name}: bye`);
    await finish(page);
  });

  it('a round has its pairings', async () => {
    const page = await world.reader.open(eventPage, closed);
    await page.getByRole('navigation', { name: 'Rounds' }).getByRole('link', { name: '2', exact: true }).click();
    await page.waitForURL(`${world.reader.origin}${eventPage}/rounds/2`);
    const round = await get(`/v1${eventPage}/rounds/2`);
    assert.deepEqual((await cells(page, 'table.pairings')).map(([table, player]) => [table, player]),
      round.seating.flatMap((table) => table.seats.map((seat) => [String(table.table), tidy(seat.player.name)])));
    await finish(page);
  });

  it('a game has its result, its players, and its roll in words', { skip: notLong }, async () => {
    const [played] = world.rounds[0].games;
    const page = await world.reader.open(`/games/${played.id}`, closed);
    const game = await get(`/v1/games/${played.id}`);
    const expected = [...game.seats].sort((a, b) => a.rank - b.rank || a.seat - b.seat);
    assert.deepEqual(await cells(page, 'table.seats'), expected.map((seat) => [
      shared(seat.rank, sharing(game.seats, seat.rank)), tidy(`${seat.player.name}${seat.fallback ? ' (absent)' : ''}`), String(seat.seat + 1), String(seat.score)]));
    assert.equal(await page.locator('.badge.good').textContent(), 'proved by replay');
    const items = [];
    for (let next = 0, part; (part = await get(`/v1/games/${played.id}/events?after=${next}`)).items.length > 0; next = part.next) items.push(...part.items);
    const lines = await page.locator('.plain-roll > li').evaluateAll((all) => all.map((line) => ({ id: line.id, text: line.textContent, words: [...line.querySelectorAll('p')].map((each) => each.textContent) })));
    const inWords = (text) => text.replaceAll(/\{seat (\d)\}/g, (_, seat) => game.seats[seat].player.name);
    assert.deepEqual(lines.map((line) => line.id), items.map((item) => `line-${item.seq}`));
    items.forEach((item, i) => {
      if (item.kind === 'ply') {
        assert.ok(lines[i].text.startsWith(`${game.seats[item.seat].player.name} ${item.move}`), lines[i].text);
        assert.deepEqual(lines[i].words, item.events.map((event) => inWords(event.text)));
      } else {
        assert.ok(lines[i].text.length > 10 && !/\{(?!seat)|undefined/.test(lines[i].text), lines[i].text);
      }
    });
    await finish(page);
  });

  it('home, a player and the leaderboard have their lists', { skip: notLong }, async () => {
    const home = await world.reader.open('/', closed);
    const games = await get('/v1/games?limit=15');
    const links = (page, i) => page.locator('main .scroll').nth(i).locator('tbody th a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    const count = await home.locator('main .scroll').count();
    assert.deepEqual(await links(home, count - 1), games.items.map((game) => `/games/${game.id}`));
    assert.deepEqual(await links(home, count - 2), (await get('/v1/events?limit=30')).items.map((event) => `/events/${event.id}`));
    await finish(home);
    const [player] = world.players;
    const page = await world.reader.open(`/players/${player.id}`, closed);
    assert.equal(await page.locator('h1').textContent(), player.name);
    assert.deepEqual(await links(page, 1), (await get(`/v1/players/${player.id}/games`)).items.map((game) => `/games/${game.id}`));
    await finish(page);
    const board = await world.reader.open('/leaderboard?scope=shinjuku', closed);
    const { items } = await get('/v1/leaderboard?limit=100&scope=shinjuku');
    assert.deepEqual((await cells(board, 'main')).map((row) => row.slice(1, 3)), items.map((each) => [tidy(each.player.name), String(each.display.rating)]));
    await finish(board);
  });

  it('names are text, axe finds no fault, and every link leads somewhere', { skip: notLong }, async () => {
    const followed = new Set();
    const all = daily([eventPage, '/', '/leaderboard', `${eventPage}/rounds/1`, `${eventPage}/embed`, `/games/${world.rounds[0].games[0].id}`, `/players/${world.players[0].id}`], 2);
    for (const address of all) {
      const page = await world.reader.open(address, closed);
      assert.equal(await page.locator('main :is(script, img, iframe, b, style, form, input)').count(), 0, address);
      const odd = await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((each) => [...each.attributes])
        .filter(({ name, value }) => /^on|^style$/.test(name) || (/^(href|src)$/.test(name) && /^\s*javascript:/i.test(value))).map(({ name }) => name));
      assert.deepEqual(odd, [], address);
      assert.equal(await page.locator('main[aria-busy]').count(), 0);
      for (const href of await page.locator('main a').evaluateAll((all) => all.map((each) => each.href))) followed.add(href.slice(world.reader.origin.length).split('#')[0]);
      await finish(page);
      if (!daily(all, 3).includes(address)) continue;
      const without = await world.reader.open(address, { scripts: false }); // axe is one itself
      assert.deepEqual(await violations(without), [], address);
      await finish(without);
    }
    assert.ok(followed.size > 20, String(followed.size));
    for (const href of followed) assert.equal((await world.client.get(href, { unchecked: true })).status, 200, href);
    const named = await world.reader.open(eventPage, closed);
    const shown = new Set(await texts(named, 'table.standings tbody th bdi'));
    for (const player of world.players) assert.ok(shown.has(player.name), player.name);
    await finish(named);
  });

  it('other pages say that they need one, with links to the data', { skip: notLong }, async () => {
    for (const address of ['/login', `${eventPage}/statistics`]) {
      const page = await world.reader.open(address, closed);
      assert.match(await page.locator('.notice').textContent(), /Allow scripts/);
      await finish(page);
    }
  });
});
