// `tillroll monitor`: follows a service's log, and alarms where the log does not continue, contradicts itself, or does not
// have the records that it is about.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { isSigned, Receiver } from '../channels/receivers.mjs';
import { Mailbox } from '../mail/mailbox.mjs';
import { good } from '../support/client.mjs';
import { leavingOut } from '../support/damage.mjs';
import { endQuietly, makeGame, makePlayer, makePlayers } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { leafHash } from '../support/tlog.mjs';
import { until } from '../support/waiting.mjs';
import { Log, Signer, tillroll } from './support/witness.mjs';

let bed;
let client;
let organizer;
let players;
let policy;
let files = 0;

const fileOf = (text) => {
  const file = path.join(bed.directory, `policy-${files++}`);
  writeFileSync(file, text);
  return file;
};
const newDirectory = () => path.join(bed.directory, `monitor-${files++}`);

// { status, said }
async function monitor(url, directory, options = [], file = policy, env = {}) {
  const child = spawn(tillroll, ['monitor', url, directory, '--once', '--policy', file, ...options], { env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const [status] = await once(child, 'close');
  return { status, said, code: /ALARM: ([a-z-]+): /.exec(said)?.[1] };
}

async function finishGame() {
  const { game } = await makeGame(client, organizer, players);
  await endQuietly(client, game, organizer);
  await until(30, 'the game is in the log', async () => (await client.get(`${game.at}/record.bundle`)).status === 200);
  return game;
}

const address = () => `http://127.0.0.1:${client.port}`;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--log-interval-ms', '50', '--log-origin', 'club.example/log']));
  policy = fileOf(`log ${good(await client.get('/v1/keys')).keys[0].vkey}\nquorum none\n`);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
});
after(() => bed.end());

describe('a service', () => {
  const directory = { name: '' };

  it('whose log is good gives no alarm, and is followed from where it was left', async () => {
    directory.name = newDirectory();
    const sizes = [];
    for (let i = 0; i < 3; i++) {
      await finishGame();
      const { status, said } = await monitor(address(), directory.name);
      assert.equal(status, 0, said);
      const [, leaves, judged, alarms] = /(\d+) leaves, (\d+) judged, (\d+) alarms/.exec(said);
      assert.deepEqual([judged, alarms], [leaves, '0']);
      sizes.push(Number(leaves));
    }
    assert.ok(sizes[0] < sizes[1] && sizes[1] < sizes[2]);
    assert.equal((await monitor(address(), newDirectory())).status, 0);
  });

  it('that is away is no alarm, but no answer either', async () => {
    assert.equal((await monitor('http://127.0.0.1:1', newDirectory())).status, 2);
  });

  it('whose log is not the one of the policy, or lacks witnesses, gives an alarm', async () => {
    const stranger = new Signer('other.example/log', 1);
    assert.equal((await monitor(address(), newDirectory(), [], fileOf(`log ${stranger.vkey}\nquorum none\n`))).code, 'other-log');
    const namesake = new Signer('club.example/log', 1);
    assert.equal((await monitor(address(), newDirectory(), [], fileOf(`log ${namesake.vkey}\nquorum none\n`))).code, 'unsigned-checkpoint');
    const witness = new Signer('w.example', 4);
    const { status, code } = await monitor(address(), newDirectory(), [], fileOf(`${readFileSync(policy, 'utf8').replace('quorum none\n', '')}witness W ${witness.vkey}\nquorum W\n`));
    assert.deepEqual([status, code], [1, 'too-few-witnesses']);
  });

  // A proxy that changes what the service says.
  async function behind(change, act) {
    const server = createServer(async (request, response) => {
      const answer = await fetch(`${address()}${request.url}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const changed = change(request.url, answer.status, bytes);
      response.writeHead(changed.status ?? answer.status).end(changed.bytes ?? bytes);
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    try {
      return await act(`http://127.0.0.1:${server.address().port}`);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  it('that hides, changes or exchanges a record gives an alarm', async () => {
    const game = await finishGame();
    const other = await finishGame();
    const record = Buffer.from((await client.get(`${other.at}/record`)).text);
    const at = `${game.at}/record`;
    const codes = [];
    for (const changed of [{ status: 404, bytes: Buffer.from('{}') }, { bytes: record }, { bytes: record.subarray(0, record.length - 40) }])
      codes.push((await behind((url) => (url === at ? changed : {}), (url) => monitor(url, newDirectory()))).code);
    assert.deepEqual(codes, ['missing-record', 'other-head', 'invalid-record']);
    const away = await behind((url) => (url === at ? { status: 503 } : {}), (url) => monitor(url, newDirectory()));
    assert.deepEqual([away.status, away.code], [2, undefined]);
  });

  it('that hides or changes the log of an event, even one that runs, gives an alarm', async () => {
    const { event } = await makeGame(client, organizer, players);
    const log = `/v1/events/${event.id}/log`;
    const steps = good(await client.get(log)).items;
    await until(30, 'the event is in the log', async () => {
      const { size } = JSON.parse((await client.get('/v1/log/consistency?from=0')).text.replace('"to"', '"size"'));
      const { bytes } = await client.get(`/v1/log/tile/entries/000.p/${size}`);
      return bytes.includes(`tillroll event-step\n${event.id}/line/${steps.at(-1).seq}\n`);
    });
    const changing = (change) => behind((url, status, bytes) => {
      if (!url.startsWith(log)) return {};
      const page = JSON.parse(bytes);
      change(page.items);
      return { bytes: Buffer.from(JSON.stringify(page)) };
    }, (url) => monitor(url, newDirectory()));
    assert.equal((await changing(() => {})).status, 0);
    const codes = [];
    for (const change of [
      (items) => items.filter(({ seq }) => seq === 2).forEach((step) => { step.at = step.at.replace(/.Z$/, (last) => (last === '0Z' ? '1Z' : '0Z')); }),
      (items) => items.filter(({ kind }) => kind === 'created').forEach((step) => { step.detail.name = 'Another'; }),
      (items) => items.filter(({ by }) => by !== null).forEach((step) => { step.by.id = event.id; }),
      (items) => items.splice(0),
    ]) codes.push((await changing(change)).code);
    assert.deepEqual(codes, ['other-event-log', 'other-event-log', 'other-event-log', 'missing-event']);
    const away = await behind((url) => (url.startsWith(log) ? { status: 503 } : {}), (url) => monitor(url, newDirectory()));
    assert.deepEqual([away.status, away.code], [2, undefined]);
    assert.equal((await behind((url) => (url.startsWith(log) ? { status: 404, bytes: Buffer.from('{}') } : {}), (url) => monitor(url, newDirectory()))).code, 'missing-event');
  });

  it('that loses leaves, or changes one, gives an alarm', async () => {
    const old = Buffer.from((await client.get('/v1/log/checkpoint')).text);
    await finishGame();
    const kept = newDirectory();
    assert.equal((await monitor(address(), kept)).status, 0);
    const shrunk = await behind((url) => (url === '/v1/log/checkpoint' ? { bytes: old } : {}), (url) => monitor(url, kept));
    assert.deepEqual([shrunk.status, shrunk.code], [1, 'shrunk']);
    assert.deepEqual(readFileSync(path.join(kept, 'alarm-shrunk')), old);
    const turn = (bytes) => bytes.map((byte, i) => (i === 100 ? byte ^ 1 : byte));
    const { code } = await behind((url, status, bytes) => (url.includes('/entries/') ? { bytes: turn(bytes) } : {}), (url) => monitor(url, newDirectory()));
    assert.equal(code, 'wrong-root');
    assert.equal((await monitor(address(), kept)).status, 0);
  });

  // The last one: a log that lacks something does so for ever.
  it('that has committed to the secret of a game nowhere but in its record gives an alarm', async () => {
    const kept = newDirectory();
    assert.equal((await monitor(address(), kept)).status, 0);
    const game = await leavingOut(bed.cluster, 'tillroll commitment', finishGame);
    const { status, said, code } = await monitor(address(), kept);
    assert.deepEqual([status, code], [1, 'missing-commitment']);
    assert.match(said, new RegExp(`missing-commitment: The log was not told .* an event's secret before the event's log: ${game.event.id}/line/`));
    assert.match(said, new RegExp(`missing-commitment: .*: game ${game.id}`));
    const audit = bed.tillroll('audit');
    assert.equal(audit.status, 1);
    assert.match(audit.stdout, new RegExp(`^log: invalid: not-in-log: the commitment to the secret of game ${game.id} is not in the log$`, 'm'));
    // Told afterwards, it is no better: the log shows that the record came first.
    const commitments = { [game.id]: /^commit (\w+)/m.exec((await client.get(`${game.at}/record`)).text)[1], [game.event.id]: bed.cluster.sql(`SELECT encode(commitment, 'hex') FROM tillroll.event WHERE id = '${game.event.id}'`) };
    for (const [id, hash] of Object.entries(commitments))
      bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.log_queue (entry) VALUES (E'tillroll commitment\\n${id}\\n${hash}\\n')`);
    await until(30, 'nothing waits for the log', () => bed.cluster.sql('SELECT count(*) FROM tillroll.log_queue') === '0');
    assert.equal((await monitor(address(), newDirectory())).code, 'missing-commitment');
    assert.equal(bed.tillroll('audit').status, 0);
  });
});

// A log of our own, which may say anything.
describe('a log', () => {
  const id = (n) => `0190163d-8694-739b-aea5-${String(n).padStart(12, '0')}`;
  const leafText = (kind, name, n) => `tillroll ${kind}\n${name}\n${String(n).padStart(64, '0')}\n`;

  class Service {
    constructor() {
      this.signer = new Signer('odd.example/log', 1);
      this.texts = [];
      this.policy = fileOf(`log ${this.signer.vkey}\nquorum none\n`);
    }

    async start() {
      this.server = createServer((request, response) => {
        const log = new Log(this.signer.name, this.signer);
        log.leaves = this.texts.map((text) => leafHash(text));
        const tile = /^\/v1\/log\/tile\/entries\/(\d\d\d)(?:\.p\/(\d+))?$/.exec(request.url);
        if (request.url === '/v1/log/checkpoint') response.end(log.checkpoint());
        else if (tile) response.end(Buffer.concat(this.texts.slice(256 * tile[1], 256 * tile[1] + Number(tile[2] ?? 256)).map((text) => Buffer.concat([Buffer.of(0, text.length), Buffer.from(text)]))));
        else response.writeHead(404).end();
      });
      await new Promise((resolve) => { this.server.listen(0, '127.0.0.1', resolve); });
      return `http://127.0.0.1:${this.server.address().port}`;
    }

    end() {
      this.server.close();
      this.server.closeAllConnections();
    }
  }

  it('that forks, contradicts itself or has a leaf of no kind gives an alarm', async () => {
    const service = new Service();
    const url = await service.start();
    try {
      const kept = newDirectory();
      for (let i = 0; i < 600; i++) service.texts.push(leafText('commitment', id(i), i));
      assert.equal((await monitor(url, kept, [], service.policy)).status, 0);
      for (let i = 600; i < 700; i++) service.texts.push(leafText('standings', id(1), i)); // these may be said again
      assert.equal((await monitor(url, kept, [], service.policy)).status, 0);
      // Another history of the same size, then of a larger one.
      const whole = service.texts;
      service.texts = whole.with?.(3, leafText('commitment', id(3), 99)) ?? whole.map((text, i) => (i === 3 ? leafText('commitment', id(3), 99) : text));
      const fork = await monitor(url, kept, [], service.policy);
      assert.equal(fork.code, 'fork');
      assert.match(fork.said, / 1 alarm$/m);
      service.texts.push(leafText('commitment', id(800), 1));
      assert.equal((await monitor(url, kept, [], service.policy)).code, 'wrong-root');
      service.texts = [...whole, leafText('commitment', id(5), 6)];
      assert.equal((await monitor(url, kept, [], service.policy)).code, 'contradiction');
      service.texts.push('something else\n');
      assert.equal((await monitor(url, kept, [], service.policy)).code, 'bad-leaf');
      assert.equal((await monitor(url, kept, [], service.policy)).status, 0); // each is said once; the count stays
      assert.match((await monitor(url, kept, [], service.policy)).said, /702 leaves, 702 judged, 4 alarms/);
      assert.deepEqual(readdirSync(kept).filter((name) => name.startsWith('alarm-')).sort(), ['alarm-fork', 'alarm-wrong-root']);
      const told = path.join(bed.directory, `told-${files++}`);
      await monitor(url, newDirectory(), ['--exec', `printf '%s\\n' "$TILLROLL_ALARM" >>'${told}'`], service.policy);
      assert.match(readFileSync(told, 'utf8'), /^contradiction: .*\nbad-leaf: .*\n$/);
    } finally {
      service.end();
    }
  });

  it('is followed on after the monitor was killed, and not from a damaged copy', async () => {
    const service = new Service();
    const url = await service.start();
    try {
      const kept = newDirectory();
      for (let i = 0; i < 300; i++) service.texts.push(leafText('commitment', id(i), i));
      assert.equal((await monitor(url, kept, [], service.policy)).status, 0);
      const leaves = path.join(kept, 'leaves');
      const whole = readFileSync(leaves);
      writeFileSync(leaves, Buffer.concat([whole, Buffer.from([0, 50, 1, 2, 3])])); // a part that was being written
      service.texts.push(leafText('commitment', id(300), 300));
      assert.equal((await monitor(url, kept, [], service.policy)).status, 0);
      writeFileSync(leaves, whole.subarray(0, 5000));
      const { status, stderr } = spawnSync(tillroll, ['monitor', url, kept, '--once', '--policy', service.policy], { encoding: 'utf8' });
      assert.equal(status, 2);
      assert.match(stderr, /what is kept here is damaged/);
    } finally {
      service.end();
    }
  });

  it('is watched until a signal ends it, with figures', async () => {
    const service = new Service();
    const url = await service.start();
    service.texts.push(leafText('commitment', id(1), 1));
    const child = spawn(tillroll, ['monitor', url, newDirectory(), '--policy', service.policy, '--interval', '1', '--metrics-listen', '127.0.0.1:0']);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
    try {
      await until(20, 'it listens', () => /port \d+\n/.test(said));
      const figures = async () => (await fetch(`http://127.0.0.1:${/port (\d+)\n/.exec(said)[1]}/metrics`)).text();
      await until(20, 'it has looked', async () => /^tillroll_monitor_size 1$/m.test(await figures()));
      service.texts.push(leafText('commitment', id(1), 2));
      await until(20, 'it alarms', async () => /^tillroll_monitor_alarms_total 1$/m.test(await figures()));
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [1, null]);
    } finally {
      child.kill('SIGKILL');
      service.end();
    }
  });

  // Two leaves that contradict each other: an alarm.
  const contradict = (service, n) => service.texts.push(leafText('commitment', id(n), 1), leafText('commitment', id(n), 2));
  const unsent = (directory) => JSON.parse(readFileSync(path.join(directory, 'unsent'), 'utf8')).waiting;
  const byMail = (mailbox) => ['--mail-to', 'keeper@club.example', '--smtp-url', mailbox.url];
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  it('that gives an alarm has it told by webhook and by mail, once', async () => {
    const service = new Service();
    const url = await service.start();
    const receiver = await new Receiver().start();
    const mailbox = await new Mailbox().start();
    try {
      const kept = newDirectory();
      const options = ['--webhook', `${receiver.origin}/hook`, '--webhook-secret-file', fileOf(`${secret}\n`), ...byMail(mailbox),
        '--smtp-from', 'tillroll@club.example', '--smtp-user', 'keeper'];
      const env = { TILLROLL_SMTP_PASSWORD: 'not on the command line' };
      contradict(service, 1);
      const first = await monitor(url, kept, options, service.policy, env);
      assert.deepEqual([first.status, first.code], [1, 'contradiction'], first.said);
      assert.equal((await monitor(url, kept, options, service.policy, env)).status, 0);
      const [call, ...more] = receiver.received;
      assert.deepEqual([call.method, call.path, more.length], ['POST', '/hook', 0]);
      assert.ok(isSigned(call, secret));
      const { type, timestamp, data } = JSON.parse(call.body);
      const text = `The log says two different things about ${id(1)}`;
      assert.equal(type, 'notice.log-alarm');
      assert.deepEqual(data, { alarm: 'contradiction', origin: 'odd.example/log', title: 'Alarm about the log odd.example/log: contradiction', text, url });
      const mail = await mailbox.last('keeper@club.example');
      assert.equal(mailbox.mails.length, 1);
      assert.deepEqual([mail.from, mail.headers.subject, mailbox.signedIn], ['<tillroll@club.example>', 'Log alarm: contradiction', ['keeper not on the command line']]);
      assert.ok(mail.headers['message-id'].includes(call.headers['webhook-id']));
      for (const part of [text, 'odd.example/log', url, timestamp]) assert.ok(mail.text.includes(part), part);
      assert.deepEqual(unsent(kept), []);
    } finally {
      service.end();
    }
  });

  it('that gives an alarm has it told later if nobody takes it, also after a restart', async () => {
    const service = new Service();
    const url = await service.start();
    const receiver = await new Receiver().start();
    const mailbox = await new Mailbox().start();
    try {
      const kept = newDirectory();
      const options = ['--webhook', receiver.origin, ...byMail(mailbox)];
      contradict(service, 1);
      mailbox.mode = 'later';
      const { status, said } = await monitor(url, kept, ['--webhook', 'http://127.0.0.1:1', ...byMail(mailbox)], service.policy);
      assert.equal(status, 1);
      assert.match(said, /not taken by webhook, and waits: /);
      assert.match(said, /not taken by mail, and waits: /);
      receiver.answer = (request, response) => response.writeHead(503).end();
      await monitor(url, kept, options, service.policy);
      await monitor(url, kept, [], service.policy); // without a way, what waits goes on waiting
      assert.deepEqual(unsent(kept).map(({ alarm, webhook, mail }) => [alarm, webhook, mail]), [['contradiction', true, true]]);
      assert.ok(receiver.received.length > 0 && mailbox.tries > 1 && mailbox.mails.length === 0);
      const refused = receiver.received.splice(0);
      receiver.answer = (request, response) => response.writeHead(204).end();
      mailbox.mode = 'take';
      assert.equal((await monitor(url, kept, options, service.policy)).status, 0);
      assert.deepEqual([receiver.received.length, mailbox.mails.length, unsent(kept)], [1, 1, []]);
      const told = ({ headers, body }) => [headers['webhook-id'], body.toString()];
      for (const each of refused) assert.deepEqual(told(each), told(receiver.received[0]));
      assert.equal(receiver.received[0].headers['webhook-signature'], undefined);
    } finally {
      service.end();
    }
  });

  it('is watched on while a webhook hangs, and mails go out; the webhook has its calls after a restart', async () => {
    const service = new Service();
    const url = await service.start();
    const receiver = await new Receiver().start();
    const mailbox = await new Mailbox().start();
    const kept = newDirectory();
    const options = ['--webhook', receiver.origin, ...byMail(mailbox)];
    receiver.answer = () => {};
    contradict(service, 1);
    const child = spawn(tillroll, ['monitor', url, kept, '--policy', service.policy, '--interval', '1', ...options], { stdio: 'ignore' });
    const ended = once(child, 'close');
    try {
      await until(60, 'the webhook is called', () => receiver.received.length > 0);
      await mailbox.to('keeper@club.example', 1);
      contradict(service, 2);
      await mailbox.to('keeper@club.example', 2);
      await until(60, 'only the webhook lacks them', () => unsent(kept).every(({ mail }) => mail === undefined));
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [1, null]);
      assert.equal(unsent(kept).length, 2);
      receiver.received.splice(0);
      receiver.answer = (request, response) => response.writeHead(200).end();
      assert.equal((await monitor(url, kept, options, service.policy)).status, 0);
      assert.deepEqual(receiver.received.map(({ body }) => JSON.parse(body).data.text.slice(-36)), [id(1), id(2)]);
      assert.deepEqual([mailbox.mails.length, unsent(kept)], [2, []]);
    } finally {
      child.kill('SIGKILL');
      service.end();
    }
  });

  it('is not followed with options that could not hand an alarm over', async () => {
    const service = new Service();
    const url = await service.start();
    try {
      for (const options of [['--webhook', 'club.example'], ['--webhook', 'https://user:word@club.example/'], ['--webhook-form', 'slack'],
        ['--webhook', 'https://club.example/', '--webhook-form', 'smoke'], ['--webhook', 'https://club.example/', '--webhook-secret-file', fileOf('whsec_short\n')],
        ['--mail-to', 'keeper@club.example'], ['--smtp-url', 'smtp://127.0.0.1'], ['--mail-to', 'keeper', '--smtp-url', 'smtp://127.0.0.1'],
        ['--mail-to', 'keeper@club.example', '--smtp-url', 'http://127.0.0.1'], ['--mail-to', 'keeper@club.example', '--smtp-url', 'smtp://127.0.0.1', '--smtp-user', 'keeper']]) {
        const { status, said } = await monitor(url, newDirectory(), options, service.policy);
        assert.equal(status, 2, options.join(' '));
        assert.match(said, /usage/i);
      }
    } finally {
      service.end();
    }
  });
});
