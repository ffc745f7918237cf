// A few of the leaks that tests/mutants/imagine.mjs plants. All of them: node tests/mutants/imagine.mjs
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { isLong } from '../long.mjs';
import { tryMutants } from './imagine.mjs';

it('leaks in imagined positions are found', () => {
  const { tried, caught, survived } = tryMutants(isLong ? 11 : 67);
  assert.ok(tried >= (isLong ? 8 : 2), String(tried));
  assert.equal(caught, tried, JSON.stringify(survived));
});
