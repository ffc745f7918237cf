-- Games of different players are rated side by side.
SET LOCAL ROLE tillroll_owner;

-- A game is after those that its players' ratings came from: it draws its number while it holds the
-- locks of its players. A release before this one names a number of its own, which counts for
-- nothing. A game that was not committed leaves a gap.
CREATE SEQUENCE tillroll.rated_game_number AS bigint;
SELECT setval('tillroll.rated_game_number', max(number)) FROM tillroll.rated_game HAVING count(*) > 0;

CREATE FUNCTION tillroll.rated_game_draw_number() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.number := nextval('tillroll.rated_game_number');
    RETURN NEW;
END
$$;
CREATE TRIGGER rated_game_draw_number BEFORE INSERT ON tillroll.rated_game
    FOR EACH ROW EXECUTE FUNCTION tillroll.rated_game_draw_number();
ALTER TABLE tillroll.rated_game ENABLE ALWAYS TRIGGER rated_game_draw_number;

-- The ratings of these players in these scopes, in the order given; none where a player has none yet.
-- Until the end of the transaction nobody else rates a game of one of the players, and nobody makes
-- ratings again, who locks the first key alone. Players are locked in one order, so that nobody
-- waits in a circle. The second statement sees what was committed while the first one waited.
CREATE FUNCTION tillroll.ratings_to_change(players uuid[], scopes text[])
    RETURNS TABLE (mu bigint, sigma bigint, games integer)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7306086895124181868);
    PERFORM pg_advisory_xact_lock(1953066093, key)
        FROM (SELECT DISTINCT uuid_hash(player) AS key FROM unnest(players) AS player
              ORDER BY key OFFSET 0) AS keys;
    RETURN QUERY
        SELECT coalesce(rating.mu, 0), coalesce(rating.sigma, 0), coalesce(rating.games, 0)
            FROM unnest(players, scopes) WITH ORDINALITY AS given (player_id, scope, place)
            LEFT JOIN tillroll.rating USING (player_id, scope) ORDER BY place;
END
$$;
GRANT EXECUTE ON FUNCTION tillroll.ratings_to_change TO tillroll_service;
