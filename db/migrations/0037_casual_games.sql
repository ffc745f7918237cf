-- Casual games: a table that somebody opens, and whose game starts when its seats are taken, outside of
-- events; and guests, who have a name and no password, and play nothing else.
SET LOCAL ROLE tillroll_owner;

-- A guest's name says what it is wherever it is shown, in records too. Who sets a password is no guest any
-- more.
ALTER TABLE tillroll.player
    ADD COLUMN guest boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT player_password,
    ADD CONSTRAINT player_password CHECK ((password_hash IS NULL) =
        (owner_id IS NOT NULL OR deleted_at IS NOT NULL OR origin IS NOT NULL OR guest)),
    ADD CONSTRAINT player_guest CHECK (NOT guest OR (owner_id IS NULL AND origin IS NULL AND roles = 0)),
    ADD CONSTRAINT player_guest_name CHECK (
        NOT guest OR deleted_at IS NOT NULL OR right(name, 8) = ' [guest]');
CREATE INDEX player_guest ON tillroll.player (id) WHERE guest AND deleted_at IS NULL;
GRANT UPDATE (guest) ON tillroll.player TO tillroll_service;

-- `code` is the secret end of the link by which others are invited. Once the game has started the row says
-- whether it is rated. `rematch_of`: a game has one rematch.
CREATE TABLE tillroll.casual_table (
    id uuid PRIMARY KEY,
    code text NOT NULL UNIQUE CHECK (code ~ '^[a-z2-7]{20}$'),
    creator_id uuid NOT NULL REFERENCES tillroll.player,
    slug tillroll.ruleset_slug NOT NULL,
    version tillroll.ruleset_version NOT NULL,
    options tillroll.json_object NOT NULL,
    clock text NOT NULL CHECK (octet_length(clock) BETWEEN 1 AND 120),
    seats integer NOT NULL CHECK (seats BETWEEN 2 AND 5),
    listed boolean NOT NULL,
    rated boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    game_id uuid UNIQUE REFERENCES tillroll.game,
    rematch_of uuid UNIQUE REFERENCES tillroll.game
);
CREATE INDEX casual_table_open ON tillroll.casual_table (id) WHERE game_id IS NULL;
GRANT SELECT, INSERT, DELETE, UPDATE (game_id) ON tillroll.casual_table TO tillroll_service;

-- `taken` is false for who is invited to a rematch and has not come yet.
CREATE TABLE tillroll.casual_seat (
    table_id uuid NOT NULL REFERENCES tillroll.casual_table ON DELETE CASCADE,
    player_id uuid NOT NULL REFERENCES tillroll.player,
    number integer NOT NULL CHECK (number >= 1),
    taken boolean NOT NULL,
    PRIMARY KEY (table_id, player_id)
);
CREATE INDEX casual_seat_player ON tillroll.casual_seat (player_id, table_id);
GRANT SELECT, INSERT, DELETE, UPDATE (taken) ON tillroll.casual_seat TO tillroll_service;
