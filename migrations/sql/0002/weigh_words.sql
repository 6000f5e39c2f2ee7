-- Weighs the words of a query by how rare they are in the calling user's passages, the rarest first (n from 1).
--
-- query   any text; its words count stemmed (english) and as written (palace_plain), stop words do not
-- df is the number of passages that hold the word, as of the last fold; idf is BM25's (Robertson and Zaragoza, 2009).
--
-- Called by keyword_candidates, as the owner; so it names the user itself. Leans on pk_term_count.
CREATE OR REPLACE FUNCTION weigh_words(query text)
RETURNS TABLE (n bigint, word tsquery, df bigint, idf double precision)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT row_number() OVER (ORDER BY found.df, found.lexeme), quote_literal(found.lexeme)::tsquery, found.df,
           ln(1 + (greatest(passages.total - found.df, 0) + 0.5) / (found.df + 0.5))
    FROM (SELECT given.lexeme, coalesce(t.passage_count, 0)::bigint AS df
          FROM (SELECT lexeme FROM unnest(to_tsvector('english', query))
                UNION SELECT lexeme FROM unnest(to_tsvector('palace_plain', query))
                LIMIT 64) AS given
          LEFT JOIN term_count AS t
               ON t.user_id = current_setting('palace.user_id')::bigint AND t.lexeme = given.lexeme) AS found
    CROSS JOIN (SELECT coalesce(sum(amount), 0)::double precision AS total FROM count_delta
                WHERE user_id = current_setting('palace.user_id')::bigint AND counted = 'passage') AS passages;
$$;
