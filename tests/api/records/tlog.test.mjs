// The transparency log over HTTP: what has happened is in it, and its checkpoints, tiles and proofs
// are held against Sigstore's client and the definitions (support/tlog.mjs).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Signer } from '../cli/support/witness.mjs';
import { good } from '../support/client.mjs';
import { makeDuplicate, playHidden, seated } from '../support/duplicate.mjs';
import { endQuietly, makeEvent, makeGame, makePlayer, makePlayers, playBriefly, playRandomly, Random, startRound } from '../support/play.mjs';
import { build, Testbed } from '../support/testbed.mjs';
import { checkInclusion, DefinedTree, isConsistent, leafHash, openCheckpoint, openNote, readEntries, readProof, readVkey, tileNames } from '../support/tlog.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('log');
const quick = ['--log-interval-ms', '20', '--log-origin', 'club.example/log'];
const immutable = 'public, max-age=31536000, immutable';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
let bed;
let client;
let key;
let vkey;
let organizer;
let players;
let event;
let game; // finished
let running;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(quick));
  vkey = good(await client.get('/v1/keys')).keys[0].vkey;
  key = readVkey(vkey);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
  ({ event, game } = await makeGame(client, organizer, players));
  await playBriefly(client, game, random);
  ({ game: running } = await makeGame(client, organizer, players));
  await playRandomly(client, running, random, { plies: 10 });
});
after(() => bed.end());

const checkpoint = async (at = client) => openCheckpoint((await at.get('/v1/log/checkpoint')).text, key);
const waiting = () => Number(bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.log_queue'));
const settled = async (at = client) => {
  await until(60, 'nothing waits for the log', () => waiting() === 0);
  return checkpoint(at);
};

// All leaves of a checkpoint, from the tiles, after all tiles were held against the definition.
async function readLog({ size, root }, at = client) {
  const entries = [];
  for (const [name, width] of tileNames(size)) {
    const answer = await at.get(`/v1/log/tile/entries/${name}`);
    assert.equal(answer.status, 200, name);
    assert.equal(answer.headers['cache-control'], immutable);
    const some = readEntries(answer.bytes);
    assert.equal(some.length, width);
    entries.push(...some);
  }
  const tree = new DefinedTree(entries.map((entry) => leafHash(entry)));
  assert.ok(tree.root(size).equals(root), 'the root over all leaves');
  for (let level = 0, span = 1; span <= size; level++, span *= 256)
    for (const [name, width] of tileNames(Math.floor(size / span))) {
      const { bytes, headers } = await at.get(`/v1/log/tile/${level}/${name}`);
      const first = Number(name.replace(/\.p.*/, '').replace(/[x/]/g, '')) * 256;
      assert.equal(headers['cache-control'], immutable);
      assert.equal(bytes.length, 32 * width);
      for (let i = 0; i < width; i++) assert.ok(bytes.subarray(32 * i, 32 * i + 32).equals(tree.root(span, (first + i) * span)), `${level}/${name}`);
    }
  return entries;
}

const headOf = (record) => /\nhead ([0-9a-f]{64}) /.exec(record)[1];
const leafOf = (id, record) => `tillroll game\n${id}\n${headOf(record)}\n`;
const recordOf = async (of) => (await client.get(`${of.at}/record`)).text;

describe('the log', () => {
  it('has a checkpoint from the start', async () => {
    await settled(); // else the next one may come between two questions
    const answer = await client.get('/v1/log/checkpoint');
    assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(answer.headers['cache-control'], 'no-cache');
    assert.equal(key.name, 'club.example/log');
    assert.equal((await client.get('/v1/log/checkpoint', { headers: { 'If-None-Match': answer.headers.etag } })).status, 304);
  });

  it('holds what has happened, each thing once, in tiles', async () => {
    const entries = await readLog(await settled());
    assert.equal(new Set(entries).size, entries.length);
    const record = await recordOf(game);
    const commitment = (await client.get(`/v1/events/${event.id}`)).json.commitment;
    const ofGame = /\ncommit ([0-9a-f]{64}) /.exec(record)[1];
    const places = [`tillroll commitment\n${event.id}\n${commitment}\n`, `tillroll commitment\n${game.id}\n${ofGame}\n`, leafOf(game.id, record)].map((leaf) => entries.indexOf(leaf));
    assert.ok(places.every((place) => place >= 0));
    assert.deepEqual(places, [...places].sort((a, b) => a - b), 'in the order in which they happened');
    assert.ok(!entries.some((entry) => entry.startsWith(`tillroll game\n${running.id}`)));
  });

  it('grows only', async () => {
    const seen = [await settled()];
    for (let i = 0; i < 6; i++) {
      const { game: another } = await makeGame(client, organizer, players);
      await endQuietly(client, another, organizer);
      seen.push(await settled());
    }
    const last = seen.at(-1);
    for (const first of seen)
      for (const second of seen.filter(({ size }) => size >= first.size)) {
        const proof = good(await client.get(`/v1/log/consistency?from=${first.size}&to=${second.size}`));
        assert.ok(isConsistent(first.size, first.root, second.size, second.root, proof.path), `${first.size} to ${second.size}`);
      }
    const { path: nodes, to } = good(await client.get(`/v1/log/consistency?from=${seen[0].size}`));
    assert.equal(to, last.size);
    assert.ok(isConsistent(seen[0].size, seen[0].root, last.size, last.root, nodes));
    assert.equal((await readLog(last)).length, last.size);
  });

  it('shows the tiles of every size it has had', async () => {
    const { size } = await settled();
    for (let width = 1; width <= Math.min(size, 255); width += 7) {
      const { bytes } = await client.get(`/v1/log/tile/0/000.p/${width}`);
      assert.equal(bytes.length, 32 * width);
      assert.equal(readEntries((await client.get(`/v1/log/tile/entries/000.p/${width}`)).bytes).length, width);
    }
  });
});

describe('proofs of inclusion', () => {
  it('lead from every leaf to the checkpoint', async () => {
    const newest = await settled();
    const entries = await readLog(newest);
    for (const [index, entry] of entries.entries()) {
      const proof = good(await client.get(`/v1/log/inclusion?leaf=${leafHash(entry).toString('hex')}`));
      assert.equal(proof.entry, entry);
      assert.equal(proof.index, index);
      const { size, root } = openCheckpoint(proof.checkpoint, key);
      assert.equal(size, proof.size);
      checkInclusion(entry, index, size, proof.path, root);
    }
  });

  it('lead from a game to the checkpoint', async () => {
    const proof = good(await client.get(`${game.at}/inclusion`));
    assert.equal(proof.entry, leafOf(game.id, await recordOf(game)));
    const { size, root } = openCheckpoint(proof.checkpoint, key);
    checkInclusion(proof.entry, proof.index, size, proof.path, root);
  });

  it('are refused with a reason', async () => {
    const refused = async (target, status, code) => {
      const answer = await client.get(target);
      assert.deepEqual([answer.status, answer.json.code], [status, code], target);
    };
    await refused(`${running.at}/inclusion`, 409, 'not-finished');
    await refused(`${running.at}/record.note`, 409, 'not-finished');
    await refused(`${running.at}/record.bundle`, 409, 'not-finished');
    await refused(`/v1/games/${organizer.id}/inclusion`, 404, 'not-found');
    await refused(`/v1/log/inclusion?leaf=${'0'.repeat(64)}`, 404, 'not-logged');
    for (const query of ['', '?leaf=', '?leaf=0', `?leaf=${'A'.repeat(64)}`, `?leaf=${'0'.repeat(64)}&more=1`]) await refused(`/v1/log/inclusion${query}`, 400, 'bad-parameter');
    const { size } = await settled();
    for (const query of ['', '?to=1', '?from=', '?from=-1', '?from=01', '?from=2&to=1', `?from=0&to=${size + 1}`, `?from=${size + 1}`, '?from=1&to=2&more=3', '?from=1&to=99999999999999999999'])
      await refused(`/v1/log/consistency${query}`, 400, 'bad-parameter');
    for (const name of ['0/001', `0/000.p/${size + 1}`, '0/000.p/0', '0/000.p/256', '0/000.p/01', '0/00', '0/0000', '0/x000/000', '0/x000/001', '0/000/p', '1/000', '4/000', '63/000', '64/000', '00/000', 'entries/001', 'entry/000', '0/x999/x999/999', '0/x999/x999/999.p/3', '0/y001/000'])
      await refused(`/v1/log/tile/${name}`, 404, 'not-found');
    for (const hash of ['0'.repeat(64), '0'.repeat(63), 'x']) await refused(`/v1/log/documents/${hash}`, 404, 'not-found');
  });
});

describe('closed events', () => {
  it('leave their log and their standings', async () => {
    const { event: short, game: table } = await makeGame(client, organizer, players);
    await endQuietly(client, table, organizer);
    good(await client.post(`/v1/events/${short.id}/close`, {}, organizer.token));
    const entries = await readLog(await settled());
    const hashOf = (what) => entries.map((entry) => entry.split('\n')).find(([kind, name]) => kind === `tillroll ${what}` && name === short.id)[2];
    const standings = (await client.get(`/v1/events/${short.id}/standings`)).text;
    assert.equal(hashOf('standings'), sha256(standings));
    assert.equal((await client.get(`/v1/log/documents/${hashOf('standings')}`)).text, standings);
    // Written down anew from what the API says.
    const steps = good(await client.get(`/v1/events/${short.id}/log`)).items;
    assert.equal(steps.at(-1).kind, 'closed');
    const log = steps.map((step) => `${step.seq} ${step.at} ${step.by?.id ?? '-'} ${step.kind} ${JSON.stringify(step.detail)}\n`).join('');
    assert.equal((await client.get(`/v1/log/documents/${hashOf('event-log')}`)).text, log);
    assert.equal(hashOf('event-log'), sha256(log));
    // Every step is followed by a leaf about the log up to it, or to a step that was taken together with it.
    const chain = [sha256(`tillroll event-log 1 ${short.id}\n`)];
    for (const step of steps) chain.push(sha256(`${chain.at(-1)} ${lineOf(step)}`));
    const leaves = entries.map((entry) => entry.split('\n')).filter(([kind, name]) => kind === 'tillroll event-step' && name.startsWith(short.id));
    for (const [, name, hash] of leaves) assert.equal(hash, chain[name.slice(name.lastIndexOf('/') + 1)], name);
    assert.equal(leaves.at(-1)[1], `${short.id}/line/${steps.length}`);
    // The bundle proves it: the command names the leaf, and the log has it.
    const file = path.join(bed.directory, 'event.bundle');
    writeFileSync(file, (await client.get(`/v1/events/${short.id}/bundle`)).text);
    const { log_leaf: leaf, commitment_leaf: committed } = JSON.parse(bed.tillroll('event', file, '--json').stdout.replace(/^[^{]*/, ''));
    const found = good(await client.get(`/v1/log/inclusion?leaf=${leaf}`));
    assert.equal(found.entry, `tillroll event-step\n${short.id}/line/${steps.length}\n${chain.at(-1)}\n`);
    const before = good(await client.get(`/v1/log/inclusion?leaf=${committed}`));
    assert.ok(before.entry.startsWith(`tillroll commitment\n${short.id}\n`) && before.index < found.index);
    const { vkey } = good(await client.get('/v1/keys')).keys[0];
    const kept = (name, text) => {
      writeFileSync(path.join(bed.directory, name), text);
      return path.join(bed.directory, name);
    };
    const logged = (proof, log = vkey) => {
      const { status, stdout, stderr } = bed.tillroll('event', '--inclusion', kept('inclusion', JSON.stringify(proof)), '--policy', kept('policy', `log ${log}\nquorum none\n`), file);
      return `${status} ${(stdout + stderr).trim().split('\n').at(-1).replace(`${file}: `, '')}`;
    };
    assert.equal(logged(found), `0 in the log ${vkey.split('+')[0]} of ${found.size} leaves`);
    const other = good(await client.get(`/v1/log/inclusion?leaf=${leafHash(entries[0]).toString('hex')}`));
    for (const [code, proof, log] of [
      ['other-leaf', other], ['not-in-log', { ...other, leaf }], ['not-in-log', { ...found, path: found.path.slice(1) }], ['not-in-log', { ...found, index: found.index - 1 }],
      ['not-in-log', { ...found, size: found.size + 1 }], ['bad-proof', { ...found, path: [...found.path, 'x'] }], ['bad-proof', []], ['bad-checkpoint', { ...found, checkpoint: '' }],
      ['unsigned-checkpoint', { ...found, checkpoint: found.checkpoint.replace(/^(.*\n)\d/, '$19') }],
      ['other-log', found, new Signer('other.example/log', 1).vkey],
    ]) assert.match(logged(proof, log), new RegExp(`^1 invalid: ${code}: `));
    assert.equal(bed.tillroll('event', '--inclusion', file, file).status, 2);
    assert.ok(leaves.length > steps.length / 2 && leaves.length <= steps.length, `${leaves.length} leaves for ${steps.length} steps`);
  });
});

const hashOf = (entries, kind, name) => entries.map((entry) => entry.split('\n')).findLast(([first, second]) => first === `tillroll ${kind}` && second === name)?.[2];
const lineOf = (step) => `${step.seq} ${step.at} ${step.by?.id ?? '-'} ${step.kind} ${JSON.stringify(step.detail)}\n`;

describe('running events', () => {
  it('leave the standings on which a round began, and every ruling', async () => {
    const long = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3, rounds: 2 });
    const first = await startRound(client, long, organizer, players);
    await endQuietly(client, first.games[0], organizer);
    const before = good(await client.get(`/v1/events/${long.id}/standings`));
    const second = await startRound(client, long, organizer, players);
    const at = `/v1/events/${long.id}/rounds/1/tables/1/ruling`;
    good(await client.request('PUT', at, { token: organizer.token, json: { no_show: players.slice(0, 2).map((player) => player.id), reason: 'Did not come.' } }));
    good(await client.request('DELETE', at, { token: organizer.token, json: { reason: 'They did.' } }));
    const entries = await readLog(await settled());
    const steps = good(await client.get(`/v1/events/${long.id}/log`)).items;
    const began = steps.find((step) => step.kind === 'round_started' && step.detail.round === 2);
    const standings = (await client.get(`/v1/events/${long.id}/standings?as_of=${began.seq - 1}`)).text;
    assert.deepEqual(JSON.parse(standings).rows, before.rows);
    const hash = hashOf(entries, 'standings', `${long.id}/round/1`);
    assert.equal(hash, sha256(standings));
    assert.equal((await client.get(`/v1/log/documents/${hash}`)).text, standings);
    const rulings = steps.filter((step) => step.kind.startsWith('rul'));
    assert.deepEqual(rulings.map((step) => step.kind), ['ruled', 'ruling_revoked']);
    for (const step of rulings) assert.equal(hashOf(entries, 'ruling', `${long.id}/line/${step.seq}`), sha256(lineOf(step)));
    // After rulings on a closed event, its log is left once more.
    for (const each of second.games) await endQuietly(client, each, organizer);
    good(await client.post(`/v1/events/${long.id}/close`, {}, organizer.token));
    good(await client.request('PUT', at, { token: organizer.token, json: { no_show: players.slice(0, 2).map((player) => player.id), reason: 'They did not, after all.' } }));
    const log = good(await client.get(`/v1/events/${long.id}/log`)).items.map(lineOf).join('');
    assert.equal(hashOf(await readLog(await settled()), 'event-log', long.id), sha256(log));
  });
});

describe('duplicate rounds', () => {
  it('are committed to when they begin, and their games are in the log when all have ended', async () => {
    const bots = await makePlayers(client, 2, 'Bot');
    const duplicate = await makeDuplicate(client, organizer, bots, { ruleset: 'supermarche', boards: 1, seats_preferred: 1 });
    const round = good(await client.post(`/v1/events/${duplicate.id}/rounds`, {}, organizer.token));
    const [first, second] = seated(round, bots);
    let entries = await readLog(await settled());
    assert.ok(entries.includes(`tillroll commitment\n${duplicate.id}/round/1\n${round.commitment}\n`));
    await playHidden(client, first, random);
    entries = await readLog(await settled());
    assert.ok(!entries.some((entry) => entry.includes(first.id)));
    await playHidden(client, second, random);
    entries = await readLog(await settled());
    for (const each of [first, second]) assert.ok(entries.includes(leafOf(each.id, (await client.get(`/v1/games/${each.id}/record`)).text)));
  });
});

describe('a record on its own', () => {
  const verify = (text, ...options) => {
    const file = path.join(bed.directory, 'bundle');
    writeFileSync(file, text);
    const { status, stdout } = bed.tillroll('verify', ...options, file);
    return { status, output: stdout.replaceAll(file, 'FILE') };
  };
  const withKey = (text) => verify(text, '--log-key', vkey);
  let record;
  let note;
  let bundle;

  before(async () => {
    await settled();
    record = await recordOf(game);
    note = (await client.get(`${game.at}/record.note`)).text;
    bundle = (await client.get(`${game.at}/record.bundle`)).text;
  });

  it('is a signed note', () => {
    assert.equal(openNote(note, key), record);
  });

  it('is followed by its proof in a bundle', () => {
    assert.ok(bundle.startsWith(note));
    assert.equal(bundle[note.length], '\n');
    const proof = readProof(bundle.slice(note.length + 1));
    const { size, root } = openCheckpoint(proof.checkpoint, key);
    checkInclusion(leafOf(game.id, record), proof.index, size, proof.path, root);
  });

  it('is verified offline', () => {
    const { status, output } = withKey(bundle);
    assert.equal(status, 0, output);
    assert.match(output, /^FILE: valid: shinjuku 1\.0\.0, \d+ plies\nFILE: no player gave entropy: [^\n]*\nFILE: signed by club\.example\/log\nFILE: in the log club\.example\/log of \d+ leaves\n$/);
    assert.equal(verify(note, '--key', vkey).status, 0);
    assert.equal(verify(bundle, '--key', vkey).status, 0);
    assert.equal(verify(record).status, 0);
  });

  it('is not judged without a key', () => {
    for (const text of [note, bundle]) {
      const { status, output } = verify(text);
      assert.equal(status, 2);
      assert.match(output, /not judged: who has signed/);
    }
  });

  it('is not accepted where something is wrong, which is named', async () => {
    const { game: another } = await makeGame(client, organizer, players);
    await endQuietly(client, another, organizer);
    await settled();
    const other = (await client.get(`${another.at}/record.bundle`)).text;
    const [otherNote, otherProof] = [other.slice(0, other.indexOf('\n\nc2sp') + 1), other.slice(other.indexOf('\n\nc2sp') + 2)];
    const proof = bundle.slice(note.length + 1);
    const stranger = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const signatureOf = (text) => text.slice(text.lastIndexOf('\n\n') + 2);
    const fault = (text, ...keys) => {
      const { status, output } = keys.length === 0 ? withKey(text) : verify(text, ...keys);
      assert.equal(status, 1, output);
      return /: invalid: (?:line \d+: )?([a-z-]+): /.exec(output)?.[1];
    };
    assert.equal(fault(record), 'no-signature');
    assert.equal(fault(note), 'no-proof');
    assert.equal(fault(note, '--key', stranger), 'no-signature');
    assert.equal(fault(bundle, '--key', vkey, '--log-key', stranger), 'other-log');
    assert.equal(fault(`${record}\n${signatureOf(otherNote)}`), 'forged-signature');
    assert.equal(fault(note.replace(/— club\.example\/log .*/, '— club.example/log AAAAAAAA')), 'no-signature');
    assert.equal(fault(note.replace('— club', '- club')), 'bad-note');
    assert.equal(fault(`${note}\n${otherProof}`), 'not-in-log');
    assert.equal(fault(bundle.replace(/\nindex (\d+)\n/, (_, index) => `\nindex ${Number(index) + 1}\n`)), 'not-in-log');
    assert.equal(fault(bundle.replace(/(\nindex \d+\n)[^\n]+\n/, '$1')), 'truncated-proof');
    assert.equal(fault(bundle.replace(/\nindex \d+\n/, '\n')), 'bad-proof');
    const opened = openCheckpoint(readProof(proof).checkpoint, key);
    const largerSize = bundle.replace(`\nclub.example/log\n${opened.size}\n`, `\nclub.example/log\n${opened.size + 1}\n`);
    assert.equal(fault(largerSize), 'forged-checkpoint');
    assert.equal(fault(`${bundle.slice(0, bundle.lastIndexOf('\n\n'))}\n`), 'bad-checkpoint');
    assert.equal(fault(`${note}\n${proof.replace(signatureOf(proof), `— somebody ${'AAAA'.repeat(23)}\n`)}`), 'unsigned-checkpoint');
    assert.equal(fault(bundle.replace(/ 1 \d+ /, ' 1 999 ')) !== undefined, true);
    for (const option of ['--key', '--log-key']) assert.equal(verify(bundle, option, 'no key').status, 2);
  });

  it('is the same as before it was signed', () => {
    assert.ok(note.startsWith(`${record}\n— `));
  });
});

describe('several services on one database', () => {
  it('write one log, and show the same', async () => {
    const other = await bed.startService(quick);
    const more = await makePlayers(client, 6);
    const games = [];
    for (let i = 0; i < 4; i++)
      games.push(...(await Promise.all([client, other.client].map(async (each, n) => (await makeGame(each, organizer, more.slice(3 * n, 3 * n + 3))).game))));
    await Promise.all(games.map((each, i) => endQuietly(i % 2 === 0 ? client : other.client, each, organizer)));
    const newest = await settled();
    assert.deepEqual(await settled(other.client), newest);
    const entries = await readLog(newest, other.client);
    assert.equal(new Set(entries).size, entries.length);
    for (const each of games) assert.ok(entries.includes(leafOf(each.id, await recordOf(each))));
    await other.end();
  });

  it('do not mix the logs of two origins', async () => {
    const before = await settled();
    const stranger = await bed.startService(['--log-interval-ms', '20', '--log-origin', 'other.example/log']);
    await until(60, 'it says so', () => bed.written().includes('the log of another origin'));
    const checked = spawnSync(path.join(build, 'tillrolld'), ['--check-config', '--log-origin', 'other.example/log'], {
      encoding: 'utf8',
      env: { ...bed.settings, TILLROLL_PAGES: path.resolve(build, '../../web-static') },
    });
    assert.deepEqual([checked.status, checked.stderr], [1, 'tillrolld: The transparency log of this database is named club.example/log: leave out --log-origin, or give that name.\n']);
    assert.deepEqual(await checkpoint(stranger.client), before);
    await stranger.end();
  });
});
