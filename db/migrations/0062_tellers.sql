-- Other services are told of moves after the commit, by a transaction of its own (db/link/listener.h): NOTIFY locks the whole
-- cluster until its transaction is on disk, and moves are not to queue for that.
SET LOCAL ROLE tillroll_owner;

-- One row for each session that writes lines without a notice, because its service gives it afterwards; the session holds an
-- advisory lock on the number. One that is gone may have given none for its last lines. Unlogged, as tillroll.hearer is.
CREATE UNLOGGED TABLE tillroll.teller (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (CYCLE)
);
GRANT SELECT, INSERT, DELETE ON tillroll.teller TO tillroll_service;

-- The row can be seen by others when the lock is held.
CREATE FUNCTION tillroll.begin_to_tell() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own integer;
BEGIN
    INSERT INTO tillroll.teller DEFAULT VALUES RETURNING id INTO own;
    PERFORM pg_advisory_lock_shared(1953066093, own);
    PERFORM set_config('tillroll.teller', own::text, false);
END
$$;

-- Of a session whose lines have all been told.
CREATE FUNCTION tillroll.end_telling() RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM tillroll.teller WHERE id = nullif(current_setting('tillroll.teller', true), '')::integer
$$;
GRANT EXECUTE ON FUNCTION tillroll.begin_to_tell, tillroll.end_telling TO tillroll_service;

-- Takes out those who are gone. What a teller may not have told of, everyone looks for.
CREATE OR REPLACE FUNCTION tillroll.look_for_hearers(own integer) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM tillroll.hearer
        WHERE CASE WHEN id <> own THEN pg_try_advisory_xact_lock(1953066092, id) END;
    DELETE FROM tillroll.teller WHERE pg_try_advisory_xact_lock(1953066093, id);
    IF FOUND THEN
        PERFORM pg_notify('tillroll', 'a');
    END IF;
END
$$;

-- As before, but a session that tells afterwards notifies nobody, and does not look who hears.
CREATE OR REPLACE FUNCTION tillroll.record_lines_added() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    games_at_once CONSTANT integer := 150;
    games text[];
BEGIN
    -- A line of which anything is unknown is bad as well.
    IF EXISTS (
            SELECT FROM added LEFT JOIN LATERAL (
                SELECT earlier.hash FROM tillroll.record_line AS earlier
                    WHERE earlier.game_id = added.game_id AND earlier.seq = added.seq - 1
                    OFFSET 0) AS before ON true
            WHERE (CASE
                WHEN seq = 0
                    THEN octet_length(line) <= 32768
                        AND added.hash = tillroll.record_header_chain(line)
                        AND NOT tillroll.is_archived(added.game_id)
                WHEN seq > 0 THEN octet_length(line) <= 512 AND line COLLATE "C" ~ '^[ -~]+$'
                    AND right(line, 10) = ' #' || left(encode(added.hash, 'hex'), 8)
                    AND added.hash = sha256(convert_to(
                        encode(before.hash, 'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'))
                END) IS NOT true) THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    IF current_setting('tillroll.teller', true) <> '' THEN
        RETURN NULL;
    END IF;
    IF (SELECT bool_and(id = nullif(current_setting('tillroll.hearer', true), '')::integer)
            FROM tillroll.hearer) THEN
        RETURN NULL;
    END IF;
    -- No rows at all, where others came first, give no array.
    SELECT array_agg('g ' || game_id || ' ' || seq) INTO games FROM added;
    FOR i IN 1 .. coalesce(cardinality(games), 0) BY games_at_once LOOP
        PERFORM pg_notify('tillroll',
                          array_to_string(games[i : i + games_at_once - 1], E'\n'));
    END LOOP;
    RETURN NULL;
END
$$;
