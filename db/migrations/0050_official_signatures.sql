-- Officials' signatures of lines of an event's log (engine/tournament/event/official.h).
SET LOCAL ROLE tillroll_owner;

-- `base`: the line after which the official signed.
CREATE TABLE tillroll.event_step_signature (
    event_id uuid NOT NULL,
    seq integer NOT NULL,
    base integer NOT NULL,
    key bytea NOT NULL CHECK (octet_length(key) = 32),
    signature bytea NOT NULL CHECK (octet_length(signature) = 64),
    PRIMARY KEY (event_id, seq),
    FOREIGN KEY (event_id, seq) REFERENCES tillroll.event_step,
    CHECK (base >= 1 AND base < seq)
);
CALL tillroll.make_append_only('tillroll.event_step_signature');
GRANT SELECT, INSERT ON tillroll.event_step_signature TO tillroll_service;
