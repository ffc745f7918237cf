-- Reported results count for ratings where their event says so.
SET LOCAL ROLE tillroll_owner;

-- A table whose reported result has been rated. In the order of ratings it stands where a game stands.
CREATE TABLE tillroll.rated_table (
    id uuid PRIMARY KEY,
    event_id uuid NOT NULL REFERENCES tillroll.event,
    round integer NOT NULL CHECK (round >= 0),
    table_number integer NOT NULL CHECK (table_number >= 1),
    seats integer NOT NULL CHECK (seats BETWEEN 2 AND 5), -- of the table; not all of them need to be rated
    UNIQUE (event_id, round, table_number)
);
CALL tillroll.make_append_only('tillroll.rated_table');
GRANT SELECT, INSERT ON tillroll.rated_table TO tillroll_service;

-- The seats that are rated, as the event's log says it now; none: the result no longer counts.
CREATE TABLE tillroll.rated_seat (
    table_id uuid NOT NULL REFERENCES tillroll.rated_table,
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    player_id uuid NOT NULL REFERENCES tillroll.player,
    rank integer NOT NULL CHECK (rank BETWEEN 1 AND 5),
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX rated_seat_of_player ON tillroll.rated_seat (player_id);
GRANT SELECT, INSERT, DELETE ON tillroll.rated_seat TO tillroll_service;

ALTER TABLE tillroll.rated_game
    ALTER COLUMN game_id DROP NOT NULL,
    ADD COLUMN table_id uuid UNIQUE REFERENCES tillroll.rated_table,
    ADD CHECK (num_nonnulls(game_id, table_id) = 1);
ALTER TABLE tillroll.rating_revision
    ALTER COLUMN game_id DROP NOT NULL,
    ADD COLUMN table_id uuid REFERENCES tillroll.rated_table,
    ADD CHECK (num_nonnulls(game_id, table_id) = 1);
CREATE OR REPLACE FUNCTION tillroll.rating_revisions_added() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'e ' || coalesce(game_id, table_id)) FROM added;
    RETURN NULL;
END
$$;

-- A change of a rating is by a game, an event (Glicko-2) or a table.
DROP VIEW tillroll.rating_step;
ALTER TABLE tillroll.rating_change
    DROP CONSTRAINT rating_change_check,
    DROP COLUMN cause,
    ADD COLUMN table_id uuid REFERENCES tillroll.rated_table;
ALTER TABLE tillroll.rating_change
    ADD COLUMN cause uuid NOT NULL GENERATED ALWAYS AS (coalesce(game_id, event_id, table_id)) STORED,
    ADD CHECK (num_nonnulls(game_id, event_id, table_id) = 1),
    ADD PRIMARY KEY (cause, scope, player_id, revision);
CREATE VIEW tillroll.rating_step AS
    SELECT * FROM tillroll.rating_change AS change
    WHERE mu_after IS NOT NULL AND NOT EXISTS (
        SELECT FROM tillroll.rating_change AS newer
        WHERE newer.cause = change.cause AND newer.scope = change.scope
          AND newer.player_id = change.player_id AND newer.revision > change.revision);
GRANT SELECT ON tillroll.rating_step TO tillroll_service;
