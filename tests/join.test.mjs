// Files that are joined (join.mjs): which may be, and that cppcheck finds what is wrong in one of them (cppcheck.mjs).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { joined } from './join.mjs';

const groups = (texts, most = 1000) => joined(Object.keys(texts).filter((name) => name.endsWith('.c')), most, (file) => texts[file]);

describe('files', () => {
  it('are joined up to a size', () => {
    assert.deepEqual(groups({ 'a.c': 'int a;\n', 'b.c': 'int b;\n', 'c.c': 'int c;\n' }, 14), [['a.c', 'b.c'], ['c.c']]);
  });

  it('are not joined where a name of one is a name of the other', () => {
    assert.deepEqual(groups({ 'a.c': 'static int one(void)\n{\n}\n', 'b.c': 'static bool one;\n', 'c.c': 'enum { two };\n' }), [['a.c', 'c.c'], ['b.c']]);
  });

  it('are not joined where one hides what a header of the other declares', () => {
    const header = { 'b.h': 'void one(void);\n' };
    assert.deepEqual(groups({ 'a.c': 'static int one(void)\n{\n}\n', 'b.c': '#include "b.h"\nvoid two(void)\n{\n}\n', ...header }), [['a.c'], ['b.c']]);
    assert.deepEqual(groups({ 'b.c': '#include "b.h"\nvoid one(void)\n{\n}\n', 'c.c': '#include "b.h"\nvoid three(void)\n{\n}\n', ...header }), [['b.c', 'c.c']]);
  });

  it('are not joined where headers that they include declare the same name', () => {
    const headers = { 'b.h': 'struct one {\n    int b;\n};\n', 'c.h': 'struct one {\n    int c;\n};\n' };
    assert.deepEqual(groups({ 'a.c': '#include "b.h"\n', 'b.c': '#include "b.h"\nint b;\n', 'c.c': '#include "c.h"\n', ...headers }), [['a.c', 'b.c'], ['c.c']]);
  });

  it('are not joined where a macro of one is a word of the other', () => {
    assert.deepEqual(groups({ 'a.c': '#define SIZE 3\n', 'b.c': 'void f(void)\n{\n    int SIZE;\n}\n', 'c.c': '/* SIZE */\n' }), [['a.c', 'c.c'], ['b.c']]);
  });
});

describe('cppcheck', () => {
  let root;
  before(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'tillroll-cppcheck-'));
    mkdirSync(path.join(root, 'engine'));
    writeFileSync(path.join(root, 'engine/one.c'), 'int one(int a);\nint one(int a)\n{\n    return a + 1;\n}\n');
  });
  after(() => rmSync(root, { recursive: true }));

  const check = (second) => {
    writeFileSync(path.join(root, 'engine/two.c'), second);
    const program = fileURLToPath(new URL('cppcheck.mjs', import.meta.url));
    const done = spawnSync('node', [program, '--enable=warning', '-I.'], { cwd: root, input: 'engine/one.c\nengine/two.c\n', encoding: 'utf8', env: { ...process.env, TILLROLL_PROGRESS: '' } });
    return { status: done.status, said: done.stdout };
  };

  it('passes files that it reads together', () => {
    assert.deepEqual(check('int two(void);\nint two(void)\n{\n    return 2;\n}\n'), { status: 0, said: '2 files in 1 runs, 0 groups read again one by one, 0 files with faults\n' });
  });

  it('names the place of a fault in one of them', () => {
    const { status, said } = check('int two(void);\nint two(void)\n{\n    int a[2] = {0};\n    return a[2];\n}\n');
    assert.equal(status, 1);
    assert.match(said, /^engine\/two\.c:5:13: error: Array 'a\[2\]' accessed at index 2/m);
    assert.match(said, /^2 files in 1 runs, 1 groups read again one by one, 1 files with faults$/m);
  });
});
