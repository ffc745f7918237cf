// A few of the leaks that tests/mutants/views.mjs plants. All of them: node tests/mutants/views.mjs
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { tryMutants } from './views.mjs';

it('the twins find leaks that are planted', () => {
  const { tried, caught, survived } = tryMutants(23);
  assert.ok(tried >= 15, String(tried));
  assert.ok(caught / tried >= 0.95, JSON.stringify(survived));
});
