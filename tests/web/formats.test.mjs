// The page of an event in every format: an event for each kind of standings, played over HTTP, and what
// its page shows is what the API says. Each day a round robin, two stages and double elimination; the others in the long run.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, playBriefly, Random, startRound } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { isLong, notLong } from '../long.mjs';
import { finish, launch, overflow, phone, Reader, rows, texts, violations } from './support/browser.mjs';
import { signIn } from './support/table.mjs';
import { makeNamed, names } from './support/world.mjs';

const random = new Random('formats');
let bed;
let browser;
let reader;
let client;
let organizer;
let people;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  people = [...(await Promise.all(names.slice(0, 8).map((name) => makeNamed(client, name)))), ...(await makePlayers(client, 2))];
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
const two = { rounds: undefined, seats_min: undefined, seats_max: undefined };
const rule = async (event, round, table, body) =>
  good(await client.request('PUT', `/v1/events/${event.id}/rounds/${round}/tables/${table}/ruling`, { json: body, token: organizer.token }));

// The rest of a round's tables are decided by rulings: quick, and never level.
async function decide(event, round) {
  for (const { table, ruled, seats } of (await get(`/v1/events/${event.id}/rounds/${round.number}`)).seating)
    if (!ruled) await rule(event, round.number, table, { seats: seats.map((seat, i) => ({ player: seat.player.id, rank: i + 1, score: 10 - i })), reason: 'Decided <b>by hand</b>.' });
}

// Plays to the end of what is planned; resolves with the number of rounds.
async function decideAll(event) {
  for (let rounds = 0; ; rounds++) {
    const started = await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token);
    if (started.status !== 201) {
      assert.equal(started.json.code, 'no-more-rounds');
      return rounds;
    }
    await decide(event, started.json);
  }
}

// Nothing that must never be seen, and whoever reads, can; whatever is linked is there. Each is looked at in one of three ways, and in all of
// them in the long run.
const ways = [{}, phone, { colorScheme: 'dark' }];
let looked = 0;
async function readable(address) {
  const linked = await reader.open(`${address}/audit`);
  const addresses = await linked.locator('main a[href^="/v1/"]').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  await finish(linked);
  assert.ok(addresses.some((each) => each.endsWith('/bundle')));
  for (const each of addresses) assert.equal((await client.get(each, { unchecked: true })).status, 200, each);
  for (const settings of isLong ? ways : [ways[looked++ % ways.length]]) {
    const page = await reader.open(address, settings);
    const shown = await page.locator('main').textContent();
    for (const wrong of ['undefined', '[object', 'NaN', 'null']) assert.ok(!shown.includes(wrong), `${address}: ${wrong}`);
    await page.evaluate(() => {
      for (const each of document.querySelectorAll('summary, button.opener')) each.click();
    });
    assert.deepEqual(await violations(page), [], address);
    assert.ok((await overflow(page)) <= 0, address);
    assert.equal(await page.locator('main :is(script, img, b, style)').count(), 0);
    await finish(page);
  }
}

const shownPlaces = (standings) => standings.map(({ rank, place = rank, shared }) => (place === null ? '' : shared > 1 ? `${place}–${place + shared - 1}` : String(place)));

// The tables of standings have the rows of the API, in order.
async function checkStandings(page, standings) {
  await page.locator('main .opener').first().waitFor(); // what the server wrote has none
  const shown = (await rows(page, 'main .scroll:has(.opener)'));
  assert.deepEqual(shown.map((row) => row[0]), shownPlaces(standings.rows));
  standings.rows.forEach((row, i) => {
    assert.ok(shown[i][1].startsWith(tidy(row.player.name)), shown[i][1]);
    if (row.points !== null) assert.equal(shown[i][2], row.points.text);
  });
}

describe('a round robin', () => {
  it('has standings, who met whom, and rulings with their reasons', async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 4), { ...two, name: 'All play all', format: 'round_robin' });
    const address = `/events/${event.id}`;
    const first = await startRound(client, event, organizer, people);
    const [there, missing] = first.games[1].players;
    await rule(event, 1, 2, { no_show: [missing.id], reason: 'Did <i>not</i> come.' });
    const early = await reader.open(address);
    await early.locator('summary', { hasText: 'Who met whom' }).click();
    await early.locator('.cross tbody tr').first().waitFor();
    assert.ok((await early.locator('main').textContent()).includes('… still playing.'));
    await finish(early);
    await playBriefly(client, first.games[0], random);
    await decideAll(event);
    const page = await reader.open(address);
    await checkStandings(page, await get(`/v1${address}/standings`));
    const table = await get(`/v1${address}/crosstable`);
    await page.locator('summary', { hasText: 'Who met whom' }).click();
    await page.locator('.cross tbody tr').first().waitFor();
    assert.ok(!(await page.locator('main').textContent()).includes('still playing'));
    const cells = await page.locator('.cross tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.deepEqual(cells.map((row) => Number(row[0])), table.players.map((player) => player.number));
    const cell = (one, other) => cells[table.players.findIndex((each) => each.number === one)][2 + table.players.findIndex((each) => each.number === other)];
    for (const { a, b } of table.meetings) {
      assert.ok(cell(a.number, b.number).startsWith(a.rank === b.rank ? '=' : a.rank < b.rank ? '+' : '−'));
      assert.ok(cell(b.number, a.number).startsWith(a.rank === b.rank ? '=' : a.rank < b.rank ? '−' : '+'));
    }
    const card = page.locator('#round-1 .tables > div');
    assert.equal(await card.locator('.badge').textContent(), 'ruling');
    assert.equal(await card.locator('.reason').textContent(), 'Ruling: Did <i>not</i> come.');
    const lines = tidy(await card.locator('table').textContent());
    assert.ok(lines.includes('(won by forfeit)') && lines.includes('(lost by forfeit)'));
    const [said] = await texts(page, `[id="row-${there.id}"] .strip .unseen >> nth=0`);
    assert.match(said, /^Round 1, table 2: won by forfeit/);
    const told = await texts(page, '.rulings li');
    assert.match(told[0], /^Round 1, table 2, ruled by Organizer .*: Did <i>not<\/i> come\.$/);
    await finish(page);
    await readable(address);
  });
});

describe('an event of two stages', () => {
  let event;
  let address;
  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 8), { ...two, name: 'Two stages', stages: [
      { format: 'pod_swiss', rounds: 2, seats_min: 4, round_minutes: 60 }, { format: 'single_elimination', entrants: 4, consolation: true }] });
    address = `/events/${event.id}`;
    const started = good(await client.post(`/v1${address}/rounds`, {}, organizer.token));
    const page = await reader.open(address);
    assert.match(await page.locator('.deadline').textContent(), /^To be played by /);
    assert.match(await page.getByRole('navigation', { name: 'Stages' }).textContent(), /Stage 2: single elimination \(to come, for 4\)/);
    await finish(page);
    await decide(event, started);
    await decideAll(event);
  });

  it('shows the bracket of the last one, and the places of the event', async () => {
    const page = await reader.open(address);
    const { bracket, participants } = await get(`/v1${address}/bracket`);
    const standings = await get(`/v1${address}/standings`);
    assert.deepEqual(await texts(page, '.bracket h4'), ['Semi-finals', 'Final', 'Third place']);
    const shown = await page.locator('.match').evaluateAll((all) => all.map((match) => [...match.querySelectorAll('li')].map((side) =>
      [side.querySelector('bdi').textContent, side.querySelector('.score').textContent, side.classList.contains('won')])));
    const name = (id) => participants.find((each) => each.id === id).player.name;
    assert.deepEqual(shown, bracket.match.map((match) => [match.opponent1, match.opponent2].map((side) => [name(side.id), String(side.score ?? ''), side.result === 'win'])));
    for (const card of await page.locator('.match').all()) assert.match(await card.locator('.match-name a').getAttribute('href'), /^\/games\//);
    await checkStandings(page, standings);
    const places = (await rows(page, 'main .scroll')).slice(standings.rows.length);
    assert.deepEqual(places.map((row) => row[0]), shownPlaces(standings.places));
    assert.deepEqual(places.map((row) => row[2]), standings.places.map((each) => String(each.stage)));
    await finish(page);
    await readable(address);
  });

  it('shows the first one by its own address, also after an earlier round', { skip: notLong }, async () => {
    const page = await reader.open(address);
    await page.getByRole('navigation', { name: 'Stages' }).getByRole('link', { name: 'Stage 1' }).click();
    await page.waitForFunction(() => document.querySelectorAll('main:not([aria-busy], [data-plain]) .badge.good').length >= 4);
    const swiss = await get(`/v1${address}/standings?stage=1`);
    await checkStandings(page, swiss);
    const on = await texts(page, 'tr.row:has(.opener):has(.badge.good) bdi');
    assert.deepEqual(on, swiss.rows.filter((row) => row.went_on).map((row) => row.player.name));
    await page.getByRole('navigation', { name: 'Standings after round' }).getByRole('link', { name: '1', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('main:not([aria-busy], [data-plain]) caption')?.textContent.includes('up to round 1'));
    await checkStandings(page, await get(`/v1${address}/standings?stage=1&after_round=1`));
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('button:visible, nav:visible, details:visible').count(), 0);
    assert.equal(await page.locator('tr.row:has(.opener)').count(), swiss.rows.length);
    assert.deepEqual(await page.locator('section[id^="round-"]:visible').evaluateAll((all) => all.map((each) => each.id)), [`round-${(await get(`/v1${address}`)).rounds.started}`]);
    await finish(page);
    for (const nonsense of ['stage=9', 'stage=x', 'stage=2&after_round=1', 'stage=0&after_round=77']) {
      const page = await reader.open(`${address}?${nonsense}`);
      assert.ok((await page.locator('tr.row').count()) > 0, nonsense);
      await finish(page);
    }
  });
});

describe('brackets', () => {
  it('of double elimination have both halves and finals', { skip: notLong }, async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 6), { ...two, name: 'Twice out', format: 'double_elimination', grand_final: 'double' });
    const address = `/events/${event.id}`;
    await decide(event, good(await client.post(`/v1${address}/rounds`, {}, organizer.token)));
    const half = await reader.open(address);
    assert.ok((await texts(half, '.match .open')).some((text) => /^(to come|bye|loser of match \d+)$/.test(text)));
    const { rows: now } = await get(`/v1${address}/standings`);
    assert.ok(now.some((row) => row.rank === null));
    const places = (await rows(half, 'main .scroll')).map((row) => row[0]);
    assert.deepEqual(places, [...now.filter((row) => row.rank === null).map(() => 'still in'), ...shownPlaces(now.filter((row) => row.rank !== null))]);
    await finish(half);
    if (isLong) await readable(address);
    await decideAll(event);
    const page = await reader.open(address);
    const { bracket } = await get(`/v1${address}/bracket`);
    assert.deepEqual(await texts(page, 'section:has(.bracket) h3'), ['Upper bracket', 'Lower bracket', 'Finals']);
    const [upper] = await page.locator('.bracket').all();
    assert.equal(await upper.locator('h4').last().textContent(), 'Final');
    assert.equal(await page.locator('.match').count(), bracket.match.length);
    await checkStandings(page, await get(`/v1${address}/standings`));
    await finish(page);
    await readable(address);
  });

  it('of larger tables say who goes on', { skip: notLong }, async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 7), { name: 'Cut', format: 'pod_elimination', rounds: undefined, seats_min: 4 });
    const address = `/events/${event.id}`;
    await decideAll(event);
    const page = await reader.open(address);
    const { bracket } = await get(`/v1${address}/bracket`);
    assert.deepEqual(await texts(page, '.bracket h4'), ['Round 1', 'Final']);
    assert.equal(await page.locator('.match').count(), bracket.table.length);
    assert.equal(await page.locator('.bracket > ol > li').first().locator('.won').count(), bracket.table.filter((table) => table.round_id === 0).flatMap((table) => table.seats).filter((seat) => seat.on).length);
    await checkStandings(page, await get(`/v1${address}/standings`));
    await finish(page);
    await readable(address);
  });
});

describe('a league', { skip: notLong }, () => {
  it('has a table of each division, and who met whom in it', async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 8), { name: 'League', format: 'league', rounds: undefined, seats_min: 2, seats_max: 2, division: 4 });
    const address = `/events/${event.id}`;
    await decideAll(event);
    const page = await reader.open(address);
    const captions = await texts(page, 'main .scroll caption');
    assert.deepEqual(captions.map((caption) => caption.slice(0, 11)), ['Division 1.', 'Division 2.']);
    await checkStandings(page, await get(`/v1${address}/standings`));
    await page.locator('summary', { hasText: 'Who met whom' }).click();
    await page.locator('.cross').nth(1).waitFor();
    assert.equal(await page.locator('.cross').count(), 2);
    await finish(page);
    await readable(address);
  });
});

describe('without rounds', () => {
  it('a ladder has rungs, challenges and games', { skip: notLong }, async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 5), { ...two, name: 'Ladder', format: 'ladder', reach: 2 });
    const address = `/events/${event.id}`;
    const challenge = async (by, whom) => good(await client.post(`/v1${address}/challenges`, { player: people[whom].id }, people[by].token));
    await challenge(4, 2);
    good(await client.post(`/v1${address}/challenges/${people[4].id}/accept`, {}, people[2].token));
    await challenge(1, 0);
    const open = await reader.open(address);
    const said = (await texts(open, 'main h2 ~ ul li')).map(tidy);
    assert.ok(said.some((text) => text.startsWith(`${people[1].name} challenges ${people[0].name}`)), said.join('; '));
    assert.ok(said.some((text) => text.endsWith('(playing at table 1)')));
    assert.equal(await open.locator('#ladder-rules').textContent(), "Players challenge others up to 2 rungs above them. A challenger who wins takes the other's rung, and those in between move down by one.");
    await finish(open);
    await rule(event, 0, 1, { seats: [{ player: people[4].id, rank: 1 }, { player: people[2].id, rank: 2 }], reason: 'The other way.' });
    const page = await reader.open(address);
    assert.equal(await page.locator('main .scroll thead th').first().textContent(), 'Rung');
    const standings = await get(`/v1${address}/standings`);
    assert.equal(standings.rows[2].player.id, people[4].id);
    await checkStandings(page, standings);
    assert.match((await texts(page, '.rulings li'))[0], /^Table 1, ruled by .*The other way\.$/);
    const desk = await signIn(reader, organizer, `${address}/manage`);
    assert.match((await texts(desk, '.event-log li'))[0], /^Ruling, table 1\./); // of no round
    await finish(desk);
    await finish(page);
    await readable(address);
  });

  it('open play has a queue and tables, and the best games of everybody', { skip: notLong }, async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 6), { name: 'Open', format: 'open_play', rounds: undefined, seats_min: 2, seats_max: 3, best: 2 });
    const address = `/events/${event.id}`;
    for (const player of people.slice(0, 5)) good(await client.post(`/v1${address}/queue`, {}, player.token));
    const open = await reader.open(address);
    const queue = await get(`/v1${address}/queue`);
    const said = (await texts(open, 'main')).join();
    for (const each of queue.waiting) assert.ok(said.includes(`${each.player.name} since`));
    for (const each of queue.tables) assert.ok(said.includes(`Table ${each.table}: ${each.players.map((player) => player.name).join(', ')}`));
    await finish(open);
    await readable(address);
    const game = (await get('/v1/games?state=running')).items.find((each) => each.event.id === event.id);
    game.at = `/v1/games/${game.id}`;
    game.players = game.seats.map((seat) => people.find((player) => player.id === seat.player.id));
    await endQuietly(client, game, organizer);
    const page = await reader.open(address);
    await checkStandings(page, await get(`/v1${address}/standings`));
    assert.equal(await page.locator('.strip a').first().getAttribute('href'), `/games/${game.id}`);
    await finish(page);
    const running = await reader.open(`/games/${game.id}`);
    assert.equal(await running.locator('h1').textContent(), 'Shinjuku, table 1');
    await finish(running);
  });
});

describe('who takes part', () => {
  it('shows who waits for a place, and byes by their kinds', { skip: notLong }, async () => {
    const event = good(await client.post('/v1/events', { name: 'Full', ruleset: 'shinjuku', rounds: 2, seats_min: 3, seats_max: 4, capacity: 6 }, organizer.token));
    const address = `/events/${event.id}`;
    good(await client.post(`/v1${address}/open-entries`, {}, organizer.token));
    for (const player of people.slice(0, 8)) good(await client.post(`/v1${address}/entries`, {}, player.token));
    const open = await reader.open(address);
    assert.match(await open.locator('.about').first().textContent(), /6 of 6 entries, 2 waiting/);
    assert.deepEqual(await texts(open, 'h2:text("Waiting list") + ol li'), people.slice(6, 8).map((player) => player.name));
    await finish(open);
    good(await client.post(`/v1${address}/close-entries`, {}, organizer.token));
    good(await client.post(`/v1${address}/entries/${people[0].id}/byes`, { round: 1, kind: 'half' }, organizer.token));
    good(await client.post(`/v1${address}/entries/${people[1].id}/byes`, { round: 1, kind: 'zero' }, organizer.token));
    await decide(event, good(await client.post(`/v1${address}/rounds`, {}, organizer.token)));
    const page = await reader.open(address);
    assert.deepEqual(await texts(page, '#round-1 > p'), [`Half bye: ${people[0].name}`, `Bye without points: ${people[1].name}`]);
    await finish(page);
    await readable(address);
  });
});
