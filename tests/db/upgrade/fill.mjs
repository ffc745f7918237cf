// Fills the database behind a service of any release with a little of everything that release knows,
// over REST: fill.mjs http://127.0.0.1:PORT. What a release does not know is left out.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { registration, makeKey } from '../../api/support/signing.mjs';
import { told } from '../../api/support/play.mjs';

const [, , server] = process.argv;
const password = 'correct horse battery';
let drawn = 0;
const below = (n) => createHash('sha256').update(`fill ${drawn++}`).digest().readUInt32BE(0) % n;

async function request(method, path, token, json) {
  const headers = { ...(json && { 'Content-Type': 'application/json' }), ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(server + path, { method, headers, body: json && JSON.stringify(json) });
  const text = await answer.text();
  return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : undefined, text };
}

async function good(...words) {
  const answer = await request(...words);
  if (answer.status >= 300) throw new Error(`${words[0]} ${words[1]}: ${answer.status} ${answer.text}`);
  return answer.json;
}

// What a release may not have yet: undefined then.
async function perhaps(...words) {
  const answer = await request(...words);
  if (answer.status < 300) {
    console.log(`${words[0]} ${words[1].replace(/[0-9a-f-]{36}/g, '…')}`);
    return answer.json ?? {};
  }
  if (answer.status >= 500 && answer.status !== 501) throw new Error(`${words[0]} ${words[1]}: ${answer.status} ${answer.text}`);
  return undefined;
}

async function makePlayer(name) {
  const session = await good('POST', '/v1/players', undefined, { name, password });
  return { name, id: session.player.id, token: session.token };
}

// An event, open and entered by all; undefined if the release does not know such.
async function makeEvent(organizer, players, settings) {
  const event = await perhaps('POST', '/v1/events', organizer.token, { seats_min: 2, seats_max: 2, rounds: 2, ...settings });
  if (event === undefined) return undefined;
  const at = `/v1/events/${event.id}`;
  await good('POST', `${at}/open-entries`, organizer.token, {});
  for (const player of players) await good('POST', `${at}/entries`, player.token, {});
  return at;
}

const startRound = (at, organizer) => good('POST', `${at}/rounds`, organizer.token, {});

// A game as one of its players sees it: boards of a duplicate round are hidden from all others.
async function look(game, players) {
  for (const { token } of players) {
    const { status, json } = await request('GET', `/v1/games/${game}`, token);
    if (status === 200) return json;
  }
  throw new Error(`nobody sees ${game}`);
}

// What one of those who decide can do. Who has sent a sealed decision has nothing left to choose.
async function choose(game, players) {
  const { deciders, finished, seats } = await look(game, players);
  for (const seat of finished ? [] : deciders) {
    const { token } = players.find(({ id }) => id === (seats[seat].player.id ?? seats[seat].player));
    const { moves, seq } = await good('GET', `/v1/games/${game}/legal-moves`, token);
    if (moves.length > 0) return { token, json: { moves: [moves[below(moves.length)]], seq } };
  }
  return undefined;
}

async function play(game, players, plies = Infinity) {
  let choice;
  for (let ply = 0; ply < plies && (choice = await choose(game, players)) !== undefined; ply++)
    await good('POST', `/v1/games/${game}/moves`, choice.token, choice.json);
}

// The ids of the games of a round, as each release answers.
const gamesOf = (round) => round.games.map((game) => game.id);

const known = JSON.stringify(await good('GET', '/v1/rulesets'));
// The first of these that the release has.
const ruleset = (...slugs) => slugs.find((slug) => known.includes(`"${slug}"`));

const organizer = await makePlayer('Olga');
const players = [];
for (const name of ['Ada', 'Ben', 'Cleo']) players.push(await makePlayer(name));
const [ada, ben, cleo] = players;

// Played to its end, with a bye in each round.
const whole = await makeEvent(organizer, players, { name: 'Played', ruleset: ruleset('superstore-3000', 'shinjuku') });
await good('POST', `${whole}/close-entries`, organizer.token, {});
let last;
for (let round = 0; round < 2; round++) {
  last = await startRound(whole, organizer);
  for (const game of gamesOf(last)) await play(game, players);
}
const loser = last.games[0].seats[0].player.id ?? last.games[0].seats[0].player;
await perhaps('PUT', `${whole}/rounds/2/tables/1/ruling`, organizer.token, { no_show: [loser], reason: 'Did not come.' });
await good('POST', `${whole}/close`, organizer.token, {});

// In the middle, with somebody who has dropped out.
const middle = await makeEvent(organizer, players, { name: 'Running', ruleset: 'shinjuku', rounds: 3 });
await good('POST', `${middle}/close-entries`, organizer.token, {});
for (const game of gamesOf(await startRound(middle, organizer))) await play(game, players);
await perhaps('DELETE', `${middle}/entries/${cleo.id}`, cleo.token);
const [running] = gamesOf(await startRound(middle, organizer));
await play(running, players, 12);
await perhaps('POST', `/v1/games/${running}/fallback`, organizer.token, { seat: 1 });
const dispute = await perhaps('POST', `/v1/games/${running}/disputes`, ada.token, { claim: 'rules', entry: 3, text: 'That was too cheap.' });
if (dispute !== undefined) await perhaps('POST', `/v1/disputes/${dispute.id}/ruling`, organizer.token, { orders: [{ order: 'stands' }], code: 'stands', reason: 'It was right.' });

// Not begun.
await makeEvent(organizer, [ada], { name: 'Open', ruleset: 'shinjuku', seats_max: 4 });
await perhaps('POST', '/v1/events', organizer.token, { name: 'Draft', ruleset: 'shinjuku', seats_min: 2, seats_max: 3, rounds: 1 });

// Decisions at the same time, sealed where the release seals them; and the same boards for all.
const together = await makeEvent(organizer, players, { name: 'Together', ruleset: 'mall-world', seats_min: 3, seats_max: 3, rounds: 1 });
if (together !== undefined) {
  await good('POST', `${together}/close-entries`, organizer.token, {});
  for (const game of gamesOf(await startRound(together, organizer))) await play(game, players, 9);
}
const duplicate = { format: 'duplicate', boards: 1, rounds: 1, play: 'asynchronous' };
const boards = await makeEvent(organizer, [ada, ben], { name: 'Boards', ruleset: 'supermarche', ...duplicate, seats_min: 1, seats_max: 1 });
if (boards !== undefined) {
  await good('POST', `${boards}/close-entries`, organizer.token, {});
  const [first, ...others] = gamesOf(await startRound(boards, organizer));
  await play(first, [ada, ben]);
  for (const game of others) await play(game, [ada, ben], 5);
}

// What came later.
const timed = await makeEvent(organizer, [ada, ben], { name: 'With clocks', ruleset: 'shinjuku', rounds: 1, clock: { move_ms: 259_200_000 }, take_back: true });
if (timed !== undefined) {
  await good('POST', `${timed}/close-entries`, organizer.token, {});
  for (const game of gamesOf(await startRound(timed, organizer))) await play(game, [ada, ben], 3);
}
await perhaps('POST', '/v1/me/bots', organizer.token, { name: 'Deep Till' });
const season = await perhaps('POST', '/v1/seasons', organizer.token, { name: 'Winter', method: 'percentile', best: 2 });
if (season !== undefined) await perhaps('POST', `/v1/seasons/${season.id}/events`, organizer.token, { event: whole.split('/').at(-1) });

// A key for signing moves, and a game for fun, one that is waited for.
const key = makeKey();
await perhaps('POST', `/v1/players/${ada.id}/signing-keys`, ada.token, registration(ada, key));
const casual = await perhaps('POST', '/v1/lobby', ada.token, { ruleset: 'shinjuku', seats: 2 });
if (casual !== undefined) {
  await perhaps('POST', `/v1/lobby/${casual.id}/seat`, ben.token, {});
  await perhaps('POST', '/v1/lobby', cleo.token, { ruleset: 'mall-world', seats: 3, listed: false });
}
const cancelled = await perhaps('POST', '/v1/events', organizer.token, { name: 'Cancelled', ruleset: 'shinjuku', seats_min: 2, seats_max: 3, rounds: 1 });
if (cancelled !== undefined) await perhaps('POST', `/v1/events/${cancelled.id}/cancel`, organizer.token, { reason: 'Nobody came.' });

// Real tables: a place held for somebody without an account, a result that counts, one that is contested, and a record that is begun.
const atTables = { name: 'Evening', ruleset: 'shinjuku', play: 'table', confirm_minutes: 0 };
const evening = (await makeEvent(organizer, players, { ...atTables, rate_reported: true })) ?? (await makeEvent(organizer, players, atTables));
if (evening !== undefined) {
  await perhaps('POST', `${evening}/places`, organizer.token, { name: 'Mo' });
  await good('POST', `${evening}/close-entries`, organizer.token, {});
  const { seating } = await startRound(evening, organizer);
  for (const { table, seats } of seating ?? []) {
    const at = `${evening}/rounds/1/tables/${table}`;
    const [first, second] = seats.map((seat) => players.find((player) => player.id === seat.player.id));
    const recording = await perhaps('POST', `${at}/recordings`, (first ?? second).token, { id: randomUUID() });
    if (recording !== undefined) await perhaps('POST', `/v1/recordings/${recording.id}/entries`, (first ?? second).token, { entries: told('shinjuku', 2).slice(0, 20) });
    await perhaps('POST', `${at}/report`, (first ?? second).token, { seats: seats.map((seat, i) => ({ player: seat.player.id, score: 41 - i })) });
    if (first !== undefined && second !== undefined) {
      await perhaps('POST', `${at}/confirmation`, second.token, {});
      await perhaps('POST', `${at}/objection`, first.token, { reason: 'I had 42.' });
    }
  }
}

// What people are told of, and a component set of somebody's own.
await perhaps('PATCH', '/v1/me/notices', ben.token, { language: 'de', quiet_hours: { from: '22:00', to: '07:00' }, kinds: { your_turn: { webhook: 'digest' } } });
await perhaps('POST', '/v1/me/webhooks', ben.token, { url: 'https://chat.example/hooks/1', name: 'Chat' });
await perhaps('PUT', `/v1/me/following/${organizer.id}`, cleo.token);
await perhaps('PUT', `/v1/me/followed-games/${running}`, cleo.token);
const set = readFileSync(new URL('../../../engine/games/supermarche/components.json', import.meta.url), 'utf8');
await perhaps('POST', '/v1/rulesets/supermarche/components', organizer.token, JSON.parse(set.replace('"start_money": 15', '"start_money": 20')));
