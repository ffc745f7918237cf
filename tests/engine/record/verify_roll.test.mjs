// Two verifiers that share no code look at the same records: what the engine writes, this repository's
// `tillroll verify` and verify_roll.mjs both accept, and verify_roll.mjs finds every damage.
// TILLROLL_ROLLS sets how many records are looked at.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { chain, linesOf } from './roll_lines.mjs';
import { Stream } from '../vectors/chance.mjs';
import { checkSignatures, Fault, verifyRecord } from './verify_roll.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
const count = Number(process.env.TILLROLL_ROLLS ?? 40);

const folder = mkdtempSync(path.join(tmpdir(), 'rolls-'));
after(() => rmSync(folder, { recursive: true }));
execFileSync(path.join(build, 'tests/write_roll'), ['--all', String(count), folder]);

const file = (number, ending) => readFileSync(path.join(folder, `${number}.${ending}`));
const numbers = Array.from({ length: count }, (_, number) => number);

function refuses(bytes, what) {
  assert.throws(() => verifyRecord(bytes), Fault, what);
}

describe('records that the engine wrote', () => {
  it('are good, and so are their signatures', () => {
    const kinds = new Map();
    let signatures = 0;
    for (const number of numbers) {
      const record = verifyRecord(file(number, 'roll'));
      assert.ok(record.finished, `record ${number} is not finished`);
      signatures += checkSignatures(record, file(number, 'sig'));
      for (const { kind } of record.entries) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    console.log(`# ${count} records, ${signatures} signatures: ${[...kinds].sort().map((pair) => pair.join(' ')).join(', ')}`);
    for (const kind of ['ply', 'undo', 'sealed', 'timeout', 'fallback', 'return', 'forfeit', 'substitute', 'stop',
      'freeze', 'ruling', 'resume', 'reveal', 'result'])
      assert.ok(kinds.has(kind), `no record has the line ${kind}`);
  });

  it('are accepted by tillroll verify', () => {
    const answer = execFileSync(path.join(build, 'tillroll'),
      ['verify', ...numbers.map((number) => path.join(folder, `${number}.roll`))], { encoding: 'utf8' });
    assert.equal(answer.match(/: valid: /g).length, count);
  });

  it('have the luck that follows from their secrets', () => {
    for (const number of numbers) {
      const { seed, epochs } = verifyRecord(file(number, 'roll'));
      const lines = [`seed ${seed}`];
      for (let epoch = 0; epoch <= epochs; epoch++) {
        const stream = new Stream(seed, 'deck', epoch);
        lines.push(`deck ${epoch} ${[stream.word(), stream.word(), stream.word()].join(' ')}`);
      }
      assert.equal(file(number, 'luck').toString(), `${lines.join('\n')}\n`, `record ${number}`);
    }
  });
});

// The shortest records, so that all of them can be damaged; two each day.
const short = numbers.map((number) => file(number, 'roll')).sort((a, b) => a.length - b.length).slice(0, isLong ? 6 : 2);

describe('damage is found', () => {
  it('in every bit', () => {
    for (const bytes of short)
      for (let at = 0; at < bytes.length; at++) {
        const damaged = Buffer.from(bytes);
        damaged[at] ^= 1 << at % 8;
        refuses(damaged, `byte ${at}`);
      }
  });

  it('in every line that is missing, doubled or in the wrong place', () => {
    for (const bytes of short) {
      const lines = bytes.toString('latin1').split(/(?<=\n)/);
      for (let at = 0; at < lines.length - 1; at++) {
        refuses(Buffer.from(lines.toSpliced(at, 1).join('')), `line ${at + 1} is missing`);
        refuses(Buffer.from(lines.toSpliced(at, 0, lines[at]).join('')), `line ${at + 1} is doubled`);
        refuses(Buffer.from(lines.toSpliced(at, 2, lines[at + 1], lines[at]).join('')), `line ${at + 1} is swapped`);
      }
      assert.equal(verifyRecord(Buffer.from(lines.slice(0, -1).join(''))).finished, false);
    }
  });

  it('in signatures', () => {
    const number = numbers.find((candidate) => file(candidate, 'sig').length > 1000);
    const record = verifyRecord(file(number, 'roll'));
    const bytes = file(number, 'sig').subarray(0, 700);
    const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
    assert.ok(checkSignatures(record, whole) > 1);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 1 << at % 8;
      assert.throws(() => checkSignatures(record, damaged), Fault, `byte ${at}`);
    }
  });
});

describe('forgery is found', () => {
  const bytes = short.find((candidate) => !/ board \d/.test(candidate.toString('latin1')));
  const lines = linesOf(bytes);
  const at = (word) => lines.findIndex((line) => line.includes(word));
  const edited = (index, change) => chain(lines.with(index, change(lines[index])));

  it('but the chaining itself is faithful', () => {
    assert.deepEqual(chain(lines), bytes);
  });

  const other = (hex) => hex.replace(/[0-9a-f]$/, (digit) => (digit === '0' ? '1' : '0'));
  for (const [what, forged] of [
    ['another commitment', () => edited(at('commit '), other)],
    ['another secret', () => edited(at(' reveal '), other)],
    ['another component set', () => edited(at('game '), other)],
    ['another game, so another scope', () => edited(at('game '), (line) => line.replace(/ (........)-/, ' 00000000-'))],
    ['a gap in the numbers', () => edited(at(' reveal '), (line) => line.replace(/^\d+/, (seq) => Number(seq) + 1))],
    ['a clock that runs backwards', () => edited(at(' reveal '), (line) => line.replace(/ - \d+/, ' - 0'))],
    ['no reveal', () => chain(lines.toSpliced(at(' reveal '), 1))],
    ['a ply after the reveal', () => chain(lines.toSpliced(-1, 0, `${lines.length} 0 999999999 end`))],
    ['a name that is encoded in another way', () => edited(at('seat 0'), (line) => line.replace('Ada', '%41da'))],
    ['a control with the cap below the bank', () => edited(at('clock '), () => 'clock bank=5 increment=0 cap=4')],
  ])
    it(what, () => refuses(forged(), what));
});

describe('recorded games', () => {
  const games = { 'mall-world': 3, shinjuku: 2, 'super-motherload': 2, supermarche: 1, 'superstore-3000': 4 };
  const written = (slug, number) => execFileSync(path.join(build, 'tests/write_roll'), [slug, String(games[slug]), String(number), 'recorded']);

  for (const slug of Object.keys(games))
    it(`of ${slug} are good for both, and proved by neither`, () => {
      const bytes = written(slug, 3);
      const record = verifyRecord(bytes);
      assert.ok(record.finished && record.header.recorded && record.secret === undefined);
      assert.ok(record.entries.some(({ kind }) => kind === 'bind'));
      const name = path.join(folder, `${slug}.roll`);
      writeFileSync(name, bytes);
      const said = execFileSync(path.join(build, 'tillroll'), ['verify', name], { encoding: 'utf8' });
      assert.match(said, new RegExp(`: recorded: ${slug} [0-9.]+, \\d+ plies\n.*: legal play from the printed components; luck as told by the scorer\n$`));
      assert.doesNotMatch(said, /proved|valid/);
    });

  it('are found out when damaged, and when they claim to be proved', () => {
    const bytes = written('supermarche', 4);
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes);
      damaged[at] ^= 1 << at % 8;
      refuses(damaged, `byte ${at}`);
    }
    const lines = linesOf(bytes);
    const at = (word) => lines.findIndex((line) => line.includes(word));
    const hash = '0'.repeat(64);
    for (const forged of [
      lines.with(0, 'tillroll 1'),
      lines.with(0, 'tillroll 1').with(at('chance recorded'), `commit ${hash}`),
      lines.with(at('chance recorded'), `commit ${hash}`),
      lines.toSpliced(at('chance recorded'), 0, `commit ${hash}`),
      lines.with(at(' show'), lines[at(' show')].replace('show', `reveal ${hash}`)),
      lines.toSpliced(at(' deal'), 1),
      lines.with(at('clock -'), 'clock move=1000'),
      lines.toSpliced(-1, 0, `${lines.length} - 999999999 bind customers chris`),
    ])
      refuses(chain(forged));
    refuses(chain(linesOf(short[0]).toSpliced(-4, 0, '1 - 0 bind dice 3,4')));
  });
});
