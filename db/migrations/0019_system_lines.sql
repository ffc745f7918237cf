-- What lines of a record that are no moves leave in lists: who is out of a game, who sat there before
-- a substitute came, and games that were made void.
SET LOCAL ROLE tillroll_owner;

ALTER TABLE tillroll.game ADD COLUMN voided boolean NOT NULL DEFAULT false;
GRANT UPDATE (voided) ON tillroll.game TO tillroll_service;

ALTER TABLE tillroll.game_seat
    ADD COLUMN forfeited boolean NOT NULL DEFAULT false,
    ADD COLUMN put_out uuid[] NOT NULL DEFAULT '{}',  -- who sat there before, first to last
    ADD CHECK (fallback OR NOT forfeited);
GRANT UPDATE (forfeited, player_id) ON tillroll.game_seat TO tillroll_service;

-- Whoever writes: seats of finished games stay as they are, and nobody is put out unnoticed.
CREATE FUNCTION tillroll.game_seat_check_update() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tillroll.game WHERE id = OLD.game_id AND finished_at IS NOT NULL) THEN
        RAISE EXCEPTION 'game % is finished', OLD.game_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.put_out := OLD.put_out;
    IF NEW.player_id <> OLD.player_id THEN
        NEW.put_out := OLD.put_out || OLD.player_id;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER game_seat_check_update BEFORE UPDATE ON tillroll.game_seat
    FOR EACH ROW EXECUTE FUNCTION tillroll.game_seat_check_update();

-- A change of a game says how its seats were then: whose quiet moves play, who is out, who sits there.
-- Rows of before have nulls; `seat_absent` is from before, too.
ALTER TABLE tillroll.event_change
    ADD COLUMN absent integer,     -- bit s for seat s
    ADD COLUMN forfeited integer,  -- likewise
    ADD COLUMN players uuid[],
    DROP CONSTRAINT event_change_kind_check,
    ADD CONSTRAINT event_change_kind_check
        CHECK (kind IN ('log', 'game_started', 'seat_absent', 'seats_changed', 'game_ended',
                        'game_scored', 'standings'));
DROP INDEX tillroll.event_change_game;
CREATE UNIQUE INDEX event_change_game ON tillroll.event_change (game_id, kind, coalesce(seat, -1))
    WHERE game_id IS NOT NULL AND kind <> 'seats_changed';

CREATE OR REPLACE FUNCTION tillroll.add_event_change(of_event uuid, what text, of_step integer,
                                                     of_game uuid, of_seat integer) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM tillroll.event WHERE id = of_event FOR NO KEY UPDATE;
    INSERT INTO tillroll.event_change (event_id, seq, kind, step, game_id, seat, absent, forfeited,
                                       players)
        SELECT of_event, last.seq + 1, what, of_step, of_game, of_seat, seats.absent,
               seats.forfeited, seats.players
        FROM (SELECT coalesce(max(seq), 0) AS seq FROM tillroll.event_change
              WHERE event_id = of_event) AS last,
             (SELECT sum(CASE WHEN fallback THEN 1 << seat ELSE 0 END) AS absent,
                     sum(CASE WHEN forfeited THEN 1 << seat ELSE 0 END) AS forfeited,
                     array_agg(player_id ORDER BY seat) AS players
              FROM tillroll.game_seat WHERE game_id = of_game) AS seats
        ON CONFLICT (game_id, kind, coalesce(seat, -1))
            WHERE game_id IS NOT NULL AND kind <> 'seats_changed' DO NOTHING;
    PERFORM pg_notify('tillroll', 'e ' || of_event);
END
$$;

-- Void games have no results that would tell that they have ended.
CREATE OR REPLACE FUNCTION tillroll.games_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_ended', NULL, id, NULL)
        FROM (SELECT event_id, id FROM changed
              WHERE event_id IS NOT NULL AND (board IS NOT NULL OR voided)
                AND finished_at IS NOT NULL
              ORDER BY round, table_number) AS game;
    RETURN NULL;
END
$$;

-- Of a game with a board only its own players may know who is absent; who sits there everybody may.
CREATE OR REPLACE FUNCTION tillroll.game_seats_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'seats_changed', NULL, id, NULL)
        FROM (SELECT DISTINCT event_id, id
              FROM changed JOIN was USING (game_id, seat) JOIN tillroll.game ON id = game_id
              WHERE event_id IS NOT NULL
                AND (board IS NULL OR changed.player_id <> was.player_id)
              ORDER BY id) AS game;
    RETURN NULL;
END
$$;
DROP TRIGGER game_seats_changed ON tillroll.game_seat;
CREATE TRIGGER game_seats_changed AFTER UPDATE ON tillroll.game_seat
    REFERENCING OLD TABLE AS was NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.game_seats_changed();
