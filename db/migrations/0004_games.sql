-- Rounds with their byes, games with their seats, results and secrets.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.round (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    number integer NOT NULL CHECK (number BETWEEN 1 AND 1000),
    attempt integer NOT NULL CHECK (attempt >= 1),
    quality tillroll.json_object NOT NULL,
    started_at timestamptz(3) NOT NULL,
    PRIMARY KEY (event_id, number)
);
GRANT SELECT, INSERT ON tillroll.round TO tillroll_service;

CREATE TABLE tillroll.bye (
    event_id uuid NOT NULL,
    round integer NOT NULL,
    player_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('pairing')),
    PRIMARY KEY (event_id, round, player_id),
    FOREIGN KEY (event_id, round) REFERENCES tillroll.round,
    FOREIGN KEY (event_id, player_id) REFERENCES tillroll.entry
);
GRANT SELECT, INSERT ON tillroll.bye TO tillroll_service;

CREATE TABLE tillroll.game (
    id uuid PRIMARY KEY,
    event_id uuid,
    round integer,
    table_number integer CHECK (table_number >= 1),
    slug tillroll.ruleset_slug NOT NULL,
    version tillroll.ruleset_version NOT NULL,
    options tillroll.json_object NOT NULL,
    started_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3) CHECK (finished_at >= started_at),
    CHECK (num_nulls(event_id, round, table_number) IN (0, 3)),
    UNIQUE (event_id, round, table_number),
    FOREIGN KEY (event_id, round) REFERENCES tillroll.round
);
CREATE INDEX game_running ON tillroll.game (id) WHERE finished_at IS NULL;
GRANT SELECT, INSERT, UPDATE (finished_at) ON tillroll.game TO tillroll_service;

-- A finished game stays as it is, whoever asks.
CREATE FUNCTION tillroll.game_check_update() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.finished_at IS NOT NULL THEN
        RAISE EXCEPTION 'game % is finished', OLD.id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER game_check_update BEFORE UPDATE ON tillroll.game
    FOR EACH ROW EXECUTE FUNCTION tillroll.game_check_update();

CREATE TABLE tillroll.game_seat (
    game_id uuid NOT NULL REFERENCES tillroll.game,
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    player_id uuid NOT NULL REFERENCES tillroll.player,
    fallback boolean NOT NULL DEFAULT false,
    PRIMARY KEY (game_id, seat),
    UNIQUE (player_id, game_id)
);
GRANT SELECT, INSERT, UPDATE (fallback) ON tillroll.game_seat TO tillroll_service;

CREATE TABLE tillroll.game_result (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    score integer NOT NULL,
    rank integer NOT NULL CHECK (rank BETWEEN 1 AND 5),
    PRIMARY KEY (game_id, seat),
    FOREIGN KEY (game_id, seat) REFERENCES tillroll.game_seat
);
CALL tillroll.make_append_only('tillroll.game_result');
GRANT SELECT, INSERT ON tillroll.game_result TO tillroll_service;

CREATE TABLE tillroll_vault.game_secret (
    game_id uuid PRIMARY KEY REFERENCES tillroll.game,
    sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 32 AND 512)
);
GRANT SELECT, INSERT ON tillroll_vault.game_secret TO tillroll_service;
