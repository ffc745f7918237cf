// The proxies' configurations, where the proxies are installed (nginx, caddy, openssl; TILLROLL_NGINX and TILLROLL_CADDY may name
// programs elsewhere): understood by them, and with nginx a service behind it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { after, before, describe, it } from 'node:test';

import { makePlayer } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { until, within } from '../api/support/waiting.mjs';
import { Nginx, nginx, skipped } from './support/nginx.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-proxies-'));
chmodSync(directory, 0o755); // nginx's workers are another user's
after(() => rmSync(directory, { recursive: true, force: true }));

const caddy = process.env.TILLROLL_CADDY ?? 'caddy';

describe('deploy/proxy/Caddyfile', skipped(caddy, 'version'), () => {
  it('is understood', () => {
    const file = path.join(root, 'deploy/proxy/Caddyfile');
    const run = spawnSync(caddy, ['validate', '--adapter', 'caddyfile', '--config', file], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
    });
    assert.equal(run.status, 0, run.stderr);
    assert.doesNotMatch(run.stderr, /not formatted/);
  });
});

describe('deploy/proxy/nginx.conf', skipped(nginx, '-v'), () => {
  let bed, client, proxy, port, session, organizer, event;

  before(async () => {
    bed = new Testbed();
    ({ client } = await bed.startService(['--trusted-proxy', '127.0.0.1', '--passwords-per-minute', '20']));
    proxy = new Nginx(directory);
    port = await proxy.configure([client.port]);
    organizer = await makePlayer(client);
    const made = await client.post('/v1/events', { name: 'Behind', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 1 }, organizer.token);
    event = made.json.id;
    await proxy.start();
    session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  });
  after(async () => {
    session?.destroy();
    await proxy?.end();
    await bed.end();
  });

  // A request over HTTP/2 by the site's name: { status, headers, text }.
  async function ask(method, target, { headers = {}, json } = {}) {
    const fields = { ':method': method, ':path': target, ':authority': `club.example:${port}`, ...headers };
    if (json !== undefined) fields['content-type'] = 'application/json';
    const stream = session.request(fields, { endStream: json === undefined });
    if (json !== undefined) stream.end(JSON.stringify(json));
    const [answer] = await within(10, target, once(stream, 'response'));
    let text = '';
    for await (const part of stream) text += part;
    return { status: answer[':status'], headers: answer, text };
  }

  it('passes pages and answers on over HTTP/2, and asks browsers to stay with TLS', async () => {
    const page = await ask('GET', '/');
    assert.equal(page.status, 200);
    assert.match(page.headers['content-security-policy'], /^default-src 'none'/);
    assert.match(page.headers['strict-transport-security'], /^max-age=\d+$/);
    assert.equal((await ask('GET', '/v1/rulesets')).status, 200);
  });

  // The body has no announced length in HTTP/2; the service would refuse it.
  it('gathers bodies, and refuses those that are too large', async () => {
    const json = { name: `Via${port}`, password: 'correct horse battery' };
    assert.equal((await ask('POST', '/v1/players', { json })).status, 201);
    assert.equal((await ask('POST', '/v1/players', { json: { ...json, name: 'a'.repeat(70_000) } })).status, 413);
  });

  // libmicrohttpd would let these pass, cut or without the field (tests/api/http/gate.test.mjs).
  it('refuses or mends what the service cannot see', async () => {
    const raw = (bytes) => new Promise((resolve, reject) => {
      let text = '';
      const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => socket.write(bytes, 'latin1'));
      socket.setTimeout(10_000, () => reject(new Error('no answer')));
      socket.on('data', (part) => (text += part)).on('error', reject).on('close', () => resolve(text));
    });
    const request = (target, fields) => `GET ${target} HTTP/1.1\r\nHost: club.example:${port}\r\n${fields}Connection: close\r\n\r\n`;
    const refused = [['/v1/rule\0sets', ''], ['/v1/rulesets', 'Authorization: a\0b\r\n'], ['/v1/rulesets', 'Authorization: a\r\n b\r\n'], ['/v1/rulesets', ': a\r\n']];
    for (const [target, fields] of refused) assert.match(await raw(request(target, fields)), /^HTTP\/1\.1 400 /, JSON.stringify([target, fields]));
    assert.match(await raw(request('/v1/rulesets', '').replaceAll('\r', '')), /^HTTP\/1\.1 200 /);
  });

  it('leaves Host and Origin alone', async () => {
    const json = { name: organizer.name, password: 'correct horse battery' };
    const signIn = (origin) => ask('POST', '/v1/sessions', { json, headers: { origin } });
    assert.equal((await signIn('https://elsewhere.example')).status, 403);
    const answer = await signIn(`https://club.example:${port}`);
    assert.equal(answer.status, 201, answer.text);
  });

  it('lets no client choose the address that it is counted by', async () => {
    // Counted before it is read, and refused without the work of a password.
    const json = {};
    const statuses = new Set();
    for (let i = 0; i < 25; i++) statuses.add((await ask('POST', '/v1/tokens', { json, headers: { 'x-forwarded-for': `192.0.2.${i}` } })).status);
    assert.ok(statuses.has(429), [...statuses].join());
  });

  it('holds no stream back', async () => {
    const stream = session.request({ ':path': `/v1/events/${event}/stream`, ':authority': 'club.example' });
    stream.setEncoding('utf8');
    let text = '';
    stream.on('data', (part) => (text += part));
    const [answer] = await within(10, 'the head of the stream', once(stream, 'response'));
    assert.equal(answer[':status'], 200);
    assert.equal((await client.post(`/v1/events/${event}/open-entries`, undefined, organizer.token)).status, 200);
    await until(60, 'the change arrives', () => /^data: .*entries/m.test(text));
    stream.close();
  });
});
