// Runs tests of pages in Firefox, one file after the other (tests/browsers/run). Tests that ask for what Firefox cannot be driven to do
// (web/support/browser.mjs) are left out, and counted by what that is.
//
//     node tests/browsers/firefox.mjs FILE...
import path from 'node:path';
import { run } from 'node:test';

process.env.TILLROLL_BROWSER = 'firefox';
const files = process.argv.slice(2).map((file) => path.resolve(file));
const leftOut = new Map(); // ability -> tests
let passed = 0;
let failed = 0;

for await (const { type, data } of run({ files, concurrency: 1 })) {
  if (type === 'test:pass' && !data.skip && data.details.type !== 'suite') passed++;
  if (type !== 'test:fail' || data.details.error.failureType === 'subtestsFailed') continue;
  const { error } = data.details;
  const words = String(error.cause?.stack ?? error.cause ?? error.message);
  const [, ability] = /(?:Firefox cannot be driven so|browserContext\.newCDPSession): (.*)/.exec(words) ?? [];
  if (ability) leftOut.set(ability, (leftOut.get(ability) ?? 0) + 1);
  else {
    failed++;
    console.log(`FAILED ${path.relative('.', data.file ?? '')}: ${data.name}\n${words}\n`);
  }
}
for (const [ability, count] of leftOut) console.log(`left out: ${count} that need ${ability}`);
console.log(`Firefox: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
