-- Games that players follow: they stand on a player's home page until the player stops following them.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.followed_game (
    player_id uuid NOT NULL REFERENCES tillroll.player,
    game_id uuid NOT NULL REFERENCES tillroll.game,
    PRIMARY KEY (player_id, game_id)
);
GRANT SELECT, INSERT, DELETE ON tillroll.followed_game TO tillroll_service;
