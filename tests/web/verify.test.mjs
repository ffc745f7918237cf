// Proving games in the browser: the same engine, in a worker of the page, says what the command says.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';

import { sealed } from '../engine/wasm/bundles.mjs';
import { good } from '../api/support/client.mjs';
import { look, waitingGame } from '../api/support/entropy.mjs';
import { endQuietly, makeEvent, makeGame, makePlayers, playRandomly, Random, told } from '../api/support/play.mjs';
import { build } from '../api/support/testbed.mjs';
import { leafHash, nodeHash } from '../api/support/tlog.mjs';
import { until } from '../api/support/waiting.mjs';
import { Signer } from '../api/cli/support/witness.mjs';
import { notLong } from '../long.mjs';
import { finish, overflow, phone, rows, texts, violations } from './support/browser.mjs';
import { bed, client, organizer, read, reader } from './support/read.mjs';

const stranger = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

let event;
let game;
let vkey;
let record;
let bundle;
read({}, async () => {
  const players = await makePlayers(client, 3, 'Prover');
  ({ game, event } = await makeGame(client, organizer, players, { ruleset: 'super-motherload' }));
  await playRandomly(client, game, new Random('verify'), { plies: 60 });
  vkey = good(await client.get('/v1/keys')).keys[0].vkey;
});

// What the command says of a file, behind its name.
function commandSays(text, ...options) {
  const file = path.join(bed.directory, 'file');
  writeFileSync(file, text);
  return bed.tillroll('verify', ...options, file).stdout.trimEnd().split('\n').map((line) => line.slice(file.length + 2));
}

const verdict = (page, wanted) => page.waitForSelector(`.result[data-verdict="${wanted}"]`);

const checks = (page) => page.locator('.checks li').evaluateAll((all) => all.map((each) => [...each.children].map((part) => part.textContent)));

// The command's words as the page shows them.
async function said(page, name) {
  const [shown] = await texts(page, '.result pre');
  return shown.trimEnd().split('\n').map((line) => {
    assert.ok(line.startsWith(`${name}: `), line);
    return line.slice(name.length + 2);
  });
}

const drop = (page, files) => page.evaluate((list) => {
  const data = new DataTransfer();
  for (const { name, text } of list) data.items.add(new File([text], name));
  const target = document.querySelector('h1');
  for (const kind of ['dragover', 'drop']) target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
}, files);

describe('a game that runs', () => {
  it('is unfinished: form and chain hold, and nothing more can be told', { skip: notLong }, async () => {
    const page = await reader.open(`/games/${game.id}/verify`, {}, /409/);
    await verdict(page, 'unfinished');
    const { text } = await client.get(`${game.at}/record`);
    assert.deepEqual(await said(page, `${game.id}.roll`), commandSays(text));
    assert.deepEqual((await checks(page)).map(([state]) => state), ['holds', 'holds', 'holds', 'not judged']);
    assert.deepEqual(await violations(page), []);
    await finish(page);
    const table = await reader.open(`/games/${game.id}`);
    assert.equal(await table.getByRole('link', { name: 'Check this game yourself' }).count(), 0);
    await finish(table);
  });
});

describe('a game that is over', () => {
  before(async () => {
    await endQuietly(client, game, organizer);
    await until(20, 'the game is in the log', async () => (await client.get(`${game.at}/record.bundle`)).status === 200);
    record = (await client.get(`${game.at}/record`)).text;
    bundle = (await client.get(`${game.at}/record.bundle`)).text;
  });

  it('is proved from its own page, with signature and log', async () => {
    const page = await reader.open(`/games/${game.id}`);
    await page.getByRole('link', { name: 'Check this game yourself' }).click();
    await verdict(page, 'valid');
    const found = await checks(page);
    assert.deepEqual(found.map(([state]) => state), Array(8).fill('holds'));
    const { head, seats } = good(await client.get(game.at));
    assert.ok(found[1][1].includes(head));
    assert.match(found[3][1], /^Luck: .* No player gave entropy, so you have only the operator's word .*\.$/);
    assert.deepEqual(await said(page, `${game.id}.roll.bundle`), commandSays(bundle, '--log-key', vkey));
    const shown = await rows(page, 'table.seats');
    assert.deepEqual(new Set(shown.map(([, name, seat, score]) => `${name} ${seat} ${score}`)), new Set(seats.map((seat) => `${seat.player.name} ${seat.seat + 1} ${seat.score}`)));
    assert.equal(await page.locator('#source a').getAttribute('href'), `${game.at}/record.bundle`);
    assert.deepEqual(await violations(page), []);
    await finish(page);
    const inGerman = await reader.open(`/games/${game.id}/verify`, { locale: 'de-DE' });
    await verdict(inGerman, 'valid');
    assert.equal(await inGerman.locator('.checks [lang=en]').count(), 0);
    const words = (await checks(inGerman)).map(([, each]) => each);
    assert.match(words.at(-2), /^Die Signatur des Servers: von \S+\.$/);
    assert.match(words.at(-1), /^Transparenzlog: im Log \S+ mit \d+ (Blatt|Blättern)\.$/);
    await finish(inGerman);
  });

  it('says how many players have given entropy', { skip: notLong }, async () => {
    const players = await makePlayers(client, 3);
    const event = await makeEvent(client, organizer, players, { seats_max: 3, rounds: 1, entropy_seconds: 3600 });
    const { seating: [table] } = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const started = waitingGame(table.waiting.game, table.seats, players);
    const { commitment } = await look(client, started);
    for (const { token } of players) good(await client.request('PUT', `${started.at}/entropy`, { json: { commitment, entropy: 'ab' }, token }));
    await endQuietly(client, started, organizer);
    const page = await reader.open('/verify');
    const { text } = await client.get(`${started.at}/record`);
    await page.setInputFiles('#files', { name: 'given.roll', mimeType: '', buffer: Buffer.from(text) });
    await verdict(page, 'valid');
    assert.match((await checks(page))[3][1], /^Luck: .* 3 players gave entropy after the commitment/);
    await finish(page);
  });

  it('is proved from a file that is chosen by the keyboard or dropped', async () => {
    const page = await reader.open('/verify');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'files');
    await page.setInputFiles('#files', { name: 'chosen.roll', mimeType: '', buffer: Buffer.from(record) });
    await verdict(page, 'valid');
    assert.deepEqual(await said(page, 'chosen.roll'), commandSays(record));
    assert.deepEqual((await checks(page)).map(([state]) => state), [...Array(6).fill('holds'), 'not judged', 'not judged']);
    await drop(page, [{ name: 'dropped.roll.bundle', text: bundle }, { name: 'second.roll', text: record }]);
    await page.waitForFunction(() => document.querySelectorAll('.result').length === 2);
    assert.deepEqual(await texts(page, '.result h2'), ['Valid: dropped.roll.bundle', 'Valid: second.roll']);
    assert.equal(await page.locator('[role="status"]').textContent(), 'Valid: dropped.roll.bundle. Valid: second.roll');
    await finish(page);
  });

  it('is proved by a trust policy that is chosen together with it', { skip: notLong }, async () => {
    const page = await reader.open('/verify');
    const witness = 'witness W remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';
    await drop(page, [{ name: 'game.bundle', text: bundle }, { name: 'trust', text: `log ${vkey}\n${witness}\nquorum none` }]);
    await verdict(page, 'valid');
    assert.deepEqual((await checks(page)).at(-1), ['holds', 'Witnesses: witnessed by 0 of 1 witness.']);
    await drop(page, [{ name: 'trust', text: `log ${vkey}\n${witness}\nquorum W\n` }, { name: 'game.bundle', text: bundle }]);
    await verdict(page, 'invalid');
    assert.match((await checks(page)).at(-1)[1], /^Witnesses: invalid: too-few-witnesses: /);
    await drop(page, [{ name: 'trust', text: 'quorum W\n' }, { name: 'game.bundle', text: bundle }]);
    await verdict(page, 'unknown');
    assert.match(await page.locator('#key-fault').textContent(), /trust policy is not valid/);
    await finish(page);
  });

  it('is not proved by cosignatures that are older than allowed', { skip: notLong }, async () => {
    const witness = new Signer('witness.example', 4);
    const [checkpoint] = /[^\n]+\n\d+\n[^\n]+\n(?=\n[^\n]+\n$)/.exec(bundle);
    const files = [{ name: 'trust', text: `log ${vkey}\nwitness W ${witness.vkey}\nquorum W\n` },
      { name: 'game.bundle', text: `${bundle}${witness.cosign(checkpoint, Math.floor(Date.now() / 1000) - 100 * 3600)}` }];
    const page = await reader.open('/verify');
    const enter = async (hours) => {
      await page.fill('#hours', hours);
      await page.press('#hours', 'Tab');
    };
    await drop(page, files);
    await verdict(page, 'valid');
    await enter('99');
    await verdict(page, 'invalid');
    assert.deepEqual((await checks(page)).at(-1), ['does not hold',
      'Witnesses: the cosignatures that the trust policy requires are older than 99 hours. Get the file again: it leads to a newer checkpoint then.']);
    assert.ok((await said(page, 'game.bundle')).some((line) => line.startsWith('invalid: stale-checkpoint: ')));
    for (const nonsense of ['0', '1.5', '1000001']) {
      await enter(nonsense);
      assert.match(await page.locator('#hours-fault').textContent(), /^Enter a whole number of hours/);
    }
    await enter('101');
    await verdict(page, 'valid');
    assert.equal(await page.locator('#hours-fault').textContent(), '');
    await finish(page);
  });

  it('is not proved by an unknown witness, another log or a proof that lacks hashes: each has its own error', async () => {
    const [known, unknown] = ['known.example', 'unknown.example'].map((name) => new Signer(name, 4));
    const [text] = /[^\n]+\n\d+\n[^\n]+\n(?=\n[^\n]+\n$)/.exec(bundle);
    const now = Math.floor(Date.now() / 1000);
    const trust = (key) => `log ${key}\nwitness W ${known.vkey}\nquorum W\n`;
    const whole = `${bundle}${known.cosign(text, now)}`;
    const page = await reader.open('/verify');
    for (const [code, judged, policy] of [
      ['unknown-witness', `${bundle}${unknown.cosign(text, now)}`, trust(vkey)],
      ['other-log', whole, trust(stranger)],
      ['truncated-proof', whole.replace(/(\nindex \d+\n)[^\n]+\n/, '$1'), trust(vkey)],
    ]) {
      await drop(page, [{ name: 'trust', text: policy }, { name: `${code}.bundle`, text: judged }]);
      await page.waitForFunction((name) => document.querySelector('.result h2')?.textContent === name, `Not valid: ${code}.bundle`);
      assert.ok((await said(page, `${code}.bundle`)).some((line) => line.startsWith(`invalid: ${code}: `)), code);
      assert.ok((await checks(page)).some(([state, words]) => state === 'does not hold' && words.includes(`invalid: ${code}: `)), code);
    }
    await finish(page);
  });

  it("is proved by an older key of its log, with the history of the log's key", async () => {
    const [one, two] = [0, 1].map(() => new Signer('other.example/log', 1));
    const change = (...signers) => {
      const text = `tillroll server-key 1\n${one.vkey}\n${two.vkey}\n`;
      return `${text}\n${signers.map((each) => each.note(text)).join('')}`;
    };
    const [, head] = /\nhead ([0-9a-f]{64}) /.exec(record);
    const old = Buffer.from(one.vkey.slice(-44), 'base64').subarray(1).toString('hex');
    const files = (...signers) => {
      const note = change(...signers);
      const leaves = [leafHash(`tillroll server-key\n${old}\n${createHash('sha256').update(note).digest('hex')}\n`), leafHash(`tillroll game\n${game.id}\n${head}\n`)];
      const checkpoint = `other.example/log\n2\n${nodeHash(...leaves).toString('base64')}\n`;
      const proof = (i) => `c2sp.org/tlog-proof@v1\nindex ${i}\n${leaves[1 - i].toString('base64')}\n\n${checkpoint}\n${two.note(checkpoint)}`;
      return [{ name: 'history', text: `${note}\n${proof(0)}` }, { name: 'game.bundle', text: `${record}\n${two.note(record)}\n${proof(1)}` }];
    };
    const page = await reader.open('/verify');
    await page.fill('#key', one.vkey);
    await drop(page, files(one, two));
    await verdict(page, 'valid');
    assert.ok((await checks(page)).some(([state, words]) => state === 'holds' && /^Keys of the log: other\.example\/log has replaced its key/.test(words)));
    await drop(page, files(one, two).slice(1));
    await verdict(page, 'invalid');
    await drop(page, files(two));
    await page.waitForFunction(() => document.querySelector('.result .checks')?.textContent.includes('unsigned-key-change'));
    await finish(page);
  });

  it('is not proved by another key', { skip: notLong }, async () => {
    const page = await reader.open(`/verify?game=${game.id}`);
    await verdict(page, 'valid');
    await page.fill('#key', stranger);
    await page.press('#key', 'Tab');
    await verdict(page, 'invalid');
    assert.deepEqual(await said(page, `${game.id}.roll.bundle`), commandSays(bundle, '--log-key', stranger));
    assert.deepEqual((await checks(page)).slice(-2).map(([state]) => state), ['does not hold', 'does not hold']);
    await page.fill('#key', 'nonsense');
    await page.press('#key', 'Tab');
    await verdict(page, 'unknown');
    assert.match(await page.locator('#key-fault').textContent(), /not a verification key/);
    await finish(page);
  });
});

describe("players' signatures", () => {
  it('are proved beside the record of their game, whichever of the files comes first', async () => {
    execFileSync(path.join(build, 'tests/write_roll'), ['--all', '2', bed.directory]);
    const file = (name) => ({ name, text: readFileSync(path.join(bed.directory, name), 'utf8') });
    const page = await reader.open('/verify');
    await drop(page, [file('1.sig'), file('1.roll')]);
    await verdict(page, 'valid');
    const found = await checks(page);
    assert.equal(found.length, 9);
    const { stdout } = bed.tillroll('verify', '--signatures', path.join(bed.directory, '1.sig'), path.join(bed.directory, '1.roll'));
    assert.equal(found[8][0], 'holds');
    assert.ok(stdout.includes(`1.sig: ${found[8][1].replace(/^Players' signatures: (.*)\.$/, '$1')}\n`), found[8][1]);
    await drop(page, [file('1.sig')]);
    await page.waitForFunction(() => document.querySelector('.result h2')?.textContent === 'Cannot be judged: 1.sig');
    await finish(page);
  });
});

describe('a game at a real table', () => {
  it('is called recorded, with luck that is not judged', { skip: notLong }, async () => {
    const text = execFileSync(path.join(build, 'tests/write_roll'), ['supermarche', '1', '5', 'recorded'], { encoding: 'utf8' });
    const page = await reader.open('/verify');
    await drop(page, [{ name: 'evening.roll', text }]);
    await verdict(page, 'recorded');
    assert.equal(await page.locator('.result h2').textContent(), 'Recorded at a table: evening.roll');
    assert.deepEqual(await said(page, 'evening.roll'), commandSays(text));
    const found = await checks(page);
    assert.deepEqual(found.map(([state]) => state), ['holds', 'holds', 'holds', 'not judged', 'holds', 'holds', 'not judged', 'not judged']);
    assert.match(found[3][1], /^Luck: as told by the scorer at the table\./);
    assert.doesNotMatch(await page.locator('.result .checks').textContent(), /proved/);
    await finish(page);
  });
});

describe('a file that is wrong', () => {
  it('is shown with the first line that is wrong, and why', async () => {
    const bad = record.replace(/(\n20 \d \d+ )\S/, '$1x');
    const page = await reader.open('/verify');
    await drop(page, [{ name: 'bad.roll', text: bad }]);
    await verdict(page, 'invalid');
    const [line] = commandSays(bad);
    assert.deepEqual(await said(page, 'bad.roll'), [line]);
    const number = /^invalid: line (\d+): /.exec(line)[1];
    assert.deepEqual((await checks(page)).map(([state]) => state), ['holds', 'does not hold', 'not judged']);
    assert.equal((await checks(page))[1][1], line.slice('invalid: '.length));
    assert.equal(await page.locator('.excerpt .wrong .at').textContent(), number);
    assert.equal(await page.locator('.excerpt .wrong code').textContent(), bad.split('\n')[number - 1]);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize(phone.viewport);
    assert.equal(await overflow(page), 0);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violations(page, ['color-contrast']), []);
    await finish(page);
  });

  it('can be anything, and is shown as text', { skip: notLong }, async () => {
    const page = await reader.open('/verify');
    const image = '<img src=x onerror="alert(1)">';
    for (const text of [image, '', `${record}\n${image}\n`, `{"bundle":1,${image}`, `tillroll signatures 1\n${image}`]) {
      await drop(page, [{ name: image, text }]);
      await page.waitForSelector('.result h2');
      await page.waitForSelector('#progress', { state: 'hidden' });
      assert.match(await page.locator('.result h2').textContent(), /^(Not valid|Cannot be judged): <img/);
    }
    assert.equal(await page.locator('main img').count(), 0);
    await finish(page);
  });

  it('is not there: the service says so', { skip: notLong }, async () => {
    const page = await reader.open('/games/01900000-0000-7000-8000-000000000000/verify', {}, /404/);
    await page.waitForFunction(() => /no such|There is no/i.test(document.getElementById('status').textContent));
    await finish(page);
  });
});

describe('the bundle of an event', () => {
  it('has everything proved that the command proves, and its standings computed', async () => {
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const whole = (await client.get(`/v1/events/${event.id}/bundle`)).text;
    assert.equal(bed.proveEvent(whole).status, 0);
    const page = await reader.open('/verify');
    await drop(page, [{ name: 'event.bundle', text: whole }]);
    await page.waitForSelector('.result h2');
    assert.deepEqual((await checks(page)).map(([state]) => state), [...Array(6).fill('holds'), 'not judged']);
    assert.equal(await page.locator('.result h2').textContent(), 'Valid: event.bundle');
    const { stdout } = bed.tillroll('event', '--json', path.join(bed.directory, 'event.ndjson'));
    const { places, log_leaf: leaf } = JSON.parse(stdout);
    assert.deepEqual((await rows(page, 'table.seats')).map(([, name]) => name), places.map(({ name }) => name));
    assert.ok((await checks(page)).at(-1)[1].includes(leaf));
    assert.deepEqual(await violations(page), []);
    const damaged = [
      [/( reveal [0-9a-f]{63})./, '$1x'],
      [/("secret":")../, (_, key) => `${key}${whole.includes('"secret":"00') ? '11' : '00'}`],
      [/("kind":"entered","line":)\d+/, '$199'],
      [/("round":1,"seats":\[\[\d+,\d+,)\d+/, '$1777'],
      [/^.*"kind":"result".*\n/m, ''],
    ];
    for (const [i, [from, to]] of damaged.entries()) {
      const bad = whole.replace(from, to);
      assert.notEqual(bad, whole);
      await drop(page, [{ name: `bad-${i}.bundle`, text: bad }]);
      await page.waitForFunction((name) => document.querySelector('.result h2')?.textContent === name, `Not valid: bad-${i}.bundle`);
      const [[state, said], ...rest] = await checks(page);
      assert.deepEqual([state, rest.map(([each]) => each)], ['does not hold', ['not judged']], String(from));
      assert.ok(bed.proveEvent(bad).output.endsWith(`: invalid: ${said}\n`), said);
    }
    // An operator who forges a result seals the bundle again: its record tells another one.
    const forged = sealed(whole.replace(...damaged[3]));
    await drop(page, [{ name: 'forged.bundle', text: forged }]);
    await page.waitForFunction((name) => document.querySelector('.result h2')?.textContent === name, 'Not valid: forged.bundle');
    assert.deepEqual((await checks(page)).map(([state]) => state), ['holds', 'does not hold', 'not judged']);
    assert.match((await checks(page))[1][1], /: result-differs: /);
    await finish(page);
  });

  it('has the records of scorers replayed, and compared with what was reported', async () => {
    const evening = await makeEvent(client, organizer, await makePlayers(client, 3, 'Scorer'), { seats_min: 3, seats_max: 3, play: 'table' });
    const at = `/v1/events/${evening.id}`;
    good(await client.post(`${at}/rounds`, {}, organizer.token));
    const { id } = good(await client.post(`${at}/rounds/1/tables/1/recordings`, { id: randomUUID() }, organizer.token));
    good(await client.post(`/v1/recordings/${id}/entries`, { entries: told('shinjuku') }, organizer.token));
    good(await client.post(`${at}/close`, {}, organizer.token));
    const whole = (await client.get(`${at}/bundle`)).text;
    const page = await reader.open('/verify');
    await drop(page, [{ name: 'evening.bundle', text: whole }]);
    await page.waitForSelector('.result h2');
    assert.equal(await page.locator('.result h2').textContent(), 'Recorded at a table: evening.bundle');
    const found = await checks(page);
    assert.deepEqual(found.map(([state]) => state), [...Array(5).fill('holds'), 'not judged']);
    assert.match(found[4][1], /^1 record of a scorer .* luck as told by the scorer\.$/);
    const damaged = [
      [/("recorded":".* bind deck )/, '$1x', /: bad-record: /],
      [/("seats":\[\[\d,\d,)-?\d+/, (_, before) => `${before}31337`, /: bad-log: .* A better score has a worse rank/],
      [/("head":").{8}/, (_, before) => `${before}00000000`, /: result-differs: /],
    ];
    for (const [i, [from, to, said]] of damaged.entries()) {
      await drop(page, [{ name: `bad-${i}.bundle`, text: sealed(whole.replace(from, to)) }]);
      await page.waitForFunction((name) => document.querySelector('.result h2')?.textContent === name, `Not valid: bad-${i}.bundle`);
      const wrong = await checks(page);
      assert.ok(wrong.some(([state, text]) => state === 'does not hold' && said.test(text)), `${from}: ${wrong.join()}`);
    }
    await finish(page);
  });
});

describe('the page', () => {
  it('lets nothing compile but its worker', async () => {
    const policy = async (address) => (await client.get(address, { unchecked: true })).headers['content-security-policy'];
    assert.match(await policy('/static/verify/verify-worker.js'), /script-src 'self' 'wasm-unsafe-eval';/);
    for (const address of ['/verify', `/games/${game.id}/verify`, '/static/pages/verify.js', '/static/verify/verifier.js', '/static/verify.wasm'])
      assert.match(await policy(address), /script-src 'self';/, address);
    const page = await reader.open('/verify', {}, /wasm|policy|WebAssembly/i);
    const compiled = await page.evaluate(() => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => true, (error) => error.name));
    assert.equal(compiled, 'CompileError');
    await finish(page);
  });

  it('says that a browser without Ed25519 cannot judge signatures', { skip: notLong }, async () => {
    const page = await reader.open('/verify');
    await page.context().route('**/static/verify/verifier.js', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"Ed25519"', '"Ed25519x"') });
    });
    await page.reload();
    await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    await drop(page, [{ name: 'game.roll.bundle', text: bundle }]);
    await verdict(page, 'unknown');
    const found = await checks(page);
    assert.deepEqual(found.map(([state]) => state), [...Array(6).fill('holds'), 'not judged', 'not judged']);
    assert.match(found[6][1], /no Ed25519/);
    await finish(page);
  });

  it('says that a server was built without the engine', { skip: notLong }, async () => {
    const page = await reader.open('/verify', {}, /404/);
    await page.context().route('**/static/verify.wasm', (route) => route.fulfill({ status: 404, body: '' }));
    await page.reload();
    await page.waitForFunction(() => document.getElementById('status')?.textContent.includes('tillroll verify'));
    await finish(page);
  });
});
