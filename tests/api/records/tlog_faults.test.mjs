// The transparency log when things go wrong: services that are killed in the middle, a database that
// has lost something, and what somebody has changed who can do everything.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { daily, isLong, notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { asOwner, writeLines } from '../support/damage.mjs';
import { endQuietly, makeGame, makePlayer, makePlayers } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { isConsistent, leafHash, openCheckpoint, readVkey, rootOf } from '../support/tlog.mjs';
import { until } from '../support/waiting.mjs';

const quick = ['--log-interval-ms', '10', '--log-origin', 'club.example/log'];
let bed;
let service;
let key;
let vkey;
let organizer;
let players;
const seen = []; // checkpoints, as they were published

before(async () => {
  bed = new Testbed();
  service = await bed.startService(quick);
  vkey = good(await service.client.get('/v1/keys')).keys[0].vkey;
  key = readVkey(vkey);
  organizer = await makePlayer(service.client, 'Organizer');
  players = await makePlayers(service.client, 3);
});
after(() => bed.end());

const sql = (statements) => bed.cluster.sql(`SET ROLE tillroll_owner; ${statements}`);
const waiting = () => Number(sql('SELECT count(*) FROM tillroll.log_queue'));
const entries = () => JSON.parse(sql('SELECT coalesce(json_agg(entry ORDER BY index), \'[]\') FROM tillroll.log_leaf'));

// The newest checkpoint; it is of all leaves there are in the database, and continues all before.
async function look(client = service.client) {
  const newest = openCheckpoint((await client.get('/v1/log/checkpoint')).text, key);
  const leaves = entries().map((entry) => leafHash(entry));
  assert.ok(newest.root.equals(rootOf(leaves.slice(0, newest.size))));
  for (const each of seen) {
    assert.ok(each.size <= newest.size);
    const proof = good(await client.get(`/v1/log/consistency?from=${each.size}&to=${newest.size}`));
    assert.ok(isConsistent(each.size, each.root, newest.size, newest.root, proof.path));
  }
  seen.push(newest);
  return newest;
}

async function settled(client = service.client) {
  await until(60, 'nothing waits for the log', () => waiting() === 0);
  return look(client);
}

async function endGame(client = service.client) {
  const { game } = await makeGame(client, organizer, players);
  await endQuietly(client, game, organizer);
  return game;
}

const assertLogged = (games) => {
  const all = entries();
  assert.equal(new Set(all).size, all.length, 'each leaf once');
  for (const game of games) assert.equal(all.filter((entry) => entry.startsWith(`tillroll game\n${game.id}\n`)).length, 1, game.id);
};

// Holds a lock of the database until it is ended.
async function holdLock(number) {
  const session = spawn('psql', ['-X', '-q', '-A', '-t', '-d', bed.cluster.migratorUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
  session.stdin.write(`SELECT 'held', pg_advisory_lock(${number});\n`);
  await once(session.stdout, 'data');
  return async () => {
    session.stdin.end();
    await once(session, 'exit');
  };
}

describe('a service that is killed', () => {
  // Its transaction stands still at each of its steps.
  for (const step of ['INSERT ON tillroll.log_leaf', 'DELETE ON tillroll.log_queue', 'INSERT ON tillroll.log_checkpoint'])
    it(`at its ${step}, has published nothing, and the next one does`, async () => {
      const before = await settled();
      sql(`CREATE FUNCTION tillroll.stand_still() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END';
        GRANT EXECUTE ON FUNCTION tillroll.stand_still() TO tillroll_service;
        CREATE TRIGGER stand_still AFTER ${step} EXECUTE FUNCTION tillroll.stand_still()`);
      const release = await holdLock(77);
      const game = await endGame();
      await until(60, 'the sequencer stands still', () => Number(sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted")) === 1);
      await service.end('SIGKILL');
      assert.ok(waiting() > 0);
      assert.equal(entries().length, before.size);
      const other = await bed.startService(quick);
      assert.deepEqual((await look(other.client)).note, before.note);
      await release();
      sql('DROP FUNCTION tillroll.stand_still() CASCADE');
      service = other;
      await settled();
      assertLogged([game]);
    });

  it('again and again while games end beside another, loses and repeats nothing', async () => {
    const games = [];
    const other = await bed.startService(quick);
    for (let round = 0; round < (isLong ? 4 : 2); round++) {
      const third = await bed.startService(quick);
      games.push(await endGame(other.client), await endGame(third.client));
      const going = Promise.all([1, 2].map(() => endGame(other.client)));
      await third.end('SIGKILL');
      games.push(...(await going));
      await look(other.client);
    }
    await settled(other.client);
    assertLogged(games);
    await other.end();
  });

  it('finds its log again when it is started again', async () => {
    const before = await settled();
    await service.end();
    service = await bed.startService(quick);
    assert.equal((await look()).note, before.note);
    await endGame();
    assert.ok((await settled()).size > before.size);
  });
});

describe('an audit of the log', () => {
  const audit = (...options) => {
    const { status, stdout, stderr } = bed.tillroll('audit', ...options);
    const lines = stdout.split('\n').filter((line) => line.startsWith('log: '));
    return { status, stderr, lines, faults: lines.map((line) => /^log: invalid: ([a-z-]+): /.exec(line)?.[1]).filter(Boolean) };
  };
  const keep = (note) => {
    const file = path.join(bed.directory, 'kept');
    writeFileSync(file, note);
    return ['--checkpoint', file];
  };
  const triggers = {
    log_leaf: ['append_only', 'log_leaves_added'], log_node: ['append_only'], log_checkpoint: ['append_only', 'log_checkpoint_added'],
    log_document: ['append_only'], event_step: ['append_only', 'event_steps_added', 'event_step_queued'],
  };
  const unguarded = (table, statements) => {
    const each = (change) => triggers[table].map((trigger) => `ALTER TABLE tillroll.${table} ${change} TRIGGER ${trigger};`).join(' ');
    asOwner(bed.cluster, `${each('DISABLE')} ${statements}; ${each('ENABLE ALWAYS')}`);
  };
  // Nobody signs anything meanwhile. What was there is put back.
  const damaged = (table, statements, look) => {
    asOwner(bed.cluster, `CREATE TABLE tillroll.kept_${table} AS SELECT * FROM tillroll.${table}`);
    try {
      unguarded(table, statements);
      look();
    } finally {
      unguarded(table, `DELETE FROM tillroll.${table}; INSERT INTO tillroll.${table} SELECT * FROM tillroll.kept_${table} ORDER BY 1, 2; DROP TABLE tillroll.kept_${table}`);
    }
  };
  const sound = () => assert.deepEqual(audit().faults, []);
  let last;
  let game;
  let event; // with a ruling and a ruling that was revoked; closed

  before(async () => {
    const { event: ruled, game: table } = await makeGame(service.client, organizer, players);
    event = ruled.id;
    await endQuietly(service.client, table, organizer);
    const at = `/v1/events/${event}/rounds/1/tables/1/ruling`;
    good(await service.client.request('PUT', at, { token: organizer.token, json: { no_show: players.slice(1).map((player) => player.id), reason: 'Did not come.' } }));
    good(await service.client.request('DELETE', at, { token: organizer.token, json: { reason: 'They did.' } }));
    good(await service.client.post(`/v1/events/${event}/close`, {}, organizer.token));
    // More than a tile.
    for (let i = 0; i < 300; i++) good(await service.client.post('/v1/events', { name: 'An event', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    game = await endGame();
    last = await settled();
    await service.end();
  });

  it('says that all is well', () => {
    const { status, lines } = audit('--log-key', vkey);
    assert.equal(status, 0, lines.join('\n'));
    assert.deepEqual(lines, [`log: ${last.size} leaves, nothing wrong`]);
  });

  it('accepts every checkpoint that was published', () => {
    for (const each of daily(seen, 12)) {
      const { status, lines } = audit('--log-key', vkey, ...keep(each.note));
      assert.equal(status, 0);
      assert.deepEqual(lines, [`log: ${last.size} leaves, nothing wrong, continues the kept checkpoint`]);
    }
  });

  it('does not believe a checkpoint that is none, or not signed', () => {
    for (const note of ['nothing', last.note.replace(`\n${last.size}\n`, `\n${last.size + 1}\n`)]) assert.equal(audit('--log-key', vkey, ...keep(note)).status, 2);
    assert.equal(audit('--checkpoint', '/nonexistent').status, 2);
    assert.equal(audit('--log-key', 'no key').status, 2);
  });

  it('finds a leaf that was changed', () => {
    const change = `ALTER TABLE tillroll.log_leaf DROP CONSTRAINT log_leaf_hash_check; UPDATE tillroll.log_leaf SET entry = entry || 'x' WHERE index = 7`;
    damaged('log_leaf', change, () => {
      const { status, faults, lines } = audit();
      assert.equal(status, 1);
      assert.match(lines[0], /^log: invalid: wrong-leaf: leaf 7 /);
      assert.deepEqual(faults, ['wrong-leaf', 'wrong-root', 'wrong-tile']);
    });
    asOwner(bed.cluster, 'ALTER TABLE tillroll.log_leaf ADD CONSTRAINT log_leaf_hash_check CHECK (hash = tillroll.log_leaf_hash(entry))');
    sound();
  });

  it('finds a leaf that was changed with its hash, and between which checkpoints', { skip: notLong }, () => {
    // The last leaf is about the line of the game's result in its event, the one before it about the game.
    damaged('log_leaf', `UPDATE tillroll.log_leaf SET entry = entry || 'x', hash = tillroll.log_leaf_hash(entry || 'x') WHERE index = ${last.size - 2}`, () => {
      const { status, faults, lines } = audit();
      assert.equal(status, 1);
      assert.deepEqual(faults, ['wrong-root', 'not-in-log']);
      const [, from, to] = /leaves (\d+) to (\d+) do not match/.exec(lines[0]);
      assert.ok(Number(from) < last.size && Number(to) === last.size - 1);
    });
  });

  it('finds that the tail is lost', () => {
    damaged('log_leaf', `DELETE FROM tillroll.log_leaf WHERE index >= ${last.size - 2}`, () => {
      const { status, faults, lines } = audit();
      assert.equal(status, 1);
      assert.deepEqual(faults, ['lost-tail', 'not-in-log', 'not-in-log']); // the game, and the line of its result
      assert.match(lines[0], new RegExp(`a checkpoint of ${last.size} leaves was signed, but the log has only ${last.size - 2}$`));
    });
  });

  it('finds that the tail is lost with its checkpoints, by one that was kept', { skip: notLong }, () => {
    damaged('log_checkpoint', `DELETE FROM tillroll.log_checkpoint WHERE size >= 280`, () =>
      damaged('log_leaf', 'DELETE FROM tillroll.log_leaf WHERE index >= 280', () => {
        const kept = audit('--log-key', vkey, ...keep(last.note));
        assert.equal(kept.status, 1);
        assert.ok(kept.faults.includes('lost-tail'));
        assert.ok(kept.lines.some((line) => line.includes(`the kept checkpoint has ${last.size} leaves`)));
        assert.ok(!audit().faults.includes('lost-tail'));
      }));
  });

  it('finds a leaf that is missing, a hash of a tile, and a checkpoint that was changed', { skip: notLong }, () => {
    damaged('log_leaf', 'DELETE FROM tillroll.log_leaf WHERE index = 5', () => assert.match(audit().lines[0], /missing-leaf: leaf 5 is missing$/));
    damaged('log_node', 'UPDATE tillroll.log_node SET hash = sha256(hash)', () => assert.deepEqual([...new Set(audit().faults)], ['wrong-tile']));
    damaged('log_checkpoint', `UPDATE tillroll.log_checkpoint SET note = replace(note, 'club', 'clob') WHERE size = ${last.size}`, () => {
      assert.deepEqual(audit().faults, []);
      assert.deepEqual(audit('--log-key', vkey).faults, ['bad-checkpoint']);
    });
    damaged('log_checkpoint', `UPDATE tillroll.log_checkpoint SET root = sha256(root) WHERE size = ${last.size}`, () =>
      assert.deepEqual(audit().faults, ['bad-checkpoint', 'wrong-root']));
  });

  it('finds a record that was replaced as a whole', { skip: notLong }, () => {
    const where = `game_id = '${game.id}'`;
    const [seq, line] = sql(`SELECT seq, line FROM tillroll.record_line WHERE ${where} ORDER BY seq DESC LIMIT 1`).split('|');
    writeLines(bed.cluster, game.id, [[Number(seq), line.replace(/(?<=head )./, (digit) => (digit === '0' ? '1' : '0'))]]);
    const { status, lines } = audit();
    assert.equal(status, 1);
    assert.ok(lines.some((each) => new RegExp(`^log: invalid: other-head: leaf \\d+: the record of game ${game.id} has another head$`).test(each)));
    writeLines(bed.cluster, game.id, [[Number(seq), line]]);
    assert.equal(audit().status, 0);
  });

  it('finds a line of an event’s log that was changed, taken out or put in', () => {
    const [ruling] = sql(`SELECT seq FROM tillroll.event_step WHERE event_id = '${event}' AND kind = 'ruled'`).split('\n');
    const where = `event_id = '${event}'`;
    asOwner(bed.cluster, 'ALTER TABLE tillroll.event_change DROP CONSTRAINT event_change_event_id_step_fkey');
    const found = (statements, faults, first) =>
      damaged('event_step', statements, () => {
        const { status, lines, faults: named } = audit();
        assert.equal(status, 1);
        assert.deepEqual([...new Set(named)], faults);
        assert.match(lines[0], first);
      });
    const kinds = [
      [`UPDATE tillroll.event_step SET detail = replace(detail::text, 'not', 'now')::tillroll.event_detail WHERE ${where} AND seq = ${ruling}`,
        ['other-ruling', 'other-event-log', 'not-in-log'], new RegExp(`the ruling ${event}/line/${ruling} was changed$`)],
      [`UPDATE tillroll.event_step SET at = at + interval '1 millisecond' WHERE ${where} AND seq = 2`, ['other-event-log'], new RegExp(`event ${event}: line 2 was changed$`)],
      [`DELETE FROM tillroll.event_step WHERE ${where} AND seq > ${ruling}`, ['other-ruling', 'other-event-log'], /line\/\d+ was changed$/],
      [`INSERT INTO tillroll.event_step SELECT event_id, (SELECT max(seq) + 1 FROM tillroll.event_step WHERE ${where}), now(), actor_id, kind, detail FROM tillroll.event_step WHERE ${where} AND seq = ${ruling}`,
        ['not-in-log'], new RegExp(`the ruling in line \\d+ of event ${event} is not in the log in its stored form$`)],
    ];
    for (const kind of daily(kinds, 2)) found(...kind);
  });

  it('finds a document that was changed, and one that is gone', { skip: notLong }, () => {
    const kept = `hash IN (SELECT hash FROM tillroll.log_document ORDER BY octet_length(body) DESC LIMIT 1)`;
    damaged('log_document', `ALTER TABLE tillroll.log_document DROP CONSTRAINT log_document_check; UPDATE tillroll.log_document SET body = overlay(body placing CASE substr(body, 40, 1) WHEN '7' THEN '8' ELSE '7' END from 40) WHERE ${kept}`, () => {
      const { faults, lines } = audit();
      assert.deepEqual(faults, ['other-document']);
      assert.match(lines[0], /leaf \d+: the document was changed$/);
    });
    asOwner(bed.cluster, 'ALTER TABLE tillroll.log_document ADD CONSTRAINT log_document_check CHECK (hash = sha256(convert_to(body, \'UTF8\')))');
    damaged('log_document', `DELETE FROM tillroll.log_document WHERE ${kept}`, () => assert.deepEqual(audit().faults, ['missing-document']));
    sound();
  });
});

describe('a sequencer', () => {
  it('signs nothing more when the database has lost what was published', async () => {
    service = await bed.startService(quick);
    await endGame();
    const published = await settled();
    sql(`ALTER TABLE tillroll.log_checkpoint DISABLE TRIGGER append_only; ALTER TABLE tillroll.log_leaf DISABLE TRIGGER append_only;
      DELETE FROM tillroll.log_checkpoint WHERE size = ${published.size};
      DELETE FROM tillroll.log_leaf WHERE index >= (SELECT max(size) FROM tillroll.log_checkpoint);
      ALTER TABLE tillroll.log_checkpoint ENABLE ALWAYS TRIGGER append_only; ALTER TABLE tillroll.log_leaf ENABLE ALWAYS TRIGGER append_only`);
    const left = sql('SELECT max(size) FROM tillroll.log_checkpoint');
    await until(60, 'it says so', () => bed.written().includes('lost a published checkpoint'));
    await endGame();
    assert.ok(waiting() > 0);
    assert.equal(sql('SELECT max(size) FROM tillroll.log_checkpoint'), left);
  });
});
