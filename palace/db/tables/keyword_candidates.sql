-- Proposes passages of a user that share words with a query, and rooms in which the person used them, each best first.
-- Of a room there is no passage.
--
-- whose            the user; refused unless it is the one that the session is for
-- terms, worths    what is looked for, and the inverse document frequency of each (see weigh_words)
-- match_limit      how many matches of each term are looked at
-- best_limit       how many passages, and as many rooms, are given back
-- tools            whether tool calls and results are considered
-- wings, since, until   a scope; null for none. An undated drawer counts as said when its room began
-- role, speaker    whose words the passages are; null for anybody's. Everything found is looked through, as the best of
--                  all may be others'; rooms are scored as without
-- without          readers whose conversations are left out; null for none
--
-- A passage's score is BM25 (k1 0.9, b 0.5; size in characters) that takes a word as said once: a passage is short,
-- and how often it says a word was measured to add nothing. A room's counts the person's passages with a word (k1 1.2).
--
-- Runs as the owner, because row-level security keeps @@ off the GIN index (it is not leakproof); so it asks whose
-- session it is, and names the user in every access and the schema of every table: what its caller makes is never
-- looked at. @palace@ stands for the schema. Leans on ix_passage_user_id_tsv.
CREATE OR REPLACE FUNCTION keyword_candidates(
    whose bigint, terms tsquery[], worths double precision[], match_limit int, best_limit int, tools boolean,
    wings bigint[], since timestamptz, until timestamptz, role text, speaker text, without text[]
) RETURNS TABLE (drawer_id bigint, ordinal int, room_id bigint, score double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    scoped boolean := wings IS NOT NULL OR since IS NOT NULL OR until IS NOT NULL OR without IS NOT NULL;
    of_anybody boolean := role IS NULL AND speaker IS NULL;
BEGIN
    IF (whose = nullif(current_setting('palace.user_id', true), '')::bigint) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'keyword_candidates answers the session''s own user alone';
    END IF;
    RETURN QUERY
    WITH met AS MATERIALIZED (
        SELECT term.n, term.worth, found.*
        FROM unnest(terms, worths) WITH ORDINALITY AS term (q, worth, n) CROSS JOIN LATERAL (
            SELECT p.drawer_id, p.ordinal, p.room_id, p.is_person, p.char_end - p.char_start AS size
            FROM @palace@.passage AS p
            WHERE p.user_id = whose AND p.tsv @@ term.q AND (tools OR p.kind <> 'tool')
              AND (NOT scoped OR EXISTS (
                  SELECT FROM @palace@.drawer AS d JOIN @palace@.room AS r ON r.user_id = d.user_id AND r.id = d.room_id
                  WHERE d.user_id = whose AND d.id = p.drawer_id
                    AND (wings IS NULL OR r.wing_id = ANY (wings))
                    AND (since IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) >= since)
                    AND (until IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) < until)
                    AND (without IS NULL OR NOT EXISTS (
                        SELECT FROM @palace@.conversation AS c
                        WHERE c.user_id = whose AND c.id = d.conversation_id AND c.reader = ANY (without)))))
            LIMIT match_limit
        ) AS found
    ), passages AS (
        SELECT drawer_id, ordinal, sum(worth) * 1.9 / (1.45 + 0.45 * max(size) / (SELECT avg(size) FROM met)) AS score
        FROM met
        WHERE of_anybody OR (
            SELECT (keyword_candidates.role IS NULL OR d.role = keyword_candidates.role)
               AND (keyword_candidates.speaker IS NULL OR lower(d.speaker) = lower(keyword_candidates.speaker))
            FROM @palace@.drawer AS d WHERE d.user_id = whose AND d.id = met.drawer_id)
        GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT best_limit
    ), rooms AS (
        SELECT room_id, sum(worth * said / (said + 1.2)) AS score
        FROM (SELECT room_id, n, worth, count(*) AS said FROM met WHERE is_person GROUP BY 1, 2, 3) AS counted
        GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT best_limit
    )
    SELECT drawer_id, ordinal, NULL::bigint, score::double precision FROM passages
    UNION ALL SELECT NULL, NULL, room_id, score::double precision FROM rooms;
END $$;
