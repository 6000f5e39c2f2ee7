-- Proposes passages of the calling user that share words with a query, best first.
--
-- query         any text; its words count stemmed (english) and as written (palace_plain), stop words do not
-- match_limit   how many matches are looked at: the rarest words' first; of three words beyond it, where two meet
-- best_limit    how many passages are given back
-- tools         whether tool calls and results are considered
-- wing_id, since, until   a scope; null for none. An undated drawer counts as said when its room began
--
-- A passage's score is BM25 (k1 1.2, b 0.75) with the user's own document frequencies, see weigh_words.
-- How often a word stands in a passage is read off ts_rank, which is the sum of 1/j² up to that number, over 1.6449.
-- Coverage is the share of the query's inverse document frequency that a passage holds, in [0, 1].
--
-- Runs as the owner, because row-level security keeps @@ off the GIN index (it is not leakproof); so it names the
-- user itself. Leans on ix_passage_user_id_tsv.
CREATE OR REPLACE FUNCTION keyword_candidates(
    query text, match_limit int, best_limit int, tools boolean,
    wing_id bigint, since timestamptz, until timestamptz
) RETURNS TABLE (drawer_id bigint, ordinal int, score double precision, coverage double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    me bigint := current_setting('palace.user_id')::bigint;
    scoped boolean := keyword_candidates.wing_id IS NOT NULL OR since IS NOT NULL OR until IS NOT NULL;
    words tsquery[]; weights double precision[];
    probes tsquery[]; worths double precision[];
BEGIN
    WITH weighed AS MATERIALIZED (
        SELECT *, sum(df) OVER (ORDER BY n) <= match_limit AS affordable FROM weigh_words(query)
    ), probed AS (
        SELECT word, idf FROM weighed WHERE affordable OR (SELECT count(*) FROM weighed) = 1
        UNION ALL
        SELECT one.word && other.word, one.idf + other.idf
        FROM weighed AS one JOIN weighed AS other ON other.n > one.n
        WHERE NOT one.affordable AND other.n <= 3 + (SELECT count(*) FROM weighed WHERE affordable)
    )
    SELECT (SELECT array_agg(word ORDER BY n) FROM weighed), (SELECT array_agg(idf ORDER BY n) FROM weighed),
           (SELECT array_agg(word) FROM probed), (SELECT array_agg(idf) FROM probed)
    INTO words, weights, probes, worths;

    RETURN QUERY
    WITH matched AS MATERIALIZED (
        SELECT found.drawer_id, found.ordinal, sum(probe.worth) AS held
        FROM unnest(probes, worths) AS probe (q, worth) CROSS JOIN LATERAL (
            SELECT p.drawer_id, p.ordinal
            FROM passage AS p
            WHERE p.user_id = me AND p.tsv @@ probe.q AND (tools OR NOT p.is_tool)
              AND (NOT scoped OR EXISTS (
                  SELECT FROM drawer AS d JOIN room AS r ON r.user_id = d.user_id AND r.id = d.room_id
                  WHERE d.user_id = me AND d.id = p.drawer_id
                    AND (keyword_candidates.wing_id IS NULL OR r.wing_id = keyword_candidates.wing_id)
                    AND (since IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) >= since)
                    AND (until IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) < until)))
            LIMIT match_limit
        ) AS found
        GROUP BY 1, 2 ORDER BY held DESC, 1, 2 LIMIT best_limit
    ),
    counted AS MATERIALIZED (
        SELECT m.drawer_id, m.ordinal, length(plain.tsv) AS size, avg(length(plain.tsv)) OVER ()::float8 AS mean_size,
               ARRAY(SELECT width_bucket(ts_rank(plain.tsv, w.q)::double precision,
                                         ARRAY[0.5, 0.69, 0.8, 0.85, 0.88, 0.9, 0.914, 0.924])
                     FROM unnest(words) WITH ORDINALITY AS w (q, n) ORDER BY w.n) AS times
        FROM matched AS m
        CROSS JOIN LATERAL (SELECT p.tsv || ''::tsvector AS tsv FROM passage AS p
                            WHERE p.user_id = me AND p.drawer_id = m.drawer_id AND p.ordinal = m.ordinal
                            OFFSET 0) AS plain
    )
    SELECT c.drawer_id, c.ordinal, ranked.score, ranked.held / (SELECT sum(w) FROM unnest(weights) AS w)
    FROM counted AS c
    CROSS JOIN LATERAL (
        SELECT sum(w.idf * w.tf * 2.2::float8 / (w.tf + 0.3::float8 + 0.9::float8 * c.size / c.mean_size)) AS score,
               sum(w.idf) FILTER (WHERE w.tf > 0) AS held
        FROM unnest(weights, c.times) AS w (idf, tf)
    ) AS ranked
    ORDER BY ranked.score DESC, c.drawer_id, c.ordinal;
END $$;
