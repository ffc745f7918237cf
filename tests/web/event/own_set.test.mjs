// An event's own component set on pages: chosen in the form where there are any, named on the event's page, and drawn on the board.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeGame, makePlayers, password } from '../../api/support/play.mjs';
import { finish, overflow, violations } from '../support/browser.mjs';
import { client, organizer, read, reader } from '../support/read.mjs';

const own = readFileSync(new URL('../../../engine/games/shinjuku/components.json', import.meta.url), 'utf8');
const set = own.replace('"slug":', '"name": "Second <edition>", "slug":').replaceAll('"Ueno"', '"Uenomori"');
const hash = createHash('sha256').update(set).digest('hex');
read({}, async () => {
  const made = await client.request('POST', '/v1/rulesets/shinjuku/components', { body: set, token: organizer.token, headers: { 'Content-Type': 'application/json' } });
  assert.equal(made.status, 201, made.text);
});

describe('an event with a component set of its own', () => {
  it('is made in the form, which offers the sets of a ruleset that has any', async () => {
    const desk = await reader.open('/login?next=/events/new');
    await desk.fill('#register-name', 'Owner of the box');
    await desk.fill('#register-password', password);
    await desk.locator('#register button').click();
    await desk.waitForURL(`${reader.origin}/events/new`);
    await desk.fill('#setting-name', 'Boxed');
    await desk.selectOption('#setting-ruleset', 'shinjuku');
    await desk.waitForSelector('#setting-components');
    assert.deepEqual(await desk.locator('#setting-components option').allTextContents(), ['built in', `Second <edition> ${hash.slice(0, 8)}…`]);
    await desk.selectOption('#setting-components', hash);
    assert.deepEqual(await violations(desk), []);
    // Another game has none; what was typed stays.
    await desk.selectOption('#setting-ruleset', 'mall-world');
    await desk.waitForFunction(() => document.querySelector('#setting-components') === null);
    await desk.selectOption('#setting-ruleset', 'shinjuku');
    await desk.waitForSelector('#setting-components');
    assert.equal(await desk.inputValue('#setting-components'), '');
    await desk.selectOption('#setting-components', hash);
    assert.equal(await desk.inputValue('#setting-name'), 'Boxed');
    await desk.getByRole('button', { name: 'Create event', exact: true }).click();
    await desk.waitForURL(/\/manage$/);
    const id = new URL(desk.url()).pathname.split('/')[2];
    assert.equal(good(await client.get(`/v1/events/${id}`)).settings.components, hash);

    await desk.goto(`${reader.origin}/events/${id}`);
    await desk.waitForSelector('#component-set');
    assert.equal(await desk.locator('#component-set').textContent(), `Component set: Second <edition> (${hash.slice(0, 8)}…)`);
    assert.equal(await desk.locator('#component-set a').getAttribute('href'), `/games/shinjuku/components?set=${hash}`);
    assert.equal(await overflow(desk), 0);
    assert.deepEqual(await violations(desk), []);
    await finish(desk);
  });

  it('shows its games with it', async () => {
    const players = await makePlayers(client, 2);
    const { game, event } = await makeGame(client, organizer, players, { components: hash });
    const { game: usual, event: plain } = await makeGame(client, organizer, players);
    for (const [each, name, absent] of [[game, 'Uenomori', '>Ueno<'], [usual, 'Ueno', 'Uenomori']]) {
      const page = await reader.open(`/games/${each.id}`);
      await page.waitForSelector('.board');
      const shown = await page.locator('main').innerHTML();
      assert.ok(shown.includes(name), name);
      assert.ok(!shown.includes(absent), absent);
      // The commands that check it can be followed as they are.
      const command = await page.locator('code', { hasText: 'tillroll verify' }).first().textContent();
      assert.equal(command, `tillroll verify ${each === game ? `--components ${hash.slice(0, 8)}.json ` : ''}${each.id}.roll`);
      assert.deepEqual(await page.locator('#own-set a').evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.download])), each === game ? [[`/v1/components/${hash}`, `${hash.slice(0, 8)}.json`]] : []);
      await finish(page);
    }
    const page = await reader.open(`/events/${plain.id}`);
    await page.waitForSelector('main:not([aria-busy], [data-plain])');
    assert.equal(await page.locator('#component-set').count(), 0);
    await finish(page);
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).component_set.name, 'Second <edition>');
  });
});
