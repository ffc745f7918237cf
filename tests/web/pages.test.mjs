// Every page shows what the API says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { document as api } from '../api/support/contract.mjs';
import { endQuietly, makeGame, makePlayers, playRandomly } from '../api/support/play.mjs';
import { daily, isLong, notLong } from '../long.mjs';
import { finish, phone, rows, texts } from './support/browser.mjs';
import { eventName, makeWorld, tieBreakHead, toldTieBreak } from './support/world.mjs';

let world;
let get;
let eventPage;
before(async () => {
  world = await makeWorld('pages');
  get = async (target) => good(await world.client.get(target));
  eventPage = `/events/${world.event.id}`;
});
after(() => world.end());

// A place as it is written: `3–4` where two share the third.
function place(rank, ranks) {
  const sharing = ranks.filter((each) => each === rank).length;
  return sharing > 1 ? `${rank}–${rank + sharing - 1}` : String(rank);
}
const ranksOf = (list) => list.map((each) => each.rank);
const tidy = (text) => text.replace(/\s+/g, ' ').trim();
// Numbers have a minus that is one.
const figure = (text) => text.replace('-', '−');

describe('the page of an event', () => {
  async function checkStandings(page, standings) {
    const used = standings.chain.map((_, i) => i).filter((i) => i > 0 && standings.rows.some((row) => row.tie_breaks[i].used));
    assert.deepEqual((await texts(page, 'main .scroll >> nth=0 >> thead th')).slice(4, -1), used.map((i) => tieBreakHead(standings.chain[i])));
    const shown = await rows(page, 'main .scroll');
    assert.equal(shown.length, standings.rows.length);
    standings.rows.forEach((row, i) => {
      assert.equal(shown[i][0], place(row.rank, ranksOf(standings.rows)));
      assert.equal(shown[i][1], tidy(row.player.name) + (row.dropped ? ' (dropped)' : ''));
      assert.equal(shown[i][2], row.points.text);
      assert.deepEqual(shown[i].slice(4, -1), used.map((each) => (row.tie_breaks[each].used ? toldTieBreak(standings, row, each) : '')));
    });
  }

  it('has the standings of the API, row by row, with the tie-breaks that were needed', async () => {
    const page = await world.reader.open(eventPage);
    const standings = await get(`/v1${eventPage}/standings`);
    assert.ok(standings.rows.some((row) => row.tie_breaks.slice(1).some((each) => each.used)));
    assert.ok(standings.rows.some((row) => row.dropped));
    await checkStandings(page, standings);
    assert.match(await page.locator('main .scroll caption').textContent(), /^Final, after round 3\./);
    assert.equal(await page.locator('h1').textContent(), eventName);
    await finish(page);
  });

  it('has a chip for each round, linked to the game, that says everything in words', async () => {
    const page = await world.reader.open(eventPage);
    const standings = await get(`/v1${eventPage}/standings`);
    const byes = standings.rows.flatMap((row) => row.rounds).filter((round) => round.kind === 'pairing_bye');
    assert.equal(byes.length, 3);
    for (const row of standings.rows) {
      const chips = await page.locator(`[id="row-${row.player.id}"] .strip li > *`).evaluateAll((all) =>
        all.map((each) => ({ said: each.title, href: each.getAttribute('href'), shown: each.querySelector('[aria-hidden]').textContent })));
      assert.equal(chips.length, row.rounds.length);
      for (const [i, round] of row.rounds.entries()) {
        const { said, href, shown } = chips[i];
        if (round.game === null) {
          assert.equal(shown, '–');
          assert.match(said, new RegExp(`^Round ${round.round}: bye, ${round.points.text} points$`));
          continue;
        }
        assert.equal(href, `/games/${round.game}`);
        assert.match(shown, new RegExp(`^${round.rank}=?$`));
        assert.ok(said.startsWith(`Round ${round.round}, table ${round.table}: `), said);
        assert.ok(said.endsWith(`place ${round.rank} of ${round.seats} with a score of ${round.score}, ${round.points.text} points`), said);
        const { seats } = await get(`/v1/games/${round.game}`);
        const shared = ranksOf(seats).filter((each) => each === round.rank).length > 1;
        assert.equal(shown.endsWith('='), shared);
        assert.equal(said.includes('shared'), shared);
      }
    }
    await page.locator('.strip a').first().click();
    await page.waitForURL(/\/games\//);
    await finish(page);
  });

  it('opens a row to every operand of every tie-break', async () => {
    const page = await world.reader.open(eventPage);
    const standings = await get(`/v1${eventPage}/standings`);
    const [row] = standings.rows;
    const more = page.locator(`[id="more-${row.player.id}"]`);
    assert.equal(await more.isVisible(), false);
    await page.locator(`[id="row-${row.player.id}"] button`).click();
    assert.equal(await more.isVisible(), true);
    await more.locator('.operands li').first().waitFor();
    const told = await more.locator('dl > div').allTextContents();
    row.tie_breaks.forEach((value, i) => {
      assert.ok(told[i].startsWith(`${standings.chain[i].code}: ${standings.chain[i].name}${toldTieBreak(standings, row, i)}${value.used ? '' : ' (not needed)'}`), told[i]);
      for (const operand of value.operands) assert.ok(told[i].includes(figure(operand.value.text)));
    });
    const operands = row.tie_breaks.reduce((sum, value) => sum + value.operands.length, 0);
    assert.equal(await more.locator('.operands li').count(), operands);
    await page.click('#glossary > summary');
    await page.waitForSelector('#glossary dd');
    const definitions = await texts(page, '#glossary dd');
    assert.deepEqual(definitions, standings.chain.map((each) => each.definition));
    await finish(page);
  });

  it('shows the standings after an earlier round', async () => {
    const page = await world.reader.open(`${eventPage}?after_round=1`);
    await checkStandings(page, await get(`/v1${eventPage}/standings?after_round=1`));
    assert.match(await page.locator('main .scroll caption').textContent(), /after round 1\./);
    const links = page.getByRole('navigation', { name: 'Standings after round' });
    assert.equal(await links.locator('[aria-current]').textContent(), '1');
    await links.getByRole('link', { name: '2' }).click();
    await page.waitForFunction(() => document.querySelector('main:not([aria-busy], [data-plain]) caption')?.textContent.includes('after round 2'));
    await checkStandings(page, await get(`/v1${eventPage}/standings?after_round=2`));
    await finish(page);
    for (const nonsense of daily(['99', '0', '1.5x'], 3)) {
      const latest = await world.reader.open(`${eventPage}?after_round=${nonsense}`);
      assert.match(await latest.locator('main .scroll caption').textContent(), /after round 3\./);
      await finish(latest);
    }
  });

  it('shows each round with its tables, places and byes', async () => {
    const page = await world.reader.open(eventPage);
    for (const number of [1, 2, 3]) {
      const round = await get(`/v1${eventPage}/rounds/${number}`);
      const section = page.locator(`#round-${number}`);
      assert.equal(await section.locator('.card').count(), round.games.length);
      const cards = await section.locator('.card').evaluateAll((all) => all.map((card) => ({
        href: card.querySelector('caption a').getAttribute('href'),
        lines: [...card.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
      })));
      for (const [i, game] of round.games.entries()) {
        const { href, lines } = cards[i];
        assert.equal(href, `/games/${game.id}`);
        const expected = [...game.seats].sort((a, b) => a.rank - b.rank || a.seat - b.seat);
        assert.deepEqual(lines, expected.map((seat) =>
          [place(seat.rank, ranksOf(game.seats)), `${seat.player.name}${seat.fallback ? ' (absent)' : ''}`, String(seat.score)]));
      }
      assert.equal(round.byes.length, 1);
      assert.equal(await section.locator('> p').textContent(), `Bye: ${round.byes[0].player.name}`);
      assert.equal(await section.locator('dt, code').count(), 0); // these stand on the page of its figures
    }
    await finish(page);
  });

  it('shows the commitment and, now that it is closed, the secret on the page of its figures', async () => {
    const page = await world.reader.open(`${eventPage}/audit`);
    const event = await get(`/v1${eventPage}`);
    assert.deepEqual(await texts(page, 'code.hash'), [event.commitment, event.secret]);
    for (const name of ['Standings', 'rounds', "the event's log"]) {
      const address = await page.locator('main').getByRole('link', { name, exact: true }).last().getAttribute('href');
      assert.equal((await world.client.get(address)).status, 200);
    }
    await finish(page);
  });

  it('shows the command that proves its bundle, as that is saved', async () => {
    const page = await world.reader.open(`${eventPage}/audit`);
    const [command] = (await texts(page, 'main p code')).filter((text) => text.startsWith('tillroll '));
    const { headers, text } = await world.client.get(`/v1${eventPage}/bundle`);
    const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-bundle-'));
    try {
      writeFileSync(path.join(directory, /filename="(.*)"/.exec(headers['content-disposition'])[1]), text);
      const [name, ...words] = command.split(' ');
      const { status, stdout } = spawnSync(path.join(world.bed.build, name), words, { cwd: directory, encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    } finally {
      rmSync(directory, { recursive: true });
    }
    await page.getByRole('link', { name: 'Verify this event' }).click();
    await page.waitForSelector('.result h2');
    assert.match(await page.locator('.result h2').textContent(), /^Valid: .*\.bundle$/);
    assert.equal(await page.locator('#source a').getAttribute('href'), `/v1${eventPage}/bundle`);
    await finish(page);
  });

  it('lists who has entered while there is no round yet', { skip: notLong }, async () => {
    const event = good(await world.client.post('/v1/events', { name: 'To come', ruleset: 'shinjuku', rounds: 2 }, world.organizer.token));
    const page = await world.reader.open(`/events/${event.id}`);
    assert.match(await page.locator('main').textContent(), /being prepared.*No entries yet/s);
    await finish(page);
    good(await world.client.post(`/v1/events/${event.id}/open-entries`, {}, world.organizer.token));
    for (const player of world.players.slice(0, 4)) good(await world.client.post(`/v1/events/${event.id}/entries`, {}, player.token));
    const open = await world.reader.open(`/events/${event.id}`);
    assert.deepEqual(await texts(open, 'ul.names li'), world.players.slice(0, 4).map((player) => player.name));
    await finish(open);
  });
});

describe('the page of a game', () => {
  let game;
  let address;
  let page; // for all that only read it
  before(async () => {
    [game] = world.rounds[0].games;
    address = `/games/${game.id}`;
    page = await world.reader.open(address);
  });
  after(() => finish(page));

  it('has the result and the verdict', async () => {
    const { seats, head } = await get(`/v1${address}`);
    const expected = [...seats].sort((a, b) => a.rank - b.rank || a.seat - b.seat);
    assert.deepEqual(await rows(page, 'table.seats'), expected.map((seat) =>
      [place(seat.rank, ranksOf(seats)), `${tidy(seat.player.name)}${seat.fallback ? ' (absent)' : ''}`, String(seat.seat + 1), String(seat.score)]));
    assert.deepEqual((await texts(page, '.play .outcome li')).map(tidy), expected.map((seat) => `${place(seat.rank, ranksOf(seats))} ${tidy(seat.player.name)} ${seat.score}`));
    const viewport = page.viewportSize();
    await page.setViewportSize(phone.viewport); // there it stands above the board
    const [outcome, board] = await Promise.all(['.play .outcome', '.board'].map((each) => page.locator(each).first().boundingBox()));
    assert.ok(outcome.y + outcome.height <= board.y, JSON.stringify([outcome, board]));
    await page.setViewportSize(viewport);
    assert.equal(await page.locator('.badge.good').textContent(), 'proved by replay');
    assert.equal(await page.locator('code.hash').textContent(), head);
    assert.equal(await page.locator('main .about a').first().getAttribute('href'), eventPage);
  });

  it('tells every line of the record in words, with the names of the players', async () => {
    const items = [];
    for (let next = 0, part; (part = await get(`/v1${address}/events?after=${next}`)).items.length > 0; next = part.next) items.push(...part.items);
    const { seats } = await get(`/v1${address}`);
    const inWords = (text) => text.replaceAll(/\{seat (\d)\}/g, (_, seat) => seats[seat].player.name);
    const lines = await page.locator('.log ol > li').evaluateAll((all) => all.map((line) => ({
      id: line.id, move: line.children[1].textContent, words: [...line.querySelectorAll('.words p')].map((each) => each.textContent),
      turn: line.parentNode.parentNode.querySelector('h3 bdi')?.textContent,
    })));
    assert.deepEqual(lines.map((line) => line.id), items.map((item) => `line-${item.seq}`));
    assert.ok(new Set(items.map((item) => item.kind)).size >= 4);
    items.forEach((item, i) => {
      if (item.kind === 'ply') {
        assert.equal(lines[i].move, item.move);
        // The page says in words what is paid for, where the service has the move.
        const said = lines[i].words.map((words, at) => (/ to pay for: /.test(words) ? words.replace(/ for: .*$/, ` for: ${/ for: (.*)$/.exec(item.events[at].text)[1]}`) : words));
        assert.deepEqual(said, item.events.map((event) => inWords(event.text)));
        assert.doesNotMatch(lines[i].words.join(), / for: (expand|income|move) /);
        assert.equal(lines[i].turn, seats[item.seat].player.name);
      } else {
        assert.equal(lines[i].move, item.kind);
        assert.equal(lines[i].words.length, 1);
        assert.equal(lines[i].turn, undefined);
      }
      if (item.kind === 'result') {
        const seat = seats[item.seat];
        assert.equal(lines[i].words[0], `${seat.player.name}: place ${place(seat.rank, ranksOf(seats))} with a score of ${seat.score}.`);
      }
    });
  });

  it('is opened at the line that the address names', async () => {
    const at = await world.reader.open(`${address}#line-57`);
    await at.waitForFunction(() => document.querySelector('li:target')?.id === 'line-57');
    const box = await at.locator('#line-57').boundingBox();
    assert.ok(box.y >= 0 && box.y < 900, `at ${box.y}`);
    await finish(at);
    for (const nonsense of isLong ? ['%', 'line-99999', '"><b>'] : []) await finish(await world.reader.open(`${address}#${nonsense}`));
  });

  it('shows the position that everybody may see', async () => {
    const { view } = await get(`/v1${address}/view`);
    await page.locator('#position summary').click();
    const terms = await texts(page, 'main details > .terms > dt');
    assert.deepEqual(terms, Object.keys(view).map((name) => name.replaceAll('_', ' ')));
  });

  it('offers the record, which verifies', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the record' }).click()]);
    assert.equal(download.suggestedFilename(), `${game.id}.roll`);
    const file = path.join(world.bed.directory, 'game.roll');
    await download.saveAs(file);
    const record = readFileSync(file, 'utf8');
    assert.equal(record, (await world.client.get(`/v1${address}/record`)).text);
    assert.equal(world.bed.verify(record).status, 0);
  });
});

describe('every game', () => {
  it('can be read while it runs and when it is over', async () => {
    const players = await makePlayers(world.client, 2, 'Reader');
    const rulesets = (await get('/v1/rulesets')).items.filter((each) => each.seats_min <= 2 && each.seats_max >= 2);
    for (const ruleset of daily(rulesets, 5)) {
      const { game } = await makeGame(world.client, world.organizer, players, { ruleset: ruleset.slug });
      await playRandomly(world.client, game, world.random, { plies: 30 });
      const page = await world.reader.open(`/games/${game.id}`);
      await page.locator('#position summary').click();
      assert.equal(await page.locator('h1').textContent(), `${ruleset.title}, round 1, table 1`);
      assert.equal(await page.locator('.log ol > li').count(), (await get(`/v1/games/${game.id}`)).seq);
      await endQuietly(world.client, game, world.organizer);
      await page.waitForSelector('.badge.good');
      const shown = await page.locator('main').textContent();
      for (const wrong of ['undefined', '[object', 'NaN', '{seat']) assert.ok(!shown.includes(wrong), `${ruleset.slug}: ${wrong}`);
      await finish(page);
    }
  });
});

describe('the other pages', () => {
  it('the home page lists events and games', async () => {
    const page = await world.reader.open('/');
    const events = await get('/v1/events?limit=30');
    const games = await get('/v1/games?limit=15');
    const tables = page.locator('main .scroll');
    const links = (i) => tables.nth(i).locator('tbody th a').evaluateAll((all) => all.map((each) => [each.getAttribute('href'), each.textContent]));
    const count = await tables.count();
    assert.deepEqual(await links(count - 2), events.items.map((event) => [`/events/${event.id}`, event.name]));
    assert.deepEqual(await links(count - 1), games.items.map((game) => [`/games/${game.id}`, `${game.ruleset.title}, round ${game.event.round}, table ${game.event.table}`]));
    const players = await tables.last().locator('tbody tr td:nth-child(3)').allTextContents();
    games.items.forEach((game, i) => {
      for (const seat of game.seats) assert.ok(players[i].includes(`${seat.player.name} (${seat.score})`));
    });
    await finish(page);
  });

  it('the leaderboard has the ratings of the API, best first, for each scope', async () => {
    for (const scope of daily(['shinjuku', 'overall'], 2)) {
      const page = await world.reader.open(`/leaderboard?scope=${scope}`);
      const board = await get(`/v1/leaderboard?limit=100&scope=${scope}`);
      const shown = await rows(page, 'main .scroll');
      const ranks = board.items.map((each) => 1 + board.items.filter((other) => other.rating_millionths > each.rating_millionths).length);
      assert.deepEqual(shown, board.items.map((each, i) => [place(ranks[i], ranks), tidy(each.player.name), String(each.display.rating),
        `± ${each.display.deviation}`, String(each.display.ranked_by), String(each.games), each.provisional ? 'provisional' : '']));
      assert.equal(await page.title(), `Leaderboard${scope === 'overall' ? '' : ' of Shinjuku'} - Tillroll`);
      assert.equal(await page.locator('main nav [aria-current]').textContent(), scope === 'overall' ? 'All games' : 'Shinjuku');
      await finish(page);
    }
  });

  it('the leaderboard of tables of two has places from ten games on, with and without a script', async () => {
    const [regular, lucky] = world.players;
    world.bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.rating (player_id, scope, mu, sigma, games, volatility, period)
      VALUES ('${regular.id}', 'glicko.super-motherload', 1500000000, 90000000, 10, 60000000, 1), ('${lucky.id}', 'glicko.super-motherload', 1800000000, 200000000, 9, 60000000, 1)`);
    for (const javaScriptEnabled of [true, false]) {
      const page = await world.reader.open('/leaderboard?scope=glicko.super-motherload', { javaScriptEnabled });
      assert.deepEqual((await rows(page, 'main .scroll')).map((cells) => cells.slice(0, 3)), [['1', tidy(regular.name), '1500'], ['–', tidy(lucky.name), '1800']]);
      // The house plays every game for two or more, whatever its fewest seats.
      assert.deepEqual(await texts(page, 'main nav[aria-label="House players"] a'), ['Mall World', 'Shinjuku', 'Super Motherload', 'Superstore 3000']);
      await finish(page);
    }
  });

  it('the page of a game has the same ratings, with and without a script', async () => {
    const { items } = await get('/v1/leaderboard?limit=10&scope=shinjuku');
    for (const javaScriptEnabled of [true, false]) {
      const page = await world.reader.open('/games/shinjuku', { javaScriptEnabled });
      assert.deepEqual(await rows(page, '.aside'), items.map((each) => [tidy(each.player.name), String(each.display.rating), String(each.games)]));
      await finish(page);
    }
  });

  it('a player has ratings and games', async () => {
    const [player] = world.players;
    const page = await world.reader.open(`/players/${player.id}`);
    assert.equal(await page.locator('h1').textContent(), player.name);
    const ratings = await get(`/v1/players/${player.id}/ratings`);
    const games = await get(`/v1/players/${player.id}/games`);
    const rated = await page.locator('main .scroll').first().locator('tbody tr').evaluateAll((all) => all.map((row) => Number(row.cells[3].textContent)));
    assert.deepEqual(rated, ratings.items.map((each) => each.games).sort((a, b) => b - a)); // as the graphs, those with most games first
    const shown = await page.locator('main .scroll').last().locator('tbody tr.row').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.equal(shown.length, games.items.length);
    games.items.forEach((game, i) => {
      const own = game.seats.find((seat) => seat.player.id === player.id);
      assert.equal(shown[i][1], `${place(own.rank, ranksOf(game.seats))} of 4`);
      assert.equal(shown[i][2], String(own.score));
      assert.equal(shown[i][3], game.seats.filter((seat) => seat !== own).map((seat) => seat.player.name).join(', '));
    });
    await finish(page);
  });

  it('a long list goes on under "Older games"', { skip: notLong }, async () => {
    const page = await world.reader.open('/');
    const games = await get('/v1/games?limit=15');
    const older = page.getByRole('link', { name: 'Older games' });
    assert.equal(await older.count(), games.next === null ? 0 : 1);
    await page.goto(`${world.reader.origin}/?games=${games.items[4].id}`);
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    const rest = await page.locator('main .scroll').last().locator('tbody th a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.deepEqual(rest, games.items.slice(5).map((game) => `/games/${game.id}`));
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.waitForURL(`${world.reader.origin}/`);
    await finish(page);
  });
});

describe('the page of the API', () => {
  let page; // for all that only read it
  before(async () => { page = await world.reader.open('/docs/api'); });
  after(() => finish(page));

  it('shows every operation with its answers, parameters and examples', async () => {
    const operations = Object.entries(api.paths).flatMap(([address, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, address, ...operation }))).filter((each) => each.operationId);
    const shown = new Map(await page.locator('details.operation:not([id^="schema-"])').evaluateAll((all) =>
      all.map((each) => [each.id, { head: each.querySelector('summary').textContent, said: each.textContent }])));
    assert.equal(shown.size, operations.length);
    for (const { method, address, operationId, summary, responses } of operations) {
      const { head, said } = shown.get(operationId);
      assert.equal(head, `${method.toUpperCase()} ${address} ${summary}`);
      for (const [status, response] of Object.entries(responses)) if (response.$ref === undefined) assert.ok(said.includes(status), `${operationId} ${status}`);
      assert.ok(said.includes('curl -s'), operationId);
    }
    assert.ok(shown.get('playMoves').said.includes(`'{"moves":["open shinjuku food","pay shinjuku"],"seq":12}'`));
    assert.ok(!(await page.locator('main').textContent()).includes('[object'));
  });

  it('shows every member of every document, and every form of a move', async () => {
    const shown = new Map(await page.locator('details[id^="schema-"]').evaluateAll((all) => all.map((each) => [each.id.slice('schema-'.length), each.textContent])));
    assert.deepEqual([...shown.keys()], Object.keys(api.components.schemas));
    const moves = api.components.schemas.Move.anyOf.map(({ $ref }) => $ref.split('/').at(-1));
    function* namesIn(schema) {
      for (const [name, member] of Object.entries(schema.properties ?? {})) {
        yield name;
        yield* namesIn(member);
      }
      for (const each of [schema.items, ...(schema.anyOf ?? schema.oneOf ?? [])]) if (each) yield* namesIn(each);
    }
    for (const [name, schema] of Object.entries(api.components.schemas)) {
      for (const member of namesIn(schema)) assert.ok(shown.get(name).includes(member), `${name}: ${member}`);
      if (moves.includes(name)) for (const form of schema.anyOf) assert.ok(shown.get(name).includes(form.pattern ?? form.const), `${name}: ${form.description}`);
    }
    assert.match(shown.get('MallWorldView'), /object with object for each of MallWorldRoom/);
    assert.match(await page.locator('#getBundle').textContent(), /each line is one of BundleLine/);
    assert.match(await page.locator('#streamGame').textContent(), /text\/event-stream\s*entry\s*GameStreamEntry\s*end\s*GameStreamEnd/);
  });

  it('has a walkthrough that can be pasted into a shell', { skip: notLong || (spawnSync('curl', ['--version']).status !== 0 && 'there is no curl') }, async () => {
    const shell = await page.locator('#walkthrough').evaluate((heading) => {
      const list = [];
      for (let each = heading.nextElementSibling; each.tagName !== 'H2'; each = each.nextElementSibling) list.push(...(each.tagName === 'PRE' ? [each] : each.querySelectorAll('pre')));
      return list.map((each) => each.textContent);
    });
    assert.equal(shell.length, 1 + api['x-walkthrough'].length);
    shell.unshift(`origin=${world.reader.origin}`);
    const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-shell-'));
    try {
      // As much of jq as is needed; and each answer's status is told.
      writeFileSync(path.join(directory, 'jq'), '#!/usr/bin/env node\nlet at = JSON.parse(require("fs").readFileSync(0, "utf8"));\nfor (const name of process.argv[3].match(/[a-z_]+|\\d+/g)) at = at[name];\nconsole.log(at);\n', { mode: 0o755 });
      const all = ['curl() { command curl -w "%{stderr}%{http_code}\\n" "$@"; }', ...shell].join('\n');
      const { stderr, status } = spawnSync('bash', ['-c', all], { encoding: 'utf8', env: { ...process.env, PATH: `${directory}:${process.env.PATH}` } });
      assert.equal(status, 0, stderr);
      assert.deepEqual(stderr.trim().split('\n').map(Number), api['x-walkthrough'].map((step) => step.status));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('has links that lead to something on it, each by one name', async () => {
    const ids = new Set(await page.locator('[id]').evaluateAll((all) => all.map((each) => each.id)));
    const twice = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((each) => each.id).filter((id, i, all) => all.indexOf(id) !== i));
    assert.deepEqual(twice, []);
    const links = await page.locator('main a[href^="#"]').evaluateAll((all) => all.map((each) => each.getAttribute('href').slice(1)));
    for (const link of links) assert.ok(ids.has(link), link);
  });

  it('goes to the code in the address, also when it belongs to a game', { skip: notLong }, async () => {
    const refused = await world.client.post(`/v1/games/${world.rounds[0].games[0].id}/moves`, { moves: ['x'] }, world.rounds[0].games[0].players[0].token);
    for (const type of [(await world.client.get('/v1/events/00000000-0000-7000-8000-000000000000')).json.type, refused.json.type]) {
      const at = await world.reader.open(type);
      await at.waitForFunction((id) => document.querySelector(':target')?.id === id, type.split('#')[1]);
      await finish(at);
    }
    const at = await world.reader.open('/docs#store-already-open');
    await at.waitForURL(`${world.reader.origin}/docs#refused-moves`);
    await at.goto(`${world.reader.origin}/docs#playMoves`);
    await at.waitForURL(`${world.reader.origin}/docs/api#playMoves`);
    await at.waitForFunction(() => document.getElementById('playMoves').open);
    await finish(at);
    await finish(await world.reader.open('/docs#%'));
  });
});
