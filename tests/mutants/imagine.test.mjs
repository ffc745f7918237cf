// A few of the leaks that tests/mutants/imagine.mjs plants. All of them: node tests/mutants/imagine.mjs
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { tryMutants } from './imagine.mjs';

it('leaks in imagined positions are found', () => {
  const { tried, caught, survived } = tryMutants(11);
  assert.ok(tried >= 12, String(tried));
  assert.equal(caught, tried, JSON.stringify(survived));
});
