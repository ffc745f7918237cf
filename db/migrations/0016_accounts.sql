-- Accounts that can end, bots that belong to players, site roles, and what a token may do.
SET LOCAL ROLE tillroll_owner;

-- A bot has an owner and no password, and its name says what it is wherever it is shown, in records
-- too. Who has deleted his account has neither name nor password, but what he has played stays.
-- `roles` are bits: 1 admin, 2 auditor, 4 arbiter.
ALTER TABLE tillroll.player
    ALTER COLUMN password_hash DROP NOT NULL,
    ADD COLUMN owner_id uuid REFERENCES tillroll.player,
    ADD COLUMN roles integer NOT NULL DEFAULT 0 CHECK (roles BETWEEN 0 AND 7),
    ADD COLUMN deleted_at timestamptz(3),
    ADD CONSTRAINT player_password CHECK (
        (password_hash IS NULL) = (owner_id IS NOT NULL OR deleted_at IS NOT NULL)),
    ADD CONSTRAINT player_bot_name CHECK (owner_id IS NULL OR right(name, 6) = ' [bot]'),
    ADD CONSTRAINT player_bot_roles CHECK (owner_id IS NULL OR roles = 0);
CREATE INDEX player_of_owner ON tillroll.player (owner_id, id) WHERE owner_id IS NOT NULL;
CREATE INDEX player_with_roles ON tillroll.player (id) WHERE roles <> 0;
GRANT UPDATE (name, password_hash, roles, deleted_at) ON tillroll.player TO tillroll_service;

-- Tokens with a label were made for a program, those without are sessions. `scopes` are bits:
-- 1 read, 2 play, 4 organize, 8 account.
ALTER TABLE tillroll.token
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    ADD COLUMN label text CHECK (char_length(label) BETWEEN 1 AND 64),
    ADD COLUMN scopes integer NOT NULL DEFAULT 15 CHECK (scopes BETWEEN 1 AND 15);
CREATE INDEX token_of_player ON tillroll.token (player_id, id);
CREATE INDEX token_expires ON tillroll.token (expires_at);
CREATE INDEX token_revoked ON tillroll.token (revoked_at) WHERE revoked_at IS NOT NULL;
GRANT DELETE ON tillroll.token TO tillroll_service;

-- Rows come in the order of time, so that a small index finds the old ones.
CREATE INDEX kept_answer_kept_at ON tillroll.kept_answer USING brin (kept_at);
GRANT DELETE ON tillroll.kept_answer TO tillroll_service;

-- Chores that one of the services does for all, and when each is due.
CREATE TABLE tillroll.upkeep (
    task text PRIMARY KEY,
    due_at timestamptz(3) NOT NULL
);
INSERT INTO tillroll.upkeep (task, due_at) VALUES ('delete_old', '1970-01-01 00:00:00+00');
GRANT SELECT, UPDATE (due_at) ON tillroll.upkeep TO tillroll_service;

-- Names stand in answers that are kept in memory: who listens hears `p <player>` when one changes.
CREATE FUNCTION tillroll.player_renamed() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'p ' || NEW.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER player_renamed AFTER UPDATE OF name ON tillroll.player
    FOR EACH ROW EXECUTE FUNCTION tillroll.player_renamed();
