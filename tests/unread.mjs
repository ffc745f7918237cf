#!/usr/bin/env node
// Which C files a check has not yet passed as they are now: for the steps of tests/run that only read code, whose result depends on
// nothing but what they read.
//
//     node tests/unread.mjs CHECK VERSION FILE...   prints the files to be read, each after a hash of its state; VERSION is all else
//                                                   that the result depends on
//     node tests/unread.mjs --passed CHECK          after they have passed, with these lines as its input
//
// A file is told by its text, the texts of all headers of ours that it leads to, and how it is compiled (build/clang). What has passed is
// kept for all checkouts, as ccache does, in ~/.cache/tillroll; TILLROLL_READ_ALL=1 has everything read again.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const KEPT_MOST = 50_000; // lines

const hash = (text) => createHash('sha256').update(text).digest('hex');

// Every place where a compiler may look for what a file includes: more than it takes does no harm.
const places = (file) => [path.posix.dirname(file), '.', 'tests/engine', 'engine/wasm/include'];

export class Tree {
  #texts = new Map();
  #hashes = new Map();
  #included = new Map();

  // `read`: the text of a file, or undefined if there is none.
  constructor(read) {
    this.read = read;
  }

  text(file) {
    if (!this.#texts.has(file)) this.#texts.set(file, this.read(file));
    return this.#texts.get(file);
  }

  #hash(file) {
    if (!this.#hashes.has(file)) this.#hashes.set(file, hash(this.text(file)));
    return this.#hashes.get(file);
  }

  // The files of ours that a file includes, by their paths.
  #includes(file) {
    if (!this.#included.has(file)) {
      const named = [...this.text(file).matchAll(/^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]/gm)].map(([, header]) => header);
      const all = named.flatMap((header) => places(file).map((place) => path.posix.normalize(path.posix.join(place, header))));
      this.#included.set(file, all.filter((each) => this.text(each) !== undefined));
    }
    return this.#included.get(file);
  }

  // The files that a file leads to, itself first, in an order that depends on their texts only.
  closure(file) {
    const seen = new Set([path.posix.normalize(file)]);
    for (const each of seen) for (const header of this.#includes(each)) seen.add(header);
    return [...seen];
  }

  // One state of a file under a check. `command`: how it is compiled.
  state(file, version, command = '') {
    return hash(JSON.stringify([version, command, ...this.closure(file).map((each) => `${each} ${this.#hash(each)}`)]));
  }
}

function keptOf(check) {
  if (!/^\w+$/.test(check ?? '')) throw new Error('usage: node tests/unread.mjs CHECK VERSION FILE... | --passed CHECK');
  const kept = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'tillroll', `read-${check}`);
  return { kept, passed: existsSync(kept) ? readFileSync(kept, 'utf8').split('\n').filter(Boolean) : [] };
}

function unread(check, version, files) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const tree = new Tree((file) => (existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : undefined));
  const commands = new Map();
  const database = path.join(root, 'build/clang/compile_commands.json');
  for (const { file, command } of existsSync(database) ? JSON.parse(readFileSync(database, 'utf8')) : []) {
    const name = path.relative(root, file);
    commands.set(name, `${commands.get(name) ?? ''}${command.replaceAll(root, './')}\n`);
  }
  const known = new Set(process.env.TILLROLL_READ_ALL ? [] : keptOf(check).passed);
  for (const file of files) {
    const state = tree.state(file, version, commands.get(path.posix.normalize(file)));
    if (!known.has(state)) console.log(`${state} ${file}`);
  }
}

function remember(check, lines) {
  const { kept, passed } = keptOf(check);
  mkdirSync(path.dirname(kept), { recursive: true });
  if (passed.length > KEPT_MOST) {
    writeFileSync(`${kept}.${process.pid}`, passed.slice(-KEPT_MOST / 2).map((line) => `${line}\n`).join(''));
    renameSync(`${kept}.${process.pid}`, kept);
  }
  appendFileSync(kept, lines.split('\n').filter(Boolean).map((line) => `${line.split(' ')[0]}\n`).join(''));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first, second, ...files] = process.argv.slice(2);
  if (first === '--passed') remember(second, readFileSync(0, 'utf8'));
  else unread(first, second ?? '', files);
}
