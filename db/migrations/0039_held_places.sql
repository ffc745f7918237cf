-- Places that an event's organizers hold for people without an account: each is a guest, entered like anybody,
-- whom nobody can be until the link with the code is opened.
SET LOCAL ROLE tillroll_owner;

-- `code_hash`: SHA-256 of the code, which is shown once. The row goes when the place is claimed, or given up
-- before it has a number.
CREATE TABLE tillroll.held_place (
    player_id uuid PRIMARY KEY REFERENCES tillroll.player,
    event_id uuid NOT NULL REFERENCES tillroll.event,
    code_hash bytea NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
    held_at timestamptz(3) NOT NULL
);
CREATE INDEX held_place_event ON tillroll.held_place (event_id, player_id);
GRANT SELECT, INSERT, DELETE, UPDATE (code_hash) ON tillroll.held_place TO tillroll_service;
