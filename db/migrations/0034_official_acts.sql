-- By whom officials' lines came into the records of running games (forfeit, fallback, return, substitute), which do not say it: an audit
-- finds an official who was a party to the game.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.official_act (
    game_id uuid NOT NULL REFERENCES tillroll.game,
    seq integer NOT NULL CHECK (seq >= 1), -- of the line in the record
    player_id uuid NOT NULL REFERENCES tillroll.player,
    PRIMARY KEY (game_id, seq)
);
CALL tillroll.make_append_only('tillroll.official_act');
GRANT SELECT, INSERT ON tillroll.official_act TO tillroll_service;
