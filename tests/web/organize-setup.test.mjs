// The form of a new event: what it can begin with, and what it offers in words.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { daily, notLong } from '../long.mjs';
import { finish, overflow, phone, violations } from './support/browser.mjs';
import { client, organizer, read, reader } from './support/read.mjs';
import { signIn } from './support/table.mjs';

read();

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

// The settings of the event that the form makes as it stands.
async function made(page) {
  await press(page, 'Create event');
  await Promise.race([page.waitForURL(/\/manage$/), page.waitForSelector('#new-event .fault:not(:empty)', { state: 'attached' })]);
  assert.match(page.url(), /manage$/, await page.locator('.fault:not(:empty)').allTextContents().then(String, () => ''));
  await page.waitForSelector('main:not([aria-busy], [data-plain]) #next');
  return good(await client.get(`/v1/events/${page.url().split('/')[4]}`)).settings;
}

describe('a preset', () => {
  const wanted = [
    ['Club night, 3 rounds', 'shinjuku', ['pod_swiss'], ({ check_in: checks, stages: [{ rounds }] }) => assert.deepEqual([checks, rounds], [true, 3])],
    ['Championship with final table', 'shinjuku', ['pod_swiss', 'pod_elimination'],
      ({ seeding, stages: [, { entrants, seats_max: most }] }) => assert.deepEqual([seeding, entrants, most], ['rating', 4, 4])],
    ['League', 'mall-world', ['league'], ({ clock, stages: [{ division }] }) => assert.deepEqual([clock.move_ms, division], [259200000, 6])],
    ['Duplicate evening', 'supermarche', ['duplicate'], ({ stages: [{ boards, play }] }) => assert.deepEqual([boards, play], [4, 'barometer'])],
  ];
  for (const [name, ruleset, formats, check] of daily(wanted, 4)) it(`fills the form in one tap, and the service takes it: ${name}`, async () => {
    const page = await signIn(reader, organizer, '/events/new', phone);
    await page.fill('#setting-name', 'Ours');
    await page.selectOption('#setting-ruleset', ruleset);
    await press(page, name);
    assert.equal(await page.locator('#presets [aria-pressed=true]').textContent(), name);
    assert.equal(await page.locator('#preset-said').textContent(), `The form has been filled in: ${name}.`);
    assert.equal(await page.inputValue('#setting-name'), 'Ours');
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    const settings = await made(page);
    assert.deepEqual([settings.name, settings.ruleset, settings.stages.map((stage) => stage.format)], ['Ours', ruleset, formats]);
    check(settings);
    await finish(page);
  });

  it('can be changed before the event is made; a game for one has only duplicate boards', async () => {
    const page = await signIn(reader, organizer, '/events/new');
    await page.selectOption('#setting-ruleset', 'supermarche');
    const offered = () => page.locator('#presets button:enabled').allTextContents();
    assert.deepEqual(await offered(), ['Duplicate evening']);
    assert.deepEqual(await page.locator('#stage-0-format option').evaluateAll((all) => all.map(({ value }) => value)), ['duplicate']);
    assert.equal(await page.inputValue('#stage-0-boards'), '4');
    await page.selectOption('#setting-ruleset', 'shinjuku');
    assert.equal((await offered()).length, 5);
    assert.deepEqual([await page.inputValue('#stage-0-format'), await page.inputValue('#stage-0-rounds')], ['pod_swiss', '3']); // as it was before
    await page.fill('#setting-name', 'Longer night');
    await press(page, 'League');
    await press(page, 'Club night, 3 rounds');
    await page.fill('#stage-0-rounds', '4');
    const { stages: [stage], clock } = await made(page);
    assert.deepEqual([stage.format, stage.rounds, clock.bank_ms], ['pod_swiss', 4, 1200000]);
    await finish(page);
  });

  it('follows the game that is chosen after it, but for what has been changed', async () => {
    const page = await signIn(reader, organizer, '/events/new');
    await page.selectOption('#setting-ruleset', 'mall-world');
    await press(page, 'Championship with final table');
    assert.deepEqual([await page.inputValue('#stage-1-entrants'), await page.inputValue('#stage-1-seats_max')], ['5', '5']);
    await page.fill('#stage-1-entrants', '8');
    await page.selectOption('#setting-ruleset', 'shinjuku');
    await page.fill('#setting-name', 'Two tables, then one');
    const { stages: [, { entrants, seats_max: most }] } = await made(page);
    assert.deepEqual([entrants, most], [8, 4]);
    await finish(page);
  });
});

describe('the form of an event', () => {
  it('has each game once, and older versions of its rules under Advanced', { skip: notLong }, async () => {
    const page = await signIn(reader, organizer, '/events/new');
    const { items } = good(await client.get('/v1/rulesets'));
    const slugs = items.map((each) => each.slug);
    assert.ok(new Set(slugs).size < slugs.length); // one has two versions
    const shown = await page.locator('#setting-ruleset option').evaluateAll((all) => all.map((each) => each.value));
    assert.deepEqual(shown, [...new Set(slugs)]);
    assert.equal(await page.locator('#ruleset-more').count(), 0);
    await page.selectOption('#setting-ruleset', 'supermarche');
    await page.getByText('Advanced', { exact: true }).click();
    const [newest, older] = items.filter((each) => each.slug === 'supermarche').map((each) => each.version);
    assert.equal(await page.inputValue('#setting-version'), newest);
    await page.selectOption('#setting-version', { label: `${older} (older)` });
    await page.selectOption('#stage-0-format', 'duplicate');
    assert.deepEqual(await violations(page), []);
    await page.fill('#setting-name', 'By the older rules');
    assert.equal((await made(page)).version, older);
    await finish(page);
  });

  it('has lengths of time in words, and takes others', { skip: notLong }, async () => {
    const page = await signIn(reader, organizer, '/events/new');
    await page.fill('#setting-name', 'Timed');
    await page.locator('#stage-0-more > summary').click();
    const lengths = await page.locator('#stage-0-round_minutes option').allTextContents();
    assert.deepEqual([lengths[0], lengths[1], lengths.includes('90 minutes'), lengths.includes('2 hours'), lengths.includes('14 days'), lengths.at(-1)],
      ['default', 'none', true, true, false, 'another …']);
    assert.ok(lengths.includes('2 weeks'));
    assert.equal(await page.locator('#stage-0-round_minutes-other').isVisible(), false);
    await page.selectOption('#stage-0-round_minutes', { label: 'another …' });
    await page.fill('#stage-0-round_minutes-other', '85');
    await page.locator('#entries-more > summary').click();
    await page.selectOption('#setting-protest_minutes', { label: '2 hours' });
    await page.locator('#clock-part > summary').click();
    await page.selectOption('#setting-clock', 'move');
    await page.selectOption('#setting-move_minutes', { label: '2 days' });
    assert.deepEqual(await violations(page), []);
    const { stages: [stage], protest_minutes: protests, clock } = await made(page);
    assert.deepEqual([stage.round_minutes, protests, clock.move_ms], [85, 120, 172800000]);
    // What is none of the usual lengths is in the list of the event that has it.
    await page.locator('#change-settings > summary').click();
    await page.locator('#stage-0-more > summary').click();
    assert.equal(await page.locator('#stage-0-round_minutes option:checked').textContent(), '85 minutes');
    await finish(page);
  });

  it('has tie-breaks by their names, in an order of one\'s own', { skip: notLong }, async () => {
    const page = await signIn(reader, organizer, '/events/new');
    await page.fill('#setting-name', 'Ordered');
    await page.selectOption('#setting-ruleset', 'shinjuku'); // which two can play
    await page.selectOption('#stage-0-format', 'dutch');
    await page.locator('#stage-0-more > summary').click();
    await page.selectOption('#stage-0-tie_breaks', { label: 'your own order' });
    const chosen = () => page.locator('#stage-0-more .order option:checked').allTextContents();
    assert.deepEqual((await chosen()).slice(0, 4), ['points', 'direct encounter', 'Buchholz without the lowest score', 'Buchholz']);
    // The service knows each of those that are offered, and there is none that is shown as a code.
    const offered = await page.locator('#stage-0-tie_breaks-0 option').evaluateAll((all) => all.map((each) => [each.value, each.textContent]));
    for (const [code, name] of offered.filter(([value]) => value !== '')) {
      assert.notEqual(name, code);
      good(await client.post('/v1/events', { name: 'x', ruleset: 'shinjuku', stages: [{ format: 'dutch', rounds: 1, tie_breaks: [code] }] }, organizer.token));
    }
    await page.getByLabel('Tie-break 2', { exact: true }).selectOption({ label: 'Koya (results against the upper half)' });
    for (const k of [4, 5, 6]) await page.selectOption(`#stage-0-tie_breaks-${k}`, '');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual((await made(page)).stages[0].tie_breaks, ['PTS', 'KS', 'BH/C1', 'BH', 'RND']);
    await finish(page);
  });
});
