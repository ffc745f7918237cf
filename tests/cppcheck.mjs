#!/usr/bin/env node
// Has cppcheck read C files of a folder together, so that what they all include is read once for many of them.
//
//     node tests/cppcheck.mjs [OPTION...] <FILES       names of files, a line each
//
// Where it finds anything in files that it reads together, it reads them one by one, and what is found then counts. Tests, of which each has
// its own main(), and files with parts left out are always read one by one. (A cppcheck with -j does not follow pointers from one function into
// another; each of these does.)
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { joined, MOST } from './join.mjs';

const AT_ONCE = 2;
const FOLDER = 'build/cppcheck';

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
// What games name alike differs.
const near = (file) => file.split('/').slice(0, -1).slice(0, 3).join('/');
const alone = (file) => file.startsWith('tests/') || /^[ \t]*#[ \t]*if|^int main\(/m.test(read(file));

// Whether it has found nothing, and what it has said.
function run(options) {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn('cppcheck', ['--quiet', '--error-exitcode=1', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
    child.on('error', (error) => resolve({ passed: false, said: `cppcheck: ${error.message}\n` }));
    child.on('close', (code) => resolve({ passed: code === 0, said }));
  });
}

const options = process.argv.slice(2);
const files = readFileSync(0, 'utf8').split('\n').filter(Boolean).map((file) => path.posix.normalize(file));
const folders = new Map();
for (const file of files.filter((each) => !alone(each))) folders.set(near(file), [...(folders.get(near(file)) ?? []), file]);
const groups = [...[...folders.values()].flatMap((each) => joined(each, MOST, read)), ...files.filter(alone).map((file) => [file])];
const size = (group) => group.reduce((sum, file) => sum + read(file).length, 0);
const sizes = new Map(groups.map((group) => [group, size(group)]));
groups.sort((a, b) => sizes.get(b) - sizes.get(a)); // what takes longest begins first
mkdirSync(FOLDER, { recursive: true });
let failed = 0;
let apart = 0;
const queue = groups.entries();
async function work() {
  for (const [number, group] of queue) {
    const together = `${FOLDER}/${number}.c`;
    if (group.length > 1) writeFileSync(together, group.map((file) => `#include "${file}"\n`).join(''));
    if (group.length === 1 || !(await run([...options, together])).passed) {
      if (group.length > 1) apart++;
      for (const file of group) {
        const { passed, said } = await run([...options, file]);
        if (!passed) failed++;
        process.stdout.write(said);
      }
    }
    if (process.env.TILLROLL_PROGRESS) appendFileSync(process.env.TILLROLL_PROGRESS, group.map((file) => `end ${file}\n`).join(''));
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`${files.length} files in ${groups.length} runs, ${apart} groups read again one by one, ${failed} files with faults`);
process.exitCode = failed ? 1 : 0;
