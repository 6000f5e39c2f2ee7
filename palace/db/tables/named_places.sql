-- Gives the rooms, wings and closets of a user whose names hold words, and of each which of the words.
--
-- whose   the user; refused unless it is the one that the session is for
-- terms   what is looked for; n is the place of each, from 1
-- most    of how many names of a kind a word may be a part: one that more hold tells nothing and gives nothing
--
-- Runs as the owner, because row-level security keeps @@ off the GIN indexes (it is not leakproof); so it asks whose
-- session it is, and names the user in every access and the schema of every table: what its caller makes is never
-- looked at. @palace@ stands for the schema. Leans on ix_room_user_id_name_tsv, ix_wing_user_id_name_tsv and
-- ix_closet_user_id_name_tsv.
CREATE OR REPLACE FUNCTION named_places(whose bigint, terms tsquery[], most int)
RETURNS TABLE (kind text, id bigint, n bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    IF (whose = nullif(current_setting('palace.user_id', true), '')::bigint) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'named_places answers the session''s own user alone';
    END IF;
    RETURN QUERY
    WITH met AS MATERIALIZED (
        SELECT found.kind, found.id, term.n
        FROM unnest(terms) WITH ORDINALITY AS term (q, n) CROSS JOIN LATERAL (
            (SELECT 'closet'::text AS kind, c.id FROM @palace@.closet AS c
             WHERE c.user_id = whose AND c.name_tsv @@ term.q LIMIT most + 1)
            UNION ALL
            (SELECT 'room'::text, r.id FROM @palace@.room AS r
             WHERE r.user_id = whose AND r.name_tsv @@ term.q LIMIT most + 1)
            UNION ALL
            (SELECT 'wing'::text, w.id FROM @palace@.wing AS w
             WHERE w.user_id = whose AND w.name_tsv @@ term.q LIMIT most + 1)
        ) AS found
    )
    SELECT kind, id, n
    FROM (SELECT met.*, count(*) OVER (PARTITION BY met.kind, met.n) AS held FROM met) AS counted
    WHERE held <= most;
END $$;
