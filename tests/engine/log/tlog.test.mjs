// The log's arithmetic against an implementation of RFC 6962 by others, and against its definition.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { checkInclusion, DefinedTree, isConsistent, leafHash, rootOf } from '../../api/support/tlog.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');

const all = 80;
const sampled = 300;
const large = [511, 512, 513, 4096, 65535, 65536, 65537, 70000, 131073];
const sizes = [...Array(sampled + 1).keys(), ...large];

const leaf = (index) => `leaf ${index}`;
const defined = new DefinedTree(Array.from({ length: Math.max(...sizes) }, (_, index) => leafHash(leaf(index))));
const roots = new Map();
const inclusions = [];
const consistencies = [];

before(() => {
  const lines = execFileSync(path.join(build, 'tests/write_tlog'), [all, sampled, ...large].map(String), { encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const line of lines.trimEnd().split('\n')) {
    const [kind, first, ...rest] = line.split(' ');
    if (kind === 'root') roots.set(Number(first), Buffer.from(rest[0], 'hex'));
    else (kind === 'in' ? inclusions : consistencies).push([Number(first), Number(rest[0]), rest.slice(1)]);
  }
});

describe('roots', () => {
  it('are those of the definition', () => {
    for (const size of sizes) assert.ok(roots.get(size).equals(defined.root(size)), `${size} leaves`);
  });
});

describe('inclusion', () => {
  it('is proved for every leaf of every small tree', () => {
    assert.equal(inclusions.filter(([, size]) => size <= all).length, (all * (all + 1)) / 2);
  });

  it('is accepted', () => {
    for (const [index, size, hashes] of inclusions) checkInclusion(leaf(index), index, size, hashes, roots.get(size));
  });

  it('is not accepted for another leaf or place, or with a hash changed, too many or missing', () => {
    for (const [index, size, hashes] of inclusions.filter(([index, size]) => size > 2 && (index * 7 + size) % 11 === 0)) {
      const refused = (...proof) => assert.throws(() => checkInclusion(...proof, roots.get(size)), `${index} of ${size}`);
      refused(leaf(index + 1), index, size, hashes);
      refused(leaf(index), index === 0 ? 1 : index - 1, size, hashes);
      refused(leaf(index), index, size, hashes.slice(1));
      refused(leaf(index), index, size, [...hashes, hashes[0]]);
      refused(leaf(index), index, size, hashes.with?.(0, '0'.repeat(64)) ?? ['0'.repeat(64), ...hashes.slice(1)]);
    }
  });
});

describe('consistency', () => {
  it('is proved between all small trees', () => {
    assert.equal(consistencies.filter(([, size]) => size <= all).length, ((all + 1) * (all + 2)) / 2);
  });

  it('is accepted', () => {
    for (const [from, to, hashes] of consistencies) {
      assert.ok(isConsistent(from, defined.root(from), to, roots.get(to), hashes), `${from} to ${to}`);
    }
  });

  it('is not accepted between trees that differ', () => {
    const other = (from) => rootOf(Array.from({ length: from }, (_, index) => leafHash(index === from - 1 ? 'another' : leaf(index))));
    for (const [from, to, hashes] of consistencies.filter(([from, to]) => from > 0 && from < to && to <= 40)) {
      assert.ok(!isConsistent(from, other(from), to, roots.get(to), hashes), `${from} to ${to}`);
      assert.ok(!isConsistent(from, roots.get(from), to, other(to), hashes), `${from} to ${to}`);
      assert.ok(!isConsistent(from, roots.get(from), to, roots.get(to), hashes.slice(1)), `${from} to ${to}`);
    }
  });
});
