#!/usr/bin/env node
// Runs files of tests, and reports as `node --test` does, which would take them by name:
//
//     node tests/node.mjs HOW-MANY-AT-ONCE FILE...
//
// Files that wait for most of their time (for house players that think, for retries, for what hangs) begin first, each beside one that
// does not: the processors always have work, and no long file is left for the end. A file that hangs is ended after ten minutes.
import path from 'node:path';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';

const waiting = ['cli/house', 'cli/house_events', 'cli/evidence', 'channels/notices', 'deadlines/dealers', 'records/tlog_faults', 'channels/webhooks', 'mail/email',
  'cli/dealer', 'http/server', 'channels/targets', 'request/faults', 'work/jobs', 'casual/casual', 'cli/witness', 'deadlines/entropy'].map((name) => path.resolve(new URL('.', import.meta.url).pathname, `api/${name}.test.mjs`));

const [atOnce, ...names] = process.argv.slice(2);
const files = names.map((name) => path.resolve(name));
if (!(Number(atOnce) > 0)) throw new Error('node.mjs: how many at once?');

const first = waiting.filter((file) => files.includes(file));
const others = files.filter((file) => !first.includes(file));
const order = [...others.slice(0, first.length).flatMap((file, i) => [first[i], file]), ...first.slice(others.length), ...others.slice(first.length)];
run({ files: order, concurrency: Number(atOnce), timeout: 600_000 })
  .on('test:fail', ({ todo }) => { if (todo === undefined) process.exitCode = 1; })
  .compose(tap).pipe(process.stdout);
