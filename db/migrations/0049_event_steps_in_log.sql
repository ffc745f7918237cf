-- Every change of an event's log is a leaf of the transparency log: the value of its chain after the last line of a transaction.
SET LOCAL ROLE tillroll_owner;

CREATE FUNCTION tillroll.event_step_queued() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM tillroll.event_step
                   WHERE event_id = NEW.event_id AND seq = NEW.seq + 1) THEN
        INSERT INTO tillroll.log_queue (entry)
            VALUES (format(E'tillroll event-step\n%s/line/%s\n%s\n', NEW.event_id, NEW.seq,
                           encode(NEW.hash, 'hex')))
            ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION tillroll.event_step_queued() FROM PUBLIC;

CREATE CONSTRAINT TRIGGER event_step_queued AFTER INSERT ON tillroll.event_step
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tillroll.event_step_queued();
