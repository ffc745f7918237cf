// Tells tests/run which test files are running, which have ended and which of these have failed: a line each, at the end of the file that
// TILLROLL_PROGRESS names. Imported into every process of `node --test`; the reporters of node 18 and 20 report a file only after all
// earlier ones have ended. Of files that run together (together.mjs) it tells if one has failed, and they tell the rest.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

const { TILLROLL_PROGRESS: file, NODE_TEST_CONTEXT: context } = process.env;
const folder = path.dirname(new URL(import.meta.url).pathname);

// `test`: the path of its file.
export function tell(word, test) {
  if (file && context && isMainThread) appendFileSync(file, `${word} ${path.relative(folder, test).replace('.test.mjs', '')}\n`);
}

const test = process.argv[1] ?? '';
if (test.endsWith('.test.mjs')) {
  const isAlone = path.basename(path.dirname(test)) !== 'together';
  if (isAlone) tell('begin', test);
  process.on('exit', (status) => {
    if (isAlone) tell('end', test);
    if (status !== 0) tell('fail', test);
  });
}
