// Component sets that organizers register: kept by their hashes, listed, and refused with the place where they are wrong.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { good } from '../support/client.mjs';
import { makePlayer } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const builtIn = (slug) => readFileSync(path.join(root, 'engine/games', slug, 'components.json'), 'utf8');
const hashOf = (text) => createHash('sha256').update(text).digest('hex');

// Another set of Supermarché for every number.
const setOf = (money, name) => builtIn('supermarche').replace('"start_money": 15', `"start_money": ${money}`)
  .replace('"slug":', name === undefined ? '"slug":' : `"name": ${JSON.stringify(name)}, "slug":`);

let bed;
let client;
let organizer;
let other;
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, other] = [await makePlayer(client, 'Organizer'), await makePlayer(client, 'Other')];
});
after(() => bed.end());

const register = (slug, body, player, headers = {}) =>
  client.request('POST', `/v1/rulesets/${slug}/components`, { body, token: player?.token, headers: { 'Content-Type': 'application/json', ...headers } });
const list = async (query = '', slug = 'supermarche') => good(await client.get(`/v1/rulesets/${slug}/component-sets${query}`));
const code = ({ status, json }) => `${status} ${json?.code ?? ''}`.trim();

describe('component sets', () => {
  it('begin with those that come with the program', async () => {
    for (const slug of ['mall-world', 'shinjuku', 'super-motherload', 'supermarche', 'superstore-3000']) {
      const hash = hashOf(builtIn(slug));
      assert.deepEqual(await list('', slug), {
        items: [{ components: hash, ruleset: slug, name: null, built_in: true, registered_at: null, registered_by: null }], next: null });
      const got = await client.get(`/v1/components/${hash}`);
      assert.equal(got.text, builtIn(slug));
      assert.equal(got.text, (await client.get(`/v1/rulesets/${slug}/components`)).text);
      // Registering it is nothing new.
      assert.deepEqual([await register(slug, builtIn(slug), organizer)].map(({ status, json }) => [status, json]), [
        [200, { components: hash, ruleset: slug, name: null, built_in: true }]]);
    }
  });

  it('are kept by their bytes, once, for everybody', async () => {
    const set = setOf(20, 'Printed, 2nd edition');
    const document = { components: hashOf(set), ruleset: 'supermarche', name: 'Printed, 2nd edition', built_in: false };
    assert.equal((await client.get(`/v1/components/${document.components}`)).status, 404);
    const made = await register('supermarche', set, organizer);
    assert.deepEqual([made.status, made.json], [201, document]);
    for (const player of [organizer, other]) {
      const again = await register('supermarche', set, player);
      assert.deepEqual([again.status, again.json], [200, document]);
    }
    const got = await client.get(`/v1/components/${document.components}`);
    assert.equal(got.text, set);
    assert.match(got.headers['content-type'], /^application\/json/);
    assert.equal(got.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await client.get(`/v1/components/${document.components}`, { headers: { 'If-None-Match': got.headers.etag } })).status, 304);
    await sleep(5); // the list's order is that of milliseconds
    // A space more is another set.
    const spaced = await register('supermarche', `${set} `, other);
    assert.deepEqual([spaced.status, spaced.json.components], [201, hashOf(`${set} `)]);

    const { items, next } = await list();
    assert.equal(next, null);
    assert.deepEqual(items.map(({ components, built_in, registered_by }) => [components, built_in, registered_by?.id ?? null]), [
      [hashOf(builtIn('supermarche')), true, null], [hashOf(`${set} `), false, other.id], [document.components, false, organizer.id]]);
    assert.ok(Math.abs(Date.parse(items[1].registered_at) - Date.now()) < 3600_000);
    const page = await list('?limit=1');
    assert.deepEqual(page.items, items.slice(0, 2));
    assert.deepEqual((await list(`?limit=1&after=${page.next}`)).items, items.slice(2));
    assert.equal((await list('', 'shinjuku')).items.length, 1);
  });

  it('are refused where they are wrong, with line and place', async () => {
    const more = builtIn('shinjuku').replace('"count": 22}', '"count": 23}');
    const line = more.slice(0, more.indexOf('"rows": [', more.indexOf('"customer_kinds"'))).split('\n').length;
    const { status, json } = await register('shinjuku', more, organizer);
    assert.deepEqual([status, json.code, json.detail, json.line, json.path], [
      422, 'bad-components', `line ${line}, /customer_kinds/rows: There must be 24 to 72 customers in all.`, line, '/customer_kinds/rows']);
    for (const [slug, body, expected] of [
      ['shinjuku', builtIn('supermarche'), /^line 3, \/game\/slug: The set is not one of Shinjuku\.$/],
      ['supermarche', `\ufeff${setOf(20)}`, /^line 1: The file begins with a byte order mark/],
      ['supermarche', setOf(20).replace('"slug":', '"name": "\u202eetsriF", "slug":'), /^The name of a set must be visible characters/],
      ['supermarche', setOf(20).replace('"slug":', '"name": "  ", "slug":'), /^The name of a set must be visible characters/],
      ['shinjuku', '', /^line 1: A component set is a JSON object/],
      ['shinjuku', '{"slug": "shinjuku"', /^line 1: A comma or \} is expected here\.$/],
      ['supermarche', setOf(20).replace('"slug":', '"name": 7, "slug":'), /\/game\/name: /],
      ['supermarche', setOf(20).replace('"slug":', '"name": "", "slug":'), /\/game\/name: A text for people has 1 to 160 bytes/],
    ]) {
      const answer = await register(slug, body, organizer);
      assert.equal(code(answer), '422 bad-components');
      assert.match(answer.json.detail, expected);
    }
    assert.equal((await list('', 'shinjuku')).items.length, 1);
  });

  it('come from whoever may organize, as JSON, of a ruleset that is here', async () => {
    assert.equal(code(await register('supermarche', setOf(21))), '401 not-signed-in');
    const { token } = good(await client.post('/v1/me/tokens', { label: 'to play', scopes: ['read', 'play'] }, organizer.token));
    assert.equal(code(await register('supermarche', setOf(21), { token })), '403 missing-scope');
    assert.equal(code(await register('supermarche', setOf(21), organizer, { 'Content-Type': 'text/plain' })), '415 unsupported-media-type');
    assert.equal(code(await register('chess', setOf(21), organizer)), '404 not-found');
    assert.equal(code(await register('supermarche', `${setOf(21)}${' '.repeat(65536)}`, organizer)), '413 body-too-large');
    for (const hash of ['0'.repeat(64), hashOf(setOf(20)).toUpperCase(), '0', 'set.json']) assert.equal(code(await client.get(`/v1/components/${hash}`)), '404 not-found');
    assert.equal(code(await client.get('/v1/rulesets/chess/component-sets')), '404 not-found');
    assert.equal(code(await client.get('/v1/rulesets/supermarche/component-sets?page=2')), '400 bad-parameter');
  });

  it('are twenty a day of one person', async () => {
    const busy = await makePlayer(client, 'Busy');
    for (let i = 0; i < 20; i++) assert.equal((await register('supermarche', `${setOf(30)}${' '.repeat(i)}`, busy)).status, 201);
    assert.equal(code(await register('supermarche', setOf(31), busy)), '409 too-many-component-sets');
    assert.equal((await register('supermarche', setOf(30), busy)).status, 200); // nothing new
    const bot = good(await client.post('/v1/me/bots', { name: `Robot of ${busy.name}` }, busy.token)); // is the same person
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'organize'] }, busy.token));
    assert.equal(code(await register('supermarche', setOf(31), { token })), '409 too-many-component-sets');
    assert.equal((await register('supermarche', setOf(31), organizer)).status, 201);
  });

  it('can be neither changed nor removed', () => {
    for (const change of ['UPDATE tillroll.component_set SET name = NULL', 'DELETE FROM tillroll.component_set', 'TRUNCATE tillroll.component_set CASCADE'])
      assert.throws(() => bed.cluster.sql(`SET ROLE tillroll_owner; ${change}`), /component_set only grows/);
    assert.throws(() => bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.component_set SELECT sha256('{ }'), gen_random_uuid(), ruleset, name, '{}', registered_at, registered_by
      FROM tillroll.component_set LIMIT 1`), /component_set_check/);
  });
});
