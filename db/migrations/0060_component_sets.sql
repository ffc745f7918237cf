-- Component sets that organizers have registered: kept for ever by the SHA-256 of their bytes, which records name.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.component_set (
    hash bytea PRIMARY KEY,
    id uuid NOT NULL UNIQUE, -- of its time, so that lists have an order
    ruleset text NOT NULL CHECK (ruleset ~ '^[a-z][a-z0-9-]{0,31}$'),
    name text CHECK (octet_length(name) BETWEEN 1 AND 160), -- what its author calls it
    body bytea NOT NULL CHECK (octet_length(body) BETWEEN 2 AND 65536),
    registered_at timestamptz(3) NOT NULL,
    registered_by uuid NOT NULL REFERENCES tillroll.player,
    CHECK (hash = sha256(body))
);
CREATE INDEX component_set_of_ruleset ON tillroll.component_set (ruleset, id);
CREATE INDEX component_set_of_player ON tillroll.component_set (registered_by, registered_at);
GRANT SELECT, INSERT ON tillroll.component_set TO tillroll_service;
CALL tillroll.make_append_only('tillroll.component_set');

-- The set that a casual game is played with; NULL = the ruleset's own.
ALTER TABLE tillroll.casual_table ADD COLUMN components bytea CHECK (octet_length(components) = 32);
