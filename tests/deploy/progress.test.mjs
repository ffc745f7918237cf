// tests/run while it runs: what it shows of its steps, on a terminal and elsewhere, and that Ctrl-C ends all of them. The steps are
// real; the programs that they call are stand-ins that wait for the test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

import { temporaryDirectory } from '../api/support/testbed.mjs';
import { until, within } from '../api/support/waiting.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');

describe('tests/run', () => {
  const top = temporaryDirectory('progress');
  const at = (name) => path.join(top, name);
  const program = (name, text) => {
    writeFileSync(at(name), `#!/bin/bash\n${text}\n`);
    chmodSync(at(name), 0o755);
  };
  const go = () => writeFileSync(at('go'), '');
  const waits = `until [ -e ${at('go')} ]; do sleep 0.05; done`;

  beforeEach(() => {
    for (const name of ['bin', 'build', 'cache', 'deploy', 'tests', 'go', 'pids']) rmSync(at(name), { recursive: true, force: true });
    for (const name of ['bin', 'build/release', 'deploy', 'tests/api']) mkdirSync(at(name), { recursive: true });
    for (const name of ['run', 'node.mjs', 'progress.mjs', 'node_18.mjs', 'unread.mjs', 'tidy.mjs', 'join.mjs', 'cppcheck.mjs']) cpSync(path.join(root, 'tests', name), at(`tests/${name}`));
    cpSync(path.join(root, 'deploy/fresh_build'), at('deploy/fresh_build'));
    program('deploy/packages', 'exit 0');
    program('bin/cmake', 'exit 0');
    program('bin/ctest', `echo '      Start  1: engine/first'; echo '1/3 Test  #1: engine/first ....   Passed    0.10 sec'
      echo '      Start  2: engine/second'; ${waits}; echo '100% tests passed, 0 tests failed out of 3'`);
  });

  const children = [];
  afterEach(() => {
    for (const child of children) child.kill('SIGTERM');
  });

  // Starts it: all that it has written so far, and its end.
  function start(steps, { terminal = false } = {}) {
    const command = [at('tests/run'), ...steps];
    const [first, ...words] = terminal ? ['script', '-qec', command.join(' '), '/dev/null'] : command;
    const { NODE_OPTIONS, NODE_TEST_CONTEXT, TILLROLL_PROGRESS, TILLROLL_READ_ALL, ...usual } = process.env;
    const child = spawn(first, words, { env: { ...usual, PATH: `${at('bin')}:${process.env.PATH}`, XDG_CACHE_HOME: at('cache'), TILLROLL_PROGRESS_SECONDS: '0.2' } });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    const ended = once(child, 'close');
    return {
      child,
      said: () => output,
      sees: (what) => until(20, `it shows ${what}, after ${output}`, () => what.test(output)),
      end: async () => [(await within(30, 'tests/run ends', ended))[0], output],
    };
  }

  it('says which step runs, how far it is, and what is left by the last run', async () => {
    const first = start(['packages', 'release']);
    await first.sees(/^step 1 of 2: packages$/m);
    await first.sees(/^step 2 of 2: release$/m);
    await first.sees(/^ {11}step 2 of 2: release, 1\/3 tests: engine\/second; 0:\d\d$/m);
    go();
    const [status, output] = await first.end();
    assert.equal(status, 0, output);
    assert.match(output, /^packages +\d+ s {2}ok$[^]*^release +\d+ s {2}ok\n {11}100% tests passed, 0 tests failed out of 3\n[^]*^tests\/run: all steps passed in \d+ s\n$/m);
    writeFileSync(at('build/test-durations'), 'packages 5\nrelease 600\nother 7\n');
    rmSync(at('go'));
    const second = start(['packages', 'release']);
    await second.sees(/^step 1 of 2: packages, about 10:05 left$/m);
    await second.sees(/^ {11}step 2 of 2: release, 1\/3 tests: engine\/second; 0:\d\d, about (10:00|9:5\d) left$/m);
    go();
    assert.equal((await second.end())[0], 0);
    assert.match(readFileSync(at('build/test-durations'), 'utf8').split('\n').sort().join('\n'), /^\nother 7\npackages \d\nrelease \d+$/);
  });

  it('says which test files run and how many have ended', async () => {
    writeFileSync(at('tests/package.json'), '{"name": "none", "private": true}');
    writeFileSync(at('tests/package-lock.json'), '{"name": "none", "lockfileVersion": 3, "packages": {"": {"name": "none"}}}');
    writeFileSync(at('tests/api/quick.test.mjs'), "import { it } from 'node:test';\nit('is over', () => {});\n");
    writeFileSync(at('tests/api/slow.test.mjs'), `import { existsSync } from 'node:fs';
      import { it } from 'node:test';
      it('waits', async () => { while (!existsSync('${at('go')}')) await new Promise((resolve) => setTimeout(resolve, 20)); });\n`);
    const run = start(['node']);
    await run.sees(/^ {11}step 1 of 1: node, 1\/2: api\/slow; \d:\d\d$/m);
    go();
    const [status, output] = await run.end();
    assert.equal(status, 0, output);
    assert.match(output, /^node +\d+ s {2}ok$[^]*^ {11}# pass \d+$[^]*^ {11}# fail 0$/m);
  });

  it('shows all of a step that fails, and ends there', async () => {
    program('bin/ctest', 'echo something is wrong; exit 3');
    const [status, output] = await start(['release', 'packages']).end();
    assert.equal(status, 1);
    assert.match(output, /^release +\d+ s {2}FAILED\nsomething is wrong\ntests\/run: step release failed with exit status 3\n$/m);
    assert.doesNotMatch(output, /packages/);
    assert.ok(!existsSync(at('build/test-durations')));
  });

  it('changes one line on a terminal', async () => {
    const run = start(['release'], { terminal: true });
    await run.sees(/\r\x1b\[Kstep 1 of 1: release, 1\/3 tests: engine\/second; 0:\d\d/);
    go();
    const [status, output] = await run.end();
    assert.equal(status, 0);
    assert.match(output, /\r\x1b\[Krelease +\d+ s {2}ok\r\n/);
    assert.equal(output.split('step 1 of 1')[0], '\r\x1b[K');
    assert.doesNotMatch(output, /\nstep/);
  });

  it('fixes, builds, and lints in one command each', async () => {
    const told = (name, output = '') => program(`bin/${name}`, `echo "${name} $*" >>${at('called')}; ${output}`);
    const called = () => {
      const lines = existsSync(at('called')) ? readFileSync(at('called'), 'utf8').trim().split('\n').filter((line) => !line.endsWith(' --version')) : [];
      rmSync(at('called'), { force: true });
      return lines;
    };
    for (const name of ['clang-format', 'cmake', 'clang-tidy', 'cppcheck']) told(name);
    mkdirSync(at('api'), { recursive: true });
    writeFileSync(at('api/one.c'), '');
    writeFileSync(at('api/one.h'), '');
    for (const name of ['layout', 'circles']) cpSync(path.join(root, `tests/${name}.mjs`), at(`tests/${name}.mjs`));
    assert.equal((await start(['fix']).end())[0], 0);
    assert.deepEqual(called(), ['clang-format -i ./api/one.c ./api/one.h']);
    assert.equal((await start(['build']).end())[0], 0);
    assert.deepEqual(called(), ['cmake --preset release', 'cmake --build build/release -- -j2']);
    const [status, output] = await start(['lint']).end();
    assert.equal(status, 0, output);
    assert.deepEqual([...output.matchAll(/^(\w+) +\d+ s {2}ok$/gm)].map(([, step]) => step), ['layout', 'format', 'tidy', 'cppcheck']);
    const words = () => called().map((line) => line.split(' ').slice(0, 2).join(' '));
    const readers = ['clang-format --dry-run', 'cmake --preset', 'clang-tidy -p', 'cppcheck --quiet'];
    assert.deepEqual(words(), readers);

    // What has passed is read again when it has changed, or what it includes has.
    const lint = async (...steps) => assert.equal((await start(steps).end())[0], 0);
    await lint('lint');
    assert.deepEqual(words(), ['cmake --preset']);
    writeFileSync(at('api/two.c'), '#include "api/one.h"\n');
    await lint('lint');
    assert.deepEqual(words(), readers);
    writeFileSync(at('api/one.h'), 'int one;\n');
    await lint('format', 'cppcheck');
    const [formatted, checked] = called();
    assert.match(formatted, / \.\/api\/one\.h \.\/api\/two\.c$/);
    assert.match(checked, /=comparePointers api\/two\.c$/);
    // What has not passed is not remembered, and another version reads everything.
    told('clang-format', 'exit 1');
    writeFileSync(at('api/one.c'), 'int  two;\n');
    for (let i = 0; i < 2; i++) assert.equal((await start(['format']).end())[0], 1);
    assert.equal(called().length, 2);
    told('clang-format', 'echo 99');
    await lint('format');
    assert.match(called()[0], / \.\/api\/one\.c \.\/api\/one\.h \.\/api\/two\.c$/);
    rmSync(at('api'), { recursive: true });
  });

  // One that has left the group of processes, one that nobody has begun any more, as a cluster, one that goes on after SIGINT and SIGTERM,
  // and its child.
  const remaining = () => readFileSync(at('pids'), 'utf8').trim().split('\n').filter((pid) => existsSync(`/proc/${pid}/exe`));
  const note = (pid) => `echo ${pid} >>${at('pids')}`;
  const apart = `setsid sleep 1000 & ${note('$!')}`;
  const alone = `(${apart})`;
  const stubborn = `(trap '' TERM INT; sleep 1000 & ${note('$!')}; while true; do sleep 0.1; done) & ${note('$!')}`;

  for (const [what, count, terminal, text, interrupt] of [
    ['Ctrl-C', 4, true, `${apart}; ${stubborn}; ${note('$$')}; wait`, (child) => child.stdin.write('\x03')],
    ['SIGTERM', 3, false, `${apart}; ${alone}; ${note('$$')}; wait`, (child) => child.kill('SIGTERM')],
  ])
    it(`ends all that it has started on ${what}`, async () => {
      program('bin/ctest', text);
      const run = start(['release', 'packages'], { terminal });
      await until(20, 'all run', () => readFileSync(at('pids'), 'utf8').trim().split('\n').length === count);
      assert.equal(remaining().length, count);
      interrupt(run.child);
      const [status, output] = await run.end();
      assert.equal(status, terminal ? 130 : 143, output);
      assert.match(output, /tests\/run: interrupted in step release; ending what it has started/);
      assert.deepEqual(remaining(), []);
      assert.doesNotMatch(output, /packages/);
    });
});
