-- Players' signing keys, their signatures of moves, and the chain of events' logs.
SET LOCAL ROLE tillroll_owner;

-- ---- Keys ----

-- The history of each player's keys (engine/keyring.h). No two players have the same key.
CREATE TABLE tillroll.signing_key_step (
    player_id uuid NOT NULL REFERENCES tillroll.player,
    number integer NOT NULL CHECK (number BETWEEN 1 AND 256),
    at timestamptz(3) NOT NULL,
    kind text NOT NULL CHECK (kind IN ('registered', 'revoked', 'required', 'optional')),
    key bytea CHECK (octet_length(key) = 32),
    proof bytea CHECK (octet_length(proof) = 64),
    endorsement bytea CHECK (octet_length(endorsement) = 64),
    PRIMARY KEY (player_id, number),
    CHECK ((key IS NOT NULL) = (kind IN ('registered', 'revoked'))),
    CHECK ((proof IS NOT NULL) = (kind = 'registered')),
    CHECK (endorsement IS NULL OR kind = 'registered')
);
CREATE UNIQUE INDEX signing_key_registered ON tillroll.signing_key_step (key)
    WHERE kind = 'registered';
CALL tillroll.make_append_only('tillroll.signing_key_step');
GRANT SELECT, INSERT ON tillroll.signing_key_step TO tillroll_service;

-- ---- Signatures ----

-- Of plies and take-backs, beside their lines.
CREATE TABLE tillroll.move_signature (
    game_id uuid NOT NULL,
    seq integer NOT NULL CHECK (seq >= 1),
    signature bytea NOT NULL CHECK (octet_length(signature) = 64),
    PRIMARY KEY (game_id, seq),
    FOREIGN KEY (game_id, seq) REFERENCES tillroll.record_line
);
CALL tillroll.make_append_only('tillroll.move_signature');
GRANT SELECT, INSERT ON tillroll.move_signature TO tillroll_service;

-- Who has a key can try all moves on a signature, so it is sealed like its move.
ALTER TABLE tillroll_vault.sealed_move
    ADD COLUMN signature bytea CHECK (octet_length(signature) BETWEEN 64 AND 512);

-- ---- The chain of events' logs ----

-- h(0) = SHA-256("tillroll event-log 1 <event>\n") and h(i) = SHA-256(hex(h(i-1)) " " line "\n"), the
-- lines as in engine/LOG.md. So `tillroll audit` finds the line at which a log was changed, also
-- while the event is open.
CREATE FUNCTION tillroll.event_step_chain(before bytea, step tillroll.event_step) RETURNS bytea
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
    RETURN sha256(convert_to(
        encode(coalesce(before, sha256(convert_to('tillroll event-log 1 ' || step.event_id || E'\n',
                                                  'UTF8'))), 'hex')
        || ' ' || step.seq || ' '
        || to_char(step.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' '
        || coalesce(step.actor_id::text, '-') || ' ' || step.kind || ' ' || step.detail || E'\n',
        'UTF8'));

ALTER TABLE tillroll.event_step ADD COLUMN hash bytea CHECK (octet_length(hash) = 32);

ALTER TABLE tillroll.event_step DISABLE TRIGGER append_only;
DO $$
DECLARE
    step tillroll.event_step;
    before tillroll.event_step;
    chain bytea;
BEGIN
    FOR step IN SELECT * FROM tillroll.event_step ORDER BY event_id, seq LOOP
        chain := tillroll.event_step_chain(
            CASE WHEN before.event_id = step.event_id THEN chain END, step);
        UPDATE tillroll.event_step SET hash = chain
            WHERE event_id = step.event_id AND seq = step.seq;
        before := step;
    END LOOP;
END
$$;
ALTER TABLE tillroll.event_step ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE tillroll.event_step ALTER COLUMN hash SET NOT NULL;

-- Sees the lines that the same statement has put in before.
CREATE FUNCTION tillroll.event_step_add() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.hash := tillroll.event_step_chain(
        (SELECT hash FROM tillroll.event_step
         WHERE event_id = NEW.event_id AND seq = NEW.seq - 1), NEW);
    RETURN NEW;
END
$$;
CREATE TRIGGER event_step_add BEFORE INSERT ON tillroll.event_step
    FOR EACH ROW EXECUTE FUNCTION tillroll.event_step_add();
ALTER TABLE tillroll.event_step ENABLE ALWAYS TRIGGER event_step_add;
GRANT EXECUTE ON FUNCTION tillroll.event_step_chain(bytea, tillroll.event_step)
    TO tillroll_service;
