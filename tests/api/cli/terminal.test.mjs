// What strangers write into files and answers does not reach the terminal of whoever looks at them: no control characters, and
// none that turn text around. Anybody can seal a bundle with a key of their own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build } from '../support/build.mjs';
import { within } from '../support/waiting.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const directory = mkdtempSync(path.join(tmpdir(), 'tillroll-terminal-'));
after(() => rmSync(directory, { recursive: true }));

const hostile = '\u001b[2J\u0007\u009b31m\u202eevil';
const harmless = '?[2J??31m?evil';
const read = (name) => readFileSync(path.join(root, name), 'utf8');
const keep = (name, text) => {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
};
const run = (...words) => {
  const { status, stdout, stderr } = spawnSync(path.join(build, 'tillroll'), words, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
};
const isClean = (said) => assert.doesNotMatch(said, /[^\n\t\x20-\x7e\u00a0-\u2027\u2030-\uffff]/);

// The bytes in which a bundle's lines are compared: members in order of their names.
const sorted = (value) => (Array.isArray(value) ? value.map(sorted)
  : value !== null && typeof value === 'object' ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]))
    : value);
const canonical = (value) => JSON.stringify(sorted(value)).replace(/\\u[0-9a-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`);

function seal(lines) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const text = lines.map((line) => `${canonical(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const signature = sign(null, Buffer.from(`tillroll bundle\n${lines[0].event}\n${sha256}\n`), privateKey).toString('hex');
  return `${text}${canonical({ key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'), sha256, signature })}\n`;
}

describe('a bundle', () => {
  it('names its event harmlessly', () => {
    const lines = read('deploy/club/shinjuku.bundle').trim().split('\n').slice(0, -1).map((line) => JSON.parse(line));
    lines[1].detail.name = hostile;
    const { status, said } = run('event', keep('name.bundle', seal(lines)));
    assert.equal(status, 0, said);
    assert.ok(said.includes(`: valid: ${harmless}, shinjuku 1.0.0\n`), JSON.stringify(said));
    isClean(said);
  });
});

describe('a file of signatures', () => {
  it('is refused harmlessly', () => {
    const records = 'tests/engine/vectors/records/00';
    const begun = read(`${records}.sig`).split('\n').slice(0, 2).join('\n');
    const { status, said } = run('verify', '--signatures', keep('own.sig', `${begun}\n${hostile}\n`), path.join(root, `${records}.roll`));
    assert.equal(status, 1);
    assert.ok(said.includes(`found: ${harmless}\n`), JSON.stringify(said));
    isClean(said);
  });
});

describe('a component set', () => {
  it('has its keys named harmlessly', () => {
    const set = JSON.parse(read('engine/games/shinjuku/components.json'));
    const { status, said } = run('components', 'check', keep('key.json', JSON.stringify({ ...set, '\u009b31m\u202e': 1 })));
    assert.equal(status, 1);
    assert.match(said, /\?31m\?: The ruleset has no such key here/);
    isClean(said);
  });
});

describe('an analysis', () => {
  it('names players harmlessly', () => {
    const plies = Array.from({ length: 3 }, () => ({ seat: 0, skill: [-1, 1] }));
    const analysis = { analysis: '3', game: 'x', seats: [{ name: hostile }, { name: 'Bo' }], plies };
    const { status, said } = run('collusion', '--all', keep('analysis.json', JSON.stringify(analysis)));
    assert.equal(status, 0, said);
    assert.ok(said.includes(`${harmless} -> Bo\n`), JSON.stringify(said));
    isClean(said);
  });
});

describe('a service', () => {
  const id = '01a2261d-625e-7f4b-b202-8b78578385cc';

  // What a command says to a service that always answers with these bytes; on a terminal, whose ends of lines are `\r\n`.
  async function say(answer, words, terminal = false) {
    const listener = createServer((_, to) => to.end(answer)).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const all = [path.join(build, 'tillroll'), ...words, '--server', `http://127.0.0.1:${listener.address().port}`];
    const [first, ...rest] = terminal ? ['script', '-qec', all.map((word) => `'${word}'`).join(' '), '/dev/null'] : all;
    const child = spawn(first, rest, { env: { ...process.env, XDG_CONFIG_HOME: directory }, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    const [status] = await within(20, words.join(' '), once(child, 'close'));
    listener.close();
    assert.equal(status, 0, said);
    return terminal ? said.replaceAll('\r\n', '\n') : said;
  }

  it('shows rounds harmlessly', async () => {
    const round = { number: 1, state: hostile, games: [{ id: hostile, state: hostile, event: { table: 1 }, seats: [{ player: { name: hostile } }] }],
      byes: [{ kind: hostile, player: { name: hostile } }] };
    const said = await say(JSON.stringify(round), ['pairings', id, '1']);
    assert.equal(said.split(harmless).length - 1, 6, JSON.stringify(said));
    isClean(said);
  });

  it('answers `api` with JSON whose escapes are harmless', async () => {
    const document = { name: `${hostile}\u{e0041}` };
    const said = await say(JSON.stringify(document), ['api', 'GET', '/v1/x']);
    isClean(said);
    assert.deepEqual(JSON.parse(said), document);
  });

  it('answers `api` and `record` harmlessly on a terminal, and elsewhere with its own bytes', async () => {
    const text = `tillroll 1\n\t${hostile}\n`;
    for (const words of [['api', 'GET', '/v1/x'], ['record', id]]) {
      assert.equal(await say(text, words), text);
      const said = await say(text, words, true);
      assert.equal(said, text.replace(hostile, harmless));
      isClean(said);
    }
    assert.equal(await say('not\0all', ['api', 'GET', '/v1/x']), 'not\0all');
  });
});
