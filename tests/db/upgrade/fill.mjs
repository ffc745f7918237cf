// Fills the database behind a service of any release with a little of everything that release knows,
// over REST: fill.mjs http://127.0.0.1:PORT. What a release does not know is left out.
import { createHash } from 'node:crypto';

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
