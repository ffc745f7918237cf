-- What a line database has (db/lines/line_setup.h); run in a transaction by whoever owns the database.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tillroll_owner') THEN
        CREATE ROLE tillroll_owner NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tillroll_service') THEN
        CREATE ROLE tillroll_service NOLOGIN;
    END IF;
    IF NOT pg_catalog.pg_has_role(current_user, 'tillroll_owner', 'MEMBER') THEN
        EXECUTE pg_catalog.format('GRANT tillroll_owner TO %I', current_user);
    END IF;
END
$$;

CREATE SCHEMA tillroll AUTHORIZATION tillroll_owner;
SET LOCAL ROLE tillroll_owner;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA tillroll TO tillroll_service;

-- Its place, '2 of 4', and in which installation; no row while it has none.
CREATE TABLE tillroll.line_database (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    installation uuid NOT NULL,
    place text NOT NULL CHECK (place ~ '^[0-9]+ of [0-9]+$')
);
GRANT SELECT ON tillroll.line_database TO tillroll_service;

-- Plain moves and fences. A fence is a row without a line, with the hash that the central database's line is to have. The next
-- plain move follows it. It may be changed by another fence: which of their lines comes about is decided in the central database.
CREATE TABLE tillroll.record_line (
    game_id uuid NOT NULL,
    seq integer NOT NULL CHECK (seq >= 1),
    line text CHECK (octet_length(line) BETWEEN 1 AND 512),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (game_id, seq)
);
GRANT SELECT, INSERT, UPDATE (hash) ON tillroll.record_line TO tillroll_service;

-- The writer of moves (db/writer/writer.h) sends the same statements here as to the central database, and asks for what there is
-- here: it is told that others are always to be notified.
CREATE VIEW tillroll.hearer AS SELECT 0 AS id;
GRANT SELECT ON tillroll.hearer TO tillroll_service;
CREATE FUNCTION tillroll.begin_to_tell() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION tillroll.end_telling() RETURNS void LANGUAGE sql AS 'SELECT';
GRANT EXECUTE ON FUNCTION tillroll.begin_to_tell, tillroll.end_telling TO tillroll_service;

-- A line of which anything is unknown is bad as well.
CREATE FUNCTION tillroll.record_lines_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('tillroll.line_database', true)
            IS DISTINCT FROM (SELECT place FROM tillroll.line_database) THEN
        RAISE EXCEPTION 'this line database has another place, or none'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF EXISTS (
            SELECT FROM added LEFT JOIN LATERAL (
                SELECT earlier.hash FROM tillroll.record_line AS earlier
                    WHERE earlier.game_id = added.game_id AND earlier.seq = added.seq - 1
                    OFFSET 0) AS before ON true
            WHERE line IS NOT NULL
                AND (line COLLATE "C" ~ '^[ -~]+$'
                    AND right(line, 10) = ' #' || left(encode(added.hash, 'hex'), 8)
                    AND added.hash = sha256(convert_to(
                        encode(before.hash, 'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'))) IS NOT true) THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER record_lines_added AFTER INSERT ON tillroll.record_line
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_added();
ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_lines_added;

CREATE FUNCTION tillroll.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% refused: lines only grow', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER lines_stay BEFORE UPDATE ON tillroll.record_line
    FOR EACH ROW WHEN (OLD.line IS NOT NULL OR NEW.line IS NOT NULL)
    EXECUTE FUNCTION tillroll.refuse_change();
ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER lines_stay;

-- Lines leave when they are in the central database: `tillroll lines sweep` and `leave`.
CREATE FUNCTION tillroll.record_lines_leave() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('tillroll.settled', true) IS DISTINCT FROM 'yes' THEN
        RAISE EXCEPTION '% refused: lines only grow', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER record_lines_leave BEFORE DELETE OR TRUNCATE ON tillroll.record_line
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_leave();
ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_lines_leave;

RESET ROLE;
