-- What is asked for one player or one ruleset reads no more than that, even with a plan that was made
-- when tables were small.
SET LOCAL ROLE tillroll_owner;

-- Percentiles (db/percentiles.c) are made of the boards of one ruleset.
CREATE INDEX game_board ON tillroll.game (slug, id) WHERE board IS NOT NULL;

-- As before, but each rating is looked up by its key; joined, they were all read.
CREATE OR REPLACE FUNCTION tillroll.ratings_to_change(players uuid[], scopes text[])
    RETURNS TABLE (mu bigint, sigma bigint, games integer)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7306086895124181868);
    PERFORM pg_advisory_xact_lock(1953066093, key)
        FROM (SELECT DISTINCT uuid_hash(player) AS key FROM unnest(players) AS player
              ORDER BY key OFFSET 0) AS keys;
    RETURN QUERY
        SELECT coalesce(now.mu, 0), coalesce(now.sigma, 0), coalesce(now.games, 0)
            FROM unnest(players, scopes) WITH ORDINALITY AS given (player_id, scope, place)
            LEFT JOIN LATERAL (
                SELECT rating.mu, rating.sigma, rating.games FROM tillroll.rating
                    WHERE rating.player_id = given.player_id AND rating.scope = given.scope
                    OFFSET 0) AS now ON true
            ORDER BY place;
END
$$;

-- As before, but games are looked up one by one. Where few games are of events, those of all events
-- were read for each result.
CREATE OR REPLACE FUNCTION tillroll.game_results_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'game_scored', NULL, game_id, NULL),
            tillroll.add_standings_change(event_id)
        FROM (SELECT DISTINCT game.event_id, added.game_id FROM added CROSS JOIN LATERAL (
                  SELECT event_id FROM tillroll.game WHERE id = added.game_id OFFSET 0) AS game
              WHERE game.event_id IS NOT NULL) AS scored;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION tillroll.game_seats_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM tillroll.add_event_change(event_id, 'seats_changed', NULL, game_id, NULL)
        FROM (SELECT DISTINCT game.event_id, changed.game_id
              FROM changed JOIN was USING (game_id, seat) CROSS JOIN LATERAL (
                  SELECT event_id, board, delay_entries FROM tillroll.game
                  WHERE id = changed.game_id OFFSET 0) AS game
              WHERE game.event_id IS NOT NULL
                AND ((game.board IS NULL AND game.delay_entries = 0)
                     OR changed.player_id <> was.player_id)
              ORDER BY changed.game_id) AS seated;
    RETURN NULL;
END
$$;
