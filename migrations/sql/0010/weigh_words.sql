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
-- A word is stemmed as English and in each other language that the user has drawers in: it is one word with several
-- stems, as frequent as the most frequent of them. The query is taken to be in the language of most of its stop words,
-- whose stop words do not count then. A user with English alone is asked for what English needs, as most recalls are.
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
        RETURN QUERY
        WITH counts AS MATERIALIZED (
            SELECT counted, sum(amount)::double precision AS total FROM @palace@.count_delta
            WHERE user_id = whose AND (counted = 'passage' OR starts_with(counted, 'language:')) GROUP BY counted
        ), stemmers AS MATERIALIZED (
            SELECT stemmer::regdictionary FROM counts JOIN (VALUES
                ('ar', 'arabic_stem'), ('da', 'danish_stem'), ('de', 'german_stem'), ('el', 'greek_stem'),
                ('es', 'spanish_stem'), ('fi', 'finnish_stem'), ('fr', 'french_stem'), ('hi', 'hindi_stem'),
                ('hu', 'hungarian_stem'), ('id', 'indonesian_stem'), ('it', 'italian_stem'), ('nl', 'dutch_stem'),
                ('no', 'norwegian_stem'), ('pt', 'portuguese_stem'), ('ro', 'romanian_stem'), ('ru', 'russian_stem'),
                ('sv', 'swedish_stem'), ('tr', 'turkish_stem')
            ) AS known (language, stemmer) ON counted = 'language:' || language
            WHERE total > 0
        ), forms AS MATERIALIZED (
            SELECT place, stemmer, ts_lexize(CASE WHEN tokid IN (1, 2, 10, 11, 16, 17) THEN stemmer
                                                  ELSE 'simple'::regdictionary END, token) AS stems
            FROM (SELECT 'english_stem'::regdictionary AS stemmer WHERE EXISTS (SELECT FROM stemmers)
                  UNION ALL SELECT stemmer FROM stemmers) AS known
            CROSS JOIN LATERAL (
                SELECT * FROM ts_parse('default', query) WITH ORDINALITY AS parsed (tokid, token, place)
                WHERE tokid NOT IN (12, 13, 14) LIMIT 64) AS parsed
        ), stopped AS MATERIALIZED (
            SELECT place FROM (
                SELECT place, rank() OVER (ORDER BY stops DESC) AS rank
                FROM (SELECT place, count(*) OVER (PARTITION BY stemmer) AS stops FROM forms WHERE stems = '{}') AS stop
            ) AS ranked WHERE rank = 1
        ), quoted AS MATERIALIZED (
            SELECT found[1] AS said FROM regexp_matches(query, '["“]([^"“”]{3,200})["”]', 'g') AS found LIMIT 8
        ), said AS MATERIALIZED (
            (SELECT NULL AS quotation, ARRAY[lexeme] AS lexemes, positions::int[] AS positions, 1.0 AS share
             FROM unnest(to_tsvector('english', query)) WHERE NOT EXISTS (SELECT FROM stemmers) LIMIT 64)
            UNION ALL
            SELECT NULL, lexemes, array_agg(place::int), 1.0 FROM (
                SELECT place, array_agg(DISTINCT stem ORDER BY stem) AS lexemes
                FROM forms CROSS JOIN LATERAL unnest(stems) AS stem
                WHERE place NOT IN (SELECT place FROM stopped) GROUP BY place
            ) AS spoken GROUP BY lexemes
            UNION ALL
            SELECT quoted.said, ARRAY[lexeme], NULL, 1.0
            FROM quoted CROSS JOIN LATERAL unnest(to_tsvector('@palace@.palace_plain', said))
            UNION ALL
            SELECT DISTINCT NULL, ts_lexize(CASE WHEN part ~ '^[a-z]+$' THEN 'english_stem'::regdictionary
                                                 ELSE 'simple'::regdictionary END, part), NULL::int[], 0.5
            FROM unnest(parts) AS part
            UNION ALL
            SELECT NULL, ARRAY[gram], NULL, 1.0 FROM unnest(grams) AS gram
        ), weighed AS MATERIALIZED (
            SELECT said.*, coalesce(held, 0)::bigint AS df,
                   share * ln(1 + (greatest(total - coalesce(held, 0), 0) + 0.5) / (coalesce(held, 0) + 0.5)) AS idf
            FROM said
            CROSS JOIN (SELECT coalesce(max(total) FILTER (WHERE counted = 'passage'), 0) AS total
                        FROM counts) AS passages
            CROSS JOIN LATERAL (SELECT max(t.passage_count) AS held FROM @palace@.term_count AS t
                                WHERE t.user_id = whose AND t.lexeme = ANY (said.lexemes)) AS known
            WHERE share = 1 OR lexemes <> '{}' AND NOT EXISTS (
                SELECT FROM said AS whole
                WHERE whole.share = 1 AND whole.quotation IS NULL AND whole.lexemes && said.lexemes)
        ), queried AS (
            SELECT weighed.*,
                   (SELECT string_agg(quote_literal(one), ' | ') FROM unnest(lexemes) AS one)::tsquery AS word,
                   (SELECT string_agg(quote_literal(one) || ':A', ' | ') FROM unnest(lexemes) AS one)::tsquery AS stemmed
            FROM weighed WHERE quotation IS NULL
        ), placed AS (
            SELECT lexemes, stemmed, idf, lead(lexemes) OVER following AS next,
                   lead(stemmed) OVER following AS next_stemmed, lead(idf) OVER following AS next_idf
            FROM queried CROSS JOIN LATERAL unnest(positions) AS place
            WINDOW following AS (ORDER BY place, lexemes)
        )
        SELECT word, df, idf, false FROM queried
        UNION ALL
        SELECT phraseto_tsquery('@palace@.palace_plain', quotation), min(df)::bigint, sum(idf), false
        FROM weighed WHERE quotation IS NOT NULL GROUP BY quotation HAVING count(*) > 1
        UNION ALL
        SELECT DISTINCT tsquery_phrase(stemmed, next_stemmed) || tsquery_phrase(stemmed, next_stemmed, 2), 0::bigint,
               idf + next_idf, true
        FROM placed WHERE next IS NOT NULL AND next <> lexemes;
    END IF;
END
$$;
