// What a player has to click can be clicked: on a desk without scrolling, on a phone inside the screen, near small things.
// With TILLROLL_LONG whole games; of one alone with `--test-name-pattern 'mall-world, 3'`.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { own } from '../api/support/duplicate.mjs';
import { legalMoves, play, playRandomly } from '../api/support/play.mjs';
import { daily, isLong, notLong } from '../long.mjs';
import { Boards, countOf, verbOf } from './support/boards.mjs';
import { overflow, violations } from './support/browser.mjs';
import { atDecision, chooses, desk, laptop, outOfReach, pocket, resize } from './support/reach.mjs';

const boards = new Boards();
before(() => boards.start('reach', 3));
after(async () => {
  await boards.finish();
  await boards.end();
});

const seated = { 'shinjuku': [3, 2], 'superstore-3000': [3, 2], 'super-motherload': [2, 3], 'mall-world': [3], 'supermarche': [1] };
const decisions = isLong ? Infinity : 4; // of a game, each of another kind
const sentAtOnce = new Set(['roll', 'next']);
const every = 10; // of a whole game, of each so many decisions of a kind one is looked at while a move is put together

// What the seat can do is within reach at both sizes, and stays so while a move is put together.
async function looks(page, moves, { isThorough, what }) {
  for (const size of [...daily([laptop, desk], 2), pocket]) {
    const at = `${what} at ${size.width} x ${size.height}`;
    await resize(page, size);
    const isPhone = size === pocket;
    if (!isThorough || moves.some((move) => sentAtOnce.has(move))) assert.deepEqual(await outOfReach(page, isPhone), [], at);
    else await chooses(page, isPhone, boards.random, at);
    assert.equal(await overflow(page), 0, at);
  }
  await resize(page, desk);
}

// Plays a game over HTTP, and looks at each decision; each day only at the first of each kind.
async function playWithin(game, slug) {
  const { client, random } = boards;
  const pages = new Map();
  const seen = new Map(); // kind of decision -> how often it was looked at
  for (let { deciders, seq } = await own(client, game); deciders.length > 0 && seen.size < decisions; { deciders, seq } = await own(client, game)) {
    const offered = await Promise.all(deciders.map(async (seat) => ({ seat, ...await legalMoves(client, game, seat) })));
    const { seat, moves } = offered.find((each) => each.moves.length > 0);
    const kind = [...new Set(moves.map(verbOf))].join(' ');
    const before = seen.get(kind) ?? 0;
    if (isLong || before === 0) {
      seen.set(kind, before + 1);
      if (!pages.has(seat)) pages.set(seat, await boards.at(game.players[seat], game));
      await atDecision(pages.get(seat), seq);
      await looks(pages.get(seat), moves, { isThorough: before % every === 0, what: `${slug}, ${game.players.length} seats, line ${seq}: ${kind}` });
    }
    const verb = random.pick([...new Set(moves.map(verbOf))]);
    good(await play(client, game, seat, [random.pick(moves.filter((move) => verbOf(move) === verb))], seq));
  }
  return countOf(Object.fromEntries(seen));
}

describe('everything that can be chosen is within reach', () => {
  const games = Object.entries(seated).flatMap(([slug, counts]) => counts.map((seats) => [slug, seats]));
  for (const [slug, seats] of daily(games, 5)) {
    it(`${slug}, ${seats}`, async () => {
      let looked = 0;
      while (looked < (isLong ? 60 : decisions)) looked += await playWithin(await boards.game(slug, seats), slug);
    });
  }

  it('for who has waited at the top of the page, when the turn comes', async () => {
    const game = await boards.game('shinjuku', 2);
    const { deciders: [first] } = await own(boards.client, game);
    const page = boards.page(game.players[1 - first]);
    await page.setViewportSize(desk);
    await boards.at(game.players[1 - first], game);
    let position = await own(boards.client, game);
    for (; position.deciders[0] === first; position = await own(boards.client, game)) {
      const { moves } = await legalMoves(boards.client, game, first);
      good(await play(boards.client, game, first, [moves.find((move) => ['end', 'stop'].includes(move)) ?? boards.random.pick(moves)], position.seq));
    }
    await atDecision(page, position.seq);
    assert.deepEqual(await outOfReach(page, false), []);
  });

  it('and what is below the screen is told from what is on it', async () => {
    const game = await boards.game('shinjuku', 2);
    const { deciders: [seat], seq } = await own(boards.client, game);
    const page = await boards.at(game.players[seat], game);
    await atDecision(page, seq);
    await resize(page, { width: 1440, height: 150 }); // not even the choices, wherever the Matsuri is
    assert.notDeepEqual(await outOfReach(page, false), []);
    await page.setViewportSize(desk);
  });
});

describe('the log beside the board', () => {
  it('says things by the names that the board has for them, marks what is new since the last move, and has the notation in a tab', async () => {
    const game = await boards.game('mall-world', 3);
    for (let plies = 0; plies < 8 && (await own(boards.client, game)).deciders.length === 1; plies++) await playRandomly(boards.client, game, boards.random, { plies: 1 });
    const { deciders } = await own(boards.client, game);
    const page = await boards.at(game.players[deciders[0]], game);
    const { items } = good(await boards.client.get(`${game.at}/events`));
    const told = await page.locator('#lately-lines').textContent();
    const ids = items.flatMap((item) => item.move?.split(' ').slice(1) ?? []).filter((id) => id.includes('-'));
    assert.ok(ids.length > 0);
    for (const id of ids) assert.ok(!told.includes(id), `${id} in: ${told}`);
    const last = items.findLast((item) => item.seat === deciders[0])?.seq ?? 0;
    assert.equal(await page.locator('#lately-lines .since + li a').count(), last === 0 || last === items.length ? 0 : 1);
    if (last > 0 && last < items.length) assert.equal(await page.locator('#lately-lines .since + li a').textContent(), String(last + 1));
    await page.getByRole('button', { name: 'Notation' }).click();
    assert.deepEqual(await page.locator('#lately-lines code').allTextContents(), items.filter((item) => item.kind === 'ply').map((item) => item.move));
    assert.deepEqual(await violations(page), []);
  });
});

describe('Shinjuku', () => {
  it('says which action it is, and that ending the turn loses the others', async () => {
    const game = await boards.game('shinjuku', 3);
    for (;;) {
      const { deciders: [seat], seq } = await own(boards.client, game);
      const { moves } = await legalMoves(boards.client, game, seat);
      const { action_number: number, decision } = await boards.view(game, seat);
      if (decision === 'action' && number <= 2 && moves.includes('end')) {
        const page = await boards.at(game.players[seat], game);
        assert.equal(await page.locator('#turn strong').textContent(), `Action ${number} of 2`);
        const verbs = page.locator('.choices button');
        assert.equal(await verbs.last().textContent(), 'End the turn');
        await verbs.last().click();
        assert.match(await page.locator('.ready .warning').textContent(), number === 1 ? /2 actions left/ : /1 action left/);
        return;
      }
      good(await play(boards.client, game, seat, [boards.random.pick(moves)], seq));
    }
  });

  it('says what there is to decide, and why an action is missing', async () => {
    const game = await boards.game('shinjuku', 2);
    const { deciders: [seat], seq } = await own(boards.client, game);
    const page = await boards.at(game.players[seat], game);
    await atDecision(page, seq);
    assert.equal(await page.locator('#turn').textContent(), 'Where does the Matsuri go? Cards of its ward will be wild.');
    const view = await boards.view(game, seat);
    const said = (changes, mine, moves) => page.evaluate(async ({ view, seat, changes, mine, moves }) => {
      const { draw } = await import(performance.getEntriesByType('resource').find(({ name }) => name.includes('/boards/shinjuku.js')).name);
      const shown = { ...view, ...changes, players: view.players.map((player) => ({ ...player, ...(player.seat === seat ? mine : {}) })) };
      const components = await (await fetch('/v1/rulesets/shinjuku/components')).json();
      const name = (each) => `seat ${each}`;
      return [...draw(shown, { components, seats: 2, own: seat, view: shown, planned: null, moves, entry: null, seatName: name, seatText: name }).querySelectorAll('#turn p')].map(({ textContent }) => textContent);
    }, { view, seat, changes, mine, moves });
    const action = { decision: 'action', action_number: 1, actions_taken: [] };
    const all = ['end', 'expand akihabara tokyo', 'income', 'move oji', 'open tokyo food', 'upgrade tokyo food'];
    const without = (...verbs) => all.filter((move) => !verbs.includes(verbOf(move)));
    const not = (name, reason) => `Not possible now: ${name} (${reason}).`;
    assert.deepEqual(await said(action, {}, all), ['Action 1 of 2']);
    assert.deepEqual(await said({ ...action, action_number: 2, actions_taken: ['expand', 'move'] }, {}, without('expand', 'move')),
      ['Action 2 of 2', 'Taken this turn, and possible only once: Lay track, Move customers.']);
    const nobody = Object.fromEntries(Object.keys(view.wards).map((ward) => [ward, {}]));
    assert.deepEqual(await said({ ...action, wards: nobody }, { supply: { ...view.players[seat].supply, track: 0 }, hand_size: 15 }, without('expand', 'income', 'move')),
      ['Action 1 of 2', not('Lay track', 'you have no track left'), not('Income', 'you hold 15 cards, which is the most'), not('Move customers', 'no customer waits in any ward')]);
    const broke = 'you hold no card for it, no wild card and fewer than three cards';
    assert.deepEqual(await said(action, {}, without('expand', 'move', 'open')),
      ['Action 1 of 2', not('Lay track', 'there is no connection left that you could lay track on'), not('Move customers', broke), not('Open', broke)]);
    const upgrade = async (stores, mine) => (await said({ ...action, stores }, mine, without('upgrade')))[1];
    assert.equal(await upgrade({}, {}), not('Upgrade', 'you have no Specialty Store in a Sakura station'));
    assert.equal(await upgrade({ oji: { seat, sells: 'food' }, tokyo: { seat: 1 - seat, sells: 'food' }, ueno: { seat, sells: 'department' } }, { customers: { food: 1 } }),
      not('Upgrade', 'you have no Specialty Store in a Sakura station'));
    assert.equal(await upgrade({ tokyo: { seat, sells: 'food' } }, { customers: { books: 1 } }), not('Upgrade', 'none of the customers you have won wants what your Stores in Sakura stations sell'));
    assert.equal(await upgrade({ tokyo: { seat, sells: 'food' } }, { customers: { 'food-2': 1 } }), not('Upgrade', broke));
    assert.equal(await upgrade({}, { supply: { ...view.players[seat].supply, department: 0 } }), not('Upgrade', 'you have no Department Store left'));
    const movement = { station: 'tokyo', customers: { food: 1, books: 1 }, visited: ['ueno', 'tokyo'], income_for: [1 - seat] };
    assert.deepEqual(await said({ decision: 'route', movement }, {}, ['stop']), ['Does the train ride on or stop here?', `Will draw cards for their track: seat ${1 - seat}.`]);
    assert.deepEqual(await said({ decision: 'give', movement: { ...movement, income_for: [] } }, {}, ['give food', 'give books']), ['The Store here takes one of these customers: which?']);
  });

  it('names the wild cards that are in the hand', async () => {
    const { wards } = good(await boards.client.get('/v1/rulesets/shinjuku/components'));
    const game = await boards.game('shinjuku', 3);
    for (;;) {
      const { deciders: [seat], seq } = await own(boards.client, game);
      const { moves } = await legalMoves(boards.client, game, seat);
      if (moves.some((move) => verbOf(move) === 'pay')) {
        const { hand, wild_wards: wild } = (await boards.view(game, seat)).players[seat];
        const names = wards.rows.filter(({ id }) => wild.includes(id) && hand[id] > 0).map(({ name }) => name);
        const page = await boards.at(game.players[seat], game);
        const told = await page.locator('#turn').textContent();
        for (const name of names) assert.ok(told.split('Your wild cards: ')[1].includes(name), told);
        assert.equal(told.includes('You have no wild card.'), names.length === 0, told);
        return;
      }
      const going = moves.filter((move) => move !== 'end');
      good(await play(boards.client, game, seat, [boards.random.pick(going.length > 0 ? going : moves)], seq));
    }
  });

  it('takes a tap beside a small station for that station', { skip: notLong }, async () => {
    const game = await boards.game('shinjuku', 3);
    for (let { deciders: [seat], seq } = await own(boards.client, game); ; { deciders: [seat], seq } = await own(boards.client, game)) {
      const { moves } = await legalMoves(boards.client, game, seat);
      if (moves.some((move) => verbOf(move) === 'open')) {
        await tapBeside(await boards.at(game.players[seat], game));
        return;
      }
      good(await play(boards.client, game, seat, [boards.random.pick(moves)], seq));
    }
  });
});

// Taps beside a station on a phone, where its own circle does not reach and nothing else that can be chosen lies.
async function tapBeside(page) {
  await page.setViewportSize(pocket);
  await page.locator('.map').evaluate((map) => map.scrollIntoView({ block: 'start' }));
  const beside = await page.evaluate(() => {
    const all = [...document.querySelectorAll('.board .can')].map((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return { each, x: (left + right) / 2, y: (top + bottom) / 2 };
    });
    const around = Array.from({ length: 16 }, (_, i) => [17 * Math.cos(i * Math.PI / 8), 17 * Math.sin(i * Math.PI / 8)]);
    for (const one of all.filter(({ each }) => each.matches('.station'))) {
      for (const [dx, dy] of around) {
        const [x, y] = [one.x + dx, one.y + dy];
        const there = document.elementsFromPoint(x, y);
        if (all.some((other) => other !== one && Math.hypot(other.x - x, other.y - y) < 18)) continue;
        if (there[0]?.closest('.map svg') && there.every((each) => each.closest('.can') === null)) return { token: one.each.dataset.token, x, y };
      }
    }
    return null;
  });
  assert.notEqual(beside, null);
  await page.mouse.click(beside.x, beside.y);
  assert.equal(await page.locator('.station.picked').getAttribute('data-token'), beside.token);
}
