// `tillroll audit`: every record of a database is verified, and what somebody has changed who can do
// everything is found and located. After each damage the rows are put back as they were, and each damage is the only fault that is found: so
// the next test would find what was not put back.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner, leavingOut, records, unlocked } from '../support/damage.mjs';
import { makeDuplicate, playHidden, seated } from '../support/duplicate.mjs';
import { legalMoves, makeEvent, makeGame, makePlayers, playBriefly, playRandomly, Random, told, untilTurn } from '../support/play.mjs';
import { bed, client, organizer, players, serve } from '../support/served.mjs';
import { playSigned, register } from '../support/signing.mjs';

const random = new Random('audit');
let game; // finished
let other; // finished
let running;
let lines; // of the finished game's record
let header; // how many of them
serve({ players: 3 }, async () => {
  ({ game } = await makeGame(client, organizer, players));
  await playBriefly(client, game, random);
  ({ game: other } = await makeGame(client, organizer, players, { ruleset: 'superstore-3000' }));
  await playRandomly(client, other, random);
  const open = await makeGame(client, organizer, players);
  running = { ...open.game, event: open.event };
  await playRandomly(client, running, random, { plies: 20 });
  lines = (await client.get(`${game.at}/record`)).text.trimEnd().split('\n');
  header = lines.findIndex((line) => line.startsWith('1 '));
});

function audit(...options) {
  const { status, stdout, stderr } = bed.tillroll('audit', ...options);
  const [faults, table] = stdout.split(/^ +finished .*\n/m);
  return { status, stderr, faults: faults.split('\n').filter(Boolean), table };
}

// Keeps the rows of a table that fit, does damage, looks, and puts the rows back.
function damaged(table, where, damage, look) {
  asOwner(bed.cluster, `CREATE TABLE tillroll.kept AS SELECT * FROM ${table} WHERE ${where}`);
  try {
    unlocked(bed.cluster, table, damage);
    look();
  } finally {
    // The database checks the chain of what is put back, too.
    unlocked(bed.cluster, table, `DELETE FROM ${table} WHERE ${where}; INSERT INTO ${table} SELECT * FROM tillroll.kept ORDER BY 1, 2; DROP TABLE tillroll.kept`);
  }
}

function assertFound(id, fault) {
  const { status, faults } = audit();
  assert.equal(status, 1);
  assert.equal(faults.length, 1, faults.join('\n'));
  assert.ok(faults[0].startsWith(`${id}: invalid: ${fault}: `), faults[0]);
}

describe('a database in which nothing is wrong', () => {
  it('is said to be good, ruleset by ruleset', () => {
    const { status, faults, table } = audit();
    assert.equal(status, 0);
    assert.deepEqual(faults, []);
    assert.match(table, /^shinjuku 1\.0\.0 +1 +1 +\d+ +0$/m);
    assert.match(table, /^superstore-3000 1\.0\.0 +1 +0 +\d+ +0$/m);
    assert.match(table, /^all +2 +1 +\d+ +0$/m);
  });

  it('is counted the same by several workers', () => {
    const of = ({ table }) => /^all .*$/m.exec(table)[0];
    assert.equal(of(audit('--workers', '1')), of(audit()));
  });

  it('is looked at from a given time on', () => {
    const all = (since) => /^all .*$/m.exec(audit('--since', since).table)?.[0];
    assert.match(all('2020-01-01'), /^all +2 +1 /);
    assert.equal(all('2100-01-01T00:00:00Z'), undefined);
  });
});

describe('damage to the record of a finished game', () => {
  const rowsOf = (id, from = 0) => `game_id = '${id}' AND seq >= ${from}`;
  const lineOf = (seq) => header + seq; // counted from 1

  it('is found where a byte was changed', () => {
    const line = lines[header + 6];
    const change = `UPDATE ${records} SET line = overlay(line placing '${line[3] === '0' ? '1' : '0'}' from 4) WHERE game_id = '${game.id}' AND seq = 7`;
    damaged(records, rowsOf(game.id, 7), change, () => assertFound(game.id, `line ${lineOf(7)}: broken-chain`));
  });

  it('is found in the header', () => {
    const change = `UPDATE ${records} SET line = replace(line, 'round 1', 'round 2') WHERE game_id = '${game.id}' AND seq = 0`;
    damaged(records, rowsOf(game.id), change, () => assertFound(game.id, 'line 3: broken-chain'));
  });

  it('is found where a row was taken out of the middle', () => {
    damaged(records, rowsOf(game.id, 30), `DELETE FROM ${records} WHERE game_id = '${game.id}' AND seq = 30`, () =>
      assertFound(game.id, `line ${lineOf(30)}: missing-row`));
  });

  it('is found where rows were taken from the end', () => {
    for (const from of [lines.length - header, lines.length - header - 5, 10])
      damaged(records, rowsOf(game.id, from), `DELETE FROM ${records} WHERE ${rowsOf(game.id, from)}`, () => assertFound(game.id, 'cut-short'));
  });

  it('is found where all rows were taken', () => {
    damaged(records, rowsOf(game.id), `DELETE FROM ${records} WHERE ${rowsOf(game.id)}`, () => assertFound(game.id, 'no-record'));
  });

  it('is found where only the hash that is stored beside a line was changed', () => {
    const change = `UPDATE ${records} SET hash = set_byte(hash, 31, get_byte(hash, 31) # 1) WHERE game_id = '${game.id}' AND seq = 12`;
    damaged(records, rowsOf(game.id, 12), change, () => assertFound(game.id, `line ${lineOf(12)}: wrong-hash`));
  });

  it('is found where a result was changed', () => {
    const where = `game_id = '${other.id}'`;
    damaged('tillroll.game_result', where, `UPDATE tillroll.game_result SET score = score + 1 WHERE ${where} AND seat = 1`, () =>
      assertFound(other.id, 'wrong-result'));
    damaged('tillroll.game_result', where, `DELETE FROM tillroll.game_result WHERE ${where}`, () => assertFound(other.id, 'wrong-result'));
  });
});

describe('damage to the record of a running game', () => {
  it('is found in its chain', () => {
    const where = `game_id = '${running.id}' AND seq >= 5`;
    const change = `UPDATE ${records} SET line = replace(line, '5 ', '6 ') WHERE game_id = '${running.id}' AND seq = 5`;
    damaged(records, where, change, () => assertFound(running.id, `line ${header + 5}: broken-chain`));
  });

  it('is found when somebody calls it finished', () => {
    const call = (at) => asOwner(bed.cluster, `ALTER TABLE tillroll.game DISABLE TRIGGER game_check_update; UPDATE tillroll.game SET finished_at = ${at} WHERE id = '${running.id}'; ALTER TABLE tillroll.game ENABLE TRIGGER game_check_update`);
    call('now()');
    assertFound(running.id, 'cut-short');
    call('NULL');
  });
});

describe('a record and a game that do not belong together', () => {
  it('are found when their seats differ', () => {
    const swap = () => asOwner(bed.cluster, [[0, 4], [1, 0], [4, 1]].map(([from, to]) => `UPDATE tillroll.game_seat SET seat = ${to} WHERE game_id = '${running.id}' AND seat = ${from}`).join('; '));
    swap();
    assertFound(running.id, 'wrong-seats');
    swap();
    assert.equal(audit().status, 0);
  });
});

// What `tillroll audit` says of logs: the faults, and the line for all of them.
function auditOfLogs() {
  const { status, stdout } = bed.tillroll('audit');
  const lines = stdout.split('\n').filter((line) => /^(event|dispute|keys of|recording|logs:) /.test(line));
  return { status, faults: lines.slice(0, -1), summary: lines.at(-1) };
}

// Changes rows as a superuser, looks, and changes them back. `fault`: id, line and code.
function assertLocated(table, where, set, back, fault) {
  unlocked(bed.cluster, table, `UPDATE ${table} SET ${set} WHERE ${where}`);
  const { status, faults, summary } = auditOfLogs();
  unlocked(bed.cluster, table, `UPDATE ${table} SET ${back} WHERE ${where}`);
  assert.equal(status, 1);
  assert.equal(faults.length, 1, faults.join('\n'));
  assert.ok(faults[0].startsWith(`${fault}: `), faults[0]);
  assert.match(summary, /, 1 wrong$/);
}

describe('damage to the record of a scorer', () => {
  const rows = 'tillroll.recording_line';
  let id;
  let record;
  let first; // line of its first entry

  before(async () => {
    const event = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3, play: 'table' });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    ({ id } = good(await client.post(`/v1/events/${event.id}/rounds/1/tables/1/recordings`, { id: randomUUID() }, organizer.token)));
    ({ record } = good(await client.post(`/v1/recordings/${id}/entries`, { entries: told('shinjuku') }, organizer.token)));
    first = record.split('\n').findIndex((line) => line.startsWith('1 ')) + 1;
  });

  const found = (seq, set, back, fault) => assertLocated(rows, `recording_id = '${id}' AND seq = ${seq}`, set, back, `recording ${id}: invalid: ${fault}`);

  // The rows of a record that holds in itself, in which each entry was made later.
  function laterBy(ms) {
    const sha256 = (text) => createHash('sha256').update(text).digest('hex');
    let head = '';
    const marked = record.trimEnd().split('\n').map((line) => {
      const words = line.replace(/ #[0-9a-f]{8}$/, '').replace(/^(\d+ \S+) (\d+)/, (_, before, at) => `${before} ${Number(at) + ms}`);
      const text = words.startsWith('head ') ? `head ${head}` : words;
      head = sha256(head === '' ? `${text}\n` : `${head} ${text}\n`);
      return { line: `${text} #${head.slice(0, 8)}`, head };
    });
    const header = { line: marked.slice(0, first - 1).map(({ line }) => line).join('\n'), head: marked[first - 2].head };
    return [header, ...marked.slice(first - 1)].map(({ line, head: hash }, seq) => `('${id}', ${seq}, '${line}', '\\x${hash}')`).join(', ');
  }

  it('is found at the line in which a byte was changed', () => {
    found(3, `line = replace(line, ' bind ', ' binD ')`, `line = replace(line, ' binD ', ' bind ')`, `line ${first + 2}: broken-chain`);
    found(0, `line = replace(line, 'round 1', 'round 2')`, `line = replace(line, 'round 2', 'round 1')`, 'line 3: broken-chain');
    found(5, `hash = set_byte(hash, 0, get_byte(hash, 0) # 1)`, `hash = set_byte(hash, 0, get_byte(hash, 0) # 1)`, `line ${first + 4}: wrong-hash`);
  });

  it('is found where rows were taken from the end', () => {
    damaged(rows, `recording_id = '${id}' AND seq > 20`, `DELETE FROM ${rows} WHERE recording_id = '${id}' AND seq > 20`, () => {
      const { status, faults } = auditOfLogs();
      assert.deepEqual([status, faults.length], [1, 1]);
      assert.ok(faults[0].startsWith(`recording ${id}: invalid: cut-short: `), faults[0]);
    });
  });

  it('is found where all of it was told anew, for the event’s log has its head', () => {
    damaged(rows, `recording_id = '${id}'`, `DELETE FROM ${rows} WHERE recording_id = '${id}'; INSERT INTO ${rows} VALUES ${laterBy(1)}`, () => {
      const { faults } = auditOfLogs();
      assert.equal(faults.length, 1, faults.join('\n'));
      assert.ok(faults[0].startsWith(`recording ${id}: invalid: other-record: `), faults[0]);
    });
  });
});

describe('damage to the log of an open event', () => {
  const steps = 'tillroll.event_step';
  const found = (seq, set, back) =>
    assertLocated(steps, `event_id = '${running.event.id}' AND seq = ${seq}`, set, back, `event ${running.event.id}: invalid: line ${seq}: broken-chain`);
  const replaced = (from, to) => `detail = replace(detail::text, '${from}', '${to}')::tillroll.event_detail`;

  it('is found at the line in which a byte was changed', () => {
    assert.match(auditOfLogs().summary, /^logs: of \d+ events, \d+ disputes, \d+ players' keys, \d+ recordings, nothing wrong$/);
    found(1, replaced('Friday', 'Fridaz'), replaced('Fridaz', 'Friday'));
    found(3, `at = at + interval '1 millisecond'`, `at = at - interval '1 millisecond'`);
    found(4, `kind = 'enterex'`, `kind = 'entered'`);
    found(2, `hash = set_byte(hash, 0, get_byte(hash, 0) # 1)`, `hash = set_byte(hash, 0, get_byte(hash, 0) # 1)`);
  });

  it('is found where a line is missing', () => {
    const where = `event_id = '${running.event.id}'`;
    const last = Number(asOwner(bed.cluster, `SELECT max(seq) FROM ${steps} WHERE ${where}`));
    const gap = (from, to) => `UPDATE ${steps} SET seq = ${to} WHERE ${where} AND seq = ${from}`;
    asOwner(bed.cluster, 'ALTER TABLE tillroll.event_change DROP CONSTRAINT event_change_event_id_step_fkey');
    unlocked(bed.cluster, steps, gap(last, last + 1));
    assert.match(auditOfLogs().faults[0], new RegExp(`^event ${running.event.id}: invalid: line ${last}: missing-line: `));
    unlocked(bed.cluster, steps, gap(last + 1, last));
    assert.equal(auditOfLogs().status, 0);
  });
});

describe('what was left out of the transparency log', () => {
  const named = () => bed.tillroll('audit').stdout.split('\n').filter((line) => line.startsWith('log: invalid: '));

  it('is found: the commitments of a game that runs and of its event, and the newest line of an event', async () => {
    const { event: { id: secretive }, game: hidden } = await leavingOut(bed.cluster, 'tillroll commitment', () => makeGame(client, organizer, players));
    const missing = [`game ${hidden.id}`, `event ${secretive}`].map((what) => `log: invalid: not-in-log: the commitment to the secret of ${what} is not in the log`);
    assert.deepEqual(named(), missing);
    const queue = (entry) => asOwner(bed.cluster, `INSERT INTO tillroll.log_queue (entry) VALUES (E'${entry.replaceAll('\n', '\\n')}')`);
    queue(`tillroll commitment\n${hidden.id}\n${asOwner(bed.cluster, `SELECT substring(line FROM E'\\ncommit (\\\\w+) ') FROM ${records} WHERE game_id = '${hidden.id}' AND seq = 0`)}\n`);
    assert.deepEqual(named(), missing.slice(1));
    queue(`tillroll commitment\n${secretive}\n${asOwner(bed.cluster, `SELECT encode(commitment, 'hex') FROM tillroll.event WHERE id = '${secretive}'`)}\n`);
    assert.deepEqual(named(), []);
    const event = await leavingOut(bed.cluster, 'tillroll event-step', () => makeEvent(client, organizer, players));
    assert.deepEqual(named(), [`log: invalid: not-in-log: the newest line of event ${event.id} is not in the log in its stored form`]);
    queue(asOwner(bed.cluster, `SELECT format(E'tillroll event-step\\n%s/line/%s\\n%s\\n', event_id, seq, encode(hash, 'hex')) FROM tillroll.event_step WHERE event_id = '${event.id}' ORDER BY seq DESC LIMIT 1`) + '\n');
    assert.deepEqual(named(), []);
  });
});

describe('damage to the log of a dispute', () => {
  const table = 'tillroll.dispute_step';
  let dispute;
  const found = (number, set, back, code = 'broken-chain') =>
    assertLocated(table, `dispute_id = '${dispute.id}' AND number = ${number}`, set, back, `dispute ${dispute.id}: invalid: line ${number}: ${code}`);

  before(async () => {
    dispute = good(await client.post(`${running.at}/disputes`, { claim: 'rules', entry: 3, text: 'Too cheap.' }, players[0].token));
    good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
    good(await client.post(`/v1/disputes/${dispute.id}/ruling`, { orders: [{ order: 'stands' }], code: 'right-cost', reason: 'It was not.' }, organizer.token));
  });

  it('is found at the line in which a byte was changed', () => {
    assert.equal(auditOfLogs().status, 0);
    found(1, `line = replace(line, 'cheap', 'cheaq')`, `line = replace(line, 'cheaq', 'cheap')`);
    found(3, `line = replace(line, 'It was not.', 'It was now.')`, `line = replace(line, 'It was now.', 'It was not.')`);
    found(2, 'hash = set_byte(hash, 9, get_byte(hash, 9) # 4)', 'hash = set_byte(hash, 9, get_byte(hash, 9) # 4)');
  });

  it('is found where its whole end was told anew', () => {
    // With a chain that holds: what it lacks is its leaf in the transparency log.
    const where = `dispute_id = '${dispute.id}' AND number = 3`;
    const before = asOwner(bed.cluster, `SELECT encode(hash, 'hex') FROM ${table} WHERE ${where}`);
    const chained = `sha256(convert_to(encode((SELECT hash FROM ${table} AS step WHERE step.dispute_id = '${dispute.id}' AND step.number = 2), 'hex') || ' ' || line || E'\\n', 'UTF8'))`;
    unlocked(bed.cluster, table, `UPDATE ${table} SET line = replace(line, 'right-cost', 'wrong-cost') WHERE ${where}; UPDATE ${table} SET hash = ${chained} WHERE ${where}`);
    assert.match(auditOfLogs().faults[0], new RegExp(`^dispute ${dispute.id}: invalid: line 3: not-in-log: `));
    unlocked(bed.cluster, table, `UPDATE ${table} SET line = replace(line, 'wrong-cost', 'right-cost'), hash = '\\x${before}' WHERE ${where}`);
    assert.equal(auditOfLogs().status, 0);
  });

  it('is found where it does not lead to what is stored', () => {
    const state = (word) => asOwner(bed.cluster, `UPDATE tillroll.dispute SET state = '${word}' WHERE id = '${dispute.id}'`);
    state('closed');
    assert.match(auditOfLogs().faults[0], new RegExp(`^dispute ${dispute.id}: invalid: wrong-state: `));
    state('ruled');
  });
});

describe('damage to keys and signatures', () => {
  let signed; // a running game with a signed move
  const flip = (column) => `${column} = set_byte(${column}, 5, get_byte(${column}, 5) # 1)`;

  before(async () => {
    await register(client, players[0]);
    ({ game: signed } = await makeGame(client, organizer, players.slice(0, 2)));
    let seat = signed.players.indexOf(players[0]);
    await untilTurn(client, signed, seat, random);
    good(await playSigned(client, signed, seat, (await legalMoves(client, signed, seat)).moves[0]));
  });

  it('is found in a player’s history', () => {
    const change = (what) => assertLocated('tillroll.signing_key_step', `player_id = '${players[0].id}'`, flip(what), flip(what), `keys of ${players[0].id}: invalid: line 1: bad-signature`);
    change('proof');
    assertLocated('tillroll.signing_key_step', `player_id = '${players[0].id}'`, `at = at + interval '1 second'`, `at = at - interval '1 second'`,
      `keys of ${players[0].id}: invalid: line 1: not-in-log`);
  });

  it('is found in a signature, and in a record that names another key', () => {
    const table = 'tillroll.move_signature';
    const change = () => unlocked(bed.cluster, table, `UPDATE ${table} SET ${flip('signature')} WHERE game_id = '${signed.id}'`);
    change();
    assertFound(signed.id, 'bad-signature');
    change();
    const key = (sql) => unlocked(bed.cluster, 'tillroll.signing_key_step', `UPDATE tillroll.signing_key_step SET ${sql} WHERE player_id = '${players[0].id}'`);
    key(flip('key'));
    assertFound(signed.id, 'foreign-key');
    key(flip('key'));
    assert.equal(audit().status, 0);
  });
});

describe('a duplicate event', () => {
  it('keeps its secret while a table plays, and that is no damage', async () => {
    client.close(); // its connections have been idle while audits ran, and the service has closed them
    const bots = await makePlayers(client, 2, 'Bot');
    const event = await makeDuplicate(client, organizer, bots, { ruleset: 'supermarche', boards: 1, seats_preferred: 1 });
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const [first, second] = seated(round, bots);
    await playHidden(client, first, random);
    const { status, faults, table } = audit();
    assert.equal(status, 0, faults.join('\n'));
    assert.match(table, /^supermarche 1\.0\.0 +1 +1 /m);
    await playHidden(client, second, random);
    assert.match(audit().table, /^supermarche 1\.0\.0 +2 +0 /m);
    // The secret and all that follows it, taken from one of the two.
    const where = `game_id = '${first.id}' AND seq >= (SELECT seq FROM tillroll.record_line WHERE game_id = '${first.id}' AND line LIKE '% reveal %')`;
    const kept = `game_id = '${first.id}' AND seq >= ${asOwner(bed.cluster, `SELECT min(seq) FROM tillroll.record_line WHERE ${where}`)}`;
    damaged(records, kept, `DELETE FROM ${records} WHERE ${kept}`, () => assertFound(first.id, 'cut-short'));
    assert.equal(audit().status, 0);
  });
});

describe('an audit that cannot be carried out', () => {
  it('says so', () => {
    const { status, stderr } = audit('--database', 'postgresql://nobody@127.0.0.1:1/nothing');
    assert.equal(status, 2);
    assert.match(stderr, /cannot open a session/);
    assert.equal(audit('--since', 'yesterday').status, 2);
    assert.equal(audit('--workers', '0').status, 2);
  });
});
