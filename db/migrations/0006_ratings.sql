-- Ratings in millionths: the current values, and every change with its operands.
SET LOCAL ROLE tillroll_owner;

CREATE DOMAIN tillroll.rating_scope AS text CHECK (VALUE ~ '^[a-z][a-z0-9-]{0,31}$');

CREATE TABLE tillroll.rating (
    player_id uuid NOT NULL REFERENCES tillroll.player,
    scope tillroll.rating_scope NOT NULL,
    mu bigint NOT NULL CHECK (mu BETWEEN -1000000000000 AND 1000000000000),
    sigma bigint NOT NULL CHECK (sigma BETWEEN 1 AND 1000000000000),
    games integer NOT NULL CHECK (games >= 1),
    PRIMARY KEY (player_id, scope)
);
CREATE INDEX rating_leaderboard ON tillroll.rating (scope, (mu - 3 * sigma) DESC, player_id);
GRANT SELECT, INSERT, UPDATE (mu, sigma, games) ON tillroll.rating TO tillroll_service;

CREATE TABLE tillroll.rating_change (
    game_id uuid NOT NULL REFERENCES tillroll.game,
    scope tillroll.rating_scope NOT NULL,
    player_id uuid NOT NULL REFERENCES tillroll.player,
    at timestamptz(3) NOT NULL,
    mu_before bigint NOT NULL,
    sigma_before bigint NOT NULL CHECK (sigma_before >= 1),
    mu_after bigint NOT NULL,
    sigma_after bigint NOT NULL CHECK (sigma_after >= 1),
    PRIMARY KEY (game_id, scope, player_id)
);
CALL tillroll.make_append_only('tillroll.rating_change');
GRANT SELECT, INSERT ON tillroll.rating_change TO tillroll_service;
