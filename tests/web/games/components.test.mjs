// The page of a game's components: readable without script, beside other sets with it, edited, checked by the reader in the browser,
// opened, downloaded and registered.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { good } from '../../api/support/client.mjs';
import { password } from '../../api/support/play.mjs';
import { daily, notLong } from '../../long.mjs';
import { finish, overflow, phone, texts, violations } from '../support/browser.mjs';
import { client, organizer, read, reader } from '../support/read.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const games = ['supermarche', 'shinjuku', 'mall-world', 'super-motherload', 'superstore-3000'];
const builtIn = (slug) => readFileSync(path.join(root, 'engine/games', slug, 'components.json'), 'utf8');
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const dearer = builtIn('supermarche').replace('"start_money": 15', '"start_money": 20');
read();

const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById('set-status')?.textContent ?? ''), pattern.source);
const open = async (slug, settings = {}, query = '') => {
  const page = await reader.open(`/games/${slug}/components${query}`, settings);
  await says(page, /can be played|gespielt werden/);
  return page;
};
const cell = (page, place) => page.locator(`[data-place="${place}"]`);
async function write(page, place, text) {
  await cell(page, place).fill(text);
  await cell(page, place).press('Tab');
}

describe('the page of components', () => {
  it('is linked from the game, and can be read without script', async () => {
    const game = await reader.open('/games/shinjuku', { scripts: false });
    await game.getByRole('link', { name: 'Components' }).click();
    await game.waitForSelector('h1:has-text("Components of Shinjuku")');
    const text = await game.locator('main').textContent();
    for (const word of ['kita-senju', 'Takadanobaba', 'katsushika', 'specialty stores per good']) assert.ok(text.includes(word), word);
    assert.deepEqual(await violations(game), []);
    await finish(game);
  });

  for (const slug of daily(games, 5)) it(`shows the set of ${slug} in tables and as the board has it, on a phone and in the dark`, async () => {
    const page = await open(slug, { ...phone, colorScheme: 'dark' });
    assert.ok((await page.locator('#set-status').textContent()).includes(hashOf(builtIn(slug))));
    assert.equal(await page.locator('#set-differences').textContent(), 'This is the set that comes with the ruleset.');
    await page.waitForSelector('#set-pictures figure .board > *');
    assert.equal(await page.locator('.set .changed').count(), 0);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });

  it('takes changes, and has each of them checked by the reader of the service', async () => {
    const page = await open('shinjuku');
    await page.getByRole('button', { name: 'Edit' }).click();
    await write(page, '/wards/rows/0/cards', '0');
    await says(page, /cannot be played with this set\. \/wards\/rows\/0\/cards: This number must be from 1 to 9\./);
    const fault = page.locator('#set-fault');
    assert.equal(await fault.textContent(), 'This number must be from 1 to 9.');
    assert.equal(await cell(page, '/wards/rows/0/cards').getAttribute('aria-describedby'), 'set-fault');
    assert.equal(await page.locator('td.changed').count(), 1);
    assert.deepEqual(await texts(page, 'td.changed .was'), ['built-in: 3']);
    await write(page, '/wards/rows/0/cards', '2.5');
    await says(page, /\/wards\/rows\/0\/cards: This must be a whole number/);
    await write(page, '/scoring/set_points/4', '9999999999');
    await write(page, '/wards/rows/0/cards', '2'); // a number again
    await says(page, /\/scoring\/set_points\/4: This must be a whole number/);
    await write(page, '/scoring/set_points/4', '10');
    await says(page, /can be played with this set/);
    assert.equal(await fault.count(), 0);
    await write(page, '/wards/rows/0/stations', 'tokyo, akihabara');
    await says(page, /A station of this ward is missing in the list/);
    await write(page, '/wards/rows/0/stations', 'tokyo, akihabara, iidabashi');
    await says(page, /can be played with this set/);
    assert.equal(await page.locator('#set-differences').textContent(), '1 value differs from the set that comes with the ruleset; it is marked.');
    await page.waitForFunction(() => document.querySelectorAll('#set-pictures figure').length === 2);
    assert.deepEqual(await violations(page), []);
    // What is downloaded is what was checked.
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
    const file = readFileSync(await download.path(), 'utf8');
    assert.ok((await page.locator('#set-status').textContent()).includes(hashOf(file)));
    const changed = JSON.parse(builtIn('shinjuku'));
    changed.wards.rows[0].cards = 2;
    assert.deepEqual(JSON.parse(file), changed);
    await finish(page);
  });

  it('goes to the value that is chosen after the name', async () => {
    const page = await open('supermarche');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.evaluate(() => { // as with a page that is busy
      const soon = setTimeout;
      globalThis.setTimeout = (act, ms = 0) => soon(act, ms + 500);
    });
    await page.locator('#set-name').click();
    await page.keyboard.type('Second edition');
    await cell(page, '/options/rows/0/values').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('[');
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => document.querySelector('[data-place="/game/name"]')?.value === 'Second edition');
    await says(page, /can be played with this set/);
    await page.locator('.set .fault', { hasText: 'This is not JSON' }).waitFor();
    assert.equal(await page.inputValue('#set-name'), 'Second edition');
    await finish(page);
  });

  it('adds and removes rows, and says what is gone', async () => {
    const page = await open('shinjuku');
    await page.getByRole('button', { name: 'Edit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove row 1' }).first().click(); // the first pair of neighbours
    await says(page, /cannot be played with this set/);
    await page.waitForSelector('del:has-text("adachi, arakawa")');
    assert.equal(await page.locator('.set del').count(), 1);
    await finish(page);
  });

  it('opens files, and registers them for those who have an account', async () => {
    const guest = await open('supermarche');
    assert.ok(await guest.getByRole('button', { name: 'Register' }).isDisabled());
    await finish(guest);
    const page = await open('supermarche', { player: { name: organizer.name, password } });
    await page.setInputFiles('#set-file', { name: 'none.json', mimeType: '', buffer: Buffer.from('{"slug": ') });
    await says(page, /none\.json contains no component set, because it is not a JSON object\. line 1: No JSON value begins like this\./);
    // What is registered is the file byte for byte, so nothing in it is put right in passing.
    for (const [buffer, expected] of [[Buffer.from(`\ufeff${dearer}`), /line 1: The file begins with a byte order mark/], [Buffer.from(dearer.replace('Produce', 'Prod\xfcce'), 'latin1'), /line \d+: This is not UTF-8/]]) {
      await page.setInputFiles('#set-file', { name: 'none.json', mimeType: '', buffer });
      await says(page, expected);
    }
    const { customers, ...poorer } = JSON.parse(dearer);
    assert.ok(customers);
    await page.setInputFiles('#set-file', { name: 'poorer.json', mimeType: '', buffer: Buffer.from(JSON.stringify(poorer)) });
    await says(page, /The key `customers` is missing/);
    assert.deepEqual(await texts(page, '.set > .changed'), ['customers']);
    assert.match(await page.locator('#set-differences').textContent(), /^2 values differ/);
    await page.setInputFiles('#set-file', { name: 'wrong.json', mimeType: '', buffer: Buffer.from(dearer.replace('"start_money": 20', '"start_money": -1')) });
    await says(page, /cannot be played with this set/);
    await page.setInputFiles('#set-file', { name: 'dearer.json', mimeType: '', buffer: Buffer.from(dearer) });
    await says(page, new RegExp(hashOf(dearer)));
    await Promise.all([page.waitForEvent('filechooser'), page.click('#set-file')]);
    assert.equal(await page.inputValue('#set-file'), ''); // the same file can be opened again
    await page.getByRole('button', { name: 'Register' }).click();
    await says(page, /^Registered: /);
    assert.equal(good(await client.get(`/v1/rulesets/supermarche/component-sets`)).items[1].components, hashOf(dearer));
    await page.locator('#set-status a').click();
    await page.waitForURL(/\?set=/);
    await says(page, new RegExp(hashOf(dearer)));
    assert.equal(await page.locator('.set .changed').count(), 1);
    await finish(page);
  });

  it('is practised with before anybody else sees it', async () => {
    const own = builtIn('shinjuku').replaceAll('"Ueno"', '"Uenoyama"');
    const page = await open('shinjuku');
    assert.equal(await page.getByRole('link', { name: 'Practice with it' }).count(), 0); // that is the page of practice
    await page.setInputFiles('#set-file', { name: 'own.json', mimeType: '', buffer: Buffer.from(own) });
    await page.getByRole('link', { name: 'Practice with it' }).click();
    const board = () => page.waitForFunction(() => document.querySelector('#table .board')?.textContent.includes('Uenoyama'));
    await board();
    assert.equal(new URL(page.url()).search, '');
    await page.reload();
    await board();
    assert.equal(await page.inputValue('#components'), hashOf(own));
    await finish(page);
  });

  it('is in German for who reads German', { skip: notLong }, async () => {
    const page = await open('supermarche', { locale: 'de-DE', ...phone });
    assert.equal(await page.locator('h1').textContent(), 'Spielmaterial von Supermarché');
    assert.equal(await overflow(page), 0);
    await finish(page);
  });
});
