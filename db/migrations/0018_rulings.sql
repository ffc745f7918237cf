-- What officials have ruled of tables, as the event's log says it now: for ratings, and whatever else
-- is reckoned from the results of games.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.ruled_seat (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    round integer NOT NULL CHECK (round >= 0),
    table_number integer NOT NULL CHECK (table_number >= 1),
    seat integer NOT NULL CHECK (seat BETWEEN 0 AND 4),
    score integer NOT NULL,
    rank integer NOT NULL CHECK (rank BETWEEN 1 AND 5),
    forfeit boolean NOT NULL,
    PRIMARY KEY (event_id, round, table_number, seat)
);
GRANT SELECT, INSERT, DELETE ON tillroll.ruled_seat TO tillroll_service;

-- A ruling stands over the result of its game; a game of which a seat was lost or won by forfeit is
-- none that says how well somebody plays.
CREATE OR REPLACE VIEW tillroll.counted_result AS
    SELECT result.game_id, result.seat, coalesce(ruled.score, result.score) AS score,
           coalesce(ruled.rank, result.rank) AS rank
    FROM tillroll.game_result AS result
    JOIN tillroll.game ON game.id = result.game_id
    LEFT JOIN tillroll.ruled_seat AS ruled
        ON ruled.event_id = game.event_id AND ruled.round = game.round
        AND ruled.table_number = game.table_number AND ruled.seat = result.seat
    WHERE NOT EXISTS (
        SELECT FROM tillroll.ruled_seat AS forfeited
        WHERE forfeited.event_id = game.event_id AND forfeited.round = game.round
          AND forfeited.table_number = game.table_number AND forfeited.forfeit);

-- Of a thousand tables, how they were drawn is longer than what people write.
ALTER TABLE tillroll.round ALTER COLUMN quality TYPE tillroll.event_detail;
