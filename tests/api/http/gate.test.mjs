// Malformed, hostile and merely unusual requests over raw sockets: each gets the refusal that it
// should, and the server is as good afterwards as before.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { answers, ask, connect, get, post, probe, startEcho, within } from '../support/echo.mjs';
import { refused } from '../support/probes.mjs';

const host = 'Host: a\r\n';
const line = (requestLine, fields = host) => `${requestLine}\r\n${fields}\r\n`;
const posted = (fields, body = '') => `POST /x HTTP/1.1\r\n${host}${fields}\r\n${body}`;
// Follows a refused request: must never be answered.
const smuggled = get('/smuggled');

const lines = (body) => body.slice(0, -1).split('\n').filter((each) => !each.startsWith('peer'));
const plain = ['method GET', 'path /x', 'segment x', 'body '];

// As many fields as may be, together as long as they may be, for the longest target.
const longest = `/${'a'.repeat(1023)}`;
const share = Math.floor((5120 - 'Hosta'.length) / 47) - 'X-10'.length;
const largest = get(longest, Array.from({ length: 47 }, (_, i) => `X-${10 + i}: ${'a'.repeat(share)}\r\n`).join(''));

const understood = [
  ['empty lines before the request', `\r\n\r\n${get('/x')}`, plain],
  ['Cookie of 3 KB', get('/x', `Cookie: a=${'a'.repeat(3000)}\r\n`), plain],
  ['a field of 5 KiB', get('/x', `X-A: ${'a'.repeat(5120 - 'HostaX-A'.length)}\r\n`), plain],
  ['the largest head', largest, ['method GET', `path ${longest}`, `segment ${longest.slice(1)}`, 'body ']],
  ['Upgrade is ignored', get('/x', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'), plain],
  ['POST without length: no body', posted(''), ['method POST', 'path /x', 'segment x', 'body ']],
  ['POST with a body', post('/x', 'hello'), ['method POST', 'path /x', 'segment x', 'body hello']],
  ['PATCH', line('PATCH /x HTTP/1.1'), ['method PATCH', 'path /x', 'segment x', 'body ']],
  ['DELETE', line('DELETE /x HTTP/1.1'), ['method DELETE', 'path /x', 'segment x', 'body ']],
  ['DELETE with a body', post('/x', 'hello').replace('POST', 'DELETE'), ['method DELETE', 'path /x', 'segment x', 'body hello']],
  ['time in the query', get('/x?a=15:04:05Z'), ['method GET', 'path /x', 'segment x', 'parameter a', 'value 15:04:05Z', 'body ']],
  ['query', get('/x?a=1&b'), ['method GET', 'path /x', 'segment x', 'parameter a', 'value 1', 'parameter b', 'value ', 'body ']],
];

const securityFields = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

function assertCommonFields(answer) {
  for (const [name, value] of Object.entries(securityFields)) assert.equal(answer.fields[name], value);
  assert.match(answer.fields['x-request-id'], /^[0-9a-f]{16}$/);
  assert.ok(!Number.isNaN(Date.parse(answer.fields.date)));
  assert.ok(answer.fields['cache-control']);
}

describe('gate', () => {
  let echo;
  let descriptors;
  before(async () => {
    echo = await startEcho({ log: 1 });
    descriptors = (await ask(echo.port, '/descriptors')).body;
  });
  after(async () => {
    const [code] = await echo.stop();
    assert.equal(code, 0);
    assert.equal(echo.errors, '');
  });

  const headers = (received) => received.match(/HTTP\/1\.1 \d/g)?.length ?? 0;

  function assertRefused(got, status, code, bytes) {
    assert.equal(`${got.answers[0]?.status} ${got.answers[0]?.body}`, `${status} ${bytes.startsWith('HEAD') ? '' : code}`, got.received);
    assert.equal(headers(got.received), 1, got.received);
    assert.ok(got.closed);
    assert.equal(got.answers[0].fields.connection, 'close');
    assertCommonFields(got.answers[0]);
  }

  const heads = (bytes) => () => bytes.startsWith('HEAD');

  for (const [name, bytes, status, code] of refused)
    it(`refuses ${name}`, async () => {
      assertRefused(await probe(echo.port, bytes + smuggled, { count: 2, heads: heads(bytes) }), status, code, bytes);
    });

  it('has as many probes as were asked for, each once', () => {
    assert.ok(refused.length > 141);
    assert.equal(new Set(refused.map(([name]) => name)).size, refused.length);
    assert.equal(new Set(refused.map(([, bytes]) => bytes)).size, refused.length);
  });

  it('refuses them behind a good request as well, which is answered first', async () => {
    for (const [name, bytes, status, code] of refused) {
      const good = post('/first', 'hello');
      const got = await probe(echo.port, good + bytes + smuggled, { count: 3, heads: (index) => index === 1 && bytes.startsWith('HEAD') });
      assert.equal(got.answers[0]?.status, 200, `${name}: ${got.received}`);
      assert.match(got.answers[0].body, /^path \/first$/m);
      assert.equal(got.answers[1]?.status, status, `${name}: ${got.received}`);
      if (!bytes.startsWith('HEAD')) assert.equal(got.answers[1].body, code, name);
      assert.equal(headers(got.received), 2, name);
      assert.ok(got.closed, name);
    }
  });

  it('refuses them when they come byte by byte as well', async () => {
    const short = refused.filter(([, bytes]) => bytes.length < 200);
    assert.ok(short.length > 141);
    const send = async (bytes) => {
      const client = await connect(echo.port);
      for (const byte of bytes) {
        if (client.ended) break;
        client.send(byte);
        await new Promise(setImmediate);
      }
      client.send(smuggled);
      await within(10, 'the end', client.closed);
      return client;
    };
    await Promise.all(short.map(async ([name, bytes, status, code]) => {
      let client = await send(bytes);
      for (let again = 0; again < 5 && client.lost && client.received === ''; again++) client = await send(bytes);
      const [answer] = answers(client.received, heads(bytes));
      assert.equal(answer?.status, status, `${name}: ${client.received}`);
      if (!bytes.startsWith('HEAD')) assert.equal(answer.body, code, name);
      assert.equal(headers(client.received), 1, name);
    }));
  });

  for (const [name, bytes, expected] of understood) {
    it(`lets pass ${name}`, async () => {
      const got = await probe(echo.port, bytes);
      assert.equal(got.answers[0]?.status, 200, got.received);
      assert.deepEqual(lines(got.answers[0].body), expected);
      assertCommonFields(got.answers[0]);
    });

    it(`lets pass ${name}, in pieces of any size`, async () => {
      for (const size of [1, 7, 1000]) {
        const client = await connect(echo.port);
        for (let at = 0; at < bytes.length; at += size) {
          client.send(bytes.slice(at, at + size));
          await new Promise(setImmediate);
        }
        const got = answers(await client.until((received) => answers(received).length === 1));
        assert.deepEqual(lines(got[0].body), expected);
        client.close();
      }
    });
  }

  it('keeps the boundaries of many requests that come at once', async () => {
    const requests = Array.from({ length: 60 }, (_, i) => post(`/r${i}`, `GET /smuggled HTTP/1.1\r\n\r\n${'x'.repeat(37 * i)}`));
    const whole = requests.join('');
    for (const size of [whole.length, 5121, 999]) {
      const client = await connect(echo.port);
      for (let at = 0; at < whole.length; at += size) client.send(whole.slice(at, at + size));
      const got = answers(await client.until((received) => answers(received).length === requests.length));
      assert.deepEqual(got.map((each) => /^path (.*)$/m.exec(each.body)[1]), requests.map((_, i) => `/r${i}`));
      client.close();
    }
  });

  it('takes a body of exactly the limit, in pieces', async () => {
    const client = await connect(echo.port);
    const body = 'abcdefgh'.repeat(8192);
    client.send(`POST /x HTTP/1.1\r\n${host}Content-Length: 65536\r\n\r\n`);
    for (let at = 0; at < body.length; at += 10000) {
      client.send(body.slice(at, at + 10000));
      await new Promise(setImmediate);
    }
    const got = answers(await client.until((received) => answers(received).length === 1));
    assert.ok(got[0].body.endsWith(`body ${body}\n`));
    client.close();
  });

  it('asks for the body that the client would rather be asked for', async () => {
    const client = await connect(echo.port);
    client.send(posted('Expect: 100-continue\r\nContent-Length: 5\r\n'));
    await client.until((received) => received === 'HTTP/1.1 100 Continue\r\n\r\n');
    client.send('hello');
    const got = answers(await client.until((received) => answers(received).length === 2));
    assert.match(got[1].body, /body hello/);
    client.close();
  });

  it('refuses too large a body before it is sent', async () => {
    const got = await probe(echo.port, posted('Expect: 100-continue\r\nContent-Length: 65537\r\n'));
    assert.deepEqual(got.answers.map((each) => each.status), [413]);
  });

  it('takes sixteen large report files at a time', async () => {
    const head = `POST /v1/exchange/x HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 1048576\r\n\r\n`;
    const begin = async () => {
      const client = await connect(echo.port);
      client.send(head);
      return { client, first: (await client.until((received) => received.includes('\r\n\r\n'))).split('\r\n')[0] };
    };
    const sending = [];
    for (let i = 0; i < 16; i++) sending.push(await begin());
    assert.ok(sending.every((each) => each.first === 'HTTP/1.1 100 Continue'));
    const refused = await begin();
    assert.match(refused.first, / 503 /);
    // Smaller bodies are not concerned, and whoever has ended makes room.
    assert.equal((await probe(echo.port, posted('Content-Length: 5\r\n', 'hello'))).answers[0].status, 200);
    sending.pop().client.close();
    let next = refused;
    await within(10, 'there is room again', (async () => {
      while (!next.first.endsWith(' 100 Continue')) {
        next.client.close();
        next = await begin();
      }
    })());
    next.client.close();
    for (const each of sending) each.client.close();
  });

  it('answers pipelined requests one after the other, in order', async () => {
    const targets = ['/wait?ms=200', '/a', '/b', '/c'];
    const got = await probe(echo.port, targets.map((each) => get(each)).join(''), { count: 4 });
    assert.deepEqual(got.answers.map((each) => each.status), [200, 200, 200, 200]);
    assert.deepEqual(
      got.answers.slice(1).map((each) => lines(each.body)[1]),
      ['path /a', 'path /b', 'path /c'],
    );
  });

  it('answers a client that has closed its half', async () => {
    for (const target of ['/x', '/wait?ms=300']) {
      const client = await connect(echo.port, { halfOpen: true });
      client.socket.end(get(target));
      await within(10, 'the end', client.closed);
      assert.equal(answers(client.received)[0]?.status, 200);
      client.close();
    }
  });

  it('answers HEAD with the fields of GET and no body', async () => {
    const both = `${line('HEAD /fields HTTP/1.1')}${get('/fields', 'Connection: close\r\n')}`;
    const got = await probe(echo.port, both, { count: 2, heads: (index) => index === 0 });
    const [head, full] = got.answers;
    assert.equal(head.status, 200);
    assert.equal(full.body, 'fields');
    for (const name of ['date', 'x-request-id', 'connection']) {
      delete head.fields[name];
      delete full.fields[name];
    }
    assert.deepEqual(head.fields, full.fields);
  });

  it('sends the fields that the answer sets', async () => {
    const { fields } = await ask(echo.port, '/fields');
    assert.equal(fields['content-type'], 'text/plain; charset=utf-8');
    assert.equal(fields.etag, '"7"');
    assert.equal(fields.location, '/v1/things/7');
    assert.equal(fields.allow, 'GET, HEAD');
    assert.equal(fields['cache-control'], 'private, max-age=5');
    assert.equal(fields['content-disposition'], 'attachment; filename="seven.roll"');
    assert.equal(fields['retry-after'], '7');
  });

  it('leaves out the fields that the answer does not set', async () => {
    const { fields } = await ask(echo.port, '/hello');
    assert.equal(fields['cache-control'], 'no-store');
    for (const name of ['etag', 'location', 'allow', 'www-authenticate', 'content-disposition', 'retry-after', 'connection'])
      assert.equal(fields[name], undefined);
  });

  it('sends a 304 with the length of the 200 and no body', async () => {
    const got = await probe(echo.port, get('/empty?status=304') + get('/x'), { count: 2 });
    assert.deepEqual(got.answers.map((each) => each.status), [304, 200]);
    assert.equal(got.answers[0].fields.etag, '"7"');
    assert.equal(got.answers[0].fields['content-length'], '5');
    assertCommonFields(got.answers[0]);
  });

  it('sends a 204 without body', async () => {
    const got = await probe(echo.port, get('/empty?status=204') + get('/x'), { count: 2 });
    assert.deepEqual(got.answers.map((each) => each.status), [204, 200]);
  });

  it('never sends a field that its value would split', async () => {
    const answer = await ask(echo.port, '/bad-field');
    assert.equal(answer.status, 500);
    assert.equal(answer.body, 'internal-error');
    assert.equal(answer.fields['set-cookie'], undefined);
    assertCommonFields(answer);
  });

  it('logs each request once, under the id of its answer, without its query', async () => {
    const answer = await ask(echo.port, '/x?token=hidden');
    const logged = () => echo.output.split('\n').filter((each) => each.includes(answer.fields['x-request-id']));
    await within(5, 'the log line', (async () => {
      while (logged().length === 0) await new Promise(setImmediate);
    })());
    assert.deepEqual(logged(), [`log ${answer.fields['x-request-id']} /x 200 took`]);
    assert.doesNotMatch(echo.output, /hidden/);
  });

  it('lives after a thousand clients that go at once', async () => {
    for (let round = 0; round < 10; round++) {
      const clients = await Promise.all(Array.from({ length: 100 }, () => connect(echo.port)));
      for (const [index, client] of clients.entries()) {
        client.send(index % 2 ? get('/x').slice(0, index) : get('/wait?ms=20'));
        client.socket.resetAndDestroy();
      }
    }
    assert.equal((await ask(echo.port, '/hello')).body, 'hello');
  });

  it('has as many open files as before', async () => {
    await within(10, 'the descriptors are back', (async () => {
      while ((await ask(echo.port, '/descriptors')).body !== descriptors)
        await new Promise((resolve) => setTimeout(resolve, 50));
    })());
  });
});
