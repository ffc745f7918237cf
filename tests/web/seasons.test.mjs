// Pages over several events: seasons, and the leaderboards of every scope.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { makeDuplicate, readRound, seated } from '../api/support/duplicate.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, playBriefly, Random, startRound } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { notLong } from '../long.mjs';
import { finish, launch, overflow, phone, Reader, rows, texts, violations } from './support/browser.mjs';
import { eventName, makeNamed, names } from './support/world.mjs';

const random = new Random('seasons');
let bed;
let browser;
let reader;
let client;
let season;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  const organizer = await makePlayer(client, 'Organizer');
  const players = [...(await Promise.all(names.slice(0, 4).map((name) => makeNamed(client, name)))), ...(await makePlayers(client, 2))];
  const events = [];
  for (const entrants of [players, players.slice(0, 4)]) {
    const event = await makeEvent(client, organizer, entrants, { name: eventName, seats_min: 2, seats_max: 2, rounds: 1 });
    for (const game of (await startRound(client, event, organizer, entrants)).games) await playBriefly(client, game, random);
    events.push(event);
  }
  const solo = await makeDuplicate(client, organizer, players.slice(1, 6), { ruleset: 'supermarche', boards: 2, seats_preferred: 1 });
  good(await client.post(`/v1/events/${solo.id}/rounds`, {}, organizer.token));
  for (const game of seated(await readRound(client, solo, 1), players)) await endQuietly(client, game, organizer);
  for (const event of [...events, solo]) good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  events.push(await makeEvent(client, organizer, players, { name: 'Running' }));
  season = good(await client.post('/v1/seasons', { name: `Winter ${eventName}`.slice(0, 80), method: 'points', best: 1 }, organizer.token));
  for (const event of events) good(await client.post(`/v1/seasons/${season.id}/events`, { event: event.id }, organizer.token));
  browser = await launch();
  reader = new Reader(browser, client.port);
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

const get = async (target) => good(await client.get(target));
const tidy = (text) => text.replace(/\s+/g, ' ').trim();
const millionths = (value) => (value / 1e6).toFixed(2);

async function readable(address) {
  for (const settings of [{}, phone, { colorScheme: 'dark' }]) {
    const page = await reader.open(address, settings);
    const shown = await page.locator('main').textContent();
    for (const wrong of ['undefined', '[object', 'NaN', 'null']) assert.ok(!shown.includes(wrong), `${address}: ${wrong}`);
    assert.deepEqual(await violations(page), [], address);
    assert.ok((await overflow(page)) <= 0, address);
    assert.equal(await page.locator('main :is(script, img, b, style)').count(), 0);
    await finish(page);
  }
}

describe('the page of a season', () => {
  it('has the totals of the API, and says which results count', async () => {
    const address = `/seasons/${season.id}`;
    const page = await reader.open(address);
    const standings = await get(`/v1${address}/standings`);
    const shown = (await rows(page, 'main .scroll')).slice(0, standings.items.length);
    standings.items.forEach((row, i) => {
      assert.equal(shown[i][0].split('–')[0], String(row.rank));
      assert.deepEqual(shown[i].slice(1, 3), [tidy(row.player.name), millionths(row.total_millionths)]);
    });
    const results = standings.items.flatMap((row) => row.results);
    assert.ok(results.some((each) => each.counted) && results.some((each) => !each.counted));
    const told = await texts(page, '.results li');
    results.forEach((result, i) => {
      assert.ok(told[i].startsWith(millionths(result.value_millionths)), told[i]);
      assert.equal(told[i].includes('(does not count)'), !result.counted);
    });
    const plain = (await client.get(address, { unchecked: true })).text.replace(/.*<h2>Standings<\/h2>/s, '');
    const totals = [...plain.matchAll(/<a href="\/players\/([-0-9a-f]+)"><bdi>[^<]+<\/bdi><\/a><\/th><td class="number points">([.\d]+)</g)];
    assert.deepEqual(totals.map(([, player, total]) => [player, total]), standings.items.map((row) => [row.player.id, millionths(row.total_millionths)]));
    assert.equal(plain.match(/<span>(\(does not count\) )?<a href="\/events\/[-0-9a-f]+"><bdi>[^<]+<\/bdi><\/a>: place \d/g).length, results.length);
    assert.equal(plain.match(/does not count/g).length, results.filter((each) => !each.counted).length);
    const events = (await rows(page, 'main .scroll')).slice(standings.items.length);
    assert.deepEqual(events.map((row) => [row[2], row[3]]), standings.events.map((each) => [each.over ? 'over' : 'unfinished', each.over ? String(each.entrants) : '']));
    await page.setViewportSize(phone.viewport); // an event's name stands beside the result's worth, however long it is
    const beside = await page.locator('.results li').evaluateAll((all) => all.map((each) => each.lastElementChild.getBoundingClientRect().left - each.firstElementChild.getBoundingClientRect().right));
    assert.ok(beside.every((gap) => gap > 0), String(beside));
    await finish(page);
    await readable(address);
    const best = await reader.open('/leaderboard', { viewport: { width: 400, height: 800 } }); // long names have nearly half of a phone
    const { width } = await best.locator('tbody th').first().boundingBox();
    assert.ok(width > 170, String(width));
    const [{ display }] = (await get('/v1/leaderboard?limit=1')).items; // its column has no room there, so the deviation stands below the rating
    assert.equal(await best.locator('tbody .points > *').first().evaluate((rating) => getComputedStyle(rating, '::after').content.replace('attr(data-deviation)', JSON.stringify(rating.dataset.deviation))), `"± ${display.deviation}"`);
    await finish(best);
    const home = await reader.open('/');
    assert.equal(await home.locator(`main a[href="${address}"]`).count(), 1);
    await finish(home);
    const of = await reader.open(`/events/${standings.events[0].event.id}`);
    assert.deepEqual(await of.locator('#seasons a').evaluateAll((all) => all.map((each) => each.getAttribute('href'))), [address]);
    await finish(of);
  });

  it('that is empty says so', { skip: notLong }, async () => {
    const organizer = await makePlayer(client, 'Another');
    const empty = good(await client.post('/v1/seasons', { name: 'To come' }, organizer.token));
    const page = await reader.open(`/seasons/${empty.id}`);
    assert.match(await page.locator('main').textContent(), /No event of the season is over yet.*No event counts yet/s);
    await finish(page);
  });
});

describe('a game for one that is lost', () => {
  it('is a defeat, and no place among one', { skip: notLong }, async () => {
    const all = (await get('/v1/games?limit=15')).items.filter((game) => game.seats.length === 1);
    const [lost] = all.filter(({ seats: [{ score }] }) => score < 0);
    assert.ok(lost !== undefined, 'nobody lost');
    const wanted = all.map(({ seats: [{ player, score }] }) => `${tidy(player.name)} (${score < 0 ? 'Defeat' : score})`).sort();
    const readers = [[{ javaScriptEnabled: false }, (row) => row.at(-2)], [{}, (row) => row.at(-2)]];
    for (const [settings, players] of readers) {
      const page = await reader.open('/', settings);
      const shown = (await rows(page, 'main')).filter(([name]) => name.startsWith('Supermarch')).map(players).map(tidy).filter((each) => /\(/.test(each));
      assert.deepEqual(shown.sort(), wanted);
      await finish(page);
    }
    const page = await reader.open(`/games/${lost.id}`);
    assert.deepEqual((await rows(page, 'table.seats')).map((row) => [row[0], row.at(-1)]), [['Defeat', '']]);
    assert.equal(tidy(await page.locator('.play .outcome li').textContent()), tidy(`Defeat ${lost.seats[0].player.name} `));
    await page.setViewportSize(phone.viewport);
    await page.locator('.outcome .rank').evaluate((each) => { each.textContent = 'Etwas geringere Niederlage'; }); // the longest level
    const { width } = await page.locator('.outcome .rank + span').boundingBox();
    assert.ok(width > 100, String(width));
    await finish(page);
  });
});

describe('the leaderboard', () => {
  it('of games for one has percentiles', { skip: notLong }, async () => {
    const address = '/leaderboard?scope=solo.supermarche';
    const { items } = await get(`/v1${address}`);
    assert.equal(items.length, 5);
    const page = await reader.open(address);
    const shown = await rows(page, 'main .scroll');
    assert.deepEqual(shown.map((row) => row.slice(1)), items.map((each) => [tidy(each.player.name), `${(each.percentile.numerator / each.percentile.denominator).toFixed(1)} %`, String(each.games)]));
    assert.equal(await page.locator('main nav [aria-current]').textContent(), 'Supermarché');
    await finish(page);
    await readable(address);
  });

  it('has a page for every scope that it links to', { skip: notLong }, async () => {
    const page = await reader.open('/leaderboard');
    const links = await page.locator('main nav a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    await finish(page);
    assert.ok(links.some((link) => link.includes('solo.')) && links.some((link) => link.includes('glicko.')));
    for (const link of links) assert.equal((await client.get(`/v1/leaderboard${link}`)).status, 200, link);
    await readable('/leaderboard?scope=glicko.shinjuku');
  });
});
