-- A player's changes of rating, page by page.
SET LOCAL ROLE tillroll_owner;

CREATE INDEX rating_change_of_player ON tillroll.rating_change (player_id, scope, at, game_id);
