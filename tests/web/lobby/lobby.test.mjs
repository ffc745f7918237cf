// The lobby in a browser: two guests meet by a link and play, one of them makes an account, and they play again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { makePlayers, password } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { until } from '../../api/support/waiting.mjs';
import { daily, notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

let bed;
let client;
let browser;
let reader;
let ada;
let ben;
before(async () => {
  bed = new Testbed();
  const [service, launched] = await Promise.all([bed.startService(), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  [ada, ben] = await makePlayers(client, 2, 'Lobby');
});
after(async () => {
  await reader.close();
  await browser.close();
  await bed.end();
});

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
// What the service refuses is no fault of the page's.
const openAt = (path, settings) => reader.open(path, settings, /40\d/);
const drawn = (page) => page.waitForSelector('main:not([aria-busy], [data-plain]) h1');

async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

async function nameGuest(page, name, label) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your name').fill(name);
  await isWell(page);
  await dialog.getByRole('button', { name: label, exact: true }).click();
}

const gameAt = (page) => /\/games\/([0-9a-f-]{36})$/.exec(page.url())?.[1];

// What a page does by its cookie.
const ask = (page, method, path, body) => page.evaluate(async ([how, at, sent]) => {
  const answer = await fetch(at, { method: how, headers: sent === null ? {} : { 'Content-Type': 'application/json' }, body: sent === null ? null : JSON.stringify(sent) });
  return { status: answer.status, json: await answer.json().catch(() => null) };
}, [method, path, body ?? null]);

// Clicks once towards a move: on what sends it, or else on the first word that is offered.
const clickOnce = (page) => page.evaluate(() => {
  const table = document.getElementById('table');
  (table.querySelector('.ready button') ?? table.querySelector('.choices button'))?.click();
});

// Plays first legal moves by the page's cookie for as long as its player has to move, without drawing a board.
const playTurn = (page, id) => page.evaluate(async (game) => {
  const at = `/v1/games/${game}`;
  for (;;) {
    const { moves, seq } = await (await fetch(`${at}/legal-moves`)).json();
    if (moves.length === 0) return;
    const answer = await fetch(`${at}/moves`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ moves: [moves[0]], seq }) });
    if (!answer.ok) throw new Error(await answer.text());
  }
}, id);

const isOver = async (id) => good(await client.get(`/v1/games/${id}`)).state === 'finished';

describe('two guests, one at a desktop and one at a phone', () => {
  let host;
  let friend;
  let game;
  const names = { host: 'Mo', friend: 'Ida' };

  it('open a table, and meet by its link', async () => {
    host = await openAt('/', desktop);
    await host.getByRole('link', { name: 'Play', exact: true }).click();
    await drawn(host);
    await isWell(host);
    await host.getByText('Open a table', { exact: true }).click();
    await host.getByLabel('Game', { exact: true }).selectOption('shinjuku');
    await host.getByLabel('Seats', { exact: true }).selectOption('2');
    await host.getByLabel('Show it in the lobby').uncheck();
    await isWell(host);
    await press(host, 'Open the table');
    await nameGuest(host, names.host, 'Open the table');
    await host.waitForURL(/\/join\/[a-z2-7]{20}$/);
    await host.getByText('Waiting for one more player.').waitFor();
    await isWell(host);
    const link = await host.locator('#invitation-link').inputValue();
    assert.equal(link, host.url());
    await press(host, 'Copy the link');
    await host.getByText('Copied.').waitFor();
    friend = await openAt(new URL(link).pathname, phone);
    await friend.getByText(`${names.host} [guest]`).waitFor();
    await isWell(friend);
    await press(friend, 'Take a seat');
    await nameGuest(friend, names.friend, 'Take a seat');
    await friend.waitForURL(/\/games\//);
    await host.waitForURL(/\/games\//);
    game = gameAt(host);
    assert.equal(gameAt(friend), game);
  });

  it('play some moves at the board', async () => {
    const { seats } = good(await client.get(`/v1/games/${game}`));
    assert.deepEqual(seats.map((seat) => seat.player.name).sort(), Object.values(names).map((name) => `${name} [guest]`).sort());
    for (let i = 0; i < 4; i++) {
      const { deciders, seq } = good(await client.get(`/v1/games/${game}`));
      const mover = seats[deciders[0]].player.name.startsWith(names.host) ? host : friend;
      await until(60, 'a move is played', async () => {
        await clickOnce(mover);
        return good(await client.get(`/v1/games/${game}`)).seq > seq;
      });
    }
    await isWell(host);
    await isWell(friend);
  });

  it('find on their pages what guests have, and how to have more', async () => {
    const home = friend.url();
    await friend.locator('#account').click();
    await friend.getByRole('heading', { name: 'You are a guest', level: 1 }).waitFor();
    assert.ok(await friend.locator('#make-account').isVisible());
    assert.equal(await friend.locator('#games a').first().getAttribute('href'), `/games/${game}`);
    await isWell(friend);
    await press(friend, 'Sign out');
    await friend.getByRole('dialog').getByText('you cannot come back under this name').waitFor();
    await isWell(friend);
    await friend.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    for (const path of daily(['/notices', '/events/new', '/'], 2)) {
      await friend.goto(`${reader.origin}${path}`);
      await drawn(friend);
      const there = friend.locator('main').getByRole('link', { name: 'Create an account', exact: true });
      await there.waitFor();
      assert.equal(await there.getAttribute('href'), '/account');
      assert.equal(await friend.getByRole('link', { name: 'Create event' }).count(), 0);
      await isWell(friend);
    }
    await friend.goto(home);
    await friend.waitForSelector('.board > *');
  });

  it('one of them makes an account, and keeps the game', async () => {
    await host.goto(`${reader.origin}/lobby`);
    await drawn(host);
    await host.getByText('You are playing as a guest.').click();
    await isWell(host);
    assert.equal(await host.getByLabel('Name', { exact: true }).inputValue(), names.host);
    await host.locator('#account-password').fill(password);
    await press(host, 'Create an account');
    await host.waitForFunction((name) => document.getElementById('account')?.textContent === name, names.host);
    await drawn(host);
    assert.equal(await host.locator('#make-account').count(), 0);
    const { items } = (await ask(host, 'GET', '/v1/me/games')).json;
    assert.deepEqual(items.map((each) => each.id), [game]);
    assert.equal(good(await client.post('/v1/tokens', { name: names.host, password })).player.id, (await ask(host, 'GET', '/v1/me')).json.id);
  });

  it('have a rematch when the game is over', { skip: notLong }, async () => {
    for (const page of [host, friend]) await page.goto(`${reader.origin}/docs`);
    for (let i = 0; i < 1000 && !(await isOver(game)); i++) for (const page of [host, friend]) await playTurn(page, game);
    for (const page of [host, friend]) {
      await page.goto(`${reader.origin}/games/${game}`);
      await page.locator('#ask-rematch').waitFor();
    }
    await isWell(host);
    await press(host, 'Rematch');
    await host.waitForURL(/\/join\//);
    await host.getByText('Waiting for one more player.').waitFor();
    await host.getByText('invited', { exact: true }).waitFor();
    await isWell(host);
    await friend.getByText('asks for a rematch.').waitFor();
    await press(friend, 'Rematch');
    await friend.waitForURL((url) => gameAt(friend) !== undefined && !url.pathname.endsWith(game));
    await host.waitForURL(/\/games\//);
    assert.equal(gameAt(host), gameAt(friend));
    await finish(host);
    await finish(friend);
  });
});

describe('the lobby', () => {
  it('has open tables by game, at which a seat is taken', async () => {
    const table = good(await client.post('/v1/lobby', { ruleset: 'mall-world', seats: 4 }, ada.token));
    const page = await signIn(reader, ben, '/lobby');
    await page.getByRole('heading', { name: 'Mall World', level: 3 }).waitFor();
    await isWell(page);
    await page.locator(`[data-sit="${table.id}"]`).click();
    await page.waitForURL(/\/join\//);
    await page.getByText('Waiting for 2 more players.').waitFor();
    const creator = await signIn(reader, ada, '/lobby', phone);
    await creator.locator('#your-tables a').click();
    await creator.getByText('Waiting for 2 more players.').waitFor();
    await isWell(creator);
    await press(page, 'Leave the table');
    await page.waitForURL(/\/lobby$/);
    await creator.getByText('Waiting for 3 more players.').waitFor();
    await press(creator, 'Close the table');
    await creator.waitForURL(/\/lobby$/);
    await finish(page);
    await finish(creator);
  });

  it('plays on when somebody leaves, and waits for who was absent', async () => {
    const [cleo, admin] = await makePlayers(client, 2, 'Presence');
    bed.tillroll('admin', 'grant', admin.name, 'admin');
    const table = good(await client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 3 }, ada.token));
    good(await client.post(`/v1/lobby/${table.id}/seat`, {}, ben.token));
    const { game } = good(await client.post(`/v1/lobby/${table.id}/seat`, {}, cleo.token));
    const read = async () => good(await client.get(`/v1/games/${game}`));
    const { seats, deciders: [turn] } = await read();
    const absent = (turn + 1) % 3;
    const at = (seat) => [ada, ben, cleo].find((each) => each.id === seats[seat].player.id);
    good(await client.post(`/v1/games/${game}/fallback`, { seat: absent }, admin.token));
    const page = await signIn(reader, at(absent), `/games/${game}`, phone);
    await page.getByText('You are absent: fallback moves are played for you until you come back.').waitFor();
    await isWell(page);
    await press(page, 'I am back');
    await page.locator('#absence').waitFor({ state: 'detached' });
    assert.equal((await read()).seats[absent].fallback, false);
    // A player who leaves on their turn still has legal moves, but cannot prepare any.
    const other = await signIn(reader, at(turn), `/games/${game}`, desktop);
    await other.locator('.choices button').first().waitFor();
    await press(other, 'Leave the game');
    await other.getByRole('dialog').getByText(/play on\. Fallback moves are played for your seat, and you rank below them\./).waitFor();
    await other.getByRole('dialog').getByRole('button', { name: 'Leave the game' }).click();
    await other.getByText('You have left this game.').waitFor();
    await other.locator('.play', { hasText: 'Waiting for' }).waitFor();
    assert.deepEqual(await other.locator('.play button').allTextContents(), ['Rules']);
    await isWell(other);
    await page.getByText(`${at(turn).name} is out of the game.`).first().waitFor();
    assert.equal((await read()).state, 'running');
    await finish(page);
    await finish(other);
  });

  it('starts with fewer when its creator says so', { skip: notLong }, async () => {
    const table = good(await client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 4 }, ada.token));
    const page = await signIn(reader, ada, `/join/${table.code}`);
    assert.equal(await page.locator('#start').count(), 0);
    good(await client.post(`/v1/lobby/${table.id}/seat`, {}, ben.token));
    await press(page, 'Start with 2 players');
    await page.waitForURL(/\/games\//);
    await finish(page);
  });

  it('is for accounts if it is rated, and makes nobody a guest in vain', async () => {
    const table = good(await client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 2, rated: true, listed: true }, ada.token));
    const page = await reader.open(`/join/${table.code}`);
    await press(page, 'Take a seat');
    await page.getByText('You need an account to play for ratings.').waitFor();
    assert.equal(await page.locator('#steps .fault a').getAttribute('href'), `/login?next=/join/${table.code}`);
    await page.goto(`${reader.origin}/lobby`);
    await page.click(`[data-sit="${table.id}"]`);
    await page.getByText('You need an account to play for ratings.').waitFor();
    await page.click('#new > summary, details:has(#new-form) > summary');
    await page.check('#new-rated');
    await page.click('#new-form button[type=submit]');
    await page.locator('#new-form .fault a').waitFor();
    assert.equal(await page.locator('dialog').count(), 0);
    assert.equal(await page.evaluate(() => localStorage.getItem('tillroll.player')), null);
    await finish(page);
    await client.delete(`/v1/lobby/${table.id}/seat`, ada.token);
  });

  it('can be read without scripts, and says what is not there', async () => {
    const table = good(await client.post('/v1/lobby', { ruleset: 'superstore-3000', seats: 2, clock: { bank_ms: 600000, increment_ms: 10000 } }, ada.token));
    const page = await reader.open('/lobby', { javaScriptEnabled: false });
    const row = (await page.locator('main tbody tr').first().innerText()).replace(/\s+/g, ' ');
    assert.match(row, /^Superstore 3000 .*1 of 2 seats 10 minutes a player and 10 seconds more for each move no /);
    await page.getByRole('link', { name: 'Shinjuku' }).first().waitFor();
    await page.goto(`${reader.origin}/join/${table.code}`);
    assert.match(await page.locator('main').innerText(), /unrated: 1 of 2 seats/);
    await finish(page);
    const missing = await reader.open('/join/aaaaaaaaaaaaaaaaaaaa', {}, /404/);
    await missing.getByText('There is no such invitation.').waitFor();
    await finish(missing);
    good(await client.get(`/v1/lobby/${table.id}`));
    await client.delete(`/v1/lobby/${table.id}/seat`, ada.token);
  });

  it('is in German for who asks for it', { skip: notLong }, async () => {
    const table = good(await client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 3 }, ada.token));
    const page = await reader.open('/lobby', { locale: 'de-DE', ...phone });
    await page.getByRole('heading', { name: 'Spielen', level: 1 }).waitFor();
    await page.getByText('Tisch öffnen', { exact: true }).click();
    await isWell(page);
    await page.goto(`${reader.origin}/join/${table.code}`);
    await page.getByText('Es fehlen noch 2 Personen.').waitFor();
    await isWell(page);
    await finish(page);
  });
});
