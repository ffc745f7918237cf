// One's own account, by clicking; the badge of turns; signing in; and addresses that lead nowhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { good } from '../../api/support/client.mjs';
import { document as api } from '../../api/support/contract.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, password, play } from '../../api/support/play.mjs';
import { daily, notLong } from '../../long.mjs';
import { desktop, finish, overflow, phone, violations } from '../support/browser.mjs';
import { client, organizer, read, reader } from '../support/read.mjs';
import { signIn } from '../support/table.mjs';

read();

const refused = /40[0-9]|422/; // what the browser says of a request that the service refuses
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const confirm = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const says = (page, selector, text) => page.waitForFunction(([where, wanted]) => document.querySelector(where)?.textContent.includes(wanted), [selector, text]);
const me = (token) => client.get('/v1/me', { token });

async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

// Another session of a player.
const session = async ({ name }, word = password) => good(await client.post('/v1/tokens', { name, password: word })).token;

describe('limits', () => {
  it('are named by pages as the service has them', async () => {
    const text = readFileSync(new URL('../../../web-static/lib/limits.js', import.meta.url), 'utf8');
    const limits = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
    const { Credentials, NewPassword, NewToken, NewBot, AccountCopy } = api.components.schemas;
    const of = ({ minLength: least, maxLength: most }) => ({ least, most });
    for (const schema of [Credentials.properties.password, NewPassword.properties.new_password]) assert.deepEqual({ ...limits.passwordLength }, of(schema));
    assert.equal(limits.labelLength, NewToken.properties.label.maxLength);
    const { minimum, maximum, default: usual } = NewToken.properties.expires_in_days;
    assert.deepEqual({ ...limits.tokenDays }, { least: minimum, most: maximum, usual });
    assert.match(Credentials.properties.name.description, new RegExp(`^1 to ${limits.nameLength} bytes`));
    assert.match(NewBot.properties.name.description, new RegExp(`^1 to ${limits.botNameLength} bytes`));
    assert.equal(limits.botsMost, AccountCopy.properties.bots.maxItems);
    assert.equal(limits.webhooksMost, AccountCopy.properties.webhooks.maxItems);
    assert.equal(limits.emailLength, api.components.schemas.NewEmail.properties.email.maxLength);
  });
});

describe('signing in', () => {
  it('is asked for where a page needs it, which comes afterwards', async () => {
    const player = await makePlayer(client);
    const page = await reader.open('/login');
    assert.equal(await page.locator('main > .about').count(), 0);
    for (const address of ['/account', '/notices']) {
      await page.goto(reader.origin + address); // and nothing is refused on the way
      await page.waitForURL(`${reader.origin}/login?next=${address}`);
      await says(page, 'main > .about', 'Sign in to continue');
    }
    await page.fill('#sign-in-name', player.name);
    await page.fill('#sign-in-password', password);
    await page.press('#sign-in-password', 'Enter');
    await page.waitForURL(`${reader.origin}/notices`);
    await page.waitForSelector('#wishes');
    await finish(page);
  });

  it('says what is wrong for people, whatever the shape of it', async () => {
    const player = await makePlayer(client);
    const page = await reader.open('/login', {}, refused);
    for (const [name, word] of [[player.name, 'short'], [player.name, 'x'.repeat(200)], ['x'.repeat(190), password], [player.name, 'a wrong password']]) {
      await page.fill('#sign-in-name', name);
      await page.fill('#sign-in-password', word);
      await page.press('#sign-in-password', 'Enter');
      await says(page, '#sign-in .fault', 'Wrong name or password.');
    }
    assert.equal(await page.locator('#register-password-hint').textContent(), 'At least 10 characters; a short sentence works well.');
    await page.fill('#register-name', 'Somebody new');
    await page.fill('#register-password', 'ninechars');
    await page.press('#register-password', 'Enter');
    await says(page, '#register .fault', 'The password needs at least 10 characters.');
    await page.fill('#register-password', password);
    await page.fill('#register-name', '   ');
    await page.press('#register-password', 'Enter');
    await says(page, '#register .fault', 'Enter a name.');
    await page.fill('#register-name', player.name.toUpperCase());
    await page.press('#register-password', 'Enter');
    await says(page, '#register .fault', 'Another player has this name, or one that looks like it.');
    await page.fill('#register-name', 'Ad\u0430');
    await page.press('#register-password', 'Enter');
    await says(page, '#register .fault', 'Name: Must not mix scripts');
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });

  it('leads to the account, and strangers are led back to it', async () => {
    const player = await makePlayer(client);
    const page = await reader.open('/account');
    await page.waitForURL(`${reader.origin}/login?next=/account`);
    await page.fill('#sign-in-name', player.name);
    await page.fill('#sign-in-password', password);
    await page.press('#sign-in-password', 'Enter');
    await page.waitForURL(`${reader.origin}/account`);
    await page.waitForSelector('#sessions table');
    await page.goto(`${reader.origin}/login`);
    await page.waitForURL(`${reader.origin}/account`);
    await page.waitForSelector('#sessions table');
    assert.equal(await page.locator('#account').getAttribute('href'), '/account');
    await press(page, 'Sign out');
    await page.waitForURL(`${reader.origin}/login`);
    await page.waitForSelector('#sign-in');
    assert.equal(await page.locator('#account').getAttribute('href'), '/login');
    await finish(page);
  });
});

for (const [device, settings] of daily([['a phone', phone], ['a desktop', desktop]], 2)) describe(`the account on ${device}`, () => {
  const open = (player, more = {}) => signIn(reader, player, '/account', { ...settings, ...more }, refused);

  it('has another name and another password', async () => {
    const player = await makePlayer(client);
    const other = await makePlayer(client);
    const elsewhere = await session(player);
    const page = await open(player);
    await isWell(page);
    await page.fill('#new-name', other.name);
    await press(page, 'Change the name');
    await says(page, '#rename', 'Another player has this name');
    const name = `${player.name} of the Sea`;
    await page.fill('#new-name', name);
    await press(page, 'Change the name');
    await says(page, '#rename .done', 'Your name has been changed.');
    assert.equal(good(await me(player.token)).name, name);
    assert.equal(await page.locator('#account').textContent(), name);

    await press(page, 'Change the password');
    await says(page, '#old-password-fault', 'Fill this in.');
    await page.fill('#old-password', 'not my password');
    await page.fill('#new-password', 'ninechars');
    await press(page, 'Change the password');
    await says(page, '#new-password-fault', 'at least 10 characters');
    await page.fill('#new-password', 'staple of another kind');
    await press(page, 'Change the password');
    await says(page, '#old-password-fault', 'This is not your password.');
    good(await me(elsewhere));
    await page.fill('#old-password', password);
    await press(page, 'Change the password');
    await says(page, '#change-password .done', 'Your password has been changed.');
    assert.deepEqual(await page.locator('#change-password input').evaluateAll((all) => all.map((each) => each.value)), ['', '']);
    assert.equal((await me(elsewhere)).status, 401);
    await session({ name }, 'staple of another kind');
    await isWell(page);
    await finish(page);
  });

  it('lists its sessions, and ends one or all others', async () => {
    const player = await makePlayer(client);
    const lost = [await session(player), await session(player), player.token];
    for (const token of lost) good(await me(token));
    const page = await open(player);
    const rows = page.locator('#sessions tbody tr');
    assert.equal(await rows.count(), 4);
    assert.match(await rows.first().textContent(), /this browser, now/);
    assert.equal(await rows.first().getByRole('button').count(), 0);
    const { token: { id } } = good(await me(lost[0]));
    await page.locator(`#session-${id} button`).click();
    await page.waitForFunction((gone) => document.getElementById(`session-${gone}`) === null, id);
    assert.equal((await me(lost[0])).status, 401);
    for (const token of lost.slice(1)) good(await me(token));
    await isWell(page);
    await press(page, 'Sign out everywhere else');
    await page.waitForFunction(() => document.querySelectorAll('#sessions tbody tr').length === 1);
    for (const token of lost) assert.equal((await me(token)).status, 401);
    await finish(page);
  });

  it('makes tokens that are shown once, for itself and for its bots, and takes them back', async () => {
    const player = await makePlayer(client);
    const page = await open(player);
    await page.fill('#bot-name', `Till ${player.name}`);
    await press(page, 'Create a bot');
    const bot = page.locator('#bots li');
    await bot.waitFor();
    assert.equal(await bot.locator('a').textContent(), `Till ${player.name} [bot]`);
    await page.locator('#new-token summary').click();
    await press(page, 'Create the token');
    await says(page, '#token-label-fault', 'Fill this in.');
    await page.fill('#token-label', 'Laptop');
    for (const each of ['read', 'play']) await page.uncheck(`#scope-${each}`);
    await press(page, 'Create the token');
    await says(page, '#scope-read-fault', 'Choose what');
    await page.check('#scope-read');
    await press(page, 'Create the token');
    await page.waitForSelector('#token');
    const token = await page.locator('#token').textContent();
    await press(page, 'Copy');
    await says(page, '#copied', 'Copied.');
    assert.deepEqual(good(await me(token)).token.scopes, ['read']);
    await isWell(page);

    await bot.getByRole('button', { name: 'Create a token for' }).click();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'token-label');
    await page.fill('#token-label', 'Home');
    await press(page, 'Create the token');
    await says(page, '#made-token', 'Home');
    const own = await page.locator('#token').textContent();
    const { name, token: { scopes } } = good(await me(own));
    assert.deepEqual([name, scopes], [`Till ${player.name} [bot]`, ['read', 'play']]);
    assert.deepEqual((await page.locator('#tokens tbody th').allTextContents()).sort(), ['Home', 'Laptop']);

    await page.getByRole('button', { name: 'Revoke the token \u2068Laptop\u2069' }).click();
    assert.deepEqual(await violations(page), []);
    await confirm(page, 'Revoke');
    await page.waitForFunction(() => document.querySelectorAll('#tokens tbody tr').length === 1);
    assert.equal((await me(token)).status, 401);
    await bot.getByRole('button', { name: 'Delete' }).click();
    await confirm(page, 'Delete');
    await page.waitForFunction(() => document.querySelector('#bots li') === null && document.querySelector('#tokens tbody') === null);
    assert.equal((await me(own)).status, 401);
    await page.reload();
    await page.waitForSelector('#sessions table');
    assert.equal(await page.locator('#token').count(), 0);
    await finish(page);
  });

  it('gives a copy of its data', { skip: notLong }, async () => {
    const player = await makePlayer(client);
    const page = await open(player);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the copy' }).click()]);
    assert.equal(download.suggestedFilename(), 'tillroll-account.json');
    const copy = JSON.parse(readFileSync(await download.path(), 'utf8'));
    assert.deepEqual([copy.account.name, copy.tokens.length, copy.complete], [player.name, 2, true]);
    await finish(page);
  });

  it('is in German, all of it, by the choice on the page', { skip: notLong }, async () => {
    const page = await open(await makePlayer(client));
    await page.selectOption('#own-language', 'de');
    await says(page, 'h1', 'Ihr Konto');
    assert.deepEqual(await page.locator('main h2').allTextContents(), ['Ihre laufenden Partien', 'Name', 'Passwort', 'E-Mail', 'Wo Sie eingeloggt sind', 'Tokens für Programme', 'Bots', 'Züge signieren',
      'Sprache', 'Eine Kopie Ihrer Daten', 'Konto löschen']);
    await page.fill('#bot-name', `Rechner on ${device}`);
    await press(page, 'Bot anlegen');
    await page.locator('#bots li').waitFor();
    await isWell(page);
    // A session that goes on is not said to be over.
    await page.route('**/v1/tokens/current', (route) => route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify({ code: 'busy', status: 409, detail: 'Busy.' }) }));
    await press(page, 'Ausloggen');
    await page.getByText('Busy.').waitFor();
    assert.equal(page.url(), `${reader.origin}/account`);
    assert.notEqual(await page.evaluate(() => localStorage.getItem('tillroll.player')), null);
    await finish(page);
  });

  it('is deleted with the password, but not while somebody waits for it', async () => {
    const [player, ...others] = await makePlayers(client, 3);
    const { game, event } = await makeGame(client, organizer, [player, ...others]);
    const page = await open(player);
    assert.match(await page.locator('#games li', { has: page.locator(`a[href="/games/${game.id}"]`) }).textContent(), / against ./);
    await press(page, 'Delete my account');
    await isWell(page);
    await page.fill('#delete-password', 'wrong');
    await confirm(page, 'Delete my account');
    await says(page, 'dialog', 'This is not your password.');
    await page.fill('#delete-password', password);
    await confirm(page, 'Delete my account');
    await says(page, 'dialog', 'still has a seat in a running game');
    good(await me(player.token));
    await endQuietly(client, game, organizer);
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    await confirm(page, 'Delete my account');
    await says(page, 'main', 'Your account is deleted');
    await isWell(page);
    assert.equal((await me(player.token)).status, 401);
    assert.match(good(await client.get(`/v1/players/${player.id}`)).name, /^Deleted player [0-9a-f]{12}$/);
    assert.equal(await page.locator('#account').textContent(), 'Sign in');
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.waitForURL(`${reader.origin}/`);
    await finish(page);
  });
});

describe('signing in', () => {
  it('is refused at one form, until the other is used', async () => {
    const page = await reader.open('/login', desktop, refused);
    const submit = async (form, name, word) => {
      await page.fill(`#${form}-name`, name);
      await page.fill(`#${form}-password`, word);
      await page.locator(`#${form} button`).click();
    };
    await submit('sign-in', 'Nobody of that name', password);
    await says(page, '#sign-in .fault', 'Wrong name or password.');
    await submit('register', 'Nobody of that name', 'short');
    await says(page, '#register .fault', 'at least 10 characters');
    assert.equal(await page.locator('#sign-in .fault').textContent(), '');
    await finish(page);
  });
});

describe('the badge in the head', () => {
  it('counts the tables at which it is one’s turn, on every page, and follows what happens', { skip: notLong }, async () => {
    const players = await makePlayers(client, 3);
    const { game } = await makeGame(client, organizer, players);
    const { deciders: [seat] } = good(await client.get(game.at));
    const [mover, other] = [game.players[seat], game.players[(seat + 1) % 3]];
    const page = await signIn(reader, mover, '/leaderboard');
    const badge = page.locator('#turns');
    await badge.waitFor();
    assert.deepEqual([await badge.textContent(), await badge.getAttribute('aria-label'), await badge.getAttribute('href')], ['1', 'Your turn at 1 table', '/']);
    assert.equal(await page.locator('#account + #turns').count(), 1); // before the name it seemed to belong to "Docs"
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize(phone.viewport);
    assert.equal(await overflow(page), 0);
    await page.setViewportSize(desktop.viewport);
    const waiting = await signIn(reader, other, '/leaderboard');
    assert.equal(await waiting.locator('#turns').count(), 0);
    await finish(waiting);
    await page.goto(`${reader.origin}/docs`); // its pages have a script of their own
    await badge.waitFor();
    assert.deepEqual(await violations(page), []);
    await page.goto(`${reader.origin}/games/${game.id}`);
    await badge.waitFor();
    while (good(await client.get(game.at)).deciders.includes(seat)) {
      const { moves, seq } = await legalMoves(client, game, seat);
      good(await play(client, game, seat, [moves.includes('end') ? 'end' : moves[0]], seq));
    }
    await badge.waitFor({ state: 'detached' }); // by the game's stream
    await finish(page);
  });

  it('is not asked for by strangers', { skip: notLong }, async () => {
    const page = await reader.open('/docs');
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${reader.origin}/leaderboard`);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    await page.waitForLoadState('networkidle');
    assert.ok(asked.length > 3);
    assert.deepEqual(asked.filter((each) => each.startsWith('/v1/me')), []);
    await finish(page);
  });
});

describe('an address that leads nowhere', () => {
  const some = '01900000-0000-7000-8000-000000000000';
  const addresses = ['/nothing', '/nothing/at/all', '/events/first', `/events/${some}`, `/players/${some}`, '/docs/none/none', `/events/${some}/rounds/1`, '/practice/chess', '/games/chess/statistics'];
  const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('has a page for a browser, and a problem for a program', async () => {
    for (const address of addresses) {
      const page = await client.get(address, { unchecked: true, headers: html });
      assert.equal(page.status, 404, address);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8', address);
      assert.match(page.text, /<h1>There is nothing here<\/h1>[^]*<a href="\/#events">All events<\/a>[^]*<a href="\/docs">/);
    }
    for (const address of ['/v1/nothing', '/v1', '/v1/events/first', '/static/none.js', '/static/lib/none.js', '/nothing']) {
      const answer = await client.get(address, { unchecked: true, headers: address === '/nothing' ? { Accept: '*/*' } : html });
      assert.equal(answer.status, 404, address);
      assert.equal(answer.headers['content-type'], 'application/problem+json', address);
    }
    const posted = await client.request('POST', '/nothing', { json: {}, headers: html, unchecked: true });
    assert.deepEqual([posted.status, posted.headers['content-type']], [404, 'application/problem+json']);
  });

  for (const [locale, heading] of daily([['en-GB', 'There is nothing here'], ['de-DE', 'Hier ist nichts']], 2)) it(`helps to go on, by links and by a search (${locale})`, async () => {
    const player = await makePlayer(client, 'Wanted');
    for (const address of daily([`/events/${some}`, '/nothing', '/events/first', `/games/${some}`, `/players/${some}`], 5)) {
      const page = await reader.open(address, { locale }, /404/);
      await page.waitForSelector('#search');
      assert.equal(await page.locator('h1').textContent(), heading, address);
      assert.deepEqual(await page.locator('main .links a').evaluateAll((all) => all.map((each) => each.getAttribute('href'))), ['/#events', '/leaderboard', '/docs']);
      await page.fill('#search-words', player.name);
      await page.locator(`#search a[href="/players/${player.id}"]`).waitFor();
      await isWell(page);
      await page.setViewportSize(phone.viewport);
      assert.equal(await overflow(page), 0);
      await finish(page);
    }
  });

  it('can be read without scripts', { skip: notLong }, async () => {
    const page = await reader.open('/nothing', { javaScriptEnabled: false }, /404/);
    assert.equal(await page.locator('h1').textContent(), 'There is nothing here');
    assert.equal(await page.locator('main .links a').count(), 3);
    await finish(page);
  });
});
