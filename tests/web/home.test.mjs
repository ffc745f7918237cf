// The home page: for strangers what this is and where to begin; for players first what waits for them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { endQuietly, makeEvent, makePlayers, playRandomly, untilTurn } from '../api/support/play.mjs';
import { notLong } from '../long.mjs';
import { finish, overflow, phone, texts, violations } from './support/browser.mjs';
import { signIn } from './support/table.mjs';
import { makeRunning, makeWorld } from './support/world.mjs';

let world;
let running;
let get;
before(async () => {
  world = await makeWorld('home');
  running = await makeRunning(world);
  get = async (target, player) => good(await world.client.get(target, player?.token));
});
after(() => world.end());

const hrefs = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((each) => each.getAttribute('href')));

async function isUsable(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

describe('the home page for strangers', () => {
  async function checkTop(page) {
    const rulesets = await get('/v1/rulesets');
    const slugs = [...new Set(rulesets.items.map((each) => each.slug))];
    assert.equal(slugs.length, 5);
    assert.match(await page.locator('main > .about').textContent(), /tournaments of five board games/);
    assert.deepEqual(await hrefs(page, 'main .tiles a'), slugs.map((slug) => `/games/${slug}`));
    assert.deepEqual(await hrefs(page, 'main .actions a'), ['/lobby', '/events/new', '/login']);
    assert.deepEqual(await hrefs(page, 'main .live a'), [`/games/${running.game.id}`]);
    const shown = (await page.locator('main .live > p').textContent()).split(', ');
    assert.deepEqual(shown, (await get(`/v1/games/${running.game.id}`)).seats.map((seat) => seat.player.name));
  }

  it('says what this is, and has the games, one being played, and where to begin', async () => {
    for (const settings of [{}, phone, { colorScheme: 'dark' }]) {
      const page = await world.reader.open('/', settings);
      await checkTop(page);
      await isUsable(page);
      await finish(page);
    }
  });

  it('shows the one being played, move by move', async () => {
    const page = await world.reader.open('/');
    const board = page.locator('main .live > .picture .board');
    await board.locator('.map').waitFor();
    assert.equal(await page.locator('main .live > .picture').getAttribute('inert'), '');
    await board.evaluate((each) => { each.dataset.before = ''; });
    await playRandomly(world.client, running.game, world.random, { plies: 1 });
    await page.locator('main .live > .picture .board:not([data-before]) .map').waitFor();
    await isUsable(page);
    await finish(page);
  });

  it('asks no more about it when it is over', async () => {
    const short = await makeRunning(world);
    const page = await world.reader.open('/');
    await page.locator('main .live > .picture .board .map').evaluate((each) => { each.dataset.before = ''; });
    assert.deepEqual(await hrefs(page, 'main .live a'), [`/games/${short.game.id}`]);
    await page.clock.install();
    const over = page.waitForResponse(async (answer) => answer.url().endsWith(`/v1/games/${short.game.id}`) && (await answer.json()).state === 'finished');
    await endQuietly(world.client, short.game, world.organizer);
    await over;
    await page.locator('main .live > .picture .board .map:not([data-before])').waitFor();
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    for (let i = 0; i < 4; i++) await page.clock.fastForward(6000);
    await page.evaluate(() => fetch('/static/icon.svg'));
    assert.deepEqual(asked.filter((url) => url.includes(short.game.id)), []);
    await finish(page);
  });

  it('says so without script as well', { skip: notLong }, async () => {
    const page = await world.reader.open('/', { javaScriptEnabled: false });
    await checkTop(page);
    await finish(page);
  });

  it('shows an emblem of its own for each game', { skip: notLong }, async () => {
    const page = await world.reader.open('/');
    const masks = await page.locator('.tiles .game-sign').evaluateAll((all) => all.map((each) => getComputedStyle(each, '::before').maskImage));
    assert.equal(new Set(masks).size, 5);
    for (const mask of masks) {
      const { status, headers } = await world.client.get(new URL(/url\("(.*)"\)/.exec(mask)[1]).pathname, { unchecked: true });
      assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml']);
    }
    await finish(page);
  });

  it('lists events and games below', async () => {
    const page = await world.reader.open('/');
    const headings = await texts(page, 'main > h2, #events > h2');
    assert.deepEqual(headings.filter((each) => each !== 'Seasons'), ['The games', 'Being played now', 'Running', 'All events', 'Games']);
    await finish(page);
  });

  it('counts no rounds where there are none', { skip: notLong }, async () => {
    const { client, organizer } = world;
    const [first, second] = await makePlayers(client, 2);
    const ladder = await makeEvent(client, organizer, [first, second], { name: 'Ladder', format: 'ladder', seats_min: undefined, seats_max: undefined, rounds: undefined });
    good(await client.post(`/v1/events/${ladder.id}/challenges`, { player: first.id }, second.token));
    good(await client.post(`/v1/events/${ladder.id}/challenges/${second.id}/accept`, {}, first.token));
    for (const settings of [{}, { javaScriptEnabled: false }]) {
      const page = await world.reader.open('/', settings);
      const card = page.locator('.event-card', { has: page.locator(`a[href="/events/${ladder.id}"]`) });
      assert.match(await card.locator('p').first().textContent(), /^Shinjuku · 2 entries$/);
      await finish(page);
    }
  });
});

describe('the home page for players', () => {
  const deciderOf = async () => (await get(`/v1/games/${running.game.id}`)).deciders[0];
  const atSeat = async (seat) => {
    const { seats } = await get(`/v1/games/${running.game.id}`);
    return running.players.find((each) => each.id === seats[seat].player.id);
  };

  it('begins with the games that wait for them, against whom, and their events', async () => {
    const seat = await deciderOf();
    const { seats } = await get(`/v1/games/${running.game.id}`);
    for (const settings of [{}, { ...phone, colorScheme: 'dark' }]) {
      const page = await signIn(world.reader, await atSeat(seat), '/', settings);
      assert.equal((await texts(page, 'main h2'))[0], 'Your turn');
      assert.deepEqual(await hrefs(page, '#your-turn a'), [`/games/${running.game.id}`]);
      const shown = await page.locator('#your-turn').textContent();
      assert.ok(shown.includes('Shinjuku, round 1, table 1') && shown.includes('Running'), shown);
      for (const each of seats) assert.equal(shown.includes(each.player.name), each.seat !== seat);
      await page.locator('#your-turn .picture .board .map').waitFor(); // the board, apart from the page: nothing in it can be reached
      assert.equal(await page.locator('#your-turn .picture').getAttribute('inert'), '');
      assert.equal(await page.evaluate(() => document.querySelector('.board')), null);
      assert.deepEqual(await hrefs(page, '#your-events a'), [`/events/${running.event.id}`]);
      assert.deepEqual(await hrefs(page, 'main .actions a'), ['/lobby', '/events/new']);
      await isUsable(page);
      if (settings.colorScheme === undefined) { // the event's page begins with the way to the table
        await page.goto(`${world.reader.origin}/events/${running.event.id}`);
        await page.getByRole('link', { name: 'Play at table 1' }).waitFor();
        assert.deepEqual(await hrefs(page, '#mine .bar > a'), [`/games/${running.game.id}`]);
      }
      await finish(page);
    }
  });

  it('lead from the event to its table, all the more when a turn comes while they look', async () => {
    const { deciders, seats } = await get(`/v1/games/${running.game.id}`);
    const idle = seats.find((each) => !deciders.includes(each.seat)).seat;
    const page = await signIn(world.reader, await atSeat(idle), `/events/${running.event.id}`);
    const ways = () => page.locator('#mine .bar > a').evaluateAll((all) => all.map((each) => [each.textContent, each.classList.contains('main'), each.getAttribute('href')]));
    const at = `/games/${running.game.id}`;
    await page.locator('#mine .bar > a').waitFor();
    assert.deepEqual(await ways(), [['Look at table 1', false, at]]);
    await untilTurn(world.client, running.game, idle, world.random);
    await page.getByRole('link', { name: 'Play at table 1' }).waitFor();
    assert.deepEqual(await ways(), [['Play at table 1', true, at]]);
    await finish(page);
  });

  it('says of a game in which others decide that it does not wait', { skip: notLong }, async () => {
    const { deciders, seats } = await get(`/v1/games/${running.game.id}`);
    const idle = seats.find((each) => !deciders.includes(each.seat)).seat;
    const page = await signIn(world.reader, await atSeat(idle), '/');
    assert.equal(await page.locator('#your-turn').count(), 0);
    assert.match(await page.locator('main .notice').textContent(), /No game is waiting for you/);
    assert.deepEqual(await hrefs(page, '#your-games a'), [`/games/${running.game.id}`]);
    await finish(page);
  });

  it('shows the games that they follow, until they stop', { skip: notLong }, async () => {
    const name = 'Shinjuku, round 1, table 1';
    const at = `${world.reader.origin}/games/${running.game.id}`;
    const page = await signIn(world.reader, world.organizer, `/games/${running.game.id}`);
    await page.getByRole('button', { name: 'Follow this game' }).click();
    await page.getByRole('button', { name: 'Stop following' }).waitFor();
    await page.goto(`${world.reader.origin}/`);
    await page.locator('#followed').getByRole('link', { name }).waitFor();
    const shown = await page.locator('#followed').textContent();
    for (const each of running.players) assert.ok(shown.includes(each.name), shown);
    await isUsable(page);
    await page.locator('#followed').getByRole('button', { name: 'Stop following' }).click();
    await page.locator('#followed').waitFor({ state: 'detached' });
    await page.goto(at);
    await page.getByRole('button', { name: 'Follow this game' }).waitFor();
    await isUsable(page);
    await finish(page);
    const own = await signIn(world.reader, await atSeat(0), `/games/${running.game.id}`);
    await own.waitForSelector('#table .board');
    assert.equal(await own.locator('#follow-game').count(), 0); // they find it among their own
    await finish(own);
  });

  it('whose session has ended is that of strangers', async () => {
    const page = await signIn(world.reader, await atSeat(0), '/', {}, /401/);
    await page.context().clearCookies();
    await page.reload();
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    assert.deepEqual(await hrefs(page, 'main .actions a'), ['/lobby', '/events/new', '/login']);
    await finish(page);
  });
});
