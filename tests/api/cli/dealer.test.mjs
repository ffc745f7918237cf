// `tillroll dealer`: whom it answers, with what, and that it answers once for each game, whatever happens to it.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { holds, outputOf } from '../../engine/vectors/ecvrf.mjs';
import { Dealer, inputText, requestOf, Signer } from './support/dealer.mjs';

const directory = mkdtempSync(path.join(tmpdir(), 'tillroll-dealer-'));
const club = new Signer('club.example/log', 1);
const policy = path.join(directory, 'policy');
writeFileSync(policy, `log ${club.vkey}\nquorum none\n`);

const scopeOf = (number) => `0190163d-8694-739b-aea5-${String(number).padStart(12, '0')}`;
const hash = (digit) => digit.repeat(64);
const input = (number, more = {}) => ({ scope: scopeOf(number), commitment: hash('a'), entropy: hash('b'), ...more });

function check(dealer, asked, { status, text }) {
  assert.equal(status, 200, text);
  assert.match(text, /^[0-9a-f]{160}\n$/);
  const proof = Buffer.from(text.trim(), 'hex');
  assert.ok(holds(Buffer.from(dealer.key, 'hex'), Buffer.from(inputText(asked)), proof), 'the proof');
  return outputOf(proof).toString('hex');
}

let dealer;
before(async () => {
  dealer = new Dealer(path.join(directory, 'd'));
  assert.equal(await dealer.start(policy), null);
});
after(async () => {
  await dealer.stop('SIGKILL');
  rmSync(directory, { recursive: true });
});

describe('a dealer', () => {
  it('proves its one output for each input', async () => {
    const outputs = new Set();
    for (const asked of [input(1), input(2, { entropy: '-' }), input(3, { scope: `${scopeOf(3)}/round/12` })]) {
      const body = requestOf(asked, club);
      const first = await dealer.send(body);
      outputs.add(check(dealer, asked, first));
      assert.deepEqual(await dealer.send(body), first);
    }
    assert.equal(outputs.size, 3);
    assert.deepEqual(await dealer.answers(1), [`${scopeOf(2)} ${hash('a')} -`, `${scopeOf(3)}/round/12 ${hash('a')} ${hash('b')}`]);
  });

  it('answers only once for a game', async () => {
    for (const other of [input(1, { commitment: hash('c') }), input(1, { entropy: '-' }), input(1, { entropy: hash('c') })]) {
      const { status, text } = await dealer.send(requestOf(other, club));
      assert.equal(status, 409);
      assert.equal(JSON.parse(text).code, 'already-answered');
    }
    check(dealer, input(1), await dealer.send(requestOf(input(1), club)));
  });

  it('answers only services that it knows, in the defined form', async () => {
    const code = async (body) => JSON.parse((await dealer.send(body)).text).code;
    assert.equal(await code(requestOf(input(9), new Signer('stranger.example/log', 1))), 'not-signed');
    assert.equal(await code(requestOf(input(9), new Signer('club.example/log', 1))), 'not-signed');
    assert.equal(await code(`${inputText(input(9))}\n${club.note(inputText(input(8)))}`), 'not-signed');
    for (const text of ['club.example/log\n5\nAAAA\n', inputText(input(9)).replace('1', '2'), inputText(input('x')), `${inputText(input(9))}more\n`])
      assert.equal(await code(requestOf(text, club)), 'bad-request', text);
    for (const body of ['', inputText(input(9))]) assert.equal(await code(body), 'bad-request');
    assert.equal((await dealer.send('', '/other')).status, 404);
    assert.equal((await fetch(`${dealer.url}/deal`)).status, 405);
    assert.equal((await fetch(`${dealer.url}/answers/x`)).status, 404);
    assert.ok(!(await dealer.answers()).some((line) => line.startsWith(scopeOf(9))));
  });

  it('remembers, however it was stopped', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      await dealer.stop(signal);
      assert.equal(await dealer.start(policy), null);
      assert.equal((await dealer.send(requestOf(input(1, { commitment: hash('c') }), club))).status, 409);
      check(dealer, input(1), await dealer.send(requestOf(input(1), club)));
    }
    assert.equal((await dealer.answers()).length, 3);
  });

  it('is killed while it answers, and never answers twice', async () => {
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 20 }, (_, i) => input(100 + 20 * round + i));
      const sent = asked.map((one) => dealer.send(requestOf(one, club)).catch(() => null));
      await Promise.any(sent);
      await dealer.stop('SIGKILL');
      const given = (await Promise.all(sent)).map((answer) => answer?.status === 200);
      assert.equal(await dealer.start(policy), null);
      for (const [i, one] of asked.entries())
        if (given[i]) assert.equal((await dealer.send(requestOf({ ...one, commitment: hash('d') }, club))).status, 409);
    }
  });

  it('removes a line that a crash cut off, and refuses damage', async () => {
    const file = path.join(dealer.directory, 'answers');
    await dealer.stop();
    const whole = readFileSync(file);
    appendFileSync(file, `${scopeOf(7)} aaaa`);
    assert.equal(await dealer.start(policy), null);
    check(dealer, input(7), await dealer.send(requestOf(input(7), club)));
    await dealer.stop();
    const more = readFileSync(file);
    assert.equal(more.toString(), `${whole}${scopeOf(7)} ${hash('a')} ${hash('b')}\n`);
    for (const damaged of [more.toString().replace(' ', '  '), more.toString().replace('a', 'x'), `${more}${more}`]) {
      writeFileSync(file, damaged);
      assert.equal(await dealer.start(policy), 2);
      assert.match(dealer.said, /a line is damaged, or there twice/);
    }
    writeFileSync(file, more);
    assert.equal(await dealer.start(policy), null);
  });

  it('has its directory for itself, and keeps its key', async () => {
    const second = Object.assign(Object.create(Dealer.prototype), { directory: dealer.directory });
    assert.equal(await second.start(policy), 2);
    assert.match(second.said, /another process uses this directory/);
    assert.throws(() => new Dealer(dealer.directory));
    assert.equal(statSync(path.join(dealer.directory, 'key')).mode & 0o77, 0);
    const other = new Dealer(path.join(directory, 'other'));
    assert.notEqual(other.key, dealer.key);
    assert.equal(await other.start('/nowhere'), 2);
  });
});
