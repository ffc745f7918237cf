// A player's card, and sharing a page.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { endQuietly, makeEvent, makePlayers, startRound } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { daily, notLong } from '../../long.mjs';
import { finish, launch, overflow, phone, Reader, texts, violations } from '../support/browser.mjs';

let bed;
let browser;
let reader;
let players;
let event;
before(async () => {
  bed = new Testbed();
  const [{ client }, launched] = await Promise.all([bed.startService(), launch()]);
  browser = launched;
  reader = new Reader(browser, client.port);
  players = await makePlayers(client, 5, 'Card');
  event = await makeEvent(client, players[4], players.slice(0, 4), { seats_min: 4, rounds: 1 });
  const { games } = await startRound(client, event, players[4], players.slice(0, 4));
  for (const game of games) await endQuietly(client, game, players[4]);
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

it('a card has name, rating and last results, with and without scripts, and is printed without buttons', async () => {
  const address = `/players/${players[0].id}/card`;
  const [played, unplayed] = [/^Rating 1\d{3} ± \d+, 1 game, provisional$/, 'No rated game yet.'];
  for (const settings of daily([{}, phone, { colorScheme: 'dark' }, { javaScriptEnabled: false }], 3)) {
    const page = await reader.open(address, settings);
    assert.equal(await page.locator('h1').textContent(), players[0].name);
    assert.match(await page.locator('.player-card .rating').textContent(), played);
    assert.equal(await page.locator('.player-card .code').getAttribute('src'), `/players/${players[0].id}/code.svg`);
    const [result] = await texts(page, '.player-card li');
    assert.match(result, /^Place [1-4](–[2-4])? of 4 Shinjuku, round 1, table 1$/);
    if (settings.javaScriptEnabled !== false) assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('button:visible').count(), 0);
    await finish(page);
  }
  const german = await reader.open(address, { locale: 'de-DE' });
  assert.match(await german.locator('.player-card .rating').textContent(), /^Wertungszahl 1\d{3} ± \d+, 1 Partie, vorläufig$/);
  await german.evaluate(() => { navigator.share = async (what) => { window.given = what.url; }; });
  await german.getByRole('button', { name: 'Teilen' }).click();
  await german.waitForFunction(() => window.given !== undefined);
  assert.equal(await german.evaluate(() => window.given), `${reader.origin}${address}?language=de`); // for the picture
  await finish(german);
  const other = await reader.open(`/players/${players[4].id}/card`);
  assert.equal(await other.locator('.player-card .rating').textContent(), unplayed);
  assert.equal(await other.locator('.player-card li').count(), 0);
  await finish(other);
});

it('a page is shared in the dialog of the device, or its address is copied', { skip: notLong }, async () => {
  for (const address of [`/events/${event.id}`, `/players/${players[0].id}`, `/players/${players[0].id}/card`]) {
    const page = await reader.open(`${address}?x=1`);
    const said = page.locator('[data-shared]');
    await page.evaluate(() => { navigator.share = undefined; navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForFunction(() => document.querySelector('[data-shared]').textContent !== '');
    assert.equal(await said.textContent(), 'Link copied.');
    assert.equal(await page.evaluate(() => window.copied), reader.origin + address);
    await page.evaluate(() => { navigator.clipboard.writeText = async () => { throw new DOMException('no', 'NotAllowedError'); }; });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForFunction(() => document.querySelector('[data-shared]').textContent.startsWith('Copy this address: http'));
    await page.evaluate(() => { navigator.share = async (what) => { window.given = what.url; throw new DOMException('closed', 'AbortError'); }; window.copied = null; });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForFunction(() => window.given !== undefined);
    assert.deepEqual(await page.evaluate(() => [window.given, window.copied]), [reader.origin + address, null]);
    await finish(page);
  }
});

it('badges have the name of everybody who takes part, and fit on paper', async () => {
  const page = await reader.open(`/events/${event.id}/badges`);
  assert.deepEqual([...await texts(page, '.badges strong')].sort(), players.slice(0, 4).map(({ name }) => name).sort());
  assert.deepEqual(await violations(page), []);
  await page.waitForFunction(() => [...document.querySelectorAll('.badges li > .code')].filter((each) => each.complete && each.naturalWidth > 0).length === 4);
  const codes = await page.locator('.badges .code').evaluateAll((all) => all.map((each) => new URL(each.src).pathname));
  assert.deepEqual(codes.sort(), players.slice(0, 4).map(({ id }) => `/players/${id}/code.svg`).sort());
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('button:visible, h1:visible, header:visible').count(), 0);
  assert.equal(await page.locator('.badges li').first().evaluate((each) => Math.round(each.getBoundingClientRect().width)), 321); // 85 mm
  await finish(page);
  const small = await reader.open(`/events/${event.id}/badges`, phone);
  assert.equal(await overflow(small), 0);
  await finish(small);
});
