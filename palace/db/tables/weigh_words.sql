-- Weighs what a query says by how rare it is in a user's passages.
--
-- whose   the user
-- query   any text; its words count stemmed, stop words do not; what it quotes counts whole, as written
-- parts   of the query's names and codes: they count by half, unless the query says them anyway
-- grams   runs of its writing without spaces, as they stand in an index
-- is_pair   whether this is two words that stand beside each other in the query: in a passage they may have one word
--           between them
-- df is the number of passages that hold the word, as of the last fold, of a quotation its rarest word's; idf is
-- BM25's (Robertson and Zaragoza, 2009), of quotations and pairs the sum of their words'.
--
-- A user with drawers in English alone is asked for what English needs, as most recalls are; of others see
-- weigh_words_of_languages.
--
-- Runs as its caller, whose policies hold: another user's words count as unknown. @palace@ stands for the schema. Leans
-- on pk_term_count and pk_count_delta.
CREATE OR REPLACE FUNCTION weigh_words(whose bigint, query text, parts text[], grams text[])
RETURNS TABLE (word tsquery, df bigint, idf double precision, is_pair boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    IF parts = '{}' AND grams = '{}' AND NOT EXISTS (
        SELECT FROM @palace@.count_delta WHERE user_id = whose AND starts_with(counted, 'language:')
    ) THEN
        RETURN QUERY
        WITH passages AS MATERIALIZED (
            SELECT coalesce(sum(amount), 0)::double precision AS total FROM @palace@.count_delta
            WHERE user_id = whose AND counted = 'passage'
        ), quoted AS MATERIALIZED (
            SELECT found[1] AS said FROM regexp_matches(query, '["“]([^"“”]{3,200})["”]', 'g') AS found LIMIT 8
        ), said AS MATERIALIZED (
            (SELECT NULL AS quotation, lexeme, positions FROM unnest(to_tsvector('english', query)) LIMIT 64)
            UNION ALL
            SELECT quoted.said, lexeme, positions
            FROM quoted CROSS JOIN LATERAL unnest(to_tsvector('@palace@.palace_plain', said))
        ), weighed AS MATERIALIZED (
            SELECT said.*, coalesce(t.passage_count, 0)::bigint AS df,
                   ln(1 + (greatest(passages.total - coalesce(t.passage_count, 0), 0) + 0.5)
                      / (coalesce(t.passage_count, 0) + 0.5)) AS idf
            FROM passages CROSS JOIN said
            LEFT JOIN @palace@.term_count AS t ON t.user_id = whose AND t.lexeme = said.lexeme
        ), placed AS (
            SELECT lexeme, idf, lead(lexeme) OVER following AS next, lead(idf) OVER following AS next_idf
            FROM weighed CROSS JOIN LATERAL unnest(positions) AS place
            WHERE quotation IS NULL
            WINDOW following AS (ORDER BY place, lexeme)
        )
        SELECT quote_literal(lexeme)::tsquery, df, idf, false FROM weighed WHERE quotation IS NULL
        UNION ALL
        SELECT phraseto_tsquery('@palace@.palace_plain', quotation), min(df)::bigint, sum(idf), false
        FROM weighed WHERE quotation IS NOT NULL GROUP BY quotation HAVING count(*) > 1
        UNION ALL
        SELECT DISTINCT tsquery_phrase(one, other) || tsquery_phrase(one, other, 2), 0::bigint, idf + next_idf, true
        FROM placed
        CROSS JOIN LATERAL (SELECT (quote_literal(lexeme) || ':A')::tsquery AS one,
                                   (quote_literal(next) || ':A')::tsquery AS other) AS stemmed
        WHERE next IS NOT NULL AND next <> lexeme;
    ELSE
        RETURN QUERY SELECT * FROM @palace@.weigh_words_of_languages(whose, query, parts, grams);
    END IF;
END
$$;
