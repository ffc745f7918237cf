// From the start of the process to its answers.
import { spawn } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';

import { build, root } from '../bed.mjs';
import { heading, median, row } from '../table.mjs';

const games = 1000;

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function request(port, method, target, token, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = http.request({ host: '127.0.0.1', port, method, path: target, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

// Resolves when the service has said that it listens. Asking it sooner, over and over, would take from it the processors that it starts with.
function listening(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part) => {
      said += part;
      if (said.includes('listening on')) resolve();
    });
    child.once('exit', () => reject(new Error(`tillrolld does not start: ${said}`)));
  });
}

// Starts a server of its own; resolves when it has answered, with the milliseconds that took.
async function startTimed(bed) {
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(path.join(build, 'tillrolld'), ['--listen', `127.0.0.1:${port}`, '--pages', path.join(root, 'web-static'), '--connections-per-address', '20000', '--reads-per-minute', '0', '--writes-per-minute', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, TILLROLL_DATABASE: bed.cluster.serviceUrl, TILLROLL_SECRETS: path.join(bed.directory, 'secrets') },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const end = () => {
    process.off('exit', kill);
    kill();
  };
  await listening(child);
  const latest = begin + 20_000;
  while ((await request(port, 'GET', '/readyz').catch(() => 0)) !== 200) {
    if (performance.now() > latest || child.exitCode !== null) throw new Error('tillrolld does not start');
  }
  return { begin, ready: performance.now() - begin, client: { port }, end };
}

async function firstMove(service, script) {
  const [{ id, tokens, plies }] = script.read();
  const [seat, seq, , move] = plies[0];
  const status = await request(service.client.port, 'POST', `/v1/games/${id}/moves`, tokens[seat], JSON.stringify({ moves: [move], seq }));
  if (status !== 200) throw new Error(`the first move: ${status}`);
  script.next++;
  return performance.now() - service.begin;
}

export async function start(bed, { rounds }) {
  heading('From the start of the process');
  const empty = [];
  const first = [];
  const all = [];
  for (let round = 0; round < rounds; round++) {
    const service = await startTimed(bed);
    empty.push(service.ready);
    service.end();
  }
  for (let round = 0; round < rounds; round++) {
    const script = await bed.script(games, { plies: 150, moves: 1 });
    const service = await startTimed(bed);
    first.push(await firstMove(service, script));
    await bed.load(service, ['--connections', 64, '--seconds', 20], script, { whole: true });
    all.push(performance.now() - service.begin);
    service.end();
    script.drop();
  }
  row('first answer of an empty service', median(empty), 'ms', { atLeast: 25, aim: 15, less: true });
  row(`first move, with ${games} running games of 150 plies`, median(first), 'ms', {});
  row(`a move in each of ${games} running games of 150 plies`, median(all) / 1000, 's', { atLeast: 1.5, aim: 0.6, less: true });
}
