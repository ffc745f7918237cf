// Files of tests that run in one process (together.mjs).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';

import { root, temporaryDirectory } from './api/support/testbed.mjs';

const folder = temporaryDirectory('together');
const write = (name, then) => {
  const file = path.join(folder, `${name}.test.mjs`);
  writeFileSync(file, `import assert from 'node:assert/strict';
    import { after, before, it } from 'node:test';
    import { appendFileSync } from 'node:fs';
    import { Testbed } from '${root}/tests/api/support/testbed.mjs';
    let bed;
    let client;
    before(async () => {
      bed = new Testbed();
      ({ client } = await bed.startService());
      appendFileSync('${folder}/told', \`\${process.pid} \${client.port} \${bed.cluster.directory}\\n\`);
    });
    after(() => bed.end());
    it('${name} finds nobody', async () => {
      assert.equal((await client.post('/v1/players', { name: 'Ada', password: 'correct horse battery' })).status, 201);
    });
    it('${name} ends', async () => { ${then} });\n`);
  return file;
};

it('share a cluster, whose database is new for each, and each fails by itself', () => {
  const files = [write('a', 'bed.cluster.stop();'), write('b', 'assert.fail();'), write('c', '')];
  const progress = path.join(folder, 'progress');
  const { NODE_TEST_CONTEXT, ...usual } = process.env;
  const env = { ...usual, NODE_OPTIONS: `--import=${root}/tests/node_18.mjs --import=${root}/tests/progress.mjs`, TILLROLL_PROGRESS: progress };
  const { status, stdout, stderr } = spawnSync('node', [path.join(root, 'tests/node.mjs'), '1', ...files], { encoding: 'utf8', env });
  assert.equal(status, 1, stderr);
  assert.deepEqual([...stdout.matchAll(/^ *((?:not )?ok) \d+ - (\w .*)$/gm)].map(([, how, what]) => `${how} ${what}`),
    ['a', 'b', 'c'].flatMap((name) => [`ok ${name} finds nobody`, `${name === 'b' ? 'not ok' : 'ok'} ${name} ends`]), stdout);
  const told = readFileSync(path.join(folder, 'told'), 'utf8').trim().split('\n');
  assert.deepEqual([told.length, new Set(told).size], [3, 1], told.join());
  const lines = readFileSync(progress, 'utf8').trim().split('\n').map((line) => line.replace(/ .*\//, ' '));
  assert.equal(lines.length, 7);
  assert.deepEqual(lines.slice(0, 6), ['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
  assert.match(lines[6], /^fail .*_1$/);
});
