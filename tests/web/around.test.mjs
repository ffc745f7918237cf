// Around an event: finding somebody, its rounds, hall screens, pages of others, statistics, an event with many entries; and
// the pages of players, corrections, search, and disputes that are opened at a game.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { endQuietly } from '../api/support/play.mjs';
import { daily, notLong } from '../long.mjs';
import { firstRender } from '../bench/first_render.mjs';
import { finish, overflow, phone, rows, texts, violations } from './support/browser.mjs';
import { signIn } from './support/table.mjs';
import { makeRunning, makeWorld } from './support/world.mjs';

const entries = 104;
let world;
let get;
let running;
let large; // an event of so many entries
let usual; // one of 24 entries and five rounds
let organizer; // of these: a token
before(async () => {
  world = await makeWorld('around');
  get = async (target) => good(await world.client.get(target));
  running = await makeRunning(world, { name: 'Winter <cup> מועדון' });
  const tokens = path.join(world.bed.directory, 'tokens');
  const fill = (...options) => execFileSync(path.join(world.bed.build, 'tests/bench_fill'), [...options, '--tokens', tokens, '--secrets', path.join(world.bed.directory, 'secrets')].map(String),
    { env: { PATH: process.env.PATH, DATABASE_URL: world.bed.cluster.migratorUrl }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  fill('players', '--count', entries);
  large = fill('event', '--ruleset', 'shinjuku', '--seats', 4, '--count', entries, '--rounds', 2);
  usual = fill('event', '--ruleset', 'shinjuku', '--seats', 4, '--count', 24, '--rounds', 5);
  [, organizer] = readFileSync(tokens, 'utf8').split(' ', 2);
});
after(() => world.end());

const tidy = (text) => text.replace(/\s+/g, ' ').trim();
const millionths = (value) => (value / 1e6).toFixed(2).replace('-', '−');
const background = (locator) => locator.evaluate((each) => getComputedStyle(each).backgroundColor);
const place = (rank, shared) => (shared > 1 ? `${rank}–${rank + shared - 1}` : String(rank));

describe('finding', () => {
  it('somebody by name brings that row into view, and the next one after it', async () => {
    const page = await world.reader.open(`/events/${world.event.id}`);
    await page.fill('#find-name', 'player');
    await page.press('#find-name', 'Enter');
    const [first, second] = (await get(`/v1/events/${world.event.id}/standings`)).rows.filter((row) => /player/i.test(row.player.name));
    const cell = (row) => page.locator(`[id="row-${row.player.id}"] th`);
    const plain = await background(cell(second));
    assert.notEqual(await background(cell(first)), plain);
    assert.equal(await page.locator('#find [role=status]').textContent(), '1 of 2');
    assert.ok(await cell(first).locator('a').evaluate((each) => each === document.activeElement));
    await page.press('#find-name', 'Enter');
    await page.waitForFunction((id) => document.activeElement.closest('tr')?.id === id, `row-${second.player.id}`);
    await page.fill('#find-name', 'nobody at all');
    await page.press('#find-name', 'Enter');
    assert.match(await page.locator('#find [role=status]').textContent(), /^No name on this page/);
    await page.fill('#find-name', '<script>');
    await page.press('#find-name', 'Enter');
    assert.equal(await page.locator('#find [role=status]').textContent(), '1 of 1');
    await finish(page);
  });

  it('oneself takes one click', { skip: notLong }, async () => {
    const [player] = running.game.players;
    const page = await signIn(world.reader, player, `/events/${running.event.id}/rounds/1`);
    await page.getByRole('button', { name: 'Find me' }).click();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('href')), `/players/${player.id}`);
    await page.goto(`${world.reader.origin}/events/${world.event.id}`);
    await page.getByRole('button', { name: 'Find me' }).click();
    assert.match(await page.locator('#find [role=status]').textContent(), /not on this page/);
    await finish(page);
  });
});

describe('the page of an event of 24 entries and five rounds', () => {
  for (const locale of daily(['de-DE', 'en-GB'], 2)) it(`is less than 100 KiB for a browser that has nothing of it (${locale})`, async (t) => {
    const { kib, answers } = await firstRender(`${world.reader.origin}/events/${usual}`, { locale, visits: 1 });
    t.diagnostic(`${kib.toFixed(1)} KiB in ${answers} answers`);
    assert.ok(answers > 10 && kib > 30, `${kib} KiB in ${answers} answers`);
    assert.ok(kib < 100, `${kib} KiB in ${answers} answers`);
  });
});

describe('the page of a round', () => {
  it('has its tables, and everybody by name', async () => {
    const at = `/events/${world.event.id}/rounds/2`;
    const page = await world.reader.open(at);
    const round = await get(`/v1${at}`);
    assert.equal(await page.locator('.card').count(), round.games.length);
    const seats = round.seating.flatMap((table) => table.seats.map((seat) => [tidy(seat.player.name), String(table.table), String(seat.seat + 1),
      place(seat.rank, table.seats.filter((each) => each.rank === seat.rank).length), String(seat.score)]));
    const shown = await rows(page, '.by-name');
    assert.deepEqual([...shown].sort(), seats.sort());
    assert.deepEqual(shown.map(([name]) => name), shown.map(([name]) => name).sort((a, b) => a.localeCompare(b, 'en-GB')));
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('button:visible, nav:visible, input:visible').count(), 0);
    assert.equal(await page.locator('.by-name').evaluate((each) => getComputedStyle(each).breakBefore), 'page');
    await finish(page);
  });
});

describe('a hall screen', () => {
  it('turns its pages by itself and by keys, and shows everybody', async () => {
    const page = await world.reader.open(`/events/${large}/hall?seconds=3`, { viewport: { width: 1280, height: 720 } });
    const standings = await get(`/v1/events/${large}/standings?operands=none`);
    assert.match(await page.locator('.screen > div > h2').textContent(), /^Provisional, with results up to round 2/);
    const [, , count] = /^Page (\d+) of (\d+)$/.exec(await page.locator('.bar span').textContent());
    assert.ok(Number(count) > 1);
    await page.waitForFunction(() => document.querySelector('.bar span').textContent.startsWith('Page 2'));
    await page.getByRole('button', { name: 'Pause' }).click();
    const seen = { tables: [], standings: [] };
    for (let i = 0; i < Number(count); i++) {
      const names = await texts(page, '.columns tbody th');
      (/^Results of round 2$/.test(await page.locator('.screen > div > h2').textContent()) ? seen.tables : seen.standings).push(...names);
      assert.equal(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight), false);
      await page.keyboard.press('ArrowRight');
    }
    assert.deepEqual([...seen.tables].sort(), standings.rows.map((row) => row.player.name).sort());
    assert.deepEqual(new Set(seen.standings), new Set(standings.rows.map((row) => row.player.name)));
    await page.setViewportSize(phone.viewport);
    for (const box of await page.locator('.bar button').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))) assert.ok(box.height >= 44 && box.width >= 44, JSON.stringify(box));
    assert.ok(await page.locator('.bar').evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize)) >= 14);
    assert.equal(await overflow(page), 0);
    await finish(page);
  });
});

describe('standings in a page of another site', () => {
  it('are shown in a frame, and nothing else is', async () => {
    const frames = [`/events/${running.event.id}/embed`, `/events/${running.event.id}`];
    const other = http.createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(
      `<!doctype html><title>Elsewhere</title>${frames.map((each) => `<iframe src="http://127.0.0.1:${world.client.port}${each}"></iframe>`).join('')}`));
    other.listen(0, 'localhost');
    await once(other, 'listening');
    const context = await world.browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://localhost:${other.address().port}/`);
    const embedded = page.frameLocator('iframe >> nth=0');
    // Before there are results, nobody has a place.
    await embedded.getByText('No results yet.').waitFor();
    assert.deepEqual((await embedded.locator('main li').allTextContents()).sort(), running.game.players.map((player) => player.name).sort());
    assert.equal(await embedded.locator('main a').first().evaluate((each) => document.querySelector('base').target), '_blank');
    assert.equal(await page.frameLocator('iframe >> nth=1').locator('main').count(), 0);
    // It follows the event.
    await endQuietly(world.client, running.game, world.organizer);
    await embedded.locator('table.standings td.points', { hasText: /[1-9]/ }).first().waitFor();
    const { rows: expected } = await get(`/v1/events/${running.event.id}/standings`);
    assert.deepEqual(await embedded.locator('table.standings tbody th').allTextContents(), expected.map((row) => row.player.name));
    await context.close();
    other.close();
  });
});

describe('statistics', () => {
  it('show how scores are spread and what seats are worth, in pictures and numbers', async () => {
    const page = await world.reader.open(`/events/${large}/statistics`);
    const standings = await get(`/v1/events/${large}/standings?operands=none`);
    const { versions } = await get('/v1/rulesets/shinjuku/seat-advantage');
    const scores = standings.rows.flatMap((row) => row.rounds).filter((round) => round.kind === 'played').length;
    for (const summary of await page.locator('figure summary').all()) await summary.click();
    const spread = await rows(page, 'figure >> nth=0 >> details');
    assert.equal(spread.reduce((sum, [, count]) => sum + Number(count), 0), scores);
    assert.equal(await page.locator('figure').first().locator('rect').count(), spread.length);
    const { sizes } = versions.find((each) => each.ruleset.version === '1.0.0');
    assert.equal(await page.locator('figure').count(), 1 + sizes.length);
    const percent = (value) => `${(value / 1e4).toFixed(1)} %`;
    for (const [i, size] of sizes.entries())
      assert.deepEqual(await rows(page, `figure >> nth=${i + 1} >> details`), size.by_seat.map((each) => [
        `Seat ${each.seat + 1}`, percent(each.wins.value_millionths), percent(each.wins.low_millionths), percent(each.wins.high_millionths)]));
    for (const picture of await page.locator('figure svg').all()) assert.ok((await picture.getAttribute('aria-label')).length > 10);
    const about = await page.locator('h2:text-is("Scores at the tables") + p').textContent();
    await finish(page);
    // The numbers are there without a script, too.
    const plain = await world.reader.open(`/events/${large}/statistics`, { javaScriptEnabled: false });
    assert.equal(await plain.locator('h2:text-is("Scores at the tables") + p').textContent(), about);
    for (const [i, size] of sizes.entries())
      assert.deepEqual(await rows(plain, `main .scroll >> nth=${i} >> table`), size.by_seat.map((each) => [
        String(each.seat + 1), percent(each.wins.value_millionths), percent(each.wins.low_millionths), percent(each.wins.high_millionths)]));
    await finish(plain);
  });

  it('write beside bars what fits there, and whole numbers of times', async () => {
    for (const options of [{}, phone]) {
      const page = await world.reader.open(`/events/${large}/statistics`, options);
      const [times, ...below] = await page.evaluate(async () => {
        const [{ barPlot }, { wordsLoaded }] = await Promise.all([import('/static/lib/plots.js'), import('/static/lib/words.js')]);
        await wordsLoaded;
        const plot = barPlot('Scores', [28000, 28000, 34000, 35000, 39000, 53000, 88000], { value: 'Score', count: 'How often' });
        document.querySelector('figure').replaceWith(plot);
        const marks = [...plot.querySelectorAll('text.mark')];
        const beside = marks.filter((mark) => mark.getAttribute('text-anchor') === 'end').map((mark) => mark.textContent);
        return [beside, ...marks.slice(beside.length).map((mark) => mark.getBBox()).map(({ x, width }) => [x, x + width])];
      });
      assert.deepEqual(times, ['0', '1', '2']);
      assert.ok(below.length > 2 && below.every(([left, right], i) => left >= 0 && right <= (below[i + 1]?.[0] ?? 640)), JSON.stringify(below));
      await finish(page);
    }
  });
});

describe('an opened row', () => {
  it('says where the player sat, what it did to the rating, and that the games are proved', async () => {
    const standings = await get(`/v1/events/${world.event.id}/standings`);
    const row = standings.rows.find((each) => each.rounds.every((round) => round.game !== null));
    const { items } = await get(`/v1/players/${row.player.id}/ratings/history?scope=shinjuku`);
    const page = await world.reader.open(`/events/${world.event.id}`);
    await page.locator(`[id="row-${row.player.id}"] button`).click();
    const details = page.locator(`[id="details-${row.player.id}"]`);
    await details.locator('.badge').waitFor();
    assert.equal(await details.locator('.badge').textContent(), '3 games, each proved by replay');
    assert.ok((await details.textContent()).includes(`Rating: ${items.at(-1).before.display.rating} before, ${items[0].after.display.rating} after (`));
    const times = [0, 1, 2, 3].map((seat) => row.rounds.filter((round) => round.seat === seat).length);
    assert.ok((await page.locator(`[id="more-${row.player.id}"]`).textContent()).includes(`Times in each seat, from the first: ${times.join('-')}.`));
    await finish(page);
  });
});

describe('an event with many entries', () => {
  it('is shown as the server has written it, and opens rows one by one', async () => {
    const page = await world.reader.open(`/events/${large}`);
    const standings = await get(`/v1/events/${large}/standings`);
    const seen = page.locator('main tr.row:visible');
    assert.equal(await seen.count(), 20);
    assert.equal(await page.locator('.fold > summary').textContent(), `${entries - 20} more places`);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await seen.count(), entries);
    assert.equal(await page.locator('summary:visible').count(), 0);
    await page.emulateMedia({ media: null });
    await page.locator('.fold > summary').click();
    const shown = await rows(page, 'main');
    assert.deepEqual(shown.map((row) => row.slice(0, 3)), standings.rows.map((row) => [place(row.rank, row.shared), tidy(row.player.name), row.points.text]));
    const row = standings.rows[40];
    const opener = page.locator('button.opener').nth(40);
    await opener.click();
    const more = page.locator(`[id="more-${row.player.id}"]`);
    await more.locator('.badge').waitFor();
    assert.equal(await opener.getAttribute('aria-expanded'), 'true');
    assert.equal(await more.locator('.operands li').count(), row.tie_breaks.reduce((sum, value) => sum + value.operands.length, 0));
    assert.deepEqual(await violations(page), []);
    await opener.click();
    assert.equal(await more.count(), 0);
    assert.equal(await overflow(page), 0);
    await page.reload();
    await page.locator('#find').waitFor();
    assert.equal(await seen.count(), entries); // what was open is open again
    await finish(page);
  });

  it('is in the reader’s language, although the server has written it in English, and on a phone as wide as that', async () => {
    const page = await world.reader.open(`/events/${large}`, { ...phone, locale: 'de-DE' });
    assert.deepEqual(await texts(page, 'main h2'), ['Rangliste']);
    assert.equal(await page.locator('.fold > summary').textContent(), `${entries - 20} weitere Plätze`);
    assert.match(await page.locator('main caption').first().textContent(), /^Zwischenstand, mit Ergebnissen bis Runde 2\. Zu jeder Runde steht/);
    assert.match(await page.locator('.about').textContent(), /^läuft Shinjuku, Tische zu 4\. Runde 2 .*104 Anmeldungen\. Turnierleitung: /);
    assert.deepEqual((await texts(page, 'main thead >> nth=0 >> th:visible')).slice(0, 4), ['Platz', 'Name', 'Punkte', 'Runden']);
    assert.equal(await page.locator('.tie-break:visible').count(), 0);
    assert.equal(await page.evaluate(async () => {
      const [part, { translate, wordsLoaded }] = [document.createElement('p'), await import('/static/lib/words.js')];
      await wordsLoaded;
      part.innerHTML = '<b data-number="2" data-format="format.pod_swiss" data-word="event.stage">Stage 2: multiplayer Swiss</b>';
      translate(part);
      return part.textContent;
    }), 'Phase 2: Schweizer System an größeren Tischen');
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });

  it('follows what happens', async () => {
    const page = await world.reader.open(`/events/${large}`);
    const [{ player }] = (await get(`/v1/events/${large}/standings?operands=none`)).rows.slice(-1);
    const name = page.locator(`main th:has(a[href="/players/${player.id}"])`);
    assert.equal(await name.isVisible(), false);
    await page.fill('#find-name', player.name);
    await page.press('#find-name', 'Enter');
    await name.locator('a:focus').waitFor(); // out of what was folded
    assert.doesNotMatch(await name.textContent(), /dropped/);
    good(await world.client.delete(`/v1/events/${large}/entries/${player.id}`, organizer));
    await page.locator('main th', { hasText: '(dropped)' }).waitFor();
    assert.match(await name.textContent(), /\(dropped\)/);
    assert.equal(await page.locator('button.opener').count(), entries);
    await finish(page);
  });

  it('answers for one player with that row alone', async () => {
    const all = await get(`/v1/events/${large}/standings?after_round=1`);
    const { rows: [row], places, ...rest } = await get(`/v1/events/${large}/standings?after_round=1&player=${all.rows[7].player.id}`);
    assert.deepEqual(row, all.rows[7]);
    assert.deepEqual(places, all.places.filter((each) => each.player.id === row.player.id));
    assert.deepEqual(rest.chain, all.chain);
    assert.deepEqual((await get(`/v1/events/${large}/standings?player=${world.players[0].id}`)).rows, []);
  });
});

describe('a round of many tables', () => {
  let event;
  let own;
  before(async () => {
    const { client } = world;
    [own] = world.players.slice(-1);
    event = good(await client.post('/v1/events', { entropy_seconds: 0, name: 'Hall', ruleset: 'shinjuku', seats_min: 4, seats_max: 4, rounds: 2, play: 'table' }, world.organizer.token));
    const post = async (path, body, token = world.organizer.token) => good(await client.post(`/v1/events/${event.id}/${path}`, body, token));
    await post('open-entries', {});
    await post('entries', {}, own.token);
    for (let i = 1; i < 60; i++) await post('places', { name: `Visitor ${i}` });
    await post('close-entries', {});
    await post('rounds', {});
  });
  const numbers = async (page) => (await page.locator('.card:visible caption').allTextContents()).map((text) => Number(/^Table (\d+)/.exec(text)[1]));

  it('begins with one’s own and those that still play; finished ones are folded', async () => {
    const at = `/v1/events/${event.id}/rounds/1`;
    const { table: mine } = (await get(at)).seating.find(({ seats }) => seats.some(({ player }) => player.id === own.id));
    const reported = mine === 3 ? 4 : 3;
    good(await world.client.post(`${at}/reports`, { results: `${reported}: 40 30 20 10` }, world.organizer.token));
    const open = Array.from({ length: 15 }, (_, i) => i + 1).filter((each) => each !== mine && each !== reported);
    const page = await signIn(world.reader, own, `/events/${event.id}/rounds/1`, phone);
    assert.deepEqual(await numbers(page), [mine, ...open.slice(0, 12)]);
    assert.deepEqual(await texts(page, 'main summary'), ['One more table', 'One finished table', 'All 60 players by name']);
    assert.deepEqual(await violations(page), []);
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(await numbers(page), [mine, ...open, reported]);
    assert.equal(await page.locator('.by-name tbody tr:visible').count(), 60);
    await page.emulateMedia({ media: null });
    const plain = await world.reader.open(`/events/${event.id}/rounds/1`, { javaScriptEnabled: false });
    assert.deepEqual([...new Set(await texts(plain, '.pairings td:first-child'))], [...Array.from({ length: 15 }, (_, i) => i + 1).filter((each) => each !== reported), reported].map(String));
    await finish(plain);
    await page.goto(`${world.reader.origin}/events/${event.id}`);
    const names = (await get(at)).seating.find(({ table }) => table === mine).seats.filter(({ player }) => player.id !== own.id).map(({ player }) => player.name);
    await page.locator('#mine-now', { hasText: `Your table: table ${mine} (with ${names.join(', ')})` }).waitFor();
    await finish(page);
  });

  it('is searched at the desk by number and name', async () => {
    const page = await signIn(world.reader, world.organizer, `/events/${event.id}/manage`, phone);
    assert.equal((await numbers(page)).length, 4);
    assert.equal(await page.locator('#results-text').isVisible(), false);
    await page.fill('#table-find', '15');
    assert.deepEqual(await numbers(page), [15]);
    await page.fill('#table-find', 'visitor 59');
    assert.equal(await page.locator('.card:visible a', { hasText: 'Visitor 59' }).count(), 1);
    assert.equal((await numbers(page)).length, 1);
    await page.fill('#table-find', '16');
    assert.equal(await page.locator('#table-found').textContent(), 'No table has this number or name.');
    await page.fill('#table-find', '');
    assert.equal((await numbers(page)).length, 4);
    await page.locator('.open-tables button', { hasText: '15' }).click(); // a result takes the table's number and the scores
    for (let i = 0; i < 4; i++) await page.fill(`dialog #value-${i}`, String(40 - i));
    assert.deepEqual(await violations(page), []);
    await page.locator('dialog button.main').click();
    await page.locator('.open-tables button', { hasText: '15' }).waitFor({ state: 'detached' });
    assert.deepEqual((await get(`/v1/events/${event.id}/rounds/1`)).seating[14].seats.map((seat) => seat.score), [40, 39, 38, 37]);
    await finish(page);
  });

  it('is on the hall screen: where to sit, by name; later which tables still play; then the standings and the results', async () => {
    const at = `/v1/events/${event.id}/rounds/1`;
    const page = await world.reader.open(`/events/${event.id}/hall?seconds=120`, { viewport: { width: 1280, height: 720 } });
    const heading = page.locator('.screen > div > h2');
    assert.equal(await heading.textContent(), 'Where you sit in round 1');
    const { seating } = await get(at);
    const playing = seating.filter(({ seats }) => seats[0].kind === null);
    const seats = playing.flatMap(({ table, seats: all }) => all.map(({ player, seat }) => [player.name, String(table), String(seat + 1)]));
    const first = seats.sort(([one], [other]) => one.localeCompare(other, 'en-GB'))[0];
    assert.deepEqual(await texts(page, '.columns tbody tr >> nth=0 >> :is(th, td)'), first);
    good(await world.client.post(`${at}/reports`, { results: playing.slice(3).map(({ table }) => `${table}: 40 30 20 10`).join('\n') }, world.organizer.token));
    await heading.filter({ hasText: 'Round 1: 3 tables have no result yet' }).waitFor();
    assert.deepEqual((await texts(page, '.columns td:first-child')).filter((text) => text !== ''), playing.slice(0, 3).map(({ table }) => String(table)));
    await page.keyboard.press('ArrowLeft');
    assert.equal(await heading.textContent(), 'Results of round 1');
    await finish(page);
  });

  it('is a draft before, in which those who are to swap places are searched', async () => {
    const post = async (path, body) => good(await world.client.post(`/v1/events/${event.id}/rounds${path}`, body, world.organizer.token));
    const { seating } = await get(`/v1/events/${event.id}/rounds/1`);
    await post('/1/reports', { results: seating.filter(({ seats }) => seats[0].kind === null).map(({ table }) => `${table}: 40 30 20 10`).join('\n') });
    await post('', { publish: false });
    const page = await signIn(world.reader, world.organizer, `/events/${event.id}`, phone);
    assert.equal(await page.locator('#mine').count(), 0); // who organizes and does not play has the desk instead
    await page.locator('main .actions a', { hasText: 'Run this event' }).click();
    await page.locator('#draft-find').waitFor();
    const shown = async () => (await page.locator('.card.draft:visible h3').allTextContents()).map((text) => Number(text.split(' ')[1]));
    assert.deepEqual(await shown(), [1, 2, 3, 4]);
    await page.fill('#draft-find', '15');
    assert.deepEqual(await shown(), [15]);
    await page.locator('.card.draft:visible button.seat').first().click();
    await page.fill('#draft-find', '9');
    assert.deepEqual(await shown(), [9, 15]); // who was chosen stays in sight
    await page.locator('.card.draft:visible button.seat').first().click();
    await page.locator('#keep-seats').waitFor();
    await page.fill('#draft-find', 'no such name');
    assert.deepEqual(await shown(), [9, 15]);
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await finish(page);
  });
});

describe('a player', () => {
  it('has the course of the ratings, and the opponents met', async () => {
    const [player] = world.players;
    const page = await world.reader.open(`/players/${player.id}`);
    const { items } = await get(`/v1/players/${player.id}/ratings/history?scope=overall`);
    await page.locator('figure summary').first().click();
    assert.deepEqual((await rows(page, 'figure >> nth=0 >> details')).map(([, value]) => value), items.map((each) => String(each.after.display.rating)).reverse());
    const { items: opponents } = await get(`/v1/players/${player.id}/opponents`);
    const tables = await page.locator('main > .scroll').count();
    assert.deepEqual(await rows(page, `main > .scroll >> nth=${tables - 2} >> table`), opponents.map((each) => [
      tidy(each.player.name), String(each.games), String(each.ahead), String(each.level), String(each.behind), 'the game']));
    const { items: games } = await get(`/v1/players/${player.id}/games`);
    for (const each of opponents) {
      const met = games.filter((game) => game.state === 'finished' && game.seats.some((seat) => seat.player.id === each.player.id));
      const results = met.map((game) => [player, each.player].map(({ id }) => game.seats.find((seat) => seat.player.id === id).rank));
      assert.deepEqual([each.games, each.ahead, each.level, each.behind, each.last_game],
        [met.length, results.filter(([own, other]) => own < other).length, results.filter(([own, other]) => own === other).length, results.filter(([own, other]) => own > other).length, met[0].id]);
    }
    await finish(page);
  });
});

describe('search', () => {
  it('finds players and events as their names are typed', async () => {
    const page = await world.reader.open('/');
    for (const [words, href] of [['<SCRIPT>', `/players/${world.players[0].id}`], ['מועדון', `/events/${running.event.id}`], ['winter', `/events/${running.event.id}`]]) {
      await page.fill('#search-words', words);
      await page.locator(`#search .results a[href="${href}"]`).waitFor();
    }
    await page.fill('#search-words', 'nothing is called so');
    await page.locator('#search .results', { hasText: 'Nothing found.' }).waitFor();
    assert.equal(await page.locator('#search :is(script, img)').count(), 0);
    await finish(page);
  });

  it('looks at the beginning of players’ names and anywhere in events’', async () => {
    const search = async (words) => good(await world.client.post('/v1/search', { words }));
    const ofName = world.players.find((player) => player.name.startsWith('Ann'));
    assert.deepEqual((await search('aNN &')).players, [{ id: ofName.id, name: ofName.name }]);
    assert.deepEqual((await search('Bob')).players, []);
    assert.deepEqual((await search('CUP')).events.map((each) => each.id), [running.event.id]);
    assert.deepEqual((await search('%')).players, []);
    assert.deepEqual((await search('_')).players.map((each) => each.name), ['__proto__']);
    assert.ok((await search('p')).players.length <= 10);
    assert.equal((await world.client.post('/v1/search', { words: '' })).status, 400);
    assert.equal((await world.client.post('/v1/search', {})).status, 400);
  });
});

describe('corrections', () => {
  it('are listed, each with the ratings that it made different', { skip: notLong }, async () => {
    const none = await world.reader.open('/ratings/revisions');
    assert.match(await none.locator('main').textContent(), /No result has been corrected/);
    await finish(none);
    const ruling = { no_show: running.game.players.slice(1).map((player) => player.id), reason: 'Was <b>not</b> there.' };
    good(await world.client.request('PUT', `/v1/events/${running.event.id}/rounds/1/tables/1/ruling`, { json: ruling, token: world.organizer.token }));
    const { items: [revision] } = await get('/v1/ratings/revisions');
    const page = await world.reader.open('/ratings/revisions');
    assert.deepEqual((await rows(page, 'main')).map((row) => [row[0], row[4], row[5]]), [[String(revision.number), revision.reason, String(revision.changes)]]);
    await page.locator('main tbody a').first().click();
    await page.waitForURL(/number=/);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    const one = await get(`/v1/ratings/revisions/${revision.number}?limit=100`);
    assert.deepEqual((await rows(page, 'main')).map((row) => [row[0], row[4]]), one.items.map((each) => [tidy(each.player.name), each.is === null ? 'not rated' : String(each.is.after.display.rating)]));
    await finish(page);
  });
});

describe('a dispute', () => {
  it('is opened at the game, by its players only', async () => {
    const { game } = await makeRunning(world, { name: 'Disputed' });
    const stranger = await world.reader.open(`/games/${game.id}`);
    assert.equal(await stranger.getByRole('button', { name: 'Open a dispute' }).count(), 0);
    await finish(stranger);
    const page = await signIn(world.reader, game.players[0], `/games/${game.id}`);
    await page.getByRole('button', { name: 'Open a dispute' }).click();
    await page.selectOption('#claim', 'clock');
    await page.fill('#entry', '99');
    await page.fill('#text', 'The clock <b>ran</b>\nwhile we were away.');
    await page.getByRole('dialog').getByRole('button', { name: 'Open a dispute' }).click();
    await page.locator('#entry-fault', { hasText: 'no such line yet' }).waitFor();
    await page.fill('#entry', '0');
    await page.getByRole('dialog').getByRole('button', { name: 'Open a dispute' }).click();
    await page.waitForURL(/\/disputes\//);
    const [dispute] = (await get(`/v1/games/${game.id}/disputes`)).items;
    assert.equal(page.url(), `${world.reader.origin}/disputes/${dispute.id}`);
    assert.equal(dispute.claim, 'clock');
    await page.getByText('The clock <b>ran</b> while we were away.').waitFor();
    page.faults.splice(0); // the refusal
    await finish(page);
    // Nobody is told to move while it is frozen.
    good(await world.client.post(`/v1/disputes/${dispute.id}/freeze`, {}, world.organizer.token));
    const [decider] = (await get(`/v1/games/${game.id}`)).deciders;
    const frozen = await signIn(world.reader, game.players[decider], `/games/${game.id}`);
    await frozen.getByText('Moves are refused and clocks are stopped').waitFor();
    assert.deepEqual([await frozen.textContent('#play-title'), await frozen.locator('.play[data-turn]').count()], ['The move', 0]);
    await finish(frozen);
    const seen = await world.reader.open(`/games/${game.id}`);
    await seen.locator(`#disputes a[href="/disputes/${dispute.id}"]`).waitFor();
    await finish(seen);
  });
});

describe('on a phone', { skip: notLong }, () => {
  it('the choice of a move leaves the board in sight, and gives all of it free', async () => {
    const { game } = await makeRunning(world, { name: 'In the hand', ruleset: 'superstore-3000' });
    const [decider] = (await get(`/v1/games/${game.id}`)).deciders;
    const page = await signIn(world.reader, game.players[decider], `/games/${game.id}`, { ...phone, viewport: { width: 390, height: 844 } });
    const panel = page.locator('.play[data-turn]');
    await panel.waitFor();
    const height = async () => (await panel.boundingBox()).height;
    assert.ok((await height()) < 844 * 0.25, `${await height()} px`);
    await page.getByRole('button', { name: 'See the board' }).click();
    assert.ok((await height()) < 844 * 0.1, `${await height()} px`);
    assert.equal(await page.locator('.choices').isVisible(), false);
    await page.getByRole('button', { name: 'See the board' }).click();
    assert.equal(await page.locator('.choices').isVisible(), true);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });
});
