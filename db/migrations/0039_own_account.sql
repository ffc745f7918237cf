-- What people see of their own account: when a session was last seen, and the events that they take part in or run.
SET LOCAL ROLE tillroll_owner;

-- Within some minutes: it is written down now and then, not with each request (api/state/sessions.h). NULL before that.
ALTER TABLE tillroll.token ADD COLUMN seen_at timestamptz(3);
GRANT UPDATE (seen_at) ON tillroll.token TO tillroll_service;

CREATE INDEX entry_of_player ON tillroll.entry (player_id, event_id);
CREATE INDEX event_role_of_player ON tillroll.event_role (player_id, event_id);
