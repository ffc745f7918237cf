// Pages in German: who asks for it gets it, anybody can choose, and what the service says in English says so.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { password } from '../api/support/play.mjs';
import { daily, notLong } from '../long.mjs';
import { finish, overflow, phone, violations } from './support/browser.mjs';
import { signIn } from './support/table.mjs';
import { makeRunning, makeWorld } from './support/world.mjs';

const german = { locale: 'de-DE' };
let world;
let running;
before(async () => {
  world = await makeWorld('german');
  running = await makeRunning(world);
});
after(() => world.end());

const langOf = (page) => page.locator('html').getAttribute('lang');

// Words of the English catalogue that no German sentence has.
const isEnglish = /\b(the|and|of|is|with|who|round|table|place|points?|entries|draw|game|move|seat)\b/i;

// Text that should be German and is not: names, code and what is marked as English aside.
const strays = (page) => page.evaluate((pattern) => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const apart = node.parentElement.closest('[lang]:not(html), bdi, code, pre, noscript, [translate=no], a[href^="#schema-"]');
    if (apart === null && new RegExp(pattern, 'i').test(node.data.replace(/\u2068[^\u2069]*\u2069/g, ''))) found.push(node.data);
  }
  return found;
}, isEnglish.source);

async function isGerman(page) {
  assert.equal(await langOf(page), 'de');
  assert.deepEqual(await strays(page), []);
  assert.doesNotMatch((await page.title()).replace(/\u2068[^\u2069]*\u2069/g, ''), isEnglish);
}

async function isUsable(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

describe('a page in German', () => {
  it('is German throughout', async () => {
    for (const path of daily([`/events/${running.event.id}`, '/', `/games/${running.game.id}`, '/leaderboard'], 2)) {
      const page = await world.reader.open(path, german);
      await isGerman(page);
      await finish(page);
    }
  });

  it('fits a small screen, and can be used there', { skip: notLong }, async () => {
    for (const path of daily([`/games/${world.rounds[0].games[0].id}`, `/events/${world.event.id}`, '/login'], 2)) {
      const page = await world.reader.open(path, { ...german, ...phone });
      await isGerman(page);
      await isUsable(page);
      await finish(page);
    }
  });

  it('is where an event is made and run', async () => {
    const page = await signIn(world.reader, world.organizer, '/events/new', { ...german, ...phone });
    await isGerman(page);
    await page.goto(`${world.reader.origin}/events/${running.event.id}/manage`);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    await isGerman(page);
    await isUsable(page);
    await finish(page);
  });

  it('says in German what the service refuses, at the field', async () => {
    const page = await signIn(world.reader, world.organizer, '/events/new', { ...german, ...phone }, /40\d/);
    await page.fill('#setting-name', 'Zu zweit');
    await page.selectOption('#setting-ruleset', 'mall-world');
    await page.selectOption('#stage-0-format', 'dutch');
    await page.getByRole('button', { name: 'Turnier anlegen', exact: true }).click();
    const fault = page.locator('.fault:not(:empty)');
    await fault.waitFor();
    assert.equal(await fault.innerHTML(), 'Dieser Modus hat Tische zu zweit, an denen sich das Spiel nicht spielen lässt.');
    await isUsable(page);
    await finish(page);
  });

  it('has dates and numbers as they are written in German', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`, german);
    assert.match(await page.locator('main time').first().textContent(), /^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
    assert.match(await page.locator('main .scroll').first().textContent(), /\d,\d/);
    await finish(page);
  });
});

describe('the language', () => {
  it('is what the browser asks for first of those there are', async () => {
    for (const [locale, lang] of [['de-AT', 'de'], ['en-US', 'en'], ['fr-FR', 'en']]) {
      const page = await world.reader.open('/login', { locale });
      assert.equal(await langOf(page), lang);
      await finish(page);
    }
  });

  it('is chosen with the keyboard, on every page, and kept', { skip: notLong }, async () => {
    const page = await world.reader.open('/leaderboard');
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname.replace(/\/~\w+/, '')));
    assert.equal(await langOf(page), 'en');
    await page.getByRole('combobox', { name: 'Language' }).focus();
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('ArrowDown')]);
    await page.waitForSelector('html[lang=de] main:not([aria-busy], [data-plain]) h1');
    assert.equal(await page.locator('h1').textContent(), 'Bestenliste');
    const words = loaded.filter((each) => each.startsWith('/static/words/'));
    assert.ok(words.includes('/static/words/de.js'));
    assert.deepEqual(words.filter((each) => !/\/de[.-]/.test(each)), [], 'no English beside it');
    await page.goto(`${world.reader.origin}/login`);
    await page.waitForSelector('html[lang=de] main:not([aria-busy], [data-plain]) h1');
    assert.equal(await page.getByRole('combobox', { name: 'Sprache' }).inputValue(), 'de');
    await finish(page);
  });
});

describe('what the service refuses', () => {
  it('is said in German where an account is made', async () => {
    const page = await world.reader.open('/login', german, /400/);
    await page.fill('#register-password', 'ein langes Passwort');
    await page.fill('#register-name', '\ufdfa'.repeat(10)); // each is 18 letters in NFKC
    await page.click('#register button');
    await page.waitForSelector('#register .fault:not(:empty)');
    assert.match(await page.locator('#register .fault').textContent(), /^Name: Bitte höchstens \d+ Zeichen\./);
    for (const [name, words] of [['niem\u0430nd', 'Bitte Buchstaben aus nur einer Schrift'],
      ['Eva [bot]', 'Der Name darf nicht auf „[bot]“'], ['Eva\u200bEva', 'Das Zeichen U+200B'], ['Eva  Eva', 'Zwischen Wörtern bitte ein Leerzeichen']]) {
      await page.fill('#register-name', name);
      await page.click('#register button');
      await page.waitForFunction((text) => document.querySelector('#register .fault').textContent.startsWith(text), `Name: ${words}`);
      assert.equal(await page.locator('#register .fault [lang=en]').count(), 0);
    }
    await finish(page);
  });

  it('is said in German where a place is claimed twice', async () => {
    const { client, organizer } = world;
    const { id } = good(await client.post('/v1/events', { name: 'Vereinsabend', ruleset: 'shinjuku', rounds: 2, seats_min: 2, seats_max: 2 }, organizer.token));
    good(await client.post(`/v1/events/${id}/open-entries`, {}, organizer.token));
    const { code } = good(await client.post(`/v1/events/${id}/places`, { name: 'Greta Twice' }, organizer.token));
    const page = await world.reader.open(`/claim/${code}`, { ...german, ...phone }, /40\d/);
    good(await client.post(`/v1/claims/${code}/attach`, {}, running.players[0].token)); // somebody was faster
    await page.fill('#claim-password', password);
    await page.getByRole('button', { name: 'Platz übernehmen', exact: true }).click();
    const fault = page.locator('#claim .form-fault:not(:empty)');
    await fault.waitFor();
    assert.match(await fault.innerHTML(), /^Dieser Link gilt nicht: /);
    await finish(page);
  });

  it('is said in German where a set of components is checked in the browser', async () => {
    const page = await world.reader.open('/games/shinjuku/components', { ...german, ...phone });
    await page.getByRole('button', { name: 'Bearbeiten', exact: true }).click();
    const cards = page.locator('[data-place="/wards/rows/0/cards"]');
    await cards.fill('0');
    await cards.press('Tab');
    const fault = page.locator('#set-fault');
    await fault.waitFor();
    assert.equal(await fault.innerHTML(), 'Diese Zahl muss zwischen 1 und 9 liegen.');
    await finish(page);
  });
});
