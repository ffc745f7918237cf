// The table of a game: its board at any line of the record, and moves made by choosing their words.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { endQuietly, legalMoves, makeGame, now, playRandomly, Random } from '../api/support/play.mjs';
import { readRecord } from '../api/support/record.mjs';
import { daily, notLong } from '../long.mjs';
import { desktop, finish, overflow, phone, violations } from './support/browser.mjs';
import { client, organizer, players, read, reader } from './support/read.mjs';
import { signIn } from './support/table.mjs';

const random = new Random('table');
read({ players: 3 });


describe('a choice', () => {
  it('is narrowed by words from the first on, and by picks in any order', async () => {
    const page = await reader.open('/docs');
    const found = await page.evaluate(async () => {
      const { Choice } = await import('/static/lib/choice.js');
      const pick = (token, more) => ({ tokens: token.split(' '), place: null, verbs: null, ...more });
      const results = {};
      const moves = ['end', 'expand a b', 'expand a b c', 'expand b c', 'open a food', 'open b books', 'open b food'];
      const first = new Choice(moves);
      results.start = [first.next, first.ready, first.isEmpty];
      first.follow('open');
      first.follow('b');
      results.open = [first.beginning, first.next, first.count, first.ready];
      first.follow('food');
      results.food = first.ready;
      first.back();
      first.back();
      results.back = [first.beginning, first.count];
      results.numbers = new Choice(['bid 10', 'bid 2', 'bid 1']).next;
      const board = new Choice(moves);
      board.pick(pick('b'));
      results.b = [board.next, board.count, board.ready];
      board.pick(pick('a'));
      results.ab = [board.count, board.ready];
      board.clear();
      board.pick(pick('c b'));
      results.track = [board.count, board.ready];
      board.pick(pick('b a'));
      results.tracks = board.ready;
      board.pick(pick('food'));
      results.other = [board.beginning, board.count];
      const cards = new Choice(['pay x', 'pay x x y', 'pay y']);
      cards.pick(pick('x'));
      results.x = [cards.count, cards.ready, cards.next];
      results.can = [cards.can(pick('x')), cards.can(pick('y'))];
      cards.pick(pick('x'));
      results.xx = cards.ready;
      cards.unpick(pick('x'));
      cards.follow(null);
      results.all = cards.ready;
      const places = new Choice(['price 1 2', 'price 2 1', 'sell 1']);
      places.pick(pick('1', { place: 1, verbs: ['price'] }));
      results.places = [places.ready, places.can(pick('2', { place: 1 }))];
      const other = pick('1', { place: 1, verbs: ['sell'] });
      results.could = [places.can(other), places.could(other), places.could(pick('3'))];
      places.pick(other);
      results.anew = places.ready;
      return results;
    });
    assert.deepEqual(found, {
      start: [['end', 'expand', 'open'], null, true],
      open: [['open', 'b'], ['books', 'food'], 2, null],
      food: 'open b food',
      back: [['open'], 3],
      numbers: ['1', '2', '10'],
      b: [['expand', 'open'], 5, null],
      ab: [2, 'expand a b'],
      track: [2, 'expand b c'],
      tracks: 'expand a b c',
      other: [['open'], 2],
      x: [2, 'pay x', [null, 'x']],
      can: [true, true],
      xx: 'pay x x y',
      all: 'pay x',
      places: ['price 1 2', false],
      could: [false, true, false],
      anew: 'sell 1',
    });
    await finish(page);
  });
});

describe('a replay', () => {
  let game;
  let last;
  before(async () => {
    ({ game } = await makeGame(client, organizer, players.slice(1)));
    await playRandomly(client, game, random, { plies: 12 });
    await endQuietly(client, game, organizer);
    last = (await now(client, game)).seq;
  });

  it('goes line by line, to any line, and to the one that the address names', async () => {
    const page = await reader.open(`/games/${game.id}?ply=7`);
    await page.waitForSelector('.board > *');
    const { items } = good(await client.get(`/v1/games/${game.id}/events`));
    const isAt = async (seq) => {
      await page.waitForFunction((text) => document.querySelector('.where').textContent === text, `Line ${seq} of ${last}`);
      assert.equal(await page.locator('#ply').inputValue(), String(seq));
      if (seq > 0 && seq <= 12) assert.equal(await page.locator('.happened .by').getAttribute('title'), items[seq - 1].move);
    };
    await isAt(7);
    await page.getByRole('button', { name: 'One line back' }).click();
    await isAt(6);
    assert.ok(page.url().endsWith('#ply=6'));
    await page.getByRole('button', { name: 'One line forward' }).click();
    await isAt(7);
    await page.locator('#ply').focus();
    await page.keyboard.press('ArrowRight');
    await isAt(8);
    const told = () => page.locator('#announced').textContent();
    const inWords = (await page.locator('.happened li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()).join(' ');
    assert.equal((await told()).replace(/\s+/g, ''), `Line 8 of ${last} ${inWords}`.replace(/\s+/g, ''));
    await page.keyboard.press('End');
    await isAt(last);
    assert.ok((await told()).startsWith(`Line ${last} of ${last} `));
    await page.keyboard.press('Home');
    await isAt(0);
    await page.evaluate(() => (location.hash = '#ply=3'));
    await isAt(3);
    await page.locator('#line-5 code a').click();
    await isAt(5);
    await page.locator('#speed').selectOption('fast');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    // It goes on while this looks.
    await page.waitForFunction(() => Number(/\d+/.exec(document.querySelector('.where').textContent)[0]) >= 7);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'To the last line' }).click();
    await isAt(last);
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });

  it('shows each line as the service tells it, all hands once the game is over', async () => {
    const { view, viewer } = good(await client.get(`/v1/games/${game.id}/view?seq=4`));
    assert.equal(viewer.kind, 'auditor');
    assert.ok(view.players.every((player) => player.hand));
    const answer = await client.get(`/v1/games/${game.id}/view?seq=4`);
    const again = await client.get(`/v1/games/${game.id}/view?seq=4`, { headers: { 'If-None-Match': answer.headers.etag } });
    assert.equal(again.status, 304);
  });

  it('fits a phone', { skip: notLong }, async () => {
    const page = await reader.open(`/games/${game.id}?ply=9`, phone);
    await page.waitForSelector('.board > *');
    assert.equal(await overflow(page), 0);
    await finish(page);
  });
});

describe('every game', () => {
  it('can be played by its words alone, with the keyboard', { skip: notLong }, async () => {
    for (const ruleset of daily(good(await client.get('/v1/rulesets')).items, 5)) {
      const seats = players.slice(0, Math.min(3, ruleset.seats_max));
      const { game } = await makeGame(client, organizer, seats, { ruleset: ruleset.slug, ...(ruleset.seats_max === 1 && { format: 'duplicate', boards: 1 }) });
      const [seat] = (good(await client.get(game.at, { token: game.players[0].token }))).deciders;
      const page = await signIn(reader, game.players[seat], `/games/${game.id}`);
      const { moves, seq } = await legalMoves(client, game, seat);
      for (let words = 0; (await page.locator('.ready').count()) === 0; words++) {
        assert.ok(words < 20, ruleset.slug);
        await page.locator('.choices button').first().press('Enter');
      }
      assert.deepEqual(await violations(page), [], ruleset.slug);
      const [answered] = await Promise.all([page.waitForResponse(/\/moves$/), page.locator('.ready button').press('Enter')]);
      assert.ok(moves.includes(answered.request().postDataJSON().moves[0]));
      assert.ok([200, 201, 202].includes(answered.status()), ruleset.slug);
      await page.locator('.ready').waitFor({ state: 'detached' });
      const answer = good(await client.get(`${game.at}/view`, { token: game.players[seat].token }));
      assert.ok(answer.decided || answer.seq > seq, ruleset.slug);
      assert.deepEqual(await violations(page), [], ruleset.slug);
      await finish(page);
    }
  });
});

describe('a player', () => {
  it('is told when it is their turn, plays several moves at once, and reads why a move is refused', async () => {
    const { game } = await makeGame(client, organizer, players.slice(1));
    const [seat] = (await now(client, game)).deciders;
    const page = await signIn(reader, game.players[seat], `/games/${game.id}`, {}, /422|409/);
    assert.match(await page.title(), /^Your turn: /);
    const { moves } = await legalMoves(client, game, seat);
    await page.locator('#options summary').click();
    await page.fill('#several', `${moves[0]}\nno such move`);
    await page.getByRole('button', { name: 'Play them all' }).click();
    assert.match(await page.locator('#fault').textContent(), /^Move 2: This is not a move of Shinjuku/);
    assert.equal((await now(client, game)).seq, 0);
    await page.fill('#several', `${moves[0]}\n\nend`);
    await page.getByRole('button', { name: 'Play them all' }).click();
    await page.waitForFunction(() => document.querySelector('.where').textContent === 'Line 2 of 2');
    await page.waitForFunction(() => !document.title.startsWith('Your turn: '));
    assert.match(await page.locator('.play').textContent(), /Waiting for /);
    // The panel of a phone is below the board; a bar at the foot says it.
    const bar = page.locator('.waits');
    assert.equal(await bar.isVisible(), false);
    await page.setViewportSize(phone.viewport);
    assert.match(await bar.textContent(), /^Waiting for /);
    const { y, height } = await bar.boundingBox();
    assert.ok(y > 0 && y + height <= phone.viewport.height, `${y} ${height}`);
    await page.setViewportSize(desktop.viewport);
    await playRandomly(client, game, random, { plies: 2 });
    await page.waitForFunction(() => document.querySelector('.where').textContent.startsWith('Line 4 '));
    await finish(page);
  });

  it('keeps the keyboard at the move while buttons come and go', async () => {
    const { game } = await makeGame(client, organizer, players.slice(1));
    const [seat] = (await now(client, game)).deciders;
    const page = await signIn(reader, game.players[seat], `/games/${game.id}`);
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
    await page.locator('.ward.can').first().press('Enter');
    await page.locator('.ready').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.ready').waitFor({ state: 'detached' });
    await page.locator('.choices button').first().press('Enter');
    await page.locator('.ready').waitFor();
    assert.equal(await focused(), 'play-title');
    assert.equal(await page.locator('.play > .hint').textContent(), ''); // nothing is left to choose
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Play this');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.where').textContent === 'Line 1 of 1');
    assert.equal(await focused(), 'play-title');
    await finish(page);
  });

  it('sees clocks, and takes back a move, where the event has them', async () => {
    const { game } = await makeGame(client, organizer, players.slice(1), { take_back: true, clock: { bank_ms: 3_600_000, increment_ms: 0 } });
    const reachable = async () => {
      const { deciders: [seat], seq } = await now(client, game);
      const { may_take_back: first } = good(await client.get(game.at, { token: game.players[seat].token }));
      const { moves } = await legalMoves(client, game, seat);
      if (first !== null) return { seat, seq };
      good(await client.post(`${game.at}/moves`, { moves: [random.pick(moves)], seq }, game.players[seat].token));
      return undefined;
    };
    let found;
    for (let ply = 0; ply < 200 && found === undefined; ply++) found = await reachable();
    const { seat, seq } = found;
    const { token } = game.players[seat];
    const lastLine = async () => readRecord((await client.get(`${game.at}/record`)).text).entries.at(-1).words.join(' ');
    const taken = await lastLine();
    const page = await signIn(reader, game.players[seat], `/games/${game.id}`, {}, /409/);
    const clocks = await page.locator('.clock').allTextContents();
    assert.equal(clocks.length, game.players.length);
    for (const clock of clocks) assert.match(clock, /^(1:00:00|(59|60):\d\d)$/);
    const back = page.getByRole('button', { name: 'Take the last move back' });
    const [request] = await Promise.all([page.waitForRequest('**/takeback'), back.click()]);
    assert.deepEqual(request.postDataJSON(), { from: seq, seq });
    assert.equal((await request.response()).status(), 200);
    await page.waitForFunction((line) => document.querySelector('.where').textContent === `Line ${line} of ${line}`, seq + 1);
    assert.equal(await lastLine(), `undo ${seq}`);
    // The same move again, and somebody is faster than the button: it says so.
    good(await client.post(`${game.at}/moves`, { moves: [taken], seq: seq + 1 }, token));
    await page.waitForFunction((line) => document.querySelector('.where').textContent === `Line ${line} of ${line}`, seq + 2);
    const refused = page.waitForResponse('**/takeback');
    await page.route('**/takeback', async (route) => {
      good(await client.post(`${game.at}/takeback`, { from: seq + 2, seq: seq + 2 }, token));
      await route.continue();
    });
    await page.route('**/legal-moves', async (route) => { // the page hears of the refusal before it shows why
      await refused;
      await route.continue();
    });
    await back.click();
    await page.waitForFunction((line) => document.querySelector('.where').textContent === `Line ${line} of ${line}`, seq + 3);
    assert.match(await page.locator('#fault').textContent(), /^Another move came first/);
    await finish(page);
  });

  it('registers, signs out and signs in, and is told what is wrong with the name or password', async () => {
    const page = await reader.open('/login', {}, /40\d|422/);
    await page.fill('#register-name', 'New Player');
    await page.fill('#register-password', 'short');
    await page.locator('#register button').click();
    await page.locator('#register .fault:not(:empty)').waitFor();
    // The fault is said of the field that it is about.
    for (const [word, words] of [['new player', /^Password: It must not be the name of the account/], ['Password1234', /^Password: It must not be one of the first/]]) {
      await page.fill('#register-password', word);
      await page.locator('#register button').click();
      await page.locator('#register .fault', { hasText: words }).waitFor();
    }
    await page.fill('#register-password', 'correct horse battery');
    await page.locator('#register button').click();
    await page.getByText('Signed in as').waitFor();
    assert.equal(await page.locator('#account').textContent(), 'New Player');
    assert.deepEqual(await violations(page), []);
    await page.goto(`${reader.origin}/`);
    await page.locator('main:not([aria-busy], [data-plain]) h1').waitFor();
    assert.equal(await page.locator('#account').textContent(), 'New Player');
    await page.locator('#account').click();
    await page.locator('#sign-out').click();
    await page.locator('#sign-in').waitFor();
    assert.equal(await page.locator('#account').textContent(), 'Sign in');
    assert.equal((await page.context().cookies()).length, 0);
    await page.fill('#sign-in-name', 'New Player');
    await page.fill('#sign-in-password', 'wrong horse battery');
    await page.locator('#sign-in button').click();
    await page.locator('#sign-in .fault:not(:empty)').waitFor();
    assert.deepEqual(await violations(page), []);
    await finish(page);
  });
});
