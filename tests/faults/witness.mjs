// Players who go on whatever happens, and remember every word that they were given: of each move that
// was acknowledged its number, its place in the chain and its signature. What is not known (a broken
// connection, a 503) they settle by sending the same request again.
import assert from 'node:assert/strict';

import { good } from '../api/support/client.mjs';
import { makePlayer, makePlayers } from '../api/support/play.mjs';
import { isSigned, readRecord } from '../api/support/record.mjs';
import { sleep } from '../api/support/waiting.mjs';

const SEATS = 2;
const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const rulesets = ['shinjuku', 'superstore-3000', 'super-motherload'];

// What a record says of plies, in the form in which acknowledgements are kept.
const pliesOf = (text) =>
  readRecord(text).entries.filter((entry) => entry.seat !== null).map((entry) => `${entry.seq} ${entry.seat} ${entry.words.join(' ')} ${entry.head}`);

export class Witness {
  games = []; // { at, id, tokens, acknowledged: ['seq seat move head'] }
  events = 0; // that were asked for, each under a key of its own
  moves = 0; // acknowledged
  frozen = 0; // games, by an official
  away = 0; // tries that found no service, or one that said that it could not do it now
  unknown = 0; // tries after which it was not known whether they had taken effect
  settled = 0; // requests with such a try, settled by sending the same again
  late = 0; // moves that came after an act of an official
  twice = 0; // moves that were sent to two services at the same time
  races = 0; // different moves that were
  faults = []; // sentences
  #over = false;
  #halted = false;

  // `clients()`: those of the services, which may be different ones each time. `doubts(client)`: whether
  // that service may be cut off from what others do, so that nothing is read there, and only what it
  // says it has done is believed. `acts`: officials freeze and resume games in between, so a move may come too late.
  constructor(clients, random, { patience = 120_000, doubts = () => false, acts = false } = {}) {
    this.acts = acts;
    this.clients = clients;
    this.random = random;
    this.patience = patience;
    this.doubts = doubts;
  }

  async prepare(tables) {
    const [client] = this.clients();
    this.keys = good(await client.get('/v1/keys')).keys;
    this.organizer = await makePlayer(client, 'Organizer');
    this.players = await makePlayers(client, tables * SEATS);
  }

  // All tables play one game after the other until stop().
  start() {
    const tables = Array.from({ length: this.players.length / SEATS }, (_, table) => this.#play(table));
    if (this.acts) tables.push(this.official());
    this.finished = Promise.all(tables);
    // Looked at later; until then it is not an error that nobody looks at.
    this.finished.catch(() => {});
  }

  // Games that have begun are played to their end, or, in a hurry, no further.
  async stop({ hurry = false } = {}) {
    this.#over = true;
    this.#halted = hurry;
    await this.finished;
  }

  // Rejects when a table has come to something that must not be.
  async moreMoves(count, seconds = 120) {
    const goal = this.moves + count;
    const end = Date.now() + seconds * 1000;
    while (this.moves < goal) {
      await Promise.race([sleep(5), this.finished]);
      assert.ok(Date.now() < end, `not within ${seconds} s: ${count} more moves`);
    }
  }

  // Sends until there is an answer that says what has happened.
  async insist(send, client, clients = this.clients) {
    const end = Date.now() + this.patience;
    let unknown = 0;
    let last = '';
    while (Date.now() < end) {
      const among = clients();
      const at = client ?? (among.length > 0 ? this.random.pick(among) : undefined);
      const doubted = at !== undefined && this.doubts(at);
      const answer = at === undefined ? { code: 'ECONNREFUSED' } : await this.#attempt(send, at);
      // Stopped by an official: for a moment.
      const stopped = answer.status === 409 && answer.json.code === 'stopped';
      const refused = stopped || (answer.status >= 300 && answer.status !== 503 && (doubted || this.doubts(at)));
      // A step that takes longer than a request waits (202): the same request joins it, until it has ended.
      if (answer.status === 202) {
        unknown++;
        await sleep(100);
        continue;
      }
      if (answer.status !== undefined && answer.status !== 503 && !refused) {
        if (unknown > 0) this.settled++;
        return answer;
      }
      last = answer.code ?? answer.text;
      const known = refused || answer.code === 'ECONNREFUSED' || (answer.status === 503 && answer.json.code !== 'outcome-unknown');
      if (known) this.away++;
      else unknown++;
      if (!known) this.unknown++;
      // Another service may answer what this one cannot.
      client = undefined;
      await sleep(20 + this.random.below(80));
    }
    throw new Error(`the services do not come back: ${last}`);
  }

  // An answer, or { code } of the connection's end.
  async #attempt(send, client) {
    try {
      const answer = await send(client);
      if (answer.status === 503) assert.ok(answer.json.code && Number(answer.headers['retry-after']) >= 1, answer.text);
      return answer;
    } catch (error) {
      if (!broken.has(error.code)) throw error;
      return { code: error.code };
    }
  }

  // A writing request, done once however often it is sent.
  async #once(key, target, json, token) {
    const options = { token, json, headers: { 'Idempotency-Key': key }, unchecked: true };
    return good(await this.insist((client) => client.request('POST', target, options)));
  }

  async #seatTable(table, round) {
    const players = this.players.slice(table * SEATS, (table + 1) * SEATS);
    const ruleset = rulesets[(table + round) % rulesets.length];
    const { token } = this.organizer;
    const key = `table ${table} game ${round}`;
    const settings = { name: key, ruleset, seats_min: SEATS, seats_max: SEATS, rounds: 1 };
    this.events++;
    const event = await this.#once(key, '/v1/events', settings, token);
    const at = `/v1/events/${event.id}`;
    await this.#once(`${key} open`, `${at}/open-entries`, {}, token);
    for (const player of players) await this.#once(`${key} entry`, `${at}/entries`, {}, player.token);
    await this.#once(`${key} close`, `${at}/close-entries`, {}, token);
    const drawn = await this.#once(`${key} round`, `${at}/rounds`, {}, token);
    const [{ id, seats }] = drawn.games;
    return { id, at: `/v1/games/${id}`, tokens: seats.map((seat) => players.find(({ id: each }) => each === seat.player.id).token), acknowledged: [] };
  }

  async #play(table) {
    for (let round = 0; !this.#over; round++) {
      const game = await this.#seatTable(table, round);
      this.games.push(game);
      while (!this.#halted && (await this.#ply(game)));
      await this.#check(game);
    }
  }

  #get(target, token) {
    const readers = () => this.clients().filter((client) => !this.doubts(client));
    return this.insist((client) => client.request('GET', target, { token, unchecked: true }), undefined, readers);
  }

  #send(game, seat, move, seq, client) {
    const options = { token: game.tokens[seat], json: { moves: [move], seq }, unchecked: true };
    return this.insist((at) => at.request('POST', `${game.at}/moves`, options), client);
  }

  #keep(game, seat, move, answer) {
    const { receipt } = answer.json;
    assert.ok(receipt.game === game.id && isSigned(receipt, this.keys), answer.text);
    game.acknowledged.push(`${receipt.seq} ${seat} ${move} ${receipt.head}`);
    this.moves++;
    game.position = answer.json;
  }

  // An official freezes a running game and resumes it, until stop(). What cannot be done is not insisted on, but resuming is.
  async official() {
    while (!this.#over) {
      await sleep(20 + this.random.below(200));
      const game = this.random.pick(this.games.slice(-this.players.length / SEATS));
      if (game !== undefined && game.dispute !== null) await this.#freeze(game);
    }
  }

  async #freeze(game) {
    const { token } = this.organizer;
    const post = (at, json = {}, by = token) => this.insist((client) => client.request('POST', at, { token: by, json, unchecked: true }));
    if (game.dispute === undefined) {
      const opened = await post(`${game.at}/disputes`, { claim: 'rules', text: 'Look at this.' }, game.tokens[0]);
      game.dispute = opened.status < 300 ? opened.json.id : null;
      if (game.dispute === null) return;
    }
    const frozen = await post(`/v1/disputes/${game.dispute}/freeze`);
    if (frozen.status < 300) this.frozen++;
    await sleep(this.random.below(50));
    const resumed = await post(`/v1/disputes/${game.dispute}/resume`);
    if (resumed.status >= 300 && !['wrong-dispute-state', 'game-finished'].includes(resumed.json.code)) this.faults.push(`${game.id}: not resumed: ${resumed.text}`);
  }

  // False when the game is over.
  async #ply(game) {
    game.position ??= good(await this.#get(game.at));
    const { deciders, finished } = game.position;
    if (finished || deciders.length === 0) return false;
    const seat = this.random.pick(deciders);
    const legal = good(await this.#get(`${game.at}/legal-moves`, game.tokens[seat]));
    // The service that was asked may not have heard of the last move yet.
    if (legal.seq !== game.position.seq || legal.moves.length === 0) {
      assert.ok(this.acts || legal.seq <= game.position.seq, `${game.at}: ${legal.seq} after ${game.position.seq}`);
      if (this.acts) game.position = undefined;
      await sleep(2);
      return true;
    }
    const move = this.random.pick(legal.moves);
    const how = this.random.below(20);
    if (how === 0) await this.#race(game, seat, move, this.random.pick(legal.moves), legal.seq);
    else if (how < 3) await this.#twice(game, seat, move, legal.seq);
    else this.#keepTaken(game, seat, move, await this.#send(game, seat, move, legal.seq));
    return true;
  }

  // True of a move that an official's act came before. If it was taken all the same, the record will have what nobody was told of.
  #isLate(game, answer) {
    if (!this.acts || answer.status !== 409 || answer.json.code !== 'stale-sequence') return false;
    this.late++;
    game.position = undefined;
    return true;
  }

  #keepTaken(game, seat, move, answer) {
    if (!this.#isLate(game, answer)) this.#keep(game, seat, move, this.#taken(answer));
  }

  #taken(answer) {
    assert.equal(answer.status, 200, answer.text);
    return answer;
  }

  #two() {
    const [here, there = here] = this.clients();
    return [here, there];
  }

  // The same request at two places at the same time is done once.
  async #twice(game, seat, move, seq) {
    const [here, there] = await Promise.all(this.#two().map((client) => this.#send(game, seat, move, seq, client)));
    this.twice++;
    if ([here, there].every((answer) => this.#isLate(game, answer))) return;
    for (const answer of [here, there]) this.#taken(answer);
    assert.deepEqual([there.json.receipt.seq, there.json.receipt.head], [here.json.receipt.seq, here.json.receipt.head]);
    this.#keep(game, seat, move, here);
  }

  // Sends two moves at the same time; if they differ, one is taken.
  async #race(game, seat, move, other, seq) {
    if (move === other) {
      this.#keepTaken(game, seat, move, await this.#send(game, seat, move, seq));
      return;
    }
    const moves = [move, other];
    const answers = await Promise.all(this.#two().map((client, at) => this.#send(game, seat, moves[at], seq, client)));
    this.races++;
    if (answers.every((answer) => this.#isLate(game, answer))) return;
    const winners = [0, 1].filter((at) => answers[at].status === 200);
    assert.equal(winners.length, 1, answers.map(({ text }) => text).join('\n'));
    assert.equal(answers[1 - winners[0]].status, 409, answers[1 - winners[0]].text);
    this.#keep(game, seat, moves[winners[0]], answers[winners[0]]);
  }

  // Everything acknowledged is in the record, and everything in the record was acknowledged once.
  async #check(game) {
    const answer = await this.#get(`${game.at}/record`);
    assert.equal(answer.status, 200, answer.text);
    this.faults.push(...compare(game, pliesOf(answer.text)));
  }

  // The same for all games, as they are in the end.
  async checkAll() {
    for (const game of this.games) await this.#check(game);
    return this.faults;
  }
}

// Sentences about what is lost, doubled or forked between what was acknowledged and what is stored.
export function compare(game, plies) {
  const faults = [];
  const stored = new Map(plies.map((ply) => [Number(ply.split(' ')[0]), ply]));
  const given = new Map();
  for (const ply of game.acknowledged) {
    const seq = Number(ply.split(' ')[0]);
    if (given.has(seq) && given.get(seq) !== ply) faults.push(`${game.id}: forked: ${given.get(seq)} and ${ply}`);
    if (!stored.has(seq)) faults.push(`${game.id}: lost: ${ply}`);
    else if (stored.get(seq) !== ply) faults.push(`${game.id}: forked: acknowledged ${ply}, stored ${stored.get(seq)}`);
    given.set(seq, ply);
  }
  for (const [seq, ply] of stored) if (!given.has(seq)) faults.push(`${game.id}: doubled: nobody was told of ${ply}`);
  return faults;
}
