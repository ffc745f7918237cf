// Tells tests/run which test files are running, which have ended and which of these have failed: a line each, at the end of the file that
// TILLROLL_PROGRESS names. Imported into every process of `node --test`; the reporters of node 18 and 20 report a file only after all
// earlier ones have ended.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

const { TILLROLL_PROGRESS: file, NODE_TEST_CONTEXT: context } = process.env;
const test = process.argv[1] ?? '';
if (file && context && isMainThread && test.endsWith('.test.mjs')) {
  const folder = path.dirname(new URL(import.meta.url).pathname);
  const tell = (word) => appendFileSync(file, `${word} ${path.relative(folder, test).replace('.test.mjs', '')}\n`);
  tell('begin');
  process.on('exit', (status) => {
    tell('end');
    if (status !== 0) tell('fail');
  });
}
