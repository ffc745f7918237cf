-- Co-dealers: what the luck of a game or a duplicate round is asked of them, and what they answer.
SET LOCAL ROLE tillroll_owner;

-- One that waits for its dealers; known by the scope of its secret. `names` and `keys`: those whom the event names. Games
-- wait themselves (waiting_game); a duplicate round has begun, and its boards wait.
CREATE TABLE tillroll.dealing (
    scope text PRIMARY KEY CHECK (octet_length(scope) BETWEEN 36 AND 63),
    event_id uuid NOT NULL REFERENCES tillroll.event,
    round integer NOT NULL CHECK (round >= 0),
    game_id uuid UNIQUE REFERENCES tillroll.waiting_game,  -- NULL: of the round
    input text NOT NULL CHECK (octet_length(input) <= 255),
    names text[] NOT NULL CHECK (cardinality(names) BETWEEN 1 AND 5),
    keys bytea[] NOT NULL CHECK (cardinality(keys) = cardinality(names)),
    asked_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),  -- when it ends whoever has answered; NULL: it waits for all
    ended boolean NOT NULL DEFAULT false  -- what has not been answered by then is missing
);
CREATE INDEX dealing_open ON tillroll.dealing (asked_at, scope) WHERE NOT ended;
CREATE INDEX dealing_event_id ON tillroll.dealing (event_id) WHERE NOT ended;
GRANT SELECT, INSERT, UPDATE (due_at, ended) ON tillroll.dealing TO tillroll_service;

CREATE FUNCTION tillroll.dealing_check_update() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.ended THEN
        RAISE EXCEPTION 'the dealing of % has ended', OLD.scope USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER dealing_check_update BEFORE UPDATE ON tillroll.dealing
    FOR EACH ROW EXECUTE FUNCTION tillroll.dealing_check_update();

CREATE TABLE tillroll.dealer_answer (
    scope text NOT NULL REFERENCES tillroll.dealing,
    key bytea NOT NULL CHECK (octet_length(key) = 32),
    proof bytea NOT NULL CHECK (octet_length(proof) = 80),
    PRIMARY KEY (scope, key)
);
CALL tillroll.make_append_only('tillroll.dealer_answer');
GRANT SELECT, INSERT ON tillroll.dealer_answer TO tillroll_service;
