-- What a notice costs the database, which moves share with it.
SET LOCAL ROLE tillroll_owner;

-- Players are never deleted (their accounts are, db/store/people/players.h), and whoever is told of something sits in a game, an
-- event or a table that has a key of its own for it. To look again, and lock the player's row, for each notice is for nothing.
ALTER TABLE tillroll.outbox DROP CONSTRAINT outbox_player_id_fkey;

-- Room for what is noted of each message beside the row itself, so that its indexes are not written.
ALTER TABLE tillroll.push_subscription SET (fillfactor = 75);
ALTER TABLE tillroll.notice_watch SET (fillfactor = 75);
