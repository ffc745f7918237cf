// A database that began with the squashed schema, db/migrations/schema.sql, is the same as one that went through all migrations one by
// one. Migrations may be newer than the squashed schema: they follow it, and what comes out is compared.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { Cluster } from '../api/support/testbed.mjs';
import { chainOf, dump, majorOf, migrate, migrations, rows, squashed, squashedFile, timesOf } from './squash.mjs';

const file = readFileSync(squashedFile, 'utf8');
const names = readdirSync(migrations).filter((name) => /^\d/.test(name));
const last = /^-- .* up to (\d{4}_.*\.sql) /.exec(file)[1];

// What a dump leaves out: which columns and constraints are inherited, the triggers of foreign keys, and the age of indexes and foreign
// keys, from the oldest of a table on (squash.mjs says why).
const INNER = `
  SELECT 'column', attrelid::regclass, row_number() OVER (PARTITION BY attrelid ORDER BY attnum) AS place, attname,
      format_type(atttypid, atttypmod), attnotnull, attislocal, attinhcount, attstorage, attcompression, attcollation::regcollation
    FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid JOIN pg_namespace ON relnamespace = pg_namespace.oid
    WHERE starts_with(nspname, 'tillroll') AND attnum > 0 AND NOT attisdropped;
  SELECT 'constraint', conrelid::regclass, contypid::regtype, conname, pg_get_constraintdef(oid), convalidated, conislocal, coninhcount,
      connoinherit
    FROM pg_constraint WHERE starts_with(connamespace::regnamespace::text, 'tillroll');
  SELECT 'trigger', tgrelid::regclass, regexp_replace(tgname, '[0-9]{4,}$', ''), tgenabled, tgisinternal, tgfoid::regproc, tgparentid <> 0
    FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid
    WHERE starts_with(relnamespace::regnamespace::text, 'tillroll');
  SELECT 'index', indrelid::regclass, row_number() OVER (PARTITION BY indrelid ORDER BY indexrelid), indexrelid::regclass
    FROM pg_index JOIN pg_class ON indexrelid = pg_class.oid WHERE starts_with(relnamespace::regnamespace::text, 'tillroll');
  SELECT 'foreign key', conrelid::regclass, row_number() OVER (PARTITION BY conrelid ORDER BY oid), conname
    FROM pg_constraint WHERE starts_with(connamespace::regnamespace::text, 'tillroll') AND contype = 'f'`;

let cluster;
before(() => {
  cluster = new Cluster();
});
after(() => cluster.end());

class Database {
  constructor(name) {
    this.name = name;
    this.migrator = cluster.migratorUrl.replace('@/tillroll?', `@/${name}?`);
    this.admin = this.migrator.replace('tillroll_migrator@', 'postgres@');
    rows(this.admin.replace(`@/${name}?`, '@/postgres?'), `CREATE DATABASE ${name} OWNER tillroll_owner`);
  }

  // Lines that are equal for equal databases: definitions, owners, rights (the database's own too), rows, states of sequences. A
  // migration's now() differs, and so do names of databases.
  description() {
    let text = dump(this.admin, '--create');
    for (const time of timesOf(this.admin)) text = text.replaceAll(`'${time}'`, 'now()');
    return [...text.replaceAll(this.name, 'NAME').split('\n'), ...rows(this.admin, INNER).toSorted()];
  }
}

function milliseconds(what) {
  const begun = performance.now();
  what();
  return Math.round(performance.now() - begun);
}

// Each changes one thing of a database, and with it a line of its description.
const PLANTED = [
  ['ALTER TABLE tillroll.game ADD COLUMN planted integer', /^ {4}planted integer/],
  ['ALTER TABLE tillroll.game_seat ALTER COLUMN fallback SET DEFAULT true', /^ {4}fallback boolean DEFAULT true NOT NULL/],
  ['ALTER TABLE tillroll.token ALTER COLUMN expires_at DROP NOT NULL', /^ {4}expires_at timestamp\(3\) with time zone,$/],
  ['GRANT TRUNCATE ON tillroll.player TO tillroll_service', /^GRANT .*TRUNCATE.* ON TABLE tillroll\.player /],
  ['GRANT UPDATE (created_at) ON tillroll.player TO tillroll_service', /^GRANT UPDATE\(created_at\) ON TABLE tillroll\.player /],
  ['GRANT EXECUTE ON FUNCTION tillroll.to_ms(timestamptz) TO PUBLIC', /^REVOKE ALL ON FUNCTION tillroll\.to_ms.* FROM PUBLIC;/],
  ['GRANT CREATE ON SCHEMA tillroll TO tillroll_service', /^GRANT ALL ON SCHEMA tillroll TO tillroll_service;/],
  ['GRANT TEMPORARY ON DATABASE NAME TO tillroll_service', /^GRANT CONNECT,TEMPORARY ON DATABASE NAME TO tillroll_service;/],
  ['ALTER DEFAULT PRIVILEGES FOR ROLE tillroll_owner GRANT EXECUTE ON FUNCTIONS TO PUBLIC', /^ALTER DEFAULT PRIVILEGES .* ON FUNCTIONS /],
  ['DROP TRIGGER append_only ON tillroll.event_step', /^CREATE TRIGGER append_only .* ON tillroll\.event_step /],
  ['ALTER TABLE tillroll.game_result ENABLE TRIGGER append_only', /^ALTER TABLE tillroll\.game_result ENABLE ALWAYS TRIGGER append_only;/],
  ['ALTER FUNCTION tillroll.refuse_change() SET search_path = tillroll', /^ {4}SET search_path TO 'tillroll'/],
  ['ALTER TABLE tillroll.bye OWNER TO tillroll_migrator', /^ALTER TABLE tillroll\.bye OWNER TO tillroll_migrator;/],
  ['ALTER SEQUENCE tillroll.rated_game_number OWNED BY tillroll.rated_game.number', /^ALTER SEQUENCE tillroll\.rated_game_number OWNED BY /],
  ["SELECT nextval('tillroll.log_queue_id_seq')", /^SELECT pg_catalog\.setval\('tillroll\.log_queue_id_seq', 1, true\);/],
  ["COMMENT ON TABLE tillroll.player IS 'planted'", /^COMMENT ON TABLE tillroll\.player IS 'planted';/],
  ['ALTER TABLE tillroll.hearer SET LOGGED', /^CREATE UNLOGGED TABLE tillroll\.hearer /],
  ['DROP INDEX tillroll.game_board', /^CREATE INDEX game_board /],
  ["UPDATE tillroll.upkeep SET due_at = '1970-01-02Z'", /^INSERT INTO tillroll\.upkeep .*'1970-01-02 /],
  ['UPDATE tillroll.migration SET hash = sha256(hash) WHERE number = 2', /^INSERT INTO tillroll\.migration .*'0002_/],
  ["UPDATE tillroll.served SET at = '2000-01-01Z'", /^INSERT INTO tillroll\.served .*'2000-01-01 /],
];

// The lines that one of two descriptions has and the other has not.
function differences(one, other) {
  const [first, second] = [new Set(one), new Set(other)];
  return [...one.filter((line) => !second.has(line)), ...other.filter((line) => !first.has(line))];
}

describe('the squashed schema', () => {
  it('makes the same database as all migrations one by one', (t) => {
    const chain = new Database('by_chain');
    const begun = new Database('by_squashed_schema');
    const number = Number(last.slice(0, 4));
    const before = milliseconds(() => migrate(chain.migrator, chainOf(number)));
    const made = squashed(chain.admin);
    migrate(chain.migrator, chainOf());

    let said;
    const now = milliseconds(() => {
      said = migrate(begun.migrator, migrations);
    });
    t.diagnostic(`a new database: ${before} ms by the chain, ${now} ms from the squashed schema`);
    assert.deepEqual(said.trim().split('\n'), [
      `applied schema.sql, the squashed schema of ${names[0]} to ${last}`,
      ...names.slice(number).map((name) => `applied ${name}`),
    ]);

    const expected = chain.description();
    assert.ok(expected.length > 2000);
    const got = begun.description();
    assert.deepEqual(differences(got, expected), []);
    assert.deepEqual(got, expected);

    // Nobody has edited it. Another PostgreSQL may write the same in another way.
    if (new RegExp(`with PostgreSQL ${majorOf(chain.admin)};`).test(file)) assert.deepEqual(file.split('\n'), made.split('\n'));
  });

  it('is seen to differ where it does', () => {
    const changed = new Database('changed');
    migrate(changed.migrator, migrations);
    const before = changed.description();
    for (const [statement] of PLANTED) rows(changed.admin, statement.replace('NAME', 'changed'));
    const differ = differences(before, changed.description());
    const unseen = PLANTED.filter(([, line]) => !differ.some((each) => line.test(each)));
    assert.deepEqual(unseen.map(([statement]) => statement), []);
  });
});
