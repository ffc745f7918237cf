-- Events that were played on another service, taken over from their bundles; and when something
-- has to be done in an event though nobody asks for it.
SET LOCAL ROLE tillroll_owner;

-- ---- Players ----

-- Who has no account here, but plays on the service with this signing key. Nobody can sign in as
-- one of them, so their names need not be unique.
ALTER TABLE tillroll.player
    ADD COLUMN origin bytea CHECK (octet_length(origin) = 32),
    DROP CONSTRAINT player_password,
    ADD CONSTRAINT player_password CHECK (
        (password_hash IS NULL)
        = (owner_id IS NOT NULL OR deleted_at IS NOT NULL OR origin IS NOT NULL)),
    ADD CONSTRAINT player_from_elsewhere CHECK (
        origin IS NULL OR (owner_id IS NULL AND deleted_at IS NULL AND roles = 0));
DROP INDEX tillroll.player_name_key;
CREATE UNIQUE INDEX player_name_key ON tillroll.player (tillroll.name_key(name))
    WHERE origin IS NULL;

-- ---- Events ----

-- The seal of the bundle that an event came in, and its lines with players, as they were: so that
-- the bundle can be given to others as it came, signed by the service that the event was played on.
CREATE TABLE tillroll.event_origin (
    event_id uuid PRIMARY KEY REFERENCES tillroll.event,
    sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
    key bytea NOT NULL CHECK (octet_length(key) = 32),
    signature bytea NOT NULL CHECK (octet_length(signature) = 64),
    players text NOT NULL,
    imported_by uuid NOT NULL REFERENCES tillroll.player,
    imported_at timestamptz(3) NOT NULL
);
CALL tillroll.make_append_only('tillroll.event_origin');
GRANT SELECT, INSERT ON tillroll.event_origin TO tillroll_service;

-- ---- Bundles on their way ----

-- A bundle is longer than a request may be. `bundle` is the hash of the whole.
CREATE TABLE tillroll.import_part (
    player_id uuid NOT NULL REFERENCES tillroll.player,
    bundle bytea NOT NULL CHECK (octet_length(bundle) = 32),
    number integer NOT NULL CHECK (number BETWEEN 1 AND 4096),
    body bytea NOT NULL CHECK (octet_length(body) BETWEEN 1 AND 65536),
    stored_at timestamptz(3) NOT NULL,
    PRIMARY KEY (player_id, bundle, number)
);
ALTER TABLE tillroll.import_part ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX import_part_stored_at ON tillroll.import_part (stored_at);
GRANT SELECT, INSERT, UPDATE (body, stored_at), DELETE ON tillroll.import_part TO tillroll_service;

-- ---- What is due ----

-- Follows from the event's log, like all else besides it. A row that is due is looked at by one of
-- the services; when there is nothing to do it goes, until the event's next step.
CREATE TABLE tillroll.event_timer (
    event_id uuid PRIMARY KEY REFERENCES tillroll.event,
    due_at timestamptz(3) NOT NULL
);
CREATE INDEX event_timer_due_at ON tillroll.event_timer (due_at);
GRANT SELECT, INSERT, UPDATE (due_at), DELETE ON tillroll.event_timer TO tillroll_service;
