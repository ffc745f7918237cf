-- Events, their organizers, entries and log.
SET LOCAL ROLE tillroll_owner;

CREATE DOMAIN tillroll.ruleset_slug AS text CHECK (VALUE ~ '^[a-z][a-z0-9-]{0,31}$');
CREATE DOMAIN tillroll.ruleset_version AS text
    CHECK (VALUE ~ '^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}$');
-- json and not jsonb: it is kept as it was written.
CREATE DOMAIN tillroll.json_object AS json
    CHECK (json_typeof(VALUE) = 'object' AND octet_length(VALUE::text) <= 65536);

CREATE TABLE tillroll.event (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    slug tillroll.ruleset_slug NOT NULL,
    version tillroll.ruleset_version NOT NULL,
    options tillroll.json_object NOT NULL,
    state text NOT NULL CHECK (
        state IN ('draft', 'entries_open', 'entries_closed', 'running', 'closed')),
    seats_min integer NOT NULL CHECK (seats_min BETWEEN 1 AND 5),
    seats_max integer NOT NULL CHECK (seats_max BETWEEN 1 AND 5),
    seats_preferred integer NOT NULL CHECK (seats_preferred BETWEEN seats_min AND seats_max),
    rounds integer NOT NULL CHECK (rounds BETWEEN 1 AND 1000),
    profile text NOT NULL CHECK (profile IN ('strict', 'balanced', 'power')),
    organizer_id uuid NOT NULL REFERENCES tillroll.player,
    commitment bytea NOT NULL CHECK (octet_length(commitment) = 32),
    created_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE (state) ON tillroll.event TO tillroll_service;

CREATE TABLE tillroll_vault.event_secret (
    event_id uuid PRIMARY KEY REFERENCES tillroll.event,
    sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 32 AND 512)
);
GRANT SELECT, INSERT ON tillroll_vault.event_secret TO tillroll_service;

CREATE TABLE tillroll.event_organizer (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    player_id uuid NOT NULL REFERENCES tillroll.player,
    PRIMARY KEY (event_id, player_id)
);
GRANT SELECT, INSERT ON tillroll.event_organizer TO tillroll_service;

CREATE TABLE tillroll.event_step (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    seq integer NOT NULL CHECK (seq >= 1),
    at timestamptz(3) NOT NULL,
    actor_id uuid REFERENCES tillroll.player,
    kind text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_.]{0,63}$'),
    detail tillroll.json_object NOT NULL,
    PRIMARY KEY (event_id, seq)
);
CALL tillroll.make_append_only('tillroll.event_step');
GRANT SELECT, INSERT ON tillroll.event_step TO tillroll_service;

CREATE TABLE tillroll.entry (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    player_id uuid NOT NULL REFERENCES tillroll.player,
    number integer CHECK (number >= 1),
    dropped_after integer CHECK (dropped_after >= 0),
    entered_at timestamptz(3) NOT NULL,
    PRIMARY KEY (event_id, player_id),
    UNIQUE (event_id, number)
);
GRANT SELECT, INSERT, DELETE, UPDATE (number, dropped_after) ON tillroll.entry
    TO tillroll_service;

-- An entry can be withdrawn until entries are closed; from then on it can only be dropped.
CREATE FUNCTION tillroll.entry_check_delete() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.number IS NOT NULL THEN
        RAISE EXCEPTION 'a numbered entry cannot be deleted'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN OLD;
END
$$;
CREATE TRIGGER entry_check_delete BEFORE DELETE ON tillroll.entry
    FOR EACH ROW EXECUTE FUNCTION tillroll.entry_check_delete();
