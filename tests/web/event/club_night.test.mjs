// A club night by the browser alone: everybody registers, enters and checks in, the organizer draws and starts the rounds,
// some play at their boards and then go home, one person comes late, one drops out, and one opens a dispute. Nothing here is asked
// of the service in any other way. It is for `tests/run long`: a night of 24 people at desktops, and one on phones, with games that are
// clicked to their ends. Each day its steps are tried apart: registering and entering (../entering.test.mjs), the desk, rulings and
// disputes (../organize.test.mjs), a table and its board (../table.test.mjs, ../lobby/lobby.test.mjs).
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { password } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, rows, violations } from '../support/browser.mjs';
import { clickOn } from '../support/table.mjs';

let bed;
let browser;
let reader;
const names = ['Ada', 'Ben', 'Carla', 'Dimitri', 'Elif', 'Femke', 'Goran', 'Hana', 'Ivo', 'Jale', 'Kofi', 'Lena', 'Mats', 'Nadia', 'Omar', 'Paula', 'Quentin',
  'Rosa', 'Sam', 'Tomke', 'Ursula', 'Vera', 'Wim', 'Xenia'];
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page) => page.getByRole('dialog');
const confirm = async (page, name) => {
  await dialog(page).getByRole('button', { name, exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
};
const panelSays = (page, text) => page.waitForFunction((wanted) => document.getElementById('mine-now')?.textContent.includes(wanted), text);
const deskSays = (page, text) => page.waitForFunction((wanted) => document.getElementById('next-about')?.textContent.includes(wanted), text);
const drawn = (page) => page.waitForSelector('main:not([aria-busy], [data-plain]) h1');

async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

// Does something for each of a list, three at a time.
async function forEach(list, act) {
  const left = [...list];
  await Promise.all(Array.from({ length: 3 }, async () => {
    while (left.length > 0) await act(left.shift());
  }));
}

for (const [device, settings] of [['desktops', desktop], ['phones', phone]])
  describe(`a club night on ${device}`, { skip: notLong }, () => {
    before(async () => {
      bed = new Testbed();
      const [service, launched] = await Promise.all([bed.startService(), launch()]);
      browser = launched;
      reader = new Reader(browser, service.client.port);
    });
    after(async () => {
      await reader?.close();
      await browser?.close();
      await bed?.end();
    });

    const people = names.map((name) => ({ name: `${name} of the ${device}`, settings, cookies: null }));
    const [late, ...early] = people;
    const [leaver, reporter] = early.slice(-2);
    let desk;
    let path; // of the event's page

    // A page of somebody who has signed in before.
    async function openAs(person, at) {
      const page = await reader.open(at, { ...person.settings, storageState: person.cookies });
      return page;
    }

    // Registers on the way to the event, and stays signed in.
    async function register(person) {
      const page = await reader.open(path, person.settings);
      await page.getByRole('link', { name: 'Sign in or create an account to enter' }).click();
      await page.fill('#register-name', person.name);
      await page.fill('#register-password', password);
      await page.locator('#register button').click();
      await page.waitForURL(reader.origin + path);
      await drawn(page);
      return page;
    }

    async function keep(person, page) {
      person.cookies = await page.context().storageState();
      await finish(page);
    }

    // The tables of a round as the desk shows them: [[name, ...], ...]. Games wait 10 s for the entropy of players who are not here.
    const tables = async (round) => {
      await desk.locator(`[id^="table-${round}-"] .seat-menu`).first().waitFor({ timeout: 60000 });
      return desk.locator(`[id^="table-${round}-"]`).evaluateAll((all) =>
        all.map((table) => [...table.querySelectorAll('.seat-menu > summary')].map((each) => each.textContent)));
    };

    const sitting = (list, person) => list.find((table) => table.some((text) => text.includes(person.name)));

    async function markAbsent(person) {
      await desk.locator('.seat-menu', { hasText: person.name }).evaluate((menu) => { menu.open = true; });
      await press(desk, `Mark absent: \u2068${person.name}\u2069`);
      await dialog(desk).locator('button.main').click();
      await dialog(desk).waitFor({ state: 'detached' });
    }

    // Two people of a table play at its board, to the end; all other people of the round have gone home.
    async function playRound(round, players) {
      for (const table of await tables(round)) {
        const going = people.filter((person) => table.some((text) => text.includes(person.name)) && !players.includes(person));
        for (const person of going) await markAbsent(person);
      }
      const pages = [];
      for (const [i, player] of players.entries()) {
        const page = await openAs(player, path);
        if (i === 0) await panelSays(page, 'at table');
        await page.locator('#mine-now a[href^="/games/"]').click();
        await page.waitForURL(/\/games\//);
        await page.waitForSelector('.board > *');
        pages.push(page);
      }
      await Promise.all(pages.map((page, i) => clickOn(page, i + 1, 3)));
      for (const page of pages) {
        await page.locator('main .badge.good', { hasText: 'proved by replay' }).waitFor();
        assert.equal(await overflow(page), 0);
      }
      return pages;
    }

    // The two who play a table: somebody, and somebody else who sits there.
    async function pairAt(round, person) {
      const table = sitting(await tables(round), person);
      return [person, people.find((each) => each !== person && table.some((text) => text.includes(each.name)))];
    }

    it('is made from a preset', async () => {
      desk = await reader.open('/login?next=/events/new', settings);
      await desk.fill('#register-name', `Host of the ${device}`);
      await desk.fill('#register-password', password);
      await desk.locator('#register button').click();
      await desk.waitForURL(`${reader.origin}/events/new`);
      await drawn(desk);
      await desk.fill('#setting-name', `Thursday on ${device}`);
      await desk.selectOption('#setting-ruleset', 'mall-world');
      await press(desk, 'Club night, 3 rounds');
      await desk.fill('#stage-0-rounds', '2');
      await desk.locator('#entries-more > summary').click();
      await desk.selectOption('#setting-entropy_seconds', { label: '10 seconds' });
      await press(desk, 'Create event');
      await desk.waitForURL(/\/manage$/);
      path = new URL(desk.url()).pathname.replace('/manage', '');
      await desk.waitForSelector('#do-open_entries');
      await press(desk, 'Open entries');
      await deskSays(desk, 'Players can enter');
    });

    it(`is entered by ${early.length} people, who check in`, async () => {
      await forEach(early, async (person) => {
        const page = await register(person);
        await press(page, 'Enter');
        await panelSays(page, 'Check in before entries close');
        await press(page, 'Check in');
        await panelSays(page, 'You are in, and checked in.');
        await keep(person, page);
      });
      await desk.waitForFunction((wanted) => document.querySelectorAll('#entries tbody tr').length === wanted, early.length);
      await press(desk, 'Close entries');
      await deskSays(desk, 'Round 1 can be paired');
    });

    it('begins, and takes a person who comes late', async () => {
      await press(desk, 'Pair round 1');
      await deskSays(desk, 'Round 1 is paired');
      await press(desk, 'Start round 1');
      await deskSays(desk, 'Round 1 is being played');
      const page = await register(late);
      await panelSays(page, 'Late entries are still accepted.');
      await press(page, 'Enter');
      await panelSays(page, 'You are in.');
      await isWell(page);
      await keep(late, page);
    });

    it('has a table that is played to its end, and a dispute about it', async () => {
      const pages = await playRound(1, await pairAt(1, reporter));
      await deskSays(desk, 'Round 2 can be paired');
      const [page, other] = pages;
      await press(page, 'Open a dispute');
      await dialog(page).locator('select').selectOption('rules');
      await dialog(page).locator('#text').fill('The last visitor was counted twice.');
      await isWell(page);
      await dialog(page).locator('button.main').click();
      await page.waitForURL(/\/disputes\//);
      await drawn(page);
      await finish(other);
      await desk.reload();
      await desk.getByRole('link', { name: /^The rules/ }).click();
      await desk.waitForURL(/\/disputes\//);
      await desk.getByText('The last visitor was counted twice.').waitFor();
      await press(desk, 'Give a ruling');
      await dialog(desk).locator('#reason').fill('The record shows each visitor once.');
      await press(desk, 'Show what this changes');
      await dialog(desk).locator('.preview > *').first().waitFor();
      await confirm(desk, 'Give this ruling');
      await desk.getByText('The record shows each visitor once.').waitFor();
      await isWell(desk);
      await page.getByText('The record shows each visitor once.').waitFor();
      await finish(page);
      await desk.goto(`${reader.origin}${path}/manage`);
      await drawn(desk);
    });

    it('goes on without a person who drops out', async () => {
      const page = await openAs(leaver, path);
      await press(page, 'Drop out');
      await confirm(page, 'Drop out');
      await panelSays(page, 'You have dropped out.');
      await finish(page);
      await deskSays(desk, 'Round 2 can be paired');
      await press(desk, 'Pair round 2');
      await deskSays(desk, 'Round 2 is paired');
      await press(desk, 'Start round 2');
      await deskSays(desk, 'Round 2 is being played');
      const seated = (await tables(2)).flat().map(plain);
      assert.ok(seated.some((text) => text.includes(late.name)));
      assert.ok(!seated.some((text) => text.includes(leaver.name)));
      for (const each of await playRound(2, await pairAt(2, late))) await finish(each);
      await deskSays(desk, 'All rounds have been played');
    });

    it('ends with standings that everybody reads', async () => {
      await press(desk, 'Close the event');
      await confirm(desk, 'Close the event');
      await deskSays(desk, 'The event is over');
      await isWell(desk);
      await finish(desk);
      const page = await openAs(late, path);
      await panelSays(page, 'place');
      const shown = (await rows(page, 'main .scroll')).map((row) => row[1].replace(' (dropped)', ''));
      assert.deepEqual([...shown].sort(), people.map((person) => person.name).sort());
      await isWell(page);
      await finish(page);
    });
  });
