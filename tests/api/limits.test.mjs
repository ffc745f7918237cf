// Limits per client: who is too fast is told how long to wait, and others are not.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { makePlayer, password } from './support/play.mjs';
import { Testbed } from './support/testbed.mjs';

let bed;
let client; // of a service without limits
let players;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  players = [await makePlayer(client), await makePlayer(client)];
});
after(() => bed.end());

// Counts how many of `count` requests come through; the rest must be 429 with a time to wait.
async function comeThrough(count, send) {
  let through = 0;
  for (let i = 0; i < count; i++) {
    const answer = await send(i);
    if (answer.status !== 429) {
      through++;
      continue;
    }
    assert.equal(answer.json.code, 'too-many-requests');
    const wait = Number(answer.headers['retry-after']);
    assert.ok(wait >= 1 && wait <= 60, `Retry-After: ${wait}`);
  }
  return through;
}

describe('limits', () => {
  it('of passwords hold for an address, right or wrong, and for nothing else', async () => {
    const { client: strict } = await bed.startService(['--passwords-per-minute', '3']);
    const before = bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.player');
    const wrong = () => strict.post('/v1/tokens', { name: players[0].name, password: 'wrong password' });
    assert.equal(await comeThrough(6, wrong), 3);
    assert.equal((await strict.post('/v1/tokens', { name: players[0].name, password })).status, 429);
    assert.equal((await strict.post('/v1/players', { name: 'Too early', password })).status, 429);
    assert.equal(bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.player'), before);
    assert.equal((await strict.get('/v1/me', { token: players[0].token })).status, 200);
    assert.equal((await client.post('/v1/tokens', { name: players[0].name, password })).status, 201);
  });

  // A tenth of a minute's number, and one, may come at once; the next is free after seconds.
  it('of reads and writes hold for each player apart', async () => {
    const { client: strict } = await bed.startService(['--reads-per-minute', '10', '--writes-per-minute', '10']);
    const [one, two] = players.map((player) => player.token);
    const read = (token) => () => strict.get('/v1/me', { token });
    const write = (token) => () => strict.post('/v1/events', {}, token);
    assert.equal(await comeThrough(4, read(one)), 2);
    assert.equal(await comeThrough(4, write(one)), 2);
    assert.equal(await comeThrough(4, read(two)), 2);
    // Who is not signed in is counted by address; asking whether the service is ready counted too.
    assert.ok((await comeThrough(4, () => strict.get('/v1/rulesets'))) < 4);
    assert.equal((await strict.get('/v1/players')).status, 429);
  });
});
