-- Games that wait for the entropy of their players before they start.
SET LOCAL ROLE tillroll_owner;

-- Known by the id that the game will have. What the game is follows from its table, as for others.
CREATE TABLE tillroll.waiting_game (
    game_id uuid PRIMARY KEY,
    event_id uuid NOT NULL REFERENCES tillroll.event,
    round integer NOT NULL CHECK (round >= 0),
    table_number integer NOT NULL CHECK (table_number >= 1),
    attempt integer NOT NULL CHECK (attempt >= 1),
    since timestamptz(3) NOT NULL,
    due_at timestamptz(3) NOT NULL CHECK (due_at >= since),
    commitment bytea NOT NULL CHECK (octet_length(commitment) = 32),
    ended text CHECK (ended IN ('started', 'dropped')),  -- NULL while it waits
    UNIQUE (event_id, round, table_number, attempt)
);
CREATE INDEX waiting_game_due_at ON tillroll.waiting_game (due_at) WHERE ended IS NULL;
GRANT SELECT, INSERT, UPDATE (ended) ON tillroll.waiting_game TO tillroll_service;

CREATE FUNCTION tillroll.waiting_game_check_update() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.ended IS NOT NULL THEN
        RAISE EXCEPTION 'game % waits no more', OLD.game_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER waiting_game_check_update BEFORE UPDATE ON tillroll.waiting_game
    FOR EACH ROW EXECUTE FUNCTION tillroll.waiting_game_check_update();

CREATE TABLE tillroll.waiting_seat (
    game_id uuid NOT NULL REFERENCES tillroll.waiting_game,
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    player_id uuid NOT NULL REFERENCES tillroll.player,
    PRIMARY KEY (game_id, seat),
    UNIQUE (player_id, game_id)
);
CALL tillroll.make_append_only('tillroll.waiting_seat');
GRANT SELECT, INSERT ON tillroll.waiting_seat TO tillroll_service;

-- The secret goes on to tillroll_vault.game_secret when the game starts.
CREATE TABLE tillroll_vault.waiting_secret (
    game_id uuid PRIMARY KEY REFERENCES tillroll.waiting_game,
    sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 32 AND 512)
);
CALL tillroll.make_append_only('tillroll_vault.waiting_secret');
GRANT SELECT, INSERT ON tillroll_vault.waiting_secret TO tillroll_service;

-- Nobody is shown another's before the game starts. Then it stands in the record.
CREATE TABLE tillroll_vault.entropy (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    entropy bytea NOT NULL CHECK (octet_length(entropy) BETWEEN 1 AND 32),
    signature bytea CHECK (octet_length(signature) = 64),
    given_at timestamptz(3) NOT NULL,
    PRIMARY KEY (game_id, seat),
    FOREIGN KEY (game_id, seat) REFERENCES tillroll.waiting_seat
);
CALL tillroll.make_append_only('tillroll_vault.entropy');
GRANT SELECT, INSERT ON tillroll_vault.entropy TO tillroll_service;

-- The signatures among them that hold for the keys which the record names.
CREATE TABLE tillroll.entropy_signature (
    game_id uuid NOT NULL REFERENCES tillroll.game,
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    signature bytea NOT NULL CHECK (octet_length(signature) = 64),
    PRIMARY KEY (game_id, seat)
);
CALL tillroll.make_append_only('tillroll.entropy_signature');
GRANT SELECT, INSERT ON tillroll.entropy_signature TO tillroll_service;
