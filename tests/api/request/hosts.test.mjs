// A page of the internet whose name suddenly stands for an address in a private network, where a service is (DNS rebinding): its
// requests have that name as Host and Origin, which no page can change, and whatever other fields it likes.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makePlayer, password } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let port;
let player;
let token;
const site = 'http://games.club.example:8080';

before(async () => {
  bed = new Testbed();
  const { client } = await bed.startService(['--site-address', site, '--trusted-proxy', '127.0.0.2']);
  ({ port } = client);
  player = await makePlayer(client);
  ({ token } = good(await client.post('/v1/tokens', { name: player.name, password })));
});
after(() => bed.end());

// What a page at `http://<host>` asks, as the address `from`.
function ask(method, target, host, { from = '127.0.0.1', json, headers = {} } = {}) {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const fields = { Host: host, Origin: `http://${host}`, ...headers };
  if (body !== undefined) Object.assign(fields, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, localAddress: from, method, path: target, headers: fields }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    request.on('error', reject).end(body);
  });
}

const forms = {
  'reads the API': ['GET', '/v1/events'],
  'reads pages': ['GET', '/', { headers: { Accept: 'text/html' } }],
  'reads scripts': ['GET', '/static/lib/words.js'],
  'reads figures of the machine': ['GET', '/metrics'],
  'makes accounts': ['POST', '/v1/players', { json: { name: 'Rebound', password } }],
  'makes guests': ['POST', '/v1/guests', { json: { name: 'Rebound' } }],
  'tries passwords': ['POST', '/v1/sessions', { json: { name: 'Rebound', password: 'a wrong one' } }],
  'uses a token': ['GET', '/v1/me', { withToken: true }],
  'says that it is a proxy': ['GET', '/v1/events', { headers: { 'X-Forwarded-For': '192.0.2.7' } }],
};

describe('a name that stands for a private address', () => {
  for (const [what, [method, target, { withToken, ...more } = {}]] of Object.entries(forms))
    it(`${what} in vain`, async () => {
      if (withToken) more.headers = { Authorization: `Bearer ${token}` };
      const answer = await ask(method, target, `evil.example:${port}`, more);
      assert.equal(answer.status, 421);
      const { code, detail } = JSON.parse(answer.text);
      assert.equal(code, 'unknown-host');
      assert.match(detail, /TILLROLL_SITE_ADDRESS/);
      assert.equal(answer.headers['set-cookie'], undefined);
    });
});

describe('a name that is known', () => {
  it('is an address, one of the network, or the site itself', async () => {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'pc', 'pc.local', '[::1]', 'games.club.example', 'GAMES.club.example:8080'])
      assert.equal((await ask('GET', '/v1/events', host)).status, 200, host);
  });

  it('is any, where a trusted proxy asks for somebody', async () => {
    const headers = { 'X-Forwarded-For': '192.168.1.9' };
    assert.equal((await ask('GET', '/v1/events', 'other.example', { from: '127.0.0.2', headers })).status, 200);
    assert.equal((await ask('GET', '/v1/events', 'other.example', { from: '127.0.0.2' })).status, 421);
    assert.equal((await ask('GET', '/v1/events', 'other.example', { from: '127.0.0.3', headers })).status, 421);
  });
});

describe('a plain cookie', () => {
  const signIn = (host, more) => ask('POST', '/v1/sessions', host, { json: { name: player.name, password }, ...more });
  const cookieOf = (answer) => answer.headers['set-cookie'][0].split(';')[0];
  const statusOf = async (host, Cookie, headers = {}) => (await ask('GET', '/v1/me', host, { headers: { Cookie, ...headers } })).status;

  it('is given, and counts, where there can be no TLS', async () => {
    for (const host of [`127.0.0.1:${port}`, 'pc.local', 'games.club.example:8080']) {
      const cookie = cookieOf(await signIn(host));
      assert.match(cookie, /^tillroll=tr_/);
      assert.equal(await statusOf(host, cookie), 200);
    }
  });

  it('cannot be planted for pages that come over TLS, even by a proxy that names nobody', async () => {
    const { client } = await bed.startService(['--site-address', 'https://games.club.example']);
    const planted = cookieOf(await client.request('POST', '/v1/sessions', { json: { name: player.name, password }, headers: { Origin: `http://127.0.0.1:${client.port}` } }));
    assert.match(planted, /^tillroll=tr_/);
    const get = (headers) => client.request('GET', '/v1/me', { headers: { Cookie: planted, ...headers } });
    assert.deepEqual([(await get({})).status, (await get({ Host: 'games.club.example' })).status], [200, 401]);
  });
});
