// Bundles of events: sealed again, and judged by event.wasm as browsers do, but at once: Node's own Ed25519 says whether signatures hold.
import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { textAt } from '../../../web-static/lib/bytes.js';
import { build } from '../../api/support/build.mjs';

// The bundle with a new seal, by a key of nobody: as a dishonest operator could after changing lines.
export function sealed(bundle) {
  const body = bundle.slice(0, bundle.lastIndexOf('\n', bundle.length - 2) + 1);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url').toString('hex');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const message = `tillroll bundle\n${/"event":"([^"]*)"/.exec(body)?.[1]}\n${sha256}\n`;
  return `${body}${JSON.stringify({ key, sha256, signature: sign(null, Buffer.from(message), privateKey).toString('hex') })}\n`;
}

const file = path.join(build, 'event.wasm');
let engine;

function holds(signature, text, key) {
  try {
    const made = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') }, format: 'jwk' });
    return verify(null, text, made, signature);
  } catch {
    return false;
  }
}

function start() {
  const bytes = (at, size) => new Uint8Array(engine.memory.buffer, at, size);
  const env = { ed25519_asked: (signature, text, size, key) => Number(holds(bytes(signature, 64), bytes(text, size), bytes(key, 32))), event_told: () => {} };
  return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { env }).exports;
}

// What it finds (engine/wasm/event/event.h), with the exit code of `tillroll event` as `status`; undefined in a build without it.
export function judgeInBrowser(bundle) {
  if (!existsSync(file)) return undefined;
  engine ??= start();
  const bytes = Buffer.from(bundle);
  const room = engine.event_room(bytes.length);
  new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes);
  return { status: engine.event_judge(), ...JSON.parse(textAt(engine.memory, engine.event_document())) };
}

// Asserts that a browser says what `tillroll event` says of a bundle: { status, output }.
export function sameInBrowser(bundle, { status, output }) {
  const found = judgeInBrowser(bundle);
  if (found === undefined) return;
  assert.equal(found.status, status, `in a browser: ${found.fault?.said}; by the command: ${output}`);
  if (found.fault === undefined) return;
  assert.ok(output.includes(`: invalid: ${found.fault.said}\n`), `in a browser: ${found.fault.said}; by the command: ${output}`);
}
