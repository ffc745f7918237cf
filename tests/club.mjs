#!/usr/bin/env node
// Makes the puzzles of the example club (`./deploy/run --club`) anew: plays one small event of each game on a service of its own, looks for
// puzzles in its games, and writes both to deploy/club: the events as `<game>.bundle`, and at most three puzzles of each game, as `tillroll
// puzzles` prints them, as `<game>.puzzles`. Takes minutes.
//
//     node tests/club.mjs [GAME...]
//
// Each run is a service of its own, whose players are others to the service that imports its events, whatever their names. So games that
// share their guests are to be made in one run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.env.TILLROLL_BUILD ??= fileURLToPath(new URL('../build/release', import.meta.url));
const { good } = await import('./api/support/client.mjs');
const { makeEvent, startRound } = await import('./api/support/play.mjs');
const { makeNamed } = await import('./web/support/world.mjs');
const { Testbed } = await import('./api/support/testbed.mjs');

const PUZZLES_MOST = 3;
const GAMES_MOST = 12; // looked at for that many

// Members of the neighbouring club, and the events that they have brought with them.
const regulars = ['Sofia Bauer', 'Kwame Boateng', 'Ines Duarte', 'Henrik Dahl'];
const guests = {
  shinjuku: regulars,
  'mall-world': regulars,
  'superstore-3000': regulars,
  'super-motherload': ['Élise Moreau', 'Tariq Aziz Khan', 'Katarzyna Zielińska', 'Ben Okafor'],
  supermarche: ['Lucía Fernández', 'Mikkel Holm', 'Aisha Rahman', 'Peter Novotny'],
};
const events = {
  shinjuku: { name: 'Harbour Club: Shinjuku', seats_min: 4, seats_max: 4, rounds: 3 },
  'mall-world': { name: 'Harbour Club: Mall World', seats_min: 4, seats_max: 4, rounds: 3 },
  'superstore-3000': { name: 'Harbour Club: Superstore', seats_min: 2, seats_max: 2, rounds: 3 },
  'super-motherload': { name: 'Harbour Club: Super Motherload', seats_min: 4, seats_max: 4, rounds: 3 },
  supermarche: { name: 'Harbour Club: Supermarché', format: 'duplicate', boards: 3, seats_min: undefined, seats_max: undefined, rounds: 1 },
};

const folder = fileURLToPath(new URL('../deploy/club', import.meta.url));
const program = path.join(process.env.TILLROLL_BUILD, 'tillroll');
const bed = new Testbed();
const { client } = await bed.startService();
const server = `http://127.0.0.1:${client.port}`;
const organizer = await makeNamed(client, 'Olga Petrova');
const signedUp = new Map();

async function run(words, { input = '', env = {} } = {}) {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { output += text; });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`tillroll ${words.join(' ')}: exit ${code}`);
  return output;
}

async function hold(slug) {
  const { name, ...settings } = events[slug];
  const players = await Promise.all(guests[slug].map(async (guest) => {
    if (!signedUp.has(guest)) signedUp.set(guest, await makeNamed(client, guest));
    return signedUp.get(guest);
  }));
  const event = await makeEvent(client, organizer, players, { name, ruleset: slug, ...settings });
  const games = [];
  for (let number = 1; number <= settings.rounds; number++) {
    games.push(...(await startRound(client, event, organizer, players)).games);
    await Promise.all(players.map((player) => run(['bot', '--server', server, '--policy', 'regular'], { env: { TILLROLL_TOKEN: player.token } })));
  }
  good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  writeFileSync(path.join(folder, `${slug}.bundle`), (await client.get(`/v1/events/${event.id}/bundle`)).text);
  return games;
}

async function find(games) {
  const found = [];
  for (const { id } of games.slice(0, GAMES_MOST)) {
    if (found.length >= PUZZLES_MOST) break;
    const record = (await client.get(`/v1/games/${id}/record`)).text;
    found.push(...(await run(['puzzles', '--most', '1', '-'], { input: record })).split('\n').filter(Boolean));
    console.log(`${id}: ${found.length} so far`);
  }
  return found.slice(0, PUZZLES_MOST);
}

mkdirSync(folder, { recursive: true });
for (const slug of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(events)) {
  console.log(slug);
  const puzzles = await find(await hold(slug));
  if (puzzles.length === 0) throw new Error(`no puzzle in the games of ${slug}; try again`);
  writeFileSync(path.join(folder, `${slug}.puzzles`), puzzles.map((line) => `${line}\n`).join(''));
}
await bed.end();
