-- A scorer's own recordings, and one function for the chain of a header, of either version of records.
SET LOCAL ROLE tillroll_owner;

CREATE INDEX recording_of_scorer ON tillroll.recording (scorer_id, created_at, id);

-- `form` is 1 for games of the service, 2 for games at real tables.
DROP FUNCTION tillroll.record_header_chain(text);
CREATE FUNCTION tillroll.record_header_chain(header text, form integer DEFAULT 1) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    lines text[] := string_to_array(header, E'\n');
    hash bytea := sha256(convert_to('tillroll ' || form || E'\n', 'UTF8'));
BEGIN
    IF lines[1] <> 'tillroll ' || form || ' #' || left(encode(hash, 'hex'), 8) THEN
        RAISE EXCEPTION 'a record starts with another line' USING ERRCODE = 'check_violation';
    END IF;
    FOR i IN 2 .. array_length(lines, 1) LOOP
        hash := tillroll.record_chain(hash, lines[i]);
    END LOOP;
    RETURN hash;
END
$$;
REVOKE ALL ON FUNCTION tillroll.record_header_chain(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tillroll.record_header_chain(text, integer) TO tillroll_service;

-- Sees the rows that the same statement has put in before.
CREATE OR REPLACE FUNCTION tillroll.recording_line_check() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before bytea;
    after bytea;
BEGIN
    IF NEW.seq > 0 THEN
        SELECT hash INTO before FROM tillroll.recording_line
            WHERE recording_id = NEW.recording_id AND seq = NEW.seq - 1;
    END IF;
    after := CASE WHEN NEW.seq = 0 THEN tillroll.record_header_chain(NEW.line, 2)
                  ELSE tillroll.record_chain(before, NEW.line) END;
    IF NEW.hash IS DISTINCT FROM after THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
DROP FUNCTION tillroll.recording_header_chain(text);
