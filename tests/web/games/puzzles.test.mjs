// Puzzles: taken into the database by an operator, one a day for each ruleset; shown as their seat saw them, and explained by numbers. The
// values are made up here; that the finder's are good is tests/engine/analysis/test_puzzle.c's.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeDuplicate, seated } from '../../api/support/duplicate.mjs';
import { endQuietly, legalMoves, makeGame, now, play } from '../../api/support/play.mjs';
import { finish, overflow, phone, violations } from '../support/browser.mjs';
import { bed, client, organizer, players, read, reader } from '../support/read.mjs';
import { notLong } from '../../long.mjs';

const one = 65536;
read({ players: 8 });

// The first position with enough moves, as `tillroll puzzles` would print it: the last legal move is best, the first one worst.
async function positionOf(game) {
  for (;;) {
    const { deciders, seats, ruleset } = await now(client, game);
    const [seat] = deciders;
    const { moves, seq } = await legalMoves(client, game, seat);
    if (moves.length >= 3 && moves.length <= 24) {
      const { view } = good(await client.get(`${game.at}/view`, { token: game.players[seat].token }));
      const values = moves.map((move, i) => ({ move, value: i === moves.length - 1 ? one : Math.round((one * i) / moves.length / 2) })).sort((a, b) => b.value - a.value);
      return { apart_hundredths: 731, game: game.id, moves: values, ruleset: ruleset.slug, samples: 200, seat, seats: seats.length, seq, version: ruleset.version, view };
    }
    good(await play(client, game, seat, [moves[0]], seq));
  }
}

async function puzzleOf(ruleset, { finished = true } = {}) {
  const { game } = await makeGame(client, organizer, players.slice(0, ruleset === 'mall-world' ? 3 : 2), { ruleset });
  const puzzle = await positionOf(game);
  if (finished) await endQuietly(client, game, organizer);
  return puzzle;
}

let files = 0;
function add(...lines) {
  const file = path.join(bed.directory, `puzzles-${files++}`);
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  const { status, stdout, stderr } = bed.tillroll('admin', 'puzzles', file);
  return { status, output: stdout + stderr };
}

const dayAfter = (day, days) => new Date(Date.parse(day) + days * 86400000).toISOString().slice(0, 10);
const get = (slug, day) => client.get(`/v1/puzzles/${slug}${day === undefined ? '' : `?day=${day}`}`);
// What is there for tomorrow becomes that of today.
const pass = (days) => bed.cluster.sql(`ALTER TABLE tillroll.puzzle DISABLE TRIGGER append_only; UPDATE tillroll.puzzle SET day = day - ${days};
  ALTER TABLE tillroll.puzzle ENABLE ALWAYS TRIGGER append_only`);

describe('puzzles', () => {
  it('are none at first, on pages too', async () => {
    assert.deepEqual(good(await client.get('/v1/puzzles')).items, []);
    assert.equal((await get('shinjuku')).status, 404);
    assert.equal((await get('chess')).status, 404);
    const page = await reader.open('/puzzles');
    await page.getByText('There are no puzzles here yet.').waitFor();
    await finish(page);
    const other = await reader.open('/puzzles/shinjuku', {}, /404/);
    await other.getByText('There is no puzzle for this game yet.').waitFor();
    await finish(other);
    for (const javaScriptEnabled of [true, false]) {
      const game = await reader.open('/games/shinjuku', { javaScriptEnabled });
      await game.locator('main a[href="/practice/shinjuku"]').waitFor();
      assert.equal(await game.locator('main a[href^="/puzzles"]').count(), 0);
      await finish(game);
    }
  });

  it('are taken for one day each, and shown until the next one', async () => {
    const puzzles = [await puzzleOf('shinjuku'), await puzzleOf('shinjuku')];
    assert.deepEqual(add(...puzzles), { status: 0, output: '2 added, 0 known already, 0 skipped\n' });
    assert.deepEqual(add(puzzles[1]), { status: 0, output: '0 added, 1 known already, 0 skipped\n' });
    const { today, items } = good(await client.get('/v1/puzzles'));
    assert.deepEqual(items.map(({ ruleset, title }) => [ruleset, title]), [['shinjuku', 'Shinjuku']]);
    const first = good(await get('shinjuku'));
    assert.deepEqual(first, { day: items[0].day, previous: null, puzzle: puzzles[0] });
    assert.ok(items[0].day <= today);
    assert.equal((await get('shinjuku', dayAfter(today, 2))).status, 404); // of days to come there is nothing
    for (const day of ['tomorrow', '2026-13-01', '2026-1-1']) assert.equal((await get('shinjuku', day)).json.code, 'bad-parameter', day);
    pass(1);
    const second = good(await get('shinjuku'));
    assert.deepEqual([second.previous, second.puzzle], [dayAfter(second.day, -1), puzzles[1]]);
    assert.deepEqual(good(await get('shinjuku', second.previous)).puzzle, puzzles[0]);
    assert.equal((await get('shinjuku', dayAfter(second.previous, -1))).status, 404);
    pass(3);
    assert.deepEqual(good(await get('shinjuku')).puzzle, puzzles[1]); // the last one stays
  });

  it('are not taken of games that run, that others still have to play, or that are not here, nor if they are none', async () => {
    const running = await puzzleOf('shinjuku', { finished: false });
    const event = await makeDuplicate(client, organizer, players, { ruleset: 'shinjuku', boards: 2, seats_preferred: 4 });
    const [hidden] = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
    await endQuietly(client, hidden, organizer);
    const before = good(await client.get('/v1/puzzles')).items;
    const elsewhere = { ...running, game: '01919191-0000-7000-8000-000000000000' };
    const { status, output } = add(running, { ...running, game: hidden.id, seats: 4 }, elsewhere, 'no JSON', { ...running, apart_hundredths: 499 }, { ...running, moves: running.moves.slice(0, 2) },
      { ...running, moves: [...running.moves].reverse() }, { ...running, seat: 5 }, { ...running, further: 1 }, { ...running, view: null });
    assert.equal(status, 1);
    const reasons = output.trim().split('\n').filter((line) => /skipped:/.test(line)).map((line) => line.replace(/^.*skipped: /, ''));
    const none = 'this is not a puzzle as `tillroll puzzles` prints it';
    assert.deepEqual(reasons, ['the game is void, or not everybody may see it yet', 'the game is void, or not everybody may see it yet', 'this service has no such game', none,
      'the best move is not ahead by five standard errors', none, none, none, none, none]);
    assert.match(output, /^0 added, 0 known already, 10 skipped$/m);
    assert.deepEqual(good(await client.get('/v1/puzzles')).items, before);
  });
});

describe('the page of a puzzle', () => {
  let puzzle;
  before(async () => {
    puzzle = await puzzleOf('superstore-3000');
    assert.equal(add(puzzle, await puzzleOf('mall-world')).status, 0);
  });

  it('is found from the list and from the page of its game, without an account', async () => {
    const page = await reader.open('/puzzles');
    await page.locator('main a[href="/puzzles/superstore-3000"]').waitFor();
    assert.match((await page.locator('main li').allTextContents()).at(-1), /^Superstore 3000: \d{1,2} [A-Z][a-z]+ \d{4}$/); // as days are written elsewhere
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    const plain = await reader.open('/games/superstore-3000', { javaScriptEnabled: false });
    assert.equal(await plain.locator('main a[href="/puzzles/superstore-3000"]').count(), 1);
    await finish(plain);
    await page.goto(reader.origin);
    await page.locator('#puzzles-of-today a[href="/puzzles/superstore-3000"]').waitFor();
    assert.match(await page.locator('#puzzles-of-today').textContent(), /^Puzzle of the day:/);
    await page.goto(`${reader.origin}/games/superstore-3000`);
    await page.click('main a[href="/puzzles/superstore-3000"]');
    await page.waitForSelector('#question');
    await finish(page);
  });

  it('asks beside the board on a phone, too', async () => {
    const page = await reader.open('/puzzles/superstore-3000', phone);
    await page.waitForSelector('#question');
    const of = (selector) => page.locator(selector).evaluate((each) => each.getBoundingClientRect().toJSON());
    const [board, button] = [await of('#board'), await of('#question button')];
    assert.ok(board.top < button.top && button.bottom <= phone.viewport.height, JSON.stringify({ board, button }));
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await finish(page);
  });

  it('asks for the best move on the board, and explains by numbers', async () => {
    const page = await reader.open('/puzzles/superstore-3000');
    await page.waitForSelector('#question');
    assert.equal(await page.locator('#board svg, #board table, #board section').count() > 0, true);
    assert.equal(await page.locator('#question input').count(), puzzle.moves.length);
    assert.equal(await page.locator('#answer').count(), 0);
    assert.match(await page.locator('legend').textContent(), new RegExp(`You are seat ${puzzle.seat + 1} of 2`));
    await page.click('#question button'); // nothing is chosen yet
    assert.equal(await page.locator('#answer').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.matches('#question input:invalid')), true); // the browser asks for a choice
    assert.deepEqual(await violations(page), []);
    const worst = puzzle.moves.at(-1).move;
    await page.locator(`#question input[value="${worst}"]`).check();
    assert.equal(await page.evaluate(() => document.activeElement.value), worst); // it keeps the focus
    await page.click('#question button');
    await page.waitForSelector('#answer');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^There is a better move/);
    assert.match(await page.locator('#answer').textContent(), /There is a better move\. Yours costs about one place\.The best move: .+7\.3 standard errors/);
    const rows = await page.$$eval('#answer tbody tr', (all) => all.map((row) => row.textContent));
    assert.equal(rows.length, puzzle.moves.length);
    assert.match(rows.at(-1), /\(yours\)2\.001\.00$/);
    assert.match(rows[0], /1\.000\.00$/);
    assert.equal(await page.locator('#answer a').getAttribute('href'), `/games/${puzzle.game}#ply=${puzzle.seq}`);
    assert.deepEqual(await violations(page), []);
    await page.click('#again');
    assert.equal(await page.evaluate(() => document.activeElement.value), worst);
    await page.locator(`#question input[value="${puzzle.moves[0].move}"]`).check();
    await page.click('#question button');
    await page.getByText('Right: this is the best move.').waitFor();
    pass(1); // there is none of today any more
    await page.goto(reader.origin);
    assert.match(await page.locator('#puzzles-of-today').textContent(), /^Puzzles:/);
    await finish(page);
  });

  it('works by keyboard, and fits a phone in the dark and in German', { skip: notLong }, async () => {
    const page = await reader.open('/puzzles/mall-world', { ...phone, locale: 'de-DE', colorScheme: 'dark' });
    await page.waitForSelector('#question');
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.locator('#question input').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#answer');
    assert.match(await page.locator('#answer').textContent(), /Der beste Zug: .*Standardfehler/);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });
});
