// What V8 has made of large files: Playwright is six megabytes of JavaScript, and compiling them took half a second in every test file. The
// first process that uses them keeps the result in the build, with the functions that it has called; V8 itself refuses what another node
// has made.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

import { build } from '../../api/support/build.mjs';

const LARGE = 200_000; // characters

const require = createRequire(import.meta.url);

// As `require`, of a package with large files.
export function requireLarge(name) {
  const { version } = require(`${name}/package.json`);
  const usual = Module.prototype._compile;
  v8.setFlagsFromString('--no-flush-bytecode'); // or functions that have not been called for long are left out
  Module.prototype._compile = function compile(text, filename, ...more) {
    if (text.length < LARGE || !filename.includes(`/${name}/`)) return usual.call(this, text, filename, ...more);
    const kept = path.join(build, `compiled-${name}-${version}-${process.version}-${path.basename(filename)}`);
    const script = new vm.Script(Module.wrap(text), { filename, cachedData: existsSync(kept) ? readFileSync(kept) : undefined });
    if (script.cachedDataRejected !== false) process.on('exit', () => keep(script, kept));
    return script.runInThisContext().call(this.exports, this.exports, createRequire(filename), this, filename, path.dirname(filename));
  };
  try {
    return require(name);
  } finally {
    Module.prototype._compile = usual;
  }
}

function keep(script, file) {
  writeFileSync(`${file}.${process.pid}`, script.createCachedData());
  renameSync(`${file}.${process.pid}`, file);
}
