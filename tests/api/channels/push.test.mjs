// Web push: a browser subscribes, decrypts what comes and knows the sender; web-push and http_ece from npm are the referees.
import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import ece from 'http_ece';
import webPush from 'web-push';

import { good } from '../support/client.mjs';
import { makePlayer, password } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { Browser, checkVapid, Receiver } from './receivers.mjs';

let bed;
let service;
let client;
let pushService;
const refused = (answer, status, code) => assert.deepEqual([answer.status, answer.json.code], [status, code]);
const sql = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);
const start = (...more) => bed.startService(['--push-targets', 'all', '--site-address', 'https://club.example', ...more]);
let paths = 0;
const newBrowser = () => new Browser(`${pushService.origin}/send/${(paths += 1)}`);
const pathOf = (browser) => new URL(browser.endpoint).pathname;
const add = async (player, browser, device = 'Firefox on Android') =>
  good(await client.post('/v1/me/browsers', { ...browser.subscription, device }, player.token));
const test = async (player, { id }) => assert.equal((await client.post(`/v1/me/browsers/${id}/test`, {}, player.token)).status, 204);
const list = async (player) => good(await client.get('/v1/me/browsers', { token: player.token })).items;
// What is shown of a browser once its test has ended.
const tested = (player, { id }) => until(60, 'a test ends', async () => {
  if (sql(`SELECT test_at IS NULL FROM tillroll.push_subscription WHERE id = '${id}'`) === 'f') return undefined;
  return (await list(player)).find((each) => each.id === id) ?? 'removed';
});
const publicKey = async (from = client) => good(await from.get('/v1/push/key')).public_key;

before(async () => {
  bed = new Testbed();
  pushService = await new Receiver().start();
  service = await start();
  ({ client } = service);
  await until(60, 'the key is made', async () => (await client.get('/v1/push/key')).status === 200);
});
after(async () => {
  pushService?.end();
  await bed.end();
});

describe('the referees', () => {
  it('encrypt what the browser of these tests decrypts', () => {
    const browser = newBrowser();
    const { keys } = browser.subscription;
    const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, 'Your turn', 'aes128gcm');
    assert.equal(browser.decrypt(cipherText).toString(), 'Your turn');
  });

  it('sign as these tests check it', async () => {
    const browser = newBrowser();
    const vapid = webPush.generateVAPIDKeys();
    const details = webPush.generateRequestDetails(browser.subscription, 'x', {
      vapidDetails: { ...vapid, subject: 'https://club.example' }, contentEncoding: 'aes128gcm',
    });
    const headers = Object.fromEntries(Object.entries(details.headers).map(([key, value]) => [key.toLowerCase(), value]));
    assert.equal(checkVapid({ headers }, pushService.origin, vapid.publicKey).sub, 'https://club.example');
  });

  it('decrypt what the service has encrypted, and find the same headers', async () => {
    const player = await makePlayer(client, 'Ada');
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    const auth = Buffer.alloc(16, 7);
    const endpoint = `${pushService.origin}/referee`;
    const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') };
    await test(player, await add(player, { subscription: { endpoint, keys } }));
    const [received] = await pushService.at('/referee');
    const plain = ece.decrypt(received.body, { version: 'aes128gcm', privateKey: pair, authSecret: auth });
    assert.equal(JSON.parse(plain).kind, 'test');
    const theirs = webPush.generateRequestDetails({ endpoint, keys }, 'x', {
      vapidDetails: { ...webPush.generateVAPIDKeys(), subject: 'https://club.example' }, TTL: 86_400, urgency: 'normal', contentEncoding: 'aes128gcm',
    });
    for (const name of ['Content-Type', 'Content-Encoding', 'TTL', 'Urgency']) assert.equal(received.headers[name.toLowerCase()], String(theirs.headers[name]));
  });
});

describe('a message', () => {
  it('can be read by its browser alone, and says who sent it', async () => {
    const player = await makePlayer(client, 'Ada');
    const [browser, other] = [newBrowser(), newBrowser()];
    const added = await add(player, browser);
    await test(player, added);
    const [received] = await pushService.at(pathOf(browser));
    assert.deepEqual(JSON.parse(browser.decrypt(received.body)), { id: added.id, kind: 'test', title: 'Tillroll', text: 'Notices arrive on this device.', path: '/notices' });
    assert.throws(() => other.decrypt(received.body));
    assert.ok(!received.body.includes('Tillroll'));
    const claims = checkVapid(received, pushService.origin, await publicKey());
    assert.equal(claims.sub, 'https://club.example');
    const shown = await tested(player, added);
    assert.equal(shown.reason, null);
    assert.notEqual(shown.last_at, null);
  });

  it('is encrypted with another key and salt each time', async () => {
    const player = await makePlayer(client, 'Ada');
    const browser = newBrowser();
    const added = await add(player, browser);
    await test(player, added);
    await tested(player, added);
    await test(player, added);
    const [one, two] = await pushService.at(pathOf(browser), 2);
    assert.notDeepEqual(one.body.subarray(0, 16), two.body.subarray(0, 16));
    assert.notDeepEqual(one.body.subarray(21, 86), two.body.subarray(21, 86));
    assert.equal(one.body.length, two.body.length);
    assert.deepEqual(browser.decrypt(one.body), browser.decrypt(two.body));
  });

  it('names the sender by mail where there is an address', async () => {
    const own = await start('--smtp-from', 'tillroll@club.example');
    await service.end();
    service = own;
    ({ client } = own);
    const player = await makePlayer(client, 'Ada');
    const browser = newBrowser();
    await test(player, await add(player, browser));
    const [received] = await pushService.at(pathOf(browser));
    assert.equal(checkVapid(received, pushService.origin, await publicKey()).sub, 'mailto:tillroll@club.example');
  });
});

describe('the key', () => {
  it('is the same for every service, after every start, and sealed', async () => {
    const other = await start();
    const key = await publicKey();
    await until(60, 'the key is known', async () => (await other.client.get('/v1/push/key')).status === 200);
    assert.equal(await publicKey(other.client), key);
    await other.end();
    const [sealed, ...more] = sql('SELECT encode(sealed, \'hex\') FROM tillroll_vault.push_key').split('\n');
    assert.deepEqual(more, []);
    assert.ok(!sealed.includes(Buffer.from(key, 'base64url').toString('hex')));
  });

  it('that cannot be opened any more is replaced, with what was subscribed by it', async () => {
    const key = await publicKey();
    const player = await makePlayer(client, 'Ada');
    await add(player, newBrowser());
    sql('UPDATE tillroll_vault.push_key SET sealed = set_byte(sealed, 60, 255 - get_byte(sealed, 60))');
    const other = await start();
    await until(60, 'the key is made', async () => (await other.client.get('/v1/push/key')).status === 200);
    assert.notEqual(await publicKey(other.client), key);
    assert.deepEqual(await list(player), []);
    await service.end();
    service = other;
    ({ client } = other);
  });
});

describe('the browsers of a player', () => {
  it('are listed and removed by their player alone', async () => {
    const [player, other] = [await makePlayer(client, 'Ada'), await makePlayer(client, 'Bea')];
    const browser = newBrowser();
    const added = await add(player, browser, 'My phone');
    assert.deepEqual((await list(player)), [{ id: added.id, device: 'My phone', endpoint: browser.endpoint, since: added.since, last_at: null, reason: null }]);
    assert.deepEqual(await list(other), []);
    refused(await client.request('DELETE', `/v1/me/browsers/${added.id}`, { token: other.token }), 404, 'not-found');
    refused(await client.post(`/v1/me/browsers/${added.id}/test`, {}, other.token), 404, 'not-found');
    assert.equal(sql(`SELECT channel FROM tillroll.notice_way WHERE player_id = '${player.id}'`), 'push');
    assert.equal((await client.request('DELETE', `/v1/me/browsers/${added.id}`, { token: player.token })).status, 204);
    assert.deepEqual(await list(player), []);
    assert.equal(sql(`SELECT count(*) FROM tillroll.notice_way WHERE player_id = '${player.id}'`), '0');
  });

  it('are kept apart: one that another account uses now tells the one before nothing', async () => {
    const [player, other] = [await makePlayer(client, 'Ada'), await makePlayer(client, 'Bea')];
    const browser = newBrowser();
    const first = await add(player, browser);
    const again = await add(player, browser, 'Renamed');
    assert.equal(again.id, first.id);
    assert.equal((await list(player)).length, 1);
    await add(other, browser);
    assert.deepEqual(await list(player), []);
    assert.equal((await list(other)).length, 1);
  });

  it('are ten at most', async () => {
    const player = await makePlayer(client, 'Ada');
    const browsers = Array.from({ length: 10 }, newBrowser);
    for (const browser of browsers) await add(player, browser);
    refused(await client.post('/v1/me/browsers', newBrowser().subscription, player.token), 409, 'too-many-targets');
    await add(player, browsers[3], 'Known already');
    assert.equal((await list(player)).length, 10);
  });

  it('have keys that can be used', async () => {
    const player = await makePlayer(client, 'Ada');
    const { endpoint, keys } = newBrowser().subscription;
    const off = Buffer.from(keys.p256dh, 'base64url');
    off[50] ^= 1;
    const wrong = [
      {}, 'x', [], { p256dh: keys.p256dh }, { auth: keys.auth }, { ...keys, more: '' }, { ...keys, auth: 1 }, { ...keys, auth: '' }, { ...keys, auth: `${keys.auth}AA` },
      { ...keys, p256dh: off.toString('base64url') }, { ...keys, p256dh: keys.p256dh.slice(4) }, { ...keys, p256dh: Buffer.alloc(65).toString('base64url') }, { ...keys, p256dh: '!!!' },
    ];
    for (const each of wrong) refused(await client.post('/v1/me/browsers', { endpoint, keys: each }, player.token), 400, 'bad-field');
    refused(await client.post('/v1/me/browsers', { endpoint }, player.token), 400, 'missing-field');
    refused(await client.post('/v1/me/browsers', { endpoint: 'ftp://push.example/', keys }, player.token), 400, 'bad-field');
    assert.deepEqual(await list(player), []);
  });
});

describe('a push service', () => {
  it('that knows a browser no more has it forgotten', async () => {
    const player = await makePlayer(client, 'Ada');
    const usual = pushService.answer;
    for (const status of [404, 410]) {
      const added = await add(player, newBrowser());
      pushService.answer = (request, response) => response.writeHead(status).end();
      await test(player, added);
      assert.equal(await tested(player, added), 'removed');
      pushService.answer = usual;
    }
  });

  it('that is busy gets nothing for as long as it says, or longer each time', async () => {
    const player = await makePlayer(client, 'Ada');
    const usual = pushService.answer;
    const rest = ({ id }) => Number(sql(`SELECT round(extract(epoch FROM rest_until - last_at)) FROM tillroll.push_subscription WHERE id = '${id}'`));
    const browser = await add(player, newBrowser());
    pushService.answer = (request, response) => response.writeHead(429, { 'Retry-After': '1200' }).end();
    await test(player, browser);
    assert.equal((await tested(player, browser)).reason, 'It answered 429.');
    assert.equal(rest(browser), 1200);
    pushService.answer = (request, response) => response.writeHead(503).end();
    await test(player, browser);
    await tested(player, browser);
    assert.equal(rest(browser), 60);
    await test(player, browser);
    await tested(player, browser);
    assert.equal(rest(browser), 120);
    pushService.answer = usual;
    await test(player, browser);
    assert.equal((await tested(player, browser)).reason, null);
    assert.equal(sql(`SELECT rest_until IS NULL AND failures = 0 FROM tillroll.push_subscription WHERE id = '${browser.id}'`), 't');
  });

  it('that refuses a message keeps the browser', async () => {
    const player = await makePlayer(client, 'Ada');
    const usual = pushService.answer;
    const browser = await add(player, newBrowser());
    pushService.answer = (request, response) => response.writeHead(403).end('keys differ');
    await test(player, browser);
    assert.equal((await tested(player, browser)).reason, 'It answered 403.');
    pushService.answer = usual;
  });
});

describe('an account that is deleted', () => {
  it('leaves no browser and no webhook, and what there was is in the copy of its data', async () => {
    const player = await makePlayer(client, 'Ada');
    const added = await add(player, newBrowser());
    const { secret, ...hook } = good(await client.post('/v1/me/webhooks', { url: `${pushService.origin}/hook` }, player.token));
    assert.ok(secret.length > 0);
    const copy = good(await client.get('/v1/me/export', { token: player.token }));
    assert.deepEqual([copy.browsers, copy.webhooks], [[added], [hook]]);
    assert.equal((await client.post('/v1/me/delete', { password }, player.token)).status, 204);
    assert.equal(sql(`SELECT count(*) FROM tillroll.notice_way WHERE player_id = '${player.id}'`), '0');
    assert.equal(sql(`SELECT count(*) FROM tillroll_vault.webhook_secret WHERE webhook_id = '${hook.id}'`), '0');
  });
});
