-- Files passages with their keywords, notes how many hold each word, and makes them pending in the generations the
-- user writes to; tools' are neither counted nor embedded.
-- user_id, generations; drawer_ids, ordinals, starts, ends, tools, texts (arrays of one length).
WITH given AS (
    SELECT * FROM unnest(
        CAST(:drawer_ids AS bigint[]), CAST(:ordinals AS int[]), CAST(:starts AS int[]), CAST(:ends AS int[]),
        CAST(:tools AS boolean[]), CAST(:texts AS text[])
    ) AS passage (drawer_id, ordinal, char_start, char_end, is_tool, content)
), filed AS (
    INSERT INTO passage (user_id, drawer_id, ordinal, char_start, char_end, is_tool, tsv)
    SELECT :user_id, drawer_id, ordinal, char_start, char_end, is_tool,
           setweight(to_tsvector('english', content) || to_tsvector('palace_plain', content), 'A')
    FROM given
    RETURNING drawer_id, ordinal, is_tool, tsv
), counted AS (
    INSERT INTO term_delta (user_id, lexemes, amounts)
    SELECT :user_id, array_agg(lexeme), array_agg(passages)
    FROM (SELECT word.lexeme, count(*) AS passages
          FROM filed CROSS JOIN LATERAL unnest(filed.tsv) AS word
          WHERE NOT is_tool GROUP BY word.lexeme) AS held
    HAVING count(*) > 0
)
INSERT INTO passage_embedding (user_id, drawer_id, ordinal, generation_id)
SELECT :user_id, drawer_id, ordinal, generation_id
FROM filed CROSS JOIN unnest(CAST(:generations AS int[])) AS written (generation_id)
WHERE NOT is_tool
