// Logs of our own, which can fork, and processes of `tillroll witness`.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign as makeSignature, verify as verifySignature } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';

import { build } from '../../support/testbed.mjs';
import { DefinedTree, leafHash } from '../../support/tlog.mjs';
import { until } from '../../support/waiting.mjs';

export const tillroll = path.join(build, 'tillroll');
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const rawOf = (publicKey) => publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
const keyIdOf = (name, type, raw) => sha256(`${name}\n`, Buffer.of(type), raw).subarray(0, 4);
export const vkeyOf = (name, type, raw) => `${name}+${keyIdOf(name, type, raw).toString('hex')}+${Buffer.concat([Buffer.of(type), raw]).toString('base64')}`;

// A signer with a name: of notes (type 1) or of checkpoints (type 4).
export class Signer {
  constructor(name, type, seed) {
    this.name = name;
    this.key = seed === undefined ? generateKeyPairSync('ed25519').privateKey : createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
    const raw = rawOf(createPublicKey(this.key));
    this.id = keyIdOf(name, type, raw);
    this.vkey = vkeyOf(name, type, raw);
  }

  // The line of a note.
  note(text) {
    return `— ${this.name} ${Buffer.concat([this.id, makeSignature(null, Buffer.from(text), this.key)]).toString('base64')}\n`;
  }

  cosign(text, time) {
    const seconds = Buffer.alloc(8);
    seconds.writeBigUInt64BE(BigInt(time));
    const signature = makeSignature(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), this.key);
    return `— ${this.name} ${Buffer.concat([this.id, seconds, signature]).toString('base64')}\n`;
  }
}

// RFC 6962, 2.1.2.
function consistency(tree, from, to, first = 0, whole = true) {
  const size = to - first;
  const old = from - first;
  if (old === size) return whole ? [] : [tree.root(size, first)];
  let half = 1;
  while (2 * half < size) half *= 2;
  return old <= half
    ? [...consistency(tree, from, first + half, first, whole), tree.root(size - half, first + half)]
    : [...consistency(tree, from, to, first + half, false), tree.root(half, first)];
}

export class Log {
  constructor(origin, signer = new Signer(origin, 1)) {
    this.origin = origin;
    this.signer = signer;
    this.leaves = [];
  }

  grow(count = 1, kind = 'leaf') {
    for (let i = 0; i < count; i++) this.leaves.push(leafHash(`${kind} ${this.leaves.length}`));
    return this;
  }

  // The same log up to a size, which then says something else.
  fork(size, kind) {
    const other = new Log(this.origin, this.signer);
    other.leaves = this.leaves.slice(0, size);
    return other.grow(this.leaves.length - size + 1, kind);
  }

  get tree() {
    return new DefinedTree(this.leaves);
  }

  text(size = this.leaves.length) {
    return `${this.origin}\n${size}\n${this.tree.root(size).toString('base64')}\n`;
  }

  checkpoint(size = this.leaves.length) {
    const text = this.text(size);
    return `${text}\n${this.signer.note(text)}`;
  }

  proof(from, to = this.leaves.length) {
    return from === 0 ? [] : consistency(this.tree, from, to).map((hash) => hash.toString('base64'));
  }

  // The body of add-checkpoint.
  request(from, to = this.leaves.length, note = this.checkpoint(to)) {
    return `old ${from}\n${this.proof(from, to).map((line) => `${line}\n`).join('')}\n${note}`;
  }
}

// The time of a cosignature of this text. Throws unless the witness made it.
export function openCosignature(line, text, vkey) {
  const [name, id, ...rest] = vkey.split('+');
  const typed = Buffer.from(rest.join('+'), 'base64');
  assert.equal(typed[0], 4);
  const [, signer, base64] = /^— (\S+) (\S+)\n?$/.exec(line);
  const bytes = Buffer.from(base64, 'base64');
  assert.equal(signer, name);
  assert.equal(bytes.length, 76);
  assert.equal(bytes.subarray(0, 4).toString('hex'), id);
  const time = bytes.readBigUInt64BE(4);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  assert.ok(verifySignature(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key, bytes.subarray(12)), 'the cosignature');
  return Number(time);
}

// ---- Processes ----

export class Witness {
  constructor(directory, name, guard) {
    this.directory = directory;
    this.name = name;
    this.guard = guard;
    const made = spawnSync(tillroll, ['witness', 'new', directory, '--name', name, ...this.#where()], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    this.vkey = made.stdout.trim();
  }

  #where() {
    return this.guard === undefined ? [] : ['--guard', this.guard];
  }

  // Starts it and waits until it listens; or, with `fails`, until it has ended. `within`: the command within which it runs, on a machine
  // with another address.
  async start(policy, { listen = '127.0.0.1:0', options = [], fails = false, within = [] } = {}) {
    const words = ['witness', 'serve', this.directory, '--policy', policy, '--listen', listen, '--rate', '0', ...this.#where(), ...options];
    const [first, ...more] = [...within, tillroll, ...words];
    const child = spawn(first, more, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    this.host = listen.slice(0, listen.lastIndexOf(':'));
    this.said = '';
    this.ended = once(child, 'close');
    child.stderr.on('data', (bytes) => (this.said += bytes));
    if (fails) return (await this.ended)[0];
    await until(15, `${this.name} listens: ${this.said}`, () => /port \d+\n/.test(this.said) || child.exitCode !== null || child.signalCode !== null);
    this.port = Number(/witness .* port (\d+)\n/.exec(this.said)[1]);
    return this.port;
  }

  get url() {
    return `http://${this.host}:${this.port}`;
  }

  async stop(signal = 'SIGTERM') {
    if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill(signal);
    await this.ended;
  }

  // { status, type, text }
  async add(body) {
    const answer = await fetch(`${this.url}/add-checkpoint`, { method: 'POST', body });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  }

  async newest(origin) {
    const answer = await fetch(`${this.url}/checkpoint/${sha256(origin).toString('hex')}`);
    return { status: answer.status, text: await answer.text() };
  }
}
