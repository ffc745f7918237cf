-- Tables whose reported result an official has to decide: a player objects to it, or two reports differ. What happened stands in
-- the event's log; this is what lists and badges of officials count. Tables that were contested before this migration appear
-- with the next line of the log about them.
SET LOCAL ROLE tillroll_owner;

CREATE TABLE tillroll.contested_table (
    event_id uuid NOT NULL REFERENCES tillroll.event,
    round integer NOT NULL CHECK (round >= 0),
    table_number integer NOT NULL CHECK (table_number >= 1),
    parties uuid[] NOT NULL, -- players at the table and owners of bots there, who do not decide
    at timestamptz(3) NOT NULL,
    PRIMARY KEY (event_id, round, table_number)
);
GRANT SELECT, INSERT, DELETE ON tillroll.contested_table TO tillroll_service;
