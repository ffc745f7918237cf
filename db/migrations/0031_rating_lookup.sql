-- As before, but each rating is looked up by its key: joined, they were all read, as the plan had it
-- that was made when there were few.
SET LOCAL ROLE tillroll_owner;

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
