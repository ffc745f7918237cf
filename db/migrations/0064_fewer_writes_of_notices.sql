-- A notice writes fewer indexes, and its id takes less time to make.
SET LOCAL ROLE tillroll_owner;

-- How far a game was looked at changes with each notice of a turn. While an index was of those games whose `seq` is -1, each
-- such change wrote all indexes.
ALTER TABLE tillroll.notice_watch ADD COLUMN unseen boolean GENERATED ALWAYS AS (seq = -1) STORED;
DROP INDEX tillroll.notice_watch_new;
CREATE INDEX notice_watch_new ON tillroll.notice_watch (game_id) WHERE unseen;

-- A player's notices that wait are found by outbox_notice_of_player. Those of turns are deleted when they are sent.
DROP INDEX tillroll.outbox_of_player;
CREATE INDEX outbox_of_player ON tillroll.outbox (player_id, id) WHERE notice IS NULL OR state <> 'waiting';

-- As before: a UUID of version 7, the time in ms and random bits. Version 4, as which gen_random_uuid() marks it, becomes 7 by
-- two further bits.
CREATE OR REPLACE FUNCTION tillroll.new_id() RETURNS uuid
    LANGUAGE sql VOLATILE
    RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
               substring(int8send((date_part('epoch', clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
               52, 1), 53, 1), 'hex')::uuid;
