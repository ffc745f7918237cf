// Long bodies: sent while they are made, piece by piece, and no further than somebody reads.
import assert from 'node:assert/strict';
import http from 'node:http';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';

import { answers, ask, connect, get, sleep, startEcho, within } from '../support/echo.mjs';

const piece = 100_000;
let echo;
before(async () => {
  echo = await startEcho({ send_ms: 2000 });
});
after(async () => {
  assert.deepEqual(await echo.stop(), [0, null]);
  assert.equal(echo.errors, '');
});

const count = async (what) => Number((await ask(echo.port, `/${what}`)).body);
const noneOpen = () =>
  within(10, 'all are over', (async () => {
    while ((await count('open')) > 0) await sleep(20);
  })());

// { status, headers, length, whole }
async function read(path, { method = 'GET', port = echo.port, localAddress } = {}) {
  const request = http.request({ port, host: '127.0.0.1', path, method, localAddress, agent: false });
  request.end();
  const [response] = await once(request, 'response');
  let length = 0;
  let other = 0;
  response.on('data', (bytes) => {
    length += bytes.length;
    other += bytes.filter((byte) => byte !== 0x70).length;
  });
  response.on('error', () => {});
  await new Promise((resolve) => response.on('close', resolve)); // also after an error
  return { status: response.statusCode, headers: response.headers, length, other, whole: response.complete };
}

describe('a long body', () => {
  it('is sent whole, and others are answered meanwhile', async () => {
    const long = read('/pieces?count=20&ms=20');
    assert.equal((await ask(echo.port, '/hello')).body, 'hello');
    assert.equal(await count('open'), 1);
    const answer = await long;
    assert.deepEqual([answer.status, answer.whole, answer.length, answer.other], [200, true, 20 * piece, 0]);
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
    await noneOpen();
  });

  it('leaves its connection to the next request', async () => {
    const client = await connect(echo.port);
    client.send(get('/pieces?count=2'));
    await client.until((received) => received.endsWith('\r\n0\r\n\r\n'));
    client.received = '';
    client.send(get('/hello'));
    await client.until((received) => answers(received).length === 1);
    assert.equal(answers(client.received)[0].body, 'hello');
    client.close();
  });

  it('begins before it is made', async () => {
    const client = await connect(echo.port);
    const before = await count('made');
    client.send(get('/pieces?count=100&ms=50'));
    await client.until((received) => received.includes('\r\n\r\n'));
    await client.until((received) => received.length > piece);
    assert.ok((await count('made')) < before + 100);
    client.close();
    await noneOpen();
  });

  it('has only its head sent for HEAD', async () => {
    const made = await count('made');
    const answer = await read('/pieces?count=5', { method: 'HEAD' });
    assert.deepEqual([answer.status, answer.length], [200, 0]);
    await noneOpen();
    assert.equal(await count('made'), made);
  });

  it('that nobody reads on is not made on, and is cut off', async () => {
    const client = await connect(echo.port);
    client.socket.pause();
    const before = await count('made');
    client.send(get('/pieces?count=1000'));
    await within(20, 'the deadline', (async () => {
      while ((await count('open')) === 0) await sleep(20);
      while ((await count('open')) > 0) await sleep(50);
    })());
    assert.ok((await count('made')) < before + 500, 'it was made without end');
    client.close();
  });

  it('ends with the connection of who asked', async () => {
    const before = await count('made');
    const client = await connect(echo.port);
    client.send(get('/pieces?count=1000&ms=10'));
    await client.until((received) => received.length > 2 * piece);
    client.close();
    await noneOpen();
    assert.ok((await count('made')) < before + 500);
  });

  it('that cannot be made to its end is seen not to be whole', async () => {
    const answer = await read('/pieces?count=5&fails_at=2');
    assert.equal(answer.status, 200);
    assert.equal(answer.whole, false);
    assert.equal(answer.length, 3 * piece);
    await noneOpen();
  });

  it('is one of four for a client, and of 32 for all', async () => {
    const open = [];
    const begin = async (localAddress) => {
      const client = await connect(echo.port, { localAddress });
      client.send(get('/pieces?count=1000&ms=100'));
      await client.until((received) => received.includes('\r\n\r\n'));
      open.push(client);
      return Number(client.received.split(' ')[1]);
    };
    for (let i = 0; i < 4; i++) assert.equal(await begin('127.0.0.2'), 200);
    assert.equal(await begin('127.0.0.2'), 503);
    assert.match(open.at(-1).received, /^Retry-After: \d+\r$/m);
    for (let host = 3; host < 10; host++) for (let i = 0; i < 4; i++) assert.equal(await begin(`127.0.0.${host}`), 200);
    assert.equal(await count('open'), 32);
    assert.equal(await begin('127.0.0.10'), 503);
    for (const client of open) client.close();
    await noneOpen();
    assert.equal((await read('/pieces?count=1')).status, 200);
  });

  it('under way lets the server stop', async () => {
    const other = await startEcho({ grace_ms: 300 });
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(other.port)));
    for (const client of clients) client.send(get('/pieces?count=1000&ms=30'));
    await Promise.all(clients.map((client) => client.until((received) => received.includes('\r\n\r\n'))));
    assert.deepEqual(await other.stop(), [0, null]);
    assert.equal(other.errors, '');
    await Promise.all(clients.map((client) => within(10, 'the end', client.closed)));
  });
});
