// The configurations of several machines, where Debian's programs for them are installed (haproxy, patroni): understood by them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';

const ha = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../deploy/ha');
const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-ha-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const run = (program, ...options) => spawnSync(program, options, { encoding: 'utf8' });
const skipped = (program, option) => (run(program, option).status === 0 ? {} : { skip: `there is no ${program}` });

// A copy in which names that nobody has are addresses.
function copy(name, change = (text) => text) {
  const file = path.join(directory, name);
  writeFileSync(file, change(readFileSync(path.join(ha, name), 'utf8').replace(/(db|app)\d\.example/g, '127.0.1.1')));
  return file;
}

describe('deploy/ha/haproxy.cfg', skipped('haproxy', '-v'), () => {
  it('is understood', () => {
    const { status, stdout, stderr } = run('haproxy', '-c', '-f', copy('haproxy.cfg'));
    assert.equal(status, 0, stdout + stderr);
    assert.doesNotMatch(stdout + stderr, /WARNING|ALERT/);
  });
});

describe('deploy/ha/patroni.yml', skipped('patroni', '--version'), () => {
  const validate = (file) => {
    const { stdout, stderr } = run('patroni', '--validate-config', file);
    // That nobody is there is no fault of the file.
    return (stdout + stderr).split('\n').filter((line) => line !== '' && !/is not reachable'$|must not contain "127\.0\.0\.1"/.test(line));
  };
  const here = (text) => text.replaceAll('10.0.0.1:', '127.0.1.1:').replace('/var/lib/postgresql/15/tillroll', path.join(directory, 'data'));

  it('is understood', () => assert.deepEqual(validate(copy('patroni.yml', here)), []));

  it('would not be if something were missing', () => {
    const faults = validate(copy('patroni.yml', (text) => here(text).replace(/^ {2}data_dir: .*\n/m, '').replace('ttl: 30', 'ttl: soon')));
    assert.equal(faults.length, 2, faults.join('\n'));
  });
});
