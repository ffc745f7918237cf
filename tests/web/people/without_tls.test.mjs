// People who open the service at an address in their network, without TLS: browsers trust no such page, keep no Secure cookie of it, and
// offer it no cryptography. A phone at a club night is such a reader.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeEvent, makeGame, makePlayers, password, Random, untilTurn } from '../../api/support/play.mjs';
import { browser, client, organizer, read } from '../support/read.mjs';
import { finish, overflow, phone, Reader, violations } from '../support/browser.mjs';

read();

const untrusted = /Cross-Origin-Opener-Policy header has been ignored/;

// At a name that Chromium resolves to this machine (support/browser.mjs), but does not trust as it trusts a loopback address.
const club = () => new Reader(browser, client.port, 'club.lan');

async function fillIn(page, form, name) {
  await page.fill(`#${form}-name`, name);
  await page.fill(`#${form}-password`, password);
  await page.press(`#${form}-password`, 'Enter');
}

describe('without TLS', () => {
  it('somebody creates an account on a phone, plays, and signs out', async () => {
    const page = await club().open('/login', { ...phone, fresh: true }, untrusted);
    assert.equal(await page.evaluate(() => isSecureContext), false);
    await fillIn(page, 'register', 'Phone at the club');
    await page.waitForURL('**/account');
    await page.waitForSelector('#sign-out');
    assert.match(await page.textContent('#signing'), /HTTPS/);
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    const [other, third] = await makePlayers(client, 2);
    const me = good(await client.post('/v1/tokens', { name: 'Phone at the club', password }));
    const { game } = await makeGame(client, organizer, [{ ...me.player, token: me.token }, other, third]);
    const own = game.players.findIndex((player) => player.id === me.player.id);
    await untilTurn(client, game, own, new Random('club'));
    await page.goto(`http://club.lan:${client.port}/games/${game.id}`);
    await page.waitForSelector('.board > *');
    const { seq } = good(await client.get(`${game.at}/view`));
    while (await page.locator('#table [data-do=send]').count() === 0) await page.locator('#table .choices button').first().click();
    await page.click('#table [data-do=send]');
    await page.waitForFunction(async ([at, before]) => (await (await fetch(`${at}/view`)).json()).seq > before, [game.at, seq]);
    await page.goto(`http://club.lan:${client.port}/account`);
    await page.click('#sign-out');
    await page.waitForFunction(() => localStorage.getItem('tillroll.player') === null);
    await finish(page);
  });

  it('a real game is recorded', async () => {
    const seated = await makePlayers(client, 3, 'Guest');
    const event = await makeEvent(client, organizer, seated, { ruleset: 'superstore-3000', seats_min: 3, seats_max: 3, rounds: 1, play: 'table', confirm_minutes: 0 });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const scorer = `/events/${event.id}/rounds/1/tables/1/scorer`;
    const page = await club().open(`/login?next=${scorer}`, { ...phone, fresh: true }, untrusted);
    await fillIn(page, 'sign-in', seated[0].name);
    await page.waitForURL(`**${scorer}`);
    await page.click('#step-start');
    await page.waitForSelector('#step-deal');
    const [recording] = good(await client.get(`/v1/events/${event.id}/rounds/1/tables/1/recordings`, { token: organizer.token })).items;
    assert.match(recording.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await finish(page);
  });

  it('a browser that keeps no cookie is told so, instead of being asked to sign in again', async () => {
    const [player] = await makePlayers(client, 1);
    for (const at of [club(), new Reader(browser, client.port)]) {
      const page = await at.open('/login', { fresh: true }, /Cross-Origin-Opener-Policy|401/);
      await page.route('**/v1/sessions', async (route) => {
        // Node, which fetches, does not know the club's name.
        const own = `http://127.0.0.1:${client.port}`;
        const answer = await route.fetch({ url: `${own}/v1/sessions`, headers: { ...route.request().headers(), origin: own } });
        const { 'set-cookie': dropped, ...headers } = answer.headers();
        assert.match(dropped, /^tillroll=/);
        await page.context().clearCookies(); // which fetching has set
        await route.fulfill({ status: answer.status(), headers, body: await answer.body() });
      });
      await fillIn(page, 'sign-in', player.name);
      await page.waitForFunction((text) => document.querySelector('#sign-in .fault').textContent.includes(text), 'This page came without encryption: open the address that begins with https://');
      assert.equal(await page.evaluate(() => localStorage.getItem('tillroll.player')), null);
      await finish(page);
    }
  });
});
