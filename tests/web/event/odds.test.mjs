// Odds on the page of a running event: read when their fold is opened, said in words, and gone when the event is over.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makeEvent, makePlayers } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { daily } from '../../long.mjs';
import { finish, launch, Reader, violations } from '../support/browser.mjs';

let bed;
let browser;
let reader;
let client;
let organizer;
let at; // of the event in the API

before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  browser = launched;
  ({ client } = service);
  reader = new Reader(browser, client.port);
  let players;
  [organizer, ...players] = await makePlayers(client, 5);
  at = `/v1/events/${(await makeEvent(client, organizer, players, { play: 'table', rounds: 2, seats_min: 2, seats_max: 2, scoring: '1-half-0' })).id}`;
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

async function startRound(tables = Infinity) {
  const round = good(await client.post(`${at}/rounds`, {}, organizer.token));
  for (const table of round.seating.slice(0, tables)) await report(round.number, table);
  return round;
}

const report = async (round, table) => good(await client.post(`${at}/rounds/${round}/tables/${table.table}/report`,
  { seats: table.seats.map((seat, i) => ({ player: seat.player.id, rank: i + 1 })) }, organizer.token));

const asked = (page) => page.evaluate(() => performance.getEntriesByType('resource').filter((each) => each.name.endsWith('/odds')).length);

describe('who can still win', () => {
  it('is not said before there is a result', async () => {
    await startRound(0);
    const page = await reader.open(at.slice(3));
    assert.equal(await page.locator('#odds').count(), 0);
    await finish(page);
  });

  for (const [locale, summary, sure, cannot] of daily([['en-GB', 'Who can still win', 'about 1 in 2|about even', /Can no longer win: /], ['de-DE', 'Wer noch gewinnen kann', 'etwa', /Nicht mehr gewinnen können: /]], 2))
    it(`is computed when it is opened (${locale})`, async () => {
      const round = good(await client.get(`${at}/rounds/1`));
      for (const table of round.seating.filter((each) => !each.reported)) await report(1, table);
      if (good(await client.get(`${at}/rounds`)).items.length < 2) await startRound(0);
      const page = await reader.open(at.slice(3), { locale });
      assert.equal(await page.locator('#odds > summary').textContent(), summary);
      assert.equal(await asked(page), 0);
      await page.click('#odds > summary');
      await page.waitForSelector('#odds table', { timeout: 60000 });
      assert.equal(await asked(page), 1);
      const text = await page.locator('#odds').textContent();
      assert.match(text, new RegExp(sure));
      assert.doesNotMatch(text, cannot); // two have one point, and anybody could get there
      assert.deepEqual(await violations(page), []);
      await finish(page);
    });

  it('is said in words that are no farther from the chance than a twentieth', async () => {
    const page = await reader.open(at.slice(3));
    const chances = [0, 1, 99, 100, 1000, 2000, 2699, 2700, 3000, 3499, 4000, 4499, 4500, 5500, 5501, 7000, 9499, 9500];
    const said = await page.evaluate(async (all) => {
      const [{ chanceWords }, { addWords }] = await Promise.all([import('/static/event/odds.js'), import('/static/lib/words.js')]);
      await addWords('why');
      return all.map((chance) => chanceWords(chance));
    }, chances);
    assert.deepEqual(said, ['not once in the samples', 'less than 1 in 100', 'less than 1 in 100', 'about 1 in 100', 'about 1 in 10', 'about 1 in 5', 'about 1 in 4',
      'about 3 in 10', 'about 3 in 10', 'about 3 in 10', 'about 4 in 10', 'about 4 in 10', 'about even', 'about even', 'about 6 in 10', 'about 7 in 10', 'about 9 in 10', 'almost sure']);
    await finish(page);
  });

  it('is not there when the event is over', async () => {
    const round = good(await client.get(`${at}/rounds/2`));
    for (const table of round.seating) await report(2, table);
    good(await client.post(`${at}/close`, {}, organizer.token));
    const page = await reader.open(at.slice(3));
    assert.equal(await page.locator('#odds').count(), 0);
    await finish(page);
  });
});
