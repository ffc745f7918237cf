// The pages of duplicate events: what they show is what the API says, and what is hidden stays so.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { makeDuplicate, readRound, seated } from '../api/support/duplicate.mjs';
import { endQuietly, makePlayer, makePlayers } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { daily, isLong, notLong } from '../long.mjs';
import { finish, launch, overflow, phone, Reader, rows, texts, violations } from './support/browser.mjs';
import { signIn } from './support/table.mjs';
import { makeNamed, names } from './support/world.mjs';

let bed;
let browser;
let reader;
let client;
let organizer;
let players;
let open;
let running;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  players = [...(await Promise.all(names.map((name) => makeNamed(client, name)))), ...(await makePlayers(client, 2))];
  open = await makeDuplicate(client, organizer, players, { boards: 2, seats_preferred: 4 });
  running = await makeDuplicate(client, organizer, players.slice(0, 8), { boards: 2, seats_preferred: 4, scoring: 'total' });
  for (const event of [open, running]) {
    const games = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
    for (const game of event === open ? games : games.slice(0, 1)) await endQuietly(client, game, organizer);
  }
  browser = await launch();
  reader = new Reader(browser, client.port);
});
after(async () => {
  await reader?.close();
  await browser?.close();
  await bed.end();
});

const tidy = (text) => text.replace(/\s+/g, ' ').trim();
const get = async (target) => good(await client.get(target));

function place(rank, ranks) {
  const sharing = ranks.filter((each) => each === rank).length;
  return sharing > 1 ? `${rank}–${rank + sharing - 1}` : String(rank);
}

describe('the desk of a duplicate event', () => {
  it('says that one table is too few, how far its boards have come, and what a round that has begun allows', async () => {
    const event = good(await client.post('/v1/events', { name: 'Few', ruleset: 'superstore-3000', format: 'duplicate', boards: 2, rounds: 1, play: 'barometer', seats_preferred: 2, entropy_seconds: 0 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    for (const player of players.slice(0, 3)) good(await client.post(`${at}/entries`, {}, player.token));
    const desk = await signIn(reader, organizer, `/events/${event.id}/manage`, phone);
    await desk.getByText('everybody would get 50%. At least 4 players are needed.').waitFor();
    assert.equal(await overflow(desk), 0);
    assert.deepEqual(await violations(desk), []);
    good(await client.post(`${at}/entries`, {}, players[3].token));
    await desk.locator('#next .notice').waitFor({ state: 'detached' });
    good(await client.post(`${at}/close-entries`, {}, organizer.token));
    await desk.getByRole('button', { name: 'Pair and start round 1' }).click();
    await desk.getByText('Round 1 is being played: board 1 of 2. Tables finished: 0 of 2.').waitFor();
    await desk.getByText('You can rule on a table once its board is open.').waitFor();
    await finish(desk);
  });
});

describe('the page of a board', () => {
  let alone; // at two tables, which play the same first move
  let played;
  before(async () => {
    alone = await makeDuplicate(client, organizer, players.slice(0, 2), { ruleset: 'supermarche', boards: 1, take_back: true });
  });

  // The first move and the next, which is another at each table. The second takes back what it played at first.
  async function playApart(game, second) {
    const [{ token }] = game.players;
    const legal = async () => good(await client.get(`${game.at}/legal-moves`, { token }));
    const move = async (of) => {
      const { moves, seq } = await legal();
      good(await client.post(`${game.at}/moves`, { moves: [moves.at(of)], seq }, token));
      return moves.at(of);
    };
    if (second) {
      await move(1);
      good(await client.post(`${game.at}/takeback`, { from: 1, seq: 1 }, token));
    }
    return [await move(0), await move(second)];
  }

  it('has every result of the traveller, seat by seat', async () => {
    for (const board of [1, 2]) {
      const address = `/events/${open.id}/rounds/1/boards/${board}`;
      const page = await reader.open(address);
      const traveller = await get(`/v1${address}`);
      const plain = (await client.get(address, { unchecked: true })).text;
      const told = [...plain.matchAll(/<a href="\/players\/([-0-9a-f]+)">.*<\/th><td class="number">(.*)<\/td><td class="number">(.*)<\/td><td class="number points">(.*)<\/td><td><a href="\/games\/([-0-9a-f]+)">/g)];
      assert.deepEqual(told.map((each) => each.slice(1)), traveller.results.map((result) => [result.player.id, String(result.score),
        result.field === 1 ? '' : `${result.matchpoints} of ${2 * (result.field - 1)}`, result.percentage.text, result.game]), 'without scripts');
      assert.ok(plain.includes(`Sat out: <a href="/players/${traveller.missing[0].id}">`));
      const ranks = (seat) => traveller.results.filter((result) => result.seat === seat).map((result) => result.place);
      assert.deepEqual(await rows(page, 'main'), traveller.results.map((result) => [
        place(result.place, ranks(result.seat)), tidy(result.player.name), String(result.score),
        `${result.matchpoints} of ${2 * (result.field - 1)}`, result.percentage.text, `Table ${result.table}`]));
      assert.equal(await page.locator('main table').count(), 4);
      assert.ok((await page.locator('main').textContent()).includes(`Sat out: ${traveller.missing[0].name}`));
      assert.equal(await page.locator('nav [aria-current]').textContent(), String(board));
      await finish(page);
    }
  });

  it('and the page of its game speak of seats where there are several', async () => {
    const games = seated(good(await client.post(`/v1/events/${alone.id}/rounds`, {}, organizer.token)), players);
    played = await Promise.all(games.map(playApart));
    await endQuietly(client, games[0], organizer);
    const parting = (one, two, token) => client.get(`/v1/games/${games[one].id}/parting?with=${typeof two === 'number' ? games[two].id : two}`, { token });
    assert.deepEqual([(await parting(0, 1)).status, (await parting(0, 1, games[0].players[0].token)).status], [404, 404]); // the other table still plays
    assert.equal((await parting(0, 0, games[0].players[0].token)).json.code, 'wrong-state');
    const own = await signIn(reader, games[0].players[0], `/games/${games[0].id}`, phone);
    await own.locator('#awaited').waitFor(); // the other table still plays
    assert.deepEqual([await own.locator('main .badge.bad').count(), await own.locator('#analysis').count(), await own.getByRole('link', { name: 'Check this game yourself' }).count()], [0, 0, 0]);
    assert.deepEqual(await violations(own), []);
    await endQuietly(client, games[1], organizer);
    const { same, tables } = good(await parting(0, 1));
    assert.deepEqual([same, tables.map(({ game, then }) => [game, then.seq, then.seat, then.player.id, then.move])],
      [1, games.map(({ id, players: [{ id: player }] }, i) => [id, [2, 4][i], 0, player, played[i][1]])]);
    assert.deepEqual(good(await parting(1, 1)).tables.map(({ then }) => then), [null, null]);
    assert.equal((await parting(0, (await readRound(client, open, 1)).games[0].id)).json.code, 'not-found');
    assert.equal((await parting(0, 'x')).json.code, 'bad-parameter');
    await own.locator('main .badge.good').waitFor();
    assert.deepEqual([await own.locator('#awaited').count(), await own.locator('#analysis').count(), await own.getByRole('link', { name: 'Check this game yourself' }).count()], [0, 1, 1]);
    await finish(own);
    const shared = (await readRound(client, open, 1)).games[0];
    for (const [event, { id }, captions, about] of [[alone, games[0], ['2 results.'], 0], [open, shared, [1, 2, 3, 4].map((seat) => `Seat ${seat}: 3 results.`), 1]]) {
      const board = await reader.open(`/events/${event.id}/rounds/1/boards/1`);
      assert.deepEqual(await texts(board, 'main caption'), captions);
      await finish(board);
      const game = await reader.open(`/games/${id}`);
      await game.locator('#position').waitFor();
      assert.equal(await game.getByText('Seats are in the order around the table').count(), about);
      await finish(game);
    }
  });

  it('says where the games of two tables part, without what was taken back', async () => {
    const page = await reader.open(`/events/${alone.id}/rounds/1/boards/1`, phone);
    const compare = async (...tables) => {
      for (const [i, box] of ['#one', '#two'].entries()) await page.locator(box).selectOption(`Table ${tables[i]}`);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.locator('#parting p').waitFor();
    };
    await compare(1, 2);
    await page.getByText('The first move was the same. Then:').waitFor();
    assert.deepEqual(await texts(page, '#parting code'), played.map(([, then]) => then));
    assert.equal(await page.locator('#parting li').count(), 2);
    assert.deepEqual(await page.locator('#parting code').evaluateAll((all) => all.map((each) => each.parentNode.hash)), ['#ply=2', '#ply=4']);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    await compare(2, 2);
    await page.getByText('All moves were the same.').waitFor();
    await finish(page);
  });

  it('shows nothing of a board that somebody still has to play', async () => {
    const address = `/events/${running.id}/rounds/1/boards/1`;
    const plain = (await client.get(address, { unchecked: true })).text;
    assert.match(plain, /<p class="notice">This board still has to be played/);
    assert.doesNotMatch(plain, /<table|\/games\//);
    const page = await reader.open(address);
    assert.equal(await page.locator('main table').count(), 0);
    assert.match(await page.locator('main .notice').textContent(), /still has to be played/);
    await finish(page);
  });
});

// What the API says of each player's boards: the score, or the table at which it is played.
const gridOf = (round, boards) => [...new Map(round.games.flatMap((game) => game.seats.map((seat) => [seat.player.id, seat.player]))).values()]
  .sort((a, b) => a.name.localeCompare(b.name))
  .map((player) => [tidy(player.name), ...boards.map((board) => {
    const game = round.games.find((each) => each.event.board === board && each.seats.some((seat) => seat.player.id === player.id));
    if (game === undefined) return '';
    const { score } = game.seats.find((seat) => seat.player.id === player.id);
    return score === null ? `Table ${game.event.table} (${game.state === 'running' ? 'playing' : 'finished'})` : String(score).replace('-', '−');
  })]);

describe('a round of boards', () => {
  for (const where of daily(['the page of the round', 'the desk'], 2)) it(`is a grid of players by boards: ${where}`, async () => {
    for (const event of [open, running]) {
      const page = where === 'the desk' ? await signIn(reader, organizer, `/events/${event.id}/manage`) : await reader.open(`/events/${event.id}/rounds/1`);
      const grid = await rows(page, '.board-grid');
      assert.ok(grid.length >= 8);
      assert.deepEqual(grid, gridOf(await readRound(client, event, 1), [1, 2]));
      assert.equal(await page.locator('#tables-1 .tables').isVisible(), false);
      await page.locator('#tables-1 > summary').click();
      assert.equal(await page.locator('#tables-1 .tables').isVisible(), true);
      assert.deepEqual(await violations(page), []);
      await page.setViewportSize(phone.viewport);
      assert.equal(await overflow(page), 0);
      await finish(page);
    }
  });
});

// The cells of a page's rows, as they are read without scripts.
async function plainRows(address) {
  const { text } = await client.get(address, { unchecked: true });
  return [...text.matchAll(/<tr class="row">(.*)<\/tr>/g)].map(([, row]) => row.split(/<\/t[dh]>/).slice(0, -1).map((cell) => cell.replace(/<[^>]*>/g, '')));
}

describe('the score card', () => {
  it('has a line for each board', async () => {
    for (const player of [players[0], players[7]]) {
      const address = `/events/${open.id}/entries/${player.id}/score-card`;
      const page = await reader.open(address);
      const card = await get(`/v1${address}`);
      assert.deepEqual(await rows(page, 'main'), card.boards.map((line) => [
        `Round 1, board ${line.board}`, String(line.seat + 1), String(line.score), `${line.place} of ${line.field}`,
        `${line.matchpoints} of ${2 * (line.field - 1)}`, line.percentage.text, `Table ${line.table}`]));
      assert.deepEqual(await plainRows(address), (await rows(page, 'main')).map((row) => row.map((cell) => cell.replace(/^Table /, ''))), 'without scripts');
      assert.equal(tidy(await page.locator('h1').textContent()), tidy(`Score card of ${player.name}`));
      assert.ok((await page.locator('main').textContent()).includes(`Place ${card.rank} with ${card.points.text} %`));
      await finish(page);
    }
  });

  const hidden = () => `/events/${running.id}/entries/${players[1].id}/score-card`;

  it('has no results of hidden boards without scripts', async () => {
    const cells = await plainRows(hidden());
    assert.ok(cells.length > 0);
    for (const row of cells) assert.deepEqual([...row.slice(2, 6), / \(still hidden\)$/.test(row[6])], ['', '', '', '', true]);
  });

  it('has no results of hidden boards', { skip: notLong }, async () => {
    const page = await reader.open(hidden());
    for (const row of await rows(page, 'main')) assert.deepEqual(row.slice(2, 6), ['', '', '', '']);
    await finish(page);
  });
});

describe('the page of a duplicate event', () => {
  it('links to boards, score cards and games, and shows the round’s secret', async () => {
    const page = await reader.open(`/events/${open.id}`);
    const round = await readRound(client, open, 1);
    const links = await page.locator('main a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    for (const board of [1, 2]) assert.ok(links.includes(`/events/${open.id}/rounds/1/boards/${board}`));
    for (const player of players) assert.ok(links.includes(`/events/${open.id}/entries/${player.id}/score-card`));
    for (const game of round.games) assert.ok(links.includes(`/games/${game.id}`));
    const audit = await reader.open(`/events/${open.id}/audit`);
    const hashes = await texts(audit, 'code.hash');
    await finish(audit);
    assert.ok(hashes.includes(round.commitment) && hashes.includes(round.secret));
    const standings = await get(`/v1/events/${open.id}/standings`);
    const shown = await rows(page, 'main .scroll');
    assert.deepEqual(shown.slice(0, standings.rows.length).map((row) => row[2]), standings.rows.map((row) => row.points.text));
    assert.deepEqual(await rows(page, '#round-1 .board-grid'), gridOf(round, [1, 2]));
    assert.match(await page.locator('main .about').textContent(), /duplicate: 2 boards a round, all boards at once, matchpoints/);
    await finish(page);
  });

  it('links to no hidden game, and neither do lists', async () => {
    const round = await readRound(client, running, 1);
    for (const address of [`/events/${running.id}`, '/', `/players/${players[1].id}`]) {
      const page = await reader.open(address);
      const links = await page.locator('main a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
      for (const game of round.games) assert.ok(!links.includes(`/games/${game.id}`), address);
      await finish(page);
    }
  });
});

// Each in one of the two ways, and in both in the long run.
it('the pages can be read by everybody, also on a phone', { skip: notLong }, async () => {
  let looked = 0;
  for (const event of [open, running])
    for (const address of [`/events/${event.id}`, `/events/${event.id}/rounds/1/boards/1`, `/events/${event.id}/entries/${players[1].id}/score-card`])
      for (const settings of isLong ? [{}, phone] : [[{}, phone][looked++ % 2]]) {
        const page = await reader.open(address, settings);
        assert.deepEqual(await violations(page), [], address);
        assert.ok((await overflow(page)) <= 0, address);
        await finish(page);
      }
});
