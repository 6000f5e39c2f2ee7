-- Refreshes what the planner knows about how many rows each user has. A user who is new, or has grown, is unknown to
-- it until then; it expects one row, and joins what it expects to be small by reading all of it again and again.
-- Tables that somebody holds are left for the next time. Takes a fraction of a second: only key columns are sampled.
-- Runs as the owner, as ANALYZE requires; it tells nothing and changes no row.
CREATE OR REPLACE FUNCTION refresh_statistics() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    ANALYZE (SKIP_LOCKED)
        conversation (user_id, id), room (user_id, id, wing_id, conversation_id),
        drawer (user_id, id, room_id, conversation_id, run_id), passage (user_id, drawer_id),
        passage_embedding (user_id, generation_id, drawer_id), term_count (user_id);
$$;
