-- Names that look alike. What such names have in common is a skeleton (UTS #39); a name has up to
-- three (api/account_name.h). They are made by the service, since the database cannot, and so are those of
-- names that were given before: until the service has filled them in, or while services of the release
-- before give names, an account may be without.
SET LOCAL ROLE tillroll_owner;

-- `name` is the one that the skeleton was made of: of another than the account has by now it counts for
-- nothing. `taken` are those of names that were given under this rule: no two are the same. Names from
-- before may look alike, and stay.
CREATE TABLE tillroll.name_skeleton (
    player_id uuid NOT NULL REFERENCES tillroll.player,
    skeleton text NOT NULL CHECK (octet_length(skeleton) BETWEEN 1 AND 2048),
    name text NOT NULL,
    version integer NOT NULL CHECK (version > 0),
    taken boolean NOT NULL,
    PRIMARY KEY (player_id, skeleton)
);
CREATE INDEX name_skeleton_skeleton ON tillroll.name_skeleton (skeleton);
CREATE UNIQUE INDEX name_skeleton_taken ON tillroll.name_skeleton (skeleton) WHERE taken;
GRANT SELECT, INSERT, DELETE ON tillroll.name_skeleton TO tillroll_service;

INSERT INTO tillroll.upkeep (task, due_at) VALUES ('fill_names', '1970-01-01 00:00:00+00');
