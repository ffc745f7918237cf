// `tillroll witness`: what it answers (c2sp.org/tlog-witness), and what it remembers. Killed at any moment, or given an old
// copy of its state, it never cosigns two trees that contradict each other.
// TILLROLL_KILLS=500 TILLROLL_OLD_COPIES=50 for more of both.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Log, openCosignature, Signer, tillroll, Witness } from './support/witness.mjs';
import { isConsistent } from '../support/tlog.mjs';
import { until } from '../support/waiting.mjs';

const kills = Number(process.env.TILLROLL_KILLS ?? 12);
const oldCopies = Number(process.env.TILLROLL_OLD_COPIES ?? 4);
const directory = mkdtempSync(path.join(tmpdir(), 'tillroll-witness-'));
const all = [];
let files = 0;

function makeWitness(name = 'witness.example/w1', guard = undefined) {
  const witness = new Witness(path.join(directory, `witness-${files++}`), name, guard);
  all.push(witness);
  return witness;
}

function policyFile(...lines) {
  const file = path.join(directory, `policy-${files++}`);
  writeFileSync(file, `${lines.join('\n')}\nquorum none\n`);
  return file;
}

after(async () => {
  for (const witness of all) await witness.stop('SIGKILL');
  rmSync(directory, { recursive: true });
});

describe('add-checkpoint', () => {
  const log = new Log('log.example/a').grow(5);
  let witness;
  before(async () => {
    witness = makeWitness();
    await witness.start(policyFile(`log ${log.signer.vkey}`));
  });

  it('cosigns the first checkpoint that it sees', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, text } = await witness.add(log.request(0));
    assert.equal(status, 200);
    const time = openCosignature(text, log.text(), witness.vkey);
    assert.ok(time >= before && time <= Date.now() / 1000);
    const newest = await witness.newest(log.origin);
    assert.equal(newest.text, `${log.checkpoint()}${text}`);
  });

  it('cosigns what extends it, and the same again', async () => {
    for (const size of [6, 8, 13, 64, 65, 300]) {
      const from = log.leaves.length;
      log.grow(size - from);
      for (const old of [from, size]) {
        const { status, text } = await witness.add(log.request(old));
        assert.equal(status, 200, text);
        openCosignature(text, log.text(), witness.vkey);
      }
    }
  });

  it('says with 409 from which size to begin', async () => {
    log.grow(3);
    for (const old of [0, 5, 299, 301]) assert.deepEqual(await witness.add(log.request(old)), { status: 409, type: 'text/x.tlog.size', text: '300\n' });
    assert.equal((await witness.add(log.request(300))).status, 200);
    assert.equal((await witness.add(log.request(5, 64))).status, 409); // older than what it has seen
  });

  it('refuses a fork', async () => {
    const size = log.leaves.length;
    const other = log.fork(size - 1, 'other');
    const refused = await witness.add(other.request(size));
    assert.equal(refused.status, 422, refused.text);
    assert.equal(JSON.parse(refused.text).code, 'inconsistent');
    // Another tree of the same size is evidence against the log, and is kept.
    const same = log.fork(size - 1, 'same');
    same.leaves.pop();
    assert.deepEqual(await witness.add(same.request(size)), { status: 409, type: 'text/x.tlog.size', text: `${size}\n` });
    const [fork] = readdirSync(witness.directory).filter((name) => name.startsWith('fork-'));
    const kept = readFileSync(path.join(witness.directory, fork), 'utf8');
    assert.ok(kept.includes(log.text()) && kept.includes(same.text()));
    await until(10, 'it says so', () => /ALARM: log\.example\/a has signed two trees/.test(witness.said));
  });

  it('refuses a proof that is changed, too short or too long', async () => {
    const size = log.leaves.length;
    log.grow(4);
    const lines = log.request(size).split('\n');
    const hash = Buffer.alloc(32, 7).toString('base64');
    for (const bad of [lines.toSpliced(1, 1), lines.toSpliced(1, 1, hash), lines.toSpliced(1, 0, hash)]) assert.equal((await witness.add(bad.join('\n'))).status, 422);
    assert.equal((await witness.add(lines.join('\n'))).status, 200);
  });

  it('refuses an unknown log with 404, and a checkpoint that is not signed with 403', async () => {
    const stranger = new Log('log.example/stranger').grow(2);
    assert.equal((await witness.add(stranger.request(0))).status, 404);
    const impostor = new Log(log.origin).grow(2);
    assert.equal((await witness.add(impostor.request(0))).status, 403);
    const size = log.leaves.length;
    const damaged = log.checkpoint().replace(/(.{8})=\n$/, (_, tail) => `${tail === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA'}=\n`);
    assert.equal((await witness.add(log.request(size, size, damaged))).status, 403);
    // Signatures of others beside it are ignored.
    const more = `${log.checkpoint()}${new Signer('someone.example', 1).note(log.text())}`;
    assert.equal((await witness.add(log.request(size, size, more))).status, 200);
  });

  it('refuses with 400 what is not a request', async () => {
    const size = log.leaves.length;
    const good = log.request(size);
    const bad = ['', 'old\n', 'old 1', `old 0${good.slice(4)}`, good.replace('old ', 'new '), good.replace('\n', '\nshort\n'), good.replace('\n\n', '\n'),
      good.replace('\n', `\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}`), good.slice(0, -3), good.replace(/^old \d+/, `old ${size + 1}`), `${good}\n`];
    for (const body of bad) {
      const { status, type, text } = await witness.add(body);
      assert.equal(status, 400, body);
      assert.equal(type, 'application/problem+json');
      assert.ok(JSON.parse(text).detail.length > 20);
    }
    assert.equal((await fetch(`${witness.url}/add-checkpoint`)).status, 405);
    assert.equal((await fetch(`${witness.url}/else`)).status, 404);
    assert.equal((await witness.newest('log.example/never')).status, 404);
    assert.equal((await witness.add(`old 0\n\n${'x'.repeat(70000)}`)).status, 413);
  });

  // filippo.io/torchwood, cmd/litewitness/testdata/multi-cosigs-ed25519.txt
  it('answers the request of another implementation', async () => {
    const origin = 'sigsum.org/v1/tree/985ea163f5af026723561354f51f2ebcdcf2af809ce254ccfb64aa9aadd80f90';
    const raw = Buffer.from('52c05edad1bf5feffa81354faae59a655d9a9a1a793ed2f62c39c26c0be2aecd', 'hex');
    const { vkeyOf } = await import('./support/witness.mjs');
    const other = makeWitness('example.com/witness');
    await other.start(policyFile(`log ${vkeyOf(origin, 1, raw)}`));
    const text = `${origin}\n1\nKgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n`;
    const answer = await other.add(`old 0\n\n${text}\n— ${origin} 7BKT0gOfNZ1J0So9unY3BZtm2YkPIoNYM/dce0Z2avJDs8dxN6ts9bOSwwrVrbjm6P9K3ZxpK6jJngOG6YvGGzV/lwo=\n`);
    assert.equal(answer.status, 200, answer.text);
    openCosignature(answer.text, text, other.vkey);
  });

  it('limits how often one client may ask', async () => {
    const limited = makeWitness();
    await limited.start(policyFile(`log ${log.signer.vkey}`), { options: ['--rate', '10'] });
    const statuses = new Set();
    for (let i = 0; i < 12; i++) statuses.add((await limited.add(log.request(1))).status);
    assert.ok(statuses.has(429));
  });
});

describe('the state', () => {
  it('is of one process at a time, and cannot be begun twice', async () => {
    const log = new Log('log.example/b').grow(2);
    const policy = policyFile(`log ${log.signer.vkey}`);
    const witness = makeWitness();
    await witness.start(policy);
    const { child, ended, port } = witness;
    assert.equal(await witness.start(policy, { fails: true }), 2);
    assert.match(witness.said, /another process uses this directory/);
    Object.assign(witness, { child, ended, port });
    const shown = spawnSync(tillroll, ['witness', 'public', witness.directory], { encoding: 'utf8' }); // whoever trusts it wants its key while it serves
    assert.deepEqual([shown.status, shown.stdout], [0, `${witness.vkey}\n`], shown.stderr);
    assert.throws(() => new Witness(witness.directory, 'witness.example/again'));
  });

  it('is not begun anew where it is lost or damaged', async () => {
    const log = new Log('log.example/c').grow(2);
    const policy = policyFile(`log ${log.signer.vkey}`);
    for (const damage of [(file) => rmSync(file), (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('generation 2', 'generation 3'))])
      for (const name of ['state', 'guard']) {
        const witness = makeWitness();
        await witness.start(policy);
        assert.equal((await witness.add(log.request(0))).status, 200);
        await witness.stop();
        damage(path.join(witness.directory, name));
        assert.equal(await witness.start(policy, { fails: true }), 2, `${damage} ${name}`);
      }
  });

  it('may be one change ahead of its guard, as after a crash', async () => {
    const log = new Log('log.example/h').grow(2);
    const policy = policyFile(`log ${log.signer.vkey}`);
    const witness = makeWitness();
    const guard = path.join(witness.directory, 'guard');
    const guards = [readFileSync(guard)];
    await witness.start(policy);
    assert.equal((await witness.add(log.request(0))).status, 200);
    await witness.stop();
    guards.push(readFileSync(guard));
    writeFileSync(guard, guards[0]);
    await witness.start(policy);
    assert.deepEqual(readFileSync(guard), guards[1]);
    assert.equal((await witness.add(log.request(2))).status, 200);
    await witness.stop();
    writeFileSync(guard, guards[0]);
    assert.equal(await witness.start(policy, { fails: true }), 2);
  });

  // Each checkpoint that was cosigned is kept; a fork is offered after each start.
  it(`survives ${kills} kills`, async (t) => {
    const log = new Log('log.example/d').grow(1);
    const policy = policyFile(`log ${log.signer.vkey}`);
    const witness = makeWitness();
    const cosigned = [];
    const roots = new Map();
    let size = 0;
    for (let i = 0; i < kills; i++) {
      await witness.start(policy);
      // Where does it stand? Never behind what it has cosigned.
      const { status, text } = await witness.add(log.request(0));
      size = status === 409 ? Number(text) : log.leaves.length;
      assert.ok(status === 409 || (status === 200 && cosigned.length === 0));
      assert.ok(size >= (cosigned.at(-1) ?? 0), `it stands at ${size}, and has cosigned ${cosigned.at(-1)}`);
      if (size > 1) {
        const fork = log.fork(size - 1, `fork ${i}`).grow(2, `fork ${i}`);
        assert.notEqual((await witness.add(fork.request(size))).status, 200);
      }
      setTimeout(() => witness.child.kill('SIGKILL'), Math.random() * 40);
      try {
        for (;;) {
          log.grow(1 + Math.floor(Math.random() * 4));
          const { status: given, text: line } = await witness.add(log.request(size));
          assert.equal(given, 200, line);
          openCosignature(line, log.text(), witness.vkey);
          size = log.leaves.length;
          cosigned.push(size);
          roots.set(size, log.tree.root(size));
        }
      } catch (error) {
        assert.equal(error.name, 'TypeError', error.stack); // fetch: it was killed
      }
      await witness.ended;
    }
    t.diagnostic(`${cosigned.length} cosignatures between ${kills} kills`);
    assert.ok(cosigned.length > 0);
    const tree = log.tree;
    for (const [at, root] of roots) assert.ok(root.equals(tree.root(at)));
    assert.ok(isConsistent(cosigned[0], roots.get(cosigned[0]), size, tree.root(size), log.proof(cosigned[0], size).map((line) => Buffer.from(line, 'base64').toString('hex'))));
  });

  it(`refuses ${oldCopies} old copies where the guard is elsewhere`, async () => {
    const log = new Log('log.example/e').grow(1);
    const policy = policyFile(`log ${log.signer.vkey}`);
    for (let i = 0; i < oldCopies; i++) {
      const witness = makeWitness('witness.example/w1', path.join(directory, `guard-${files++}`));
      await witness.start(policy);
      const steps = 2 + (i % 4);
      for (let step = 0; step < steps; step++) {
        const from = step === 0 ? 0 : log.leaves.length;
        assert.equal((await witness.add(log.grow().request(from))).status, 200);
        if (step === 0) cpSync(witness.directory, `${witness.directory}-old`, { recursive: true });
      }
      await witness.stop('SIGKILL');
      rmSync(witness.directory, { recursive: true });
      cpSync(`${witness.directory}-old`, witness.directory, { recursive: true });
      const status = await witness.start(policy, { fails: true });
      assert.equal(status, 2);
      assert.match(witness.said, /one of them is an old copy/);
    }
  });

  // State and guard both old: what others have of its cosignatures shows it.
  it(`is asked for elsewhere: ${oldCopies} old copies with their guards sign no fork`, async () => {
    const log = new Log('log.example/f').grow(1);
    let served = '';
    let up = false;
    const server = createServer((request, response) => {
      if (up) response.writeHead(request.url === '/log/checkpoint' ? 200 : 404).end(served);
      else request.socket.destroy();
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const policy = policyFile(`log ${log.signer.vkey} http://127.0.0.1:${server.address().port}/log`);
    try {
      for (let i = 0; i < oldCopies; i++) {
        served = log.checkpoint();
        up = true;
        const witness = makeWitness();
        await witness.start(policy);
        let first = 0;
        await until(30, 'it has asked', async () => (first = await witness.add(log.request(0))).status !== 503);
        assert.equal(first.status, 200);
        cpSync(witness.directory, `${witness.directory}-old`, { recursive: true });
        const old = log.leaves.length;
        const { text: line } = await witness.add(log.grow(3).request(old));
        served = `${log.checkpoint()}${line}`;
        await witness.stop('SIGKILL');
        rmSync(witness.directory, { recursive: true });
        cpSync(`${witness.directory}-old`, witness.directory, { recursive: true });
        const fork = log.fork(old, `fork ${i}`);
        up = i % 2 === 0;
        await witness.start(policy);
        if (!up) {
          const refused = await witness.add(fork.request(old));
          assert.equal(refused.status, 503);
          assert.equal(JSON.parse(refused.text).code, 'starting');
          up = true;
        }
        let answer;
        await until(30, 'it has asked', async () => (answer = await witness.add(fork.request(old))).status !== 503);
        assert.deepEqual(answer, { status: 409, type: 'text/x.tlog.size', text: `${log.leaves.length}\n` });
        await until(10, 'it says so', () => /the state was an old copy/.test(witness.said));
        await witness.stop();
      }
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('learns from a cosignature of its own in a request', async () => {
    const log = new Log('log.example/g').grow(4);
    const policy = policyFile(`log ${log.signer.vkey}`);
    const witness = makeWitness();
    await witness.start(policy);
    assert.equal((await witness.add(log.request(0))).status, 200);
    await witness.stop();
    cpSync(witness.directory, `${witness.directory}-old`, { recursive: true });
    await witness.start(policy);
    const { text: line } = await witness.add(log.grow(2).request(4));
    await witness.stop();
    rmSync(witness.directory, { recursive: true });
    cpSync(`${witness.directory}-old`, witness.directory, { recursive: true });
    await witness.start(policy);
    assert.equal((await witness.add(log.request(4, 6, `${log.checkpoint()}${line}`))).text, '6\n');
    assert.equal((await witness.add(log.fork(4, 'fork').request(4))).text, '6\n');
    assert.ok(existsSync(path.join(witness.directory, 'state')));
  });
});
