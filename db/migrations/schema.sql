-- The squashed schema: what the migrations up to 0067_watching_recordings.sql make of an empty database (db/link/migrate.h).
-- Made by `node tests/db/squash.mjs` with PostgreSQL 15; not to be edited. Why things are as they are is said in the
-- migrations. Proved to equal them by tests/db/squash.test.mjs. First the beginning of 0001, then what pg_dump says.

-- Who owns what. The owner has no login; the service owns nothing and gets each right by name;
-- PUBLIC gets none. Sealed secrets are kept apart, so that a dump of `tillroll` holds none of them.

-- Roles belong to the whole cluster and may be there already. A migrating user that may not create
-- roles can go on if somebody else has made them.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tillroll_owner') THEN
        CREATE ROLE tillroll_owner NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'tillroll_service') THEN
        CREATE ROLE tillroll_service NOLOGIN;
    END IF;
    IF NOT pg_catalog.pg_has_role(current_user, 'tillroll_owner', 'MEMBER') THEN
        EXECUTE pg_catalog.format('GRANT tillroll_owner TO %I', current_user);
    END IF;
END
$$;

-- Only the database's owner can do this; elsewhere its administrator has to.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_database
               WHERE datname = current_database()
                 AND pg_catalog.pg_has_role(current_user, datdba, 'MEMBER')) THEN
        EXECUTE pg_catalog.format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
        EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO tillroll_service',
                                  current_database());
        EXECUTE pg_catalog.format('GRANT CONNECT, CREATE ON DATABASE %I TO tillroll_owner',
                                  current_database());
    END IF;
END
$$;

-- Large objects stand outside of schemas and their grants; only a superuser can close them.
DO $$
DECLARE
    each regprocedure;
BEGIN
    IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
        FOR each IN SELECT oid FROM pg_catalog.pg_proc
                    WHERE pronamespace = 'pg_catalog'::regnamespace
                      AND (proname LIKE 'lo\_%' OR proname IN ('loread', 'lowrite')) LOOP
            EXECUTE pg_catalog.format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', each);
        END LOOP;
    END IF;
END
$$;

CREATE SCHEMA tillroll AUTHORIZATION tillroll_owner;
CREATE SCHEMA tillroll_vault AUTHORIZATION tillroll_owner;

SET LOCAL ROLE tillroll_owner;

-- Functions may name tables that come after them; all names say their schema.
SET LOCAL check_function_bodies = false;
SET LOCAL search_path = '';

CREATE DOMAIN tillroll.event_detail AS json
	CONSTRAINT event_detail_check CHECK (((json_typeof(VALUE) = 'object'::text) AND (octet_length((VALUE)::text) <= 33554432)));

CREATE DOMAIN tillroll.json_object AS json
	CONSTRAINT json_object_check CHECK (((json_typeof(VALUE) = 'object'::text) AND (octet_length((VALUE)::text) <= 65536)));

CREATE DOMAIN tillroll.notice_channel AS text
	CONSTRAINT notice_channel_check CHECK ((VALUE = ANY (ARRAY['mail'::text, 'push'::text, 'webhook'::text])));

CREATE DOMAIN tillroll.notice_kind AS text
	CONSTRAINT notice_kind_check CHECK ((VALUE = ANY (ARRAY['your_turn'::text, 'clock_low'::text, 'round_paired'::text, 'game_over'::text, 'dispute'::text, 'event_opened'::text, 'invitation'::text, 'challenge'::text])));

CREATE DOMAIN tillroll.notice_timing AS text
	CONSTRAINT notice_timing_check CHECK ((VALUE = ANY (ARRAY['off'::text, 'at_once'::text, 'digest'::text])));

CREATE DOMAIN tillroll.rating_scope AS text
	CONSTRAINT rating_scope_check CHECK ((VALUE ~ '^(glicko\.|house\.)?[a-z][a-z0-9-]{0,31}$'::text));

CREATE DOMAIN tillroll.ruleset_slug AS text
	CONSTRAINT ruleset_slug_check CHECK ((VALUE ~ '^[a-z][a-z0-9-]{0,31}$'::text));

CREATE DOMAIN tillroll.ruleset_version AS text
	CONSTRAINT ruleset_version_check CHECK ((VALUE ~ '^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}$'::text));

CREATE FUNCTION tillroll.add_event_change(of_event uuid, what text, of_step integer, of_game uuid, of_seat integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM tillroll.event WHERE id = of_event FOR NO KEY UPDATE;
    INSERT INTO tillroll.event_change (event_id, seq, kind, step, game_id, seat, absent, forfeited,
                                       timed_out, players)
        SELECT of_event, last.seq + 1, what, of_step, of_game, of_seat, seats.absent,
               seats.forfeited, seats.timed_out, seats.players
        FROM (SELECT coalesce(max(seq), 0) AS seq FROM tillroll.event_change
              WHERE event_id = of_event) AS last,
             (SELECT sum(CASE WHEN fallback THEN 1 << seat ELSE 0 END) AS absent,
                     sum(CASE WHEN forfeited THEN 1 << seat ELSE 0 END) AS forfeited,
                     sum(CASE WHEN timed_out THEN 1 << seat ELSE 0 END) AS timed_out,
                     array_agg(player_id ORDER BY seat) AS players
              FROM tillroll.game_seat WHERE game_id = of_game) AS seats
        ON CONFLICT (game_id, kind, coalesce(seat, -1))
            WHERE game_id IS NOT NULL AND kind <> 'seats_changed' DO NOTHING;
    PERFORM pg_notify('tillroll', 'e ' || of_event);
END
$$;

CREATE FUNCTION tillroll.add_standings_change(of_event uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF current_setting('tillroll.standings_changed', true) IS DISTINCT FROM of_event::text THEN
        PERFORM tillroll.add_event_change(of_event, 'standings', NULL, NULL, NULL);
        PERFORM set_config('tillroll.standings_changed', of_event::text, true);
    END IF;
END
$$;

CREATE FUNCTION tillroll.archived_record_check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    good boolean;
BEGIN
    SELECT count(*) = NEW.rows AND min(seq) = 0 AND max(seq) = NEW.rows - 1
            AND sha256(convert_to(string_agg(line, E'\n' ORDER BY seq) || E'\n', 'UTF8'))
                = NEW.hash
            AND EXISTS (SELECT FROM tillroll.game
                        WHERE id = NEW.game_id AND finished_at IS NOT NULL)
        INTO good FROM tillroll.record_line WHERE game_id = NEW.game_id;
    IF good IS NOT TRUE THEN
        RAISE EXCEPTION 'that is not the record of a finished game'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.begin_to_tell() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    own integer;
BEGIN
    INSERT INTO tillroll.teller DEFAULT VALUES RETURNING id INTO own;
    PERFORM pg_advisory_lock_shared(1953066093, own);
    PERFORM set_config('tillroll.teller', own::text, false);
END
$$;

CREATE FUNCTION tillroll.dealing_check_update() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF OLD.ended THEN
        RAISE EXCEPTION 'the dealing of % has ended', OLD.scope USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.dispute_step_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    of_event uuid := (
        SELECT dispute.event_id FROM tillroll.dispute
        JOIN tillroll.game ON game.id = dispute.game_id
        WHERE dispute.id = NEW.dispute_id
          AND (game.board IS NULL
               OR EXISTS (SELECT FROM tillroll.game_result WHERE game_id = game.id)));
BEGIN
    IF of_event IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM tillroll.event WHERE id = of_event FOR NO KEY UPDATE;
    INSERT INTO tillroll.event_change (event_id, seq, kind, dispute_id, dispute_step)
        SELECT of_event, coalesce(max(seq), 0) + 1, 'dispute', NEW.dispute_id, NEW.number
        FROM tillroll.event_change WHERE event_id = of_event;
    PERFORM pg_notify('tillroll', 'e ' || of_event);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.dispute_step_check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    before bytea := sha256(convert_to('tillroll dispute 1 ' || NEW.dispute_id || E'\n', 'UTF8'));
BEGIN
    IF NEW.number > 1 THEN
        SELECT hash INTO before FROM tillroll.dispute_step
            WHERE dispute_id = NEW.dispute_id AND number = NEW.number - 1;
    END IF;
    IF split_part(NEW.line, ' ', 1) <> NEW.number::text OR NEW.hash IS DISTINCT FROM
            sha256(convert_to(encode(before, 'hex') || ' ' || NEW.line || E'\n', 'UTF8')) THEN
        RAISE EXCEPTION 'a step does not continue its dispute' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.end_telling() RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    DELETE FROM tillroll.teller WHERE id = nullif(current_setting('tillroll.teller', true), '')::integer
$$;

CREATE FUNCTION tillroll.event_step_add() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    NEW.hash := tillroll.event_step_chain(
        (SELECT hash FROM tillroll.event_step
         WHERE event_id = NEW.event_id AND seq = NEW.seq - 1), NEW);
    RETURN NEW;
END
$$;

CREATE TABLE tillroll.event_step (
    event_id uuid NOT NULL,
    seq integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor_id uuid,
    kind text NOT NULL,
    detail tillroll.event_detail NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT event_step_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT event_step_kind_check CHECK ((kind ~ '^[a-z][a-z0-9_.]{0,63}$'::text)),
    CONSTRAINT event_step_seq_check CHECK ((seq >= 1))
);

CREATE FUNCTION tillroll.event_step_chain(before bytea, step tillroll.event_step) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN sha256(convert_to((((((((((((encode(COALESCE(before, sha256(convert_to((('tillroll event-log 1 '::text || (step).event_id) || '
'::text), 'UTF8'::name))), 'hex'::text) || ' '::text) || (step).seq) || ' '::text) || to_char(((step).at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)) || ' '::text) || COALESCE(((step).actor_id)::text, '-'::text)) || ' '::text) || (step).kind) || ' '::text) || (step).detail) || '
'::text), 'UTF8'::name));

CREATE FUNCTION tillroll.event_step_queued() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tillroll.event_step
                   WHERE event_id = NEW.event_id AND seq = NEW.seq + 1) THEN
        INSERT INTO tillroll.log_queue (entry)
            VALUES (format(E'tillroll event-step\n%s/line/%s\n%s\n', NEW.event_id, NEW.seq,
                           encode(NEW.hash, 'hex')))
            ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.event_steps_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'log', seq, NULL, NULL)
        FROM (SELECT event_id, seq FROM added ORDER BY event_id, seq) AS step;
    PERFORM tillroll.add_standings_change(event_id)
        FROM (SELECT DISTINCT event_id FROM added
              WHERE kind IN ('entries_closed', 'stage_started', 'round_started', 'result', 'ruled',
                             'ruling_revoked', 'table_replayed', 'reported', 'report_confirmed',
                             'report_objected', 'report_corrected', 'dropped', 'returned',
                             'bye_granted', 'bye_revoked', 'settings_changed', 'closed')
                 OR (kind = 'entered' AND (detail ->> 'late')::boolean)) AS event;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.from_ms(ms bigint) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (('1970-01-01 00:00:00'::timestamp without time zone + ((ms)::double precision * '00:00:00.001'::interval)) AT TIME ZONE 'UTC'::text);

CREATE FUNCTION tillroll.game_check_update() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF OLD.finished_at IS NOT NULL THEN
        RAISE EXCEPTION 'game % is finished', OLD.id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.game_results_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_scored', NULL, game_id, NULL),
            tillroll.add_standings_change(event_id)
        FROM (SELECT DISTINCT game.event_id, added.game_id FROM added CROSS JOIN LATERAL (
                  SELECT event_id FROM tillroll.game WHERE id = added.game_id OFFSET 0) AS game
              WHERE game.event_id IS NOT NULL) AS scored;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.game_seat_check_update() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM tillroll.game WHERE id = OLD.game_id AND finished_at IS NOT NULL) THEN
        RAISE EXCEPTION 'game % is finished', OLD.game_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.put_out := OLD.put_out;
    IF NEW.player_id <> OLD.player_id THEN
        NEW.put_out := OLD.put_out || OLD.player_id;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.game_seats_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'seats_changed', NULL, game_id, NULL)
        FROM (SELECT DISTINCT game.event_id, changed.game_id
              FROM changed JOIN was USING (game_id, seat) CROSS JOIN LATERAL (
                  SELECT event_id, board, delay_entries FROM tillroll.game
                  WHERE id = changed.game_id OFFSET 0) AS game
              WHERE game.event_id IS NOT NULL
                AND ((game.board IS NULL AND game.delay_entries = 0)
                     OR changed.player_id <> was.player_id)
              ORDER BY changed.game_id) AS seated;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.games_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_started', NULL, id, NULL)
        FROM (SELECT event_id, id FROM added WHERE event_id IS NOT NULL
              ORDER BY round, table_number) AS game;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.games_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_ended', NULL, id, NULL)
        FROM (SELECT event_id, id FROM changed
              WHERE event_id IS NOT NULL AND (board IS NOT NULL OR voided)
                AND finished_at IS NOT NULL
              ORDER BY round, table_number) AS game;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.hear(own integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_advisory_lock_shared(1953066092, own);
    PERFORM tillroll.look_for_hearers(own);
    INSERT INTO tillroll.hearer VALUES (own) ON CONFLICT DO NOTHING;
END
$$;

CREATE FUNCTION tillroll.is_archived(game uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN EXISTS (SELECT FROM tillroll.archived_record WHERE game_id = game);
END
$$;

CREATE TABLE tillroll.game (
    id uuid NOT NULL,
    event_id uuid,
    round integer,
    table_number integer,
    slug tillroll.ruleset_slug NOT NULL,
    version tillroll.ruleset_version NOT NULL,
    options tillroll.json_object NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    board integer,
    drawn_round integer GENERATED ALWAYS AS (NULLIF(round, 0)) STORED,
    voided boolean DEFAULT false NOT NULL,
    clock text,
    on_timeout text DEFAULT 'arbiter'::text NOT NULL,
    take_back boolean DEFAULT false NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    delay_entries integer DEFAULT 0 NOT NULL,
    CONSTRAINT game_attempt_check CHECK (((attempt >= 1) AND (attempt <= 100))),
    CONSTRAINT game_board_check CHECK (((board >= 1) AND (board <= 32))),
    CONSTRAINT game_check CHECK ((finished_at >= started_at)),
    CONSTRAINT game_check1 CHECK ((num_nulls(event_id, round, table_number) = ANY (ARRAY[0, 3]))),
    CONSTRAINT game_check2 CHECK (((board IS NULL) OR (event_id IS NOT NULL))),
    CONSTRAINT game_clock_check CHECK (((octet_length(clock) >= 1) AND (octet_length(clock) <= 120))),
    CONSTRAINT game_delay_entries_check CHECK (((delay_entries >= 0) AND (delay_entries <= 1000))),
    CONSTRAINT game_on_timeout_check CHECK ((on_timeout = ANY (ARRAY['arbiter'::text, 'quiet_move'::text, 'fallback'::text, 'forfeit'::text]))),
    CONSTRAINT game_round_check CHECK ((round >= 0)),
    CONSTRAINT game_table_number_check CHECK ((table_number >= 1))
);

CREATE TABLE tillroll.waiting_game (
    game_id uuid NOT NULL,
    event_id uuid NOT NULL,
    round integer NOT NULL,
    table_number integer NOT NULL,
    attempt integer NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    commitment bytea NOT NULL,
    ended text,
    CONSTRAINT waiting_game_attempt_check CHECK ((attempt >= 1)),
    CONSTRAINT waiting_game_check CHECK ((due_at >= since)),
    CONSTRAINT waiting_game_commitment_check CHECK ((octet_length(commitment) = 32)),
    CONSTRAINT waiting_game_ended_check CHECK ((ended = ANY (ARRAY['started'::text, 'dropped'::text]))),
    CONSTRAINT waiting_game_round_check CHECK ((round >= 0)),
    CONSTRAINT waiting_game_table_number_check CHECK ((table_number >= 1))
);

CREATE FUNCTION tillroll.is_last_attempt(of_event uuid, of_round integer, of_table integer, of_attempt integer) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((NOT (EXISTS (SELECT FROM tillroll.game later WHERE ((later.event_id = is_last_attempt.of_event) AND (later.round = is_last_attempt.of_round) AND (later.table_number = is_last_attempt.of_table) AND (later.attempt > is_last_attempt.of_attempt))))) AND (NOT (EXISTS (SELECT FROM tillroll.waiting_game later WHERE ((later.event_id = is_last_attempt.of_event) AND (later.round = is_last_attempt.of_round) AND (later.table_number = is_last_attempt.of_table) AND (later.attempt > is_last_attempt.of_attempt))))));

CREATE FUNCTION tillroll.lines_settled() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    adding text[] := ARRAY(
        SELECT virtualtransaction FROM pg_locks
            WHERE locktype = 'relation' AND relation = 'tillroll.record_line'::regclass
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND mode = 'RowExclusiveLock');
BEGIN
    WHILE EXISTS (SELECT FROM pg_locks
                  WHERE locktype = 'relation' AND relation = 'tillroll.record_line'::regclass
                      AND mode = 'RowExclusiveLock' AND virtualtransaction = ANY (adding)) LOOP
        PERFORM pg_sleep(0.002);
    END LOOP;
END
$$;

CREATE FUNCTION tillroll.log_checkpoint_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF NEW.size <> (SELECT coalesce(max(index) + 1, 0) FROM tillroll.log_leaf) THEN
        RAISE EXCEPTION 'a checkpoint is of all leaves' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.log_leaf_hash(entry text) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256(('\x00'::bytea || convert_to(entry, 'UTF8'::name)));

CREATE FUNCTION tillroll.log_leaves_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM added WHERE index > 0 AND (
            SELECT before.index FROM tillroll.log_leaf AS before
            WHERE before.index = added.index - 1) IS NULL) THEN
        RAISE EXCEPTION 'a leaf does not follow another' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.log_queue_taken() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    -- Each looked up by itself: a join might read the whole log.
    IF EXISTS (SELECT FROM taken WHERE (
            SELECT leaf.index FROM tillroll.log_leaf AS leaf
            WHERE leaf.hash = tillroll.log_leaf_hash(taken.entry)) IS NULL) THEN
        RAISE EXCEPTION 'a leaf leaves the queue only into the tree'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.look_for_hearers(own integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM tillroll.hearer
        WHERE CASE WHEN id <> own THEN pg_try_advisory_xact_lock(1953066092, id) END;
    DELETE FROM tillroll.teller WHERE pg_try_advisory_xact_lock(1953066093, id);
    IF FOUND THEN
        PERFORM pg_notify('tillroll', 'a');
    END IF;
END
$$;

CREATE PROCEDURE tillroll.make_append_only(IN grows regclass)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s '
                   'FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change()', grows);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only', grows);
END
$$;

CREATE FUNCTION tillroll.move_signature_check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tillroll.record_line
                   WHERE game_id = NEW.game_id AND seq = NEW.seq) THEN
        RAISE EXCEPTION 'a signature of a line that is not there'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.name_key(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (lower(upper((name COLLATE "und-x-icu"))) COLLATE "C");

CREATE FUNCTION tillroll.new_id() RETURNS uuid
    LANGUAGE sql
    RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send(((date_part('epoch'::text, clock_timestamp()) * (1000)::double precision))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;

CREATE FUNCTION tillroll.notice_moment(of_player uuid, at timestamp with time zone, digest boolean) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    own tillroll.notice_settings;
BEGIN
    SELECT * INTO own FROM tillroll.notice_settings WHERE player_id = of_player;
    RETURN tillroll.notice_moment(at, digest, coalesce(own.time_zone, 'UTC'), own.quiet_from, own.quiet_to,
                                  coalesce(own.digest_at, 480));
END
$$;

CREATE FUNCTION tillroll.notice_moment(at timestamp with time zone, digest boolean, zone text, quiet_from integer, quiet_to integer, digest_at integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION tillroll.notice_of_dispute() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, dispute_id, step, player_id)
        VALUES ('dispute', NEW.dispute_id, NEW.number, split_part(NEW.line, ' ', 3)::uuid);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.notice_of_game() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, game_id)
        VALUES (CASE TG_OP WHEN 'INSERT' THEN 'game_started' ELSE 'game_over' END, NEW.id);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.notice_of_invitation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, table_id, player_id) VALUES ('invited', NEW.table_id, NEW.player_id);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.notice_of_step() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, event_id, step) VALUES (
        CASE WHEN NEW.kind = 'entries_opened' THEN 'opened' WHEN NEW.kind = 'challenged' THEN 'challenged'
             WHEN NEW.kind IN ('round_started', 'board_started', 'table_started') THEN 'seated' ELSE 'ruled' END,
        NEW.event_id, NEW.seq);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.notice_of_substitute() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO tillroll.notice_cause (kind, game_id, player_id) VALUES ('substituted', NEW.game_id, NEW.player_id);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.player_renamed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'p ' || NEW.id);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.players_of_table(of_event uuid, of_round integer, of_table integer) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION tillroll.rated_game_draw_number() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    NEW.number := nextval('tillroll.rated_game_number');
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.rating_revisions_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'e ' || coalesce(game_id, table_id)) FROM added;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.ratings_to_change(players uuid[], scopes text[]) RETURNS TABLE(mu bigint, sigma bigint, games integer)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7306086895124181868);
    PERFORM pg_advisory_xact_lock(1953066093, key)
        FROM (SELECT DISTINCT uuid_hash(player) AS key FROM unnest(players) AS player
              ORDER BY key OFFSET 0) AS keys;
    RETURN QUERY
        SELECT coalesce(now.mu, 0), coalesce(now.sigma, 0), coalesce(now.games, 0)
            FROM unnest(players, scopes) WITH ORDINALITY AS given (player_id, scope, place)
            LEFT JOIN LATERAL (
                SELECT rating.mu, rating.sigma, rating.games FROM tillroll.rating
                    WHERE rating.player_id = given.player_id AND rating.scope = given.scope
                    OFFSET 0) AS now ON true
            ORDER BY place;
END
$$;

CREATE FUNCTION tillroll.record_chain(before bytea, line text) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
DECLARE
    after bytea;
BEGIN
    IF octet_length(line) > 512 OR line COLLATE "C" !~ '^[ -~]+ #[0-9a-f]{8}$' THEN
        RAISE EXCEPTION 'not a line of a record'
            USING ERRCODE = 'check_violation';
    END IF;
    after := sha256(convert_to(encode(before, 'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'));
    IF right(line, 8) <> left(encode(after, 'hex'), 8) THEN
        RAISE EXCEPTION 'the mark of the line does not fit the chain'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN after;
END
$_$;

CREATE FUNCTION tillroll.record_header_chain(header text, form integer DEFAULT 1) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    lines text[] := string_to_array(header, E'\n');
    hash bytea := sha256(convert_to('tillroll ' || form || E'\n', 'UTF8'));
BEGIN
    IF lines[1] <> 'tillroll ' || form || ' #' || left(encode(hash, 'hex'), 8) THEN
        RAISE EXCEPTION 'a record starts with another line' USING ERRCODE = 'check_violation';
    END IF;
    FOR i IN 2 .. array_length(lines, 1) LOOP
        hash := tillroll.record_chain(hash, lines[i]);
    END LOOP;
    RETURN hash;
END
$$;

CREATE FUNCTION tillroll.record_lines_added() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
DECLARE
    games_at_once CONSTANT integer := 150;
    games text[];
BEGIN
    -- A line of which anything is unknown is bad as well.
    IF EXISTS (
            SELECT FROM added LEFT JOIN LATERAL (
                SELECT earlier.hash FROM tillroll.record_line AS earlier
                    WHERE earlier.game_id = added.game_id AND earlier.seq = added.seq - 1
                    OFFSET 0) AS before ON true
            WHERE (CASE
                WHEN seq = 0
                    THEN octet_length(line) <= 32768
                        AND added.hash = tillroll.record_header_chain(line)
                        AND NOT tillroll.is_archived(added.game_id)
                WHEN seq > 0 THEN octet_length(line) <= 512 AND line COLLATE "C" ~ '^[ -~]+$'
                    AND right(line, 10) = ' #' || left(encode(added.hash, 'hex'), 8)
                    AND added.hash = sha256(convert_to(
                        encode(before.hash, 'hex') || ' ' || left(line, -10) || E'\n', 'UTF8'))
                END) IS NOT true) THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    IF current_setting('tillroll.teller', true) <> '' THEN
        RETURN NULL;
    END IF;
    IF (SELECT bool_and(id = nullif(current_setting('tillroll.hearer', true), '')::integer)
            FROM tillroll.hearer) THEN
        RETURN NULL;
    END IF;
    -- No rows at all, where others came first, give no array.
    SELECT array_agg('g ' || game_id || ' ' || seq) INTO games FROM added;
    FOR i IN 1 .. coalesce(cardinality(games), 0) BY games_at_once LOOP
        PERFORM pg_notify('tillroll',
                          array_to_string(games[i : i + games_at_once - 1], E'\n'));
    END LOOP;
    RETURN NULL;
END
$_$;

CREATE FUNCTION tillroll.record_lines_leave() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM gone)
            OR EXISTS (SELECT FROM gone WHERE NOT EXISTS (
                           SELECT FROM tillroll.archived_record AS archived
                           WHERE archived.game_id = gone.game_id
                             AND archived.rows - 1 > gone.seq)) THEN
        RAISE EXCEPTION 'DELETE refused: tillroll.record_line only grows'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.recording_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM tillroll.add_event_change(NEW.event_id, 'recording', NULL, NULL, NULL);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.recording_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'e ' || NEW.id);
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.recording_check_update() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF OLD.finished_at IS NOT NULL THEN
        RAISE EXCEPTION 'recording % is finished', OLD.id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.recording_line_check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    before bytea;
    after bytea;
BEGIN
    IF NEW.seq > 0 THEN
        SELECT hash INTO before FROM tillroll.recording_line
            WHERE recording_id = NEW.recording_id AND seq = NEW.seq - 1;
    END IF;
    after := CASE WHEN NEW.seq = 0 THEN tillroll.record_header_chain(NEW.line, 2)
                  ELSE tillroll.record_chain(before, NEW.line) END;
    IF NEW.hash IS DISTINCT FROM after THEN
        RAISE EXCEPTION 'a line does not continue its record' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION tillroll.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RAISE EXCEPTION '% refused: %.% only grows', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE FUNCTION tillroll.season_steps_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_notify('tillroll', 'e ' || season_id) FROM added;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.seats_of_step(of_event uuid, of_step integer) RETURNS TABLE(round integer, table_number integer, seat integer, player_id uuid)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION tillroll.to_ms(moment timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((EXTRACT(epoch FROM (moment AT TIME ZONE 'UTC'::text)) * (1000)::numeric))::bigint;

CREATE FUNCTION tillroll.tokens_ended() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    tokens_at_once CONSTANT integer := 100;
BEGIN
    PERFORM pg_notify('tillroll', string_agg('t ' || encode(hash, 'hex'), E'\n'))
        FROM (SELECT hash, (row_number() OVER () - 1) / tokens_at_once AS part
              FROM ended WHERE TG_OP = 'DELETE' OR revoked_at IS NOT NULL) AS token
        GROUP BY part;
    RETURN NULL;
END
$$;

CREATE FUNCTION tillroll.waiting_game_check_update() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF OLD.ended IS NOT NULL THEN
        RAISE EXCEPTION 'game % waits no more', OLD.game_id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TABLE tillroll.archived_record (
    game_id uuid NOT NULL,
    rows integer NOT NULL,
    hash bytea NOT NULL,
    archived_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT archived_record_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT archived_record_rows_check CHECK ((rows >= 2))
);

CREATE TABLE tillroll.breaking_migration (
    number integer NOT NULL,
    why text NOT NULL,
    CONSTRAINT breaking_migration_number_check CHECK ((number >= 27)),
    CONSTRAINT breaking_migration_why_check CHECK (((char_length(why) >= 1) AND (char_length(why) <= 200)))
);

CREATE TABLE tillroll.bye (
    event_id uuid NOT NULL,
    round integer NOT NULL,
    player_id uuid NOT NULL,
    kind text NOT NULL,
    CONSTRAINT bye_kind_check CHECK ((kind = ANY (ARRAY['pairing_bye'::text, 'full_bye'::text, 'half_bye'::text, 'zero_bye'::text, 'absent'::text])))
);

CREATE TABLE tillroll.casual_seat (
    table_id uuid NOT NULL,
    player_id uuid NOT NULL,
    number integer NOT NULL,
    taken boolean NOT NULL,
    CONSTRAINT casual_seat_number_check CHECK ((number >= 1))
);

CREATE TABLE tillroll.casual_table (
    id uuid NOT NULL,
    code text NOT NULL,
    creator_id uuid NOT NULL,
    slug tillroll.ruleset_slug NOT NULL,
    version tillroll.ruleset_version NOT NULL,
    options tillroll.json_object NOT NULL,
    clock text NOT NULL,
    seats integer NOT NULL,
    listed boolean NOT NULL,
    rated boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    game_id uuid,
    rematch_of uuid,
    components bytea,
    CONSTRAINT casual_table_clock_check CHECK (((octet_length(clock) >= 1) AND (octet_length(clock) <= 120))),
    CONSTRAINT casual_table_code_check CHECK ((code ~ '^[a-z2-7]{20}$'::text)),
    CONSTRAINT casual_table_components_check CHECK ((octet_length(components) = 32)),
    CONSTRAINT casual_table_seats_check CHECK (((seats >= 2) AND (seats <= 5)))
);

CREATE TABLE tillroll.component_set (
    hash bytea NOT NULL,
    id uuid NOT NULL,
    ruleset text NOT NULL,
    name text,
    body bytea NOT NULL,
    registered_at timestamp(3) with time zone NOT NULL,
    registered_by uuid NOT NULL,
    CONSTRAINT component_set_body_check CHECK (((octet_length(body) >= 2) AND (octet_length(body) <= 65536))),
    CONSTRAINT component_set_check CHECK ((hash = sha256(body))),
    CONSTRAINT component_set_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 160))),
    CONSTRAINT component_set_ruleset_check CHECK ((ruleset ~ '^[a-z][a-z0-9-]{0,31}$'::text))
);

CREATE TABLE tillroll.contested_table (
    event_id uuid NOT NULL,
    round integer NOT NULL,
    table_number integer NOT NULL,
    parties uuid[] NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT contested_table_round_check CHECK ((round >= 0)),
    CONSTRAINT contested_table_table_number_check CHECK ((table_number >= 1))
);

CREATE TABLE tillroll.game_result (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    score integer NOT NULL,
    rank integer NOT NULL,
    CONSTRAINT game_result_rank_check CHECK (((rank >= 1) AND (rank <= 5)))
);

CREATE TABLE tillroll.ruled_seat (
    event_id uuid NOT NULL,
    round integer NOT NULL,
    table_number integer NOT NULL,
    seat integer NOT NULL,
    score integer NOT NULL,
    rank integer NOT NULL,
    forfeit boolean NOT NULL,
    CONSTRAINT ruled_seat_rank_check CHECK (((rank >= 1) AND (rank <= 5))),
    CONSTRAINT ruled_seat_round_check CHECK ((round >= 0)),
    CONSTRAINT ruled_seat_seat_check CHECK (((seat >= 0) AND (seat <= 4))),
    CONSTRAINT ruled_seat_table_number_check CHECK ((table_number >= 1))
);

CREATE VIEW tillroll.counted_result AS
 SELECT result.game_id,
    result.seat,
    COALESCE(ruled.score, result.score) AS score,
    COALESCE(ruled.rank, result.rank) AS rank
   FROM ((tillroll.game_result result
     JOIN tillroll.game ON ((game.id = result.game_id)))
     LEFT JOIN tillroll.ruled_seat ruled ON (((ruled.event_id = game.event_id) AND (ruled.round = game.round) AND (ruled.table_number = game.table_number) AND (ruled.seat = result.seat))))
  WHERE (tillroll.is_last_attempt(game.event_id, game.round, game.table_number, game.attempt) AND (NOT (EXISTS ( SELECT
           FROM tillroll.ruled_seat forfeited
          WHERE ((forfeited.event_id = game.event_id) AND (forfeited.round = game.round) AND (forfeited.table_number = game.table_number) AND forfeited.forfeit)))));

CREATE TABLE tillroll.dealer_answer (
    scope text NOT NULL,
    key bytea NOT NULL,
    proof bytea NOT NULL,
    CONSTRAINT dealer_answer_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT dealer_answer_proof_check CHECK ((octet_length(proof) = 80))
);

CREATE TABLE tillroll.dealing (
    scope text NOT NULL,
    event_id uuid NOT NULL,
    round integer NOT NULL,
    game_id uuid,
    input text NOT NULL,
    names text[] NOT NULL,
    keys bytea[] NOT NULL,
    asked_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone,
    ended boolean DEFAULT false NOT NULL,
    CONSTRAINT dealing_check CHECK ((cardinality(keys) = cardinality(names))),
    CONSTRAINT dealing_input_check CHECK ((octet_length(input) <= 255)),
    CONSTRAINT dealing_names_check CHECK (((cardinality(names) >= 1) AND (cardinality(names) <= 5))),
    CONSTRAINT dealing_round_check CHECK ((round >= 0)),
    CONSTRAINT dealing_scope_check CHECK (((octet_length(scope) >= 36) AND (octet_length(scope) <= 63)))
);

CREATE TABLE tillroll.dispute (
    id uuid NOT NULL,
    game_id uuid NOT NULL,
    event_id uuid,
    opened_by uuid NOT NULL,
    state text NOT NULL,
    CONSTRAINT dispute_state_check CHECK ((state = ANY (ARRAY['open'::text, 'frozen'::text, 'ruled'::text, 'appealed'::text, 'closed'::text])))
);

CREATE TABLE tillroll.dispute_step (
    dispute_id uuid NOT NULL,
    number integer NOT NULL,
    line text NOT NULL,
    hash bytea NOT NULL,
    actor_id uuid GENERATED ALWAYS AS ((split_part(line, ' '::text, 3))::uuid) STORED NOT NULL,
    CONSTRAINT dispute_step_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT dispute_step_line_check CHECK (((octet_length(line) <= 16384) AND ((line COLLATE "C") ~ '^[ -~]+$'::text))),
    CONSTRAINT dispute_step_number_check CHECK (((number >= 1) AND (number <= 64)))
);

CREATE TABLE tillroll.email (
    player_id uuid NOT NULL,
    address text NOT NULL,
    language text NOT NULL,
    set_at timestamp(3) with time zone NOT NULL,
    confirmed_at timestamp(3) with time zone,
    CONSTRAINT email_address_check CHECK (((octet_length(address) >= 3) AND (octet_length(address) <= 254))),
    CONSTRAINT email_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text])))
);

CREATE TABLE tillroll.entropy_signature (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT entropy_signature_seat_check CHECK (((seat >= 0) AND (seat <= 4))),
    CONSTRAINT entropy_signature_signature_check CHECK ((octet_length(signature) = 64))
);

CREATE TABLE tillroll.entry (
    event_id uuid NOT NULL,
    player_id uuid NOT NULL,
    number integer,
    dropped_after integer,
    entered_at timestamp(3) with time zone NOT NULL,
    state text NOT NULL,
    checked_in boolean DEFAULT false NOT NULL,
    CONSTRAINT entry_check CHECK (((state = 'dropped'::text) = (dropped_after IS NOT NULL))),
    CONSTRAINT entry_dropped_after_check CHECK ((dropped_after >= 0)),
    CONSTRAINT entry_number_check CHECK ((number >= 1)),
    CONSTRAINT entry_state_check CHECK ((state = ANY (ARRAY['entered'::text, 'waiting'::text, 'withdrawn'::text, 'not_there'::text, 'dropped'::text])))
);

CREATE TABLE tillroll.event (
    id uuid NOT NULL,
    name text NOT NULL,
    slug tillroll.ruleset_slug NOT NULL,
    version tillroll.ruleset_version NOT NULL,
    state text NOT NULL,
    organizer_id uuid NOT NULL,
    commitment bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    format text NOT NULL,
    settings tillroll.json_object NOT NULL,
    cancelled boolean DEFAULT false NOT NULL,
    CONSTRAINT event_commitment_check CHECK ((octet_length(commitment) = 32)),
    CONSTRAINT event_format_check CHECK ((format = ANY (ARRAY['pod_swiss'::text, 'dutch'::text, 'round_robin'::text, 'pod_round_robin'::text, 'single_elimination'::text, 'double_elimination'::text, 'pod_elimination'::text, 'league'::text, 'ladder'::text, 'open_play'::text, 'duplicate'::text]))),
    CONSTRAINT event_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT event_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'entries_open'::text, 'entries_closed'::text, 'running'::text, 'closed'::text])))
);

CREATE TABLE tillroll.event_change (
    event_id uuid NOT NULL,
    seq integer NOT NULL,
    kind text NOT NULL,
    step integer,
    game_id uuid,
    seat integer,
    absent integer,
    forfeited integer,
    players uuid[],
    timed_out integer,
    dispute_id uuid,
    dispute_step integer,
    CONSTRAINT event_change_check CHECK (((step IS NOT NULL) = (kind = 'log'::text))),
    CONSTRAINT event_change_check1 CHECK (((game_id IS NULL) = (kind = ANY (ARRAY['log'::text, 'standings'::text, 'dispute'::text, 'recording'::text])))),
    CONSTRAINT event_change_check2 CHECK (((seat IS NOT NULL) = (kind = 'seat_absent'::text))),
    CONSTRAINT event_change_dispute CHECK ((num_nonnulls(dispute_id, dispute_step) =
CASE kind
    WHEN 'dispute'::text THEN 2
    ELSE 0
END)),
    CONSTRAINT event_change_kind_check CHECK ((kind = ANY (ARRAY['log'::text, 'game_started'::text, 'seat_absent'::text, 'seats_changed'::text, 'game_ended'::text, 'game_scored'::text, 'standings'::text, 'dispute'::text, 'recording'::text]))),
    CONSTRAINT event_change_seq_check CHECK ((seq >= 1))
);

CREATE TABLE tillroll.event_origin (
    event_id uuid NOT NULL,
    sha256 bytea NOT NULL,
    key bytea NOT NULL,
    signature bytea NOT NULL,
    players text NOT NULL,
    imported_by uuid NOT NULL,
    imported_at timestamp(3) with time zone NOT NULL,
    bundle bytea,
    CONSTRAINT event_origin_bundle_check CHECK ((octet_length(bundle) = 32)),
    CONSTRAINT event_origin_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT event_origin_sha256_check CHECK ((octet_length(sha256) = 32)),
    CONSTRAINT event_origin_signature_check CHECK ((octet_length(signature) = 64))
);

CREATE TABLE tillroll.event_role (
    event_id uuid NOT NULL,
    player_id uuid NOT NULL,
    role text NOT NULL,
    CONSTRAINT event_role_role_check CHECK ((role = ANY (ARRAY['organizer'::text, 'arbiter'::text])))
);

CREATE TABLE tillroll.event_step_signature (
    event_id uuid NOT NULL,
    seq integer NOT NULL,
    base integer NOT NULL,
    key bytea NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT event_step_signature_check CHECK (((base >= 1) AND (base < seq))),
    CONSTRAINT event_step_signature_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT event_step_signature_signature_check CHECK ((octet_length(signature) = 64))
);

CREATE TABLE tillroll.event_timer (
    event_id uuid NOT NULL,
    due_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE tillroll.followed_game (
    player_id uuid NOT NULL,
    game_id uuid NOT NULL
);

CREATE TABLE tillroll.followed_organizer (
    player_id uuid NOT NULL,
    organizer_id uuid NOT NULL,
    since timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT followed_organizer_check CHECK ((player_id <> organizer_id))
);

CREATE TABLE tillroll.game_analysis (
    game_id uuid NOT NULL,
    maker text NOT NULL,
    asked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    asked_by uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    leased_by uuid,
    leased_until timestamp with time zone,
    done integer DEFAULT 0 NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    plies text,
    document text,
    CONSTRAINT game_analysis_attempts_check CHECK (((attempts >= 0) AND (attempts <= 100))),
    CONSTRAINT game_analysis_check CHECK (((document IS NULL) OR (num_nonnulls(asked_by, leased_by, leased_until, plies) = 0))),
    CONSTRAINT game_analysis_document_check CHECK ((octet_length(document) <= 8388608)),
    CONSTRAINT game_analysis_done_check CHECK ((done >= 0)),
    CONSTRAINT game_analysis_maker_check CHECK ((maker ~ '^[0-9.]{1,20}$'::text)),
    CONSTRAINT game_analysis_plies_check CHECK ((octet_length(plies) <= 8388608)),
    CONSTRAINT game_analysis_total_check CHECK ((total >= 0))
);

CREATE TABLE tillroll.game_look (
    game_id uuid NOT NULL,
    number integer NOT NULL,
    player_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    seq integer NOT NULL,
    reason text NOT NULL,
    CONSTRAINT game_look_number_check CHECK (((number >= 1) AND (number <= 100))),
    CONSTRAINT game_look_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
    CONSTRAINT game_look_seq_check CHECK ((seq >= 0))
);

CREATE TABLE tillroll.game_seat (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    player_id uuid NOT NULL,
    fallback boolean DEFAULT false NOT NULL,
    forfeited boolean DEFAULT false NOT NULL,
    put_out uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    timed_out boolean DEFAULT false NOT NULL,
    CONSTRAINT game_seat_check CHECK ((fallback OR (NOT forfeited))),
    CONSTRAINT game_seat_seat_check CHECK (((seat >= 0) AND (seat <= 4)))
);

CREATE UNLOGGED TABLE tillroll.hearer (
    id integer NOT NULL,
    CONSTRAINT hearer_id_check CHECK ((id > 0))
);

CREATE TABLE tillroll.held_place (
    player_id uuid NOT NULL,
    event_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    held_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT held_place_code_hash_check CHECK ((octet_length(code_hash) = 32))
);

CREATE TABLE tillroll.import_part (
    player_id uuid NOT NULL,
    bundle bytea NOT NULL,
    number integer NOT NULL,
    body bytea NOT NULL,
    stored_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT import_part_body_check CHECK (((octet_length(body) >= 1) AND (octet_length(body) <= 65536))),
    CONSTRAINT import_part_bundle_check CHECK ((octet_length(bundle) = 32)),
    CONSTRAINT import_part_number_check CHECK (((number >= 1) AND (number <= 4096)))
);
ALTER TABLE ONLY tillroll.import_part ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE tillroll.job (
    id uuid NOT NULL,
    kind text NOT NULL,
    step text NOT NULL,
    subject text NOT NULL,
    request_hash bytea NOT NULL,
    player_id uuid NOT NULL,
    state text DEFAULT 'running'::text NOT NULL,
    told boolean NOT NULL,
    phase text DEFAULT ''::text NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    started_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    alive_until timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    status integer DEFAULT 0 NOT NULL,
    location text DEFAULT ''::text NOT NULL,
    answer text DEFAULT ''::text NOT NULL,
    CONSTRAINT job_check CHECK (((state = 'running'::text) = (ended_at IS NULL))),
    CONSTRAINT job_done_check CHECK ((done >= 0)),
    CONSTRAINT job_request_hash_check CHECK ((octet_length(request_hash) = 32)),
    CONSTRAINT job_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text]))),
    CONSTRAINT job_total_check CHECK ((total >= 0))
);

CREATE TABLE tillroll.kept_answer (
    player_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    kept_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT kept_answer_key_check CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 255))),
    CONSTRAINT kept_answer_request_hash_check CHECK ((octet_length(request_hash) = 32)),
    CONSTRAINT kept_answer_status_check CHECK (((status >= 100) AND (status <= 599)))
);

CREATE TABLE tillroll.log_checkpoint (
    size bigint NOT NULL,
    root bytea NOT NULL,
    note text NOT NULL,
    signed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT log_checkpoint_note_check CHECK ((octet_length(note) <= 1024)),
    CONSTRAINT log_checkpoint_root_check CHECK ((octet_length(root) = 32)),
    CONSTRAINT log_checkpoint_size_check CHECK ((size >= 0))
);

CREATE TABLE tillroll.log_cosignature (
    size bigint NOT NULL,
    witness text NOT NULL,
    seconds bigint NOT NULL,
    line text NOT NULL,
    CONSTRAINT log_cosignature_line_check CHECK (((octet_length(line) <= 512) AND (line ~ '^— [^\n]+\n$'::text))),
    CONSTRAINT log_cosignature_seconds_check CHECK ((seconds >= 0)),
    CONSTRAINT log_cosignature_witness_check CHECK (((octet_length(witness) >= 1) AND (octet_length(witness) <= 256)))
);

CREATE TABLE tillroll.log_document (
    hash bytea NOT NULL,
    body text NOT NULL,
    CONSTRAINT log_document_body_check CHECK ((octet_length(body) <= 67108864)),
    CONSTRAINT log_document_check CHECK ((hash = sha256(convert_to(body, 'UTF8'::name))))
);

CREATE TABLE tillroll.log_leaf (
    index bigint NOT NULL,
    entry text NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT log_leaf_hash_check CHECK ((hash = tillroll.log_leaf_hash(entry))),
    CONSTRAINT log_leaf_index_check CHECK ((index >= 0))
);

CREATE TABLE tillroll.log_node (
    level integer NOT NULL,
    index bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT log_node_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT log_node_index_check CHECK ((index >= 0)),
    CONSTRAINT log_node_level_check CHECK (((level >= 1) AND (level <= 3)))
);

CREATE VIEW tillroll.log_hash AS
 SELECT 0 AS level,
    log_leaf.index,
    log_leaf.hash
   FROM tillroll.log_leaf
UNION ALL
 SELECT log_node.level,
    log_node.index,
    log_node.hash
   FROM tillroll.log_node;

CREATE TABLE tillroll.log_queue (
    id bigint NOT NULL,
    entry text NOT NULL,
    CONSTRAINT log_queue_entry_check CHECK (((octet_length(entry) < 192) AND ((entry COLLATE "C") ~ '^[ -~\n]+$'::text)))
);

ALTER TABLE tillroll.log_queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME tillroll.log_queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE tillroll.mail_token (
    hash bytea NOT NULL,
    player_id uuid NOT NULL,
    purpose text NOT NULL,
    address text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT mail_token_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT mail_token_purpose_check CHECK ((purpose = ANY (ARRAY['confirm_email'::text, 'reset_password'::text])))
);

CREATE TABLE tillroll.migration (
    number integer NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    applied_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT migration_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT migration_name_check CHECK ((name ~ '^[0-9]{4}_[a-z0-9_]+\.sql$'::text)),
    CONSTRAINT migration_number_check CHECK ((number >= 1))
);

CREATE TABLE tillroll.move_signature (
    game_id uuid NOT NULL,
    seq integer NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT move_signature_seq_check CHECK ((seq >= 1)),
    CONSTRAINT move_signature_signature_check CHECK ((octet_length(signature) = 64))
);

CREATE TABLE tillroll.name_skeleton (
    player_id uuid NOT NULL,
    skeleton text NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    taken boolean NOT NULL,
    CONSTRAINT name_skeleton_skeleton_check CHECK (((octet_length(skeleton) >= 1) AND (octet_length(skeleton) <= 2048))),
    CONSTRAINT name_skeleton_version_check CHECK ((version > 0))
);

CREATE TABLE tillroll.notice_cause (
    id bigint NOT NULL,
    kind text NOT NULL,
    at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    event_id uuid,
    step integer,
    game_id uuid,
    dispute_id uuid,
    table_id uuid,
    player_id uuid,
    tries integer DEFAULT 0 NOT NULL,
    CONSTRAINT notice_cause_kind_check CHECK ((kind = ANY (ARRAY['opened'::text, 'seated'::text, 'challenged'::text, 'ruled'::text, 'game_started'::text, 'game_over'::text, 'substituted'::text, 'dispute'::text, 'invited'::text])))
);

ALTER TABLE tillroll.notice_cause ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME tillroll.notice_cause_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE tillroll.notice_choice (
    player_id uuid NOT NULL,
    kind tillroll.notice_kind NOT NULL,
    channel tillroll.notice_channel NOT NULL,
    timing tillroll.notice_timing NOT NULL
);

CREATE VIEW tillroll.notice_default AS
 SELECT kind.kind,
    channel.channel,
        CASE
            WHEN ((channel.channel = 'mail'::text) AND (kind.kind = ANY (ARRAY['your_turn'::text, 'clock_low'::text, 'game_over'::text]))) THEN 'off'::text
            ELSE 'at_once'::text
        END AS timing
   FROM (unnest(ARRAY['your_turn'::text, 'clock_low'::text, 'round_paired'::text, 'game_over'::text, 'dispute'::text, 'event_opened'::text, 'invitation'::text, 'challenge'::text]) kind(kind)
     CROSS JOIN unnest(ARRAY['mail'::text, 'push'::text, 'webhook'::text]) channel(channel));

CREATE TABLE tillroll.push_subscription (
    id uuid NOT NULL,
    player_id uuid NOT NULL,
    endpoint text NOT NULL,
    public_key bytea NOT NULL,
    auth bytea NOT NULL,
    device text NOT NULL,
    language text NOT NULL,
    since timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    rest_until timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_at timestamp(3) with time zone,
    reason text,
    test_at timestamp(3) with time zone,
    CONSTRAINT push_subscription_auth_check CHECK ((octet_length(auth) = 16)),
    CONSTRAINT push_subscription_device_check CHECK (((octet_length(device) >= 1) AND (octet_length(device) <= 100))),
    CONSTRAINT push_subscription_endpoint_check CHECK (((octet_length(endpoint) >= 1) AND (octet_length(endpoint) <= 1000))),
    CONSTRAINT push_subscription_failures_check CHECK ((failures >= 0)),
    CONSTRAINT push_subscription_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
    CONSTRAINT push_subscription_public_key_check CHECK ((octet_length(public_key) = 65)),
    CONSTRAINT push_subscription_reason_check CHECK ((char_length(reason) <= 300))
)
WITH (fillfactor='75');

CREATE TABLE tillroll.webhook (
    id uuid NOT NULL,
    player_id uuid NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    form text NOT NULL,
    state text DEFAULT 'on'::text NOT NULL,
    since timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    rest_until timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    CONSTRAINT webhook_failures_check CHECK ((failures >= 0)),
    CONSTRAINT webhook_form_check CHECK ((form = ANY (ARRAY['standard'::text, 'discord'::text, 'slack'::text, 'matrix'::text]))),
    CONSTRAINT webhook_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 100))),
    CONSTRAINT webhook_state_check CHECK ((state = ANY (ARRAY['on'::text, 'gone'::text]))),
    CONSTRAINT webhook_url_check CHECK (((octet_length(url) >= 1) AND (octet_length(url) <= 1000)))
);

CREATE VIEW tillroll.notice_way AS
 SELECT email.player_id,
    'mail'::text AS channel,
    NULL::uuid AS target_id
   FROM tillroll.email
  WHERE (email.confirmed_at IS NOT NULL)
UNION ALL
 SELECT push_subscription.player_id,
    'push'::text AS channel,
    push_subscription.id AS target_id
   FROM tillroll.push_subscription
UNION ALL
 SELECT webhook.player_id,
    'webhook'::text AS channel,
    webhook.id AS target_id
   FROM tillroll.webhook
  WHERE (webhook.state = 'on'::text);

CREATE VIEW tillroll.notice_route AS
 SELECT way.player_id,
    other.kind,
    way.channel,
    way.target_id,
    COALESCE((choice.timing)::text, other.timing) AS timing
   FROM ((tillroll.notice_way way
     JOIN tillroll.notice_default other ON ((other.channel = way.channel)))
     LEFT JOIN tillroll.notice_choice choice ON (((choice.player_id = way.player_id) AND ((choice.kind)::text = other.kind) AND ((choice.channel)::text = way.channel))))
  WHERE (COALESCE((choice.timing)::text, other.timing) <> 'off'::text);

CREATE TABLE tillroll.notice_settings (
    player_id uuid NOT NULL,
    language text,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    quiet_from smallint,
    quiet_to smallint,
    digest_at smallint DEFAULT 480 NOT NULL,
    CONSTRAINT notice_settings_check CHECK ((num_nulls(quiet_from, quiet_to) = ANY (ARRAY[0, 2]))),
    CONSTRAINT notice_settings_digest_at_check CHECK (((digest_at >= 0) AND (digest_at <= 1439))),
    CONSTRAINT notice_settings_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
    CONSTRAINT notice_settings_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 1439))),
    CONSTRAINT notice_settings_quiet_to_check CHECK (((quiet_to >= 0) AND (quiet_to <= 1439))),
    CONSTRAINT notice_settings_time_zone_check CHECK (((octet_length(time_zone) >= 1) AND (octet_length(time_zone) <= 64)))
);

CREATE TABLE tillroll.notice_watch (
    game_id uuid NOT NULL,
    seq integer DEFAULT '-1'::integer NOT NULL,
    told integer DEFAULT 0 NOT NULL,
    unseen boolean GENERATED ALWAYS AS ((seq = '-1'::integer)) STORED
)
WITH (fillfactor='75');

CREATE TABLE tillroll.official_act (
    game_id uuid NOT NULL,
    seq integer NOT NULL,
    player_id uuid NOT NULL,
    key bytea,
    signature bytea,
    CONSTRAINT official_act_check CHECK (((key IS NULL) = (signature IS NULL))),
    CONSTRAINT official_act_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT official_act_seq_check CHECK ((seq >= 1)),
    CONSTRAINT official_act_signature_check CHECK ((octet_length(signature) = 64))
);

CREATE TABLE tillroll.outbox (
    id uuid NOT NULL,
    kind text NOT NULL,
    player_id uuid,
    address text,
    language text NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    reason text,
    ended_at timestamp(3) with time zone,
    channel tillroll.notice_channel DEFAULT 'mail'::text NOT NULL,
    target_id uuid,
    notice tillroll.json_object,
    subject_id uuid,
    digest boolean DEFAULT false NOT NULL,
    bundle_id uuid,
    CONSTRAINT outbox_address CHECK (((notice IS NOT NULL) OR ((state = 'sent'::text) = (address IS NULL)))),
    CONSTRAINT outbox_address_check CHECK (((octet_length(address) >= 3) AND (octet_length(address) <= 254))),
    CONSTRAINT outbox_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT outbox_check CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
    CONSTRAINT outbox_kind CHECK (
CASE
    WHEN (notice IS NULL) THEN ((kind = ANY (ARRAY['confirm_email'::text, 'reset_password'::text, 'email_changed'::text, 'password_changed'::text])) AND ((channel)::text = 'mail'::text) AND (subject_id IS NULL))
    ELSE ((kind = ANY (ARRAY['your_turn'::text, 'clock_low'::text, 'round_paired'::text, 'game_over'::text, 'dispute'::text, 'event_opened'::text, 'invitation'::text, 'challenge'::text])) AND (player_id IS NOT NULL) AND (subject_id IS NOT NULL) AND (address IS NULL))
END),
    CONSTRAINT outbox_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
    CONSTRAINT outbox_reason_check CHECK ((char_length(reason) <= 300)),
    CONSTRAINT outbox_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text])))
);

CREATE TABLE tillroll.player (
    id uuid NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamp(3) with time zone NOT NULL,
    owner_id uuid,
    roles integer DEFAULT 0 NOT NULL,
    deleted_at timestamp(3) with time zone,
    origin bytea,
    guest boolean DEFAULT false NOT NULL,
    house text,
    CONSTRAINT player_bot_name CHECK (((owner_id IS NULL) OR ("right"(name, 6) = ' [bot]'::text))),
    CONSTRAINT player_bot_roles CHECK (((owner_id IS NULL) OR (roles = 0))),
    CONSTRAINT player_from_elsewhere CHECK (((origin IS NULL) OR ((owner_id IS NULL) AND (deleted_at IS NULL) AND (roles = 0)))),
    CONSTRAINT player_guest CHECK (((NOT guest) OR ((owner_id IS NULL) AND (origin IS NULL) AND (roles = 0)))),
    CONSTRAINT player_guest_name CHECK (((NOT guest) OR (deleted_at IS NOT NULL) OR ("right"(name, 8) = ' [guest]'::text))),
    CONSTRAINT player_house CHECK (((house IS NULL) OR ((owner_id IS NULL) AND (origin IS NULL) AND (NOT guest) AND (roles = 0)))),
    CONSTRAINT player_house_check CHECK ((house ~ '^[a-z]{1,16}$'::text)),
    CONSTRAINT player_house_name CHECK (((house IS NULL) OR (deleted_at IS NOT NULL) OR starts_with(name, ('House · '::text || house)))),
    CONSTRAINT player_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64))),
    CONSTRAINT player_origin_check CHECK ((octet_length(origin) = 32)),
    CONSTRAINT player_password CHECK (((password_hash IS NULL) = ((owner_id IS NOT NULL) OR (deleted_at IS NOT NULL) OR (origin IS NOT NULL) OR guest OR (house IS NOT NULL)))),
    CONSTRAINT player_password_hash_check CHECK ((starts_with(password_hash, '$argon2id$'::text) AND (octet_length(password_hash) < 128))),
    CONSTRAINT player_roles_check CHECK (((roles >= 0) AND (roles <= 7)))
);

CREATE TABLE tillroll.puzzle (
    ruleset text NOT NULL,
    day date NOT NULL,
    game_id uuid NOT NULL,
    seq integer NOT NULL,
    seat smallint NOT NULL,
    document text NOT NULL,
    CONSTRAINT puzzle_document_check CHECK ((octet_length(document) <= 262144)),
    CONSTRAINT puzzle_ruleset_check CHECK ((ruleset ~ '^[a-z][a-z0-9-]{0,31}$'::text)),
    CONSTRAINT puzzle_seat_check CHECK (((seat >= 0) AND (seat <= 4))),
    CONSTRAINT puzzle_seq_check CHECK ((seq >= 0))
);

CREATE TABLE tillroll.rated_game (
    number bigint NOT NULL,
    game_id uuid,
    at timestamp(3) with time zone NOT NULL,
    apart boolean DEFAULT false NOT NULL,
    table_id uuid,
    CONSTRAINT rated_game_check CHECK ((num_nonnulls(game_id, table_id) = 1)),
    CONSTRAINT rated_game_number_check CHECK ((number >= 1))
);

CREATE SEQUENCE tillroll.rated_game_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE tillroll.rated_seat (
    table_id uuid NOT NULL,
    seat integer NOT NULL,
    player_id uuid NOT NULL,
    rank integer NOT NULL,
    CONSTRAINT rated_seat_rank_check CHECK (((rank >= 1) AND (rank <= 5))),
    CONSTRAINT rated_seat_seat_check CHECK (((seat >= 0) AND (seat <= 4)))
);

CREATE TABLE tillroll.rated_table (
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    round integer NOT NULL,
    table_number integer NOT NULL,
    seats integer NOT NULL,
    CONSTRAINT rated_table_round_check CHECK ((round >= 0)),
    CONSTRAINT rated_table_seats_check CHECK (((seats >= 2) AND (seats <= 5))),
    CONSTRAINT rated_table_table_number_check CHECK ((table_number >= 1))
);

CREATE TABLE tillroll.rating (
    player_id uuid NOT NULL,
    scope tillroll.rating_scope NOT NULL,
    mu bigint NOT NULL,
    sigma bigint NOT NULL,
    games integer NOT NULL,
    volatility bigint,
    period integer,
    value bigint GENERATED ALWAYS AS (
CASE
    WHEN (volatility IS NULL) THEN (mu - (3 * sigma))
    ELSE mu
END) STORED NOT NULL,
    CONSTRAINT rating_check CHECK (((volatility IS NULL) = (period IS NULL))),
    CONSTRAINT rating_games_check CHECK ((games >= 0)),
    CONSTRAINT rating_mu_check CHECK (((mu >= '-1000000000000'::bigint) AND (mu <= '1000000000000'::bigint))),
    CONSTRAINT rating_period_check CHECK ((period >= 1)),
    CONSTRAINT rating_sigma_check CHECK (((sigma >= 1) AND (sigma <= '1000000000000'::bigint))),
    CONSTRAINT rating_volatility_check CHECK ((volatility >= 1))
);

CREATE TABLE tillroll.rating_change (
    game_id uuid,
    scope tillroll.rating_scope NOT NULL,
    player_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    mu_before bigint,
    sigma_before bigint,
    mu_after bigint,
    sigma_after bigint,
    event_id uuid,
    number bigint NOT NULL,
    revision integer DEFAULT 0 NOT NULL,
    place integer,
    games integer DEFAULT 1 NOT NULL,
    volatility_before bigint,
    volatility_after bigint,
    table_id uuid,
    cause uuid GENERATED ALWAYS AS (COALESCE(game_id, event_id, table_id)) STORED NOT NULL,
    CONSTRAINT rating_change_check CHECK ((num_nonnulls(game_id, event_id, table_id) = 1)),
    CONSTRAINT rating_change_check1 CHECK ((num_nulls(mu_before, sigma_before, mu_after, sigma_after) = ANY (ARRAY[0, 4]))),
    CONSTRAINT rating_change_check2 CHECK ((num_nulls(volatility_before, volatility_after) =
CASE
    WHEN ((event_id IS NULL) OR (mu_after IS NULL)) THEN 2
    ELSE 0
END)),
    CONSTRAINT rating_change_check3 CHECK (((place IS NULL) = (revision = 0))),
    CONSTRAINT rating_change_games_check CHECK ((games >= 1)),
    CONSTRAINT rating_change_place_check CHECK ((place >= 1)),
    CONSTRAINT rating_change_revision_check CHECK ((revision >= 0)),
    CONSTRAINT rating_change_sigma_after_check CHECK ((sigma_after >= 1)),
    CONSTRAINT rating_change_sigma_before_check CHECK ((sigma_before >= 1)),
    CONSTRAINT rating_change_volatility_after_check CHECK ((volatility_after >= 1)),
    CONSTRAINT rating_change_volatility_before_check CHECK ((volatility_before >= 1))
);

CREATE TABLE tillroll.rating_period (
    slug tillroll.ruleset_slug NOT NULL,
    number integer NOT NULL,
    event_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT rating_period_number_check CHECK ((number >= 1))
);

CREATE TABLE tillroll.rating_revision (
    number integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor_id uuid,
    game_id uuid,
    reason text NOT NULL,
    table_id uuid,
    CONSTRAINT rating_revision_check CHECK ((num_nonnulls(game_id, table_id) = 1)),
    CONSTRAINT rating_revision_number_check CHECK ((number >= 1)),
    CONSTRAINT rating_revision_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);

CREATE VIEW tillroll.rating_step AS
 SELECT change.game_id,
    change.scope,
    change.player_id,
    change.at,
    change.mu_before,
    change.sigma_before,
    change.mu_after,
    change.sigma_after,
    change.event_id,
    change.number,
    change.revision,
    change.place,
    change.games,
    change.volatility_before,
    change.volatility_after,
    change.table_id,
    change.cause
   FROM tillroll.rating_change change
  WHERE ((change.mu_after IS NOT NULL) AND (NOT (EXISTS ( SELECT
           FROM tillroll.rating_change newer
          WHERE ((newer.cause = change.cause) AND ((newer.scope)::text = (change.scope)::text) AND (newer.player_id = change.player_id) AND (newer.revision > change.revision))))));

CREATE TABLE tillroll.record_line (
    game_id uuid NOT NULL,
    seq integer NOT NULL,
    line text NOT NULL,
    hash bytea NOT NULL
);

CREATE TABLE tillroll.recording (
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    round integer NOT NULL,
    table_number integer NOT NULL,
    since integer NOT NULL,
    scorer_id uuid NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    whole integer DEFAULT 0 NOT NULL,
    open integer DEFAULT 0 NOT NULL,
    CONSTRAINT recording_check CHECK ((finished_at >= created_at)),
    CONSTRAINT recording_check1 CHECK (((open >= 0) AND (open <= whole))),
    CONSTRAINT recording_round_check CHECK ((round >= 0)),
    CONSTRAINT recording_since_check CHECK ((since >= 1)),
    CONSTRAINT recording_table_number_check CHECK ((table_number >= 1)),
    CONSTRAINT recording_whole_check CHECK ((whole >= 0))
);

CREATE TABLE tillroll.recording_line (
    recording_id uuid NOT NULL,
    seq integer NOT NULL,
    line text NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT recording_line_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT recording_line_line_check CHECK (((octet_length(line) >= 1) AND (octet_length(line) <= 32768))),
    CONSTRAINT recording_line_seq_check CHECK ((seq >= 0))
);

CREATE TABLE tillroll.reported_seat (
    event_id uuid NOT NULL,
    round integer NOT NULL,
    table_number integer NOT NULL,
    seat integer NOT NULL,
    player_id uuid NOT NULL,
    seats integer NOT NULL,
    rank integer NOT NULL,
    score integer,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT reported_seat_rank_check CHECK (((rank >= 1) AND (rank <= 5))),
    CONSTRAINT reported_seat_round_check CHECK ((round >= 0)),
    CONSTRAINT reported_seat_seat_check CHECK (((seat >= 0) AND (seat <= 4))),
    CONSTRAINT reported_seat_seats_check CHECK (((seats >= 1) AND (seats <= 5))),
    CONSTRAINT reported_seat_table_number_check CHECK ((table_number >= 1))
);

CREATE TABLE tillroll.round (
    event_id uuid NOT NULL,
    number integer NOT NULL,
    attempt integer NOT NULL,
    quality tillroll.event_detail NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    commitment bytea,
    CONSTRAINT round_attempt_check CHECK ((attempt >= 1)),
    CONSTRAINT round_commitment_check CHECK ((octet_length(commitment) = 32)),
    CONSTRAINT round_number_check CHECK (((number >= 1) AND (number <= 1000)))
);

CREATE TABLE tillroll.season (
    id uuid NOT NULL,
    name text NOT NULL,
    method text NOT NULL,
    counted integer NOT NULL,
    least_entrants integer NOT NULL,
    weighting text NOT NULL,
    state text NOT NULL,
    organizer_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT season_counted_check CHECK (((counted >= 1) AND (counted <= 256))),
    CONSTRAINT season_least_entrants_check CHECK (((least_entrants >= 2) AND (least_entrants <= 4096))),
    CONSTRAINT season_method_check CHECK ((method = ANY (ARRAY['points'::text, 'percentile'::text]))),
    CONSTRAINT season_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT season_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
    CONSTRAINT season_weighting_check CHECK ((weighting = ANY (ARRAY['equal'::text, 'field'::text])))
);

CREATE TABLE tillroll.season_event (
    season_id uuid NOT NULL,
    event_id uuid NOT NULL,
    invited boolean NOT NULL,
    offered boolean NOT NULL,
    CONSTRAINT season_event_check CHECK ((invited OR offered))
);

CREATE TABLE tillroll.season_step (
    season_id uuid NOT NULL,
    seq integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor_id uuid NOT NULL,
    kind text NOT NULL,
    detail tillroll.json_object NOT NULL,
    CONSTRAINT season_step_kind_check CHECK ((kind ~ '^[a-z][a-z0-9_.]{0,63}$'::text)),
    CONSTRAINT season_step_seq_check CHECK ((seq >= 1))
);

CREATE TABLE tillroll.served (
    one boolean DEFAULT true NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    gap_from timestamp(3) with time zone,
    gap_to timestamp(3) with time zone,
    CONSTRAINT served_check CHECK ((gap_to >= gap_from)),
    CONSTRAINT served_check1 CHECK ((num_nulls(gap_from, gap_to) = ANY (ARRAY[0, 2]))),
    CONSTRAINT served_one_check CHECK (one)
);

CREATE TABLE tillroll.server_key_change (
    number integer NOT NULL,
    old_key bytea NOT NULL,
    new_key bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT server_key_change_check CHECK (((octet_length(new_key) = 32) AND (new_key <> old_key))),
    CONSTRAINT server_key_change_number_check CHECK ((number >= 1)),
    CONSTRAINT server_key_change_old_key_check CHECK ((octet_length(old_key) = 32))
);

CREATE TABLE tillroll.signing_key_step (
    player_id uuid NOT NULL,
    number integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    kind text NOT NULL,
    key bytea,
    proof bytea,
    endorsement bytea,
    CONSTRAINT signing_key_step_check CHECK (((key IS NOT NULL) = (kind = ANY (ARRAY['registered'::text, 'revoked'::text])))),
    CONSTRAINT signing_key_step_check1 CHECK (((proof IS NOT NULL) = (kind = 'registered'::text))),
    CONSTRAINT signing_key_step_check2 CHECK (((endorsement IS NULL) OR (kind = 'registered'::text))),
    CONSTRAINT signing_key_step_endorsement_check CHECK ((octet_length(endorsement) = 64)),
    CONSTRAINT signing_key_step_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT signing_key_step_kind_check CHECK ((kind = ANY (ARRAY['registered'::text, 'revoked'::text, 'required'::text, 'optional'::text]))),
    CONSTRAINT signing_key_step_number_check CHECK (((number >= 1) AND (number <= 256))),
    CONSTRAINT signing_key_step_proof_check CHECK ((octet_length(proof) = 64))
);

CREATE UNLOGGED TABLE tillroll.teller (
    id integer NOT NULL
);

ALTER TABLE tillroll.teller ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME tillroll.teller_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
    CYCLE
);

CREATE TABLE tillroll.token (
    hash bytea NOT NULL,
    player_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    label text,
    scopes integer DEFAULT 15 NOT NULL,
    seen_at timestamp(3) with time zone,
    CONSTRAINT token_check CHECK ((expires_at > created_at)),
    CONSTRAINT token_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT token_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 64))),
    CONSTRAINT token_scopes_check CHECK (((scopes >= 1) AND (scopes <= 15)))
);

CREATE TABLE tillroll.upkeep (
    task text NOT NULL,
    due_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE tillroll.waiting_seat (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    player_id uuid NOT NULL,
    CONSTRAINT waiting_seat_seat_check CHECK (((seat >= 0) AND (seat <= 4)))
);

CREATE TABLE tillroll.webhook_delivery (
    webhook_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    body text NOT NULL,
    state text NOT NULL,
    due_at timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    tried_at timestamp(3) with time zone,
    status integer,
    took_ms integer,
    reason text,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT webhook_delivery_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhook_delivery_body_check CHECK ((octet_length(body) <= 65536)),
    CONSTRAINT webhook_delivery_check CHECK (((due_at IS NULL) OR (state = 'waiting'::text))),
    CONSTRAINT webhook_delivery_kind_check CHECK (((octet_length(kind) >= 1) AND (octet_length(kind) <= 40))),
    CONSTRAINT webhook_delivery_reason_check CHECK ((char_length(reason) <= 300)),
    CONSTRAINT webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))),
    CONSTRAINT webhook_delivery_status_check CHECK (((status >= 100) AND (status <= 999))),
    CONSTRAINT webhook_delivery_took_ms_check CHECK ((took_ms >= 0))
);

CREATE TABLE tillroll_vault.entropy (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    entropy bytea NOT NULL,
    signature bytea,
    given_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT entropy_entropy_check CHECK (((octet_length(entropy) >= 1) AND (octet_length(entropy) <= 32))),
    CONSTRAINT entropy_signature_check CHECK ((octet_length(signature) = 64))
);

CREATE TABLE tillroll_vault.event_secret (
    event_id uuid NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT event_secret_sealed_check CHECK (((octet_length(sealed) >= 32) AND (octet_length(sealed) <= 512)))
);

CREATE TABLE tillroll_vault.game_secret (
    game_id uuid NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT game_secret_sealed_check CHECK (((octet_length(sealed) >= 32) AND (octet_length(sealed) <= 512)))
);

CREATE TABLE tillroll_vault.push_key (
    one boolean DEFAULT true NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT push_key_one_check CHECK (one),
    CONSTRAINT push_key_sealed_check CHECK ((octet_length(sealed) = 137))
);

CREATE TABLE tillroll_vault.refused_move (
    game_id uuid NOT NULL,
    seat integer NOT NULL,
    number integer NOT NULL,
    seq integer NOT NULL,
    sealed bytea NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT refused_move_number_check CHECK (((number >= 1) AND (number <= 64))),
    CONSTRAINT refused_move_sealed_check CHECK (((octet_length(sealed) >= 32) AND (octet_length(sealed) <= 512))),
    CONSTRAINT refused_move_seat_check CHECK (((seat >= 0) AND (seat <= 4))),
    CONSTRAINT refused_move_seq_check CHECK ((seq >= 0))
);

CREATE TABLE tillroll_vault.round_secret (
    event_id uuid NOT NULL,
    number integer NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT round_secret_sealed_check CHECK (((octet_length(sealed) >= 32) AND (octet_length(sealed) <= 512)))
);

CREATE TABLE tillroll_vault.sealed_move (
    game_id uuid NOT NULL,
    ply integer NOT NULL,
    seat integer NOT NULL,
    sealed bytea NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    signature bytea,
    CONSTRAINT sealed_move_ply_check CHECK ((ply >= 0)),
    CONSTRAINT sealed_move_sealed_check CHECK (((octet_length(sealed) >= 32) AND (octet_length(sealed) <= 512))),
    CONSTRAINT sealed_move_seat_check CHECK (((seat >= 0) AND (seat <= 4))),
    CONSTRAINT sealed_move_signature_check CHECK (((octet_length(signature) >= 64) AND (octet_length(signature) <= 512)))
);

CREATE TABLE tillroll_vault.waiting_secret (
    game_id uuid NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT waiting_secret_sealed_check CHECK (((octet_length(sealed) >= 32) AND (octet_length(sealed) <= 512)))
);

CREATE TABLE tillroll_vault.webhook_secret (
    webhook_id uuid NOT NULL,
    sealed bytea NOT NULL,
    before bytea,
    before_until timestamp(3) with time zone,
    CONSTRAINT webhook_secret_before_check CHECK ((octet_length(before) = 72)),
    CONSTRAINT webhook_secret_check CHECK ((num_nulls(before, before_until) = ANY (ARRAY[0, 2]))),
    CONSTRAINT webhook_secret_sealed_check CHECK ((octet_length(sealed) = 72))
);

INSERT INTO tillroll.served (one, at, gap_from, gap_to) VALUES (true, now(), NULL, NULL);

INSERT INTO tillroll.upkeep (task, due_at) VALUES ('delete_old', '1970-01-01 00:00:00+00');
INSERT INTO tillroll.upkeep (task, due_at) VALUES ('fill_names', '1970-01-01 00:00:00+00');

SELECT pg_catalog.setval('tillroll.log_queue_id_seq', 1, false);

SELECT pg_catalog.setval('tillroll.notice_cause_id_seq', 1, false);

SELECT pg_catalog.setval('tillroll.rated_game_number', 1, false);

SELECT pg_catalog.setval('tillroll.teller_id_seq', 1, false);

ALTER TABLE ONLY tillroll.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY tillroll.player
    ADD CONSTRAINT player_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tillroll.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY tillroll.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tillroll_vault.event_secret
    ADD CONSTRAINT event_secret_pkey PRIMARY KEY (event_id);

ALTER TABLE ONLY tillroll.event_step
    ADD CONSTRAINT event_step_pkey PRIMARY KEY (event_id, seq);

ALTER TABLE ONLY tillroll.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (event_id, player_id);

ALTER TABLE ONLY tillroll.round
    ADD CONSTRAINT round_pkey PRIMARY KEY (event_id, number);

ALTER TABLE ONLY tillroll.bye
    ADD CONSTRAINT bye_pkey PRIMARY KEY (event_id, round, player_id);

ALTER TABLE ONLY tillroll.game
    ADD CONSTRAINT game_pkey PRIMARY KEY (id);

CREATE INDEX game_running ON tillroll.game USING btree (id) WHERE (finished_at IS NULL);

ALTER TABLE ONLY tillroll.game_seat
    ADD CONSTRAINT game_seat_pkey PRIMARY KEY (game_id, seat);

ALTER TABLE ONLY tillroll.game_seat
    ADD CONSTRAINT game_seat_player_id_game_id_key UNIQUE (player_id, game_id);

ALTER TABLE ONLY tillroll.game_result
    ADD CONSTRAINT game_result_pkey PRIMARY KEY (game_id, seat);

ALTER TABLE ONLY tillroll_vault.game_secret
    ADD CONSTRAINT game_secret_pkey PRIMARY KEY (game_id);

ALTER TABLE ONLY tillroll.rating
    ADD CONSTRAINT rating_pkey PRIMARY KEY (player_id, scope);

ALTER TABLE ONLY tillroll.kept_answer
    ADD CONSTRAINT kept_answer_pkey PRIMARY KEY (player_id, key);

ALTER TABLE ONLY tillroll_vault.sealed_move
    ADD CONSTRAINT sealed_move_pkey PRIMARY KEY (game_id, ply, seat);

ALTER TABLE ONLY tillroll_vault.round_secret
    ADD CONSTRAINT round_secret_pkey PRIMARY KEY (event_id, number);

ALTER TABLE ONLY tillroll.record_line
    ADD CONSTRAINT record_line_pkey PRIMARY KEY (game_id, seq);

ALTER TABLE ONLY tillroll.event_change
    ADD CONSTRAINT event_change_pkey PRIMARY KEY (event_id, seq);

ALTER TABLE ONLY tillroll.rated_game
    ADD CONSTRAINT rated_game_pkey PRIMARY KEY (number);

ALTER TABLE ONLY tillroll.rated_game
    ADD CONSTRAINT rated_game_game_id_key UNIQUE (game_id);

ALTER TABLE ONLY tillroll.rating_period
    ADD CONSTRAINT rating_period_pkey PRIMARY KEY (slug, number);

ALTER TABLE ONLY tillroll.rating_period
    ADD CONSTRAINT rating_period_event_id_key UNIQUE (event_id);

ALTER TABLE ONLY tillroll.rating_revision
    ADD CONSTRAINT rating_revision_pkey PRIMARY KEY (number);

ALTER TABLE ONLY tillroll.rating_change
    ADD CONSTRAINT rating_change_revision_place_key UNIQUE (revision, place);

CREATE INDEX rating_change_of_player ON tillroll.rating_change USING btree (player_id, scope, number, revision);

CREATE INDEX rating_leaderboard ON tillroll.rating USING btree (scope, value DESC, player_id) WHERE (games > 0);

CREATE INDEX game_of_ruleset ON tillroll.game USING btree (slug, id) WHERE (finished_at IS NOT NULL);

ALTER TABLE ONLY tillroll.season
    ADD CONSTRAINT season_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tillroll.season_event
    ADD CONSTRAINT season_event_pkey PRIMARY KEY (season_id, event_id);

ALTER TABLE ONLY tillroll.season_step
    ADD CONSTRAINT season_step_pkey PRIMARY KEY (season_id, seq);

ALTER TABLE ONLY tillroll.log_queue
    ADD CONSTRAINT log_queue_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tillroll.log_queue
    ADD CONSTRAINT log_queue_entry_key UNIQUE (entry);

ALTER TABLE ONLY tillroll.log_leaf
    ADD CONSTRAINT log_leaf_pkey PRIMARY KEY (index);

ALTER TABLE ONLY tillroll.log_leaf
    ADD CONSTRAINT log_leaf_hash_key UNIQUE (hash);

ALTER TABLE ONLY tillroll.log_node
    ADD CONSTRAINT log_node_pkey PRIMARY KEY (level, index);

ALTER TABLE ONLY tillroll.log_checkpoint
    ADD CONSTRAINT log_checkpoint_pkey PRIMARY KEY (size);

ALTER TABLE ONLY tillroll.log_document
    ADD CONSTRAINT log_document_pkey PRIMARY KEY (hash);

CREATE INDEX player_of_owner ON tillroll.player USING btree (owner_id, id) WHERE (owner_id IS NOT NULL);

CREATE INDEX player_with_roles ON tillroll.player USING btree (id) WHERE (roles <> 0);

ALTER TABLE ONLY tillroll.token
    ADD CONSTRAINT token_id_key UNIQUE (id);

CREATE INDEX token_of_player ON tillroll.token USING btree (player_id, id);

CREATE INDEX token_expires ON tillroll.token USING btree (expires_at);

CREATE INDEX token_revoked ON tillroll.token USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE INDEX kept_answer_kept_at ON tillroll.kept_answer USING brin (kept_at);

ALTER TABLE ONLY tillroll.upkeep
    ADD CONSTRAINT upkeep_pkey PRIMARY KEY (task);

CREATE INDEX event_step_restated ON tillroll.event_step USING btree (event_id, seq) WHERE (kind = 'restated'::text);

ALTER TABLE ONLY tillroll.event_role
    ADD CONSTRAINT event_role_pkey PRIMARY KEY (event_id, player_id, role);

ALTER TABLE ONLY tillroll.entry
    ADD CONSTRAINT entry_event_id_number_key UNIQUE (event_id, number) DEFERRABLE;

ALTER TABLE ONLY tillroll.ruled_seat
    ADD CONSTRAINT ruled_seat_pkey PRIMARY KEY (event_id, round, table_number, seat);

CREATE UNIQUE INDEX event_change_game ON tillroll.event_change USING btree (game_id, kind, COALESCE(seat, '-1'::integer)) WHERE ((game_id IS NOT NULL) AND (kind <> 'seats_changed'::text));

CREATE INDEX game_clock ON tillroll.game USING btree (id) WHERE ((clock IS NOT NULL) AND (finished_at IS NULL));

ALTER TABLE ONLY tillroll.served
    ADD CONSTRAINT served_pkey PRIMARY KEY (one);

CREATE UNIQUE INDEX player_name_key ON tillroll.player USING btree (tillroll.name_key(name)) WHERE (origin IS NULL);

ALTER TABLE ONLY tillroll.event_origin
    ADD CONSTRAINT event_origin_pkey PRIMARY KEY (event_id);

ALTER TABLE ONLY tillroll.import_part
    ADD CONSTRAINT import_part_pkey PRIMARY KEY (player_id, bundle, number);

CREATE INDEX import_part_stored_at ON tillroll.import_part USING btree (stored_at);

ALTER TABLE ONLY tillroll.event_timer
    ADD CONSTRAINT event_timer_pkey PRIMARY KEY (event_id);

CREATE INDEX event_timer_due_at ON tillroll.event_timer USING btree (due_at);

ALTER TABLE ONLY tillroll.dispute
    ADD CONSTRAINT dispute_pkey PRIMARY KEY (id);

CREATE INDEX dispute_of_game ON tillroll.dispute USING btree (game_id, id);

CREATE INDEX dispute_of_event ON tillroll.dispute USING btree (event_id, id) WHERE (event_id IS NOT NULL);

CREATE INDEX dispute_waiting ON tillroll.dispute USING btree (id) WHERE (state = ANY (ARRAY['open'::text, 'frozen'::text, 'appealed'::text]));

ALTER TABLE ONLY tillroll.dispute_step
    ADD CONSTRAINT dispute_step_pkey PRIMARY KEY (dispute_id, number);

ALTER TABLE ONLY tillroll.game
    ADD CONSTRAINT game_event_id_round_table_number_attempt_key UNIQUE (event_id, round, table_number, attempt);

ALTER TABLE ONLY tillroll.game_look
    ADD CONSTRAINT game_look_pkey PRIMARY KEY (game_id, number);

ALTER TABLE ONLY tillroll_vault.refused_move
    ADD CONSTRAINT refused_move_pkey PRIMARY KEY (game_id, seat, number);

ALTER TABLE ONLY tillroll.signing_key_step
    ADD CONSTRAINT signing_key_step_pkey PRIMARY KEY (player_id, number);

CREATE UNIQUE INDEX signing_key_registered ON tillroll.signing_key_step USING btree (key) WHERE (kind = 'registered'::text);

ALTER TABLE ONLY tillroll.move_signature
    ADD CONSTRAINT move_signature_pkey PRIMARY KEY (game_id, seq);

ALTER TABLE ONLY tillroll.waiting_game
    ADD CONSTRAINT waiting_game_pkey PRIMARY KEY (game_id);

ALTER TABLE ONLY tillroll.waiting_game
    ADD CONSTRAINT waiting_game_event_id_round_table_number_attempt_key UNIQUE (event_id, round, table_number, attempt);

CREATE INDEX waiting_game_due_at ON tillroll.waiting_game USING btree (due_at) WHERE (ended IS NULL);

ALTER TABLE ONLY tillroll.waiting_seat
    ADD CONSTRAINT waiting_seat_pkey PRIMARY KEY (game_id, seat);

ALTER TABLE ONLY tillroll.waiting_seat
    ADD CONSTRAINT waiting_seat_player_id_game_id_key UNIQUE (player_id, game_id);

ALTER TABLE ONLY tillroll_vault.waiting_secret
    ADD CONSTRAINT waiting_secret_pkey PRIMARY KEY (game_id);

ALTER TABLE ONLY tillroll_vault.entropy
    ADD CONSTRAINT entropy_pkey PRIMARY KEY (game_id, seat);

ALTER TABLE ONLY tillroll.entropy_signature
    ADD CONSTRAINT entropy_signature_pkey PRIMARY KEY (game_id, seat);

ALTER TABLE ONLY tillroll.archived_record
    ADD CONSTRAINT archived_record_pkey PRIMARY KEY (game_id);

ALTER TABLE ONLY tillroll.breaking_migration
    ADD CONSTRAINT breaking_migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY tillroll.hearer
    ADD CONSTRAINT hearer_pkey PRIMARY KEY (id);

CREATE INDEX game_board ON tillroll.game USING btree (slug, id) WHERE (board IS NOT NULL);

CREATE UNIQUE INDEX event_origin_bundle ON tillroll.event_origin USING btree (bundle);

ALTER TABLE ONLY tillroll.name_skeleton
    ADD CONSTRAINT name_skeleton_pkey PRIMARY KEY (player_id, skeleton);

CREATE INDEX name_skeleton_skeleton ON tillroll.name_skeleton USING btree (skeleton);

CREATE UNIQUE INDEX name_skeleton_taken ON tillroll.name_skeleton USING btree (skeleton) WHERE taken;

ALTER TABLE ONLY tillroll.official_act
    ADD CONSTRAINT official_act_pkey PRIMARY KEY (game_id, seq);

ALTER TABLE ONLY tillroll.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX job_step ON tillroll.job USING btree (step) WHERE (state = 'running'::text);

CREATE INDEX job_player ON tillroll.job USING btree (player_id, id) WHERE (state <> 'running'::text);

CREATE INDEX job_ended_at ON tillroll.job USING btree (ended_at);

CREATE INDEX player_guest ON tillroll.player USING btree (id) WHERE (guest AND (deleted_at IS NULL));

ALTER TABLE ONLY tillroll.casual_table
    ADD CONSTRAINT casual_table_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tillroll.casual_table
    ADD CONSTRAINT casual_table_code_key UNIQUE (code);

ALTER TABLE ONLY tillroll.casual_table
    ADD CONSTRAINT casual_table_game_id_key UNIQUE (game_id);

ALTER TABLE ONLY tillroll.casual_table
    ADD CONSTRAINT casual_table_rematch_of_key UNIQUE (rematch_of);

CREATE INDEX casual_table_open ON tillroll.casual_table USING btree (id) WHERE (game_id IS NULL);

ALTER TABLE ONLY tillroll.casual_seat
    ADD CONSTRAINT casual_seat_pkey PRIMARY KEY (table_id, player_id);

CREATE INDEX casual_seat_player ON tillroll.casual_seat USING btree (player_id, table_id);

ALTER TABLE ONLY tillroll.held_place
    ADD CONSTRAINT held_place_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY tillroll.held_place
    ADD CONSTRAINT held_place_code_hash_key UNIQUE (code_hash);

CREATE INDEX held_place_event ON tillroll.held_place USING btree (event_id, player_id);

CREATE INDEX player_of_house ON tillroll.player USING btree (house, id) WHERE (house IS NOT NULL);

ALTER TABLE ONLY tillroll.reported_seat
    ADD CONSTRAINT reported_seat_pkey PRIMARY KEY (event_id, round, table_number, seat);

CREATE INDEX reported_seat_of_player ON tillroll.reported_seat USING btree (player_id, at, event_id, round, table_number);

ALTER TABLE ONLY tillroll.email
    ADD CONSTRAINT email_pkey PRIMARY KEY (player_id);

CREATE INDEX email_confirmed ON tillroll.email USING btree (lower(address), player_id) WHERE (confirmed_at IS NOT NULL);

ALTER TABLE ONLY tillroll.mail_token
    ADD CONSTRAINT mail_token_pkey PRIMARY KEY (hash);

CREATE INDEX mail_token_of_player ON tillroll.mail_token USING btree (player_id);

CREATE INDEX mail_token_expires ON tillroll.mail_token USING btree (expires_at);

ALTER TABLE ONLY tillroll.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

CREATE INDEX outbox_ended_at ON tillroll.outbox USING btree (ended_at) WHERE (state <> 'waiting'::text);

ALTER TABLE ONLY tillroll.log_cosignature
    ADD CONSTRAINT log_cosignature_pkey PRIMARY KEY (size, witness, seconds);

CREATE INDEX log_cosignature_witness ON tillroll.log_cosignature USING btree (witness, size, seconds);

ALTER TABLE ONLY tillroll.notice_settings
    ADD CONSTRAINT notice_settings_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY tillroll.notice_choice
    ADD CONSTRAINT notice_choice_pkey PRIMARY KEY (player_id, kind, channel);

ALTER TABLE ONLY tillroll.followed_organizer
    ADD CONSTRAINT followed_organizer_pkey PRIMARY KEY (player_id, organizer_id);

CREATE INDEX followed_organizer_followers ON tillroll.followed_organizer USING btree (organizer_id, player_id);

CREATE INDEX outbox_due ON tillroll.outbox USING btree (due_at) WHERE ((state = 'waiting'::text) AND (notice IS NULL));

CREATE INDEX outbox_notice_due ON tillroll.outbox USING btree (channel, due_at) WHERE ((state = 'waiting'::text) AND (notice IS NOT NULL));

CREATE INDEX outbox_notice_of_player ON tillroll.outbox USING btree (player_id) WHERE ((state = 'waiting'::text) AND (notice IS NOT NULL));

CREATE INDEX outbox_bundle ON tillroll.outbox USING btree (bundle_id) WHERE ((bundle_id IS NOT NULL) AND (state = 'waiting'::text));

CREATE UNIQUE INDEX outbox_once ON tillroll.outbox USING btree (player_id, subject_id, kind, channel, COALESCE(target_id, '00000000-0000-0000-0000-000000000000'::uuid)) WHERE ((state = 'waiting'::text) AND (attempts = 0) AND (kind = ANY (ARRAY['your_turn'::text, 'clock_low'::text])));

ALTER TABLE ONLY tillroll.notice_cause
    ADD CONSTRAINT notice_cause_pkey PRIMARY KEY (id);

CREATE INDEX notice_cause_next ON tillroll.notice_cause USING btree (tries, id);

ALTER TABLE ONLY tillroll.notice_watch
    ADD CONSTRAINT notice_watch_pkey PRIMARY KEY (game_id);

ALTER TABLE ONLY tillroll_vault.push_key
    ADD CONSTRAINT push_key_pkey PRIMARY KEY (one);

ALTER TABLE ONLY tillroll.push_subscription
    ADD CONSTRAINT push_subscription_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tillroll.push_subscription
    ADD CONSTRAINT push_subscription_endpoint_key UNIQUE (endpoint);

CREATE INDEX push_subscription_of_player ON tillroll.push_subscription USING btree (player_id, id);

CREATE INDEX push_subscription_test ON tillroll.push_subscription USING btree (test_at) WHERE (test_at IS NOT NULL);

ALTER TABLE ONLY tillroll.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);

CREATE INDEX webhook_of_player ON tillroll.webhook USING btree (player_id, id);

ALTER TABLE ONLY tillroll_vault.webhook_secret
    ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (webhook_id);

ALTER TABLE ONLY tillroll.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (webhook_id, id);

CREATE INDEX webhook_delivery_due ON tillroll.webhook_delivery USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX webhook_delivery_old ON tillroll.webhook_delivery USING btree (created_at);

ALTER TABLE ONLY tillroll.dealing
    ADD CONSTRAINT dealing_pkey PRIMARY KEY (scope);

ALTER TABLE ONLY tillroll.dealing
    ADD CONSTRAINT dealing_game_id_key UNIQUE (game_id);

CREATE INDEX dealing_open ON tillroll.dealing USING btree (asked_at, scope) WHERE (NOT ended);

CREATE INDEX dealing_event_id ON tillroll.dealing USING btree (event_id) WHERE (NOT ended);

ALTER TABLE ONLY tillroll.dealer_answer
    ADD CONSTRAINT dealer_answer_pkey PRIMARY KEY (scope, key);

ALTER TABLE ONLY tillroll.followed_game
    ADD CONSTRAINT followed_game_pkey PRIMARY KEY (player_id, game_id);

ALTER TABLE ONLY tillroll.event_step_signature
    ADD CONSTRAINT event_step_signature_pkey PRIMARY KEY (event_id, seq);

ALTER TABLE ONLY tillroll.recording
    ADD CONSTRAINT recording_pkey PRIMARY KEY (id);

CREATE INDEX recording_of_table ON tillroll.recording USING btree (event_id, round, table_number, created_at, id);

ALTER TABLE ONLY tillroll.recording_line
    ADD CONSTRAINT recording_line_pkey PRIMARY KEY (recording_id, seq);

ALTER TABLE ONLY tillroll.game_analysis
    ADD CONSTRAINT game_analysis_pkey PRIMARY KEY (game_id);

CREATE INDEX game_analysis_asked ON tillroll.game_analysis USING btree (asked_at, game_id) WHERE (document IS NULL);

CREATE INDEX game_analysis_asked_by ON tillroll.game_analysis USING btree (asked_by) WHERE (asked_by IS NOT NULL);

ALTER TABLE ONLY tillroll.puzzle
    ADD CONSTRAINT puzzle_pkey PRIMARY KEY (ruleset, day);

ALTER TABLE ONLY tillroll.puzzle
    ADD CONSTRAINT puzzle_game_id_seq_seat_key UNIQUE (game_id, seq, seat);

ALTER TABLE ONLY tillroll.server_key_change
    ADD CONSTRAINT server_key_change_pkey PRIMARY KEY (number);

ALTER TABLE ONLY tillroll.server_key_change
    ADD CONSTRAINT server_key_change_old_key_key UNIQUE (old_key);

ALTER TABLE ONLY tillroll.server_key_change
    ADD CONSTRAINT server_key_change_new_key_key UNIQUE (new_key);

ALTER TABLE ONLY tillroll.contested_table
    ADD CONSTRAINT contested_table_pkey PRIMARY KEY (event_id, round, table_number);

CREATE INDEX recording_of_scorer ON tillroll.recording USING btree (scorer_id, created_at, id);

ALTER TABLE ONLY tillroll.component_set
    ADD CONSTRAINT component_set_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY tillroll.component_set
    ADD CONSTRAINT component_set_id_key UNIQUE (id);

CREATE INDEX component_set_of_ruleset ON tillroll.component_set USING btree (ruleset, id);

CREATE INDEX component_set_of_player ON tillroll.component_set USING btree (registered_by, registered_at);

ALTER TABLE ONLY tillroll.rated_table
    ADD CONSTRAINT rated_table_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tillroll.rated_table
    ADD CONSTRAINT rated_table_event_id_round_table_number_key UNIQUE (event_id, round, table_number);

ALTER TABLE ONLY tillroll.rated_seat
    ADD CONSTRAINT rated_seat_pkey PRIMARY KEY (table_id, seat);

CREATE INDEX rated_seat_of_player ON tillroll.rated_seat USING btree (player_id);

ALTER TABLE ONLY tillroll.rated_game
    ADD CONSTRAINT rated_game_table_id_key UNIQUE (table_id);

ALTER TABLE ONLY tillroll.rating_change
    ADD CONSTRAINT rating_change_pkey PRIMARY KEY (cause, scope, player_id, revision);

ALTER TABLE ONLY tillroll.teller
    ADD CONSTRAINT teller_pkey PRIMARY KEY (id);

CREATE INDEX notice_watch_new ON tillroll.notice_watch USING btree (game_id) WHERE unseen;

CREATE INDEX outbox_of_player ON tillroll.outbox USING btree (player_id, id) WHERE ((notice IS NULL) OR (state <> 'waiting'::text));

CREATE INDEX season_event_of_event ON tillroll.season_event USING btree (event_id);

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.archived_record FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.archived_record ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.breaking_migration FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.breaking_migration ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.component_set FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.component_set ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.dealer_answer FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.dealer_answer ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.dispute_step FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.dispute_step ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.entropy_signature FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.entropy_signature ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.event_change FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.event_change ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.event_origin FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.event_origin ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.event_step FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.event_step ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.event_step_signature FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.event_step_signature ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.game_look FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.game_look ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.game_result FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.game_result ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.log_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.log_checkpoint ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.log_cosignature FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.log_cosignature ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.log_document FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.log_document ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.log_leaf FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.log_leaf ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.log_node FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.log_node ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.move_signature FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.move_signature ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.official_act FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.official_act ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.puzzle FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.puzzle ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.rated_game FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.rated_game ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.rated_table FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.rated_table ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.rating_change FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.rating_change ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.rating_period FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.rating_period ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.rating_revision FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.rating_revision ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON tillroll.record_line FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.recording_line FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.recording_line ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.season_step FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.season_step ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.server_key_change FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.server_key_change ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.signing_key_step FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.signing_key_step ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll.waiting_seat FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.waiting_seat ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER archived_record_check BEFORE INSERT ON tillroll.archived_record FOR EACH ROW EXECUTE FUNCTION tillroll.archived_record_check();

ALTER TABLE tillroll.archived_record ENABLE ALWAYS TRIGGER archived_record_check;

CREATE TRIGGER dealing_check_update BEFORE UPDATE ON tillroll.dealing FOR EACH ROW EXECUTE FUNCTION tillroll.dealing_check_update();

CREATE TRIGGER dispute_step_added AFTER INSERT ON tillroll.dispute_step FOR EACH ROW EXECUTE FUNCTION tillroll.dispute_step_added();

CREATE TRIGGER dispute_step_check BEFORE INSERT ON tillroll.dispute_step FOR EACH ROW EXECUTE FUNCTION tillroll.dispute_step_check();

ALTER TABLE tillroll.dispute_step ENABLE ALWAYS TRIGGER dispute_step_check;

CREATE TRIGGER event_step_add BEFORE INSERT ON tillroll.event_step FOR EACH ROW EXECUTE FUNCTION tillroll.event_step_add();

ALTER TABLE tillroll.event_step ENABLE ALWAYS TRIGGER event_step_add;

CREATE CONSTRAINT TRIGGER event_step_queued AFTER INSERT ON tillroll.event_step DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tillroll.event_step_queued();

CREATE TRIGGER event_steps_added AFTER INSERT ON tillroll.event_step REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tillroll.event_steps_added();

CREATE TRIGGER game_check_update BEFORE UPDATE ON tillroll.game FOR EACH ROW EXECUTE FUNCTION tillroll.game_check_update();

CREATE TRIGGER game_results_added AFTER INSERT ON tillroll.game_result REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tillroll.game_results_added();

CREATE TRIGGER game_seat_check_update BEFORE UPDATE ON tillroll.game_seat FOR EACH ROW EXECUTE FUNCTION tillroll.game_seat_check_update();

CREATE TRIGGER game_seats_changed AFTER UPDATE ON tillroll.game_seat REFERENCING OLD TABLE AS was NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tillroll.game_seats_changed();

CREATE TRIGGER games_added AFTER INSERT ON tillroll.game REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tillroll.games_added();

CREATE TRIGGER games_changed AFTER UPDATE ON tillroll.game REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tillroll.games_changed();

CREATE TRIGGER log_checkpoint_added AFTER INSERT ON tillroll.log_checkpoint FOR EACH ROW EXECUTE FUNCTION tillroll.log_checkpoint_added();

ALTER TABLE tillroll.log_checkpoint ENABLE ALWAYS TRIGGER log_checkpoint_added;

CREATE TRIGGER log_leaves_added AFTER INSERT ON tillroll.log_leaf REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tillroll.log_leaves_added();

ALTER TABLE tillroll.log_leaf ENABLE ALWAYS TRIGGER log_leaves_added;

CREATE TRIGGER log_queue_taken AFTER DELETE ON tillroll.log_queue REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION tillroll.log_queue_taken();

ALTER TABLE tillroll.log_queue ENABLE ALWAYS TRIGGER log_queue_taken;

CREATE TRIGGER move_signature_check AFTER INSERT ON tillroll.move_signature FOR EACH ROW EXECUTE FUNCTION tillroll.move_signature_check();

ALTER TABLE tillroll.move_signature ENABLE ALWAYS TRIGGER move_signature_check;

CREATE TRIGGER notice_of_dispute AFTER INSERT ON tillroll.dispute_step FOR EACH ROW EXECUTE FUNCTION tillroll.notice_of_dispute();

CREATE TRIGGER notice_of_end AFTER UPDATE OF finished_at ON tillroll.game FOR EACH ROW WHEN (((old.finished_at IS NULL) AND (new.finished_at IS NOT NULL))) EXECUTE FUNCTION tillroll.notice_of_game();

CREATE TRIGGER notice_of_invitation AFTER INSERT ON tillroll.casual_seat FOR EACH ROW WHEN ((NOT new.taken)) EXECUTE FUNCTION tillroll.notice_of_invitation();

CREATE TRIGGER notice_of_start AFTER INSERT ON tillroll.game FOR EACH ROW WHEN ((new.finished_at IS NULL)) EXECUTE FUNCTION tillroll.notice_of_game();

CREATE TRIGGER notice_of_step AFTER INSERT ON tillroll.event_step FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['entries_opened'::text, 'challenged'::text, 'round_started'::text, 'board_started'::text, 'table_started'::text, 'ruled'::text, 'ruling_revoked'::text, 'table_replayed'::text, 'report_objected'::text, 'report_corrected'::text]))) EXECUTE FUNCTION tillroll.notice_of_step();

CREATE TRIGGER notice_of_substitute AFTER UPDATE OF player_id ON tillroll.game_seat FOR EACH ROW WHEN ((old.player_id <> new.player_id)) EXECUTE FUNCTION tillroll.notice_of_substitute();

CREATE TRIGGER only_taken BEFORE UPDATE OR TRUNCATE ON tillroll.log_queue FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll.log_queue ENABLE ALWAYS TRIGGER only_taken;

CREATE TRIGGER player_renamed AFTER UPDATE OF name ON tillroll.player FOR EACH ROW EXECUTE FUNCTION tillroll.player_renamed();

CREATE TRIGGER rated_game_draw_number BEFORE INSERT ON tillroll.rated_game FOR EACH ROW EXECUTE FUNCTION tillroll.rated_game_draw_number();

ALTER TABLE tillroll.rated_game ENABLE ALWAYS TRIGGER rated_game_draw_number;

CREATE TRIGGER rating_revisions_added AFTER INSERT ON tillroll.rating_revision REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tillroll.rating_revisions_added();

CREATE TRIGGER record_lines_added AFTER INSERT ON tillroll.record_line REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_added();

ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_lines_added;

CREATE TRIGGER record_lines_leave AFTER DELETE ON tillroll.record_line REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tillroll.record_lines_leave();

ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER record_lines_leave;

CREATE TRIGGER recording_added AFTER INSERT ON tillroll.recording FOR EACH ROW EXECUTE FUNCTION tillroll.recording_added();

CREATE TRIGGER recording_changed AFTER UPDATE ON tillroll.recording FOR EACH ROW EXECUTE FUNCTION tillroll.recording_changed();

CREATE TRIGGER recording_check_update BEFORE UPDATE ON tillroll.recording FOR EACH ROW EXECUTE FUNCTION tillroll.recording_check_update();

CREATE TRIGGER recording_line_check BEFORE INSERT ON tillroll.recording_line FOR EACH ROW EXECUTE FUNCTION tillroll.recording_line_check();

ALTER TABLE tillroll.recording_line ENABLE ALWAYS TRIGGER recording_line_check;

CREATE TRIGGER season_steps_added AFTER INSERT ON tillroll.season_step REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tillroll.season_steps_added();

CREATE TRIGGER tokens_deleted AFTER DELETE ON tillroll.token REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION tillroll.tokens_ended();

CREATE TRIGGER tokens_revoked AFTER UPDATE ON tillroll.token REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION tillroll.tokens_ended();

CREATE TRIGGER waiting_game_check_update BEFORE UPDATE ON tillroll.waiting_game FOR EACH ROW EXECUTE FUNCTION tillroll.waiting_game_check_update();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll_vault.entropy FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll_vault.entropy ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll_vault.refused_move FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll_vault.refused_move ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll_vault.sealed_move FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll_vault.sealed_move ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tillroll_vault.waiting_secret FOR EACH STATEMENT EXECUTE FUNCTION tillroll.refuse_change();

ALTER TABLE tillroll_vault.waiting_secret ENABLE ALWAYS TRIGGER append_only;

ALTER TABLE ONLY tillroll.token
    ADD CONSTRAINT token_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.event
    ADD CONSTRAINT event_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll_vault.event_secret
    ADD CONSTRAINT event_secret_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.event_step
    ADD CONSTRAINT event_step_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.event_step
    ADD CONSTRAINT event_step_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.entry
    ADD CONSTRAINT entry_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.entry
    ADD CONSTRAINT entry_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.round
    ADD CONSTRAINT round_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.bye
    ADD CONSTRAINT bye_event_id_round_fkey FOREIGN KEY (event_id, round) REFERENCES tillroll.round(event_id, number);

ALTER TABLE ONLY tillroll.bye
    ADD CONSTRAINT bye_event_id_player_id_fkey FOREIGN KEY (event_id, player_id) REFERENCES tillroll.entry(event_id, player_id);

ALTER TABLE ONLY tillroll.game_seat
    ADD CONSTRAINT game_seat_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.game_seat
    ADD CONSTRAINT game_seat_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.game_result
    ADD CONSTRAINT game_result_game_id_seat_fkey FOREIGN KEY (game_id, seat) REFERENCES tillroll.game_seat(game_id, seat);

ALTER TABLE ONLY tillroll_vault.game_secret
    ADD CONSTRAINT game_secret_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.rating
    ADD CONSTRAINT rating_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.rating_change
    ADD CONSTRAINT rating_change_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.rating_change
    ADD CONSTRAINT rating_change_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll_vault.sealed_move
    ADD CONSTRAINT sealed_move_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll_vault.round_secret
    ADD CONSTRAINT round_secret_event_id_number_fkey FOREIGN KEY (event_id, number) REFERENCES tillroll.round(event_id, number);

ALTER TABLE ONLY tillroll.event_change
    ADD CONSTRAINT event_change_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.event_change
    ADD CONSTRAINT event_change_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.event_change
    ADD CONSTRAINT event_change_event_id_step_fkey FOREIGN KEY (event_id, step) REFERENCES tillroll.event_step(event_id, seq);

ALTER TABLE ONLY tillroll.rated_game
    ADD CONSTRAINT rated_game_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.rating_period
    ADD CONSTRAINT rating_period_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.rating_revision
    ADD CONSTRAINT rating_revision_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.rating_revision
    ADD CONSTRAINT rating_revision_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.rating_change
    ADD CONSTRAINT rating_change_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.season
    ADD CONSTRAINT season_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.season_event
    ADD CONSTRAINT season_event_season_id_fkey FOREIGN KEY (season_id) REFERENCES tillroll.season(id);

ALTER TABLE ONLY tillroll.season_event
    ADD CONSTRAINT season_event_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.season_step
    ADD CONSTRAINT season_step_season_id_fkey FOREIGN KEY (season_id) REFERENCES tillroll.season(id);

ALTER TABLE ONLY tillroll.season_step
    ADD CONSTRAINT season_step_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.player
    ADD CONSTRAINT player_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.event_role
    ADD CONSTRAINT event_role_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.event_role
    ADD CONSTRAINT event_role_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.game
    ADD CONSTRAINT game_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.game
    ADD CONSTRAINT game_event_id_drawn_round_fkey FOREIGN KEY (event_id, drawn_round) REFERENCES tillroll.round(event_id, number);

ALTER TABLE ONLY tillroll.ruled_seat
    ADD CONSTRAINT ruled_seat_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.event_origin
    ADD CONSTRAINT event_origin_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.event_origin
    ADD CONSTRAINT event_origin_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.import_part
    ADD CONSTRAINT import_part_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.event_timer
    ADD CONSTRAINT event_timer_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.dispute
    ADD CONSTRAINT dispute_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.dispute
    ADD CONSTRAINT dispute_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.dispute
    ADD CONSTRAINT dispute_opened_by_fkey FOREIGN KEY (opened_by) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.dispute_step
    ADD CONSTRAINT dispute_step_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES tillroll.dispute(id);

ALTER TABLE ONLY tillroll.dispute_step
    ADD CONSTRAINT dispute_step_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.event_change
    ADD CONSTRAINT event_change_dispute_id_dispute_step_fkey FOREIGN KEY (dispute_id, dispute_step) REFERENCES tillroll.dispute_step(dispute_id, number);

ALTER TABLE ONLY tillroll.game_look
    ADD CONSTRAINT game_look_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.game_look
    ADD CONSTRAINT game_look_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll_vault.refused_move
    ADD CONSTRAINT refused_move_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.signing_key_step
    ADD CONSTRAINT signing_key_step_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.waiting_game
    ADD CONSTRAINT waiting_game_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.waiting_seat
    ADD CONSTRAINT waiting_seat_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.waiting_game(game_id);

ALTER TABLE ONLY tillroll.waiting_seat
    ADD CONSTRAINT waiting_seat_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll_vault.waiting_secret
    ADD CONSTRAINT waiting_secret_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.waiting_game(game_id);

ALTER TABLE ONLY tillroll_vault.entropy
    ADD CONSTRAINT entropy_game_id_seat_fkey FOREIGN KEY (game_id, seat) REFERENCES tillroll.waiting_seat(game_id, seat);

ALTER TABLE ONLY tillroll.entropy_signature
    ADD CONSTRAINT entropy_signature_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.archived_record
    ADD CONSTRAINT archived_record_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.name_skeleton
    ADD CONSTRAINT name_skeleton_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.official_act
    ADD CONSTRAINT official_act_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.official_act
    ADD CONSTRAINT official_act_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.casual_table
    ADD CONSTRAINT casual_table_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.casual_table
    ADD CONSTRAINT casual_table_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.casual_table
    ADD CONSTRAINT casual_table_rematch_of_fkey FOREIGN KEY (rematch_of) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.casual_seat
    ADD CONSTRAINT casual_seat_table_id_fkey FOREIGN KEY (table_id) REFERENCES tillroll.casual_table(id) ON DELETE CASCADE;

ALTER TABLE ONLY tillroll.casual_seat
    ADD CONSTRAINT casual_seat_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.held_place
    ADD CONSTRAINT held_place_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.held_place
    ADD CONSTRAINT held_place_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.reported_seat
    ADD CONSTRAINT reported_seat_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.reported_seat
    ADD CONSTRAINT reported_seat_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.email
    ADD CONSTRAINT email_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.mail_token
    ADD CONSTRAINT mail_token_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.log_cosignature
    ADD CONSTRAINT log_cosignature_size_fkey FOREIGN KEY (size) REFERENCES tillroll.log_checkpoint(size);

ALTER TABLE ONLY tillroll.notice_settings
    ADD CONSTRAINT notice_settings_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.notice_choice
    ADD CONSTRAINT notice_choice_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.followed_organizer
    ADD CONSTRAINT followed_organizer_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.followed_organizer
    ADD CONSTRAINT followed_organizer_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.notice_watch
    ADD CONSTRAINT notice_watch_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.push_subscription
    ADD CONSTRAINT push_subscription_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.webhook
    ADD CONSTRAINT webhook_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll_vault.webhook_secret
    ADD CONSTRAINT webhook_secret_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES tillroll.webhook(id) ON DELETE CASCADE;

ALTER TABLE ONLY tillroll.webhook_delivery
    ADD CONSTRAINT webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES tillroll.webhook(id) ON DELETE CASCADE;

ALTER TABLE ONLY tillroll.dealing
    ADD CONSTRAINT dealing_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.dealing
    ADD CONSTRAINT dealing_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.waiting_game(game_id);

ALTER TABLE ONLY tillroll.dealer_answer
    ADD CONSTRAINT dealer_answer_scope_fkey FOREIGN KEY (scope) REFERENCES tillroll.dealing(scope);

ALTER TABLE ONLY tillroll.followed_game
    ADD CONSTRAINT followed_game_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.followed_game
    ADD CONSTRAINT followed_game_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.event_step_signature
    ADD CONSTRAINT event_step_signature_event_id_seq_fkey FOREIGN KEY (event_id, seq) REFERENCES tillroll.event_step(event_id, seq);

ALTER TABLE ONLY tillroll.recording
    ADD CONSTRAINT recording_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.recording
    ADD CONSTRAINT recording_scorer_id_fkey FOREIGN KEY (scorer_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.recording_line
    ADD CONSTRAINT recording_line_recording_id_fkey FOREIGN KEY (recording_id) REFERENCES tillroll.recording(id);

ALTER TABLE ONLY tillroll.game_analysis
    ADD CONSTRAINT game_analysis_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.game_analysis
    ADD CONSTRAINT game_analysis_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.game_analysis
    ADD CONSTRAINT game_analysis_leased_by_fkey FOREIGN KEY (leased_by) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.puzzle
    ADD CONSTRAINT puzzle_game_id_fkey FOREIGN KEY (game_id) REFERENCES tillroll.game(id);

ALTER TABLE ONLY tillroll.server_key_change
    ADD CONSTRAINT server_key_change_hash_fkey FOREIGN KEY (hash) REFERENCES tillroll.log_document(hash);

ALTER TABLE ONLY tillroll.contested_table
    ADD CONSTRAINT contested_table_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.component_set
    ADD CONSTRAINT component_set_registered_by_fkey FOREIGN KEY (registered_by) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.rated_table
    ADD CONSTRAINT rated_table_event_id_fkey FOREIGN KEY (event_id) REFERENCES tillroll.event(id);

ALTER TABLE ONLY tillroll.rated_seat
    ADD CONSTRAINT rated_seat_table_id_fkey FOREIGN KEY (table_id) REFERENCES tillroll.rated_table(id);

ALTER TABLE ONLY tillroll.rated_seat
    ADD CONSTRAINT rated_seat_player_id_fkey FOREIGN KEY (player_id) REFERENCES tillroll.player(id);

ALTER TABLE ONLY tillroll.rated_game
    ADD CONSTRAINT rated_game_table_id_fkey FOREIGN KEY (table_id) REFERENCES tillroll.rated_table(id);

ALTER TABLE ONLY tillroll.rating_revision
    ADD CONSTRAINT rating_revision_table_id_fkey FOREIGN KEY (table_id) REFERENCES tillroll.rated_table(id);

ALTER TABLE ONLY tillroll.rating_change
    ADD CONSTRAINT rating_change_table_id_fkey FOREIGN KEY (table_id) REFERENCES tillroll.rated_table(id);

GRANT USAGE ON SCHEMA tillroll TO tillroll_service;
GRANT USAGE ON SCHEMA tillroll_vault TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.add_event_change(of_event uuid, what text, of_step integer, of_game uuid, of_seat integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.add_standings_change(of_event uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.archived_record_check() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.begin_to_tell() FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.begin_to_tell() TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.dealing_check_update() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.dispute_step_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.dispute_step_check() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.end_telling() FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.end_telling() TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.event_step_add() FROM PUBLIC;
GRANT SELECT,INSERT ON TABLE tillroll.event_step TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.event_step_chain(before bytea, step tillroll.event_step) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.event_step_chain(before bytea, step tillroll.event_step) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.event_step_queued() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.event_steps_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.from_ms(ms bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.from_ms(ms bigint) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.game_check_update() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.game_results_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.game_seat_check_update() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.game_seats_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.games_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.games_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.hear(own integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.hear(own integer) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.is_archived(game uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.is_archived(game uuid) TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.game TO tillroll_service;
GRANT UPDATE(finished_at) ON TABLE tillroll.game TO tillroll_service;
GRANT UPDATE(voided) ON TABLE tillroll.game TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.waiting_game TO tillroll_service;
GRANT UPDATE(ended) ON TABLE tillroll.waiting_game TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.is_last_attempt(of_event uuid, of_round integer, of_table integer, of_attempt integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.is_last_attempt(of_event uuid, of_round integer, of_table integer, of_attempt integer) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.lines_settled() FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.lines_settled() TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.log_checkpoint_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.log_leaf_hash(entry text) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.log_leaf_hash(entry text) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.log_leaves_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.log_queue_taken() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.look_for_hearers(own integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.look_for_hearers(own integer) TO tillroll_service;
REVOKE ALL ON PROCEDURE tillroll.make_append_only(IN grows regclass) FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.move_signature_check() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.name_key(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.name_key(name text) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.new_id() FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.new_id() TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.notice_moment(of_player uuid, at timestamp with time zone, digest boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.notice_moment(of_player uuid, at timestamp with time zone, digest boolean) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.notice_moment(at timestamp with time zone, digest boolean, zone text, quiet_from integer, quiet_to integer, digest_at integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.notice_moment(at timestamp with time zone, digest boolean, zone text, quiet_from integer, quiet_to integer, digest_at integer) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.notice_of_dispute() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.notice_of_game() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.notice_of_invitation() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.notice_of_step() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.notice_of_substitute() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.player_renamed() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.players_of_table(of_event uuid, of_round integer, of_table integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.players_of_table(of_event uuid, of_round integer, of_table integer) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.rated_game_draw_number() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.rating_revisions_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.ratings_to_change(players uuid[], scopes text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.ratings_to_change(players uuid[], scopes text[]) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.record_chain(before bytea, line text) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.record_chain(before bytea, line text) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.record_header_chain(header text, form integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.record_header_chain(header text, form integer) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.record_lines_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.record_lines_leave() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.recording_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.recording_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.recording_check_update() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.recording_line_check() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.refuse_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.season_steps_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.seats_of_step(of_event uuid, of_step integer) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.seats_of_step(of_event uuid, of_step integer) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.to_ms(moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION tillroll.to_ms(moment timestamp with time zone) TO tillroll_service;
REVOKE ALL ON FUNCTION tillroll.tokens_ended() FROM PUBLIC;
REVOKE ALL ON FUNCTION tillroll.waiting_game_check_update() FROM PUBLIC;
GRANT SELECT ON TABLE tillroll.archived_record TO tillroll_service;
GRANT SELECT ON TABLE tillroll.breaking_migration TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.bye TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.casual_seat TO tillroll_service;
GRANT UPDATE(taken) ON TABLE tillroll.casual_seat TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.casual_table TO tillroll_service;
GRANT UPDATE(game_id) ON TABLE tillroll.casual_table TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.component_set TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.contested_table TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.game_result TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.ruled_seat TO tillroll_service;
GRANT SELECT ON TABLE tillroll.counted_result TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.dealer_answer TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.dealing TO tillroll_service;
GRANT UPDATE(due_at) ON TABLE tillroll.dealing TO tillroll_service;
GRANT UPDATE(ended) ON TABLE tillroll.dealing TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.dispute TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.dispute TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.dispute_step TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.email TO tillroll_service;
GRANT UPDATE(address) ON TABLE tillroll.email TO tillroll_service;
GRANT UPDATE(language) ON TABLE tillroll.email TO tillroll_service;
GRANT UPDATE(set_at) ON TABLE tillroll.email TO tillroll_service;
GRANT UPDATE(confirmed_at) ON TABLE tillroll.email TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.entropy_signature TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.entry TO tillroll_service;
GRANT UPDATE(number) ON TABLE tillroll.entry TO tillroll_service;
GRANT UPDATE(dropped_after) ON TABLE tillroll.entry TO tillroll_service;
GRANT UPDATE(entered_at) ON TABLE tillroll.entry TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.entry TO tillroll_service;
GRANT UPDATE(checked_in) ON TABLE tillroll.entry TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.event TO tillroll_service;
GRANT UPDATE(name) ON TABLE tillroll.event TO tillroll_service;
GRANT UPDATE(slug) ON TABLE tillroll.event TO tillroll_service;
GRANT UPDATE(version) ON TABLE tillroll.event TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.event TO tillroll_service;
GRANT UPDATE(format) ON TABLE tillroll.event TO tillroll_service;
GRANT UPDATE(settings) ON TABLE tillroll.event TO tillroll_service;
GRANT UPDATE(cancelled) ON TABLE tillroll.event TO tillroll_service;
GRANT SELECT ON TABLE tillroll.event_change TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.event_origin TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.event_role TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.event_step_signature TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.event_timer TO tillroll_service;
GRANT UPDATE(due_at) ON TABLE tillroll.event_timer TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.followed_game TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.followed_organizer TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(maker) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(asked_at) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(asked_by) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(attempts) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(leased_by) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(leased_until) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(done) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(total) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(plies) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT UPDATE(document) ON TABLE tillroll.game_analysis TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.game_look TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.game_seat TO tillroll_service;
GRANT UPDATE(player_id) ON TABLE tillroll.game_seat TO tillroll_service;
GRANT UPDATE(fallback) ON TABLE tillroll.game_seat TO tillroll_service;
GRANT UPDATE(forfeited) ON TABLE tillroll.game_seat TO tillroll_service;
GRANT UPDATE(timed_out) ON TABLE tillroll.game_seat TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.hearer TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.held_place TO tillroll_service;
GRANT UPDATE(code_hash) ON TABLE tillroll.held_place TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.import_part TO tillroll_service;
GRANT UPDATE(body) ON TABLE tillroll.import_part TO tillroll_service;
GRANT UPDATE(stored_at) ON TABLE tillroll.import_part TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(told) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(phase) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(done) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(total) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(alive_until) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(ended_at) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(status) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(location) ON TABLE tillroll.job TO tillroll_service;
GRANT UPDATE(answer) ON TABLE tillroll.job TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.kept_answer TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.log_checkpoint TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.log_cosignature TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.log_document TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.log_leaf TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.log_node TO tillroll_service;
GRANT SELECT ON TABLE tillroll.log_hash TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.log_queue TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.mail_token TO tillroll_service;
GRANT SELECT ON TABLE tillroll.migration TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.move_signature TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.name_skeleton TO tillroll_service;
GRANT SELECT,DELETE ON TABLE tillroll.notice_cause TO tillroll_service;
GRANT UPDATE(tries) ON TABLE tillroll.notice_cause TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.notice_choice TO tillroll_service;
GRANT UPDATE(timing) ON TABLE tillroll.notice_choice TO tillroll_service;
GRANT SELECT ON TABLE tillroll.notice_default TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(player_id) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(public_key) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(auth) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(device) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(language) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(since) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(rest_until) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(failures) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(last_at) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(reason) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT UPDATE(test_at) ON TABLE tillroll.push_subscription TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.webhook TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.webhook TO tillroll_service;
GRANT UPDATE(rest_until) ON TABLE tillroll.webhook TO tillroll_service;
GRANT UPDATE(failures) ON TABLE tillroll.webhook TO tillroll_service;
GRANT SELECT ON TABLE tillroll.notice_way TO tillroll_service;
GRANT SELECT ON TABLE tillroll.notice_route TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.notice_settings TO tillroll_service;
GRANT UPDATE(language) ON TABLE tillroll.notice_settings TO tillroll_service;
GRANT UPDATE(time_zone) ON TABLE tillroll.notice_settings TO tillroll_service;
GRANT UPDATE(quiet_from) ON TABLE tillroll.notice_settings TO tillroll_service;
GRANT UPDATE(quiet_to) ON TABLE tillroll.notice_settings TO tillroll_service;
GRANT UPDATE(digest_at) ON TABLE tillroll.notice_settings TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.notice_watch TO tillroll_service;
GRANT UPDATE(seq) ON TABLE tillroll.notice_watch TO tillroll_service;
GRANT UPDATE(told) ON TABLE tillroll.notice_watch TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.official_act TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(player_id) ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(address) ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(due_at) ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(attempts) ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(reason) ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(ended_at) ON TABLE tillroll.outbox TO tillroll_service;
GRANT UPDATE(bundle_id) ON TABLE tillroll.outbox TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.player TO tillroll_service;
GRANT UPDATE(name) ON TABLE tillroll.player TO tillroll_service;
GRANT UPDATE(password_hash) ON TABLE tillroll.player TO tillroll_service;
GRANT UPDATE(roles) ON TABLE tillroll.player TO tillroll_service;
GRANT UPDATE(deleted_at) ON TABLE tillroll.player TO tillroll_service;
GRANT UPDATE(guest) ON TABLE tillroll.player TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.puzzle TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.rated_game TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.rated_seat TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.rated_table TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.rating TO tillroll_service;
GRANT UPDATE(mu) ON TABLE tillroll.rating TO tillroll_service;
GRANT UPDATE(sigma) ON TABLE tillroll.rating TO tillroll_service;
GRANT UPDATE(games) ON TABLE tillroll.rating TO tillroll_service;
GRANT UPDATE(volatility) ON TABLE tillroll.rating TO tillroll_service;
GRANT UPDATE(period) ON TABLE tillroll.rating TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.rating_change TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.rating_period TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.rating_revision TO tillroll_service;
GRANT SELECT ON TABLE tillroll.rating_step TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.record_line TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.recording TO tillroll_service;
GRANT UPDATE(finished_at) ON TABLE tillroll.recording TO tillroll_service;
GRANT UPDATE(whole) ON TABLE tillroll.recording TO tillroll_service;
GRANT UPDATE(open) ON TABLE tillroll.recording TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.recording_line TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.reported_seat TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.round TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.season TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.season TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.season_event TO tillroll_service;
GRANT UPDATE(invited) ON TABLE tillroll.season_event TO tillroll_service;
GRANT UPDATE(offered) ON TABLE tillroll.season_event TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.season_step TO tillroll_service;
GRANT SELECT ON TABLE tillroll.served TO tillroll_service;
GRANT UPDATE(at) ON TABLE tillroll.served TO tillroll_service;
GRANT UPDATE(gap_from) ON TABLE tillroll.served TO tillroll_service;
GRANT UPDATE(gap_to) ON TABLE tillroll.served TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.server_key_change TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.signing_key_step TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.teller TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.token TO tillroll_service;
GRANT UPDATE(revoked_at) ON TABLE tillroll.token TO tillroll_service;
GRANT UPDATE(seen_at) ON TABLE tillroll.token TO tillroll_service;
GRANT SELECT ON TABLE tillroll.upkeep TO tillroll_service;
GRANT UPDATE(due_at) ON TABLE tillroll.upkeep TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll.waiting_seat TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT UPDATE(state) ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT UPDATE(due_at) ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT UPDATE(attempts) ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT UPDATE(tried_at) ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT UPDATE(status) ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT UPDATE(took_ms) ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT UPDATE(reason) ON TABLE tillroll.webhook_delivery TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.entropy TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.event_secret TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.game_secret TO tillroll_service;
GRANT SELECT,INSERT,DELETE ON TABLE tillroll_vault.push_key TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.refused_move TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.round_secret TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.sealed_move TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.waiting_secret TO tillroll_service;
GRANT SELECT,INSERT ON TABLE tillroll_vault.webhook_secret TO tillroll_service;
GRANT UPDATE(sealed) ON TABLE tillroll_vault.webhook_secret TO tillroll_service;
GRANT UPDATE(before) ON TABLE tillroll_vault.webhook_secret TO tillroll_service;
GRANT UPDATE(before_until) ON TABLE tillroll_vault.webhook_secret TO tillroll_service;

ALTER DEFAULT PRIVILEGES FOR ROLE tillroll_owner REVOKE ALL ON FUNCTIONS  FROM PUBLIC;

INSERT INTO tillroll.migration (number, name, hash) VALUES
    (1, '0001_roles.sql', '\x8538bc3536b00d0eccd21ab086c88e2a17d6ca3a256a0c0e3b2dfbfcc462586a'),
    (2, '0002_players.sql', '\xe50bf1ed6b9a4aad946d7ea7efbbeddd1907cdf6dd17a1a029573ef0c0f42f74'),
    (3, '0003_events.sql', '\x237c4a8fb7c7173296e11b1fef93a2ed6287e2fd8e0c7040c7f79ee135d04f15'),
    (4, '0004_games.sql', '\x4beea33036a12038c18532e9e0d70fdf30635e93dfd45d882db3ffed4627c7e5'),
    (5, '0005_records.sql', '\x693b1fd31acbd6b8d4def7b3b264577207afe2f2abb17e5092f62801a3784999'),
    (6, '0006_ratings.sql', '\x17b3ad0933d9ae98091232b7bdfe72c0895e6570eb7d737d6b726e919566a385'),
    (7, '0007_kept_answers.sql', '\x145c3cf3eb11b45c521f4c29bacff4a3e2a25fe80309e679506715cdec48fd0b'),
    (8, '0008_record_plan.sql', '\xf03c0e8c2a4170e01c159e52f15b28d4168ef5c1967dae9190f0ff0500f9cd18'),
    (9, '0009_sealed_moves.sql', '\xff249087b3cbaea9b34de3a4e007098640159ef229f4c415b6129f50c80eac52'),
    (10, '0010_duplicate.sql', '\xfad30274037c5c947f48d2ce6f56a73408fd548433071af48ec79397f746e698'),
    (11, '0011_cost_of_a_move.sql', '\x127bf135140eda82196d9c07af5e5284468ebe1d2e166befc42accb7c14a76ab'),
    (12, '0012_changes.sql', '\x70a55e7bef03c52dd3c76aa1cd7651398fb5f7e5808c621f0b87eeb2eee5dc03'),
    (13, '0013_rating_history.sql', '\x0cee5d7e3f3ddaf068f7d418c7dc1e18d9ab926dcdf769d2fe804ded800ada81'),
    (14, '0014_rating_revisions.sql', '\x0e835029b972215de7c7db824ca7617ecc7ab5167b736feb5ff1583f24e6e1ed'),
    (15, '0015_transparency_log.sql', '\xa006d16ecb51255e2cc18bcce3f05ab7cc1f8d86acbbf98f799acc188fb14894'),
    (16, '0016_accounts.sql', '\xbd5fccbe5af071ee48773b86ff4cf18fe45178e97211cb631f4016c8b96bdfd3'),
    (17, '0017_event_log.sql', '\xc1e84e455692fe269035d38d08af4c03fa803d2b2d22b5c3446b01398d744339'),
    (18, '0018_rulings.sql', '\x01f79f1e5cccf83f91b2c79119ff0e546d68acac8fa2178d35780b0a4faacf2c'),
    (19, '0019_system_lines.sql', '\xf3c12eaf9c8c82fc266bd4d70ff2b3309faa2ae16af4ae469603099f57eac2ca'),
    (20, '0020_clocks.sql', '\x5c446b20b4594caedcd780bc88464c9ac82013c9b76ce22c4bdf53f0589ae3b7'),
    (21, '0021_imports_and_timers.sql', '\x55b005c7c73cf56c10d73cf350870064d526eb6b0a6fc115b7b3dfa2bd0dd4c0'),
    (22, '0022_disputes.sql', '\x1c9100289e5e1ebf52cac89e165780399e0afc8465adfe938df61bedbfdfead1'),
    (23, '0023_signatures.sql', '\x90eaf68d8ce2c5f7e261dad563ab96bd5c57481af4c77e3383d07ccd2fbd25b3'),
    (24, '0024_entropy.sql', '\x547cb7a5bba949af2fdd119306074edde188271145f3dae040e39d2ef36470fd'),
    (25, '0025_spectators.sql', '\xa9e3a9a45fa771c8b7ef2f2e6510846c251d298dfef9a17fb33ba91c4160da5b'),
    (26, '0026_archive.sql', '\x8925550b79b918e1c4a3f282c8d361594cf7e1011735193f5474bc2ba4a676ab'),
    (27, '0027_releases.sql', '\xdcc2145d38ec7c7c04e4339888813bea02309d7eb4c4e910fa6a1cd72b94fc07'),
    (28, '0028_hearing.sql', '\x3cf8432cc1716e82942fee8d491d7a8813106219d60ffac59b1dfd2888ecccfa'),
    (29, '0029_anew_after_entropy.sql', '\xca10e277ee0a58c889bd89466c49e785abcb232ae1f8f3258a8b5e3f537bd94b'),
    (30, '0030_rating_locks.sql', '\x5c6f06424200c0f099e5f7007bf82336bb093eb68c86d1089a4c79a4b7c2cdf1'),
    (31, '0031_lookups.sql', '\x040f357be8be82ef3c2b281294db7e5e76b53d89e76ae6ecdb36ce7495991220'),
    (32, '0032_import_again.sql', '\x3fbdb6c68ec548186626fc957e34047b1c3466425d78b387c0ac48df240809f8'),
    (33, '0033_names.sql', '\x4c12abb6afcfdbb18c763919e7a3b93590f64950fae952e4d560c4c67be51073'),
    (34, '0034_official_acts.sql', '\x65a5cceb06ce0acbf9fecc806f8b72eef94b6e8b1ecfb763f048c4ebcc04ba2a'),
    (35, '0035_jobs.sql', '\xd2d82967925fe3a7f00357ad697926b73d8edb3f6f9291fa1b48ea577b37723b'),
    (36, '0036_cancelled_events.sql', '\x75573429d3f38ac80bac976990d8f7fa27d9e4bb0c13fbc253714134c64e2176'),
    (37, '0037_casual_games.sql', '\x5f96d60450288d7bf40f36b9dbfb5e483f74665cd255ae759f31864f5ff00732'),
    (38, '0038_own_account.sql', '\xc892a0194db1d3eff32ee68cdf64244e946e9035cbf4ae70ca87a72a44bfb753'),
    (39, '0039_held_places.sql', '\x1b358a813475aa9681b56660f2e322e3c463cc9e5e14d466a3cbb303fd6760b1'),
    (40, '0040_house_players.sql', '\xc3265cdf22b76baa33ab6410ae592e10a20ef183907ac27f765f586b351fde10'),
    (41, '0041_house_ratings.sql', '\xc2d83e8c58eb0e5ab9267d2a0d99316c493f383e97d54d19ed48356bea6dc67d'),
    (42, '0042_reported_results.sql', '\xd1b73a4ea8eba4522c63a30744fad8e31f1f7aad55f30c988698d57e94e7c145'),
    (43, '0043_mail.sql', '\x90ae68ade9d5ba65a79bce210bd80918f005269e72879267edf2af826cf1ff74'),
    (44, '0044_cosignatures.sql', '\x2bfcd59ec744596a9b4374e8c1bf86c2877d9aeeaf6085a79c4cea4d81f862bb'),
    (45, '0045_notices.sql', '\x018b17fcec7f65856c482e9d71e3befed34db74e2418a5597a6f903d349de323'),
    (46, '0046_push_and_webhooks.sql', '\x6b68f6adf216fbe2e53e32b1c0ff4203e92136e37ab65b4e57b13cae8ca6e4b6'),
    (47, '0047_dealers.sql', '\x7c22defdd0f2c89e58cde99c07e7376ecdf67c5f477f4761d7e69e9e09ce287c'),
    (48, '0048_followed_games.sql', '\x3a2ece71f53b996708a76ef09cdd2214edbbce35f58598fa96039cbc04100f85'),
    (49, '0049_event_steps_in_log.sql', '\xa1088767afc440c1e3495289d2d4a608f27862f3ec3453b37bc6b470f3c07888'),
    (50, '0050_official_signatures.sql', '\x8a902fbe0be9c5bdac3b921822577872b6550fa8f7f13c3003facc57ccd35109'),
    (51, '0051_recordings.sql', '\x086536e43fc19d1e328b44ca347d61cbc3f0d2c0d7fc3e552bf00747b9b7ac5d'),
    (52, '0052_analyses.sql', '\xd21c14dff0e8c7c00d951aa5dc8cffd32022165f0551c28d74f3c92f3546d252'),
    (53, '0053_puzzles.sql', '\x0462fc83f43e525dd7c70a9d507ccff7a631f68b95392d40cdb645873e0f5f11'),
    (54, '0054_new_id.sql', '\x75407c488b733c57882d171cb6de273dba5c81f87b5212ef76f8b7d630e8938c'),
    (55, '0055_server_key_changes.sql', '\x8b1446ff6fb4730033d4c024d30cffa61f5381555a78a37988cd4604f0718e16'),
    (56, '0056_contested_tables.sql', '\x76b893a513b813d54c23b338ea800432b3777f2acd2b362981585f8670915055'),
    (57, '0057_act_signatures.sql', '\x4f4710b60b2ae7be6a7255144e59c438142754a042520af498a1e3146aee87bf'),
    (58, '0058_chain_check.sql', '\x83e3e3bf5f4eb92f7f7444d7c2e0c50d2d3c34bbf79fe9ce11f49ce0cff4a925'),
    (59, '0059_recordings_of_scorers.sql', '\xd62cc70feb8da19dda6124be1112e8de8334ecc05cf1c5b5289e599cec45bb7a'),
    (60, '0060_component_sets.sql', '\xd6ff3dd004c2e9a8d0561a8d6c3e9656a07b20f0d3ad6a087fc7398c07f0394c'),
    (61, '0061_rated_tables.sql', '\x4ef2c819f36f60e1408bd4439cf9ee198e8dd8d97c2ddc7bae0de08c7dce68c4'),
    (62, '0062_tellers.sql', '\xbab7f26d8738e4a0817239264db4c8a2a78744ddf24c86fc148eee2c615aedb8'),
    (63, '0063_cost_of_a_notice.sql', '\xa2ee05366ef32b0a6cee499e6bd7ab43cab4a4179e90295d7dc43a7a22333559'),
    (64, '0064_fewer_writes_of_notices.sql', '\xd4552e117c8f78eb9db8af3352d5dbb8f4658811f8427db603551bafadad964c'),
    (65, '0065_events_leave_seasons.sql', '\x6a45214466e21d200e07f03b1969c4665385522ecdea3f54883201c039bdf8f4'),
    (66, '0066_seasons_of_an_event.sql', '\x020a969215106b58630f31b0781736247d36bee39e7d50df3916729bab9ed899'),
    (67, '0067_watching_recordings.sql', '\x4496ec5c9649fc0a982460ae631bba1ab1aa76ab3f3edcccb4258634645745df');
