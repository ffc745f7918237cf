-- An event's page says which seasons it counts for.
SET LOCAL ROLE tillroll_owner;

CREATE INDEX season_event_of_event ON tillroll.season_event (event_id);
