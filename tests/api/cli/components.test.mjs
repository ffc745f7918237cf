// `tillroll components`: what it says of the sets that come with the program, and of others.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tillroll = path.join(process.env.TILLROLL_BUILD ?? path.join(root, 'build/release'), 'tillroll');
const directory = mkdtempSync(path.join(os.tmpdir(), 'components-'));
const games = readdirSync(path.join(root, 'engine/games')).filter((game) => existsSync(path.join(root, 'engine/games', game, 'components.schema.json'))); // that have tables
const setOf = (game) => path.join(root, 'engine/games', game, 'components.json');

function components(...words) {
  const { status, stdout, stderr } = spawnSync(tillroll, ['components', ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function written(name, text) {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
}

after(() => rmSync(directory, { recursive: true }));

describe('tillroll components', () => {
  it('takes the sets that come with the program, and prints their hashes', () => {
    const files = games.map(setOf);
    const hashes = files.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'));
    const checked = components('check', ...files);
    assert.equal(checked.status, 0, checked.stdout);
    assert.equal(checked.stdout.match(/, the one that comes with it, /g).length, games.length);
    for (const hash of hashes) assert.ok(checked.stdout.includes(hash), hash);
    assert.deepEqual(components('hash', ...files).stdout.trim().split('\n'), files.map((file, i) => `${hashes[i]}  ${file}`));
  });

  it('takes another set of a game, under a hash of its own', () => {
    const other = readFileSync(setOf('supermarche'), 'utf8').replace('"start_money": 15', '"start_money": 20');
    const { status, stdout } = components('check', written('other.json', other));
    assert.equal(status, 0, stdout);
    assert.match(stdout, /a component set of Supermarché 1\.0\.0, [0-9a-f]{64}\n$/);
  });

  it('says where a file is wrong, and why', () => {
    const more = readFileSync(setOf('shinjuku'), 'utf8').replace('"count": 22}', '"count": 23}');
    const file = written('more-food.json', more);
    const line = more.slice(0, more.indexOf('"rows": [', more.indexOf('"customer_kinds"'))).split('\n').length;
    assert.deepEqual(components('check', file), {
      status: 1, stdout: `${file}:${line}: /customer_kinds/rows: There must be 24 to 72 customers in all.\n`, stderr: '' });
    const extra = readFileSync(setOf('supermarche'), 'utf8');
    const manyKeys = Array.from({ length: 100 }, (_, i) => `"k${i}": {}`).join(', ');
    for (const [text, expected] of [
      [extra.replace('{', '{"": 1, '), ':1: /: The ruleset has no such key here.'],
      ['', ':1: A component set is a JSON object: { is expected here.'],
      ['{\n "slug": "shinjuku"', ':2: A comma or } is expected here.'],
      ['{"slug": "chess"}', ': No ruleset here is called `chess`.'],
      ['{"slug": "shinjuku", "slug": "shinjuku"}', ':1: This key appears twice in its object.'],
      // An object of many keys, which are not compared one by one.
      [`{"slug": "shinjuku",\n${manyKeys}, "k99": 1,\n"k0": 1, "k7": 1}`, ':2: This key appears twice in its object.'],
      [`{"slug": "shinjuku",\n${manyKeys},\n"k0": 1, "k7": 1}`, ':3: This key appears twice in its object.'],
      [`{"slug": "shinjuku", "goods": {${manyKeys}},\n"slug": 1}`, ':2: This key appears twice in its object.'],
      ['{"slug": "shinjuku"}', ':1: The key `goods` is missing.'],
    ]) {
      const wrong = written('wrong.json', text);
      assert.deepEqual(components('check', wrong), { status: 1, stdout: `${wrong}${expected}\n`, stderr: '' });
    }
  });

  it('prints the schema of a game', () => {
    for (const game of games)
      assert.equal(components('schema', game).stdout, readFileSync(path.join(root, 'engine/games', game, 'components.schema.json'), 'utf8'));
    const { status, stdout, stderr } = components('schema', 'chess');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /`chess`.*shinjuku/);
  });

  it('does not judge what it cannot read', () => {
    assert.equal(components('check', path.join(directory, 'missing.json')).status, 2);
  });
});

describe('a command that plays', () => {
  const set = readFileSync(setOf('supermarche'), 'utf8').replace('"start_money": 15', '"start_money": 20');
  const seed = ['--ruleset', 'supermarche', '--seed', '07'.repeat(32)];
  const run = (words, input) => spawnSync(tillroll, words, { encoding: 'utf8', input });

  it('matches players with another set', () => {
    const file = written('rich.json', set);
    const hash = createHash('sha256').update(set).digest('hex');
    const journal = path.join(directory, 'journal');
    const match = (...words) => run(['match', ...seed, '--games', '4', '--policy', 'casual', ...words]);
    const [usual, same, own] = [match(), match('--components', setOf('supermarche')), match('--components', file, '--journal', journal)];
    for (const { status, stderr } of [usual, same, own]) assert.equal(status, 0, stderr);
    assert.equal(same.stdout, usual.stdout);
    assert.notEqual(own.stdout, usual.stdout);
    assert.match(readFileSync(journal, 'utf8'), new RegExp(`^tillroll-match 1 supermarche \\S+ components ${hash} seats `));
    assert.match(match('--journal', journal).stderr, /is not the journal of this match/); // the set is part of what is played
    assert.match(match('--components', file, '--components', file).stderr, /--components takes one set/);
    const wrong = run(['match', '--ruleset', 'shinjuku', '--components', file]);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /the component set is not one of shinjuku/);
  });

  // Every figure computed again from the journals.
  it('tells what another set changes, for each player and each seat', () => {
    const file = written('steep.json', readFileSync(setOf('superstore-3000'), 'utf8').replace('"rainbow": [10], "hobby": [8], "food": [8], "fashion": [8]', '"rainbow": [30], "hobby": [2], "food": [2], "fashion": [2]'));
    const journal = path.join(directory, 'compared');
    const words = ['match', '--ruleset', 'superstore-3000', '--seed', '07'.repeat(32), '--policy', 'regular,beginner', '--games', '20'];
    const { status, stdout, stderr } = run([...words, '--compare', file, '--journal', journal]);
    assert.equal(status, 0, stderr);
    const games = [journal, `${journal}.compare`].map((name) => readFileSync(name, 'utf8').trim().split('\n').slice(1).map((line) => line.split(/[ /]/).map(Number)).sort(([a], [b]) => a - b));
    const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
    const spread = (numbers) => Math.sqrt(mean(numbers.map((each) => (each - mean(numbers)) ** 2)) / (numbers.length - 1));
    // For each deal: the score of player or seat `i`, and its part of the first places.
    const deals = (of, seats, i) => Array.from({ length: 10 }, (_, deal) => [0, 1].map((seating) => {
      const [, ...figures] = of[2 * deal + seating];
      const player = seats ? (i + seating) % 2 : i;
      const [rank, other] = [figures[2 * player + 1], figures[2 * (1 - player) + 1]];
      return [figures[2 * player], rank < other ? 1 : rank > other ? 0 : 0.5];
    })).map((two) => [0, 1].map((k) => mean(two.map((each) => each[k]))));
    const student = 2.262; // of nine degrees of freedom
    const line = (name, numbers, signed, extra) => {
      const scores = numbers.map(([score]) => score);
      const firsts = numbers.map(([, first]) => first);
      const more = [...firsts, ...extra];
      const sign = (value, digits) => `${signed && value >= 0 ? '+' : ''}${value.toFixed(digits)}`;
      return { name, score: sign(mean(scores), 2), margin: student * spread(scores), first: sign(100 * mean(firsts), 1), ends: [-1, 1].map((side) => 100 * (mean(more) + side * 1.96 * spread(more))) };
    };
    const expected = [games[0], games[1], null].flatMap((of) => [false, true].flatMap((seats) => [0, 1].map((i) => {
      const name = seats ? `seat ${i + 1}` : ['regular', 'beginner'][i];
      if (of !== null) return line(name, deals(of, seats, i), false, [0, 1, 0, 1]);
      const [before, after] = games.map((each) => deals(each, seats, i));
      return line(name, after.map((each, at) => each.map((value, k) => value - before[at][k])), true, [1, -1]);
    })));
    const rows = stdout.split('\n').flatMap((text) => {
      const found = /^\d? +(regular|beginner|seat \d) +(?:\d+\.\d\d +)?([+-]?\d+\.\d\d) ±(\d+\.\d\d) +(?:\d\.\d{3} +)?([+-]?\d+\.\d) \( *(\S+) to +(\S+)\)/.exec(text);
      return found === null ? [] : [found];
    });
    assert.equal(rows.length, expected.length, stdout);
    const least = (at) => (at < 8 ? 0 : -100);
    rows.forEach(([, name, score, margin, first, ...ends], at) => {
      const wanted = expected[at];
      assert.deepEqual([name, score, first], [wanted.name, wanted.score, wanted.first]);
      assert.ok(Math.abs(margin - wanted.margin) < 0.02 * wanted.margin + 0.01, `${name}: ±${margin}, not ±${wanted.margin}`);
      ends.forEach((end, i) => assert.ok(Math.abs(end - Math.max(least(at), Math.min(100, wanted.ends[i]))) < 0.06, `${name}: ${end}, not ${wanted.ends[i]}`));
    });
    assert.match(run([...words, '--compare', setOf('superstore-3000')]).stderr, /--compare takes another set/);
    assert.match(run([...words, '--compare', file, '--sprt', '0,20']).stderr, /--sprt looks at one set/);
    // Players of one policy: every deal once, and the rows are the seats.
    const alike = run(['match', '--ruleset', 'superstore-3000', '--seed', '07'.repeat(32), '--games', '10', '--journal', path.join(directory, 'alike')]);
    assert.match(alike.stdout, /^ +seat +wins/);
    assert.equal(alike.stdout.trim().split('\n').length, 3);
    assert.match(readFileSync(path.join(directory, 'alike'), 'utf8'), / players regular regular one seating\n/);
  });

  it('traces plies with another set', () => {
    const trace = (...words) => run(['trace', ...seed, '--seats', '1', ...words], '');
    const [usual, own] = [trace(), trace('--components', written('rich.json', set))];
    assert.deepEqual([usual.status, own.status], [0, 0]);
    assert.match(own.stdout, /^0 deciders 0 0:\d+:[0-9a-f]{64}$/m);
    assert.notEqual(own.stdout, usual.stdout);
    assert.match(trace('--components', setOf('shinjuku')).stderr, /the component set is not one of supermarche/);
  });
});
