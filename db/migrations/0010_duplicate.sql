-- Duplicate events: all tables of a board play with the same luck. It comes from one secret a round,
-- so games with a board have none of their own.
SET LOCAL ROLE tillroll_owner;

ALTER TABLE tillroll.event
    ADD COLUMN format text NOT NULL DEFAULT 'pod_swiss' CHECK (format IN ('pod_swiss', 'duplicate')),
    ADD COLUMN boards integer CHECK (boards BETWEEN 1 AND 32),
    ADD COLUMN scoring text CHECK (scoring IN ('matchpoints', 'total')),
    ADD COLUMN play text CHECK (play IN ('asynchronous', 'barometer')),
    ADD CHECK (num_nulls(boards, scoring, play) = CASE format WHEN 'duplicate' THEN 0 ELSE 3 END);
-- What is inserted names its format.
ALTER TABLE tillroll.event ALTER COLUMN format DROP DEFAULT;

ALTER TABLE tillroll.round
    ADD COLUMN commitment bytea CHECK (octet_length(commitment) = 32);

CREATE TABLE tillroll_vault.round_secret (
    event_id uuid NOT NULL,
    number integer NOT NULL,
    sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 32 AND 512),
    PRIMARY KEY (event_id, number),
    FOREIGN KEY (event_id, number) REFERENCES tillroll.round
);
GRANT SELECT, INSERT ON tillroll_vault.round_secret TO tillroll_service;

ALTER TABLE tillroll.game
    ADD COLUMN board integer CHECK (board BETWEEN 1 AND 32),
    ADD CHECK (board IS NULL OR event_id IS NOT NULL);
