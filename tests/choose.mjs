#!/usr/bin/env node
// Which tests a change can break, and one test file by its name; for `tests/run changed` and `tests/run one FILE`.
//
//     node tests/choose.mjs changed        what differs from main, committed or not: says what it has chosen and why, builds that, and runs it
//     node tests/choose.mjs one FILE...    the same for files that are named: test_*.c, *.test.mjs, *.case
//     with --dry-run                       only says it
//
// C code is followed by folders: whoever includes a header of a folder depends on all of that folder, and on what the folder includes. (Code
// of the tests is followed by files.)
// A test of the service (*.test.mjs) counts as one of the folder whose place it has below tests/, and of every file that it, or a module
// that it imports, names. Games are included by nobody (engine/game/game.h stands between): a change in one is tried by the generic suites.
// Where these rules do not say what a file is for, everything is chosen.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folderOf = (file) => path.posix.dirname(file);
const nameOf = (file) => path.posix.basename(file);
const stemOf = (file) => nameOf(file).replace(/\..*$/, '');

const isC = (file) => /\.[ch]$/.test(file);
const isCTest = (file) => /^tests\/(engine|db|api|simulation)\/(.*\/)?test_\w+\.c$/.test(file);
const isNodeTest = (file) => file.endsWith('.test.mjs');
const isCase = (file) => /^tests\/cases\/[^/]+\/[^/]+\.case$/.test(file);

// What is tried by no test, or by tests that every build runs anyway.
const untested = /^(LICENSE|\.gitignore|\.clang-format|\.clang-tidy|\.dockerignore|\.ci\/.*|tests\/cppcheck\.cfg|tests\/bench\/(?!capacity\/).*|tests\/fuzz\/run)$/;
// What every test, or every build, stands on.
const everything = /^((.*\/)?CMakeLists\.txt|CMakePresets\.json|tests\/package(-lock)?\.json|tests\/node_18\.mjs|tests\/progress\.mjs|db\/migrations\/.*)$/;

// Folders that a test of the service tries beside the one whose place it has: pages are made by api/pages.
const beside = { 'tests/web': ['api/pages', 'api/event_pages'], 'tests/faults': ['api'] };

// The generic suites, which run once for each game (tests/CMakeLists.txt).
const suites = ['test_catalog', 'test_twins', 'test_imagine'];

// What a game is held against beside its own tests; each takes the game's slug as a pattern of names.
const aboutGames = ['tests/api/request/game_schemas.test.mjs'];

// ---- C: folders and what they include ----

// What a C file counts as: its folder, or of the tests' own code, the file without its ending. There `roll_sign.c` is of `roll.h`.
const nodeOf = (file) => (file.startsWith('tests/') ? file.replace(/\.[ch]$/, '') : folderOf(file));

const includesOf = (text) => [...text.matchAll(/^\s*#\s*include "([^"]+\/[^"]+)"/gm)].map(([, header]) => nodeOf(header));

// By folder (or file of the tests), what its files include.
function includeGraph(files) {
  const graph = new Map();
  for (const [file, text] of files) {
    if (!isC(file)) continue;
    const own = nodeOf(file);
    if (!graph.has(own)) graph.set(own, new Set());
    for (const theirs of includesOf(text)) if (theirs !== own) graph.get(own).add(theirs);
  }
  const ofTests = [...graph.keys()].filter((node) => node.startsWith('tests/'));
  for (const node of ofTests) for (const other of ofTests) if (other.startsWith(`${node}_`)) graph.get(node).add(other);
  return graph;
}

// The folders that these depend on, themselves included.
export function reach(graph, folders) {
  const seen = new Set();
  const ahead = [...folders];
  while (ahead.length > 0) {
    const folder = ahead.pop();
    if (seen.has(folder)) continue;
    seen.add(folder);
    ahead.push(...graph.get(folder) ?? []);
  }
  return seen;
}

// How ctest knows what a C test is, and what is built for it.
export function ctestOf(file, slugs) {
  const stem = stemOf(file);
  if (isCase(file)) return { names: [`cases/${file.split('/')[2]}`], target: 'tillroll' };
  if (file.startsWith('tests/db/')) return { names: [`db/${stem}`], target: `db_${stem}` };
  const name = file.slice('tests/'.length, -'.c'.length);
  if (suites.includes(stem)) return { names: slugs.map((slug) => `engine/${stem}/${slug}`), target: stem };
  return { names: [name], target: stem };
}

// ---- Tests of the service: modules and what they name ----

// A module and all that it imports, by their paths.
function importsOf(file, files, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, other] of (files.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
    const target = path.posix.join(folderOf(file), other);
    if (files.has(target)) importsOf(target, files, seen);
  }
  return seen;
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

// Whether a text has a word, which may have dots, dashes and slashes.
const has = (text, word) => new RegExp(`(?<![\\w-])${escaped(word)}(?![\\w-])`).test(text);

// Whether a text names a file: by its name, or by its folder and name if it could be any word.
const names = (text, file) => has(text, nameOf(file).includes('.') ? nameOf(file) : file.split('/').slice(-2).join('/'));

// ---- Choosing ----

class Choice {
  constructor() {
    this.ctest = new Map(); // name -> why
    this.node = new Map(); // file -> { why, pattern }
    this.programs = new Map(); // a script that is run by itself -> why
    this.targets = new Set();
    this.all = null; // why everything
    this.nothing = []; // files that no test is for
    this.left = 0; // tests of the service that are not chosen
  }

  addC(file, slugs, why) {
    const { names: all, target } = ctestOf(file, slugs);
    for (const name of all) if (!this.ctest.has(name)) this.ctest.set(name, why);
    this.targets.add(target);
  }

  addNamed(name, target, why) {
    if (!this.ctest.has(name)) this.ctest.set(name, why);
    this.targets.add(target);
  }

  // A whole file goes before the part of it that has a pattern.
  addNode(file, why, pattern = null) {
    const had = this.node.get(file);
    if (had === undefined || (had.pattern !== null && pattern === null)) this.node.set(file, { why, pattern });
  }
}

// What is known of a tree; `files` maps each path to its text ('' for what is not read).
export function survey(files) {
  const graph = includeGraph(files);
  const list = [...files.keys()];
  const slugs = [...new Set(list.map((file) => /^engine\/games\/([^/]+)\//.exec(file)?.[1]).filter(Boolean))];
  const cTests = list.filter(isCTest);
  const nodeTests = list.filter(isNodeTest);
  const closures = new Map(nodeTests.map((file) => [file, importsOf(file, files)]));
  const textOf = (test) => [...closures.get(test)].map((file) => files.get(file)).join('\n');
  const texts = new Map(nodeTests.map((test) => [test, textOf(test)]));

  const mirrored = (test) => folderOf(test).slice('tests/'.length);
  const withAllBelow = (name) => [...graph.keys()].filter((each) => each === name || each.startsWith(`${name}/`));
  const standsOn = new Map(nodeTests.map((test) => [test, reach(graph, [...withAllBelow(mirrored(test)), ...Object.entries(beside).find(([start]) => test.startsWith(`${start}/`))?.[1] ?? []])]));
  const cReach = new Map(cTests.map((test) => [test, reach(graph, includesOf(files.get(test)))]));
  return { files, graph, list, slugs, cTests, nodeTests, closures, texts, mirrored, standsOn, cReach, programs: new Map() };
}

// `changed` are paths, of files that are gone, too.
export function choose(known, changed) {
  const { files, list, slugs, cTests, nodeTests, closures, texts, mirrored, standsOn, cReach } = known;
  const choice = new Choice();
  const naming = (file) => nodeTests.filter((test) => names(texts.get(test), file));

  function game(slug, file) {
    const why = `${file} is of the game ${slug}`;
    for (const suite of suites) choice.addNamed(`engine/${suite}/${slug}`, suite, why);
    choice.addNamed(`fuzz/play-${slug}`, `fuzz_play-${slug}`, why);
    for (const test of cTests) if (folderOf(test) === `tests/engine/games/${slug}`) choice.addC(test, slugs, why);
    for (const each of list) if (isCase(each) && each.split('/')[2].split('@')[0] === slug) choice.addC(each, slugs, why);
    for (const test of aboutGames) choice.addNode(test, why, slug);
    choice.programs.set('tests/engine/vectors/check_records.mjs', why);
    choice.targets.add('tillroll').add('write_states');
    for (const test of cTests) if (cReach.get(test).has(`engine/games/${slug}`) && !suites.includes(stemOf(test))) choice.addC(test, slugs, why);
  }

  // A folder of C code of the product, or a file of the tests' own code.
  function folder(name, file) {
    let found = false;
    for (const test of cTests) {
      if (!cReach.get(test).has(name)) continue;
      found = true;
      choice.addC(test, slugs, `its includes lead to ${name} (${file})`);
    }
    for (const test of nodeTests) {
      if (!standsOn.get(test).has(name)) continue;
      found = true;
      choice.addNode(test, mirrored(test) === name ? `is of ${name} (${file})` : `what it is of includes ${name} (${file})`);
    }
    return found;
  }

  // Each rule returns whether it knows what the file is for.
  function consider(file) {
    const slug = /^engine\/games\/([^/]+)\//.exec(file)?.[1] ?? /^tests\/engine\/games\/([^/]+)\/.*\.h$/.exec(file)?.[1];
    if (everything.test(file) || /^api\/[^/]+\.[ch]$/.test(file)) return false; // the table of routes, and the service as a whole
    if (untested.test(file)) return choice.nothing.push(file) > 0;
    if (file.startsWith('tests/skeleton/') && nodeTests.includes('tests/new.test.mjs')) {
      choice.addNode('tests/new.test.mjs', `begins what is in ${file}`);
      return true;
    }
    if (isCTest(file) || isCase(file)) {
      if (files.has(file)) choice.addC(file, slugs, 'changed');
      return true;
    }
    if (isNodeTest(file)) {
      if (files.has(file)) choice.addNode(file, 'changed');
      return true;
    }
    if (file.endsWith('.md')) {
      for (const test of ['tests/api/request/readme.test.mjs', ...naming(file)]) choice.addNode(test, `names ${file}, or every document`);
      return true;
    }
    if (slug !== undefined) {
      game(slug, file);
      return true;
    }
    const twist = /^tests\/engine\/support\/twist\/twist_(\w+)\.c$/.exec(file)?.[1];
    if (twist !== undefined) {
      const whose = slugs.find((each) => files.get(file)?.includes(`engine/games/${each}/`));
      if (whose === undefined) return false;
      for (const suite of ['test_twins', 'test_imagine']) choice.addNamed(`engine/${suite}/${whose}`, suite, `${file} is of the game ${whose}`);
      return true;
    }
    if (file.startsWith('tests/cases/')) {
      choice.addNamed(`cases/${file.split('/')[2]}`, 'tillroll', `${file} changed`);
      return true;
    }
    const corpus = /^tests\/fuzz\/(?:corpus\/([^/]+)\/|(?:api\/)?fuzz_(\w+)\.c$)/.exec(file);
    if (corpus !== null) {
      for (const name of corpus[2] === 'play' ? slugs.map((each) => `play-${each}`) : [corpus[1] ?? corpus[2]]) choice.addNamed(`fuzz/${name}`, `fuzz_${name}`, `${file} changed`);
      return true;
    }
    if (/^web-static\//.test(file)) {
      const board = /^web-static\/boards\/(\w+)[\w-]*\.(js|css)$/.exec(file)?.[1];
      const ofBoard = board !== undefined && slugs.some((each) => each.split('-')[0] === board || each === board);
      for (const test of nodeTests) {
        const own = test.startsWith('tests/web/') && (!ofBoard || test.endsWith('/words.test.mjs') || files.get(test).includes(board));
        if (own || names(texts.get(test), file)) choice.addNode(test, `shows ${file}`);
      }
      return true;
    }
    const mentioned = naming(file);
    for (const test of mentioned) choice.addNode(test, `names ${nameOf(file)}, or imports what does`);
    if (isC(file) && /^(engine|db|api)\//.test(file)) return folder(nodeOf(file), file);
    if (isC(file) && /^tests\//.test(file)) {
      const tried = folder(nodeOf(file), file);
      const program = madeIn(files).includes(stemOf(file)) ? nodeTests.filter((test) => has(texts.get(test), stemOf(file))) : [];
      for (const test of program) choice.addNode(test, `runs ${stemOf(file)}`);
      return tried || program.length > 0;
    }
    if (/\.mjs$/.test(file)) {
      const users = nodeTests.filter((test) => closures.get(test).has(file));
      for (const test of users) choice.addNode(test, `imports ${file}`);
      return users.length + mentioned.length > 0;
    }
    return mentioned.length > 0;
  }

  for (const file of changed) if (!consider(file)) choice.all ??= `nothing says what ${file} is for, or everything stands on it`;
  if (changed.length > 0 && nodeTests.includes('tests/layout.test.mjs')) choice.addNode('tests/layout.test.mjs', 'holds every change');
  choice.left = nodeTests.length - choice.node.size;
  for (const test of choice.node.keys()) for (const target of programsOf(test, known)) choice.targets.add(target);
  return choice;
}

// The programs and modules that tests/CMakeLists.txt makes under names of their own.
const madeIn = (files) => [...(files.get('tests/CMakeLists.txt') ?? '').matchAll(/add_(?:executable|library)\((\w+) (?!STATIC)/g)].map(([, name]) => name);

// What is built for a test of the service: the programs that it names (looked for once).
const programsOf = (test, { texts, files, programs }) => {
  if (!programs.has(test)) programs.set(test, ['tillroll', 'tillrolld', ...madeIn(files)].filter((name) => has(texts.get(test), name)));
  return programs.get(test);
};

// ---- The tree ----

const git = (...words) => execFileSync('git', ['-C', root, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\0').filter(Boolean);
const isRead = (file) => /\.(c|h|mjs)$/.test(file) || nameOf(file) === 'CMakeLists.txt' || /^[^.]+$/.test(nameOf(file)) && /^tests\/(?!fuzz|cases)/.test(file);

// Every file that is in git or could be, with the texts that choosing reads.
export function treeOf() {
  const all = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').filter((file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile());
  return new Map([...new Set(all)].map((file) => [file, isRead(file) ? readFileSync(path.join(root, file), 'utf8') : '']));
}

// What differs from where this branch left main, and what is not committed. On main itself: what is not committed.
function changedFiles() {
  const main = ['main', 'origin/main'].find((name) => spawnSync('git', ['-C', root, 'rev-parse', '-q', '--verify', name]).status === 0);
  const base = main === undefined ? 'HEAD' : execFileSync('git', ['-C', root, 'merge-base', main, 'HEAD'], { encoding: 'utf8' }).trim();
  const differing = git('diff', '-z', '--name-only', '--no-renames', base);
  return { base, changed: [...new Set([...differing, ...git('ls-files', '-z', '--others', '--exclude-standard')])].sort() };
}

// ---- Saying and running ----

export function tell(choice) {
  const lines = [];
  const list = (title, all) => {
    if (all.length === 0) return;
    lines.push(`${title}:`);
    for (const [name, why] of all) lines.push(`  ${name.padEnd(58)} ${why}`);
  };
  if (choice.all !== null) return `everything: ${choice.all}`;
  list('C tests', [...choice.ctest].sort());
  list('tests of the service', [...choice.node].sort().map(([file, { why, pattern }]) => [pattern === null ? file : `${file} (${pattern})`, why]));
  list('programs', [...choice.programs]);
  for (const file of choice.nothing) lines.push(`no test is for ${file}`);
  if (lines.length === 0) return 'nothing has changed';
  return [...lines, `not chosen: ${choice.left} other tests of the service, which ./tests/run runs`].join('\n');
}

function must(command, words, options = {}) {
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) {
    console.error(`tests/run: ${command} ${words.slice(0, 6).join(' ')}${words.length > 6 ? ' ...' : ''} failed with exit status ${status}`);
    process.exit(1);
  }
}

function run(choice) {
  if (choice.all !== null) return must('tests/run', ['release', 'node']);
  if (choice.ctest.size + choice.node.size === 0) return undefined;
  const build = path.join(root, 'build/release');
  const environment = { ...process.env, TILLROLL_BUILD: build };
  if (choice.targets.size > 0) {
    must('deploy/fresh_build', ['release']);
    must('cmake', ['--preset', 'release'], { stdio: ['inherit', 'ignore', 'inherit'] });
    must('cmake', ['--build', build, '--target', ...choice.targets, '--', '-j2']);
  }
  if (choice.ctest.size > 0) must('ctest', ['--test-dir', build, '--output-on-failure', '--no-tests=error', '-j2', '-R', `^(${[...choice.ctest.keys()].map(escaped).join('|')})$`]);
  for (const program of choice.programs.keys()) must('node', [program], { env: environment });
  if (choice.node.size === 0) return undefined;
  if (!existsSync(path.join(root, 'tests/node_modules'))) must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: path.join(root, 'tests') });
  const bin = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim();
  environment.PATH = `${bin ? `${bin}:` : ''}${process.env.PATH}`;
  // The patterns are of the files for which they are given only.
  const whole = [...choice.node].filter(([, { pattern }]) => pattern === null).map(([file]) => file);
  const parts = [...choice.node].filter(([, { pattern }]) => pattern !== null);
  const node = (words) => must('node', ['--test', `--import=${path.join(root, 'tests/node_18.mjs')}`, ...words], { env: environment });
  for (const [file, { pattern }] of parts) node([`--test-name-pattern=${pattern}`, file]);
  if (whole.length > 0) node(['--test-concurrency=2', ...whole]);
  return undefined;
}

function one(known, words) {
  const { files } = known;
  if (words.length === 0) throw new Error('usage: tests/run one FILE...');
  const named = words.map((word) => path.relative(root, path.resolve(word)).split(path.sep).join('/'));
  for (const [i, file] of named.entries()) {
    if (!files.has(file)) throw new Error(`there is no file ${words[i]}`);
    if (!isCTest(file) && !isNodeTest(file) && !isCase(file)) throw new Error(`${words[i]} is no test: those are test_*.c, *.test.mjs and *.case below tests/`);
  }
  const choice = choose(known, named);
  if (!named.includes('tests/layout.test.mjs')) choice.node.delete('tests/layout.test.mjs');
  return choice;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, ...rest] = process.argv.slice(2);
  const words = rest.filter((word) => word !== '--dry-run');
  const began = Date.now();
  try {
    let choice;
    if (what === 'one') {
      choice = one(survey(treeOf()), words);
    } else if (what === 'changed' && words.length === 0) {
      const { base, changed } = changedFiles();
      console.log(`${changed.length} files differ from ${base.slice(0, 12)}, where this branch left main`);
      choice = choose(survey(treeOf()), changed);
      console.log(tell(choice));
    } else {
      throw new Error('usage: node tests/choose.mjs changed|one FILE... [--dry-run]');
    }
    if (rest.includes('--dry-run')) {
      if (what === 'one') console.log(tell(choice));
    } else {
      run(choice);
      console.log(`tests/run: ${what === 'one' ? words.join(' ') : 'what can be affected'} passed in ${Math.round((Date.now() - began) / 1000)} s`);
    }
  } catch (error) {
    console.error(`tests/run: ${error.message}`);
    process.exitCode = 2;
  }
}
