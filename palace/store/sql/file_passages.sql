-- Files passages with their keywords, notes how many hold each word, and makes them pending in the generations the
-- user writes to; tools' are neither counted nor embedded. A sentence has no keywords: its passage holds them. Gives how
-- many are pending.
-- user_id, generations; drawer_ids, room_ids, ordinals, starts, ends, roles, sentences, choices, embedded, texts (arrays of
-- one length).
WITH given AS (
    SELECT *, role = 'tool' AS is_tool FROM unnest(
        CAST(:drawer_ids AS bigint[]), CAST(:room_ids AS bigint[]), CAST(:ordinals AS int[]), CAST(:starts AS int[]),
        CAST(:ends AS int[]), CAST(:roles AS text[]), CAST(:sentences AS boolean[]), CAST(:choices AS boolean[]),
        CAST(:embedded AS boolean[]), CAST(:texts AS text[])
    ) AS passage (drawer_id, room_id, ordinal, char_start, char_end, role, is_sentence, is_preference, is_embedded, content)
), filed AS (
    INSERT INTO passage (user_id, drawer_id, ordinal, char_start, char_end, is_tool, room_id, is_person, is_sentence,
                         is_preference, is_embedded, tsv)
    SELECT :user_id, drawer_id, ordinal, char_start, char_end, is_tool, room_id, role = 'user', is_sentence, is_preference,
           is_embedded, CASE WHEN NOT is_sentence THEN
               setweight(to_tsvector('english', content), 'A')
               || setweight(to_tsvector('palace_plain', content), 'B') END
    FROM given
    RETURNING drawer_id, ordinal, is_tool, is_embedded, tsv
), counted AS (
    INSERT INTO term_delta (user_id, lexemes, amounts)
    SELECT :user_id, array_agg(lexeme), array_agg(passages)
    FROM (SELECT word.lexeme, count(*) AS passages
          FROM filed CROSS JOIN LATERAL unnest(filed.tsv) AS word
          WHERE NOT is_tool GROUP BY word.lexeme) AS held
    HAVING count(*) > 0
    RETURNING id
), pending AS (
    INSERT INTO passage_embedding (user_id, drawer_id, ordinal, generation_id)
    SELECT :user_id, drawer_id, ordinal, generation_id
    FROM filed CROSS JOIN unnest(CAST(:generations AS int[])) AS written (generation_id)
    WHERE is_embedded
    RETURNING generation_id
)
SELECT count(*) FROM pending
