-- A table is played anew from the ruling on, also while the next game waits for its players' entropy.
SET LOCAL ROLE tillroll_owner;

-- The last attempt is the game of the table, or the one that it waits for; those before count for
-- nothing, even if there never is another because the event was closed first.
CREATE OR REPLACE FUNCTION tillroll.is_last_attempt(of_event uuid, of_round integer,
                                                    of_table integer, of_attempt integer)
    RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN NOT EXISTS (SELECT FROM tillroll.game AS later
                       WHERE later.event_id = of_event AND later.round = of_round
                         AND later.table_number = of_table AND later.attempt > of_attempt)
       AND NOT EXISTS (SELECT FROM tillroll.waiting_game AS later
                       WHERE later.event_id = of_event AND later.round = of_round
                         AND later.table_number = of_table AND later.attempt > of_attempt);
