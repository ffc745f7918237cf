// The outbox: what is committed is sent, whatever ends in between; what cannot be sent is kept with the reason; and a mail server that hangs
// holds up nobody.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import tls from 'node:tls';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { makePlayer, password } from '../support/play.mjs';
import { build, Testbed, undoInTheEnd } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { Mailbox, tokensIn } from './mailbox.mjs';

let bed;
let box;
const sql = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);
let addresses = 0;
const newAddress = () => `bea.${(addresses += 1)}@club.example`;
const put = (client, player, email) => client.request('PUT', '/v1/me/email', { token: player.token, json: { email, password } });
const stateOf = (player) => sql(`SELECT state, attempts FROM tillroll.outbox WHERE player_id = '${player.id}'`);
const start = (...more) => bed.startService(['--site-address', 'https://club.example', '--smtp-url', box.url, '--smtp-from', 'tillroll@club.example', '--mails-per-hour', '0',
  '--smtp-retry-ms', '50', '--smtp-timeout-ms', '60000', ...more]);
// As if its lease were over.
const leaseEnds = () => sql("UPDATE tillroll.outbox SET due_at = clock_timestamp() WHERE state = 'waiting'");
const figure = async (client, name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await client.request('GET', '/metrics', { unchecked: true })).text)?.[1]);

before(async () => {
  bed = new Testbed();
  box = await new Mailbox().start();
});
afterEach(() => {
  box.mode = 'take';
});
after(() => bed.end());

describe('a service that is killed', () => {
  it('right after it has answered loses nothing', async () => {
    const waiting = [];
    for (let i = 0; i < 5; i += 1) {
      const service = await start();
      const player = await makePlayer(service.client, 'Bea');
      const email = newAddress();
      good(await put(service.client, player, email));
      await service.end('SIGKILL');
      waiting.push(email);
    }
    leaseEnds();
    const service = await start();
    for (const email of waiting) await box.to(email);
    await service.end();
  });

  it('while it sends, again and again, sends one mail: one Message-ID, and every copy has a link that works', async () => {
    const email = newAddress();
    let service = await start();
    const player = await makePlayer(service.client, 'Bea');
    box.mode = 'hang';
    let { tries } = box;
    good(await put(service.client, player, email));
    for (let i = 0; i < 3; i += 1) {
      await until(60, 'it is tried', () => box.tries > tries);
      await service.end('SIGKILL');
      ({ tries } = box);
      leaseEnds();
      if (i === 2) box.mode = 'lose'; // before the service tries
      service = await start();
    }
    await box.to(email, 2);
    box.mode = 'take';
    await until(60, 'it is sent', () => stateOf(player).startsWith('sent|'));
    const mails = await box.to(email);
    assert.ok(mails.length > 2);
    assert.deepEqual(new Set(mails.map((mail) => mail.headers['message-id'])).size, 1);
    assert.deepEqual(new Set(mails.map((mail) => mail.headers.date)).size, 1);
    const [token] = tokensIn(mails[0], 'confirm-email');
    good(await service.client.post('/v1/email-confirmations', { token }));
    await service.end();
  });
});

describe('several services', () => {
  it('share the work: each mail is sent by one of them', async () => {
    const services = [await start(), await start(), await start()];
    const players = await Promise.all(Array.from({ length: 12 }, () => makePlayer(services[0].client, 'Bea')));
    const emails = players.map(newAddress);
    await Promise.all(players.map(async (player, i) => good(await put(services[i % 3].client, player, emails[i]))));
    await until(60, 'all are sent', () => players.every((player) => stateOf(player) === 'sent|1'));
    for (const email of emails) assert.equal((await box.to(email)).length, 1);
    const sent = await Promise.all(services.map(({ client }) => figure(client, 'tillroll_mail_sent_total')));
    assert.equal(sent.reduce((sum, each) => sum + each, 0), 12);
    for (const each of services) await each.end();
  });
});

describe('a mail server', () => {
  it('that hangs holds up nobody, and no end of the service', async () => {
    const service = await start();
    const { client } = service;
    const player = await makePlayer(client, 'Bea');
    box.mode = 'hang';
    const { tries } = box;
    good(await put(client, player, newAddress()));
    await until(60, 'it is tried', () => box.tries > tries);
    good(await client.get('/v1/me/email', { token: player.token }));
    good(await put(client, player, newAddress()));
    assert.equal((await client.request('DELETE', '/v1/me/email', { token: player.token, json: { password } })).status, 204);
    assert.equal((await client.post('/v1/me/delete', { password }, player.token)).status, 204);
    assert.equal(sql('SELECT count(*) FROM tillroll.outbox WHERE player_id IS NOT NULL AND player_id IN (SELECT id FROM tillroll.player WHERE deleted_at IS NOT NULL)'), '0');
    const [code] = await service.end();
    assert.equal(code, 0);
  });

  it('that is slow to take a mail is given up for now, and tried again', { skip: notLong }, async () => {
    const service = await start('--smtp-timeout-ms', '200');
    const player = await makePlayer(service.client, 'Bea');
    const email = newAddress();
    box.mode = 'hang';
    good(await put(service.client, player, email));
    await until(60, 'it was tried three times', () => Number(stateOf(player).split('|')[1]) >= 3);
    assert.ok((await figure(service.client, 'tillroll_mail_deferred_total')) >= 2);
    assert.equal(await figure(service.client, 'tillroll_mail_waiting'), 1);
    const { last_mail: mail } = good(await service.client.get('/v1/me/email', { token: player.token }));
    assert.equal(mail.state, 'waiting');
    assert.match(mail.reason, /^Timeout was reached/);
    box.mode = 'take';
    await box.to(email);
    await until(60, 'nothing waits', async () => (await figure(service.client, 'tillroll_mail_waiting')) === 0);
    await service.end();
  });

  it('that is away, or asks to come later, gets the mail later', async () => {
    const service = await start();
    const player = await makePlayer(service.client, 'Bea');
    const email = newAddress();
    box.mode = 'later';
    good(await put(service.client, player, email));
    await until(60, 'it was tried twice', () => Number(stateOf(player).split('|')[1]) >= 2);
    box.mode = 'take';
    await box.to(email);
    await service.end();
  });

  it('that refuses a mail for good is not asked again: the mail is kept as failed, with the reason', async () => {
    const service = await start();
    const player = await makePlayer(service.client, 'Bea');
    const email = newAddress();
    box.mode = 'refuse';
    good(await put(service.client, player, email));
    await until(60, 'it has failed', () => stateOf(player) === 'failed|1');
    const { last_mail: mail } = good(await service.client.get('/v1/me/email', { token: player.token }));
    assert.match(mail.reason, /last answer of the mail server: 550/);
    assert.ok(!mail.reason.includes(email));
    assert.equal(await figure(service.client, 'tillroll_mail_failed_total'), 1);
    assert.ok(!bed.written().includes(email));
    await service.end();
  });

  it('that asks for a user gets the one of the configuration, whose password is in no log', { skip: notLong }, async () => {
    const file = path.join(bed.directory, 'smtp-password-given');
    writeFileSync(file, 'ein geheimes Wort\nand a second line\n');
    const service = await start('--smtp-user', 'tillroll', '--smtp-password-file', file);
    const player = await makePlayer(service.client, 'Bea');
    const email = newAddress();
    good(await put(service.client, player, email));
    await box.to(email);
    assert.deepEqual(box.signedIn, ['tillroll ein geheimes Wort']);
    await service.end();
    assert.ok(!bed.written().includes('geheimes'));
  });

  it('whose certificate nobody vouches for learns nothing', async () => {
    const [key, cert] = ['key', 'cert'].map((name) => path.join(bed.directory, `${name}.pem`));
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost',
      '-keyout', key, '-out', cert], { stdio: 'ignore' });
    let heard = 0;
    const server = tls.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', ({ length }) => (heard += length));
      socket.write('220 mailbox\r\n');
    });
    server.on('tlsClientError', () => {});
    undoInTheEnd(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const service = await start('--smtp-url', `smtps://localhost:${server.address().port}`);
    const player = await makePlayer(service.client, 'Bea');
    good(await put(service.client, player, newAddress()));
    await until(60, 'it was tried', () => sql(`SELECT reason FROM tillroll.outbox WHERE player_id = '${player.id}'`) !== '');
    assert.match(sql(`SELECT reason FROM tillroll.outbox WHERE player_id = '${player.id}'`), /certificate|SSL/i);
    assert.equal(heard, 0);
    await service.end();
    sql(`DELETE FROM tillroll.outbox WHERE player_id = '${player.id}'`);
  });

  it('that does not come back in time: the mail is given up, with the last reason', { skip: notLong }, async () => {
    const service = await start();
    const player = await makePlayer(service.client, 'Bea');
    box.mode = 'later';
    good(await put(service.client, player, newAddress()));
    await until(60, 'it was tried', () => Number(stateOf(player).split('|')[1]) >= 1);
    sql(`UPDATE tillroll.outbox SET until = clock_timestamp() WHERE player_id = '${player.id}'`);
    await until(60, 'it is given up', () => stateOf(player).startsWith('failed|'));
    assert.match(sql(`SELECT reason FROM tillroll.outbox WHERE player_id = '${player.id}'`), /^Given up; the last try: .*451/);
    await service.end();
  });
});

describe('retention', () => {
  it('keeps sent mails for a week, failed ones for a month, and tokens for a week after they have expired', async () => {
    const service = await start('--upkeep-seconds', '1');
    const { id } = await makePlayer(service.client, 'Bea');
    const row = (state, days) => `(gen_random_uuid(), 'password_changed', '${id}', ${state === 'sent' ? 'NULL' : "'bea@club.example'"}, 'en', '${state}', now(), now() - interval '${days} days')`;
    sql(`INSERT INTO tillroll.outbox (id, kind, player_id, address, language, state, until, ended_at) VALUES ${[['sent', 6], ['sent', 8], ['failed', 8], ['failed', 29], ['failed', 31]].map((each) => row(...each)).join()};
      INSERT INTO tillroll.mail_token (hash, player_id, purpose, address, expires_at) SELECT sha256(days::text::bytea), '${id}', 'reset_password', 'bea@club.example', now() - days * interval '1 day' FROM unnest(ARRAY[1, 8]) AS days;
      UPDATE tillroll.upkeep SET due_at = now()`);
    await until(60, 'the old ones are gone', () => sql(`SELECT count(*) FROM tillroll.outbox WHERE player_id = '${id}'`) === '3');
    assert.equal(sql(`SELECT string_agg(state, ' ' ORDER BY ended_at) FROM tillroll.outbox WHERE player_id = '${id}'`), 'failed failed sent');
    await until(60, 'so are the tokens', () => sql(`SELECT count(*) FROM tillroll.mail_token WHERE player_id = '${id}'`) === '1');
    await service.end();
  });

  it('of what waits is bounded: when too much does, no more is taken', { skip: notLong }, async () => {
    const service = await bed.startService(['--site-address', 'https://club.example', '--smtp-url', 'smtp://127.0.0.1:9', '--smtp-from', 'tillroll@club.example', '--mails-per-hour', '0']);
    const player = await makePlayer(service.client, 'Bea');
    sql(`INSERT INTO tillroll.outbox (id, kind, player_id, address, language, until, due_at)
      SELECT gen_random_uuid(), 'password_changed', '${player.id}', 'bea@club.example', 'en', now() + interval '1 day', now() + interval '1 day' FROM generate_series(1, 10000)`);
    const answer = await put(service.client, player, newAddress());
    assert.equal(`${answer.status} ${answer.json.code}`, '503 server-busy');
    assert.equal(good(await service.client.get('/v1/me/email', { token: player.token })).email, null);
    sql('DELETE FROM tillroll.outbox');
    await service.end();
  });
});

describe('the configuration', () => {
  it('says what is missing', () => {
    const passwordFile = path.join(bed.directory, 'smtp-password');
    const check = (environment) => {
      const run = spawnSync(path.join(build, 'tillrolld'), ['--check-config', '--listen', '127.0.0.1:0'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, TILLROLL_DATABASE: bed.cluster.serviceUrl, TILLROLL_SECRETS: path.join(bed.directory, 'secrets'), ...environment },
      });
      return run.status === 0 ? 'good' : run.stderr.trim();
    };
    const whole = { TILLROLL_SMTP_URL: 'smtp://mail.example:587', TILLROLL_SMTP_FROM: 'tillroll@club.example', TILLROLL_SITE_ADDRESS: 'https://club.example' };
    const signedIn = { ...whole, TILLROLL_SMTP_USER: 'tillroll', TILLROLL_SMTP_PASSWORD_FILE: passwordFile };
    writeFileSync(passwordFile, '\n');
    assert.match(check(signedIn), /--smtp-password-file names no file/);
    writeFileSync(passwordFile, 'geheim\n');
    assert.equal(check(whole), 'good');
    assert.equal(check(signedIn), 'good');
    assert.match(check({ ...whole, TILLROLL_SMTP_URL: 'https://mail.example' }), /--smtp-url takes smtp:/);
    assert.match(check({ ...whole, TILLROLL_SMTP_URL: 'smtp://ada:geheim@mail.example' }), /--smtp-url takes smtp:.*without user/);
    assert.match(check({ ...whole, TILLROLL_SMTP_FROM: 'Tillroll' }), /--smtp-url needs --smtp-from/);
    assert.match(check({ ...whole, TILLROLL_SITE_ADDRESS: '' }), /--smtp-url needs --site-address/);
    assert.match(check({ ...whole, TILLROLL_SMTP_USER: 'tillroll' }), /needed both/);
  });
});
