// Some of the leaks that tests/mutants/views.mjs plants, in the long run; each day imagine.test.mjs plants a few. All of them: node tests/mutants/views.mjs
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { notLong } from '../long.mjs';
import { tryMutants } from './views.mjs';

it('the twins find leaks that are planted', { skip: notLong }, () => {
  const { tried, caught, survived } = tryMutants(23);
  assert.ok(tried >= 5, String(tried));
  assert.ok(caught / tried >= 0.95, JSON.stringify(survived));
});
