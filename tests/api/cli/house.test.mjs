// House players: accounts, the program that plays for them, and the proof of how they play.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { isLong, notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { House } from './house_program.mjs';
import { makePlayers, password } from '../support/play.mjs';
import { build, root, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const tillroll = path.join(build, 'tillroll');
// The version of the levels.
const version = Number(/LEVEL_VERSION "(\d+)"/.exec(readFileSync(path.join(root, 'engine/search/level.h'), 'utf8'))[1]);
const bed = new Testbed();
let client;
let keeper;
let ada;
let ben;
let accounts; // three of the house, by level

const makeHouse = (level) => keeper.account(level);
const startHouse = (players, ...options) => keeper.start(players, ...options);
const endHouse = (program, signal) => keeper.stop(program, signal);
const script = (game, players, turns) => keeper.script(game, players, turns);

// A game at a casual table with these players.
async function startTable(ruleset, [first, ...others]) {
  const table = good(await client.post('/v1/lobby', { ruleset, seats: 1 + others.length, listed: false }, first.token));
  let last = table;
  for (const { token } of others) last = good(await client.post(`/v1/invitations/${table.code}/seat`, {}, token));
  return last.game;
}

const read = async (game) => good(await client.get(`/v1/games/${game}`));
const recordOf = async (game) => (await client.get(`/v1/games/${game}/record`)).text;

const isOver = (game, seconds = 120) => until(seconds, `the end of ${game}`, async () => (await read(game)).state === 'finished');

function verifyHouse(record) {
  const file = path.join(bed.directory, 'house.roll');
  writeFileSync(file, record);
  const { status, stdout, stderr } = spawnSync(tillroll, ['verify', '--house', file], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

async function assertProved(game, seats) {
  const record = await recordOf(game);
  const { status, output } = verifyHouse(record);
  assert.equal(status, 0, output);
  assert.match(output, new RegExp(`house: \\d+ decisions of ${seats} seats? made again`));
  return record;
}

before(async () => {
  ({ client } = await bed.startService());
  keeper = new House(bed, client);
  [ada, ben] = await makePlayers(client, 2, 'Guest of the house');
  accounts = { regular: await makeHouse('regular'), again: await makeHouse('regular'), casual: await makeHouse('casual') };
});
after(async () => {
  keeper.end();
  await bed.end();
});

describe('a house account', () => {
  it('is named for its level, wherever its name is shown', async () => {
    assert.deepEqual(Object.values(accounts).map(({ name, house }) => [name, house.level]),
      [['House · regular', 'regular'], ['House · regular 2', 'regular'], ['House · casual', 'casual']]);
    assert.deepEqual(good(await client.get(`/v1/players/${accounts.casual.id}`)).house, { level: 'casual' });
    assert.equal(good(await client.get(`/v1/players/${ada.id}`)).house, null);
  });

  it('has no password, and no rights but to look and to play', async () => {
    const { name, token } = accounts.regular;
    assert.equal((await client.post('/v1/tokens', { name, password })).json.code, 'wrong-password');
    assert.deepEqual(good(await client.get('/v1/me', { token })).token.scopes, ['read', 'play']);
    assert.equal((await client.post('/v1/me/tokens', { label: 'more' }, token)).json.code, 'missing-scope');
  });

  it('has a name that nobody else can take', async () => {
    for (const name of ['House · regular', 'HOUSE · strong', 'Ηouse · x', 'house · ada']) {
      const answer = await client.post('/v1/players', { name, password });
      assert.equal(answer.status, 400, name);
    }
    good(await client.post('/v1/players', { name: 'Housekeeper', password }));
  });

  it('is made for levels that there are', () => {
    const { status, stderr } = bed.tillroll('admin', 'house', 'divine');
    assert.equal(status, 1);
    assert.match(stderr, /no level divine; the levels are beginner, casual, regular, strong, master/);
  });

  it('moves only when the record says how it is played', async () => {
    const spare = await makeHouse('regular');
    const { token } = spare;
    const game = await startTable('shinjuku', [ada, spare]);
    const submit = (seq, moves) => client.post(`/v1/games/${game}/moves`, { moves, seq }, token);
    const legal = async () => good(await client.get(`/v1/games/${game}/legal-moves`, { token }));
    while ((await legal()).moves.length === 0) await script(game, [ada], 1);
    const { seq, moves, house, decided_at } = await legal();
    assert.equal(house, null);
    const shown = async () => (await read(game)).seats.map((seat) => seat.house).filter((each) => each !== null); // seats are drawn
    assert.deepEqual(await shown(), [{ level: 'regular', version: null }]);
    assert.equal((await submit(seq, [moves[0]])).json.code, 'house-undeclared');
    const declare = (version) => client.post(`/v1/games/${game}/house`, { version }, token);
    assert.equal((await client.post(`/v1/games/${game}/house`, { version: 1 }, ada.token)).json.code, 'not-a-house-account');
    assert.equal(good(await declare(7)).seq, seq + 1);
    assert.equal((await declare(7)).status, 204);
    assert.equal((await declare(6)).json.code, 'house-outdated');
    const after = await legal();
    assert.deepEqual([after.seq, after.house, after.decided_at], [seq + 1, { level: 'regular', version: 7 }, decided_at]);
    assert.deepEqual(await shown(), [{ level: 'regular', version: 7 }]);
    assert.equal((await submit(after.seq, [moves[0]])).status, 200);
    const { items } = good(await client.get(`/v1/games/${game}/events?after=${seq}`));
    assert.deepEqual([items[0].kind, items[0].level, items[0].version], ['house', 'regular', 7]);
  });
});

describe('tillroll house', () => {
  it('plays whole games against people, and proves how', async () => {
    const house = startHouse([accounts.regular, accounts.casual]);
    for (const ruleset of isLong ? ['shinjuku', 'mall-world'] : ['superstore-3000']) {
      const game = await startTable(ruleset, [ada, accounts.regular, accounts.casual]);
      await script(game, [ada]);
      await isOver(game);
      const record = await assertProved(game, 2);
      assert.match(record, new RegExp(` house \\d regular ${version} #`));
    }
    assert.equal(await endHouse(house), 0);
    assert.match(house.output, /playing for House · regular\nplaying for House · casual\n[^]*moves played/);
  });

  it('plays against itself, in two processes for the same accounts', { skip: notLong }, async () => {
    const both = [1, 2].map(() => startHouse([accounts.regular, accounts.again, accounts.casual]));
    const games = [];
    for (const ruleset of ['shinjuku', 'super-motherload']) games.push(await startTable(ruleset, [accounts.casual, accounts.regular, accounts.again]));
    for (const game of games) {
      await isOver(game);
      const record = await assertProved(game, 3);
      assert.equal(record.match(/ house /g).length, 3); // declared once each
    }
    for (const house of both) assert.equal(await endHouse(house), 0);
  });

  it('ends at SIGTERM after the present move, and goes on when it is started again', async () => {
    const game = await startTable('superstore-3000', [accounts.casual, accounts.regular]);
    for (let starts = 0; starts < (isLong ? 3 : 1); starts++) {
      const { seq } = await read(game);
      const house = startHouse([accounts.regular, accounts.casual]);
      await until(60, 'some moves', async () => (await read(game)).seq >= seq + 4);
      assert.equal(await endHouse(house), 0);
      const stopped = await read(game);
      if (stopped.state === 'running') assert.equal((await read(game)).seq, stopped.seq);
    }
    const house = startHouse([accounts.regular, accounts.casual], '--once');
    await isOver(game);
    assert.equal((await house.ended)[0], 0);
    await assertProved(game, 2);
  });

  it('plays at most as many games at once as it is told to', { skip: notLong }, async () => {
    const house = startHouse([accounts.regular], '--games', '1');
    const games = [await startTable('shinjuku', [ada, accounts.regular]), await startTable('shinjuku', [ben, accounts.regular])];
    const people = [ada, ben];
    // One of them gets no further than the house's first turn until the other is over.
    const order = [];
    await Promise.all(games.map(async (game, i) => {
      await script(game, [people[i]]);
      order.push(game);
    }));
    for (const game of games) await isOver(game);
    const [first, second] = await Promise.all(order.map((game) => recordOf(game)));
    const finished = (record) => Date.parse(/^start (\S+)/m.exec(record)[1]) + Number(/^\d+ - (\d+) reveal/m.exec(record)[1]);
    const begun = (record) => Date.parse(/^start (\S+)/m.exec(record)[1]) + Number(/^\d+ - (\d+) house/m.exec(record)[1]);
    assert.ok(begun(second) >= finished(first));
    assert.equal(await endHouse(house), 0);
  });

  it('serves figures on an address of its own', async () => {
    const house = startHouse([accounts.casual], '--metrics-listen', '127.0.0.1:0');
    await until(30, 'its port', () => /port \d+/.test(house.output));
    const [, port] = /port (\d+)/.exec(house.output);
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const name of ['deciding', 'waiting']) assert.match(page, new RegExp(`^tillroll_house_${name}_seconds_total [\\d.]+$`, 'm'));
    for (const name of ['moves_total', 'games', 'games_total', 'accounts', 'failures_total']) assert.match(page, new RegExp(`^tillroll_house_${name} \\d+$`, 'm'));
    assert.equal(await endHouse(house, 'SIGINT'), 0);
  });

  it('says what is wrong with what it is given', async () => {
    const said = async (players, ...options) => {
      const house = startHouse(players, ...options);
      return [(await house.ended)[0], house.output];
    };
    assert.deepEqual(await said([accounts.casual], '--level', 'divine'), [2, 'tillroll: there is no level divine; the levels are beginner, casual, regular, strong, master\n']);
    const [status, output] = await said([ada]);
    assert.equal(status, 2);
    assert.match(output, /is not a house account/);
    assert.match((await said([{ token: `tr_${'0'.repeat(64)}` }]))[1], /unknown, expired or revoked/);
    assert.match((await said([accounts.casual], '--level', 'regular'))[1], /no house account to play for/);
    const open = spawnSync(tillroll, ['house', '--server', `http://127.0.0.1:${client.port}`, '--tokens', keeper.tokenFile([accounts.casual], 0o644)], { encoding: 'utf8' });
    assert.equal(open.status, 2);
    assert.match(open.stderr, /can be read by others/);
  });

  it('sees what its seat may see, and nothing else', async () => {
    const game = await startTable('shinjuku', [ada, ben]);
    const { token } = accounts.regular;
    for (const part of ['sample', 'legal-moves']) assert.equal((await client.get(`/v1/games/${game}/${part}`, { token })).json.code, 'not-a-seat');
    assert.deepEqual(good(await client.get(`/v1/games/${game}/view`, { token })).viewer, { kind: 'spectator' });
  });
});

describe('a table against the house', () => {
  const open = (settings, player = ada) => client.post('/v1/lobby', { ruleset: 'shinjuku', ...settings }, player.token);

  it('is offered for levels that some account plays', async () => {
    const { items } = good(await client.get('/v1/house'));
    assert.deepEqual(items.map(({ level }) => level), ['casual', 'regular']);
    assert.ok(items[0].accounts === 1 && items[1].accounts >= 2);
    assert.match(items[0].meaning, /\.$/);
  });

  it('starts at once, unlisted and unrated, and is played again', async () => {
    const table = good(await open({ ruleset: 'superstore-3000', house: 'regular', seats: 3 }));
    assert.deepEqual([table.listed, table.rated, table.players.length], [false, false, 3]);
    const house = startHouse([accounts.regular, accounts.again]);
    await script(table.game, [ada]);
    await isOver(table.game);
    await assertProved(table.game, 2);
    assert.deepEqual(good(await client.get(`/v1/players/${ada.id}/ratings`)).items ?? [], []);
    const again = good(await client.post(`/v1/games/${table.game}/rematch`, {}, ada.token));
    assert.notEqual(again.game, null);
    await script(again.game, [ada], isLong ? Infinity : 3);
    if (isLong) await isOver(again.game);
    assert.equal(await endHouse(house), 0);
  });

  it('is refused where the house does not play', async () => {
    for (const [settings, code] of [[{ house: 'casual', seats: 3 }, 'house-unavailable'], [{ house: 'beginner' }, 'house-unavailable'],
      [{ house: 'divine' }, 'bad-field'], [{ house: 1 }, 'bad-field'], [{ house: null }, 'bad-field'], [{ house: 'regular', rated: true }, 'bad-field']])
      assert.equal((await open(settings)).json.code, code, JSON.stringify(settings));
    assert.ok(!good(await client.get('/v1/me/tables', { token: ada.token })).items.some(({ game }) => game === null));
  });

  it('has no place for house accounts at rated tables, nor in events that do not ask for them', async () => {
    const table = good(await open({ rated: true }));
    assert.equal((await client.post(`/v1/lobby/${table.id}/seat`, {}, accounts.regular.token)).json.code, 'house-not-allowed');
    assert.equal((await client.delete(`/v1/lobby/${table.id}/seat`, ada.token)).status, 204);
    const event = good(await client.post('/v1/events', { name: 'People', ruleset: 'shinjuku', seats_min: 2, seats_max: 4, rounds: 1, entropy_seconds: 0 }, ada.token));
    good(await client.post(`/v1/events/${event.id}/open-entries`, {}, ada.token));
    const at = `/v1/events/${event.id}`;
    assert.equal((await client.post(`${at}/entries`, {}, accounts.regular.token)).json.code, 'house-not-allowed');
    assert.equal((await client.post(`${at}/entries`, { player: accounts.regular.id }, ada.token)).json.code, 'house-not-allowed');
    const [cleo] = await makePlayers(client, 1, 'Another');
    for (const body of [{ player: cleo.id }, { player: ben.id }]) good(await client.post(`${at}/entries`, body, ada.token));
    good(await client.post(`${at}/close-entries`, {}, ada.token));
    const { games: [{ id, seats }] } = good(await client.post(`${at}/rounds`, {}, ada.token));
    const { seat } = seats.find(({ player }) => player.id === ben.id);
    assert.equal((await client.post(`/v1/games/${id}/substitute`, { seat, player: accounts.regular.id }, ada.token)).json.code, 'house-not-allowed');
  });
});

describe('verify --house', () => {
  // A game in which the house account's token is used by somebody who takes the last legal move, six times: somewhere it is not the
  // one that the level chooses.
  async function planted(played) {
    const game = await startTable('shinjuku', [ada, accounts.regular]);
    const { token } = accounts.regular;
    const legal = async () => good(await client.get(`/v1/games/${game}/legal-moves`, { token }));
    const wrong = [];
    let house = null;
    if (played === version) {
      house = startHouse([accounts.regular]);
      await script(game, [ada], 3);
      assert.equal(await endHouse(house), 0);
    }
    for (let turn = 0; turn < 400 && wrong.length < 6; turn++) {
      const { moves, seq, house: declared } = await legal();
      if (moves.length === 0) await script(game, [ada], 1);
      else if (declared?.version !== played) good(await client.post(`/v1/games/${game}/house`, { version: played }, token));
      else if (moves.length === 1) good(await client.post(`/v1/games/${game}/moves`, { moves, seq }, token));
      else wrong.push(good(await client.post(`/v1/games/${game}/moves`, { moves: [moves.at(-1)], seq }, token)).seq);
    }
    house = played === version ? startHouse([accounts.regular]) : null;
    if (house === null) await script(game, [ada, accounts.regular]);
    else await script(game, [ada]);
    await isOver(game);
    if (house !== null) assert.equal(await endHouse(house), 0);
    return { record: await recordOf(game), wrong };
  }

  it('names the first move that the house does not make', async () => {
    const { record, wrong } = await planted(version);
    assert.equal(bed.verify(record).status, 0); // its moves are legal
    const { status, output } = verifyHouse(record);
    assert.equal(status, 1, output);
    assert.match(output, new RegExp(`house: entry (${wrong.join('|')}), seat \\d \\(House · regular\\): \`[^\`]+\` was played, but regular of version ${version} plays \``));
  });

  it('says that only another version can judge', async () => {
    const { record } = await planted(version + 7);
    const { status, output } = verifyHouse(record);
    assert.equal(status, 3, output);
    assert.match(output, new RegExp(`is played by level regular of version ${version + 7}, which this program \\(version ${version}\\) does not have`));
  });

  it('of a game without house players says so, and of none that it cannot judge', async () => {
    const game = await startTable('shinjuku', [ada, ben]);
    await script(game, [ada, ben]);
    const record = await recordOf(game);
    const { status, output } = verifyHouse(record);
    assert.deepEqual([status, /no decision was made by a house player/.test(output)], [0, true]);
    assert.equal(verifyHouse(record.split('\n').slice(0, 40).join('\n') + '\n').status, 2);
  });
});
