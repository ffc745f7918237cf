// Practice: games of each ruleset against the engine's levels of play, in the browser and without a network. Each day one ruleset is played to
// its end; in the long run all are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { Testbed } from '../../api/support/testbed.mjs';
import { daily, notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, rows, texts, violations } from '../support/browser.mjs';

let bed;
let client;
let browser;
let reader;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
});
after(async () => {
  await reader.close();
  await browser.close();
  await bed.end();
});

const indices = { 'mall-world': 0, shinjuku: 0, 'super-motherload': 1, supermarche: 1, 'superstore-3000': 1 }; // that end soon
const slugs = Object.keys(indices);

const open = async (slug, settings, expected) => {
  const page = await reader.open(`/practice/${slug}`, settings, expected);
  await page.waitForSelector('#table [data-do=follow], #table [data-do=send]');
  return page;
};

const kept = (page, slug) => page.evaluate((key) => JSON.parse(localStorage.getItem(key)), `tillroll.practice.${slug}`);

// Chooses words until a move is whole, always the one of that index or the last, and plays it: `most` times, or until the
// game is over. Returns how many were played.
const playOn = (page, index, most) => page.evaluate(async ({ wanted, count }) => {
  const find = (selector) => document.querySelector(selector);
  const where = () => find('#table .where').textContent;
  const turn = () => find('#table [data-do=follow], #table [data-do=send]') !== null || find('#result > *') !== null;
  const until = async (is) => {
    for (let i = 0; !is(); i++) {
      if (i > 3000) throw new Error(`nothing more happens: ${find('#table .play').textContent}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  let played = 0;
  while (played < count && find('#result > *') === null) {
    const choices = document.querySelectorAll('#table [data-do=follow]');
    if (find('#table [data-do=send]') === null) choices[Math.min(wanted, choices.length - 1)].click();
    else {
      const before = where();
      find('#table [data-do=send]').click();
      await until(() => where() !== before && turn());
      played++;
    }
  }
  return played;
}, { wanted: index, count: most });

// What has just changed is shown in passing.
const settled = (page) => page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)));

// The sets that are shown make the scores.
async function checkBreakdown(page, result) {
  const shown = (await rows(page, '#breakdown')).map(([name, ...cells]) => [name, cells.slice(5), Number(cells[0])]);
  for (const [name, sets, score] of shown) {
    const points = sets.filter((each) => each !== '').map((each) => each.split(' × ').map(Number)).map(([count, worth]) => count * worth);
    assert.equal(points.reduce((sum, each) => sum + each, 0), score, name);
    assert.equal(String(score), result.find((row) => row[1] === name)[2]);
  }
  const scores = shown.map(([, , score]) => score);
  assert.deepEqual(scores, [...scores].sort((a, b) => b - a)); // the winner first
  await page.setViewportSize(phone.viewport);
  const lines = await page.locator('#breakdown tbody th').evaluateAll((all) => all.map((each) => {
    each.replaceChildren('Maximiliane Mustermann');
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(each);
    return Math.round((each.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)) / Number.parseFloat(lineHeight));
  }));
  assert.ok(lines.every((count) => count === 1), String(lines)); // no name breaks
  await page.setViewportSize(desktop.viewport);
}

describe('a game alone', () => {
  const whole = daily(['superstore-3000', 'shinjuku', 'mall-world', 'supermarche', 'super-motherload'], 5);
  for (const slug of whole) it(`of ${slug} is played to its end without a network`, async () => {
    const page = await open(slug);
    await page.context().setOffline(true);
    await settled(page);
    assert.deepEqual(await violations(page), []);
    assert.ok(await playOn(page, indices[slug], Infinity) > 5);
    const { plies, seats, own } = await kept(page, slug);
    const result = await rows(page, '#result');
    if (seats === 1) assert.match((await texts(page, '#result .notice')).join(), /Defeat|Victory/);
    else assert.deepEqual(result.map((row) => row[1]).sort(), [...Array.from({ length: seats - 1 }, (_, i) => `Computer ${i + 1}`), 'Guest']);
    assert.deepEqual((await texts(page, '#log .words p')).filter((each) => /\bYou\b(?!'re)/.test(each)), []); // "You takes"
    assert.deepEqual(await page.locator('#log code').count(), plies.length);
    assert.deepEqual([...new Set(plies.map(({ seat }) => seat))].sort(), Array.from({ length: seats }, (_, seat) => seat));
    assert.equal(own, 0);
    if (slug === 'shinjuku') await checkBreakdown(page, result);
    await settled(page);
    assert.deepEqual(await violations(page), []);
    assert.ok(await overflow(page) <= 0);
    await finish(page);
  });

  it('can be played with the keyboard, and a screen reader is told all that happens', async () => {
    const page = await open('mall-world');
    const told = () => page.locator('#announced').textContent();
    const focused = () => page.evaluate(() => document.activeElement.id);
    assert.equal(await told(), ''); // the page itself is read first
    assert.equal(await page.locator('#table [role=status]').count(), 1);
    await page.locator('#skip-board').focus();
    await page.keyboard.press('Enter');
    assert.equal(await focused(), 'play-title');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.match(await told(), /^Chosen: Accept an order\.$/);
    await page.keyboard.press('Enter');
    const ready = await page.locator('.ready > p').first().textContent();
    assert.equal(await told(), ready);
    await page.locator('.board').getByRole('button').first().focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.equal(await told(), 'Choose on the board, or here:');
    await page.keyboard.press('Escape'); // from the board to the choice
    assert.equal(await focused(), 'play-title');
    // Until the others have moved: their moves, too, are told, and then whose turn it is.
    for (let others = 0; others === 0;) {
      const before = Number((/\d+/.exec(await page.locator('.where').textContent()))?.[0] ?? 0);
      assert.equal(await playOn(page, 0, 1), 1);
      const items = await page.locator('#lately-lines li:not(.since)').evaluateAll((all) => all.map((each) => {
        for (const drawn of each.querySelectorAll('[aria-hidden=true], svg')) drawn.remove();
        return each.textContent.replace(/^\d+ /, '').replace(/\s+/g, ' ').trim();
      }));
      const lines = items.slice(before);
      others = lines.length - 1;
      const words = (text) => text.replace(/^(\d+ earlier lines? (is|are) only in the log\.) /, '');
      assert.equal(words(await told()).replace(/ Your turn(: [^.]+)?\.$/, ''), lines.slice(-10).join(' '));
      assert.match(await told(), / Your turn(: [^.]+)?\.$/);
    }
    // What stands in words beside the plan is not read from the plan as well.
    assert.equal(await page.locator('.plan g[id^=room-]:not([aria-hidden=true], [role=button])').count(), 0);
    assert.equal(await page.locator('.plan g[role=button][aria-hidden]').count(), 0);
    await finish(page);
  });

  it('goes on where it was after a reload, and moves are taken back', async () => {
    const page = await open('superstore-3000');
    await playOn(page, 1, 4);
    const before = await kept(page, 'superstore-3000');
    await page.reload();
    await page.waitForSelector('#table [data-do=follow], #table [data-do=send]');
    assert.deepEqual(await kept(page, 'superstore-3000'), before);
    assert.equal(await page.locator('#log code').count(), before.plies.length);
    await page.click('[data-do=take-back]');
    const last = before.plies.findLastIndex(({ seat }) => seat === 0);
    await page.waitForFunction((count) => document.querySelectorAll('#log code').length === count, last);
    assert.deepEqual((await kept(page, 'superstore-3000')).plies, before.plies.slice(0, last));
    await finish(page);
  });

  it('begins anew with other seats', async () => {
    const page = await open('super-motherload');
    await playOn(page, 1, 2);
    const { seed } = await kept(page, 'super-motherload');
    await page.selectOption('#seats', '4');
    await page.selectOption('#own', '4');
    await page.click('#new-game button');
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('tillroll.practice.super-motherload')).seats === 4);
    const begun = await kept(page, 'super-motherload');
    assert.notEqual(begun.seed, seed);
    assert.equal(begun.own, 3);
    assert.ok(begun.plies.every(({ seat }) => seat !== 3));
    await playOn(page, 1, 1);
    assert.ok((await kept(page, 'super-motherload')).plies.some(({ seat }) => seat === 3));
    await finish(page);
  });

  it('is played against a stronger computer, which thinks beside the page', async () => {
    const page = await open('superstore-3000');
    assert.equal(await page.inputValue('#level'), 'regular');
    assert.deepEqual(await texts(page, '#level option'), ['Beginner', 'Casual', 'Regular', 'Strong', 'Master']);
    await page.selectOption('#level', 'strong');
    await page.click('#new-game button');
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('tillroll.practice.superstore-3000')).level === 'strong');
    await playOn(page, 1, 3);
    const before = await kept(page, 'superstore-3000');
    assert.ok(before.plies.some(({ seat }) => seat === 1));
    await page.reload();
    await page.waitForSelector('#table [data-do=follow], #table [data-do=send]');
    assert.equal(await page.inputValue('#level'), 'strong');
    assert.deepEqual(await kept(page, 'superstore-3000'), before);
    await finish(page);
  });

  it('of Super Motherload begins with folded decks, and has a legend', { skip: notLong }, async () => {
    const page = await open('super-motherload');
    assert.deepEqual(await page.locator('.deck').evaluateAll((all) => all.map((each) => each.querySelector('details').open)), [false, false, false, false]);
    await page.click('#bonuses-green > summary');
    assert.equal(await page.locator('#bonuses-green li:visible').count(), 16);
    await page.click('#motherload-signs > summary');
    assert.equal(await page.locator('#motherload-signs .shape-box:visible').count(), 11);
    assert.ok((await texts(page, '#motherload-signs li')).some((text) => text.includes('diamond $15')));
    await settled(page);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });

  it('is as good on a phone', { skip: notLong }, async () => {
    const page = await open('mall-world', { ...phone, colorScheme: 'dark' });
    await playOn(page, 1, 3);
    assert.ok(await overflow(page) <= 0);
    await settled(page);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });
});

describe('the way there', () => {
  it('is on the home page, for each game once', async () => {
    const page = await reader.open('/');
    const links = await page.locator('a[href^="/practice/"]').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.deepEqual(links.sort(), slugs.map((slug) => `/practice/${slug}`));
    await finish(page);
  });

  it('leads to all games where the address names none', async () => {
    const page = await reader.open('/practice', phone);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) #practice');
    const links = await page.locator('#practice a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.deepEqual(links.sort(), slugs.map((slug) => `/practice/${slug}`));
    assert.ok(await page.locator('#practice a').last().evaluate((each) => each.getBoundingClientRect().bottom <= innerHeight));
    await finish(page);
  });

  it('says that there is nothing for games that do not exist', async () => {
    const page = await reader.open('/practice/chess', {}, /404/);
    assert.deepEqual(await texts(page, 'h1'), ['There is nothing here']);
    await finish(page);
  });

  it('says so where the server has no games for browsers', { skip: notLong }, async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/practice.wasm', (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${reader.origin}/practice/shinjuku`);
    await page.waitForSelector('main .notice');
    assert.match((await texts(page, 'main .notice')).join(), /built without games for the browser/);
    await context.close();
  });
});
