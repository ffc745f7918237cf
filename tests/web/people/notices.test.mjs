// Choosing notices in a browser, following an organizer, and the link in mails that turns them off, with scripts and without.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, it } from 'node:test';

import { NoticeBed, off } from '../../api/notices/notices.mjs';
import { good } from '../../api/support/client.mjs';
import { makeGame, makePlayer } from '../../api/support/play.mjs';
import { notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

let bed;
let client;
let browser;
let reader;
before(async () => {
  bed = await new NoticeBed().open();
  const [service, launched] = await Promise.all([bed.start(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

const drawn = (page) => page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const says = (page, selector, text) => page.waitForFunction(([where, wanted]) => document.querySelector(where)?.textContent.includes(wanted), [selector, text]);
const wishes = async (player) => good(await client.get('/v1/me/notices', { token: player.token }));

// With $TILLROLL_PICTURES, what people see goes there.
async function isWell(page, name) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
  if (process.env.TILLROLL_PICTURES === undefined) return;
  mkdirSync(process.env.TILLROLL_PICTURES, { recursive: true });
  await page.screenshot({ path: `${process.env.TILLROLL_PICTURES}/${name}.png`, fullPage: true });
}

it('what is told, how and when is chosen, and all of it turned off with one click', async () => {
  const player = await bed.reader(client);
  const page = await signIn(reader, player, '/notices', desktop, /40\d/);
  await isWell(page, 'notices');
  await page.selectOption('#your-turn-mail', 'digest');
  await page.selectOption('#time-zone', 'Europe/Berlin');
  await page.fill('#digest-at', '18:30');
  assert.equal(await page.locator('#quiet-from').isVisible(), false);
  await page.check('#quiet');
  await page.fill('#quiet-to', '06:15');
  await press(page, 'Save');
  await says(page, '#wishes .done', 'Saved.');
  const chosen = await wishes(player);
  assert.deepEqual([chosen.kinds.your_turn.mail, chosen.kinds.dispute.mail, chosen.time_zone, chosen.digest_at, chosen.quiet_hours],
    ['digest', 'at_once', 'Europe/Berlin', '18:30', { from: '22:00', to: '06:15' }]);
  await page.fill('#quiet-to', '22:00');
  await press(page, 'Save');
  await says(page, '#quiet-from-fault', 'begin and end at different times');
  await isWell(page, 'notices-refused');
  await page.uncheck('#quiet');
  assert.equal(await page.locator('#quiet-to').isVisible(), false);
  await press(page, 'Turn everything off');
  await says(page, '#wishes .done', 'Saved.');
  assert.deepEqual([...new Set(Object.values((await wishes(player)).kinds).map(({ mail }) => mail))], ['off']);
  await finish(page);
});

it('whoever has no confirmed address is told where to confirm one; on a phone, in the dark, in German', { skip: notLong }, async () => {
  const player = await makePlayer(client, 'Cleo');
  const page = await signIn(reader, player, '/notices', { ...phone, locale: 'de-DE', colorScheme: 'dark' });
  await says(page, '#no-address', 'Noch erreichen Sie keine E-Mails');
  await isWell(page, 'notices-phone-dark-de');
  await finish(page);
});

it('an organizer is followed on their page, and no longer on the page of notices', async () => {
  const [player, organizer] = [await makePlayer(client, 'Dora'), await makePlayer(client, 'Organizer')];
  const page = await signIn(reader, player, `/players/${organizer.id}`);
  await press(page, 'Follow');
  await page.getByRole('button', { name: 'Stop following' }).waitFor();
  await isWell(page, 'player-followed');
  await page.goto(`${reader.origin}/notices`);
  await drawn(page);
  await page.click('#following li button');
  await says(page, '#following', 'You follow nobody.');
  assert.deepEqual(good(await client.get('/v1/me/following', { token: player.token })).items, []);
  await finish(page);
});

it('the link in a mail turns such mails off, with scripts and without', async () => {
  const organizer = await makePlayer(client, 'Organizer');
  for (const settings of [{ scripts: false }, { ...phone, locale: 'de-DE' }]) {
    const player = await bed.reader(client, { ...off, round_paired: 'at_once' });
    await makeGame(client, organizer, [player, ...(await bed.readers(client, 2, off))], { name: 'Mailed' });
    const { text } = await bed.box.last(player.email);
    const [, link] = /https:\/\/club\.example(\/unsubscribe\/[0-9a-f]+)/.exec(text);
    const page = await reader.open(link, { ...desktop, ...settings });
    await isWell(page, settings.locale === undefined ? 'unsubscribe-plain' : 'unsubscribe-phone-de');
    await press(page, settings.locale === undefined ? 'Unsubscribe' : 'Diese E-Mails abbestellen');
    await says(page, 'h1', settings.locale === undefined ? 'Unsubscribed' : 'E-Mails abbestellt');
    await isWell(page, settings.locale === undefined ? 'unsubscribed-plain' : 'unsubscribed-phone-de');
    assert.equal((await wishes(player)).kinds.round_paired.mail, 'off');
    await finish(page);
  }
});
