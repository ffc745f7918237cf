// A game at a real table, recorded on a phone: begun, told, continued without a connection and after the page is opened again, and taken
// back; in the long run, games of all rulesets are ended and confirmed. What was recorded on the phone is what the service has.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeEvent, makePlayer, makePlayers } from '../../api/support/play.mjs';
import { build, Testbed } from '../../api/support/testbed.mjs';
import { until } from '../../api/support/waiting.mjs';
import { isLong, notLong } from '../../long.mjs';
import { finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

let bed;
let client;
let browser;
let reader;
let organizer;
const idsOf = (slug, of) => of(JSON.parse(readFileSync(new URL(`../../../engine/games/${slug}/components.json`, import.meta.url), 'utf8'))).map(({ id }) => id);
const drawn = [
  ['super-motherload', 'majors', idsOf('super-motherload', (set) => set.major_achievements.list)], ['super-motherload', 'side', ['a', 'b']],
  ['superstore-3000', 'main', idsOf('superstore-3000', (set) => set.main_entrances.items)], ['superstore-3000', 'supply', idsOf('superstore-3000', (set) => [...set.store_types.items, ...set.entrances.items])],
  ['superstore-3000', 'pink', idsOf('superstore-3000', (set) => set.attractions.items)],
  ['mall-world', 'cover', ['c1,d1,e1', 'c1,d1,d2']], ['mall-world', 'tile-food', idsOf('mall-world', (set) => set.board.rooms)], ['mall-world', 'bribes', ['-1000', '1000']],
  ['supermarche', 'costs', idsOf('supermarche', (set) => set.cost_cards.rows)], ['supermarche', 'dice', ['3,4', '4,3', '6,6']],
  ['shinjuku', 'bag', ['food', 'clothing']],
];
const away = /Failed to load resource|ERR_INTERNET_DISCONNECTED/; // on the console, without a connection

before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  organizer = await makePlayer(client, 'Host');
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

async function begin(slug) {
  const players = await makePlayers(client, 3, 'Guest');
  const event = await makeEvent(client, organizer, players, { ruleset: slug, seats_min: 3, seats_max: 3, rounds: 3, play: 'table', confirm_minutes: 0 });
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  const seats = round.seating[0].seats.map((seat) => players.find((player) => player.id === seat.player.id));
  return { at: `/v1/events/${event.id}/rounds/1/tables/1`, page: `/events/${event.id}/rounds/1/tables/1`, seats };
}

// Taps whatever is there to be tapped, `most` steps or until the game is over: a component that is asked for, a word, a move that is ready.
// Resolves with the number of steps.
const tapOn = (page, most) => page.evaluate(async (count) => {
  const find = (selector) => document.querySelector(selector);
  const step = () => find('#picker:not([hidden]) [data-component]') ?? find('#table [data-do=send]') ?? find('#table [data-do=follow]');
  const plies = () => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith('tillroll.scorer.') && !key.endsWith('.table'))[1]).entries.length;
  const isOver = () => find('#step-end') !== null;
  let taps = 0;
  const before = plies();
  for (let idle = 0; !isOver() && plies() - before < count;) {
    const target = step();
    if (target) {
      target.click();
      taps++;
      idle = 0;
    } else if (idle++ > 6000) throw new Error(`nothing to tap: ${find('main').textContent}`);
    await new Promise((resolve) => setTimeout(resolve, target ? 0 : 5));
  }
  return taps;
}, most);

const kept = (page) => page.evaluate(() => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith('tillroll.scorer.') && !key.endsWith('.table'))[1]));
const isSent = async (page) => until(60, 'all is sent', async () => { const { entries, sent } = await kept(page); return entries.length === sent; });

async function verify(record) {
  const file = path.join(bed.directory, `${Math.random()}.roll`);
  writeFileSync(file, record);
  return execFileSync(path.join(build, 'tillroll'), ['verify', file], { encoding: 'utf8' });
}

async function start(slug) {
  const table = await begin(slug);
  const page = await signIn(reader, table.seats[0], `${table.page}/scorer`, phone, away);
  await page.click('#step-start');
  await page.waitForSelector('#step-deal');
  return { ...table, tab: page };
}

async function deal(page) {
  await page.click('#step-deal');
  await page.evaluate(async () => {
    const find = (selector) => document.querySelector(selector);
    for (let idle = 0; find('#step-back') === null;) {
      const target = find('#picker:not([hidden]) [data-component]');
      target?.click();
      idle = target ? 0 : idle + 1;
      if (idle > 6000) throw new Error(find('main').textContent);
      await new Promise((resolve) => setTimeout(resolve, target ? 0 : 5));
    }
  });
}

// Takes the rest of the game in one go, ends it and looks at what the service has.
async function end({ tab, at }) {
  await tapOn(tab, Infinity);
  await tab.click('#step-end');
  await tab.evaluate(async () => {
    const find = (selector) => document.querySelector(selector);
    for (let idle = 0; find('#step-end') !== null;) {
      const target = find('#picker:not([hidden]) [data-component]');
      target?.click();
      idle = target ? 0 : idle + 1;
      if (idle > 6000) throw new Error(find('main').textContent);
      await new Promise((resolve) => setTimeout(resolve, target ? 0 : 5));
    }
  });
  await isSent(tab);
  const { id, entries } = await kept(tab);
  const { record, finished_at: finished } = good(await client.get(`/v1/recordings/${id}`));
  assert.notEqual(finished, null);
  const lines = record.trimEnd().split('\n').map((line) => line.slice(0, -' #01234567'.length));
  assert.deepEqual(lines.slice(lines.findIndex((line) => line.startsWith('start ')) + 1).slice(0, entries.length), entries);
  assert.match(await verify(record), /as told by the scorer/);
  assert.equal(good(await client.get(`${at}/report`)).report.recording, id);
}

describe('the scorer\'s page', () => {
  it('records a game of superstore-3000, with and without a connection', async () => {
    const table = await start('superstore-3000');
    const { tab } = table;
    await deal(tab);
    for (const _ of ['once', 'twice']) { // it may be set up again as often as somebody errs
      await tab.click('#step-back');
      await tab.waitForSelector('#step-deal');
      await deal(tab);
    }
    await isSent(tab);
    // The others at the table see that somebody records, and where a second record differs (tests/api/events/recorded.test.mjs).
    const [scorer, mate] = table.seats;
    const other = await signIn(reader, mate, table.page, phone);
    const told = other.locator('#records li', { hasText: `${scorer.name} is recording this game.` });
    assert.match((await client.get(await told.locator('a[href^="/v1/"]').getAttribute('href'), { token: mate.token })).text, / deal #/);
    // Everybody with the address can follow the board; this reader has no account.
    const watch = await reader.open(await told.locator('a[href^="/recordings/"]').getAttribute('href'), phone);
    const line = (page) => page.evaluate(() => document.querySelector('#table .where')?.textContent ?? null);
    const sees = async () => { await isSent(tab); await until(60, 'the others see it', async () => await line(watch) === await line(tab)); };
    await sees();
    assert.match(await watch.textContent('#recording-state'), new RegExp(`${scorer.name}\\P{L}* is recording this game\\. Last entry: \\P{L}*\\.`, 'u'));
    assert.equal(await watch.locator('#table [data-do=follow], #table [data-do=take-back], #table .can').count(), 0);
    assert.equal(await overflow(watch), 0);
    assert.deepEqual(await violations(watch), []);
    const later = await signIn(reader, mate, `${table.page}/scorer`, phone); // who would begin a second record
    await later.locator('main', { hasText: 'is already recording this game' }).waitFor();
    await finish(later);
    const { items: [one] } = good(await client.get(`${table.at}/recordings`, { token: mate.token }));
    const two = { ...one, id: one.id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')), scorer: { id: mate.id, name: mate.name } };
    let first = null;
    await other.route('**/recordings', (route) => route.fulfill({ json: { items: [one, two], comparisons: [{ recordings: [one.id, two.id], plies: 12, first }] } }));
    for (const words of [/^The records of \P{L}*Guest.* agree as far as both go\.$/u, /^After 12 equal moves, the records differ: \P{L}*Guest.* has 0 money a, \P{L}*Guest.* has 0 money b\.$/u]) {
      await other.reload();
      await other.locator('#records p', { hasText: words }).waitFor();
      first = [{ seq: 23, entry: '0 money a' }, { seq: 25, entry: '0 money b' }];
    }
    await finish(other);
    assert.equal(await overflow(tab), 0);
    assert.deepEqual(await violations(tab), []);
    await tapOn(tab, isLong ? 20 : 6);
    await sees();
    const asked = [];
    watch.on('request', (request) => asked.push(request.url()));
    await tab.waitForFunction(() => document.documentElement.dataset.kept === 'yes'); // it can be opened without a connection
    await isSent(tab);
    await tab.context().setOffline(true);
    await tapOn(tab, isLong ? 20 : 6);
    const before = await kept(tab);
    assert.ok(before.entries.length > before.sent);
    await tab.waitForFunction(() => /not been sent/.test(document.getElementById('sent').textContent));
    await tab.reload();
    await tab.waitForSelector('#table [data-do]');
    assert.deepEqual(await kept(tab), before);
    await tapOn(tab, isLong ? 10 : 3);
    await tab.context().setOffline(false);
    await isSent(tab);
    await tab.waitForFunction(() => /Everything has been sent/.test(document.getElementById('sent').textContent));
    await sees();
    assert.ok(asked.every((address) => /\/v1\/recordings\/[^/]+(\/stream)?$/.test(address)), asked.join(' ')); // all else it has
    const { entries } = await kept(tab);
    await tab.click('#table [data-do=take-back]');
    await until(60, 'the move is taken back', async () => (await kept(tab)).entries.length === entries.length + 1);
    assert.match((await kept(tab)).entries.at(-1), / back \d+$/);
    await sees();
    // The recording is continued elsewhere: this browser goes on from there when it is looked at again, or gives up what it has not sent.
    const now = await kept(tab);
    const [seq, , ms] = now.entries.at(-1).split(' ').map(Number);
    const dealt = now.entries.slice(0, now.entries.findLastIndex((each) => each.endsWith(' deal')));
    const begins = dealt.findLastIndex((each) => !each.includes(' bind ')) + 2; // the set-up that counts
    good(await client.post(`/v1/recordings/${now.id}/entries`, { entries: [`${seq + 1} - ${ms + 1} back ${begins}`] }, scorer.token));
    await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await tab.waitForSelector('#step-deal');
    assert.equal((await kept(tab)).entries.length, seq + 1);
    await until(60, 'the others see no board', async () => watch.evaluate(() => document.getElementById('table').hidden));
    const again = now.entries[begins - 1].replace(/^\d+ - \d+/, `${seq + 2} - ${ms + 2}`);
    good(await client.post(`/v1/recordings/${now.id}/entries`, { entries: [again] }, scorer.token));
    await deal(tab);
    await tab.click('#adopt');
    await until(60, 'the service\'s record', async () => (await kept(tab)).entries.length === seq + 2);
    await tab.waitForSelector('#step-deal');
    await finish(watch);
    await finish(tab);
  });

  it('says what it was told, takes one wrong tap back, and calls components as the board does', async () => {
    const { tab } = await start('mall-world');
    await tab.click('#step-deal');
    const heading = () => tab.textContent('#picker h2');
    const offered = () => tab.$$eval('#picker [data-component]', (buttons) => buttons.map((each) => each.lastElementChild.textContent.trim()));
    const told = () => tab.evaluate(() => document.getElementById('told')?.textContent ?? '');
    const choose = async (i = 0) => {
      const before = await told();
      await tab.locator('#picker [data-component]').nth(i).click();
      await tab.waitForFunction((was) => document.getElementById('step-back') !== null || (document.getElementById('told') ?? { textContent: was }).textContent !== was, before);
    };
    await tab.waitForSelector('#picker [data-component]');
    await choose();
    const [first, choices] = [await told(), await offered()];
    await choose(1);
    assert.ok((await told()).startsWith(`${first} · `));
    await tab.click('#call-off');
    await tab.waitForFunction((was) => document.getElementById('told')?.textContent === was, first);
    assert.deepEqual(await offered(), choices);
    const seen = new Map();
    const pictured = new Set(); // where each choice has the board's drawing before its name
    const drawings = () => tab.$$eval('#picker [data-component]', (buttons) => buttons.every((each) => each.querySelector('.emblem > *')));
    for (let turn = 0; !seen.has('Bribe chip'); turn = 1 - turn) { // (what was told last changes with each tap)
      seen.set(await heading(), await offered());
      if (await drawings()) pictured.add(await heading());
      await choose(turn);
    }
    assert.deepEqual([...pictured].sort(), [...seen.keys()].sort());
    // Everything that can come from these places is drawn, and no two things look alike.
    const looks = await tab.evaluate(async (wanted) => {
      const { boardOf } = await import('/static/boards/boards.js');
      return Promise.all(wanted.map(async ([slug, from, things]) => {
        const [{ comes }, components] = await Promise.all([boardOf(slug), (await fetch(`/v1/rulesets/${slug}/components`)).json()]);
        return things.map((thing) => comes[from](thing, { components, view: null, seats: 3, of: null })?.outerHTML ?? null);
      }));
    }, drawn);
    for (const [i, [slug, from, things]] of drawn.entries()) {
      assert.ok(things.length > 1 && looks[i].every((each) => each !== null), `${slug}: ${from}`);
      assert.equal(new Set(looks[i]).size, things.length, `${slug}: ${from}`);
    }
    const chips = seen.get('Bribe chip');
    assert.equal(new Set(chips).size, chips.length, 'chips that cost and chips that pay differ');
    assert.ok(chips.some((text) => /^−[1-3]000 CHF$/.test(text)), chips.join('; '));
    assert.ok(seen.get('Approval card').includes('food + hobby'), seen.get('Approval card').join('; '));
    assert.ok(seen.get('Order').every((text) => / (or|beside) /.test(text)), seen.get('Order').join('; '));
    for (const texts of seen.values()) assert.ok(!texts.some((text) => /^(use|rent)\b/.test(text)));
    await finish(tab);
  });

  // A game is about 150 moves, each of which draws the page anew.
  it('records a whole game, which another player confirms', { skip: notLong }, async () => {
    const table = await start('superstore-3000');
    const { tab, at, page: where, seats } = table;
    await deal(tab);
    await end(table);
    const other = await signIn(reader, seats[1], where);
    await other.click('#do-confirm');
    await until(60, 'the result counts', async () => good(await client.get(`${at}/report`)).recorded);
    await other.waitForSelector('a[href*="/recordings/"]');
    await finish(other);
    await finish(tab);
  });

  for (const slug of isLong ? ['super-motherload', 'shinjuku', 'mall-world'] : [])
    it(`records a game of ${slug}`, async () => {
      const table = await start(slug);
      await deal(table.tab);
      assert.equal(await overflow(table.tab), 0);
      await end(table);
      await finish(table.tab);
    });
});
