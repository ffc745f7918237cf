-- An event is what its log says. What is stored of it besides is for lists, and follows from the
-- log: settings, state, entries, roles, byes.
SET LOCAL ROLE tillroll_owner;

-- ---- The log ----

-- Up to 4,096 numbers of entries in one line, with how they were drawn; a restated event is longer.
CREATE DOMAIN tillroll.event_detail AS json
    CHECK (json_typeof(VALUE) = 'object' AND octet_length(VALUE::text) <= 33554432);
ALTER TABLE tillroll.event_step ALTER COLUMN detail TYPE tillroll.event_detail;
-- Reading an event begins with the newest of these.
CREATE INDEX event_step_restated ON tillroll.event_step (event_id, seq) WHERE kind = 'restated';

-- ---- The event ----

ALTER TABLE tillroll.event ADD COLUMN settings tillroll.json_object;

UPDATE tillroll.event SET settings = json_build_object(
    'capacity', NULL, 'check_in', false, 'late_entries', 0, 'name', name, 'options', options,
    'ruleset', slug, 'seeding', 'entering', 'stages', json_build_array(
        CASE format WHEN 'duplicate' THEN json_build_object(
            'boards', boards, 'format', format, 'play', play, 'profile', profile, 'rounds', rounds,
            'scoring', scoring, 'seats_max', seats_max, 'seats_min', seats_min,
            'seats_preferred', seats_preferred)
        ELSE json_build_object(
            'format', format, 'profile', profile, 'round_minutes', 0, 'rounds', rounds,
            'scoring', '5-3-2-1', 'seats_max', seats_max, 'seats_min', seats_min,
            'seats_preferred', seats_preferred,
            'tie_breaks', json_build_array('PTS', 'DE', 'WIN', 'OPA/C1', 'SBA', 'SHR', 'LAST',
                                           'RND'),
            'unplayed_rules', 'pods-1')
        END),
    'version', version);

ALTER TABLE tillroll.event
    ALTER COLUMN settings SET NOT NULL,
    DROP CONSTRAINT event_format_check,
    ADD CONSTRAINT event_format_check CHECK (
        format IN ('pod_swiss', 'dutch', 'round_robin', 'pod_round_robin', 'single_elimination',
                   'double_elimination', 'pod_elimination', 'league', 'ladder', 'open_play',
                   'duplicate')),
    DROP COLUMN options,
    DROP COLUMN seats_min,
    DROP COLUMN seats_max,
    DROP COLUMN seats_preferred,
    DROP COLUMN rounds,
    DROP COLUMN profile,
    DROP COLUMN boards,
    DROP COLUMN scoring,
    DROP COLUMN play;
GRANT UPDATE (name, slug, version, format, settings) ON tillroll.event TO tillroll_service;

-- ---- Roles ----

-- As they are now: how they came to be stands in the log.
CREATE TABLE tillroll.event_role (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    player_id uuid NOT NULL REFERENCES tillroll.player,
    role text NOT NULL CHECK (role IN ('organizer', 'arbiter')),
    PRIMARY KEY (event_id, player_id, role)
);
INSERT INTO tillroll.event_role (event_id, player_id, role)
    SELECT event_id, player_id, 'organizer' FROM tillroll.event_organizer;
DROP TABLE tillroll.event_organizer;
GRANT SELECT, INSERT, DELETE ON tillroll.event_role TO tillroll_service;

-- ---- Entries ----

ALTER TABLE tillroll.entry
    ADD COLUMN state text NOT NULL DEFAULT 'entered' CHECK (
        state IN ('entered', 'waiting', 'withdrawn', 'not_there', 'dropped')),
    ADD COLUMN checked_in boolean NOT NULL DEFAULT false;
UPDATE tillroll.entry SET state = 'dropped' WHERE dropped_after IS NOT NULL;
-- What is inserted names its state. Numbers can be given anew, all in one statement.
ALTER TABLE tillroll.entry
    ALTER COLUMN state DROP DEFAULT,
    ADD CHECK ((state = 'dropped') = (dropped_after IS NOT NULL)),
    DROP CONSTRAINT entry_event_id_number_key,
    ADD UNIQUE (event_id, number) DEFERRABLE INITIALLY IMMEDIATE;
-- Who withdraws leaves an entry that says so.
DROP TRIGGER entry_check_delete ON tillroll.entry;
DROP FUNCTION tillroll.entry_check_delete();
REVOKE DELETE ON tillroll.entry FROM tillroll_service;
GRANT UPDATE (state, checked_in, entered_at) ON tillroll.entry TO tillroll_service;

-- ---- Byes and games ----

ALTER TABLE tillroll.bye DROP CONSTRAINT bye_kind_check;
UPDATE tillroll.bye SET kind = 'pairing_bye';
ALTER TABLE tillroll.bye ADD CHECK (
    kind IN ('pairing_bye', 'full_bye', 'half_bye', 'zero_bye', 'absent'));

-- Games of ladders and open play are played in no round: their round is 0, and refers to none.
ALTER TABLE tillroll.game
    DROP CONSTRAINT game_event_id_round_fkey,
    ADD COLUMN drawn_round integer GENERATED ALWAYS AS (nullif(round, 0)) STORED,
    ADD CHECK (round >= 0),
    ADD FOREIGN KEY (event_id) REFERENCES tillroll.event,
    ADD FOREIGN KEY (event_id, drawn_round) REFERENCES tillroll.round;

-- ---- What followers are told ----

CREATE OR REPLACE FUNCTION tillroll.event_steps_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'log', seq, NULL, NULL)
        FROM (SELECT event_id, seq FROM added ORDER BY event_id, seq) AS step;
    PERFORM tillroll.add_standings_change(event_id)
        FROM (SELECT DISTINCT event_id FROM added
              WHERE kind IN ('entries_closed', 'stage_started', 'round_started', 'result', 'ruled',
                             'ruling_revoked', 'dropped', 'returned', 'bye_granted', 'bye_revoked',
                             'settings_changed', 'closed')
                 OR (kind = 'entered' AND (detail ->> 'late')::boolean)) AS event;
    RETURN NULL;
END
$$;

-- ---- Events that are there already ----

-- Told anew in lines as they are from now on, so that an event can be read from this one line on.
-- They stand in the order in which an event goes: before the first round, then round by round.
INSERT INTO tillroll.event_step (event_id, seq, at, actor_id, kind, detail)
WITH step AS (
    SELECT event_id, seq, at, actor_id, kind, detail ->> 'player' AS player
    FROM tillroll.event_step
    WHERE kind IN ('entries_opened', 'entries_closed', 'dropped', 'closed')
), seated AS ( -- a table of a round
    SELECT game.event_id, game.round, game.table_number, game.board, game.id AS game_id,
           game.started_at, game.finished_at,
           json_agg(entry.number ORDER BY game_seat.seat) AS numbers,
           json_agg(json_build_array(entry.number, result.rank, result.score)
                    ORDER BY game_seat.seat) AS seats,
           bool_and(result.game_id IS NOT NULL) AS scored
    FROM tillroll.game
    JOIN tillroll.game_seat ON game_seat.game_id = game.id
    JOIN tillroll.entry ON entry.event_id = game.event_id AND entry.player_id = game_seat.player_id
    LEFT JOIN tillroll.game_result AS result
        ON result.game_id = game.id AND result.seat = game_seat.seat
    GROUP BY game.id
), board AS ( -- of a duplicate round: begins when the one before it ends, or with the round
    SELECT event_id, round, board, min(table_number) AS first_table, min(started_at) AS started_at,
           max(finished_at) AS finished_at,
           json_agg(numbers ORDER BY table_number) AS tables
    FROM seated WHERE board IS NOT NULL GROUP BY event_id, round, board
), drawn AS (
    SELECT round.event_id, round.number, round.attempt, round.started_at, round.commitment,
           round.quality,
           (SELECT json_agg(numbers ORDER BY table_number) FROM seated
            WHERE seated.event_id = round.event_id AND seated.round = round.number) AS tables,
           (SELECT coalesce(json_agg(entry.number ORDER BY entry.number), '[]')
            FROM tillroll.bye JOIN tillroll.entry USING (event_id, player_id)
            WHERE bye.event_id = round.event_id AND bye.round = round.number) AS byes,
           (SELECT coalesce(json_agg(json_build_array(number, 'absent') ORDER BY number), '[]')
            FROM tillroll.entry
            WHERE entry.event_id = round.event_id AND entry.dropped_after < round.number) AS absent
    FROM tillroll.round
), line (event_id, part, place, at, tie, actor_id, kind, detail) AS (
    SELECT id, 0, 0, created_at, 0, organizer_id, 'created', settings::json
        FROM tillroll.event
    UNION ALL
    SELECT id, 0, 1, coalesce(step.at, created_at), 0, coalesce(actor_id, organizer_id),
           'entries_opened', '{}'
        FROM tillroll.event
        LEFT JOIN step ON step.event_id = event.id AND step.kind = 'entries_opened'
        WHERE state <> 'draft'
    UNION ALL
    SELECT event_id, 0, 2, entered_at, row_number() OVER (PARTITION BY event_id ORDER BY entered_at,
                                                          player_id), player_id,
           'entered', json_build_object('player', player_id)
        FROM tillroll.entry
    UNION ALL
    SELECT id, 0, 3, coalesce(step.at, created_at), 0, coalesce(actor_id, organizer_id),
           'entries_closed', json_build_object('numbers', (
               SELECT coalesce(json_agg(player_id ORDER BY number), '[]') FROM tillroll.entry
               WHERE event_id = event.id))
        FROM tillroll.event
        LEFT JOIN step ON step.event_id = event.id AND step.kind = 'entries_closed'
        WHERE state NOT IN ('draft', 'entries_open')
    UNION ALL
    SELECT entry.event_id, dropped_after, 4, coalesce(step.at, entered_at), number,
           coalesce(actor_id, player_id), 'dropped',
           json_build_object('player', player_id, 'after', dropped_after)
        FROM tillroll.entry
        LEFT JOIN step ON step.event_id = entry.event_id AND step.kind = 'dropped'
            AND step.player = player_id::text
        WHERE dropped_after IS NOT NULL
    UNION ALL
    SELECT event_id, 1, 0, started_at, 0, NULL, 'stage_started', json_build_object('stage', 1,
               'entries', (SELECT json_agg(entry.number ORDER BY entry.number) FROM tillroll.entry
                           WHERE entry.event_id = drawn.event_id))
        FROM drawn WHERE number = 1
    UNION ALL
    SELECT event_id, number, 1, started_at, 0, NULL, 'round_drawn', json_build_object(
               'round', number, 'stage', 1, 'attempt', attempt, 'tables', tables, 'byes', byes,
               'absent', absent, 'quality', quality)
        FROM drawn WHERE commitment IS NULL
    UNION ALL
    SELECT event_id, number, 2, started_at, 0, organizer_id, 'round_started',
           json_build_object('round', number, 'deadline', NULL)
        FROM drawn JOIN tillroll.event ON event.id = event_id WHERE drawn.commitment IS NULL
    UNION ALL
    SELECT event_id, number, 2, started_at, 0, organizer_id, 'round_started', json_build_object(
               'round', number, 'boards', settings #> '{stages,0,boards}',
               'commitment', encode(drawn.commitment, 'hex'))
        FROM drawn JOIN tillroll.event ON event.id = event_id WHERE drawn.commitment IS NOT NULL
    UNION ALL
    SELECT event_id, round, 4,
           CASE settings #>> '{stages,0,play}' WHEN 'barometer'
               THEN coalesce(lag(finished_at) OVER (PARTITION BY event_id, round ORDER BY board),
                             started_at)
               ELSE started_at END,
           2 * board, NULL, 'board_started', json_build_object('round', round, 'board', board,
               'first_table', first_table, 'tables', tables, 'byes', json_build_array())
        FROM board JOIN tillroll.event ON event.id = event_id
    UNION ALL
    SELECT event_id, round, 4,
           -- the results of a board, or of all boards of the round, are open at the same time
           CASE WHEN board IS NULL THEN finished_at
                WHEN settings #>> '{stages,0,play}' = 'barometer'
                THEN max(finished_at) OVER (PARTITION BY event_id, round, board)
                ELSE max(finished_at) OVER (PARTITION BY event_id, round) END,
           CASE WHEN board IS NULL THEN table_number
                WHEN settings #>> '{stages,0,play}' = 'barometer' THEN 2 * board + 1
                ELSE 100 + table_number END,
           NULL, 'result', json_build_object('round', round, 'table', table_number,
               'game', game_id, 'seats', seats)
        FROM seated JOIN tillroll.event ON event.id = event_id WHERE scored
    UNION ALL
    SELECT id, (SELECT max(number) FROM tillroll.round WHERE event_id = event.id), 9,
           coalesce(step.at, created_at), 0, coalesce(actor_id, organizer_id), 'closed', '{}'
        FROM tillroll.event LEFT JOIN step ON step.event_id = event.id AND step.kind = 'closed'
        WHERE state = 'closed'
), told AS ( -- time never falls
    SELECT event_id, part, place, line.at AS own_at, tie, actor_id, kind, detail,
           tillroll.to_ms(max(at) OVER (PARTITION BY event_id ORDER BY part, place, at, tie
                                        ROWS UNBOUNDED PRECEDING)) AS at
    FROM line
)
SELECT event_id,
       (SELECT coalesce(max(seq), 0) + 1 FROM tillroll.event_step AS before
        WHERE before.event_id = told.event_id),
       greatest(date_trunc('milliseconds', clock_timestamp()), tillroll.from_ms(max(at)),
                (SELECT max(before.at) FROM tillroll.event_step AS before
                 WHERE before.event_id = told.event_id)),
       NULL, 'restated',
       json_build_object('lines', json_agg(
           json_build_object('at', at, 'actor', coalesce(actor_id::text, ''), 'kind', kind,
                             'detail', detail)
           ORDER BY part, place, own_at, tie))
FROM told GROUP BY event_id;
