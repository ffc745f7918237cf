-- Games that are shown to spectators some entries late.
SET LOCAL ROLE tillroll_owner;

ALTER TABLE tillroll.game
    ADD COLUMN delay_entries integer NOT NULL DEFAULT 0 CHECK (delay_entries BETWEEN 0 AND 1000);

-- Nobody is told at once that something has become of a seat of one.
CREATE OR REPLACE FUNCTION tillroll.game_seats_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'seats_changed', NULL, id, NULL)
        FROM (SELECT DISTINCT event_id, id
              FROM changed JOIN was USING (game_id, seat) JOIN tillroll.game ON id = game_id
              WHERE event_id IS NOT NULL
                AND ((board IS NULL AND delay_entries = 0)
                     OR changed.player_id <> was.player_id)
              ORDER BY id) AS game;
    RETURN NULL;
END
$$;
