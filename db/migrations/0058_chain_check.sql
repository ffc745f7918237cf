-- What each commit of moves pays for: one query instead of two, since beginning a query takes longer than what it does for a
-- single line (web-static/docs/explanation/performance.md). What is checked, and who is told, is as before.
SET LOCAL ROLE tillroll_owner;

CREATE OR REPLACE FUNCTION tillroll.record_lines_added() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    games_at_once CONSTANT integer := 150;
    bad CONSTANT integer := 1;
    heard CONSTANT integer := 2; -- by nobody but the writer itself
    state integer;
    games text[];
BEGIN
    -- A line of which anything is unknown is bad as well.
    state := CASE
        WHEN EXISTS (
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
                END) IS NOT true)
            THEN bad
        WHEN (SELECT bool_and(id = nullif(current_setting('tillroll.hearer', true), '')::integer)
                FROM tillroll.hearer)
            THEN heard
        END;
    IF state = bad THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    IF state = heard THEN
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
