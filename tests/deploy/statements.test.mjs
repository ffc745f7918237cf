// What the release before the newest migration asks of the database, it may ask of today's as well:
// while services are replaced one after the other, both are at work on the same database (db/link/migrate.h).
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'node:test';

import { temporaryDirectory, Testbed } from '../api/support/testbed.mjs';
import { explained } from '../db/support/statements.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const previous = spawnSync(path.join(root, 'tests/deploy/previous_release'), { encoding: 'utf8' });

describe('statements of the release before the newest migration', { skip: previous.status !== 0 && 'the history does not reach so far' }, () => {
  it('are valid on the newest schema, with the rights of the service', async () => {
    const source = temporaryDirectory('release');
    const archive = execFileSync('git', ['-C', root, 'archive', previous.stdout.trim(), 'db', 'engine', 'api'], { maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', source], { input: archive });
    const bed = new Testbed();
    try {
      assert.ok(explained(source, bed.cluster.serviceUrl).length > 100);
    } finally {
      await bed.end();
    }
  });
});
