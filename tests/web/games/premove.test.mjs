// A move prepared in advance: it stays in the page's tab, and is played when the turn comes, or dropped with a sentence.
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { legalMoves, makeGame, makePlayers, password, play } from '../../api/support/play.mjs';
import { until } from '../../api/support/waiting.mjs';
import { notLong } from '../../long.mjs';
import { desktop, finish, overflow, phone, violations } from '../support/browser.mjs';
import { client, organizer, read, reader } from '../support/read.mjs';
import { signIn } from '../support/table.mjs';

read();

const deciders = async (game) => good(await client.get(game.at)).deciders;

// Plays for a seat until it has no move left in its turn, from the end of the list or from the start of it.
async function endTurn(game, seat) {
  for (;;) {
    const { moves, seq } = await legalMoves(client, game, seat);
    if (moves.length === 0) return;
    good(await play(client, game, seat, [moves.find((move) => move.startsWith('end')) ?? moves[0]], seq));
  }
}

async function picture(page, name) {
  if (process.env.TILLROLL_PICTURES !== undefined) await page.screenshot({ path: `${process.env.TILLROLL_PICTURES}/${name}.png` });
}

// A game of two in which the first to move has had a turn, with the page of that player.
async function waiting(device) {
  const { game } = await makeGame(client, organizer, await makePlayers(client, 2), { seats_min: 2, seats_max: 2 });
  const [own] = await deciders(game);
  const page = await signIn(reader, game.players[own], `/games/${game.id}`, device);
  await page.locator('.play[data-turn=yes] .choices button').first().waitFor();
  await endTurn(game, own);
  await page.getByRole('button', { name: 'Prepare a move', exact: true }).waitFor();
  assert.equal(await page.getByLabel('Play a sound when it is my turn').isChecked(), false); // switched on by who waits
  await page.getByRole('button', { name: 'Prepare a move', exact: true }).click();
  return { game, own, page };
}

// Follows the first words that are offered until a move is whole, and prepares it.
async function prepare(page) {
  const whole = page.getByRole('button', { name: 'Prepare this move', exact: true });
  while (!(await whole.isVisible())) await page.locator('.play .choices button').first().click();
  await whole.click();
  await page.locator('.play').getByText('Prepared. It is played when your turn comes').waitFor();
}

// What the tab keeps for its account.
const kept = (page) => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('tillroll.own.')));

const ownPlies = async (game, seat) => good(await client.get(`${game.at}/events`)).items.filter((item) => item.kind === 'ply' && item.seat === seat).length;

it('is played when the turn comes, and was known to the page alone before', async () => {
  const { game, own, page } = await waiting(desktop);
  assert.deepEqual(await violations(page), []);
  const before = await ownPlies(game, own);
  await prepare(page);
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
  await picture(page, 'prepared');
  await page.reload();
  await page.locator('.play').getByText('Prepared. It is played when your turn comes').waitFor();
  assert.equal((await kept(page)).length, 1);
  assert.equal(await ownPlies(game, own), before); // nothing was sent
  await endTurn(game, 1 - own);
  const outcome = await until(60, 'the move is played or dropped', async () => {
    if ((await ownPlies(game, own)) > before) return 'played';
    return (await page.getByText('The move you prepared is not legal now').isVisible()) ? 'dropped' : null;
  });
  assert.equal(outcome, 'played');
  assert.ok(!(await page.locator('.play').getByText('Prepared. It is played').isVisible()));
  await finish(page);
});

it('is dropped with a sentence where it is not legal any more', async () => {
  const { game, own, page } = await waiting(phone);
  const before = await ownPlies(game, own);
  await prepare(page);
  assert.equal(await overflow(page), 0);
  await picture(page, 'prepared-phone');
  // As if the other had made it illegal.
  await page.route('**/legal-moves', async (route) => {
    const answer = await route.fetch();
    const found = await answer.json();
    await route.fulfill({ response: answer, json: { ...found, moves: found.moves.slice(-1) } });
  });
  await endTurn(game, 1 - own);
  await page.getByText('The move you prepared is not legal now, so it was not played.').waitFor();
  assert.equal(await ownPlies(game, own), before);
  assert.deepEqual(await violations(page), []);
  await finish(page);
});

it('is nobody else\'s: another account finds nothing of it, nor does the player after signing out or moving elsewhere', { skip: notLong }, async () => {
  const { game, own, page } = await waiting(desktop);
  await prepare(page);
  const [key] = await kept(page);
  const text = await page.evaluate((name) => sessionStorage.getItem(name), key);
  const found = () => page.locator('.play').getByText('Prepared. It is played when your turn comes').isVisible();
  const comeBack = async () => {
    await page.goto(`${reader.origin}/games/${game.id}`);
    await page.locator('.play').waitFor();
  };
  await page.goto(`${reader.origin}/account`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL((url) => url.pathname !== '/account');
  assert.deepEqual(await kept(page), []);
  // As if the tab had not heard of it.
  for (const other of [null, game.players[1 - own]]) {
    await page.evaluate(([name, value]) => sessionStorage.setItem(name, value), [key, text]);
    if (other !== null) {
      await page.context().request.post(`${reader.origin}/v1/sessions`, { headers: { Origin: reader.origin }, data: { name: other.name, password } });
      await page.evaluate((value) => localStorage.setItem('tillroll.player', value), JSON.stringify({ id: other.id, name: other.name }));
    }
    await comeBack();
    assert.ok(!await found());
    assert.deepEqual(await kept(page), []);
  }
  await finish(page);
});

it('can be discarded', { skip: notLong }, async () => {
  const { game, own, page } = await waiting(desktop);
  const before = await ownPlies(game, own);
  await prepare(page);
  await page.getByRole('button', { name: 'Discard the prepared move', exact: true }).click();
  await endTurn(game, 1 - own);
  await page.locator('.play[data-turn=yes]').waitFor();
  assert.equal(await ownPlies(game, own), before);
  await finish(page);
});

it('the page of a game says how many watch it, which players do not count for', async () => {
  const { game } = await makeGame(client, organizer, await makePlayers(client, 2), { seats_min: 2, seats_max: 2 });
  const seat = await signIn(reader, game.players[0], `/games/${game.id}`, desktop);
  const watcher = await reader.open(`/games/${game.id}`, phone);
  for (const page of [seat, watcher]) {
    await page.getByText('1 watching.').waitFor();
    assert.deepEqual(await violations(page), []);
  }
  assert.equal(await overflow(watcher), 0);
  await picture(watcher, 'watching');
  for (const page of [seat, watcher]) await finish(page);
});
