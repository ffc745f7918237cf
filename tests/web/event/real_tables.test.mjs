// An evening of 24 people at real tables, without one game on the service: made from a preset, three rounds, results by phone, by
// keyboard and from a spreadsheet, an arbiter's decision, pairing sheet, result slips, the hall's timer, and standings that say
// what they rest on. The organizer needs one form, one tap a round and one line a table. Each day until the
// first result has been confirmed, in the long run to the end.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeEvent, makePlayer, makePlayers } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, texts, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

let bed;
let browser;
let reader;
let client;
let organizer;
let players;
let desk;
let at; // of the event in the API
let path; // of its page
let taps = 0;
const refused = /status of 4(00|22)|ERR_INTERNET_DISCONNECTED/; // on the console, where a test gives something wrong

before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  browser = launched;
  ({ client } = service);
  reader = new Reader(browser, client.port);
  organizer = await makePlayer(client, 'Host');
  players = await makePlayers(client, 24, 'Guest');
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

const press = async (page, name) => {
  taps++;
  await page.getByRole('button', { name, exact: true }).click();
};
const deskSays = (text) => desk.waitForFunction((wanted) => document.getElementById('next-about')?.textContent.includes(wanted), text);
const roundNow = async (number) => good(await client.get(`${at}/rounds/${number}`));
const playerOf = (seat) => players.find((player) => player.id === seat.player.id);
const says = (page, text) => page.waitForFunction((wanted) => document.getElementById('report-state')?.textContent.includes(wanted), text);

async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

// Everything that a thumb has to hit is 44 px high.
const small = (page) => page.locator('main :is(button, summary, input, .bar a)').evaluateAll((all) =>
  all.map((each) => [each.id, each.getBoundingClientRect()]).filter(([, box]) => box.height > 0 && box.height < 44).map(([id, box]) => `${id} ${box.height}`));

async function fill(page, numbers) {
  for (const [i, value] of numbers.entries()) await page.fill(`#value-${i}`, String(value));
}

// Types one line for each table that the form lists; keys alone.
async function typeLines(lines) {
  await desk.locator('#results-text').focus();
  await desk.keyboard.press('Control+A');
  await desk.keyboard.type(lines.join('\n'));
  await desk.keyboard.press('Tab');
  await desk.keyboard.press('Tab');
  await desk.keyboard.press('Enter');
}

describe('an evening at real tables', () => {
  it('is made with one form', async () => {
    desk = await signIn(reader, organizer, '/events/new', desktop, refused);
    await desk.fill('#setting-name', 'Thursday');
    await desk.selectOption('#setting-ruleset', 'shinjuku');
    await desk.getByRole('button', { name: 'Evening at real tables', exact: true }).click();
    assert.equal(await desk.isChecked('#stage-0-play'), true);
    await desk.locator('#entries-more > summary').click();
    await desk.getByLabel('Reported results count for ratings').check();
    await desk.getByRole('button', { name: 'Create event', exact: true }).click();
    await desk.waitForURL(/\/manage$/);
    path = new URL(desk.url()).pathname.replace('/manage', '');
    at = `/v1${path}`;
    await desk.waitForSelector('#do-open_entries');
    await desk.click('#do-open_entries');
    await deskSays('Players can enter');
    for (const player of players) good(await client.post(`${at}/entries`, {}, player.token));
    await desk.waitForFunction(() => document.querySelectorAll('#entries tbody tr').length === 24);
    await desk.click('#do-close_entries');
    await deskSays('Round 1');
    const { play, settings } = good(await client.get(at));
    assert.deepEqual([play, settings.rate_reported], ['table', true]);
  });

  it('begins with one tap, and deals no game', async () => {
    assert.equal(await desk.locator('#also-start_online').textContent(), 'Pair and start round 1 online');
    taps = 0;
    await press(desk, 'Pair and start round 1');
    await deskSays('Round 1 is being played');
    await desk.getByText('cannot be taken back: its pairings are published. You').waitFor();
    assert.match(await desk.locator('#next .deadline').textContent(), /^To be played by /);
    assert.equal(taps, 1);
    const round = await roundNow(1);
    assert.deepEqual([round.play, round.games, round.seating.length], ['table', [], 6]);
    // The names of a table stay in one column.
    assert.deepEqual(await desk.locator('.seated > li').evaluateAll((all) => all.map((each) => getComputedStyle(each).breakInside)), Array(6).fill('avoid'));
    await isWell(desk);
  });

  it('has sheets and slips to print, with a code for each table', { skip: notLong }, async () => {
    const page = await reader.open(`${path}/rounds/1/slips`);
    assert.equal(await page.locator('.slip').count(), 6);
    const loaded = await page.locator('.slip img').evaluateAll((all) => Promise.all(all.map((image) => image.decode().then(() => image.naturalWidth > 0))));
    assert.deepEqual(loaded, Array(6).fill(true));
    const codes = await Promise.all([1, 2].map((table) => fetch(`${reader.origin}${path}/rounds/1/tables/${table}/code.svg`)));
    assert.equal(codes[0].headers.get('content-type'), 'image/svg+xml');
    const [one, other] = await Promise.all(codes.map((code) => code.text()));
    assert.notEqual(one, other);
    assert.match(one, /d="M4 4h7v1H4z/); // the first row of a finder pattern
    await isWell(page);
    // No heading of a column is broken within a word.
    assert.deepEqual(await page.locator('.slip thead th').evaluateAll((all) => [...new Set(all.map((each) => getComputedStyle(each).overflowWrap))]), ['normal']);
    await page.goto(`${reader.origin}${path}/rounds/1`);
    await page.locator('main:not([aria-busy], [data-plain]) .tables a').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.only-print img').first().isVisible(), true);
    assert.deepEqual(await texts(page, '.by-name thead th'), ['Player', 'Table', 'Seat']); // nothing is played yet
    await finish(page);
  });

  it('takes a result from a phone, which another phone confirms', async () => {
    const { seating: [{ seats }] } = await roundNow(1);
    const first = await signIn(reader, playerOf(seats[0]), path, phone, refused);
    await first.getByRole('link', { name: 'Report the result of table 1' }).click();
    await first.waitForURL(/\/rounds\/1\/tables\/1$/);
    await says(first, 'No result has been reported yet.');
    assert.equal(await first.locator('main .scroll').count(), 0); // names stand only in the form
    assert.deepEqual(await small(first), []);
    await fill(first, [41, 38, '', 30]);
    await first.getByRole('button', { name: 'Report the result', exact: true }).click();
    await first.locator('#value-2-fault', { hasText: 'Enter a score for every player.' }).waitFor();
    await fill(first, [41, 38, 7.5, 30]);
    await first.getByRole('button', { name: 'Report the result', exact: true }).click();
    await first.locator('#value-2-fault', { hasText: 'A score is a whole number.' }).waitFor();
    await first.check('#places-only');
    for (const [places, box, words] of [[[1, 2, 9, 4], 2, 'A place is a whole number from 1 to 4.'], [[1, 3, 3, 4], 3, 'These places do not fit together']]) {
      await fill(first, places);
      await first.getByRole('button', { name: 'Report the result', exact: true }).click();
      await first.locator(`#value-${box}-fault`, { hasText: words }).waitFor();
    }
    assert.equal((await roundNow(1)).seating[0].report, null);
    await first.uncheck('#places-only');
    await fill(first, [41, 38, 22, 30]);
    await first.context().setOffline(true); // a hall without a signal
    await first.getByRole('button', { name: 'Report the result', exact: true }).click();
    await first.getByText('Leave this page open, and try again when you are connected.').waitFor();
    await first.context().setOffline(false);
    await first.getByRole('button', { name: 'Report the result', exact: true }).click();
    await says(first, 'It counts when another player at the table confirms it');
    await isWell(first);
    const second = await signIn(reader, playerOf(seats[1]), '/', phone);
    assert.match(await second.locator('#your-turn').textContent(), /^ThursdayReported at table 1 by .*: confirm the result, or object\.$/);
    await isWell(second);
    await second.locator('#your-turn a').first().click();
    await second.waitForURL(/\/rounds\/1\/tables\/1$/);
    await says(second, `Reported by ${seats[0].player.name}`);
    assert.deepEqual(await small(second), []);
    await isWell(second);
    await second.getByRole('button', { name: 'Confirm this result', exact: true }).click();
    await says(second, 'The result counts.');
    await says(first, 'The result counts.'); // it follows
    await second.locator('summary', { hasText: 'Object to this result' }).click();
    await second.fill('#reason', 'A shop was counted twice.');
    await second.getByRole('button', { name: 'Object to this result', exact: true }).click();
    for (const page of [second, first]) await says(page, 'objects to this result. The arbiter has been called. Reason: A shop was counted twice.');
    assert.equal(await first.locator('#steps').count(), 0); // who reported waits for the arbiter
    await second.getByRole('button', { name: 'I agree after all', exact: true }).click();
    for (const page of [second, first]) await says(page, 'The result counts.');
    await finish(first);
    await finish(second);
    const hall = await reader.open(`${path}/hall`);
    const headings = [];
    for (let page = 0; page < 8; page++) { // there are fewer
      headings.push(await hall.locator('main h2').first().textContent());
      await hall.getByRole('button', { name: 'Next', exact: true }).click();
    }
    assert.ok(headings.some((each) => each.endsWith('round 1. Reported: 1 table.')), headings.join(' | '));
    await finish(hall);
    const stranger = await reader.open(`${path}/rounds/1/tables/1`, phone);
    assert.equal(await stranger.getByRole('link', { name: 'Sign in to confirm the result or to object' }).count(), 1);
    await finish(stranger);
  });

  it('takes one line a table, by keyboard alone, and names every bad line', { skip: notLong }, async () => {
    await desk.waitForFunction(() => document.querySelectorAll('.seated li').length === 5);
    const lines = [2, 3, 4, 5, 6].map((table) => `${table}: ${40 + table} 38 22 ${table}`);
    await typeLines([...lines.slice(0, 3), '5: 1 2', '9: 1 2 3 4']);
    await desk.waitForFunction(() => document.querySelectorAll('#results-faults li').length === 2);
    assert.match(await desk.locator('#results-faults').textContent(), /Line 4: Table 5 needs a score for every player.*Line 5: There is no such table/);
    assert.equal((await roundNow(1)).tables_finished, 1);
    await isWell(desk);
    await typeLines(lines);
    await deskSays('Round 2');
    assert.deepEqual((await roundNow(1)).seating.map((table) => table.reported), Array(6).fill(true));
  });

  it('calls the arbiter when two phones differ', { skip: notLong }, async () => {
    taps = 0;
    await press(desk, 'Pair and start round 2');
    await deskSays('Round 2 is being played');
    assert.equal(taps, 1);
    const { seating: [{ seats }] } = await roundNow(2);
    const reports = [[9, 8, 7, 6], [8, 9, 7, 6]];
    for (const [i, numbers] of reports.entries()) {
      const seat = seats[i];
      good(await client.post(`${at}/rounds/2/tables/1/report`, { seats: seats.map(({ player }, k) => ({ player: player.id, score: numbers[k] })) }, playerOf(seat).token));
    }
    await desk.locator('#contested-2-1').waitFor();
    await isWell(desk);
    const home = await signIn(reader, organizer, '/', phone);
    assert.match(await home.locator('#to-decide').textContent(), /^Contested result.*: round 2, table 1/);
    assert.equal(await home.locator('#decisions').getAttribute('aria-label'), '1 contested result waits for your decision');
    await isWell(home);
    await home.locator('#decisions').click();
    await home.locator('#results a').waitFor();
    await isWell(home);
    await home.locator('#results a').click();
    await home.waitForURL(/manage#contested-2-1$/);
    await home.locator('#contested-2-1').waitFor();
    await finish(home);
    const [, other] = seats.map(({ player }) => player.name);
    await desk.locator('#contested-2-1').getByRole('button', { name: `The result of ${other} is right` }).click();
    await desk.locator('#contested-2-1').waitFor({ state: 'detached' });
    const [table] = (await roundNow(2)).seating;
    assert.deepEqual([table.report.corrected, table.seats.map((seat) => seat.score)], [true, [8, 9, 7, 6]]);
    const hall = await reader.open(`${path}/hall`);
    assert.match(await hall.locator('#timer').textContent(), /^1:\d\d:\d\d$/);
    await finish(hall);
    const sheet = (await client.get(`${at}/pairings.csv?round=2`)).text.trim().split('\r\n');
    const filled = [`${sheet[0]},rank`, ...sheet.slice(1).map((line) => (line.split(',')[1] === '1' ? `${line},` : `${line},${line.split(',')[3]}`))].join('\r\n');
    await desk.setInputFiles('#results-file', { name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(filled) });
    await desk.waitForFunction(() => document.getElementById('results-text').value.startsWith('round,table'));
    await desk.getByRole('button', { name: 'Report these results', exact: true }).click();
    await deskSays('Round 3');
  });

  it('ends with standings that say what they rest on', { skip: notLong }, async () => {
    await press(desk, 'Pair and start round 3');
    await deskSays('Round 3 is being played');
    await typeLines([1, 2, 3, 4, 5, 6].map((table) => `${table}: 4 3 2 1`));
    await deskSays('All rounds have been played');
    await desk.click('#do-close');
    await desk.locator('dialog button.main').click();
    await deskSays('The event is over');
    await finish(desk);
    assert.deepEqual(good(await client.get('/v1/games')).items, []);
    const page = await reader.open(path, phone);
    assert.match(await page.locator('#reported').textContent(), /results of 18 tables were reported/i);
    assert.equal(await page.locator('.card .badge', { hasText: 'reported' }).count(), 18);
    await isWell(page);
    await finish(page);
    const plain = await reader.open(path, { javaScriptEnabled: false });
    assert.match(await plain.locator('main').textContent(), /The results of 18 tables were reported/);
    await finish(plain);
    const rated = await reader.open(`/players/${players[0].id}`);
    const changes = rated.locator('.plots > div').first().getByText('(reported)');
    await changes.first().waitFor({ state: 'attached' });
    assert.equal(await changes.count(), 3);
    assert.match(await rated.locator('td.remark').first().textContent(), /^provisional, 3 reported$/);
    await isWell(rated);
    await finish(rated);
    const proof = bed.proveEvent((await client.get(`${at}/bundle`)).text);
    assert.equal(proof.status, 0, proof.output);
  });
});

describe('a result without scores', () => {
  it('says that its numbers are places; and an objection to the last one, that it holds up the round', async () => {
    const seated = players.slice(0, 3);
    const event = await makeEvent(client, organizer, seated, { name: 'Places', rounds: 2, seats_min: 3, seats_max: 3, play: 'table' });
    const address = `/events/${event.id}`;
    good(await client.post(`/v1${address}/rounds`, { publish: false }, organizer.token));
    const page = await signIn(reader, organizer, `${address}/manage`, desktop, /status of 409/); // the objection may come while it asks for the next round
    const next = (text) => page.locator('#next-about', { hasText: text }).waitFor();
    await page.locator('#other-steps > summary').click();
    assert.equal(await page.locator('#also-start_online').textContent(), 'Start round 1 online');
    await page.click('#do-start');
    await next('Tables finished: 0 of 1.');
    const table = `${address}/rounds/1/tables/1`;
    const seats = seated.map(({ id }, i) => ({ player: id, rank: [1, 3, 2][i] }));
    good(await client.post(`/v1${table}/report`, { seats }, seated[0].token));
    good(await client.post(`/v1${table}/confirmation`, {}, seated[1].token));
    good(await client.post(`/v1${table}/objection`, {}, seated[2].token));
    await next('Round 1 ends when the contested result below is decided.');
    const claimed = async (where) => (await where.locator('tr:has(th[scope="row"])').evaluateAll((all) => all.map((row) => row.lastElementChild.textContent))).sort();
    assert.deepEqual(await claimed(page.locator('#contested-1-1')), ['place 1', 'place 2', 'place 3']);
    await isWell(page);
    await page.getByRole('button', { name: `The result of ${seated[0].name} is right`, exact: true }).click();
    await next('Round 2 starts as soon as it is paired.');
    await finish(page);
    const standings = await reader.open(address);
    const told = (await standings.locator('.strip .unseen').allTextContents()).sort();
    assert.deepEqual(told, [1, 2, 3].map((place) => `Round 1, table 1: place ${place} of 3, ${[5, 2, 1][place - 1]} point${place === 3 ? '' : 's'}`));
    await finish(standings);
    const shown = await reader.open(table, phone);
    assert.deepEqual(await claimed(shown.locator('main')), ['place 1', 'place 2', 'place 3']);
    await isWell(shown);
    await finish(shown);
  });
});

describe('tables without rounds', () => {
  const linked = (page, address) => page.locator(`main a[href="${address}/rounds/0/tables/1"]`);

  async function isReached(page, address, list) {
    await page.waitForSelector(`${list} a[href="${address}/rounds/0/tables/1"]`);
    await linked(page, address).first().click();
    await page.waitForSelector('#report-state');
    await finish(page);
  }

  it('of open play are linked with the page where they are reported', async () => {
    const seated = players.slice(0, 3);
    const event = await makeEvent(client, organizer, seated, { name: 'Open', format: 'open_play', rounds: undefined, seats_min: 3, seats_max: 3, play: 'table' });
    const address = `/events/${event.id}`;
    for (const player of seated) good(await client.post(`/v1${address}/queue`, {}, player.token));
    await isReached(await reader.open(address), address, 'main ul');
    const own = await signIn(reader, seated[1], address, phone);
    await own.waitForSelector(`main p a[href="${address}/rounds/0/tables/1"]`);
    await isWell(own);
    await isReached(own, address, 'main p');
  });

  it('of a ladder are, once the challenge is accepted', async () => {
    const [high, low] = players.slice(3, 5);
    const event = await makeEvent(client, organizer, [high, low], { name: 'Ladder', format: 'ladder', rounds: undefined, seats_min: undefined, seats_max: undefined, reach: 2, play: 'table' });
    const address = `/events/${event.id}`;
    good(await client.post(`/v1${address}/challenges`, { player: high.id }, low.token));
    const before = await reader.open(address);
    assert.equal(await linked(before, address).count(), 0);
    await finish(before);
    good(await client.post(`/v1${address}/challenges/${low.id}/accept`, {}, high.token));
    await isReached(await reader.open(address), address, 'main ul');
  });
});
