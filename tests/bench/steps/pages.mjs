// Pages and documents beside a server that does nothing but send as many bytes with as many header
// fields, over the same library and the same kind of loop.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';

import { build } from '../bed.mjs';
import { firstRender } from '../first_render.mjs';
import { heading, median, missing, ms, row, shuffled, thousands } from '../table.mjs';

// Fewer where an answer is so large that each takes long.
const connectionsFor = (answer) => (answer.length > 1_000_000 ? 4 : 64);
const ofLibrary = new Set(['date', 'content-length', 'connection']);

function get(port, target, headers = {}) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path: target, headers }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, length: Buffer.concat(parts).length }));
    }).on('error', reject);
  });
}

// A bare server for answers like this one.
async function bareFor(answer) {
  const fields = Object.keys(answer.headers).filter((name) => !ofLibrary.has(name)).length;
  const child = spawn(path.join(build, 'tests/bench_bare_server'), [answer.length, fields].map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const end = () => {
    process.off('exit', kill);
    kill();
  };
  return { client: { port: Number(port) }, end };
}

// Rates of a page and of its bare counterpart, in turns.
async function pair(bed, ours, bare, connections, { seconds, rounds }) {
  const runs = [];
  const options = ['--connections', connections, '--seconds', seconds];
  for (let round = 0; round < rounds; round++) {
    const run = {};
    for (const which of shuffled(['ours', 'bare'])) {
      const { service, target, extra } = which === 'ours' ? ours : { service: bare, target: '/', extra: [] };
      run[which] = await bed.load(service, ['--get', target, ...extra, ...options]);
    }
    runs.push(run);
  }
  const of = (pick) => median(runs.map(pick));
  const told = (which) => `${thousands(of((run) => run[which].answers_per_s))}/s, p99 ${ms(of((run) => run[which].p99_us))}`;
  return { ratio: of((run) => run.ours.answers_per_s / run.bare.answers_per_s), details: [`ours ${told('ours')}; bare ${told('bare')}`] };
}

const goal = { atLeast: 0.9, aim: 1 };

async function read(service, target) {
  const answer = await get(service.client.port, target);
  if (answer.status !== 200) throw new Error(`GET ${target}: ${answer.status}`);
  return answer;
}

// How many times a second a page is answered, beside a bare answer like it: { ratio, details }.
export async function comparePage(bed, service, target, scale) {
  const answer = await read(service, target);
  const bare = await bareFor(answer);
  const compared = await pair(bed, { service, target, extra: [] }, bare, connectionsFor(answer), scale);
  bare.end();
  return compared;
}

async function measurePage(bed, service, what, target, scale) {
  const answer = await read(service, target);
  const { ratio, details } = await comparePage(bed, service, target, scale);
  row(`${what}, ${thousands(answer.length)} bytes, beside a bare answer`, ratio, 'x', goal, details);
  await measureUnchanged(bed, service, target, answer.headers.etag, scale);
}

async function measureUnchanged(bed, service, target, etag, scale) {
  if (etag === undefined) {
    missing('... unchanged (304)', 'the answer has no ETag');
    return;
  }
  const answer = await get(service.client.port, target, { 'If-None-Match': etag });
  if (answer.status !== 304) {
    missing('... unchanged (304)', `the answer is ${answer.status}`);
    return;
  }
  const bare = await bareFor({ length: 47, headers: answer.headers });
  const unchanged = await pair(bed, { service, target, extra: ['--etag', etag] }, bare, 64, scale);
  bare.end();
  row('... unchanged (304), beside a bare answer of 47 bytes', unchanged.ratio, 'x', goal, unchanged.details);
}

// An event in mid-course, and a running game: what people look at.
export async function fillPages(bed) {
  const event = await bed.fill('event', '--ruleset', 'shinjuku', '--seats', 4, '--count', 1000, '--rounds', 4);
  const script = await bed.script(1, { seats: 4, plies: 60 });
  return { event, game: script.read()[0].id };
}

export const targets = ({ event, game }) => [
  ['standings of 1,000 entries', `/v1/events/${event}/standings`],
  ['an event', `/v1/events/${event}`],
  ["an event's page", `/events/${event}`],
  ["a game's view", `/v1/games/${game}/view`],
];

// The page of an event, in a browser that has nothing of it yet.
async function measureBrowser(service, event, entries, locale) {
  const { kib, answers, first_ms, drawn_ms } = await firstRender(`http://127.0.0.1:${service.client.port}/events/${event}`, { locale });
  row(`an event's page of ${entries} entries (${locale}), all that a browser fetches`, kib, 'KiB', { atLeast: 100, less: true }, [`${answers} answers`]);
  row('... until it is first shown', first_ms, 'ms', { atLeast: 1000, less: true }, [`until its script is done ${Math.round(drawn_ms)} ms`]);
}

export async function pages(bed, scale) {
  heading('Pages, 64 connections');
  const filled = await fillPages(bed);
  const service = await bed.serve();
  for (const [what, target] of targets(filled)) await measurePage(bed, service, what, target, scale);
  const small = await bed.fill('event', '--ruleset', 'shinjuku', '--seats', 4, '--count', 24, '--rounds', 5);
  for (const locale of ['en-GB', 'de-DE']) await measureBrowser(service, small, '24', locale);
  await measureBrowser(service, filled.event, '1,000', 'en-GB');
  await service.end();
}
