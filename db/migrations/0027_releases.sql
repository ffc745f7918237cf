-- What releases leave to each other.
SET LOCAL ROLE tillroll_owner;

-- Migrations after which releases from before them must not serve: such a migration puts its own
-- number and a sentence in here, and services look (db/schema.h).
CREATE TABLE tillroll.breaking_migration (
    number integer PRIMARY KEY CHECK (number >= 27),
    why text NOT NULL CHECK (char_length(why) BETWEEN 1 AND 200)
);
CALL tillroll.make_append_only('tillroll.breaking_migration');
GRANT SELECT ON tillroll.breaking_migration TO tillroll_service;

-- Releases of 0018 ruled on tables without a leaf in the transparency log (engine/LOG.md). It is
-- given now; the audit asks for those since the first checkpoint.
INSERT INTO tillroll.log_queue (entry)
    SELECT made.entry FROM (
        SELECT at, event_id, seq,
               E'tillroll ruling\n' || event_id || '/line/' || seq || E'\n'
               || encode(sha256(convert_to(
                      seq || ' ' || to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' '
                      || coalesce(actor_id::text, '-') || ' ' || kind || ' ' || detail || E'\n',
                      'UTF8')), 'hex') || E'\n' AS entry
            FROM (SELECT event_id, seq, at AT TIME ZONE 'UTC' AS at, actor_id, kind, detail
                      FROM tillroll.event_step
                      WHERE kind IN ('ruled', 'ruling_revoked', 'table_replayed')
                        AND at >= (SELECT signed_at FROM tillroll.log_checkpoint
                                   ORDER BY size LIMIT 1)) AS step
    ) AS made
    WHERE NOT EXISTS (SELECT FROM tillroll.log_leaf
                      WHERE hash = tillroll.log_leaf_hash(made.entry))
      AND NOT EXISTS (SELECT FROM tillroll.log_queue AS queued WHERE queued.entry = made.entry)
    ORDER BY at, event_id, seq;
