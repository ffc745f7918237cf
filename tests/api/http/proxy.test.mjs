// The client's address behind a proxy, and a listening socket that another process has opened.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';

import { answers, ask, connect, get, startEcho, within } from '../support/echo.mjs';
import { build, Testbed } from '../support/testbed.mjs';

const peer = (ipv4) => `00000000000000000000ffff${ipv4.split('.').map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;

// The peer that the server counts a request for, sent from `from` with these header fields.
async function counted(echo, from, fields) {
  const client = await connect(echo.port, { localAddress: from });
  client.send(get('/x', fields));
  await client.until((received) => answers(received).length === 1);
  client.close();
  return /^peer ([0-9a-f]{32})$/m.exec(answers(client.received)[0].body)[1];
}

describe('a trusted proxy', () => {
  it('names the client with the last entry, and nobody else does', async () => {
    const echo = await startEcho({ proxy: 2 });
    const forged = 'X-Forwarded-For: 198.51.100.9\r\n';
    assert.equal(await counted(echo, '127.0.0.2', 'X-Forwarded-For: 192.0.2.7\r\n'), peer('192.0.2.7'));
    assert.equal(await counted(echo, '127.0.0.2', 'X-Forwarded-For: 198.51.100.9, 192.0.2.7\r\n'), peer('192.0.2.7'));
    assert.equal(await counted(echo, '127.0.0.2', `${forged}x-forwarded-for: 192.0.2.7\r\n`), peer('192.0.2.7'));
    assert.equal(await counted(echo, '127.0.0.2', 'X-Forwarded-For: 2001:db8:1:2:3:4:5:6\r\n'), '20010db8000100020000000000000000');
    assert.equal(await counted(echo, '127.0.0.2', 'X-Forwarded-For: 192.0.2.7, nonsense\r\n'), peer('127.0.0.2'));
    assert.equal(await counted(echo, '127.0.0.2', ''), peer('127.0.0.2'));
    assert.equal(await counted(echo, '127.0.0.1', forged), peer('127.0.0.1'));
    assert.equal(await counted(echo, '127.0.0.3', forged), peer('127.0.0.3'));
    assert.deepEqual(await echo.stop(), [0, null]);
  });

  it('is none unless it was named', async () => {
    const echo = await startEcho();
    assert.equal(await counted(echo, '127.0.0.1', 'X-Forwarded-For: 192.0.2.7\r\n'), peer('127.0.0.1'));
    assert.deepEqual(await echo.stop(), [0, null]);
  });

  it('may have more connections than one client', async () => {
    const echo = await startEcho({ proxy: 2, per_address: 2 });
    const keep = async (from) => {
      const client = await connect(echo.port, { localAddress: from });
      client.send(get('/x'));
      await Promise.race([client.closed, client.until((received) => answers(received).length === 1).catch(() => {})]);
      return client;
    };
    const clients = [];
    for (let i = 0; i < 5; i++) clients.push(await keep('127.0.0.2'));
    for (let i = 0; i < 3; i++) clients.push(await keep('127.0.0.1'));
    assert.deepEqual(clients.map((client) => answers(client.received).length), [1, 1, 1, 1, 1, 1, 1, 0]);
    for (const client of clients) client.close();
    assert.deepEqual(await echo.stop(), [0, null]);
  });

  it('lets limits hold for each client apart', async () => {
    const bed = new Testbed();
    try {
      const { client } = await bed.startService(['--trusted-proxy', '127.0.0.1', '--passwords-per-minute', '2']);
      const statuses = [];
      for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1, 192.0.2.2', '192.0.2.2']) {
        const headers = { 'X-Forwarded-For': address };
        const answer = await client.post('/v1/tokens', { name: 'Nobody', password: 'wrong password' }, undefined, headers);
        statuses.push(answer.status);
      }
      assert.deepEqual(statuses, [401, 401, 429, 401, 401, 429]);
    } finally {
      await bed.end();
    }
  });
});

// Starts the echo server as a service manager does: with a socket as descriptor 3, and told so.
function hand(descriptor, variables) {
  const server = path.join(build, 'tests/echo_server');
  const child = spawn('sh', ['-c', `${variables} exec "$0"`, server], { stdio: ['ignore', 'pipe', 'pipe', descriptor] });
  child.text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (child.text += data));
  child.ended = once(child, 'close');
  return child;
}

describe('a socket that is handed over', () => {
  it('is taken', async () => {
    const listening = net.createServer();
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address();
    const child = hand(listening._handle.fd, 'LISTEN_PID=$$ LISTEN_FDS=1');
    await within(10, 'the echo server listens', once(child.stdout, 'data'));
    assert.equal(child.text, `port ${port}\n`);
    listening.close();
    assert.equal((await ask(port, '/hello')).body, 'hello');
    child.kill('SIGTERM');
    assert.deepEqual(await within(20, 'the echo server ends', child.ended), [0, null]);
  });

  it('for another process is left alone', async () => {
    const listening = net.createServer();
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const child = hand(listening._handle.fd, 'LISTEN_PID=1 LISTEN_FDS=1');
    await within(10, 'the echo server listens', once(child.stdout, 'data'));
    assert.notEqual(child.text, `port ${listening.address().port}\n`);
    listening.close();
    child.kill('SIGTERM');
    await child.ended;
  });

  it('must be one, and must listen', async () => {
    for (const [descriptor, variables] of [['ignore', 'LISTEN_FDS=1'], ['pipe', 'LISTEN_FDS=1'], ['ignore', 'LISTEN_FDS=2']]) {
      const child = hand(descriptor, `LISTEN_PID=$$ ${variables}`);
      assert.deepEqual(await within(20, 'the echo server ends', child.ended), [1, null]);
      assert.equal(child.text, 'LISTEN_FDS: hand over one listening TCP socket.\n');
    }
  });
});
