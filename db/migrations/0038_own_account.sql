-- What people see of their own account: when a session was last used.
SET LOCAL ROLE tillroll_owner;

-- Within some minutes: it is written down now and then, not with each request (api/state/sessions.h). NULL before that.
ALTER TABLE tillroll.token ADD COLUMN seen_at timestamptz(3);
GRANT UPDATE (seen_at) ON tillroll.token TO tillroll_service;
