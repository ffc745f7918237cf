// The server's key is replaced: by a statement of the old key in the log, killed at any moment, with a service that runs or not. What
// was signed before counts, verifiers and monitors with the old key follow, and witnesses are told.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Signer, Witness, tillroll } from '../cli/support/witness.mjs';
import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { isLong, notLong } from '../../long.mjs';
import { endQuietly, makeGame, makePlayer, makePlayers, Random } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { build, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const kills = 12;
// In the long run 500, of services of their own: a history has 32 keys at most.
const others = { services: 25, kills: 20 };
const options = ['--log-interval-ms', '50'];
let bed;
let service;
let client;
let organizer;
let players;
const vkeys = [];
const bundles = []; // one under each key

const secrets = () => path.join(bed.directory, 'secrets');
const environment = () => bed.settings;
const program = path.join(build, 'tillrolld');
const rotate = () => spawnSync(program, ['--rotate-key'], { encoding: 'utf8', env: environment() });
const keys = async () => good(await client.get('/v1/keys')).keys;
const changes = async () => (await client.get('/v1/log/key-changes')).text;
const countChanges = () => Number(asOwner(bed.cluster, 'SELECT count(*) FROM tillroll.server_key_change'));

async function start(more = []) {
  service = await bed.startService([...options, ...more]);
  ({ client } = service);
}

async function finishGame() {
  const { game } = await makeGame(client, organizer, players);
  await endQuietly(client, game, organizer);
  await until(30, 'the game is in the log', async () => (await client.get(`${game.at}/record.bundle`)).status === 200);
  return (await client.get(`${game.at}/record.bundle`)).text;
}

let files = 0;
function fileOf(text) {
  const file = path.join(bed.directory, `file-${files++}`);
  writeFileSync(file, text);
  return file;
}

// { status, faults }
function verify(bundle, key, history) {
  const more = history === undefined ? [] : ['--key-changes', fileOf(history)];
  const { status, stdout } = spawnSync(tillroll, ['verify', '--log-key', key, ...more, fileOf(bundle)], { encoding: 'utf8' });
  return { status, faults: [...stdout.matchAll(/: invalid: ([a-z-]+): /g)].map(([, code]) => code) };
}

async function monitor(directory) {
  const file = fileOf(`log ${vkeys[0]}\nquorum none\n`);
  const child = spawn(tillroll, ['monitor', `http://127.0.0.1:${client.port}`, directory, '--once', '--policy', file]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const [status] = await once(child, 'close');
  return { status, said };
}

const monitored = () => path.join(bed.directory, 'monitored');

before(async () => {
  bed = new Testbed();
  await start(['--log-origin', 'club.example/log']);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
  vkeys.push((await keys())[0].vkey);
  bundles.push(await finishGame());
  assert.equal((await monitor(monitored())).status, 0);
  assert.equal(await changes(), '');
});
after(() => bed.end());

describe('a key that is replaced', () => {
  it('signs nothing more, also in a service that still runs', async () => {
    const { status, stdout, stderr } = rotate();
    assert.equal(status, 0, stderr);
    assert.match(stderr, /the signing key is replaced/);
    vkeys.push(stdout.trim());
    assert.notEqual(vkeys[1], vkeys[0]);
    assert.ok(vkeys[1].startsWith('club.example/log+'));
    await until(30, 'the service says so', () => readFileSync(service.errors, 'utf8').includes('its signing key has been replaced; restart'));
    const { text } = await client.get('/v1/log/checkpoint');
    const { game } = await makeGame(client, organizer, players);
    await endQuietly(client, game, organizer);
    assert.equal((await client.get('/v1/log/checkpoint')).text, text);
    assert.equal(await changes(), '');
    assert.equal((await client.get(`${game.at}/record.bundle`)).status, 404);
  });

  it('is followed by the new one, and both are listed', async () => {
    await service.end();
    await start();
    await until(30, 'the change is in the log', async () => (await changes()) !== '');
    assert.deepEqual((await keys()).map(({ vkey, current }) => [vkey, current]), [[vkeys[1], true], [vkeys[0], false]]);
    bundles.push(await finishGame());
    assert.deepEqual((await changes()).split('\n').slice(1, 3), vkeys);
    const stream = await Stream.open(client, '/v1/stream');
    await stream.reached(Number((await client.get('/v1/log/checkpoint')).text.split('\n')[1]));
    stream.close();
    const [{ data }, ...more] = stream.messages.filter(({ event }) => event === 'server_key');
    assert.equal(more.length, 0);
    assert.equal(data.replaced, (await keys())[1].public_key);
    assert.ok((await changes()).startsWith((await client.get(`/v1/log/documents/${data.hash}`)).text));
  });

  it('leads verifiers to the new one, and what it has signed before counts', async () => {
    const history = await changes();
    for (const [bundle, key, text, faults] of [
      [bundles[0], vkeys[0], undefined, []], [bundles[0], vkeys[0], history, []], [bundles[0], vkeys[1], history, []],
      [bundles[1], vkeys[1], undefined, []], [bundles[1], vkeys[0], history, []],
      [bundles[1], vkeys[0], undefined, ['no-signature', 'unsigned-checkpoint']],
    ]) assert.deepEqual(verify(bundle, key, text), { status: faults.length > 0 ? 1 : 0, faults });
  });

  it('leads an audit to the new one, and back', async () => {
    const kept = fileOf(bundles[0].slice(bundles[0].lastIndexOf('\nclub.example/log\n') + 1));
    for (const vkey of vkeys) {
      const { status, stdout } = bed.tillroll('audit', '--checkpoint', kept, '--log-key', vkey);
      assert.equal(status, 0, stdout);
      assert.match(stdout, /nothing wrong, continues the kept checkpoint/);
    }
    assert.equal(bed.tillroll('audit', '--log-key', new Signer('club.example/log', 1).vkey).status, 1);
  });

  it('leads a monitor to the new one', async () => {
    const { status, said } = await monitor(monitored());
    assert.equal(status, 0, said);
    assert.match(said, / 0 alarms/);
  });

  it('leaves a witness that does not know the new one, and is told', async () => {
    const witness = new Witness(path.join(bed.directory, 'w1'), 'w1.example');
    const { text } = await client.get('/v1/log/checkpoint');
    await witness.start(fileOf(`log ${vkeys[0]}\nquorum none\n`));
    const refused = await witness.add(`old 0\n\n${text}`);
    assert.equal(refused.status, 403);
    assert.match(JSON.parse(refused.text).detail, /If the log has changed its key, its new verification key has to be added/);
    await witness.stop();
    await witness.start(fileOf(`log ${vkeys[0]}\nlog ${vkeys[1]}\nquorum none\n`));
    assert.equal((await witness.add(`old 0\n\n${text}`)).status, 200);
    await witness.stop();
  });
});

/* ---- Kills ---- */

const random = new Random('kills');

// The public half of a key's file.
function publicKey(file) {
  const seed = readFileSync(file).subarray(0, 32);
  const key = createPrivateKey({ key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
}

const listChanges = () => asOwner(bed.cluster, "SELECT encode(old_key, 'hex'), encode(new_key, 'hex') FROM tillroll.server_key_change ORDER BY number").split('\n').filter(Boolean).map((row) => row.split('|'));

// One line of keys, each with one successor; the last of them signs, or does so as soon as the change is complete.
function assertOneKey(first) {
  const list = listChanges();
  const line = [first, ...list.map(([, next]) => next)];
  assert.deepEqual(list.map(([old]) => old), line.slice(0, -1));
  assert.equal(new Set(line).size, line.length);
  const file = path.join(secrets(), 'signing.key');
  const [now, pending] = [publicKey(file), existsSync(`${file}.next`) ? publicKey(`${file}.next`) : undefined];
  assert.ok(now === line.at(-1) || (now === line.at(-2) && pending === line.at(-1)), 'the key that signs is not the last one');
}

// Kills the command at any moment, `times` times; after each `checked` of them a service takes the key that is there. How many changes there are then.
async function killOften(first, times, checked = 1) {
  const length = performance.now();
  assert.equal(rotate().status, 0);
  const whole = performance.now() - length;
  for (let i = 0; i < times; i++) {
    const child = spawn(program, ['--rotate-key'], { env: environment(), stdio: 'ignore' });
    const ended = once(child, 'exit');
    await new Promise((resolve) => { setTimeout(resolve, (whole * random.below(1300)) / 1000); });
    child.kill('SIGKILL');
    await ended;
    assertOneKey(first);
    if (i % checked !== 0) continue;
    const { status, stderr } = spawnSync(program, ['--check-config', '--log-format', 'text'], { encoding: 'utf8', env: { ...environment(), TILLROLL_PAGES: path.resolve(build, '../../web-static') } });
    assert.equal(status, 0, stderr);
  }
  return countChanges();
}

// Each change is in the log, once; one key is current; what was signed under the first key and under the last is valid with the history.
async function assertHistory(firstVkey, bundle) {
  await until(60, 'all changes are in the log', async () => (await changes()).split('tillroll server-key 1\n').length - 1 === countChanges());
  const leaves = Number(asOwner(bed.cluster, "SELECT count(*) FROM tillroll.log_leaf WHERE entry LIKE 'tillroll server-key%'"));
  assert.equal(leaves, countChanges());
  assert.deepEqual((await keys()).filter(({ current }) => current).length, 1);
  assert.deepEqual(verify(bundle, firstVkey, await changes()), { status: 0, faults: [] });
}

describe('a change that is killed', () => {
  it('leaves either the old key or the new one', async () => {
    await service.end();
    const [[first]] = listChanges();
    const before = countChanges();
    assert.ok(await killOften(first, kills) > before);
    await start();
    bundles.push(await finishGame());
    await assertHistory(vkeys[0], bundles.at(-1));
    assert.equal((await monitor(monitored())).status, 0);
  });

  it('after it was stored is complete at the next start, once', async () => {
    await service.end();
    const before = countChanges();
    const file = path.join(secrets(), 'signing.key');
    const old = readFileSync(file);
    const { stdout } = rotate();
    const next = readFileSync(file);
    // As if it had been killed between the last two steps.
    writeFileSync(`${file}.next`, next, { mode: 0o600 });
    writeFileSync(file, old);
    const again = rotate();
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stderr, /a change that had been interrupted is complete/);
    assert.equal(again.stdout, stdout);
    assert.deepEqual(readFileSync(file), next);
    assert.equal(existsSync(`${file}.next`), false);
    assert.equal(countChanges(), before + 1);
    writeFileSync(`${file}.next`, next, { mode: 0o600 });
    writeFileSync(file, old);
    await start();
    assert.equal((await keys())[0].vkey, stdout.trim());
    await service.end();
    // Without the new key there is no way on.
    writeFileSync(file, old);
    const { status, stderr } = rotate();
    assert.equal(status, 1);
    assert.match(stderr, /signing\.key has been replaced, and signs nothing more/);
  });
});

describe('changes of many services that are killed', { skip: notLong }, () => {
  const totals = { kills: 0, changes: 0 };
  after(() => isLong && console.log(`key changes: ${totals.kills} kills, ${totals.changes} changes`));

  for (let n = 0; n < others.services; n++)
    it(`leave one key, and each change once: service ${n + 1}`, async () => {
      const kept = { bed, service, client, organizer, players };
      bed = new Testbed();
      try {
        await start(['--log-origin', `club-${n}.example/log`]);
        organizer = await makePlayer(client, 'Organizer');
        players = await makePlayers(client, 3);
        const [{ vkey }] = await keys();
        const first = publicKey(path.join(secrets(), 'signing.key'));
        const bundle = await finishGame();
        // Every other service is there while its key is replaced, and is killed itself at the end.
        if (n % 2 === 0) await service.end();
        totals.changes += await killOften(first, others.kills, 5);
        totals.kills += others.kills;
        if (n % 2 === 1) await service.end('SIGKILL');
        await start();
        await assertHistory(vkey, bundle);
        await assertHistory(vkey, await finishGame());
        const { status, stdout } = bed.tillroll('audit', '--log-key', (await keys()).find(({ current }) => current).vkey);
        assert.equal(status, 0, stdout);
      } finally {
        await bed.end();
        ({ bed, service, client, organizer, players } = kept);
      }
    });
});
