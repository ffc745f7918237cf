// The service and its witnesses: it asks them, publishes what they give, and goes on without those that are away, hang or
// answer nonsense. Split views: a server that shows different people different logs is refused by everyone with a policy.
// TILLROLL_SPLIT_VIEWS sets how many of these are tried. Then each witness has a network namespace of its own, if this process may make
// them (as root, with ip(8)).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Log, openCosignature, Signer, tillroll, Witness } from '../cli/support/witness.mjs';
import { good } from '../support/client.mjs';
import { endQuietly, makeGame, makePlayer, makePlayers } from '../support/play.mjs';
import { build, root, Testbed } from '../support/testbed.mjs';
import { leafHash } from '../support/tlog.mjs';
import { until } from '../support/waiting.mjs';
import { canMakeNetworks, Network } from '../../faults/network.mjs';

const splitViews = Number(process.env.TILLROLL_SPLIT_VIEWS ?? 32);
const wantsNetwork = process.env.TILLROLL_SPLIT_VIEWS !== undefined;
const names = ['w1.example', 'w2.example', 'w3.example'];
let bed;
let client;
let vkey;
let witnesses;
let network = null;
let policy; // of those who verify
let organizer;
let players;
let stderr = () => '';

const linesOf = (note) => note.slice(note.lastIndexOf('\n\n') + 2).trimEnd().split('\n');
const textOf = (note) => note.slice(0, note.lastIndexOf('\n\n') + 1);
const checkpoint = async () => (await client.get('/v1/log/checkpoint')).text;
const cosigners = (note) => linesOf(note).map((line) => line.split(' ')[1]).filter((name) => names.includes(name));
const figure = async (name, labels = '') => Number(new RegExp(`^${name}${labels === '' ? '' : `\\{${labels}\\}`} (\\d+)$`, 'm').exec((await client.get('/metrics')).text)?.[1]);
const policyOf = (addresses = [], logs = [vkey]) => `${logs.map((key) => `log ${key}\n`).join('')}${witnesses.map(({ name, vkey: key }, i) => `witness ${name} ${key} ${addresses[i] ?? ''}\n`).join('')}group all 2 ${names.join(' ')}\nquorum all\n`;

async function finishGame() {
  const { game } = await makeGame(client, organizer, players);
  await endQuietly(client, game, organizer);
  await until(30, 'the game is in the log', async () => (await client.get(`${game.at}/record.bundle`)).status === 200);
  return game;
}

function verify(text, file = policy, ...options) {
  const game = path.join(bed.directory, 'game.bundle');
  writeFileSync(game, text);
  const { status, stdout, stderr: said } = spawnSync(tillroll, ['verify', '--policy', file, ...options, game], { encoding: 'utf8' });
  return { status, said: `${stdout}${said}`, code: /: invalid: (?:line \d+: )?([a-z-]+): /.exec(stdout)?.[1] };
}

before(async () => {
  bed = new Testbed();
  witnesses = names.map((name) => new Witness(path.join(bed.directory, name), name));
  // The log's key is made at the first start; the witnesses need it.
  const first = await bed.startService(['--log-interval-ms', '50', '--log-origin', 'club.example/log']);
  ({ client } = first);
  vkey = good(await client.get('/v1/keys')).keys[0].vkey;
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
  const logs = path.join(bed.directory, 'logs.policy');
  writeFileSync(logs, `log ${vkey}\nquorum none\n`);
  for (const witness of witnesses) await witness.start(logs);
  const file = path.join(bed.directory, 'witnesses.policy');
  writeFileSync(file, policyOf(witnesses.map(({ url }) => url)));
  policy = path.join(bed.directory, 'trust.policy');
  writeFileSync(policy, policyOf());
  await first.end();
  const second = await bed.startService(['--log-interval-ms', '50', '--witnesses', file]);
  ({ client } = second);
  stderr = () => readFileSync(second.errors, 'utf8');
});
after(async () => {
  for (const witness of witnesses) await witness.stop('SIGKILL');
  network?.end();
  await bed.end();
});

describe('the service', () => {
  it('publishes what its witnesses have cosigned, and proofs that lead there', async () => {
    const game = await finishGame();
    await until(30, 'all have cosigned', async () => cosigners(await checkpoint()).length === 3);
    const note = await checkpoint();
    assert.deepEqual(cosigners(note), names);
    for (const line of linesOf(note).slice(1)) openCosignature(line, textOf(note), witnesses.find(({ name }) => line.includes(` ${name} `)).vkey);
    const bundle = (await client.get(`${game.at}/record.bundle`)).text;
    const { status, said } = verify(bundle);
    assert.equal(status, 0, said);
    assert.match(said, /witnessed by [23] of 3 witnesses: w\d\.example 20/);
    assert.equal(await figure('tillroll_log_quorum'), 1);
    for (const name of names) assert.equal(await figure('tillroll_log_witness_up', `witness="${name}"`), 1);
  });

  it('goes on without one that is away, says so, and catches up', async () => {
    const [, , third] = witnesses;
    const { port } = third;
    await third.stop();
    const game = await finishGame();
    await until(30, 'two have cosigned', async () => cosigners(await checkpoint()).length === 2);
    assert.deepEqual(cosigners(await checkpoint()), names.slice(0, 2));
    assert.equal(verify((await client.get(`${game.at}/record.bundle`)).text).status, 0);
    await until(30, 'it is seen to be away', async () => (await figure('tillroll_log_witness_up', `witness="${names[2]}"`)) === 0);
    assert.equal(await figure('tillroll_log_quorum'), 1);
    assert.match(stderr(), /witness w3\.example: it is away; the log goes on without it"/);
    await third.start(path.join(bed.directory, 'logs.policy'), { listen: `127.0.0.1:${port}` });
    await until(70, 'it has caught up', async () => cosigners(await checkpoint()).length === 3);
    assert.equal(await figure('tillroll_log_witness_up', `witness="${names[2]}"`), 1);
    assert.match(stderr(), /witness w3\.example: cosigns again"/);
  });

  it('is not held up by one that hangs, or by one that answers nonsense', async () => {
    const [first, second] = witnesses;
    const ports = [first.port, second.port];
    await first.stop();
    await second.stop();
    const answers = [(request) => request.resume(), (request, response) => response.end('— w2.example AAAAAAAA\n')];
    const servers = [];
    for (const [i, port] of ports.entries()) {
      const server = createServer(answers[i]);
      await new Promise((resolve) => { server.listen(port, '127.0.0.1', resolve); });
      servers.push(server);
    }
    const game = await finishGame();
    await until(30, 'the third has cosigned', async () => cosigners(await checkpoint()).includes(names[2]));
    assert.deepEqual(cosigners(await checkpoint()), [names[2]]);
    const bundle = (await client.get(`${game.at}/record.bundle`)).text;
    assert.equal(verify(bundle).code, 'too-few-witnesses');
    await until(30, 'the quorum is missed', async () => (await figure('tillroll_log_quorum')) === 0);
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    await first.start(path.join(bed.directory, 'logs.policy'), { listen: `127.0.0.1:${ports[0]}` });
    await second.start(path.join(bed.directory, 'logs.policy'), { listen: `127.0.0.1:${ports[1]}` });
    await until(90, 'all have cosigned again', async () => cosigners(await checkpoint()).length === 3);
    assert.equal(verify((await client.get(`${game.at}/record.bundle`)).text).status, 0);
  });

  it('does not start with a policy that has no witness with an address', () => {
    for (const text of ['quorum none\n', policyOf(), 'nonsense\n']) {
      const file = path.join(bed.directory, 'bad.policy');
      writeFileSync(file, text);
      const { status, stderr: said } = spawnSync(path.join(build, 'tillrolld'),
        ['--listen', '127.0.0.1:0', '--pages', path.join(root, 'web-static'), '--witnesses', file],
        { encoding: 'utf8', timeout: 20000, env: bed.settings });
      assert.equal(status, 1);
      assert.match(said, /The policy of --witnesses, /);
    }
  });
});

const machines = ['w1', 'w2', 'w3'];
const placeOf = (machine) => (network === null ? {} : { listen: `${network.address(machine)}:0`, within: network.within(machine) });

// Two logs with one key, which agree up to some size. Each client is shown one of them, with all cosignatures that the server
// could get for it from the three witnesses, in whatever order it asks.
describe('a server that shows different people different logs', () => {
  it(`is refused in ${splitViews} of ${splitViews} split views`, async () => {
    const game = await finishGame();
    const bundle = (await client.get(`${game.at}/record.bundle`)).text;
    const [record] = bundle.split('\n\n');
    const head = /\nhead ([0-9a-f]{64}) /.exec(`${record}\n`)[1];
    const logs = path.join(bed.directory, 'split.policy');
    const shown = path.join(bed.directory, 'shown.policy');
    let signers = [];
    const leaf = leafHash(`tillroll game\n${game.id}\n${head}\n`);
    const most = 32; // logs of a policy
    if (wantsNetwork && canMakeNetworks()) network = new Network(machines);
    console.log(`# the witnesses run ${network === null ? `on this machine${wantsNetwork ? ', which may not make network namespaces' : ''}` : 'in network namespaces of their own'}`);
    let refused = 0;
    for (let i = 0; i < splitViews; i++) {
      if (i % most === 0) {
        signers = Array.from({ length: Math.min(most, splitViews - i) }, (_, n) => new Signer(`split-${i + n}.example/log`, 1));
        writeFileSync(logs, `${signers.map((each) => `log ${each.vkey}\n`).join('')}quorum none\n`);
        for (const witness of witnesses) await witness.stop();
        for (const witness of witnesses) rmSync(witness.directory, { recursive: true, force: true });
        witnesses = names.map((name) => new Witness(path.join(bed.directory, name), name));
        for (const [n, witness] of witnesses.entries()) await witness.start(logs, placeOf(machines[n]));
        writeFileSync(shown, policyOf([], signers.map((each) => each.vkey)));
      }
      const signer = signers[i % most];
      const common = new Log(signer.name, signer).grow(i % 7);
      const views = ['one', 'other'].map((kind) => common.fork(common.leaves.length, kind));
      for (const view of views) view.leaves.push(leaf);
      views[1].grow(i % 3, 'more');
      // The server asks each witness for one view first, then for the other, and tries every size to begin at.
      const lines = [[], []];
      for (const [n, witness] of witnesses.entries()) {
        if (common.leaves.length > 0) assert.equal((await witness.add(common.request(0))).status, 200);
        for (const which of (i >> n) % 2 === 0 ? [0, 1] : [1, 0]) {
          const view = views[which];
          for (const old of new Set([common.leaves.length, ...views.map(({ leaves }) => leaves.length)])) {
            if (old > view.leaves.length) continue;
            const answer = await witness.add(view.request(old));
            if (answer.status !== 200) continue;
            lines[which].push(answer.text);
            break;
          }
        }
      }
      assert.equal(lines[0].length + lines[1].length, 3, 'each witness has cosigned one view');
      const verdicts = views.map((view, which) => verify(`${record}\n\n${signer.note(`${record}\n`)}\n${inclusion(view, view.leaves.indexOf(leaf), view.leaves.length)}\n${view.checkpoint()}${lines[which].join('')}`, shown));
      const codes = verdicts.map(({ code }) => code);
      assert.equal(codes.filter((code) => code === 'too-few-witnesses').length, 1, `${i}: ${codes}`);
      assert.equal(verdicts.filter(({ status, code }) => status === 0 && code === undefined).length, 1, `${i}: ${verdicts.map(({ said }) => said)}`);
      refused++;
    }
    assert.equal(refused, splitViews);
  });
});

// The proof of a leaf of a log of ours, without its checkpoint.
function inclusion(log, index, size) {
  const path_ = (first, end) => {
    if (end - first === 1) return [];
    let half = 1;
    while (2 * half < end - first) half *= 2;
    const middle = first + half;
    return index < middle ? [...path_(first, middle), log.tree.root(end - middle, middle)] : [...path_(middle, end), log.tree.root(half, first)];
  };
  return `c2sp.org/tlog-proof@v1\nindex ${index}\n${path_(0, size).map((hash) => `${hash.toString('base64')}\n`).join('')}`;
}
