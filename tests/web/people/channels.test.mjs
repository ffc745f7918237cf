// Notices on a device, and webhooks, in a browser: with a push service of the test's own, without one, blocked, on a phone, in the dark and in German.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import vm from 'node:vm';

import { Browser, isSigned, Receiver } from '../../api/channels/receivers.mjs';
import { good } from '../../api/support/client.mjs';
import { makePlayer } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { until } from '../../api/support/waiting.mjs';
import { notLong } from '../../long.mjs';
import { desktop, finish, launch, overflow, phone, Reader, violations } from '../support/browser.mjs';
import { signIn } from '../support/table.mjs';

let bed;
let client;
let browser;
let reader;
let receiver;
before(async () => {
  bed = new Testbed();
  receiver = await new Receiver().start();
  const [service, launched] = await Promise.all([bed.startService(['--push-targets', 'all']), launch()]);
  ({ client } = service);
  browser = launched;
  reader = new Reader(browser, client.port);
  await until(60, 'the key is made', async () => (await client.get('/v1/push/key')).status === 200);
});
after(async () => {
  receiver?.end();
  await reader?.close();
  await browser?.close();
  await bed.end();
});

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const says = (page, selector, text) => page.waitForFunction(([where, wanted]) => document.querySelector(where)?.textContent.includes(wanted), [selector, text]);
const drawn = (page) => page.waitForSelector('#devices h2');

async function isWell(page) {
  assert.deepEqual(await violations(page), []);
  assert.equal(await overflow(page), 0);
}

// The player's page of notices, which is asked for nothing: notices are allowed, or blocked.
async function openNotices(player, { allowed = true, ...settings } = {}, expected = null) {
  const page = await signIn(reader, player, '/notices', { fresh: true, ...settings }, expected);
  page.changed = true; // it is not used again
  if (allowed) {
    await page.context().grantPermissions(['notifications', 'clipboard-write']);
  } else {
    const session = await page.context().newCDPSession(page);
    await session.send('Browser.setPermission', { permission: { name: 'notifications' }, setting: 'denied', origin: reader.origin });
  }
  await page.reload();
  await drawn(page);
  return page;
}

describe('notices on a device', () => {
  it('come to a browser that was enabled, whose worker stays out of all pages, and end when it is removed', async () => {
    const player = await makePlayer(client, 'Ada');
    const device = new Browser(`${receiver.origin}/send/ada`);
    const page = await openNotices(player);
    // In place of the vendor's push service, which is not to be reached from here.
    await page.evaluate((made) => {
      let subscribed = false;
      const subscription = { endpoint: made.endpoint, options: { applicationServerKey: null }, toJSON: () => made, unsubscribe: async () => { subscribed = false; } };
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        subscription.options.applicationServerKey = applicationServerKey.buffer;
        subscribed = true;
        return subscription;
      };
      PushManager.prototype.getSubscription = async () => (subscribed ? subscription : null);
    }, device.subscription);
    await press(page, 'Notify me on this device');
    await says(page, '#devices .done', 'Notices come to this browser');
    await says(page, '#devices', '(this browser)');
    assert.equal(await page.locator('#enable-push').count(), 0);
    const [added] = good(await client.get('/v1/me/browsers', { token: player.token })).items;
    assert.equal(added.endpoint, device.endpoint);
    await isWell(page);

    await page.locator(`#browser-${added.id} [data-push=test]`).click();
    await says(page, '#devices .done', 'A test is on its way.');
    const [received] = await receiver.at('/send/ada');
    const text = device.decrypt(received.body).toString();
    assert.equal(JSON.parse(text).text, 'Notices arrive on this device.');

    const worker = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/static/mine/push-worker.js');
      return [registration.active.state, registration.scope.replace(location.origin, ''), navigator.serviceWorker.controller];
    });
    assert.deepEqual(worker, ['activated', '/static/mine/', null]);

    await page.locator(`#browser-${added.id} [data-push=remove]`).click();
    await says(page, '#devices .done', 'No more notices go there.');
    assert.deepEqual(good(await client.get('/v1/me/browsers', { token: player.token })).items, []);
    await page.waitForSelector('#enable-push');
    await finish(page);
  });

  it('are refused in plain words where the browser reaches no push service', async () => {
    const player = await makePlayer(client, 'Ada');
    const page = await openNotices(player, {}, /Push API/);
    await press(page, 'Notify me on this device');
    await says(page, '#devices .fault', 'could not reach its push service');
    await isWell(page);
    assert.deepEqual(good(await client.get('/v1/me/browsers', { token: player.token })).items, []);
    await finish(page);
  });

  it('are not offered where they are blocked', { skip: notLong }, async () => {
    const player = await makePlayer(client, 'Ada');
    const page = await openNotices(player, { allowed: false, ...phone, colorScheme: 'dark' });
    await says(page, '#push-state', 'blocks notices from this site');
    assert.equal(await page.locator('#enable-push').count(), 0);
    await isWell(page);
    await finish(page);
  });

  it('are offered in German', { skip: notLong }, async () => {
    const player = await makePlayer(client, 'Ada');
    const page = await openNotices(player, { locale: 'de-DE', ...phone });
    await says(page, '#enable-push', 'Auf diesem Gerät benachrichtigen');
    await isWell(page);
    await finish(page);
  });
});

// Chromium without a window shows no notifications, so the worker is run here.
describe('the worker', () => {
  const script = readFileSync(new URL('../../../web-static/mine/push-worker.js', import.meta.url), 'utf8');
  function start({ windows = [] } = {}) {
    const does = { listeners: {}, shown: [], opened: [], focused: [], sent: [] };
    const self = {
      location: { origin: 'https://club.example', host: 'club.example' },
      registration: {
        showNotification: async (title, options) => {
          does.shown = [...does.shown.filter((each) => each.tag !== options.tag), { title, ...options }];
        },
        getNotifications: async ({ tag }) => does.shown.filter((each) => each.tag === tag),
        pushManager: { subscribe: async (options) => ({ endpoint: 'https://push.example/new', options }) },
      },
      clients: {
        matchAll: async () => windows.map((url) => ({ url, focus: async () => does.focused.push(url) })),
        openWindow: async (url) => does.opened.push(url),
      },
      addEventListener: (name, listener) => { does.listeners[name] = listener; },
    };
    vm.runInNewContext(script, { self, URL, fetch: async (...words) => does.sent.push(words) });
    does.event = async (name, event) => {
      let work;
      does.listeners[name]({ ...event, waitUntil: (promise) => { work = promise; } });
      await work;
    };
    return does;
  }
  const notice = { id: '1', kind: 'your_turn', title: 'Your turn', text: 'In the market', path: '/games/7' };
  const push = (does, data) => does.event('push', { data: { json: () => data } });
  const click = (does, path) => does.event('notificationclick', { notification: { close() {}, data: { path } } });

  it('shows a notice once, and a newer one of the same page in its place', async () => {
    const does = start();
    await push(does, notice);
    await push(does, notice);
    assert.deepEqual(does.shown.map(({ title, body, data }) => [title, body, { ...data }]), [['Your turn', 'In the market', { id: '1', path: '/games/7' }]]);
    await push(does, { ...notice, id: '2', text: 'Again' });
    await push(does, { ...notice, id: '3', kind: 'game_over' });
    assert.deepEqual(does.shown.map(({ data }) => data.id), ['2', '3']);
  });

  it('shows something, whatever comes', async () => {
    const does = start();
    await does.event('push', { data: null });
    await does.event('push', { data: { json: () => JSON.parse('{') } });
    assert.deepEqual(does.shown.map(({ title, data }) => [title, data.path]), [['club.example', '/']]);
  });

  it('opens the page of a notice, or goes to it, and no page elsewhere', async () => {
    const does = start({ windows: ['https://club.example/games/7'] });
    await click(does, '/games/7');
    await click(does, '/games/8');
    for (const path of ['//evil.example/', '/\\evil.example/', 'https://evil.example/', 'javascript:alert(1)', undefined]) {
      await push(does, { ...notice, id: String(path), path });
      await click(does, path);
    }
    assert.deepEqual(does.focused, ['https://club.example/games/7']);
    assert.deepEqual(does.opened, ['https://club.example/games/8', ...Array(5).fill('https://club.example/')]);
    assert.deepEqual(new Set(does.shown.map(({ data }) => data.path)), new Set(['/']));
  });

  it('tells the service of a new address', async () => {
    const does = start();
    await does.event('pushsubscriptionchange', { oldSubscription: { options: { userVisibleOnly: true } }, newSubscription: null });
    const [[path, { method, body }]] = does.sent;
    assert.deepEqual([path, method, JSON.parse(body).endpoint], ['/v1/me/browsers', 'POST', 'https://push.example/new']);
  });
});

describe('webhooks', () => {
  it('are added, tested, repeated, given another secret, and removed', async () => {
    const player = await makePlayer(client, 'Ada');
    const page = await openNotices(player, desktop, /400/);
    await page.getByLabel('Name', { exact: true }).last().fill('Club');
    await page.locator('#webhook-url').fill('ftp://chat.example/');
    await press(page, 'Add the webhook');
    await says(page, '#webhook-url-fault', 'It must begin with https://');
    await page.locator('#webhook-url').fill(`${receiver.origin}/hook`);
    await press(page, 'Add the webhook');
    await page.waitForSelector('#webhook-secret');
    const secret = await page.locator('#webhook-secret').textContent();
    await isWell(page);
    await press(page, 'Send a test to Club');
    const [first] = await receiver.at('/hook');
    assert.ok(isSigned(first, secret));
    await until(60, 'it is in the list', async () => {
      await press(page, 'Show what was sent to Club');
      return (await page.locator('.deliveries').textContent()).includes('delivered');
    });
    await press(page, 'Send again: test');
    await receiver.at('/hook', 2);
    await press(page, 'Replace the secret of Club');
    await page.waitForFunction((before) => document.getElementById('webhook-secret')?.textContent !== before, secret);
    await isWell(page);
    await press(page, 'Remove Club');
    await page.waitForFunction(() => document.querySelectorAll('#webhooks li').length === 0);
    assert.deepEqual(good(await client.get('/v1/me/webhooks', { token: player.token })).items, []);
    await finish(page);
  });

  it('say in German why nothing arrived', async () => {
    const player = await makePlayer(client, 'Ben');
    const away = Object.assign(new URL('/', receiver.origin), { port: '1' });
    good(await client.post('/v1/me/webhooks', { name: 'Fort', url: away.href, form: 'standard' }, player.token));
    const page = await openNotices(player, { locale: 'de-DE', ...phone });
    await press(page, 'Test senden an Fort');
    await until(60, 'it is in the list', async () => {
      await press(page, 'Gesendetes zeigen: Fort');
      return (await page.locator('.deliveries').textContent()).includes('(Es gab keine Verbindung, oder sie brach vor der Antwort ab.)');
    });
    assert.equal(await page.locator('.deliveries [lang=en]').count(), 0);
    await isWell(page);
    await finish(page);
  });
});
