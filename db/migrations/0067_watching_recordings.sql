-- Others follow the recording of a game: how many of its lines they see, and services are told when that changes.
SET LOCAL ROLE tillroll_owner;

-- Those at the table see `whole` lines: a decision that several seats take at the same time is shown when all of them are there.
-- Everybody else sees `open` lines, fewer if the event shows its games late. A finished recording is seen to its end.
ALTER TABLE tillroll.recording
    ADD COLUMN whole integer NOT NULL DEFAULT 0 CHECK (whole >= 0),
    ADD COLUMN open integer NOT NULL DEFAULT 0 CHECK (open BETWEEN 0 AND whole);
GRANT UPDATE (whole, open) ON tillroll.recording TO tillroll_service;

CREATE FUNCTION tillroll.recording_changed() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'e ' || NEW.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER recording_changed AFTER UPDATE ON tillroll.recording
    FOR EACH ROW EXECUTE FUNCTION tillroll.recording_changed();

-- Who follows the event is told that somebody has begun to record a game.
ALTER TABLE tillroll.event_change
    DROP CONSTRAINT event_change_kind_check,
    ADD CONSTRAINT event_change_kind_check CHECK (kind IN ('log', 'game_started', 'seat_absent', 'seats_changed', 'game_ended', 'game_scored',
                                                           'standings', 'dispute', 'recording')),
    DROP CONSTRAINT event_change_check1,
    ADD CONSTRAINT event_change_check1 CHECK ((game_id IS NULL) = (kind IN ('log', 'standings', 'dispute', 'recording')));
CREATE FUNCTION tillroll.recording_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(NEW.event_id, 'recording', NULL, NULL, NULL);
    RETURN NULL;
END
$$;
CREATE TRIGGER recording_added AFTER INSERT ON tillroll.recording
    FOR EACH ROW EXECUTE FUNCTION tillroll.recording_added();
