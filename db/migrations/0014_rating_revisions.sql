-- Ratings that can be made again from the results, Glicko-2 beside them, and seasons.
SET LOCAL ROLE tillroll_owner;

-- The results that count, for everything that is reckoned from results: whoever overrides one does
-- it here. A game without any does not count.
CREATE VIEW tillroll.counted_result AS
    SELECT game_id, seat, score, rank FROM tillroll.game_result;
GRANT SELECT ON tillroll.counted_result TO tillroll_service;

ALTER DOMAIN tillroll.rating_scope DROP CONSTRAINT rating_scope_check;
ALTER DOMAIN tillroll.rating_scope ADD CONSTRAINT rating_scope_check
    CHECK (VALUE ~ '^(glicko\.)?[a-z][a-z0-9-]{0,31}$');

-- The order in which games are rated, which they keep whatever is corrected. Of the games that were
-- rated before, it is taken from the times of their ratings.
CREATE TABLE tillroll.rated_game (
    number bigint PRIMARY KEY CHECK (number >= 1),
    game_id uuid NOT NULL UNIQUE REFERENCES tillroll.game,
    at timestamptz(3) NOT NULL
);
INSERT INTO tillroll.rated_game (number, game_id, at)
    SELECT row_number() OVER (ORDER BY min(at), game_id), game_id, min(at)
    FROM tillroll.rating_change GROUP BY game_id;
CALL tillroll.make_append_only('tillroll.rated_game');
GRANT SELECT, INSERT ON tillroll.rated_game TO tillroll_service;

-- The rating periods of Glicko-2: the closed events of a ruleset with games of two.
CREATE TABLE tillroll.rating_period (
    slug tillroll.ruleset_slug NOT NULL,
    number integer NOT NULL CHECK (number >= 1),
    event_id uuid NOT NULL UNIQUE REFERENCES tillroll.event,
    at timestamptz(3) NOT NULL,
    PRIMARY KEY (slug, number)
);
CALL tillroll.make_append_only('tillroll.rating_period');
GRANT SELECT, INSERT ON tillroll.rating_period TO tillroll_service;

CREATE TABLE tillroll.rating_revision (
    number integer PRIMARY KEY CHECK (number >= 1),
    at timestamptz(3) NOT NULL,
    actor_id uuid REFERENCES tillroll.player,
    game_id uuid NOT NULL REFERENCES tillroll.game, -- what was corrected
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500)
);
CALL tillroll.make_append_only('tillroll.rating_revision');
GRANT SELECT, INSERT ON tillroll.rating_revision TO tillroll_service;

-- A change of a player's rating is by a game or, in Glicko-2, by an event. Each revision adds the
-- changes that it makes different, with the values; without, where a change is no more. The newest
-- one of a change is the one that holds. `number` is that of the game or period.
DROP INDEX tillroll.rating_change_of_player;
ALTER TABLE tillroll.rating_change DISABLE TRIGGER append_only;
ALTER TABLE tillroll.rating_change
    DROP CONSTRAINT rating_change_pkey,
    ALTER COLUMN game_id DROP NOT NULL,
    ALTER COLUMN mu_before DROP NOT NULL,
    ALTER COLUMN sigma_before DROP NOT NULL,
    ALTER COLUMN mu_after DROP NOT NULL,
    ALTER COLUMN sigma_after DROP NOT NULL,
    ADD COLUMN event_id uuid REFERENCES tillroll.event,
    ADD COLUMN number bigint,
    ADD COLUMN revision integer NOT NULL DEFAULT 0 CHECK (revision >= 0),
    ADD COLUMN place integer CHECK (place >= 1), -- in the list of its revision
    ADD COLUMN games integer NOT NULL DEFAULT 1 CHECK (games >= 1),
    ADD COLUMN volatility_before bigint CHECK (volatility_before >= 1),
    ADD COLUMN volatility_after bigint CHECK (volatility_after >= 1),
    ADD CHECK (num_nonnulls(game_id, event_id) = 1),
    ADD CHECK (num_nulls(mu_before, sigma_before, mu_after, sigma_after) IN (0, 4)),
    ADD CHECK (num_nulls(volatility_before, volatility_after) =
               CASE WHEN event_id IS NULL OR mu_after IS NULL THEN 2 ELSE 0 END),
    ADD CHECK ((place IS NULL) = (revision = 0)),
    ADD UNIQUE (revision, place);
ALTER TABLE tillroll.rating_change
    ADD COLUMN cause uuid NOT NULL GENERATED ALWAYS AS (coalesce(game_id, event_id)) STORED;
UPDATE tillroll.rating_change SET number = rated_game.number
    FROM tillroll.rated_game WHERE rated_game.game_id = rating_change.game_id;
ALTER TABLE tillroll.rating_change
    ALTER COLUMN number SET NOT NULL,
    ADD PRIMARY KEY (cause, scope, player_id, revision);
ALTER TABLE tillroll.rating_change ENABLE ALWAYS TRIGGER append_only;
CREATE INDEX rating_change_of_player ON tillroll.rating_change (player_id, scope, number, revision);

-- The changes that hold.
CREATE VIEW tillroll.rating_step AS
    SELECT * FROM tillroll.rating_change AS change
    WHERE mu_after IS NOT NULL AND NOT EXISTS (
        SELECT FROM tillroll.rating_change AS newer
        WHERE newer.cause = change.cause AND newer.scope = change.scope
          AND newer.player_id = change.player_id AND newer.revision > change.revision);
GRANT SELECT ON tillroll.rating_step TO tillroll_service;

-- Of Glicko-2: mu is the rating and sigma its deviation, as of the last period with games, `period`.
-- A player of whom a correction has left no game has 0 of them. Leaderboards are in order of `value`.
ALTER TABLE tillroll.rating
    DROP CONSTRAINT rating_games_check,
    ADD CHECK (games >= 0),
    ADD COLUMN volatility bigint CHECK (volatility >= 1),
    ADD COLUMN period integer CHECK (period >= 1),
    ADD COLUMN value bigint NOT NULL
        GENERATED ALWAYS AS (CASE WHEN volatility IS NULL THEN mu - 3 * sigma ELSE mu END) STORED,
    ADD CHECK ((volatility IS NULL) = (period IS NULL));
DROP INDEX tillroll.rating_leaderboard;
CREATE INDEX rating_leaderboard ON tillroll.rating (scope, value DESC, player_id) WHERE games > 0;
GRANT UPDATE (volatility, period) ON tillroll.rating TO tillroll_service;

-- The newest games of a ruleset, for what its seats are worth.
CREATE INDEX game_of_ruleset ON tillroll.game (slug, id) WHERE finished_at IS NOT NULL;

CREATE TABLE tillroll.season (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    method text NOT NULL CHECK (method IN ('points', 'percentile')),
    counted integer NOT NULL CHECK (counted BETWEEN 1 AND 256),
    least_entrants integer NOT NULL CHECK (least_entrants BETWEEN 2 AND 4096),
    weighting text NOT NULL CHECK (weighting IN ('equal', 'field')),
    state text NOT NULL CHECK (state IN ('open', 'closed')),
    organizer_id uuid NOT NULL REFERENCES tillroll.player,
    created_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE (state) ON tillroll.season TO tillroll_service;

-- An event counts when the season's organizer has asked for it and one of the event's organizers
-- too.
CREATE TABLE tillroll.season_event (
    season_id uuid NOT NULL REFERENCES tillroll.season,
    event_id uuid NOT NULL REFERENCES tillroll.event,
    invited boolean NOT NULL, -- by the season's organizer
    offered boolean NOT NULL, -- by one of the event's
    PRIMARY KEY (season_id, event_id),
    CHECK (invited OR offered)
);
GRANT SELECT, INSERT, UPDATE (invited, offered) ON tillroll.season_event TO tillroll_service;

CREATE TABLE tillroll.season_step (
    season_id uuid NOT NULL REFERENCES tillroll.season,
    seq integer NOT NULL CHECK (seq >= 1),
    at timestamptz(3) NOT NULL,
    actor_id uuid NOT NULL REFERENCES tillroll.player,
    kind text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_.]{0,63}$'),
    detail tillroll.json_object NOT NULL,
    PRIMARY KEY (season_id, seq)
);
CALL tillroll.make_append_only('tillroll.season_step');
GRANT SELECT, INSERT ON tillroll.season_step TO tillroll_service;

-- Who keeps answers that tell of ratings and events hears of revisions and seasons as of events.
CREATE FUNCTION tillroll.rating_revisions_added() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'e ' || game_id) FROM added;
    RETURN NULL;
END
$$;
CREATE TRIGGER rating_revisions_added AFTER INSERT ON tillroll.rating_revision
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.rating_revisions_added();

CREATE FUNCTION tillroll.season_steps_added() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'e ' || season_id) FROM added;
    RETURN NULL;
END
$$;
CREATE TRIGGER season_steps_added AFTER INSERT ON tillroll.season_step
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tillroll.season_steps_added();
