-- Who hears of changes, so that nobody is told what he has written himself.
SET LOCAL ROLE tillroll_owner;

-- One row for each service whose listener (db/listener.h) hears, by a number that the service drew;
-- its session holds an advisory lock on that number. Unlogged: a server that comes up again has no
-- sessions, so nobody hears.
CREATE UNLOGGED TABLE tillroll.hearer (
    id integer PRIMARY KEY CHECK (id > 0)
);
GRANT SELECT, INSERT, DELETE ON tillroll.hearer TO tillroll_service;

-- Takes out those who are gone.
CREATE FUNCTION tillroll.look_for_hearers(own integer) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM tillroll.hearer
        WHERE CASE WHEN id <> own THEN pg_try_advisory_xact_lock(1953066092, id) END
$$;

-- For a session that LISTENs already: from here on others tell it of their lines.
CREATE FUNCTION tillroll.hear(own integer) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_lock_shared(1953066092, own);
    PERFORM tillroll.look_for_hearers(own);
    INSERT INTO tillroll.hearer VALUES (own) ON CONFLICT DO NOTHING;
END
$$;

-- Waits for those who were adding lines when it began, and may have seen no hearer: what they add
-- is committed, or is not, when it returns. To be called when the row above is committed.
CREATE FUNCTION tillroll.lines_settled() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    adding text[] := ARRAY(
        SELECT virtualtransaction FROM pg_locks
            WHERE locktype = 'relation' AND relation = 'tillroll.record_line'::regclass
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND mode = 'RowExclusiveLock');
BEGIN
    WHILE EXISTS (SELECT FROM pg_locks
                  WHERE locktype = 'relation' AND relation = 'tillroll.record_line'::regclass
                      AND mode = 'RowExclusiveLock' AND virtualtransaction = ANY (adding)) LOOP
        PERFORM pg_sleep(0.002);
    END LOOP;
END
$$;

-- Not in SQL, so that it is no part of the statement that calls it, which hardly ever does.
CREATE FUNCTION tillroll.is_archived(game uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN EXISTS (SELECT FROM tillroll.archived_record WHERE game_id = game);
END
$$;

GRANT EXECUTE ON FUNCTION tillroll.look_for_hearers, tillroll.hear, tillroll.lines_settled,
    tillroll.is_archived TO tillroll_service;

-- As before, but each row's predecessor is looked up by a join; what record_begins() saw to is seen to
-- here, since the condition of a trigger is compiled for every statement; and nobody is told if the
-- only one who hears is the writer itself, which says so with the setting `tillroll.hearer`.
CREATE OR REPLACE FUNCTION tillroll.record_lines_added() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    games_at_once CONSTANT integer := 150;
    good boolean;
    games text[];
BEGIN
    SELECT bool_and(coalesce(CASE
        WHEN seq = 0
            THEN octet_length(line) <= 32768 AND added.hash = tillroll.record_header_chain(line)
                AND NOT tillroll.is_archived(added.game_id)
        WHEN seq > 0 THEN octet_length(line) <= 512 AND line COLLATE "C" ~ '^[ -~]+$'
            AND right(line, 10) = ' #' || left(encode(added.hash, 'hex'), 8)
            AND added.hash = sha256(convert_to(
                encode(before.hash, 'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'))
        END, false))
        INTO good FROM added LEFT JOIN LATERAL (
            SELECT earlier.hash FROM tillroll.record_line AS earlier
                WHERE earlier.game_id = added.game_id AND earlier.seq = added.seq - 1
                OFFSET 0) AS before ON true;
    IF NOT good THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
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
DROP TRIGGER record_begins ON tillroll.record_line;
DROP FUNCTION tillroll.record_begins();
