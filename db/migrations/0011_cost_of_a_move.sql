-- What a move costs in the database.
SET LOCAL ROLE tillroll_owner;

-- Written so that the planner can put them in place of their calls, for which every step has to be
-- as immutable as the function claims to be; a call takes longer than most statements that make one.
CREATE OR REPLACE FUNCTION tillroll.from_ms(ms bigint) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (timestamp '1970-01-01 00:00:00' + ms * interval '1 millisecond') AT TIME ZONE 'UTC';
CREATE OR REPLACE FUNCTION tillroll.to_ms(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (extract(epoch FROM moment AT TIME ZONE 'UTC') * 1000)::bigint;

-- Lines are checked batch by batch: one query looks at all rows of a statement, where a trigger per
-- row took longer than everything else about a move. The same step tells who listens which games
-- have moved on. And one table instead of sixteen partitions, each of which had its price in every
-- statement, as had its constraints: what those said is checked with the chain.
ALTER TABLE tillroll.record_line RENAME TO record_line_before;
ALTER INDEX tillroll.record_line_pkey RENAME TO record_line_before_pkey;

-- No foreign key to the game: this is the hot path, and a distributed database could not keep it.
CREATE TABLE tillroll.record_line (
    game_id uuid NOT NULL,
    seq integer NOT NULL,
    line text NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (game_id, seq)
);
INSERT INTO tillroll.record_line SELECT * FROM tillroll.record_line_before;
DROP TABLE tillroll.record_line_before;
DROP FUNCTION tillroll.record_line_check();

-- Without a search_path of its own, which would be set and reset each time: it names everything in
-- full but what is in pg_catalog. The notices on channel `tillroll` have a line `g <game> <seq>` for each row; a notice may have 8000
-- bytes.
CREATE FUNCTION tillroll.record_lines_added() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    games_at_once CONSTANT integer := 150;
    good boolean;
    games text[];
BEGIN
    SELECT bool_and(coalesce(CASE
        WHEN seq = 0
            THEN octet_length(line) <= 32768 AND hash = tillroll.record_header_chain(line)
        WHEN seq > 0 THEN octet_length(line) <= 512 AND line COLLATE "C" ~ '^[ -~]+$'
            AND right(line, 10) = ' #' || left(encode(hash, 'hex'), 8)
            AND hash = sha256(convert_to(
                encode((SELECT before.hash FROM tillroll.record_line AS before
                        WHERE before.game_id = added.game_id AND before.seq = added.seq - 1),
                       'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'))
        END, false)), array_agg('g ' || game_id || ' ' || seq)
        INTO good, games FROM added;
    IF NOT good THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    -- No rows at all, where others came first, give no array.
    FOR i IN 1 .. coalesce(cardinality(games), 0) BY games_at_once LOOP
        PERFORM pg_notify('tillroll',
                          array_to_string(games[i : i + games_at_once - 1], E'\n'));
    END LOOP;
    RETURN NULL;
END
$$;

CALL tillroll.make_append_only('tillroll.record_line');
CREATE TRIGGER record_lines_added AFTER INSERT ON tillroll.record_line
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_added();
ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_lines_added;
GRANT SELECT, INSERT ON tillroll.record_line TO tillroll_service;
