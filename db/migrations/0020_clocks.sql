-- Games with clocks, what follows when one has run out, and when somebody last served.
SET LOCAL ROLE tillroll_owner;

ALTER TABLE tillroll.game
    ADD COLUMN clock text CHECK (octet_length(clock) BETWEEN 1 AND 120),  -- as in the record's header
    ADD COLUMN on_timeout text NOT NULL DEFAULT 'arbiter'
        CHECK (on_timeout IN ('arbiter', 'quiet_move', 'fallback', 'forfeit')),
    ADD COLUMN take_back boolean NOT NULL DEFAULT false;
CREATE INDEX game_clock ON tillroll.game (id) WHERE clock IS NOT NULL AND finished_at IS NULL;

-- A seat whose clock has run out, and which has done nothing since.
ALTER TABLE tillroll.game_seat ADD COLUMN timed_out boolean NOT NULL DEFAULT false;
GRANT UPDATE (timed_out) ON tillroll.game_seat TO tillroll_service;
ALTER TABLE tillroll.event_change ADD COLUMN timed_out integer;  -- bit s for seat s

CREATE OR REPLACE FUNCTION tillroll.add_event_change(of_event uuid, what text, of_step integer,
                                                     of_game uuid, of_seat integer) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM tillroll.event WHERE id = of_event FOR NO KEY UPDATE;
    INSERT INTO tillroll.event_change (event_id, seq, kind, step, game_id, seat, absent, forfeited,
                                       timed_out, players)
        SELECT of_event, last.seq + 1, what, of_step, of_game, of_seat, seats.absent,
               seats.forfeited, seats.timed_out, seats.players
        FROM (SELECT coalesce(max(seq), 0) AS seq FROM tillroll.event_change
              WHERE event_id = of_event) AS last,
             (SELECT sum(CASE WHEN fallback THEN 1 << seat ELSE 0 END) AS absent,
                     sum(CASE WHEN forfeited THEN 1 << seat ELSE 0 END) AS forfeited,
                     sum(CASE WHEN timed_out THEN 1 << seat ELSE 0 END) AS timed_out,
                     array_agg(player_id ORDER BY seat) AS players
              FROM tillroll.game_seat WHERE game_id = of_game) AS seats
        ON CONFLICT (game_id, kind, coalesce(seat, -1))
            WHERE game_id IS NOT NULL AND kind <> 'seats_changed' DO NOTHING;
    PERFORM pg_notify('tillroll', 'e ' || of_event);
END
$$;

-- One row. `at`: when one of the services last said that it serves. While there is a gap, from when to
-- when nobody did, games with clocks are being stopped for that time, and none is played.
CREATE TABLE tillroll.served (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    at timestamptz(3) NOT NULL,
    gap_from timestamptz(3),
    gap_to timestamptz(3) CHECK (gap_to >= gap_from),
    CHECK (num_nulls(gap_from, gap_to) IN (0, 2))
);
INSERT INTO tillroll.served (at) VALUES (now());
GRANT SELECT, UPDATE (at, gap_from, gap_to) ON tillroll.served TO tillroll_service;
