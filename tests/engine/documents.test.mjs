// The worked examples of RECORD.md and LOG.md: what stands there, in bytes, is what a program makes that was written after these pages
// (stranger.mjs, verify_roll.mjs), and what the service's own code accepts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as stranger from './stranger.mjs';
import { blocksOf, documents, examples } from './vectors/examples.mjs';
import { checkSignatures, verifyRecord } from './record/verify_roll.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
const texts = documents.map((url) => readFileSync(url, 'utf8'));
const blocks = new Map(texts.flatMap(blocksOf).map(({ name, text }) => [name, text]));
const block = (name) => blocks.get(name);
let folder;

before(() => { folder = mkdtempSync(path.join(tmpdir(), 'documents-')); });
after(() => rmSync(folder, { recursive: true }));

function tillroll(files, ...options) {
  const paths = files.map((text, i) => {
    const file = path.join(folder, String(i));
    writeFileSync(file, text);
    return file;
  });
  return spawnSync(path.join(build, 'tillroll'), ['verify', ...options.map((option) => (typeof option === 'number' ? paths[option] : option))], { encoding: 'utf8' });
}

function accepted(files, ...options) {
  const { status, stdout, stderr } = tillroll(files, ...options);
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

describe('the worked examples', () => {
  it('are all there, and what is made anew', () => {
    assert.deepEqual([...blocks.keys()].sort(), Object.keys(examples).sort());
    for (const [name, text] of blocks) assert.equal(text, examples[name], `${name}: node tests/engine/vectors/examples.mjs --write`);
    for (const text of texts) assert.doesNotMatch(text, /shared\/|\t/);
  });

  it('are good records and signatures', () => {
    const record = verifyRecord(Buffer.from(block('record')));
    assert.ok(record.finished);
    assert.equal(checkSignatures(record, Buffer.from(block('signatures'))), 8);
    assert.match(accepted([block('record'), block('signatures')], '--signatures', 1, 0), /: valid: /);
    const [, first, second] = /^h\(0\) = (.{64})\nh\(1\) = (.{64})\n$/.exec(block('chain'));
    assert.deepEqual(block('record').split('\n').slice(0, 2).map((line) => line.slice(-8)), [first.slice(0, 8), second.slice(0, 8)]);
    assert.match(block('luck'), new RegExp(`^secret +${record.secret}\nscope +${record.header.game}\ncommit +${record.header.commit}\nseed +${record.seed}\n`));
  });

  // The program that tells a game knows its cost card only from the secret; the list is the game's own.
  it('have the luck of the game: the costs of its first round', () => {
    const [card] = /^shuffle +([0-5 ]+)$/m.exec(block('luck'))[1].split(' ').map(Number);
    const { cost_cards } = JSON.parse(readFileSync(path.join(root, 'engine/games/supermarche/components.json'), 'utf8'));
    const { costs } = cost_cards.rows[card];
    const { stdout } = spawnSync(path.join(build, 'tillroll'), ['replay', path.join(root, 'tests/engine/vectors/records/00.roll')], { encoding: 'utf8' });
    const bought = [...stdout.matchAll(/buys (\d+) (Dry Goods|Frozen) for \$(\d+)/g)].map(([, count, good, price]) => [good, price / count]);
    assert.deepEqual(bought, [['Dry Goods', costs['dry-goods']], ['Frozen', costs.frozen], ['Frozen', costs.frozen]]);
    assert.equal(cost_cards.rows.filter((other) => other.costs['dry-goods'] === costs['dry-goods'] && other.costs.frozen === costs.frozen).length, 1);
  });

  it('are good receipts', () => {
    const record = verifyRecord(Buffer.from(block('record')));
    const key = block('key').trim();
    const receipt = JSON.parse(block('receipt'));
    stranger.checkReceipt(receipt, key);
    stranger.checkKept(receipt, record);
    const entropy = JSON.parse(block('entropy-receipt'));
    stranger.checkEntropyReceipt(entropy, key);
    stranger.checkKept(entropy, record);
    for (const name of ['receipt', 'entropy-receipt']) {
      assert.match(accepted([block(name), block('record')], '--receipt', 0, '--key', key, 1), /: kept: /);
      assert.match(accepted([`{"finished": false, "receipt": ${block(name)}}`], '--receipt', 0, '--key', key), /: signed: /);
      assert.equal(tillroll([block(name).replace(/"seat": 0|"seq": 2/, (found) => `${found.slice(0, -1)}1`), block('record')], '--receipt', 0, '--key', key, 1).status, 1);
    }
  });

  it('are a good bundle of a game', () => {
    const bytes = `${block('record')}${block('bundle-end')}`;
    const vkey = block('vkey').trim();
    assert.equal(stranger.checkGameBundle(Buffer.from(bytes), vkey).checkpoint.size, 3);
    const said = accepted([bytes], '--log-key', vkey, 0);
    assert.match(said, /: valid: supermarche 1\.0\.0, .*\n.*: signed by club\.example\/log\n.*: valid: 7 of 8 plies .*\n.*: in the log club\.example\/log of 3 leaves\n$/);
    assert.ok(bytes.endsWith(`\n${block('checkpoint')}`));
    const bare = bytes.indexOf('\n\ntillroll signatures 1\n') + 1;
    assert.match(accepted([bytes.slice(0, bare)], '--key', vkey, 0), /: signed by /);
    for (const other of [`${bytes}\n`, bytes.replace('index 1', 'index 2'), bytes.replace(/\n([A-Za-z0-9+/]{43}=)\n/, '\n')])
      assert.equal(tillroll([other], '--log-key', vkey, 0).status, 1);
  });

  it('are a good log', () => {
    const checkpoint = stranger.readNote(Buffer.from(block('checkpoint')));
    stranger.checkNote(checkpoint, block('vkey').trim());
    const { root: top, size } = stranger.readCheckpoint(checkpoint.text);
    const leaves = stranger.leavesOfTile(Buffer.from(block('entry-tile').replaceAll('\n', ''), 'hex'));
    assert.equal(leaves.length, size);
    assert.equal(block('leaves'), leaves.map((leaf, i) => `${leaf}# leaf ${i}: ${stranger.leafHash(leaf).toString('hex')}\n`).join('\n'));
    assert.ok(stranger.rootOf(leaves.map((leaf) => stranger.leafHash(leaf))).equals(top));
    assert.ok(leaves.includes(block('key-leaf')));
    assert.deepEqual([stranger.tileName('entries', 0, 3), stranger.tileName(0, 5), stranger.tileName(1, 1234067)], ['entries/000.p/3', '0/005', '1/x001/x234/067']);
  });

  it('are good logs of disputes and histories of keys', () => {
    const steps = stranger.readDisputeLog(block('dispute'));
    assert.deepEqual(steps.slice(1).map(({ kind }) => kind), ['opened', 'frozen', 'ruled']);
    assert.equal(block('dispute-leaf'), stranger.leafText('dispute', steps[0].dispute, steps.at(-1).head));
    const lines = block('key-history').trimEnd().split('\n');
    const { player } = verifyRecord(Buffer.from(block('record'))).header.seats[0];
    assert.equal(stranger.checkKeyHistory(player, lines), null);
    assert.match(stranger.checkKeyHistory(player, lines.slice(0, 3)), /^[0-9a-f]{64}$/);
    assert.equal(block('key-leaf'), stranger.keyLeaf(player, lines[2]));
    for (const other of [[...lines].reverse(), lines.slice(1), [lines[0], lines[1].replace(/.$/, '0')]]) assert.throws(() => stranger.checkKeyHistory(player, other));
  });

  it('are a good bundle of an event, in form', () => {
    const { log } = stranger.checkEventBundle(Buffer.from(block('event-bundle')), block('key').trim());
    assert.equal(log.map((line) => stranger.eventLine({ ...line, detail: stranger.printJson(line.detail) })).join(''), block('event-line'));
    assert.equal(block('event-step-leaf'), stranger.leafText('event-step', `${JSON.parse(block('event-bundle').split('\n')[0]).event}/line/1`, stranger.eventHead(JSON.parse(block('event-bundle').split('\n')[0]).event, [block('event-line')])));
    assert.throws(() => stranger.checkEventBundle(Buffer.from(block('event-bundle').replace('Frühling', 'Fr\\u00FChling')), block('key').trim()), /in the one way/);
  });
});
