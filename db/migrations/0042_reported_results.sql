-- Standings change with the results that people report from their tables.
SET LOCAL ROLE tillroll_owner;

CREATE OR REPLACE FUNCTION tillroll.event_steps_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'log', seq, NULL, NULL)
        FROM (SELECT event_id, seq FROM added ORDER BY event_id, seq) AS step;
    PERFORM tillroll.add_standings_change(event_id)
        FROM (SELECT DISTINCT event_id FROM added
              WHERE kind IN ('entries_closed', 'stage_started', 'round_started', 'result', 'ruled',
                             'ruling_revoked', 'table_replayed', 'reported', 'report_confirmed',
                             'report_objected', 'report_corrected', 'dropped', 'returned',
                             'bye_granted', 'bye_revoked', 'settings_changed', 'closed')
                 OR (kind = 'entered' AND (detail ->> 'late')::boolean)) AS event;
    RETURN NULL;
END
$$;
