// Component sets in the forms that begin a game: a table of the lobby, one against the house, and practice.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makePlayer } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { desktop, finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

const own = readFileSync(new URL('../../../engine/games/shinjuku/components.json', import.meta.url), 'utf8');
const set = own.replace('"slug":', '"name": "Second <edition>", "slug":').replaceAll('"Ueno"', '"Uenomori"');
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const hash = hashOf(set);
// A set that no page has loaded yet: browsers keep sets.
const other = set.replace('Second <edition>', 'Third edition, with all that came in the box');
const offered = ['built in', `Third edition, with all that came in the box ${hashOf(other).slice(0, 8)}…`, `Second <edition> ${hash.slice(0, 8)}…`]; // newest first

let bed, browser, reader, client, ada;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  browser = launched;
  ({ client } = service);
  reader = new Reader(browser, client.port);
  ada = await makePlayer(client, 'Ada');
  assert.equal(bed.tillroll('admin', 'house', 'casual').status, 0);
  for (const body of [set, other]) {
    const made = await client.request('POST', '/v1/rulesets/shinjuku/components', { body, token: ada.token, headers: { 'Content-Type': 'application/json' } });
    assert.equal(made.status, 201, made.text);
  }
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed?.end();
});

const labels = (page, selector) => page.locator(`${selector} option`).allTextContents();

describe('the lobby', () => {
  it('opens a table with a set of its game, and says so to whoever might sit down', async () => {
    const page = await signIn(reader, ada, '/lobby', desktop);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    await page.locator('#new-table > summary').click();
    await page.selectOption('#new-game', 'mall-world');
    assert.equal(await page.locator('#new-components').count(), 0);
    await page.selectOption('#new-game', 'shinjuku');
    await page.waitForSelector('#new-components');
    assert.deepEqual(await labels(page, '#new-components'), offered);
    // Another game has none.
    await page.selectOption('#new-game', 'mall-world');
    await page.waitForSelector('#new-components', { state: 'detached' });
    await page.selectOption('#new-game', 'shinjuku');
    await page.waitForSelector('#new-components');
    assert.equal(await page.inputValue('#new-components'), '');
    await page.selectOption('#new-components', hash);
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await page.locator('#new-form button[type=submit]').click();
    await page.waitForURL(/\/join\//);
    await page.waitForSelector('.component-set');
    const [table] = good(await client.get('/v1/lobby')).items;
    assert.equal(table.components, hash);
    assert.equal(await page.locator('.component-set').textContent(), `Component set: ${hash.slice(0, 8)}…`);
    assert.equal(await page.locator('.component-set a').getAttribute('href'), `/games/shinjuku/components?set=${hash}`);
    await finish(page);

    const guest = await reader.open('/lobby', { ...phone, colorScheme: 'dark' });
    await guest.waitForSelector('.lobby-table .component-set');
    assert.deepEqual(await violations(guest), []);
    assert.equal(await overflow(guest), 0);
    await finish(guest);
  });

  it('begins a game against the house with one', async () => {
    const page = await signIn(reader, ada, '/lobby', desktop);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    await page.locator('#house-table > summary').click();
    await page.selectOption('#house-game', 'shinjuku');
    await page.waitForSelector('#house-components');
    assert.deepEqual(await labels(page, '#house-components'), offered);
    await page.selectOption('#house-components', hash);
    await page.locator('#house-form button[type=submit]').click();
    await page.waitForURL(/\/games\//);
    assert.equal(good(await client.get(`/v1/games/${page.url().split('/').at(-1)}/view`)).components, hash);
    await page.waitForSelector('#table .board');
    await page.waitForFunction(() => document.querySelector('#table .board').textContent.includes('Uenomori'));
    await finish(page);
  });
});

describe('practice', () => {
  const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('tillroll.practice.shinjuku')));
  const ready = (page) => page.waitForSelector('#table [data-do=follow], #table [data-do=send]');
  const board = (page, name) => page.waitForFunction((word) => document.querySelector('#table .board').textContent.includes(word), name);

  it('is played with a set, also after a reload, until the built-in one is chosen again', async () => {
    const page = await reader.open('/practice/shinjuku', desktop, /ERR_INTERNET_DISCONNECTED/);
    await ready(page);
    await board(page, 'Ueno');
    assert.equal('components' in await kept(page), false);
    assert.deepEqual(await labels(page, '#components'), offered);
    // Without a network, a set that is not loaded is refused, and the game goes on.
    const before = await kept(page);
    await page.selectOption('#components', hashOf(other));
    await page.context().setOffline(true);
    await page.click('#new-game button');
    await page.waitForFunction(() => document.querySelector('#new-game .fault').textContent !== '');
    assert.deepEqual(await kept(page), before);
    await page.context().setOffline(false);
    await page.click('#new-game button');
    await board(page, 'Uenomori');
    assert.equal((await kept(page)).components, hashOf(other));
    assert.equal(await page.locator('#new-game .fault').textContent(), '');
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize(phone.viewport);
    assert.equal(await overflow(page), 0);
    await page.setViewportSize(desktop.viewport);
    await page.reload();
    await ready(page);
    await board(page, 'Uenomori');
    assert.equal(await page.inputValue('#components'), hashOf(other));
    // The built-in one is always at hand, and one that has been played with.
    await page.context().setOffline(true);
    for (const chosen of ['', hashOf(other)]) {
      await page.selectOption('#components', chosen);
      await page.click('#new-game button');
      await page.waitForFunction((wanted) => (JSON.parse(localStorage.getItem('tillroll.practice.shinjuku')).components ?? '') === wanted, chosen);
    }
    await finish(page);
  });
});
