-- Refreshes what the planner knows about how many rows each user has. A user who is new, or has grown, is unknown to
-- it until then; it expects one row, and joins what it expects to be small by reading all of it again and again.
-- Tables that somebody holds are left for the next time. Takes a fraction of a second: only key columns are sampled.
-- Runs as the owner, as ANALYZE requires; it tells nothing and changes no row. @palace@ stands for the schema.
--
-- whose   the user who has grown; refused unless it is the one that the session is for
CREATE OR REPLACE FUNCTION refresh_statistics(whose bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (whose = nullif(current_setting('palace.user_id', true), '')::bigint) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'refresh_statistics answers the session''s own user alone';
    END IF;
    ANALYZE (SKIP_LOCKED)
        @palace@.conversation (user_id, id), @palace@.room (user_id, id, wing_id, conversation_id),
        @palace@.drawer (user_id, id, room_id, conversation_id, run_id), @palace@.passage (user_id, drawer_id),
        @palace@.passage_embedding (user_id, generation_id, drawer_id), @palace@.term_count (user_id);
END $$;
