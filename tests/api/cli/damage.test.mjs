// Damage to stored records: the database lets nobody do it, and if somebody who can do everything
// does it, the first bad line is named.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner, writeLines } from '../support/damage.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, now, play, playBriefly, playRandomly, Random } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

const random = new Random('damage');
let bed;
let client;
let organizer;
let players;
let game;
let running;
let lines; // of the finished game's record

before(async () => {
  bed = new Testbed();
  // Without answers that are kept: what is done to the tables here, no service is told.
  ({ client } = await bed.startService(['--answer-cache-bytes', '0']));
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
  ({ game } = await makeGame(client, organizer, players));
  await playBriefly(client, game, random);
  lines = (await client.get(`${game.at}/record`)).text.trimEnd().split('\n');
  ({ game: running } = await makeGame(client, organizer, players));
  await playRandomly(client, running, random, { plies: 30 });
});
after(() => bed.end());

const owner = (statements) => asOwner(bed.cluster, statements);
const rowOf = (id, seq) => `game_id = '${id}' AND seq = ${seq}`;
const write = (id, rows) => writeLines(bed.cluster, id, rows);
const read = (id, seq) => owner(`SELECT line FROM tillroll.record_line WHERE ${rowOf(id, seq)}`);
const verification = async (which = game) => good(await client.get(`${which.at}/verification`));

// Row 0 of the table holds the header's lines; line n of the record is in the row, at the place.
const headerLines = () => lines.findIndex((line) => line.startsWith('1 '));
const placeOf = (n) => (n <= headerLines() ? [0, n - 1] : [n - headerLines(), 0]);

// Runs `body` with line n of the record changed, and puts everything back.
async function withLine(n, changed, body) {
  const [seq, at] = placeOf(n);
  const before = read(game.id, seq);
  const row = before.split('\n');
  assert.equal(row[at], lines[n - 1]);
  row[at] = changed;
  write(game.id, [[seq, row.join('\n')]]);
  try {
    await body();
  } finally {
    write(game.id, [[seq, before]]);
  }
}

// Both ways to look at the record find the same fault in the same place.
async function assertFault(n, code) {
  const { verdict, fault } = await verification();
  assert.equal(verdict, 'invalid');
  assert.equal(fault.line, n, fault.message);
  if (code !== undefined) assert.equal(fault.code, code);
  const { status, output } = bed.verify((await client.get(`${game.at}/record`)).text);
  assert.equal(status, 1);
  assert.ok(output.includes(`line ${n}: ${fault.code}: `), output);
}

const flip = (line, at) => `${line.slice(0, at)}${String.fromCharCode(line.charCodeAt(at) ^ 1)}${line.slice(at + 1)}`;

// The record with its chain made good again from line n on: what somebody would do who rewrites it.
function rechain(from, all) {
  let head = '';
  return all.map((line, at) => {
    let text = line.replace(/ #[0-9a-f]{8}$/, '');
    if (at > from && text.startsWith('head ')) text = `head ${head}`;
    head = createHash('sha256').update(at === 0 ? 'tillroll 1\n' : `${head} ${text}\n`).digest('hex');
    return `${text} #${head.slice(0, 8)}`;
  });
}

describe('the database', () => {
  const statements = () => [
    `UPDATE tillroll.record_line SET line = line WHERE ${rowOf(game.id, 1)}`,
    `DELETE FROM tillroll.record_line WHERE ${rowOf(game.id, 1)}`,
    'TRUNCATE tillroll.record_line CASCADE',
    `UPDATE tillroll.game_result SET score = 99 WHERE game_id = '${game.id}'`,
    `DELETE FROM tillroll.game_result WHERE game_id = '${game.id}'`,
    `UPDATE tillroll.game SET finished_at = now() WHERE id = '${game.id}'`,
    `UPDATE tillroll.event_step SET kind = 'x'`,
    `DELETE FROM tillroll.rating_change`,
    `INSERT INTO tillroll.record_line SELECT game_id, seq + 1, line, hash FROM tillroll.record_line WHERE game_id = '${running.id}' ORDER BY seq DESC LIMIT 1`,
  ];
  it('refuses to change what only grows, also to the owner', () => {
    const before = bed.cluster.fingerprint();
    for (const statement of statements()) assert.throws(() => owner(statement), /refused|is finished|does not continue/, statement);
    assert.equal(bed.cluster.fingerprint(), before);
  });
});

describe('a changed line', () => {
  it('is found wherever it is', async () => {
    assert.equal((await verification()).verdict, 'valid');
    const first = headerLines() + 1;
    const last = lines.length;
    for (const n of [2, 3, headerLines(), first, first + 1, Math.floor((first + last) / 2), last - 4, last - 1, last])
      await withLine(n, flip(lines[n - 1], 3), () => assertFault(n));
    assert.equal((await verification()).verdict, 'valid');
  });

  it('is found at each of its bytes', async () => {
    const n = headerLines() + 5;
    for (let at = 0; at < lines[n - 1].length; at += 5) await withLine(n, flip(lines[n - 1], at), () => assertFault(n));
  });

  it('is found in its mark', async () => {
    const n = headerLines() + 7;
    await withLine(n, flip(lines[n - 1], lines[n - 1].length - 1), () => assertFault(n, 'broken-chain'));
  });
});

describe('a record that is written anew with a good chain', () => {
  const rewrite = async (n, change, code, faultAt = n) => {
    const all = [...lines];
    const text = all[n - 1].replace(/ #[0-9a-f]{8}$/, '');
    const changed = change(text);
    assert.notEqual(changed, text);
    all[n - 1] = `${changed} #00000000`;
    const forged = rechain(n - 1, all);
    const header = headerLines();
    const rows = forged.slice(header).map((line, at) => [at + 1, line]);
    const before = lines.slice(header).map((line, at) => [at + 1, line]);
    write(game.id, [[0, forged.slice(0, header).join('\n')], ...rows]);
    try {
      await assertFault(faultAt, code);
    } finally {
      write(game.id, [[0, lines.slice(0, header).join('\n')], ...before]);
    }
  };
  const find = (pattern) => lines.findIndex((line) => pattern.test(line)) + 1;

  it('with another result is found', () => rewrite(find(/ result 0 /), (text) => text.replace(/ result 0 (\d+)/, (_, score) => ` result 0 ${Number(score) + 10}`), 'wrong-result'));
  it('with another secret is found', async () => {
    const n = find(/ reveal /);
    const all = lines[n - 1];
    await rewrite(n, () => all.replace(/ #[0-9a-f]{8}$/, '').replace(/[0-9a-f]{64}/, 'ab'.repeat(32)), 'wrong-commitment');
  });
  it('with another move is found', () => {
    const n = find(/ matsuri /);
    return rewrite(n, (text) => text.replace(/matsuri \S+/, 'stop'), 'illegal-ply');
  });
  it('with an earlier time is found', () => rewrite(find(/^9 /), (text) => text.replace(/^(\d+ \d) \d+/, '$1 0'), 'wrong-time'));
  it('with another number is found', () => rewrite(find(/^9 /), (text) => text.replace(/^9/, '10'), 'wrong-sequence'));
  it('and put back is valid again', async () => {
    const text = (await client.get(`${game.at}/record`)).text;
    assert.equal(text, `${lines.join('\n')}\n`);
    assert.equal((await verification()).verdict, 'valid');
    assert.equal(bed.verify(text).status, 0);
  });
});

describe('a damaged game that is still running', () => {
  it('is not played on by a service that reads it anew, and goes on once it is mended', async () => {
    const line = read(running.id, 12);
    write(running.id, [[12, flip(line, 5)]]);
    const { client: fresh } = await bed.startService();
    const { seq, deciders: [seat] } = await now(client, running);
    const { moves } = await legalMoves(client, running, seat);
    const token = running.players[seat].token;
    const before = bed.cluster.fingerprint();
    for (const path of ['', '/view', '/events', '/legal-moves']) {
      const answer = await fresh.get(`${running.at}${path}`, { token });
      assert.equal(`${answer.status} ${answer.json.code}`, '500 record-damaged', path);
    }
    const refused = await fresh.post(`${running.at}/moves`, { moves: [moves[0]], seq }, token);
    assert.equal(`${refused.status} ${refused.json.code}`, '500 record-damaged');
    assert.equal(bed.cluster.fingerprint(), before);
    const { verdict, fault } = await verification(running);
    assert.equal(verdict, 'invalid');
    assert.match(refused.json.detail, new RegExp(`line ${fault.line}:`));
    write(running.id, [[12, line]]);
    assert.equal((await verification(running)).verdict, 'unfinished');
    assert.equal((await play(fresh, running, seat, [moves[0]], seq)).status, 200);
    await playBriefly(fresh, running, random);
    assert.equal((await verification(running)).verdict, 'valid');
  });

  it('is not finished: the stored record is proved before there is a result', async () => {
    const { game: third } = await makeGame(client, organizer, players);
    await playRandomly(client, third, random, { plies: 20 });
    const line = read(third.id, 5);
    write(third.id, [[5, flip(line, 4)]]);
    let refused;
    while (refused === undefined) {
      const position = await now(client, third);
      const [seat] = position.deciders;
      const { moves, seq } = await legalMoves(client, third, seat);
      const answer = await play(client, third, seat, [random.pick(moves)], seq);
      if (answer.status !== 200) refused = answer;
      else assert.equal(answer.json.finished, false);
    }
    assert.equal(`${refused.status} ${refused.json.code}`, '500 record-damaged');
    write(third.id, [[5, line]]);
    await playBriefly(client, third, random);
    assert.equal((await verification(third)).verdict, 'valid');
  });
});
