// Scripts of pages and of tests: every name is declared or a global, and what is declared is used. Browsers load pages' scripts as they are,
// and a name that is missing shows only when its line is reached.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parse } from 'acorn';
import { analyze } from 'eslint-scope';

const root = fileURLToPath(new URL('..', import.meta.url));
const ofBrowsers = `addEventListener AudioContext caches clearInterval CSS CSSStyleSheet DataTransfer document DOMParser DragEvent File getComputedStyle getSelection
  history Image indexedDB innerHeight innerWidth isSecureContext localStorage location MouseEvent MutationObserver navigator Node NodeFilter Notification Option postMessage
  print PushManager self sessionStorage window Worker`.split(/\s+/);
const globals = new Set([...Object.getOwnPropertyNames(globalThis), ...ofBrowsers]);

// `{ a, ...rest }` names `a` to leave it out.
const isLeftOut = ({ type, node, name }) => type === 'Variable' && node.id.type === 'ObjectPattern' && node.id.properties.at(-1)?.type === 'RestElement' &&
  node.id.properties.some(({ value }) => value === name);

function isUnused(variable, scope, exported) {
  const [definition] = variable.defs;
  if (definition === undefined || exported.has(variable) || variable.name.startsWith('_') || isLeftOut(definition)) return false;
  if (['Parameter', 'CatchClause'].includes(definition.type) || scope.type === 'class' || scope.type === 'function-expression-name') return false;
  return !variable.references.some((reference) => reference.isRead());
}

// Faults of a script, as `line: what`.
export function faultsOf(text) {
  const tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module', ranges: true, locations: true });
  const scopes = analyze(tree, { ecmaVersion: 2024, sourceType: 'module' });
  const exported = new Set(tree.body.filter(({ type, declaration }) => /^Export/.test(type) && declaration).flatMap(({ declaration }) => scopes.getDeclaredVariables(declaration)));
  const undeclared = scopes.globalScope.through.filter(({ identifier }) => !globals.has(identifier.name)).map(({ identifier }) => `${identifier.loc.start.line}: ${identifier.name} is not declared`);
  const unused = scopes.scopes.flatMap((scope) => scope.variables.filter((each) => isUnused(each, scope, exported))
    .map(({ name, defs: [{ name: { loc } }] }) => `${loc.start.line}: ${name} is not used`));
  return [...undeclared, ...unused];
}

describe('the names in scripts', () => {
  it('are declared and used', () => {
    const files = execFileSync('git', ['ls-files', '--', '*.js', '*.mjs', ':!tests/skeleton', ':!tests/browsers/window.js'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    assert.ok(files.length > 300);
    assert.deepEqual(files.flatMap((file) => faultsOf(readFileSync(path.join(root, file), 'utf8')).map((fault) => `${file}:${fault}`)), []);
  });

  it('are found to be neither', () => {
    assert.deepEqual(faultsOf('import { a } from "b";\nconst { c, ...d } = {};\nexport function e(f) { const g = 1; h(d); }\nclass I {}'),
      ['3: h is not declared', '1: a is not used', '4: I is not used', '3: g is not used']);
  });
});
