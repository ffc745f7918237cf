// Libraries that are loaded when they are needed first: a service that was asked for nothing has none of them, and many who need one at the
// same moment all get what they asked for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';

import { Receiver } from '../channels/receivers.mjs';
import { good } from '../support/client.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const many = Array.from({ length: 12 }, (_, i) => i);
let bed;
let receiver;
let service;

before(async () => {
  bed = new Testbed();
  receiver = await new Receiver().start();
  service = await bed.startService(['--push-targets', 'all']);
});
after(async () => {
  receiver?.end();
  await bed.end();
});

const has = (library) => new RegExp(`/${library}[^/]*\\.so`).test(readFileSync(`/proc/${service.child.pid}/maps`, 'utf8'));

it('a service that was asked for nothing has not loaded them', async () => {
  assert.equal((await service.client.get('/readyz')).status, 200);
  assert.equal(has('libpq'), true);
  for (const library of ['libcurl', 'libicui18n', 'libpangocairo']) assert.equal(has(library), false, library);
});

it('names are checked by ICU, also if many come at once', async () => {
  const answers = await Promise.all(many.map((i) => service.client.post('/v1/players', { name: i % 2 === 0 ? `Ｗｉｄｅ ${i}` : `Pаul ${i}`, password: 'correct horse battery' })));
  for (const [i, answer] of answers.entries()) {
    if (i % 2 === 0) assert.equal(good(answer).player.name, `Wide ${i}`);
    else assert.match(JSON.stringify(answer.json), /must not mix scripts: U\+0430 is Cyrillic/);
  }
  assert.equal(has('libicui18n'), true);
  assert.equal(has('libcurl'), false);
  service.players = answers.filter(({ status }) => status < 300).map(({ json }) => json);
  assert.equal(service.players.length, many.length / 2);
});

it('webhooks are sent by libcurl, also if many are at once', async () => {
  await Promise.all(service.players.map(async ({ token }, i) => {
    const hook = good(await service.client.post('/v1/me/webhooks', { url: `${receiver.origin}/hook/${i}` }, token));
    good(await service.client.post(`/v1/me/webhooks/${hook.id}/test`, {}, token));
  }));
  await until(60, 'all have come', () => new Set(receiver.received.map(({ path }) => path)).size === service.players.length);
  assert.equal(has('libcurl'), true);
  assert.equal(has('libpangocairo'), false);
});

it('pictures are drawn by Pango, also if many are asked for at once', async () => {
  const { id } = service.players[0].player;
  const pictures = await Promise.all(many.map(async () => (await fetch(`http://127.0.0.1:${service.client.port}/players/${id}/card.png`)).headers.get('content-type')));
  assert.deepEqual(new Set(pictures), new Set(['image/png']));
  assert.equal(has('libpangocairo'), true);
  assert.deepEqual(await service.end(), [0, null]);
});
