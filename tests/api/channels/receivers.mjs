// The other side: a push service whose browser decrypts what comes and checks who sent it, and a receiver of webhooks that checks signatures.
// Written from the RFCs with node's own cryptography, apart from what the service uses.
import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createHmac, createPublicKey, hkdfSync, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import http from 'node:http';
import { once } from 'node:events';

import { undoInTheEnd } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

// An HTTP server on this machine that notes what comes. `answer(request, response, received)` answers; without one, 201.
export class Receiver {
  received = [];
  answer = (request, response) => response.writeHead(201).end();

  async start() {
    this.server = http.createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const received = { path: request.url, method: request.method, headers: request.headers, body: Buffer.concat(parts) };
        received.arrived_s = Date.now() / 1000;
        this.received.push(received);
        this.answer(request, response, received);
      });
      request.on('error', () => {});
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
    undoInTheEnd(() => this.end());
    return this;
  }

  end() {
    this.server.closeAllConnections?.();
    this.server.close();
  }

  // What came to a path, once there are `count` of them.
  async at(path, count = 1) {
    const found = () => this.received.filter((each) => each.path === path);
    await until(60, `${count} come to ${path}`, () => found().length >= count);
    return found();
  }
}

// ---- Web push ----

const url64 = (bytes) => Buffer.from(bytes).toString('base64url');

// A browser with its keys (RFC 8291).
export class Browser {
  #pair = createECDH('prime256v1');
  auth = randomBytes(16);

  constructor(endpoint) {
    this.endpoint = endpoint;
    this.public = this.#pair.generateKeys();
  }

  // As PushSubscription.toJSON() gives it.
  get subscription() {
    return { endpoint: this.endpoint, expirationTime: null, keys: { p256dh: url64(this.public), auth: url64(this.auth) } };
  }

  // RFC 8188 and RFC 8291: one record, padded.
  decrypt(message) {
    const salt = message.subarray(0, 16);
    const size = message.readUInt32BE(16);
    const length = message[20];
    const sender = message.subarray(21, 21 + length);
    const record = message.subarray(21 + length);
    assert.equal(length, 65);
    assert.ok(record.length <= size && message.length <= 4096);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.public, sender]);
    const secret = Buffer.from(hkdfSync('sha256', this.#pair.computeSecret(sender), this.auth, info, 32));
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    assert.equal(padded[end], 2, 'the last record ends with 2');
    return padded.subarray(0, end);
  }
}

// Whether a request may be from the holder of a public key, as a push service checks it (RFC 8292). Resolves with the token's claims.
export function checkVapid(received, origin, publicKey) {
  const [, token, key] = /^vapid t=([^ ,]+), k=([^ ,]+)$/.exec(received.headers.authorization);
  const [header, claims, signature] = token.split('.');
  assert.equal(key, publicKey);
  assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url')), { typ: 'JWT', alg: 'ES256' });
  const point = Buffer.from(key, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: url64(point.subarray(1, 33)), y: url64(point.subarray(33)) };
  const text = Buffer.from(`${header}.${claims}`);
  assert.ok(verify('sha256', text, { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')), 'it is signed');
  const said = JSON.parse(Buffer.from(claims, 'base64url'));
  assert.equal(said.aud, origin);
  assert.ok(said.exp > Date.now() / 1000 && said.exp <= Date.now() / 1000 + 86_400);
  return said;
}

// ---- Webhooks ----

// By the rules of Standard Webhooks; true if one of the signatures is by this secret.
export function isSigned(received, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': sent, 'webhook-signature': signatures } = received.headers;
  assert.ok(Math.abs(Number(sent) - received.arrived_s) < 300);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${sent}.`).update(received.body).digest();
  return signatures.split(' ').some((each) => {
    const [version, code] = each.split(',');
    const bytes = Buffer.from(code, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}
