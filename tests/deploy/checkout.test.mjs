// What a checkout has in build/ and var/ of its own: a build directory that came along with a copy, deploy/run a second time, and after
// it was killed. Builds and packages are stand-ins; the programs, PostgreSQL and the scripts are real.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Client, good } from '../api/support/client.mjs';
import { makeGame, makePlayer, makePlayers, playRandomly, Random } from '../api/support/play.mjs';
import { build, Cluster, temporaryDirectory, undoInTheEnd } from '../api/support/testbed.mjs';
import { until, within } from '../api/support/waiting.mjs';
import { freePort } from './support/nginx.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const script = (file, text) => {
  writeFileSync(file, `#!/usr/bin/env bash\n${text}\n`);
  chmodSync(file, 0o755);
};

describe('deploy/fresh_build', () => {
  const top = temporaryDirectory('checkout');
  const first = path.join(top, 'first');
  const cache = (place) => path.join(place, 'build/release/CMakeCache.txt');
  const environment = { ...process.env, CMAKE_C_COMPILER_LAUNCHER: '' };

  // A project of CMake's that is configured in no time, with the real script.
  before(() => {
    mkdirSync(path.join(first, 'deploy'), { recursive: true });
    cpSync(path.join(root, 'deploy/fresh_build'), path.join(first, 'deploy/fresh_build'));
    writeFileSync(path.join(first, 'CMakeLists.txt'), 'cmake_minimum_required(VERSION 3.20)\nproject(small C)\nadd_executable(small small.c)\n');
    writeFileSync(path.join(first, 'small.c'), 'int main(void) { return 0; }\n');
    configure(first);
  });

  const cmake = (place) =>
    spawnSync('cmake', ['-S', '.', '-B', 'build/release', '-G', 'Ninja'], { cwd: place, encoding: 'utf8', env: environment });
  const freshBuild = (place, name = 'release') => spawnSync(path.join(place, 'deploy/fresh_build'), [name], { cwd: '/', encoding: 'utf8' });

  // Has it looked at, which must be followed by a configuration that works.
  function configure(place) {
    const { status, stdout, stderr } = freshBuild(place);
    assert.deepEqual([status, stderr], [0, '']);
    const made = cmake(place);
    assert.equal(made.status, 0, made.stderr);
    return stdout;
  }

  it('leaves a directory alone with which CMake can go on', () => {
    const marker = path.join(first, 'build/release/marker');
    writeFileSync(marker, '');
    assert.equal(configure(first), '');
    assert.ok(existsSync(marker));
    const link = path.join(top, 'link');
    symlinkSync(first, link);
    assert.equal(configure(link), '');
    assert.ok(existsSync(marker));
  });

  it('has one built anew that was copied, and leaves the original alone', () => {
    const copy = path.join(top, 'a copy');
    cpSync(first, copy, { recursive: true });
    assert.notEqual(cmake(copy).status, 0, 'CMake itself refuses');
    assert.equal(configure(copy), `Rebuilding build/release: it was made in ${first}, before this checkout was copied or moved.\n`);
    assert.ok(existsSync(path.join(first, 'build/release/marker')));
    assert.equal(configure(first), '');
  });

  it('has one built anew that was moved', () => {
    const from = path.join(top, 'before');
    const to = path.join(top, 'after');
    cpSync(path.join(first, 'deploy'), path.join(from, 'deploy'), { recursive: true });
    for (const name of ['CMakeLists.txt', 'small.c']) cpSync(path.join(first, name), path.join(from, name));
    configure(from);
    renameSync(from, to);
    assert.match(configure(to), new RegExp(`made in ${from},`));
    assert.equal(configure(to), '');
  });

  it('has one built anew that is of no use otherwise', () => {
    const text = readFileSync(cache(first), 'utf8');
    for (const [changed, why] of [
      [text.replace(/^(CMAKE_C_COMPILER:.*)=.*$/m, '$1=/nowhere/cc'), /made with \/nowhere\/cc, which no longer exists/],
      [text.replace(/^(CMAKE_MAKE_PROGRAM:.*)=.*$/m, '$1=/nowhere/ninja'), /made with \/nowhere\/ninja, which no longer exists/],
      [text.replace(/^(CMAKE_GENERATOR:.*)=.*$/m, '$1=Unix Makefiles'), /made for Unix Makefiles instead of Ninja/],
      ['', /damaged/],
    ]) {
      assert.notEqual(changed, text);
      writeFileSync(cache(first), changed);
      assert.match(configure(first), why);
    }
  });

  it('takes names only, and nothing where there is nothing', () => {
    for (const name of ['..', '/tmp', 'a/b', '']) assert.equal(freshBuild(first, name).status, 2);
    const { status, stdout } = freshBuild(first, 'none');
    assert.deepEqual([status, stdout], [0, '']);
  });
});

describe('deploy/run', () => {
  const top = temporaryDirectory('checkout');
  const place = path.join(top, 'checkout');
  const at = (name) => path.join(place, name);
  const postgres = (word, where = 'var/postgres') => spawnSync(at('deploy/postgres'), [word, at(where)], { encoding: 'utf8' });
  const databaseRuns = () => postgres('status').stdout === 'runs\n';
  let port;

  // Users of the database must be able to go there.
  before(async () => {
    chmodSync(top, 0o755);
    mkdirSync(at('deploy'), { recursive: true });
    mkdirSync(at('build/release'), { recursive: true });
    mkdirSync(at('var/postgres'), { recursive: true });
    mkdirSync(at('bin'));
    for (const name of ['run', 'postgres', 'fresh_build', 'database.sql']) cpSync(path.join(root, 'deploy', name), at(`deploy/${name}`));
    for (const name of ['db', 'web-static']) symlinkSync(path.join(root, name), at(name));
    for (const name of ['tillroll', 'tillrolld']) symlinkSync(path.join(build, name), at(`build/release/${name}`));
    for (const name of ['deploy/packages', 'bin/cmake', 'bin/ninja']) script(at(name), 'exit 0');
    execFileSync(path.join(root, 'tests/db/unpack_cluster'), [build, at('var/postgres')]);
    undoInTheEnd(() => postgres('stop'));
    port = await freePort();
  });
  after(() => postgres('stop'));

  const environment = (changes) => ({ PATH: `${at('bin')}:${process.env.PATH}`, HOME: process.env.HOME, TILLROLL_LISTEN: `127.0.0.1:${port}`, ...changes });

  // A run that serves: its process, what it says, and a client.
  async function run(changes = {}, options = []) {
    const file = path.join(top, 'output');
    const output = openSync(file, 'w');
    const child = spawn(at('deploy/run'), options, { stdio: ['ignore', output, output], env: environment(changes) });
    closeSync(output);
    undoInTheEnd(() => child.kill('SIGTERM'));
    const ended = once(child, 'exit');
    const said = () => readFileSync(file, 'utf8');
    await until(30, 'it serves', () => /^.*Open http/m.test(said()) || child.exitCode !== null);
    assert.equal(child.exitCode, null, said());
    const client = new Client(port);
    return {
      child, said, client,
      end: async (signal = 'SIGTERM') => {
        client.close();
        child.kill(signal);
        return within(30, 'deploy/run ends', ended);
      },
    };
  }

  const refusedRun = (changes = {}) => {
    const { status, stderr } = spawnSync(at('deploy/run'), [], { encoding: 'utf8', timeout: 60_000, env: environment(changes) });
    assert.equal(status, 1, stderr);
    return stderr;
  };

  it('is refused while another runs, at whatever port and database, and takes nothing from it', async () => {
    const first = await run();
    const other = await freePort();
    const elsewhere = /^DATABASE_URL=(.*)$/m.exec(postgres('start').stdout)[1];
    for (const changes of [{}, { TILLROLL_LISTEN: `127.0.0.1:${other}` }, { TILLROLL_LISTEN: `127.0.0.1:${other}`, DATABASE_URL: elsewhere }])
      assert.equal(refusedRun(changes),
        `run: this checkout is running already: process ${first.child.pid}, http://127.0.0.1:${port}. ` +
          `Stop it first (Ctrl-C, or kill ${first.child.pid}); a second service needs another checkout.\n`);
    assert.equal((await first.client.get('/readyz')).status, 200);
    assert.deepEqual(await first.end(), [143, null]);
    assert.ok(!databaseRuns());
  });

  it('has house players, with tokens that nobody else can read, unless it is told not to', async () => {
    const first = await run();
    const items = async ({ client }) => (await client.get('/v1/house')).json.items;
    assert.ok((await items(first)).every(({ accounts }) => accounts === 4));
    await until(30, 'they play', () => /playing for House · regular 4\n/.test(readFileSync(at('var/house.log'), 'utf8')));
    assert.equal(statSync(at('var/house-tokens')).mode & 0o777, 0o600);
    const tokens = readFileSync(at('var/house-tokens'), 'utf8');
    assert.deepEqual(await first.end(), [143, null]);
    assert.match(readFileSync(at('var/house.log'), 'utf8'), /0 moves played\n$/);
    const second = await run({}, ['--no-house']);
    assert.equal(readFileSync(at('var/house-tokens'), 'utf8'), tokens);
    assert.deepEqual(await second.end(), [143, null]);
  });

  it('can follow one that was killed, whose PostgreSQL it takes over and stops', async () => {
    const first = await run();
    const children = readFileSync(`/proc/${first.child.pid}/task/${first.child.pid}/children`, 'utf8').trim().split(' ');
    const server = children.find((pid) => readlinkSync(`/proc/${pid}/exe`) === path.join(build, 'tillrolld'));
    assert.ok(server !== undefined);
    await first.end('SIGKILL');
    await until(60, 'its server ends', () => !existsSync(`/proc/${server}`));
    assert.ok(databaseRuns());
    const second = await run();
    assert.match(second.said(), /Taking over the PostgreSQL in var\/postgres, left by a killed run/);
    await second.end();
    assert.ok(!databaseRuns());
  });

  it('leaves PostgreSQL running that it has not started', async () => {
    postgres('start');
    const one = await run();
    assert.match(one.said(), /Using the PostgreSQL in var\/postgres, which was already running and will be left running/);
    await one.end();
    assert.ok(databaseRuns());
    postgres('stop');
  });

  it('makes no new keys for a database that was used, unless it is told to', async () => {
    const first = await run();
    const organizer = await makePlayer(first.client, 'Organizer');
    const players = await makePlayers(first.client, 2);
    await makeGame(first.client, organizer, players);
    await first.end();
    rmSync(at('var/secrets'), { recursive: true });
    const said = refusedRun();
    assert.match(said, /^tillrolld: var\/secrets: a key is missing .*, but this database has been used with keys\..*Restore the keys/m);
    assert.match(said, /^run: the server has ended; .*\.\/deploy\/run --new-keys/m);
    assert.ok(!existsSync(at('var/secrets')) && !databaseRuns());
    const second = await run({}, ['--new-keys']);
    await second.end();
    // What tells of the new keys may not be there yet.
    const third = await run();
    const { game } = await makeGame(third.client, organizer, players);
    await playRandomly(third.client, game, new Random('run'), { plies: 2 });
    assert.equal(good(await third.client.get(game.at)).id, game.id);
    await third.end();
  });
});

describe('deploy/postgres in a copied directory', () => {
  it('does not touch what belongs to the original', () => {
    const cluster = new Cluster();
    const copy = `${cluster.directory} copy`;
    undoInTheEnd(() => rmSync(copy, { recursive: true, force: true }));
    const run = (word) => spawnSync(path.join(root, 'deploy/postgres'), [word, copy], { encoding: 'utf8' });
    // As it is below root's home: the data are elsewhere.
    mkdirSync(copy);
    for (const name of ['pgpass', 'place', 'database-made']) cpSync(path.join(cluster.directory, name), path.join(copy, name));
    writeFileSync(path.join(copy, 'home'), `${cluster.directory}\n`);
    for (const word of ['start', 'stop', 'restart', 'status']) {
      const { status, stderr } = run(word);
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`copy is a copy of ${cluster.directory}, but the data still belong to the original`));
    }
    // And below a deep directory, where the socket is.
    rmSync(path.join(copy, 'home'));
    writeFileSync(path.join(copy, 'socket-directory'), `${cluster.directory}\n`);
    assert.equal(run('status').status, 3);
    assert.ok(!existsSync(path.join(copy, 'socket-directory')));
    assert.equal(cluster.sql('SELECT 1'), '1');
    cluster.end();
  });
});
