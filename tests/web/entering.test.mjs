// A player takes part in an event by the page of the event alone: everything here is done by clicking.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { endQuietly, password, startRound } from '../api/support/play.mjs';
import { daily, isLong, notLong } from '../long.mjs';
import { desktop, finish, overflow, phone, violations } from './support/browser.mjs';
import { client, organizer, players, read, reader } from './support/read.mjs';
import { signIn } from './support/table.mjs';
import { tieBreakHead, toldTieBreak } from './support/world.mjs';

read({ players: 8 });

const refused = /40[0-9]|422/; // what the browser says of a request that the service refuses
const get = async (at) => good(await client.get(at));
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const confirm = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const says = (page, text) => page.waitForFunction((wanted) => document.getElementById('mine-now')?.textContent.includes(wanted), text);
const offered = async (page) => (await page.locator('#mine button:not([hidden])').allTextContents()).sort();

async function openEvent(settings) {
  const event = good(await client.post('/v1/events', { entropy_seconds: 0, name: 'Club night', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 3, ...settings }, organizer.token));
  good(await client.post(`/v1/events/${event.id}/open-entries`, {}, organizer.token));
  return event;
}
const step = async (event, name) => good(await client.post(`/v1/events/${event.id}/${name}`, {}, organizer.token));
const enter = async (event, list) => {
  for (const player of list) good(await client.post(`/v1/events/${event.id}/entries`, {}, player.token));
};
const entryOf = async (event, name) => (await get(`/v1/events/${event.id}/entries`)).items.find((entry) => entry.player.name === name);

async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

for (const [device, settings] of daily([['a desktop', desktop], ['a phone', phone]], 2)) describe(`on ${device}`, () => {
  let event;
  let page;
  const name = `Newcomer on ${device}`;

  it('a stranger registers on the way to the event, and enters it', async () => {
    event = await openEvent({ check_in: true });
    const at = `/events/${event.id}`;
    page = await reader.open(at, settings, refused);
    await isWell(page);
    await page.getByRole('link', { name: 'Sign in or create an account to enter' }).click();
    await page.fill('#register-name', name);
    await page.fill('#register-password', password);
    await page.locator('#register button').click();
    await page.waitForURL(reader.origin + at);
    await says(page, 'Entries are open.');
    assert.deepEqual(await offered(page), ['Enter']);
    await press(page, 'Enter');
    await says(page, 'Check in before entries close');
    await isWell(page);
    assert.equal((await entryOf(event, name)).state, 'entered');
  });

  it('checks in, withdraws, and enters again', async () => {
    await press(page, 'Check in');
    await says(page, 'You are in, and checked in. Round 1 is paired after entries close.');
    assert.equal((await entryOf(event, name)).checked_in, true);
    await press(page, 'Withdraw');
    await confirm(page, 'Withdraw');
    await says(page, 'Entries are open.');
    assert.equal(await entryOf(event, name), undefined);
    await press(page, 'Enter');
    await says(page, 'Check in before');
    await press(page, 'Check in');
    await says(page, 'You are in, and checked in.');
  });

  it('asks for a bye, is told where to sit and whose turn it is, and drops out', async () => {
    await enter(event, players.slice(0, 5));
    for (const player of players.slice(0, 5)) good(await client.post(`/v1/events/${event.id}/entries/${player.id}/check-in`, {}, player.token));
    await step(event, 'close-entries');
    await says(page, 'You are in. Round 1 has yet to be paired.');
    await press(page, 'Ask for a bye');
    await page.getByRole('dialog').locator('select').selectOption('2');
    await isWell(page);
    await confirm(page, 'Ask for a bye');
    await page.getByRole('button', { name: 'Play round 2 after all' }).waitFor();
    assert.deepEqual((await entryOf(event, name)).byes, [{ round: 2, kind: 'zero' }]);
    await press(page, 'Play round 2 after all');
    await page.getByRole('button', { name: 'Play round 2 after all' }).waitFor({ state: 'detached' });
    assert.deepEqual((await entryOf(event, name)).byes, []);
    const round = await startRound(client, event, organizer, players);
    const game = round.games.find((each) => each.seats.some((seat) => seat.player.name === name));
    const { seat } = game.seats.find((each) => each.player.name === name);
    const { deciders } = await get(game.at);
    const what = deciders.includes(seat) ? 'It is your turn at' : 'You are playing at';
    const others = game.seats.filter((each) => each.seat !== seat).map((each) => each.player.name).join(', ');
    await says(page, `${what} table ${game.event.table} (with ${others}), seat ${seat + 1}. Round 2 can start when 2 more tables have finished.`);
    assert.equal(await page.locator('#mine-now a').getAttribute('href'), `/games/${game.id}`);
    await isWell(page);
    await endQuietly(client, game, organizer);
    const { rows: [row] } = await get(`/v1/events/${event.id}/standings?operands=none&player=${game.seats[seat].player.id}`);
    const place = row.shared > 1 ? `${row.rank}–${row.rank + row.shared - 1}` : row.rank;
    await says(page, `You are in. Your place: ${place} (${row.points.text} point${row.points.text === '1' ? '' : 's'}). Round 2 can start when one more table has finished.`);
    assert.equal(await page.locator('#mine-now a').getAttribute('href'), `#row-${row.player.id}`);
    assert.equal(await page.locator(`[id="row-${row.player.id}"]`).count(), 1);
    await press(page, 'Drop out');
    await confirm(page, 'Drop out');
    await says(page, 'You have dropped out. Ask an arbiter if you want to return.');
    assert.deepEqual(await offered(page), []);
    await isWell(page);
    const { player, state } = await entryOf(event, name);
    assert.equal(state, 'dropped');
    // An arbiter lets them return, and the page says so.
    good(await client.post(`/v1/events/${event.id}/entries/${player.id}/return`, {}, organizer.token));
    await says(page, 'You are in.');
    await finish(page);
  });
});

describe('the panel of an event', () => {
  it('offers the waiting list of a full event', async () => {
    const event = await openEvent({ capacity: 3 });
    await enter(event, players.slice(0, 3));
    const page = await signIn(reader, players[3], `/events/${event.id}`);
    await says(page, 'The event is full, but you can join the waiting list.');
    await press(page, 'Join the waiting list');
    await says(page, 'You are number 1 on the waiting list.');
    await press(page, 'Leave the waiting list');
    await says(page, 'The event is full');
    assert.equal(await entryOf(event, players[3].name), undefined);
    await press(page, 'Join the waiting list');
    await says(page, 'You are number 1 on the waiting list.');
    // A player on the list can check in, for the place of somebody who does not.
    const change = async (json) => good(await client.request('PATCH', `/v1/events/${event.id}`, { json, token: organizer.token }));
    await change({ check_in: true });
    await says(page, 'Check in if you are there');
    await press(page, 'Check in');
    await says(page, 'You have checked in: when entries close, you can get the place of a player who has not.');
    assert.deepEqual(await offered(page), ['Leave the waiting list', 'Undo check-in']);
    await change({ check_in: false });
    // An entry that still waits when entries are closed can enter late, if the event allows it and has a place.
    await step(event, 'close-entries');
    await says(page, 'no place became free for you.');
    assert.equal(await page.getByRole('button', { name: 'Enter', exact: true }).count(), 0);
    await change({ late_entries: 1 });
    await says(page, 'Late entries are still accepted, but the event is full.');
    const { player: leaver } = await entryOf(event, players[0].name);
    good(await client.request('DELETE', `/v1/events/${event.id}/entries/${leaver.id}`, { token: organizer.token })); // which leaves a place free
    await press(page, 'Enter');
    await says(page, 'You are in. Round 1 has yet to be paired.');
    await finish(page);
  });

  it('lets an official who plays return by themselves', { skip: notLong }, async () => {
    const event = await openEvent({ seats_max: 3 });
    await enter(event, [organizer, ...players.slice(0, 3)]);
    await step(event, 'close-entries');
    const page = await signIn(reader, organizer, `/events/${event.id}`);
    await says(page, 'You are in.');
    await press(page, 'Drop out');
    await confirm(page, 'Drop out');
    await says(page, 'You have dropped out.');
    await press(page, 'Return');
    await says(page, 'You are in. Round 1 has yet to be paired.');
    assert.equal((await entryOf(event, organizer.name)).state, 'entered');
    await finish(page);
  });

  for (const [format, means] of [['single_elimination', 'Your table plays in the next round instead'], ['round_robin', 'your opponent wins by forfeit']])
    it(`says what a bye means (${format})`, { skip: notLong }, async () => {
      const event = await openEvent({ format, late_entries: 2, seats_min: undefined, seats_max: undefined, rounds: undefined });
      await enter(event, players.slice(0, 4));
      await step(event, 'close-entries');
      const late = await signIn(reader, players[4], `/events/${event.id}`);
      await says(late, 'Late entries are still accepted.');
      const page = await signIn(reader, players[0], `/events/${event.id}`, phone);
      await press(page, 'Ask for a bye');
      await page.getByRole('dialog').getByText(means).waitFor();
      await isWell(page);
      await confirm(page, 'Ask for a bye');
      await page.getByRole('button', { name: 'Play round 1 after all' }).waitFor();
      const round = await startRound(client, event, organizer, players);
      assert.ok(!round.games.some((game) => game.seats.some((seat) => seat.player.id === players[0].id)));
      await finish(page);
      await says(late, 'Entries are closed.'); // nobody joins this format once it has begun
      assert.equal(await late.getByRole('button', { name: 'Enter', exact: true }).count(), 0);
      await finish(late);
    });

  it('has the challenges of a ladder', { skip: notLong }, async () => {
    const event = await openEvent({ format: 'ladder', reach: 1, answer_minutes: 60, seats_min: undefined, seats_max: undefined, rounds: undefined });
    await enter(event, players.slice(0, 3));
    await step(event, 'close-entries');
    const { rows } = await get(`/v1/events/${event.id}/standings`);
    const [first, second] = rows.map((row) => players.find((player) => player.id === row.player.id));
    const one = await signIn(reader, first, `/events/${event.id}`);
    const other = await signIn(reader, second, `/events/${event.id}`);
    assert.equal(await one.getByRole('button', { name: 'Challenge a player' }).count(), 0);
    await says(one, 'You are at the top of the ladder');
    assert.match(await one.locator('main .about').first().textContent(), /Format: ladder, 3 entries\. /);
    await says(other, 'You are on rung 2. You can challenge the player one rung above you.');
    await press(other, 'Challenge a player');
    assert.deepEqual((await other.getByRole('dialog').locator('option').allTextContents()).map((text) => text.replace(/[\u2068\u2069]/g, '')), [`Rung 1: ${first.name}`]);
    await isWell(other);
    await confirm(other, 'Challenge a player');
    await other.getByRole('button', { name: `Withdraw your challenge to ${first.name}` }).click();
    await other.getByRole('button', { name: 'Challenge a player' }).click();
    await confirm(other, 'Challenge a player');
    await says(one, `${second.name} has challenged you. Accept by `);
    await says(other, `You have challenged ${first.name}. If the challenge is not accepted by `);
    const desk = await signIn(reader, organizer, `/events/${event.id}/manage`);
    await desk.getByRole('button', { name: `Cancel the challenge of ${second.name}` }).click();
    await desk.locator('#challenges').waitFor({ state: 'detached' });
    assert.deepEqual((await get(`/v1/events/${event.id}/challenges`)).challenges, []);
    await finish(desk);
    await other.getByRole('button', { name: 'Challenge a player' }).click();
    await confirm(other, 'Challenge a player');
    await says(other, `You have challenged ${first.name}. If the challenge is not accepted by `);
    const third = players.slice(0, 3).find((player) => ![first.id, second.id].includes(player.id));
    const last = await signIn(reader, third, `/events/${event.id}`);
    await says(last, 'Nobody within reach can be challenged at the moment.');
    await finish(last);
    await isWell(one);
    await one.getByRole('button', { name: `Accept the challenge of ${second.name}` }).click();
    await says(one, 'at table 1 ');
    await says(other, 'at table 1 ');
    await finish(one);
    await finish(other);
  });

  it('has the queue of open play', { skip: notLong }, async () => {
    const event = await openEvent({ format: 'open_play', seats_max: 3, rounds: undefined });
    await enter(event, players.slice(0, 4));
    await step(event, 'close-entries');
    const page = await signIn(reader, players[0], `/events/${event.id}`);
    good(await client.post(`/v1/events/${event.id}/queue`, {}, players[1].token));
    await says(page, 'One player is waiting for a table.');
    await press(page, 'Wait for a table');
    await says(page, 'You are waiting for a table. One other player is waiting.');
    await press(page, 'Stop waiting');
    await page.getByRole('button', { name: 'Wait for a table' }).waitFor();
    assert.deepEqual((await get(`/v1/events/${event.id}/queue`)).waiting.map((each) => each.player.id), [players[1].id]);
    await finish(page);
  });

  it('says what is wrong in words for people, and asks to sign in again', async () => {
    const event = await openEvent({});
    const page = await signIn(reader, players[0], `/events/${event.id}`, {}, refused);
    await page.route('**/entries', (route) => (route.request().method() === 'POST'
      ? route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify({ code: 'wrong-state', status: 409, detail: 'set `late_entries`.' }) }) : route.continue()));
    await press(page, 'Enter');
    await page.locator('#mine .fault:not(:empty)').waitFor();
    assert.equal(await page.locator('#mine .fault').textContent(), 'This is no longer possible, because the event has moved on.');
    await page.unroute('**/entries');
    await page.context().clearCookies();
    await press(page, 'Enter');
    await page.locator('#mine .fault a').waitFor();
    assert.equal(await page.locator('#mine .fault a').getAttribute('href'), `/login?next=/events/${event.id}`);
    await finish(page);
  });
});

describe('standings before any result', () => {
  const settings = { seats_min: 3, seats_max: 3 };
  it('have everybody by name, without places and tie-breaks', async () => {
    const event = await openEvent(settings);
    await enter(event, players.slice(0, 7));
    const hall = await reader.open(`/events/${event.id}/hall?seconds=120`); // who has entered, on its only page
    assert.equal(await hall.locator('.columns tbody th').count(), 7);
    assert.equal(await hall.locator('[data-turn="next"]').count(), 0);
    await step(event, 'close-entries');
    const round = await startRound(client, event, organizer, players);
    assert.equal(round.byes.length, 1); // which is no result
    await hall.locator('h2', { hasText: 'Where you sit in round 1' }).waitFor();
    const page = await reader.open(`/events/${event.id}`);
    assert.equal(await page.locator('table.standings, .tie-break').count(), 0);
    const byName = (await get(`/v1/events/${event.id}/entries`)).items.map((entry) => entry.player.name).sort((a, b) => a.localeCompare(b));
    assert.deepEqual(await page.locator('p:has-text("No results yet.") + .names > li > a').allTextContents(), byName);
    for (const where of isLong ? ['', '/embed'] : ['']) { // as the server writes it
      const plain = await reader.open(`/events/${event.id}${where}`, { javaScriptEnabled: false });
      assert.deepEqual(await plain.locator('p:has-text("No results yet.") + .names > li > a').allTextContents(), byName);
      assert.doesNotMatch(await plain.locator('main').textContent(), /RND|-524288|Provisional/);
      await finish(plain);
    }
    assert.deepEqual(await hall.locator('.columns tbody th').allTextContents(), byName);
    assert.equal(await hall.locator('.columns tr', { hasText: round.byes[0].player.name }).locator('td').first().textContent(), 'bye');
    assert.equal(await hall.locator('[data-turn="next"]').count(), 0); // nothing else is known yet
    await finish(hall);
    assert.ok(!/RND|-524288/.test(await page.locator('main').textContent()));
    await finish(page);
    await endQuietly(client, round.games[0], organizer);
    const later = await reader.open(`/events/${event.id}`);
    assert.equal(await later.locator('p', { hasText: 'No results yet.' }).count(), 0);
    assert.equal(await later.locator('.scroll', { has: later.locator('caption', { hasText: /Provisional|so far/ }) }).first().locator('tbody tr.row').count(), 7);
    // Tables and lots that parted players are told as such, not as numbers to compute with.
    const standings = await get(`/v1/events/${event.id}/standings`);
    const used = standings.chain.map((_, i) => i).filter((i) => i > 0 && standings.rows.some((row) => row.tie_breaks[i].used));
    const told = [used.map((i) => tieBreakHead(standings.chain[i])), ...standings.rows.map((row) => used.map((i) => (row.tie_breaks[i].used ? toldTieBreak(standings, row, i) : '')))];
    for (const wanted of ['Lot', '1', 'no table']) assert.ok(told.flat().includes(wanted), JSON.stringify(told));
    const plain = await reader.open(`/events/${event.id}`, { javaScriptEnabled: false });
    for (const each of [later, plain]) {
      const shown = await each.locator('table:has(.tie-break)').first().evaluate((table) => [...table.querySelectorAll('thead tr, tbody tr.row')].map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
      assert.deepEqual(shown.map((row) => row.slice(4, 4 + used.length)), told);
    }
    await finish(plain);
    await finish(later);
  });
});
