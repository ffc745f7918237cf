// Keys in a browser: made and kept there, registered, and used to sign what is played on the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { sealed } from '../engine/wasm/bundles.mjs';
import { bytes, give, look, waitingGame } from '../api/support/entropy.mjs';
import { legalMoves, makeEvent, makeGame, makePlayer, makePlayers, now, password, play, Random, untilTurn } from '../api/support/play.mjs';
import { keysAt, makeKey, register, registration } from '../api/support/signing.mjs';
import { until } from '../api/support/waiting.mjs';
import { notLong } from '../long.mjs';
import { finish, overflow, phone, violations } from './support/browser.mjs';
import { bed, client, organizer, read, reader } from './support/read.mjs';
import { signIn } from './support/table.mjs';

read();

const keysOf = async (player) => good(await client.get(keysAt(player)));
const signaturesOf = async (game) => (await client.get(`${game.at}/signatures`)).text.trimEnd().split('\n').slice(2);
const required = (player) => until(60, 'signatures are required', async () => (await keysOf(player)).required);
const written = (game, seq) => until(60, `line ${seq} is written`, async () => (await now(client, game)).seq >= seq);
const press = (page, what) => page.click(`#signing [data-do=${what}]`);
const inUse = (page, hex) => page.waitForSelector(`#signing p code:text-is("${hex}")`);
// Plays the first move that the words of the page make, by clicking.
async function clickMove(page) {
  while ((await page.locator('.ready button').count()) === 0) await page.locator('.choices button').first().click();
  await page.locator('.ready button').click();
}

describe('a key in a browser', () => {
  it('is made, replaced and revoked on the player’s own page', async () => {
    const player = await makePlayer(client);
    const page = await signIn(reader, player, '/account');
    assert.deepEqual(await violations(page), []);
    await press(page, 'make');
    await page.waitForSelector('#signing [data-do=revoke]');
    const first = (await keysOf(player)).in_use;
    await inUse(page, first);
    await page.check('#signing-required');
    await required(player);
    await press(page, 'make');
    await page.waitForFunction((hex) => !document.querySelector('#signing p code').textContent.includes(hex), first);
    const keys = await keysOf(player);
    assert.deepEqual([keys.keys.length, keys.keys[0].replaced_at !== null, keys.keys[1].endorsement?.length], [2, true, 128]);
    await inUse(page, keys.in_use);
    await page.click('#signing-history summary');
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize(phone.viewport);
    assert.equal(await overflow(page), 0);
    // No script of the page can take it away.
    assert.deepEqual(await page.evaluate(async () => {
      const opening = indexedDB.open('tillroll', 1);
      const database = await new Promise((resolve) => (opening.onsuccess = () => resolve(opening.result)));
      const reading = database.transaction('keys').objectStore('keys').getAll();
      const kept = await new Promise((resolve) => (reading.onsuccess = () => resolve(reading.result)));
      const taken = await Promise.all(kept.map(({ key }) => crypto.subtle.exportKey('pkcs8', key).then(() => 'taken', (error) => error.name)));
      return [kept.length, taken];
    }), [2, ['InvalidAccessError', 'InvalidAccessError']]);
    await press(page, 'revoke');
    const asked = page.getByRole('dialog');
    assert.match(await asked.textContent(), /This cannot be undone\./);
    assert.deepEqual(await violations(page), []);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await inUse(page, keys.in_use); // nothing is done yet
    assert.equal((await keysOf(player)).in_use, keys.in_use);
    await press(page, 'revoke');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.waitForFunction(() => document.querySelector('#signing [data-do=revoke]') === null);
    assert.equal((await keysOf(player)).in_use, null);
    await finish(page);
  });

  // At the desk of an event that requires it.
  async function cancel(page, event) {
    await page.goto(`${reader.origin}/events/${event.id}/manage`);
    await page.locator('#other-steps > summary').click();
    await page.getByRole('button', { name: 'Cancel the event', exact: true }).click();
    await page.locator('dialog[open] #reason').fill('The hall is closed.');
    await page.locator('dialog[open]').getByRole('button', { name: 'Cancel the event', exact: true }).click();
  }

  it('is made with an account, and signs from the first game on', async () => {
    const page = await reader.open('/login');
    await page.fill('#register-name', 'Somebody with a key');
    await page.fill('#register-password', password);
    await page.press('#register-password', 'Enter');
    await page.waitForSelector('#signing [data-do=revoke]');
    const { id } = await page.evaluate(async () => (await fetch('/v1/me')).json());
    const { in_use: hex, required: only } = await keysOf({ id });
    await inUse(page, hex);
    assert.equal(only, false);
    assert.deepEqual(await violations(page), []);
    // Signing in again, and an account that was made elsewhere, change nothing.
    const other = await makePlayer(client);
    await (await signIn(reader, other, '/account')).close();
    assert.equal((await keysOf(other)).in_use, null);
    await finish(page);
  });

  it('signs what an official decides, and the verification page checks it', async () => {
    const official = await makePlayer(client);
    const page = await signIn(reader, official, '/account', {}, /403/);
    await press(page, 'make');
    await page.waitForSelector('#signing [data-do=revoke]');
    const event = good(await client.post('/v1/events', { name: 'Rainy day', ruleset: 'shinjuku', rounds: 1, official_signatures: 'required' }, official.token));
    await cancel(page, event);
    await until(60, 'the event is cancelled', async () => good(await client.get(`/v1/events/${event.id}`)).cancelled);
    const last = good(await client.get(`/v1/events/${event.id}/log`)).items.at(-1);
    assert.deepEqual([last.kind, last.signature?.key], ['cancelled', (await keysOf(official)).in_use]);
    const bundle = (await client.get(`/v1/events/${event.id}/bundle`)).text;
    const lines = bundle.split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"base":'));
    const spoilt = lines.map((line, i) => (i === at ? line.replace(/"signature":"(.)/, (_, digit) => `"signature":"${digit === '0' ? 1 : 0}`) : line)).join('\n');
    for (const [text, words] of [
      [bundle, 'Officials\' signatures: that of 1 line holds.'],
      [sealed(lines.filter((_, i) => i !== at).join('\n')), /^line \d+: no-official-signature: /],
      [sealed(spoilt), /^line \d+: bad-official-signature: /],
    ]) {
      await page.goto(`${reader.origin}/verify`);
      await page.setInputFiles('#files', { name: 'event.bundle', mimeType: '', buffer: Buffer.from(text) });
      await page.getByText(words).waitFor();
    }
    await finish(page);
  });

  it('signs what an official does in a running game, and the verification page checks it', { skip: notLong }, async () => {
    const official = await makePlayer(client);
    const page = await signIn(reader, official, '/account', {}, /403/);
    await press(page, 'make');
    await page.waitForSelector('#signing [data-do=revoke]');
    const { event, game } = await makeGame(client, official, await makePlayers(client, 3), { official_signatures: 'required' });
    const send = (path, body) => page.evaluate(async ([at, json]) => (await import('/static/lib/common.js')).send('POST', at, json), [path, body]);
    for (const seat of [0, 1, 2]) await send(`${game.at}/fallback`, { seat });
    assert.deepEqual((await signaturesOf(game)).map((line) => line.split(' ')[0]), ['official', 'official', 'official']);
    await send(`/v1/events/${event.id}/close`, {});
    const bundle = (await client.get(`/v1/events/${event.id}/bundle`)).text;
    for (const [text, words] of [
      [bundle, 'Officials\' signatures: those of 4 lines hold.'],
      [sealed(bundle.replace(/official \d+ [0-9a-f -]+\\n/, '')), /^line \d+: no-official-signature: /],
    ]) {
      await page.goto(`${reader.origin}/verify`);
      await page.setInputFiles('#files', { name: 'event.bundle', mimeType: '', buffer: Buffer.from(text) });
      await page.getByText(words).waitFor();
    }
    await finish(page);
  });

  it('that is elsewhere, or nowhere, leaves an event as it is that requires it', { skip: notLong }, async () => {
    const official = await makePlayer(client);
    const event = good(await client.post('/v1/events', { name: 'Rainy day', ruleset: 'shinjuku', rounds: 1, official_signatures: 'required' }, official.token));
    const page = await signIn(reader, official, '/account', {}, /40[39]/);
    await cancel(page, event);
    await page.getByText('Create a key on your account page and try again.').waitFor();
    await register(client, official);
    await cancel(page, event);
    await page.getByText('your key is not in this browser').waitFor();
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).cancelled, false);
    await finish(page);
  });

  it('signs what is played on the page, and what is taken back', async () => {
    const players = await makePlayers(client, 2);
    const page = await signIn(reader, players[0], '/account');
    await press(page, 'make');
    await page.waitForSelector('#signing [data-do=revoke]');
    await page.check('#signing-required');
    await required(players[0]);
    const { game } = await makeGame(client, organizer, players, { take_back: true });
    const seat = game.players.indexOf(players[0]);
    await untilTurn(client, game, seat, new Random('other'));
    const before = (await now(client, game)).seq;
    const legal = await legalMoves(client, game, seat);
    assert.equal((await play(client, game, seat, [legal.moves[0]], legal.seq)).json.code, 'signature-required');
    await page.goto(`${reader.origin}/games/${game.id}`);
    await page.waitForSelector('.board > *');
    await page.getByText('Your moves are signed with the key in this browser.').waitFor();
    await clickMove(page);
    await written(game, before + 1);
    await page.click('[data-do=take-back]');
    await written(game, before + 2);
    assert.deepEqual((await signaturesOf(game)).map((line) => Number(line.split(' ')[0])), [before + 1, before + 2]);
    const record = (await client.get(`${game.at}/record`)).text;
    assert.match(record, / undo \d+ #/);
    assert.match(bed.verifySignatures((await client.get(`${game.at}/signatures`)).text, record).output, /valid: 2 of 2 /);
    await finish(page);
  });

  it('saves a signed move that the service does not take, for a witness', async () => {
    const players = await makePlayers(client, 2);
    const page = await signIn(reader, players[0], '/account', {}, /502/);
    await press(page, 'make');
    await page.waitForSelector('#signing [data-do=revoke]');
    const { game } = await makeGame(client, organizer, players);
    await untilTurn(client, game, game.players.indexOf(players[0]), new Random('other'));
    await page.goto(`${reader.origin}/games/${game.id}`);
    await page.getByText('Your moves are signed with the key in this browser.').waitFor();
    await page.route('**/moves', (route) => route.fulfill({ status: 502, body: '' }));
    await clickMove(page);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#left a')]);
    assert.equal(saved.suggestedFilename(), `${game.id}.deposit`);
    const file = await saved.path();
    assert.deepEqual(await violations(page), []);
    // It is whole and signed: `tillroll deposit` goes on to the witness.
    const away = bed.tillroll('deposit', file, '--witness', 'http://127.0.0.1:1');
    assert.equal(away.status, 1, away.stderr);
    assert.match(away.stderr, /127\.0\.0\.1:1/);
    const { seq } = await now(client, game);
    assert.equal(readFileSync(file, 'utf8').split('\n')[2], game.id);
    await page.unroute('**/moves');
    await page.locator('.ready button').click();
    await written(game, seq + 1);
    await page.waitForFunction(() => document.getElementById('left') === null);
    await finish(page);
  });

  it('that is elsewhere is said to be, and moves go unsigned', { skip: notLong }, async () => {
    const players = await makePlayers(client, 2);
    await register(client, players[0]);
    const { game } = await makeGame(client, organizer, players);
    const seat = game.players.indexOf(players[0]);
    await untilTurn(client, game, seat, new Random('other'));
    const page = await signIn(reader, players[0], '/account', {}, /409/);
    await page.getByText('It is not in this browser').waitFor();
    assert.equal(await page.locator('#signing [data-do=make]').count(), 0);
    await page.goto(`${reader.origin}/games/${game.id}`);
    await page.waitForSelector('.board > *');
    const { seq } = await now(client, game);
    await clickMove(page);
    await written(game, seq + 1);
    assert.deepEqual(await signaturesOf(game), []);
    await finish(page);
  });

  it('that is elsewhere and required says where to move, before and when a move is refused', async () => {
    const players = await makePlayers(client, 2);
    await register(client, players[0]);
    good(await client.request('PATCH', `/v1/players/${players[0].id}/signing-keys`, { json: { required: true }, token: players[0].token }));
    const { game } = await makeGame(client, organizer, players);
    await untilTurn(client, game, game.players.indexOf(players[0]), new Random('elsewhere'));
    const page = await signIn(reader, players[0], '/account', {}, /403/);
    await page.getByText('so moves from here are refused').waitFor();
    await page.goto(`${reader.origin}/games/${game.id}`);
    await page.waitForSelector('.board > *');
    await clickMove(page);
    await page.locator('#fault', { hasText: 'Your moves are accepted only with your signature, and your key is not in this browser.' }).waitFor();
    assert.equal(await page.locator('#fault a').getAttribute('href'), '/account#signing');
    await finish(page);
  });

  it('is not asked for in a browser that cannot have one', { skip: notLong }, async () => {
    const player = await makePlayer(client);
    const page = await signIn(reader, player, '/account');
    await page.context().addInitScript(() => {
      crypto.subtle.generateKey = () => Promise.reject(new DOMException('no such algorithm', 'NotSupportedError'));
    });
    await page.reload();
    await page.getByText('This browser cannot keep a signing key').waitFor();
    assert.equal(await page.locator('#signing button').count(), 0);
    // A key from elsewhere can be revoked.
    const key = makeKey();
    good(await client.post(keysAt(player), registration(player, key), player.token));
    await page.reload();
    await press(page, 'revoke');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.waitForFunction(() => document.querySelector('#signing button') === null);
    await finish(page);
  });
});

describe('a game that waits for entropy', () => {
  it('gets it from the pages of its event, signed with the key in the browser, once', async () => {
    const players = await makePlayers(client, 3);
    const page = await signIn(reader, players[0], '/account');
    await press(page, 'make');
    await page.waitForSelector('#signing [data-do=revoke]');
    const event = await makeEvent(client, organizer, players, { seats_max: 3, rounds: 1, entropy_seconds: 3600 });
    await page.goto(`http://127.0.0.1:${client.port}/events/${event.id}`);
    await page.waitForSelector('h2');
    assert.equal(await page.locator('.notice').count(), 0);
    // It follows the event, so the player need not do anything.
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const { game } = round.seating[0].waiting;
    await page.waitForSelector('.notice:has-text("all its players are here")');
    const waiting = async () => good(await client.get(`/v1/games/${game}/entropy`));
    const seat = (await waiting()).seats.findIndex(({ player }) => player.id === players[0].id);
    await until(60, 'it is given', async () => (await waiting()).seats[seat].given);
    assert.ok((await page.textContent('.notice')).includes((await waiting()).commitment));
    assert.match(await page.textContent('.card caption'), /starts when all players are here/);
    assert.deepEqual(await violations(page), []);
    await page.goto(`http://127.0.0.1:${client.port}/events/${event.id}/rounds/1`);
    await page.waitForSelector('.notice:has-text("all its players are here")');
    assert.deepEqual((await waiting()).seats.filter(({ given }) => given).length, 1);
    const { commitment } = await waiting();
    for (const player of players.slice(1)) {
      const answer = await client.request('PUT', `/v1/games/${game}/entropy`, { json: { commitment, entropy: 'ab' }, token: player.token });
      assert.equal(answer.status, 200);
    }
    await page.waitForFunction(() => document.querySelector('.notice') === null && document.querySelector('.card caption').textContent.includes('playing'));
    assert.equal(await page.locator(`.card caption a[href="/games/${game}"]`).count(), 1);
    const record = (await client.get(`/v1/games/${game}/record`)).text;
    assert.match(record, new RegExp(`\nentropy ${seat} [0-9a-f]{64} #`));
    const signatures = (await client.get(`/v1/games/${game}/signatures`)).text;
    assert.match(signatures, new RegExp(`^entropy ${seat} [0-9a-f]{128}$`, 'm'));
    assert.match(bed.verifySignatures(signatures, record).output, /the entropy of 1/);
  });

  it('gets it from the page of who has signed in, whatever event it is of', { skip: notLong }, async () => {
    const players = await makePlayers(client, 3);
    const event = await makeEvent(client, organizer, players, { seats_max: 3, rounds: 1, entropy_seconds: 3600 });
    const { seating: [table] } = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const game = waitingGame(table.waiting.game, table.seats, players);
    const page = await signIn(reader, players[0], '/account');
    await page.waitForSelector('.notice:has-text("all its players are here")');
    const { seats } = await look(client, game);
    assert.deepEqual(seats.map(({ given }) => given), seats.map(({ player }) => player.id === players[0].id));
    assert.deepEqual(await violations(page), []);
    await page.close();
  });

  it('has a page, which gives for who plays there, shows others who has given, and becomes the game’s', { skip: notLong }, async () => {
    const players = await makePlayers(client, 3);
    const event = await makeEvent(client, organizer, players, { seats_max: 3, rounds: 1, entropy_seconds: 3600 });
    const { seating: [table] } = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const game = waitingGame(table.waiting.game, table.seats, players);
    const { commitment } = await look(client, game);
    const others = await reader.open(`/games/${game.id}`);
    await others.waitForSelector('main:not([aria-busy], [data-plain]) #waiting');
    const states = (page) => page.locator('.seats tbody td:last-child').allTextContents();
    assert.deepEqual(await states(others), ['awaited', 'awaited', 'awaited']);
    assert.deepEqual(await others.locator('.seats tbody th').allTextContents(), game.players.map(({ name }) => name));
    assert.equal(await others.textContent('main code.hash'), commitment);
    assert.match(await others.title(), /^Shinjuku, round 1, table 1, /);
    assert.deepEqual(await violations(others), []);
    await others.setViewportSize(phone.viewport);
    assert.equal(await overflow(others), 0);
    const german = await reader.open(`/games/${game.id}`, { locale: 'de-DE' });
    assert.deepEqual(await states(german), ['wird erwartet', 'wird erwartet', 'wird erwartet']);
    await finish(german);
    // As the service writes it.
    const plain = await reader.open(`/games/${game.id}`, { scripts: false });
    assert.deepEqual(await states(plain), ['awaited', 'awaited', 'awaited']);
    assert.deepEqual(await violations(plain), []);
    await finish(plain);

    const [player] = players;
    const seat = game.players.indexOf(player);
    const own = await signIn(reader, player, '/account');
    await own.goto(`http://127.0.0.1:${client.port}/events/${event.id}/rounds/1`);
    await own.waitForSelector('.notice:has-text("all its players are here")');
    await own.click(`.card caption a[href="/games/${game.id}"]`);
    await own.waitForSelector('.notice:has-text("all its players are here")');
    assert.equal((await states(own))[seat], 'given');
    assert.ok((await look(client, game)).seats[seat].given);
    await others.waitForFunction((row) => document.querySelectorAll('.seats tbody td:last-child')[row].textContent === 'given', seat);
    for (const each of [0, 1, 2].filter((other) => other !== seat)) good(await give(client, game, each, bytes()));
    for (const page of [own, others]) {
      await page.waitForSelector('#table .board > *');
      assert.equal(await page.locator('#waiting').count(), 0);
    }
    await finish(own);
    await finish(others);
  });

  it('whose page is read first by who plays there, gets it from there', { skip: notLong }, async () => {
    const players = await makePlayers(client, 3);
    const event = await makeEvent(client, organizer, players, { seats_max: 3, rounds: 1, entropy_seconds: 3600 });
    const { seating: [table] } = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const game = waitingGame(table.waiting.game, table.seats, players);
    const page = await signIn(reader, players[0], '/account');
    await page.goto(`http://127.0.0.1:${client.port}/games/${game.id}`);
    await page.waitForSelector('.notice:has-text("all its players are here")');
    assert.ok((await look(client, game)).seats[game.players.indexOf(players[0])].given);
    await finish(page);
  });
});
