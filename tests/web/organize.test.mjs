// An organizer makes and runs an event in the browser: everything here is done in the browser. Each day one event is run from its draft to its
// standings, and one dispute; `tests/run long` also has events by keyboard alone, by stages, copied, cancelled, and played in by who runs them.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { endQuietly, makeEvent, makeGame, makePlayers, playRandomly, Random } from '../api/support/play.mjs';
import { Testbed, build } from '../api/support/testbed.mjs';
import { isLong, notLong } from '../long.mjs';
import { finish, launch, overflow, phone, Reader, rows, texts, violations } from './support/browser.mjs';
import { signIn } from './support/table.mjs';

let bed;
let client;
let browser;
let reader;
let organizer;
let arbiter;
let players;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  [organizer, arbiter, ...players] = await makePlayers(client, 10);
});
after(async () => {
  await reader.close();
  await browser.close();
  await bed.end();
});

const refused = /40[0-9]|422/; // what the browser says of a request that the service refuses
const get = async (at) => good(await client.get(at));
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const said = (page, text) => page.waitForFunction((wanted) => document.getElementById('next-about')?.textContent.includes(wanted), text);
const dialog = (page) => page.getByRole('dialog');

// The event of a page at which it is run.
const eventOf = (page) => `/v1/events/${page.url().split('/')[4]}`;

// Games with their players, in the order of seats.
function seated(round) {
  for (const game of round.games) {
    game.at = `/v1/games/${game.id}`;
    game.players = game.seats.map((seat) => players.find((player) => player.id === seat.player.id));
  }
  return round.games;
}

describe('an event that will not be played', { skip: notLong }, () => {
  it('is cancelled at the desk, with a reason', async () => {
    const event = good(await client.post('/v1/events', { name: 'Rainy day', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, {}, refused);
    await page.locator('#other-steps > summary').click();
    await press(page, 'Cancel the event');
    await dialog(page).locator('#reason').fill('The hall is closed.');
    await dialog(page).getByRole('button', { name: 'Cancel the event', exact: true }).click();
    await said(page, 'cancelled before anything was played');
    assert.equal(await page.locator('#other-steps').count(), 0);
    assert.match(await page.locator('.event-log').textContent(), /The event was cancelled\.The hall is closed\./);
    assert.deepEqual([(await get(`/v1/events/${event.id}`)).cancelled, (await get(`/v1/events/${event.id}`)).state], [true, 'closed']);
    await page.goto(`${page.url().replace('/manage', '')}`);
    await page.locator('.badge', { hasText: 'cancelled' }).waitFor();
    await page.locator('#mine-now', { hasText: 'This event was cancelled.' }).waitFor();
  });
});

describe('an event', () => {
  let desk; // of the organizer
  let helper; // of the arbiter
  let spectator;
  let at;

  it('is made by a form that says at the field what is wrong', async () => {
    desk = await signIn(reader, organizer, '/events/new', {}, refused);
    await press(desk, 'Create event');
    await desk.locator('#setting-name-fault:not(:empty)').waitFor();
    assert.equal(await desk.locator('#setting-name-fault').textContent(), 'Required.');
    assert.equal(await desk.evaluate(() => document.activeElement.id), 'setting-name');
    await desk.fill('#setting-name', 'Autumn cup');
    await desk.fill('#stage-0-rounds', '99');
    await desk.fill('#stage-0-seats_min', '3');
    await press(desk, 'Create event');
    await desk.locator('#stage-0-rounds-fault:not(:empty)').waitFor();
    assert.equal(await desk.locator('#stage-0-rounds-fault').textContent(), 'Enter a whole number from 1 to 20.');
    assert.deepEqual(await violations(desk), []);
    await desk.fill('#stage-0-rounds', '2');
    await desk.selectOption('#setting-ruleset', 'shinjuku');
    await desk.locator('#stage-0-more > summary').click();
    // The form offers the schemes of points that there are.
    const { json } = await client.post('/v1/events', { name: 'x', ruleset: 'shinjuku', rounds: 1, scoring: 'x' }, organizer.token);
    const offered = await desk.locator('#stage-0-scoring option').evaluateAll((all) => all.map((each) => each.value).filter(Boolean));
    for (const code of offered) assert.ok(json.detail.includes(code), `${code}: ${json.detail}`);
    await desk.selectOption('#stage-0-scoring', '4-3-2-1');
    await press(desk, 'Create event');
    await desk.waitForURL(/\/manage$/);
    await desk.waitForSelector('main:not([aria-busy], [data-plain]) #next');
    at = eventOf(desk);
    const { settings, state } = await get(at);
    assert.deepEqual([state, settings.name, settings.ruleset, settings.stages.length], ['draft', 'Autumn cup', 'shinjuku', 1]);
    const [{ rounds, seats_min: least, seats_max: most, scoring }] = settings.stages;
    assert.deepEqual([rounds, least, most, scoring], [2, 3, 4, '4-3-2-1']);
  });

  it('is opened, entered, and looked after', async () => {
    await press(desk, 'Open entries');
    await said(desk, 'Players can enter');
    for (const player of players.slice(0, 7)) good(await client.post(`${at}/entries`, {}, player.token));
    await desk.waitForFunction(() => document.querySelectorAll('#entries tbody tr').length === 7);
    await desk.fill('#enter-name', players[7].name.toUpperCase());
    await press(desk, 'Enter');
    await desk.waitForSelector(`[id="entry-${players[7].id}"]`);
    await desk.fill('#enter-name', 'Nobody at all');
    await press(desk, 'Enter');
    await dialog(desk).locator('h2', { hasText: 'No account is named' }).waitFor(); // a place is offered
    await dialog(desk).locator('button.cancel').click();
    await desk.locator('#apart > summary').click();
    await desk.selectOption('#apart-one', players[0].id);
    await desk.selectOption('#apart-other', players[1].id);
    await desk.getByRole('button', { name: 'Keep apart', exact: true }).click();
    await desk.getByRole('button', { name: /^Allow to meet: / }).waitFor();
    assert.deepEqual((await get(`${at}/kept-apart`)).items.map((each) => each.weight), ['forbidden']);
    await desk.fill('#role-name', arbiter.name);
    await press(desk, 'Assign the role');
    await desk.waitForSelector(`[id="role-arbiter-${arbiter.id}"]`);
    assert.deepEqual([await desk.getByRole('button', { name: /^Drop / }).count(), await desk.getByRole('button', { name: /^Bye for / }).count()], [8, 8]);
    await press(desk, 'Close entries');
    await said(desk, 'Round 1 can be paired');
    assert.equal((await get(at)).state, 'entries_closed');
  });

  it('has a draft that is seated by hand, which is shown to cost something, and paired again', async () => {
    const { pathname } = new URL(desk.url());
    helper = await signIn(reader, arbiter, pathname, {}, refused);
    assert.equal(await helper.locator('#do-draw').count(), 0);
    assert.match(await helper.locator('#next').textContent(), /An organizer takes this step\./);
    await press(desk, 'Pair round 1');
    await said(desk, 'Round 1 is paired');
    await helper.waitForSelector('#do-start');
    const next = async () => good(await client.get(`${at}/rounds/next`, { token: organizer.token }));
    const drawn = await next();
    // Players who are kept apart are at different tables; by hand they come together.
    const [one, two] = [0, 1].map((i) => drawn.tables.find((table) => table.players.some((each) => each.id === players[i].id)));
    assert.notEqual(one.table, two.table);
    const neighbour = one.players.find((each) => each.id !== players[0].id);
    await helper.locator(`[id="pick-${neighbour.id}"]`).click();
    await helper.locator(`[id="pick-${players[1].id}"]`).click();
    await helper.locator('#by-hand .losses .bad, #by-hand + .fault, #draft-fault:not(:empty)').first().waitFor();
    assert.match(await helper.locator('#by-hand').textContent(), /Worse: .*0 as computed, [1-9]\d* by hand/);
    assert.deepEqual(await next(), drawn); // nothing is kept yet
    await press(helper, 'Keep these seats');
    await dialog(helper).getByRole('textbox').fill('They came together.');
    await dialog(helper).getByRole('button', { name: 'Keep these seats' }).click();
    await dialog(helper).waitFor({ state: 'detached' });
    const changed = await next();
    assert.equal(changed.changes, 1);
    assert.ok(changed.tables.some((table) => [0, 1].every((i) => table.players.some((each) => each.id === players[i].id))));
    await desk.waitForFunction(() => /changes by hand: 1/.test(document.getElementById('draft').textContent));
    await press(desk, 'Pair again');
    await dialog(desk).getByRole('textbox').fill('Better not.');
    await dialog(desk).getByRole('button', { name: 'Pair again' }).click();
    await dialog(desk).waitFor({ state: 'detached' });
    assert.deepEqual([(await next()).attempt, (await next()).changes], [2, 0]);
    assert.deepEqual(await violations(desk), []);
    await press(helper, 'Start round 1');
    await said(desk, 'Round 1 is being played. Tables finished: 0 of 2.');
    await desk.getByText('cannot be taken back: its pairings are published, and its games have records.').waitFor();
  });

  it('has rulings that show what they change before they are given, and are revoked', async () => {
    spectator = await reader.open(new URL(desk.url()).pathname.replace('/manage', ''));
    const round = await get(`${at}/rounds/1`);
    const [game, other] = seated(round);
    await endQuietly(client, other, organizer);
    await said(desk, '1 of 2');
    await helper.getByRole('button', { name: 'Give a ruling, round 1, table 1', exact: true }).click();
    const asked = dialog(helper);
    for (const [i, rank] of [4, 3, 2, 1].entries()) await asked.locator(`#rank-${i}`).selectOption(String(rank));
    await asked.getByRole('button', { name: 'Show what this changes' }).click();
    await asked.locator('.preview table').waitFor();
    await asked.getByRole('button', { name: 'Give this ruling' }).click();
    await asked.locator('#reason-fault:not(:empty)').waitFor(); // not without a reason
    assert.equal(await helper.evaluate(() => document.activeElement.id), 'reason');
    const told = (await rows(helper, '.preview')).find(([name]) => name === game.players[3].name);
    assert.match(told[2], /^0 .*4$/);
    assert.deepEqual(await violations(helper), []);
    assert.ok((await get(`${at}/rounds/1`)).seating.every((table) => !table.ruled)); // not yet
    // An organizer who changes the ruling gets a new preview.
    await asked.locator('#rank-0').selectOption('1');
    assert.equal(await asked.locator('.preview table').count(), 0);
    await asked.getByRole('button', { name: 'Show what this changes' }).click();
    await asked.locator('.form-fault:not(:empty)').waitFor();
    assert.match(await asked.locator('.form-fault').textContent(), /ranks that contradict each other/);
    await asked.locator('#rank-0').selectOption('4');
    await asked.locator('#reason').fill('A piece was broken.');
    await asked.getByRole('button', { name: 'Show what this changes' }).click();
    await asked.getByRole('button', { name: 'Give this ruling' }).click();
    await asked.waitFor({ state: 'detached' });
    const { seating } = await get(`${at}/rounds/1`);
    assert.deepEqual(seating[0].seats.map((seat) => seat.rank), [4, 3, 2, 1]);
    await spectator.getByText('A piece was broken.').first().waitFor();
    // Taken back in the log, as what can be taken back stands there.
    const line = (await get(`${at}/log`)).items.findLast((each) => each.kind === 'ruled');
    await desk.getByRole('button', { name: `Undo line ${line.seq}`, exact: true }).click();
    await press(desk, 'Show what this changes');
    await dialog(desk).locator('.preview table').waitFor();
    await press(desk, 'Revoke it');
    await dialog(desk).waitFor({ state: 'detached' });
    const after = await get(`${at}/rounds/1`);
    assert.equal(after.seating[0].ruled, false);
    assert.equal(after.tables_finished, 1);
    await endQuietly(client, game, organizer);
  });

  it('goes on: byes, dropping, settings, the second round', async () => {
    await said(desk, 'Round 2 can be paired');
    const [leaver, guest] = players;
    await desk.getByRole('button', { name: `Drop ${'\u2068'}${leaver.name}${'\u2069'}`, exact: true }).click();
    await press(desk, 'Show what this changes');
    await dialog(desk).locator('.preview p').first().waitFor();
    await dialog(desk).getByRole('button', { name: 'Drop', exact: true }).click();
    await dialog(desk).waitFor({ state: 'detached' });
    await desk.getByRole('button', { name: `Bye for ${'\u2068'}${guest.name}${'\u2069'}`, exact: true }).click();
    await dialog(desk).locator('#kind').selectOption('half');
    await press(desk, 'Grant the bye');
    await dialog(desk).waitFor({ state: 'detached' });
    const entryOf = async (player) => (await get(`${at}/entries`)).items.find((each) => each.player.id === player.id);
    assert.equal((await entryOf(leaver)).state, 'dropped');
    assert.deepEqual((await entryOf(guest)).byes, [{ round: 2, kind: 'half' }]);
    await desk.locator('.event-log li', { hasText: `${guest.name} has a bye in round 2 (a half bye).` }).waitFor();

    await desk.locator('#change-settings > summary').click();
    await desk.locator('#stage-0-more > summary').click();
    await desk.selectOption('#stage-0-scoring', '5-3-2-1');
    await desk.locator('#change-form button[type=submit]').click();
    await dialog(desk).locator('table').waitFor();
    const moved = await rows(desk, 'dialog');
    assert.equal(moved.length, (await get(`${at}/standings`)).rows.filter((row) => row.points.text !== '0').length);
    await dialog(desk).getByRole('button', { name: 'Change', exact: true }).click();
    await dialog(desk).waitFor({ state: 'detached' });
    assert.equal((await get(at)).settings.stages[0].scoring, '5-3-2-1');

    await desk.locator('#other-steps > summary').click();
    await press(desk, 'Pair and start at once');
    await said(desk, 'Round 2 is being played');
    for (const game of seated(await get(`${at}/rounds/2`))) await endQuietly(client, game, organizer);
    await said(desk, 'All rounds have been played');
  });

  it('is closed, and everybody who looks has the final standings', async () => {
    await press(desk, 'Close the event');
    await dialog(desk).getByRole('button', { name: 'Close the event' }).click();
    await said(desk, 'The event is over');
    assert.equal((await get(at)).state, 'closed');
    const standings = await get(`${at}/standings`);
    assert.equal(standings.state, 'final');
    await spectator.waitForFunction(() => /^Final/.test(document.querySelector('main .scroll caption')?.textContent));
    assert.deepEqual((await rows(spectator, 'main .scroll')).map((row) => row[1].replace(' (dropped)', '')), standings.rows.map((row) => row.player.name));
    assert.deepEqual(await violations(desk), []);
    await desk.setViewportSize(phone.viewport);
    assert.equal(await overflow(desk), 0);
    const lines = () => desk.locator('.event-log > li').evaluateAll((all) => all.map((each) => each.value));
    const { items } = await get(`${at}/log`);
    const newest = items.map((each) => each.seq).reverse();
    assert.deepEqual(await lines(), newest.slice(0, 8));
    await desk.fill('#log-find', 'HALF bye');
    assert.deepEqual(await lines(), items.filter((each) => each.kind === 'bye_granted').map((each) => each.seq));
    await desk.fill('#log-find', 'nothing of this kind');
    assert.equal(await desk.locator('#log-list').textContent(), 'No line has these words.');
    await desk.fill('#log-find', '');
    await desk.click('#whole-log');
    assert.deepEqual(await lines(), newest);
    for (const page of [desk, helper, spectator]) await finish(page);
  });
});

describe('making an event', () => {
  it('needs no mouse', { skip: notLong }, async () => {
    const page = await signIn(reader, organizer, '/events/new', { ...phone, colorScheme: 'dark' });
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    const to = async (id) => {
      for (let i = 0; i < 80; i++) {
        if ((await page.evaluate(() => document.activeElement.id)) === id) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`the keyboard does not reach ${id}`);
    };
    await to('setting-name');
    await page.keyboard.type('By keyboard');
    await to('setting-ruleset');
    await page.keyboard.type('Shin');
    await to('stage-0-format');
    await page.keyboard.type('Single');
    await to('stage-0-consolation');
    await page.keyboard.press('Space');
    await to('setting-check_in');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    for (let i = 0; i < 20 && !(await page.evaluate(() => document.activeElement.matches('#new-event button.main'))); i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/manage$/);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) #next');
    const { settings } = await get(eventOf(page));
    assert.deepEqual([settings.name, settings.ruleset, settings.check_in], ['By keyboard', 'shinjuku', true]);
    assert.deepEqual([settings.stages[0].format, settings.stages[0].consolation], ['single_elimination', true]);
    await to('do-open_entries');
    await page.keyboard.press('Enter');
    await said(page, 'Players can enter. Entries can be closed when 2 more players take part.');
    assert.equal(await page.locator('#do-close_entries').count(), 0);
    // The keyboard is not lost with the button, and does not stand on the step after it.
    await page.waitForFunction(() => document.activeElement.matches('#next > h2'));
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });

  it('by stages, each with its own settings; and as a copy', { skip: notLong }, async () => {
    const page = await signIn(reader, organizer, '/events/new');
    await page.fill('#setting-name', 'Rounds and a cut');
    await page.locator('#add-stage').click();
    await page.selectOption('#stage-1-format', 'pod_elimination');
    await page.fill('#stage-1-entrants', '8');
    await page.locator('#clock-part > summary').click();
    await page.selectOption('#setting-clock', 'bank');
    await page.selectOption('#setting-bank_minutes', { label: '25 minutes' });
    await page.selectOption('#setting-increment_seconds', { label: '20 seconds' });
    await press(page, 'Create event');
    await page.waitForURL(/\/manage$/);
    const made = await get(eventOf(page));
    assert.deepEqual(made.settings.stages.map((stage) => stage.format), ['pod_swiss', 'pod_elimination']);
    assert.equal(made.settings.stages[1].entrants, 8);
    assert.deepEqual([made.settings.clock.bank_ms, made.settings.clock.increment_ms], [1500000, 20000]);
    // Nothing was said of it, and the players will be there.
    assert.equal(made.settings.entropy_seconds, 30);
    await page.locator('#clone').click();
    await dialog(page).locator('#name').fill('The same again');
    await dialog(page).getByRole('button', { name: 'Create it' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/manage') && !url.pathname.includes(made.id));
    assert.deepEqual((await get(eventOf(page))).settings, { ...made.settings, name: 'The same again' });
    await finish(page);
  });
});

describe('an organizer who plays', { skip: notLong }, () => {
  it('is told who rules on their tables, and allows what is open for everybody to read', async () => {
    const bot = good(await client.post('/v1/me/bots', { name: 'Own' }, organizer.token));
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'play'] }, organizer.token));
    const people = [...players.slice(0, 4), { ...bot, token }];
    const event = await makeEvent(client, organizer, people, { seats_min: 2, seats_max: 3, seats_preferred: 3, rounds: 1, same_owner: 'allowed' });
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const own = round.seating.find((table) => table.seats.some((seat) => seat.player.id === bot.id)).table;
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`);
    await page.waitForSelector('#tables');
    const other = own === 1 ? 2 : 1;
    assert.equal(await page.getByRole('button', { name: `Give a ruling, round 1, table ${own}`, exact: true }).count(), 0);
    assert.equal(await page.getByRole('button', { name: `Give a ruling, round 1, table ${other}`, exact: true }).count(), 1);
    assert.match(await page.locator(`#table-1-${own} .hint`).textContent(), /^You or one of your bots plays here.* appoint one under Officials\.$/);
    assert.deepEqual(await violations(page), []);
    await finish(page);
    const shown = await reader.open(`/events/${event.id}`);
    await shown.getByText('A player and their bots, and several bots of one owner, may sit at the same table here.').waitFor();
    await finish(shown);
  });
});

describe('the page at which an event is run', { skip: notLong }, () => {
  it('is for its officials', async () => {
    const event = good(await client.post('/v1/events', { name: 'Ours', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    const stranger = await signIn(reader, players[2], `/events/${event.id}/manage`);
    assert.equal(await stranger.locator('main button, main section').count(), 0);
    await finish(stranger);
    const nobody = await reader.open(`/events/${event.id}/manage`);
    await nobody.getByRole('link', { name: 'Sign in' }).last().click();
    await nobody.waitForURL(/\/login\?next=/);
    await finish(nobody);
    const own = await signIn(reader, organizer, `/events/${event.id}`);
    await own.getByRole('link', { name: 'Run this event' }).click();
    await own.waitForSelector('#next');
    await finish(own);
  });
});

describe('a dispute', () => {
  it('is decided by an official of the event, who sees what each seat saw and what a ruling would do', async () => {
    const { event, game } = await makeGame(client, organizer, players.slice(0, 3));
    await playRandomly(client, game, new Random('dispute'), { plies: 6 });
    const [ada] = game.players;
    await client.post(`${game.at}/moves`, { moves: ['nonsense'], seq: 6 }, ada.token);
    const table = await signIn(reader, ada, `/games/${game.id}`, {}, refused);
    await press(table, 'Open a dispute');
    await dialog(table).locator('#claim').selectOption('rules');
    await dialog(table).locator('#entry').fill('99');
    await dialog(table).locator('#text').fill('That was too cheap.');
    await dialog(table).locator('button.main').click();
    await dialog(table).locator('#entry-fault').getByText('The record has no such line yet, as far as you can see it.').waitFor();
    await dialog(table).locator('#entry').fill('5');
    await dialog(table).locator('button.main').click();
    await table.waitForURL(/\/disputes\//);
    const dispute = good(await client.get(`/v1/disputes/${table.url().split('/').at(-1)}`));
    await finish(table);
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, {}, refused);
    await page.getByRole('link', { name: /^The rules/ }).click();
    await page.waitForURL(`${reader.origin}/disputes/${dispute.id}`);
    await page.getByText('That was too cheap.').waitFor();
    assert.equal(await page.locator('#position').count(), 0);
    await press(page, 'Freeze the game');
    await page.locator('#position').waitFor();
    assert.equal(await page.locator('#position > h2').textContent(), 'The position before line 5');
    const passer = await reader.open(`/disputes/${dispute.id}`);
    await passer.getByText('Everybody can read what was written here when the game is over.').waitFor();
    await finish(passer);
    const seen = await reader.open(`/games/${game.id}`);
    await seen.getByText(/^An official froze the game on .* because of a dispute \(the dispute\)\. Moves are refused/).waitFor();
    assert.equal(await seen.locator('.play a').getAttribute('href'), `/disputes/${dispute.id}`);
    assert.equal(await seen.locator('.play time').getAttribute('datetime'), (await get(game.at)).stopped.since);
    await finish(seen);
    const position = good(await client.get(`/v1/disputes/${dispute.id}/position`, { token: organizer.token }));
    const [decider] = position.deciders;
    assert.deepEqual((await texts(page, `#legal-${decider} li`)).sort(), [...position.seats[decider].legal_moves].sort());
    await press(page, 'Propose a result');
    await page.locator('#proposal table').waitFor();
    assert.match(await page.locator('#proposal').textContent(), /Not a ruling\. From line 7 on/);
    assert.deepEqual((await rows(page, '#proposal')).map((row) => row[0]), game.players.map(({ name }) => name));
    await page.selectOption('#viewer', '1');
    await page.locator('#position .shinjuku').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize(phone.viewport);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page, ['scrollable-region-focusable']), []);
    await press(page, 'Give a ruling');
    await dialog(page).locator('#order-0').selectOption('adjust');
    await dialog(page).locator('#reason').fill('The price was wrong.');
    await press(page, 'Show what this changes');
    await dialog(page).locator('#points-0-fault').getByText('Required.').waitFor();
    await dialog(page).locator('#points-0').fill('2.5');
    await press(page, 'Show what this changes');
    await dialog(page).locator('#points-0-fault').getByText('Enter a whole number from -1000000 to 1000000.').waitFor();
    await dialog(page).locator('#points-0').fill('-1000');
    await press(page, 'Show what this changes');
    await dialog(page).locator('.preview table').waitFor();
    assert.match((await rows(page, '.preview'))[0][1], /^\d+ → −\d/);
    await dialog(page).locator('#order-0').selectOption('takeback');
    await press(page, 'Show what this changes');
    await dialog(page).locator('.preview pre').waitFor();
    assert.match(await dialog(page).locator('.preview pre').textContent(), /takeback/);
    assert.deepEqual(await violations(page), []);
    assert.equal(good(await client.get(game.at)).state, 'running');
    assert.equal(good(await client.get(`/v1/disputes/${dispute.id}`)).state, 'frozen'); // nothing is done yet
    await press(page, 'Give this ruling');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('The game is taken back to before line 5.').waitFor();
    assert.deepEqual([good(await client.get(`/v1/disputes/${dispute.id}`)).state, (await get(`${game.at}/view`)).stopped ?? null], ['ruled', null]);
    good(await client.post(`/v1/disputes/${dispute.id}/appeal`, { text: 'Why?' }, ada.token));
    await page.reload(); // another official decides the appeal
    await page.getByText('Another official decides the appeal').waitFor();
    assert.equal(await page.locator('#do-rule').count(), 0);
    assert.deepEqual(await violations(page), []);
    if (!isLong) {
      await finish(page);
      return;
    }
    await page.goto(`${reader.origin}/`);
    await page.locator('#your-events').waitFor();
    assert.equal(await page.locator('#to-decide').count(), 0);
    await finish(page);

    good(await client.post(`/v1/events/${event.id}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
    for (const settings of [{}, { ...phone, colorScheme: 'dark' }]) {
      const home = await signIn(reader, arbiter, '/', settings);
      await home.locator('#to-decide').waitFor();
      assert.match(await home.locator('#to-decide').textContent(), /^Dispute: The rules.*: round 1, table 1appealed/);
      await home.locator('#account + #decisions').waitFor();
      assert.equal(await home.locator('#decisions').getAttribute('aria-label'), '1 dispute waits for your decision');
      assert.deepEqual(await violations(home), []);
      assert.equal(await overflow(home), 0);
      await home.locator('#decisions').click();
      await home.locator('main table a').first().click();
      await home.locator('#do-rule').waitFor();
      await finish(home);
    }
    good(await client.post(`/v1/disputes/${dispute.id}/ruling`, { orders: [{ order: 'upheld' }], code: 'as-ruled', reason: 'The first ruling was right.' }, arbiter.token));

    bed.cluster.sql(`SET ROLE tillroll_owner; UPDATE tillroll.player SET roles = 4 WHERE id = '${arbiter.id}'`);
    const queue = await signIn(reader, arbiter, '/disputes');
    await queue.getByText('There are no disputes.').waitFor();
    await queue.getByRole('link', { name: 'All', exact: true }).click();
    await queue.waitForSelector('main:not([aria-busy], [data-plain]) table');
    assert.deepEqual((await rows(queue, 'main')).map((row) => row.slice(0, 3)), [['The rules: round 1, table 1', 'closed', ada.name]]);
    assert.deepEqual(await violations(queue), []);
    await finish(queue);
  });

  it('over a game that is over has it replayed, which its page says from then on', async () => {
    const { game } = await makeGame(client, organizer, players.slice(0, 3));
    await endQuietly(client, game, organizer);
    const { id } = good(await client.post(`${game.at}/disputes`, { claim: 'result', entry: 0, text: 'The scores are wrong.' }, game.players[0].token));
    const page = await signIn(reader, organizer, `/disputes/${id}`, {}, refused);
    await press(page, 'Give a ruling');
    assert.deepEqual(await dialog(page).locator('#order-0 option').evaluateAll((all) => all.map(({ value }) => value)), ['stands', 'adjust', 'forfeit', 'replay', 'void']);
    await dialog(page).locator('#order-0').selectOption('replay');
    await dialog(page).locator('#reason').fill('They are.');
    await press(page, 'Show what this changes');
    await dialog(page).locator('.preview table').waitFor();
    await press(page, 'Give this ruling');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'The replacement game' }).waitFor();
    assert.equal(await page.locator('#do-close').count(), 0); // the players may still appeal
    await page.goto(`${reader.origin}/games/${game.id}`);
    const { log } = await get(`/v1/disputes/${id}`);
    assert.equal(await page.locator('#replayed a').getAttribute('href'), `/games/${log.at(-1).replayed_as}`);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });
});

describe('a step that takes its time', { skip: notLong }, () => {
  it('shows how far it has come, and then what came of it', async () => {
    const held = path.join(bed.directory, 'held');
    const libraries = ['quick_passwords.so', 'held_draws.so'].map((name) => path.join(build, 'tests', name)).join(':');
    const slow = await bed.startService(['--step-wait-ms', '0'], { LD_PRELOAD: libraries, TILLROLL_HELD_DRAWS: held });
    const there = new Reader(browser, slow.client.port);
    const event = await makeEvent(client, organizer, players);
    const desk = await signIn(there, organizer, `/events/${event.id}/manage`, {}, refused);
    writeFileSync(held, '');
    await press(desk, 'Pair round 1');
    const notice = desk.getByText('The server is working this out …');
    await notice.waitFor();
    assert.deepEqual(await violations(desk), []);
    rmSync(held);
    await said(desk, 'Round 1 is paired');
    await notice.waitFor({ state: 'detached' });
    await finish(desk);
    await there.close();
  });
});
