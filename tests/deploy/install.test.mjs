// deploy/install below a directory, and the units that it writes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';

import { build } from '../api/support/testbed.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-install-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const install = (...options) => spawnSync(path.join(root, 'deploy/install'), options, { encoding: 'utf8', timeout: 60_000 });
const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

// Every file below a directory with its mode and bytes.
function snapshot(top) {
  const found = {};
  for (const name of readdirSync(top, { recursive: true })) {
    const file = path.join(top, name);
    const status = statSync(file);
    found[name] = `${(status.mode & 0o777).toString(8)} ${status.isFile() ? readFileSync(file, 'hex') : ''}`;
  }
  return found;
}

describe('deploy/install', () => {
  const top = path.join(directory, 'server');
  const below = (name) => path.join(top, name);
  const again = () => install('--root', top, '--binaries', build);

  it('puts everything in its place', () => {
    const run = again();
    assert.equal(run.status, 0, run.stderr);
    const version = spawnSync(below('usr/local/bin/tillrolld'), ['--help'], { encoding: 'utf8' });
    assert.match(version.stdout, /^usage: tillrolld/m);
    for (const [ours, theirs] of [['web-static', 'web-static'], ['db/migrations', 'migrations']])
      assert.deepEqual(readdirSync(below(`usr/local/share/tillroll/${theirs}`)), readdirSync(path.join(root, ours)));
    assert.match(readFileSync(below('usr/local/share/man/man1/tillroll.1'), 'utf8'), /^\.TH TILLROLL 1 /);
    assert.match(readFileSync(below('usr/local/share/bash-completion/completions/tillroll'), 'utf8'), /^complete .* tillroll$/m);
    for (const [name, one] of [['observe', 'alerts.yml'], ['examples', 'bot.py']])
      assert.deepEqual(readFileSync(below(`usr/local/share/tillroll/${name}/${one}`)), readFileSync(path.join(root, 'deploy', name, one)));
    assert.equal(statSync(below('etc/tillroll/keys')).mode & 0o777, 0o700);
    assert.equal(statSync(below('etc/tillroll/keys/sealing.key')).mode & 0o777, 0o600);
    assert.equal(statSync(below('usr/local/share/tillroll/web-static')).mode & 0o777, 0o755);
  });

  it('leaves no place unfilled, and no secret in a unit', () => {
    const units = below('etc/systemd/system');
    assert.deepEqual(readdirSync(units).sort(), readdirSync(path.join(root, 'deploy/systemd')).sort());
    const secrets = ['signing.key', 'sealing.key'].map((name) => readFileSync(below(`etc/tillroll/keys/${name}`), 'hex'));
    for (const name of readdirSync(units)) {
      const text = readFileSync(path.join(units, name), 'utf8');
      assert.doesNotMatch(text, /@[A-Z_]+@/);
      assert.equal(statSync(path.join(units, name)).mode & 0o777, 0o644);
      for (const secret of secrets) assert.ok(!Buffer.from(text).toString('hex').includes(secret));
    }
  });

  it('changes nothing when it is run again', () => {
    const before = snapshot(top);
    assert.equal(again().status, 0);
    assert.deepEqual(snapshot(top), before);
  });

  it('keeps what an administrator has written, and clears away what is old', () => {
    appendFileSync(below('etc/tillroll/tillroll.conf'), 'TILLROLL_WORKERS=4\n');
    writeFileSync(below('usr/local/share/tillroll/web-static/old.js'), '');
    assert.equal(again().status, 0);
    assert.match(readFileSync(below('etc/tillroll/tillroll.conf'), 'utf8'), /^TILLROLL_WORKERS=4$/m);
    assert.ok(!existsSync(below('usr/local/share/tillroll/web-static/old.js')));
  });

  it('has old games archived where the service looks for them', () => {
    const unit = () => readFileSync(below('etc/systemd/system/tillroll-archive.service'), 'utf8');
    assert.match(unit(), /^ReadWritePaths=-\/var\/lib\/tillroll-archive$/m);
    const configuration = below('etc/tillroll/tillroll.conf');
    const before = readFileSync(configuration);
    appendFileSync(configuration, 'TILLROLL_ARCHIVE=/srv/old games\n');
    assert.deepEqual([again().status, /TILLROLL_ARCHIVE/.test(again().stderr)], [1, true]);
    writeFileSync(configuration, `${before}TILLROLL_ARCHIVE=/srv/archive\n`);
    assert.equal(again().status, 0);
    assert.match(unit(), /^ExecStart=.* archive --days \$\{TILLROLL_ARCHIVE_DAYS\} \/srv\/archive$/m);
    assert.match(unit(), /^ReadWritePaths=-\/srv\/archive$/m);
    writeFileSync(configuration, before);
    assert.equal(again().status, 0);
  });

  it('takes a database elsewhere, with percent signs as systemd wants them', () => {
    const other = path.join(directory, 'other');
    const run = install('--root', other, '--binaries', build, '--database', 'postgresql://s@db/t?passfile=%2Fa', '--migrator-database', 'postgresql://m@db/t');
    assert.equal(run.status, 0, run.stderr);
    const unit = (name) => readFileSync(path.join(other, 'etc/systemd/system', name), 'utf8');
    assert.match(unit('tillrolld.service'), /^Environment=TILLROLL_DATABASE=postgresql:\/\/s@db\/t\?passfile=%%2Fa$/m);
    assert.match(unit('tillroll-migrate.service'), /^Environment=TILLROLL_DATABASE=postgresql:\/\/m@db\/t$/m);
    // What was written for units of before would be passed over.
    writeFileSync(path.join(other, 'etc/tillroll/migrate.conf'), 'DATABASE_URL=postgresql://m@db/other\n');
    const old = install('--root', other, '--binaries', build, '--database', 'postgresql://s@db/t', '--migrator-database', 'postgresql://m@db/t');
    assert.equal(old.status, 1);
    assert.match(old.stderr, /\/etc\/tillroll\/migrate.conf: use TILLROLL_DATABASE instead of DATABASE_URL/);
  });

  it('refuses what it cannot do', () => {
    const nowhere = path.join(directory, 'nowhere');
    const refused = [
      [2, ['--everything']],
      [2, ['--root']],
      [1, ['--root', nowhere, '--binaries', directory]],
      [1, ['--root', nowhere, '--binaries', build, '--database', 'postgresql://s@db/t']],
      [1, ['--root', nowhere, '--binaries', build, '--database', 'postgresql://s:word@db/t', '--migrator-database', 'postgresql://m@db/t']],
      [1, ['--root', nowhere, '--binaries', build, '--database', 'postgresql://s@db/t?password=word', '--migrator-database', 'postgresql://m@db/t']],
      [1, ['--root', nowhere, '--binaries', build, '--database', 'postgresql://s@db/t x', '--migrator-database', 'postgresql://m@db/t']],
    ];
    for (const [status, options] of refused) assert.equal(install(...options).status, status, options.join(' '));
    assert.ok(!existsSync(nowhere));
  });

  it('does nothing in a dry run but say what it would', () => {
    const dry = path.join(directory, 'dry');
    const below = install('--dry-run', '--root', dry, '--binaries', build);
    assert.equal(below.status, 0, below.stderr);
    assert.ok(!existsSync(dry));
    const { status, stdout } = install('--dry-run', '--binaries', build);
    assert.equal(status, 0);
    for (const what of ['install -d', '--make-keys', 'write /etc/systemd/system/tillrolld.service', 'systemctl restart tillrolld.service', 'archive_command /usr/local/bin/tillroll-backup\\ wal\\ %p\\ %f\\ /var/backups/tillroll', 'tillroll-backup.timer', 'write /etc/systemd/system/tillroll-archive.timer'])
      assert.ok(stdout.includes(what), what);
    assert.doesNotMatch(stdout, /enable .*tillroll-(archive|lines)/);
    assert.ok(stdout.trim().split('\n').every((line) => line.startsWith('+ ')), stdout);
  });

  const analyze = has('systemd-analyze') ? {} : { skip: 'there is no systemd-analyze' };

  it('writes units that systemd understands', analyze, () => {
    const units = below('etc/systemd/system');
    // Outside of the root the programs are not where the units say.
    const files = readdirSync(units).map((name) => {
      const file = path.join(directory, name);
      writeFileSync(file, readFileSync(path.join(units, name), 'utf8').replaceAll('=/usr/local/bin/', `=${below('usr/local/bin/')}`));
      return file;
    });
    const run = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' });
    assert.deepEqual([run.status, run.stderr], [0, '']);
  });

  it('locks its services up', analyze, () => {
    for (const name of ['tillrolld', 'tillroll-migrate', 'tillroll-audit', 'tillroll-archive', 'tillroll-lines', 'tillroll-backup', 'tillroll-backup-log', 'tillroll-house', 'tillroll-witness', 'tillroll-dealer', 'tillroll-monitor']) {
      const file = path.join(directory, `${name}.service`);
      const run = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', file], { encoding: 'utf8' });
      assert.equal(run.status, 0, run.stdout);
      assert.match(run.stdout, /Overall exposure level for [a-z-]+\.service: [01]\.\d/);
    }
  });
});
