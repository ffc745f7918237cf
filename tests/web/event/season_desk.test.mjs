// Seasons as their organizers make them: created at the desk of an event, with events of two organizers, and closed on their own page; and the
// next season of a league.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeEvent, makePlayer } from '../../api/support/play.mjs';
import { finish, overflow, phone, rows, texts, violations } from '../support/browser.mjs';
import { client, organizer, players, read, reader } from '../support/read.mjs';
import { signIn } from '../support/table.mjs';

const refused = /40[0-9]/; // what the browser says of a request that the service refuses
const dialog = (page) => page.getByRole('dialog');
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const get = async (target) => good(await client.get(target));

read({ players: 4 });

// One round at two real tables, which is over.
async function evening(host, name) {
  const event = await makeEvent(client, host, players, { name, ruleset: 'superstore-3000', seats_min: 2, seats_max: 2, rounds: 1, play: 'table' });
  good(await client.post(`/v1/events/${event.id}/rounds`, {}, host.token));
  good(await client.post(`/v1/events/${event.id}/rounds/1/reports`, { results: '1: 30 20\n2: 25 10' }, host.token));
  return event;
}

const close = async (event, host) => good(await client.post(`/v1/events/${event.id}/close`, {}, host.token));

describe('a season', () => {
  it('is created at a desk, gets events of its own and of others, and is closed', async () => {
    const guest = await makePlayer(client, 'Other host');
    const [january, february, march] = [await evening(organizer, 'January'), await evening(organizer, 'February'), await evening(guest, 'March')];
    for (const event of [january, february]) await close(event, organizer);

    const page = await signIn(reader, organizer, `/events/${january.id}/manage`, phone, refused);
    await press(page, 'Add to a season');
    await page.locator('#seasons-fault', { hasText: 'No season is open. You can create one.' }).waitFor();
    await press(page, 'Create a season');
    await press(page, 'Create the season');
    await dialog(page).locator('#name-fault', { hasText: 'Required.' }).waitFor();
    await dialog(page).locator('#name').fill('Winter');
    await dialog(page).locator('#best').fill('2');
    assert.deepEqual(await violations(page), []);
    await press(page, 'Create the season');
    await page.waitForURL(/\/seasons\//);
    await page.waitForSelector('#run');
    const path = new URL(page.url()).pathname;
    const { rules, events } = await get(`/v1${path}`);
    assert.deepEqual([rules, events.map((each) => [each.event.id, each.counts])], [{ method: 'percentile', least_entrants: 2, weighting: 'equal', best: 2 }, [[january.id, true]]]);

    await page.fill('#event', 'next month');
    await press(page, 'Add');
    await page.locator('#event-fault', { hasText: "This is not the address of an event's page." }).waitFor();
    await page.fill('#event', `${reader.origin}/events/${february.id}`);
    await press(page, 'Add');
    await page.locator('main a', { hasText: 'February' }).first().waitFor();
    assert.equal(await page.inputValue('#event'), '');
    assert.equal(await overflow(page), 0);
    assert.ok((await page.locator('.season-standings thead th').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))).every((height) => height < 40));
    assert.deepEqual(await violations(page), []);

    // Another organizer offers an event, and the season's own accepts it.
    const host = await signIn(reader, guest, `/events/${march.id}/manage`);
    await press(host, 'Add to a season');
    await press(host, 'Add this event');
    await host.waitForURL(/\/seasons\//);
    await host.getByText('Requested, not yet agreed: March (offered)').waitFor();
    assert.equal(await host.locator('#run').count(), 0);
    await press(host, 'Remove \u2068March\u2069');
    await host.locator('#own-events').waitFor({ state: 'detached' });
    good(await client.post(`/v1${path}/events`, { event: march.id }, guest.token));
    await page.reload();
    await page.locator('#offers').waitFor();
    await press(page, 'Accept \u2068March\u2069');
    await page.locator('#offers').waitFor({ state: 'detached' });
    assert.deepEqual((await get(`/v1${path}`)).events.map((each) => each.counts), [true, true, true]);

    // An event that counts is removed after a question, and added again.
    await press(page, 'Remove \u2068February\u2069');
    await dialog(page).getByText('Its results no longer count in the season.').waitFor();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await page.locator('#its-events', { hasText: 'February' }).waitFor({ state: 'detached' });
    assert.deepEqual((await get(`/v1${path}`)).events.map((each) => each.event.name), ['January', 'March']);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await finish(host);

    await press(page, 'Close the season');
    await dialog(page).getByRole('button', { name: 'Close the season' }).click();
    await dialog(page).getByText('An event of the season is not closed').waitFor();
    await close(march, guest);
    await dialog(page).getByRole('button', { name: 'Close the season' }).click();
    await page.locator('#run').waitFor({ state: 'detached' });
    assert.equal((await get(`/v1${path}`)).state, 'closed');
    assert.deepEqual(await texts(page, '.season-standings caption'), ['Final']);
    await finish(page);
  });
});

describe('a league that is closed', () => {
  it('gets its next season, whose divisions are seen before', async () => {
    const league = await makeEvent(client, organizer, players, { name: 'League', ruleset: 'superstore-3000', format: 'league', rounds: undefined, seats_min: 2, seats_max: 2, division: 2, division_smallest: 2, moves: 1, play: 'table' });
    const page = await signIn(reader, organizer, `/events/${league.id}/manage`, {}, refused);
    assert.equal(await page.locator('#next-season').count(), 0); // not yet
    for (let number = 1; (await client.post(`/v1/events/${league.id}/rounds`, {}, organizer.token)).status < 300; number++)
      good(await client.post(`/v1/events/${league.id}/rounds/${number}/reports`, { results: '1: 30 20\n2: 25 10' }, organizer.token));
    await close(league, organizer);
    await page.locator('#next-season').click();
    await dialog(page).locator('#name').fill('League II');
    await press(page, 'Show what this changes');
    await dialog(page).locator('.preview table').waitFor();
    const { places } = good(await client.post(`/v1/events/${league.id}/next-season?preview=true`, { name: 'League II' }, organizer.token));
    assert.deepEqual(await rows(page, '.preview'), places.map((each) => [String(each.division), each.player.name, String(each.division_was)]));
    assert.ok(places.some((each) => each.moves !== 'stays'));
    assert.deepEqual(await violations(page), []);
    await press(page, 'Create it');
    await page.waitForURL((url) => !url.pathname.includes(league.id));
    await page.locator('h1', { hasText: 'League II' }).waitFor();
    await finish(page);
  });
});
