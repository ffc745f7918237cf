// What whoever runs the service sees of it: figures, logs, and whether it is ready.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Dealer } from '../cli/support/dealer.mjs';
import { Signer } from '../cli/support/witness.mjs';
import { good } from '../support/client.mjs';
import { asOwner, unlocked } from '../support/damage.mjs';
import { readFigures } from '../support/figures.mjs';
import { makeGame, makePlayer, makePlayers, password, playRandomly, Random } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until, within } from '../support/waiting.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');
let bed;
let service; // as it is by itself
let client;
let proxied; // with a proxy, figures apart, and a log of text
let auditFile;
let organizer;
let players;
let game;

before(async () => {
  bed = new Testbed();
  auditFile = path.join(bed.directory, 'audit.prom');
  // Parties that are away, so that their figures are there.
  const dealer = new Dealer(path.join(bed.directory, 'dealer'));
  writeFileSync(path.join(bed.directory, 'dealers'), `dealer ada ${dealer.key} http://127.0.0.1:9\n`);
  writeFileSync(path.join(bed.directory, 'witnesses'), `witness W ${new Signer('w.example', 4).vkey} http://127.0.0.1:9\nquorum W\n`);
  service = await bed.startService(['--dealers', path.join(bed.directory, 'dealers'), '--witnesses', path.join(bed.directory, 'witnesses'), '--audit-result', auditFile, '--site-address', 'https://club.example', '--smtp-url', 'smtp://127.0.0.1:9', '--smtp-from', 'tillroll@club.example']);
  ({ client } = service);
  proxied = await bed.startService(['--trusted-proxy', '127.0.0.1', '--metrics-listen', '127.0.0.1:0', '--log-format', 'text']);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3, 'Wiltrud');
  ({ game } = await makeGame(client, organizer, players, { name: 'Geheimtreffen' }));
});
after(() => bed.end());

const figures = async () => readFigures((await client.get('/metrics')).text);

// A GET without this suite's client: { status, headers, text }.
async function fetchPlain(port, target, headers = {}, localAddress = undefined) {
  const request = http.get({ host: '127.0.0.1', port, path: target, headers, localAddress, agent: false });
  const [response] = await once(request, 'response');
  const parts = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() };
}

const apartPort = () => Number(/figures at .*, port (\d+)/.exec(readFileSync(proxied.errors, 'utf8'))[1]);

describe('figures', () => {
  it('are in the form that Prometheus reads', async () => {
    const answer = await client.get('/metrics');
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    const { families } = readFigures(answer.text);
    assert.ok(families.size > 40);
    const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: answer.text, encoding: 'utf8' });
    if (error === undefined) assert.equal(status, 0, stdout + stderr);
  });

  it('count requests by route and status, and their time', async () => {
    const route = { method: 'GET', route: '/v1/games/{id}' };
    const before = await figures();
    for (let i = 0; i < 3; i++) good(await client.get(game.at));
    await client.request('HEAD', game.at);
    await client.get('/v1/games/01900000-0000-7000-8000-000000000000');
    await client.get('/nowhere');
    await client.request('GET', '/%', { unchecked: true });
    const now = await figures();
    const more = (name, labels) => now.value(name, labels) - before.value(name, labels);
    assert.equal(more('tillroll_http_requests_total', { ...route, status: 200 }), 4);
    assert.equal(more('tillroll_http_requests_total', { ...route, status: 404 }), 1);
    assert.equal(more('tillroll_http_requests_total', { route: 'none', status: 404 }), 1);
    assert.equal(more('tillroll_http_requests_total', { route: 'none', status: 400 }), 1);
    assert.equal(more('tillroll_http_request_duration_seconds_count', route), 5);
    assert.ok(more('tillroll_http_request_duration_seconds_sum', route) > 0);
  });

  it('count commits, what came from memory, and streams without their time', async () => {
    await playRandomly(client, game, new Random('first'), { plies: 1 }); // where there are line databases, the first is written like all that is no move
    const before = await figures();
    const stream = await Stream.open(client, `${game.at}/stream`);
    await playRandomly(client, game, new Random('observe'), { plies: 5 });
    for (let i = 0; i < 2; i++) good(await client.get('/v1/events'));
    const now = await figures();
    const more = (name, labels) => now.value(name, labels) - before.value(name, labels);
    assert.equal(more('tillroll_commit_writes_sum'), 5);
    assert.equal(now.value('tillroll_commit_duration_seconds_count'), now.value('tillroll_commit_writes_count'));
    assert.ok(more('tillroll_cache_hits_total', { cache: 'games' }) > 0);
    assert.ok(more('tillroll_cache_hits_total', { cache: 'answers-of-lists' }) > 0);
    assert.equal(now.value('tillroll_streams'), 1);
    assert.equal(more('tillroll_streams_total'), 1);
    stream.close();
    const labels = { route: '/v1/games/{id}/stream' };
    await until(60, 'the stream is over', async () => (await figures()).value('tillroll_streams') === 0);
    await until(60, 'it is counted', async () => (await figures()).value('tillroll_http_requests_total', labels) === 1);
    assert.equal((await figures()).value('tillroll_http_request_duration_seconds_count', labels), 0);
  });

  it('count what is over a limit', async () => {
    const { client: strict } = await bed.startService(['--reads-per-minute', '20']);
    const port = strict.port;
    for (let i = 0; i < 10; i++) await fetchPlain(port, '/v1/keys');
    const now = readFigures((await fetchPlain(port, '/metrics', {}, '127.0.0.2')).text);
    const refused = now.value('tillroll_http_requests_total', { status: 429 });
    assert.ok(refused >= 5, String(refused));
    assert.equal(now.value('tillroll_limit_refused_total', { limit: 'read' }), refused);
  });

  it('name nobody and nothing', async () => {
    const { text } = await client.get('/metrics');
    assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-/);
    for (const word of [game.id, organizer.name, 'Wiltrud', 'Geheimtreffen', 'shinjuku', '127.0.0.1']) assert.ok(!text.includes(word), word);
    const known = new Set(['method', 'route', 'status', 'le', 'limit', 'pool', 'reason', 'cache', 'channel', 'version', 'migrations', 'witness', 'dealer', 'line_database']); // of all these values, only parties have names, and those are public
    for (const { samples } of readFigures(text).families.values())
      for (const { labels } of samples) for (const label of Object.keys(labels)) assert.ok(known.has(label), label);
  });

  it('are for the machine itself, and not by way of a proxy', async () => {
    const refused = async (answer) => assert.deepEqual([(await answer).status, JSON.parse((await answer).text).code], [403, 'not-allowed']);
    assert.equal((await fetchPlain(client.port, '/metrics', {}, '127.0.0.3')).status, 200);
    await refused(fetchPlain(client.port, '/metrics', { 'X-Forwarded-For': '127.0.0.1' }));
    await refused(fetchPlain(client.port, '/metrics', { 'X-Forwarded-For': '203.0.113.7' }));
    for (const [name, value] of [['Forwarded', 'for=203.0.113.7;proto=https'], ['forwarded', ''], ['Via', '1.1 vegur'], ['X-Real-IP', '203.0.113.7'], ['X-Forwarded-Proto', 'https'], ['X-Forwarded-Host', 'club.example']])
      await refused(fetchPlain(client.port, '/metrics', { [name]: value }));
    const behind = await bed.startService(['--trusted-proxy', '127.0.0.1']);
    await refused(fetchPlain(behind.client.port, '/metrics', { 'X-Forwarded-For': '203.0.113.7' }));
  });

  it('are on an address of their own where there is one, and nowhere else', async () => {
    assert.equal((await proxied.client.get('/metrics')).json.code, 'not-found');
    const port = apartPort();
    const answer = await fetchPlain(port, '/metrics');
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.ok(readFigures(answer.text).value('tillroll_http_requests_total', { route: '/metrics', status: 404 }) >= 1);
    for (const target of ['/', '/metricsx', '/v1/keys']) assert.equal((await fetchPlain(port, target)).status, 404);
    // A silent client is not waited for.
    const silent = net.connect(port, '127.0.0.1');
    await once(silent, 'connect');
    assert.equal((await fetchPlain(port, '/metrics')).status, 200);
    silent.destroy();
    const long = net.connect(port, '127.0.0.1').on('error', () => {});
    const closed = new Promise((resolve) => { long.on('close', resolve); });
    long.write(`GET /metrics HTTP/1.1\r\nX: ${'x'.repeat(10_000)}`);
    await within(10, 'the end', closed);
    const { status, stderr } = spawnSync(path.join(bed.build, 'tillrolld'), ['--listen', '127.0.0.1:0', '--metrics-listen', `127.0.0.1:${port}`], {
      encoding: 'utf8',
      timeout: 20_000,
      env: { ...bed.settings, TILLROLL_PAGES: path.join(root, 'web-static') },
    });
    assert.deepEqual([status, JSON.parse(stderr).message], [1, `127.0.0.1:${port}: Address already in use.`]);
  });

  it('hold what the last audit has said', async () => {
    assert.equal((await figures()).families.get('tillroll_audit_status').samples.length, 0);
    const { status, stderr } = bed.tillroll('audit', '--result', auditFile);
    assert.equal(status, 0, stderr);
    const now = await figures();
    assert.equal(now.value('tillroll_audit_status'), 0);
    assert.equal(now.value('tillroll_audit_records'), 1);
    assert.equal(now.value('tillroll_audit_records_damaged'), 0);
    assert.ok(Math.abs(now.value('tillroll_audit_finished_timestamp_seconds') - Date.now() / 1000) < 60);
    assert.ok(now.value('tillroll_audit_duration_seconds') > 0);
    readFigures(readFileSync(auditFile, 'utf8'));
    for (const nonsense of ['', 'tillroll_audit_status 0\n', readFileSync(auditFile, 'utf8').replace('status 0', 'status x'), 'x\n'.repeat(5000)]) {
      writeFileSync(auditFile, nonsense);
      assert.equal((await figures()).families.get('tillroll_audit_status').samples.length, 0);
    }
    assert.equal(bed.tillroll('audit', '--result', '/nowhere/audit.prom').status, 2);
    assert.ok(!existsSync('/nowhere'));
  });
});

describe('tillroll top', () => {
  it('shows them once', async () => {
    const child = within(30, 'top', new Promise((resolve) => {
      setTimeout(() => resolve(bed.tillroll('top', '--server', `http://127.0.0.1:${client.port}`, '--interval', '1', '--once')), 0);
    }));
    const { status, stdout } = await child;
    assert.equal(status, 0);
    assert.match(stdout, /^tillroll \d+\.\d+\.\d+ at http:\/\/127\.0\.0\.1:\d+, up 0 d 00:0\d, in 1\.\d s\n\n/);
    for (const line of [/^requests +[\d.]+\/s/m, /^commits +0\.0\/s   0\.0 requests each/m, /^database +\d+ of 22 connections in use/m, /^streams +0 open/m,
      /^GET    \/metrics +[\d.]+ +[\d.]+ ms +[\d.]+ ms$/m]) assert.match(stdout, line);
    assert.ok(!stdout.includes('\u001b'));
  });

  it('says where there are none', () => {
    const { status, stderr } = bed.tillroll('top', '--server', `http://127.0.0.1:${proxied.client.port}`, '--once');
    assert.deepEqual([status, stderr], [1, 'tillroll: GET /metrics: 404 The figures are on an address of their own.\n']);
    assert.equal(bed.tillroll('top', 'more').status, 2);
  });
});

// Names and labels in an expression of PromQL: [[name, [label]]].
function selectors(expression) {
  const plain = expression.replace(/\$__rate_interval/g, '5m');
  return [...plain.matchAll(/\b((?:tillroll|process)_[a-z_]+)(?:\{([^}]*(?:\{id\}[^}]*)*)\})?/g)].map(([, name, inner = '']) => [
    name, [...inner.matchAll(/([a-z_]+)(?:=~|=|!=)"/g)].map(([, label]) => label)]);
}

describe('deploy/observe', () => {
  const file = (name) => path.join(root, 'deploy/observe', name);
  const added = ['instance', 'job']; // by Prometheus

  // Families with samples of the labels, and `by (..)` labels that they have.
  async function assertKnown(expression) {
    const { families } = await figures();
    const asked = selectors(expression);
    assert.ok(asked.length > 0 || expression.startsWith('up'), expression);
    const labels = new Set(added);
    for (const [name, used] of asked) {
      const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
      assert.ok(family, `${name} in ${expression}`);
      assert.equal(family.name !== name, family.type === 'histogram', `${name} in ${expression}`);
      for (const each of family.samples) for (const label of Object.keys(each.labels)) labels.add(label);
      for (const label of used) assert.ok(labels.has(label), `${label} in ${expression}`);
    }
    for (const [, by] of expression.matchAll(/by \(([^)]*)\)/g))
      for (const label of by.split(', ')) assert.ok(labels.has(label), `${label} in ${expression}`);
  }

  it('has a dashboard that asks for what there is', async () => {
    const { panels, annotations } = JSON.parse(readFileSync(file('tillroll-dashboard.json'), 'utf8'));
    const expressions = [...panels.flatMap((panel) => panel.targets ?? []), ...annotations.list].map((target) => target.expr);
    assert.ok(expressions.length > 40);
    for (const expression of expressions) await assertKnown(expression);
    assert.equal(new Set(panels.map((panel) => panel.id)).size, panels.length);
    // All that is counted is shown somewhere.
    const { families } = await figures();
    const shown = new Set(expressions.flatMap((expression) => selectors(expression)).map(([name]) => name.replace(/_(bucket|sum|count)$/, '')));
    const unshown = [...families.keys()].filter((name) => !shown.has(name));
    assert.deepEqual(unshown.sort(), ['process_virtual_memory_bytes', 'tillroll_audit_records', 'tillroll_audit_status', 'tillroll_build_info',
      'tillroll_http_connections_most', 'tillroll_stopping', 'tillroll_workers_requests_most']);
  });

  it('has alerts for what there is, each with a word on what to do', async () => {
    const text = readFileSync(file('alerts.yml'), 'utf8');
    const alerts = text.split(/^ {6}- alert: /m).slice(1);
    assert.ok(alerts.length > 10);
    for (const alert of alerts) {
      const expression = /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/m.exec(alert);
      await assertKnown((expression[1] ?? expression[2]).replace(/\s+/g, ' ').trim());
      for (const part of [/severity: (page|ticket)/, /summary: "/, /what_to_do: "/]) assert.match(alert, part);
    }
    const { error, status, stdout } = spawnSync('promtool', ['check', 'rules', file('alerts.yml')], { encoding: 'utf8' });
    if (error === undefined) assert.equal(status, 0, stdout);
  });
});

describe('logs', () => {
  const lines = (from) => readFileSync(from, 'utf8').trim().split('\n');
  const find = (id) => until(60, `${id} is logged`, () => lines(service.log).map((line) => JSON.parse(line)).find((each) => each.request === id));

  it('are a JSON object a line, with the name of the request', async () => {
    await client.get(`${game.at}/legal-moves`, { token: players[0].token }); // the game is at hand again after services have gone
    const answer = await client.get(`${game.at}/legal-moves?nothing=private`, { token: players[0].token, unchecked: true });
    const { time, us, ...rest } = await find(answer.headers['x-request-id']);
    assert.deepEqual(rest, { request: answer.headers['x-request-id'], method: 'GET', route: '/v1/games/{id}/legal-moves', path: `${game.at}/legal-moves`, status: answer.status, worker: false });
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Number.isInteger(us));
    const unread = await client.request('GET', '/%', { unchecked: true });
    const { time: _, us: __, ...bare } = await find(unread.headers['x-request-id']);
    assert.deepEqual(bare, { request: unread.headers['x-request-id'], status: 400, worker: false });
    for (const line of lines(service.errors)) assert.deepEqual(Object.keys(JSON.parse(line)).filter((key) => key !== 'times'), ['time', 'message']);
  });

  it('are lines of text where that is wanted', async () => {
    const answer = await proxied.client.get('/v1/keys');
    await until(60, 'it is logged', () => lines(proxied.log).some((line) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z 200 GET \/v1\/keys \d+us /.test(line) && line.endsWith(` ${answer.headers['x-request-id']}`)));
    assert.match(readFileSync(proxied.errors, 'utf8'), /^tillrolld: listening on /m);
  });

  it('name a request as a trusted proxy does, and nobody else', async () => {
    const id = async (port, given) => (await fetchPlain(port, '/v1/keys', { 'X-Request-Id': given })).headers['x-request-id'];
    for (const given of ['a', 'A-1._z', 'f'.repeat(64)]) assert.equal(await id(proxied.client.port, given), given);
    for (const given of ['', 'a b', 'x"y', 'a/b', 'f'.repeat(65), 'ü', '{"a":1}']) assert.match(await id(proxied.client.port, given), /^[0-9a-f]{16}$/);
    assert.match(await id(client.port, 'a'), /^[0-9a-f]{16}$/);
    assert.equal(await id(proxied.client.port, ['one', 'two']), 'two');
    await until(60, 'it is logged', () => lines(proxied.log).some((line) => line.endsWith(` ${'f'.repeat(64)}`)));
  });

  it('hold no token, password, name, body or query', async () => {
    const secret = 'Unaussprechlich';
    const { token } = players[1];
    await client.post('/v1/tokens', { name: secret, password: `${secret} password` });
    await client.post('/v1/tokens', { name: players[1].name, password });
    await client.get(`/v1/players?name=${secret}`, { unchecked: true });
    await client.get(`/v1/me/games?token=${token}`, { token, unchecked: true });
    await client.get(`/v1/${token}`);
    await client.get(`/${token}/games`);
    await client.get(`/v1/imports/${token}`);
    await client.get(`/static/${token}`, { unchecked: true });
    await client.get('/v1/me', { headers: { Cookie: `__Host-tillroll=${token}`, Authorization: `Bearer ${token}x` } });
    await client.post(`${game.at}/moves`, { moves: [secret], seq: 0 }, token);
    await client.post('/v1/events', { name: secret, ruleset: 'shinjuku', rounds: 3, nonsense: secret }, token);
    const last = await client.get('/v1/keys');
    await find(last.headers['x-request-id']);
    const written = bed.written().toString();
    for (const word of [secret, token, token.slice(3), password, ...[organizer, ...players].map((player) => player.name), 'nonsense', 'Geheimtreffen', 'nothing=private'])
      assert.ok(!written.includes(word), word);
    assert.ok(written.includes('"path":"/v1/*"') && written.includes('"path":"/*/games"'));
  });
});

describe('whether it is ready', () => {
  const ready = async (of = client) => {
    const answer = await of.get('/readyz');
    return answer.status === 200 ? 'ready' : `${answer.status} ${answer.json.detail}`;
  };

  it('depends on the migrations that it needs', async () => {
    const kept = bed.cluster.sql("SET ROLE tillroll_owner; SELECT format('(%s, %L, %L)', number, name, hash) FROM tillroll.migration ORDER BY number DESC LIMIT 1");
    assert.equal(await ready(), 'ready');
    bed.cluster.sql("SET ROLE tillroll_owner; INSERT INTO tillroll.migration (number, name, hash) VALUES (9999, '9999_later.sql', sha256('x'))");
    assert.equal(await ready(), 'ready');
    bed.cluster.sql('SET ROLE tillroll_owner; DELETE FROM tillroll.migration WHERE number = 9999 OR number = (SELECT max(number) FROM tillroll.migration WHERE number < 9999)');
    assert.equal(await ready(), '503 The database lacks migrations that this service needs; run tillroll migrate.');
    assert.equal((await client.get('/healthz')).status, 200);
    bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.migration (number, name, hash) VALUES ${kept}`);
    assert.equal(await ready(), 'ready');
  });

  it('is over for a release before a migration that breaks it, which does not start either', async () => {
    const owner = (statements) => asOwner(bed.cluster, statements);
    const later = (number) => `INSERT INTO tillroll.migration (number, name, hash) VALUES (${number}, '${number}_later.sql', sha256('x'))`;
    const needed = Number(owner('SELECT max(number) FROM tillroll.migration'));
    const advice = 'The database has been changed for a newer release, with which this one cannot work; start that one.';
    owner(`${later(9998)}; INSERT INTO tillroll.breaking_migration VALUES (${needed}, 'This release knows it.')`);
    assert.equal(await ready(), 'ready');
    owner(`${later(9999)}; INSERT INTO tillroll.breaking_migration VALUES (9999, 'Moves have another form.')`);
    assert.equal(await ready(), `503 ${advice}`);
    await assert.rejects(bed.startService(), (error) => error.cause.message.includes(advice));
    unlocked(bed.cluster, 'tillroll.breaking_migration', 'DELETE FROM tillroll.breaking_migration');
    owner('DELETE FROM tillroll.migration WHERE number >= 9998');
    assert.equal(await ready(), 'ready');
  });

  it('is over when it is told to stop, while it goes on for a while', async () => {
    const leaving = await bed.startService(['--drain-ms', '600000']);
    leaving.signal('SIGTERM');
    await until(60, 'it says so', async () => await ready(leaving.client) === '503 The service is about to stop.');
    good(await leaving.client.get(game.at));
    assert.equal((await leaving.client.get('/healthz')).status, 200);
    assert.equal(readFigures((await leaving.client.get('/metrics')).text).value('tillroll_stopping'), 1);
    assert.deepEqual(await leaving.end(), [0, null]);
  });

  it('depends on the database, whose absence is logged in the same form', async () => {
    bed.cluster.stop();
    const away = await client.get('/readyz');
    assert.deepEqual([away.status, away.json.code, away.json.request], [503, 'unavailable', away.headers['x-request-id']]);
    assert.equal((await client.get('/healthz')).status, 200);
    const now = await figures();
    assert.ok(now.value('tillroll_db_connect_failures_total') + now.value('tillroll_http_requests_total', { status: 503 }) > 0);
    const messages = readFileSync(service.errors, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    assert.ok(messages.some((each) => each.message.startsWith('database: ')), JSON.stringify(messages));
  });
});
