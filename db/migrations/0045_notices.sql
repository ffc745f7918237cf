-- Notices: what players are told of, how, and when; and what has happened that somebody may have to be told of.
SET LOCAL ROLE tillroll_owner;

-- ---- What a player wants ----

-- No row: as the defaults of the columns say. Times are minutes of the day in `time_zone`. Between `quiet_from` and
-- `quiet_to` nothing is sent; what is gathered is sent at `digest_at`. `language` NULL: that of the email address.
CREATE TABLE tillroll.notice_settings (
    player_id uuid PRIMARY KEY REFERENCES tillroll.player,
    language text CHECK (language IN ('en', 'de')),
    time_zone text NOT NULL DEFAULT 'UTC' CHECK (octet_length(time_zone) BETWEEN 1 AND 64),
    quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
    quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
    digest_at smallint NOT NULL DEFAULT 480 CHECK (digest_at BETWEEN 0 AND 1439),
    CHECK (num_nulls(quiet_from, quiet_to) IN (0, 2))
);
GRANT SELECT, INSERT, DELETE, UPDATE (language, time_zone, quiet_from, quiet_to, digest_at)
    ON tillroll.notice_settings TO tillroll_service;

CREATE DOMAIN tillroll.notice_kind AS text CHECK (
    VALUE IN ('your_turn', 'clock_low', 'round_paired', 'game_over', 'dispute', 'event_opened', 'invitation',
              'challenge'));
CREATE DOMAIN tillroll.notice_channel AS text CHECK (VALUE IN ('mail', 'push', 'webhook'));
CREATE DOMAIN tillroll.notice_timing AS text CHECK (VALUE IN ('off', 'at_once', 'digest'));

-- Where a player has chosen; elsewhere the defaults below hold.
CREATE TABLE tillroll.notice_choice (
    player_id uuid NOT NULL REFERENCES tillroll.player,
    kind tillroll.notice_kind NOT NULL,
    channel tillroll.notice_channel NOT NULL,
    timing tillroll.notice_timing NOT NULL,
    PRIMARY KEY (player_id, kind, channel)
);
GRANT SELECT, INSERT, DELETE, UPDATE (timing) ON tillroll.notice_choice TO tillroll_service;

-- Mail of every turn is for those who ask for it. Who lets a browser or a program be told wants to be told.
CREATE VIEW tillroll.notice_default AS
    SELECT kind::text, channel::text,
           CASE WHEN channel = 'mail' AND kind IN ('your_turn', 'clock_low', 'game_over') THEN 'off'
                ELSE 'at_once' END AS timing
    FROM unnest(ARRAY['your_turn', 'clock_low', 'round_paired', 'game_over', 'dispute', 'event_opened', 'invitation',
                      'challenge']) AS kind
    CROSS JOIN unnest(ARRAY['mail', 'push', 'webhook']) AS channel;
GRANT SELECT ON tillroll.notice_default TO tillroll_service;

-- Every way in which a player can be reached. `target_id` names one of several of a channel. A channel that comes
-- later adds its own with CREATE OR REPLACE VIEW .. UNION ALL.
CREATE VIEW tillroll.notice_way AS
    SELECT player_id, 'mail'::text AS channel, NULL::uuid AS target_id
    FROM tillroll.email WHERE confirmed_at IS NOT NULL;
GRANT SELECT ON tillroll.notice_way TO tillroll_service;

-- By which ways a player is told of which kind: to be asked with both.
CREATE VIEW tillroll.notice_route AS
    SELECT way.player_id, other.kind, way.channel, way.target_id,
           coalesce(choice.timing, other.timing) AS timing
    FROM tillroll.notice_way AS way
    JOIN tillroll.notice_default AS other ON other.channel = way.channel
    LEFT JOIN tillroll.notice_choice AS choice
        ON choice.player_id = way.player_id AND choice.kind = other.kind AND choice.channel = way.channel
    WHERE coalesce(choice.timing, other.timing) <> 'off';
GRANT SELECT ON tillroll.notice_route TO tillroll_service;

CREATE TABLE tillroll.followed_organizer (
    player_id uuid NOT NULL REFERENCES tillroll.player,
    organizer_id uuid NOT NULL REFERENCES tillroll.player,
    since timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (player_id, organizer_id),
    CHECK (player_id <> organizer_id)
);
CREATE INDEX followed_organizer_followers ON tillroll.followed_organizer (organizer_id, player_id);
GRANT SELECT, INSERT, DELETE ON tillroll.followed_organizer TO tillroll_service;

-- ---- When ----

-- The first moment from `at` on that these quiet hours do not cover. A time zone that the server no longer knows
-- counts as UTC.
CREATE FUNCTION tillroll.notice_moment(at timestamptz, digest boolean, zone text, quiet_from integer,
                                       quiet_to integer, digest_at integer) RETURNS timestamptz
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    day CONSTANT interval := interval '1 day';
    moment timestamptz := at;
    here timestamp;
    minute integer;
BEGIN
    BEGIN
        here := at AT TIME ZONE zone;
    EXCEPTION WHEN invalid_parameter_value THEN
        RETURN tillroll.notice_moment(at, digest, 'UTC', quiet_from, quiet_to, digest_at);
    END;
    IF digest THEN
        moment := (here::date + digest_at * interval '1 minute') AT TIME ZONE zone;
        IF moment < at THEN
            moment := (here::date + day + digest_at * interval '1 minute') AT TIME ZONE zone;
        END IF;
    END IF;
    IF quiet_from IS NULL OR quiet_from = quiet_to THEN
        RETURN moment;
    END IF;
    here := moment AT TIME ZONE zone;
    minute := extract(hour FROM here)::integer * 60 + extract(minute FROM here)::integer;
    IF quiet_from < quiet_to AND minute >= quiet_from AND minute < quiet_to
            OR quiet_from > quiet_to AND minute < quiet_to THEN
        RETURN greatest(moment, (here::date + quiet_to * interval '1 minute') AT TIME ZONE zone);
    ELSIF quiet_from > quiet_to AND minute >= quiet_from THEN
        RETURN greatest(moment, (here::date + day + quiet_to * interval '1 minute') AT TIME ZONE zone);
    END IF;
    RETURN moment;
END
$$;

-- The same for a player, as they have chosen.
CREATE FUNCTION tillroll.notice_moment(of_player uuid, at timestamptz, digest boolean) RETURNS timestamptz
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    own tillroll.notice_settings;
BEGIN
    SELECT * INTO own FROM tillroll.notice_settings WHERE player_id = of_player;
    RETURN tillroll.notice_moment(at, digest, coalesce(own.time_zone, 'UTC'), own.quiet_from, own.quiet_to,
                                  coalesce(own.digest_at, 480));
END
$$;

-- A UUID of version 7: ids that are made later are greater.
CREATE FUNCTION tillroll.new_id() RETURNS uuid
    LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
    RETURN encode(set_byte(overlay(uuid_send(gen_random_uuid()) PLACING
               substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 6,
               112 | (get_byte(uuid_send(gen_random_uuid()), 6) & 15)), 'hex')::uuid;

GRANT EXECUTE ON FUNCTION tillroll.notice_moment(timestamptz, boolean, text, integer, integer, integer),
    tillroll.notice_moment(uuid, timestamptz, boolean), tillroll.new_id TO tillroll_service;

-- ---- What is sent ----

-- A notice is a row of the outbox for each way in which its player is told of it. `notice` is what it is about: ids
-- and numbers, no names and no secrets; it is NULL for mails about accounts. `subject_id` is the game, event, dispute
-- or table of the lobby. Those with `digest` are sent together: those that were taken together have the same
-- `bundle_id`, the id of their first, and stay together.
ALTER TABLE tillroll.outbox
    DROP CONSTRAINT outbox_kind_check,
    DROP CONSTRAINT outbox_check1,
    ADD COLUMN channel tillroll.notice_channel NOT NULL DEFAULT 'mail',
    ADD COLUMN target_id uuid,
    ADD COLUMN notice tillroll.json_object,
    ADD COLUMN subject_id uuid,
    ADD COLUMN digest boolean NOT NULL DEFAULT false,
    ADD COLUMN bundle_id uuid,
    ADD CONSTRAINT outbox_kind CHECK (
        CASE WHEN notice IS NULL
             THEN kind IN ('confirm_email', 'reset_password', 'email_changed', 'password_changed')
                  AND channel = 'mail' AND subject_id IS NULL
             ELSE kind IN ('your_turn', 'clock_low', 'round_paired', 'game_over', 'dispute', 'event_opened',
                           'invitation', 'challenge')
                  AND player_id IS NOT NULL AND subject_id IS NOT NULL AND address IS NULL END),
    ADD CONSTRAINT outbox_address CHECK (notice IS NOT NULL OR (state = 'sent') = (address IS NULL));
GRANT UPDATE (bundle_id) ON tillroll.outbox TO tillroll_service;

-- Notices never stand in the way of mails about accounts.
DROP INDEX tillroll.outbox_due;
CREATE INDEX outbox_due ON tillroll.outbox (due_at) WHERE state = 'waiting' AND notice IS NULL;
CREATE INDEX outbox_notice_due ON tillroll.outbox (channel, due_at) WHERE state = 'waiting' AND notice IS NOT NULL;
CREATE INDEX outbox_notice_of_player ON tillroll.outbox (player_id) WHERE state = 'waiting' AND notice IS NOT NULL;
CREATE INDEX outbox_bundle ON tillroll.outbox (bundle_id) WHERE bundle_id IS NOT NULL AND state = 'waiting';
-- While nobody has begun to send it, there is one notice of a turn: it says the same.
CREATE UNIQUE INDEX outbox_once ON tillroll.outbox
    (player_id, subject_id, kind, channel, coalesce(target_id, '00000000-0000-0000-0000-000000000000'))
    WHERE state = 'waiting' AND attempts = 0 AND kind IN ('your_turn', 'clock_low');

-- ---- What has happened ----

-- Written in the transaction of what happened, by the triggers below; taken, and turned into rows of the outbox, in
-- one transaction (api/notices/fan_out.h). Which columns are filled depends on `kind`.
CREATE TABLE tillroll.notice_cause (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('opened', 'seated', 'challenged', 'ruled', 'game_started', 'game_over',
                                       'substituted', 'dispute', 'invited')),
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    event_id uuid,
    step integer, -- of the event's log, or of the dispute's
    game_id uuid,
    dispute_id uuid,
    table_id uuid, -- of the lobby
    player_id uuid,
    tries integer NOT NULL DEFAULT 0 -- that have failed
);
CREATE INDEX notice_cause_next ON tillroll.notice_cause (tries, id);
GRANT SELECT, DELETE, UPDATE (tries) ON tillroll.notice_cause TO tillroll_service;

-- Running games in which somebody wants to be told of turns or clocks, and how far their records have been looked at.
-- The record is what moves leave behind, so a move writes nothing here: whoever looks goes on from `seq`. `told`: bit
-- s for seat s, which has been told of the turn that it has now.
CREATE TABLE tillroll.notice_watch (
    game_id uuid PRIMARY KEY REFERENCES tillroll.game,
    seq integer NOT NULL DEFAULT -1,
    told integer NOT NULL DEFAULT 0
);
CREATE INDEX notice_watch_new ON tillroll.notice_watch (game_id) WHERE seq = -1;
GRANT SELECT, INSERT, DELETE, UPDATE (seq, told) ON tillroll.notice_watch TO tillroll_service;

CREATE FUNCTION tillroll.notice_of_step() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, event_id, step) VALUES (
        CASE WHEN NEW.kind = 'entries_opened' THEN 'opened' WHEN NEW.kind = 'challenged' THEN 'challenged'
             WHEN NEW.kind IN ('round_started', 'board_started', 'table_started') THEN 'seated' ELSE 'ruled' END,
        NEW.event_id, NEW.seq);
    RETURN NULL;
END
$$;
CREATE TRIGGER notice_of_step AFTER INSERT ON tillroll.event_step FOR EACH ROW
    WHEN (NEW.kind IN ('entries_opened', 'challenged', 'round_started', 'board_started', 'table_started', 'ruled',
                       'ruling_revoked', 'table_replayed', 'report_objected', 'report_corrected'))
    EXECUTE FUNCTION tillroll.notice_of_step();

CREATE FUNCTION tillroll.notice_of_game() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, game_id)
        VALUES (CASE TG_OP WHEN 'INSERT' THEN 'game_started' ELSE 'game_over' END, NEW.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER notice_of_start AFTER INSERT ON tillroll.game FOR EACH ROW
    WHEN (NEW.finished_at IS NULL) EXECUTE FUNCTION tillroll.notice_of_game();
CREATE TRIGGER notice_of_end AFTER UPDATE OF finished_at ON tillroll.game FOR EACH ROW
    WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL) EXECUTE FUNCTION tillroll.notice_of_game();

CREATE FUNCTION tillroll.notice_of_substitute() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, game_id, player_id) VALUES ('substituted', NEW.game_id, NEW.player_id);
    RETURN NULL;
END
$$;
CREATE TRIGGER notice_of_substitute AFTER UPDATE OF player_id ON tillroll.game_seat FOR EACH ROW
    WHEN (OLD.player_id <> NEW.player_id) EXECUTE FUNCTION tillroll.notice_of_substitute();

CREATE FUNCTION tillroll.notice_of_dispute() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, dispute_id, step, player_id)
        VALUES ('dispute', NEW.dispute_id, NEW.number, split_part(NEW.line, ' ', 3)::uuid);
    RETURN NULL;
END
$$;
CREATE TRIGGER notice_of_dispute AFTER INSERT ON tillroll.dispute_step FOR EACH ROW
    EXECUTE FUNCTION tillroll.notice_of_dispute();

CREATE FUNCTION tillroll.notice_of_invitation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, table_id, player_id) VALUES ('invited', NEW.table_id, NEW.player_id);
    RETURN NULL;
END
$$;
CREATE TRIGGER notice_of_invitation AFTER INSERT ON tillroll.casual_seat FOR EACH ROW
    WHEN (NOT NEW.taken) EXECUTE FUNCTION tillroll.notice_of_invitation();

-- ---- Whom it concerns ----

-- Who sits where from a line of an event's log on: `round_started` (byes without a table), `board_started` or
-- `table_started`. Seats count from 0.
CREATE FUNCTION tillroll.seats_of_step(of_event uuid, of_step integer)
    RETURNS TABLE (round integer, table_number integer, seat integer, player_id uuid)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    what text;
    line json;
    tables json;
    byes json;
    first integer := 1;
BEGIN
    SELECT event_step.kind, event_step.detail INTO what, line
        FROM tillroll.event_step WHERE event_id = of_event AND seq = of_step;
    IF what = 'table_started' THEN
        tables := json_build_array(line -> 'numbers');
        first := line ->> 'table';
    ELSIF what = 'board_started' THEN
        tables := line -> 'tables';
        first := line ->> 'first_table';
    ELSIF what = 'round_started' THEN
        SELECT detail -> 'tables', detail -> 'byes' INTO tables, byes
            FROM tillroll.event_step
            WHERE event_id = of_event AND seq < of_step AND kind IN ('round_drawn', 'round_changed')
              AND detail ->> 'round' = line ->> 'round'
            ORDER BY seq DESC LIMIT 1;
    END IF;
    RETURN QUERY
        SELECT (line ->> 'round')::integer, (first + drawn.place - 1)::integer, (numbered.place - 1)::integer,
               entry.player_id
            FROM json_array_elements(tables) WITH ORDINALITY AS drawn (numbers, place)
            CROSS JOIN json_array_elements_text(drawn.numbers) WITH ORDINALITY AS numbered (number, place)
            JOIN tillroll.entry ON entry.event_id = of_event AND entry.number = numbered.number::integer
        UNION ALL
        SELECT (line ->> 'round')::integer, NULL, NULL, entry.player_id
            FROM json_array_elements_text(byes) AS bye (number)
            JOIN tillroll.entry ON entry.event_id = of_event AND entry.number = bye.number::integer;
END
$$;

-- Who sits at a table that an event has: in its last game, or else as its round was drawn.
CREATE FUNCTION tillroll.players_of_table(of_event uuid, of_round integer, of_table integer) RETURNS uuid[]
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    players uuid[] := ARRAY(
        SELECT seat.player_id FROM tillroll.game_seat AS seat
        WHERE seat.game_id = (SELECT game.id FROM tillroll.game
                              WHERE game.event_id = of_event AND game.round = of_round
                                AND game.table_number = of_table
                              ORDER BY game.attempt DESC LIMIT 1)
        ORDER BY seat.seat);
BEGIN
    IF cardinality(players) > 0 OR of_round = 0 THEN
        RETURN players;
    END IF;
    RETURN ARRAY(
        SELECT entry.player_id
        FROM (SELECT detail -> 'tables' -> of_table - 1 AS numbers FROM tillroll.event_step
              WHERE event_id = of_event AND kind IN ('round_drawn', 'round_changed')
                AND detail ->> 'round' = of_round::text
              ORDER BY seq DESC LIMIT 1) AS drawn
        CROSS JOIN json_array_elements_text(drawn.numbers) AS numbered (number)
        JOIN tillroll.entry ON entry.event_id = of_event AND entry.number = numbered.number::integer);
END
$$;
GRANT EXECUTE ON FUNCTION tillroll.seats_of_step, tillroll.players_of_table TO tillroll_service;
