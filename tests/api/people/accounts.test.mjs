// Accounts: what becomes of names, passwords, sessions, tokens and bots.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, password, play } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { realPasswords, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed;
let client;
let second; // another service on the same database
const newPassword = 'staple of another kind';

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  ({ client: second } = await bed.startService());
});
after(() => bed.end());

const signIn = (name, word = password) => client.post('/v1/tokens', { name, password: word });
const session = async (name, word) => good(await signIn(name, word)).token;
const me = (token, at = client) => at.get('/v1/me', { token });
const code = (answer) => `${answer.status} ${answer.json?.code}`;
const issue = (token, body = {}) => client.post('/v1/me/tokens', { label: 'Laptop', scopes: ['read'], ...body }, token);
const tokensOf = async (token) => good(await client.get('/v1/me/tokens', { token })).items;
const sql = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);

// The other service hears of it a moment later.
const endsElsewhere = (token) => until(60, 'the other service refuses the token', async () => (await me(token, second)).status === 401);

describe('a password', () => {
  it('that is short is wrong like any other, where it is to be right', async () => {
    const player = await makePlayer(client, 'Brief');
    for (const word of ['x', 'x'.repeat(9)]) {
      const answer = await signIn(player.name, word);
      assert.equal(code(answer), '401 wrong-password');
      assert.equal(answer.json.detail, 'Wrong name or password.');
      assert.equal(code(await signIn('Nobody', word)), '401 wrong-password');
      assert.equal(code(await client.post('/v1/me/password', { password: word, new_password: newPassword }, player.token)), '401 wrong-password');
      assert.equal(code(await client.post('/v1/me/delete', { password: word }, player.token)), '401 wrong-password');
    }
  });

  it('of a shape that nobody can have is wrong like any other, and so is such a name', async () => {
    const player = await makePlayer(client, 'Brief');
    for (const [name, word] of [[player.name, 'x'.repeat(129)], [player.name, 'a\ttab and a line\n'], [player.name, ''], ['x'.repeat(200), password], ['two  blanks', password],
      ['tab\tname', password], ['', password]])
      assert.equal(code(await signIn(name, word)), '401 wrong-password', JSON.stringify([name, word]));
    for (const word of ['x'.repeat(129), '']) assert.equal(code(await client.post('/v1/me/delete', { password: word }, player.token)), '401 wrong-password');
    assert.equal(code(await client.post('/v1/tokens', { name: player.name, password: 1 })), '400 bad-field');
    assert.equal(code(await client.post('/v1/tokens', { name: 1, password })), '400 bad-field');
  });

  it('is kept as a hash that costs 64 MiB and two passes', async () => {
    const { client: real } = await bed.startService([], realPasswords);
    const { id, name } = await makePlayer(real);
    assert.match(sql(`SELECT password_hash FROM tillroll.player WHERE id = '${id}'`), /^\$argon2id\$v=19\$m=65536,t=2,p=1\$/);
    assert.equal((await signIn(name)).status, 201);
  });

  it('is changed by who knows the old one, and ends all other sessions', async () => {
    const player = await makePlayer(client, 'Somebody known');
    const others = [await session(player.name), await session(player.name)];
    const program = good(await issue(player.token)).token;
    for (const token of [...others, program]) for (const at of [client, second]) good(await me(token, at));
    const change = (body) => client.post('/v1/me/password', body, player.token);
    assert.equal(code(await change({ password: newPassword, new_password: newPassword })), '401 wrong-password');
    assert.equal(code(await change({ password, new_password: 'short' })), '400 bad-field');
    const common = await change({ password, new_password: 'QWERTYuiop' });
    assert.equal(code(common), '400 bad-field');
    assert.match(common.json.detail, /one of the first that others would guess/);
    const own = await change({ password, new_password: player.name.toUpperCase() });
    assert.equal(code(own), '400 bad-field');
    assert.match(own.json.detail, /^new_password must not be the name of the account/);
    const registered = await client.post('/v1/players', { name: 'Somebody New', password: 'somebody new' });
    assert.equal(registered.json.detail, 'password must not be the name of the account, which everybody can read.');
    assert.equal(code(await change({ new_password: newPassword })), '400 missing-field');
    for (const token of others) good(await me(token));
    assert.equal((await change({ password, new_password: newPassword })).status, 204);
    for (const token of others) {
      assert.equal(code(await me(token)), '401 bad-token');
      await endsElsewhere(token);
    }
    good(await me(player.token));
    good(await me(program));
    assert.equal(code(await signIn(player.name)), '401 wrong-password');
    assert.equal((await signIn(player.name, newPassword)).status, 201);
  });

  it('ends every session when a program changes it', async () => {
    const player = await makePlayer(client);
    const program = good(await issue(player.token, { scopes: ['read', 'account'] })).token;
    assert.equal((await client.post('/v1/me/password', { password, new_password: newPassword }, program)).status, 204);
    assert.equal(code(await me(player.token)), '401 bad-token');
    good(await me(program));
  });

  it('is not asked of who is unknown in another way', async () => {
    const player = await makePlayer(client);
    const wrong = await signIn(player.name, newPassword);
    const unknown = await signIn('Nobody at all', newPassword);
    assert.equal(wrong.text, unknown.text);
    assert.equal(wrong.status, unknown.status);
  });
});

describe('a name', () => {
  it('is changed, everywhere and at once', async () => {
    const [organizer, ...players] = await makePlayers(client, 4);
    const { event, game } = await makeGame(client, organizer, players);
    const record = (await client.get(`${game.at}/record`)).text;
    const shown = async (at) => (await at.get(`/v1/events/${event.id}/standings`)).text + (await at.get(`/v1/events/${event.id}/entries`)).text;
    const [old, name] = [players[0].name, `${players[0].name} of the Sea`];
    for (const at of [client, second]) assert.ok((await shown(at)).includes(old));
    const renamed = good(await client.request('PATCH', '/v1/me', { token: players[0].token, json: { name } }));
    assert.equal(renamed.name, name);
    assert.ok((await shown(client)).includes(`"${name}"`) && !(await shown(client)).includes(`"${old}"`));
    await until(60, 'the other service shows the name', async () => (await shown(second)).includes(`"${name}"`));
    assert.equal((await client.get(`${game.at}/record`)).text, record);
    assert.equal((await signIn(old)).status, 401);
    assert.equal((await signIn(name)).status, 201);
  });

  it('is one’s own, and marks nothing that one is not', async () => {
    const [player, other] = await makePlayers(client, 2);
    const rename = async (name) => code(await client.request('PATCH', '/v1/me', { token: player.token, json: { name } }));
    assert.equal(await rename(other.name.toUpperCase()), '409 name-taken');
    assert.equal(await rename(player.name.toUpperCase()), '200 undefined');
    for (const name of ['Ada [bot]', 'Ada[BOT]', '[bot]', 'Deleted player 17', 'deleted Player ', ' Ada', ''])
      assert.equal(await rename(name), '400 bad-field', name);
    for (const name of ['Ada [bot]', 'Deleted player 17'])
      assert.equal(code(await client.post('/v1/players', { name, password })), '400 bad-field');
  });
});

describe('a token', () => {
  it('does what it was made for, and is listed without itself', async () => {
    const player = await makePlayer(client);
    const made = good(await issue(player.token, { label: 'Phone', scopes: ['play', 'read'], expires_in_days: 3 }));
    assert.deepEqual(made.scopes, ['read', 'play']);
    assert.equal(Date.parse(made.expires_at) - Date.parse(made.created_at), 3 * 86400_000);
    const listed = await client.get('/v1/me/tokens', { token: player.token });
    assert.doesNotMatch(listed.text, /tr_/);
    assert.deepEqual(listed.json.items.map(({ label, scopes }) => [label, scopes]), [
      [null, ['read', 'play', 'organize', 'account']],
      ['Phone', ['read', 'play']],
    ]);
    const { token } = good(await me(made.token));
    assert.equal(token.id, made.id);
    assert.equal(code(await client.get('/v1/me/tokens', { token: made.token })), '403 missing-scope');
    assert.equal(code(await client.post('/v1/events', { name: 'E', ruleset: 'shinjuku' }, made.token)), '403 missing-scope');
  });

  it('gives no other what it has not itself', async () => {
    const player = await makePlayer(client);
    const account = good(await issue(player.token, { scopes: ['account'] })).token;
    assert.equal(code(await issue(account, { scopes: ['account', 'play'] })), '403 missing-scope');
    assert.equal((await issue(account, { scopes: ['account'] })).status, 201);
  });

  it('is refused where it makes no sense', async () => {
    const { token } = await makePlayer(client);
    for (const body of [
      { scopes: [] }, { scopes: ['read', 'read'] }, { scopes: ['write'] }, { scopes: 'read' }, { scopes: [1] }, { scopes: null },
      { label: '' }, { label: 'x'.repeat(61) }, { expires_in_days: 0 }, { expires_in_days: 367 },
    ])
      assert.equal(code(await issue(token, body)), '400 bad-field', JSON.stringify(body));
    assert.equal(code(await issue(token, { label: undefined })), '400 missing-field');
    assert.equal(code(await issue(token, { forever: true })), '400 unknown-field');
    assert.equal((await tokensOf(token)).length, 1);
  });

  it('is revoked alone, by its player only, with the streams that it opened', async () => {
    const [player, other] = await makePlayers(client, 2);
    const event = good(await client.post('/v1/events', { name: 'Watched', ruleset: 'shinjuku', rounds: 1 }, player.token));
    const [one, two] = [good(await issue(player.token)), good(await issue(player.token))];
    good(await me(one.token, second));
    const stream = await Stream.open(second, `/v1/events/${event.id}/stream`, { token: one.token });
    assert.equal((await client.delete(`/v1/me/tokens/${one.id}`, other.token)).status, 404);
    good(await me(one.token));
    assert.equal((await client.delete(`/v1/me/tokens/${one.id}`, player.token)).status, 204);
    assert.equal((await client.delete(`/v1/me/tokens/${one.id}`, player.token)).status, 404);
    assert.equal(code(await me(one.token)), '401 bad-token');
    await endsElsewhere(one.token);
    await stream.ended();
    good(await me(two.token));
    assert.deepEqual((await tokensOf(player.token)).map((each) => each.id).includes(one.id), false);
  });

  it('of a session is listed and revoked as others are, and one’s own is known by its id', async () => {
    const [player, other] = await makePlayers(client, 2);
    const lost = await session(player.name);
    const { token: { id: own } } = good(await me(player.token));
    const sessions = (await tokensOf(player.token)).filter((each) => each.label === null);
    assert.equal(sessions.length, 2);
    const [gone] = sessions.filter((each) => each.id !== own);
    assert.equal(good(await me(lost, second)).token.id, gone.id);
    assert.equal((await client.delete(`/v1/me/tokens/${gone.id}`, other.token)).status, 404);
    assert.equal((await client.delete(`/v1/me/tokens/${gone.id}`, player.token)).status, 204);
    assert.equal(code(await me(lost)), '401 bad-token');
    await endsElsewhere(lost);
    assert.deepEqual((await tokensOf(player.token)).map((each) => each.id), [own]);
  });

  it('says when it was last used, which is not known before', async () => {
    const player = await makePlayer(client);
    const made = good(await issue(player.token));
    const listed = async () => (await tokensOf(player.token)).find((each) => each.id === made.id);
    assert.equal((await listed()).seen_at, null);
    const before = Date.now();
    // A use is missed if another token ends at that moment (sessions_keep()).
    await until(60, 'it is written down', async () => good(await me(made.token)) && (await listed()).seen_at !== null);
    const { seen_at: at } = await listed();
    assert.ok(Date.parse(at) >= before - 1000 && Date.parse(at) <= Date.now(), at);
  });

  it('is one of fifty at most, however many are asked for at once', async () => {
    const { token } = await makePlayer(client);
    const answers = await Promise.all(Array.from({ length: 60 }, () => issue(token)));
    assert.deepEqual(answers.map(code).filter((each) => each !== '201 undefined'), Array(10).fill('409 too-many-tokens'));
    let listed = [];
    for (let next = ''; next !== null; ) {
      const page = good(await client.get(`/v1/me/tokens?limit=20${next && `&after=${next}`}`, { token }));
      listed = [...listed, ...page.items];
      ({ next } = page);
    }
    assert.equal(new Set(listed.map((each) => each.id)).size, 51);
    assert.equal((await client.delete(`/v1/me/tokens/${listed[1].id}`, token)).status, 204);
    assert.equal((await issue(token)).status, 201);
  });

  it('is kept nowhere, not even for a request that is sent again', async () => {
    const { token } = await makePlayer(client);
    const ask = () => client.post('/v1/me/tokens', { label: 'Twice', scopes: ['read'] }, token, { 'Idempotency-Key': 'twice' });
    const [one, two] = [good(await ask()).token, good(await ask()).token];
    assert.notEqual(one, two);
    const everything = sql('SELECT * FROM tillroll.kept_answer; SELECT encode(hash, \'hex\'), label FROM tillroll.token');
    const written = bed.written();
    for (const each of [one, two]) assert.ok(!everything.includes(each.slice(3)) && !written.includes(each));
  });
});

describe('all other sessions', () => {
  const endOthers = (token, body = {}) => client.post('/v1/me/sessions/end-others', body, token);

  it('are ended by one, and tokens are not', async () => {
    const player = await makePlayer(client);
    const others = [await session(player.name), await session(player.name)];
    const program = good(await issue(player.token)).token;
    for (const token of others) for (const at of [client, second]) good(await me(token, at));
    assert.equal(code(await endOthers(program)), '403 missing-scope');
    assert.equal(code(await endOthers(player.token, { all: true })), '400 unknown-field');
    for (const token of others) good(await me(token));
    assert.deepEqual(good(await endOthers(player.token)), { ended: 2 });
    for (const token of others) {
      assert.equal(code(await me(token)), '401 bad-token');
      await endsElsewhere(token);
    }
    good(await me(player.token));
    good(await me(program));
    assert.deepEqual(good(await endOthers(player.token)), { ended: 0 });
  });

  it('are all of them for a program', async () => {
    const player = await makePlayer(client);
    const program = good(await issue(player.token, { scopes: ['account', 'read'] })).token;
    assert.deepEqual(good(await endOthers(program)), { ended: 1 });
    assert.equal(code(await me(player.token)), '401 bad-token');
    good(await me(program));
  });
});

describe('the tables at which it is one’s turn', () => {
  const turns = (token, headers, at = client) => at.get('/v1/me/turns', { token, headers });

  it('are counted, and the count is answered anew only when it has changed', async () => {
    const [organizer, ...players] = await makePlayers(client, 4);
    const { game } = await makeGame(client, organizer, players);
    const seat = good(await client.get(game.at)).deciders[0];
    const [mover, other] = [game.players[seat], game.players[(seat + 1) % 3]];
    for (const at of [client, second]) {
      assert.deepEqual(good(await turns(mover.token, {}, at)), { tables: 1, disputes: 0, results: 0 });
      assert.deepEqual(good(await turns(other.token, {}, at)), { tables: 0, disputes: 0, results: 0 });
    }
    assert.deepEqual(good(await turns(organizer.token)), { tables: 0, disputes: 0, results: 0 });
    const { etag } = (await turns(mover.token)).headers;
    const again = await turns(mover.token, { 'If-None-Match': etag });
    assert.deepEqual([again.status, again.text], [304, '']);
    // Until it is somebody else's turn.
    for (let now = good(await client.get(game.at)); now.deciders.includes(seat); now = good(await client.get(game.at))) {
      const { moves, seq } = await legalMoves(client, game, seat);
      good(await play(client, game, seat, [moves.includes('end') ? 'end' : moves[0]], seq));
    }
    assert.deepEqual(good(await turns(mover.token, { 'If-None-Match': etag })), { tables: 0, disputes: 0, results: 0 });
    await until(60, 'the other service has heard', async () => good(await turns(mover.token, {}, second)).tables === 0);
    await endQuietly(client, game, organizer);
    for (const player of game.players) assert.deepEqual(good(await turns(player.token)), { tables: 0, disputes: 0, results: 0 });
  });

  it('are nobody’s without a token', async () => {
    assert.equal(code(await turns(undefined)), '401 not-signed-in');
  });
});

describe('a bot', () => {
  it('is marked wherever it is shown, and plays with its owner’s tokens for it', async () => {
    const [organizer, owner, ...players] = await makePlayers(client, 4);
    const bot = good(await client.post('/v1/me/bots', { name: `Engine of ${owner.name}` }, owner.token));
    assert.equal(bot.name, `Engine of ${owner.name} [bot]`);
    assert.deepEqual([bot.bot, bot.owner], [true, owner.id]);
    assert.deepEqual(good(await client.get('/v1/me/bots', { token: owner.token })).items, [bot]);
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'Home', scopes: ['read', 'play'] }, owner.token));
    const { game, event } = await makeGame(client, organizer, [{ id: bot.id, name: bot.name, token }, ...players]);
    const seat = game.players.findIndex((player) => player.id === bot.id);
    assert.equal(good(await client.get(`${game.at}/view`, { token })).viewer.seat, seat);
    assert.equal(code(await client.get(`${game.at}/legal-moves`, { token: owner.token })), '403 not-a-seat');
    for (const target of [`/v1/players/${bot.id}`, game.at, `/v1/events/${event.id}/standings`, `/v1/events/${event.id}/entries`])
      assert.ok((await client.get(target)).text.includes(bot.name), target);
    assert.match((await client.get(`${game.at}/record`)).text, /^seat \d \S+ Engine%20of%20\S*%20(\[|%5[Bb])bot(\]|%5[Dd]) /m);
  });

  it('has no password and no account, and no bots of its own', async () => {
    const owner = await makePlayer(client);
    const bot = good(await client.post('/v1/me/bots', { name: `Plain ${owner.name}` }, owner.token));
    const issueFor = (scopes) => client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes }, owner.token);
    assert.equal(code(await issueFor(['account'])), '403 missing-scope');
    const { token } = good(await issueFor(['read', 'play', 'organize']));
    assert.equal(code(await client.post('/v1/me/bots', { name: 'Child' }, token)), '403 missing-scope');
    assert.equal(code(await signIn(bot.name)), '401 wrong-password');
  });

  it('is one of ten at most, and gone when its owner deletes it', async () => {
    const owner = await makePlayer(client);
    const make = (i) => client.post('/v1/me/bots', { name: `Number ${i} ${owner.name}` }, owner.token);
    const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => make(i)));
    assert.deepEqual(answers.map(code).filter((each) => each !== '201 undefined'), Array(4).fill('409 too-many-bots'));
    const bot = answers.find((answer) => answer.status === 201).json;
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read'] }, owner.token));
    assert.equal((await tokensOf(owner.token)).length, 2);
    assert.equal((await client.delete(`/v1/me/bots/${bot.id}`, owner.token)).status, 204);
    assert.equal((await client.delete(`/v1/me/bots/${bot.id}`, owner.token)).status, 404);
    assert.equal(code(await me(token)), '401 bad-token');
    const gone = good(await client.get(`/v1/players/${bot.id}`));
    assert.match(gone.name, /^Deleted player [0-9a-f]{12} \[bot\]$/);
    assert.equal(gone.deleted, true);
    assert.equal(good(await client.get('/v1/me/bots', { token: owner.token })).items.length, 9);
    assert.equal((await make(20)).status, 201);
  });

  it('is one of twenty made within a day, so that new ones do not come with new limits', async () => {
    const owner = await makePlayer(client);
    const make = (i) => client.post('/v1/me/bots', { name: `Turn ${i} ${owner.name}` }, owner.token);
    for (let i = 0; i < 20; i++) assert.equal((await client.delete(`/v1/me/bots/${good(await make(i)).id}`, owner.token)).status, 204);
    assert.equal(code(await make(20)), '409 too-many-bots');
    bed.cluster.sql(`SET ROLE tillroll_owner; UPDATE tillroll.player SET created_at = created_at - interval '1 day' WHERE owner_id = '${owner.id}'`);
    assert.equal((await make(20)).status, 201);
  });

  it('leaves tables that wait, as its owner does with the account', async () => {
    const [owner, other] = [await makePlayer(client), await makePlayer(client)];
    const bot = good(await client.post('/v1/me/bots', { name: `Ghost of ${owner.name}` }, owner.token));
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'play'] }, owner.token));
    const open = async (player, seats) => good(await client.post('/v1/lobby', { ruleset: 'shinjuku', seats }, player));
    const [its, joined, owned] = [await open(token, 2), await open(other.token, 4), await open(owner.token, 2)];
    for (const player of [token, owner.token]) good(await client.post(`/v1/lobby/${joined.id}/seat`, {}, player));
    assert.equal((await client.delete(`/v1/me/bots/${bot.id}`, owner.token)).status, 204);
    assert.equal((await client.get(`/v1/lobby/${its.id}`)).status, 404);
    assert.equal(code(await client.post(`/v1/lobby/${its.id}/seat`, {}, other.token)), '404 not-found');
    const seated = async () => good(await client.get(`/v1/lobby/${joined.id}`)).players.map((each) => each.player.id);
    assert.deepEqual(await seated(), [other.id, owner.id]);
    assert.equal((await client.post('/v1/me/delete', { password }, owner.token)).status, 204);
    assert.equal((await client.get(`/v1/lobby/${owned.id}`)).status, 404);
    assert.deepEqual(await seated(), [other.id]);
  });
});

describe('an account that is deleted', () => {
  it('leaves a pseudonym where it played, and nothing else', async () => {
    const [organizer, leaver, ...players] = await makePlayers(client, 4, 'Visitor');
    const { game, event } = await makeGame(client, organizer, [leaver, ...players]);
    await endQuietly(client, game, organizer);
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const bot = good(await client.post('/v1/me/bots', { name: `Helper of ${leaver.name}` }, leaver.token));
    const helper = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'Secret label', scopes: ['read'] }, leaver.token)).token;
    const more = [await session(leaver.name), good(await issue(leaver.token)).token, helper];
    for (const token of more) good(await me(token, second));
    good(await client.post('/v1/events', { name: 'Draft', ruleset: 'shinjuku', rounds: 1 }, leaver.token, { 'Idempotency-Key': 'mine' }));
    const record = (await client.get(`${game.at}/record`)).text;
    const leave = (word) => client.post('/v1/me/delete', { password: word }, leaver.token);
    assert.equal(code(await leave(newPassword)), '401 wrong-password');
    for (const token of more) good(await me(token));
    assert.equal((await leave(password)).status, 204);
    assert.equal(code(await leave(password)), '401 bad-token');
    for (const token of [leaver.token, ...more]) {
      assert.equal(code(await me(token)), '401 bad-token');
      await endsElsewhere(token);
    }
    assert.equal(code(await signIn(leaver.name)), '401 wrong-password');
    const gone = good(await client.get(`/v1/players/${leaver.id}`));
    assert.deepEqual([gone.deleted, gone.name], [true, `Deleted player ${leaver.id.slice(-12)}`]);
    for (const target of [game.at, `/v1/events/${event.id}/standings`, `/v1/events/${event.id}/entries`, '/v1/events', '/v1/players']) {
      const { text } = await client.get(target);
      assert.ok(!text.includes(`"${leaver.name}"`), target);
    }
    assert.ok(good(await client.get(game.at)).seats.some((seat) => seat.player.name === gone.name));
    assert.equal((await client.get(`${game.at}/record`)).text, record);
    const kept = sql(`SELECT * FROM tillroll.player; SELECT * FROM tillroll.token; SELECT * FROM tillroll.kept_answer`);
    for (const word of [leaver.name, bot.name, 'Secret label']) assert.ok(!new RegExp(`(^|[|"])${word}([|"]|$)`, 'm').test(kept), word);
    // The name is free for somebody else.
    assert.equal((await client.post('/v1/players', { name: leaver.name, password })).status, 201);
  });

  const leaves = (player) => client.post('/v1/me/delete', { password }, player.token);

  it('is not while it has a seat, or a bot of it', async () => {
    const [organizer, leaver, ...players] = await makePlayers(client, 4, 'Visitor');
    const bot = good(await client.post('/v1/me/bots', { name: `Second of ${leaver.name}` }, leaver.token));
    const { token } = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'play'] }, leaver.token));
    const { game, event } = await makeGame(client, organizer, [{ id: bot.id, name: bot.name, token }, ...players]);
    for (const player of [leaver, players[0]]) {
      const refused = await leaves(player);
      assert.equal(code(refused), '409 still-needed');
      assert.match(refused.json.detail, /seat in a game/);
      good(await me(player.token));
    }
    await endQuietly(client, game, organizer);
    const refused = await leaves(players[0]);
    assert.equal(code(refused), '409 still-needed');
    assert.ok(refused.json.detail.includes(event.name), refused.json.detail);
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    for (const player of [leaver, players[0]]) assert.equal((await leaves(player)).status, 204);
  });

  it('is when its seat has forfeited, and it has left the event, while the others play on', async () => {
    const [organizer, leaver, ...players] = await makePlayers(client, 4, 'Forfeiter');
    const { game, event } = await makeGame(client, organizer, [leaver, ...players]);
    const seat = game.seats.findIndex(({ player }) => player.id === leaver.id);
    good(await client.post(`${game.at}/forfeit`, { seat }, organizer.token));
    const refused = await leaves(leaver);
    assert.equal(code(refused), '409 still-needed');
    assert.match(refused.json.detail, /entered in an event/);
    assert.equal((await client.delete(`/v1/events/${event.id}/entries/${leaver.id}`, leaver.token)).status, 204);
    assert.equal((await leaves(leaver)).status, 204);
    const running = good(await client.get(game.at));
    assert.deepEqual([running.state, running.seats[seat].forfeited, running.seats[seat].player.name], ['running', true, `Deleted player ${leaver.id.slice(-12)}`]);
    await endQuietly(client, game, organizer);
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const { rows } = good(await client.get(`/v1/events/${event.id}/standings`));
    assert.deepEqual([rows.at(-1).player.id, rows.at(-1).points.text], [leaver.id, '1']); // that of the last place
    assert.equal(good(await client.get(`${game.at}/verification`)).verdict, 'valid');
  });

  it('is not while an event would have no organizer', async () => {
    const [leaver, other] = await makePlayers(client, 2);
    const event = good(await client.post('/v1/events', { name: 'Left alone', ruleset: 'shinjuku', rounds: 1 }, leaver.token));
    good(await client.post(`/v1/events/${event.id}/open-entries`, {}, leaver.token));
    const refused = await leaves(leaver);
    assert.equal(code(refused), '409 last-organizer');
    assert.match(refused.json.detail, /: Left alone\.$/);
    good(await client.post(`/v1/events/${event.id}/entries`, {}, other.token));
    assert.match((await leaves(other)).json.detail, /entered in an event that is not over.*: Left alone\.$/);
    good(await client.post(`/v1/events/${event.id}/roles`, { player: other.id, role: 'organizer' }, leaver.token));
    assert.equal((await leaves(leaver)).status, 204);
    assert.equal((await client.delete(`/v1/events/${event.id}/entries/${other.id}`, other.token)).status, 204);
    assert.equal(code(await leaves(other)), '409 last-organizer');
  });
});

describe('a copy of one’s data', () => {
  const copyOf = (token) => client.get('/v1/me/export', { token });

  it('has what other requests have, and nothing that lets anybody in', async () => {
    const [organizer, player, ...others] = await makePlayers(client, 4, 'Reader');
    const { game, event } = await makeGame(client, organizer, [player, ...others]);
    await endQuietly(client, game, organizer);
    const bot = good(await client.post('/v1/me/bots', { name: `Copy of ${player.name}` }, player.token));
    const made = good(await issue(player.token, { label: 'Desk' }));
    const draft = good(await client.post('/v1/events', { name: 'Mine', ruleset: 'shinjuku', rounds: 1 }, player.token));
    const answer = await copyOf(player.token);
    const copy = good(answer);
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="tillroll-account.json"');
    assert.doesNotMatch(answer.text, /tr_[0-9a-f]|argon2/);
    assert.ok(!answer.text.includes(password));
    assert.deepEqual([copy.account.id, copy.account.name, copy.account.roles, copy.complete], [player.id, player.name, [], true]);
    assert.deepEqual(copy.tokens.map((each) => each.label), [null, 'Desk']);
    assert.ok(copy.tokens.some((each) => each.id === made.id));
    assert.deepEqual(copy.bots, [bot]);
    assert.deepEqual(copy.entries.map((each) => [each.event, each.state]), [[{ id: event.id, name: event.name }, 'entered']]);
    assert.deepEqual(copy.offices, [{ event: { id: draft.id, name: 'Mine' }, event_state: 'draft', role: 'organizer' }]);
    assert.deepEqual(copy.games, good(await client.get('/v1/me/games', { token: player.token })).items);
    assert.deepEqual(copy.ratings, good(await client.get(`/v1/players/${player.id}/ratings`)).items);
    assert.ok(copy.ratings.length > 0);
    assert.deepEqual(copy.signing_keys, good(await client.get(`/v1/players/${player.id}/signing-keys`)));
  });

  it('is given to who may manage the account only', async () => {
    const player = await makePlayer(client);
    assert.equal(code(await copyOf(good(await issue(player.token)).token)), '403 missing-scope');
    assert.equal(code(await copyOf(undefined)), '401 not-signed-in');
    assert.deepEqual(good(await copyOf(player.token)).games, []);
  });
});

describe('games that one follows', () => {
  const list = async (player) => good(await client.get('/v1/me/followed-games', { token: player.token })).items.map((each) => each.id);
  const follow = (player, id) => client.request('PUT', `/v1/me/followed-games/${id}`, { token: player?.token });
  const unfollow = (player, id) => client.request('DELETE', `/v1/me/followed-games/${id}`, { token: player.token });

  it('stand in a list, newest first, until they are followed no more', async () => {
    const [organizer, reader, ...others] = await makePlayers(client, 5, 'Follower');
    const first = (await makeGame(client, organizer, others)).game;
    const next = (await makeGame(client, organizer, others)).game;
    assert.deepEqual(await list(reader), []);
    for (const game of [first, next, first]) assert.equal((await follow(reader, game.id)).status, 204);
    assert.deepEqual(await list(reader), [next.id, first.id]);
    const page = good(await client.get('/v1/me/followed-games?limit=1', { token: reader.token }));
    assert.deepEqual(page.items, good(await client.get('/v1/games?limit=1')).items);
    assert.deepEqual(good(await client.get(`/v1/me/followed-games?limit=1&after=${page.next}`, { token: reader.token })).items.map((each) => each.id), [first.id]);
    assert.deepEqual(await list(others[0]), []);
    assert.deepEqual(good(await client.get('/v1/me/export', { token: reader.token })).followed_games, [next.id, first.id]);
    for (const id of [first.id, first.id]) assert.equal((await unfollow(reader, id)).status, 204);
    assert.deepEqual(await list(reader), [next.id]);
    await endQuietly(client, next, organizer);
    assert.deepEqual(await list(reader), [next.id]);
  });

  it('are games that exist, of people who are signed in', async () => {
    const reader = await makePlayer(client, 'Follower');
    assert.equal(code(await follow(reader, reader.id)), '404 not-found');
    assert.equal(code(await follow(reader, 'x')), '404 not-an-id');
    assert.equal(code(await follow(undefined, reader.id)), '401 not-signed-in');
    assert.equal(code(await client.request('PUT', `/v1/me/followed-games/${reader.id}`, { token: good(await issue(reader.token)).token })), '403 missing-scope');
  });

  it('are fifty at most, and none once the account is deleted', async () => {
    const [organizer, reader, ...others] = await makePlayers(client, 5, 'Follower');
    const { game } = await makeGame(client, organizer, others);
    const next = (await makeGame(client, organizer, others)).game;
    sql(`WITH made AS (INSERT INTO tillroll.game (id, slug, version, options, started_at)
        SELECT gen_random_uuid(), slug, version, options, started_at FROM tillroll.game, generate_series(1, 49) WHERE id = '${game.id}' RETURNING id)
      INSERT INTO tillroll.followed_game SELECT '${reader.id}', id FROM made`);
    assert.equal((await follow(reader, game.id)).status, 204);
    assert.equal(code(await follow(reader, next.id)), '409 too-many-followed');
    assert.equal((await follow(reader, game.id)).status, 204); // followed already
    assert.equal((await unfollow(reader, game.id)).status, 204);
    assert.equal((await follow(reader, next.id)).status, 204);
    assert.equal((await client.post('/v1/me/delete', { password }, reader.token)).status, 204);
    assert.equal(sql(`SELECT count(*) FROM tillroll.followed_game WHERE player_id = '${reader.id}'`).trim(), '0');
  });
});

describe('tillroll admin', () => {
  const file = () => path.join(bed.directory, 'password');
  const admin = (...words) => bed.tillroll('admin', ...words);

  it('makes the first admin, who may run every event', async () => {
    const organizer = await makePlayer(client);
    const event = good(await client.post('/v1/events', { name: 'Left alone', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    writeFileSync(file(), `${password}\n`);
    const made = admin('create', 'Keeper', '--password-file', file());
    assert.equal(made.status, 0, made.stderr);
    const token = await session('Keeper');
    assert.deepEqual(good(await me(token)).roles, ['admin']);
    assert.match(admin('list').stdout, /^[0-9a-f-]{36} admin Keeper$/m);
    good(await client.post(`/v1/events/${event.id}/open-entries`, {}, token));
    assert.equal(admin('create', 'keeper', '--password-file', file()).status, 1);
    assert.match(admin('create', 'Kee\u0440er', '--password-file', file()).stderr, /the name must not mix scripts: U\+0440 is Cyrillic/);
    assert.match(admin('create', 'Keeper\u200b', '--password-file', file()).stderr, /U\+200B there: it cannot be seen/);
    assert.match(admin('create', 'KEEPER', '--password-file', file()).stderr, /the name is taken/);
  });

  it('gives and takes roles, of which a running service hears at once', async () => {
    const player = await makePlayer(client, 'Candidate');
    const organizer = await makePlayer(client);
    const event = good(await client.post('/v1/events', { name: 'Left alone', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    const open = () => client.post(`/v1/events/${event.id}/open-entries`, {}, player.token);
    assert.equal(code(await open()), '403 not-allowed');
    for (const role of ['admin', 'auditor', 'arbiter']) assert.equal(admin('grant', player.name, role).status, 0);
    assert.deepEqual(good(await me(player.token)).roles, ['admin', 'auditor', 'arbiter']);
    assert.equal((await open()).status, 200);
    for (const role of ['admin', 'arbiter']) assert.equal(admin('revoke', player.name, role).status, 0);
    assert.deepEqual(good(await me(player.token)).roles, ['auditor']);
    assert.equal(code(await client.post(`/v1/events/${event.id}/close-entries`, {}, player.token)), '403 not-allowed');
  });

  it('resets a password, which ends sessions but not tokens', async () => {
    const player = await makePlayer(client, 'Forgetful');
    const program = good(await issue(player.token)).token;
    writeFileSync(file(), newPassword);
    assert.equal(admin('password', player.name, '--password-file', file()).status, 0);
    await until(60, 'the session has ended', async () => (await me(player.token)).status === 401);
    good(await me(program));
    assert.equal((await signIn(player.name)).status, 401);
    assert.equal((await signIn(player.name, newPassword)).status, 201);
  });

  it('refuses what it cannot do', async () => {
    const owner = await makePlayer(client);
    const bot = good(await client.post('/v1/me/bots', { name: `Toy ${owner.name}` }, owner.token));
    writeFileSync(file(), 'short');
    for (const [status, ...words] of [
      [2], [2, 'create'], [2, 'grant', 'Nobody'], [2, 'list', 'all'], [2, 'explode', 'Nobody'],
      [1, 'grant', 'Nobody at all', 'admin'], [1, 'grant', owner.name, 'king'], [1, 'grant', bot.name, 'admin'],
      [1, 'create', 'Short', '--password-file', file()], [1, 'create', 'Toy [bot]', '--password-file', file()],
      [1, 'password', owner.name, '--password-file', file()], [1, 'create', 'None', '--password-file', '/nonexistent'],
    ])
      assert.equal(admin(...words).status, status, words.join(' '));
    assert.equal((await signIn(owner.name)).status, 201);
  });
});

describe('a session in a browser', () => {
  const own = (at = client) => `http://127.0.0.1:${at.port}`;
  const signInBrowser = (name, origin, word = password) =>
    client.request('POST', '/v1/sessions', { json: { name, password: word }, headers: origin === undefined ? {} : { Origin: origin } });
  const cookieOf = (answer) => answer.headers['set-cookie'][0].split(';')[0];

  it('is a cookie that no script and no other site gets', async () => {
    const player = await makePlayer(client);
    const answer = await signInBrowser(player.name, own());
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['set-cookie'].length, 1);
    assert.match(answer.headers['set-cookie'][0], /^tillroll=tr_[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    assert.doesNotMatch(answer.text, /tr_/);
    const Cookie = cookieOf(answer);
    assert.equal(good(await client.get('/v1/me', { headers: { Cookie } })).id, player.id);
    assert.equal(good(await second.get('/v1/me', { headers: { Cookie } })).token.label, null);
    for (const origin of [undefined, 'null', 'https://evil.example', own(second)])
      assert.equal(code(await signInBrowser(player.name, origin)), '403 foreign-origin');
    assert.equal(code(await signInBrowser(player.name, own(), newPassword)), '401 wrong-password');
    assert.equal((await tokensOf(player.token)).length, 2);
  });

  it('is kept by its browser over TLS alone, unless its page came straight from this service in a private network', async () => {
    const player = await makePlayer(client);
    const signInFrom = (origin, headers = {}) => client.request('POST', '/v1/sessions', { json: { name: player.name, password }, headers: { Origin: origin, ...headers } });
    const proxied = { 'X-Forwarded-For': '192.168.1.5' };
    for (const answer of [await signInFrom(`https://127.0.0.1:${client.port}`), await signInFrom(`https://127.0.0.1:${client.port}`, proxied)])
      assert.match(answer.headers['set-cookie'][0], /^__Host-tillroll=tr_[0-9a-f]{64}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    const safe = cookieOf(await signInFrom(`https://127.0.0.1:${client.port}`));
    const plain = cookieOf(await signInFrom(own()));
    const statusOf = async (Cookie, headers = {}) => (await client.get('/v1/me', { headers: { Cookie, ...headers } })).status;
    assert.deepEqual([await statusOf(safe), await statusOf(safe, proxied), await statusOf(plain), await statusOf(plain, proxied)], [200, 200, 200, 401]);
    // A plain cookie planted beside the other one changes nothing.
    const other = await makePlayer(client);
    const planted = cookieOf(await client.request('POST', '/v1/sessions', { json: { name: other.name, password }, headers: { Origin: own() } }));
    assert.equal(good(await client.get('/v1/me', { headers: { Cookie: `${planted}; ${safe}` } })).id, player.id);
  });

  // Where the service has its name, somebody on the way can show pages without TLS under that name, too.
  it('is begun and used by pages with TLS, and by those without only if they come straight from the service', async () => {
    const player = await makePlayer(client);
    const { client: behind } = await bed.startService(['--trusted-proxy', '127.0.0.1']);
    const begin = (at, Host, Origin, headers = {}) => at.request('POST', '/v1/sessions', { json: { name: player.name, password }, headers: { Host, Origin, ...headers } });
    const proxied = { 'X-Forwarded-For': '192.168.1.5' };
    for (const [at, headers, Host, Origin] of [
      [behind, proxied, 'club.example', 'https://club.example'], [behind, proxied, 'club.example:8443', 'https://CLUB.example:8443'],
      [client, {}, 'localhost', 'http://localhost'], [client, {}, '127.0.0.1:8080', 'http://127.0.0.1:8080'], [client, {}, '[::1]:8080', 'http://[::1]:8080'],
      [client, {}, '192.0.2.7:8080', 'http://192.0.2.7:8080'], [client, {}, 'localhost', 'https://localhost'],
    ]) {
      const answer = await begin(at, Host, Origin, headers);
      assert.equal(answer.status, 201, Origin);
      const end = (origin) => at.request('DELETE', '/v1/tokens/current', { headers: { Host, Origin: origin, Cookie: cookieOf(answer), ...headers } });
      for (const other of [Origin.replace(/^https?/, 'ftp'), ...at === behind ? [Origin.replace('https', 'http')] : []])
        assert.equal(code(await end(other)), '403 foreign-origin');
      assert.equal((await end(Origin)).status, 204);
    }
    for (const [Host, Origin] of [
      ['club.example', 'http://club.example'], ['192.0.2.7:8080', 'http://192.0.2.7:8080'], ['localhost', 'http://localhost'], ['[2001:db8::1]', 'http://[2001:db8::1]'],
      ['club.example', 'club.example'], ['club.example', 'ftp://club.example'], ['club.example', 'https://http://club.example'],
    ])
      assert.equal(code(await begin(behind, Host, Origin, proxied)), '403 foreign-origin', Origin);
    for (const Origin of ['http://192.0.2.7', 'http://192.0.2.8:8080', 'null', 'ftp://192.0.2.7:8080'])
      assert.equal(code(await begin(client, '192.0.2.7:8080', Origin)), '403 foreign-origin', Origin);
  });

  it('sees what its player sees, plays, follows and ends', async () => {
    const [organizer, ...players] = await makePlayers(client, 4);
    const { game } = await makeGame(client, organizer, players);
    const Cookie = cookieOf(await signInBrowser(game.players[0].name, own()));
    const headers = { Cookie, Origin: own() };
    for (let i = 0; i < 2; i++) // from the database, and then from memory
      assert.equal(good(await client.get(`${game.at}/view`, { headers: { Cookie } })).viewer.seat, 0);
    const { moves, seq } = good(await client.get(`${game.at}/legal-moves`, { headers: { Cookie } }));
    const move = { moves: [moves[0]], seq };
    const post = (fields) => client.request('POST', `${game.at}/moves`, { json: move, headers: fields });
    for (const Origin of ['null', 'https://evil.example', own(second)])
      assert.equal(code(await post({ Cookie, Origin })), '403 foreign-origin');
    assert.equal(code(await post({ Cookie })), '403 foreign-origin');
    assert.equal((await post(headers)).status, 200);
    const stream = await Stream.open(client, `${game.at}/stream`, { headers: { Cookie } });
    assert.equal(stream.status, 200);
    const out = await client.request('DELETE', '/v1/tokens/current', { headers });
    assert.equal(out.status, 204);
    assert.match(out.headers['set-cookie'][0], /^tillroll=; .*Max-Age=0$/);
    await stream.ended();
    assert.equal(code(await client.get('/v1/me', { headers: { Cookie } })), '401 not-signed-in');
  });

  it('that has ended leaves a visitor, whose cookie is taken away and nobody else’s', async () => {
    const player = await makePlayer(client);
    const Cookie = cookieOf(await signInBrowser(player.name, own()));
    sql(`UPDATE tillroll.token SET revoked_at = now() WHERE player_id = '${player.id}'`);
    await until(60, 'the session has ended', async () => (await client.get('/v1/me', { headers: { Cookie } })).status === 401);
    const refused = await client.get('/v1/me', { headers: { Cookie } });
    assert.match(refused.headers['set-cookie'][0], /^tillroll=; .*Max-Age=0$/);
    good(await client.post('/v1/events', { name: 'Something new', ruleset: 'shinjuku', rounds: 1 }, (await makePlayer(client)).token));
    good(await client.get('/v1/events', { headers: { Cookie } }));
    for (const fields of [{}, { Cookie }]) {
      const seen = await client.get('/v1/events', { headers: fields });
      assert.equal(seen.status, 200);
      assert.equal(seen.headers['set-cookie'], undefined);
    }
  });

  it('counts for nothing beside a token', async () => {
    const [one, two] = await makePlayers(client, 2);
    const Cookie = cookieOf(await signInBrowser(one.name, own()));
    assert.equal(good(await client.get('/v1/me', { token: two.token, headers: { Cookie } })).id, two.id);
    assert.equal(code(await client.get('/v1/me', { token: 'nonsense', headers: { Cookie } })), '401 bad-token');
  });
});

describe('what is old', () => {
  it('is deleted, and what is young is not', async () => {
    const player = await makePlayer(client, 'Archivist');
    sql(`INSERT INTO tillroll.token (hash, player_id, created_at, expires_at, revoked_at)
           SELECT sha256(n::text::bytea), '${player.id}', now() - interval '100 days',
                  now() + n * interval '1 day' - interval '12 hours', CASE WHEN n > 0 THEN now() - interval '8 days' END
             FROM generate_series(-20, 20) AS n;
         INSERT INTO tillroll.kept_answer (player_id, key, request_hash, status, body, kept_at)
           SELECT '${player.id}', n::text, sha256(''), 200, '{}', now() - n * interval '1 day' - interval '12 hours'
             FROM generate_series(1, 20) AS n;
         UPDATE tillroll.upkeep SET due_at = now() - interval '1 day'`);
    await Promise.all([bed.startService(['--upkeep-seconds', '1']), bed.startService(['--upkeep-seconds', '1'])]);
    const left = () => sql(`SELECT (SELECT count(*) FROM tillroll.token WHERE player_id = '${player.id}'),
                                   (SELECT count(*) FROM tillroll.kept_answer WHERE player_id = '${player.id}')`);
    await until(20, 'the old rows are gone', () => left() === '8|6');
    good(await me(player.token));
  });
});
