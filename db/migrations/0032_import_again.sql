-- An import that is asked for again, after its parts are gone, is found by the hash that it went by.
SET LOCAL ROLE tillroll_owner;

-- The SHA-256 of the whole bundle; null for what was imported before.
ALTER TABLE tillroll.event_origin ADD COLUMN bundle bytea CHECK (octet_length(bundle) = 32);
CREATE UNIQUE INDEX event_origin_bundle ON tillroll.event_origin (bundle);
