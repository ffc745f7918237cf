-- The till rolls. A row is refused unless it continues its record: the database recomputes the
-- chain, so a service that is wrong, or not ours, cannot write a record that does not verify.
SET LOCAL ROLE tillroll_owner;

-- No foreign key to the game: this is the hot path, and a distributed database could not keep it.
CREATE TABLE tillroll.record_line (
    game_id uuid NOT NULL,
    seq integer NOT NULL CHECK (seq >= 0),
    line text NOT NULL CHECK (octet_length(line) BETWEEN 1 AND 32768),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (game_id, seq)
) PARTITION BY HASH (game_id);

CALL tillroll.make_append_only('tillroll.record_line');
DO $$
BEGIN
    FOR i IN 0 .. 15 LOOP
        EXECUTE format('CREATE TABLE tillroll.record_line_%s PARTITION OF tillroll.record_line '
                       'FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
        EXECUTE format('CALL tillroll.make_append_only(''tillroll.record_line_%s'')', i);
    END LOOP;
END
$$;

-- The hash after `line`, from the hash before it: SHA-256(hex(before) " " line-without-mark LF).
-- The mark is the end of the line, ` #` and the first 8 hex digits of the hash.
CREATE FUNCTION tillroll.record_chain(before bytea, line text) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    after bytea;
BEGIN
    IF octet_length(line) > 512 OR line COLLATE "C" !~ '^[ -~]+ #[0-9a-f]{8}$' THEN
        RAISE EXCEPTION 'not a line of a record'
            USING ERRCODE = 'check_violation';
    END IF;
    after := sha256(convert_to(encode(before, 'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'));
    IF right(line, 8) <> left(encode(after, 'hex'), 8) THEN
        RAISE EXCEPTION 'the mark of the line does not fit the chain'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN after;
END
$$;

-- The hash after a header of several lines. The first is always the same and starts the chain.
CREATE FUNCTION tillroll.record_header_chain(header text) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    lines text[] := string_to_array(header, E'\n');
    hash bytea := sha256(convert_to(E'tillroll 1\n', 'UTF8'));
BEGIN
    IF lines[1] <> 'tillroll 1 #' || left(encode(hash, 'hex'), 8) THEN
        RAISE EXCEPTION 'a record starts with another line' USING ERRCODE = 'check_violation';
    END IF;
    FOR i IN 2 .. array_length(lines, 1) LOOP
        hash := tillroll.record_chain(hash, lines[i]);
    END LOOP;
    RETURN hash;
END
$$;

-- Sees the rows that the same statement has put in before, so it works for several at once.
CREATE FUNCTION tillroll.record_line_check() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before bytea;
    after bytea;
BEGIN
    IF NEW.seq = 0 THEN
        after := tillroll.record_header_chain(NEW.line);
    ELSE
        SELECT hash INTO before FROM tillroll.record_line
            WHERE game_id = NEW.game_id AND seq = NEW.seq - 1;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the line before is missing' USING ERRCODE = 'check_violation';
        END IF;
        after := tillroll.record_chain(before, NEW.line);
    END IF;
    IF NEW.hash IS DISTINCT FROM after THEN
        RAISE EXCEPTION 'the hash does not fit the chain' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER record_line_check BEFORE INSERT ON tillroll.record_line
    FOR EACH ROW EXECUTE FUNCTION tillroll.record_line_check();
DO $$
DECLARE
    each regclass;
BEGIN
    FOR each IN SELECT relid FROM pg_partition_tree('tillroll.record_line') LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER record_line_check', each);
    END LOOP;
END
$$;

GRANT EXECUTE ON FUNCTION tillroll.record_chain(bytea, text), tillroll.record_header_chain(text)
    TO tillroll_service;
GRANT SELECT, INSERT ON tillroll.record_line TO tillroll_service;
