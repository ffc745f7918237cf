-- An event can leave a season until the season is closed. The season's log, which nobody changes, keeps that it was there.
SET LOCAL ROLE tillroll_owner;

GRANT DELETE ON tillroll.season_event TO tillroll_service;
