// Officials sign what they decide: the event's setting says whether, the service asks for a text, and the bundle proves it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { endQuietly, makeGame, makePlayer, makePlayers } from '../support/play.mjs';
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

const bundleOf = async (event) => (await client.get(`/v1/events/${event.id}/bundle`, { token: organizer.token })).text;

async function prove(text, ...options) {
  const file = path.join(bed.directory, `bundle-${files++}`);
  writeFileSync(file, text);
  const { status, output: stdout } = await bed.tillrollAs('', 'event', file, ...options);
  return { status, stdout, code: /invalid: (?:line \d+: )?([a-z-]+):/.exec(stdout)?.[1] };
}

// The bundle with other lines, sealed again with a key of its own, as a dishonest operator could.
function reseal(text, edit) {
  const lines = text.trimEnd().split('\n').slice(0, -1);
  const body = edit(lines).map((line) => `${line}\n`).join('');
  const key = makeKey();
  const { event } = JSON.parse(lines[0]);
  const seal = { key: key.hex, sha256: sha256(body), signature: key.sign(`tillroll bundle\n${event}\n${sha256(body)}\n`) };
  return `${body}${JSON.stringify(seal)}\n`;
}

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
    assert.ok(text.startsWith('{"bundle":3,'));
    const { status, stdout } = await prove(text);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /5 of 5 acts of officials are signed by them/);
    assert.ok(stdout.includes(`official ${organizer.id} signed with ${organizer.key.hex}`));
    assert.deepEqual(JSON.parse((await prove(text, '--json')).stdout.replace(/^[^{]*/, '')).officials, { acts: 5, signed: 5, keys: { [organizer.id]: [organizer.key.hex] } });
    const isSignature = (line) => line.startsWith('{"base":');
    const at = (lines) => lines.findIndex(isSignature);
    const edits = {
      'no-official-signature': [(lines) => lines.filter((line) => !isSignature(line)), (lines) => lines.filter((_, i) => i !== at(lines))],
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
        (lines) => lines.map((line, i) => (i === 0 ? line.replace('"bundle":3', '"bundle":2') : line)),
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
