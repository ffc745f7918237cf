#!/usr/bin/env node
// The plan of the house, and whether the code keeps to it:
//   - a folder has at most 25 files of code;
//   - a C file includes headers of its own folder and of lower floors only, so no cycle among folders can arise;
//   - every folder with C code stands on a floor;
//   - the engine is pure: no clock, file, socket, environment, thread, chance of the machine or floating point. Games and replay
//     allocate no memory;
//   - no circle among files: what a file needs does not need the file (circles.mjs);
//   - SQL is in db/ only;
//   - a comment names its subject: none begins with a pronoun, as in "Of those who wait.";
//   - every function that a header offers is used by the product, not by tests alone, and not by its own file alone.
//
//     node tests/layout.mjs            check; says each fault and ends with 1 if there is any
//     node tests/layout.mjs --plan     draw the floors from the top down, as Markdown
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { circleFaults } from './circles.mjs';

const FILES_MOST = 25;

// From the ground up; folders of one floor do not include each other.
export const floors = [
  ['engine/base', 'api/docs', 'api/openapi'],
  ['engine/game', 'engine/tournament/number', 'engine/tournament/result', 'db/link'],
  ['engine/games/mall-world', 'engine/games/shinjuku', 'engine/games/super-motherload', 'engine/games/supermarche', 'engine/games/superstore-3000',
    'engine/record', 'engine/search', 'engine/tournament/standings', 'engine/tournament/formats/dutch', 'engine/tournament/formats/knockout',
    'engine/tournament/formats/ladder', 'engine/tournament/formats/open_play', 'engine/tournament/formats/pods',
    'engine/tournament/formats/round_robin', 'db/lines', 'db/store/service', 'api/base'],
  ['engine/analysis', 'engine/log', 'engine/tournament/formats/duplicate', 'db/store/games', 'api/http', 'api/cli'],
  ['engine/tournament/event', 'engine/wasm', 'db/store/events', 'db/store/log', 'db/store/people', 'db/writer', 'api/cli/bots', 'api/cli/load'],
  ['engine/tournament/pairing', 'engine/wasm/analysis', 'engine/wasm/practice', 'engine/wasm/scorer', 'api/state'],
  ['engine/tournament/interchange', 'engine/tournament/odds', 'api/request'],
  ['engine/wasm/event', 'api/event', 'api/ratings', 'api/work', 'api/cli/demo', 'api/cli/prove'],
  ['api/mail'],
  ['api/pages', 'api/people', 'api/tables'],
  ['api/casual', 'api/event_pages', 'api/notices', 'api/play', 'api/seasons'],
  ['api/channels', 'api/deadlines', 'api/push'],
  ['api/events', 'api/watch'],
  ['api/disputes', 'api/cli/database', 'api/cli/house', 'api/cli/witness'],
  ['api/cli/monitor', 'api/records'],
  ['api'],
];

// The rules know of no database, and what talks to the database knows of no HTTP.
const reach = { engine: ['engine'], db: ['db', 'engine'], api: ['api', 'db', 'engine'] };
const roomOf = (file) => file.split('/')[0];

// What the engine may not name, and what games and replay may not call besides. Memory for the JSON of views is jansson's own.
const outside = [
  ['floating point', /\b(?:float|double)\b/],
  ['a clock', /\b(?:clock_gettime|gettimeofday|(?:time|clock|localtime_r|gmtime_r|strftime|nanosleep|sleep)(?=\())\b/],
  ['files or sockets', /\b(?:FILE|stdin|stdout|stderr|(?:fopen|open|socket|recv|send|printf|puts)(?=\())\b/],
  ['the environment', /\b(?:secure_)?getenv\b/],
  ['threads', /\b(?:pthread_\w+|thrd_\w+|_Atomic|_Thread_local)\b/],
  ['chance of the machine', /\b(?:rand|random|getrandom|arc4random\w*)(?=\()|\brandombytes_\w+/],
];
const allocation = /\b(?:malloc|calloc|realloc|reallocarray|strdup|strndup|aligned_alloc|alloca|arena_\w+)(?=\()/;
const isQuick = (file) => /^engine\/(?:games\/[^/]+\/|record\/replay)/.test(file);
// The catalog reads its component sets once, whoever asks first; jansson's tables are seeded against crafted names; who has no memory left
// says so and ends; what db/ and api/ count with is with the rest of their foundation.
const excused = new Set(['engine/game/catalog.c: threads', 'engine/base/json.c: chance of the machine', 'engine/base/arena.c: files or sockets',
  'engine/base/counter.h: threads']);
const sql = /"[^"\n]*\b(?:SELECT .*\bFROM|INSERT INTO|UPDATE \w[\w.]* SET|DELETE FROM|(?:CREATE|ALTER|DROP) TABLE)\b/;

// What a C file of the product uses that has no place in its room, as sentences.
export function foreign(file, text) {
  const room = roomOf(file);
  const found = room === 'db' || !(sql.test(text.replaceAll(/\/\*.*?\*\//gs, '')) || /^\s*#\s*include <libpq/m.test(text)) ? [] : [`${file}: SQL, which is in db/ only`];
  if (room !== 'engine' || file.startsWith('engine/wasm/')) return found;
  const code = text.replaceAll(/\/\*.*?\*\/|"(?:\\.|[^"\\\n])*"/gs, '');
  for (const [what, pattern] of outside)
    if (pattern.test(code) && !excused.has(`${file}: ${what}`)) found.push(`${file}: uses ${what}, and the engine is pure: ${pattern.exec(code)[0]}`);
  if (isQuick(file) && allocation.test(code)) found.push(`${file}: allocates, which games and replay do not: ${allocation.exec(code)[0]}()`);
  return found;
}

const riddle = /^\s*(?:\/\*\*?|\/\/) ((?:Of|Those|Who|Whose|Whoever|Whatever)\b.*)/gm;
export const riddles = (file, text) => [...text.matchAll(riddle)].map(([, comment]) => `${file}: a comment that does not name its subject: ${comment}`);

// Headers that stand in the place of libraries where the verifier for browsers is built.
const standIns = 'engine/wasm/include';

// Used by tests and benchmarks alone, or by programs that have the engine as a library.
const offered = new Set(['access_name', 'level_playouts', 'office_name', 'pod_criteria_compare', 'policy_advise', 'replay_add_fallback', 'replay_line',
  'server_stop', 'tie_break_describe', 'told_pop', 'trf_record_text']);

const folderOf = (file) => path.posix.dirname(file);
const isCode = (file) => /\.(c|h|js|mjs)$/.test(file);
const isProduct = (file) => /^(engine|db|api)\/.*\.[ch]$/.test(file) && !file.startsWith(`${standIns}/`);

const inlined = /^static inline [^;{(]*?\b(\w+)\(/gm;
const declaration = /^(?!static|typedef|#|\s)[a-zA-Z][\w *]*?\b(\w+)\([^;{]*\);/gm;

// Functions of headers whose names stand nowhere but in their declaration and definition, and those that only the file with their
// definition names: it should be static. Pages call those of engine/wasm.
function unused(files) {
  const headers = new Map();
  const inHeaders = new Map(); // written out there
  const count = new Map();
  const named = new Map(); // by how many files with code, tests too
  for (const [file, text] of files) {
    if (!/\.[ch]$/.test(file)) continue;
    const code = text.replaceAll(/\/\*.*?\*\/|"(?:\\.|[^"\\\n])*"/gs, '');
    for (const word of new Set(code.replaceAll(file.endsWith('.h') ? declaration : /$^/g, '').match(/\w+/g))) named.set(word, (named.get(word) ?? 0) + 1);
    if (!isProduct(file)) continue;
    if (file.endsWith('.h') && !file.startsWith('engine/wasm/')) for (const [, name] of code.matchAll(declaration)) headers.set(name, file);
    if (file.endsWith('.h')) for (const [, name] of code.matchAll(inlined)) inHeaders.set(name, file);
    for (const [word] of code.replaceAll(file.endsWith('.h') ? declaration : /$^/g, '').matchAll(/\w+/g)) count.set(word, (count.get(word) ?? 0) + 1);
  }
  const found = [...headers].flatMap(([name, file]) => {
    if (!offered.has(name) && !(count.get(name) >= 2)) return [`${file}: nothing but tests uses ${name}()`];
    return named.get(name) === 1 ? [`${file}: nothing but its own file uses ${name}()`] : [];
  });
  return [...found, ...[...inHeaders].filter(([name]) => !(count.get(name) >= 2)).map(([name, file]) => `${file}: nothing uses ${name}()`)];
}

// All faults, as sentences. `files` maps a path to its text; only texts of code are read.
export function faults(files) {
  const found = [];
  const counts = new Map();
  const level = new Map(floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor])));
  for (const [file, text] of files) {
    if (isCode(file)) found.push(...riddles(file, text));
    if (isCode(file)) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
    if (!isProduct(file)) continue;
    found.push(...foreign(file, text));
    const own = folderOf(file);
    if (!level.has(own)) {
      found.push(`${file}: its folder stands on no floor (tests/layout.mjs)`);
      continue;
    }
    for (const [, header] of text.matchAll(/^\s*#\s*include "([^"]+)"/gm)) {
      if (header === 'source_dir.h') continue; // generated: CMakeLists.txt
      const theirs = folderOf(header);
      if (!files.has(header)) found.push(`${file}: includes "${header}", which is no path from the top of the repository`);
      else if (!reach[roomOf(file)].includes(roomOf(header))) found.push(`${file}: includes "${header}", but ${roomOf(file)}/ knows nothing of ${roomOf(header)}/`);
      else if (theirs !== own && !(level.get(theirs) < level.get(own))) found.push(`${file}: includes "${header}", which is not on a lower floor`);
    }
  }
  for (const [folder, count] of counts) if (count > FILES_MOST) found.push(`${folder}: ${count} files of code, more than ${FILES_MOST}`);
  return [...found, ...unused(files), ...circleFaults(files)];
}

const leftOut = new Set(['build', 'node_modules', 'var', '.git']);
const inside = (root, folder) => readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
  const name = path.posix.join(folder, entry.name);
  if (entry.isDirectory()) return leftOut.has(entry.name) ? [] : inside(root, name);
  return isCode(name) ? [name] : [];
});

// Every file of code below a folder, by its path, with its text.
export const filesOf = (root) => new Map(inside(root, '').map((name) => [name, readFileSync(path.join(root, name), 'utf8')]));

function draw(files) {
  const rows = floors.map((folders, floor) => ({ floor, folders })).toReversed();
  const line = (folder) => {
    const own = [...files].filter(([file]) => folderOf(file) === folder && isProduct(file));
    return `\`${folder}\` (${own.length} files, ${own.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0)} lines)`;
  };
  return ['| floor | folders |', '|---|---|', ...rows.map(({ floor, folders }) => `| ${floor} | ${folders.map(line).join('; ')} |`)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = filesOf(fileURLToPath(new URL('..', import.meta.url)));
  if (process.argv[2] === '--plan') {
    console.log(draw(files));
  } else {
    const found = faults(files);
    for (const each of found) console.log(each);
    console.log(`layout: ${files.size} files, ${floors.flat().length} folders on ${floors.length} floors, ${found.length} faults`);
    process.exitCode = found.length === 0 ? 0 : 1;
  }
}
