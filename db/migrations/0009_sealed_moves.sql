-- Moves of decisions that several seats take at the same time, until the last of them is in. They are
-- sealed by the service, so a reader of the database learns nothing either; `ply` is how many plies
-- the game had when the decision began. They stay here after they have entered the record.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll_vault.sealed_move (
    game_id uuid NOT NULL REFERENCES tillroll.game,
    ply integer NOT NULL CHECK (ply >= 0),
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 32 AND 512),
    received_at timestamptz(3) NOT NULL,
    PRIMARY KEY (game_id, ply, seat)
);
CALL tillroll.make_append_only('tillroll_vault.sealed_move');
GRANT SELECT, INSERT ON tillroll_vault.sealed_move TO tillroll_service;
