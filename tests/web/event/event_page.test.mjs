// The page of an event as somebody meets it: where and when it is, what its figures are, who has won; and the screen of its hall.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { endQuietly, makeEvent } from '../../api/support/play.mjs';
import { daily, notLong } from '../../long.mjs';
import { finish, overflow, phone, texts, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';
import { makeRunning, makeWorld } from '../support/world.mjs';

const details = {
  banner: 'violet', contact: 'ada@club.example', description: 'A quiet evening.\n\nHow to come: https://club.example/map.', fee: '5 EUR', place: 'Town hall', prizes: 'First: a cup\nSecond: none',
};
const inDays = (days) => new Date(Date.now() + days * 86400000).toISOString();

let world;
let get;
let running;
before(async () => {
  world = await makeWorld('event page');
  get = async (target) => good(await world.client.get(target));
  running = await makeRunning(world, { ...details, delay_entries: 2, starts_at: inDays(1) }); // sooner than it was announced
});
after(() => world.end());

describe('the head of an event', () => {
  it('has its banner, when and where it is, and a countdown', async () => {
    const event = await makeEvent(world.client, world.organizer, running.players, { name: 'To come', ...details, starts_at: inDays(3.1), clock: { bank_ms: 1_200_000, increment_ms: 5000 } });
    for (const settings of daily([{}, phone, { colorScheme: 'dark' }, { locale: 'de-DE' }], 3)) {
      const page = await world.reader.open(`/events/${event.id}`, settings);
      assert.equal(await page.locator('h1.banner[data-banner="violet"][data-game="shinjuku"]').textContent(), 'To come');
      assert.match(await page.locator('h1 + .when').textContent(), / \u00b7 Town hall (starts|Beginn) in 3 (d|T\.) 2 (h|Std\.) (Add to calendar|In den Kalender)$/);
      assert.match(await page.locator('#clock').textContent(), /^(Clock: 20 min a player \+ 5 sec a move|Bedenkzeit: 20 Min\. je Person \+ 5 Sek\. je Zug)\.$/);
      const calendar = await world.client.get(await page.locator('h1 + .when a').getAttribute('href'));
      assert.ok(calendar.text.includes(`DTSTART:${good(await world.client.get(`/v1/events/${event.id}`)).settings.starts_at.replace(/[-:]|\.\d+/g, '')}`), calendar.text);
      assert.equal(await page.locator('#about a').getAttribute('href'), 'https://club.example/map');
      assert.deepEqual(await texts(page, '#about dd'), ['5 EUR', 'First: a cupSecond: none', 'ada@club.example']);
      assert.ok(await overflow(page) <= 0);
      assert.deepEqual(await violations(page), []);
      await finish(page);
    }
  });

  it('has its clock without a script', async () => {
    for (const [clock, words] of [[{ bank_ms: 5_400_000, increment_ms: 1000 }, '90 minutes a player + 1 second a move'], [{ bank_ms: 90_500, increment_ms: 0 }, '90.5 seconds a player'], [{ move_ms: 259_200_000 }, '3 days a move']]) {
      const event = good(await world.client.post('/v1/events', { name: 'Timed', ruleset: 'shinjuku', rounds: 1, clock }, world.organizer.token));
      assert.ok((await world.client.get(`/events/${event.id}`, { unchecked: true })).text.includes(`<p class="about">Clock: ${words}.</p>`), words);
    }
  });

  it('counts no longer when it has begun, or was to begin', async () => {
    for (const starts_at of daily([inDays(1), inDays(-1)], 1)) {
      good(await world.client.request('PATCH', `/v1/events/${running.event.id}`, { json: { starts_at }, token: world.organizer.token }));
      const page = await world.reader.open(`/events/${running.event.id}`);
      assert.match(await page.locator('h1 + .when').textContent(), /Town hall$/);
      assert.equal(await page.locator('#countdown, .calendar').count(), 0);
      await finish(page);
    }
  });
});

describe('an event that was cancelled', () => {
  it('says why', async () => {
    const event = good(await world.client.post('/v1/events', { name: 'Rainy day', ruleset: 'shinjuku', rounds: 1 }, world.organizer.token));
    good(await world.client.post(`/v1/events/${event.id}/cancel`, { reason: 'The <hall> is closed.' }, world.organizer.token));
    for (const scripts of [true, false]) {
      const page = await world.reader.open(`/events/${event.id}`, { scripts });
      assert.deepEqual((await texts(page, 'main .notice')).map((text) => text.replace(/[\u2068\u2069]/g, '')), ['The event was cancelled: The <hall> is closed.']);
      assert.deepEqual(await violations(page), []);
      await finish(page);
    }
  });
});

describe('standings', () => {
  it('mark nobody as first at a table that all have lost by forfeit', async () => {
    const { event, players } = await makeRunning(world);
    const json = { no_show: players.map(({ id }) => id), reason: 'Nobody came.' };
    good(await world.client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json, token: world.organizer.token }));
    const page = await world.reader.open(`/events/${event.id}`);
    assert.deepEqual(await texts(page, 'ul.strip [aria-hidden]'), players.map(() => '−'));
    assert.equal(await page.locator('ul.strip .first').count(), 0);
    await finish(page);
  });
});

describe('a result', () => {
  it('has a score where one was said, and where a game was played', async () => {
    const { event, players, game } = await makeRunning(world);
    const rule = async (seats) => good(await world.client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: { seats, reason: 'The sheet says so.' }, token: world.organizer.token }));
    const told = async () => {
      const page = await world.reader.open(`/events/${event.id}`);
      const words = (await texts(page, 'ul.strip .unseen')).map((text) => text.split(': ').at(-1).split(', ').slice(0, 2));
      const scores = await texts(page, '.card td.number');
      await finish(page);
      return [words, scores];
    };
    const places = players.map((_, i) => `place ${i + 1} of 4`);
    await rule(game.players.map(({ id }, i) => ({ player: id, rank: i + 1 })));
    assert.deepEqual(await told(), [places.map((place) => ['adjudicated', place]), players.map(() => '')]);
    const seats = game.players.map(({ id }, i) => ({ player: id, rank: i + 1, score: 3 - i }));
    await rule(seats);
    assert.deepEqual(await told(), [places.map((place, i) => ['adjudicated', `${place} with a score of ${3 - i}`]), ['3', '2', '1', '0']]);
    // The last one left: nobody counted a score.
    seats[3] = { ...seats[3], kind: 'forfeit_loss' };
    await rule(seats);
    assert.deepEqual(await told(), [places.map((place, i) => (i === 3 ? ['lost by forfeit', place] : ['adjudicated', `${place} with a score of ${3 - i}`])), ['3', '2', '1', '']]);
  });
});

describe('a game that was declared void', () => {
  it('is said to be that where games are listed', async () => {
    const { event, players, game } = await makeRunning(world);
    const [player] = players;
    const { id } = good(await world.client.post(`${game.at}/disputes`, { claim: 'other', entry: 0, text: 'The lights went out.' }, player.token));
    good(await world.client.post(`/v1/disputes/${id}/freeze`, {}, world.organizer.token));
    good(await world.client.post(`/v1/disputes/${id}/ruling`, { orders: [{ order: 'void' }], code: 'no-light', reason: 'So they did.' }, world.organizer.token));
    // So is its table, in standings and rounds, and nobody has a place there.
    for (const scripts of [true, false]) {
      const page = await world.reader.open(`/events/${event.id}`, { scripts });
      assert.deepEqual((await texts(page, 'ul.strip li')).map((text) => text.match(/\u2205/)?.[0]), players.map(() => '\u2205'));
      assert.equal(await page.locator('ul.strip .first').count(), 0);
      const main = await page.locator('main').textContent();
      assert.equal(main.match(/\(void\)/g).length, players.length);
      assert.doesNotMatch(main, /by forfeit/);
      await finish(page);
    }
    for (const address of ['/', `/players/${player.id}`])
      for (const scripts of [true, false]) {
        const page = await world.reader.open(address, { scripts });
        const row = page.locator('tr', { has: page.locator(`a[href="/games/${game.id}"]`) });
        assert.match(await row.textContent(), /void/);
        await finish(page);
      }
  });
});

describe('what an organizer says of an event', () => {
  it('is filled in when it is made, and changed at its desk', async () => {
    const page = await signIn(world.reader, world.organizer, '/events/new');
    await page.fill('#setting-name', 'Said by form');
    await page.click('#about-part > summary');
    await page.fill('#setting-place', 'Library');
    await page.fill('#setting-starts_at', '2031-12-01T18:00');
    await page.selectOption('#setting-banner', 'green');
    await page.fill('#setting-description', 'One.\n\nTwo.');
    await page.click('#preset-club'); // what was said stays
    assert.equal(await page.inputValue('#setting-place'), 'Library');
    assert.deepEqual(await violations(page), []);
    await page.click('#new-event button.main');
    await page.waitForURL(/\/manage$/);
    const id = page.url().split('/').at(-2);
    const { settings } = await get(`/v1/events/${id}`);
    assert.deepEqual([settings.place, settings.starts_at, settings.banner, settings.description, settings.fee], ['Library', '2031-12-01T18:00:00.000Z', 'green', 'One.\n\nTwo.', undefined]);
    await page.click('#change-settings > summary');
    await page.click('#about-part > summary');
    await page.fill('#setting-place', '');
    await page.fill('#setting-fee', '2 EUR');
    await page.click('#change-form button[type=submit]');
    await page.click('dialog button.main');
    await page.waitForSelector('dialog', { state: 'detached' });
    const changed = (await get(`/v1/events/${id}`)).settings;
    assert.deepEqual([changed.place, changed.fee, changed.starts_at], [undefined, '2 EUR', '2031-12-01T18:00:00.000Z']);
    await finish(page);
  });
});

describe('a start time', () => {
  it('that is not whole, or of another age, is sent back to the field in words', { skip: notLong }, async () => {
    const page = await signIn(world.reader, world.organizer, '/events/new');
    await page.fill('#setting-name', 'At a time');
    await page.click('#about-part > summary');
    const refused = async () => {
      await page.click('#new-event button.main');
      await page.getByText('Enter the whole date and time, with a year of four digits').waitFor();
      assert.equal(await page.getAttribute('#setting-starts_at', 'aria-invalid'), 'true');
      assert.match(page.url(), /\/events\/new$/);
    };
    await page.locator('#setting-starts_at').pressSequentially('1201'); // the year and the time are missing
    await refused();
    await page.evaluate(() => (document.getElementById('setting-starts_at').value = '12031-12-01T18:00'));
    await refused();
    assert.doesNotMatch(await page.textContent('main'), /RFC/);
    assert.deepEqual(await violations(page), []);
    await page.fill('#setting-starts_at', '2031-12-01T18:00');
    await page.click('#new-event button.main');
    await page.waitForURL(/\/manage$/);
    await finish(page);
  });
});

describe('the figures of an event', () => {
  it('stand on their own page, and not on the main one', { skip: notLong }, async () => {
    const { event, rounds } = world;
    const closed = await get(`/v1/events/${event.id}`);
    const main = await world.reader.open(`/events/${event.id}`);
    assert.equal(await main.locator('code').count(), 0);
    assert.doesNotMatch(await main.locator('main').textContent(), /P5|score spread|iframe/);
    await main.click('nav.parts-of a[href$="/audit"]');
    await main.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    assert.equal(await main.locator('h1').textContent(), 'Audit');
    assert.deepEqual(await texts(main, 'code.hash'), [closed.commitment, closed.secret]);
    const { items } = await get(`/v1/events/${event.id}/rounds`);
    assert.equal(items.length, rounds.length);
    const criteria = items.flatMap((round) => round.quality.criteria.map((each) => `${each.code}: ${each.name} = ${each.value}`));
    assert.deepEqual(await texts(main, 'section dt'), criteria);
    for (const name of ['bundle', 'standings.csv', 'results.csv', 'rounds.ics', 'feed.json']) assert.equal(await main.locator('#files + ul a', { hasText: name }).count(), 1, name);
    assert.match(await main.locator('#embed + p code').textContent(), /^<iframe src=".*\/embed"/);
    assert.deepEqual(await violations(main), []);
    await finish(main);
    for (const settings of [{ ...phone, locale: 'de-DE' }, { javaScriptEnabled: false }]) {
      const page = await world.reader.open(`/events/${event.id}/audit`, settings);
      assert.equal(await page.locator('section dt').count(), criteria.length);
      assert.ok(await overflow(page) <= 0);
      await finish(page);
    }
  });
});

describe('the podium', () => {
  it('has the first three once the event is over, with those who share a place', { skip: notLong }, async () => {
    const { rows } = await get(`/v1/events/${world.event.id}/standings`);
    const first = rows.filter((row) => row.rank <= 3);
    assert.ok(first.length >= 3);
    for (const settings of [{}, phone, { javaScriptEnabled: false }]) {
      const page = await world.reader.open(`/events/${world.event.id}`, settings);
      assert.deepEqual(await texts(page, '.podium > li > a'), first.map((row) => row.player.name));
      if (settings.javaScriptEnabled !== false) assert.match(await page.locator('.podium > li .hint').nth(1).textContent(), /^rating 1\d{3} after \d+ games?$/);
      assert.deepEqual(await texts(page, '.podium .place'), first.map((row) => (row.shared > 1 ? `${row.rank}\u2013${row.rank + row.shared - 1}` : String(row.rank))));
      assert.ok(await overflow(page) <= 0);
      if (settings.javaScriptEnabled !== false) assert.deepEqual(await violations(page), []);
      await finish(page);
    }
    const page = await world.reader.open(`/events/${running.event.id}`);
    assert.equal(await page.locator('.podium').count(), 0);
    await finish(page);
  });
});

describe('the hall screen of a running event', () => {
  it('has the board of the first table beside the pages, as spectators see it, and follows it', async () => {
    const page = await signIn(world.reader, running.players[0], '/events/new', { viewport: { width: 1440, height: 900 } });
    await page.goto(`${world.reader.origin}/events/${running.event.id}/hall?seconds=120`);
    await page.waitForSelector('#live .board > *');
    assert.match(await page.locator('#live-title').textContent(), /table 1$/);
    assert.match(await page.locator('#live > p').textContent(), /Shown 2 lines late\.$/);
    assert.deepEqual((await texts(page, '#live > p .by bdi')).sort(), running.players.map((each) => each.name).sort());
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight), false);
    const tight = await page.evaluate(() => { // a board a little larger would push the controls out
      const board = document.querySelector('#live > .board');
      const bottom = () => board.getBoundingClientRect().bottom;
      const room = innerHeight - document.querySelector('.bar').offsetHeight * 1.6;
      const zoom = Number(getComputedStyle(board).zoom);
      const fits = bottom() <= room;
      board.style.zoom = zoom * 1.08;
      const tooLarge = bottom() > room;
      board.style.zoom = '';
      return { zoom, fits, tooLarge };
    });
    assert.ok(tight.fits && (tight.zoom === 1 || tight.tooLarge), JSON.stringify(tight));
    assert.deepEqual(await page.locator('.columns tbody th').evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)), []);
    assert.ok(await overflow(page) <= 0);
    assert.deepEqual(await violations(page), []);
    const asked = [];
    page.on('request', async (request) => { if (/\/v1\/games\/.*\/view/.test(request.url())) asked.push((await request.allHeaders()).cookie); });
    await endQuietly(world.client, running.game, world.organizer);
    await page.waitForSelector('#live', { state: 'detached' }); // the game is over, and no other is being played
    assert.deepEqual(asked.filter((each) => each !== undefined), []);
    await finish(page);
  });
});
