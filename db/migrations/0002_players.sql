-- Players and their tokens.
SET LOCAL ROLE tillroll_owner;

-- Two names are the same if they differ in case only. ICU's rules for no language in particular, so
-- that it does not depend on the database's locale; upper case first, because some letters have two
-- lower-case forms.
CREATE FUNCTION tillroll.name_key(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(upper(name COLLATE "und-x-icu")) COLLATE "C";
GRANT EXECUTE ON FUNCTION tillroll.name_key(text) TO tillroll_service;

CREATE TABLE tillroll.player (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
    password_hash text NOT NULL
        CHECK (starts_with(password_hash, '$argon2id$') AND octet_length(password_hash) < 128),
    created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX player_name_key ON tillroll.player (tillroll.name_key(name));
GRANT SELECT, INSERT ON tillroll.player TO tillroll_service;

CREATE TABLE tillroll.token (
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    player_id uuid NOT NULL REFERENCES tillroll.player,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL CHECK (expires_at > created_at),
    revoked_at timestamptz(3)
);
GRANT SELECT, INSERT, UPDATE (revoked_at) ON tillroll.token TO tillroll_service;
