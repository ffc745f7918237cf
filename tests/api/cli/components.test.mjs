// `tillroll components`: what it says of the sets that come with the program, and of others.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tillroll = path.join(process.env.TILLROLL_BUILD ?? path.join(root, 'build/release'), 'tillroll');
const directory = mkdtempSync(path.join(os.tmpdir(), 'components-'));
const games = readdirSync(path.join(root, 'engine/games'));
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
    const wrong = run(['match', '--ruleset', 'shinjuku', '--components', file]);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /the component set is not one of shinjuku/);
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
