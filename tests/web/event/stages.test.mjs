// An event of two stages, from check-in to its exports: what its organizer sees before the second one begins, what those who are not in it are
// told, and the standings of both as files.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { finish, overflow, phone, texts, violations } from '../support/browser.mjs';
import { client, organizer, players, read, reader } from '../support/read.mjs';
import { signIn } from '../support/table.mjs';

const refused = /40[0-9]/; // what the browser says of a request that the service refuses
let event;
let at;

read({ players: 5 }, async () => {
  event = good(await client.post('/v1/events', { name: 'Two stages', ruleset: 'superstore-3000', check_in: true,
    stages: [{ format: 'pod_swiss', rounds: 1, seats_min: 2, seats_max: 2, play: 'table' }, { format: 'single_elimination', entrants: 2, play: 'table' }] }, organizer.token));
  at = `/v1/events/${event.id}`;
  good(await client.post(`${at}/open-entries`, {}, organizer.token));
  for (const player of players) good(await client.post(`${at}/entries`, {}, player.token));
  for (const player of players.slice(0, 4)) good(await client.post(`${at}/entries/${player.id}/check-in`, {}, player.token));
});

async function mine(player, settings = {}) {
  const page = await signIn(reader, player, `/events/${event.id}`, settings);
  const words = await page.locator('#mine').textContent();
  assert.deepEqual(await violations(page), []);
  await finish(page);
  return words;
}

// What is said to a player before they ask for a bye.
async function aboutBye(player) {
  const page = await signIn(reader, player, `/events/${event.id}`);
  await page.getByRole('button', { name: 'Ask for a bye' }).click();
  const words = await page.locator('dialog h2 + p').textContent();
  await finish(page);
  return words;
}

describe('an event of two stages', () => {
  let standing; // players in the order of the first stage

  it('says who has not checked in, and what the next round begins', async () => {
    const desk = await signIn(reader, organizer, `/events/${event.id}/manage`, phone, refused);
    await desk.getByText('1 player has entered but not checked in, and takes no part if you close entries now.').waitFor();
    assert.equal(await overflow(desk), 0);
    assert.deepEqual(await violations(desk), []);
    await desk.getByRole('button', { name: 'Close entries' }).click();
    await desk.locator('#next .notice').waitFor({ state: 'detached' });
    assert.equal(await aboutBye(players[0]), 'You will not play in this round and get no points for it. Ask an arbiter if you think you should have points. In the rounds of a later bracket, your table waits for you instead.');
    good(await client.post(`${at}/rounds`, {}, organizer.token));
    good(await client.post(`${at}/rounds/1/reports`, { results: '1: 30 20\n2: 25 10' }, organizer.token));
    await desk.getByText('Round 2 can be paired. It begins stage 2, for the best 2 of the previous stage, listed below.').waitFor();
    const { rows } = good(await client.get(`${at}/standings`));
    standing = rows.map((row) => players.find(({ id }) => id === row.player.id));
    assert.deepEqual((await texts(desk, '#draft li bdi')).sort(), standing.slice(0, 2).map(({ name }) => name).sort());
    await finish(desk);
  });

  it('tells the players what comes next, and what a bye means in each stage', async () => {
    const page = await signIn(reader, standing[2], `/events/${event.id}`, phone);
    assert.match(await page.locator('#mine-now').textContent(), /Stage 2 comes next, for the best 2 of the stage before\.$/);
    await finish(page);
    assert.equal(await aboutBye(standing[0]), 'You will not play in this round. Your table plays in the next round instead, and everybody else at it has to wait.');
  });

  it('tells who is not in the second one, and who is out of its bracket', async () => {
    good(await client.post(`${at}/rounds`, {}, organizer.token));
    assert.match(await mine(standing[0]), /You are in\./);
    const words = await mine(standing[2], phone);
    assert.match(words, /You have not advanced to stage 2\./);
    assert.doesNotMatch(words, /You are in|Drop out/);
    good(await client.post(`${at}/rounds/2/reports`, { results: '1: 30 20' }, organizer.token));
    const { rows } = good(await client.get(`${at}/standings`));
    assert.match(await mine(players.find(({ id }) => id === rows[1].player.id)), /You are out of the bracket, in place 2\./);
  });

  it('has a place for everybody in the end, and both standings as files', async () => {
    good(await client.post(`${at}/close`, {}, organizer.token));
    const { places } = good(await client.get(`${at}/standings`));
    for (const stage of ['', '?stage=1']) {
      const page = await signIn(reader, standing[2], `/events/${event.id}${stage}`);
      assert.equal(await page.locator('#mine-now').textContent(), `You finished in place ${places.find(({ player }) => player.id === standing[2].id).place}.`);
      await finish(page);
    }
    const audit = await reader.open(`/events/${event.id}/audit`);
    assert.deepEqual((await texts(audit, '#files + ul li')).slice(1, 4), ['standings.csv', 'standings.csv (stage 1)', 'results.csv']);
    const links = await audit.locator('#files + ul a').evaluateAll((all) => all.slice(1, 3).map((each) => each.getAttribute('href')));
    const lines = await Promise.all(links.map(async (link) => (await client.get(link)).text.trim().split('\r\n').length));
    assert.deepEqual(lines, [3, 5]);
    await finish(audit);
  });
});
