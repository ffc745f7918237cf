// A walk through the pages in WebKit (tests/browsers/run): what people read at a desk, and on a phone, in German and in the dark; and what they
// do. It fails on any error, on a page that is not drawn, and on one that is wider than its window.
//
//     TILLROLL_PICTURES=DIR    writes a picture of each page there
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';

import { House } from '../api/cli/house_program.mjs';
import { good } from '../api/support/client.mjs';
import { makeEvent, makePlayer, makePlayers, password } from '../api/support/play.mjs';
import { build, Testbed } from '../api/support/testbed.mjs';
import { until } from '../api/support/waiting.mjs';
import { WebKit } from './webkit.mjs';

const pictures = process.env.TILLROLL_PICTURES;
const phone = { width: 360, height: 740 };
const slugs = ['mall-world', 'shinjuku', 'super-motherload', 'supermarche', 'superstore-3000'];

let bed;
let client;
let keeper;
let webkit;
let organizer;
let season;
let events;
const finished = {}; // slug -> a game
const running = [];
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  const origin = `http://127.0.0.1:${client.port}`;
  // The events of the example club, with games that are over and games that go on.
  const club = promisify(execFile)(path.join(build, 'tillroll'), ['demo', '--club', '--server', origin]);
  [webkit] = await Promise.all([WebKit.open(origin), club]);
  console.log(`WebKitGTK ${await webkit.version()}`);
  if (pictures) mkdirSync(pictures, { recursive: true });
  organizer = await makePlayer(client, 'Organizer');
  season = good(await client.post('/v1/seasons', { name: 'Winter' }, organizer.token));
  events = good(await client.get('/v1/events')).items;
  for (const { id, state, ruleset } of good(await client.get('/v1/games?limit=100')).items) {
    if (state === 'finished') finished[ruleset.slug] ??= id;
    else running.push(id);
  }
  keeper = new House(bed, client);
  keeper.start([await keeper.account('casual'), await keeper.account('casual')]);
});
after(async () => {
  keeper?.end();
  await webkit?.end();
  await bed.end();
});
beforeEach(() => webkit.look());

let count = 0;
// What is wrong with the page, as sentences.
async function faults() {
  const [heading, wide, alerts] = await webkit.read(`[document.querySelector('h1, .embedded footer')?.textContent ?? '', document.documentElement.scrollWidth - document.documentElement.clientWidth,
    [...document.querySelectorAll('.fault, [role=alert]')].map((each) => each.textContent).filter((each) => each !== '')]`);
  if (pictures) await webkit.picture(path.join(pictures, `${String(++count).padStart(3, '0')}.png`));
  return [...await webkit.faults(), ...alerts, ...heading.trim() === '' ? ['no heading'] : [], ...wide > 0 ? [`${wide} px too wide`] : []];
}

// Opens it and looks; every fault has the address in front.
async function look(address) {
  const drawn = await webkit.go(address).then(() => [], ({ message }) => [message]);
  return [...drawn, ...await faults()].map((each) => `${address}: ${each}`);
}

async function signIn({ name }, address) {
  await webkit.go('/');
  await webkit.read(`(async () => {
    const answer = await fetch('/v1/sessions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(JSON.stringify({ name, password }))} });
    const { player } = await answer.json();
    localStorage.setItem('tillroll.player', JSON.stringify({ id: player.id, name: player.name }));
  })()`);
  await webkit.go(address);
}

// Clicks on a button by what it says: of a dialog, if one is open.
const press = (name) => webkit.act(`[...(document.querySelector('dialog[open]') ?? document.querySelector('main')).querySelectorAll('button')]
  .find((each) => each.textContent === ${JSON.stringify(name)} && each.checkVisibility())`, 'click()');
const inText = (selector, text) => webkit.until(`document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`);

// Plays so many moves in the page by what it offers first.
async function playOn(moves) {
  const where = () => webkit.read('document.querySelector("#table .where").textContent');
  for (let i = 0; i < moves; i++) {
    const before = await where();
    await webkit.until(`(() => {
      if (document.querySelector('#table .where').textContent !== ${JSON.stringify(before)} || document.querySelector('#result > *')) return true;
      (document.querySelector('#table [data-do=send]') ?? document.querySelector('#table [data-do=follow]'))?.click();
    })()`);
  }
}

describe('pages', () => {
  const ways = [['at a desk', {}, 'en'], ['on a phone, in German and in the dark', { ...phone, dark: true }, 'de']];
  for (const [name, size, language] of ways) it(`are drawn ${name}`, async (test) => {
    const found = await look('/');
    test.after(() => webkit.read('localStorage.clear()'));
    await webkit.write('#language', language);
    await webkit.until(`document.documentElement.lang === ${JSON.stringify(language)}`);
    await webkit.look(size);
    const [closed, open] = ['closed', 'running'].map((state) => events.find((each) => each.state === state).id);
    const { player } = good(await client.get('/v1/leaderboard')).items[0];
    const addresses = ['/', '/lobby', '/leaderboard', '/puzzles', '/docs', '/docs?q=tamper', '/docs/explanation/trust', '/docs/api', '/login', '/verify', '/forgot-password',
      `/players/${player.id}`, `/players/${player.id}/card`, `/seasons/${season.id}`,
      ...events.flatMap(({ id }) => [`/events/${id}`, `/events/${id}/hall`]),
      ...[closed, open].flatMap((id) => ['rounds/1', 'statistics', 'audit', 'badges', 'embed'].map((part) => `/events/${id}/${part}`)),
      ...slugs.flatMap((slug) => [`/games/${slug}`, `/games/${slug}/components`, `/games/${slug}/statistics`, `/practice/${slug}`, `/practice/${slug}?learn=1`]),
      ...Object.values(finished).flatMap((id) => [`/games/${id}`, `/games/${id}?ply=20`, `/games/${id}/verify`]),
      ...running.slice(0, 4).map((id) => `/games/${id}`)];
    for (const address of addresses) found.push(...await look(address));
    assert.deepEqual(found, []);
  });
});

describe('a reader', () => {
  for (const slug of slugs) it(`turns back a game of ${slug}`, async () => {
    await webkit.go(`/games/${finished[slug]}`);
    await webkit.write('#ply', '7');
    await inText('#table .where', 'Line 7 of ');
    await webkit.click('[data-do=forward]');
    await inText('#table .where', 'Line 8 of ');
    assert.deepEqual(await faults(), []);
  });

  it('has a game analysed', async () => {
    await webkit.go(`/games/${finished['superstore-3000']}`);
    await webkit.click('#analyse');
    await webkit.until('document.querySelector("#course")', 300);
    assert.deepEqual(await faults(), []);
  });

  it('proves a game, and an event', async () => {
    await webkit.go(`/games/${finished.shinjuku}/verify`);
    await webkit.until(`document.querySelector('.result[data-verdict="valid"]')`);
    assert.deepEqual(await webkit.read('[...document.querySelectorAll(".checks li")].map((each) => each.firstChild.textContent)'), Array(8).fill('holds'));
    await webkit.go('/verify');
    const { id } = events.find(({ state }) => state === 'closed');
    await webkit.read(`(async () => {
      const data = new DataTransfer();
      data.items.add(new File([await (await fetch('/v1/events/${id}/bundle')).text()], 'event.bundle'));
      for (const kind of ['dragover', 'drop']) document.querySelector('h1').dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
    })()`);
    await inText('[role=status]', 'Valid records: event.bundle');
    assert.deepEqual(await faults(), []);
  });

  for (const slug of slugs) it(`practises ${slug}`, async () => {
    await webkit.go(`/practice/${slug}`);
    await playOn(4);
    assert.deepEqual(await faults(), []);
  });

  it('edits components', async () => {
    await webkit.go('/games/shinjuku/components');
    await inText('#set-status', 'can be played');
    await press('Edit');
    await webkit.write('[data-place="/wards/rows/0/cards"]', '0');
    await inText('#set-fault', 'This number must be from 1 to 9.');
    await webkit.write('[data-place="/wards/rows/0/cards"]', '2');
    await inText('#set-differences', '1 value differs');
    assert.deepEqual(await faults(), []);
  });
});

describe('a player', () => {
  it('makes an account and a signing key, and plays against the house', async () => {
    await webkit.look(phone);
    await webkit.go('/login?next=/account');
    await webkit.write('#register-name', 'Safia');
    await webkit.write('#register-password', password);
    await webkit.click('#register button');
    await webkit.until('document.querySelector("#signing [data-do=revoke]")');
    assert.deepEqual(await faults(), []);
    await webkit.go('/lobby');
    await webkit.click('#house-table > summary');
    await webkit.write('#house-game', 'superstore-3000');
    await webkit.click('#house-form [type=submit]');
    await webkit.until('document.querySelector("#table .where")');
    await playOn(6);
    const [id] = await webkit.read('[location.pathname.split("/")[2]]');
    await until(60, 'a move is signed', async () => (await client.get(`/v1/games/${id}/signatures`)).text.trimEnd().split('\n').length > 2);
    assert.deepEqual(await faults(), []);
  });

  it('opens a dispute about it', async () => {
    await press('Open a dispute');
    await webkit.write('#claim', 'clock');
    await webkit.write('#text', 'The clock ran.');
    await press('Open a dispute');
    await webkit.until('location.pathname.startsWith("/disputes/")');
    await inText('main', 'The clock ran.');
    assert.deepEqual(await faults(), []);
  });

  it('records a game at a real table', async () => {
    const players = await makePlayers(client, 3, 'Guest');
    const event = await makeEvent(client, organizer, players, { ruleset: 'superstore-3000', seats_max: 3, rounds: 1, play: 'table' });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    await webkit.look(phone);
    await signIn(players[0], `/events/${event.id}/rounds/1/tables/1/scorer`);
    await webkit.click('#step-start');
    await webkit.click('#step-deal');
    await webkit.until('(() => { document.querySelector("#picker:not([hidden]) [data-component]")?.click(); return document.querySelector("#step-back"); })()');
    assert.deepEqual(await faults(), []);
  });
});

describe('an organizer', () => {
  it('makes an event at real tables, sees who enters, pairs it, and a player reports a result', async () => {
    await signIn(organizer, '/events/new');
    await webkit.write('#setting-name', 'Made in WebKit');
    await press('Evening at real tables');
    assert.deepEqual(await faults(), []);
    await press('Create event');
    await webkit.click('#do-open_entries');
    await webkit.until('document.querySelector("#do-close_entries")');
    const [id] = await webkit.read('[location.pathname.split("/")[2]]');
    const players = await makePlayers(client, 4, 'Entrant');
    for (const { token } of players) good(await client.post(`/v1/events/${id}/entries`, {}, token));
    await inText('main', players[3].name); // without a click
    await webkit.click('#do-close_entries');
    await press('Pair and start round 1');
    await inText('#next-about', 'Round 1 is being played');
    assert.deepEqual(await faults(), []);
    await webkit.look(phone);
    await signIn(players[0], `/events/${id}/rounds/1/tables/1`);
    for (const [i, score] of [40, 30, 20, 10].entries()) await webkit.write(`#value-${i}`, String(score));
    await press('Report the result');
    await inText('#report-state', 'reported');
    assert.deepEqual(await faults(), []);
  });
});
