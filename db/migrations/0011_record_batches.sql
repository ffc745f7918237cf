-- Lines are checked batch by batch: one query looks at all rows of a statement, where a trigger per
-- row took longer than everything else about a move. The same step tells who listens which games
-- have moved on.
SET LOCAL ROLE tillroll_owner;

-- Those of the partitions go with it.
DROP TRIGGER record_line_check ON tillroll.record_line;
DROP FUNCTION tillroll.record_line_check();

-- The notice on channel `tillroll` has a line `g <game> <seq>` for each game, at most 8000 bytes in
-- all. The lookup of the line before is planned once per session: with 16 partitions planning takes
-- longer than looking.
CREATE FUNCTION tillroll.record_lines_added() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    games_at_once CONSTANT integer := 150;
BEGIN
    PERFORM FROM added WHERE NOT coalesce(CASE
        WHEN seq = 0 THEN hash = tillroll.record_header_chain(line)
        ELSE octet_length(line) <= 512 AND line COLLATE "C" ~ '^[ -~]+ #[0-9a-f]{8}$'
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
        EXECUTE format('CREATE TRIGGER record_lines_added AFTER INSERT ON %s'
                       ' REFERENCING NEW TABLE AS added'
                       ' FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_added()', each);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER record_lines_added', each);
    END LOOP;
END
$$;
