// Makes db/migrations/schema.sql, from which an empty database starts (db/link/migrate.h):
//
//     node tests/db/squash.mjs
//
// A private cluster goes through all migrations, one by one, with the tillroll of $TILLROLL_BUILD (build/release); what pg_dump
// says of it is cleaned. The same migrations give the same bytes, with the same major version of PostgreSQL.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, temporaryDirectory, undoInTheEnd } from '../api/support/testbed.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const migrations = path.join(root, 'db/migrations');
export const squashedFile = path.join(migrations, 'schema.sql');

const environment = { ...process.env, PGOPTIONS: '-c timezone=UTC -c client_min_messages=warning' };

export function run(program, words, options = {}) {
  return execFileSync(program, words, { encoding: 'utf8', env: environment, maxBuffer: 1 << 26, ...options });
}

// Rows as psql prints them, columns parted by `|`.
export function rows(url, statement) {
  return run('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', statement]).split('\n').slice(0, -1);
}

// When migrations were applied, as a dump writes times: what was now() in them.
export function timesOf(url) {
  return rows(url, 'SELECT DISTINCT applied_at FROM tillroll.migration');
}

// A directory with the migrations `from` .. `to` and no squashed schema: with it a database goes through the chain.
export function chainOf(to = Infinity) {
  const directory = path.join(temporaryDirectory('chain'), 'migrations');
  mkdirSync(directory);
  for (const name of readdirSync(migrations))
    if (/^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) <= to) copyFileSync(path.join(migrations, name), path.join(directory, name));
  return directory;
}

export function migrate(url, directory) {
  return run(path.join(build, 'tillroll'), ['migrate', '--database', url, '--directory', directory]);
}

// What pg_dump says of a database, without what differs from one run or minor version to the next.
export function dump(url, ...options) {
  return run('pg_dump', ['-d', url, '--column-inserts', ...options])
    .replaceAll(/^\\(un)?restrict .*\n/gm, '')
    .replaceAll(/^-- Dumped .*\n/gm, '');
}

// What the beginning of 0001 does: it makes the schemas, and changes rights in the cluster or finds them changed (deploy/database.sql).
function isDoneBefore({ name, type, schema }) {
  return (
    (type === 'SCHEMA' && ['tillroll', 'tillroll_vault'].includes(name)) ||
    (type === 'ACL' && (name === 'SCHEMA public' || schema === 'pg_catalog'))
  );
}

// The statements of a dump, in its order, each with what it makes.
function statementsOf(text) {
  const heads = [...text.matchAll(/^--\n-- (?:Data for )?Name: (.*); Type: (.*); Schema: (.*); Owner: -\n--\n/gm)];
  return heads.flatMap((head, i) => {
    const [, name, type, schema] = head;
    if (isDoneBefore({ name, type, schema })) return [];
    const body = text
      .slice(head.index + head[0].length, heads[i + 1]?.index)
      .replaceAll(/^SET default_(tablespace = ''|table_access_method = heap);$/gm, '')
      .replace(/--\n-- PostgreSQL database dump complete\n--\n/, '')
      .trim();
    if (/^SET |^COPY /m.test(body)) throw new Error(`a statement that this program does not know: ${body}`);
    return body === '' ? [] : [{ name, type, schema, body }];
  });
}

// A dump has them by name. But of two indexes that cost the same the planner takes one by their age, and foreign keys lock rows in
// the order of theirs: both are made in the order in which the migrations made them.
function byAge(statements, url, types, ages) {
  const order = rows(url, ages);
  const age = ({ name, schema }) => order.indexOf(`${schema}.${name.split(' ').at(-1)}`);
  const sorted = statements.filter(({ type }) => types.includes(type)).sort((a, b) => age(a) - age(b));
  if (sorted.some((each) => age(each) < 0)) throw new Error('an index or a foreign key of unknown age');
  return statements.map((each) => (types.includes(each.type) ? sorted.shift() : each));
}

const INDEXES = `SELECT format('%s.%s', nspname, relname) FROM pg_index JOIN pg_class ON indexrelid = pg_class.oid
  JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE starts_with(nspname, 'tillroll') ORDER BY indexrelid`;
const FOREIGN_KEYS = `SELECT format('%s.%s', nspname, conname) FROM pg_constraint JOIN pg_namespace ON connamespace = pg_namespace.oid
  WHERE starts_with(nspname, 'tillroll') AND contype = 'f' ORDER BY pg_constraint.oid`;

// Grants follow each other line by line.
function joined(statements) {
  return statements
    .map(({ body }) => body)
    .join('\n\n')
    .replaceAll(/^(GRANT .*;|REVOKE .*;)\n\n(?=GRANT |REVOKE )/gm, '$1\n');
}

function migrationRows(url) {
  const values = rows(url, `SELECT format('(%s, ''%s'', ''%s'')', number, name, hash) FROM tillroll.migration ORDER BY number`);
  return `INSERT INTO tillroll.migration (number, name, hash) VALUES\n    ${values.join(',\n    ')};`;
}

// The major version of the server, which has a say in how statements are written.
export function majorOf(url) {
  return rows(url, "SELECT current_setting('server_version_num')::integer / 10000")[0];
}

// The squashed schema of a database that went through the chain and has not been used.
export function squashed(url) {
  const first = readFileSync(path.join(migrations, readdirSync(migrations).find((name) => name.startsWith('0001_'))), 'utf8');
  const line = 'SET LOCAL ROLE tillroll_owner;\n';
  const beginning = first.slice(0, first.indexOf(line) + line.length);
  let statements = statementsOf(dump(url, '--no-owner', '--exclude-table-data=tillroll.migration'));
  statements = byAge(statements, url, ['CONSTRAINT', 'INDEX'], INDEXES);
  statements = byAge(statements, url, ['FK CONSTRAINT'], FOREIGN_KEYS);
  let body = joined(statements);
  for (const time of timesOf(url)) body = body.replaceAll(`'${time}'`, 'now()');
  const last = rows(url, 'SELECT max(name) FROM tillroll.migration')[0];
  return `-- The squashed schema: what the migrations up to ${last} make of an empty database (db/link/migrate.h).
-- Made by \`node tests/db/squash.mjs\` with PostgreSQL ${majorOf(url)}; not to be edited. Why things are as they are is said in the
-- migrations. Proved to equal them by tests/db/squash.test.mjs. First the beginning of 0001, then what pg_dump says.

${beginning}
-- Functions may name tables that come after them; all names say their schema.
SET LOCAL check_function_bodies = false;
SET LOCAL search_path = '';

${body}

${migrationRows(url)}
`;
}

function main() {
  const directory = temporaryDirectory('squash');
  const postgres = path.join(root, 'deploy/postgres');
  undoInTheEnd(() => run(postgres, ['stop', directory]));
  const url = /^DATABASE_URL=(.*)$/m.exec(run(postgres, ['start', directory]))[1];
  migrate(url, chainOf());
  const text = squashed(url.replace('tillroll_migrator@', 'postgres@'));
  writeFileSync(`${squashedFile}.new`, text);
  renameSync(`${squashedFile}.new`, squashedFile);
  process.stdout.write(`db/migrations/schema.sql: ${text.split('\n').length - 1} lines\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
