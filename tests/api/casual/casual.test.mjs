// Casual games: tables of the lobby, invitations, guests, and rematches.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeEvent, makeGame, makePlayer, makePlayers, password } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed;
let client;
let ada;
let ben;
let cleo;
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [ada, ben, cleo] = await makePlayers(client, 3, 'Casual');
});
after(() => bed.end());

const code = (answer) => (answer.status < 300 ? answer.status : `${answer.status} ${answer.json?.code}`);
const sql = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);
const openTable = (player, settings = {}) => client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 2, ...settings }, player.token);
const opened = async (player, settings) => good(await openTable(player, settings));
const sit = (table, player) => client.post(`/v1/lobby/${table.id}/seat`, {}, player.token);
const accept = (invitation, player) => client.post(`/v1/invitations/${invitation}/seat`, {}, player.token);
const start = (table, player) => client.post(`/v1/lobby/${table.id}/start`, {}, player.token);
const leave = (table, player) => client.delete(`/v1/lobby/${table.id}/seat`, player.token);
const tableOf = (table, player) => client.get(`/v1/lobby/${table.id}`, { token: player?.token });
const lobby = async (query = '') => good(await client.get(`/v1/lobby${query}`)).items;
const gameOf = async (table) => good(await client.get(`/v1/games/${table.game}`));
const namesOf = (table) => table.players.map((each) => each.player.name);

// A page's requests: the cookie is the token.
const own = () => ({ Origin: `http://127.0.0.1:${client.port}` });
const comeIn = (name, headers = own()) => client.post('/v1/guests', { name }, undefined, headers);
async function makeGuest(stem = 'Mo') {
  const answer = await comeIn(`${stem} ${randomBytes(3).toString('hex')}`);
  const { player } = good(answer);
  return { ...player, token: /tillroll=(tr_[0-9a-f]{64})/.exec(String(answer.headers['set-cookie']))[1] };
}

// A game of two that is played to its end.
async function playedOut(settings = {}, players = [ada, ben]) {
  const table = await opened(players[0], settings);
  const { game } = good(await sit(table, players[1]));
  for (let turn = 0; turn < 4000; turn++) {
    const { state, deciders, seats } = good(await client.get(`/v1/games/${game}`));
    if (state === 'finished') break;
    const { player } = seats[deciders[0]];
    const { token } = players.find((each) => each.id === player.id);
    const { moves, seq } = good(await client.get(`/v1/games/${game}/legal-moves`, { token }));
    good(await client.post(`/v1/games/${game}/moves`, { moves: [moves[turn % moves.length]], seq }, token));
  }
  return { table, game };
}

describe('a table', () => {
  it('is opened with its first seat taken, and stands in the lobby', async () => {
    const answer = await openTable(ada, { seats: 3, options: {} });
    const table = good(answer);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.location, `/v1/lobby/${table.id}`);
    assert.deepEqual(table.players, [{ player: { id: ada.id, name: ada.name }, guest: false, seated: true }]);
    assert.deepEqual([table.seats, table.listed, table.rated, table.game, table.clock], [3, true, false, null, { move_ms: 86400000 }]);
    assert.match(table.code, /^[a-z2-7]{20}$/);
    const listed = (await lobby()).find((each) => each.id === table.id);
    assert.deepEqual(listed, { ...table, code: null });
    assert.ok((await lobby('?game=shinjuku')).some((each) => each.id === table.id));
    assert.ok(!(await lobby('?game=mall-world')).some((each) => each.id === table.id));
    assert.equal(code(await client.get('/v1/lobby?game=chess')), '400 bad-parameter');
    assert.ok(good(await client.get('/v1/me/tables', { token: ada.token })).items.some((each) => each.code === table.code));
    assert.equal((await leave(table, ada)).status, 204);
  });

  it('starts its game with the last seat, with a clock, outside of events', async () => {
    const table = await opened(ada);
    assert.equal(code(await sit(table, ada)), 200);
    const last = good(await sit(table, ben));
    const game = await gameOf(last);
    assert.equal(game.event, null);
    assert.deepEqual(game.seats.map((seat) => seat.player.id).sort(), [ada.id, ben.id].sort());
    assert.deepEqual([game.clock, game.on_timeout], [{ move_ms: 86400000 }, 'fallback']);
    assert.ok(!(await lobby()).some((each) => each.id === table.id));
    assert.equal(good(await sit(table, ben)).game, last.game); // sent twice
    for (const step of [sit, leave, start]) assert.equal(code(await step(table, step === sit ? cleo : ada)), '409 table-started');
    const [mover] = game.deciders;
    const { token } = [ada, ben].find((each) => each.id === game.seats[mover].player.id);
    const { moves, seq } = good(await client.get(`/v1/games/${game.id}/legal-moves`, { token }));
    good(await client.post(`/v1/games/${game.id}/moves`, { moves: [moves[0]], seq }, token));
  });

  it('is started by its creator with fewer', async () => {
    const table = await opened(ada, { seats: 3 });
    assert.equal(code(await start(table, ada)), '409 too-few-players');
    good(await sit(table, ben));
    assert.equal(code(await start(table, ben)), '403 not-allowed');
    const { game } = good(await start(table, ada));
    assert.equal((await gameOf({ game })).seats.length, 2);
  });

  it('takes nobody once it is full', async () => {
    const table = await opened(ada, { seats: 3 });
    good(await sit(table, ben));
    sql(`UPDATE tillroll.casual_table SET seats = 2 WHERE id = '${table.id}'`);
    assert.equal(code(await sit(table, cleo)), '409 table-full');
    assert.equal((await leave(table, ben)).status, 204);
    assert.equal(code(await leave(table, ben)), '404 not-found');
    assert.deepEqual(namesOf(good(await tableOf(table))), [ada.name]);
    assert.equal((await leave(table, ada)).status, 204);
    assert.equal(code(await tableOf(table)), '404 not-found');
  });

  it('that is not listed is known by its link alone', async () => {
    const table = await opened(ada, { listed: false });
    assert.ok(!(await lobby()).some((each) => each.id === table.id));
    for (const answer of [await tableOf(table), await tableOf(table, ben), await sit(table, ben), await start(table, ben)]) assert.equal(code(answer), '404 not-found');
    assert.equal(good(await tableOf(table, ada)).code, table.code);
    assert.deepEqual(good(await client.get(`/v1/invitations/${table.code}`)), table);
    const other = table.code.replace(/^./, (letter) => (letter === 'a' ? 'b' : 'a'));
    assert.equal(code(await client.get(`/v1/invitations/${other}`)), '404 not-found');
    assert.equal(code(await client.get('/v1/invitations/abc', { unchecked: true })), '404 not-found');
    assert.equal(code(await accept(other, ben)), '404 not-found');
    assert.notEqual(good(await accept(table.code, ben)).game, null);
  });

  it('is closed after a day', async () => {
    const table = await opened(ada);
    sql(`UPDATE tillroll.casual_table SET created_at = now() - interval '25 hours' WHERE id = '${table.id}'`);
    assert.ok(!(await lobby()).some((each) => each.id === table.id));
    for (const answer of [await sit(table, ben), await start(table, ada)]) assert.equal(code(answer), '404 not-found');
  });

  it('is refused with what no game can be played with', async () => {
    for (const [settings, wanted, field] of [
      [{ ruleset: undefined }, '400 missing-field', 'ruleset'],
      [{ ruleset: 'chess' }, '400 bad-field', 'ruleset'],
      [{ seats: 1 }, '400 bad-field', 'seats'],
      [{ seats: 6 }, '400 bad-field', 'seats'],
      [{ seats: 'two' }, '400 bad-field', 'seats'],
      [{ clock: null }, '400 bad-field', 'clock'],
      [{ clock: { move_ms: 9999 } }, '400 bad-field', 'clock'],
      [{ clock: { move_ms: 604800001 } }, '400 bad-field', 'clock'],
      [{ clock: { bank_ms: 60000, increment_ms: 3600001 } }, '400 bad-field', 'clock'],
      [{ options: { nonsense: 'on' } }, '400 bad-field', 'options'],
      [{ listed: 'yes' }, '400 bad-field', 'listed'],
      [{ rated: 1 }, '400 bad-field', 'rated'],
      [{ nonsense: 1 }, '400 unknown-field', 'nonsense'],
    ]) {
      const answer = await openTable(ada, settings);
      assert.equal(code(answer), wanted, JSON.stringify(settings));
      assert.ok(answer.json.detail.includes(field), answer.json.detail);
    }
    assert.equal(code(await client.post('/v1/lobby', { ruleset: 'shinjuku' })), '401 not-signed-in');
  });

  it('is one of 20 at most', async () => {
    const player = await makePlayer(client, 'Busy');
    const tables = [];
    for (let i = 0; i < 20; i++) tables.push(await opened(player));
    assert.equal(code(await openTable(player)), '409 lobby-full');
    const other = await opened(ben);
    assert.equal(code(await sit(other, player)), '409 lobby-full');
    assert.equal((await leave(tables[0], player)).status, 204);
    good(await openTable(player));
    await leave(other, ben);
  });

  it('is one of 60 of a player and their bots', async () => {
    const owner = await makePlayer(client, 'Fleet');
    const fleet = [owner];
    for (let i = 0; i < 3; i++) {
      const { id } = good(await client.post('/v1/me/bots', { name: `Ship ${i} ${owner.name}` }, owner.token));
      fleet.push(good(await client.post(`/v1/me/bots/${id}/tokens`, { label: 'x', scopes: ['read', 'play'] }, owner.token)));
    }
    for (const player of fleet.slice(0, 3)) for (let i = 0; i < 20; i++) await opened(player, { listed: false });
    assert.equal(code(await openTable(fleet[3])), '409 lobby-full');
    const [table] = good(await client.get('/v1/me/tables', { token: owner.token })).items;
    assert.equal((await leave(table, owner)).status, 204);
    good(await openTable(fleet[3]));
  });
});

describe('a casual game', () => {
  const ratingsOf = async (player) => good(await client.get(`/v1/players/${player.id}/ratings`)).items;

  it('is not rated, unless its table says so', async () => {
    const pair = await makePlayers(client, 2, 'Rated');
    const { game } = await playedOut({}, pair);
    assert.equal((await gameOf({ game })).state, 'finished');
    for (const player of pair) assert.deepEqual(await ratingsOf(player), []);
    assert.equal(good(await client.get(`/v1/games/${game}/verification`)).verdict, 'valid');
    await playedOut({ rated: true }, pair);
    for (const player of pair) assert.deepEqual((await ratingsOf(player)).map((each) => each.games), [1, 1]);
  });

  it('that is rated has no guest, and no bot with its owner', async () => {
    const table = await opened(ada, { rated: true });
    const guest = await makeGuest();
    assert.equal(code(await sit(table, guest)), '403 guest-not-allowed');
    assert.equal(code(await openTable(guest, { rated: true })), '403 guest-not-allowed');
    const bot = good(await client.post('/v1/me/bots', { name: 'Casual deep' }, ada.token));
    bot.token = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'Home', scopes: ['read', 'play'] }, ada.token)).token;
    assert.equal(code(await sit(table, bot)), '409 same-owner');
    assert.notEqual(good(await sit(await opened(ada), bot)).game, null);
    await leave(table, ada);
  });

  it('has a rematch, with the same players', async () => {
    const { game, table } = await playedOut();
    const ask = (player) => client.post(`/v1/games/${game}/rematch`, {}, player.token);
    assert.equal(code(await ask(cleo)), '403 not-a-seat');
    const first = await ask(ben);
    const again = good(first);
    assert.equal(first.status, 201);
    assert.deepEqual([again.rematch_of, again.listed, again.seats, again.ruleset.slug, again.creator], [game, false, 2, 'shinjuku', ben.id]);
    assert.deepEqual(again.players.map((each) => [each.player.id, each.seated]), [[ben.id, true], [ada.id, false]]);
    assert.notEqual(again.code, table.code);
    assert.equal(good(await ask(ben)).id, again.id);
    assert.ok(good(await client.get('/v1/me/tables', { token: ada.token })).items.some((each) => each.rematch_of === game));
    assert.equal(code(await accept(again.code, cleo)), '409 table-full');
    const second = good(await ask(ada));
    assert.equal(second.id, again.id);
    assert.deepEqual((await gameOf(second)).seats.map((seat) => seat.player.id).sort(), [ada.id, ben.id].sort());
    assert.equal(code(await client.post(`/v1/games/${second.game}/rematch`, {}, ada.token)), '409 not-finished');
  });

  it('is declined by who does not want one', async () => {
    const { game } = await playedOut();
    const again = good(await client.post(`/v1/games/${game}/rematch`, {}, ada.token));
    assert.equal((await leave(again, ben)).status, 204);
    assert.deepEqual(namesOf(good(await tableOf(again, ada))), [ada.name]);
    await leave(again, ada);
  });

  it('is none of an event', async () => {
    const { game } = await makeGame(client, ada, await makePlayers(client, 3));
    assert.equal(code(await client.post(`/v1/games/${game.id}/rematch`, {}, game.players[0].token)), '409 not-casual');
  });

  it('is none of an event, and so cannot be left', async () => {
    const { game } = await makeGame(client, ada, await makePlayers(client, 3));
    assert.equal(code(await client.post(`/v1/games/${game.id}/leave`, {}, game.players[0].token)), '409 not-casual');
  });

  it('goes on by itself when a clock has run out', async () => {
    const table = await opened(ada, { clock: { move_ms: 10000 } });
    const { game } = good(await sit(table, ben));
    await until(60, 'the fallback move is played', async () => (await gameOf({ game })).seats.some((seat) => seat.fallback));
  });
});

describe('a casual game that is left', () => {
  const quit = (game, player) => client.post(`/v1/games/${game}/leave`, {}, player.token);
  const linesOf = async (game) => good(await client.get(`/v1/games/${game}/events`)).items;
  const rankOf = ({ seats }, player) => seats.find((seat) => seat.player.id === player.id).rank;
  const deleted = (player) => client.post('/v1/me/delete', { password }, player.token);
  async function started(players, settings = {}) {
    const table = await opened(players[0], { seats: players.length, ...settings });
    let last;
    for (const player of players.slice(1)) last = good(await sit(table, player));
    return last.game;
  }

  it('by one of two is over at once, and won by the other', async () => {
    const pair = await makePlayers(client, 2, 'Leaver');
    const game = await started(pair, { rated: true });
    assert.equal(code(await quit(game, ada)), '403 not-a-seat');
    assert.equal(good(await quit(game, pair[1])).receipt.game, game);
    const found = await gameOf({ game });
    assert.deepEqual([found.state, rankOf(found, pair[0]), rankOf(found, pair[1])], ['finished', 1, 2]);
    const own = (player) => found.seats.findIndex((seat) => seat.player.id === player.id);
    const lines = (await linesOf(game)).filter((each) => ['forfeit', 'fallback'].includes(each.kind));
    assert.deepEqual(lines.map((each) => [each.kind, each.seat]), [['forfeit', own(pair[1])], ['fallback', own(pair[0])]]);
    assert.equal(good(await client.get(`/v1/games/${game}/verification`)).verdict, 'valid');
    assert.equal(code(await quit(game, pair[0])), '409 game-over');
    const [won, lost] = await Promise.all(pair.map(async (player) => good(await client.get(`/v1/players/${player.id}/ratings`)).items[0].display.rating));
    assert.ok(won > lost, `${won} ${lost}`);
  });

  it('by one of three goes on for the others', async () => {
    const three = await makePlayers(client, 3, 'Left');
    const game = await started(three);
    assert.equal(code(await deleted(three[0])), '409 still-needed');
    good(await quit(game, three[0]));
    assert.equal(code(await quit(game, three[0])), '409 bad-forfeit');
    assert.equal(code(await client.post(`/v1/games/${game}/return`, {}, three[0].token)), '409 bad-return');
    const running = await gameOf({ game });
    assert.equal(running.state, 'running');
    assert.deepEqual(running.seats.filter((seat) => seat.forfeited && seat.fallback).map((seat) => seat.player.id), [three[0].id]);
    assert.equal(good(await client.get('/v1/me/turns', { token: three[0].token })).tables, 0);
    const [mover] = running.deciders;
    const { token } = three.slice(1).find((each) => each.id === running.seats[mover].player.id);
    const { moves, seq } = good(await client.get(`/v1/games/${game}/legal-moves`, { token }));
    good(await client.post(`/v1/games/${game}/moves`, { moves: [moves[0]], seq }, token));
    good(await quit(game, three[1]));
    const over = await gameOf({ game });
    assert.deepEqual([over.state, ...three.map((player) => rankOf(over, player))], ['finished', 3, 2, 1]);
    assert.equal(good(await client.get(`/v1/games/${game}/verification`)).verdict, 'valid');
  });

  it('keeps no account, and makes room for another', async () => {
    const three = await makePlayers(client, 3, 'Gone');
    const game = await started(three);
    good(await quit(game, three[0]));
    for (let i = 0; i < 20; i++) good(await openTable(three[0]));
    assert.equal(code(await openTable(three[0])), '409 lobby-full');
    assert.equal((await deleted(three[0])).status, 204);
    const { state, seats } = await gameOf({ game });
    assert.equal(state, 'running');
    assert.match(seats.find((seat) => seat.player.id === three[0].id).player.name, /^Deleted player /);
    good(await quit(game, three[1]));
    assert.equal((await gameOf({ game })).state, 'finished');
  });

  it('counts what the other has sealed before', async () => {
    const three = await makePlayers(client, 3, 'Sealed');
    const game = await started(three, { ruleset: 'mall-world' });
    // Until all decide at the same time.
    for (let turn = 0; ; turn++) {
      assert.ok(turn < 500);
      const { deciders, seats } = await gameOf({ game });
      const { token } = three.find((each) => each.id === seats[deciders[0]].player.id);
      const { moves, seq } = good(await client.get(`/v1/games/${game}/legal-moves`, { token }));
      const move = moves[turn % moves.length];
      const answer = good(await client.post(`/v1/games/${game}/moves`, { moves: [move], seq }, token));
      if (!answer.sealed) continue;
      for (const other of three.filter((each) => each.token !== token)) good(await quit(game, other));
      const mine = deciders[0];
      const after = (await linesOf(game)).filter((each) => each.kind === 'ply' && each.seq > answer.seq);
      assert.equal(after.find((each) => each.seat === mine).move, move);
      break;
    }
    assert.equal((await gameOf({ game })).state, 'finished');
    assert.equal(good(await client.get(`/v1/games/${game}/verification`)).verdict, 'valid');
  });

  it('is over at once where only house players are left', async () => {
    const player = await makePlayer(client, 'Alone');
    for (let i = 0; i < 2; i++) bed.tillroll('admin', 'house', 'casual');
    const { game } = await opened(player, { seats: 3, house: 'casual' });
    good(await quit(game, player));
    const found = await gameOf({ game });
    assert.deepEqual([found.state, rankOf(found, player)], ['finished', 3]);
    assert.equal((await deleted(player)).status, 204);
  });
});

describe('a guest', () => {
  it('has a name that says so, and a cookie, and plays', async () => {
    const answer = await comeIn('Mo');
    const { player } = good(answer);
    assert.deepEqual([player.name, player.guest, player.bot], ['Mo [guest]', true, false]);
    assert.match(String(answer.headers['set-cookie']), /HttpOnly; SameSite=Strict/);
    assert.equal(answer.json.token, undefined);
    const guest = await makeGuest();
    assert.deepEqual(good(await client.get('/v1/me', { token: guest.token })).token.scopes, ['read', 'play']);
    const table = await opened(guest);
    assert.equal(table.players[0].guest, true);
    const { game } = good(await sit(table, await makeGuest('Ida')));
    assert.deepEqual((await gameOf({ game })).seats.map((seat) => seat.player.name.endsWith(' [guest]')), [true, true]);
    assert.match((await client.get(`/v1/games/${game}/record`)).text, /seat 0 .*guest/);
  });

  it('comes from a page of the service, with a name that an account could have', async () => {
    assert.equal(code(await comeIn('Ida', {})), '403 foreign-origin');
    assert.equal(code(await comeIn('Ida', { Origin: 'https://evil.example' })), '403 foreign-origin');
    for (const name of ['', 'a\u200bb', 'Аda', 'x [bot]', 'Deleted player 1', 'x'.repeat(53)]) assert.equal(code(await comeIn(name)), '400 bad-field', name);
    good(await comeIn('Ivan'));
    assert.equal(code(await comeIn('ivan')), '409 name-taken');
    assert.equal(code(await comeIn('lvan')), '409 name-taken');
    for (const name of ['Eve [guest]', 'Eve [Guest]', 'Eve [guеst]'])
      assert.equal(code(await client.post('/v1/players', { name, password })), '400 bad-field', name);
    good(await client.post('/v1/players', { name: 'Ivan', password }));
  });

  it('may do nothing else', async () => {
    const guest = await makeGuest();
    const event = await makeEvent(client, ada, await makePlayers(client, 3));
    const open = good(await client.post('/v1/events', { name: 'Open', ruleset: 'shinjuku', rounds: 3 }, ada.token));
    good(await client.post(`/v1/events/${open.id}/open-entries`, {}, ada.token));
    assert.equal(code(await client.post(`/v1/events/${open.id}/entries`, {}, guest.token)), '403 guest-not-allowed');
    assert.equal(code(await client.post(`/v1/events/${open.id}/entries`, { player: guest.id }, ada.token)), '400 bad-field');
    for (const [at, body] of [['/v1/events', { name: 'X', ruleset: 'shinjuku' }], [`/v1/events/${event.id}/clone`, { name: 'X' }], ['/v1/me/bots', { name: 'X' }], ['/v1/me/tokens', { label: 'X', scopes: ['read'] }]]) {
      const answer = await client.post(at, body, guest.token);
      assert.equal(code(answer), '403 missing-scope', at);
      assert.match(answer.json.detail, /^Guests can only play/);
    }
    assert.equal(code(await client.post('/v1/tokens', { name: guest.name, password })), '401 wrong-password');
    for (let i = 0; i < 5; i++) await opened(guest);
    assert.equal(code(await openTable(guest)), '409 lobby-full');
  });

  it('becomes an account, which has the games', async () => {
    const guest = await makeGuest('Nia');
    const table = await opened(guest);
    const { game } = good(await sit(table, ada));
    const name = `Nia ${randomBytes(3).toString('hex')}`;
    const become = (body, token = guest.token) => client.post('/v1/me/account', body, token);
    assert.equal(code(await become({ name, password: 'short' })), '400 bad-field');
    assert.equal(code(await become({ name: ada.name, password })), '409 name-taken');
    assert.equal(code(await become({ name: 'Nia [guest]', password })), '400 bad-field');
    assert.equal(code(await become({ name, password }, ben.token)), '409 not-a-guest');
    const session = good(await become({ name, password }));
    assert.deepEqual([session.player.id, session.player.name, session.player.guest], [guest.id, name, false]);
    assert.equal(code(await client.get('/v1/me', { token: guest.token })), '401 bad-token');
    assert.deepEqual(good(await client.get('/v1/me/games', { token: session.token })).items.map((each) => each.id), [game]);
    const signedIn = good(await client.post('/v1/tokens', { name, password }));
    assert.equal(signedIn.player.id, guest.id);
    assert.deepEqual(good(await client.get('/v1/me', { token: signedIn.token })).token.scopes, ['read', 'play', 'organize', 'account']);
  });

  it('comes in again in a cookie as the account', async () => {
    const guest = await makeGuest('Kim');
    const headers = { ...own(), Cookie: `__Host-tillroll=${guest.token}` };
    const answer = await client.post('/v1/me/account', { name: `Kim ${randomBytes(3).toString('hex')}`, password }, undefined, headers);
    assert.equal(good(answer).token, undefined);
    assert.match(String(answer.headers['set-cookie']), /^__Host-tillroll=tr_[0-9a-f]{64}/);
  });

  it('is one of so many from a network in an hour', async () => {
    const { client: strict, service } = await bed.startService(['--guests-per-hour', '2']);
    const headers = { Origin: `http://127.0.0.1:${strict.port}` };
    const come = (i) => strict.post('/v1/guests', { name: `Crowd ${i} ${randomBytes(3).toString('hex')}` }, undefined, headers);
    for (let i = 0; i < 2; i++) good(await come(i));
    const refused = await come(2);
    assert.equal(code(refused), '429 too-many-requests');
    assert.ok(Number(refused.headers['retry-after']) > 0);
    await service?.end?.();
  });

  it('is forgotten when nobody can come back as one', async () => {
    const guest = await makeGuest('Old');
    const table = await opened(guest);
    sql(`UPDATE tillroll.player SET created_at = now() - interval '60 days' WHERE id = '${guest.id}';
      DELETE FROM tillroll.token WHERE player_id = '${guest.id}';
      UPDATE tillroll.casual_table SET created_at = now() - interval '8 days' WHERE id = '${table.id}';
      UPDATE tillroll.upkeep SET due_at = now() WHERE task = 'delete_old'`);
    await bed.startService(['--upkeep-seconds', '1']);
    await until(60, 'the guest is forgotten', async () => good(await client.get(`/v1/players/${guest.id}`)).deleted);
    assert.equal(sql(`SELECT count(*) FROM tillroll.casual_table WHERE id = '${table.id}'`).trim(), '0');
    const { name } = good(await client.get(`/v1/players/${guest.id}`));
    assert.match(name, /^Deleted player /);
  });
});
