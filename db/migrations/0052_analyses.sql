-- Analyses of finished games: those that have been asked for, which house accounts make, and the finished ones.
SET LOCAL ROLE tillroll_owner;

-- Without a `document` it is to be made. Who makes it has a lease, the `attempts`-th, and delivers `plies`, `done` of
-- `total`, as members of a JSON array.
CREATE TABLE tillroll.game_analysis (
    game_id uuid PRIMARY KEY REFERENCES tillroll.game,
    maker text NOT NULL CHECK (maker ~ '^[0-9.]{1,20}$'),
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    asked_by uuid REFERENCES tillroll.player,
    attempts smallint NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 100),
    leased_by uuid REFERENCES tillroll.player,
    leased_until timestamptz,
    done integer NOT NULL DEFAULT 0 CHECK (done >= 0),
    total integer NOT NULL DEFAULT 0 CHECK (total >= 0),
    plies text CHECK (octet_length(plies) <= 8388608),
    document text CHECK (octet_length(document) <= 8388608),
    CHECK (document IS NULL OR num_nonnulls(asked_by, leased_by, leased_until, plies) = 0)
);
CREATE INDEX game_analysis_asked ON tillroll.game_analysis (asked_at, game_id) WHERE document IS NULL;
CREATE INDEX game_analysis_asked_by ON tillroll.game_analysis (asked_by) WHERE asked_by IS NOT NULL;
GRANT SELECT, INSERT, DELETE,
    UPDATE (maker, asked_at, asked_by, attempts, leased_by, leased_until, done, total, plies, document)
    ON tillroll.game_analysis TO tillroll_service;
