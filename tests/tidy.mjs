#!/usr/bin/env node
// Has clang-tidy read C files in batches, so that what they all include is read once for many of them: half the processor time.
//
//     node tests/tidy.mjs [OPTION...] <FILES       names of files, a line each
//
// A batch is a file that includes others of a folder, which are compiled alike (build/clang) and have no names in common. Where clang-tidy
// finds anything in one, or clang does not take it for C without warnings, its files are read one by one, and only what is found then
// counts. What batches do not see is how names of one file hide those of another (-Wshadow), and variables that nobody uses: GCC looks for
// both.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MOST = 12; // files in a batch
const AT_ONCE = 2;
const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const folder = 'build/tidy';

// The names that a file has for itself, by how clang-format lays out what is outside of functions.
export function names(text) {
  const found = new Set();
  const add = (pattern, take = ([, name]) => [name]) => {
    for (const match of text.matchAll(pattern)) for (const name of take(match)) found.add(name);
  };
  add(/^static\b[^\n=;{}]*?\b(\w+)(?:\(|\[| = |;)/gm);
  add(/^[A-Za-z_][\w *]*?\b(\w+)\([^;]*?\)\n?\s*\{/gm);
  add(/^#[ ]*define (\w+)/gm);
  add(/^(?:static |const |typedef )*(?:struct|enum|union) (\w+) \{/gm);
  add(/^\} (\w+)[;[ ]/gm);
  add(/^typedef [^\n;]*?\(?\*?(\w+)\)?(?:\(|;)/gm);
  add(/^(?:static |typedef )*enum(?: \w+)? \{(.*?)\}/gms, ([, body]) => body.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
  return found;
}

// Groups of files: alike in how they are compiled, without common names. A file that is compiled in several ways, or with parts left out,
// stays alone.
export function batches(files, most, read, ways) {
  const all = [];
  for (const file of files) {
    const text = read(file);
    const own = names(text);
    const way = ways(file);
    const alone = way === undefined || /^[ \t]*#[ \t]*if/m.test(text);
    const fits = (each) => each.way === way && each.files.length < most && ![...own].some((name) => each.names.has(name));
    const batch = alone ? undefined : all.find(fits);
    if (batch) {
      batch.files.push(file);
      for (const name of own) batch.names.add(name);
    } else {
      all.push({ way: alone ? undefined : way, files: [file], names: own });
    }
  }
  return all;
}

// How clang compiles each file: its options, without the names of the file and of what is made of it.
function commands() {
  const found = new Map();
  const database = path.join(root, 'build/clang/compile_commands.json');
  for (const { file, command } of existsSync(database) ? JSON.parse(readFileSync(database, 'utf8')) : []) {
    const words = command.replace(/\\(["\\])/g, '$1').split(' ').filter(Boolean);
    const options = words.slice(words.findIndex((word) => word.startsWith('-')), words.indexOf('-o'));
    const name = path.relative(root, file);
    found.set(name, [...(found.get(name) ?? []), options]);
  }
  return found;
}

// Its exit status, and what it has said.
function run(program, options) {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(program, options, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (data) => (said += data));
    child.stderr.on('data', (data) => (said += data));
    child.on('error', (error) => resolve({ passed: false, said: `${program}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ passed: code === 0, said }));
  });
}

const textOf = (file) => readFileSync(path.join(root, file), 'utf8');

// Takes out files, those that clang names first, until it takes the rest for C without warnings. The files that are left.
async function agree(file, files, options) {
  let left = files;
  while (left.length > 1) {
    const part = (each) => `#include "${each}" // NOLINT(bugprone-suspicious-include)\n`;
    writeFileSync(path.join(root, file), left.map(part).join(''));
    const { passed, said } = await run('clang', [...options, '-fsyntax-only', file]);
    if (passed) return left;
    const place = (each) => (said.search(`(^|[/\n])${each}:`) + 1 || Infinity);
    const named = left.reduce((first, each) => (place(each) < place(first) ? each : first));
    left = left.filter((each) => each !== named);
  }
  return [];
}

async function main(given) {
  const files = readFileSync(0, 'utf8').split('\n').filter(Boolean).map((file) => path.posix.normalize(file));
  const known = commands();
  // The folder, at most three deep: headers with the same name differ between games.
  const near = (file) => path.posix.dirname(file).split('/').slice(0, 3).join('/');
  const way = (file) => (known.get(file)?.length === 1 ? `${near(file)} ${known.get(file)[0].join(' ')}` : undefined);
  const todo = batches(files, MOST, textOf, way);
  mkdirSync(path.join(root, folder), { recursive: true });
  let failed = 0;
  let alone = 0;
  const check = async (batch, number) => {
    const file = `${folder}/${number}.c`;
    const options = [...(known.get(batch.files[0])?.[0] ?? []), '-I.', '-Wno-shadow'];
    const together = await agree(file, batch.files, options);
    const filter = '--header-filter=/(engine|db|api|tests)/.*\\.[ch]$';
    const passed = together.length > 0 && (await run('clang-tidy', ['--quiet', ...given, filter, file, '--', ...options])).passed;
    for (const each of batch.files.filter((name) => !(passed && together.includes(name)))) {
      alone++;
      const one = await run('clang-tidy', ['-p', 'build/clang', '--quiet', ...given, each]);
      if (one.passed) continue;
      failed++;
      process.stdout.write(one.said);
    }
  };
  const queue = todo.entries();
  const work = async () => {
    for (const [number, batch] of queue) {
      await check(batch, number);
      if (process.env.TILLROLL_PROGRESS) appendFileSync(process.env.TILLROLL_PROGRESS, batch.files.map((file) => `end ${file}\n`).join(''));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${files.length} files in ${todo.length} batches, ${alone} of them alone, ${failed} with faults`);
  return failed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
