// One allocation of a service fails, and another one, and so on through all that a request makes.
// The service may say that it cannot, or end; what it says is done must be done, and what it writes
// must be whole.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { good } from '../../api/support/client.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, now, password, playRandomly, Random } from '../../api/support/play.mjs';
import { Field } from '../field.mjs';
import { ShortMemory } from '../short_memory.mjs';

const SILENT_MS = 60_000; // without a word of progress: each service that ends takes a while to be replaced, and there are thousands

const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

class Walk {
  requests = 0;
  answers = {}; // how many of each kind there were
  ends = 0; // of the service
  faults = [];

  constructor(field, memory, random, report) {
    Object.assign(this, { field, memory, random, report, told: Date.now() });
  }

  tell(what, count) {
    if (Date.now() - this.told < SILENT_MS) return;
    this.told = Date.now();
    this.report.progress(`${what} of ${count}`);
  }

  get client() {
    return this.field.services[0].client;
  }

  async attempt(send) {
    try {
      return await send(this.client);
    } catch (error) {
      // node says `socket hang up` and `aborted` with ECONNRESET.
      if (!broken.has(error.code)) throw error;
      return { status: 'no answer' };
    }
  }

  // Starts the service again if it has ended, which it may do in one way only.
  async settle(what) {
    const service = this.field.services[0];
    const alive = await this.attempt((client) => client.get('/healthz'));
    if (alive.status === 200) return;
    const [code, signal] = await service.ended;
    this.ends++;
    const said = readFileSync(service.errors, 'utf8');
    if (signal !== 'SIGABRT' || !said.includes('"message":"out of memory"')) this.faults.push(`${what}: the service ended with ${code ?? signal}: ${said}`);
    await this.field.startAt(0);
  }

  async disturbed(n, what, send) {
    this.memory.fail(n);
    const answer = await this.attempt(send);
    this.memory.fail(0);
    this.requests++;
    this.answers[answer.status] = (this.answers[answer.status] ?? 0) + 1;
    // 429: without memory to count one more stream of an address, it has as many as it may have.
    if (![200, 201, 429, 500, 503, 'no answer'].includes(answer.status)) this.faults.push(`${what}: ${answer.status}: ${answer.text}`);
    await this.settle(what);
    return answer;
  }

  // A request that changes nothing: every answer that is a success is the same.
  async read(name, target, token, { same = (text) => text, step = 1 } = {}) {
    const send = (client) => client.request('GET', target, { token, unchecked: true });
    const expected = await send(this.client);
    assert.equal(expected.status, 200, expected.text);
    const count = await this.memory.count(() => send(this.client));
    for (let n = 1 + this.random.below(step); n <= count; n += step) {
      this.tell(`${name}, allocation ${n}`, count);
      const answer = await this.disturbed(n, `${name}, allocation ${n}`, send);
      if (answer.status === 200 && same(answer.text) !== same(expected.text)) this.faults.push(`${name}, allocation ${n}: another answer: ${answer.text}`);
    }
    return count;
  }

  // A request that changes something, a new one each time: make(i) has { send, done, again }. `done()` is
  // what is stored of it: 1 after a success, never more; `again` holds for the status when it is sent
  // anew.
  async write(name, make, { step = 1 } = {}) {
    let i = 0;
    const first = await make(i++);
    const count = await this.memory.count(async () => good(await first.send(this.client)));
    for (let n = 1 + this.random.below(step); n <= count; n += step) {
      const what = `${name}, allocation ${n}`;
      this.tell(what, count);
      const request = await make(i++);
      const answer = await this.disturbed(n, what, request.send);
      const success = answer.status === 200 || answer.status === 201;
      if (success && request.done() !== 1) this.faults.push(`${what}: a success that was none`);
      const again = await request.send(this.client);
      if (!request.again(again.status)) this.faults.push(`${what}: sent again: ${again.text}`);
      if (request.done() !== 1) this.faults.push(`${what}: ${request.done()} times`);
    }
    return count;
  }
}

// Every step-th allocation of each route; `routes`: of the first so many.
export async function memory(report, { step = 1, seed = `memory ${Date.now()}`, routes = Infinity, hurry = false } = {}) {
  const random = new Random(seed);
  let short;
  const field = await Field.open({
    seed,
    services: 1,
    // What is kept would be answered without the work.
    options: ['--answer-cache-bytes', '0'],
    environment: (directory) => {
      short = new ShortMemory(path.join(directory, 'short-memory'));
      return short.environment;
    },
  });
  try {
    const walk = new Walk(field, short, random, report);
    const organizer = await makePlayer(walk.client, 'Organizer');
    const players = await makePlayers(walk.client, 3);
    const { game: finished, event } = await makeGame(walk.client, organizer, players);
    await playRandomly(walk.client, finished, random);
    const { game } = await makeGame(walk.client, organizer, players);
    await playRandomly(walk.client, game, random, { plies: 10 });
    const count = (table, where) => Number(field.cluster.sql(`SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.${table} WHERE ${where}`));

    const playMove = async () => {
      const position = await now(walk.client, game);
      const [seat] = position.deciders;
      const legal = await legalMoves(walk.client, game, seat);
      const json = { moves: [random.pick(legal.moves)], seq: legal.seq };
      return {
        send: (client) => client.request('POST', `${game.at}/moves`, { token: game.players[seat].token, json, unchecked: true }),
        done: () => count('record_line', `game_id = '${game.id}' AND seq = ${legal.seq + 1}`),
        again: (status) => status === 200,
      };
    };
    const makeAnEvent = (i) => {
      const json = { name: `Event ${i}`, ruleset: 'shinjuku', seats_min: 2, seats_max: 2, rounds: 1 };
      const headers = { 'Idempotency-Key': `event ${i}` };
      return {
        send: (client) => client.request('POST', '/v1/events', { token: organizer.token, json, headers, unchecked: true }),
        done: () => count('event', `name = 'Event ${i}'`),
        again: (status) => status === 201,
      };
    };
    const register = (i) => ({
      send: (client) => client.request('POST', '/v1/players', { json: { name: `Late ${i}`, password }, unchecked: true }),
      done: () => count('player', `name = 'Late ${i}'`),
      // It has no key: a client that got no answer finds the name taken by its own first request.
      again: (status) => status === 201 || status === 409,
    });
    const at = `/v1/events/${event.id}`;
    const cases = [
      ['a move', (name) => walk.write(name, playMove, { step })],
      ['an event', (name) => walk.write(name, makeAnEvent, { step })],
      ['a player', (name) => walk.write(name, register, { step })],
      ['a game', (name) => walk.read(name, game.at, undefined, { step })],
      ['a view', (name) => walk.read(name, `${game.at}/view`, game.players[0].token, { step })],
      ['legal moves', (name) => walk.read(name, `${game.at}/legal-moves`, game.players[0].token, { step })],
      ['a record', (name) => walk.read(name, `${finished.at}/record`, undefined, { step })],
      ['a verification', (name) => walk.read(name, `${finished.at}/verification`, undefined, { step })],
      ['what happened', (name) => walk.read(name, `${game.at}/events`, undefined, { step })],
      ['standings', (name) => walk.read(name, `${at}/standings`, undefined, { step })],
      ['an event’s log', (name) => walk.read(name, `${at}/log`, undefined, { step })],
      ['oneself', (name) => walk.read(name, '/v1/me', organizer.token, { step })],
      ['a page', (name) => walk.read(name, '/', undefined, { step })],
      ['a stream', (name) => walk.read(name, `${game.at}/stream`, undefined, { step, same: () => '' })],
    ];
    for (const [name, run] of cases.slice(0, routes)) report.progress(`${name}: ${await run(name)} allocations`);
    // The game goes on.
    await playRandomly(walk.client, game, random, { plies: hurry ? 5 : Infinity });
    const audit = field.tillroll('audit');
    if (audit.status !== 0) walk.faults.push(`tillroll audit: ${audit.stderr}${audit.stdout}`);
    report.line(`${walk.requests} requests, ${short.failed} allocations that failed: ${Object.entries(walk.answers).map(([status, times]) => `${status} ${times}`).join(', ')}; the service ended ${walk.ends} times`);
    report.faults(walk.faults);
    return walk.faults.length === 0;
  } finally {
    short?.close();
    await field.end();
  }
}
