// Positions that a seat may suppose (api/play/sample.c). What is dealt in them is tested with the engine
// (tests/engine/game/test_imagine.c); here: who gets them, which, and what is refused.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeGame, makePlayer, makePlayers, playBriefly, playRandomly, Random } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
let organizer;
let stranger;
let players;
let game;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  stranger = await makePlayer(client, 'Stranger');
  players = await makePlayers(client, 3);
  ({ game } = await makeGame(client, organizer, players));
});
after(() => bed.end());

const ask = (query, token) => client.get(`${game.at}/sample${query}`, { token });
const sampleOf = async (seat, query = '') => good(await ask(query, game.players[seat].token));

describe('positions that a seat may suppose', () => {
  it('are as many as asked for, numbered, and the same whenever they are asked for', async () => {
    const one = await sampleOf(1);
    assert.equal(one.states.length, 1);
    assert.deepEqual([one.format, one.seat, one.first, one.decided], [1, 1, 0, false]);
    const rules = good(await client.get('/v1/rulesets/shinjuku'));
    assert.equal(one.components_sha256, rules.components_sha256);
    const many = await sampleOf(1, '?n=64');
    assert.equal(many.states.length, 64);
    assert.equal(new Set(many.states).size, 64);
    assert.equal(many.states[0], one.states[0]);
    const later = await sampleOf(1, '?first=60&n=8');
    assert.equal(later.first, 60);
    assert.deepEqual(later.states.slice(0, 4), many.states.slice(60));
    assert.equal(new Set(many.states.map((state) => Buffer.from(state, 'base64').length)).size, 1);
  });

  it('are others for each seat, and after each move', async () => {
    const first = await sampleOf(0);
    const second = await sampleOf(1);
    assert.notEqual(first.states[0], second.states[0]);
    await playRandomly(client, game, new Random('sample'), { plies: 1 });
    const moved = await sampleOf(0);
    assert.ok(moved.seq > first.seq);
    assert.notEqual(moved.states[0], first.states[0]);
  });

  it('are for players of the game alone', async () => {
    assert.equal((await ask('')).status, 401);
    for (const { token } of [stranger, organizer]) {
      const refused = await ask('', token);
      assert.equal(refused.status, 403);
      assert.equal(refused.json.code, 'not-a-seat');
      assert.match(refused.json.detail, /Only the players of this game/);
    }
    assert.equal((await client.get('/v1/games/01900000-0000-7000-8000-000000000001/sample', { token: stranger.token })).status, 404);
  });

  it('are not given for bad parameters', async () => {
    for (const query of ['?n=0', '?n=65', '?n=x', '?n=', '?first=-1', '?first=2147483584', '?seed=1', '?n=1&more=2']) {
      const refused = await ask(query, game.players[0].token);
      assert.equal(refused.status, 400, query);
      assert.equal(refused.json.code, 'bad-parameter', query);
    }
    assert.equal((await sampleOf(0, '?first=2147483583')).first, 2147483583);
  });

  it('can be had of a game that is over', async () => {
    await playBriefly(client, game, new Random('sample to the end'));
    const { states } = await sampleOf(2, '?n=2');
    assert.equal(states.length, 2);
  });
});
