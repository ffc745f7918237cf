// Every route of the service, and how it is asked: for tests that look at all that somebody gets.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { Stream } from './stream.mjs';
import { build } from './testbed.mjs';

// `METHOD path`, from the service's own table.
export const routes = execFileSync(path.join(build, 'tests/write_routes'), { encoding: 'utf8' })
  .trim().split('\n').map((line) => line.split(' ').slice(0, 2).join(' '));

// What is not asked, and why it cannot tell what a game hides.
const apart = {
  'is the same for everybody at all times': [
    'GET /healthz', 'GET /readyz', 'GET /openapi.json', 'GET /v1/problems', 'GET /v1/rulesets', 'GET /v1/rulesets/{word}',
    'GET /v1/rulesets/{word}/components', 'GET /v1/keys', 'GET /v1/push/key', 'GET /docs', 'GET /docs/api', 'GET /docs/search', 'GET /docs/{word}/{word}', 'GET /practice/{word}', 'GET /puzzles', 'GET /puzzles/{word}', 'GET /games/{word}/components',
    'GET /login', 'GET /account', 'GET /forgot-password', 'GET /reset-password', 'GET /confirm-email', 'GET /notices', 'GET /unsubscribe/{word}', 'POST /unsubscribe/{word}', 'GET /verify', 'GET /events/new', 'GET /disputes', 'GET /ratings/revisions', 'GET /static/{word}', 'GET /static/{word}/{word}', 'GET /static/{word}/{word}/{word}', 'GET /scorer-worker.js', 'GET /events/{id}/rounds/{number}/tables/{number}/scorer', 'GET /recordings/{id}',
  ],
  'is its own address as a picture, and reads nothing': ['GET /events/{id}/rounds/{number}/tables/{number}/code.svg', 'GET /players/{id}/code.svg'],
  'tells of the service as a whole, and is compared by itself': ['GET /metrics'],
  'works on what is sent along, and on nothing stored': ['POST /v1/exchange/trf/pairings', 'POST /v1/exchange/trf/check'],
  'is of an account, which knows nothing of games': [
    'POST /v1/rulesets/{word}/components', 'POST /v1/players', 'POST /v1/tokens', 'POST /v1/sessions', 'DELETE /v1/tokens/current', 'PATCH /v1/me', 'POST /v1/me/password',
    'GET /v1/me/email', 'PUT /v1/me/email', 'DELETE /v1/me/email', 'GET /v1/me/notices', 'PATCH /v1/me/notices', 'GET /v1/me/following', 'PUT /v1/me/following/{id}', 'DELETE /v1/me/following/{id}', 'POST /v1/email-confirmations', 'POST /v1/password-resets', 'POST /v1/password-resets/use',
    'POST /v1/me/delete', 'POST /v1/me/sessions/end-others', 'GET /v1/me/tokens', 'POST /v1/me/tokens', 'DELETE /v1/me/tokens/{id}', 'GET /v1/me/bots', 'POST /v1/me/bots',
    'GET /v1/me/browsers', 'POST /v1/me/browsers', 'DELETE /v1/me/browsers/{id}', 'POST /v1/me/browsers/{id}/test', 'GET /v1/me/webhooks', 'POST /v1/me/webhooks', 'DELETE /v1/me/webhooks/{id}',
    'POST /v1/me/webhooks/{id}/secret', 'POST /v1/me/webhooks/{id}/test', 'GET /v1/me/webhooks/{id}/deliveries', 'POST /v1/me/webhooks/{id}/deliveries/{id}/repeat',
    'DELETE /v1/me/bots/{id}', 'POST /v1/me/bots/{id}/tokens', 'GET /v1/players/{id}/signing-keys', 'POST /v1/players/{id}/signing-keys',
    'PATCH /v1/players/{id}/signing-keys', 'DELETE /v1/players/{id}/signing-keys/{word}',
  ],
  'is a copy of what other routes answer, with the time at which it was made': ['GET /v1/me/export'],
  'is of guests, their tables in the lobby and their places in events, which know nothing of games but their ids': [
    'GET /v1/house', 'GET /v1/lobby', 'POST /v1/lobby', 'GET /v1/lobby/{id}', 'POST /v1/lobby/{id}/seat', 'DELETE /v1/lobby/{id}/seat', 'POST /v1/lobby/{id}/start',
    'GET /v1/invitations/{word}', 'POST /v1/invitations/{word}/seat', 'GET /v1/me/tables', 'POST /v1/guests', 'POST /v1/me/account', 'GET /lobby', 'GET /practice', 'GET /join/{word}',
    'GET /v1/events/{id}/places', 'POST /v1/events/{id}/places', 'POST /v1/events/{id}/places/{id}/code', 'GET /v1/claims/{word}', 'POST /v1/claims/{word}/account',
    'POST /v1/claims/{word}/attach', 'GET /claim/{word}',
  ],
  'counts who watches a game, which depends on nothing in it': ['GET /v1/games/{id}/watching'],
  'changes a dispute, and answers with the document that is asked for by GET': ['freeze', 'resume', 'ruling', 'close', 'withdraw', 'appeal'].map(
    (step) => `POST /v1/disputes/{id}/${step}`),
  'shows how a step ended, with the answer that it would have had, to who asked for it': ['GET /v1/jobs/{id}'],
  'shows to a seat what it has tried itself, more with each look around': ['GET /v1/games/{id}/refused-moves'],
  'changes an event or season, and answers with documents that are asked for by GET': [
    'POST /v1/events', 'POST /v1/seasons', 'POST /v1/seasons/{id}/events', 'DELETE /v1/seasons/{id}/events/{id}', 'POST /v1/seasons/{id}/close',
    'POST /v1/events/{id}/open-entries', 'POST /v1/events/{id}/cancel', 'POST /v1/events/{id}/entries', 'DELETE /v1/events/{id}/entries/{id}', 'PATCH /v1/events/{id}',
    'POST /v1/events/{id}/clone', 'POST /v1/events/{id}/next-season', 'PUT /v1/imports/{word}/parts/{number}', 'POST /v1/imports/{word}', 'POST /v1/events/{id}/roles', 'DELETE /v1/events/{id}/roles', 'POST /v1/events/{id}/kept-apart',
    'DELETE /v1/events/{id}/kept-apart', 'POST /v1/events/{id}/entries/{id}/return', 'POST /v1/events/{id}/entries/{id}/check-in', 'POST /v1/events/{id}/house',
    'POST /v1/events/{id}/entries/{id}/byes', 'DELETE /v1/events/{id}/entries/{id}/byes/{number}',
  ],
};

const numbers = [1, 2, 3];

// The targets of every other route, as { route: () => [target] }: an event with its games, everybody
// concerned, a season, and a dispute over a game. What is no GET changes nothing: it is refused, or
// shows only.
export function askedOf({ event, games, players, season, dispute }) {
  const eventAt = () => `/v1/events/${event.id}`;
  const everyGame = (rest) => games.map((game) => `/v1/games/${game.id}${rest}`);
  const everyPlayer = (before, rest) => players.map((player) => `${before}${player.id}${rest}`);
  return {
    'GET /v1/players': () => ['/v1/players'],
    'GET /v1/players/{id}': () => everyPlayer('/v1/players/', ''),
    'GET /v1/players/{id}/ratings': () => everyPlayer('/v1/players/', '/ratings'),
    'GET /v1/players/{id}/ratings/history': () => everyPlayer('/v1/players/', '/ratings/history'),
    'GET /v1/players/{id}/opponents': () => everyPlayer('/v1/players/', '/opponents'),
    'GET /v1/players/{id}/reported': () => everyPlayer('/v1/players/', '/reported'),
    'GET /v1/players/{id}/organized': () => everyPlayer('/v1/players/', '/organized'),
    'POST /v1/search': () => ['/v1/search'],
    'GET /v1/players/{id}/games': () => [...everyPlayer('/v1/players/', '/games'), ...everyPlayer('/v1/players/', '/games?state=running')],
    'GET /v1/me': () => ['/v1/me'],
    'GET /v1/me/waiting': () => ['/v1/me/waiting'],
    'GET /v1/me/turns': () => ['/v1/me/turns'],
    'GET /v1/me/events': () => ['/v1/me/events'],
    'GET /v1/me/disputes': () => ['/v1/me/disputes'],
    'GET /v1/me/contested-results': () => ['/v1/me/contested-results'],
    'GET /v1/me/followed-games': () => ['/v1/me/followed-games'],
    'PUT /v1/me/followed-games/{id}': () => everyGame('').map((at) => at.replace('/v1/', '/v1/me/followed-')), // 204, or 404 of a hidden one
    'DELETE /v1/me/followed-games/{id}': () => everyGame('').map((at) => at.replace('/v1/', '/v1/me/followed-')), // 204
    'GET /v1/games/{id}/analysis': () => everyGame('/analysis'),
    'POST /v1/games/{id}/analysis': () => everyGame('/analysis'), // 404, or how far it is
    'POST /v1/games/{id}/analysis/parts': () => everyGame('/analysis/parts'), // 400
    'GET /v1/rulesets/{word}/component-sets': () => ['/v1/rulesets/shinjuku/component-sets'],
    'GET /v1/components/{word}': () => [`/v1/components/${'0'.repeat(64)}`], // 404
    'GET /v1/puzzles': () => ['/v1/puzzles'],
    'GET /v1/puzzles/{word}': () => ['/v1/puzzles/shinjuku', '/v1/puzzles/mall-world'],
    'POST /v1/analyses/lease': () => ['/v1/analyses/lease'], // 400
    'GET /v1/me/games': () => ['/v1/me/games', '/v1/me/games?state=running'],
    'GET /v1/events': () => ['/v1/events', '/v1/events?state=running'],
    'GET /v1/events/{id}': () => [eventAt()],
    'POST /v1/events/{id}/close-entries': () => [`${eventAt()}/close-entries`], // 409
    'POST /v1/events/{id}/close': () => [`${eventAt()}/close`], // 409
    'POST /v1/events/{id}/rounds': () => [`${eventAt()}/rounds`], // 409
    'GET /v1/events/{id}/log': () => [`${eventAt()}/log`],
    'GET /v1/events/{id}/roles': () => [`${eventAt()}/roles`],
    'GET /v1/events/{id}/kept-apart': () => [`${eventAt()}/kept-apart`],
    'GET /v1/events/{id}/entries': () => [`${eventAt()}/entries`],
    'GET /v1/events/{id}/rounds': () => [`${eventAt()}/rounds`],
    'GET /v1/events/{id}/rounds/next': () => [`${eventAt()}/rounds/next`], // 409
    'PUT /v1/events/{id}/rounds/next': () => [`${eventAt()}/rounds/next`], // 400
    'DELETE /v1/events/{id}/rounds/next': () => [`${eventAt()}/rounds/next`], // 409
    'POST /v1/events/{id}/rounds/next/redraw': () => [`${eventAt()}/rounds/next/redraw`], // 400
    'POST /v1/events/{id}/rounds/next/start': () => [`${eventAt()}/rounds/next/start`], // 409
    'PUT /v1/events/{id}/rounds/{number}/tables/{number}/ruling': () =>
      numbers.map((number) => `${eventAt()}/rounds/1/tables/${number}/ruling?preview=true`),
    'DELETE /v1/events/{id}/rounds/{number}/tables/{number}/ruling': () =>
      numbers.map((number) => `${eventAt()}/rounds/1/tables/${number}/ruling`), // 409
    'GET /v1/events/{id}/rounds/{number}/tables/{number}/report': () => numbers.map((number) => `${eventAt()}/rounds/1/tables/${number}/report`),
    'PUT /v1/events/{id}/rounds/{number}/tables/{number}/report': () => [`${eventAt()}/rounds/1/tables/1/report`], // 400
    'POST /v1/events/{id}/rounds/{number}/tables/{number}/report': () => [`${eventAt()}/rounds/1/tables/1/report`], // 400
    'POST /v1/events/{id}/rounds/{number}/tables/{number}/confirmation': () => [`${eventAt()}/rounds/1/tables/1/confirmation`], // 409
    'POST /v1/events/{id}/rounds/{number}/tables/{number}/objection': () => [`${eventAt()}/rounds/1/tables/1/objection`], // 409
    'GET /v1/events/{id}/rounds/{number}/tables/{number}/recordings': () => [`${eventAt()}/rounds/1/tables/1/recordings`],
    'POST /v1/events/{id}/rounds/{number}/tables/{number}/recordings': () => [`${eventAt()}/rounds/1/tables/1/recordings`], // 400
    'GET /v1/recordings/{id}': () => [`/v1/recordings/${event.id}`], // 404
    'GET /v1/recordings/{id}/record': () => [`/v1/recordings/${event.id}/record`], // 404
    'GET /v1/recordings/{id}/stream': () => [`/v1/recordings/${event.id}/stream`], // 404
    'POST /v1/recordings/{id}/entries': () => [`/v1/recordings/${event.id}/entries`], // 404
    'POST /v1/events/{id}/rounds/{number}/reports': () => [`${eventAt()}/rounds/1/reports`], // 400
    'GET /v1/events/{id}/crosstable': () => [`${eventAt()}/crosstable`],
    ...Object.fromEntries(['standings.csv', 'pairings.csv', 'results.csv', 'rounds.ics', 'feed.json', 'export.trf16', 'export.trf26', 'bundle'].map((what) => [
      `GET /v1/events/{id}/${what}`, () => [`${eventAt()}/${what}`]])),
    'GET /v1/events/{id}/bracket': () => [`${eventAt()}/bracket`],
    'GET /v1/events/{id}/odds': () => [`${eventAt()}/odds`],
    'GET /v1/events/{id}/challenges': () => [`${eventAt()}/challenges`],
    'POST /v1/events/{id}/challenges': () => [`${eventAt()}/challenges`], // 400
    'DELETE /v1/events/{id}/challenges/{id}': () => everyPlayer(`${eventAt()}/challenges/`, ''), // 404
    'POST /v1/events/{id}/challenges/{id}/accept': () => everyPlayer(`${eventAt()}/challenges/`, '/accept'), // 404
    'GET /v1/events/{id}/queue': () => [`${eventAt()}/queue`],
    'POST /v1/events/{id}/queue': () => [`${eventAt()}/queue`], // 409
    'DELETE /v1/events/{id}/queue': () => [`${eventAt()}/queue`], // 409
    'GET /v1/events/{id}/rounds/{number}': () => [...numbers.map((number) => `${eventAt()}/rounds/${number}`), `${eventAt()}/rounds/1?as_of=9`],
    'GET /v1/events/{id}/rounds/{number}/boards/{number}': () =>
      numbers.map((number) => `${eventAt()}/rounds/1/boards/${number}`),
    'GET /v1/events/{id}/entries/{id}/score-card': () => everyPlayer(`${eventAt()}/entries/`, '/score-card'),
    'GET /v1/events/{id}/standings': () => [`${eventAt()}/standings`, `${eventAt()}/standings?after_round=1`, `${eventAt()}/standings?as_of=9`, `${eventAt()}/standings?player=${players[1].id}`],
    'GET /v1/events/{id}/stream': () => [`${eventAt()}/stream`],
    'GET /v1/games/{id}/stream': () => everyGame('/stream'),
    'GET /v1/stream': () => ['/v1/stream'],
    'GET /v1/games': () => ['/v1/games', '/v1/games?limit=2', '/v1/games?state=running'],
    'GET /v1/games/{id}': () => everyGame(''),
    'GET /v1/games/{id}/view': () => [...everyGame('/view'), ...everyGame('/view?seq=0'), ...everyGame('/view?seq=2')],
    'GET /v1/games/{id}/events': () => [...everyGame('/events'), ...everyGame('/events?after=3')],
    'GET /v1/games/{id}/legal-moves': () => everyGame('/legal-moves'),
    'GET /v1/games/{id}/sample': () => [...everyGame('/sample'), ...everyGame('/sample?n=3&first=7')],
    'POST /v1/games/{id}/moves': () => everyGame('/moves'), // not the caller's seat, or no move at all
    ...Object.fromEntries(['fallback', 'recall', 'forfeit', 'substitute'].map((line) => [
      `POST /v1/games/{id}/${line}`, () => everyGame(`/${line}`)])), // of a seat that is not there
    'POST /v1/games/{id}/return': () => everyGame('/return'), // with a field too many
    'POST /v1/games/{id}/leave': () => everyGame('/leave'), // of an event, or with a field too many
    'POST /v1/games/{id}/house': () => everyGame('/house'), // of no version
    'POST /v1/games/{id}/takeback': () => everyGame('/takeback'), // from no entry
    'POST /v1/games/{id}/rematch': () => everyGame('/rematch'), // 403, 404 or 409: of an event
    'GET /v1/games/{id}/record': () => everyGame('/record'),
    'GET /v1/games/{id}/entropy': () => everyGame('/entropy'), // 404
    'PUT /v1/games/{id}/entropy': () => everyGame('/entropy'), // 403 or 404
    'GET /v1/games/{id}/signatures': () => everyGame('/signatures'),
    'GET /v1/games/{id}/verification': () => everyGame('/verification'),
    'GET /v1/games/{id}/record.note': () => everyGame('/record.note'),
    'GET /v1/games/{id}/record.bundle': () => everyGame('/record.bundle'),
    'GET /v1/games/{id}/inclusion': () => everyGame('/inclusion'),
    'POST /v1/games/{id}/look': () => everyGame('/look'), // 403
    'GET /v1/games/{id}/disputes': () => everyGame('/disputes'),
    'POST /v1/games/{id}/disputes': () => everyGame('/disputes'), // 400
    'GET /v1/events/{id}/disputes': () => [`${eventAt()}/disputes`],
    'GET /v1/disputes': () => ['/v1/disputes', '/v1/disputes?state=all'], // 403
    'GET /v1/disputes/{id}': () => [`/v1/disputes/${dispute.id}`],
    'GET /v1/disputes/{id}/log': () => [`/v1/disputes/${dispute.id}/log`],
    'GET /v1/disputes/{id}/position': () => [`/v1/disputes/${dispute.id}/position`],
    'POST /v1/disputes/{id}/adjudication': () => [`/v1/disputes/${dispute.id}/adjudication`], // 409
    // The log has two leaves, the commitments to the secrets of the event and of the round.
    'GET /v1/log/checkpoint': () => ['/v1/log/checkpoint'],
    'GET /v1/log/tile/{word}/{word}': () => ['/v1/log/tile/0/000'],
    'GET /v1/log/tile/{word}/{word}/{word}': () => [1, 2, 3].flatMap((width) => [`/v1/log/tile/0/000.p/${width}`, `/v1/log/tile/entries/000.p/${width}`]),
    'GET /v1/log/tile/{word}/{word}/{word}/{word}': () => ['/v1/log/tile/0/x001/000.p/1'],
    'GET /v1/log/tile/{word}/{word}/{word}/{word}/{word}': () => ['/v1/log/tile/0/x001/x000/000.p/1'],
    'GET /v1/log/inclusion': () => [`/v1/log/inclusion?leaf=${'0'.repeat(64)}`],
    'GET /v1/log/consistency': () => ['/v1/log/consistency?from=1'],
    'GET /v1/log/key-changes': () => ['/v1/log/key-changes'],
    'GET /v1/log/documents/{word}': () => [`/v1/log/documents/${'0'.repeat(64)}`],
    'GET /v1/leaderboard': () => ['/v1/leaderboard', '/v1/leaderboard?scope=shinjuku', '/v1/leaderboard?scope=glicko.shinjuku', '/v1/leaderboard?scope=solo.supermarche'],
    'GET /v1/rulesets/{word}/seat-advantage': () => ['/v1/rulesets/shinjuku/seat-advantage'],
    'GET /v1/ratings/revisions': () => ['/v1/ratings/revisions'],
    'GET /v1/ratings/revisions/{number}': () => ['/v1/ratings/revisions/1'],
    'GET /v1/seasons': () => ['/v1/seasons'],
    'GET /v1/seasons/{id}': () => [`/v1/seasons/${season.id}`],
    'GET /v1/seasons/{id}/log': () => [`/v1/seasons/${season.id}/log`],
    'GET /v1/seasons/{id}/standings': () => [`/v1/seasons/${season.id}/standings`],
    'GET /': () => ['/'],
    'GET /leaderboard': () => ['/leaderboard'],
    'GET /games/{word}': () => ['/games/shinjuku', '/games/supermarche'],
    'GET /events/{id}': () => [`/events/${event.id}`],
    'GET /events/{id}/card.png': () => [`/events/${event.id}/card.png`],
    'GET /events/{id}/audit': () => [`/events/${event.id}/audit`],
    'GET /events/{id}/embed': () => [`/events/${event.id}/embed`],
    'GET /events/{id}/rounds/{number}/slips': () => [`/events/${event.id}/rounds/1/slips`],
    'GET /events/{id}/rounds/{number}/tables/{number}': () => numbers.map((number) => `/events/${event.id}/rounds/1/tables/${number}`),
    'GET /events/{id}/badges': () => [`/events/${event.id}/badges`],
    'GET /events/{id}/hall': () => [`/events/${event.id}/hall`],
    'GET /events/{id}/statistics': () => [`/events/${event.id}/statistics`],
    'GET /games/{word}/statistics': () => ['/games/shinjuku/statistics'],
    'GET /events/{id}/rounds/{number}': () => numbers.map((number) => `/events/${event.id}/rounds/${number}`),
    'GET /disputes/{id}': () => [`/disputes/${dispute.id}`],
    'GET /events/{id}/manage': () => [`/events/${event.id}/manage`],
    'GET /events/{id}/rounds/{number}/boards/{number}': () => [`/events/${event.id}/rounds/1/boards/1`],
    'GET /events/{id}/entries/{id}/score-card': () => [`/events/${event.id}/entries/${players[1].id}/score-card`],
    'GET /games/{id}': () => games.map((game) => `/games/${game.id}`),
    'GET /games/{id}/verify': () => games.map((game) => `/games/${game.id}/verify`),
    'GET /seasons/{id}': () => [`/seasons/${season.id}`],
    'GET /players/{id}': () => [`/players/${players[1].id}`],
    'GET /players/{id}/card': () => everyPlayer('/players/', '/card'),
    'GET /players/{id}/card.png': () => everyPlayer('/players/', '/card.png'),
  };
}

// The route that is not among them, or not in the service any more, is named.
export function assertAllRoutes(asked) {
  assert.ok(routes.length > 45);
  const told = [...Object.keys(asked), ...Object.values(apart).flat()];
  assert.deepEqual(routes.filter((each) => !told.includes(each)), [], 'askedOf(), or `apart` with a reason, in tests/api/support/every_route.mjs lacks routes');
  assert.deepEqual(told.sort(), [...routes].sort());
}

const bodies = {
  'POST /v1/games/{id}/moves': { moves: ['no move at all'] },
  ...Object.fromEntries(['fallback', 'recall', 'forfeit', 'substitute'].map((line) => [`POST /v1/games/{id}/${line}`, { seat: 4 }])),
  'POST /v1/search': { words: 'P' },
  'POST /v1/games/{id}/return': { seat: 4 },
  'POST /v1/games/{id}/leave': { seat: 4 },
  'POST /v1/games/{id}/house': { version: 0 },
  'POST /v1/games/{id}/takeback': { from: 0, seq: 0 },
};

const sameEveryTime = ([name]) => !['date', 'x-request-id'].includes(name.toLowerCase());

// How much a stream has to tell: as much as the document of the same thing tells of.
async function toldOf(client, target, token) {
  if (target === '/v1/stream') return Number((await client.get('/v1/log/checkpoint')).text.split('\n')[1]);
  const { json } = await client.get(target.slice(0, -'/stream'.length), { token });
  return json.changes ?? json.seq ?? json.rows;
}

// What a stream has told up to now.
async function streamed(client, target, token) {
  const last = await toldOf(client, target, token);
  const stream = await Stream.open(client, target, { token });
  if (stream.flows) await stream.reached(last);
  else await stream.ended();
  stream.close();
  return { status: stream.status, rawHeaders: stream.response.rawHeaders, text: stream.text, bytes: Buffer.from(stream.text) };
}

// One answer, as a text of status, header and body; `told` gets its bytes. `unchecked`: other tests
// have held it against openapi.json.
export async function lookAt(client, token, method, target, { json, told, unchecked = !target.startsWith('/v1') } = {}) {
  const answer = target.endsWith('/stream')
    ? await streamed(client, target, token)
    : await client.request(method, target, { token, json, unchecked });
  const fields = [];
  for (let i = 0; i < answer.rawHeaders.length; i += 2) fields.push([answer.rawHeaders[i], answer.rawHeaders[i + 1]]);
  told?.push(answer.bytes);
  return `${answer.status}\n${fields.filter(sameEveryTime).map((field) => field.join(': ')).join('\n')}\n\n${answer.text}`;
}

// Everything that a caller gets, as { `GET target`: what lookAt() gives }.
export async function lookAtAll(client, token, asked, { told, unchecked } = {}) {
  const seen = {};
  for (const [route, targets] of Object.entries(asked))
    for (const target of targets()) {
      const [method] = route.split(' ');
      const json = method === 'POST' ? (bodies[route] ?? {}) : undefined;
      seen[`${method} ${target}`] ??= await lookAt(client, token, method, target, { json, told, unchecked });
    }
  return seen;
}
