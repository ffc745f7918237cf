-- Events that were cancelled before anything was played: closed, with the line `cancelled` in their log.
SET LOCAL ROLE tillroll_owner;

ALTER TABLE tillroll.event ADD COLUMN cancelled boolean NOT NULL DEFAULT false;
GRANT UPDATE (cancelled) ON tillroll.event TO tillroll_service;
