-- Answers kept for retries, by player and Idempotency-Key. No foreign key: it is written with plies.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.kept_answer (
    player_id uuid NOT NULL,
    key text NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    status integer NOT NULL CHECK (status BETWEEN 100 AND 599),
    body text NOT NULL,
    kept_at timestamptz(3) NOT NULL,
    PRIMARY KEY (player_id, key)
);
GRANT SELECT, INSERT ON tillroll.kept_answer TO tillroll_service;
