// Reported results: until the service takes them, it refuses events that would need them.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { makePlayers } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
let organizer;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer] = await makePlayers(client, 1);
});
after(() => bed.end());

const swiss = { name: 'Evening', ruleset: 'shinjuku', format: 'pod_swiss', rounds: 3 };
const make = (more) => client.post('/v1/events', { ...swiss, ...more }, organizer.token);

it('refuses events that are played at the table, new and changed', async () => {
  for (const [more, field] of [[{ play: 'table' }, 'play'], [{ confirm_minutes: 5 }, 'confirm_minutes']]) {
    const refused = await make(more);
    assert.deepEqual([refused.status, refused.json.code], [400, 'bad-field']);
    assert.match(refused.json.detail, new RegExp(`\`?${field}`));
    const made = await make({});
    assert.equal(made.status, 201);
    const changed = await client.request('PATCH', `/v1/events/${made.json.id}`, { json: more, token: organizer.token });
    assert.deepEqual([changed.status, changed.json.code], [400, 'bad-field']);
  }
});
