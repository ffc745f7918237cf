-- Results that people report from tables where they play with their own copy: standings change with them,
-- and a player's are listed. How they came to be stands in the event's log.
SET LOCAL ROLE tillroll_owner;

-- As they count now.
CREATE TABLE tillroll.reported_seat (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    round integer NOT NULL CHECK (round >= 0),
    table_number integer NOT NULL CHECK (table_number >= 1),
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    player_id uuid NOT NULL REFERENCES tillroll.player,
    seats integer NOT NULL CHECK (seats BETWEEN 1 AND 5),
    rank integer NOT NULL CHECK (rank BETWEEN 1 AND 5),
    score integer, -- null: places alone were reported
    at timestamptz(3) NOT NULL,
    PRIMARY KEY (event_id, round, table_number, seat)
);
CREATE INDEX reported_seat_of_player ON tillroll.reported_seat (player_id, at, event_id, round, table_number);
GRANT SELECT, INSERT, DELETE ON tillroll.reported_seat TO tillroll_service;

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
