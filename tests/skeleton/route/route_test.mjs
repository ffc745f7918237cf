// ROUTE
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { MAKERS } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
let target;
let named;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
SETUP
  target = TARGET;
});
after(() => bed?.end());

describe('ROUTE', () => {
  // Each answer is held against openapi.json as well.
  it('tells what its path names', async () => {
    assert.deepEqual(good(await client.get(target)), { title: 'TITLE', ...named });
  });

  it('takes no other method', async () => {
    const { status, json } = await client.delete(target);
    assert.deepEqual([status, json.code], [405, 'method-not-allowed']);
  });
REFUSAL});
