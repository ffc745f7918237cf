-- Changes of the server's key, each a document of which a leaf of the log has the hash (engine/log/key_chain.h).
SET LOCAL ROLE tillroll_owner;

-- A key has one successor.
CREATE TABLE tillroll.server_key_change (
    number integer PRIMARY KEY CHECK (number >= 1),
    old_key bytea NOT NULL UNIQUE CHECK (octet_length(old_key) = 32),
    new_key bytea NOT NULL UNIQUE CHECK (octet_length(new_key) = 32 AND new_key <> old_key),
    hash bytea NOT NULL REFERENCES tillroll.log_document
);
CALL tillroll.make_append_only('tillroll.server_key_change');
GRANT SELECT, INSERT ON tillroll.server_key_change TO tillroll_service;
