-- Weighs what a query says, as weigh_words does, for a user with drawers in other languages than English, or of a query
-- with parts or grams.
--
-- A word is stemmed as English and in each other language that the user has drawers in: it is one word with several
-- stems, as frequent as the most frequent of them. The query is taken to be in the language of most of its stop words,
-- whose stop words do not count then. Leans on pk_term_count and pk_count_delta.
CREATE OR REPLACE FUNCTION weigh_words_of_languages(whose bigint, query text, parts text[], grams text[])
RETURNS TABLE (word tsquery, df bigint, idf double precision, is_pair boolean)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    WITH passages AS MATERIALIZED (
        SELECT coalesce(sum(amount), 0)::double precision AS total FROM @palace@.count_delta
        WHERE user_id = whose AND counted = 'passage'
    ), stemmers AS MATERIALIZED (
        SELECT stemmer FROM @palace@.stemmers_of(whose) AS known (stemmer)
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
        FROM said CROSS JOIN passages
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
$$;
