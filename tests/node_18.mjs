// What tests use and Debian's node 18 does not have yet.
import { webcrypto } from 'node:crypto';
import { register } from 'node:module';

const later = {
  toReversed() { return [...this].reverse(); },
  toSorted(compare) { return [...this].sort(compare); },
  toSpliced(...change) { const copy = [...this]; copy.splice(...change); return copy; },
  with(index, value) { const copy = [...this]; copy[index < 0 ? copy.length + index : index] = value; return copy; },
};
for (const [name, value] of Object.entries(later))
  if (!Object.hasOwn(Array.prototype, name)) Object.defineProperty(Array.prototype, name, { value, writable: true, configurable: true });

globalThis.crypto ??= webcrypto;

// It takes a .js file for a module only where a package.json says so; the pages' scripts have none.
const hook = `export const load = (url, context, next) => next(url, url.includes('/web-static/') ? { ...context, format: 'module' } : context);`;
if (Number(process.versions.node.split('.')[0]) < 20) register(`data:text/javascript,${encodeURIComponent(hook)}`);
