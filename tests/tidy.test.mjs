// clang-tidy's batches (tidy.mjs): what is read together, and that a fault in one is found.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { batches } from './tidy.mjs';

const tests = path.dirname(fileURLToPath(import.meta.url));

describe('batches', () => {
  const grouped = (texts, ways = {}) => batches(Object.keys(texts), 2, (file) => texts[file], (file) => ways[file] ?? 'alike').map(({ files }) => files);

  it('hold files without common names, up to their size', () => {
    assert.deepEqual(grouped({ a: 'static int one(void)\n{\n}\n', b: 'static int two(void)\n{\n}\n', c: 'static int three;\n' }), [['a', 'b'], ['c']]);
    assert.deepEqual(grouped({ a: 'static int one(void)\n{\n}\n', b: 'enum { one };\nstatic int one;\n' }), [['a'], ['b']]);
    assert.deepEqual(grouped({ a: 'enum { ROOM = 3 };\n', b: '#define ROOM 4\n' }), [['a'], ['b']]);
  });

  it('do not mix what is compiled in different ways, or has parts left out', () => {
    assert.deepEqual(grouped({ a: '', b: '' }, { b: 'otherwise' }), [['a'], ['b']]);
    assert.deepEqual(grouped({ a: '', b: '#ifdef X\n#endif\n' }), [['a'], ['b']]);
  });
});

describe('a batch', () => {
  let root;
  before(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'tillroll-tidy-'));
    for (const name of ['tests', 'engine', 'build/clang']) mkdirSync(path.join(root, name), { recursive: true });
    cpSync(path.join(tests, 'tidy.mjs'), path.join(root, 'tests/tidy.mjs'));
    cpSync(path.join(tests, '../.clang-tidy'), path.join(root, '.clang-tidy'));
    const command = (name) => ({ directory: root, file: path.join(root, name), command: `clang -std=c17 -Wall -Werror -o x.o -c ${path.join(root, name)}` });
    writeFileSync(path.join(root, 'build/clang/compile_commands.json'), JSON.stringify(['engine/one.c', 'engine/two.c'].map(command)));
    writeFileSync(path.join(root, 'engine/one.c'), 'int one(int a);\nint one(int a)\n{\n    return a + 1;\n}\n');
  });
  after(() => rmSync(root, { recursive: true }));

  const check = (two) => {
    writeFileSync(path.join(root, 'engine/two.c'), two);
    return spawnSync(process.execPath, ['tests/tidy.mjs', '--checks=-clang-analyzer-*'], { cwd: root, input: 'engine/one.c\nengine/two.c\n', encoding: 'utf8' });
  };

  it('passes as a whole', () => {
    const { status, stdout } = check('int two(int a);\nint two(int a)\n{\n    return a + 2;\n}\n');
    assert.equal(stdout, '2 files in 1 batches, 0 of them alone, 0 with faults\n');
    assert.equal(status, 0);
  });

  it('has its files read one by one if there is a fault in it', () => {
    const { status, stdout } = check('int two(int a);\nint two(int a)\n{\n    return a > 2 ? a / 2 : a / 2;\n}\n');
    assert.match(stdout, /two\.c:4:\d+: error: .*\[(bugprone|misc)-[\w-]+/);
    assert.match(stdout, /2 files in 1 batches, 2 of them alone, 1 with faults\n$/);
    assert.equal(status, 1);
  });
});
