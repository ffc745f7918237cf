// Games: their pages with the rules and pictures of them, the rules beside a table, and a first game that explains itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { makeEvent, makePlayer, makePlayers, startRound } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { daily, isLong, notLong } from '../../long.mjs';
import { finish, launch, overflow, phone, Reader, texts, violations } from '../support/browser.mjs';

const slugs = ['mall-world', 'shinjuku', 'super-motherload', 'supermarche', 'superstore-3000'];
const picturesOf = (slug) => JSON.parse(readFileSync(new URL(`../../../web-static/rules/${slug}.json`, import.meta.url), 'utf8')).pictures;
const settled = (page) => page.evaluate(() => Promise.all(document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity).map((each) => each.finished)));

let bed;
let client;
let browser;
let reader;
let event;
let game;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  const organizer = await makePlayer(client, 'Organizer');
  const players = await makePlayers(client, 4);
  event = await makeEvent(client, organizer, players, { name: 'Evening in Tokyo', seats_min: 4 });
  const round = await startRound(client, event, organizer, players);
  game = round.games[0];
});
after(async () => {
  await reader.close();
  await browser.close();
  await bed.end();
});

describe('the page of a game', () => {
  for (const slug of daily(slugs, 4)) it(`of ${slug} has rules with pictures, and no fault`, async () => {
    const page = await reader.open(`/games/${slug}`);
    const names = Object.keys(picturesOf(slug));
    const drawn = await page.locator('.picture > .board').evaluateAll((all) => all.map((each) => [each.parentElement.dataset.picture, each.getBoundingClientRect().height > 30 && (each.querySelector('svg') !== null || each.textContent.length > 50)]));
    assert.deepEqual(drawn.map(([name]) => name).sort(), names.sort());
    assert.deepEqual(drawn.filter(([, isSeen]) => !isSeen), []);
    assert.deepEqual(await violations(page), []);
    assert.ok(await overflow(page) <= 0);
    const links = await page.locator('.actions a, .aside .links a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.deepEqual(links, [`/practice/${slug}?learn=1`, `/practice/${slug}`, `/games/${slug}/components`, `/leaderboard?scope=${slug === 'supermarche' ? 'solo.' : ''}${slug}`, `/games/${slug}/statistics`]);
    await finish(page);
  });

  it('is as good on a dark phone, and can be read without a script', { skip: notLong }, async () => {
    for (const slug of daily(slugs, 5)) {
      const page = await reader.open(`/games/${slug}`, { ...phone, colorScheme: 'dark' });
      assert.ok(await overflow(page) <= 0, slug);
      assert.deepEqual(await violations(page), []);
      await finish(page);
      const plain = await reader.open(`/games/${slug}`, { javaScriptEnabled: false });
      assert.ok((await texts(plain, '#rules h2')).length >= 6);
      assert.deepEqual((await texts(plain, '.picture figcaption')).filter((text) => text.length < 20), []);
      assert.deepEqual(await texts(plain, '.aside h2'), ['Leaderboard', 'Events']);
      await finish(plain);
    }
  });

  it('lists the events of the game, and is in German', { skip: notLong }, async () => {
    const { slug } = game.ruleset;
    const page = await reader.open(`/games/${slug}`, { locale: 'de-DE' });
    assert.deepEqual(await page.locator('.aside li a').evaluateAll((all) => all.map((each) => each.getAttribute('href'))), [`/events/${event.id}`]);
    assert.deepEqual(await texts(page, '.actions a'), ['Spielend lernen', 'Allein üben', 'Spielmaterial']);
    assert.equal(await page.getAttribute('#rules', 'lang'), 'de');
    assert.deepEqual(await texts(page, '.actions ~ .hint'), []);
    assert.equal(await page.locator('#rules .picture .board').count(), Object.keys(picturesOf(slug)).length);
    assert.deepEqual(await violations(page), []);
    await finish(page);
    const plain = await reader.open(`/games/${slug}`, { javaScriptEnabled: false });
    assert.match((await texts(plain, '.aside li')).join(), /Evening in Tokyo.*4 entered/);
    await finish(plain);
  });

  it('has the same parts in both languages', async () => {
    for (const slug of slugs) {
      const [english, german] = await Promise.all(['', '.de'].map(async (tag) => (await client.get(`/static/rules/${slug}${tag}.html`, { unchecked: true })).text));
      const count = (text) => ['h2', 'li', 'tr', 'figure'].map((tag) => `${text.match(new RegExp(`<${tag}[ >]`, 'g'))?.length} ${tag}`);
      assert.deepEqual(count(german), count(english), slug);
      assert.ok(Number.parseInt(count(english)[1], 10) > 5, slug);
    }
  });

  it('is not there for other games', async () => {
    const page = await reader.open('/games/chess', {}, /404/);
    assert.deepEqual(await texts(page, 'h1'), ['There is nothing here']);
    await finish(page);
  });

  it('has statistics of the seats', async () => {
    const page = await reader.open('/games/shinjuku/statistics');
    assert.deepEqual(await texts(page, 'h1'), ['Statistics']);
    assert.equal(await page.locator('.about a[href="/games/shinjuku"]').count(), 1);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });
});

describe('the rules beside a table', () => {
  it('open in a panel on the page of a game, and close again', async () => {
    const page = await reader.open(`/games/${game.id}`);
    await page.click('.open-rules');
    await page.waitForSelector('#rules-panel .picture .board svg');
    assert.equal(await page.locator('#rules-panel .picture .board').count(), Object.keys(picturesOf(game.ruleset.slug)).length);
    await settled(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#rules-panel[open]').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.className), 'open-rules');
    await finish(page);
  });
});

const choices = '#table [data-do=follow], #table [data-do=send]';

// Chooses the first words until a move is whole, and plays it.
const playOne = (page) => page.evaluate(async () => {
  const find = (selector) => document.querySelector(selector);
  const where = find('#table .where').textContent;
  for (let i = 0; find('#table .where').textContent === where; i++) {
    if (i > 2000) throw new Error('nothing more happens');
    (find('#table [data-do=send]') ?? find('#table [data-do=follow]'))?.click();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

describe('a first game', () => {
  for (const slug of daily(slugs, 5)) it(`of ${slug} explains its first decision, and others, without a network`, async () => {
    const page = await reader.open(`/practice/${slug}?learn=1`);
    await page.waitForSelector(choices);
    await page.context().setOffline(true);
    const titles = [(await texts(page, '#lesson-title'))[0]];
    assert.equal(await page.locator('#lesson > [role=status] p').count(), 3);
    await settled(page);
    assert.deepEqual(await violations(page), []);
    await page.click('#lesson > [role=status] [data-do=rules]');
    await page.waitForSelector('#rules-panel .picture .board svg');
    const { top } = await page.evaluate(() => {
      const { anchor } = document.querySelector('#lesson [data-do=rules]').dataset;
      return document.getElementById(`rules-${anchor}`).getBoundingClientRect().toJSON();
    });
    assert.ok(top >= 0 && top < 900, `the section of the rules is in sight: ${top}`);
    await page.keyboard.press('Escape');
    for (let i = 0; i < 12 && (isLong || new Set(titles).size < 3); i++) {
      await playOne(page);
      await page.waitForSelector(`${choices}, #result > *`); // who plays badly may have lost
      if (await page.locator('#result > *').count() > 0) break;
      titles.push((await texts(page, '#lesson-title'))[0]);
    }
    assert.ok(new Set(titles).size >= 3, titles.join());
    const { seen } = await page.evaluate((key) => JSON.parse(localStorage.getItem(key)), `tillroll.learn.${slug}`);
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(seen.length >= 2);
    assert.equal(await page.evaluate((key) => localStorage.getItem(key), `tillroll.practice.${slug}`), null);
    await finish(page);
  });

  it('explains the decision that there is, and not another of which a move has the name', async () => {
    const page = await reader.open('/practice/supermarche');
    const shown = await page.evaluate(async () => {
      const { Lesson } = await import('/static/rules/lesson.js');
      await (await import('/static/lib/words.js')).wordsLoaded;
      const lesson = new Lesson('supermarche');
      return [['ROLL', ['restock', 'roll']], ['ROLL', ['restock', 'roll']], ['RESTOCK', ['stock frozen never 1']]].map(([decision, legal], seq) => {
        lesson.look({ seq, legal, view: { decision } });
        return lesson.card().querySelector('#lesson-title').textContent;
      });
    });
    assert.deepEqual(shown, ['Roll, or stop the trip', 'Hints', 'Restock']);
    await finish(page);
  });

  it('goes on after a reload with what has been explained, and begins anew with a new game', { skip: notLong }, async () => {
    const page = await reader.open('/practice/shinjuku?learn=1', phone);
    await page.waitForSelector(choices);
    await playOne(page);
    await page.waitForFunction(() => document.getElementById('lesson-title').textContent === 'Take an action');
    await page.reload();
    await page.waitForSelector(choices);
    assert.deepEqual(await texts(page, '#lesson-title'), ['Take an action']);
    assert.deepEqual(await texts(page, '#lesson-earlier > summary'), ['1 earlier hint']);
    assert.ok(await overflow(page) <= 0);
    await page.click('#new-game button');
    await page.waitForFunction(() => document.getElementById('lesson-title').textContent === 'Move the Matsuri');
    await finish(page);
  });

  it('is not what practice is', { skip: notLong }, async () => {
    const page = await reader.open('/practice/supermarche');
    await page.waitForSelector(choices);
    assert.equal(await page.locator('#lesson').count(), 0);
    assert.equal(await page.locator('.open-rules').count(), 1);
    await finish(page);
  });
});
