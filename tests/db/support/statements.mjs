// The statements of a source tree's db/, and how a database would carry them out.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const literal = '"(?:[^"\\\\]|\\\\.)*"';
const statement = new RegExp(`struct statement \\w+ = \\{\\s*(${literal})\\s*,((?:\\s*${literal})+)\\s*\\}`, 'g');
const texts = (literals) => [...literals.matchAll(new RegExp(literal, 'g'))].map(([text]) => JSON.parse(text)).join('');

// Names and texts of all statements of a source tree, with macros resolved.
function statementsOf(source) {
  const directory = path.join(source, 'db');
  return readdirSync(directory, { recursive: true }).filter((name) => name.endsWith('.c')).flatMap((name) => {
    const file = path.join(directory, name);
    if (!readFileSync(file, 'utf8').includes('struct statement')) return [];
    const code = execFileSync('cc', ['-E', '-P', '-D_GNU_SOURCE', '-I', source, '-I', '/usr/include/postgresql', file], { encoding: 'utf8', maxBuffer: 1 << 26 });
    const found = [...code.matchAll(statement)].map(([, called, text]) => ({ name: texts(called), sql: texts(text) }));
    assert.equal(found.length, code.match(/const struct statement \w+ = \{/g)?.length ?? 0, name);
    return found;
  });
}

// [{ name, plan }] of every statement, by a session of the service as db/link/connection.c opens it; to explain is to ask for the rights as well.
// Plans are general ones, which hold for all parameters.
export function explained(source, url) {
  // `owner_` statements are for programs that run as the tables' owner; `elsewhere_` statements are for line databases (db/lines).
  const statements = statementsOf(source).filter(({ name }) => !name.startsWith('owner_') && !name.startsWith('elsewhere_'));
  const psql = (input) => {
    const { stdout, stderr } = spawnSync('psql', ['-X', '-q', '-A', '-t', '-d', url], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.equal(stderr, '');
    return stdout.trim();
  };
  const settings = ["search_path = ''", 'ROLE tillroll_service', 'plan_cache_mode = force_generic_plan', 'enable_seqscan = off', 'enable_bitmapscan = off'];
  const prepared = settings.map((each) => `SET ${each};\n`).join('') + statements.map(({ name, sql }) => `PREPARE ${name} AS ${sql};\n`).join('');
  const counts = psql(`${prepared}SELECT name, coalesce(array_length(parameter_types, 1), 0) FROM pg_catalog.pg_prepared_statements;`);
  const explain = counts.split('\n').map((line) => line.split('|')).map(([name, count]) => {
    const values = Array.from({ length: Number(count) }, () => 'NULL').join(', ');
    return `\\echo === ${name}\nEXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE ${name}${values === '' ? '' : `(${values})`};\n`;
  });
  assert.equal(explain.length, statements.length);
  return psql(prepared + explain.join('')).split(/^=== /m).slice(1).map((part) => {
    const [name] = part.split('\n', 1);
    return { name, plan: JSON.parse(part.slice(name.length))[0].Plan };
  });
}
