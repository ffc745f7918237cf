// Malformed requests at the service itself: each gets one problem document, its connection is closed,
// and what follows it is not carried out. Bodies of types and with parameters that are not taken.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { document } from '../support/contract.mjs';
import { answers, connect, probe, within } from '../support/echo.mjs';
import { password } from '../support/play.mjs';
import { refused } from '../support/probes.mjs';
import { client, organizer, serve } from '../support/served.mjs';

serve();

const registration = (name) => JSON.stringify({ name, password });
const post = (path, body, fields = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${fields}\r\n${body}`;
const smuggled = post('/v1/players', registration('Smuggled'));

function assertProblem(answer, status, code) {
  assert.equal(answer.fields['content-type'], 'application/problem+json');
  const problem = JSON.parse(answer.body);
  assert.deepEqual([answer.status, problem.status, problem.code], [status, status, code]);
  assert.ok(problem.detail.length > 10);
  assert.ok(document.components.schemas.ProblemCode.enum.includes(code));
}

const names = async () => good(await client.get('/v1/players')).items.map((each) => each.name);

describe('a malformed request', () => {
  for (const [name, bytes, status, code] of refused)
    it(name, async () => {
      const bare = bytes.startsWith('HEAD');
      const got = await probe(client.port, bytes + smuggled, { count: 2, heads: () => bare });
      assert.equal(got.received.match(/HTTP\/1\.1 \d/g)?.length, 1, got.received);
      assert.equal(got.answers.length, 1);
      assert.equal(got.answers[0].fields.connection, 'close');
      assert.ok(got.closed);
      if (bare) assert.equal(got.answers[0].status, status);
      else assertProblem(got.answers[0], status, code);
    });

  it('has led to nothing', async () => assert.deepEqual(await names(), [organizer.name]));

  it('is all that keeps what follows it from being carried out', async () => {
    const first = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
    const got = await probe(client.port, first + post('/v1/players', registration('Pipelined')), { count: 2 });
    assert.deepEqual(got.answers.map((each) => each.status), [200, 201]);
    assert.deepEqual((await names()).sort(), [organizer.name, 'Pipelined'].sort());
  });

  it('may come behind one that is carried out', async () => {
    const got = await probe(client.port, `${post('/v1/players', registration('Before it'))}GET / HTTP/1.1\nHost: a\n\n${smuggled}`, { count: 3 });
    assert.equal(got.answers[0].status, 201);
    assertProblem(got.answers[1], 400, 'bad-line-end');
    assert.equal(got.answers.length, 2);
    assert.ok(!(await names()).includes('Smuggled'));
  });
});

describe('the type of a body', () => {
  const send = (type) =>
    client.request('POST', '/v1/events', {
      token: organizer.token,
      body: JSON.stringify({ name: 'Typed', ruleset: 'shinjuku', rounds: 3 }),
      headers: { 'Content-Type': type },
    });
  const taken = [
    'application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8',
    'application/json; charset="utf-8"', 'application/json ; charset=utf-8', 'application/json; profile=a; charset=utf-8',
  ];
  const refusedTypes = [
    'application/json; charset=utf-7', 'application/json; charset=utf-16', 'application/json; charset=iso-8859-1',
    'application/json; charset="utf-7"', 'application/json; CHARSET=utf-7', 'application/json; charset=utf-8; charset=utf-7',
    'application/json; a=b;charset=utf-7', 'application/json; charset=', 'application/json; charset', 'application/json;',
    'application/json; charset="utf-8', 'application/json; charset=utf-8x', 'application/json charset=utf-8', 'application/jsonp',
    'application/json, text/plain', 'text/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', '*/*', '',
  ];
  for (const type of taken) it(`may be ${type}`, async () => good(await send(type)));
  for (const type of refusedTypes)
    it(`may not be ${type || 'empty'}`, async () => {
      const answer = await send(type);
      assert.equal(`${answer.status} ${answer.json.code}`, '415 unsupported-media-type');
    });
  it('may not be text in another charset', async () => {
    for (const [type, status] of [['text/plain; charset=iso-8859-1', 415], ['text/plain; charset=utf-8', 422]]) {
      const answer = await client.request('POST', '/v1/exchange/trf/check', { body: 'x', headers: { 'Content-Type': type } });
      assert.equal(answer.status, status, answer.text);
    }
  });
});

// Every operation that changes something, with ids that need not exist: parameters are looked at before.
describe('the query of what is no GET', () => {
  const nobody = '01900000-0000-7000-8000-000000000000';
  const fill = (path) => path.replace(/\{(\w+)\}/g, (_, name) => (/^(number|round|table|board|entry)$/.test(name) && !path.startsWith('/v1/lobby/') ? '1' : /^(slug|key|word)$/.test(name) ? 'x' : nobody));
  const resolve = (each) => (each.$ref ? each.$ref.slice(2).split('/').reduce((at, key) => at[key], document) : each);
  for (const [path, item] of Object.entries(document.paths))
    for (const method of ['post', 'put', 'patch', 'delete']) {
      if (item[method] === undefined) continue;
      const known = [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolve).filter((each) => each.in === 'query').map((each) => each.name);
      it(`${method.toUpperCase()} ${path}`, async () => {
        const target = fill(path);
        const ask = (query) => client.request(method.toUpperCase(), `${target}?${query}`, { token: organizer.token, json: {}, unchecked: true });
        const answer = await ask('surely_unknown=1');
        if (known.length === 0) {
          assert.equal(`${answer.status} ${answer.json?.code}`, '400 bad-parameter', answer.text);
        } else {
          // The handler says which it takes, after it has looked whether the caller may at all.
          assert.deepEqual(known, ['preview']);
          assert.notEqual((await ask('preview=true')).json?.code, 'bad-parameter');
        }
      });
    }
  it('is refused by those that take preview as well', async () => {
    const event = good(await client.post('/v1/events', { name: 'Queried', ruleset: 'shinjuku', rounds: 3 }, organizer.token));
    const ask = (query) => client.request('PATCH', `/v1/events/${event.id}?${query}`, { token: organizer.token, json: { name: 'Renamed' } });
    assert.equal((await ask('surely_unknown=1')).json.code, 'bad-parameter');
    assert.equal((await ask('preview=1')).json.code, 'bad-parameter');
    assert.equal((await ask('preview=true')).status, 200);
  });
});

describe('a body', () => {
  it('comes in any pieces, with requests behind it', async () => {
    const requests = [post('/v1/players', registration('In pieces')), 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'].join('');
    const client_ = await connect(client.port);
    for (const byte of requests) {
      client_.send(byte);
      await new Promise(setImmediate);
    }
    const got = answers(await within(10, 'two answers', client_.until((received) => answers(received).length === 2)));
    assert.deepEqual(got.map((each) => each.status), [201, 200]);
    client_.close();
  });
});
