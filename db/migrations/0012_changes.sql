-- Who follows an event sees its changes in one order, which is stored, so that everybody can go on
-- where he left off, at whatever process. Only the triggers below add to it. And notices on channel
-- `tillroll` of what was changed: `e <event>`, and `t <hash>` for tokens that are no longer good.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.event_change (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    seq integer NOT NULL CHECK (seq >= 1),
    kind text NOT NULL CHECK (kind IN ('log', 'game_started', 'seat_absent', 'game_ended',
                                       'game_scored', 'standings')),
    step integer,  -- the line of the log
    game_id uuid REFERENCES tillroll.game,
    seat integer,  -- for which the quiet move plays from here on
    PRIMARY KEY (event_id, seq),
    FOREIGN KEY (event_id, step) REFERENCES tillroll.event_step,
    CHECK ((step IS NOT NULL) = (kind = 'log')),
    CHECK ((game_id IS NULL) = (kind IN ('log', 'standings'))),
    CHECK ((seat IS NOT NULL) = (kind = 'seat_absent'))
);
CREATE UNIQUE INDEX event_change_game ON tillroll.event_change (game_id, kind, coalesce(seat, -1))
    WHERE game_id IS NOT NULL;

-- What has happened so far, as far as its order is known. When a seat became absent is not known.
INSERT INTO tillroll.event_change (event_id, seq, kind, step, game_id, seat)
    SELECT event_id, row_number() OVER (PARTITION BY event_id ORDER BY at, place, step, game_id, seat),
           kind, step, game_id, seat
    FROM (
        SELECT event_id, at, 1 AS place, 'log' AS kind, seq AS step, NULL::uuid AS game_id,
               NULL::integer AS seat
            FROM tillroll.event_step
        UNION ALL
        SELECT event_id, started_at, 2, 'game_started', NULL, id, NULL
            FROM tillroll.game WHERE event_id IS NOT NULL
        UNION ALL
        SELECT event_id, started_at, 3, 'seat_absent', NULL, id, seat
            FROM tillroll.game JOIN tillroll.game_seat ON game_id = id
            WHERE event_id IS NOT NULL AND board IS NULL AND fallback
        UNION ALL
        SELECT event_id, finished_at, 4, 'game_ended', NULL, id, NULL
            FROM tillroll.game WHERE board IS NOT NULL AND finished_at IS NOT NULL
        UNION ALL
        SELECT event_id, finished_at, 5, 'game_scored', NULL, id, NULL
            FROM tillroll.game
            WHERE event_id IS NOT NULL AND finished_at IS NOT NULL
              AND EXISTS (SELECT FROM tillroll.game_result WHERE game_id = id)
    ) AS change;

CALL tillroll.make_append_only('tillroll.event_change');
GRANT SELECT ON tillroll.event_change TO tillroll_service;

-- The event's lock is held until the end of the transaction, so whoever sees a number sees all
-- before it. What would be there twice (the results of a game come seat by seat) is added once.
CREATE FUNCTION tillroll.add_event_change(of_event uuid, what text, of_step integer, of_game uuid,
                                          of_seat integer) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM tillroll.event WHERE id = of_event FOR NO KEY UPDATE;
    INSERT INTO tillroll.event_change (event_id, seq, kind, step, game_id, seat)
        SELECT of_event, coalesce(max(seq), 0) + 1, what, of_step, of_game, of_seat
        FROM tillroll.event_change WHERE event_id = of_event
        ON CONFLICT (game_id, kind, coalesce(seat, -1)) WHERE game_id IS NOT NULL DO NOTHING;
    PERFORM pg_notify('tillroll', 'e ' || of_event);
END
$$;

-- Once a transaction, however many results it stores.
CREATE FUNCTION tillroll.add_standings_change(of_event uuid) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF current_setting('tillroll.standings_changed', true) IS DISTINCT FROM of_event::text THEN
        PERFORM tillroll.add_event_change(of_event, 'standings', NULL, NULL, NULL);
        PERFORM set_config('tillroll.standings_changed', of_event::text, true);
    END IF;
END
$$;

CREATE FUNCTION tillroll.event_steps_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'log', seq, NULL, NULL)
        FROM (SELECT event_id, seq FROM added ORDER BY event_id, seq) AS step;
    PERFORM tillroll.add_standings_change(event_id)
        FROM added WHERE kind IN ('entries_closed', 'round_started', 'dropped', 'closed');
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.games_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_started', NULL, id, NULL)
        FROM (SELECT event_id, id FROM added WHERE event_id IS NOT NULL
              ORDER BY round, table_number) AS game;
    RETURN NULL;
END
$$;

-- Of other games their results tell that they have ended.
CREATE FUNCTION tillroll.games_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_ended', NULL, id, NULL)
        FROM (SELECT event_id, id FROM changed WHERE board IS NOT NULL AND finished_at IS NOT NULL
              ORDER BY round, table_number) AS game;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.game_results_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_scored', NULL, id, NULL),
            tillroll.add_standings_change(event_id)
        FROM (SELECT DISTINCT event_id, id FROM added JOIN tillroll.game ON id = game_id
              WHERE event_id IS NOT NULL) AS game;
    RETURN NULL;
END
$$;

-- Of a game with a board only its own players may know; then there is nothing to tell.
CREATE FUNCTION tillroll.game_seats_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'seat_absent', NULL, id, seat)
        FROM (SELECT event_id, id, seat FROM changed JOIN tillroll.game ON id = game_id
              WHERE event_id IS NOT NULL AND board IS NULL AND fallback ORDER BY id, seat) AS game;
    RETURN NULL;
END
$$;

-- A notice has at most 8000 bytes.
CREATE FUNCTION tillroll.tokens_ended() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    tokens_at_once CONSTANT integer := 100;
BEGIN
    PERFORM pg_notify('tillroll', string_agg('t ' || encode(hash, 'hex'), E'\n'))
        FROM (SELECT hash, (row_number() OVER () - 1) / tokens_at_once AS part
              FROM ended WHERE TG_OP = 'DELETE' OR revoked_at IS NOT NULL) AS token
        GROUP BY part;
    RETURN NULL;
END
$$;

CREATE TRIGGER event_steps_added AFTER INSERT ON tillroll.event_step
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.event_steps_added();
CREATE TRIGGER games_added AFTER INSERT ON tillroll.game
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.games_added();
CREATE TRIGGER games_changed AFTER UPDATE ON tillroll.game
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.games_changed();
CREATE TRIGGER game_results_added AFTER INSERT ON tillroll.game_result
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.game_results_added();
CREATE TRIGGER game_seats_changed AFTER UPDATE ON tillroll.game_seat
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.game_seats_changed();
CREATE TRIGGER tokens_revoked AFTER UPDATE ON tillroll.token
    REFERENCING NEW TABLE AS ended
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.tokens_ended();
CREATE TRIGGER tokens_deleted AFTER DELETE ON tillroll.token
    REFERENCING OLD TABLE AS ended
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.tokens_ended();
