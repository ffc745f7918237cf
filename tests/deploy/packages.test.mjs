// deploy/packages where it cannot install, and after an installation that was interrupted. Nothing is installed: what it calls is a
// stand-in that writes down how it was called.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';

import { temporaryDirectory } from '../api/support/testbed.mjs';

const packages = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../deploy/packages');

describe('deploy/packages', () => {
  const top = temporaryDirectory('packages');
  const bin = path.join(top, 'bin');
  const state = path.join(top, 'state');
  const log = path.join(top, 'log');
  const program = (name, text) => {
    writeFileSync(path.join(bin, name), `#!/bin/bash\n${text}\n`);
    chmodSync(path.join(bin, name), 0o755);
  };

  // Somebody who is not root, on amd64, with one package that is there.
  beforeEach(() => {
    rmSync(bin, { recursive: true, force: true });
    rmSync(log, { force: true });
    mkdirSync(bin);
    mkdirSync(path.join(state, 'updates'), { recursive: true });
    for (const name of ['bash', 'cat', 'env', 'grep', 'realpath', 'rm', 'true']) symlinkSync(path.join('/usr/bin', name), path.join(bin, name));
    program('id', 'echo 1000');
    program('dpkg-query', '[ "${!#}" = cmake ] && echo "amd64 installed"');
    program('dpkg', `[ "$1" = --print-architecture ] && echo amd64; [ "$1" = --audit ] && [ -e ${top}/half ] && echo "half configured"; true`);
    program('apt-get', `echo "unprivileged apt-get $*" >>${log}`);
    program('sudo', `cat >/dev/null; echo "$*" >>${log}`);
  });

  const run = () => {
    const { status, stdout, stderr } = spawnSync(packages, ['build'], { encoding: 'utf8', input: '', env: { PATH: bin, DPKG_ADMINDIR: state } });
    return { status, stdout, stderr, calls: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] };
  };

  for (const [why, prepare, words, calls] of [
    ['there is no sudo', () => rmSync(path.join(bin, 'sudo')), 'there is no sudo here', []],
    ['sudo refuses', () => program('sudo', `echo "$*" >>${log}; exit 1`), 'sudo does not let you', ['true']],
  ])
    it(`says what to do as root, and does nothing else, where ${why}`, () => {
      prepare();
      const { status, stdout, stderr, calls: made } = run();
      assert.deepEqual([status, stdout, made], [1, '', calls]);
      assert.ok(stderr.includes(`only root can install them, and ${words}.`), stderr);
      assert.ok(stderr.includes(`\n    su - root -c '${packages} build'\n`), stderr);
      assert.match(stderr, /\n {4}apt-get install --no-install-recommends build-essential ninja-build pkg-config .*postgresql-15.*\n/);
    });

  const installs = /^env DEBIAN_FRONTEND=noninteractive apt-get -y .*--no-install-recommends install build-essential ninja-build .*postgresql-15/;

  it('installs what is missing, as root', () => {
    const { status, stderr, calls } = run();
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(calls.slice(0, 2), ['true', 'apt-get update -qq']);
    assert.match(calls.at(-1), installs);
    assert.doesNotMatch(calls.join('\n'), /configure -a|fix-broken|unprivileged/);
  });

  for (const [what, prepare, restore] of [
    ['packages half configured', () => writeFileSync(path.join(top, 'half'), ''), () => rmSync(path.join(top, 'half'))],
    ['a state that dpkg has not taken in', () => writeFileSync(path.join(state, 'updates/0001'), ''), () => rmSync(path.join(state, 'updates/0001'))],
  ])
    it(`first finishes an installation that was interrupted and has left ${what}`, () => {
      prepare();
      const { status, stdout, calls } = run();
      restore();
      assert.equal(status, 0);
      assert.match(stdout, /^An installation was interrupted: finishing it with dpkg --configure -a\n/);
      assert.deepEqual(calls.slice(0, 2), ['true', 'env DEBIAN_FRONTEND=noninteractive dpkg --configure -a']);
      assert.match(calls[2], /^env DEBIAN_FRONTEND=noninteractive apt-get .*--fix-broken install$/);
      assert.match(calls.at(-1), installs);
    });

  it('does nothing where nothing is missing', () => {
    program('dpkg-query', 'echo "amd64 installed"');
    assert.deepEqual(run(), { status: 0, stdout: '', stderr: '', calls: [] });
  });
});
