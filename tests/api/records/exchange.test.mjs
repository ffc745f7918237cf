// Played events in the forms of other programs: what is written is read back, by readers of our own
// that know nothing of the writers, and compared with what the API shows.
import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { endQuietly, makePlayers, playRandomly, Random, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('exchange');
let bed;
let client;
let keys;
let organizer;
let players;
let pods;
let swiss;

async function makeEvent(settings, entrants) {
  const event = good(await client.post('/v1/events', { ruleset: 'shinjuku', ...settings }, organizer.token));
  const at = `/v1/events/${event.id}`;
  good(await client.post(`${at}/open-entries`, {}, organizer.token));
  for (const player of entrants) good(await client.post(`${at}/entries`, {}, player.token));
  good(await client.post(`${at}/close-entries`, {}, organizer.token));
  return { ...event, at };
}

async function playRound(event, plies) {
  const round = await startRound(client, event, organizer, players);
  for (const game of round.games) {
    await playRandomly(client, game, random, { plies });
    await endQuietly(client, game, organizer);
  }
}

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--site-address', 'https://club.example']));
  keys = good(await client.get('/v1/keys')).keys;
  [organizer] = await makePlayers(client, 1, 'Organizer');
  players = [...(await makePlayers(client, 1, '=SUM(A1)')), ...(await makePlayers(client, 1, 'Comma, "quoted";')), ...(await makePlayers(client, 5))];
  pods = await makeEvent({ name: 'Pods; the, first', format: 'pod_swiss', rounds: 2, seats_min: 3, seats_max: 4 }, players);
  swiss = await makeEvent({ name: 'Swiss', format: 'dutch', rounds: 3 }, players.slice(0, 5));
  for (let round = 1; round <= 2; round++) {
    await playRound(pods, 60);
    await playRound(swiss, 40);
  }
});
after(() => bed.end());

// ---- Tables ----

// A reader of RFC 4180: rows of cells.
function readTable(text) {
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        cell += text[at];
        if (text[at] === '"') at++;
      }
      at++;
    } else {
      while (text[at] !== ',' && text[at] !== '\r') cell += text[at++];
    }
    row.push(cell);
    if (text[at] === ',') {
      at++;
      continue;
    }
    assert.equal(text.slice(at, at + 2), '\r\n');
    at += 2;
    rows.push(row);
    row = [];
  }
  assert.equal(row.length, 0);
  return rows;
}

// Rows as objects by the names in the head.
async function getTable(target) {
  const answer = await client.get(target);
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers['content-disposition'], /^attachment; filename="[a-z]+\.csv"$/);
  const [head, ...rows] = readTable(answer.text);
  assert.equal(new Set(head).size, head.length);
  return rows.map((row) => {
    assert.equal(row.length, head.length);
    return Object.fromEntries(row.map((cell, i) => [head[i], cell]));
  });
}

const safe = (name) => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name);
const nameOf = (id) => players.find((player) => player.id === id).name;

describe('tables for spreadsheets', () => {
  it('have the standings, exactly', async () => {
    for (const after of [1, 2]) {
      const standings = good(await client.get(`${pods.at}/standings?after_round=${after}`));
      const rows = await getTable(`${pods.at}/standings.csv?after_round=${after}`);
      assert.equal(rows.length, players.length);
      standings.rows.forEach((expected, i) => {
        const row = rows[i];
        assert.equal(Number(row.place), expected.rank);
        assert.equal(row.player_id, expected.player.id);
        assert.equal(row.player, safe(expected.player.name));
        assert.equal(Number(row.points_60ths) * expected.points.denominator, expected.points.numerator * 60);
        assert.ok(Math.abs(Number(row.points) - Number(row.points_60ths) / 60) < 1e-6);
        for (const value of expected.tie_breaks) {
          const { code, numerator, denominator } = value;
          assert.equal(
            BigInt(row[`${code}_numerator`]) * BigInt(denominator),
            BigInt(row[`${code}_denominator`]) * BigInt(numerator),
            code,
          );
        }
      });
    }
  });

  it('have texts that no spreadsheet takes for formulas', async () => {
    const names = (await getTable(`${pods.at}/standings.csv`)).map((row) => row.player);
    assert.ok(names.some((name) => name.startsWith("'=SUM(A1)")));
    assert.ok(names.some((name) => name.startsWith('Comma, "quoted";')));
    const { text } = await client.get(`${pods.at}/standings.csv`);
    assert.doesNotMatch(text, /(^|[,\n])"?[=+@\t]/);
  });

  it('have the tables of a round', async () => {
    const { games } = good(await client.get(`${pods.at}/rounds/1`));
    const rows = await getTable(`${pods.at}/pairings.csv?round=1`);
    const seats = games.flatMap((game, table) => game.seats.map((seat, i) => `${table + 1} ${i + 1} ${seat.player.id}`));
    assert.deepEqual(rows.map((row) => `${row.table} ${row.seat} ${row.player_id}`), seats);
    const swissRows = await getTable(`${swiss.at}/pairings.csv?round=2`);
    assert.equal(swissRows.length, 5);
    assert.deepEqual(swissRows.filter((row) => row.table === '0').map((row) => row.kind), ['pairing_bye']);
    assert.equal((await client.get(`${pods.at}/pairings.csv?round=3`)).json.code, 'bad-parameter');
  });

  it('have all results', async () => {
    const rows = await getTable(`${pods.at}/results.csv`);
    let at = 0;
    for (const number of [1, 2]) {
      const { games } = good(await client.get(`${pods.at}/rounds/${number}`));
      for (const game of games)
        for (const seat of game.seats) {
          const row = rows[at++];
          assert.equal(row.game_id, game.id);
          assert.equal(row.player_id, seat.player.id);
          assert.equal(Number(row.rank), seat.rank);
          assert.equal(Number(row.score), seat.score);
          assert.equal(row.kind, 'played');
        }
    }
    assert.equal(at, rows.length);
  });

  it('refuse what they do not take', async () => {
    for (const target of ['standings.csv?stage=2', 'standings.csv?stage=0', 'standings.csv?round=1', 'results.csv?x=1', 'standings.csv?after_round=9'])
      assert.equal((await client.get(`${pods.at}/${target}`)).json.code, 'bad-parameter', target);
    assert.equal((await client.get('/v1/events/01a1b2c3-0000-7000-8000-000000000000/results.csv')).status, 404);
    const draft = good(await client.post('/v1/events', { name: 'Draft', ruleset: 'shinjuku', rounds: 1, format: 'pod_swiss' }, organizer.token));
    assert.equal((await client.get(`/v1/events/${draft.id}/standings.csv`)).json.code, 'wrong-state');
    assert.equal((await client.get(`/v1/events/${draft.id}/results.csv`)).status, 200);
  });

  it('are the same until something changes', async () => {
    const answer = await client.get(`${pods.at}/results.csv`);
    const again = await client.get(`${pods.at}/results.csv`, { headers: { 'If-None-Match': answer.headers.etag } });
    assert.equal(again.status, 304);
  });
});

// ---- Calendar and news ----

describe('the calendar', () => {
  it('has the rounds', async () => {
    const { text, headers } = await client.get(`${pods.at}/rounds.ics`);
    assert.equal(headers['content-type'], 'text/calendar; charset=utf-8');
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\r\n]/);
    const lines = text.replaceAll('\r\n ', '').split('\r\n');
    assert.equal(lines.pop(), '');
    assert.equal(lines[0], 'BEGIN:VCALENDAR');
    assert.equal(lines.at(-1), 'END:VCALENDAR');
    const { items } = good(await client.get(`${pods.at}/rounds`));
    const stamps = items.map((round) => round.started_at.replace(/[-:]|\.\d+/g, ''));
    assert.deepEqual(lines.filter((line) => line.startsWith('DTSTART:')), stamps.map((stamp) => `DTSTART:${stamp}`));
    assert.deepEqual(
      lines.filter((line) => line.startsWith('UID:')),
      [1, 2].map((number) => `UID:${pods.id}-round-${number}@tillroll`),
    );
    assert.deepEqual(lines.filter((line) => line.startsWith('SUMMARY:')), [1, 2].map((number) => `SUMMARY:Pods\\; the\\, first\\, round ${number}`));
    assert.ok(lines.includes(`URL:https://club.example/events/${pods.id}/rounds/1`));
    assert.equal(lines.filter((line) => line === 'BEGIN:VEVENT').length, lines.filter((line) => line === 'END:VEVENT').length);
  });
});

describe('the feed', () => {
  it('is JSON Feed 1.1, newest first', async () => {
    const feed = good(await client.get(`${pods.at}/feed.json`));
    assert.equal(feed.version, 'https://jsonfeed.org/version/1.1');
    assert.equal(feed.title, 'Pods; the, first');
    const kinds = feed.items.map((item) => item._tillroll.kind);
    assert.equal(kinds.at(-1), 'entries_opened');
    assert.equal(kinds.filter((kind) => kind === 'round_started').length, 2);
    assert.equal(kinds.filter((kind) => kind === 'result').length, 4);
    assert.equal(new Set(feed.items.map((item) => item.id)).size, feed.items.length);
    const lines = feed.items.map((item) => item._tillroll.line);
    assert.deepEqual(lines, [...lines].sort((a, b) => b - a));
    for (const item of feed.items) assert.ok(!Number.isNaN(Date.parse(item.date_published)));
    const { games } = good(await client.get(`${pods.at}/rounds/1`));
    const told = feed.items.find((item) => item.title === 'Round 1, table 1 has ended');
    const placed = games[0].seats.toSorted((a, b) => a.rank - b.rank);
    assert.equal(told.content_text, placed.map((seat) => `${seat.rank}. ${nameOf(seat.player.id)} (${seat.score})`).join(', '));
    assert.equal(feed.home_page_url, `https://club.example/events/${pods.id}`);
    assert.deepEqual([told.url, feed.items.at(-1).url], [`${feed.home_page_url}/rounds/1`, feed.home_page_url]);
  });

  it('is as it was', async () => {
    const now = good(await client.get(`${pods.at}/feed.json`));
    const line = now.items[3]._tillroll.line;
    const then = good(await client.get(`${pods.at}/feed.json?as_of=${line}`));
    assert.deepEqual(then.items, now.items.slice(3));
  });
});

// ---- Report files ----

const postText = (target, body) =>
  client.request('POST', target, { body, headers: { 'Content-Type': 'text/plain' } });

// In a round, who has number n from 0 on meets n ^ mask; whoever has the lower number wins with white.
function reportOf(players, masks, planned = masks.length) {
  const lines = ['012 Open', `XXR ${planned}`];
  for (let n = 0; n < players; n++) {
    const games = masks.map((mask) => n ^ mask);
    const won = games.filter((other) => n < other).length;
    const head = `001 ${String(n + 1).padStart(4)}`.padEnd(14) + `Player ${n}`.padEnd(66);
    lines.push(`${head}${won.toFixed(1).padStart(4)} ${String(n + 1).padStart(4)}` + games.map((other) => `${String(other + 1).padStart(6)} ${n < other ? 'w 1' : 'b 0'}`).join(''));
  }
  return lines.join('\r\n');
}

describe('report files', () => {
  it('are paired by others as they were paired here', async () => {
    for (const version of ['trf16', 'trf26']) {
      const { text, status } = await client.get(`${swiss.at}/export.${version}`);
      assert.equal(status, 200, text);
      const check = good(await postText('/v1/exchange/trf/check', text));
      assert.deepEqual(check.rounds.map((round) => [round.round, round.same]), [[1, true], [2, true]]);
      assert.equal(check.same, true);
      for (const number of [1, 2]) {
        const rows = await getTable(`${swiss.at}/pairings.csv?round=${number}`);
        const seats = (table) => rows.filter((row) => row.table === String(table)).map((row) => Number(row.number));
        const expected = [1, 2].map((table) => ({ white: seats(table)[0], black: seats(table)[1] }));
        const [bye] = rows.filter((row) => row.table === '0');
        const given = check.rounds[number - 1].given;
        assert.deepEqual(given.at(-1), { white: Number(bye.number), black: null });
        assert.deepEqual(new Set(given.slice(0, 2).map(JSON.stringify)), new Set(expected.map((pair) => JSON.stringify(pair))));
      }
    }
  });

  it('tell the next round, which is the one that is drawn', async () => {
    const { text } = await client.get(`${swiss.at}/export.trf26`);
    const told = good(await postText('/v1/exchange/trf/pairings', text));
    assert.equal(told.round, 3);
    const round = await startRound(client, swiss, organizer, players);
    const numberOf = new Map((await getTable(`${swiss.at}/standings.csv`)).map((row) => [row.player_id, Number(row.number)]));
    const drawn = round.games.map((game) => JSON.stringify({ white: numberOf.get(game.players[0].id), black: numberOf.get(game.players[1].id) }));
    assert.deepEqual(new Set(told.pairs.slice(0, 2).map(JSON.stringify)), new Set(drawn));
    assert.equal(told.pairs[2].black, null);
    for (const game of round.games) await endQuietly(client, game, organizer);
  });

  it('that were changed are seen to differ', async () => {
    const { text } = await client.get(`${swiss.at}/export.trf16`);
    const lines = text.split('\r\n');
    // The colours of one game of round 1 exchanged: in both lines.
    const rows = (await getTable(`${swiss.at}/pairings.csv?round=1`)).filter((row) => row.table === '1');
    for (const row of rows) {
      const at = lines.findIndex((line) => line.startsWith(`001 ${row.number.padStart(4)}`));
      const colour = lines[at][96];
      assert.match(colour, /[wb]/);
      lines[at] = `${lines[at].slice(0, 96)}${colour === 'w' ? 'b' : 'w'}${lines[at].slice(97)}`;
    }
    const check = good(await postText('/v1/exchange/trf/check', lines.join('\r\n')));
    assert.equal(check.same, false);
    assert.equal(check.rounds[0].same, false);
  });

  it('that cannot be read are refused with the line', async () => {
    const answer = await postText('/v1/exchange/trf/pairings', '012 Club\r\n001 x\r\n');
    assert.equal(answer.status, 422);
    assert.equal(answer.json.code, 'trf-syntax');
    assert.match(answer.json.detail, /^Line 2, column 5: /);
    const shifted = '001    1'.padEnd(80) + ' 0.0    1\r\n240 Z   1     1\r\n';
    assert.match((await postText('/v1/exchange/trf/check', shifted)).json.detail, /^Line 2, column 11: /);
    assert.equal((await postText('/v1/exchange/trf/check', '013 Team\r\n')).json.code, 'trf-unsupported');
    assert.equal((await client.post('/v1/exchange/trf/check', {})).json.code, 'unsupported-media-type');
    assert.equal((await postText('/v1/exchange/trf/pairings', '')).json.code, 'trf-syntax');
  });

  it('of 2,000 players over 15 rounds are read', { skip: notLong }, async () => {
    // Everybody meets the neighbour, then nobody: legal to write down, and quick to pair once more.
    const lines = ['012 Open', 'XXR 15'];
    for (let number = 1; number <= 2000; number++) {
      const opponent = number % 2 === 1 ? number + 1 : number - 1;
      const game = `${String(opponent).padStart(6)} ${number % 2 === 1 ? 'w 1' : 'b 0'}`;
      const head = `001 ${String(number).padStart(4)}`.padEnd(14) + 'Ångström, Anne-Marie'.padEnd(33);
      const points = number % 2 === 1 ? ' 1.0' : ' 0.0';
      lines.push(`${head.padEnd(80)}${points} ${String(number).padStart(4)}${game}${'  0000 - Z'.repeat(14)}`);
    }
    const file = lines.join('\r\n');
    assert.ok(Buffer.byteLength(file) > 460_000);
    // The fifteenth round is one that nobody was paired for, so the file is one round long, and says too much.
    const answer = await postText('/v1/exchange/trf/pairings', file);
    assert.equal(answer.status, 422);
    assert.equal(answer.json.code, 'trf-contradicts');
    const padded = lines.map((line) => line.slice(0, 99)).join('\r\n') + '\r\n' + `###${' '.repeat(97)}\r\n`.repeat(5000);
    assert.ok(Buffer.byteLength(padded) > 700_000);
    // So much is done only for who is signed in.
    for (const what of ['check', 'pairings']) {
      const refused = await postText(`/v1/exchange/trf/${what}`, padded);
      assert.equal(`${refused.status} ${refused.json.code}`, '422 trf-too-large');
      assert.match(refused.json.detail, /^The file has 2000 players, and 1 round is to be paired: .* Send a token /);
    }
    const signedIn = (what, body) =>
      client.request('POST', `/v1/exchange/trf/${what}`, { body, token: organizer.token, headers: { 'Content-Type': 'text/plain' } });
    const check = good(await signedIn('check', padded));
    assert.deepEqual(check.rounds.map((round) => round.given.length), [1000]);
    // And sixteen rounds are too many even then.
    const sixteen = await signedIn('check', reportOf(1984, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]));
    assert.equal(`${sixteen.status} ${sixteen.json.code}`, '422 trf-too-large');
    assert.match(sixteen.json.detail, /^The file has 1984 players, and 16 rounds are to be paired: .* 60000000\)\. Send a file with fewer rounds\.$/);
    const tooLong = await client.request('POST', '/v1/exchange/trf/check', { body: '', headers: { 'Content-Type': 'text/plain', 'Content-Length': 1048577 } });
    assert.equal(tooLong.json.code, 'body-too-large');
  });

  it('of many players are paired by a job for those who are signed in', async () => {
    const file = reportOf(128, [1, 2, 4, 8], 9);
    const reader = good(await client.post('/v1/me/tokens', { label: 'reader', scopes: ['read'] }, organizer.token)).token;
    const ask = (headers) => client.request('POST', '/v1/exchange/trf/pairings', { body: file, token: reader, headers: { 'Content-Type': 'text/plain', ...headers } });
    const known = good(await ask({}));
    assert.deepEqual(known, good(await postText('/v1/exchange/trf/pairings', file)));
    const given = await ask({ Prefer: 'respond-async' });
    assert.deepEqual([given.status, given.json.kind, given.json.subject], [202, 'report-pairing', '']);
    const look = async (token) => good(await client.get(given.headers.location, { token }));
    const job = await until(20, 'the file is paired', async () => {
      const found = await look(reader);
      return found.state !== 'running' && found;
    });
    assert.deepEqual(job.result, { status: 200, location: null, answer: known });
    assert.equal((await look(players[0].token)).result.answer, null);
  });

  it('of many players are checked round by round, and answered meanwhile', { skip: notLong }, async () => {
    const answer = await postText('/v1/exchange/trf/check', reportOf(128, [1, 2, 4, 8], 9));
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
    const found = good(answer);
    assert.equal(found.same, false);
    assert.deepEqual(found.rounds.map(({ round, given }) => [round, given.length]), [1, 2, 3, 4].map((round) => [round, 64]));
    assert.deepEqual(found.rounds[3].given.slice(0, 2), [{ white: 1, black: 9 }, { white: 2, black: 10 }]);
    assert.equal(found.rounds[0].expected.length, 64);
  });

  it('are for two seats only', async () => {
    assert.equal((await client.get(`${pods.at}/export.trf26`)).json.code, 'not-two-seats');
  });
});

// ---- Bundles ----

const rename = async (player, name) => good(await client.request('PATCH', '/v1/me', { token: player.token, json: { name } }));

function readBundle(bytes) {
  const text = bytes.toString('utf8');
  const lines = text.split('\n');
  assert.equal(lines.pop(), '');
  const sealed = text.slice(0, text.length - lines.at(-1).length - 1);
  return { lines: lines.map((line) => JSON.parse(line)), sealed };
}

function isSealed({ lines, sealed }, event) {
  const { key, sha256, signature } = lines.at(-1);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key, 'hex')]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return (
    createHash('sha256').update(sealed).digest('hex') === sha256 &&
    verify(null, Buffer.from(`tillroll bundle\n${event.id}\n${sha256}\n`), publicKey, Buffer.from(signature, 'hex'))
  );
}

// The bundle with one text in it exchanged for another, signed by somebody.
function forge(bytes, event, from, to) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { sealed } = readBundle(bytes);
  const body = sealed.replace(from, to);
  assert.notEqual(body, sealed);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const signature = sign(null, Buffer.from(`tillroll bundle\n${event.id}\n${sha256}\n`), privateKey).toString('hex');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  return `${body}${JSON.stringify({ key, sha256, signature })}\n`;
}

// Values as `tillroll event` makes them, against those of standings.
function assertValues(values, shown) {
  assert.equal(values.length, shown.length);
  for (const [i, [numerator, denominator]] of values.entries())
    assert.equal(BigInt(numerator) * BigInt(shown[i].denominator), BigInt(denominator) * BigInt(shown[i].numerator), shown[i].code);
}

describe('bundles', () => {
  it('of running events keep the secret', async () => {
    const answer = await client.get(`${pods.at}/bundle`);
    assert.equal(answer.status, 200, answer.text);
    const bundle = readBundle(answer.bytes);
    assert.ok(isSealed(bundle, pods));
    assert.equal(bundle.lines[0].secret, null);
    assert.equal(bundle.lines[0].records, false);
    assert.equal(bundle.lines.filter((line) => line.record !== undefined).length, 0);
    const run = bed.proveEvent(answer.bytes);
    assert.equal(run.status, 2, run.output);
    assert.match(run.output, /unfinished/);
  });

  // 21 games: more than are read at once.
  it('of many games are sent while they are made, and are the same as any', async () => {
    const event = await makeEvent({ name: 'Everybody', format: 'round_robin' }, players.slice(0, 7));
    for (let round = 1; round <= 7; round++) await playRound(event, 4);
    const running = await client.get(`${event.at}/bundle`);
    assert.equal(running.headers['transfer-encoding'], undefined);
    good(await client.post(`${event.at}/close`, {}, organizer.token));
    const answer = await client.get(`${event.at}/bundle`);
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
    assert.match(answer.headers['content-disposition'], /filename="event.ndjson"/);
    const bundle = readBundle(answer.bytes);
    assert.ok(isSealed(bundle, event));
    const records = bundle.lines.filter((line) => line.record !== undefined);
    assert.equal(records.length, 21);
    for (const line of [records[0], records[20]]) assert.equal(line.record, (await client.get(`/v1/games/${line.game}/record`)).text);
    const run = bed.proveEvent(answer.bytes, ['--json']);
    assert.equal(run.status, 0, run.output);
    assert.equal(JSON.parse(run.output).records, 21);
    const { etag } = answer.headers;
    const known = await client.get(`${event.at}/bundle`, { headers: { 'If-None-Match': etag } });
    assert.deepEqual([known.status, known.headers['content-length'], known.headers['transfer-encoding']], [304, undefined, undefined]);
    const head = await client.request('HEAD', `${event.at}/bundle`);
    assert.deepEqual([head.status, head.headers.etag], [200, etag]);
    const again = await client.get(`${event.at}/bundle`);
    assert.equal(again.headers.etag, etag);
    assert.deepEqual(again.bytes, answer.bytes);
    // What it begins with depends on names; so does its tag.
    await rename(players[1], 'Comma, and semicolon;');
    const renamed = await client.get(`${event.at}/bundle`, { headers: { 'If-None-Match': etag } });
    assert.equal(renamed.status, 200);
    assert.ok(isSealed(readBundle(renamed.bytes), event));
    assert.notDeepEqual(renamed.bytes, answer.bytes);
    await rename(players[1], players[1].name);
    assert.deepEqual((await client.get(`${event.at}/bundle`)).bytes, answer.bytes);
    const without = await client.get(`${event.at}/bundle?records=no`);
    assert.equal(without.headers['transfer-encoding'], undefined);
    assert.ok(isSealed(readBundle(without.bytes), event));
  });

  it('of closed events are proved and made again by a stranger', async () => {
    for (const event of [pods, swiss]) {
      good(await client.post(`${event.at}/close`, {}, organizer.token));
      const answer = await client.get(`${event.at}/bundle`);
      const bundle = readBundle(answer.bytes);
      assert.ok(isSealed(bundle, event));
      assert.equal(bundle.lines.at(-1).key, keys[0].public_key);
      const shown = good(await client.get(event.at));
      assert.equal(bundle.lines[0].secret, shown.secret);
      assert.equal(bundle.lines[0].commitment, shown.commitment);
      const run = bed.proveEvent(answer.bytes, ['--key', keys[0].public_key, '--json']);
      assert.equal(run.status, 0, run.output);
      const made = JSON.parse(run.output);
      const standings = good(await client.get(`${event.at}/standings`));
      assert.deepEqual(made.places.map((place) => [place.place, place.player, place.name]), standings.rows.map((row) => [row.rank, row.player.id, row.player.name]));
      made.groups[0].rows.forEach((row, i) => {
        assert.equal(row.points_60ths * standings.rows[i].points.denominator, standings.rows[i].points.numerator * 60);
        assertValues(row.values, standings.rows[i].tie_breaks);
      });
      assert.equal(made.records, bundle.lines.filter((line) => line.record !== undefined).length);
      assert.equal(made.draws, event === pods ? 2 : 3);
      assert.match(bed.proveEvent(answer.bytes).output, /: valid: /);
    }
  });

  // Nobody had played before: the event's ratings are everybody's, if its games were the only ones.
  it('rate as the service has rated', async () => {
    const stranger = new Random('ratings');
    const four = await makePlayers(client, 4, 'Fresh');
    players.push(...four);
    const event = await makeEvent({ name: 'Fresh', format: 'pod_swiss', rounds: 2, seats_min: 4, seats_max: 4 }, four);
    for (let number = 1; number <= 2; number++) {
      const { games } = await startRound(client, event, organizer, four);
      await playRandomly(client, games[0], stranger, { plies: 80 });
      await endQuietly(client, games[0], organizer);
    }
    good(await client.post(`${event.at}/close`, {}, organizer.token));
    const { bytes } = await client.get(`${event.at}/bundle`);
    const made = JSON.parse(bed.proveEvent(bytes, ['--json']).output);
    assert.equal(made.rated_games, 2);
    for (const place of made.places) {
      const { items } = good(await client.get(`/v1/players/${place.player}/ratings`));
      const overall = items.find((item) => item.scope === 'overall');
      assert.equal(place.mu_millionths, overall.mu_millionths);
      assert.equal(place.sigma_millionths, overall.sigma_millionths);
    }
  });

  // Its tables share their luck: nothing of a game that is over is told while another one runs.
  it('of duplicate events have every record, and tell no result too early', async () => {
    const settings = { name: 'Boards', format: 'duplicate', boards: 1, rounds: 1, seats_preferred: 2 };
    const event = await makeEvent(settings, players.slice(0, 4));
    const { games } = await startRound(client, event, organizer, players);
    assert.equal(games.length, 2);
    await endQuietly(client, games[0], organizer);
    const early = await client.get(`${event.at}/bundle`);
    assert.doesNotMatch(early.text, /"kind":"result"/);
    assert.equal((await getTable(`${event.at}/results.csv`)).length, 0);
    assert.ok(good(await client.get(`${event.at}/feed.json`)).items.every((item) => item._tillroll.kind !== 'result'));
    await endQuietly(client, games[1], organizer);
    assert.equal((await getTable(`${event.at}/results.csv`)).length, 4);
    good(await client.post(`${event.at}/close`, {}, organizer.token));
    const { bytes } = await client.get(`${event.at}/bundle`);
    const run = bed.proveEvent(bytes, ['--json']);
    assert.equal(run.status, 0, run.output);
    const made = JSON.parse(run.output);
    assert.deepEqual([made.records, made.draws], [2, 1]);
    const { rows } = good(await client.get(`${event.at}/standings`));
    assert.deepEqual(made.places.map((place) => [place.place, place.player, place.name]), rows.map((row) => [row.rank, row.player.id, row.player.name]));
    made.groups[0].rows.forEach((row, i) => {
      assert.deepEqual([row.player, row.played], [rows[i].player.id, 1]);
      assertValues(row.values, rows[i].tie_breaks);
      assert.deepEqual(made.places[i].points, row.values[0]);
    });
    const table = await getTable(`${event.at}/standings.csv`);
    assert.deepEqual(table.map((row) => [Number(row.place), row.player_id, row.points, row.played]), rows.map((row) => [row.rank, row.player.id, row.points.text, '1']));
    for (const [i, { tie_breaks: values }] of rows.entries())
      for (const { code, numerator, denominator } of values)
        assert.equal(BigInt(table[i][`${code}_numerator`]) * BigInt(denominator), BigInt(table[i][`${code}_denominator`]) * BigInt(numerator), code);
    assert.equal((await client.get(`${event.at}/standings.csv?stage=2`)).json.code, 'bad-parameter');
  });

  it('of duplicate events are made again, board by board', async () => {
    const six = players.slice(0, 6);
    for (const settings of [
      { boards: 2, rounds: 2, seats_preferred: 2, play: 'barometer', scoring: 'total' },
      { boards: 3, rounds: 1, seats_preferred: 4 }, // two sit out on each board
    ]) {
      const event = await makeEvent({ name: 'Boards', format: 'duplicate', ...settings }, six);
      for (let number = 1; number <= settings.rounds; number++) {
        let { games } = await startRound(client, event, organizer, players);
        if (number === 2) assert.equal((await client.delete(`${event.at}/entries/${six[5].id}`, six[5].token)).status, 204);
        for (let played = new Set(); games.length > 0; ) {
          for (const game of games) {
            await endQuietly(client, game, organizer);
            played.add(game.id);
          }
          games = good(await client.get(`${event.at}/rounds/${number}`)).games.filter((game) => !played.has(game.id));
          for (const game of games) {
            game.at = `/v1/games/${game.id}`;
            game.players = game.seats.map((seat) => players.find((player) => player.id === seat.player.id));
          }
        }
      }
      good(await client.post(`${event.at}/close`, {}, organizer.token));
      const { bytes } = await client.get(`${event.at}/bundle`);
      const run = bed.proveEvent(bytes, ['--json']);
      assert.equal(run.status, 0, run.output);
      const made = JSON.parse(run.output);
      assert.equal(made.draws, settings.boards * settings.rounds);
      const { rows } = good(await client.get(`${event.at}/standings`));
      assert.deepEqual(made.groups[0].rows.map((row) => [row.place, row.player, row.played]), rows.map((row) => [row.rank, row.player.id, row.played]));
      made.groups[0].rows.forEach((row, i) => assertValues(row.values, rows[i].tie_breaks));
      const table = bed.proveEvent(bytes).output;
      assert.match(table, new RegExp(`${made.draws} pairings made again, ${made.records} records`));
      const printed = table.trim().split('\n').slice(-made.places.length);
      printed.forEach((line, i) => assert.ok(line.endsWith(`  ${made.places[i].name}`), line));
      const board = readBundle(bytes).lines.find((line) => line.kind === 'board_started').detail;
      const [[first, ...others]] = board.tables;
      const refused = (from, to, reason) => {
        const { status, output } = bed.proveEvent(forge(bytes, event, from, to));
        assert.equal(status, 1, output);
        assert.match(output, reason);
      };
      refused(`"tables":[[${[first, ...others]}]`, `"tables":[[${[...others, first]}]`, /draw-differs: .* tables of the board/);
      const { commitment } = good(await client.get(`${event.at}/rounds/1`));
      refused(commitment, commitment.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), /result-differs: The game was played on a different board, or with different luck/);
    }
  });

  it('of events with a cut and a ruling are made again', async () => {
    const stages = [
      { format: 'pod_swiss', rounds: 1, seats_min: 4, seats_max: 4 },
      { format: 'single_elimination', entrants: 2 },
    ];
    const four = players.slice(0, 4);
    const event = await makeEvent({ name: 'Cut', stages }, four);
    const { games } = await startRound(client, event, organizer, players);
    await playRandomly(client, games[0], random, { plies: 80 });
    await endQuietly(client, games[0], organizer);
    const ruling = {
      seats: games[0].players.map((player, seat) => ({ player: player.id, rank: [3, 1, 4, 2][seat], kind: 'adjudicated' })),
      reason: 'For a test',
    };
    const answer = await client.request('PUT', `${event.at}/rounds/1/tables/1/ruling`, { json: ruling, token: organizer.token });
    assert.equal(answer.status, 200, answer.text);
    // Two who end level play again, up to three times.
    let rows = [];
    for (let game = 1; game <= 3 && rows[0]?.place !== '1'; game++) {
      const { games: final } = await startRound(client, event, organizer, players);
      assert.deepEqual(new Set(final[0].players.map(({ id }) => id)), new Set([1, 3].map((seat) => games[0].players[seat].id)));
      await playRandomly(client, final[0], random, { plies: 80 });
      await endQuietly(client, final[0], organizer);
      rows = await getTable(`${event.at}/standings.csv`);
    }
    assert.deepEqual(rows.map((row) => [row.stage, row.place]), [['2', '1'], ['2', '2']]);
    const first = await getTable(`${event.at}/standings.csv?stage=1`);
    assert.deepEqual(first.map((row) => row.player_id), [1, 3, 0, 2].map((seat) => games[0].players[seat].id));
    assert.deepEqual(first.map((row) => row.went_on), ['yes', 'yes', 'no', 'no']);
    good(await client.post(`${event.at}/close`, {}, organizer.token));
    const run = bed.proveEvent((await client.get(`${event.at}/bundle`)).bytes, ['--json']);
    assert.equal(run.status, 0, run.output);
    assert.deepEqual(
      JSON.parse(run.output).places.map((place) => place.player),
      [...rows.map((row) => row.player_id), ...first.slice(2).map((row) => row.player_id)],
    );
  });

  it('of closed events stay as they are, whatever becomes of a game over which a ruling stands', async () => {
    const fresh = await makePlayers(client, 4, 'Late');
    players.push(...fresh);
    const event = await makeEvent({ name: 'Ruled', format: 'pod_swiss', rounds: 1, seats_min: 2, seats_max: 2 }, fresh);
    const { games: [ruled, other] } = await startRound(client, event, organizer, fresh);
    await endQuietly(client, other, organizer);
    const ruling = `${event.at}/rounds/1/tables/${ruled.event.table}/ruling`;
    const json = { no_show: [ruled.players[0].id], reason: 'Did not come.' };
    good(await client.request('PUT', ruling, { json, token: organizer.token }));
    good(await client.post(`${event.at}/close`, {}, organizer.token));
    const closed = await client.get(`${event.at}/bundle`);
    const standings = good(await client.get(`${event.at}/standings`));
    await endQuietly(client, ruled, organizer);
    const ended = good(await client.get(ruled.at));
    assert.equal(ended.state, 'finished');
    assert.equal(bed.verify((await client.get(`${ruled.at}/record`)).text).status, 0);
    assert.deepEqual((await client.get(`${event.at}/bundle`)).bytes, closed.bytes);
    assert.deepEqual(good(await client.get(`${event.at}/standings`)), standings);
    for (const player of ruled.players) assert.deepEqual(good(await client.get(`/v1/players/${player.id}/ratings`)).items, []);
    const proof = bed.proveEvent(closed.bytes, ['--json']);
    assert.equal(proof.status, 0, proof.output);
    assert.deepEqual([JSON.parse(proof.output).records, JSON.parse(proof.output).rated_games], [1, 1]);
    const revoked = await client.request('DELETE', ruling, { json: { reason: 'They did.' }, token: organizer.token });
    assert.deepEqual([revoked.status, revoked.json.code], [409, 'too-late']);
    // Officials may still correct it.
    const level = { seats: ruled.players.map(({ id }) => ({ player: id, rank: 1 })), reason: 'Both were there.' };
    good(await client.request('PUT', ruling, { json: level, token: organizer.token }));
    const corrected = (await client.get(`${event.at}/bundle`)).bytes;
    assert.notDeepEqual(corrected, closed.bytes);
    assert.equal(bed.proveEvent(corrected).status, 0);
  });

  it('that were changed are refused', async () => {
    const { bytes } = await client.get(`${pods.at}/bundle`);
    const changed = Buffer.from(bytes);
    changed[changed.indexOf('"name"') + 10] ^= 1;
    assert.equal(bed.proveEvent(changed).status, 1);
    const wrongKey = bed.proveEvent(bytes, ['--key', '00'.repeat(32)]);
    assert.equal(wrongKey.status, 1);
    assert.match(wrongKey.output, /not signed with this key/);
    assert.equal(bed.proveEvent(bytes.subarray(0, bytes.length - 40)).status, 1);
  });

  it('can leave the records out', async () => {
    const { bytes } = await client.get(`${pods.at}/bundle?records=no`);
    const bundle = readBundle(bytes);
    assert.ok(isSealed(bundle, pods));
    assert.equal(bundle.lines[0].records, false);
    assert.equal(bed.proveEvent(bytes).status, 2);
    assert.equal((await client.get(`${pods.at}/bundle?records=maybe`)).json.code, 'bad-parameter');
  });
});
