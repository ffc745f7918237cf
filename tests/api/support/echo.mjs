// Starts tests/api/http/echo_server.c and talks to it over raw sockets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { within } from './waiting.mjs';

export { sleep, within } from './waiting.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');

// A running echo server. `settings` as in echo_server.c: { workers: 2, header_ms: 1000 }.
export async function startEcho(settings = {}) {
  const args = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const child = spawn(path.join(build, 'tests/echo_server'), args);
  const echo = { child, output: '', errors: '', port: 0 };
  child.stderr.on('data', (data) => (echo.errors += data));
  const exited = once(child, 'exit');
  await within(10, 'the echo server listens', new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(`echo server ended: ${echo.errors}`)));
    child.stdout.on('data', (data) => {
      echo.output += data;
      const found = /^port (\d+)$/m.exec(echo.output);
      if (found) {
        echo.port = Number(found[1]);
        resolve();
      }
    });
  }));
  echo.signal = (name) => child.kill(name);
  // Resolves with [exit code, signal].
  echo.ended = () => within(20, 'the echo server ends', exited);
  echo.stop = async () => {
    echo.signal('SIGTERM');
    return echo.ended();
  };
  return echo;
}

// A client's connection. `received` grows with what comes; `closed` settles when the server (or a
// reset) has ended it; `lost` is then true if node may have thrown away what had come, which it does
// when it writes to a connection that has been reset.
export async function connect(port, { halfOpen = false, localAddress } = {}) {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: halfOpen });
  const client = { socket, received: '', ended: false, lost: false };
  socket.setNoDelay(true);
  socket.on('error', (error) => (client.lost = error.syscall === 'write'));
  socket.on('data', (data) => {
    client.received += data.toString('latin1');
    socket.emit('progress');
  });
  client.closed = new Promise((resolve) => {
    const end = () => {
      client.ended = true;
      socket.emit('progress');
      resolve();
    };
    socket.on('end', end);
    socket.on('close', end);
  });
  client.send = (bytes) => socket.write(bytes, 'latin1');
  // Waits until `found(received)` is true.
  client.until = (found, what = 'an answer', seconds = 10) =>
    within(seconds, what, new Promise((resolve, reject) => {
      const look = () => {
        if (found(client.received)) {
          socket.off('progress', look);
          resolve(client.received);
        } else if (client.ended) {
          reject(new Error(`closed before ${what}; received ${JSON.stringify(client.received)}`));
        }
      };
      socket.on('progress', look);
      look();
    }));
  client.close = () => socket.destroy();
  await within(10, 'a connection', once(socket, 'connect'));
  return client;
}

// Cuts what was received into answers: { status, fields (lower-case names), body }. An incomplete
// last one is left out. `heads` tells which answers have no body whatever they announce.
export function answers(received, heads = () => false) {
  const list = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return list;
    const [line, ...lines] = rest.slice(0, end).split('\r\n');
    const fields = {};
    for (const each of lines) {
      const colon = each.indexOf(':');
      fields[each.slice(0, colon).toLowerCase()] = each.slice(colon + 1).trim();
    }
    const status = Number(line.split(' ')[1]);
    const bare = heads(list.length) || status === 304 || status === 204 || status < 200;
    const length = bare ? 0 : Number(fields['content-length'] ?? 0);
    if (rest.length < end + 4 + length) return list;
    list.push({ status, fields, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
}

// Sends bytes and waits for `count` answers or the end of the connection.
export async function probe(port, bytes, { count = 1, heads } = {}) {
  const client = await connect(port);
  client.send(bytes);
  await within(10, `${count} answers`, Promise.race([
    client.closed,
    client.until((got) => answers(got, heads).length >= count, 'answers', 11).catch(() => {}),
  ]));
  const got = answers(client.received, heads);
  // An answer with `Connection: close` must be followed by the end.
  if (got.at(-1)?.fields.connection === 'close') await within(5, 'the end after close', client.closed);
  const result = { answers: got, closed: client.ended, received: client.received };
  client.close();
  return result;
}

export const get = (target, fields = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
export const post = (target, body, fields = '') =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n${fields}\r\n${body}`;

// The answer to one good request on a new connection.
export async function ask(port, target) {
  const { answers: got } = await probe(port, get(target));
  return got[0];
}
