-- Proposes passages of the calling user that share words with a query, best first.
--
-- query        any text; its words count stemmed (english) and as written (palace_plain), stop words do not
-- match_limit  a word in more passages than this is too common to propose any; it still counts in the score
-- best_limit   how many passages are given back
-- tools        whether tool calls and results are considered
-- wing_id, since, until   a scope; null for none. An undated drawer counts as said when its room began
--
-- A passage's score is the sum over the words of inverse document frequency times ts_rank; coverage is the share of
-- the query's inverse document frequency that it holds, in [0, 1].
--
-- Runs as the owner, because row-level security keeps @@ off the GIN index (it is not leakproof); so it names the
-- user itself. Leans on ix_passage_user_id_tsv.
CREATE FUNCTION keyword_candidates(
    query text, match_limit int, best_limit int, tools boolean,
    wing_id bigint, since timestamptz, until timestamptz
) RETURNS TABLE (drawer_id bigint, ordinal int, score double precision, coverage double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    me bigint := current_setting('palace.user_id')::bigint;
    passages double precision := (SELECT coalesce(sum(amount), 0) FROM count_delta
                                  WHERE user_id = me AND counted = 'passage');
    scoped boolean := keyword_candidates.wing_id IS NOT NULL OR since IS NOT NULL OR until IS NOT NULL;
BEGIN
    RETURN QUERY
    WITH term AS MATERIALIZED (
        SELECT row_number() OVER (ORDER BY lexeme) AS n, quote_literal(lexeme)::tsquery AS q
        FROM (SELECT lexeme FROM unnest(to_tsvector('english', query))
              UNION SELECT lexeme FROM unnest(to_tsvector('palace_plain', query))
              LIMIT 64) AS word
    ),
    matched AS MATERIALIZED (
        SELECT term.n, found.drawer_id, found.ordinal
        FROM term CROSS JOIN LATERAL (
            SELECT p.drawer_id, p.ordinal
            FROM passage AS p
            WHERE p.user_id = me AND p.tsv @@ term.q AND (tools OR NOT p.is_tool)
              AND (NOT scoped OR EXISTS (
                  SELECT FROM drawer AS d JOIN room AS r ON r.user_id = d.user_id AND r.id = d.room_id
                  WHERE d.user_id = me AND d.id = p.drawer_id
                    AND (keyword_candidates.wing_id IS NULL OR r.wing_id = keyword_candidates.wing_id)
                    AND (since IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) >= since)
                    AND (until IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) < until)))
            LIMIT match_limit + 1
        ) AS found
    ),
    weighed AS MATERIALIZED (
        SELECT n, term.q, coalesce(counted.df, 0) AS df,
               ln(1 + (greatest(passages - coalesce(counted.df, 0), 0) + 0.5) / (coalesce(counted.df, 0) + 0.5)) AS idf
        FROM term LEFT JOIN (SELECT n, count(*) AS df FROM matched GROUP BY n) AS counted USING (n)
    ),
    best AS (
        SELECT m.drawer_id, m.ordinal, sum(w.idf) AS held
        FROM matched AS m JOIN weighed AS w USING (n)
        WHERE w.df <= match_limit OR w.df = (SELECT min(df) FROM weighed WHERE df > 0)
        GROUP BY m.drawer_id, m.ordinal
        ORDER BY held DESC, m.drawer_id, m.ordinal
        LIMIT best_limit
    )
    SELECT best.drawer_id, best.ordinal, ranked.score, ranked.held / (SELECT sum(idf) FROM weighed)
    FROM best
    JOIN passage AS p ON p.user_id = me AND p.drawer_id = best.drawer_id AND p.ordinal = best.ordinal
    CROSS JOIN LATERAL (
        SELECT sum(w.idf * ts_rank(p.tsv, w.q, 1)) AS score,
               coalesce(sum(w.idf) FILTER (WHERE p.tsv @@ w.q), 0) AS held
        FROM weighed AS w
    ) AS ranked
    ORDER BY ranked.score DESC, best.drawer_id, best.ordinal;
END $$;
