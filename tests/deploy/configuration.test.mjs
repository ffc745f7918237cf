// tillrolld without serving: its configuration checked, its keys made; and what is written about its settings.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { build, Testbed } from '../api/support/testbed.mjs';
import { until } from '../api/support/waiting.mjs';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-configuration-'));
after(() => rmSync(directory, { recursive: true, force: true }));

// Runs tillrolld with nothing but these variables: { status, stdout, stderr }.
const tillrolld = (options, environment = {}) =>
  spawnSync(path.join(build, 'tillrolld'), options, { encoding: 'utf8', env: environment, timeout: 20_000 });

describe('--make-keys', () => {
  const keys = path.join(directory, 'keys');
  const names = ['signing.key', 'sealing.key'];

  it('makes what is missing, and nothing anew', () => {
    assert.equal(tillrolld(['--make-keys', '--secrets', keys]).status, 0);
    assert.deepEqual(names.map((name) => statSync(path.join(keys, name)).size), [64, 32]);
    for (const name of names) assert.equal(statSync(path.join(keys, name)).mode & 0o777, 0o600);
    const first = names.map((name) => readFileSync(path.join(keys, name), 'hex'));
    rmSync(path.join(keys, 'sealing.key'));
    assert.equal(tillrolld(['--make-keys', '--secrets', keys]).status, 0);
    const second = names.map((name) => readFileSync(path.join(keys, name), 'hex'));
    assert.equal(second[0], first[0]);
    assert.notEqual(second[1], first[1]);
  });

  it('says where it cannot', () => {
    const { status, stderr } = tillrolld(['--make-keys', '--secrets', '/nowhere/at/all']);
    assert.equal(status, 1);
    assert.match(stderr, /^tillrolld: \/nowhere\/at\/all: /);
  });
});

describe('--check-config', () => {
  let bed;
  let good;

  before(() => {
    bed = new Testbed();
    good = {
      TILLROLL_DATABASE: bed.cluster.serviceUrl,
      TILLROLL_SECRETS: path.join(directory, 'checked'),
      TILLROLL_PAGES: path.join(root, 'web-static'),
    };
    assert.equal(tillrolld(['--make-keys'], good).status, 0);
  });
  after(() => bed.end());

  const check = (changes, options = []) => tillrolld(['--check-config', ...options], { ...good, ...changes });

  it('is content with a good one, and serves nothing', () => {
    const { status, stdout, stderr } = check();
    assert.deepEqual([status, stdout, stderr], [0, 'tillrolld: the configuration is good\n', '']);
  });

  it('says all that is wrong at once', () => {
    const { status, stdout, stderr } = check({
      TILLROLL_LISTEN: '8080',
      TILLROLL_PAGES: '/nowhere',
      TILLROLL_LOG_ORIGIN: 'two words',
      TILLROLL_SITE_ADDRESS: 'https://club.example/"><b>',
      TILLROLL_WITNESSES: '/nowhere/witnesses.policy',
      TILLROLL_DEALERS: '/nowhere/dealers',
      TILLROLL_DATABASE: 'postgresql://nobody@/tillroll?host=/nowhere',
    });
    assert.deepEqual([status, stdout], [1, '']);
    const lines = stderr.trim().split('\n');
    for (const what of [/: 8080: not an address/, /: \/nowhere: /, /--log-origin takes/, /--site-address takes/, /The policy of --witnesses, \/nowhere\/witnesses\.policy: it cannot be read/, /The file of --dealers, \/nowhere\/dealers: it cannot be read/, /database/])
      assert.ok(lines.some((line) => what.test(line)), `${what} in ${stderr}`);
  });

  it('is not content with a database that was never migrated, and a start says what to do', async () => {
    const advice = 'The database lacks migrations that this service needs; run tillroll migrate.';
    execFileSync('psql', ['-X', '-q', '-d', bed.cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@'), '-c', 'CREATE DATABASE unmigrated OWNER tillroll_migrator']);
    const changes = { TILLROLL_DATABASE: bed.cluster.serviceUrl.replace('/tillroll?', '/unmigrated?') };
    const { status, stdout, stderr } = check(changes);
    assert.deepEqual([status, stdout, stderr], [1, '', `tillrolld: ${advice}\n`]);
    const service = spawn(path.join(build, 'tillrolld'), ['--listen', '127.0.0.1:0', '--log-format', 'text'], { env: { ...good, ...changes }, stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      let said = '';
      service.stderr.on('data', (bytes) => (said += bytes));
      await until(20, advice, () => said.includes(advice) || service.exitCode !== null);
      assert.match(said, new RegExp(`^tillrolld: ${advice}$`, 'm'));
    } finally {
      service.kill();
    }
  });

  it('while the database is not migrated, a service says so once, and works as soon as it is', async () => {
    const advice = 'The database lacks migrations that this service needs; run tillroll migrate.';
    const named = (url) => url.replace('/tillroll?', '/unmigrated?');
    const service = spawn(path.join(build, 'tillrolld'), ['--listen', '127.0.0.1:0', '--notices-ms', '50'], { env: { ...good, TILLROLL_DATABASE: named(bed.cluster.serviceUrl) }, stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      let said = '';
      service.stderr.on('data', (bytes) => (said += bytes));
      const lines = () => said.split('\n').slice(0, -1).map((line) => JSON.parse(line)).filter((line) => line.request === undefined).map((line) => line.message);
      const port = await until(20, 'it listens', () => /listening on .*, port (\d+)/.exec(said)?.[1]);
      const get = async (target) => {
        const answer = await fetch(`http://127.0.0.1:${port}${target}`);
        return [answer.status, (await answer.json()).detail];
      };
      await until(20, 'its threads have tried', () => lines().includes(`database: ${advice}`));
      for (let i = 0; i < 30; i++) assert.equal((await get('/v1/events'))[0], 503);
      assert.deepEqual(await get('/readyz'), [503, advice]);
      assert.deepEqual(lines(), [...new Set(lines())]);
      for (const line of lines()) assert.doesNotMatch(line, /42P01|42883|42703/);
      execFileSync(path.join(build, 'tillroll'), ['migrate'], { env: { ...good, TILLROLL_DATABASE: named(bed.cluster.migratorUrl) } });
      await until(20, 'it works', async () => (await get('/v1/events'))[0] === 200);
      assert.equal((await get('/readyz'))[0], 200);
    } finally {
      service.kill();
    }
  });

  it('takes no key that is missing, short or open to others, and makes none', () => {
    const secrets = path.join(directory, 'empty');
    mkdirSync(secrets);
    assert.match(check({ TILLROLL_SECRETS: secrets }).stderr, /signing\.key: No such file/);
    assert.throws(() => statSync(path.join(secrets, 'signing.key')), { code: 'ENOENT' });
    tillrolld(['--make-keys', '--secrets', secrets]);
    chmodSync(path.join(secrets, 'sealing.key'), 0o640);
    assert.match(check({ TILLROLL_SECRETS: secrets }).stderr, /sealing\.key: other users may read/);
  });

  it('takes numbers in their range and addresses without names only', () => {
    for (const [changes, what] of [
      [{ TILLROLL_WORKERS: '0' }, /workers takes a number from 1 to 64/],
      [{ TILLROLL_STREAMS: 'many' }, /streams takes a number/],
      [{ TILLROLL_TRUSTED_PROXY: 'localhost' }, /trusted-proxy takes an address/],
      [{ TILLROLL_TRUSTED_PROXY: '127.0.0.1:80' }, /trusted-proxy takes an address/],
      [{ TILLROLL_DATABASE: '' }, /name the database/],
    ]) {
      const { status, stderr } = check(changes);
      assert.equal(status, 2, JSON.stringify(changes));
      assert.match(stderr, what);
    }
    assert.equal(check({ TILLROLL_TRUSTED_PROXY: '::1' }).status, 0);
    assert.equal(check({}, ['--trusted-proxy', '192.0.2.1']).status, 0);
  });
});

describe('deploy/tillroll.conf.example', () => {
  const example = readFileSync(path.join(root, 'deploy/tillroll.conf.example'), 'utf8');
  const settings = [...example.matchAll(/^#(TILLROLL_[A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);

  it('has every setting once, and no other', () => {
    const usage = tillrolld(['--help']).stdout;
    const known = [...new Set(usage.match(/TILLROLL_[A-Z_]+/g))].sort();
    assert.ok(known.length > 20);
    assert.deepEqual(settings.map(([name]) => name).sort(), known);
  });

  // Every default in force: what is wrong then is the database, and keys and pages that are elsewhere.
  it('shows values that are taken', () => {
    const { status, stderr } = tillrolld(['--check-config'], Object.fromEntries(settings));
    assert.equal(status, 1, stderr);
    assert.doesNotMatch(stderr, /takes|not an address/);
  });

  it('sets nothing by itself', () => {
    assert.doesNotMatch(example, /^[^#\n]/m);
  });
});
