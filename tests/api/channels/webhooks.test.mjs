// Webhooks: what a player can do with them, how they are signed and written, what their owner sees, and that nothing is lost.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makePlayer } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { isSigned, Receiver } from './receivers.mjs';

let bed;
let service;
let client;
let receiver;
const sql = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);
const start = () => bed.startService(['--push-targets', 'all', '--site-address', 'https://club.example']);
const refused = (answer, status, code) => assert.deepEqual([answer.status, answer.json.code], [status, code]);
let paths = 0;
const newPath = () => `/hook/${(paths += 1)}`;

const add = async (player, more = {}) => good(await client.post('/v1/me/webhooks', { url: `${receiver.origin}${newPath()}`, ...more }, player.token));
const pathOf = (hook) => new URL(hook.url).pathname;
const deliveries = async (player, hook) => good(await client.get(`/v1/me/webhooks/${hook.id}/deliveries`, { token: player.token })).items;
const test = async (player, hook) => good(await client.post(`/v1/me/webhooks/${hook.id}/test`, {}, player.token));
// The newest delivery, once it has ended.
const ended = (player, hook) => until(60, 'a delivery ends', async () => {
  const [newest] = await deliveries(player, hook);
  return newest?.state === 'waiting' ? undefined : newest;
});

before(async () => {
  bed = new Testbed();
  receiver = await new Receiver().start();
  service = await start();
  ({ client } = service);
});
after(async () => {
  receiver?.end();
  await bed.end();
});

describe('the webhooks of a player', () => {
  it('are created, listed without their secrets, and removed', async () => {
    const player = await makePlayer(client, 'Ada');
    const hook = await add(player, { name: 'Chat', form: 'slack' });
    assert.match(hook.secret, /^whsec_/);
    const { items } = good(await client.get('/v1/me/webhooks', { token: player.token }));
    assert.deepEqual(items, [{ id: hook.id, name: 'Chat', url: hook.url, form: 'slack', state: 'on', since: items[0].since }]);
    assert.equal((await client.request('DELETE', `/v1/me/webhooks/${hook.id}`, { token: player.token })).status, 204);
    assert.deepEqual(good(await client.get('/v1/me/webhooks', { token: player.token })).items, []);
  });

  it('are five at most', async () => {
    const player = await makePlayer(client, 'Ada');
    for (let i = 0; i < 5; i += 1) await add(player);
    refused(await client.post('/v1/me/webhooks', { url: `${receiver.origin}/x` }, player.token), 409, 'too-many-targets');
  });

  it('are nobody else’s', async () => {
    const [player, other] = [await makePlayer(client, 'Ada'), await makePlayer(client, 'Bea')];
    const hook = await add(player);
    await test(player, hook);
    const delivery = await ended(player, hook);
    const at = `/v1/me/webhooks/${hook.id}`;
    const { token } = other;
    refused(await client.request('DELETE', at, { token }), 404, 'not-found');
    refused(await client.post(`${at}/secret`, {}, token), 404, 'not-found');
    refused(await client.post(`${at}/test`, {}, token), 404, 'not-found');
    refused(await client.get(`${at}/deliveries`, { token }), 404, 'not-found');
    refused(await client.post(`${at}/deliveries/${delivery.id}/repeat`, {}, token), 404, 'not-found');
  });

  it('do not keep their secrets in clear', async () => {
    const player = await makePlayer(client, 'Ada');
    const hook = await add(player);
    const key = Buffer.from(hook.secret.slice(6), 'base64').toString('hex');
    assert.equal(sql(`SELECT count(*) FROM tillroll_vault.webhook_secret WHERE webhook_id = '${hook.id}' AND position('\\x${key}'::bytea IN sealed) > 0`), '0');
    assert.equal(sql(`SELECT count(*) FROM tillroll_vault.webhook_secret WHERE webhook_id = '${hook.id}'`), '1');
  });
});

describe('a message', () => {
  it('is signed as Standard Webhooks says, and its owner sees how it went', async () => {
    const player = await makePlayer(client, 'Ada');
    const hook = await add(player);
    const { id } = await test(player, hook);
    const [received] = await receiver.at(pathOf(hook));
    assert.equal(received.method, 'POST');
    assert.equal(received.headers['content-type'], 'application/json');
    assert.equal(received.headers['webhook-id'], id);
    assert.ok(isSigned(received, hook.secret));
    assert.ok(!isSigned(received, `whsec_${Buffer.alloc(32).toString('base64')}`));
    const body = JSON.parse(received.body);
    assert.equal(body.type, 'notice.test');
    assert.equal(body.data.url, 'https://club.example');
    const delivery = await ended(player, hook);
    assert.deepEqual([delivery.id, delivery.kind, delivery.state, delivery.attempts, delivery.status, delivery.reason, delivery.body],
      [id, 'test', 'delivered', 1, 201, null, received.body.toString()]);
    assert.ok(delivery.tried_at >= delivery.created_at);
  });

  it('is signed by both secrets for a day after a change', async () => {
    const player = await makePlayer(client, 'Ada');
    const hook = await add(player);
    const { secret } = good(await client.post(`/v1/me/webhooks/${hook.id}/secret`, {}, player.token));
    assert.notEqual(secret, hook.secret);
    await test(player, hook);
    const [first] = await receiver.at(pathOf(hook));
    assert.ok(isSigned(first, hook.secret) && isSigned(first, secret));
    await ended(player, hook);
    sql(`UPDATE tillroll_vault.webhook_secret SET before_until = clock_timestamp() WHERE webhook_id = '${hook.id}'`);
    await test(player, hook);
    const [, second] = await receiver.at(pathOf(hook), 2);
    assert.ok(!isSigned(second, hook.secret) && isSigned(second, secret));
  });

  it('has the form that its target understands', async () => {
    const text = 'Tillroll\nThis is a test of your webhook.\nhttps://club.example';
    const expected = {
      discord: { content: text.replace('Tillroll', '**Tillroll**'), allowed_mentions: { parse: [] }, flags: 4 },
      slack: { text, mrkdwn: false, unfurl_links: false },
      matrix: { text, html: '<strong>Tillroll</strong><br>This is a test of your webhook.<br>https://club.example' },
    };
    await Promise.all(Object.entries(expected).map(async ([form, body]) => {
      const player = await makePlayer(client, 'Ada');
      const hook = await add(player, { form });
      await test(player, hook);
      const [received] = await receiver.at(pathOf(hook));
      assert.deepEqual(JSON.parse(received.body), body);
      assert.ok(isSigned(received, hook.secret));
      await ended(player, hook);
    }));
  });

  it('that its owner repeats has the same id and body', async () => {
    const player = await makePlayer(client, 'Ada');
    const hook = await add(player);
    const { id } = await test(player, hook);
    await ended(player, hook);
    good(await client.post(`/v1/me/webhooks/${hook.id}/deliveries/${id}/repeat`, {}, player.token));
    const [first, second] = await receiver.at(pathOf(hook), 2);
    assert.equal(second.headers['webhook-id'], id);
    assert.deepEqual(second.body, first.body);
    assert.ok(isSigned(second, hook.secret));
    const delivery = await ended(player, hook);
    assert.deepEqual([delivery.id, delivery.state, delivery.attempts], [id, 'delivered', 2]);
    assert.equal((await deliveries(player, hook)).length, 1);
  });

  it('that fails says why', async () => {
    const usual = receiver.answer;
    const answers = new Map(); // path -> status
    receiver.answer = (request, response, { path }) => response.writeHead(answers.get(path), { Location: `${receiver.origin}/elsewhere` }).end('secret words');
    const failures = [[500, 'It answered 500.'], [401, 'It answered 401.'], [302, 'It answered 302, a redirect, which is not followed.']];
    await Promise.all(failures.map(async ([status, reason]) => {
      const player = await makePlayer(client, 'Ada');
      const hook = await add(player);
      answers.set(pathOf(hook), status);
      await test(player, hook);
      const delivery = await ended(player, hook);
      assert.deepEqual([delivery.state, delivery.status, delivery.reason], ['failed', status, reason]);
    }));
    receiver.answer = usual;
    assert.equal(receiver.received.filter((each) => each.path === '/elsewhere').length, 0);
  });

  it('to a target that is gone turns the webhook off, until a test arrives', async () => {
    const player = await makePlayer(client, 'Ada');
    const hook = await add(player);
    const usual = receiver.answer;
    receiver.answer = (request, response) => response.writeHead(410).end();
    await test(player, hook);
    await ended(player, hook);
    receiver.answer = usual;
    const state = async () => good(await client.get('/v1/me/webhooks', { token: player.token })).items[0].state;
    assert.equal(await state(), 'gone');
    assert.equal(sql(`SELECT count(*) FROM tillroll.notice_way WHERE target_id = '${hook.id}'`), '0');
    await test(player, hook);
    await ended(player, hook);
    assert.equal(await state(), 'on');
    assert.equal(sql(`SELECT player_id, channel FROM tillroll.notice_way WHERE target_id = '${hook.id}'`), `${player.id}|webhook`);
  });
});

describe('a target', () => {
  it('that hangs, or answers without end, holds up nobody else, nor the end of the service', async () => {
    const own = await start();
    const players = [await makePlayer(client, 'Ada'), await makePlayer(client, 'Bea')];
    const hanging = await add(players[0]);
    const endless = await add(players[0]);
    const fine = await add(players[1]);
    const usual = receiver.answer;
    receiver.answer = (request, response, received) => {
      if (received.path === pathOf(hanging)) return;
      if (received.path !== pathOf(endless)) {
        usual(request, response);
        return;
      }
      response.writeHead(200);
      const more = () => {
        if (!response.destroyed && response.write(Buffer.alloc(16_384))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    };
    await test(players[0], hanging);
    await receiver.at(pathOf(hanging));
    refused(await client.post(`/v1/me/webhooks/${endless.id}/test`, {}, players[0].token), 409, 'delivery-waiting');
    await test(players[1], fine);
    assert.equal((await ended(players[1], fine)).state, 'delivered');
    assert.equal((await deliveries(players[0], hanging))[0].state, 'waiting');
    const late = await ended(players[0], hanging);
    assert.deepEqual([late.state, late.status, late.reason], ['failed', null, 'There was no answer in time.']);
    await test(players[0], endless);
    const cut = await ended(players[0], endless);
    assert.deepEqual([cut.state, cut.status], ['delivered', 200]);
    await test(players[0], hanging);
    await receiver.at(pathOf(hanging), 2);
    const [code] = await own.end();
    assert.equal(code, 0);
    receiver.answer = usual;
  });
});

describe('a service that is killed while it sends', () => {
  it('loses nothing: another one sends it, with the same id', async () => {
    const player = await makePlayer(client, 'Ada');
    const hook = await add(player);
    const usual = receiver.answer;
    receiver.answer = () => {};
    const { id } = await test(player, hook);
    for (let i = 1; i <= 3; i += 1) {
      await receiver.at(pathOf(hook), i);
      await service.end('SIGKILL');
      if (i === 3) receiver.answer = usual;
      sql('UPDATE tillroll.webhook_delivery SET due_at = clock_timestamp() WHERE due_at IS NOT NULL');
      service = await start();
      ({ client } = service);
    }
    const delivery = await ended(player, hook);
    assert.deepEqual([delivery.id, delivery.state, delivery.attempts], [id, 'delivered', 4]);
    const received = await receiver.at(pathOf(hook), 4);
    assert.deepEqual(new Set(received.map((each) => each.headers['webhook-id'])), new Set([id]));
    assert.ok(received.every((each) => isSigned(each, hook.secret)));
  });
});
