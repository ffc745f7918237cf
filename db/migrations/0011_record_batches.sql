-- Lines are checked batch by batch: one query looks at all rows of a statement, where a trigger per
-- row took longer than everything else about a move. The same step tells who listens which games
-- have moved on. Four partitions instead of sixteen: each one that a statement touches has its price,
-- and so has each constraint of each; what those said is checked with the chain.
SET LOCAL ROLE tillroll_owner;

ALTER TABLE tillroll.record_line RENAME TO record_line_before;
ALTER INDEX tillroll.record_line_pkey RENAME TO record_line_before_pkey;
DO $$
BEGIN
    FOR i IN 0 .. 15 LOOP
        EXECUTE format('ALTER TABLE tillroll.record_line_%s RENAME TO record_line_before_%s', i, i);
        EXECUTE format('ALTER INDEX tillroll.record_line_%s_pkey RENAME TO record_line_before_%s_pkey',
                       i, i);
    END LOOP;
END
$$;

-- No foreign key to the game: this is the hot path, and a distributed database could not keep it.
CREATE TABLE tillroll.record_line (
    game_id uuid NOT NULL,
    seq integer NOT NULL,
    line text NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (game_id, seq)
) PARTITION BY HASH (game_id);

DO $$
BEGIN
    FOR i IN 0 .. 3 LOOP
        EXECUTE format('CREATE TABLE tillroll.record_line_%s PARTITION OF tillroll.record_line '
                       'FOR VALUES WITH (MODULUS 4, REMAINDER %s)', i, i);
    END LOOP;
END
$$;
INSERT INTO tillroll.record_line SELECT * FROM tillroll.record_line_before;
DROP TABLE tillroll.record_line_before;
DROP FUNCTION tillroll.record_line_check();

-- The notice on channel `tillroll` has a line `g <game> <seq>` for each game, at most 8000 bytes in
-- all.
CREATE FUNCTION tillroll.record_lines_added() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    games_at_once CONSTANT integer := 150;
BEGIN
    PERFORM FROM added WHERE NOT coalesce(CASE
        WHEN seq = 0
            THEN octet_length(line) <= 32768 AND hash = tillroll.record_header_chain(line)
        WHEN seq > 0 THEN octet_length(line) <= 512 AND line COLLATE "C" ~ '^[ -~]+ #[0-9a-f]{8}$'
            AND right(line, 8) = left(encode(hash, 'hex'), 8)
            AND hash = sha256(convert_to(
                encode((SELECT before.hash FROM tillroll.record_line AS before
                        WHERE before.game_id = added.game_id AND before.seq = added.seq - 1),
                       'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'))
        END, false);
    IF FOUND THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM pg_notify('tillroll', string_agg('g ' || game_id || ' ' || seq, E'\n'))
        FROM (SELECT game_id, max(seq) AS seq, (row_number() OVER () - 1) / games_at_once AS part
              FROM added GROUP BY game_id) AS game
        GROUP BY part;
    RETURN NULL;
END
$$;

DO $$
DECLARE
    each regclass;
BEGIN
    FOR each IN SELECT relid FROM pg_partition_tree('tillroll.record_line') LOOP
        EXECUTE format('CALL tillroll.make_append_only(%L)', each);
        EXECUTE format('CREATE TRIGGER record_lines_added AFTER INSERT ON %s'
                       ' REFERENCING NEW TABLE AS added'
                       ' FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_added()', each);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER record_lines_added', each);
    END LOOP;
END
$$;
GRANT SELECT, INSERT ON tillroll.record_line TO tillroll_service;
