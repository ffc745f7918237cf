// The desk of an event: a list of names that is pasted, names that are offered, and the menu of each seat.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { makeEvent } from '../api/support/play.mjs';
import { notLong } from '../long.mjs';
import { finish, overflow, phone, texts, violations } from './support/browser.mjs';
import { client, organizer, players, read, reader } from './support/read.mjs';
import { signIn } from './support/table.mjs';

read({ players: 6 });

const refused = /40[0-9]|422/; // what the browser says of a request that the service refuses
const dialog = (page) => page.getByRole('dialog');
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

describe('a list of names', () => {
  it('enters those with accounts, and says of each line what became of it', async () => {
    const event = good(await client.post('/v1/events', { name: 'Listed', ruleset: 'shinjuku', rounds: 1, capacity: 3 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    good(await client.post(`${at}/entries`, {}, players[0].token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, phone, refused);
    await page.getByText('Paste a list of names').click();
    await page.getByRole('button', { name: 'Enter these players' }).click();
    await page.locator('#paste-names-fault:not(:empty)').waitFor();
    await page.uncheck('#paste-hold');
    const lines = [players[2].name.toUpperCase(), '', 'Nobody at all', `  ${players[0].name} `, players[1].name, players[3].name];
    await page.fill('#paste-names', lines.join('\n'));
    await page.getByRole('button', { name: 'Enter these players' }).click();
    await page.locator('.pasted').waitFor();
    assert.deepEqual(await texts(page, '.pasted li'), [`${lines[0]}: entered.`, 'Nobody at all: there is no such account.', `${players[0].name}: already entered.`,
      `${players[1].name}: entered.`, `${players[3].name}: on the waiting list.`]);
    assert.equal(await page.locator('#paste-result > p').textContent(), '2 players entered, of 5 in the list.');
    assert.equal(await page.inputValue('#paste-names'), 'Nobody at all'); // what is left to do
    const entered = good(await client.get(`${at}/entries`)).items.map((each) => [each.player.id, each.state]);
    assert.deepEqual(entered, [[players[0].id, 'entered'], [players[2].id, 'entered'], [players[1].id, 'entered'], [players[3].id, 'waiting']]);
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    assert.ok(await page.locator('#entries .scroll').evaluate((each) => each.scrollWidth <= each.clientWidth)); // no button is out of reach
    await finish(page);
  });

  it('is not needed for somebody without an account, for whom a place is offered', async () => {
    const event = good(await client.post('/v1/events', { name: 'Walked in', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, phone, refused);
    await page.fill('#enter-name', 'Mo Walk-In');
    await page.press('#enter-name', 'Enter');
    assert.equal(plain(await dialog(page).locator('h2').textContent()), 'No account is named Mo Walk-In. Hold a place?');
    assert.deepEqual(await violations(page), []);
    await dialog(page).locator('button.main').click();
    await page.locator('#entries', { hasText: 'Mo Walk-In [guest]' }).waitFor();
    assert.equal(await page.inputValue('#enter-name'), '');
    assert.deepEqual(good(await client.get(`${at}/entries`)).items.map(({ player }) => player.name), ['Mo Walk-In [guest]']);
    await finish(page);
  });

  it('that is long is searched, checked in at once, and takes who came too late for that', async () => {
    const event = good(await client.post('/v1/events', { name: 'Crowd', ruleset: 'shinjuku', rounds: 1, check_in: true, late_entries: 1 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    const names = [...Array.from({ length: 40 }, (_, i) => `Visitor ${i + 1}`), 'Zoë Last'];
    for (const name of names) good(await client.post(`${at}/places`, { name }, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, phone, refused);
    const shown = () => texts(page, '#entry-list th[scope=row]');
    await page.locator('#entry-list').waitFor();
    assert.deepEqual([(await shown()).length, await page.locator('#entry-list [role=status]').textContent()], [8, '41 entries. 41 have no place yet, or have not checked in; shown: 8.']);
    assert.deepEqual((await texts(page, '.parts a')).slice(0, 2), ['Next step', 'Entries']);
    await page.fill('#entry-find', 'zoe');
    assert.deepEqual(await shown(), ['Zoë Last [guest]']);
    await page.click('#check-in-all');
    await dialog(page).locator('button.main').click();
    await page.locator('#check-in-all').waitFor({ state: 'detached' });
    assert.ok(good(await client.get(`${at}/entries`)).items.every((each) => each.checked_in));
    assert.deepEqual(await shown(), ['Zoë Last [guest]']); // still what was searched for
    await page.getByRole('button', { name: 'Undo check-in' }).click();
    await page.getByRole('button', { name: 'Check in' }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await page.fill('#enter-name', 'zoë last');
    await page.press('#enter-name', 'Enter');
    await page.locator('#enter-name-fault', { hasText: 'A place is already held under this name.' }).waitFor();
    await page.click('#do-close_entries');
    await page.locator('#entry-list', { hasText: 'did not check in' }).waitFor();
    await page.press('#enter-name', 'Enter');
    await page.locator('#entry-list', { hasText: 'place held, checked in' }).waitFor();
    assert.equal(good(await client.get(`${at}/entries`)).items.at(-1).number, 41);
    await page.fill('#entry-find', '');
    assert.deepEqual([await shown(), await page.locator('#entry-list [role=status]').textContent()], [[], '41 entries; none is waiting for you.']);
    await page.click('#whole-list');
    assert.equal((await shown()).length, 41);
    await finish(page);
  });

  it('is not needed for one player, whose name is offered', { skip: notLong }, async () => {
    const event = good(await client.post('/v1/events', { name: 'Offered', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    good(await client.post(`/v1/events/${event.id}/open-entries`, {}, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`);
    const start = players[4].name.slice(0, 3);
    await page.locator('#enter-name').pressSequentially(start.toLowerCase());
    await page.locator('#enter-name-names option').first().waitFor({ state: 'attached' });
    const offered = await page.locator('#enter-name-names option').evaluateAll((all) => all.map((each) => each.value));
    const { players: found } = good(await client.post('/v1/search', { words: start }));
    assert.deepEqual(offered, found.map((each) => each.name));
    assert.ok(offered.every((name) => name.toLowerCase().startsWith(start.toLowerCase())));
    await finish(page);
  });
});

describe('the menu of a seat', () => {
  // A round of one table, and the desk.
  async function desk(entrants, settings, device = {}) {
    const event = await makeEvent(client, organizer, entrants, { rounds: 1, ...settings });
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, device, refused);
    await page.locator('.seat-menu').first().waitFor();
    const game = round.games[0];
    return { page, event, game, at: `/v1/games/${game.id}` };
  }

  async function choose(page, name, { fill = async () => {}, about = /./ } = {}) {
    await page.getByRole('button', { name, exact: true }).click();
    const asked = dialog(page);
    assert.match(plain(await asked.locator('h2 + p').textContent()), about);
    await fill(asked);
    await asked.locator('button.main').click();
    await asked.waitFor({ state: 'detached' });
  }

  const isolated = (name) => `\u2068${name}\u2069`;

  it('starts and ends fallback moves; takes a substitute; and takes a seat out', async () => {
    const { page, event, game, at } = await desk(players.slice(0, 3), { seats_min: 3, seats_max: 3 }, phone);
    const { player } = game.seats[1];
    const seat = async () => good(await client.get(at)).seats[1];
    const open = () => page.locator('.seat-menu', { hasText: player.name }).evaluate((menu) => { menu.open = true; });
    await open();
    assert.deepEqual(await page.locator('.seat-menu[open] button').allTextContents(), ['Mark absent', 'Substitute', 'Forfeit']);
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await choose(page, `Mark absent: ${isolated(player.name)}`, { about: new RegExp(`^Fallback moves are played for ${player.name} until`) });
    assert.equal((await seat()).fallback, true);
    await choose(page, `Mark present: ${isolated(player.name)}`);
    assert.equal((await seat()).fallback, false);
    // An unknown player is reported at the field.
    await choose(page, `Substitute for ${isolated(player.name)}`, { fill: async (asked) => {
      await asked.locator('#player').fill('Nobody at all');
      await asked.locator('button.main').click();
      await asked.locator('#player-fault:not(:empty)').waitFor();
      assert.deepEqual(await violations(page), []);
      await asked.locator('#player').fill(players[5].name);
    } });
    assert.deepEqual([(await seat()).player.id, (await seat()).substitute_for.id], [players[5].id, player.id]);
    const state = (text) => page.locator('table.card th', { hasText: player.name }).filter({ hasText: text }).waitFor();
    await state(`(substitute: ${players[5].name})`);
    const replaced = await signIn(reader, player, `/events/${event.id}`, phone);
    await replaced.locator('#mine-now', { hasText: `${players[5].name} plays in your place at table 1.` }).waitFor();
    await finish(replaced);
    await choose(page, `Forfeit: ${isolated(players[5].name)}`, { about: /ranks below everyone who plays on/ });
    assert.equal((await seat()).forfeited, true);
    await state('(forfeited)');
    // Nothing more can be done to it.
    await page.waitForFunction(() => document.querySelectorAll('.seat-menu').length === 2);
    await finish(page);
  });

  it('at a table of two has a ruling for who has not come', { skip: notLong }, async () => {
    const { page, event, game } = await desk(players.slice(0, 2), { seats_min: 2, seats_max: 2 });
    const [, { player }] = game.seats;
    await page.locator('.seat-menu', { hasText: player.name }).evaluate((menu) => { menu.open = true; });
    await choose(page, `No-show: ${isolated(player.name)}`, { about: /loses? by forfeit/, fill: async (asked) => {
      await asked.locator('#reason').fill('Waited for an hour.');
      await asked.getByRole('button', { name: 'Show what this changes' }).click();
      await asked.locator('.preview table').waitFor();
    } });
    const { seating: [{ ruled, seats }] } = good(await client.get(`/v1/events/${event.id}/rounds/1`));
    const found = seats.find((each) => each.player.id === player.id);
    assert.deepEqual([ruled, found.kind, found.rank], [true, 'forfeit_loss', 2]);
    await finish(page);
  });
});

describe('a draft', () => {
  it('says what has changed since it was paired, until it is paired again', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 3), { rounds: 2, play: 'table', seats_min: 3, late_entries: 1 });
    const at = `/v1/events/${event.id}`;
    const round = good(await client.post(`${at}/rounds`, {}, organizer.token));
    good(await client.post(`${at}/rounds/1/reports`, { results: '1: 3 2 1' }, organizer.token));
    good(await client.post(`${at}/rounds`, { publish: false }, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, phone);
    await page.locator('#redraw').waitFor();
    assert.equal(await page.locator('#draft-stale').count(), 0);
    const seats = round.seating[0].seats.map(({ player }, i) => ({ player: player.id, rank: 3 - i }));
    good(await client.request('PUT', `${at}/rounds/1/tables/1/ruling`, { json: { seats, reason: 'Typed the wrong way round.' }, token: organizer.token }));
    good(await client.post(`${at}/entries`, {}, players[3].token));
    await page.reload();
    await page.locator('#draft-stale').waitFor();
    assert.deepEqual((await texts(page, '#draft-stale li')).map(plain), ['Ruling, round 1, table 1.', `${players[3].name} entered.`]);
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await page.click('#redraw');
    await dialog(page).locator('#reason').fill('A result was wrong.');
    await dialog(page).locator('button.main').click();
    await page.locator('#draft-stale').waitFor({ state: 'detached' });
    assert.equal(good(await client.get(`${at}/rounds/next`, { token: organizer.token })).attempt, 2);
    await finish(page);
  });
});

describe('a ruling at the desk', () => {
  it('gives places to those who came, and a forfeit to who did not', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 4), { rounds: 1, play: 'table', seats_min: 4 });
    const at = `/v1/events/${event.id}`;
    const { seating: [{ seats }] } = good(await client.post(`${at}/rounds`, {}, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, phone);
    await page.getByRole('button', { name: 'Give a ruling, round 1, table 1', exact: true }).click();
    const asked = dialog(page);
    await asked.locator('#away-1').check(); // place 2 stays chosen there: those who came are counted anew
    assert.deepEqual(await asked.locator('#rank-0, #score-0, #rank-1, #score-1').evaluateAll((all) => all.map((each) => each.checkVisibility({ visibilityProperty: true }))), [true, true, false, false]);
    await asked.locator('#rank-2').selectOption('4');
    await asked.locator('#score-0').fill('31');
    await asked.locator('#reason').fill('Went home.');
    await asked.getByRole('button', { name: 'Show what this changes' }).click();
    await asked.locator('.preview table').waitFor();
    assert.ok(await asked.locator('button.main').evaluate((each) => { // in view, after what is shown
      const { top, bottom } = each.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }));
    assert.deepEqual(await violations(page), []);
    await asked.locator('button.main').click();
    await asked.waitFor({ state: 'detached' });
    const { seating: [ruled] } = good(await client.get(`${at}/rounds/1`));
    assert.deepEqual(ruled.seats.map(({ kind, rank }) => [kind, rank]), [['adjudicated', 1], ['forfeit_loss', 4], ['adjudicated', 2], ['adjudicated', 2]]);
    const { rows } = good(await client.get(`${at}/standings`));
    assert.deepEqual(seats.map(({ player }) => rows.find((row) => row.player.id === player.id).points.text), ['5', '0', '2.5', '2.5']);
    // Opened again, the dialog begins with the ruling.
    await page.getByRole('button', { name: 'Change the ruling, round 1, table 1', exact: true }).click();
    const marked = await asked.locator('input[type=checkbox]').evaluateAll((boxes) => boxes.map((box) => box.checked));
    assert.deepEqual(marked, [false, true, false, false]);
    await finish(page);
  });

  it('of a no-show is followed by the question whether the player has left', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 4), { rounds: 2, play: 'table', seats_min: 3 });
    const at = `/v1/events/${event.id}`;
    const { seating: [{ seats }] } = good(await client.post(`${at}/rounds`, {}, organizer.token));
    const [away, ...others] = seats.map(({ player }) => player);
    const page = await signIn(reader, organizer, `/events/${event.id}/manage`, phone);
    const asked = page.locator('#no-shows');
    assert.equal(await asked.count(), 0);
    const ruled = [...others.map(({ id }, i) => ({ player: id, rank: i + 1 })), { player: away.id, rank: 4, kind: 'forfeit_loss' }];
    good(await client.request('PUT', `${at}/rounds/1/tables/1/ruling`, { json: { seats: ruled, reason: 'Did not come.' }, token: organizer.token }));
    await asked.getByText('1 player lost by forfeit in round 1 and is paired again.').waitFor();
    assert.deepEqual(await violations(page), []);
    await asked.getByRole('button', { name: new RegExp(`^Drop .*${away.name}`) }).click();
    await dialog(page).locator('button.main').click(); // shows what this changes
    await dialog(page).locator('.preview h3').waitFor();
    await dialog(page).locator('button.main').click();
    await asked.waitFor({ state: 'detached' });
    const { items } = good(await client.get(`${at}/entries`));
    assert.deepEqual(items.filter(({ state }) => state === 'dropped').map(({ player }) => player.id), [away.id]);
    const { tables: [{ players: paired }] } = good(await client.get(`${at}/rounds/next`, { token: organizer.token }));
    assert.deepEqual(paired.map(({ id }) => id).sort(), others.map(({ id }) => id).sort());
    await finish(page);
  });

  it('is the only way to change a result once the event is closed', async () => {
    const event = await makeEvent(client, organizer, players.slice(0, 3), { rounds: 1, play: 'table', seats_min: 3 });
    const at = `/v1/events/${event.id}`;
    good(await client.post(`${at}/rounds`, {}, organizer.token));
    good(await client.post(`${at}/rounds/1/reports`, { results: '1: 3 2 1' }, organizer.token));
    const offered = async () => {
      const page = await signIn(reader, organizer, `/events/${event.id}/manage`, phone);
      await page.getByRole('button', { name: 'Give a ruling, round 1, table 1', exact: true }).waitFor();
      const correct = await page.getByRole('button', { name: 'Correct the result of round 1, table 1', exact: true }).count();
      await finish(page);
      return correct;
    };
    assert.equal(await offered(), 1);
    good(await client.post(`${at}/close`, {}, organizer.token));
    assert.equal(await offered(), 0);
  });
});
