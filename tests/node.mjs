#!/usr/bin/env node
// Runs files of tests, and reports as `node --test` does, which would take them by name:
//
//     node tests/node.mjs HOW-MANY-AT-ONCE FILE...
//
// Files that wait for most of their time (for house players that think, for retries, for what hangs) begin first, each beside one that
// does not: the processors always have work, and no long file is left for the end. What takes long by itself comes next, then files that have a
// service, together (together.mjs), then all others. What hangs is ended after a quarter of an hour.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';

const here = path.resolve(new URL('.', import.meta.url).pathname);
const named = (names) => names.map((name) => path.join(here, `${name}.test.mjs`));
const waiting = named(['api/cli/house', 'api/cli/house_events', 'api/cli/evidence', 'api/channels/notices', 'api/deadlines/dealers', 'api/records/tlog_faults', 'api/channels/webhooks',
  'api/mail/email', 'api/cli/dealer', 'api/http/server', 'api/channels/targets', 'api/request/faults', 'api/work/jobs', 'api/casual/casual', 'api/cli/witness', 'api/deadlines/entropy']);
const long = named(['api/request/readme', 'faults/faults', 'mutants/imagine', 'deploy/backup', 'new', 'deploy/checkout']);
const most = 9; // together

const [atOnce, ...names] = process.argv.slice(2);
const files = names.map((name) => path.resolve(name));
if (!(Number(atOnce) > 0)) throw new Error('node.mjs: how many at once?');

const hasService = (file) => /new (Notice|Test)bed\(\)|from '[./\w]+\/(served|read|world|boards)\.mjs'/i.test(readFileSync(file, 'utf8'));
const isShared = (file) => !waiting.includes(file) && !long.includes(file) && hasService(file);

// A file that runs these.
function putTogether(name, some) {
  if (some.length === 1) return some[0];
  const file = path.join(here, `../build/together/${name}.test.mjs`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `import { together } from '${path.join(here, 'together.mjs')}';\ntogether(${JSON.stringify(some)});\n`);
  return file;
}

// Groups the files below one folder of the tests by equal amounts of text, an estimate of their time; pages first, which take longest.
function groupsOf(all) {
  const folders = new Map();
  for (const file of all) {
    const [folder] = path.relative(here, file).split('/');
    folders.set(folder, [...folders.get(folder) ?? [], { file, size: statSync(file).size }]);
  }
  return [...folders].reverse().flatMap(([folder, inIt]) => {
    const groups = Array.from({ length: Math.ceil(inIt.length / most) }, () => ({ size: 0, some: [] }));
    for (const { file, size } of inIt.sort((a, b) => b.size - a.size)) {
      const group = groups.reduce((least, each) => (each.size < least.size ? each : least));
      group.size += size;
      group.some.push(file);
    }
    return groups.map(({ some }, i) => putTogether(`${folder}_${i + 1}`, some.sort()));
  });
}

const [first, next] = [waiting, long].map((list) => list.filter((file) => files.includes(file)));
const others = [...next, ...groupsOf(files.filter(isShared)), ...files.filter((file) => !isShared(file) && !first.includes(file) && !next.includes(file))];
const order = [...others.slice(0, first.length).flatMap((file, i) => [first[i], file]), ...first.slice(others.length), ...others.slice(first.length)];
run({ files: order, concurrency: Number(atOnce), timeout: 900_000 })
  .on('test:fail', ({ todo }) => { if (todo === undefined) process.exitCode = 1; })
  .compose(tap).pipe(process.stdout);
