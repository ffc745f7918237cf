// What nobody can do but the owner of the tables: to change and to take away what is stored, with the
// locks off and put on again.

export const asOwner = (cluster, statements) => cluster.sql(`BEGIN; SET LOCAL ROLE tillroll_owner; ${statements}; COMMIT;`);

// Runs statements on a table that only grows.
export function unlocked(cluster, table, statements) {
  asOwner(
    cluster,
    `ALTER TABLE ${table} DISABLE TRIGGER append_only; ${statements}; ALTER TABLE ${table} ENABLE ALWAYS TRIGGER append_only`,
  );
}

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

export const records = 'tillroll.record_line';

// Rows: [seq, line].
export function writeLines(cluster, id, rows) {
  const updates = rows.map(([seq, line]) => `UPDATE ${records} SET line = ${quoted(line)} WHERE game_id = '${id}' AND seq = ${seq}`);
  unlocked(cluster, records, updates.join('; '));
}
