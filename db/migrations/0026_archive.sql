-- Records of finished games in files. The last line of an archived record, which holds its head,
-- stays; the others are in a file with the hash that stands here, and leave the table.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.archived_record (
    game_id uuid PRIMARY KEY REFERENCES tillroll.game,
    rows integer NOT NULL CHECK (rows >= 2),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    archived_at timestamptz(3) NOT NULL DEFAULT now()
);
CALL tillroll.make_append_only('tillroll.archived_record');
GRANT SELECT ON tillroll.archived_record TO tillroll_service;

-- Nobody can say that a record is in a file but by the hash of what he has read there: it is
-- compared with that of the lines.
CREATE FUNCTION tillroll.archived_record_check() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    good boolean;
BEGIN
    SELECT count(*) = NEW.rows AND min(seq) = 0 AND max(seq) = NEW.rows - 1
            AND sha256(convert_to(string_agg(line, E'\n' ORDER BY seq) || E'\n', 'UTF8'))
                = NEW.hash
            AND EXISTS (SELECT FROM tillroll.game
                        WHERE id = NEW.game_id AND finished_at IS NOT NULL)
        INTO good FROM tillroll.record_line WHERE game_id = NEW.game_id;
    IF good IS NOT TRUE THEN
        RAISE EXCEPTION 'that is not the record of a finished game'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER archived_record_check BEFORE INSERT ON tillroll.archived_record
    FOR EACH ROW EXECUTE FUNCTION tillroll.archived_record_check();
ALTER TABLE tillroll.archived_record ENABLE ALWAYS TRIGGER archived_record_check;

-- ---- Lines that leave ----

-- They do so for what is above only; the last one never does.
CREATE FUNCTION tillroll.record_lines_leave() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM gone)
            OR EXISTS (SELECT FROM gone WHERE NOT EXISTS (
                           SELECT FROM tillroll.archived_record AS archived
                           WHERE archived.game_id = gone.game_id
                             AND archived.rows - 1 > gone.seq)) THEN
        RAISE EXCEPTION 'DELETE refused: tillroll.record_line only grows'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
DROP TRIGGER append_only ON tillroll.record_line;
CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON tillroll.record_line
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();
ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER append_only;
CREATE TRIGGER record_lines_leave AFTER DELETE ON tillroll.record_line
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_leave();
ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_lines_leave;

-- A record whose beginning has left is not begun anew.
CREATE FUNCTION tillroll.record_begins() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tillroll.archived_record WHERE game_id = NEW.game_id) THEN
        RAISE EXCEPTION 'the record is in a file' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER record_begins AFTER INSERT ON tillroll.record_line
    FOR EACH ROW WHEN (NEW.seq = 0) EXECUTE FUNCTION tillroll.record_begins();
ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_begins;

-- ---- Signatures stay where they are ----

-- A foreign key would hold the lines; what it said of new signatures is said here.
ALTER TABLE tillroll.move_signature DROP CONSTRAINT move_signature_game_id_seq_fkey;
CREATE FUNCTION tillroll.move_signature_check() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tillroll.record_line
                   WHERE game_id = NEW.game_id AND seq = NEW.seq) THEN
        RAISE EXCEPTION 'a signature of a line that is not there'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER move_signature_check AFTER INSERT ON tillroll.move_signature
    FOR EACH ROW EXECUTE FUNCTION tillroll.move_signature_check();
ALTER TABLE tillroll.move_signature ENABLE ALWAYS TRIGGER move_signature_check;
