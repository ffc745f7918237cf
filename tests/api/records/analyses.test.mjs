// Analyses of finished games: asked for by whoever has an account, made by house accounts, checked, and shown to everybody.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { House } from '../cli/house_program.mjs';
import { good } from '../support/client.mjs';
import { makeDuplicate, seated } from '../support/duplicate.mjs';
import { endQuietly, makeGame, makePlayer, makePlayers } from '../support/play.mjs';
import { build, root, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const ruleset = 'supermarche'; // which is analysed fastest
let bed;
let client;
let keeper;
let house;
let second; // another account of the house
let organizer;
let players;
let maker; // the version that the service takes
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  keeper = new House(bed, client);
  [house, second] = [await keeper.account('regular'), await keeper.account('casual')];
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 8);
  ({ newest_maker: maker } = good(await client.get(`/v1/games/${(await finished()).id}/analysis`)));
});
after(async () => {
  keeper.end();
  await bed.end();
});

async function finished(components) {
  const event = await makeDuplicate(client, organizer, players.slice(0, 1), { ruleset, boards: 1, components });
  const [game] = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
  await endQuietly(client, game, organizer);
  return game;
}

const shown = async (game, token) => good(await client.get(`/v1/games/${game.id}/analysis`, { token }));
const ask = (game, player) => client.post(`/v1/games/${game.id}/analysis`, {}, player.token);
const lease = (player, body = { maker }) => client.post('/v1/analyses/lease', body, player.token);
const deliver = (game, player, part) => client.post(`/v1/games/${game.id}/analysis/parts`, part, player.token);
const code = ({ status, json }) => `${status} ${json?.code ?? ''}`.trim();

// What the command prints of the game's record.
async function analysed(game, budget, ...options) {
  const file = path.join(bed.directory, `${game.id}.roll`);
  writeFileSync(file, (await client.get(`/v1/games/${game.id}/record`)).text);
  const { status, stdout, stderr } = spawnSync(path.join(build, 'tillroll'), ['analyse', '--json', '--budget', `${budget}`, ...options, file], { encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

let made; // a game whose analysis the house has made
let whole; // what the command says of it

describe('an analysis', () => {
  it('is made by the house, with the numbers of the command, and is the same for everybody', async () => {
    const game = await finished();
    assert.deepEqual(await shown(game), { game: game.id, state: 'none', maker: null, newest_maker: maker, budget: 1024, done: 0, plies: 0, analysis: null });
    assert.equal((await ask(game, players[7])).json.state, 'waiting');
    assert.equal((await ask(game, players[6])).json.state, 'waiting');
    const program = keeper.start([house], '--once');
    const [status] = await program.ended;
    assert.equal(status, 0, program.output);
    const answer = await client.get(`/v1/games/${game.id}/analysis`);
    const found = answer.json;
    [made, whole] = [game, await analysed(game, found.budget)];
    assert.equal(JSON.stringify(found.analysis), whole);
    assert.deepEqual([found.maker, found.done, found.plies], [maker, 0, 0]);
    for (const seat of found.analysis.seats) assert.equal(seat.start + seat.luck + seat.own + seat.others, seat.result);
    assert.equal((await client.get(`/v1/games/${game.id}/analysis`, { headers: { 'If-None-Match': answer.headers.etag } })).status, 304);
    assert.deepEqual(await shown(game, players[0].token), found);
    assert.equal((await ask(game, players[7])).json.state, 'finished'); // it is not made again
    assert.equal((await lease(house)).status, 204);
  });

  it('is made with the component set that the record names, by the house and in browsers', async () => {
    const set = readFileSync(path.join(root, 'engine/games', ruleset, 'components.json'), 'utf8').replace('"start_money": 15', '"start_money": 20');
    const registered = await client.request('POST', `/v1/rulesets/${ruleset}/components`, { body: set, token: organizer.token, headers: { 'Content-Type': 'application/json' } });
    const file = path.join(bed.directory, 'own.json');
    writeFileSync(file, set);
    const game = await finished(good(registered).components);
    assert.equal((await ask(game, players[7])).json.state, 'waiting');
    const program = keeper.start([house]);
    await until(400, 'the analysis', async () => (await shown(game)).state === 'finished');
    assert.equal(await keeper.stop(program), 0);
    const found = await shown(game);
    assert.equal(JSON.stringify(found.analysis), await analysed(game, found.budget, '--components', file));

    // The engine of the game's page needs the set, and then has the same numbers.
    const { instance: { exports: engine } } = await WebAssembly.instantiate(readFileSync(path.join(build, 'analysis.wasm')), {});
    const record = Buffer.from((await client.get(`/v1/games/${game.id}/record`)).text);
    const said = (at) => JSON.parse(Buffer.from(engine.memory.buffer).subarray(at, Buffer.from(engine.memory.buffer).indexOf(0, at)).toString());
    const begin = (bytes) => {
      Buffer.from(engine.memory.buffer).set(Buffer.concat([record, bytes]), engine.analyst_room());
      return said(engine.analyst_begin(record.length, bytes.length, 8));
    };
    for (const [bytes, fault] of [['', 'wrong-components'], [`${set} `, 'wrong-components'], ['{}', 'bad-components']]) assert.equal(begin(Buffer.from(bytes)).code, fault);
    const { plies: count } = begin(Buffer.from(set));
    const plies = [];
    for (let ply = said(engine.analyst_step()); ply !== null; ply = said(engine.analyst_step())) plies.push(ply);
    assert.equal(plies.length, count);
    assert.deepEqual({ ...said(engine.analyst_document()), plies }, JSON.parse(await analysed(game, 8, '--components', file)));
  });

  it('is of no game that runs, is void, or that others still have to play, for nobody', async () => {
    const { game: running } = await makeGame(client, organizer, players.slice(0, 2), { ruleset: 'shinjuku' });
    const event = await makeDuplicate(client, organizer, players, { boards: 2, seats_preferred: 4 });
    const [hidden] = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
    await endQuietly(client, hidden, organizer);
    assert.equal(good(await client.get(hidden.at, { token: hidden.players[0].token })).state, 'finished');
    const nothing = await client.get('/v1/games/01919191-0000-7000-8000-000000000000/analysis');
    for (const game of [running, hidden]) {
      for (const token of [undefined, game.players[0].token, organizer.token]) {
        const answer = await client.get(`/v1/games/${game.id}/analysis`, { token });
        assert.deepEqual([answer.status, answer.json.code, answer.json.detail], [404, 'not-found', nothing.json.detail]);
      }
      for (const player of [game.players[0], organizer, players[7]]) assert.equal(code(await ask(game, player)), '404 not-found');
      assert.equal(code(await deliver(game, house, { attempt: 1, plies: [] })), '404 not-found');
    }
    assert.equal((await lease(house)).status, 204);
  });

  it('is asked for with an account, five at a time', async () => {
    const games = [];
    for (let i = 0; i < 6; i++) games.push(await finished());
    assert.equal(code(await client.post(`/v1/games/${games[0].id}/analysis`, {})), '401 not-signed-in');
    for (const game of games.slice(0, 5)) good(await ask(game, players[5]));
    assert.equal(code(await ask(games[5], players[5])), '409 too-many-analyses');
    good(await ask(games[0], players[5])); // that one waits already
    good(await ask(games[5], players[4]));
    for (const game of games) { // in the order in which they were asked for
      const { game: leased, attempt } = good(await lease(house));
      assert.equal(leased, game.id);
      assert.equal((await deliver(game, house, { attempt, impossible: true })).status, 204);
      assert.equal((await shown(game)).state, 'failed');
    }
    assert.equal((await lease(house)).status, 204);
    good(await ask(await finished(), players[5])); // those that have failed do not count
    const last = good(await lease(house));
    assert.equal((await deliver({ id: last.game }, house, { attempt: last.attempt, impossible: true })).status, 204);
  });
});

describe('making an analysis', () => {
  it('is for house accounts of the same version', async () => {
    const game = await finished();
    assert.equal(code(await lease(players[0])), '403 not-a-house-account');
    assert.equal(code(await deliver(game, players[0], { attempt: 1, plies: [] })), '403 not-a-house-account');
    assert.equal(code(await lease(house, { maker: '0.0' })), '409 house-outdated');
    assert.equal(code(await lease(house, {})), '400 missing-field');
    for (const part of [{ attempt: 1 }, { attempt: 1, plies: 1 }, { attempt: 1, plies: [], summary: 1 }, { attempt: 1, impossible: false }])
      assert.equal(code(await deliver(game, house, part)), '400 bad-field');
  });

  it('is begun anew by a newer version when it is asked for', async () => {
    bed.cluster.sql(`UPDATE tillroll.game_analysis SET maker = '0.1' WHERE game_id = '${made.id}'`);
    assert.deepEqual([(await shown(made)).state, (await shown(made)).maker], ['finished', '0.1']);
    assert.equal((await ask(made, players[1])).json.state, 'waiting');
  });

  it('shows how far it is, takes plies in their order from who has the lease, and refuses what does not add up', async () => {
    const game = made;
    const { attempt, budget, seconds } = good(await lease(house));
    assert.ok(seconds >= 60);
    assert.equal((await lease(second)).status, 204); // it is taken
    const { plies, ...summary } = JSON.parse(whole);
    const total = plies.length;
    const half = Math.floor(total / 2);
    assert.equal((await deliver(game, house, { attempt, done: 0, total, plies: plies.slice(0, half) })).status, 204);
    const running = await shown(game);
    assert.deepEqual([running.state, running.done, running.plies, running.analysis], ['running', half, total, null]);
    assert.equal(code(await deliver(game, house, { attempt, done: 0, total, plies: plies.slice(0, half) })), '409 lease-lost');
    assert.equal(code(await deliver(game, second, { attempt, done: half, total, plies: [] })), '409 lease-lost');
    assert.equal(code(await deliver(game, house, { attempt: attempt + 1, done: half, total, plies: [] })), '409 lease-lost');
    const end = { attempt, done: half, total, plies: plies.slice(half) };
    const [first, ...others] = summary.seats;
    const luckier = { ...summary, seats: [{ ...first, luck: first.luck + 1 }, ...others] };
    for (const wrong of [luckier, { ...summary, budget: budget + 1 }, { ...summary, further: 1 }, { ...summary, game: players[0].id }])
      assert.equal(code(await deliver(game, house, { ...end, summary: wrong })), '422 bad-analysis');
    assert.equal((await shown(game)).done, half); // nothing of it was kept
    assert.equal(code(await deliver(game, house, { ...end, plies: plies.slice(half, -1), summary })), '422 bad-analysis');
    assert.equal((await deliver(game, house, { ...end, summary })).status, 204);
    assert.deepEqual([(await shown(game)).analysis, (await shown(game)).maker], [{ ...summary, plies }, maker]);
    assert.equal(code(await deliver(game, house, { ...end, summary })), '409 lease-lost');
  });

  it('is taken over when its lease has run out, at most three times', async () => {
    const game = await finished();
    good(await ask(game, players[0]));
    for (const attempt of [1, 2, 3]) {
      const maker2 = attempt % 2 === 0 ? second : house;
      assert.deepEqual([good(await lease(maker2)).attempt, (await shown(game)).state], [attempt, 'running']);
      bed.cluster.sql("UPDATE tillroll.game_analysis SET leased_until = clock_timestamp() - interval '1 second' WHERE leased_until IS NOT NULL");
      assert.equal((await shown(game)).state, attempt < 3 ? 'waiting' : 'failed');
    }
    assert.equal((await lease(house)).status, 204);
  });

  it('can be left to others', async () => {
    const game = await finished();
    good(await ask(game, players[0]));
    const program = keeper.start([house], '--once', '--games-only');
    const [status] = await program.ended;
    assert.equal(status, 0, program.output);
    assert.equal((await shown(game)).state, 'waiting');
  });
});
