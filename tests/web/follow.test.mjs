// Pages follow what happens without being loaded again, and keep what the reader has opened; when the
// service does not answer they say so, and go on when it is back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { endQuietly, legalMoves, makePlayers, now, play, startRound } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { sleep } from '../api/support/waiting.mjs';
import { daily, isLong, notLong } from '../long.mjs';
import { finish, launch, Reader, texts } from './support/browser.mjs';
import { makeRunning } from './support/world.mjs';

let bed;
let browser;
let reader;
let world;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  browser = launched;
  reader = new Reader(browser, service.client.port);
  const [organizer] = await makePlayers(service.client, 1, 'Organizer');
  world = { client: service.client, organizer, service };
});
after(async () => {
  await reader.close();
  await browser.close();
  await bed.end();
});

// True for a page that has not been loaded again since `mark`.
const mark = (page) => page.evaluate(() => (window.sameDocument = true));
const isSame = (page) => page.evaluate(() => window.sameDocument === true);

async function playOne(game) {
  const { deciders } = await now(world.client, game);
  const legal = await legalMoves(world.client, game, deciders[0]);
  good(await play(world.client, game, deciders[0], [legal.moves[0]], legal.seq));
  return legal.moves[0];
}

describe('while it runs', { concurrency: true }, () => {
  it('a game is followed move by move to its end, and what is opened stays open', async () => {
    const { game } = await makeRunning(world);
    const page = await reader.open(`/games/${game.id}`);
    await mark(page);
    assert.equal(await page.locator('main .badge').first().textContent(), 'running');
    assert.equal(await page.locator('.log ol > li').count(), 0);
    await page.locator('main details summary').click();
    await page.locator('main details summary').focus();
    const moves = [];
    for (let ply = 1; ply <= 3; ply++) {
      moves.push(await playOne(game));
      await page.waitForSelector(`#line-${ply}`);
      const { head, deciders } = await now(world.client, game);
      await page.waitForFunction((text) => document.querySelector('code.hash').textContent === text, head);
      const toMove = await page.locator('table.seats tr', { has: page.locator('.badge') }).locator('td.number').first().textContent();
      assert.equal(toMove, String(deciders[0] + 1));
    }
    assert.deepEqual(await texts(page, '.log ol > li > code'), moves);
    assert.equal(await page.locator('main details').evaluate((details) => details.open), true);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SUMMARY');

    await endQuietly(world.client, game, world.organizer);
    await page.waitForSelector('.badge.good');
    const { seq } = await now(world.client, game);
    await page.waitForSelector(`#line-${seq}`);
    assert.equal(await page.locator('.log ol > li').count(), seq);
    assert.equal(await page.locator('table.seats caption').textContent(), 'Result');
    assert.ok(await isSame(page));
    await finish(page);
  });

  it('an event is followed from its draft to its close', async () => {
    const { client, organizer } = world;
    const players = await makePlayers(client, 4, 'Entrant');
    const event = good(await client.post('/v1/events', { name: 'Followed', ruleset: 'shinjuku', seats_min: 4, rounds: 2 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    const page = await reader.open(`/events/${event.id}`);
    await mark(page);
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    await page.getByText('open for entries').waitFor();
    for (const player of players) good(await client.post(`${at}/entries`, {}, player.token));
    for (const player of players) await page.getByText(player.name, { exact: true }).waitFor();
    good(await client.post(`${at}/close-entries`, {}, organizer.token));

    const first = await startRound(client, event, organizer, players);
    await page.waitForSelector('#round-1');
    assert.match(await page.locator('#round-1 h3').textContent(), /running, 0 of 1 table finished/);
    assert.equal(await page.locator('.card caption').textContent(), 'Table 1 of round 1 (playing)');
    await playOne(first.games[0]);
    await endQuietly(client, first.games[0], organizer);
    // Before there are results, nobody has a row that could be opened.
    const opener = page.locator(`[id="row-${players[2].id}"] button`);
    await opener.click();
    await page.waitForFunction(() => document.querySelector('#round-1 h3').textContent === 'Round 1');
    const standings = good(await client.get(`${at}/standings`));
    assert.deepEqual(await texts(page, 'td.points'), standings.rows.map((row) => row.points.text));
    assert.deepEqual(await texts(page, 'main .scroll tbody th'), standings.rows.map((row) => row.player.name));
    // Wherever the player has gone, the row that was opened is open, with what it was opened for.
    assert.equal(await page.locator(`[id="more-${players[2].id}"]`).isVisible(), true);
    assert.equal(await opener.getAttribute('aria-expanded'), 'true');
    assert.equal(await page.locator('tr.more:visible').count(), 1);

    const second = await startRound(client, event, organizer, players);
    await page.waitForSelector('#round-2');
    await endQuietly(client, second.games[0], organizer);
    good(await client.post(`${at}/close`, {}, organizer.token));
    await page.waitForFunction(() => document.querySelector('main .badge').textContent === 'closed');
    const { secret } = good(await client.get(at));
    assert.match(await page.locator('main .scroll caption').textContent(), /^Final, after round 2/);
    assert.ok(await isSame(page));
    await finish(page);
    const audit = await reader.open(`/events/${event.id}/audit`);
    assert.equal((await texts(audit, 'code.hash'))[1], secret);
    await finish(audit);
  });
});

describe('a page', () => {
  const askedFor = (page, wanted) => {
    const asked = [];
    page.on('request', (request) => {
      if (wanted.test(request.url())) asked.push(request.url());
    });
    return asked;
  };

  it('asks for nothing while its stream tells that nothing happens', async () => {
    const { event, game } = await makeRunning(world);
    const watch = async (path) => {
      const page = await reader.open(path);
      return { page, asked: askedFor(page, /\/v1\//) };
    };
    const watched = await Promise.all([`/games/${game.id}`, `/events/${event.id}`].map(watch));
    await sleep(7000); // more than two looks without a stream
    for (const { asked } of watched) {
      assert.deepEqual(asked.filter((url) => !/\/(stream|watching)$/.test(url)), []);
      assert.ok(asked.filter((url) => url.endsWith('/watching')).length <= 1, 'how many watch was asked more than once');
    }
    const { seq } = await now(world.client, game);
    await playOne(game);
    await watched[0].page.waitForSelector(`#line-${seq + 1}`);
    for (const { page } of watched) await finish(page);
  });

  it('follows without a stream as well, where a proxy lets none pass', async () => {
    const { game } = await makeRunning(world);
    const page = await reader.open('/docs', {}, /ERR_|Failed to load/);
    await page.route('**/stream', (route) => route.abort());
    await page.goto(`${reader.origin}/games/${game.id}`);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    for (let ply = 1; ply <= 2; ply++) {
      await playOne(game);
      await page.waitForSelector(`#line-${ply}`);
    }
    await finish(page);
  });

  it('lets go of its stream while nobody looks, and catches up', { skip: notLong }, async () => {
    const { game } = await makeRunning(world);
    const page = await reader.open(`/games/${game.id}`);
    const asked = askedFor(page, /\/v1\//);
    const look = (visible) => page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    }, visible ? 'visible' : 'hidden');
    const gone = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/stream'));
    await look(false);
    await gone;
    asked.length = 0;
    await playOne(game);
    await sleep(3000);
    assert.deepEqual(asked, []);
    await look(true);
    await page.waitForSelector('#line-1');
    await finish(page);
  });
});

describe('an update', () => {
  it('makes any part of a page equal to any other, and keeps elements with the same id', async () => {
    const page = await reader.open('/docs');
    const wrong = await page.evaluate(async (count) => {
      const { updateChildren } = await import('/static/lib/update.js');
      let state = 1;
      const below = (n) => {
        state = (state * 48271) % 2147483647;
        return state % n;
      };
      const tree = (depth) => {
        const made = document.createElement(['p', 'ul', 'div'][below(3)]);
        if (below(3) === 0) made.title = String(below(3));
        for (let i = below(5); i > 0; i--) made.append(depth === 0 || below(3) === 0 ? String(below(3)) : tree(depth - 1));
        return made;
      };
      const withIds = (root) => {
        const ids = ['a', 'b', 'c', 'd', 'e'].sort(() => below(3) - 1);
        for (const child of root.children) if (below(2) === 0 && ids.length > 0) child.id = ids.pop();
        return root;
      };
      for (let i = 0; i < count; i++) {
        const [shown, wanted] = [withIds(tree(3)), withIds(tree(3))];
        shown.normalize();
        wanted.normalize();
        const before = new Map([...shown.children].filter((each) => each.id).map((each) => [each.nodeName + each.id, each]));
        const expected = wanted.cloneNode(true);
        updateChildren(shown, wanted);
        const equal = shown.childNodes.length === expected.childNodes.length && [...shown.childNodes].every((each, at) => each.isEqualNode(expected.childNodes[at]));
        const kept = [...shown.children].every((each) => !each.id || (before.get(each.nodeName + each.id) ?? each) === each);
        if (!equal || !kept) return `${i}: ${shown.outerHTML} ${expected.outerHTML}`;
      }
      return null;
    }, isLong ? 2000 : 100);
    assert.equal(wrong, null);
    await finish(page);
  });
});

describe('without an answer', () => {
  it('an unknown id is said to be unknown', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000';
    for (const kind of daily(['events', 'games', 'players'], 3)) {
      const page = await reader.open(`/${kind}/${unknown}`, {}, /404/);
      assert.equal(await page.locator('h1').textContent(), 'There is nothing here');
      assert.match(await page.getByRole('alert').textContent(), /^There is no page at this address, or it has been removed/);
      await page.getByRole('search').getByRole('searchbox').waitFor();
      await finish(page);
    }
    const page = await reader.open('/leaderboard?scope=no-such-game', {}, /400/);
    assert.match(await page.getByRole('alert').textContent(), /slug of a ruleset/);
    await finish(page);
  });

  it('an answer that is no JSON is said to be unreadable, and asked for again', { skip: notLong }, async () => {
    const page = await reader.open('/docs', {}, /502/);
    await page.route('**/v1/keys', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }));
    await page.goto(`${reader.origin}/verify`);
    assert.match(await page.getByRole('alert').textContent(), /cannot be read.*keeps trying/);
    await page.unroute('**/v1/keys');
    await page.getByRole('heading', { name: 'Verify in your browser' }).waitFor();
    await finish(page);
  });

  it('a page says that it may be old while the service is gone, and goes on when it is back', async () => {
    const { event, game } = await makeRunning(world);
    const pages = [await reader.open(`/games/${game.id}`, {}, /ERR_|Failed to load/), await reader.open(`/events/${event.id}`, {}, /ERR_|Failed to load/)];
    await world.service.end();
    for (const page of pages) {
      await page.getByText('what is shown may be old').waitFor();
      assert.notEqual(await page.locator('h1').textContent(), 'This cannot be shown');
    }
    world.service = await bed.startService(['--listen', `127.0.0.1:${world.client.port}`]);
    world.client = world.service.client;
    await playOne(game);
    await pages[0].waitForSelector('#line-1');
    for (const page of pages) {
      await page.waitForFunction(() => document.getElementById('connection').textContent === '');
      await finish(page);
    }
  });

  it('a page that is opened while the service does not answer appears once it does', { skip: notLong }, async () => {
    const page = await reader.open('/docs', {}, /ERR_|Failed to load/);
    await page.route('**/v1/**', (route) => route.abort());
    await page.goto(`${reader.origin}/verify`);
    assert.match(await page.getByRole('alert').textContent(), /cannot be reached.*keeps trying/);
    await page.unroute('**/v1/**');
    await page.getByRole('heading', { name: 'Verify in your browser' }).waitFor();
    await finish(page);
  });

  it('what the server has written stays until the script has more', { skip: notLong }, async () => {
    const page = await reader.open('/docs', {}, /ERR_|Failed to load/);
    await page.route('**/v1/**', (route) => route.abort());
    await page.goto(`${reader.origin}/leaderboard`);
    await page.getByText('what is shown may be old').waitFor();
    const written = await page.locator('main nav a').count();
    assert.ok(written > 0);
    assert.equal(await page.locator('main[data-plain]').count(), 1);
    await page.unroute('**/v1/**');
    await page.waitForSelector('main:not([aria-busy], [data-plain])');
    assert.equal(await page.locator('main nav a').count(), written);
    assert.equal(await page.locator('#connection').textContent(), '');
    await finish(page);
  });
});
