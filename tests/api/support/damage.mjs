// What nobody can do but the owner of the tables: to change and to take away what is stored, with the
// locks off and put on again.

export const records = 'tillroll.record_line';

export const asOwner = (cluster, statements) => cluster.sql(`BEGIN; SET LOCAL ROLE tillroll_owner; ${statements}; COMMIT;`);

// Runs statements on a table that only grows.
export function unlocked(cluster, table, statements) {
  const locks = table === records ? ['append_only', 'record_lines_leave'] : ['append_only'];
  const each = (change) => locks.map((name) => `ALTER TABLE ${table} ${change} TRIGGER ${name};`).join(' ');
  asOwner(cluster, `${each('DISABLE')} ${statements}; ${each('ENABLE ALWAYS')}`);
}

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

// Rows: [seq, line].
export function writeLines(cluster, id, rows) {
  const updates = rows.map(([seq, line]) => `UPDATE ${records} SET line = ${quoted(line)} WHERE game_id = '${id}' AND seq = ${seq}`);
  unlocked(cluster, records, updates.join('; '));
}

// Keeps leaves that begin so from coming into the log while `act` runs.
export async function leavingOut(cluster, start, act) {
  asOwner(cluster, `CREATE FUNCTION tillroll.left_out() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF starts_with(NEW.entry, '${start}') THEN RETURN NULL; END IF; RETURN NEW; END $$;
    CREATE TRIGGER left_out BEFORE INSERT ON tillroll.log_queue FOR EACH ROW EXECUTE FUNCTION tillroll.left_out()`);
  try {
    return await act();
  } finally {
    asOwner(cluster, 'DROP FUNCTION tillroll.left_out() CASCADE');
  }
}
