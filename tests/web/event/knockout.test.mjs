// A knockout at real tables, one match of which is tied: the desk and the bracket say that it is played again, with all names and scores, and
// the hall screen has room for them on a phone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeEvent } from '../../api/support/play.mjs';
import { finish, overflow, phone, texts, violations } from '../support/browser.mjs';
import { client, organizer, read, reader } from '../support/read.mjs';
import { signIn } from '../support/table.mjs';
import { makeNamed } from '../support/world.mjs';

const names = ['Maximiliane von Hohenzollern-Sigmaringen', 'W'.repeat(60), 'Li', 'Donaudampfschifffahrtskapitän Müller'];
let event;
let people;

read({ players: 0 }, async () => {
  people = await Promise.all(names.map((name) => makeNamed(client, name)));
  event = await makeEvent(client, organizer, people, { name: 'Cup', ruleset: 'superstore-3000', format: 'single_elimination', play: 'table', seats_min: undefined, seats_max: undefined, rounds: undefined });
  good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
});

const cut = (page, selector) => page.locator(selector).evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
const plain = (all) => all.map((text) => text.replace(/[\u2068\u2069]/g, ''));

describe('a tied match', () => {
  it('is to be played again, in the bracket and in the preview of the next round', async () => {
    good(await client.post(`/v1/events/${event.id}/rounds/1/reports`, { results: '1: 41 41\n2: 30 20' }, organizer.token));
    const page = await signIn(reader, organizer, `/events/${event.id}`, phone);
    assert.deepEqual(await texts(page, '.bracket li:first-child .match-name'), ['Match 1 tied: to be replayed', 'Match 2', 'Match 1']);
    assert.deepEqual(await texts(page, '.bracket > ol > li:first-child .match .score'), ['41', '41', ...(await texts(page, '.bracket > ol > li:first-child .match .score')).slice(2)]);
    assert.deepEqual(await cut(page, '.match .who'), []);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${reader.origin}/events/${event.id}/manage`);
    await page.locator('#draft h3').first().waitFor();
    assert.deepEqual(await texts(page, '#draft .draft:has(ol) h3'), ['Table 1, semi-final replay after a tie, game 2']);
    assert.deepEqual(await violations(page), []);
    await finish(page);
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const sheet = await reader.open(`/events/${event.id}/rounds/2`, { locale: 'de-DE' });
    assert.deepEqual(await texts(sheet, 'table.card caption'), ['Tisch 1 der Runde 2, Halbfinale Wiederholung nach Gleichstand, 2. Partie']);
    await finish(sheet);
  });
});

describe('its hall screen', () => {
  it('cuts no head, number or name on a phone', async () => {
    const page = await reader.open(`/events/${event.id}/hall?seconds=120`, { ...phone, locale: 'de-DE' });
    for (const heads of [['Name', 'Tisch', 'Sitz'], ['Platz', 'Name', 'Gespielt']]) {
      assert.deepEqual(await texts(page, '.columns thead th'), heads);
      assert.deepEqual(await cut(page, '.columns :is(th, td)'), []);
      assert.equal(await overflow(page), 0);
      await page.keyboard.press('ArrowRight');
    }
    await finish(page);
  });
});

describe('a result that waits for a confirmation', () => {
  it('is at the desk with its numbers, and confirmed there', async () => {
    const { seating: [{ seats }] } = good(await client.get(`/v1/events/${event.id}/rounds/2`));
    const [first] = seats.map((seat) => people.find(({ id }) => id === seat.player.id));
    good(await client.post(`/v1/events/${event.id}/rounds/2/tables/1/report`, { seats: seats.map(({ player }, i) => ({ player: player.id, score: 12 + i })) }, first.token));
    const desk = await signIn(reader, organizer, `/events/${event.id}/manage`, phone);
    await desk.locator('#unconfirmed li').waitFor();
    await desk.locator('#next-about', { hasText: 'All tables of round 2 have reported; 1 result is still to be confirmed, below.' }).waitFor();
    assert.match(plain(await texts(desk, '#unconfirmed li > p:first-child'))[0],
      new RegExp(`^Round 2, table 1: ${seats[0].player.name} 12, ${seats[1].player.name} 13\\. Reported by ${first.name}; it counts when it is confirmed, or on .* if nobody objects\\.$`));
    assert.equal(await overflow(desk), 0);
    assert.deepEqual(await violations(desk), []);
    await desk.getByRole('button', { name: 'Confirm the result of round 2, table 1' }).click();
    await desk.locator('#unconfirmed').waitFor({ state: 'detached' });
    assert.equal(good(await client.get(`/v1/events/${event.id}/rounds/2`)).seating[0].reported, true);
    await finish(desk);
  });
});
