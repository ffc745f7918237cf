// Deadlines, limits, many clients at once, and stopping.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { answers, ask, connect, get, post, probe, sleep, startEcho, within } from '../support/echo.mjs';
import { until } from '../support/waiting.mjs';

// Runs `body` with an echo server and checks that it still answers and ends well.
async function withEcho(settings, body) {
  const echo = await startEcho(settings);
  try {
    await body(echo);
    assert.equal((await ask(echo.port, '/hello')).body, 'hello');
    assert.deepEqual(await echo.stop(), [0, null]);
    assert.equal(echo.errors, '');
  } finally {
    echo.child.kill('SIGKILL');
  }
}

// Sends a byte now and then until the server ends the connection.
async function trickle(client, bytes) {
  for (let at = 0; !client.ended; at++) {
    client.send(bytes[at % bytes.length]);
    await Promise.race([sleep(100), client.closed]);
  }
}

// When this returns, the loop has read what other clients sent before: a refusal of the gate needs
// no worker, and comes on a connection that is younger than theirs.
async function barrier(echo) {
  const { answers: got } = await probe(echo.port, get('/%'));
  assert.equal(got[0].status, 400);
}

// A client whose request a worker has, or the queue.
async function atWork(echo, target) {
  const client = await connect(echo.port);
  client.send(get(target));
  await barrier(echo);
  return client;
}

const head = (length) => `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

describe('deadlines', { concurrency: true }, () => {
  const short = { header_ms: 600, body_ms: 600, send_ms: 600, idle_ms: 60000 };

  it('ends a connection that trickles its head', () =>
    withEcho(short, async (echo) => {
      const client = await connect(echo.port);
      client.send('GET /x HTTP/1.1\r\nHost: a\r\nX-A: ');
      await within(10, 'the deadline', trickle(client, 'a'));
      assert.equal(client.received, '');
    }));

  it('ends a connection that sends nothing', () =>
    withEcho(short, async (echo) => {
      const client = await connect(echo.port);
      await within(10, 'the deadline', client.closed);
    }));

  it('ends a connection that trickles its body', () =>
    withEcho({ ...short, header_ms: 60000 }, async (echo) => {
      const client = await connect(echo.port);
      client.send(head(60000));
      await within(10, 'the deadline', trickle(client, 'a'));
      assert.equal(client.received, '');
    }));

  it('ends a connection that announces a body and sends none', () =>
    withEcho({ ...short, header_ms: 60000 }, async (echo) => {
      const client = await connect(echo.port);
      client.send(head(5));
      await within(10, 'the deadline', client.closed);
    }));

  it('ends a connection that does not read its answer', () =>
    withEcho({ ...short, header_ms: 60000 }, async (echo) => {
      const client = await connect(echo.port);
      client.socket.pause();
      client.send(get('/bytes?count=60000000'));
      const before = Number((await ask(echo.port, '/descriptors')).body);
      await within(10, 'the deadline', (async () => {
        while (Number((await ask(echo.port, '/descriptors')).body) >= before) await sleep(50);
      })());
      client.socket.resume();
      await within(10, 'the end', client.closed);
      assert.ok(client.received.length < 60000000);
    }));

  it('ends an idle connection after an answer', () =>
    withEcho({ header_ms: 500, idle_ms: 500 }, async (echo) => {
      const client = await connect(echo.port);
      client.send(get('/hello'));
      await client.until((received) => answers(received).length === 1);
      await within(10, 'the deadline', client.closed);
    }));

  it('ends a kept-alive connection that trickles its next head', () =>
    withEcho({ ...short, idle_ms: 600 }, async (echo) => {
      const client = await connect(echo.port);
      client.send(get('/hello'));
      await client.until((received) => answers(received).length === 1);
      await within(10, 'the deadline', trickle(client, 'GET /hello'));
      assert.equal(answers(client.received).length, 1);
    }));

  it('gives a handler all the time that it takes', () =>
    withEcho({ header_ms: 300, body_ms: 300, send_ms: 300, idle_ms: 300 }, async (echo) => {
      assert.equal((await ask(echo.port, '/wait?ms=2500')).body, 'waited');
    }));

  it('counts anew for each request of a connection', () =>
    withEcho({ header_ms: 1000, idle_ms: 1000 }, async (echo) => {
      const client = await connect(echo.port);
      for (let count = 1; count <= 8; count++) {
        client.send(get('/hello'));
        await client.until((received) => answers(received).length === count);
        await sleep(400);
      }
      client.close();
    }));
});

describe('limits', () => {
  it('closes connections over the limit of one address, and serves the others', () =>
    withEcho({ per_address: 64 }, async (echo) => {
      const clients = await Promise.all(Array.from({ length: 80 }, () => connect(echo.port)));
      for (const client of clients) client.send(get('/hello'));
      await Promise.all(clients.map((client) =>
        Promise.race([client.closed, client.until((received) => answers(received).length === 1).catch(() => {})])));
      assert.equal(clients.filter((client) => answers(client.received).length === 1).length, 64);
      assert.equal(clients.filter((client) => client.ended).length, 16);
      const other = await connect(echo.port, { localAddress: '127.0.0.2' });
      other.send(get('/hello'));
      await other.until((received) => answers(received).length === 1);
      for (const client of [...clients, other]) client.close();
      await within(10, 'room again', (async () => {
        while ((await probe(echo.port, get('/hello'))).answers.length === 0) await sleep(50);
      })());
    }));

  const hello = async (client) => {
    const before = answers(client.received).length;
    client.send(get('/hello'));
    await client.until((received) => answers(received).length > before);
  };
  const openFrom = (echo, localAddress, count) =>
    Promise.all(Array.from({ length: count }, async () => {
      const client = await connect(echo.port, { localAddress });
      await hello(client);
      return client;
    }));

  it('closes connections over the limit of one network, and serves the others', () =>
    withEcho({ per_address: 8, per_network: 16 }, async (echo) => {
      const clients = [];
      for (let host = 2; host < 4; host++) clients.push(...(await openFrom(echo, `127.0.0.${host}`, 8)));
      const beyond = await connect(echo.port, { localAddress: '127.0.0.4' });
      await within(10, 'the end', beyond.closed);
      assert.equal(beyond.received, '');
      clients.push(...(await openFrom(echo, '127.0.1.2', 8)));
      await Promise.all(clients.map(hello));
      for (const client of clients) client.close();
      await within(10, 'room again', (async () => {
        while ((await probe(echo.port, get('/hello'))).answers.length === 0) await sleep(50);
      })());
    }));

  // As when a few dozen addresses hold all connections that there may be.
  it('makes room when it is nearly full: the longest idle of the network with most is closed', () =>
    withEcho({ connections: 40, header_ms: 30000 }, async (echo) => {
      const few = await openFrom(echo, '127.0.1.2', 3);
      const busy = await connect(echo.port, { localAddress: '127.0.0.2' });
      busy.send(get('/wait?ms=4000'));
      const first = await openFrom(echo, '127.0.0.2', 10);
      const many = await openFrom(echo, '127.0.0.3', 21);
      // 5 places are kept free, so nobody was closed yet; and all have been idle for long enough to be closed.
      await sleep(1200);
      const late = [];
      for (let i = 0; i < 11; i++) late.push(...(await within(10, 'a place', openFrom(echo, `127.0.${i + 2}.2`, 1))));
      const ended = (clients) => clients.filter((client) => client.ended).length;
      await within(10, 'room', (async () => {
        while (ended(first) + ended(many) < 11) await sleep(50);
      })());
      assert.equal(ended(first), 10);
      await Promise.all([...few, ...late, ...many.filter((client) => !client.ended)].map(hello));
      await busy.until((received) => answers(received).length === 1);
      assert.equal(answers(busy.received)[0].body, 'waited');
      for (const client of [...few, ...late, ...many, busy]) client.close();
    }));

  it('lets connections over the total limit wait', () =>
    withEcho({ connections: 8 }, async (echo) => {
      const clients = await Promise.all(Array.from({ length: 12 }, () => connect(echo.port)));
      for (const client of clients) client.send(get('/hello', 'Connection: close\r\n'));
      await Promise.all(clients.map((client) => client.until((received) => answers(received).length === 1)));
    }));

  it('answers 503 when the queue is full, and keeps the connection', () =>
    withEcho({ workers: 1, queue: 1 }, async (echo) => {
      const waiting = [await atWork(echo, '/wait?ms=1000'), await atWork(echo, '/wait?ms=1000')];
      const third = await connect(echo.port);
      third.send(get('/hello'));
      const [busy] = answers(await third.until((received) => answers(received).length === 1));
      assert.equal(busy.status, 503);
      assert.equal(busy.body, 'server-busy');
      assert.equal(busy.fields['retry-after'], '1');
      assert.equal(busy.fields.connection, undefined);
      for (const client of waiting) {
        const got = answers(await client.until((received) => answers(received).length === 1));
        assert.equal(got[0].body, 'waited');
      }
      third.send(get('/hello'));
      const got = answers(await third.until((received) => answers(received).length === 2));
      assert.equal(got[1].body, 'hello');
      for (const client of [...waiting, third]) client.close();
    }));
});

describe('many clients in lock-step', () => {
  // While the server is stopped by SIGSTOP all requests arrive, so it finds exactly `count` sockets
  // ready at once.
  for (const count of [64, 128, 256, 384]) {
    it(`answers ${count} sockets that are ready together`, () =>
      withEcho({}, async (echo) => {
        const clients = await Promise.all(Array.from({ length: count }, () => connect(echo.port)));
        for (const client of clients) client.send(get('/hello'));
        await Promise.all(clients.map((client) => client.until((received) => answers(received).length === 1)));
        for (let round = 2; round <= 4; round++) {
          echo.signal('SIGSTOP');
          await Promise.all(clients.map((client) =>
            new Promise((resolve) => client.socket.write(get('/hello'), resolve))));
          echo.signal('SIGCONT');
          await Promise.all(clients.map((client) =>
            client.until((received) => answers(received).length === round, `round ${round}`)));
        }
        for (const client of clients) client.close();
      }));
  }
});

// Requests that are at work wait in one of two ways, the second after a moment or beyond so many
// (api/http/traffic.h).
describe('while requests are at work', () => {
  const logged = (echo) => echo.output.match(/^log \w+ \/wait 200 took$/gm)?.length ?? 0;

  for (const ms of [60, 900]) {
    it(`clients that go are done without, their work of ${ms} ms is not`, () =>
      withEcho({ workers: 8, log: 1 }, async (echo) => {
        const before = (await ask(echo.port, '/descriptors')).body;
        const clients = await Promise.all(Array.from({ length: 20 }, () => connect(echo.port)));
        for (const client of clients) client.send(get(`/wait?ms=${ms}`));
        await barrier(echo);
        for (const client of clients) client.socket.resetAndDestroy();
        await until(20, 'all are logged', () => logged(echo) === clients.length);
        await until(60, 'the sockets are closed', async () => (await ask(echo.port, '/descriptors')).body === before);
      }));
  }

  it('a request that is sent before the answer to the one before it has its turn', () =>
    withEcho({}, async (echo) => {
      for (const ms of [40, 500]) {
        const client = await connect(echo.port);
        client.send(get(`/wait?ms=${ms}`));
        await barrier(echo);
        client.send(get('/first') + get('/second').slice(0, 9));
        await barrier(echo);
        client.send(get('/second').slice(9));
        const got = answers(await client.until((received) => answers(received).length === 3));
        assert.deepEqual(got.map((each) => /^path (.*)$/m.exec(each.body)?.[1] ?? each.body), ['waited', '/first', '/second']);
        client.close();
      }
    }));

  it('a client that has said its last word hears the answer, and is let go', () =>
    withEcho({}, async (echo) => {
      for (const target of ['/wait?ms=40', '/wait?ms=500', '/%']) {
        const client = await connect(echo.port, { halfOpen: true });
        client.send(get('/hello'));
        await client.until((received) => answers(received).length === 1);
        // Stopped, so that it sees the request and the end together.
        echo.signal('SIGSTOP');
        await new Promise((resolve) => client.socket.end(get(target), resolve));
        echo.signal('SIGCONT');
        await client.until((received) => answers(received).length === 2);
        await within(5, 'the connection ends', client.closed);
      }
    }));

  it('large requests of others are read without a pause', () =>
    withEcho({ workers: 8, connections: 64, per_address: 64 }, async (echo) => {
      const waiting = await atWork(echo, '/wait?ms=3000');
      const fields = Array.from({ length: 30 }, (_, i) => `X-${i}: ${'v'.repeat(150)}\r\n`).join('');
      for (let i = 0; i < 20; i++) {
        const body = 'b'.repeat(60_000);
        const { answers: [answer] } = await probe(echo.port, post('/large', body, fields));
        assert.ok(answer.body.endsWith(`body ${body}\n`));
      }
      assert.equal(waiting.received, '');
      waiting.close();
    }));

  it('600 wait, and all are answered', () =>
    withEcho({ workers: 64, queue: 1000, connections: 1000, per_address: 1000 }, async (echo) => {
      const clients = await Promise.all(Array.from({ length: 600 }, () => connect(echo.port)));
      for (const round of [1, 2]) {
        for (const client of clients) client.send(get('/wait?ms=30'));
        await Promise.all(clients.map((client) => client.until((received) => answers(received).length === round)));
      }
      for (const client of clients) {
        assert.deepEqual(answers(client.received).map((each) => each.body), ['waited', 'waited']);
        client.close();
      }
    }));
});

describe('stopping', () => {
  async function assertEndsWell(echo) {
    assert.deepEqual(await echo.ended(), [0, null]);
    assert.equal(echo.errors, '');
  }

  it('lets a request at work finish, closes idle clients and accepts no more', async () => {
    const echo = await startEcho();
    const idle = await connect(echo.port);
    idle.send(get('/hello'));
    await idle.until((received) => answers(received).length === 1);
    const fresh = await connect(echo.port);
    const working = await atWork(echo, '/wait?ms=1500');
    echo.signal('SIGTERM');
    await within(5, 'the idle clients are closed', Promise.all([idle.closed, fresh.closed]));
    assert.equal(working.received, '');
    await assert.rejects(connect(echo.port), /ECONNREFUSED/);
    const [answer] = answers(await working.until((received) => answers(received).length === 1));
    assert.equal(answer.body, 'waited');
    assert.equal(answer.fields.connection, 'close');
    await assertEndsWell(echo);
  });

  it('stops on SIGINT as well', async () => {
    const echo = await startEcho();
    echo.signal('SIGINT');
    await assertEndsWell(echo);
  });

  it('takes the rest of a body that has begun', async () => {
    const echo = await startEcho();
    const client = await connect(echo.port);
    client.send(`${head(5)}he`);
    const idle = await atWork(echo, '/hello');
    echo.signal('SIGTERM');
    await within(5, 'the server is stopping', idle.closed);
    client.send('llo');
    const [answer] = answers(await client.until((received) => answers(received).length === 1));
    assert.match(answer.body, /body hello/);
    await assertEndsWell(echo);
  });

  it('returns when the grace is over; what still runs is waited for, what waits gets 503', async () => {
    const echo = await startEcho({ workers: 1, grace_ms: 300 });
    const running = await atWork(echo, '/wait?ms=2000');
    const queued = await atWork(echo, '/wait?ms=2000');
    echo.signal('SIGTERM');
    await within(5, 'server_run returns', (async () => {
      while (!/^stopped$/m.test(echo.output)) await sleep(20);
    })());
    assert.equal(running.received, '');
    const [first] = answers(await running.until((received) => answers(received).length === 1));
    const [second] = answers(await queued.until((received) => answers(received).length === 1));
    assert.equal(first.body, 'waited');
    assert.equal(second.status, 503);
    assert.equal(second.body, 'server-stopping');
    await assertEndsWell(echo);
  });

  it('ends though a body is completed after the grace', async () => {
    const echo = await startEcho({ workers: 1, grace_ms: 300 });
    const late = await connect(echo.port);
    late.send(`${head(5)}he`);
    const running = await atWork(echo, '/wait?ms=2000');
    echo.signal('SIGTERM');
    await within(5, 'server_run returns', (async () => {
      while (!/^stopped$/m.test(echo.output)) await sleep(20);
    })());
    late.send('llo');
    await within(10, 'both are closed', Promise.all([late.closed, running.closed]));
    assert.equal(answers(running.received)[0].body, 'waited');
    assert.ok(answers(late.received).every((each) => each.status === 503));
    await assertEndsWell(echo);
  });

  it('ends in time though a client does not read', async () => {
    const echo = await startEcho({ grace_ms: 500, send_ms: 60000 });
    const client = await atWork(echo, '/bytes?count=60000000');
    client.socket.pause();
    echo.signal('SIGTERM');
    await assertEndsWell(echo);
    client.close();
  });

  it('stops with clients that went while their requests were at work', async () => {
    const echo = await startEcho();
    const clients = await Promise.all(Array.from({ length: 20 }, () => atWork(echo, '/wait?ms=800')));
    for (const client of clients) client.socket.resetAndDestroy();
    echo.signal('SIGTERM');
    await assertEndsWell(echo);
  });
});
