-- The names in its body were looked up when it was made. Without a setting of its own PostgreSQL puts the body where
-- it is called, which takes a fifth of the time; a notice of each turn needs one.
SET LOCAL ROLE tillroll_owner;

ALTER FUNCTION tillroll.new_id RESET search_path;
