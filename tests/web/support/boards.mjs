// A service with players who sign in once and play at many tables, by what is drawn there.
import assert from 'node:assert/strict';

import { good } from '../../api/support/client.mjs';
import { makeDuplicate, own } from '../../api/support/duplicate.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, play, Random, startRound } from '../../api/support/play.mjs';
import { readRecord } from '../../api/support/record.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { desktop, finish, launch, overflow, phone, Reader, violations } from './browser.mjs';
import { clickBoard, missing, signIn } from './table.mjs';

export const verbOf = (move) => move.split(' ')[0];
export const countOf = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

export class Boards {
  #own = new Map(); // player -> that player's page

  async start(seed, count) {
    this.random = new Random(seed);
    this.bed = new Testbed();
    const [service, browser] = await Promise.all([this.bed.startService(), launch()]);
    this.client = service.client;
    this.browser = browser;
    this.reader = new Reader(browser, this.client.port);
    this.organizer = await makePlayer(this.client, 'Organizer');
    this.players = await makePlayers(this.client, count);
    for (const player of this.players) this.#own.set(player.id, await signIn(this.reader, player, '/leaderboard'));
  }

  async end() {
    await this.reader.close();
    await this.browser.close();
    await this.bed.end();
  }

  // Nothing went wrong on the pages.
  async finish() {
    for (const page of this.#own.values()) await finish(page);
  }

  // A game for one is played as a board of a duplicate event.
  async game(ruleset, seats, settings = {}) {
    if (seats === 1) {
      const event = await makeDuplicate(this.client, this.organizer, this.players.slice(0, 1), { ruleset, boards: 1, ...settings });
      return (await startRound(this.client, event, this.organizer, this.players)).games[0];
    }
    return (await makeGame(this.client, this.organizer, this.players.slice(0, seats), { ruleset, ...settings })).game;
  }

  page(player) {
    return this.#own.get(player.id);
  }

  // The page of a player, at a game.
  async at(player, game) {
    const page = this.#own.get(player.id);
    await page.goto(`${this.reader.origin}/games/${game.id}`);
    await page.waitForSelector('.board > *');
    return page;
  }

  async view(game, seat = null) {
    return good(await this.client.get(`${game.at}/view`, seat === null ? {} : { token: game.players[seat].token })).view;
  }

  // Plays a whole game on its board, the first two seats in two browsers; the others are absent. Returns the verbs that
  // were clicked.
  async playOnBoard(game, seed, often = null) {
    const { client } = this;
    for (let seat = 2; seat < game.players.length; seat++) good(await client.post(`${game.at}/fallback`, { seat }, this.organizer.token));
    const pages = await Promise.all(game.players.slice(0, 2).map((player) => this.at(player, game)));
    const clicked = pages.map(() => []);
    const listeners = pages.map((_, seat) => (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/moves')) clicked[seat].push(...request.postDataJSON().moves);
    });
    pages.forEach((page, seat) => page.on('request', listeners[seat]));
    await Promise.all(pages.map((page, seat) => clickBoard(page, seed + seat, often)));
    pages.forEach((page, seat) => page.off('request', listeners[seat]));
    const record = (await client.get(`${game.at}/record`, { token: game.players[0].token })).text;
    assert.equal(this.bed.verify(record).status, 0);
    const played = readRecord(record).entries.filter((entry) => entry.seat !== null);
    pages.forEach((_, seat) => assert.deepEqual(played.filter((ply) => ply.seat === seat).map((ply) => ply.words.join(' ')), clicked[seat]));
    assert.deepEqual(await violations(pages[0]), []);
    return new Set(clicked.flat().map(verbOf));
  }

  // The replay of a finished game at some of its lines, which `check` is told of: (page, view).
  async replay(game, lines, check) {
    const { token } = game.players[0];
    const page = await this.at(game.players[0], game);
    const { seq: last } = await own(this.client, game);
    for (const seq of [0, ...lines, last]) {
      await page.evaluate((ply) => (location.hash = `#ply=${ply}`), seq);
      await page.waitForFunction((text) => document.querySelector('.where')?.textContent === text, `Line ${seq} of ${last}`);
      await check(page, good(await this.client.get(`${game.at}/view?seq=${seq}`, { token })).view);
    }
  }

  // Plays over HTTP until each decision of `kinds` has come up, in games that `make` makes: `look` is told of every first
  // one, ({ page, seat, moves, kind, view }), `page` being that of who decides. `choose`: a move of those that are legal.
  async throughKinds(make, kinds, choose, look) {
    const left = new Set(kinds);
    for (let games = 0; left.size > 0; games++) {
      assert.ok(games < 8, `never: ${[...left]}`);
      await this.#through(await make(), left, choose, look);
    }
  }

  async #through(game, left, choose, look) {
    const decided = new Set();
    for (;;) {
      const { deciders, seq } = await own(this.client, game);
      const seat = deciders.find((each) => !decided.has(`${each} ${seq}`));
      if (seat === undefined || left.size === 0) return;
      decided.add(`${seat} ${seq}`);
      const { moves } = await legalMoves(this.client, game, seat);
      for (const kind of [...new Set(moves.map(verbOf))].filter((verb) => left.delete(verb))) {
        const page = await this.at(game.players[seat], game);
        await page.waitForSelector('.choices, .ready');
        await look({ page, game, seat, moves, kind, view: await this.view(game, seat) });
      }
      good(await play(this.client, game, seat, [choose(moves, this.random)], seq));
    }
  }
}

// What is looked at at each kind of decision: every move can be put together on the board.
export async function canAll({ page, moves, kind }) {
  assert.deepEqual((await missing(page, moves)).without, [], kind);
}

// And nothing is wrong there, or too wide.
export async function lookAt(found) {
  const { page, kind } = found;
  await canAll(found);
  await page.setViewportSize(phone.viewport);
  assert.equal(await overflow(page), 0, kind);
  assert.deepEqual(await violations(page), [], kind);
  await page.setViewportSize(desktop.viewport);
}

export async function isLegibleInTheDark(page) {
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await violations(page, ['color-contrast']), []);
  await page.emulateMedia({ colorScheme: 'light' });
}
