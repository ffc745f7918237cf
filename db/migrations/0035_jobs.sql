-- Steps that may take longer than a request should (api/jobs.h).
SET LOCAL ROLE tillroll_owner;

-- One that runs keeps others from beginning the same `step`. It is known to have died with its
-- service when `alive_until` has passed. `told`: somebody knows its id, so that how it ended is kept.
-- No foreign keys: what it is about may not exist yet.
CREATE TABLE tillroll.job (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    step text NOT NULL,
    subject text NOT NULL,
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    player_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed')),
    told boolean NOT NULL,
    phase text NOT NULL DEFAULT '',
    done integer NOT NULL DEFAULT 0 CHECK (done >= 0),
    total integer NOT NULL DEFAULT 0 CHECK (total >= 0),
    started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    alive_until timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    status integer NOT NULL DEFAULT 0,
    location text NOT NULL DEFAULT '',
    answer text NOT NULL DEFAULT '',
    CHECK ((state = 'running') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX job_step ON tillroll.job (step) WHERE state = 'running';
CREATE INDEX job_player ON tillroll.job (player_id, id) WHERE state <> 'running';
CREATE INDEX job_ended_at ON tillroll.job (ended_at);
GRANT SELECT, INSERT, DELETE,
    UPDATE (state, told, phase, done, total, alive_until, ended_at, status, location, answer)
    ON tillroll.job TO tillroll_service;
