// Limits per client: who is too fast is told how long to wait, and others are not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { Client } from '../support/client.mjs';
import { makePlayer, password } from '../support/play.mjs';
import { realPasswords, Testbed } from '../support/testbed.mjs';
import { sleep, until } from '../support/waiting.mjs';

let bed;
let client; // of a service without limits
let players;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService([], realPasswords));
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

// With limits. When it begins to hear of changes it forgets whom it knows, so that is waited for.
async function startStrict(options) {
  const hearers = () => Number(bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.hearer'));
  const before = hearers();
  const { client: strict } = await bed.startService(options);
  await until(60, 'the service hears', () => hearers() > before);
  await sleep(100);
  return strict;
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
    const strict = await startStrict(['--reads-per-minute', '10', '--writes-per-minute', '10']);
    const [one, two] = players.map((player) => player.token);
    const read = (token) => () => strict.get('/v1/me', { token });
    const write = (token) => () => strict.post('/v1/events', {}, token);
    assert.equal(await comeThrough(4, read(one)), 2);
    assert.equal(await comeThrough(4, write(one)), 2);
    assert.equal(await comeThrough(4, read(two)), 2);
    // Clients without a session are counted by address; asking whether the service is ready counted, too.
    assert.ok((await comeThrough(4, () => strict.get('/v1/rulesets'))) < 4);
    assert.equal((await strict.get('/v1/players')).status, 429);
  });

  it('of tokens that nobody has shown yet hold for an address, and not for those that are known', async () => {
    const strict = await startStrict(['--reads-per-minute', '20']);
    const [one, two] = players.map((player) => player.token);
    assert.equal((await strict.get('/v1/me', { token: one })).status, 200);
    const guess = (i) => strict.get('/v1/events', { token: `tr_${String(i).padStart(64, '0')}` });
    assert.ok((await comeThrough(8, guess)) < 8);
    assert.equal((await strict.get('/v1/me', { token: one })).status, 200);
    assert.equal((await strict.get('/v1/me', { token: two })).status, 429);
    assert.equal((await strict.get('/v1/events', { headers: { Authorization: 'nonsense' } })).status, 429);
  });
});

describe('passwords', () => {
  const peak = (service) => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))[1]) / 1024;
  const signIn = (at, name) => at.post('/v1/tokens', { name, password: 'wrong password' });

  // What a hash needs is seen in the memory that the process has had at most.
  it('are computed for unknown names and bots as well', async () => {
    const bot = (await client.post('/v1/me/bots', { name: 'Timekeeper' }, players[0].token)).json;
    for (const name of [players[0].name, 'Nobody at all', bot.name]) {
      const service = await bed.startService();
      const before = peak(service);
      assert.ok(before < 60, `${before} MiB`);
      assert.equal((await signIn(service.client, name)).json.code, 'wrong-password');
      assert.ok(peak(service) >= before + 60, `${name}: ${before} and then ${peak(service)} MiB`);
    }
  });

  it('are computed two at a time, and hold up nobody else', async () => {
    const service = await bed.startService();
    const patient = new Client(service.client.port);
    let answered = 0;
    const all = Array.from({ length: 16 }, async (_, i) => {
      const answer = await signIn(service.client, i % 2 ? players[0].name : 'Nobody');
      answered++;
      return answer;
    });
    await all[0];
    assert.equal((await patient.get('/v1/players')).status, 200);
    assert.equal((await patient.post('/v1/events', { name: 'Now', ruleset: 'shinjuku', rounds: 1 }, players[0].token)).status, 201);
    assert.ok(answered < 16, 'the passwords came first');
    for (const answer of await Promise.all(all)) assert.equal(answer.json.code, 'wrong-password');
    assert.ok(peak(service) < 60 + 2 * 64, `${peak(service)} MiB`);
    patient.close();
  });

  // Out of 400 at once two are computed and 256 wait (api/main.c). The test does not wait for the responses to these: it counts the others until their
  // number no longer grows, when the service has read all requests.
  it('that are too many to wait for are refused at once', async () => {
    const service = await bed.startService(['--connections-per-address', '1000']);
    const more = Array.from({ length: 4 }, () => new Client(service.client.port));
    const refused = [];
    const taken = [];
    const all = more.flatMap((each) => Array.from({ length: 100 }, async (_, i) => {
      const answer = await signIn(each, `Nobody ${i}`);
      (answer.status === 503 ? refused : taken).push(answer);
    }));
    const settled = Promise.allSettled(all); // they fail when the service is ended
    await until(60, 'passwords have been computed after others were refused', () => refused.length > 0 && taken.length >= 4);
    assert.ok(refused.length < 400 - 256);
    for (const answer of refused) {
      assert.equal(answer.json.code, 'server-busy');
      assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
    for (const answer of taken) assert.equal(answer.json.code, 'wrong-password');
    await service.end('SIGKILL');
    await settled;
    for (const each of more) each.close();
  });
});
