// Co-dealers on pages: an organizer ticks them, whoever waits sees them, and the audit and verification pages name them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Dealer } from '../../api/cli/support/dealer.mjs';
import { good } from '../../api/support/client.mjs';
import { waitingGame } from '../../api/support/entropy.mjs';
import { makeEvent, makePlayer, makePlayers, password } from '../../api/support/play.mjs';
import { build, temporaryDirectory, Testbed } from '../../api/support/testbed.mjs';
import { until } from '../../api/support/waiting.mjs';
import { notLong } from '../../long.mjs';
import { finish, launch, overflow, Reader, violations } from '../support/browser.mjs';

let directory;
const file = (name) => path.join(directory, name);
let bed, browser, reader, client, ada, away;
before(async () => {
  bed = new Testbed();
  directory = temporaryDirectory('dealers-web');
  ada = new Dealer(file('ada'));
  away = new Dealer(file('away'));
  // Nobody listens there.
  writeFileSync(file('dealers'), `dealer ada.example ${ada.key} http://127.0.0.1:1\ndealer ben ${away.key} http://127.0.0.1:1\n`);
  const [service, launched] = await Promise.all([bed.startService(['--timers-ms', '50', '--dealers', file('dealers')]), launch()]);
  browser = launched;
  ({ client } = service);
  reader = new Reader(browser, client.port);
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed?.end();
});

const text = (page, selector) => page.locator(selector).textContent();
async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

describe('co-dealers on pages', () => {
  it('are boxes that an organizer ticks', async () => {
    const desk = await reader.open('/login?next=/events/new');
    await desk.fill('#register-name', 'Host of dealers');
    await desk.fill('#register-password', password);
    await desk.locator('#register button').click();
    await desk.waitForURL(`${reader.origin}/events/new`);
    await desk.fill('#setting-name', 'Dealt');
    await desk.locator('#entries-more > summary').click();
    assert.match(await text(desk, '#setting-dealers'), /Co-dealers.*ada\.example.*ben/s);
    await desk.check('#setting-dealer-1');
    await desk.selectOption('#setting-dealers_seconds', { label: '1 minute' });
    await isWell(desk);
    await desk.getByRole('button', { name: 'Create event', exact: true }).click();
    await desk.waitForURL(/\/manage$/);
    const id = new URL(desk.url()).pathname.split('/')[2];
    const { settings } = good(await client.get(`/v1/events/${id}`));
    assert.deepEqual([settings.dealers, settings.dealers_seconds], [[{ key: away.key, name: 'ben' }], 60]);

    // What is not changed stays.
    await desk.goto(`${reader.origin}/events/${id}/audit`);
    await desk.waitForSelector('main:not([aria-busy], [data-plain]) #dealers');
    assert.match(await text(desk, 'main'), new RegExp(`ben: ${away.key}`));
    await isWell(desk);
    await finish(desk);
  });

  it('are shown to those who wait for them, with scripts and without', async () => {
    const organizer = await makePlayer(client, 'Organizer');
    const players = await makePlayers(client, 3, 'Waiting');
    const event = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3, rounds: 1, dealers: [{ name: 'ada.example', key: ada.key }] });
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const [{ waiting, seats }] = round.seating;
    const game = waitingGame(waiting.game, seats, players);
    await until(20, 'it is asked', async () => good(await client.get(`${game.at}/entropy`)).dealers.length === 1);
    for (const scripts of [true, false]) {
      const page = await reader.open(`/games/${game.id}`, { scripts });
      assert.match(await text(page, '#dealers'), /ada\.example: awaited/);
      await isWell(page);
      await finish(page);
    }
  });

  it('are named on the page of a game that has begun without one', { skip: notLong }, async () => {
    const organizer = await makePlayer(client, 'Chair');
    const players = await makePlayers(client, 3, 'Sitting');
    const event = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3, rounds: 1, dealers: [{ name: 'ada.example', key: ada.key }], dealers_seconds: 1 });
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const { game } = round.seating[0].waiting;
    await until(20, 'it starts', async () => (await client.get(`/v1/games/${game}`)).status === 200);
    const page = await reader.open(`/games/${game}`);
    await page.waitForSelector('#dealers');
    assert.equal((await text(page, '#dealers')).trim(), 'Co-dealers that did not answer: ada.example.');
    await isWell(page);
    await finish(page);
  });

  it('are shown while a duplicate round waits for them', { skip: notLong }, async () => {
    const organizer = await makePlayer(client, 'Director');
    const players = await makePlayers(client, 6, 'Pair');
    const event = await makeEvent(client, organizer, players, { format: 'duplicate', seats_preferred: 3, seats_min: 3, seats_max: 3, rounds: 1, boards: 2, dealers: [{ name: 'ada.example', key: ada.key }] });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    for (const at of [`/events/${event.id}`, `/events/${event.id}/rounds/1`, `/events/${event.id}/audit`])
      for (const scripts of [true, false]) {
        const page = await reader.open(at, { scripts });
        assert.doesNotMatch(await text(page, 'main'), /Revealed|undefined|NaN/, at);
        if (!at.endsWith('audit') && (scripts || at.endsWith('1'))) assert.match(await text(page, 'main'), /waits for its co-dealers/, at);
        await isWell(page);
        await finish(page);
      }
  });

  it('are named by the verification page', async () => {
    execFileSync(path.join(build, 'tests/write_roll'), ['--all', '6', directory]);
    const page = await reader.open('/verify');
    await page.setInputFiles('#files', { name: 'dealt.roll', mimeType: '', buffer: readFileSync(file('5.roll')) });
    await page.waitForSelector('.result h2');
    await page.waitForFunction(() => /Valid/.test(document.querySelector('.result h2').textContent));
    assert.match(await text(page, '.result'), /co-dealers are part of it, and their proofs hold: 0\.example/);
    await finish(page);
  });
});
