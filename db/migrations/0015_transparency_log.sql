-- The transparency log: one RFC 6962 tree over what the service can no longer say otherwise. Whoever
-- has something for it puts a leaf into the queue, in the transaction that makes it so; one service
-- at a time takes what waits into the tree and signs that, in one transaction. Nothing leaves the
-- queue but into the tree, and nothing leaves the tree.
SET LOCAL ROLE tillroll_owner;

-- The hash of a leaf (RFC 6962 section 2.1).
CREATE FUNCTION tillroll.log_leaf_hash(entry text) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256('\x00'::bytea || convert_to(entry, 'UTF8'));
GRANT EXECUTE ON FUNCTION tillroll.log_leaf_hash(text) TO tillroll_service;

CREATE TABLE tillroll.log_queue (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry text NOT NULL UNIQUE
        CHECK (octet_length(entry) < 192 AND entry COLLATE "C" ~ '^[ -~\n]+$')
);
GRANT SELECT, INSERT, DELETE ON tillroll.log_queue TO tillroll_service;

CREATE TABLE tillroll.log_leaf (
    index bigint PRIMARY KEY CHECK (index >= 0),
    entry text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    CONSTRAINT log_leaf_hash_check CHECK (hash = tillroll.log_leaf_hash(entry))
);

-- The roots of full tiles: hash `index` of level n is that of tile `index` of level n - 1, where
-- level 0 is the leaves and a tile has 256 hashes.
CREATE TABLE tillroll.log_node (
    level integer NOT NULL CHECK (level BETWEEN 1 AND 3),
    index bigint NOT NULL CHECK (index >= 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (level, index)
);

CREATE TABLE tillroll.log_checkpoint (
    size bigint PRIMARY KEY CHECK (size >= 0),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    note text NOT NULL CHECK (octet_length(note) <= 1024),
    signed_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Documents of which a leaf holds the hash, as they were then.
CREATE TABLE tillroll.log_document (
    hash bytea PRIMARY KEY CHECK (hash = sha256(convert_to(body, 'UTF8'))),
    body text NOT NULL CHECK (octet_length(body) <= 67108864)
);

-- All hashes that tiles consist of.
CREATE VIEW tillroll.log_hash AS
    SELECT 0 AS level, index, hash FROM tillroll.log_leaf
    UNION ALL SELECT level, index, hash FROM tillroll.log_node;

CALL tillroll.make_append_only('tillroll.log_leaf');
CALL tillroll.make_append_only('tillroll.log_node');
CALL tillroll.make_append_only('tillroll.log_checkpoint');
CALL tillroll.make_append_only('tillroll.log_document');
GRANT SELECT, INSERT ON tillroll.log_leaf, tillroll.log_node, tillroll.log_checkpoint,
    tillroll.log_document TO tillroll_service;
GRANT SELECT ON tillroll.log_hash TO tillroll_service;

CREATE TRIGGER only_taken BEFORE UPDATE OR TRUNCATE ON tillroll.log_queue
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();
ALTER TABLE tillroll.log_queue ENABLE ALWAYS TRIGGER only_taken;

CREATE FUNCTION tillroll.log_queue_taken() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- Each looked up by itself: a join might read the whole log.
    IF EXISTS (SELECT FROM taken WHERE (
            SELECT leaf.index FROM tillroll.log_leaf AS leaf
            WHERE leaf.hash = tillroll.log_leaf_hash(taken.entry)) IS NULL) THEN
        RAISE EXCEPTION 'a leaf leaves the queue only into the tree'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER log_queue_taken AFTER DELETE ON tillroll.log_queue
    REFERENCING OLD TABLE AS taken
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.log_queue_taken();
ALTER TABLE tillroll.log_queue ENABLE ALWAYS TRIGGER log_queue_taken;

-- Leaves have no gaps, and a checkpoint is of all there are.
CREATE FUNCTION tillroll.log_leaves_added() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM added WHERE index > 0 AND (
            SELECT before.index FROM tillroll.log_leaf AS before
            WHERE before.index = added.index - 1) IS NULL) THEN
        RAISE EXCEPTION 'a leaf does not follow another' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER log_leaves_added AFTER INSERT ON tillroll.log_leaf
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.log_leaves_added();
ALTER TABLE tillroll.log_leaf ENABLE ALWAYS TRIGGER log_leaves_added;

CREATE FUNCTION tillroll.log_checkpoint_added() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.size <> (SELECT coalesce(max(index) + 1, 0) FROM tillroll.log_leaf) THEN
        RAISE EXCEPTION 'a checkpoint is of all leaves' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER log_checkpoint_added AFTER INSERT ON tillroll.log_checkpoint
    FOR EACH ROW EXECUTE FUNCTION tillroll.log_checkpoint_added();
ALTER TABLE tillroll.log_checkpoint ENABLE ALWAYS TRIGGER log_checkpoint_added;

-- What is there already, as far as its leaf can be told from what is stored: commitments, in the
-- order in which they were made, then the heads of games.
INSERT INTO tillroll.log_queue (entry)
    SELECT E'tillroll commitment\n' || scope || E'\n' || encode(commitment, 'hex') || E'\n'
    FROM (
        SELECT id::text AS scope, commitment, created_at AS at FROM tillroll.event
        UNION ALL
        SELECT event_id || '/round/' || number, commitment, started_at
            FROM tillroll.round WHERE commitment IS NOT NULL
    ) AS made ORDER BY at, scope;
INSERT INTO tillroll.log_queue (entry)
    SELECT E'tillroll game\n' || game.id || E'\n' || substr(last.line, 6, 64) || E'\n'
    FROM tillroll.game CROSS JOIN LATERAL (
        SELECT line FROM tillroll.record_line WHERE game_id = game.id ORDER BY seq DESC LIMIT 1
    ) AS last
    WHERE finished_at IS NOT NULL AND last.line LIKE 'head %' ORDER BY finished_at, game.id;
