// Places held for people without an account, in a browser: the desk holds them and hands out links, a stranger at a phone
// makes an account of one, and somebody with an account takes another over.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { after, before, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makePlayers, password } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

let bed;
let client;
let browser;
let reader;
let organizer;
let player;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  [organizer, player] = await makePlayers(client, 2, 'Door');
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

const refused = /40\d/;
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');
const drawn = (page) => page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

// With $TILLROLL_PICTURES, what people see goes there.
async function picture(page, name) {
  const folder = process.env.TILLROLL_PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function linkOf(page, name) {
  const box = page.getByLabel(`Link for`, { exact: false }).filter({ visible: true });
  for (const each of await box.all()) if (plain(await each.getAttribute('aria-label')) === `Link for ${name}`) return each.inputValue();
  return assert.fail(`no link for ${name}`);
}

it('a name without an account becomes a place, whose link makes it an account, or gives it to one', async () => {
  const { id } = good(await client.post('/v1/events', { name: 'Club night', ruleset: 'shinjuku', rounds: 2, seats_min: 2, seats_max: 2 }, organizer.token));
  const at = `/v1/events/${id}`;
  good(await client.post(`${at}/open-entries`, {}, organizer.token));
  const desk = await signIn(reader, organizer, `/events/${id}/manage`, desktop, refused);
  const [first, second] = ['Greta', 'Tom'].map((name) => `${name} x${randomBytes(3).toString('hex')}`); // (the page proposes names without numbers at their ends)
  await desk.getByText('Paste a list of names').click();
  await desk.fill('#paste-names', `${first}\n${player.name}\n`);
  await press(desk, 'Enter these players');
  await desk.locator('.pasted').waitFor();
  assert.deepEqual((await desk.locator('.pasted li').allTextContents()).map(plain), [`${first}: no account has this name; a place is held.`, `${player.name}: entered.`]);
  await desk.getByText('Places for people without an account').click();
  await desk.fill('#hold-name', second);
  await press(desk, 'Hold a place');
  await desk.locator('#places tbody tr:nth-child(2)').waitFor();
  await desk.fill('#paste-names', `${first}\n${'x'.repeat(53)}\n`); // the list again, with one name more
  await press(desk, 'Enter these players');
  await desk.locator('.pasted li', { hasText: `${first}: already entered.` }).waitFor();
  assert.match(await desk.locator('.pasted li:last-child').textContent(), /: not entered. The name is empty or too long: at most 52 characters/);
  const states = (await desk.locator('#entries td:nth-child(3)').allTextContents()).filter((text) => text.startsWith('place held'));
  assert.equal(states.length, 2);
  await isWell(desk);
  await picture(desk, 'desk');
  const [link, other] = [await linkOf(desk, `${first} [guest]`), await linkOf(desk, `${second} [guest]`)];
  assert.match(link, /\/claim\/[a-z2-7]{26}$/);

  // A stranger at a phone.
  const stranger = await reader.open(new URL(link).pathname, phone, refused);
  await drawn(stranger);
  await isWell(stranger);
  await picture(stranger, 'claim-phone');
  assert.equal(await stranger.inputValue('#claim-name'), first);
  await stranger.fill('#claim-password', 'short');
  await press(stranger, 'Claim the place');
  await stranger.locator('#claim-password-fault:not(:empty)').waitFor();
  await stranger.fill('#claim-password', password);
  await press(stranger, 'Claim the place');
  await stranger.waitForURL(`**/events/${id}`);
  await stranger.locator('#mine').waitFor();
  assert.equal((await stranger.locator('#account').textContent()).trim(), first);
  const entered = good(await client.get(`${at}/entries`)).items.map((entry) => entry.player.name);
  assert.ok(entered.includes(first), entered.join());

  // Somebody with an account, after the link of before has been replaced.
  await desk.getByRole('button', { name: 'New link:' }).last().click();
  await desk.waitForFunction((old) => [...document.querySelectorAll('#places input[readonly]')].every((box) => box.value !== old), other);
  const renewed = await linkOf(desk, `${second} [guest]`);
  const third = (await makePlayers(client, 1, 'Third'))[0];
  const signedIn = await signIn(reader, third, new URL(renewed).pathname, phone, refused);
  await drawn(signedIn);
  await isWell(signedIn);
  await picture(signedIn, 'claim-signed-in');
  await press(signedIn, 'Claim the place with my account');
  await signedIn.waitForURL(`**/events/${id}`);
  assert.deepEqual(good(await client.get(`${at}/entries`)).items.map((entry) => entry.player.name).sort(), [first, player.name, third.name].sort());
  assert.deepEqual(good(await client.get(`${at}/places`, { token: organizer.token })).items, []);

  // A link that was used, or replaced.
  for (const used of [link, other]) {
    const late = await reader.open(new URL(used).pathname, desktop, refused);
    await late.getByText('This link is not valid.').first().waitFor();
    await isWell(late);
    await late.close();
  }
  for (const page of [desk, stranger, signedIn]) await finish(page);
});

it('a stranger enters as a guest where the event allows it, with a name alone', { skip: notLong }, async () => {
  const [open, closed] = await Promise.all(['allowed', 'no'].map(async (guests) => good(await client.post('/v1/events', { name: 'Open house', ruleset: 'shinjuku', rounds: 2, guests }, organizer.token))));
  for (const event of [open, closed]) good(await client.post(`/v1/events/${event.id}/open-entries`, {}, organizer.token));
  const none = await reader.open(`/events/${closed.id}`, phone, refused);
  await none.locator('#mine').waitFor();
  assert.equal(await none.getByRole('button', { name: 'Enter as a guest' }).count(), 0);
  const page = await reader.open(`/events/${open.id}`, { ...desktop, colorScheme: 'dark' }, refused);
  await page.locator('#mine').waitFor();
  await isWell(page);
  await picture(page, 'guest-way-in');
  await press(page, 'Enter as a guest');
  const dialog = page.getByRole('dialog');
  const name = `Walk-in ${randomBytes(3).toString('hex')}`;
  await dialog.getByLabel('Your name').fill(name);
  await isWell(page);
  await picture(page, 'guest-dialog');
  await dialog.getByRole('button', { name: 'Enter as a guest', exact: true }).click();
  await page.getByRole('heading', { name: 'Your entry' }).waitFor();
  assert.deepEqual(good(await client.get(`/v1/events/${open.id}/entries`)).items.map((entry) => entry.player.name), [`${name} [guest]`]);
  await isWell(page);
  await picture(page, 'guest-in');
  for (const each of [none, page]) await finish(each);
});
