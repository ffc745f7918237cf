// Bad input: every way to be wrong gets its own answer, and changes nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { check, document, seen, validate } from '../support/contract.mjs';
import { probe } from '../support/echo.mjs';
import { routes } from '../support/every_route.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayer, makePlayers, password, play, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let service;
let client;
let organizer;
let players;
let draft;
let open;
let game;
let untouched;

before(async () => {
  seen.codes.clear(); // of files before this one
  bed = new Testbed();
  service = await bed.startService();
  ({ client } = service);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 4, 'Ädmund Ünal');
  draft = good(await client.post('/v1/events', { ...event }, organizer.token));
  open = good(await client.post('/v1/events', { ...event }, organizer.token));
  good(await client.post(`/v1/events/${open.id}/open-entries`, {}, organizer.token));
  good(await client.post(`/v1/events/${open.id}/entries`, {}, players[0].token));
  ({ game } = await makeGame(client, organizer, players.slice(0, 3)));
  untouched = bed.cluster.fingerprint();
});
after(() => bed.end());

const event = { name: 'An event', ruleset: 'shinjuku', rounds: 3 };
const nobody = '01900000-0000-7000-8000-000000000000';

// A suite of refusals after which the database is as it was before. Each case: name, status, code,
// and a function that sends the request.
function refusals(suite, cases) {
  describe(suite, () => {
    for (const [name, status, code, send] of cases)
      it(name, async () => {
        const answer = await send();
        assert.equal(`${answer.status} ${answer.json?.code}`, `${status} ${code}`, answer.text);
        assert.ok(answer.json.detail.length > 10);
        assert.equal(answer.headers['content-type'], 'application/problem+json');
      });
    it('have changed nothing', () => assert.equal(bed.cluster.fingerprint(), untouched));
  });
}

const make = (json) => () => client.post('/v1/events', json, organizer.token);
const makeRaw = (body, type = 'application/json') => () =>
  client.request('POST', '/v1/events', { token: organizer.token, body, headers: { 'Content-Type': type } });
const register = (json) => () => client.post('/v1/players', json);
const move = (json, headers) => () => client.post(`${game.at}/moves`, json, game.players[0].token, headers);
const get = (target, player) => () => client.get(target, { token: player?.().token });
const nested = (levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const filled = (length) => `{"name":"${'x'.repeat(length - 11)}"}`;

refusals('JSON', [
  ['cut off', 400, 'bad-json', makeRaw('{"name":')],
  ['a list', 400, 'bad-json', makeRaw('[]')],
  ['null', 400, 'bad-json', makeRaw('null')],
  ['a text', 400, 'bad-json', makeRaw('"name"')],
  ['nothing but a blank', 400, 'bad-json', makeRaw(' ')],
  ['two objects', 400, 'bad-json', makeRaw('{} {}')],
  ['a byte order mark', 400, 'bad-json', makeRaw('\ufeff{}')],
  ['a comment', 400, 'bad-json', makeRaw('{} // no')],
  ['single quotes', 400, 'bad-json', makeRaw("{'name': 'x'}")],
  ['a trailing comma', 400, 'bad-json', makeRaw('{"name":"x",}')],
  ['NaN', 400, 'bad-json', makeRaw('{"rounds":NaN}')],
  ['a number beyond 64 bits', 400, 'bad-json', makeRaw('{"rounds":99999999999999999999}')],
  ['a number beyond a double', 400, 'bad-json', makeRaw('{"rounds":1e999}')],
  ['a key twice', 400, 'bad-json', makeRaw('{"name":"a","name":"b"}')],
  ['a key twice, written otherwise', 400, 'bad-json', makeRaw('{"name":"a","n\\u0061me":"b"}')],
  ['NUL', 400, 'bad-json', makeRaw('{"name":"a\\u0000b"}')],
  ['half of a surrogate pair', 400, 'bad-json', makeRaw('{"name":"\\ud800"}')],
  ['bytes that are not UTF-8', 400, 'bad-json', makeRaw(Buffer.from('{"name":"\xff"}', 'latin1'))],
  ['overlong UTF-8', 400, 'bad-json', makeRaw(Buffer.from('{"name":"\xc0\xaf"}', 'latin1'))],
  ['17 levels', 400, 'bad-json', makeRaw(nested(17))],
  ['16 levels', 400, 'unknown-field', makeRaw(`{"name":"x","ruleset":"shinjuku","a":${nested(15)}}`)],
  ['10,000 opening brackets', 400, 'bad-json', makeRaw('['.repeat(10000))],
  ['5,000 values', 400, 'bad-json', makeRaw(`{"a":[${'1,'.repeat(4999)}1]}`)],
  ['65536 bytes are read', 400, 'bad-field', makeRaw(filled(65536))],
  ['65537 bytes are not', 413, 'body-too-large', () =>
    client.request('POST', '/v1/events', { token: organizer.token, body: '', headers: { 'Content-Length': 65537 } })],
]);

refusals('types of content', [
  ['text/plain', 415, 'unsupported-media-type', makeRaw('{}', 'text/plain')],
  ['a form', 415, 'unsupported-media-type', makeRaw('name=x', 'application/x-www-form-urlencoded')],
  ['a patch', 415, 'unsupported-media-type', makeRaw('{}', 'application/merge-patch+json')],
  ['nearly', 415, 'unsupported-media-type', makeRaw('{}', 'application/jsonx')],
  ['several', 415, 'unsupported-media-type', makeRaw('{}', 'text/plain, application/json')],
  ['none', 415, 'unsupported-media-type', makeRaw('{}', '')],
  ['JSON with a charset is JSON', 400, 'missing-field', makeRaw('{}', 'application/json; charset=utf-8')],
  ['a body with GET', 400, 'unexpected-body', () =>
    client.request('GET', '/healthz', { body: 'x', headers: { 'Content-Type': 'text/plain' } })],
]);

const badTexts = { 'a number': 1, null: null, 'true': true, 'a list': ['x'], empty: '', 'a line feed': 'a\nb', 'a control character': 'a\u007fb' };
const badNumbers = { 'a text': '3', 'a fraction': 2.5, null: null, true: true, negative: -1, 'far too large': 2 ** 40 };
const each = (values, code, field, send) =>
  Object.entries(values).map(([name, value]) => [`${field}: ${name}`, 400, code, send(value)]);

refusals('fields of an event', [
  ['no name', 400, 'missing-field', make({ ruleset: 'shinjuku', rounds: 3 })],
  ['no ruleset', 400, 'missing-field', make({ name: 'x', rounds: 3 })],
  ['no rounds', 400, 'missing-field', make({ name: 'x', ruleset: 'shinjuku' })],
  ['no body', 400, 'missing-field', () => client.request('POST', '/v1/events', { token: organizer.token })],
  ['an unknown one', 400, 'unknown-field', make({ ...event, organizer: nobody })],
  ['an unknown one with a long name', 400, 'unknown-field', make({ ...event, ['x'.repeat(300)]: 1 })],
  ...each(badTexts, 'bad-field', 'name', (name) => make({ ...event, name })),
  ['name: 81 bytes', 400, 'bad-field', make({ ...event, name: 'x'.repeat(81) })],
  ['name: 82 bytes in 41 letters', 400, 'bad-field', make({ ...event, name: 'ä'.repeat(41) })],
  ['name: turned around', 400, 'bad-field', make({ ...event, name: 'a\u202eb' })],
  ...each(badTexts, 'bad-field', 'ruleset', (ruleset) => make({ ...event, ruleset })),
  ['ruleset: unknown', 400, 'bad-field', make({ ...event, ruleset: 'chess' })],
  ...each({ ...badNumbers, zero: 0, 21: 21 }, 'bad-field', 'rounds', (rounds) => make({ ...event, rounds })),
  ...each({ ...badNumbers, 1: 1, 5: 5 }, 'bad-field', 'seats_min', (seats) => make({ ...event, seats_min: seats })),
  ...each({ ...badNumbers, 5: 5 }, 'bad-field', 'seats_max', (seats) => make({ ...event, seats_max: seats })),
  ['seats_max below seats_min', 400, 'bad-field', make({ ...event, seats_min: 4, seats_max: 3 })],
  ['seats_preferred above seats_max', 400, 'bad-field', make({ ...event, seats_max: 3, seats_preferred: 4 })],
  ...each({ ...badTexts, other: 'fair' }, 'bad-field', 'profile', (profile) => make({ ...event, profile })),
  ...each({ 'a text': 'on', 'a list': [], null: null, unknown: { blue: 'on' }, 'unknown value': { advanced: 'maybe' }, 'not a text': { advanced: true } },
    'bad-field', 'options', (options) => make({ ...event, options })),
]);

refusals('names and passwords', [
  ['no name', 400, 'missing-field', register({ password })],
  ['no password', 400, 'missing-field', register({ name: 'x' })],
  ['an unknown field', 400, 'unknown-field', register({ name: 'x', password, admin: true })],
  ...each(badTexts, 'bad-field', 'name', (name) => register({ name, password })),
  ...each({ 'a blank before': ' x', 'a blank after': 'x ', 'two blanks': 'a  b', 'only a blank': ' ', '61 bytes': 'x'.repeat(61),
    'turned around': 'a\u202eb', invisible: 'a\u200bb', 'a C1 control': 'a\u0085b' }, 'bad-field', 'name', (name) => register({ name, password })),
  ...each({ ...badTexts, '9 bytes': 'x'.repeat(9), '129 bytes': 'x'.repeat(129) }, 'bad-field', 'password', (word) => register({ name: 'x', password: word })),
  ['taken', 409, 'name-taken', () => client.post('/v1/players', { name: players[0].name, password })],
  ['taken, in capitals', 409, 'name-taken', () => client.post('/v1/players', { name: players[0].name.toUpperCase(), password })],
  ['taken, in small letters', 409, 'name-taken', () => client.post('/v1/players', { name: players[0].name.toLowerCase(), password })],
  ['taken, letters and accents apart', 409, 'name-taken', () => client.post('/v1/players', { name: players[0].name.normalize('NFD'), password })],
  ['wrong password', 401, 'wrong-password', () => client.post('/v1/tokens', { name: players[0].name, password: `${password}!` })],
  ['password in capitals', 401, 'wrong-password', () => client.post('/v1/tokens', { name: players[0].name, password: password.toUpperCase() })],
  ['unknown name', 401, 'wrong-password', () => client.post('/v1/tokens', { name: 'Nobody', password })],
  ['unknown field', 400, 'unknown-field', () => client.post('/v1/tokens', { name: 'Nobody', password, remember: true })],
]);

refusals('fields of a move', [
  ['no moves', 400, 'bad-field', move({})],
  ...each({ 'a text': 'end', null: null, none: [], '33 moves': Array(33).fill('end'), 'a number': [1], 'a list': [['end']], null2: [null] },
    'bad-field', 'moves', (moves) => move({ moves })),
  ...each({ 'a text': '0', 'a fraction': 0.5, null: null, negative: -1, 'beyond 31 bits': 2 ** 31 }, 'bad-field', 'seq', (seq) => move({ moves: ['end'], seq })),
  ...each({ 'a text': '0', null: null, negative: -1, 5: 5 }, 'bad-field', 'seat', (seat) => move({ moves: ['end'], seat })),
  ['an unknown field', 400, 'unknown-field', move({ moves: ['end'], player: nobody })],
  ['If-Match without quotes', 400, 'bad-field', move({ moves: ['end'] }, { 'If-Match': '0' })],
  ['If-Match that is weak', 400, 'bad-field', move({ moves: ['end'] }, { 'If-Match': 'W/"0"' })],
  ['If-Match of anything', 400, 'bad-field', move({ moves: ['end'] }, { 'If-Match': '*' })],
  ['If-Match with letters', 400, 'bad-field', move({ moves: ['end'] }, { 'If-Match': '"x"' })],
  ['If-Match and another seq', 400, 'bad-field', move({ moves: ['end'], seq: 0 }, { 'If-Match': '"1"' })],
  ['another seat', 403, 'not-your-seat', move({ moves: ['end'], seat: 1 })],
  ['no seat', 403, 'not-a-seat', () => client.post(`${game.at}/moves`, { moves: ['end'] }, organizer.token)],
  ...['recall', 'forfeit', 'substitute'].flatMap((line) => [
    [`${line} without a seat`, 400, 'missing-field', () => client.post(`${game.at}/${line}`, {}, organizer.token)],
    [`${line} for a seat that is not there`, 400, 'bad-field', () => client.post(`${game.at}/${line}`, { seat: 3 }, organizer.token)],
    [`${line} with more`, 400, 'unknown-field', () => client.post(`${game.at}/${line}`, { seat: 0, why: 'left' }, organizer.token)],
  ]),
  ['leaving for another seat', 400, 'unknown-field', () => client.post(`${game.at}/leave`, { seat: 0 }, players[0].token)],
  ['a return of another seat', 400, 'unknown-field', () => client.post(`${game.at}/return`, { seat: 0 }, players[0].token)],
  ['a house player of no version', 400, 'missing-field', () => client.post(`${game.at}/house`, {}, players[0].token)],
  ['a house player of version 0', 400, 'bad-field', () => client.post(`${game.at}/house`, { version: 0 }, players[0].token)],
  ['a house player with more', 400, 'unknown-field', () => client.post(`${game.at}/house`, { version: 1, level: 'regular' }, players[0].token)],
  ['a person as a house player', 403, 'not-a-house-account', () => client.post(`${game.at}/house`, { version: 1 }, players[0].token)],
  ['a substitute who is nobody', 400, 'bad-field', () => client.post(`${game.at}/substitute`, { seat: 0 }, organizer.token)],
  ['a substitute who is no id', 400, 'bad-field', () => client.post(`${game.at}/substitute`, { seat: 0, player: 'Ada' }, organizer.token)],
  ['a substitute who is not there', 400, 'bad-field', () => client.post(`${game.at}/substitute`, { seat: 0, player: nobody }, organizer.token)],
  ['a take-back from no entry', 400, 'bad-field', () => client.post(`${game.at}/takeback`, { from: 0, seq: 0 }, players[0].token)],
  ['a take-back of no position', 400, 'missing-field', () => client.post(`${game.at}/takeback`, { from: 1 }, players[0].token)],
  ['fallback without a seat', 400, 'missing-field', () => client.post(`${game.at}/fallback`, {}, organizer.token)],
  ['fallback for a seat that is not there', 400, 'bad-field', () => client.post(`${game.at}/fallback`, { seat: 3 }, organizer.token)],
  ['fallback with more', 400, 'unknown-field', () => client.post(`${game.at}/fallback`, { seat: 0, why: 'left' }, organizer.token)],
]);

refusals('fields where there are none', [
  ...['open-entries', 'close-entries', 'close', 'entries', 'rounds'].map((step) => [
    step, 400, 'unknown-field', () => client.post(`/v1/events/${draft.id}/${step}`, { force: true }, organizer.token)]),
]);

const idNames = ['player', 'event', 'game', 'dispute', 'season', 'token', 'bot', 'job', 'table', 'browser', 'webhook', 'delivery', 'recording'];
// Auditors alone may look, whatever the id.
const withId = Object.keys(document.paths).filter((path) => /\{(player|event|game|dispute)\}/.test(path) && !path.endsWith('/look'));
const fill = (path, id) => path.replace('{number}', '1').replace('{board}', '1').replace(/\{[a-z]+\}/g, id);

const noIds = [nobody.replace('0000-7', 'ABCD-7'), 'null', nobody.slice(1), `${nobody}0`, '1'];

refusals('ids and names', [
  ...withId.flatMap((path) => Object.entries(document.paths[path]).flatMap(([method]) =>
    [[nobody, 'not-found'], ...noIds.map((id) => [id, 'not-an-id'])].map(([id, code]) => [
      `${method} ${path}: ${id}`, 404, code, () =>
        client.request(method.toUpperCase(), fill(path, id), { token: organizer.token, json: method === 'post' && path.endsWith('moves') ? { moves: ['end'] } : undefined })]))),
  ...['chess', 'Shinjuku', 'shinjuku.', 'x'.repeat(65)].map((slug) => [`ruleset ${slug.slice(0, 10)}`, 404, 'not-found', get(`/v1/rulesets/${slug}/components`)]),
  ...['0', '4', '01', '-1', 'x', '1001'].map((number) => [`round ${number}`, 404, 'not-found', () => client.get(`/v1/events/${open.id}/rounds/${number}`)]),
  ...['/nothing', '/v1', '/v2/players', '/v1/me/tokens/x/y', '/V1/players', '/static/none.js', '/v1/games/x/y/z/a/b'].map((path) => [path, 404, 'not-found', get(path)]),
]);

describe('what stands where an id should', () => {
  // GET /games/{id} stands beside GET /games/{word}: what is no id there is looked for among the rulesets.
  const targets = routes.map((route) => route.split(' ')).filter(([method, path]) => path.includes('{id}') && `${method} ${path}` !== 'GET /games/{id}');
  it('is asked of many', () => assert.ok(targets.length > 80));
  for (const [method, path] of targets)
    it(`${method} ${path}: says which one, what an id looks like, and where to find one`, async () => {
      const described = Object.keys(document.paths).find((each) => each.replace(/\{[a-z]+\}/g, '') === path.replace(/\{[a-z]+\}/g, ''));
      const places = [...path.matchAll(/\{(id)\}/g)].map(({ index }) => index);
      for (const [which, at] of places.entries())
        for (const id of noIds) {
          // Segments before it are ids, and those behind it are none either.
          const target = `${path.slice(0, at).replaceAll('{id}', nobody)}${id}${path.slice(at + '{id}'.length).replaceAll('{id}', 'null')}`.replaceAll('{number}', '1').replaceAll('{word}', 'x');
          const { status, json } = await client.request(method, target, { unchecked: described === undefined });
          assert.deepEqual([status, json.code], [404, 'not-an-id'], target);
          if (described) assert.match(json.detail, new RegExp(`^\`${[...described.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name).filter((name) => idNames.includes(name))[which]}\``));
          const [example] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(json.detail);
          validate(document.components.schemas.Id, example, target);
          const [, source] = /; (?:GET|POST) (\S+) /.exec(json.detail) ?? [];
          if (path.startsWith('/v1/jobs/')) {
            assert.match(json.detail, /; the Location of an answer with status 202 holds it\.$/);
            continue;
          }
          assert.ok(document.paths[source].get, source);
        }
    });
  it('changes nothing', () => assert.equal(bed.cluster.fingerprint(), untouched));
});

const lists = ['/v1/players', '/v1/events', '/v1/games', '/v1/me/games', '/v1/leaderboard'];
refusals('parameters', [
  ...lists.flatMap((path) => ['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=-1', 'limit=1.5', 'limit=01', 'after=x', 'after=', `after=${nobody}0`, 'page=2', 'Limit=1', 'limit'].map((query) =>
    [`${path}?${query}`, 400, 'bad-parameter', get(`${path}?${query}`, () => players[0])])),
  ['games: state=finished', 400, 'bad-parameter', get('/v1/games?state=finished')],
  ['games: state=', 400, 'bad-parameter', get('/v1/games?state=')],
  ['leaderboard: scope', 400, 'bad-parameter', get('/v1/leaderboard?scope=chess')],
  ['leaderboard: scope=', 400, 'bad-parameter', get('/v1/leaderboard?scope=')],
  ['leaderboard: after nobody', 400, 'bad-parameter', get(`/v1/leaderboard?after=${nobody}`)],
  ...['after_round=9', 'after_round=x', 'after_round=', 'after_round=-1', 'round=1'].map((query) => [`standings?${query}`, 400, 'bad-parameter', () => client.get(`/v1/events/${game.event.id}/standings?${query}`)]),
  ...['after=x', 'after=-1', 'after=', `after=${2 ** 31}`, 'limit=1'].map((query) => [`events?${query}`, 400, 'bad-parameter', () => client.get(`${game.at}/events?${query}`)]),
  ...['seq=x', 'seq=-1', 'seq=', 'seq=9999', `seq=${2 ** 31}`, 'after=1'].map((query) => [`view?${query}`, 400, 'bad-parameter', () => client.get(`${game.at}/view?${query}`)]),
]);

refusals('keys of idempotency', [
  ['empty', 400, 'bad-idempotency-key', () => client.post('/v1/events', event, organizer.token, { 'Idempotency-Key': '' })],
  ['101 characters', 400, 'bad-idempotency-key', () => client.post('/v1/events', event, organizer.token, { 'Idempotency-Key': 'x'.repeat(101) })],
  ['not ASCII', 400, 'bad-idempotency-key', () => client.post('/v1/events', event, organizer.token, { 'Idempotency-Key': '\xe4' })],
  ['not ASCII, in UTF-8', 400, 'bad-idempotency-key', () => client.post('/v1/events', event, organizer.token, { 'Idempotency-Key': '\xc3\xa4' })],
]);

// Sends bytes as they are and reads the answer as the client does.
async function raw(bytes) {
  const got = await probe(service.client.port, bytes, { count: 1 });
  const { status, fields, body } = got.answers[0];
  const answer = { status, headers: fields, text: body, json: JSON.parse(body) };
  check({ method: 'GET', path: '/no-such-address' }, answer);
  return answer;
}
const head = (...fields) => `GET /healthz HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;

refusals('heads of requests, which the gate refuses', [
  ['a repeated parameter', 400, 'bad-query', get('/v1/players?limit=1&limit=2')],
  ['an escape', 400, 'bad-request-target', get('/v1/players?after=%20')],
  ['a slash at the end', 400, 'bad-request-target', get('/v1/players/')],
  ['a target of 1025 bytes', 414, 'target-too-long', get(`/${'x'.repeat(1024)}`)],
  ['6 KiB of header', 431, 'header-too-large', () => client.get('/healthz', { headers: { 'X-Long': 'x'.repeat(6000) } })],
  ['two Authorizations', 400, 'repeated-header-field', () => raw(head('Host: a', 'Authorization: Bearer a', 'Authorization: Bearer b'))],
  ['an expectation', 417, 'bad-expectation', () => raw(head('Host: a', 'Expect: a miracle'))],
  ['no Host', 400, 'bad-host', () => raw(head())],
  ['a Host of the internet', 421, 'unknown-host', () => raw(head('Host: evil.example'))],
  ['chunks', 400, 'transfer-encoding', () => raw(head('Host: a', 'Transfer-Encoding: chunked'))],
  ['two lengths', 400, 'bad-content-length', () => raw(head('Host: a', 'Content-Length: 1', 'Content-Length: 2'))],
  ['a blank before a colon', 400, 'bad-header-field', () => raw(head('Host: a', 'Accept : x'))],
  ['bare LF', 400, 'bad-line-end', () => raw('GET /healthz HTTP/1.1\nHost: a\n\n')],
  ['two blanks in the first line', 400, 'bad-request-line', () => raw('GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n')],
  ['HTTP/1.0', 505, 'unsupported-version', () => raw('GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n')],
  ['TRACE', 501, 'unknown-method', () => client.request('TRACE', '/v1/me')],
  ['OPTIONS', 501, 'unknown-method', () => client.request('OPTIONS', '/v1/me')],
]);

describe('methods', () => {
  const fixed = () => ({ player: players[0].id, event: open.id, game: game.id, slug: 'shinjuku', number: '1', round: '1', board: '1', table: '1', dispute: game.id, job: game.id, bot: players[0].id, token: players[0].id, season: open.id, browser: game.id, webhook: game.id, delivery: game.id, recording: game.id });
  // A table of the lobby has an id, one of a round a number.
  const filled = (path) => path.replace('/lobby/{table}', () => `/lobby/${game.id}`).replace(/\{([a-z]+)\}/g, (_, name) => fixed()[name]);
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  for (const [path, item] of Object.entries(document.paths)) {
    const allowed = Object.keys(item).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).sort();
    for (const method of methods.filter((each) => !(each in item)))
      it(`${method} ${path} is refused with what is allowed`, async () => {
        const target = filled(path);
        const answer = await client.request(method.toUpperCase(), target, { token: organizer.token });
        assert.equal(answer.status, 405);
        assert.equal(answer.json.code, 'method-not-allowed');
        assert.deepEqual(answer.headers.allow.split(', ').sort(), allowed);
        assert.equal(answer.json.detail, `This address takes only ${answer.headers.allow}.`);
      });
    if ('get' in item)
      it(`HEAD ${path} is GET without the body`, async () => {
        const target = filled(path);
        const token = game.players[0].token;
        const [got, headed] = [await client.get(target, { token }), await client.request('HEAD', target, { token })];
        assert.equal(headed.status, got.status);
        const lasting = path === '/metrics' ? [] : ['content-length']; // which counts its own requests
        for (const name of ['content-type', 'etag', 'cache-control', ...lasting])
          assert.equal(headed.headers[name], got.headers[name], name);
      });
  }
  it('have changed nothing', () => assert.equal(bed.cluster.fingerprint(), untouched));
});

describe('what is in the way', () => {
  const conflict = async (code, answer) => {
    assert.equal((await answer).json.code, code);
    assert.equal((await answer).status, 409);
  };
  const step = (which, name) => client.post(`/v1/events/${which.id}/${name}`, {}, organizer.token);

  it('an event in another state', async () => {
    for (const name of ['close-entries', 'close', 'rounds']) await conflict('wrong-state', step(draft, name));
    await conflict('wrong-state', client.post(`/v1/events/${draft.id}/entries`, {}, players[0].token));
    await conflict('wrong-state', client.get(`/v1/events/${draft.id}/standings`));
    for (const name of ['open-entries', 'close', 'rounds']) await conflict('wrong-state', step(open, name));
    await conflict('wrong-state', client.get(`/v1/events/${open.id}/standings`));
    const running = { id: game.event.id };
    for (const name of ['open-entries', 'close-entries']) await conflict('wrong-state', step(running, name));
    for (const name of ['close', 'rounds']) await conflict('round-running', step(running, name));
    await conflict('wrong-state', client.post(`/v1/events/${running.id}/entries`, {}, players[3].token));
  });

  it('an entry that is there, and one that is not', async () => {
    await conflict('already-entered', client.post(`/v1/events/${open.id}/entries`, {}, players[0].token));
    await conflict('not-entered', client.delete(`/v1/events/${open.id}/entries/${players[1].id}`, organizer.token));
    await conflict('not-entered', client.delete(`/v1/events/${game.event.id}/entries/${players[3].id}`, players[3].token));
  });

  it('a game that has moved on', async () => {
    await conflict('stale-sequence', client.post(`${game.at}/moves`, { moves: ['end'], seq: 7 }, game.players[0].token));
    await conflict('not-your-turn', client.post(`${game.at}/moves`, { moves: ['end'], seq: 0 }, game.players[1].token));
  });

  it('a record that is not finished, and a leaf that is not in the log', async () => {
    for (const what of ['record.note', 'record.bundle', 'inclusion']) await conflict('not-finished', client.get(`${game.at}/${what}`));
    const answer = await client.get(`/v1/log/inclusion?leaf=${'0'.repeat(64)}`);
    assert.deepEqual([answer.status, answer.json.code], [404, 'not-logged']);
  });

  it('has changed nothing', () => assert.equal(bed.cluster.fingerprint(), untouched));

  it('an event with too few players, with no rounds left, closed', async () => {
    const small = await makeEvent(client, organizer, players.slice(0, 3));
    assert.equal((await client.delete(`/v1/events/${small.id}/entries/${players[0].id}`, organizer.token)).status, 204);
    await conflict('too-few-players', step(small, 'rounds'));
    const full = await makeEvent(client, organizer, players.slice(0, 3), { rounds: 1 });
    const { games } = await startRound(client, full, organizer, players);
    await endQuietly(client, games[0], organizer);
    await conflict('no-more-rounds', step(full, 'rounds'));
    good(await step(full, 'close'));
    for (const name of ['open-entries', 'close-entries', 'rounds', 'close']) await conflict('wrong-state', step(full, name));
    await conflict('wrong-state', client.delete(`/v1/events/${full.id}/entries/${players[0].id}`, players[0].token));
    const over = client.post(`${games[0].at}/moves`, { moves: ['end'] }, games[0].players[0].token);
    await conflict('game-over', over);
    assert.deepEqual((await over).json.legal_hint, []);
    await conflict('game-over', client.post(`${games[0].at}/fallback`, { seat: 0 }, organizer.token));
  });

  it('a seat for which the fallback move is played', async () => {
    good(await client.post(`${game.at}/fallback`, { seat: 1 }, organizer.token));
    await conflict('seat-on-fallback', client.post(`${game.at}/fallback`, { seat: 1 }, organizer.token));
    await conflict('seat-on-fallback', client.post(`${game.at}/moves`, { moves: ['end'] }, game.players[1].token));
  });

  it('a key that was used', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const legal = await legalMoves(client, game, 0);
    assert.equal((await play(client, game, 0, [legal.moves[0]], legal.seq, key)).status, 200);
    await conflict('key-reused', play(client, game, 0, [legal.moves[1]], legal.seq, key));
    await conflict('key-reused', client.post('/v1/events', event, game.players[0].token, key));
  });
});

describe('tokens', () => {
  it('that are bad or revoked are refused', async () => {
    const bad = ['x', `tr_${'0'.repeat(64)}`, `tr_${'0'.repeat(63)}`, ''];
    for (const token of bad) assert.equal((await client.get('/v1/players', { token })).json.code, 'bad-token');
    for (const Authorization of ['Basic eDp5', players[0].token]) {
      const answer = await client.get('/v1/me', { headers: { Authorization } });
      assert.equal(answer.json.code, 'bad-token');
      assert.match(answer.json.detail, /^Send the token as `Authorization: Bearer <token>`/);
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }
    assert.equal((await client.get('/v1/me', { headers: { Authorization: `bearer ${players[0].token}` } })).json.id, players[0].id);
    assert.equal((await client.get('/v1/me')).json.code, 'not-signed-in');
    assert.equal((await client.post(`/v1/events/${draft.id}/close`, {}, players[0].token)).json.code, 'not-allowed');
  });
});

// Codes that need a fault, a race or a full server: they have tests of their own.
const elsewhere = [
  'already-added', 'already-decided', 'already-reported', 'appeal-possible', 'arbiter-called', 'archived-record-missing',
  'bad-analysis', 'bad-bundle', 'bad-components', 'bad-dispute-step', 'bad-entry', 'bad-event-line', 'bad-mail-link', 'bad-order', 'bad-results', 'bad-signature', 'bad-tables',
  'board-shared', 'bot-not-allowed',
  'bundle-not-whole', 'bundle-told-anew', 'bundle-too-large', 'bundle-unfinished', 'challenge-open',
  'delivery-waiting', 'draw-is-stale', 'entries-missing', 'entropy-given', 'event-exists', 'event-full', 'follows-too-many', 'forbidden-pairs', 'foreign-origin',
  'game-finished', 'game-stopped', 'guest-not-allowed', 'has-sat-here', 'house-not-allowed', 'house-outdated', 'house-unavailable', 'house-undeclared', 'import-too-large', 'internal-error', 'key-in-use',
  'key-known', 'key-revoked', 'last-organizer', 'lease-lost', 'lobby-full', 'log-damaged', 'met-last', 'missing-scope', 'no-key-in-use',
  'no-league', 'no-legal-pairing', 'no-mail', 'no-report', 'no-rounds', 'no-signing-key', 'no-take-back',
  'not-a-guest', 'not-above', 'not-at-table', 'not-casual', 'not-frozen', 'not-on-ladder', 'not-two-seats', 'not-your-dispute',
  'official-signature-required', 'other-commitment', 'outcome-unknown', 'own-report',
  'pairs-not-parted', 'party-to-dispute', 'party-to-the-game', 'player-exists', 'record-damaged', 'recording-differs', 'same-arbiter', 'same-owner', 'sealed-alone',
  'server-busy', 'server-stopping', 'signature-required', 'step-running', 'still-needed', 'table-full', 'table-started', 'too-far-above', 'too-late', 'too-many-analyses', 'too-many-bots', 'too-many-component-sets',
  'too-many-disputes', 'too-many-events', 'too-many-followed', 'too-many-keys', 'too-many-looks', 'too-many-places', 'too-many-players', 'too-many-recordings',
  'too-many-requests', 'too-many-streams', 'too-many-tables', 'too-many-targets', 'too-many-tokens', 'trf-contradicts',
  'trf-encoding', 'trf-syntax', 'trf-too-large', 'trf-unsupported', 'trf-unwritable', 'unavailable',
  'wait-over', 'wrong-dispute-state',
];

it('every code of a problem has been seen', () => {
  const all = document.components.schemas.ProblemCode.enum;
  assert.deepEqual(all.filter((code) => !seen.codes.has(code)).sort(), elsewhere);
});
