// A guest plays against the house: one form, and the game has begun.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { build, Testbed } from '../../api/support/testbed.mjs';
import { until } from '../../api/support/waiting.mjs';
import { desktop, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';

let bed;
let client;
let browser;
let reader;
let house;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  const file = path.join(bed.directory, 'house-tokens');
  const tokens = ['casual', 'regular', 'regular'].map((level) => bed.tillroll('admin', 'house', level).stdout);
  writeFileSync(file, tokens.join(''), { mode: 0o600 });
  house = spawn(path.join(build, 'tillroll'), ['house', '--server', `http://127.0.0.1:${client.port}`, '--tokens', file], { env: { PATH: process.env.PATH } });
});
after(async () => {
  const ended = once(house, 'close');
  house.kill('SIGTERM');
  await ended;
  await reader.close();
  await browser.close();
  await bed.end();
});

// Clicks once towards a move: on what sends it, or else on the first word that is offered.
const clickOnce = (page) => page.evaluate(() => {
  const table = document.getElementById('table');
  (table.querySelector('.ready button') ?? table.querySelector('.choices button'))?.click();
});

it('a guest clicks “Play against the house”, and plays', async () => {
  const page = await reader.open('/lobby', desktop, /40\d/);
  await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
  await page.getByText('Play against the house', { exact: true }).click();
  const form = page.locator('#house-form');
  await form.getByLabel('Game', { exact: true }).selectOption('shinjuku');
  assert.deepEqual(await form.getByLabel('Level').locator('option').allTextContents(), ['Casual', 'Regular']);
  await form.getByLabel('Level').selectOption('regular');
  await form.getByLabel('Seats', { exact: true }).selectOption('3');
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
  await form.getByRole('button', { name: 'Start the game' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your name').fill('Mo');
  await dialog.getByRole('button', { name: 'Start the game' }).click();
  await page.waitForURL(/\/games\//);
  const [, game] = /\/games\/([0-9a-f-]{36})$/.exec(page.url());
  const read = async () => good(await client.get(`/v1/games/${game}`));
  const { seats } = await read();
  assert.deepEqual(seats.map(({ player }) => player.name).sort(), ['House · regular', 'House · regular 2', 'Mo [guest]']);
  await page.locator('bdi:visible', { hasText: 'House · regular 2' }).first().waitFor();
  const own = seats.findIndex(({ player }) => player.name === 'Mo [guest]');
  // Three moves of the guest's, with what the house answers.
  for (let moves = 0; moves < 3; moves++) {
    await until(60, "the guest's turn", async () => (await read()).deciders.includes(own));
    const { seq } = await read();
    await until(60, 'a move', async () => {
      await clickOnce(page);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return (await read()).seq > seq;
    });
  }
  await until(60, 'the house', async () => (await read()).deciders.includes(own));
  await page.getByText(/from here on, the house decides at the level Regular \(version \d+\)/).first().waitFor();
  // The same version in the list of players.
  const { house: plays } = (await read()).seats.find(({ player }) => player.name === 'House · regular 2');
  await page.locator('table.seats tr', { hasText: 'House · regular 2' }).getByText(`(levels, version ${plays.version})`).waitFor();
  // With the guest gone, only the house would play on.
  await page.getByRole('button', { name: 'Leave the game' }).click();
  await page.getByRole('dialog').getByText('The game is over at once, and you rank below the house.').waitFor();
  assert.match(await page.getByRole('dialog').evaluate((each) => document.getElementById(each.getAttribute('aria-describedby')).textContent), /^The game is over at once/);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the game' }).click();
  await page.getByText('Mo [guest] is out of the game.').first().waitFor();
  await page.locator('table.seats tr', { hasText: 'Mo [guest]' }).getByText('(forfeited)').waitFor();
  await page.locator('.play .outcome', { hasText: 'Mo [guest] (forfeited)' }).waitFor();
  assert.equal(await page.locator('#do-leave').count(), 0);
  const { state, seats: ended } = await read();
  assert.deepEqual([state, ended[own].rank], ['finished', 3]);
  // On a phone, who looks back sees the board and the controls at once.
  await page.setViewportSize(phone.viewport);
  const inSight = (selector) => page.waitForFunction((each) => {
    const { top, bottom } = document.querySelector(each).getBoundingClientRect();
    return top < innerHeight && bottom > 0 && getComputedStyle(document.querySelector(each)).visibility === 'visible';
  }, selector);
  await page.locator('[data-do=first]').click();
  await page.locator('[data-do=forward]').click();
  for (const each of ['.board', '[data-do=forward]']) await inSight(each);
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await violations(page), []);
});
