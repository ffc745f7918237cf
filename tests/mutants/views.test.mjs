// A few of the leaks that tests/mutants/views.mjs plants. All of them: node tests/mutants/views.mjs
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { isLong } from '../long.mjs';
import { tryMutants } from './views.mjs';

it('the twins find leaks that are planted', () => {
  const { tried, caught, survived } = tryMutants(isLong ? 23 : 131);
  assert.ok(tried >= (isLong ? 10 : 3), String(tried));
  assert.ok(caught / tried >= 0.95, JSON.stringify(survived));
});
