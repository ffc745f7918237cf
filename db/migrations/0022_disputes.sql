-- Disputes with their logs, games that are played anew, who has looked at a running game, and moves
-- that were refused.
SET LOCAL ROLE tillroll_owner;

-- ---- Disputes ----

-- What lists need; everything else is in the steps.
CREATE TABLE tillroll.dispute (
    id uuid PRIMARY KEY,
    game_id uuid NOT NULL REFERENCES tillroll.game,
    event_id uuid REFERENCES tillroll.event,
    opened_by uuid NOT NULL REFERENCES tillroll.player,
    state text NOT NULL CHECK (state IN ('open', 'frozen', 'ruled', 'appealed', 'closed'))
);
CREATE INDEX dispute_of_game ON tillroll.dispute (game_id, id);
CREATE INDEX dispute_of_event ON tillroll.dispute (event_id, id) WHERE event_id IS NOT NULL;
CREATE INDEX dispute_waiting ON tillroll.dispute (id) WHERE state IN ('open', 'frozen', 'appealed');
GRANT SELECT, INSERT, UPDATE (state) ON tillroll.dispute TO tillroll_service;

-- The lines of engine/dispute.h, without marks.
CREATE TABLE tillroll.dispute_step (
    dispute_id uuid NOT NULL REFERENCES tillroll.dispute,
    number integer NOT NULL CHECK (number BETWEEN 1 AND 64),
    line text NOT NULL CHECK (octet_length(line) <= 16384 AND line COLLATE "C" ~ '^[ -~]+$'),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    actor_id uuid NOT NULL GENERATED ALWAYS AS (split_part(line, ' ', 3)::uuid) STORED
        REFERENCES tillroll.player,
    PRIMARY KEY (dispute_id, number)
);
CALL tillroll.make_append_only('tillroll.dispute_step');
GRANT SELECT, INSERT ON tillroll.dispute_step TO tillroll_service;

-- A step is refused unless it continues its log: the chain is computed here once more.
CREATE FUNCTION tillroll.dispute_step_check() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before bytea := sha256(convert_to('tillroll dispute 1 ' || NEW.dispute_id || E'\n', 'UTF8'));
BEGIN
    IF NEW.number > 1 THEN
        SELECT hash INTO before FROM tillroll.dispute_step
            WHERE dispute_id = NEW.dispute_id AND number = NEW.number - 1;
    END IF;
    IF split_part(NEW.line, ' ', 1) <> NEW.number::text OR NEW.hash IS DISTINCT FROM
            sha256(convert_to(encode(before, 'hex') || ' ' || NEW.line || E'\n', 'UTF8')) THEN
        RAISE EXCEPTION 'a step does not continue its dispute' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER dispute_step_check BEFORE INSERT ON tillroll.dispute_step
    FOR EACH ROW EXECUTE FUNCTION tillroll.dispute_step_check();
ALTER TABLE tillroll.dispute_step ENABLE ALWAYS TRIGGER dispute_step_check;

-- ---- What followers of the event are told ----

ALTER TABLE tillroll.event_change
    ADD COLUMN dispute_id uuid,
    ADD COLUMN dispute_step integer,
    ADD FOREIGN KEY (dispute_id, dispute_step) REFERENCES tillroll.dispute_step,
    DROP CONSTRAINT event_change_kind_check,
    ADD CONSTRAINT event_change_kind_check CHECK (
        kind IN ('log', 'game_started', 'seat_absent', 'seats_changed', 'game_ended',
                 'game_scored', 'standings', 'dispute')),
    DROP CONSTRAINT event_change_check1,
    ADD CONSTRAINT event_change_check1 CHECK (
        (game_id IS NULL) = (kind IN ('log', 'standings', 'dispute'))),
    ADD CONSTRAINT event_change_dispute CHECK (
        num_nonnulls(dispute_id, dispute_step) = CASE kind WHEN 'dispute' THEN 2 ELSE 0 END);

-- Of a game that others still have before them nobody is told anything.
CREATE FUNCTION tillroll.dispute_step_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    of_event uuid := (
        SELECT dispute.event_id FROM tillroll.dispute
        JOIN tillroll.game ON game.id = dispute.game_id
        WHERE dispute.id = NEW.dispute_id
          AND (game.board IS NULL
               OR EXISTS (SELECT FROM tillroll.game_result WHERE game_id = game.id)));
BEGIN
    IF of_event IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM tillroll.event WHERE id = of_event FOR NO KEY UPDATE;
    INSERT INTO tillroll.event_change (event_id, seq, kind, dispute_id, dispute_step)
        SELECT of_event, coalesce(max(seq), 0) + 1, 'dispute', NEW.dispute_id, NEW.number
        FROM tillroll.event_change WHERE event_id = of_event;
    PERFORM pg_notify('tillroll', 'e ' || of_event);
    RETURN NULL;
END
$$;
CREATE TRIGGER dispute_step_added AFTER INSERT ON tillroll.dispute_step
    FOR EACH ROW EXECUTE FUNCTION tillroll.dispute_step_added();

-- ---- Games that are played anew at their table ----

-- The last attempt is the game of the table; those before count for nothing.
ALTER TABLE tillroll.game
    ADD COLUMN attempt integer NOT NULL DEFAULT 1 CHECK (attempt BETWEEN 1 AND 100),
    DROP CONSTRAINT game_event_id_round_table_number_key,
    ADD UNIQUE (event_id, round, table_number, attempt);

CREATE OR REPLACE FUNCTION tillroll.event_steps_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'log', seq, NULL, NULL)
        FROM (SELECT event_id, seq FROM added ORDER BY event_id, seq) AS step;
    PERFORM tillroll.add_standings_change(event_id)
        FROM (SELECT DISTINCT event_id FROM added
              WHERE kind IN ('entries_closed', 'stage_started', 'round_started', 'result', 'ruled',
                             'ruling_revoked', 'table_replayed', 'dropped', 'returned',
                             'bye_granted', 'bye_revoked', 'settings_changed', 'closed')
                 OR (kind = 'entered' AND (detail ->> 'late')::boolean)) AS event;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.is_last_attempt(of_event uuid, of_round integer, of_table integer,
                                         of_attempt integer) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN NOT EXISTS (SELECT FROM tillroll.game AS later
                       WHERE later.event_id = of_event AND later.round = of_round
                         AND later.table_number = of_table AND later.attempt > of_attempt);
GRANT EXECUTE ON FUNCTION tillroll.is_last_attempt(uuid, integer, integer, integer)
    TO tillroll_service;

CREATE OR REPLACE VIEW tillroll.counted_result AS
    SELECT result.game_id, result.seat, coalesce(ruled.score, result.score) AS score,
           coalesce(ruled.rank, result.rank) AS rank
    FROM tillroll.game_result AS result
    JOIN tillroll.game ON game.id = result.game_id
    LEFT JOIN tillroll.ruled_seat AS ruled
        ON ruled.event_id = game.event_id AND ruled.round = game.round
        AND ruled.table_number = game.table_number AND ruled.seat = result.seat
    WHERE tillroll.is_last_attempt(game.event_id, game.round, game.table_number, game.attempt)
      AND NOT EXISTS (
        SELECT FROM tillroll.ruled_seat AS forfeited
        WHERE forfeited.event_id = game.event_id AND forfeited.round = game.round
          AND forfeited.table_number = game.table_number AND forfeited.forfeit);

-- ---- Looks ----

-- Who has looked at everything in a running game, and why; published when it is over.
CREATE TABLE tillroll.game_look (
    game_id uuid NOT NULL REFERENCES tillroll.game,
    number integer NOT NULL CHECK (number BETWEEN 1 AND 100),
    player_id uuid NOT NULL REFERENCES tillroll.player,
    at timestamptz(3) NOT NULL,
    seq integer NOT NULL CHECK (seq >= 0), -- the last entry of the record then
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
    PRIMARY KEY (game_id, number)
);
CALL tillroll.make_append_only('tillroll.game_look');
GRANT SELECT, INSERT ON tillroll.game_look TO tillroll_service;

-- ---- Refused moves ----

-- What a seat that had to decide has tried against the rules: it may tell of its hand, so the move
-- is sealed by the service. The first 64 of each seat.
CREATE TABLE tillroll_vault.refused_move (
    game_id uuid NOT NULL REFERENCES tillroll.game,
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    number integer NOT NULL CHECK (number BETWEEN 1 AND 64),
    seq integer NOT NULL CHECK (seq >= 0), -- the last entry of the record then
    sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 32 AND 512),
    received_at timestamptz(3) NOT NULL,
    PRIMARY KEY (game_id, seat, number)
);
CALL tillroll.make_append_only('tillroll_vault.refused_move');
GRANT SELECT, INSERT ON tillroll_vault.refused_move TO tillroll_service;
