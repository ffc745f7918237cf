// What the compiler and the linker were told to guard against is in the programs that they made.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'node:test';

import { build } from '../api/support/testbed.mjs';

const run = (program, ...options) => {
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  return stdout;
};

for (const name of ['tillrolld', 'tillroll']) {
  describe(name, () => {
    const file = path.join(build, name);
    const readelf = (...options) => run('readelf', '--wide', ...options, file);

    it('is loaded at another address each time', () => assert.match(readelf('-h'), /Type: +DYN \(Position-Independent Executable/));

    it('has its addresses of functions fixed and read-only before it begins', () => {
      assert.match(readelf('-l'), /^ +GNU_RELRO /m);
      assert.match(readelf('-d'), /\(FLAGS_1\) +Flags: .*\bNOW\b.*\bPIE\b/);
    });

    it('has no memory that can be written and carried out, the stack included', () => {
      const segments = readelf('-l').match(/^ +(LOAD|GNU_STACK) .*$/gm);
      assert.ok(segments.some((line) => line.includes('GNU_STACK')));
      for (const line of segments) assert.doesNotMatch(line, /\bRWE\b|\bW E\b/);
    });

    it('guards its stack frames, and calls the checked forms of what copies', () => {
      const wanted = readelf('--dyn-syms');
      assert.match(wanted, /UND __stack_chk_fail@/);
      for (const checked of ['__memcpy_chk', '__snprintf_chk']) assert.ok(wanted.includes(` ${checked}@`), checked);
    });

    it('has a mark wherever it can be jumped to', { skip: process.arch !== 'x64' && 'not on this machine' }, () => {
      const code = run('objdump', '-d', '--no-show-raw-insn', '--disassemble=main', file);
      assert.match(code, /<main>:\n +[0-9a-f]+:\s+endbr64/);
    });

    it('needs no library but these', () => {
      const needed = [...readelf('-d').matchAll(/\(NEEDED\) +Shared library: \[([^\]]+)\]/g)].map(([, library]) => library.replace(/\.so.*$/, ''));
      const known = ['libc', 'libcrypto', 'libjansson', 'libm', 'libmicrohttpd', 'libpq', 'libqrencode', 'libsodium', 'libutf8proc', 'libz'];
      assert.deepEqual(needed.filter((library) => !known.includes(library)), []);
    });
  });
}
