-- Games with house players are rated on a list of their own, unless their event says otherwise.
SET LOCAL ROLE tillroll_owner;

-- Known when a game is rated for the first time, and kept: the settings that decide it cannot change afterwards.
ALTER TABLE tillroll.rated_game ADD COLUMN apart boolean NOT NULL DEFAULT false;

-- `house.` and a ruleset: the ratings in these games, of all who played in them.
ALTER DOMAIN tillroll.rating_scope DROP CONSTRAINT rating_scope_check;
ALTER DOMAIN tillroll.rating_scope ADD CONSTRAINT rating_scope_check
    CHECK (VALUE ~ '^(glicko\.|house\.)?[a-z][a-z0-9-]{0,31}$');
