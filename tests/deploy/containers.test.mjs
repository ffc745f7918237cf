// deploy/container, as far as linters can tell: no container is run here. The Containerfile is read by dockerfile-utils, the compose file
// by docker-compose where Debian's is installed (1.29, which does not know the specification's `name` yet).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';

import { validate } from 'dockerfile-utils';

import { skipped } from './support/nginx.mjs';

const container = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../deploy/container');
const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-containers-'));
after(() => rmSync(directory, { recursive: true, force: true }));

describe('deploy/container/Containerfile', () => {
  const text = readFileSync(path.join(container, 'Containerfile'), 'utf8');
  const faults = (changed) => validate(changed).map(({ message }) => message);

  it('is understood', () => assert.deepEqual(faults(text), []));

  it('would not be with a mistake in it', () => {
    assert.equal(faults(text.replace(/^WORKDIR/m, 'WORKDIRECTORY')).length, 1);
    assert.equal(faults(text.replace(/^EXPOSE .*$/m, 'EXPOSE web')).length, 1);
    assert.equal(faults(text.replaceAll(/^FROM.*$/gm, '')).length > 0, true);
  });

  // What the image has is what a Tillroll that was built elsewhere needs.
  it('installs what deploy/packages says', () => {
    const [, serve] = /^serve=\(([^)]*)\)/m.exec(readFileSync(path.join(container, '../packages'), 'utf8'));
    for (const name of serve.trim().split(/\s+/).filter((each) => !each.startsWith('postgresql')))
      assert.match(text, new RegExp(`\\s${name}\\s`), name);
  });
});

describe('deploy/container/compose.yaml', skipped('docker-compose', 'version'), () => {
  const text = readFileSync(path.join(container, 'compose.yaml'), 'utf8');

  function read(changed) {
    const file = path.join(directory, 'compose.yaml');
    writeFileSync(file, changed.replace(/^name: .*\n/m, ''));
    return spawnSync('docker-compose', ['-f', file, 'config'], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: directory } });
  }

  it('is understood', () => {
    const { status, stdout, stderr } = read(text);
    assert.equal(status, 0, stderr);
    for (const service of ['database', 'migrate', 'tillrolld', 'house']) assert.match(stdout, new RegExp(`^ {2}${service}:`, 'm'));
  });

  it('would not be with a mistake in it', () => {
    for (const [found, put] of [[/^ {4}image: localhost/m, '    imago: localhost'], [/database: \{condition/, 'nobody: {condition'], [/stop_grace_period: 60s/, 'stop_grace_period: [60]']])
      assert.notEqual(read(text.replace(found, put)).status, 0, put);
  });
});
