-- House players: accounts of the service itself, which a program plays at a stated level (engine/search/level.h).
SET LOCAL ROLE tillroll_owner;

-- A house account's name says what it is wherever it is shown, in records too. It has no password: an
-- administrator makes it, with a token for the program.
ALTER TABLE tillroll.player
    ADD COLUMN house text CHECK (house ~ '^[a-z]{1,16}$'),
    DROP CONSTRAINT player_password,
    ADD CONSTRAINT player_password CHECK ((password_hash IS NULL) = (owner_id IS NOT NULL
        OR deleted_at IS NOT NULL OR origin IS NOT NULL OR guest OR house IS NOT NULL)),
    ADD CONSTRAINT player_house CHECK (house IS NULL
        OR (owner_id IS NULL AND origin IS NULL AND NOT guest AND roles = 0)),
    ADD CONSTRAINT player_house_name CHECK (
        house IS NULL OR deleted_at IS NOT NULL OR starts_with(name, 'House · ' || house));
CREATE INDEX player_of_house ON tillroll.player (house, id) WHERE house IS NOT NULL;
