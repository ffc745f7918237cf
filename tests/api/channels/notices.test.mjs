// Notices by web push and webhooks: what a player is told of arrives once in each way, whatever is killed or fails in between.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { NoticeBed, off } from '../notices/notices.mjs';
import { good } from '../support/client.mjs';
import { makeGame, makePlayer, makePlayers } from '../support/play.mjs';
import { until } from '../support/waiting.mjs';
import { Browser, checkVapid, isSigned, Receiver } from './receivers.mjs';

let bed;
let organizer;
let client; // of a service without notices, by which things happen
let receiver;
let usual;
let paths = 0;

const start = (...more) => bed.start('--push-targets', 'all', '--push-retry-ms', '50', ...more);
const newAddress = () => `${receiver.origin}/${(paths += 1)}`;
const pathOf = (url) => new URL(url).pathname;

before(async () => {
  bed = await new NoticeBed().open();
  receiver = await new Receiver().start();
  usual = receiver.answer;
  ({ client } = await start('--notices-ms', '0'));
  await until(60, 'the key is made', async () => (await client.get('/v1/push/key')).status === 200);
  organizer = await makePlayer(client, 'Organizer');
});
afterEach(() => {
  receiver.answer = usual;
});
after(async () => {
  receiver?.end();
  await bed.end();
});

async function addBrowser(player) {
  const browser = new Browser(newAddress());
  const { id } = good(await client.post('/v1/me/browsers', { ...browser.subscription, device: 'Phone' }, player.token));
  return Object.assign(browser, { id, path: pathOf(browser.endpoint) });
}
async function addHook(player, form = 'standard') {
  const hook = good(await client.post('/v1/me/webhooks', { url: newAddress(), form }, player.token));
  return Object.assign(hook, { path: pathOf(hook.url) });
}
const log = async (player, hook) => good(await client.get(`/v1/me/webhooks/${hook.id}/deliveries`, { token: player.token })).items;
// A game that `player` has a seat in: told as `round_paired`.
async function seat(player, name) {
  return makeGame(client, organizer, [player, ...(await makePlayers(client, 2, 'Cy'))], { name });
}
const statesOf = (player) => bed.sql(`SELECT channel || ' ' || state FROM tillroll.outbox WHERE player_id = '${player.id}' AND kind = 'round_paired' ORDER BY 1`).split('\n').filter(Boolean);
// As if all pauses, delays and leases were over.
const goOn = () => bed.sql(`UPDATE tillroll.push_subscription SET rest_until = NULL, failures = 0; UPDATE tillroll.webhook SET rest_until = NULL, failures = 0;
  UPDATE tillroll.outbox SET due_at = clock_timestamp() WHERE state = 'waiting'`);
const only = (kind, channel) => ({ kinds: Object.fromEntries(Object.keys(off).map((each) => [each, { push: each === kind && channel !== 'webhook' ? 'at_once' : 'off', webhook: each === kind && channel !== 'push' ? 'at_once' : 'off' }])) });

async function makeReader(channel) {
  const player = await makePlayer(client, 'Ada');
  await bed.choose(client, player, only('round_paired', channel));
  return player;
}

describe('a notice', () => {
  it('reaches each browser and webhook of a player, in its form, and nobody else', async () => {
    const [player, other] = [await makeReader(), await makeReader()];
    const browsers = [await addBrowser(player), await addBrowser(player)];
    const [standard, discord] = [await addHook(player), await addHook(player, 'discord')];
    const foreign = [await addBrowser(other), await addHook(other)];
    const { event, game } = await seat(player, 'Spring *Cup* @everyone');
    const service = await start();
    await until(60, 'all are sent', () => statesOf(player).join() === 'push sent,push sent,webhook sent,webhook sent');
    const key = good(await client.get('/v1/push/key')).public_key;
    for (const browser of browsers) {
      const [received, ...more] = await receiver.at(browser.path);
      assert.deepEqual(more, []);
      const { id, ...notice } = JSON.parse(browser.decrypt(received.body));
      assert.deepEqual([notice.kind, notice.path], ['round_paired', `/games/${game.id}`]);
      assert.ok(notice.title.includes('Spring *Cup* @everyone'), notice.title);
      assert.equal(bed.sql(`SELECT target_id FROM tillroll.outbox WHERE id = '${id}'`), browser.id);
      checkVapid(received, receiver.origin, key);
      assert.equal(received.headers.topic, undefined);
    }
    const [received] = await receiver.at(standard.path);
    assert.ok(isSigned(received, standard.secret));
    const { type, data } = JSON.parse(received.body);
    assert.equal(type, 'notice.round_paired');
    assert.deepEqual([data.player_id, data.event_id, data.event_name, data.round, data.game_id, data.url], [player.id, event.id, 'Spring *Cup* @everyone', 1, game.id, `https://club.example/games/${game.id}`]);
    const [chat] = await receiver.at(discord.path);
    assert.ok(JSON.parse(chat.body).content.includes('Spring \\*Cup\\* \\@everyone'));
    const [delivery, ...rest] = await log(player, standard);
    assert.deepEqual(rest, []);
    assert.deepEqual([delivery.id, delivery.kind, delivery.state, delivery.status, delivery.body], [received.headers['webhook-id'], 'round_paired', 'delivered', 201, received.body.toString()]);
    for (const each of foreign) assert.ok(!receiver.received.some(({ path }) => path === each.path));
    await service.end();
  });

  it('of a kind that a player has turned off in one way comes in the other', async () => {
    const player = await makeReader('webhook');
    const [browser, hook] = [await addBrowser(player), await addHook(player)];
    await seat(player, 'Off');
    const service = await start();
    await receiver.at(hook.path);
    await until(60, 'it is sent', () => statesOf(player).join() === 'webhook sent');
    assert.ok(!receiver.received.some(({ path }) => path === browser.path));
    await service.end();
  });

  it('of a digest is one message that names all', async () => {
    const player = await makePlayer(client, 'Ada');
    await bed.choose(client, player, { kinds: { round_paired: { push: 'digest', webhook: 'digest' }, your_turn: { push: 'off', webhook: 'off' } } });
    const [browser, hook] = [await addBrowser(player), await addHook(player)];
    for (const name of ['First', 'Second']) await seat(player, name);
    const service = await start();
    await until(60, 'all wait', () => statesOf(player).join() === 'push waiting,push waiting,webhook waiting,webhook waiting');
    bed.sql(`UPDATE tillroll.outbox SET created_at = created_at - interval '2 days' WHERE player_id = '${player.id}'`);
    goOn();
    const [received] = await receiver.at(hook.path);
    const { type, data } = JSON.parse(received.body);
    assert.equal(type, 'notice.digest');
    assert.equal(data.title, '2 notices');
    assert.deepEqual(data.notices.map((each) => [each.kind, each.event_name]), [['round_paired', 'First'], ['round_paired', 'Second']]);
    const [pushed] = await receiver.at(browser.path);
    const notice = JSON.parse(browser.decrypt(pushed.body));
    assert.deepEqual([notice.kind, notice.title, notice.path, notice.text.split('\n').length], ['digest', '2 notices', '/', 2]);
    await until(60, 'all are sent', () => statesOf(player).every((each) => each.endsWith(' sent')));
    await service.end();
  });
});

describe('a service that is killed while it hands over', () => {
  it('loses nothing: another one does, with the same ids', async () => {
    const player = await makeReader();
    const [browser, hook] = [await addBrowser(player), await addHook(player)];
    await seat(player, 'Killed');
    receiver.answer = () => {};
    for (let i = 1; i <= 6; i += 1) {
      const service = await start();
      await Promise.all([receiver.at(browser.path, i), receiver.at(hook.path, i)]);
      await service.end('SIGKILL');
      goOn();
    }
    receiver.answer = usual;
    const service = await start();
    await until(60, 'both are sent', () => statesOf(player).join() === 'push sent,webhook sent');
    const hooks = await receiver.at(hook.path, 7);
    assert.equal(new Set(hooks.map((each) => each.headers['webhook-id'])).size, 1);
    assert.equal(new Set(hooks.map((each) => each.body.toString())).size, 1);
    const pushes = await receiver.at(browser.path, 7);
    assert.equal(new Set(pushes.map((each) => browser.decrypt(each.body).toString())).size, 1);
    const [delivery] = await log(player, hook);
    assert.equal(delivery.state, 'delivered');
    assert.ok(delivery.attempts >= 7);
    await service.end();
  });
});

describe('a service that has no key yet', () => {
  it('waits with web push until it has', async () => {
    const player = await makeReader('push');
    await addBrowser(player);
    await seat(player, 'Early');
    bed.sql('REVOKE SELECT ON tillroll_vault.push_key FROM tillroll_service');
    const service = await start();
    await until(60, 'it is due', () => statesOf(player).join() === 'push waiting');
    assert.equal((await service.client.get('/v1/push/key')).status, 503);
    bed.sql('GRANT SELECT ON tillroll_vault.push_key TO tillroll_service');
    await until(60, 'it has its key', async () => (await service.client.get('/v1/push/key')).status === 200);
    await until(60, 'it is sent', () => statesOf(player).join() === 'push sent');
    assert.equal(bed.sql(`SELECT attempts FROM tillroll.outbox WHERE player_id = '${player.id}'`), '1');
    await service.end();
  });
});

describe('a target', () => {
  it('that fails is tried again later, with the same id; what else waits for it waits, too', async () => {
    const player = await makeReader('webhook');
    const hook = await addHook(player);
    receiver.answer = (request, response) => response.writeHead(503, { 'Retry-After': '600' }).end();
    await seat(player, 'One');
    const service = await start();
    const [first] = await receiver.at(hook.path);
    await until(60, 'it is noted', async () => (await log(player, hook))[0]?.status === 503);
    const waits = () => bed.sql(`SELECT count(*) FROM tillroll.outbox WHERE player_id = '${player.id}' AND due_at > clock_timestamp() + interval '590 seconds'`);
    assert.equal(waits(), '1');
    const [delivery] = await log(player, hook);
    assert.deepEqual([delivery.state, delivery.attempts, delivery.reason], ['waiting', 1, 'It answered 503.']);
    receiver.answer = usual;
    goOn();
    const [, second] = await receiver.at(hook.path, 2);
    assert.equal(second.headers['webhook-id'], first.headers['webhook-id']);
    await until(60, 'it is sent', () => statesOf(player).join() === 'webhook sent');
    assert.deepEqual([(await log(player, hook))[0].state, (await log(player, hook))[0].attempts], ['delivered', 2]);
    await service.end();
  });

  it('that is gone is forgotten, with what waits for it', async () => {
    const player = await makeReader();
    const [browser, hook] = [await addBrowser(player), await addHook(player)];
    receiver.answer = (request, response) => response.writeHead(410).end();
    for (const name of ['One', 'Two']) await seat(player, name);
    const service = await start();
    await until(60, 'nothing waits', () => receiver.received.some(({ path }) => path === browser.path) && receiver.received.some(({ path }) => path === hook.path) && statesOf(player).length === 0);
    assert.deepEqual(good(await client.get('/v1/me/browsers', { token: player.token })).items, []);
    assert.equal(good(await client.get('/v1/me/webhooks', { token: player.token })).items[0].state, 'gone');
    await service.end();
  });

  for (const [way, add] of [['webhook', addHook], ['push', addBrowser]])
    it(`that hangs occupies one thread: many others get their notices meanwhile, also those that are begun with it (${way})`, async () => {
      const [player, ...others] = [await makeReader(way), ...(await Promise.all(Array.from({ length: 5 }, () => makeReader(way))))];
      const hanging = await add(player);
      const targets = await Promise.all(others.map((each) => add(each)));
      receiver.answer = (request, response, received) => {
        if (received.path !== hanging.path) usual(request, response);
      };
      await seat(player, 'One');
      for (const other of others) await seat(other, 'Begun with it');
      for (const name of ['Two', 'Three', 'Four', 'Five', 'Six']) await seat(player, name);
      const service = await start();
      await receiver.at(hanging.path);
      for (const other of others) await until(60, 'it is sent', () => statesOf(other).join() === `${way} sent`);
      assert.equal(receiver.received.filter(({ path }) => path === hanging.path).length, 1);
      for (const [i, other] of others.entries()) await seat(other, `Other ${i}`);
      for (const { path } of targets) await receiver.at(path, 2);
      for (const other of others) await until(60, 'they are sent', () => statesOf(other).join() === `${way} sent,${way} sent`);
      const [code] = await service.end();
      assert.equal(code, 0);
    });
});
