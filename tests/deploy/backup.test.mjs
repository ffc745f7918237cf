// deploy/backup and deploy/restore on a cluster that is played on meanwhile: as it was in the end, and
// as it was at an earlier time, of which the log that was published tells what is missing. With the games
// that were archived to files.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { makeGame, makePlayer, makePlayers, playBriefly, playRandomly, Random } from '../api/support/play.mjs';
import { build, temporaryDirectory, Testbed } from '../api/support/testbed.mjs';
import { until } from '../api/support/waiting.mjs';
import { notLong } from '../long.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const random = new Random('backup');
const places = temporaryDirectory('backups');
const backups = path.join(places, 'kept here');
const files = path.join(places, 'old games');
// As the server's user, from a place that this user can read.
const asServer = process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--'] : ['env'];
const program = (name) => path.join(places, name);
let bed;
let administrator;
let client;
let organizer;
let players;
let vkey;
let early; // finished before `between`, and in the log
let late; // finished after it
let between;

const superuser = (sql) => execFileSync('psql', ['-X', '-q', '-A', '-t', '-d', administrator, '-c', sql], { encoding: 'utf8' }).trim();
const run = (name, words, env = {}) => {
  const [first, ...rest] = [...asServer, program(name), ...words];
  return spawnSync(first, rest, { encoding: 'utf8', cwd: '/', env: { PATH: process.env.PATH, ...env } });
};
const backup = (...words) => run('backup', words, { TILLROLL_BACKUP_DATABASE: administrator, TILLROLL_BACKUPS_KEPT: '2', TILLROLL_ARCHIVE: files });
const restore = (name, ...words) => run('restore', ['--from', backups, '--to', path.join(places, name, 'data'), '--tillroll', program('tillroll'), '--log-key', vkey, ...words]);
const checkpoint = () => readFileSync(path.join(backups, 'log/checkpoint'), 'utf8');
const size = (note) => Number(note.split('\n')[1]);

async function finishGame() {
  const { game, event } = await makeGame(client, organizer, players, { ruleset: 'superstore-3000' });
  await playBriefly(client, game, random);
  await until(60, 'the game is in the log', async () => (await client.get(`${game.at}/record.bundle`, { unchecked: true })).status === 200);
  return { ...game, event };
}

// One whose lines are in a file.
async function archiveGame() {
  const game = await finishGame();
  good(await client.post(`/v1/events/${game.event.id}/close`, {}, organizer.token));
  const record = (await client.get(`${game.at}/record`)).text;
  assert.equal(bed.tillroll('archive', '--days', '0', files).stdout, '1 records moved, 0 left\n');
  return { ...game, record };
}
const fileOf = (directory, { id }) => path.join(directory, id.slice(-3), `${id}.roll`);

// All changes so far are where they are kept.
async function archived() {
  const file = superuser('SELECT pg_walfile_name(pg_switch_wal())');
  await until(20, 'the changes are archived', () => existsSync(path.join(backups, 'wal', `${file}.gz`)));
}

// A moment later than all copies, which are named by seconds.
async function momentAfterCopies() {
  const newest = readdirSync(path.join(backups, 'base')).sort().at(-1);
  const second = () => superuser(`SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD"T"HH24MISS"Z"')`);
  await until(60, 'the copies are from an earlier second', () => second() > newest);
  return superuser('SELECT clock_timestamp()');
}

// A service on what was restored.
async function serveRestored(name, environment, use) {
  const directory = path.join(places, name);
  for (const file of ['pgpass', 'database-made']) execFileSync('cp', ['-p', path.join(bed.cluster.directory, file), directory]);
  // This one is only tried: it must not keep its changes where those of the other are.
  appendFileSync(path.join(directory, 'data/postgresql.conf'), 'archive_mode = off\n');
  const urls = execFileSync(path.join(root, 'deploy/postgres'), ['start', directory], { encoding: 'utf8' });
  try {
    const service = await bed.startService([], { TILLROLL_DATABASE: /^SERVICE_URL=(.*)$/m.exec(urls)[1], ...environment });
    await use(service.client);
    await service.end();
  } finally {
    execFileSync(path.join(root, 'deploy/postgres'), ['stop', directory]);
  }
}

before(async () => {
  chmodSync(places, 0o777);
  mkdirSync(files);
  for (const name of ['deploy/backup', 'deploy/restore', path.relative(root, path.join(build, 'tillroll'))])
    copyFileSync(path.join(root, name), program(path.basename(name)));
  bed = new Testbed({
    settings: `archive_mode = on\narchive_command = 'TILLROLL_ARCHIVE="${files}" "${program('backup')}" wal %p %f "${backups}"'\n`,
    admits: 'local all postgres trust\nlocal replication postgres trust\n',
  });
  administrator = bed.cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@').replace(/&passfile=.*$/, '');
  ({ client } = await bed.startService(['--log-interval-ms', '50'], { TILLROLL_ARCHIVE: files }));
  [vkey] = good(await client.get('/v1/keys')).keys.map((key) => key.vkey);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
});
after(() => bed.end());

describe('a backup', () => {
  it('is a copy of the cluster, its changes, and the log', async () => {
    const first = backup('base', backups);
    assert.equal(first.status, 0, first.stderr);
    early = await finishGame();
    between = await momentAfterCopies();
    late = await finishGame();
    const log = backup('log', backups);
    assert.equal(log.status, 0, log.stderr);
    await archived();
    assert.deepEqual(readdirSync(path.join(backups, 'base')), [path.basename(first.stdout.trim())]);
    const leaves = readFileSync(path.join(backups, 'log/leaves'), 'utf8').trimEnd().split('\n');
    assert.deepEqual(leaves.map((line) => Number(line.split('\t')[0])), [...leaves.keys()]);
    assert.equal(leaves.length, size(checkpoint()));
    assert.equal(superuser(`SELECT note FROM tillroll.log_checkpoint WHERE size = ${leaves.length}`), checkpoint().trimEnd());
  });

  it('of the log adds what is new, and replaces nothing that was longer', { skip: notLong }, () => {
    const file = path.join(backups, 'log/leaves');
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 6));
    assert.equal(backup('log', backups).status, 0);
    assert.equal(readFileSync(file, 'utf8').slice(0, whole.length), whole);
    const note = checkpoint();
    writeFileSync(path.join(backups, 'log/checkpoint'), note.replace(/^\d+$/m, '1000000'));
    const { status, stderr } = backup('log', backups);
    assert.deepEqual([status, /leaves are lost/.test(stderr)], [1, true]);
    writeFileSync(path.join(backups, 'log/checkpoint'), note);
  });

  it('of changes is given a name once', () => {
    const [name] = readdirSync(path.join(backups, 'wal'));
    const file = path.join(places, 'file');
    writeFileSync(file, execFileSync('gzip', ['-dc', path.join(backups, 'wal', name)], { maxBuffer: 1 << 26 }));
    assert.equal(backup('wal', file, name.slice(0, -3), backups).status, 0);
    writeFileSync(file, 'other');
    assert.equal(backup('wal', file, name.slice(0, -3), backups).status, 1);
  });
});

describe('a restore', () => {
  it('of all has everything, and can be served from', async () => {
    const { status, stdout, stderr } = restore('all', '--latest');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^all +2 +0 /m);
    assert.match(stdout, /^log: \d+ leaves, nothing wrong, continues the kept checkpoint$/m);
    await serveRestored('all', {}, async (restored) => {
      for (const game of [early, late]) assert.equal((await restored.get(`${game.at}/record`)).text, (await client.get(`${game.at}/record`)).text);
      const { game } = await makeGame(restored, organizer, players);
      await playRandomly(restored, game, random, { plies: 5 });
    });
  });

  it('to an earlier time tells what is lost', () => {
    const { status, stdout, stderr } = restore('earlier', '--time', between);
    assert.equal(status, 3, stdout + stderr);
    assert.match(stdout, /^all +1 +0 /m);
    const [, has, was, first, last] = /^log: invalid: lost-tail: the kept checkpoint has (\d+) leaves, the log only (\d+): leaves (\d+) to (\d+) are lost$/m.exec(stdout).map(Number);
    assert.deepEqual([has, first, last], [size(checkpoint()), was, has - 1]);
    const lost = [...stdout.matchAll(/^log: lost: leaf (\d+): (.*)$/gm)].map(([, index, what]) => [Number(index), what]);
    assert.deepEqual(lost.map(([index]) => index), Array.from({ length: has - was }, (_, i) => was + i));
    assert.deepEqual(lost.filter(([, what]) => /^tillroll game /.test(what)).map(([, what]) => what), [`tillroll game ${late.id}`]);
    assert.match(stderr, /something is lost or damaged/);
  });

  it('is not made of what is damaged, or of nothing', () => {
    assert.equal(restore('before', '--time', '2020-01-01').status, 1);
    assert.equal(restore('after', '--time', '2999-01-01').status, 1);
    assert.equal(restore('all', '--latest').status, 1);
    const wal = path.join(backups, 'wal');
    const names = readdirSync(wal).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).toSorted();
    const kept = readFileSync(path.join(wal, names.at(-1)));
    writeFileSync(path.join(wal, names.at(-1)), kept.subarray(0, kept.length >> 1));
    assert.equal(restore('torn', '--latest').status, 1);
    rmSync(path.join(wal, names.at(-1)));
    const without = restore('without', '--latest');
    assert.deepEqual([without.status, /lost-tail/.test(without.stdout)], [3, true]);
    writeFileSync(path.join(wal, names.at(-1)), kept);
  });
});

describe('the oldest backups', () => {
  it('go, with the changes that only they need', async () => {
    const oldest = () => readdirSync(path.join(backups, 'wal')).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).sort()[0];
    const before = readdirSync(path.join(backups, 'base'));
    const needed = oldest();
    for (let time = 0; time < 2; time++) {
      await archived();
      assert.equal(backup('base', backups).status, 0);
    }
    const kept = readdirSync(path.join(backups, 'base'));
    assert.deepEqual([kept.length, kept.includes(before[0])], [2, false]);
    assert.ok(oldest() > needed, `${oldest()} is left of ${needed}`);
  });
});

describe('archived games', () => {
  const kept = path.join(backups, 'archive');
  const putBack = (name) => path.join(places, name, 'old games');
  let first; // archived before `moment`
  let second; // and after it
  let moment;
  const published = path.join(places, 'published then');
  const restoreThen = (name, ...words) => restore(name, '--time', moment, '--checkpoint', published, ...words);

  it('are copied before the changes by which the database refers to them', async () => {
    first = await archiveGame();
    assert.equal(backup('log', backups).status, 0);
    writeFileSync(published, checkpoint());
    moment = await momentAfterCopies();
    await archived();
    assert.equal(readFileSync(fileOf(kept, first), 'utf8'), first.record);
    second = await archiveGame();
    await archived();
    assert.equal(readFileSync(fileOf(kept, second), 'utf8'), second.record);
  });

  it('are copied again with the whole, where they are not there', { skip: notLong }, () => {
    rmSync(fileOf(kept, first));
    writeFileSync(fileOf(kept, second), 'what was copied stays');
    assert.equal(backup('base', backups).status, 0);
    assert.equal(readFileSync(fileOf(kept, first), 'utf8'), first.record);
    assert.equal(readFileSync(fileOf(kept, second), 'utf8'), 'what was copied stays');
    writeFileSync(fileOf(kept, second), second.record);
  });

  it('are there after a restore to an earlier time, when all else is lost', async () => {
    rmSync(files, { recursive: true });
    const { status, stdout, stderr } = restoreThen('archived', '--archive', putBack('archived'));
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^all +3 +0 /m);
    for (const each of [first, second]) {
      const file = fileOf(putBack('archived'), each);
      assert.equal(readFileSync(file, 'utf8'), each.record);
      assert.deepEqual([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777], [0o644, 0o755]);
    }
    await serveRestored('archived', { TILLROLL_ARCHIVE: putBack('archived') }, async (restored) => {
      assert.equal((await restored.get(`${first.at}/record`)).text, first.record);
      assert.equal((await restored.get(`${second.at}/record`)).status, 404);
    });
  });

  it('are proved where they were kept if they are put nowhere', { skip: notLong }, () => {
    const { status, stdout, stderr } = restoreThen('kept');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /archived games are still in /);
  });

  const isNamed = ({ status, stdout, stderr }) => {
    assert.equal(status, 3, stdout + stderr);
    assert.match(stdout, new RegExp(`^${first.id}: invalid: archived-record-missing: `, 'm'));
    assert.match(stderr, /something is lost or damaged/);
  };

  it('are named if a file is another, and what is there is not replaced', { skip: notLong }, () => {
    const file = fileOf(putBack('changed'), first);
    mkdirSync(path.dirname(file), { recursive: true });
    execFileSync('chmod', ['-R', 'a+rwX', path.join(places, 'changed')]);
    writeFileSync(file, second.record);
    isNamed(restoreThen('changed', '--archive', putBack('changed')));
    assert.equal(readFileSync(file, 'utf8'), second.record);
  });

  it('are named if a file is missing', () => {
    rmSync(fileOf(kept, first));
    isNamed(restoreThen('missing', '--archive', putBack('missing')));
  });

  it('are no reason to keep no changes when their directory is away, but one to have no copy of the whole', { skip: notLong }, async () => {
    superuser("SELECT pg_create_restore_point('away')");
    await archived();
    const before = readdirSync(path.join(backups, 'base'));
    const { status, stderr } = backup('base', backups);
    assert.deepEqual([status, /old games does not exist/.test(stderr)], [1, true]);
    assert.deepEqual(readdirSync(path.join(backups, 'base')), before);
  });
});
