// The requests that openapi.json walks through (x-walkthrough), which /docs shows: sent in their order, and answered as it says.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { document } from '../support/contract.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
const known = { n: '1' }; // variables, by name

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
});
after(() => bed.end());

const at = (value, where) => where.split('.').reduce((found, name) => found?.[name], value);

// A text with the values of its variables; one that is nothing but a variable is its value.
function filled(value) {
  if (Array.isArray(value)) return value.map(filled);
  if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each)]));
  if (typeof value !== 'string') return value;
  const whole = /^\$([a-z]+)$/.exec(value)?.[1];
  if (whole !== undefined) return known[whole];
  return value.replaceAll(/\$([a-z]+)/g, (_, name) => known[name]);
}

describe('the walkthrough', () => {
  for (const [number, step] of document['x-walkthrough'].entries())
    it(`${number + 1}: ${step.request}`, async () => {
      const [method, path] = step.request.split(' ');
      const token = step.as === undefined ? undefined : known[step.as];
      assert.ok(step.as === undefined || token);
      const answer = await client.request(method, filled(path), { token, json: filled(step.body) });
      assert.equal(answer.status, step.status, answer.text);
      for (const [name, where] of Object.entries(step.keep ?? {})) {
        known[name] = at(answer.json, where);
        assert.notEqual(known[name], undefined, `${where} of ${answer.text}`);
      }
      for (const [where, value] of Object.entries(step.expect ?? {})) assert.deepEqual(at(answer.json, where), filled(value), where);
    });

  it('shows most of what an evening needs', () => {
    const steps = document['x-walkthrough'];
    assert.ok(steps.length > 15);
    assert.deepEqual(new Set(steps.flatMap((step) => Object.keys(step))), new Set(['say', 'request', 'body', 'status', 'keep', 'as', 'expect']));
  });
});
