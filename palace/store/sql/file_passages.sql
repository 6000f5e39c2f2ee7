-- Files passages with their keywords, and makes them pending in the generations the user writes to; tools' are not.
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
    RETURNING drawer_id, ordinal, is_tool
)
INSERT INTO passage_embedding (user_id, drawer_id, ordinal, generation_id)
SELECT :user_id, drawer_id, ordinal, generation_id
FROM filed CROSS JOIN unnest(CAST(:generations AS int[])) AS written (generation_id)
WHERE NOT is_tool
