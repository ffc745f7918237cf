// The analysis of a finished game on its page, computed in the browser: Superstore 3000 in the ordinary run, all rulesets in the long one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { House } from '../../api/cli/house_program.mjs';
import { good } from '../../api/support/client.mjs';
import { makeDuplicate, playHidden, seated } from '../../api/support/duplicate.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, now, play, Random } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { isLong, notLong } from '../../long.mjs';
import { finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

const random = new Random('analysis');
const seatsOf = { 'mall-world': 3, shinjuku: 2, 'super-motherload': 2, supermarche: 1, 'superstore-3000': 2 };
const usual = 'superstore-3000';
const shortly = 24; // plies
let bed;
let client;
let browser;
let reader;
let organizer;
let players;
let keeper;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  keeper = new House(bed, client);
  reader = new Reader(browser, client.port);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 8);
});
after(async () => {
  keeper.end();
  await reader.close();
  await browser.close();
  await bed.end();
});

// A game alone to its end, at random: public once the board has been played at both tables.
async function finishedAlone(slug) {
  const event = await makeDuplicate(client, organizer, players.slice(0, 2), { ruleset: slug, boards: 1 });
  const games = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
  await playHidden(client, games[0], random);
  await endQuietly(client, games[1], organizer);
  return games[0];
}

// Random moves for a while, then the fallback moves of seats that are absent.
async function finished(slug) {
  if (seatsOf[slug] === 1) return finishedAlone(slug);
  const { game } = await makeGame(client, organizer, players.slice(0, seatsOf[slug]), { ruleset: slug });
  for (let ply = 0; ply < shortly; ply++) {
    const { deciders } = await now(client, game);
    if (deciders.length === 0) break;
    const seat = random.pick(deciders);
    const legal = await legalMoves(client, game, seat);
    // With simultaneous decisions, seats that have decided wait.
    if (legal.moves.length > 0) good(await play(client, game, seat, [random.pick(legal.moves)], legal.seq));
  }
  await endQuietly(client, game, organizer);
  return game;
}

// With the smallest budget.
async function opened(game, settings) {
  const page = await reader.open(`/games/${game.id}`, settings);
  await page.route('**/analysis-worker.js', async (route) => {
    const response = await route.fetch();
    const script = (await response.text()).replace('analyst_begin(record.length, set.length, budget)', 'analyst_begin(record.length, set.length, 8)');
    await route.fulfill({ response, body: script });
  });
  return page;
}

async function analysed(game) {
  const page = await opened(game);
  await page.click('#analyse');
  await page.waitForSelector('#course', { timeout: 300000 });
  return page;
}

const numberIn = (text) => Number(/[+−-]?[\d.]+$/.exec(text.trim())[0].replace('−', '-'));

async function checkAnalysis(slug) {
  const seats = seatsOf[slug];
  const game = await finished(slug);
  const page = await analysed(game);
  const last = good(await client.get(game.at)).seq;
  const cells = await page.$$eval('#analysis tbody tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(cells.length, seats);
  for (const [, start, ...gains] of cells) {
    const result = numberIn(gains.pop());
    const sum = gains.map(numberIn).reduce((a, b) => a + b, 0);
    const expected = seats === 1 ? numberIn(start) + sum : numberIn(start) - sum;
    assert.ok(Math.abs(expected - result) <= (seats === 1 ? 2 : 0.21), `${expected} is not ${result}`); // numbers are rounded
    if (seats > 1) for (const each of gains) assert.match(each.trim(), /^([+−]\d+\.\d|0\.0)$/); // with one decimal
  }
  assert.equal(await page.locator('.curve polyline').count(), seats);
  assert.equal(await page.locator('.legend li').count(), seats);
  const patterns = await page.$$eval('.curve polyline', (lines) => lines.map((each) => each.getAttribute('stroke-dasharray')));
  assert.equal(new Set(patterns).size, seats);
  // A press on the curve shows that line.
  const hit = page.locator('.curve .hit').nth(2);
  const seq = await hit.getAttribute('data-seq');
  await hit.dispatchEvent('click');
  await page.waitForFunction((wanted) => document.querySelector('#ply').value === wanted, seq);
  assert.ok(Number(seq) > 0 && Number(seq) < last);
  assert.match(await page.locator('#analysis .hint').textContent(), /at most 8 games/);
  await page.locator('#ways a[href="#analysis"]').waitFor(); // from above the board
  assert.equal((await page.locator('#analysis').textContent()).includes('Only places count here'), seats > 1);
  assert.match(await page.locator('#analysis').textContent(), /house level “Regular”.*0 means as good.*the best one found, which “Regular” often misses too/);
  for (const text of await page.locator('.costliest p').allTextContents()) assert.match(text, /^(A better move was found for \d+ of \d+ moves?\.|No clearly better move)/);
  if (slug === 'super-motherload') assert.doesNotMatch(await page.locator('.costliest').textContent(), /\b[rbyw]\d+\b/); // codes of cards
  // Random play has moves that cost much.
  const costly = page.locator('.costliest li a');
  assert.ok((await costly.count()) > 0);
  // On a small phone, luck and moves are beside each other; the better move is in view in words and, if the board has it, marked there. A
  // board of some games is too high for both, so that another move is looked at.
  await page.setViewportSize({ ...phone.viewport, height: 600 });
  assert.equal(await page.locator('#analysis .scroll').evaluate((part) => part.scrollWidth - part.clientWidth), 0);
  let isInView = false;
  for (let i = 0; !isInView && i < Math.min(3, await costly.count()); i++) {
    const [, line] = /#ply=(\d+)$/.exec(await costly.nth(i).getAttribute('href'));
    await costly.nth(i).click();
    await page.waitForFunction((wanted) => document.querySelector('#ply').value === wanted, line);
    await page.waitForSelector('.replay .ready');
    assert.match(await page.locator('.replay .ready').textContent(), /^The next move, by .*: It cost (about|less) .*\.Better: .+/);
    isInView = await page.waitForFunction(() => [document.querySelector('.replay .ready'), document.querySelector('.board .better')].every((each) => {
      const { top, bottom } = each?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      return top >= 0 && top < innerHeight && bottom - top < innerHeight && (each === null || each.matches('.ready') || bottom <= document.querySelector('.replay').getBoundingClientRect().top);
    }), null, { timeout: 15000 }).then(() => true, () => false);
  }
  assert.ok(isInView);
  assert.deepEqual(await violations(page), []);
  await finish(page);
}

describe('the analysis of a game', () => {
  for (const slug of Object.keys(seatsOf)) it(`${slug}: shows what moves were worth`, { skip: slug !== usual && notLong }, () => checkAnalysis(slug));

  it('is not offered for a game that runs', async () => {
    const { game } = await makeGame(client, organizer, players.slice(0, 2), { ruleset: 'super-motherload' });
    const page = await reader.open(`/games/${game.id}`);
    await page.waitForSelector('#table .board');
    assert.equal(await page.locator('#analysis').count(), 0);
    assert.deepEqual(await page.locator('#ways > a').evaluateAll((all) => all.map((each) => each.getAttribute('href'))), ['#roll']);
    await page.locator('#ways [data-share]').click(); // the test's browser has neither a dialog nor a clipboard
    await page.locator('#ways [data-shared]', { hasText: `/games/${game.id}` }).or(page.locator('#ways [data-shared]', { hasText: 'copied' })).waitFor();
    await finish(page);
  });

  it('can be stopped and begun again, and fits a phone in the dark and in German', { skip: notLong }, async () => {
    const game = await finished(usual);
    const page = await opened(game, { ...phone, locale: 'de-DE', colorScheme: 'dark' });
    await page.click('#analyse');
    await page.waitForSelector('#analysis progress[value]');
    await page.click('#analyse-stop');
    await page.waitForSelector('#analyse');
    assert.equal(await page.locator('#analysis progress').count(), 0);
    await page.click('#analyse');
    await page.waitForSelector('#course', { timeout: 60000 });
    assert.match(await page.locator('#analysis').textContent(), /Glück und Können/);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });

  it('is asked for, made by the house for everybody, and in the long run computed again by whoever doubts it', async () => {
    const game = await finishedAlone('supermarche'); // which is analysed fastest
    const page = await signIn(reader, organizer, `/games/${game.id}`);
    await page.click('#analysis-ask');
    await page.getByText('The analysis has been requested').waitFor();
    assert.equal(await page.locator('#analysis-ask').count(), 0);
    assert.deepEqual(await violations(page), []);
    const program = keeper.start([await keeper.account('regular')]);
    await page.waitForSelector('#course', { timeout: 400000 });
    assert.equal(await keeper.stop(program), 0);
    assert.match(await page.locator('#analysis .hint').textContent(), /at most 1024 games .* Made by the service, for everybody\./);
    if (!isLong) return finish(page);
    await page.click('#analysis-check');
    await page.getByText('has computed the same numbers').waitFor({ timeout: 400000 });
    await finish(page);
    // A stranger sees it at once; and is told if it were another.
    const other = await reader.open(`/games/${game.id}`, { ...phone, colorScheme: 'dark' });
    await other.waitForSelector('#course');
    assert.equal(await overflow(other), 0);
    assert.deepEqual(await violations(other), []);
    await other.route('**/analysis-worker.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('set.length, budget)', 'set.length, 8)') });
    });
    await other.click('#analysis-check');
    await other.getByText('has computed other numbers').waitFor({ timeout: 400000 });
    return finish(other);
  });

  it('says so where the server has none for browsers', { skip: notLong }, async () => {
    const game = await finished(usual);
    const page = await reader.open(`/games/${game.id}`, {}, /404/);
    await page.route('**/analysis.wasm', (route) => route.fulfill({ status: 404, body: '' }));
    await page.click('#analyse');
    await page.getByText('built without analysis').waitFor();
    await finish(page);
  });

  it('is not made of a board that others still have to play, not even for its own players', async () => {
    const event = await makeDuplicate(client, organizer, players, { boards: 2, seats_preferred: 4 });
    const [game] = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
    await endQuietly(client, game, organizer);
    const [own] = game.players;
    assert.equal((await client.get(`${game.at}/record`, { token: own.token })).status, 200);
    const page = await signIn(reader, own, `/games/${game.id}`, {}, /404/);
    await page.locator('#awaited').waitFor();
    assert.equal(await page.locator('#analysis').count(), 0);
    // Nor by a page that takes the record for a whole one.
    await page.route('**/verification', (route) => route.fulfill({ json: { game: game.id, verdict: 'valid', head: null } }));
    await page.reload();
    await page.click('#analyse');
    await page.getByText('is not public yet').waitFor();
    assert.equal(await page.locator('#course').count(), 0);
    await finish(page);
  });
});
