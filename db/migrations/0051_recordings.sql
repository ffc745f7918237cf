-- Games at real tables that scorers record: their records grow line by line, beside those of games that are played on the service.
SET LOCAL ROLE tillroll_owner;

-- The id is the scorer's own, so that what is sent again is known.
CREATE TABLE tillroll.recording (
    id uuid PRIMARY KEY,
    event_id uuid NOT NULL REFERENCES tillroll.event,
    round integer NOT NULL CHECK (round >= 0),
    table_number integer NOT NULL CHECK (table_number >= 1),
    since integer NOT NULL CHECK (since >= 1), -- the line of the event's log that started the table
    scorer_id uuid NOT NULL REFERENCES tillroll.player,
    started_at timestamptz(3) NOT NULL,  -- as the record says
    created_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3) CHECK (finished_at >= created_at)
);
CREATE INDEX recording_of_table ON tillroll.recording (event_id, round, table_number, created_at, id);
GRANT SELECT, INSERT, UPDATE (finished_at) ON tillroll.recording TO tillroll_service;

CREATE FUNCTION tillroll.recording_check_update() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.finished_at IS NOT NULL THEN
        RAISE EXCEPTION 'recording % is finished', OLD.id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER recording_check_update BEFORE UPDATE ON tillroll.recording
    FOR EACH ROW EXECUTE FUNCTION tillroll.recording_check_update();

CREATE TABLE tillroll.recording_line (
    recording_id uuid NOT NULL REFERENCES tillroll.recording,
    seq integer NOT NULL CHECK (seq >= 0),
    line text NOT NULL CHECK (octet_length(line) BETWEEN 1 AND 32768),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (recording_id, seq)
);

-- The chain of a record of version 2, after a header of several lines.
CREATE FUNCTION tillroll.recording_header_chain(header text) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    lines text[] := string_to_array(header, E'\n');
    hash bytea := sha256(convert_to(E'tillroll 2\n', 'UTF8'));
BEGIN
    IF lines[1] <> 'tillroll 2 #' || left(encode(hash, 'hex'), 8) THEN
        RAISE EXCEPTION 'a recorded game starts with another line' USING ERRCODE = 'check_violation';
    END IF;
    FOR i IN 2 .. array_length(lines, 1) LOOP
        hash := tillroll.record_chain(hash, lines[i]);
    END LOOP;
    RETURN hash;
END
$$;

-- Sees the rows that the same statement has put in before.
CREATE FUNCTION tillroll.recording_line_check() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before bytea;
    after bytea;
BEGIN
    IF NEW.seq > 0 THEN
        SELECT hash INTO before FROM tillroll.recording_line
            WHERE recording_id = NEW.recording_id AND seq = NEW.seq - 1;
    END IF;
    after := CASE WHEN NEW.seq = 0 THEN tillroll.recording_header_chain(NEW.line)
                  ELSE tillroll.record_chain(before, NEW.line) END;
    IF NEW.hash IS DISTINCT FROM after THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CALL tillroll.make_append_only('tillroll.recording_line');
CREATE TRIGGER recording_line_check BEFORE INSERT ON tillroll.recording_line
    FOR EACH ROW EXECUTE FUNCTION tillroll.recording_line_check();
ALTER TABLE tillroll.recording_line ENABLE ALWAYS TRIGGER recording_line_check;
GRANT EXECUTE ON FUNCTION tillroll.recording_header_chain(text) TO tillroll_service;
GRANT SELECT, INSERT ON tillroll.recording_line TO tillroll_service;
