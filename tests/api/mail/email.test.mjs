// Addresses of accounts and passwords that were forgotten, with mails that are read as their receivers read them.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makePlayer, password } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { Mailbox, tokensIn } from './mailbox.mjs';

const site = 'https://club.example';
const newPassword = 'staple of another kind';
let bed;
let box;
let client;
let options;

const sql = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);
const code = (answer) => `${answer.status} ${answer.json?.code}`;
let addresses = 0;
const newAddress = () => `ada.${(addresses += 1)}@club.example`;
const setEmail = (player, email, more = {}) => client.request('PUT', '/v1/me/email', { token: player.token, json: { email, password, ...more } });
const removeEmail = (player, word = password) => client.request('DELETE', '/v1/me/email', { token: player.token, json: { password: word } });
const emailOf = async (player) => good(await client.get('/v1/me/email', { token: player.token }));
const confirm = (token) => client.post('/v1/email-confirmations', { token });
const ask = (email, more = {}) => client.post('/v1/password-resets', { email, ...more });
const reset = (token, word = newPassword) => client.post('/v1/password-resets/use', { token, new_password: word });
const signIn = (name, word) => client.post('/v1/tokens', { name, password: word });
const nothingWaits = () => until(30, 'nothing waits', () => sql("SELECT count(*) FROM tillroll.outbox WHERE state = 'waiting'") === '0');

// Somebody with a confirmed address.
async function makeMember(stem, email = newAddress()) {
  const player = await makePlayer(client, stem);
  const before = box.mails.filter((mail) => mail.to === `<${email}>`).length;
  good(await setEmail(player, email));
  const [token] = tokensIn(await box.last(email, before + 1), 'confirm-email');
  good(await confirm(token));
  return { ...player, email };
}

async function linkFor(email) {
  const before = box.mails.filter((mail) => mail.to === `<${email}>`).length;
  good(await ask(email));
  return tokensIn(await box.last(email, before + 1), 'reset-password')[0];
}

before(async () => {
  bed = new Testbed();
  box = await new Mailbox().start();
  options = ['--site-address', site, '--smtp-url', box.url, '--smtp-from', 'tillroll@club.example', '--mails-per-hour', '0', '--smtp-retry-ms', '100', '--smtp-timeout-ms', '1000'];
  ({ client } = await bed.startService(options));
});
after(() => bed.end());

describe('an address', () => {
  it('is confirmed by the link that is mailed to it, once', async () => {
    const player = await makePlayer(client, 'Ada');
    const email = newAddress();
    const set = good(await setEmail(player, email));
    assert.equal(set.email, email);
    assert.equal(set.confirmed_at, null);
    assert.equal(set.last_mail.kind, 'confirm_email');
    assert.equal(set.last_mail.state, 'waiting');
    const mail = await box.last(email);
    assert.equal(mail.from, '<tillroll@club.example>');
    assert.equal(mail.headers.from, '<tillroll@club.example>');
    assert.equal(mail.headers.to, `<${email}>`);
    assert.equal(mail.headers.subject, 'Confirm your email address');
    assert.match(mail.headers['message-id'], /^<[0-9a-f-]{36}@club\.example>$/);
    assert.ok(mail.text.includes(`“${player.name}”`));
    assert.ok(mail.text.includes(`\n${site}/confirm-email#tr_`));
    const [token] = tokensIn(mail, 'confirm-email');
    assert.deepEqual(good(await confirm(token)), { name: player.name, email });
    assert.equal(code(await confirm(token)), '422 bad-mail-link');
    await nothingWaits();
    const now = await emailOf(player);
    assert.notEqual(now.confirmed_at, null);
    assert.equal(now.last_mail.state, 'sent');
    assert.equal(sql(`SELECT count(*) FROM tillroll.mail_token WHERE player_id = '${player.id}'`), '0');
  });

  it('is stored with its domain in lower case, and refused if it could not be mailed to', async () => {
    const player = await makePlayer(client, 'Ada');
    assert.equal(good(await setEmail(player, 'Ada.L@Club.EXAMPLE')).email, 'Ada.L@club.example');
    for (const bad of ['ada', 'ada@club', '@club.example', 'ada@club.example, eve@club.example', 'ada@club.example\r\nBcc: eve@club.example', '<ada@club.example>', 'ada@[127.0.0.1]',
      `${'a'.repeat(65)}@club.example`, 'ädä@club.example', '', 7, null])
      assert.match(code(await setEmail(player, bad)), /^400 (bad|missing)-field$/, JSON.stringify(bad));
    assert.equal(code(await setEmail(player, newAddress(), { language: 'fr' })), '400 bad-field');
    assert.equal((await emailOf(player)).email, 'Ada.L@club.example');
  });

  it('takes the password to set and to remove', async () => {
    const player = await makeMember('Ada');
    assert.equal(code(await setEmail(player, newAddress(), { password: newPassword })), '401 wrong-password');
    assert.equal(code(await removeEmail(player, newPassword)), '401 wrong-password');
    assert.equal((await emailOf(player)).email, player.email);
    assert.equal((await removeEmail(player)).status, 204);
    assert.equal((await emailOf(player)).email, null);
    const told = await box.last(player.email, 2);
    assert.equal(told.headers.subject, 'Your email address was changed');
    assert.ok(told.text.includes(`“${player.name}”`));
  });

  it('is not confirmed by a link to the one before, nor by a link for a password', async () => {
    const player = await makePlayer(client, 'Ada');
    const [first, second] = [newAddress(), newAddress()];
    good(await setEmail(player, first));
    const [old] = tokensIn(await box.last(first), 'confirm-email');
    good(await setEmail(player, second));
    const [token] = tokensIn(await box.last(second), 'confirm-email');
    assert.equal(code(await confirm(old)), '422 bad-mail-link');
    assert.equal(code(await reset(token)), '422 bad-mail-link');
    good(await confirm(token));
    const link = await linkFor(second);
    assert.equal(code(await confirm(link)), '422 bad-mail-link');
    assert.equal(code(await confirm(`${link}0`)), '422 bad-mail-link');
  });

  it('that is not confirmed gets another link when it is set again; one that is stays as it is', async () => {
    const player = await makePlayer(client, 'Ada');
    const email = newAddress();
    good(await setEmail(player, email));
    await box.last(email);
    await nothingWaits();
    good(await setEmail(player, email));
    const mails = await box.to(email, 2);
    const [[old], [token]] = mails.map((mail) => tokensIn(mail, 'confirm-email'));
    assert.equal(code(await confirm(old)), '422 bad-mail-link');
    good(await confirm(token));
    assert.notEqual(good(await setEmail(player, email)).confirmed_at, null);
    await nothingWaits();
    assert.equal((await box.to(email, 2)).length, 2);
  });

  it('is told in German, if it is to be', async () => {
    const player = await makePlayer(client, 'Ada');
    const email = newAddress();
    good(await setEmail(player, email, { language: 'de' }));
    const mail = await box.last(email);
    assert.equal(mail.headers.subject, 'E-Mail-Adresse bestätigen');
    assert.equal(mail.headers['content-language'], 'de');
    assert.ok(mail.text.includes(`für das Konto „${player.name}“`));
  });

  it('expires: its link is good for a day', async () => {
    const player = await makePlayer(client, 'Ada');
    const email = newAddress();
    good(await setEmail(player, email));
    const [token] = tokensIn(await box.last(email), 'confirm-email');
    assert.equal(sql(`SELECT extract(epoch FROM expires_at - clock_timestamp()) BETWEEN 86000 AND 86400 FROM tillroll.mail_token WHERE player_id = '${player.id}'`), 't');
    sql(`UPDATE tillroll.mail_token SET expires_at = clock_timestamp() WHERE player_id = '${player.id}'`);
    assert.equal(code(await confirm(token)), '422 bad-mail-link');
    assert.equal((await emailOf(player)).confirmed_at, null);
  });

  it('of an account with a name full of headers goes into the text only', async () => {
    await Promise.all(['Bcc: eve@club.example', '=?UTF-8?B?QmNjOiBldmU=?=', '.'].map(async (name) => {
      const email = newAddress();
      const made = good(await client.post('/v1/players', { name, password }));
      good(await setEmail(made, email));
      const mail = await box.last(email);
      assert.deepEqual(Object.keys(mail.headers).sort(),
        ['auto-submitted', 'content-language', 'content-transfer-encoding', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']);
      assert.equal(mail.headers.subject, 'Confirm your email address');
      assert.ok(mail.text.includes(`“${name}”`));
    }));
    assert.ok(!box.mails.some((mail) => mail.to.includes('eve')));
  });
});

describe('a password that was forgotten', () => {
  it('is replaced by the link, once, and all sessions end', async () => {
    const player = await makeMember('Beatrice Known');
    const program = good(await client.post('/v1/me/tokens', { label: 'Laptop', scopes: ['read'] }, player.token)).token;
    const other = good(await signIn(player.name, password)).token;
    const token = await linkFor(player.email);
    assert.equal((await client.get('/v1/me', { token: other })).status, 200);
    assert.equal(code(await reset(token, 'short')), '400 bad-field');
    assert.match((await reset(token, player.name)).json.detail, /^new_password must not be the name of the account/);
    assert.equal((await reset(token)).status, 204);
    assert.equal(code(await reset(token, 'yet another sentence')), '422 bad-mail-link');
    for (const each of [player.token, other]) assert.equal((await client.get('/v1/me', { token: each })).status, 401);
    assert.equal((await client.get('/v1/me', { token: program })).status, 200);
    assert.equal(code(await signIn(player.name, password)), '401 wrong-password');
    assert.equal((await signIn(player.name, newPassword)).status, 201);
    await until(30, 'the notice', () => box.mails.some((mail) => mail.to === `<${player.email}>` && mail.headers.subject === 'Your password was changed'));
  });

  it('is replaced by one of two who use the link at once', async () => {
    const player = await makeMember('Bea');
    const token = await linkFor(player.email);
    const words = ['the first of two words', 'the second of two words'];
    const answers = await Promise.all(words.map((word) => reset(token, word)));
    assert.deepEqual(answers.map((each) => each.status).sort(), [204, 422]);
    assert.equal((await signIn(player.name, words[answers.findIndex((each) => each.status === 204)])).status, 201);
  });

  it('is mailed only to an address that is confirmed, and the answer is the same for all, to the byte', async () => {
    const member = await makeMember('Bea');
    const newcomer = await makePlayer(client, 'Bea');
    const pending = newAddress();
    good(await setEmail(newcomer, pending));
    await box.last(pending);
    await nothingWaits();
    const nobody = newAddress();
    const bare = ({ status, headers, text }) => {
      const { 'x-request-id': id, date, ...rest } = headers;
      return { status, rest, text };
    };
    const answers = [];
    for (const email of [member.email, pending, nobody]) answers.push(bare(await ask(email)));
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
    assert.equal(answers[0].status, 204);
    await nothingWaits();
    assert.equal((await box.to(member.email, 2)).length, 2);
    assert.equal((await box.to(pending, 1)).length, 1);
    assert.ok(!box.mails.some((mail) => mail.to === `<${nobody}>`));
    assert.equal(sql(`SELECT count(*) FROM tillroll.outbox WHERE address = '${nobody}'`), '0');
  });

  it('stores the same whoever has the address: one message, of nobody', async () => {
    const member = await makeMember('Bea');
    sql(`CREATE TABLE tillroll.stored (line text);
      CREATE FUNCTION tillroll.store() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN INSERT INTO tillroll.stored VALUES (concat_ws(' ', NEW.kind, NEW.state, NEW.language, NEW.player_id, NEW.until - NEW.created_at > '59 min')); RETURN NULL; END $$;
      GRANT EXECUTE ON FUNCTION tillroll.store() TO tillroll_service;
      CREATE TRIGGER store AFTER INSERT ON tillroll.outbox FOR EACH ROW EXECUTE FUNCTION tillroll.store()`);
    good(await ask(member.email));
    good(await ask(newAddress()));
    assert.deepEqual(sql('SELECT * FROM tillroll.stored').split('\n'), ['reset_password waiting en t', 'reset_password waiting en t']);
    sql('DROP TRIGGER store ON tillroll.outbox; DROP FUNCTION tillroll.store; DROP TABLE tillroll.stored');
    await nothingWaits();
  });

  it('can be asked for in capitals, and of several accounts that share an address', async () => {
    const email = newAddress();
    const players = [await makeMember('Bea', email), await makeMember('Ben', email)];
    const before = (await box.to(email)).length;
    good(await ask(email.toUpperCase()));
    const mail = await box.last(email, before + 1);
    const tokens = tokensIn(mail, 'reset-password');
    assert.equal(tokens.length, 2);
    for (const [i, each] of players.entries()) {
      assert.ok(mail.text.includes(`“${each.name}”\n${site}/reset-password#${tokens[i]}`));
      assert.equal((await reset(tokens[i], `${newPassword} ${i}`)).status, 204);
      assert.equal((await signIn(each.name, `${newPassword} ${i}`)).status, 201);
    }
    assert.equal(code(await signIn(players[0].name, `${newPassword} 1`)), '401 wrong-password');
  });

  it('cannot be replaced an hour later, or when password or address have changed since', async () => {
    const stems = ['Late', 'Changed', 'Helped', 'Moved'];
    const [[late, old], [changed, overtaken], [helped, useless], [moved, link]] = await Promise.all(stems.map(async (stem) => {
      const member = await makeMember(stem);
      return [member, await linkFor(member.email)];
    }));
    assert.equal(sql(`SELECT extract(epoch FROM expires_at - clock_timestamp()) BETWEEN 3500 AND 3600 FROM tillroll.mail_token WHERE player_id = '${late.id}'`), 't');
    sql(`UPDATE tillroll.mail_token SET expires_at = clock_timestamp() WHERE player_id = '${late.id}'`);
    assert.equal(code(await reset(old)), '422 bad-mail-link');

    good(await client.post('/v1/me/password', { password, new_password: 'chosen on the page' }, changed.token));
    assert.equal(code(await reset(overtaken)), '422 bad-mail-link');

    const file = path.join(bed.directory, 'password');
    writeFileSync(file, 'chosen by an operator\n');
    assert.equal(bed.tillroll('admin', 'password', helped.name, '--password-file', file).status, 0);
    assert.equal(code(await reset(useless)), '422 bad-mail-link');

    good(await setEmail(moved, newAddress()));
    assert.equal(code(await reset(link)), '422 bad-mail-link');
    assert.equal((await signIn(moved.name, password)).status, 201);
  });

  it('has links to the configured address, whatever Host the request names', async () => {
    const member = await makeMember('Bea');
    await client.request('POST', '/v1/password-resets', { json: { email: member.email }, headers: { Host: 'evil', 'X-Forwarded-Host': 'evil.example' } });
    const mail = await box.last(member.email, 2);
    assert.equal(tokensIn(mail, 'reset-password').length, 1);
    assert.ok(!mail.raw.includes('evil'));
    assert.ok(mail.text.includes(`\n${site}/reset-password#`));
  });
});

describe('secrets', () => {
  it('are in no table, no log and no answer', async () => {
    const member = await makeMember('Cleo');
    const token = await linkFor(member.email);
    await nothingWaits();
    const tables = sql('SELECT * FROM tillroll.outbox; SELECT * FROM tillroll.mail_token; SELECT * FROM tillroll.email');
    for (const mail of box.mails)
      for (const each of [...tokensIn(mail, 'confirm-email'), ...tokensIn(mail, 'reset-password')]) {
        assert.ok(!tables.includes(each));
        assert.ok(!bed.written().includes(each));
      }
    assert.ok(!bed.written().includes(member.email));
    assert.equal(sql("SELECT count(*) FROM tillroll.outbox WHERE state = 'sent' AND address IS NOT NULL"), '0');
    assert.equal((await reset(token)).status, 204);
  });

  it('leave with the account, and are in its copy before', async () => {
    const member = await makeMember('Cleo');
    await linkFor(member.email);
    await nothingWaits();
    const copy = good(await client.get('/v1/me/export', { token: member.token }));
    assert.equal(copy.email.email, member.email);
    assert.deepEqual(copy.email.mails.map((each) => `${each.kind} ${each.state}`), ['reset_password sent', 'confirm_email sent']);
    const rows = () => ['email', 'mail_token', 'outbox'].map((table) => sql(`SELECT count(*) FROM tillroll.${table} WHERE player_id = '${member.id}'`)).join(' ');
    assert.equal(rows(), '1 1 2');
    assert.equal((await client.post('/v1/me/delete', { password }, member.token)).status, 204);
    assert.equal(rows(), '0 0 0');
  });
});

describe('who may', () => {
  it('set an address: people with an account and the scope', async () => {
    const player = await makePlayer(client, 'Dora');
    const weak = good(await client.post('/v1/me/tokens', { label: 'Laptop', scopes: ['read', 'play'] }, player.token)).token;
    assert.equal(code(await setEmail({ token: weak }, newAddress())), '403 missing-scope');
    const bot = good(await client.post('/v1/me/bots', { name: `${player.name} bot` }, player.token));
    const token = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'Laptop', scopes: ['read'] }, player.token)).token;
    assert.equal(code(await setEmail({ token }, newAddress())), '403 missing-scope');
    assert.equal(code(await client.request('PUT', '/v1/me/email', { json: { email: newAddress(), password } })), '401 not-signed-in');
  });

  it('ask for mails: so many an hour, to one address and for one account, known or not', async () => {
    const strict = await bed.startService([...options, '--mails-per-hour', '2']);
    const player = await makePlayer(strict.client, 'Dora');
    const put = (email) => strict.client.request('PUT', '/v1/me/email', { token: player.token, json: { email, password } });
    const nobody = newAddress();
    for (const wanted of [204, 204, 429]) assert.equal((await strict.client.post('/v1/password-resets', { email: nobody })).status, wanted);
    assert.equal((await strict.client.post('/v1/password-resets', { email: nobody.toUpperCase() })).status, 429);
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await put(newAddress()));
    assert.deepEqual(answers.map((each) => each.status), [200, 200, 429]);
    assert.ok(Number(answers[2].headers['retry-after']) > 0);
    await nothingWaits();
    await strict.end();
  });

  it('ask for mails from one network: ten times as many', async () => {
    const strict = await bed.startService([...options, '--mails-per-hour', '1']);
    const statuses = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await strict.client.post('/v1/password-resets', { email: newAddress() })).status);
    assert.deepEqual(statuses, [...Array(10).fill(204), 429]);
    await nothingWaits();
    await strict.end();
  });

  it('nobody where no mail is sent, which it says; what is there can be removed', async () => {
    const member = await makeMember('Dora');
    const silent = await bed.startService();
    const of = good(await silent.client.get('/v1/me/email', { token: member.token }));
    assert.equal(of.sends_mail, false);
    assert.equal(of.email, member.email);
    assert.equal(code(await silent.client.request('PUT', '/v1/me/email', { token: member.token, json: { email: newAddress(), password } })), '409 no-mail');
    assert.equal(code(await silent.client.post('/v1/password-resets', { email: member.email })), '409 no-mail');
    assert.equal((await silent.client.request('DELETE', '/v1/me/email', { token: member.token, json: { password } })).status, 204);
    await silent.end();
  });
});
