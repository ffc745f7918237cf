// `tillroll archive`: records of finished games in files. Whoever asks gets the same bytes as before; a
// file that is missing, or is another, is said to be, and never covered up.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, play, playBriefly, playRandomly, Random } from '../support/play.mjs';
import { playSigned, register } from '../support/signing.mjs';
import { Stream } from '../support/stream.mjs';
import { build, Testbed } from '../support/testbed.mjs';
import { within } from '../support/waiting.mjs';

const random = new Random('archive');
let bed;
let service; // that keeps no answers
let client;
let organizer;
let players;
let game;
let lines; // of its record
let header; // those that are not numbered
let running;
let first; // the two directories
let second;

const fileOf = (directory, { id }) => path.join(directory, id.slice(-3), `${id}.roll`);
const owner = (statements) => asOwner(bed.cluster, statements);
const stored = ({ id }) => Number(owner(`SELECT count(*) FROM tillroll.record_line WHERE game_id = '${id}'`));
const checkConfiguration = (changes) => spawnSync(path.join(build, 'tillrolld'), ['--check-config'], {
  encoding: 'utf8', env: { ...bed.settings, TILLROLL_PAGES: 'web-static', ...changes },
});
const archive = (...words) => bed.tillroll('archive', ...words);
const audit = (...words) => bed.tillroll('audit', ...words);

// Everything that is made from the record, as bytes.
const routes = () => [
  `${game.at}`, `${game.at}/record`, `${game.at}/record.bundle`, `${game.at}/verification`, `${game.at}/view`, `${game.at}/view?seq=7`,
  `${game.at}/events`, `${game.at}/signatures`, `/v1/events/${game.event.id}/bundle`, `/games/${game.id}`, `/games/${game.id}?ply=7`,
];
async function everything(from = client) {
  const all = {};
  for (const route of routes()) {
    const answer = await from.get(route, { unchecked: !route.startsWith('/v1') });
    assert.equal(answer.status, 200, `${route}: ${answer.text}`);
    all[route] = answer.text;
  }
  return all;
}

// Ten signed moves, and the rest of the game without.
async function playPartlySigned(played) {
  for (let i = 0; i < 10; i++) {
    const { deciders } = good(await client.get(played.at));
    const legal = await legalMoves(client, played, deciders[0]);
    good(await playSigned(client, played, deciders[0], random.pick(legal.moves), { legal }));
  }
  await playBriefly(client, played, random);
}

before(async () => {
  bed = new Testbed();
  first = path.join(bed.directory, 'archive');
  second = path.join(bed.directory, 'elsewhere');
  for (const each of [first, second]) mkdirSync(each);
  service = await bed.startService(['--answer-cache-bytes', '0', '--live-megabytes', '1'], { TILLROLL_ARCHIVE: first });
  ({ client } = service);
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
  for (const player of players) await register(client, player);
  const made = await makeGame(client, organizer, players);
  game = { ...made.game, event: made.event };
  await playPartlySigned(game);
  const open = await makeGame(client, organizer, players);
  running = { ...open.game, event: open.event };
  await playRandomly(client, running, random, { plies: 12 });
  lines = (await client.get(`${game.at}/record`)).text.trimEnd().split('\n');
  header = lines.slice(0, lines.findIndex((line) => line.startsWith('1 ')));
});
after(() => bed.end());

describe('a finished game', () => {
  it('stays where it is while its event is open, or has not been over for long', () => {
    assert.equal(archive('--days', '0', first).stdout, '0 records moved, 0 left\n');
  });

  it('is moved to files that prove themselves, and reads as before', async () => {
    good(await client.post(`/v1/events/${game.event.id}/close`, {}, organizer.token));
    await bed.logged();
    const unmoved = await everything();
    assert.equal(archive(first).stdout, '0 records moved, 0 left\n');
    const count = stored(game);
    const moved = archive('--days', '0', first, second);
    assert.deepEqual([moved.status, moved.stdout, moved.stderr], [0, '1 records moved, 0 left\n', '']);
    assert.ok(count > 20);
    assert.equal(stored(game), 1);
    for (const each of [first, second]) {
      const file = fileOf(each, game);
      assert.equal(statSync(file).mode & 0o777, 0o644);
      assert.equal(readFileSync(file, 'utf8'), unmoved[`${game.at}/record`]);
      assert.equal(bed.verify(readFileSync(file)).status, 0);
      assert.deepEqual(readdirSync(path.dirname(file)), [path.basename(file)]);
    }
    assert.deepEqual(await everything(), unmoved);
    const fresh = await bed.startService([], { TILLROLL_ARCHIVE: second });
    // First, as what is at hand later does not come from the file.
    assert.equal((await play(fresh.client, game, 0, ['end'])).json.code, 'game-over');
    assert.deepEqual(await everything(fresh.client), unmoved);
    await fresh.end();
  });

  it('is moved once', () => {
    assert.equal(archive('--days', '0', first, second).stdout, '0 records moved, 0 left\n');
  });

  it('is told from its file to who follows it', async () => {
    const stream = await Stream.open(client, `${game.at}/stream`);
    await within(20, 'the end of the stream', stream.ended());
    assert.equal(stream.messages.filter(({ id }) => id !== null).length, lines.length - header.length);
  });

  it('can be disputed, with the position before the disputed entry', async () => {
    const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'rules', entry: 5, text: 'That was too cheap.' }, players[0].token));
    const position = good(await client.get(`/v1/disputes/${dispute.id}/position`, { token: organizer.token }));
    assert.deepEqual([position.seq, position.seats.length], [4, 3]);
  });

  it('is audited', () => {
    const all = audit('--archive', first);
    assert.equal(all.status, 0, all.stdout + all.stderr);
    assert.match(all.stdout, /^all +1 +1 +\d+ +0$/m);
  });

  it('lets others be played meanwhile', async () => {
    await playRandomly(client, running, random, { plies: 6 });
  });
});

describe('a file that is not what was archived', () => {
  let file;
  before(() => { file = fileOf(first, game); });

  const broken = async () => {
    for (const route of [`${game.at}/record`, `${game.at}/record.bundle`, `${game.at}/events`, `/v1/events/${game.event.id}/bundle`]) {
      const answer = await client.get(route);
      assert.deepEqual([answer.status, answer.json?.code], [503, 'archived-record-missing'], route);
    }
    const fresh = await bed.startService(['--answer-cache-bytes', '0'], { TILLROLL_ARCHIVE: first });
    for (const route of [`${game.at}/view`, `${game.at}/verification`])
      assert.equal((await fresh.client.get(route)).json.code, 'archived-record-missing', route);
    await fresh.end();
    const found = audit('--archive', first);
    assert.equal(found.status, 1);
    assert.match(found.stdout, new RegExp(`^${game.id}: invalid: archived-record-missing: `, 'm'));
    assert.equal(audit('--archive', second).status, 0);
  };

  it('is noticed when it is gone', async () => {
    renameSync(file, `${file}.away`);
    await broken();
    renameSync(`${file}.away`, file);
  });

  it('is noticed when a byte is another', async () => {
    const bytes = readFileSync(file);
    const changed = Buffer.from(bytes);
    changed[changed.length >> 1] ^= 1;
    writeFileSync(file, changed);
    await broken();
    writeFileSync(file, bytes.subarray(0, bytes.length - 1));
    await broken();
    writeFileSync(file, bytes);
  });

  it('is noticed when it is a good record of another game', async () => {
    const bytes = readFileSync(file);
    writeFileSync(file, (await client.get(`${running.at}/record`, { token: organizer.token })).bytes);
    await broken();
    writeFileSync(file, bytes);
    assert.equal((await client.get(`${game.at}/record`)).text, `${lines.join('\n')}\n`);
  });

  it('cannot be covered up in the database', () => {
    const line = owner(`SELECT seq FROM tillroll.record_line WHERE game_id = '${game.id}'`);
    owner(`ALTER TABLE tillroll.record_line DISABLE TRIGGER append_only;
      UPDATE tillroll.record_line SET hash = set_byte(hash, 3, get_byte(hash, 3) # 1) WHERE game_id = '${game.id}' AND seq = ${line};
      ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER append_only`);
    const found = audit('--archive', first);
    assert.equal(found.status, 1);
    assert.match(found.stdout, new RegExp(`^${game.id}: invalid: line ${lines.length}: wrong-hash`, 'm'));
    owner(`ALTER TABLE tillroll.record_line DISABLE TRIGGER append_only;
      UPDATE tillroll.record_line SET hash = set_byte(hash, 3, get_byte(hash, 3) # 1) WHERE game_id = '${game.id}' AND seq = ${line};
      ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER append_only`);
    assert.equal(audit('--archive', first).status, 0);
  });

  it('is asked for by the configuration', () => {
    const checked = checkConfiguration;
    assert.match(checked({}).stderr, /archived records: name their directory/);
    assert.match(checked({ TILLROLL_ARCHIVE: '/nowhere' }).stderr, /\/nowhere: not a directory/);
    assert.equal(checked({ TILLROLL_ARCHIVE: first }).status, 0);
  });
});

describe('the database', () => {
  let other; // finished, in a closed event

  before(async () => {
    const made = await makeGame(client, organizer, players);
    other = { ...made.game, event: made.event };
    await playPartlySigned(other);
    good(await client.post(`/v1/events/${other.event.id}/close`, {}, organizer.token));
  });

  const refuses = (statements, code) => assert.throws(() => owner(statements), code);
  const archived = (id, rows, hash) => `INSERT INTO tillroll.archived_record (game_id, rows, hash) VALUES ('${id}', ${rows}, ${hash})`;
  const hashOf = (id) => `(SELECT sha256(convert_to(string_agg(line, E'\\n' ORDER BY seq) || E'\\n', 'UTF8')) FROM tillroll.record_line WHERE game_id = '${id}')`;

  it('lets no line go that was not archived, nor the last one of those that were', () => {
    refuses(`DELETE FROM tillroll.record_line WHERE game_id = '${other.id}'`, /only grows/);
    refuses(`DELETE FROM tillroll.record_line WHERE game_id = '${game.id}'`, /only grows/);
  });

  it('takes no other hash, number of rows or running game', () => {
    const rows = stored(other);
    refuses(archived(other.id, rows, "sha256('x')"), /not the record of a finished game/);
    refuses(archived(other.id, rows - 1, hashOf(other.id)), /not the record of a finished game/);
    refuses(archived(running.id, stored(running), hashOf(running.id)), /not the record of a finished game/);
    refuses("UPDATE tillroll.archived_record SET hash = sha256('x')", /only grows/);
    refuses('DELETE FROM tillroll.archived_record', /only grows/);
  });

  it('lets no record begin anew that is in a file', () => {
    const text = `'${header.join('\n').replaceAll("'", "''")}'`;
    refuses(`SET tillroll.line_database = '0 of ${bed.lines.service.length}'; INSERT INTO tillroll.record_line VALUES ('${game.id}', 0, ${text}, tillroll.record_header_chain(${text}))`, /does not continue its record/);
  });

  it('lets nobody archive who only serves', () => {
    const count = stored(other);
    const tried = archive('--database', bed.cluster.serviceUrl, '--days', '0', first);
    assert.equal(tried.status, 1);
    assert.match(tried.stderr, /permission denied/);
    assert.equal(stored(other), count);
  });

  it('keeps the lines if a directory does not take the file', () => {
    const count = stored(other);
    const failed = archive('--days', '0', first, '/nowhere');
    assert.equal(failed.status, 1);
    assert.match(failed.stderr, /\/nowhere\/.*: No such file/);
    assert.equal(failed.stdout, '0 records moved, 1 left\n');
    assert.equal(stored(other), count);
    assert.ok(existsSync(fileOf(first, other)));
    assert.equal(archive('--days', '0', '--games', '1', first, second).stdout, '1 records moved, 0 left\n');
    assert.equal(stored(other), 1);
    assert.equal(audit('--archive', second).status, 0);
  });

  it('takes further moves of games that run', async () => {
    const { deciders } = good(await client.get(running.at));
    const legal = await legalMoves(client, running, deciders[0]);
    good(await play(client, running, deciders[0], [legal.moves[0]], legal.seq));
  });
});
