// Malformed, hostile and merely unusual requests over raw sockets: each gets the refusal that it
// should, and the server is as good afterwards as before.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { answers, ask, connect, get, post, probe, startEcho, within } from './support/echo.mjs';

const host = 'Host: a\r\n';
const line = (requestLine, fields = host) => `${requestLine}\r\n${fields}\r\n`;
const posted = (fields, body = '') => `POST /x HTTP/1.1\r\n${host}${fields}\r\n${body}`;
// Follows a refused request: must never be answered.
const smuggled = get('/smuggled');

// [name, bytes, status, code of the gate; none where libmicrohttpd itself refuses]
const refused = [
  ['two Content-Length, different', posted('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!'), 400, 'bad-content-length'],
  ['two Content-Length, equal', posted('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello'), 400, 'bad-content-length'],
  ['Content-Length and Transfer-Encoding', posted('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding and Content-Length', posted('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding: chunked', posted('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding: xchunked', posted('Transfer-Encoding: xchunked\r\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding: chunked, gzip', posted('Transfer-Encoding: chunked, gzip\r\n'), 400, 'transfer-encoding'],
  ['chunk extension', posted('Transfer-Encoding: chunked\r\n', '5;a=b\r\nhello\r\n0\r\n\r\n'), 400, 'transfer-encoding'],
  ['bare LF in chunks', posted('Transfer-Encoding: chunked\r\n', '5\nhello\n0\n\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding: identity', posted('Transfer-Encoding: identity\r\nContent-Length: 5\r\n', 'hello'), 400, 'transfer-encoding'],
  ['Transfer-Encoding after a tab', posted('Transfer-Encoding:\tchunked\r\n', '0\r\n\r\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding twice', posted('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'), 400, 'transfer-encoding'],
  ['Transfer-Encoding without a value', posted('Transfer-Encoding:\r\nContent-Length: 5\r\n', 'hello'), 400, 'transfer-encoding'],
  ['blank before the colon', posted('Transfer-Encoding : chunked\r\nContent-Length: 5\r\n', 'hello'), 400, 'bad-header-field'],
  ['Content-Length with sign', posted('Content-Length: -5\r\n'), 400],
  ['Content-Length with a plus', posted('Content-Length: +5\r\n', 'hello'), 400],
  ['Content-Length in hex', posted('Content-Length: 0x5\r\n', 'hello'), 400],
  ['Content-Length without a value', posted('Content-Length:\r\n', 'hello'), 400],
  ['Content-Length as list', posted('Content-Length: 5, 5\r\n', 'hello'), 400],
  ['Content-Length with a blank after', posted('Content-Length: 5 \r\n', 'hello'), 400],
  ['Content-Length beyond 64 bits', posted('Content-Length: 99999999999999999999\r\n'), 413],
  ['Content-Length with a leading zero', posted('Content-Length: 05\r\n', 'hello'), 400, 'bad-content-length'],
  ['body over the limit by 1', posted('Content-Length: 65537\r\n'), 413, 'body-too-large'],
  ['two Hosts', line('GET /x HTTP/1.1', 'Host: a\r\nHost: b\r\n'), 400, 'bad-host'],
  ['no Host', line('GET /x HTTP/1.1', ''), 400, 'bad-host'],
  ['empty Host', line('GET /x HTTP/1.1', 'Host:\r\n'), 400, 'bad-host'],
  ['Host with a user', line('GET /x HTTP/1.1', 'Host: a@b\r\n'), 400, 'bad-host'],
  ['Host as list', line('GET /x HTTP/1.1', 'Host: a, b\r\n'), 400, 'bad-host'],
  ['Host with a path', line('GET /x HTTP/1.1', 'Host: a/b\r\n'), 400, 'bad-host'],
  ['HTTP/1.0', line('GET /x HTTP/1.0'), 505, 'unsupported-version'],
  ['HTTP/1.0 without Host', line('GET /x HTTP/1.0', ''), 505, 'unsupported-version'],
  ['HTTP/1.2', line('GET /x HTTP/1.2'), 505, 'unsupported-version'],
  ['HTTP/2.0', line('GET /x HTTP/2.0'), 505],
  ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['HTTP/0.9', 'GET /x\r\n\r\n', 400],
  ['bare CR in a value', get('/x', 'X-A: a\rb\r\n'), 400, 'bad-header-field'],
  ['bare CR as a line end', get('/x', 'X-A: a\rTransfer-Encoding: chunked\r\n'), 400, 'bad-header-field'],
  ['obs-fold of the first field', line('GET /x HTTP/1.1', ' X-A: a\r\nHost: a\r\n'), 400, 'bad-header-field'],
  ['obs-fold of Host', line('GET /x HTTP/1.1', 'Host: a\r\n b\r\n'), 400, 'bad-host'],
  ['field without colon', get('/x', 'Xabc\r\n'), 400],
  ['NUL in the method', line('GE\0T /x HTTP/1.1'), 501, 'unknown-method'],
  ['NUL in a name', get('/x', 'X\0A: a\r\n'), 400],
  ['%00', get('/a%00b'), 400, 'bad-request-target'],
  ['%2e%2e', get('/%2e%2e/a'), 400, 'bad-request-target'],
  ['%2f', get('/a%2fb'), 400, 'bad-request-target'],
  ['a segment of dots in escapes, mixed', get('/a/.%2E/b'), 400, 'bad-request-target'],
  ['an escape in the query', get('/x?a=%41'), 400, 'bad-request-target'],
  ['fragment', get('/x#y'), 400, 'bad-request-target'],
  ['backslash', get('/a\\..\\b'), 400, 'bad-request-target'],
  ['parameter in the path', get('/a;b=c'), 400, 'bad-request-target'],
  ['dot segments', get('/a/../b'), 400, 'bad-request-target'],
  ['empty segment', get('/a//b'), 400, 'bad-request-target'],
  ['absolute form', get('http://a/x'), 400, 'bad-request-target'],
  ['asterisk form', get('*'), 400, 'bad-request-target'],
  ['bytes over 127', get('/\xff'), 400, 'bad-request-target'],
  ['blank in the target', get('/a b'), 400, 'bad-request-target'],
  ['two blanks in the request line', 'GET /x  HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad-request-target'],
  ['repeated parameter', get('/x?a=1&a=2'), 400, 'bad-query'],
  ['colon in the path', get('/a:b'), 400, 'bad-request-target'],
  ['plus in the query', get('/x?a=b+c'), 400, 'bad-request-target'],
  ['lower-case method', line('get /x HTTP/1.1'), 501, 'unknown-method'],
  ['method of 200 letters', line(`${'G'.repeat(200)} /x HTTP/1.1`), 501, 'unknown-method'],
  ['OPTIONS', line('OPTIONS /x HTTP/1.1'), 501, 'unknown-method'],
  ['TRACE', line('TRACE /x HTTP/1.1'), 501, 'unknown-method'],
  ['CONNECT', line('CONNECT a:443 HTTP/1.1'), 501, 'unknown-method'],
  ['target of 8 KiB', get(`/${'a'.repeat(8191)}`), 414, 'target-too-long'],
  ['target over the memory', get(`/${'a'.repeat(40000)}`), 414],
  ['field over the limit by 1', get('/x', `X-A: ${'a'.repeat(5120 - 'HostaX-A'.length + 1)}\r\n`), 431, 'header-too-large'],
  ['field just below the memory', get('/x', `X-A: ${'a'.repeat(8000)}\r\n`), 431, 'header-too-large'],
  ['field over the memory', get('/x', `X-A: ${'a'.repeat(12000)}\r\n`), 431],
  ['Cookie of 15 KiB', get('/x', `Cookie: a=${'a'.repeat(15000)}\r\n`), 431],
  ['49 fields', get('/x', 'X-A: a\r\n'.repeat(48)), 431, 'header-too-large'],
  ['200 fields', get('/x', 'X-A: a\r\n'.repeat(200)), 431],
  ['Expect other than 100-continue', posted('Expect: 1\r\nContent-Length: 5\r\n'), 417, 'bad-expectation'],
  ['control byte in a value', get('/x', 'X-A: a\x1bb\r\n'), 400, 'bad-header-field'],
  ['DEL in a value', get('/x', 'X-A: a\x7fb\r\n'), 400, 'bad-header-field'],
  ['byte over 127 in a name', get('/x', 'X-\xff: a\r\n'), 400, 'bad-header-field'],
  ['two Idempotency-Key', get('/x', 'Idempotency-Key: a\r\nIdempotency-Key: a\r\n'), 400, 'repeated-header-field'],
  ['two Content-Type', get('/x', 'Content-Type: a\r\nContent-Type: b\r\n'), 400, 'repeated-header-field'],
  ['two Authorization', get('/x', 'Authorization: a\r\nAuthorization: b\r\n'), 400, 'repeated-header-field'],
];

// What libmicrohttpd closes without an answer.
const closed = [
  ['JSON instead of HTTP', '{"a":1}\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['blanks before the method', '  GET /x HTTP/1.1\r\nHost: a\r\n\r\n'],
];

const lines = (body) => body.slice(0, -1).split('\n').filter((each) => !each.startsWith('peer'));
const plain = ['method GET', 'path /x', 'segment x', 'body '];

// What passes, though a proxy in front should refuse it: libmicrohttpd shows the gate nothing of it.
// [name, bytes, what is understood]
const unseen = [
  ['bare LF as line ends', 'GET /x HTTP/1.1\nHost: a\n\n', plain],
  ['NUL in the target: cut there', get('/x\0y'), plain],
  ['NUL in a value: cut there', get('/x', 'Content-Type: a\0b\r\n'), ['method GET', 'path /x', 'segment x', 'content-type a', 'body ']],
  ['obs-fold: the field is dropped', get('/x', 'Content-Type: a\r\n b\r\n'), plain],
  ['empty name: the field is dropped', get('/x', ': a\r\n'), plain],
];

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
  ['GET with a body', post('/x', 'hello').replace('POST', 'GET'), ['method GET', 'path /x', 'segment x', 'body hello']],
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

  for (const [name, bytes, status, code] of refused) {
    it(`refuses ${name}`, async () => {
      const got = await probe(echo.port, bytes + smuggled, { count: 2 });
      assert.equal(got.answers[0]?.status, status, got.received);
      assert.ok(got.closed);
      assert.doesNotMatch(got.received, /smuggled/);
      if (code === undefined) return;
      assert.equal(got.answers.length, 1);
      assert.equal(got.answers[0].body, code);
      assert.equal(got.answers[0].fields.connection, 'close');
      assertCommonFields(got.answers[0]);
    });
  }

  for (const [name, bytes] of closed) {
    it(`closes after ${name}`, async () => {
      const got = await probe(echo.port, bytes + smuggled, { count: 2 });
      assert.ok(got.closed);
      assert.equal(got.received, '');
    });
  }

  for (const [name, bytes, expected] of [...unseen, ...understood]) {
    it(`lets pass ${name}`, async () => {
      const got = await probe(echo.port, bytes);
      assert.equal(got.answers[0]?.status, 200, got.received);
      assert.deepEqual(lines(got.answers[0].body), expected);
      assertCommonFields(got.answers[0]);
    });
  }

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
    for (const name of ['etag', 'location', 'allow', 'content-disposition', 'retry-after', 'connection'])
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
