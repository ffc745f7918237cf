-- Puzzles: positions of finished games in which one move is better than all others by far, one a day for each ruleset.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.puzzle (
    ruleset text NOT NULL CHECK (ruleset ~ '^[a-z][a-z0-9-]{0,31}$'),
    day date NOT NULL,
    game_id uuid NOT NULL REFERENCES tillroll.game,
    seq integer NOT NULL CHECK (seq >= 0),
    seat smallint NOT NULL CHECK (seat BETWEEN 0 AND 4),
    document text NOT NULL CHECK (octet_length(document) <= 262144),
    PRIMARY KEY (ruleset, day),
    UNIQUE (game_id, seq, seat)
);
GRANT SELECT, INSERT ON tillroll.puzzle TO tillroll_service;
CALL tillroll.make_append_only('tillroll.puzzle');
