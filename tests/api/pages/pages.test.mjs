// Pages for people: files that come as they are, pages made of one shell, and some with what they show written into them, under a policy that lets
// no foreign script in.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import jsqr from 'jsqr';

import { good } from '../support/client.mjs';
import { checkCommonHeaders } from '../support/contract.mjs';
import { makeDuplicate } from '../support/duplicate.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, startRound } from '../support/play.mjs';
import { bed, client, organizer, players, serve } from '../support/served.mjs';
import { given, marks, shells } from '../support/shells.mjs';
import { build } from '../support/testbed.mjs';

const files = new URL('../../../web-static/', import.meta.url);
const someId = '01900000-0000-7000-8000-000000000000';
const pages = {
  '/login': 'login.html', [`/events/${someId}/rounds/1/tables/1/scorer`]: 'scorer.html', [`/recordings/${someId}`]: 'recording.html', '/events/new': 'new-event.html',
  '/disputes': 'disputes.html',
  [`/events/${someId}/manage`]: 'manage.html', [`/events/${someId}/badges`]: 'badges.html',
  '/verify': 'verify.html', '/practice/shinjuku': 'practice.html', [`/games/${someId}/verify`]: 'verify.html',
};
const types = {
  html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', json: 'application/json',
  svg: 'image/svg+xml', png: 'image/png', webp: 'image/webp', ico: 'image/x-icon', txt: 'text/plain; charset=utf-8',
};
const inside = (folder) => readdirSync(new URL(folder, files), { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? inside(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]));
const texts = new Map([...inside('').filter((name) => name.split('.').at(-1) in types && name !== 'shell.html')
  .map((name) => [name, readFileSync(new URL(name, files))]), ...[...shells].map(([name, text]) => [name, Buffer.from(text)])]);
const names = [...texts.keys()];

let event;
let round;
let season;
serve({ players: 4 }, async () => {
  season = good(await client.post('/v1/seasons', { name: 'Two <seasons>' }, organizer.token));
  event = await makeEvent(client, organizer, players, { name: 'A "first" <event> & more', seats_min: 4 });
  round = await startRound(client, event, organizer, players);
});

const get = (path, headers) => client.get(path, { unchecked: true, headers });
const sizeOf = ({ status, headers, bytes }) => [status, headers['content-type'], bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

const readCode = jsqr.default ?? jsqr;

// What a phone reads in a code that is drawn as runs of dark modules.
function scan(svg) {
  const [, side] = /viewBox="0 0 (\d+) \1"/.exec(svg).map(Number);
  const scale = 4;
  const pixels = new Uint8ClampedArray((side * scale) ** 2 * 4).fill(255);
  for (const [, ...run] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    const [left, top, width] = run.map((each) => each * scale);
    for (let y = top; y < top + scale; y++)
      for (let x = left; x < left + width; x++) pixels.fill(0, (y * side * scale + x) * 4, (y * side * scale + x) * 4 + 3);
  }
  return readCode(pixels, side * scale, side * scale)?.data;
}

describe('pages', () => {
  it('are the same for all who are the first to ask for one', async () => {
    const name = 'words/de.js';
    const first = await Promise.all(Array.from({ length: 8 }, () => get(`/static/${name}`, { 'Accept-Encoding': 'gzip' })));
    for (const answer of first) {
      assert.equal(answer.headers['content-encoding'], 'gzip');
      assert.equal(answer.headers.etag, first[0].headers.etag);
      assert.ok(gunzipSync(answer.bytes).equals(readFileSync(new URL(name, files))));
    }
  });

  for (const [path, name] of [...Object.entries(pages), ...names.map((name) => [`/static/${name}`, name])])
    it(`${path} is ${name}`, async () => {
      const answer = await get(path);
      assert.equal(answer.status, 200);
      checkCommonHeaders(answer.headers, { compiles: ['verify/verify-worker.js', 'practice/practice-worker.js', 'game/analysis-worker.js', 'scorer/engine-worker.js'].includes(name) });
      assert.equal(answer.headers['content-type'], types[name.split('.').at(-1)]);
      const versions = [...new Set(answer.text.match(/\/static\/~\w+/g))];
      assert.equal(versions.length, shells.has(name) ? 1 : 0);
      assert.equal(answer.bytes.toString('latin1').replaceAll(versions[0] ?? '/static', '/static'), texts.get(name).toString('latin1'));
      assert.equal(answer.headers['cache-control'], 'no-cache');
      assert.match(answer.headers['content-security-policy'], /script-src 'self'.*frame-ancestors 'none'/);
      const again = await get(path, { 'If-None-Match': answer.headers.etag });
      assert.equal(again.status, 304);
      assert.equal(again.bytes.length, 0);
    });

  for (const name of names.filter((each) => each.endsWith('.html')))
    it(`${name} keeps within the policy and finds its files`, async () => {
      const html = texts.get(name).toString();
      assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|<style|javascript:/i);
      for (const [, address] of html.matchAll(/(?:src|href)="(\/[^"]*)"/g))
        assert.equal((await get(address.split('#')[0])).status, 200, address);
      for (const [, address] of html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g)) assert.match(address, /^\//);
    });

  it('name their files at addresses that last as long as the files', async () => {
    const [address] = /\/static\/~[0-9a-f]{16}\/pages\/home\.js/.exec((await get('/')).text);
    const version = address.split('/')[2];
    for (const name of ['pages/home.js', 'lib/common.js', 'style.css']) {
      const usual = await get(`/static/${name}`);
      const lasting = await get(`/static/${version}/${name}`);
      assert.equal(lasting.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.ok(lasting.bytes.equals(readFileSync(new URL(name, files))));
      assert.equal(lasting.headers.etag, usual.headers.etag);
      // An address of another release gives the present file, which browsers do not keep.
      const other = await get(`/static/${version.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))}/${name}`);
      assert.ok(other.bytes.equals(lasting.bytes));
      assert.equal(other.headers['cache-control'], 'no-cache');
    }
    for (const path of [version, '~', `${version}/none.js`, `lib/${version}/common.js`, `${version}/${version}/style.css`])
      assert.equal((await get(`/static/${path}`)).status, 404, path);
  });

  it('have every text in the shell that they give, and no other mark', () => {
    assert.deepEqual([...given, 'page'].sort(), marks);
    for (const [name, html] of shells) {
      assert.match(html, /<title data-word="[a-z_.]+">[^<]+<\/title>/, name);
      assert.doesNotMatch(html, /[{}]|=""/, name);
    }
  });

  for (const name of ['verify.wasm', 'event.wasm', 'practice.wasm', 'analysis.wasm', 'scorer.wasm']) it(`have ${name} for browsers beside them`, async () => {
    const built = readFileSync(path.join(build, name));
    const plain = await get(`/static/${name}`);
    assert.equal(plain.headers['content-type'], 'application/wasm');
    assert.ok(plain.bytes.equals(built));
    const short = await get(`/static/${name}`, { 'Accept-Encoding': 'gzip' });
    assert.equal(short.headers['content-encoding'], 'gzip');
    assert.ok(gunzipSync(short.bytes).equals(built));
    assert.notEqual(short.headers.etag, plain.headers.etag);
    assert.equal((await get(`/static/${name}`, { 'If-None-Match': plain.headers.etag })).status, 304);
  });

  it('that are not there are not found, nor is anything beside them', async () => {
    for (const path of ['/static/none.html', '/static/.gitignore', '/static/boards', '/static/boards/none.js',
      `/static/${'b'.repeat(60)}/${'c'.repeat(60)}`, '/events/x', '/static', '/index.html', '/favicon.ico']) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      checkCommonHeaders(answer.headers);
    }
  });

  it('of what is not there say so, as pages', async () => {
    for (const path of [`/events/${someId}`, `/players/${someId}`, `/events/${someId}/rounds/1`, `/events/${event.id}/rounds/99`, `/events/${someId}/embed`, `/events/${someId}/hall`, `/events/${someId}/statistics`, '/games/nothing/statistics']) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers['content-type'], types.html);
      assert.match(answer.text, /<h1>There is nothing here<\/h1>/);
      checkCommonHeaders(answer.headers);
    }
    const { status, text } = await get('/leaderboard?scope=nothing');
    assert.equal(status, 400);
    assert.match(text, /<h1>This cannot be shown<\/h1>/);
  });
});

describe('pages with what they show', () => {
  const addresses = () => [`/players/${players[0].id}/card`, '/', '/leaderboard', `/seasons/${season.id}`, '/games/shinjuku', '/games/supermarche', `/events/${event.id}`, `/events/${event.id}/audit`, `/events/${event.id}/rounds/1`, `/events/${event.id}/embed`, `/games/${round.games[0].id}`, `/players/${players[0].id}`,
    `/events/${event.id}/hall`, `/events/${event.id}/statistics`, '/games/shinjuku/statistics'];

  it('have it in their shell, with a title and a description', async () => {
    for (const address of addresses()) {
      const answer = await get(address);
      assert.equal(answer.status, 200, address);
      assert.equal(answer.headers['content-type'], types.html);
      assert.equal(answer.headers['cache-control'], 'no-cache');
      checkCommonHeaders(answer.headers, { framed: address.endsWith('/embed') });
      assert.match(answer.text, /<main id="main" data-plain>\n<h1>/);
      assert.match(answer.text, /<meta name="description" content="[^"<>]{10,}">/);
      for (const property of ['og:title', 'og:description', 'og:type', 'og:site_name']) assert.match(answer.text, new RegExp(`<meta property="${property}" content="[^"<>]+">`));
      assert.equal(answer.text.match(/<title/g).length, 1);
      assert.doesNotMatch(answer.text, /<noscript|<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|\(null\)/);
    }
  });

  it('have a picture for those who show a link to them, where the service knows its address', async () => {
    const pictures = (text) => [...text.matchAll(/<meta property="og:image" content="([^"]*)">/g)].map(([, address]) => address);
    assert.deepEqual(pictures((await get(`/events/${event.id}`)).text), []);
    const { client: named } = await bed.startService(['--site-address', 'https://club.example']);
    const usual = '/static/emblems/tillroll.png';
    for (const [address, picture] of [[`/events/${event.id}`, `/events/${event.id}/card.png`], [`/events/${event.id}/audit`, usual], ['/', usual],
      ['/games/supermarche', '/static/emblems/supermarche.png'], [`/games/${round.games[0].id}`, '/static/emblems/shinjuku.png'],
      [`/players/${players[0].id}`, `/players/${players[0].id}/card.png`], [`/players/${players[0].id}/card`, `/players/${players[0].id}/card.png`]]) {
      const { text } = await named.get(address, { unchecked: true });
      assert.deepEqual(pictures(text), [`https://club.example${picture}`]);
      assert.ok(text.includes(`<meta property="og:url" content="https://club.example${address}">`));
      assert.match(text, /<meta property="og:image:alt" content="[^"<>]{10,}">/);
      assert.match(text, /<meta name="twitter:image:alt" content="[^"<>]{10,}">/);
      assert.deepEqual(sizeOf(await get(picture)), [200, 'image/png', 1200, 630]);
    }
    for (const address of [`/events/${event.id}`, `/players/${players[0].id}`, `/players/${players[0].id}/card`]) { // shared by somebody who reads German
      const [picture] = pictures((await named.get(`${address}?language=de`, { unchecked: true })).text);
      assert.match(picture, /^https:\/\/club\.example\/.*\/card\.png\?language=de$/);
      const [plain, german, other] = await Promise.all(['', '?language=de', '?language=x'].map((query) => get(new URL(picture).pathname + query)));
      assert.deepEqual(sizeOf(german), [200, 'image/png', 1200, 630]);
      assert.ok(!german.bytes.equals(plain.bytes) && other.bytes.equals(plain.bytes), address);
    }
    assert.equal(scan((await named.get(`/players/${players[0].id}/code.svg`, { unchecked: true })).text), `https://club.example/players/${players[0].id}`);
  });

  it('have the numbers of statistics, and tell alone players apart from several', async () => {
    const statistics = (await get(`/events/${event.id}/statistics`)).text;
    assert.match(statistics, new RegExp(`<h1>Statistics</h1>\n<p class="about"><a href="/events/${event.id}">`));
    assert.match(statistics, /<h2>Scores at the tables<\/h2>\n<p>No table has a score yet\.<\/p>\n<h2>Seat advantage<\/h2>/);
    assert.match((await get(`/events/${event.id}/hall`)).text, /<body class="hall"/);
    assert.match((await get('/')).text, />Supermarché<\/a><p>1 player<\/p>/);
  });

  it('escape what people have written', async () => {
    const { text } = await get(`/events/${event.id}`);
    const escaped = 'A &quot;first&quot; &lt;event&gt; &amp; more';
    assert.ok(text.includes(`<h1><bdi>${escaped}</bdi></h1>`));
    assert.ok(text.includes(`<title>\u2068${escaped}\u2069 - Tillroll</title>`));
    assert.ok(!text.includes('<event>'));
  });

  it('are the same bytes for everybody, whatever is asked beside', async () => {
    for (const address of addresses()) {
      const expected = await get(address);
      for (const headers of [{ Authorization: `Bearer ${players[0].token}` }, { Authorization: 'Bearer nonsense' },
        { Cookie: `__Host-tillroll=${players[0].token}` }, { Cookie: `__Host-tillroll=tr_${'0'.repeat(64)}` }]) {
        const answer = await get(address, headers);
        assert.equal(answer.status, 200);
        assert.equal(answer.text, expected.text, address);
        assert.equal(answer.headers['set-cookie'], undefined);
      }
      assert.equal((await get(`${address}?nothing=of&the=kind`)).text, expected.text, address);
    }
  });

  it('have an entity tag, in gzip as well, that changes with what they show', async () => {
    const address = `/events/${event.id}/rounds/1`;
    const plain = await get(address);
    const packed = await get(address, { 'Accept-Encoding': 'gzip' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.text, plain.text);
    assert.equal((await get(address, { 'If-None-Match': packed.headers.etag, 'Accept-Encoding': 'gzip' })).status, 304);
    assert.match(plain.text, /0 of 1 finished.*<td>playing<\/td>/s);
    for (const game of round.games) await endQuietly(client, game, organizer);
    const changed = await get(address, { 'If-None-Match': plain.headers.etag });
    assert.equal(changed.status, 200);
    assert.match(changed.text, /1 of 1 finished/);
    assert.doesNotMatch(changed.text, /<td>playing<\/td>/);
    const over = (await get(`/games/${round.games[0].id}`)).text;
    assert.match(over, /proved by replay/);
    const { seats } = good(await client.get(`/v1/games/${round.games[0].id}`));
    const inOrder = [1, 2, 3, 4, 5].flatMap((rank) => seats.filter((seat) => seat.rank === rank)).map(({ player, score }) => `${player.name} ${score}`).join(', ');
    assert.ok(over.includes(`<meta property="og:description" content="Result: ${inOrder}.">`), inOrder);
  });

  it('of who organizes name the events', async () => {
    const [, list] = (await get(`/players/${organizer.id}`)).text.split('<h2>Organizes</h2>');
    assert.ok(list.includes(`<a href="/events/${event.id}"><bdi>A &quot;first&quot; &lt;event&gt; &amp; more</bdi></a> (Shinjuku, `), list);
    assert.ok(!(await get(`/players/${players[0].id}`)).text.includes('Organizes'));
  });

  it('follow a new name', async () => {
    const address = `/players/${players[1].id}`;
    await get(address);
    good(await client.request('PATCH', '/v1/me', { json: { name: 'Another <name>' }, token: players[1].token }));
    assert.match((await get(address)).text, /<h1><bdi>Another &lt;name&gt;<\/bdi><\/h1>/);
  });

  it('say of a game that nobody may see what they say of none', async () => {
    const four = await makePlayers(client, 4, 'Hidden');
    const boards = await makeDuplicate(client, organizer, four, { boards: 2 });
    const { games } = good(await client.post(`/v1/events/${boards.id}/rounds`, {}, organizer.token));
    const [hidden, none] = [await get(`/games/${games[0].id}`), await get(`/games/${someId}`)];
    assert.equal(hidden.status, 200);
    assert.equal(hidden.text, none.text);
    assert.equal(hidden.headers.etag, undefined);
    const tables = (await get(`/events/${boards.id}/rounds/1`)).text;
    assert.ok(!tables.includes(games[0].id));
  });

  it('go on with the list that the address names', async () => {
    const all = good(await client.get('/v1/games?limit=1'));
    const older = (await get(`/?games=${all.next}`)).text;
    assert.ok(!older.includes(all.items[0].id));
    assert.equal((await get('/?games=nonsense')).status, 400);
    assert.equal((await get(`/?games=${'a'.repeat(900)}`)).status, 400);
  });
});

describe('pictures of events and players', () => {
  const pngOf = (name) => Buffer.from([0x89, ...Buffer.from(name)]);

  it('are the same bytes for everybody, with a tag, and without a body where that is known', async () => {
    for (const address of [`/events/${event.id}/card.png`, `/players/${players[0].id}/card.png`]) {
      const first = await get(address);
      assert.deepEqual(sizeOf(first), [200, 'image/png', 1200, 630]);
      assert.ok(first.bytes.subarray(0, 4).equals(pngOf('PNG')));
      assert.equal(first.headers['cache-control'], 'no-cache');
      checkCommonHeaders(first.headers);
      for (const headers of [{ Authorization: `Bearer ${organizer.token}` }, { Authorization: 'Bearer nonsense' }, { Cookie: `__Host-tillroll=${players[0].token}` }])
        assert.ok((await get(address, headers)).bytes.equals(first.bytes));
      const again = await get(address, { 'If-None-Match': first.headers.etag });
      assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    }
  });

  it('are codes to scan as well: the address of a player where the service was asked, unless it has a public one', async () => {
    const answer = await get(`/players/${players[0].id}/code.svg`);
    assert.deepEqual([answer.status, answer.headers['content-type'], answer.headers['cache-control']], [200, 'image/svg+xml', 'no-cache']);
    assert.equal(scan(answer.text), `http://127.0.0.1:${client.port}/players/${players[0].id}`);
    assert.equal((await get('/players/-/code.svg')).status, 404);
  });

  it('change with what they show', async () => {
    const player = await makePlayer(client, 'Before');
    const address = `/players/${player.id}/card.png`;
    const first = await get(address);
    good(await client.request('PATCH', '/v1/me', { json: { name: '\u05d0\u05d1\u05d2'.repeat(8) }, token: player.token }));
    const changed = await get(address, { 'If-None-Match': first.headers.etag });
    assert.deepEqual(sizeOf(changed), [200, 'image/png', 1200, 630]);
    assert.ok(!changed.bytes.equals(first.bytes));
    const { id } = await makeEvent(client, organizer, await makePlayers(client, 4), { name: `Club \u{1f3b2} ${'W'.repeat(60)}`, seats_min: 4 });
    const before = await get(`/events/${id}/card.png`);
    good(await client.post(`/v1/events/${id}/cancel`, { reason: 'Ill' }, organizer.token));
    assert.ok(!(await get(`/events/${id}/card.png`)).bytes.equals(before.bytes));
  });

  it('are not there for what is not there', async () => {
    for (const [address, code] of [[`/events/${someId}/card.png`, 'not-found'], [`/players/${someId}/card.png`, 'not-found'], ['/events/x/card.png', 'not-an-id'],
      ['/players/-/card.png', 'not-an-id'], [`/players/${event.id}/card.png`, 'not-found'], [`/events/${players[0].id}/card.png`, 'not-found']]) {
      const answer = await get(address);
      assert.deepEqual([answer.status, JSON.parse(answer.text).code], [404, code], address);
    }
    assert.equal((await client.post(`/events/${event.id}/card.png`, {})).status, 405);
  });

  it('tell nothing of games that nobody may see yet', async () => {
    const four = await makePlayers(client, 4, 'Unseen');
    const boards = await makeDuplicate(client, organizer, four, { boards: 2 });
    const address = `/events/${boards.id}/card.png`;
    const { games } = good(await client.post(`/v1/events/${boards.id}/rounds`, {}, organizer.token));
    const [begun, player] = [await get(address), await get(`/players/${four[0].id}/card.png`)];
    await endQuietly(client, { at: `/v1/games/${games[0].id}`, players: four }, organizer);
    assert.ok(good(await client.get(`/v1/events/${boards.id}/rounds/1`)).games.some((game) => game.state === 'finished'));
    assert.ok((await get(address)).bytes.equals(begun.bytes));
    assert.ok((await get(`/players/${four[0].id}/card.png`)).bytes.equals(player.bytes));
  });

  it('are bounded in what strangers may have drawn together', async () => {
    const { client: strict } = await bed.startService(['--reports-ms-per-minute', '1', '--answer-cache-bytes', '0']);
    const ask = async () => (await strict.get(`/events/${event.id}/card.png`, { unchecked: true })).status;
    assert.deepEqual([await ask(), await ask()], [200, 429]);
    assert.equal((await strict.get(`/events/${event.id}`, { unchecked: true })).status, 200);
  });
});

describe('an address with a slash at its end', () => {
  it('leads to the page without it, and is refused in the API', async () => {
    const page = await client.get('/docs/', { unchecked: true });
    assert.deepEqual([page.status, page.headers.location, page.text], [308, '/docs', '']);
    for (const [method, path] of [['GET', '/v1/games/'], ['POST', '/docs/'], ['GET', '/docs//'], ['GET', '//club.example/']]) {
      const answer = await client.request(method, path, { unchecked: true });
      assert.equal(`${answer.status} ${answer.headers.location}`, '400 undefined', `${method} ${path}`);
      assert.match(answer.json.detail, /must not end with `\/`/);
    }
  });
});

describe('while the database is away', () => {
  it('pages are shells whose scripts go on trying', async () => {
    const { client: other } = await bed.startService(['--answer-cache-bytes', '0']);
    bed.cluster.stop();
    const answer = await other.get('/', { unchecked: true });
    assert.equal(answer.status, 503);
    assert.match(answer.text, /<h1>This cannot be shown<\/h1>.*<script|<script.*<h1>This cannot be shown<\/h1>/s);
    assert.match(answer.text, /src="\/static\/~\w+\/pages\/home.js"/);
  });
});
