// What tests use and Debian's node 18 does not have yet.
import { webcrypto } from 'node:crypto';

const later = {
  toSorted(compare) { return [...this].sort(compare); },
  toSpliced(...change) { const copy = [...this]; copy.splice(...change); return copy; },
  with(index, value) { const copy = [...this]; copy[index < 0 ? copy.length + index : index] = value; return copy; },
};
for (const [name, value] of Object.entries(later))
  if (!Object.hasOwn(Array.prototype, name)) Object.defineProperty(Array.prototype, name, { value, writable: true, configurable: true });

globalThis.crypto ??= webcrypto;
