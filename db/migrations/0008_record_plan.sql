-- The trigger's query is planned once per session: otherwise the planner, seeing 16 partitions,
-- plans it anew for every line, which takes longer than all the rest.
SET LOCAL ROLE tillroll_owner;

ALTER FUNCTION tillroll.record_line_check() SET plan_cache_mode = force_generic_plan;
