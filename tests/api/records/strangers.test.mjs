// All that a service hands out to be checked is checked by a program that was written after engine/record/RECORD.md and
// engine/log/LOG.md alone (tests/engine/stranger.mjs), and refused by it where a byte is another.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import * as stranger from '../../engine/stranger.mjs';
import { verifyRecord } from '../../engine/record/verify_roll.mjs';
import { good } from '../support/client.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayers, told } from '../support/play.mjs';
import { makeKey, playSigned, register, registration } from '../support/signing.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed, client, organizer, players, event, game, receipts, dispute, vkey, key;
const bytesOf = async (target, token) => Buffer.from((await client.get(target, { token })).bytes);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--log-interval-ms', '50', '--log-origin', 'club.example/log']));
  [organizer] = await makePlayers(client, 1, 'Organizer');
  players = await makePlayers(client, 3);
  for (const player of players) await register(client, player);
  [{ vkey, public_key: key }] = good(await client.get('/v1/keys')).keys;
  ({ event, game } = await makeGame(client, organizer, players));
  receipts = [];
  for (let i = 0; i < 4; i++) {
    const [seat] = good(await client.get(game.at, { token: organizer.token })).deciders;
    const legal = await legalMoves(client, game, seat);
    receipts.push(good(await playSigned(client, game, seat, legal.moves[0], { legal })).receipt);
  }
  const made = good(await client.post(`${game.at}/disputes`, { claim: 'other', entry: 2, text: 'Zu früh: "so" \u{1f3b2}\u0301 / \\' }, players[0].token));
  dispute = `/v1/disputes/${made.id}`;
  good(await client.post(`${dispute}/freeze`, {}, organizer.token));
  good(await client.post(`${dispute}/ruling`, { orders: [{ order: 'adjust', seat: 1, points: -2 }], code: 'rule', reason: 'Ja – doch.' }, organizer.token));
  const inUse = players[1].key;
  const next = makeKey();
  const at = `/v1/players/${players[1].id}/signing-keys`;
  good(await client.post(at, registration(players[1], next, inUse), players[1].token));
  good(await client.request('DELETE', `${at}/${next.hex}`, { token: players[1].token }));
  good(await client.request('PATCH', at, { json: { required: true }, token: players[1].token }));
  await endQuietly(client, game, organizer);
  good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  await bed.logged();
});
after(() => bed?.end());

// Every leaf of the log, from its tiles, under the checkpoint.
async function readLog() {
  const note = stranger.readNote(await bytesOf('/v1/log/checkpoint'));
  stranger.checkNote(note, vkey);
  const checkpoint = stranger.readCheckpoint(note.text);
  assert.ok(checkpoint.size > 0 && checkpoint.size < 256);
  const leaves = stranger.leavesOfTile(await bytesOf(`/v1/log/tile/${stranger.tileName('entries', 0, checkpoint.size)}`));
  const hashes = stranger.hashesOfTile(await bytesOf(`/v1/log/tile/${stranger.tileName(0, 0, checkpoint.size)}`));
  assert.deepEqual(leaves.map((leaf) => stranger.leafHash(leaf)), hashes);
  assert.ok(stranger.rootOf(hashes).equals(checkpoint.root));
  return { leaves, hashes, checkpoint };
}

// Whichever byte is another, it is refused. (Some stand for nothing: they are named.)
function refusesOthers(bytes, check, { but = () => false } = {}) {
  for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 200)) {
    if (but(at)) continue;
    const other = Buffer.from(bytes);
    other[at] ^= 1;
    assert.throws(() => check(other), `byte ${at}`);
  }
  assert.throws(() => check(Buffer.concat([bytes, Buffer.from('\n')])), 'one more');
  assert.throws(() => check(bytes.subarray(0, -1)), 'one less');
}

// The lines of an event's bundle, and what seals others with a key of its own.
function resealed(bytes) {
  const lines = bytes.toString().split('\n').slice(0, -2);
  const { event: sealedEvent } = JSON.parse(lines[0]);
  const own = generateKeyPairSync('ed25519');
  const hex = own.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const as = (items) => {
    const body = items.map((item) => `${stranger.printJson(item)}\n`).join('');
    const signature = sign(null, Buffer.from(`tillroll bundle\n${sealedEvent}\n${sha256(body)}\n`), own.privateKey).toString('hex');
    return Buffer.from(`${body}${stranger.printJson({ key: hex, sha256: sha256(body), signature })}\n`);
  };
  return { lines, key: hex, as };
}

describe('a stranger', () => {
  it('checks receipts, and what records keep of them', async () => {
    const record = verifyRecord(await bytesOf(`${game.at}/record`));
    for (const receipt of receipts) {
      assert.deepEqual(Object.keys(receipt), ['game', 'seq', 'head', 'key', 'leaves', 'index', 'path', 'signature']);
      assert.equal(receipt.key, sha256(Buffer.from(key, 'hex')).slice(0, 16));
      stranger.checkReceipt(receipt, key);
      stranger.checkKept(receipt, record);
      for (const wrong of [{ seq: receipt.seq + 1 }, { head: sha256('') }, { leaves: receipt.leaves + 1 }]) {
        assert.throws(() => stranger.checkReceipt({ ...receipt, ...wrong }, key));
      }
      assert.throws(() => stranger.checkKept({ ...receipt, seq: receipt.seq + 1 }, record));
    }
  });

  it('checks the bundle of a game', async () => {
    const bytes = await bytesOf(`${game.at}/record.bundle`);
    const { signed, record } = stranger.checkGameBundle(bytes, vkey);
    assert.equal(signed, 4);
    assert.equal(record.header.game, game.id);
    refusesOthers(bytes, (other) => stranger.checkGameBundle(other, vkey));
  });

  it('checks the bundle of an event, and that its log is the one in the transparency log', async () => {
    const bytes = await bytesOf(`/v1/events/${event.id}/bundle`, organizer.token);
    const { log, records, header } = stranger.checkEventBundle(bytes, key);
    assert.equal(records.length, 1);
    assert.match(header.secret, /^[0-9a-f]{64}$/);
    refusesOthers(bytes, (other) => stranger.checkEventBundle(other, key));
    const { leaves } = await readLog();
    const text = log.map((line) => stranger.eventLine({ ...line, detail: stranger.printJson(line.detail) })).join('');
    assert.ok(leaves.includes(stranger.leafText('event-log', event.id, sha256(text))));
    assert.ok(leaves.includes(stranger.leafText('commitment', event.id, header.commitment)));
    const lines = text.match(/.*\n/g);
    assert.ok(leaves.includes(stranger.leafText('event-step', `${event.id}/line/${lines.length}`, stranger.eventHead(event.id, lines))));
    assert.equal((await client.get(`/v1/log/documents/${sha256(text)}`)).text, text);
  });

  it('checks the bundle of an event with records of scorers', async () => {
    const seated = await makePlayers(client, 6, 'Seated');
    const { id } = await makeEvent(client, organizer, seated, { seats_min: 3, seats_max: 3, rounds: 1, play: 'table' });
    const at = `/v1/events/${id}`;
    good(await client.post(`${at}/rounds`, {}, organizer.token));
    for (const table of [1, 2]) {
      const recording = good(await client.post(`${at}/rounds/1/tables/${table}/recordings`, { id: randomUUID() }, organizer.token));
      good(await client.post(`/v1/recordings/${recording.id}/entries`, { entries: told('shinjuku', table) }, organizer.token));
    }
    good(await client.post(`${at}/close`, {}, organizer.token));
    const bytes = await bytesOf(`${at}/bundle`, organizer.token);
    const { header, records, recorded } = stranger.checkEventBundle(bytes, key);
    assert.deepEqual([header.bundle, records.length, recorded.map(({ table }) => table)], [4, 0, ['1', '2']]);
    refusesOthers(bytes, (other) => stranger.checkEventBundle(other, key));
    // The service could seal anything; the records and the log still have to fit together.
    const sealed = resealed(bytes);
    const lines = sealed.lines.map((line) => JSON.parse(line));
    stranger.checkEventBundle(sealed.as(lines), sealed.key);
    const [first, second] = lines.filter((line) => line.recording);
    for (const wrong of [
      lines.filter((line) => line !== second).concat(first),
      lines.map((line) => (line === first ? { ...first, recording: second.recording } : line)),
      lines.map((line) => (line === first ? { ...first, recorded: second.recorded } : line)),
      lines.map((line) => (line.kind === 'reported' ? { ...line, detail: { ...line.detail, seats: line.detail.seats.toReversed() } } : line)),
      lines.map((line) => (line.bundle ? { ...line, bundle: 3 } : line)),
      lines.filter((line) => !line.recording),
    ]) assert.throws(() => stranger.checkEventBundle(sealed.as(wrong), sealed.key));
  });

  it('checks the log of a dispute, and finds its rulings in the transparency log', async () => {
    const text = (await client.get(`${dispute}/log`)).text;
    const steps = stranger.readDisputeLog(text);
    assert.deepEqual(steps.slice(1).map(({ kind }) => kind), ['opened', 'frozen', 'ruled']);
    refusesOthers(Buffer.from(text), (other) => stranger.readDisputeLog(other.toString('latin1')), { but: (at) => /[0-9a-f]/.test(text[at]) === false && text[at - 1] === '#' });
    const { leaves, hashes, checkpoint } = await readLog();
    const leaf = stranger.leafText('dispute', steps[0].dispute, steps.at(-1).head);
    const found = good(await client.get(`/v1/log/inclusion?leaf=${stranger.leafHash(leaf).toString('hex')}`));
    stranger.checkLogged(leaf, found.index, found.path.map((hash) => Buffer.from(hash, 'hex')), checkpoint);
    assert.equal(leaves[found.index], leaf);
    assert.equal(hashes.length, checkpoint.size);
    assert.throws(() => stranger.checkLogged(leaf, found.index + 1, found.path.map((hash) => Buffer.from(hash, 'hex')), checkpoint));
  });

  it('checks that the log has only grown, whatever part of it was seen before', async () => {
    const { hashes, checkpoint } = await readLog();
    for (let from = 0; from <= checkpoint.size; from++) {
      const { path } = good(await client.get(`/v1/log/consistency?from=${from}&to=${checkpoint.size}`));
      const nodes = path.map((hash) => Buffer.from(hash, 'hex'));
      const before = stranger.rootOf(hashes.slice(0, from));
      stranger.checkConsistent(from, before, checkpoint.size, checkpoint.root, nodes);
      if (from === 0 || from === checkpoint.size) continue;
      const others = [[from, stranger.leafHash('other'), nodes], [from, before, nodes.slice(1)], [from, before, [...nodes, nodes[0]]]];
      for (const [size, root, list] of others) assert.throws(() => stranger.checkConsistent(size, root, checkpoint.size, checkpoint.root, list));
    }
  });

  it('checks the histories of keys, line by line in the transparency log', async () => {
    const { leaves } = await readLog();
    for (const player of players) {
      const { log, in_use } = good(await client.get(`/v1/players/${player.id}/signing-keys`));
      assert.equal(stranger.checkKeyHistory(player.id, log), in_use);
      for (const line of log) assert.ok(leaves.includes(stranger.keyLeaf(player.id, line)), line);
      if (log.length > 1) assert.throws(() => stranger.checkKeyHistory(players[0].id, log));
    }
  });
});
