// Officials sign what they decide: the event's setting says whether, the service asks for a text, and the bundle proves it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { sameInBrowser, sealed } from '../../engine/wasm/bundles.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, play, playRandomly, Random, reachAuction } from '../support/play.mjs';
import * as stranger from '../../engine/stranger.mjs';
import { makeKey, register } from '../support/signing.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
let organizer;
let players;
let files = 0;
let other; // another service

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
  await register(client, organizer);
});
after(async () => {
  await bed.end();
  await other?.end();
});

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const code = (answer) => `${answer.status} ${answer.json?.code ?? ''}`.trim();
const field = (...signatures) => ({ 'Tillroll-Signature': signatures.join(',') });
const setting = (value) => ({ official_signatures: value });
const change = (event, json, headers = {}, token = organizer.token) => client.request('PATCH', `/v1/events/${event.id}`, { json, token, headers });
const logOf = async (event) => good(await client.get(`/v1/events/${event.id}/log`)).items;

// The text that is signed, written anew from engine/tournament/event/official.h.
function textOf(event, steps, base, { by, kind, detail }) {
  const lines = steps.slice(0, base).map((step) => `${step.seq} ${step.at} ${step.by?.id ?? '-'} ${step.kind} ${JSON.stringify(step.detail)}\n`);
  const head = lines.reduce((hash, line) => sha256(`${hash} ${line}`), sha256(`tillroll event-log 1 ${event.id}\n`));
  return `tillroll official\n${event.id}\n${head}\n${by.id}\n${kind}\n${JSON.stringify(detail)}\n`;
}

// Sends again with the signature that is asked for.
async function signed(send, key) {
  const asked = await send({});
  assert.equal(code(asked), '403 official-signature-required');
  assert.equal(asked.json.sign.key, key.hex);
  return send(field(key.sign(asked.json.sign.text)));
}

const makeAdmin = async (bed, client) => {
  const player = await makePlayer(client, 'Keeper');
  asOwner(bed.cluster, `UPDATE tillroll.player SET roles = 1 WHERE id = '${player.id}'`);
  return player;
};

async function makeEvent(value) {
  const { event, game } = await makeGame(client, organizer, players);
  await endQuietly(client, game, organizer);
  if (value !== 'off') good(await change(event, setting(value)));
  return event;
}

const rule = (event, winner, headers) => client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`,
  { token: organizer.token, headers, json: { no_show: players.filter((player) => player !== winner).map(({ id }) => id), reason: 'Did not come.' } });

// The log told anew in a line, with what came after `kept` of its own lines: logs from before there were signatures of officials have one.
function toldAnew(lines, kept = 0) {
  const log = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind !== undefined);
  const told = log.map(({ line, ...rest }) => rest);
  const before = kept === 0 ? [{ ...log[0], detail: { old: true } }] : log.slice(0, kept);
  const anew = { actor: '', at: log.at(-1).at, detail: { lines: told }, kind: 'restated', line: before.length + 1 };
  const from = lines.findIndex((line) => line.startsWith('{"name":'));
  const own = kept === 0 ? before.map((line) => JSON.stringify(line)) : lines.slice(1, from);
  return [lines[0], ...own, JSON.stringify(anew), ...lines.slice(from)];
}

const bundleOf = async (event) => (await client.get(`/v1/events/${event.id}/bundle`, { token: organizer.token })).text;

async function prove(text, ...options) {
  const file = path.join(bed.directory, `bundle-${files++}`);
  writeFileSync(file, text);
  const { status, output: stdout } = await bed.tillrollAs('', 'event', file, ...options);
  if (options.length === 0) sameInBrowser(text, { status, output: stdout });
  return { status, stdout, code: /invalid: (?:line \d+: )?([a-z-]+):/.exec(stdout)?.[1] };
}

// The bundle with other lines, sealed again.
const reseal = (text, edit) => sealed(`${edit(text.trimEnd().split('\n').slice(0, -1)).join('\n')}\n{}\n`);

describe('an event that takes no signatures of officials', () => {
  it('ignores them, and its bundle is as it was', async () => {
    const event = await makeEvent('off');
    good(await rule(event, players[0], field('ask')));
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    assert.ok((await logOf(event)).every(({ signature }) => signature === null));
    const text = await bundleOf(event);
    assert.ok(text.startsWith('{"bundle":2,'));
    assert.doesNotMatch((await prove(text)).stdout, /acts of officials/);
  });
});

describe('an event that requires the signatures of officials', () => {
  let event;

  it('says what to do to an official without a key', async () => {
    event = await makeEvent('required');
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).settings.official_signatures, 'required');
    const keyless = await makePlayer(client, 'Without a key');
    good(await signed((headers) => client.request('POST', `/v1/events/${event.id}/roles`, { json: { player: keyless.id, role: 'organizer' }, headers, token: organizer.token }), organizer.key));
    const before = bed.cluster.fingerprint();
    const refused = await change(event, { name: 'Other' }, {}, keyless.token);
    assert.equal(code(refused), '409 no-key-in-use');
    assert.match(refused.json.detail, /tillroll key register/);
    assert.equal(bed.cluster.fingerprint(), before);
  });

  it('takes a ruling with the signature of the official alone', async () => {
    const before = bed.cluster.fingerprint();
    const asked = await rule(event, players[0]);
    assert.equal(code(asked), '403 official-signature-required');
    const steps = await logOf(event);
    const { text } = asked.json.sign;
    const detail = JSON.parse(text.split('\n')[5]);
    assert.equal(text, textOf(event, steps, steps.length, { by: organizer, kind: 'ruled', detail }));
    for (const wrong of [makeKey().sign(text), organizer.key.sign(text.replace('ruled', 'ruling_revoked')), '00', 'x'.repeat(128)])
      assert.equal(code(await rule(event, players[0], field(wrong))), '422 bad-signature');
    assert.equal(code(await rule(event, players[1], field(organizer.key.sign(text)))), '422 bad-signature'); // of another ruling
    assert.equal(bed.cluster.fingerprint(), before);
    good(await rule(event, players[0], field(organizer.key.sign(text))));
    const last = (await logOf(event)).find(({ kind }) => kind === 'ruled');
    assert.deepEqual(last.signature, { base: last.seq - 1, key: organizer.key.hex, signature: organizer.key.sign(text) });
    assert.equal(code(await rule(event, players[0], field(organizer.key.sign(text)))), '422 bad-signature'); // once only
  });

  it('takes settings, roles, a player who is dropped, and the end likewise, and nothing else', async () => {
    good(await signed((headers) => change(event, { name: 'Signed' }, headers), organizer.key));
    const role = { player: players[2].id, role: 'arbiter' };
    good(await signed((headers) => client.request('POST', `/v1/events/${event.id}/roles`, { json: role, headers, token: organizer.token }), organizer.key));
    good(await signed((headers) => client.request('POST', `/v1/events/${event.id}/close`, { json: {}, headers, token: organizer.token }), organizer.key));
    const kinds = (await logOf(event)).filter(({ signature }) => signature !== null).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['role_given', 'ruled', 'settings_changed', 'role_given', 'closed']);
  });

  it('is proved by its bundle, and each change of it is noticed', async () => {
    const text = await bundleOf(event);
    assert.ok(text.startsWith('{"bundle":4,'));
    const { status, stdout } = await prove(text);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /5 of 5 acts of officials are signed by them/);
    assert.ok(stdout.includes(`official ${organizer.id} signed with ${organizer.key.hex}`));
    assert.deepEqual(JSON.parse((await prove(text, '--json')).stdout.replace(/^[^{]*/, '')).officials, { acts: 5, signed: 5, keys: { [organizer.id]: [organizer.key.hex] } });
    const isSignature = (line) => line.startsWith('{"base":');
    const at = (lines) => lines.findIndex(isSignature);
    const edits = {
      'no-official-signature': [(lines) => lines.filter((line) => !isSignature(line)), (lines) => lines.filter((_, i) => i !== at(lines)),
        (lines) => toldAnew(lines), (lines) => toldAnew(lines, (lines.filter((line) => line.startsWith('{"actor":')).length))],
      'bad-official-signature': [
        (lines) => lines.map((line, i) => (i === at(lines) - 1 ? line.replace('"role":"organizer"', '"role":"arbiter"') : line)),
        (lines) => lines.map((line, i) => (i === at(lines) ? line.replace(/"signature":"(.)/, (_, digit) => `"signature":"${digit === '0' ? 1 : 0}`) : line)),
        (lines) => lines.map((line) => (isSignature(line) ? line.replace(organizer.key.hex, makeKey().hex) : line)),
        // A line before it: the official saw another event.
        (lines) => lines.map((line, i) => (i === 1 ? line.replace(/"at":(\d+)/, (_, ms) => `"at":${Number(ms) - 1}`) : line)),
      ],
      'stale-official-signature': [(lines) => lines.map((line, i) => (i === at(lines) ? line.replace(/"base":(\d+)/, '"base":1') : line))],
      'bad-line': [
        (lines) => lines.flatMap((line, i) => (i === at(lines) ? [line, line] : [line])),
        (lines) => lines.map((line, i) => (i === 0 ? line.replace('"bundle":4', '"bundle":2') : line)),
        (lines) => { const [line] = lines.filter(isSignature); return lines.flatMap((each, i) => (i === 1 ? [each, line.replace(/"line":\d+/, '"line":1')] : [each])); },
      ],
    };
    for (const [wanted, all] of Object.entries(edits))
      for (const [i, edit] of all.entries()) assert.equal((await prove(reseal(text, edit))).code, wanted, `${wanted} ${i}`);
    const again = reseal(text, (lines) => lines);
    assert.equal((await prove(again)).status, 0);
    const keyOf = (bundle) => JSON.parse(bundle.trimEnd().split('\n').at(-1)).key;
    assert.equal(stranger.checkEventBundle(Buffer.from(again), keyOf(again)).signatures.length, 5);
    for (const [wanted, all] of Object.entries(edits).filter(([each]) => each !== 'no-official-signature'))
      for (const [i, edit] of all.entries()) {
        const other = reseal(text, edit);
        assert.throws(() => stranger.checkEventBundle(Buffer.from(other), keyOf(other)), `${wanted} ${i}`);
      }
  });

  // The operator's accomplice has a key, and no role.
  it('names whoever signed without a role in the event', async () => {
    const text = await bundleOf(event);
    const steps = await logOf(event);
    const [accomplice, key] = [{ id: players[1].id }, makeKey()];
    const { detail } = steps.findLast(({ kind }) => kind === 'ruled');
    const base = steps.length;
    const ruled = { actor: accomplice.id, at: Date.parse(steps.at(-1).at), detail, kind: 'ruled', line: base + 1 };
    const signature = { base, key: key.hex, line: base + 1, signature: key.sign(textOf(event, steps, base, { by: accomplice, kind: 'ruled', detail })) };
    const { stdout } = await prove(reseal(text, (lines) => lines.toSpliced(lines.findIndex((line) => line.startsWith('{"name":')), 0, JSON.stringify(ruled), JSON.stringify(signature))));
    assert.ok(stdout.includes(`official ${accomplice.id} signed with ${key.hex}, and has no role in the event at its end\n`), stdout);
    assert.ok(stdout.includes(`official ${organizer.id} signed with ${organizer.key.hex}\n`), stdout);
  });

  it('is the same when it is moved to another service', async () => {
    const text = await bundleOf(event);
    other = new Testbed();
    const { client: there } = await other.startService();
    const admin = await makeAdmin(other, there);
    const at = `/v1/imports/${sha256(text)}`;
    assert.equal((await there.request('PUT', `${at}/parts/1`, { token: admin.token, body: Buffer.from(text), headers: { 'Content-Type': 'text/plain' } })).status, 204);
    good(await there.post(at, { key: JSON.parse(text.trimEnd().split('\n').at(-1)).key, parts: 1 }, admin.token));
    assert.equal((await there.get(`/v1/events/${event.id}/bundle`)).text, text);
  });
});

describe('what officials do in a running game', () => {
  const toSeat = (game, name, json, headers = {}, token = organizer.token) => client.request('POST', `${game.at}/${name}`, { json, token, headers });
  const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;
  const signaturesOf = async (game) => (await client.get(`${game.at}/signatures`)).text;
  const acts = (text) => text.split('\n').filter((line) => line.startsWith('official '));
  let event;
  let game;
  let bundle;

  it('needs a signature where the event requires it, of the game as it is', async () => {
    ({ event, game } = await makeGame(client, organizer, players, setting('required')));
    const before = bed.cluster.fingerprint();
    const asked = await toSeat(game, 'fallback', { seat: 1 });
    assert.equal(code(asked), '403 official-signature-required');
    const { text } = asked.json.sign;
    const { head } = good(await client.get(game.at));
    assert.equal(text, `tillroll official\n${game.id}\n${head}\n${organizer.id}\nfallback\n1\n`);
    assert.equal(code(await toSeat(game, 'forfeit', { seat: 1 }, field(organizer.key.sign(text)))), '422 bad-signature'); // of another act
    assert.equal(code(await toSeat(game, 'fallback', { seat: 1 }, field(makeKey().sign(text)))), '422 bad-signature');
    assert.equal(bed.cluster.fingerprint(), before);
    await playRandomly(client, game, new Random('acts'), { plies: 1 });
    assert.equal(code(await toSeat(game, 'fallback', { seat: 1 }, field(organizer.key.sign(text)))), '422 bad-signature'); // of an earlier position
    good(await signed((headers) => toSeat(game, 'fallback', { seat: 1 }, headers), organizer.key));
    good(await signed((headers) => toSeat(game, 'recall', { seat: 1 }, headers), organizer.key));
    assert.equal(acts(await signaturesOf(game)).length, 2);
  });

  it('is signed of the game with the lines that are held back while several decide in secret', async () => {
    const four = [...players, await makePlayer(client, 'Fourth')];
    const { game: auction } = await makeGame(client, organizer, four, { ...setting('required'), ruleset: 'mall-world', clock: { move_ms: 86_400_000 } });
    const { deciders, seq } = await reachAuction(client, auction, new Random('signed absence'));
    const offerer = [0, 1, 2, 3].find((seat) => !deciders.includes(seat));
    good(await play(client, auction, deciders[0], [(await legalMoves(client, auction, deciders[0])).moves[0]], seq));
    good(await signed((headers) => toSeat(auction, 'fallback', { seat: offerer }, headers), organizer.key));
    const record = await recordOf(auction);
    assert.match(record, new RegExp(` sealed ${deciders[0]} #\\S+\\n${seq + 2} - \\d+ fallback ${offerer} #\\S+\\n$`));
    const sig = await signaturesOf(auction);
    assert.match(acts(sig).join('\n'), new RegExp(`^official ${seq + 2} ${organizer.id} [^\\n]+$`));
    assert.match(bed.verifySignatures(sig, record).output, /signed\.sig: valid: /);
  });

  it('is signed by rulings on a dispute: each of its orders', async () => {
    const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'rules', text: 'No.' }, game.players[0].token));
    good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
    const ruling = { orders: [{ order: 'adjust', seat: 0, points: 2 }, { order: 'adjust', seat: 2, points: -1 }], code: 'as-played', reason: 'So it is.' };
    const rule = (headers) => client.request('POST', `/v1/disputes/${dispute.id}/ruling`, { json: ruling, token: organizer.token, headers });
    const first = await rule({});
    const signatures = [organizer.key.sign(first.json.sign.text)];
    const second = await rule(field(...signatures));
    assert.equal(code(second), '403 official-signature-required');
    assert.match(second.json.sign.text, /\nruling\n\S+ adjust 2 -1 by /);
    assert.equal(second.json.sign.text.split('\n')[2], first.json.sign.text.split('\n')[2]);
    good(await rule(field(...signatures, organizer.key.sign(second.json.sign.text))));
    assert.equal(acts(await signaturesOf(game)).length, 4);
  });

  it('is signed for substitutes and forfeits, with a key in a file, too', async () => {
    const substitute = await makePlayer(client, 'Substitute');
    good(await signed((headers) => toSeat(game, 'substitute', { seat: 2, player: substitute.id }, headers), organizer.key));
    game.players[2] = substitute;
    const file = path.join(bed.directory, 'game-key');
    writeFileSync(file, `${organizer.key.seed}\n`, { mode: 0o600 });
    const { status, output } = await bed.tillrollAs(organizer.token, 'api', 'POST', `${game.at}/forfeit`, '{"seat":2}', '--sign', file, '--server', `http://127.0.0.1:${client.port}`);
    assert.equal(status, 0, output);
    assert.ok(output.includes(`signing for game ${game.id}: forfeit 2`), output);
    const kinds = acts(await signaturesOf(game)).map((line) => Number(line.split(' ')[1])).map((seq) => new RegExp(`^${seq} - \\d+ (\\S+)`, 'm'));
    const record = await recordOf(game);
    assert.deepEqual(kinds.map((pattern) => pattern.exec(record)[1]), ['fallback', 'return', 'ruling', 'ruling', 'substitute', 'forfeit']);
  });

  it('is proved by the record with its signatures, and each change of it has its error', async () => {
    for (const seat of [0, 1]) good(await signed((headers) => toSeat(game, 'fallback', { seat }, headers), organizer.key));
    const [text, record] = [await signaturesOf(game), await recordOf(game)];
    assert.match(bed.verifySignatures(text, record).output, /valid: 8 acts of officials are signed/);
    const check = (edit) => /invalid: (?:line \d+: )?([a-z-]+):/.exec(bed.verifySignatures(edit(text), record).output)?.[1];
    const line = (n) => acts(text)[n];
    assert.equal(check((all) => all.replace(/(official .* )(.)([0-9a-f]{127})$/m, (_, start, digit, rest) => `${start}${digit === '0' ? 1 : 0}${rest}`)), 'bad-official-signature');
    assert.equal(check((all) => all.replace(organizer.key.hex, makeKey().hex)), 'bad-official-signature');
    assert.equal(check((all) => all.replace(organizer.id, players[0].id)), 'bad-official-signature');
    assert.equal(check((all) => all.replace(line(4), line(4).replace(/^official \d+/, line(5).split(' ').slice(0, 2).join(' '))).replace(`${line(5)}\n`, '')), 'bad-official-signature'); // moved
    assert.equal(check((all) => all.replace(`${line(3)}\n`, `${line(3)}\n${line(3)}\n`)), 'bad-line');
    good(await signed((headers) => client.request('POST', `/v1/events/${event.id}/close`, { json: {}, headers, token: organizer.token }), organizer.key));
    bundle = await bundleOf(event);
  });

  it('is proved by the bundle, which lacks no signature', async () => {
    const { status, stdout } = await prove(bundle);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /9 of 9 acts of officials are signed by them/);
    assert.equal(stranger.checkEventBundle(Buffer.from(bundle), JSON.parse(bundle.trimEnd().split('\n').at(-1)).key).records.length, 1);
    const edit = (change) => reseal(bundle, (lines) => lines.map((line) => {
      const object = JSON.parse(line);
      return object.record === undefined ? line : JSON.stringify({ ...object, signatures: change(object.signatures) });
    }));
    const without = (n) => (text) => text.replace(`${acts(text)[n]}\n`, '');
    for (const needed of [0, 2, 3, 4, 5, 6]) assert.equal((await prove(edit(without(needed)))).code, 'no-official-signature', `${needed}`);
    // Before version 4 nobody signed them.
    const older = await prove(reseal(edit(without(0)), (lines) => lines.map((line, i) => (i === 0 ? line.replace('"bundle":4', '"bundle":3') : line))));
    assert.equal(older.status, 0, older.stdout);
    assert.match(older.stdout, /8 of 9 acts of officials are signed by them/);
    assert.equal((await prove(edit(without(1)))).status, 0); // a return: the player could have come back alone
    assert.equal((await prove(edit((text) => text.replace(organizer.key.hex, makeKey().hex)))).code, 'bad-official-signature');
    assert.equal(bed.tillroll('audit').status, 0);
  });

  it('is the same on another service', async () => {
    const { client: there } = await other.startService();
    const admin = await makeAdmin(other, there);
    const at = `/v1/imports/${sha256(bundle)}`;
    assert.equal((await there.request('PUT', `${at}/parts/1`, { token: admin.token, body: Buffer.from(bundle), headers: { 'Content-Type': 'text/plain' } })).status, 204);
    good(await there.post(at, { key: JSON.parse(bundle.trimEnd().split('\n').at(-1)).key, parts: 1 }, admin.token));
    assert.equal((await there.get(`/v1/events/${event.id}/bundle`)).text, bundle);
  });

  it('needs none elsewhere, and may have one where the event takes it', async () => {
    for (const value of ['off', 'optional']) {
      const { game: open } = await makeGame(client, organizer, players, setting(value));
      good(await toSeat(open, 'fallback', { seat: 0 }));
      const asked = await toSeat(open, 'fallback', { seat: 1 }, field('ask'));
      assert.equal(code(asked).split(' ')[0], value === 'off' ? '200' : '403');
      if (value === 'optional') good(await toSeat(open, 'fallback', { seat: 1 }, field(organizer.key.sign(asked.json.sign.text))));
      assert.equal(acts(await signaturesOf(open)).length, value === 'off' ? 0 : 1);
    }
  });
});

describe('an event that takes signatures of officials', () => {
  it('asks only for those that want to sign, and have a key', async () => {
    const event = await makeEvent('optional');
    good(await change(event, { name: 'Unsigned' }));
    good(await signed((headers) => change(event, { name: 'Signed' }, { ...field('ask'), ...headers }), organizer.key));
    const [unsigned, last] = (await logOf(event)).slice(-2);
    assert.deepEqual([unsigned.signature, last.signature?.key], [null, organizer.key.hex]);
    good(await client.request('POST', `/v1/events/${event.id}/roles`, { json: { player: players[1].id, role: 'organizer' }, token: organizer.token }));
    good(await change(event, { name: 'No key' }, field('ask'), players[1].token));
    const { stdout, status } = await prove(await bundleOf(event));
    assert.equal(status, 2, stdout); // it is not over
    assert.match(stdout, /1 of 4 acts of officials are signed by them/);
  });

  it('is signed by the command line with a key in a file', async () => {
    const event = await makeEvent('required');
    const owner = await makePlayer(client, 'With a file');
    good(await signed((headers) => client.request('POST', `/v1/events/${event.id}/roles`, { json: { player: owner.id, role: 'organizer' }, headers, token: organizer.token }), organizer.key));
    const file = path.join(bed.directory, 'official-key');
    const server = ['--server', `http://127.0.0.1:${client.port}`];
    for (const words of [['new', file], ['register', file, ...server]]) assert.equal((await bed.tillrollAs(owner.token, 'key', ...words)).status, 0);
    const alone = await bed.tillrollAs(owner.token, 'event', 'change', event.id, '--set', 'name=By command', ...server);
    assert.equal(alone.status, 1);
    assert.match(alone.output, /Tillroll-Signature/);
    const done = await bed.tillrollAs(owner.token, 'event', 'change', event.id, '--set', 'name=By command', '--sign', file, ...server);
    assert.equal(done.status, 0, done.output);
    assert.match(done.output, new RegExp(`signing for event ${event.id}: settings_changed \\{.*"name":"By command"`));
    const { signature } = (await logOf(event)).at(-1);
    assert.equal(signature.key, (await bed.tillrollAs(owner.token, 'key', 'public', file)).output.trim());
    assert.ok(readFileSync(file, 'utf8').length > 0);
  });
});
