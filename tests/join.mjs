#!/usr/bin/env node
// Joins C files, for the build with sanitizers (CMakeLists.txt: TILLROLL_JOINED) and cppcheck (cppcheck.mjs): what they all include is read
// once for many of them.
//
//     node tests/join.mjs FOLDER FILE...     writes FOLDER/N.c, which include the files, and prints their paths, with semicolons between
//
// No name that a file has for itself is one of a file that it is joined with, or is declared by a header of ours which that one leads to; no two
// headers that they lead to declare the same name; and no macro of a file is a word of another. (The headers of libraries are not looked at:
// a static function that has the name of one of theirs is a compiler's error where they meet.)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { names } from './tidy.mjs';
import { Tree } from './unread.mjs';

export const MOST = 80_000; // characters in files that are joined

const words = (text) => new Set(text.replace(/\/\*.*?\*\/|"(?:[^"\\\n]|\\.)*"/gs, ' ').match(/[A-Za-z_]\w*/g));
const macros = (text) => [...text.matchAll(/^#[ ]*define (\w+)/gm)].map(([, name]) => name);
// What a header declares, from its layout.
const declared = (text) => [...names(text), ...[...text.matchAll(/^[A-Za-z_][\w *]*?\b(\w+)\(/gm)].map(([, name]) => name)];
// Functions that are not static: where a header declares them as well, they hide nothing.
const shared = (text) => new Set([...text.matchAll(/^(?!static\b)[A-Za-z_][\w *]*?\b(\w+)\(/gm)].map(([, name]) => name));

const meet = (some, set) => some.some((each) => set.has(each));

// Groups of files, in their order. `read`: the text of a file, or undefined if there is none.
export function joined(files, most, read) {
  const tree = new Tree(read);
  const all = [];
  for (const file of files) {
    const text = read(file);
    const led = new Map(tree.closure(file).slice(1).flatMap((each) => declared(tree.text(each)).map((name) => [name, each])));
    const known = shared(text);
    const own = [...names(text)].filter((name) => !(known.has(name) && led.has(name)));
    const said = words(text);
    const fits = (each) => each.size + text.length <= most && !meet(own, each.own) && !meet(own, each.led) && !meet([...each.own], led) &&
      ![...led].some(([name, header]) => (each.led.get(name) ?? header) !== header) &&
      !meet(macros(text), each.said) && !meet(each.macros, said);
    const group = all.find(fits) ?? all[all.push({ files: [], size: 0, own: new Set(), led: new Map(), said: new Set(), macros: [] }) - 1];
    group.files.push(file);
    group.size += text.length;
    for (const [kept, more] of [[group.own, own], [group.said, said]]) for (const each of more) kept.add(each);
    for (const [name, header] of led) group.led.set(name, header);
    group.macros.push(...macros(text));
  }
  return all.map((each) => each.files);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const [folder, ...given] = process.argv.slice(2);
  const read = (file) => (existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : undefined);
  mkdirSync(folder, { recursive: true });
  const made = joined(given.map((file) => path.relative(root, file)), MOST, read).map((files, number) => {
    const file = path.join(folder, `${number}.c`);
    const text = files.map((each) => `#include "${each}"\n`).join('');
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
    return file;
  });
  process.stdout.write(made.join(';'));
}
