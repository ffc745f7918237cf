// What the release before the newest migration asks of the database, it may ask of today's as well:
// while services are replaced one after the other, both are at work on the same database (db/migrate.h).
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

import { temporaryDirectory, Testbed } from '../api/support/testbed.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const previous = spawnSync(path.join(root, 'tests/deploy/previous_release'), { encoding: 'utf8' });
const literal = '"(?:[^"\\\\]|\\\\.)*"';
const statement = new RegExp(`struct statement \\w+ = \\{\\s*(${literal})\\s*,((?:\\s*${literal})+)\\s*\\}`, 'g');
const texts = (literals) => [...literals.matchAll(new RegExp(literal, 'g'))].map(([text]) => JSON.parse(text)).join('');

// Names and texts of all statements of a source tree, with macros resolved.
function statementsOf(source) {
  const directory = path.join(source, 'db');
  return readdirSync(directory).filter((name) => name.endsWith('.c')).flatMap((name) => {
    const code = execFileSync('cc', ['-E', '-P', '-D_GNU_SOURCE', '-I', source, '-I', '/usr/include/postgresql', path.join(directory, name)], { encoding: 'utf8', maxBuffer: 1 << 26 });
    const found = [...code.matchAll(statement)].map(([, called, text]) => ({ name: texts(called), sql: texts(text) }));
    assert.equal(found.length, code.match(/const struct statement \w+ = \{/g)?.length ?? 0, name);
    return found;
  });
}

describe('statements of the release before the newest migration', { skip: previous.status !== 0 && 'the history does not reach so far' }, () => {
  it('are valid on the newest schema, with the rights of the service', async () => {
    const source = temporaryDirectory('release');
    const archive = execFileSync('git', ['-C', root, 'archive', previous.stdout.trim(), 'db', 'engine', 'api'], { maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', source], { input: archive });
    // Those of an owner are asked by programs of today only, by who may change tables.
    const statements = statementsOf(source).filter(({ name }) => !name.startsWith('owner_'));
    assert.ok(statements.length > 100);
    const bed = new Testbed();
    try {
      const psql = (input, ...options) => spawnSync('psql', ['-X', '-q', '-A', '-t', '-d', bed.cluster.serviceUrl, ...options], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
      const prepare = statements.map(({ name, sql }) => `PREPARE ${name} AS ${sql};\n`).join('');
      const settings = 'SET search_path = \'\'; SET ROLE tillroll_service; SET plan_cache_mode = force_generic_plan;\n';
      // To explain is to ask for the rights as well.
      const counts = psql(`${settings}${prepare}SELECT name, coalesce(array_length(parameter_types, 1), 0) FROM pg_catalog.pg_prepared_statements;`);
      assert.equal(counts.stderr, '');
      const explain = counts.stdout.trim().split('\n').map((line) => line.split('|')).map(([name, count]) => {
        const values = Array.from({ length: Number(count) }, () => 'NULL').join(', ');
        return `EXPLAIN EXECUTE ${name}${values === '' ? '' : `(${values})`};\n`;
      });
      assert.equal(explain.length, statements.length);
      const explained = psql(settings + prepare + explain.join(''), '-o', '/dev/null');
      assert.equal(explained.stderr, '');
    } finally {
      await bed.end();
    }
  });
});
