// House players in an event, in the browser: the settings, the notice before entering, the button that fills tables, the marks.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { House } from '../../api/cli/house_program.mjs';
import { good } from '../../api/support/client.mjs';
import { makePlayers } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { until } from '../../api/support/waiting.mjs';
import { notLong } from '../../long.mjs';
import { desktop, launch, overflow, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

let bed;
let client;
let browser;
let reader;
let organizer;
let people;
let event;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  [organizer, ...people] = await makePlayers(client, 4);
  const keeper = new House(bed, client);
  for (const level of ['casual', 'regular']) await keeper.account(level);
  event = good(await client.post('/v1/events', { name: 'With the house', ruleset: 'shinjuku', seats_min: 4, seats_max: 4, rounds: 1, entropy_seconds: 0 }, organizer.token));
});
after(async () => {
  await reader.close();
  await browser.close();
  await bed.end();
});

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const loaded = (page) => page.waitForSelector('main:not([aria-busy], [data-plain]) h1');

it('an organizer allows them, and fills the last table', async () => {
  const page = await signIn(reader, organizer, `/events/${event.id}/manage`, desktop, /40\d/);
  await page.locator('#change-settings > summary').click();
  await page.getByLabel('House players may enter').selectOption({ label: 'Up to Regular' });
  await page.getByLabel('Bots may enter').uncheck();
  await press(page, 'Show what this changes');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Changed: House players may enter, Bots may enter').waitFor();
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  const settings = await until(60, 'the settings are changed', async () => {
    const now = good(await client.get(`/v1/events/${event.id}`)).settings;
    return now.house === undefined ? undefined : now;
  });
  assert.deepEqual([settings.house, settings.bots, settings.rate_house], ['regular', false, undefined]);
  good(await client.post(`/v1/events/${event.id}/open-entries`, {}, organizer.token));
  for (const { token } of people) good(await client.post(`/v1/events/${event.id}/entries`, {}, token));
  await page.reload();
  const form = page.locator('#fill-house');
  await form.waitFor();
  assert.deepEqual(await form.getByLabel('Level of the house players').locator('option').allTextContents(), ['Beginner', 'Casual', 'Regular']);
  await form.getByLabel('Level of the house players').selectOption('casual');
  assert.deepEqual(await violations(page), []);
  await press(page, 'Fill with house players');
  await page.getByText('1 house player has entered.').waitFor();
  await press(page, 'Fill with house players');
  await page.getByText('Nobody is missing: the last table is full.').waitFor();
  assert.equal(await page.locator('#entries a.house').textContent(), 'House · casual');
  assert.equal(await overflow(page), 0);
  await page.context().close();
});

it('people are told before they enter, with and without scripts, and in German', { skip: notLong }, async () => {
  const page = await reader.open(`/events/${event.id}`, desktop);
  await loaded(page);
  assert.equal(await page.locator('#house').textContent(), 'House players (programs of the service) may enter, up to the level Regular. Games with them are rated on a separate list.');
  assert.equal(await page.locator('#no-bots').textContent(), 'Bots may not enter.');
  assert.deepEqual(await page.locator('main a.house').allTextContents(), ['House · casual']);
  await page.context().close();
  const text = await (await fetch(`http://127.0.0.1:${client.port}/events/${event.id}`)).text();
  assert.match(text, /House players \(programs of the service\) may enter, up to the level regular\. Games with them are rated on a separate list\./);
  assert.match(text, /Bots may not enter\./);
  const german = await reader.open(`/events/${event.id}`, { ...desktop, locale: 'de-DE' });
  await loaded(german);
  assert.match(await german.locator('#house').textContent(), /bis zur Stufe Solide\. Partien mit ihnen werden auf einer eigenen Liste gewertet\./);
});

it('standings give their places, and those among people', async () => {
  good(await client.post(`/v1/events/${event.id}/close-entries`, {}, organizer.token));
  const { games: [{ id, seats }] } = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  const ranks = seats.map(({ house }) => (house === null ? null : 1));
  let next = 2;
  const ruled = seats.map(({ player }, i) => ({ player: player.id, rank: ranks[i] ?? next++, score: 0 })).map((each) => ({ ...each, score: 50 - each.rank }));
  good(await client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: { seats: ruled, reason: 'As played at the table.' }, token: organizer.token }));
  const text = await (await fetch(`http://127.0.0.1:${client.port}/events/${event.id}`)).text();
  assert.match(text, /class="house"><bdi>House · casual<\/bdi>/);
  assert.match(text, /\(1 among people\)/);
  const page = await reader.open(`/events/${event.id}`, desktop);
  await loaded(page);
  for (const words of ['(1 among people)', '(3 among people)']) await page.getByText(words).first().waitFor();
  await page.goto(`${reader.origin}/games/${id}`);
  await page.locator('#ruling', { hasText: 'a ruling decides the result of this table.' }).waitFor();
});
