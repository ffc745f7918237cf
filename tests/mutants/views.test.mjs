// Some of the leaks that tests/mutants/views.mjs plants, in the long run; each day imagine.test.mjs plants a few. All of them: node tests/mutants/views.mjs
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { notLong } from '../long.mjs';
import { plantAll, tryMutants } from './views.mjs';

it('leaks are planted in every view and story, but where a line is known to be harmless', () => {
  const sources = Object.entries(plantAll()).filter(([file]) => file !== 'mutant.c');
  assert.equal(sources.length, 11);
  for (const [file, source] of sources) assert.match(source, /view_mutant == \d+/, file);
});

it('the twins find leaks that are planted', { skip: notLong }, () => {
  const { tried, caught, survived } = tryMutants(23);
  assert.ok(tried >= 5, String(tried));
  assert.ok(caught / tried >= 0.95, JSON.stringify(survived));
});
