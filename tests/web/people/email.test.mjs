// An address and a forgotten password in a browser, with the mails that come of it; and pages that stay well on a phone, in the dark and in German.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, it } from 'node:test';

import { Mailbox, tokensIn } from '../../api/mail/mailbox.mjs';
import { good } from '../../api/support/client.mjs';
import { makePlayer, password } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { until } from '../../api/support/waiting.mjs';
import { notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

const site = 'https://club.example';
let bed;
let box;
let client;
let browser;
let reader;
before(async () => {
  bed = new Testbed();
  box = await new Mailbox().start();
  const [service, launched] = await Promise.all([
    bed.startService(['--site-address', site, '--smtp-url', box.url, '--smtp-from', 'tillroll@club.example', '--mails-per-hour', '3', '--smtp-retry-ms', '100']), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

const refused = /40\d|42\d/;
const drawn = (page) => page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const says = (page, selector, text) => page.waitForFunction(([where, wanted]) => document.querySelector(where)?.textContent.includes(wanted), [selector, text]);
const sent = (player, kind) => until(60, 'it is sent', async () => good(await client.get('/v1/me/email', { token: player.token })).last_mail?.kind === kind
  && good(await client.get('/v1/me/email', { token: player.token })).last_mail.state === 'sent');

// With $TILLROLL_PICTURES, what people see goes there.
async function isWell(page, name) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
  if (process.env.TILLROLL_PICTURES === undefined) return;
  mkdirSync(process.env.TILLROLL_PICTURES, { recursive: true });
  await page.screenshot({ path: `${process.env.TILLROLL_PICTURES}/${name}.png`, fullPage: true });
}

// The address of the link in a mail, at this service.
const linkIn = (mail, page) => `/${page}#${tokensIn(mail, page)[0]}`;

it('an address is entered, confirmed by the link, changed and removed', async () => {
  const player = await makePlayer(client, 'Ada');
  const page = await signIn(reader, player, '/account', desktop, refused);
  await says(page, '#email', 'Optional');
  await isWell(page, 'account-none');
  await page.fill('#new-email', 'ada at home');
  await page.fill('#email-password', password);
  await press(page, 'Save the address');
  await says(page, '#new-email-fault', 'not an email address');
  await page.fill('#new-email', 'ada@Club.example');
  await page.fill('#email-password', 'not the password');
  await press(page, 'Save the address');
  await says(page, '#email-password-fault', 'not your password');
  await page.fill('#email-password', password);
  await press(page, 'Save the address');
  await says(page, '#email-state', 'to ada@club.example');
  await isWell(page, 'account-pending');
  const mail = await box.last('ada@club.example');
  await sent(player, 'confirm_email');

  const other = await reader.open(linkIn(mail, 'confirm-email'), phone, refused);
  await isWell(other, 'confirm-phone');
  await press(other, 'Confirm the address');
  await says(other, '[role=status]', `ada@club.example is now the confirmed address of ${player.name}.`);
  assert.ok(!other.url().includes('#'));
  await isWell(other, 'confirmed-phone');
  await finish(other);
  const again = await reader.open(linkIn(mail, 'confirm-email'), desktop, refused);
  await press(again, 'Confirm the address');
  await says(again, '.form-fault', 'The link is not valid');
  await isWell(again, 'confirm-refused');
  await finish(again);

  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))); // as when one comes back to the window
  await says(page, '#email-state', 'ada@club.example, confirmed');
  await isWell(page, 'account-confirmed');
  await page.fill('#new-email', 'ada@other.example');
  await page.fill('#email-password', password);
  await press(page, 'Change the address');
  await says(page, '#email-state', 'to ada@other.example');
  await isWell(page, 'account-changing');
  const changed = await box.last('ada@other.example');
  await page.goto(reader.origin + linkIn(changed, 'confirm-email'));
  await drawn(page);
  await press(page, 'Confirm the address');
  await says(page, '[role=status]', 'ada@other.example is now the confirmed address');
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.waitForURL(`${reader.origin}/account`);
  await says(page, '#email-state', 'ada@other.example, confirmed');
  await press(page, 'Remove the address');
  await page.fill('#remove-password', password);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the address' }).click();
  await says(page, '#email', 'Optional');
  assert.equal(good(await client.get('/v1/me/email', { token: player.token })).email, null);
  await finish(page);
});

it('a forgotten password is replaced, from the page of signing in to signing in again', async () => {
  const player = await makePlayer(client, 'Bea');
  good(await client.request('PUT', '/v1/me/email', { token: player.token, json: { email: 'bea@club.example', password } }));
  good(await client.post('/v1/email-confirmations', { token: tokensIn(await box.last('bea@club.example'), 'confirm-email')[0] }));

  const page = await reader.open('/login', phone, refused);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.waitForURL(`${reader.origin}/forgot-password`);
  await drawn(page);
  await isWell(page, 'forgot-phone');
  await page.fill('#email', 'bea');
  await press(page, 'Send a link');
  await says(page, '#email-fault', 'not an email address');
  await page.fill('#email', 'bea@club.example');
  await press(page, 'Send a link');
  await says(page, '#asked', 'If an account has confirmed this address');
  await isWell(page, 'asked-phone');
  const mail = await box.last('bea@club.example', 2);

  await page.goto(reader.origin + linkIn(mail, 'reset-password'));
  await drawn(page);
  await isWell(page, 'reset-phone');
  await page.fill('#new-password', 'short');
  await press(page, 'Save the password');
  await says(page, '#new-password-fault', 'at least 10 characters');
  await page.fill('#new-password', 'staple of another kind');
  await press(page, 'Save the password');
  await says(page, '[role=status]', 'Your password has been changed.');
  await isWell(page, 'reset-done-phone');
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click();
  await page.waitForSelector('#sign-in-name');
  await page.fill('#sign-in-name', player.name);
  await page.fill('#sign-in-password', 'staple of another kind');
  await page.press('#sign-in-password', 'Enter');
  await page.waitForURL(`${reader.origin}/account`);
  await drawn(page);
  await isWell(page, 'account-phone');
  await finish(page);

  const used = await reader.open(linkIn(mail, 'reset-password'), desktop, refused);
  await used.fill('#new-password', 'staple of another kind');
  await press(used, 'Save the password');
  await says(used, '.form-fault', 'The link is not valid');
  await used.goto(`${reader.origin}/reset-password`); // without its token
  await says(used, 'main .notice', 'The link is not valid');
  await used.getByRole('link', { name: 'Ask for another link' }).click();
  await used.waitForSelector('#email');
  for (let i = 0; i < 3; i += 1) {
    await used.fill('#email', 'nobody@club.example');
    await press(used, 'Send a link');
    await used.waitForSelector('#asked');
    await used.reload();
    await used.waitForSelector('#email');
  }
  await used.fill('#email', 'nobody@club.example');
  await press(used, 'Send a link');
  await says(used, '.form-fault', 'Too many mails');
  await isWell(used, 'forgot-too-often');
  await finish(used);
});

it('pages are well in the dark and in German', { skip: notLong }, async () => {
  const player = await makePlayer(client, 'Cleo');
  const settings = { ...desktop, locale: 'de-DE', colorScheme: 'dark' };
  const page = await signIn(reader, player, '/account', settings, refused);
  await page.fill('#new-email', 'cleo@club.example');
  await page.fill('#email-password', password);
  await press(page, 'Adresse speichern');
  await says(page, '#email-state', 'cleo@club.example');
  await isWell(page, 'account-dark-de');
  const mail = await box.last('cleo@club.example');
  assert.equal(mail.headers.subject, 'E-Mail-Adresse bestätigen');
  await finish(page);
  for (const [at, name] of [[linkIn(mail, 'confirm-email'), 'confirm-dark-de'], ['/forgot-password', 'forgot-dark-de'], ['/reset-password#x', 'reset-dark-de'], ['/login', 'login-dark-de']]) {
    const other = await reader.open(at, at === '/forgot-password' ? { ...settings, ...phone } : settings, refused);
    await isWell(other, name);
    await finish(other);
  }
});

it('where no mail is sent, pages say so', { skip: notLong }, async () => {
  const silent = await bed.startService();
  const there = new Reader(browser, silent.client.port);
  const player = await makePlayer(silent.client, 'Dora');
  const page = await signIn(there, player, '/account', desktop, refused);
  await says(page, '#email', 'This service sends no mail');
  assert.equal(await page.locator('#new-email').count(), 0);
  await isWell(page, 'account-no-mail');
  await finish(page);
  const forgot = await there.open('/forgot-password', desktop, refused);
  await forgot.fill('#email', 'dora@club.example');
  await press(forgot, 'Send a link');
  await says(forgot, '.form-fault', 'This service sends no mail');
  await finish(forgot);
  await there.close();
});
