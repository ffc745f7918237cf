// A service as it is deployed sends to the public internet alone: 40 and more hostile targets are refused, when they are entered or when
// a connection would be made. Names are resolved by hostile_names.so, as a hostile name server would.
import assert from 'node:assert/strict';
import path from 'node:path';
import net from 'node:net';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makePlayer } from '../support/play.mjs';
import { build, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { Browser } from './receivers.mjs';

let bed;
let client;
let trap;
let caught = 0;

before(async () => {
  bed = new Testbed();
  trap = net.createServer((socket) => {
    caught += 1;
    socket.destroy();
  });
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const libraries = ['quick_passwords.so', 'hostile_names.so'].map((name) => path.join(build, 'tests', name)).join(':');
  ({ client } = await bed.startService([], { LD_PRELOAD: libraries }));
});
after(async () => {
  trap?.close();
  await bed.end();
});

const entered = [
  'http://chat.example/', 'ftp://chat.example/', 'file:///etc/passwd', 'gopher://chat.example/', 'dict://chat.example/', 'smtp://chat.example/', 'ldap://chat.example/',
  'https://user@chat.example/', 'https://user:word@chat.example/', 'https://chat.example/#part', 'https://localhost/', 'https://LOCALHOST/', 'https://localhost./', 'https://x.localhost/',
  'https://router/', 'https://printer.local/', 'https://metadata.google.internal/computeMetadata/v1/', 'https://127.0.0.1/', 'https://127.1/', 'https://0x7f.0.0.1/', 'https://2130706433/',
  'https://017700000001/', 'https://0/', 'https://0.0.0.0/', 'https://10.0.0.1/', 'https://172.16.0.1/', 'https://192.168.0.1/', 'https://100.100.100.200/', 'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/', 'https://192.0.0.192/', 'https://224.0.0.1/', 'https://255.255.255.255/', 'https://[::]/', 'https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/', 'https://[fe80::1]/', 'https://[fd00:ec2::254]/', 'https://[ff02::1]/', 'https://chat.example\\@127.0.0.1/', 'https://127。0。0。1/',
];

// The labels say what hostile_names.c resolves them to.
const resolved = ['v4-127-0-0-1', 'v4-10-0-0-1', 'v4-169-254-169-254', 'v4-192-168-1-1', 'v4-0-0-0-0', 'v4-100-100-100-200', 'v6-loopback', 'v6-mapped', 'v6-nat64', 'v6-metadata', 'both', 'rebind'];

describe('an address that is entered', () => {
  it(`is refused if it leads anywhere but to the public internet: ${entered.length} of them`, async () => {
    const player = await makePlayer(client, 'Ada');
    assert.ok(entered.length >= 40);
    for (const url of entered) {
      const hook = await client.post('/v1/me/webhooks', { url }, player.token);
      assert.deepEqual([url, hook.status, hook.json.code], [url, 400, 'bad-field']);
      const browser = await client.post('/v1/me/browsers', { endpoint: url, keys: new Browser(url).subscription.keys }, player.token);
      assert.deepEqual([url, browser.status, browser.json.code], [url, 400, 'bad-field']);
    }
    assert.deepEqual(good(await client.get('/v1/me/webhooks', { token: player.token })).items, []);
  });
});

describe('a name', () => {
  it(`that resolves to another network is not connected to: ${resolved.length} of them`, async () => {
    const { port } = trap.address();
    await Promise.all(resolved.map(async (name) => {
      const player = await makePlayer(client, 'Ada');
      const url = `https://${name}.hostile.example:${port}/`;
      const hook = good(await client.post('/v1/me/webhooks', { url }, player.token));
      const ended = () => until(60, `${name} ends`, async () => {
        const [delivery] = good(await client.get(`/v1/me/webhooks/${hook.id}/deliveries`, { token: player.token })).items;
        return delivery.state === 'waiting' ? undefined : delivery;
      });
      // The second time, `rebind` resolves to this machine.
      for (let i = 0; i < (name === 'rebind' ? 2 : 1); i += 1) {
        good(await client.post(`/v1/me/webhooks/${hook.id}/test`, {}, player.token));
        const delivery = await ended();
        assert.deepEqual([name, delivery.state, delivery.status], [name, 'failed', null]);
        const refused = delivery.reason === 'The host\'s address is not on the public internet; nothing was sent.';
        assert.equal(refused, name !== 'rebind' || i === 1, `${name}: ${delivery.reason}`);
      }
    }));
    assert.equal(caught, 0);
  });
});
