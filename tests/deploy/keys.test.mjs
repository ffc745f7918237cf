// A service whose keys were lost, or are those of another: it makes no new ones without a word for a database that was used, and says
// what to do. Then the ways out.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Client, good } from '../api/support/client.mjs';
import { asOwner } from '../api/support/damage.mjs';
import { makeGame, makePlayer, makePlayers, playBriefly, playRandomly, Random } from '../api/support/play.mjs';
import { build, Testbed } from '../api/support/testbed.mjs';
import { until } from '../api/support/waiting.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const quick = ['--log-interval-ms', '20'];

// Runs tillrolld until it ends, which it does if it does not serve: { status, stdout, stderr }.
const words = ['--listen', '127.0.0.1:0', '--log-format', 'text'];
const environment = (database, secrets) => ({ TILLROLL_DATABASE: database, TILLROLL_SECRETS: secrets, TILLROLL_PAGES: path.join(root, 'web-static') });
const runOn = (database, secrets, ...options) =>
  spawnSync(path.join(build, 'tillrolld'), [...words, ...options], { encoding: 'utf8', timeout: 20_000, env: environment(database, secrets) });

describe('keys that were lost', () => {
  let bed, organizer, players, running;
  const secrets = () => path.join(bed.directory, 'secrets');
  const kept = () => path.join(bed.directory, 'kept');
  const files = () => (existsSync(secrets()) ? readdirSync(secrets()).sort() : []);
  const start = (...options) => bed.startService([...quick, ...options]);
  const tillrolld = (...options) => runOn(bed.cluster.serviceUrl, secrets(), ...options);

  const restore = () => {
    rmSync(secrets(), { recursive: true, force: true });
    cpSync(kept(), secrets(), { recursive: true });
  };

  // A start, and --check-config, are refused with such a sentence, which names the directory and what is lost with the keys.
  function refused(sentence, ...options) {
    const before = files();
    const runs = [tillrolld('--check-config', ...options), tillrolld(...options)];
    for (const { status, stderr: text } of runs) {
      assert.equal(status, 1);
      assert.match(text, sentence);
      assert.ok(text.includes(`${secrets()}: `), text);
      assert.match(text, /Running games and open events cannot continue without their sealing key.*Restore the keys/);
    }
    assert.deepEqual(files(), before);
    return runs[0].stderr;
  }

  const log = async (client) => ({ origin: (await client.get('/v1/log/checkpoint')).text.split('\n')[0], vkey: good(await client.get('/v1/keys')).keys[0].vkey });

  before(async () => {
    bed = new Testbed();
    const service = await start();
    organizer = await makePlayer(service.client, 'Organizer');
    players = await makePlayers(service.client, 3);
    ({ game: running } = await makeGame(service.client, organizer, players));
    await until(60, 'the log has begun', async () => (await service.client.get('/v1/log/checkpoint')).status === 200);
    await service.end();
    cpSync(secrets(), kept(), { recursive: true });
  });
  after(() => bed.end());

  it('are not made anew for a database that was used', async () => {
    rmSync(secrets(), { recursive: true });
    refused(/a key is missing \(signing\.key or sealing\.key\), but this database has been used/);
    mkdirSync(secrets(), { mode: 0o700 });
    for (const name of ['signing.key', 'sealing.key']) {
      cpSync(path.join(kept(), name), path.join(secrets(), name));
      refused(/a key is missing/);
      rmSync(path.join(secrets(), name));
    }
  });

  it('are not replaced by others', async () => {
    rmSync(secrets(), { recursive: true, force: true });
    assert.equal(tillrolld('--make-keys').status, 0);
    refused(/: signing\.key and sealing\.key are not what this database has been used with/);
    cpSync(path.join(kept(), 'signing.key'), path.join(secrets(), 'signing.key'));
    refused(/: sealing\.key is not what this database/);
    refused(/: sealing\.key is not what this database/, '--new-keys', '0123456789abcdef');
  });

  it('serve again when they are back', async () => {
    restore();
    assert.equal(tillrolld('--check-config').status, 0);
    const { client, end } = await start().then((service) => ({ client: service.client, end: () => service.end() }));
    assert.equal((await client.get(`${running.at}/view`, { token: players[0].token })).status, 200);
    await playRandomly(client, running, new Random('keys'), { plies: 3 });
    await end();
  });

  // Begins a service while the database is away, and lets that come back: { child, client, said: what it says }.
  async function beginWithout() {
    bed.cluster.stop();
    const child = spawn(path.join(build, 'tillrolld'), [...words, ...quick], { env: environment(bed.cluster.serviceUrl, secrets()) });
    let text = '';
    child.stderr.on('data', (bytes) => (text += bytes));
    const port = await until(60, 'it listens', () => /listening on .*, port (\d+)/.exec(text)?.[1]);
    const client = new Client(Number(port));
    assert.equal((await client.get('/readyz')).status, 503);
    assert.equal((await client.get('/v1/events')).status, 503);
    const ended = once(child, 'exit');
    await bed.cluster.restart();
    return { child, client, ended, said: () => text };
  }

  it('are compared when a database that was away is back', async () => {
    const { child, client, ended, said } = await beginWithout();
    await until(60, 'it is ready', async () => (await client.get('/readyz')).status === 200);
    assert.equal((await client.get(`${running.at}/view`, { token: players[0].token })).status, 200);
    client.close();
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], said());
  });

  it('of another database end the service then, and have signed nothing', async () => {
    const log = () => asOwner(bed.cluster, 'SELECT count(*) FROM tillroll.log_checkpoint');
    const before = log();
    rmSync(secrets(), { recursive: true });
    assert.equal(tillrolld('--make-keys').status, 0);
    const { client, ended, said } = await beginWithout();
    assert.deepEqual(await ended, [1, null], said());
    assert.match(said(), /signing\.key and sealing\.key are not what this database has been used with/);
    assert.equal(log(), before);
    client.close();
    restore();
  });

  it('can be replaced by those that somebody names, which then need no name any more', async () => {
    const first = await start();
    const before = await log(first.client);
    await first.end();
    rmSync(secrets(), { recursive: true });
    const id = /are ([0-9a-f]{16})$/m.exec(tillrolld('--make-keys').stdout)[1];
    assert.match(refused(/signing\.key and sealing\.key/), new RegExp(`--new-keys ${id} \\(TILLROLL_NEW_KEYS\\)`));
    assert.equal(tillrolld('--check-config', '--new-keys', id).status, 0);
    const service = await start('--new-keys', id);
    // What was sealed is lost, as was said; all else goes on, the log under its name with another key.
    assert.equal((await service.client.get(`${running.at}/view`, { token: players[0].token, unchecked: true })).status, 500);
    const { game } = await makeGame(service.client, organizer, players);
    await playBriefly(service.client, game, new Random('new keys'));
    const now = await log(service.client);
    assert.equal(now.origin, before.origin);
    assert.notEqual(now.vkey, before.vkey);
    const bundle = path.join(bed.directory, 'bundle');
    await until(60, 'the game is in the log', async () => {
      const answer = await service.client.get(`${game.at}/record.bundle`);
      if (answer.status === 200) writeFileSync(bundle, answer.text);
      return answer.status === 200;
    });
    assert.equal(bed.tillroll('verify', '--log-key', now.vkey, bundle).status, 0);
    assert.notEqual(bed.tillroll('verify', '--log-key', before.vkey, bundle).status, 0);
    await service.end();
    const again = await start();
    assert.equal((await log(again.client)).vkey, now.vkey);
    assert.equal((await again.client.get(`${game.at}/record`)).status, 200);
    await again.end();
    // The old ones are not welcome any more.
    restore();
    refused(/: signing\.key and sealing\.key are not what this database/);
  });
});

describe('a service without keys', () => {
  let bed;
  const secrets = () => path.join(bed.directory, 'secrets');

  before(() => {
    bed = new Testbed();
  });
  after(() => bed.end());

  it('makes none while the database does not answer', () => {
    const { status, stderr } = runOn(bed.cluster.serviceUrl.replace(/host=[^&]*/, 'host=%2Fnowhere'), secrets());
    assert.equal(status, 1);
    assert.match(stderr, /a key is missing .* does not answer.*start it, or run tillroll migrate/);
    assert.ok(!existsSync(secrets()));
  });

  it('makes them for a database that was not used, migrated or not', async () => {
    const service = await bed.startService(quick);
    assert.deepEqual(readdirSync(secrets()).sort(), ['sealing.key', 'signing.key']);
    await service.end();
    rmSync(secrets(), { recursive: true });
    // Without tables: it serves, but is not ready.
    asOwner(bed.cluster, 'DROP SCHEMA tillroll, tillroll_vault CASCADE');
    const unready = bed.startService(quick).catch(({ message }) => message);
    await until(60, 'it has keys', () => readdirSync(secrets()).sort().join() === 'sealing.key,signing.key');
    await bed.end();
    assert.match(await unready, /tillrolld (listens|is ready)/);
  });
});
