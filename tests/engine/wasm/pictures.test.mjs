// The pictures in the rules are positions of the engine, and each that a text names is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';

import { picturesOf } from '../../pictures.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
const slugs = ['mall-world', 'shinjuku', 'super-motherload', 'supermarche', 'superstore-3000'];
const read = (file) => readFileSync(path.join(root, 'web-static', file), 'utf8');

describe('pictures of the rules', () => {
  let made;
  before(async () => {
    made = await picturesOf(build);
  });

  it('are there for each game', () => assert.deepEqual([...made.keys()].sort(), slugs));

  for (const slug of slugs) it(`of ${slug} are what the engine plays (node tests/pictures.mjs writes them)`, () => assert.equal(read(`rules/${slug}.json`), made.get(slug)));

  for (const slug of slugs) for (const ending of ['', '.de']) it(`of ${slug} are those that its text${ending} names`, () => {
    const named = [...read(`docs/games/${slug}${ending}.md`).matchAll(/^```picture (\S+)$/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), Object.keys(JSON.parse(read(`rules/${slug}.json`)).pictures).sort());
  });
});
