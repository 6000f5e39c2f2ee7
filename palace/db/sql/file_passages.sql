-- Inserts passages with their keywords, counts the words, and makes the passages pending in the generations the user
-- writes to; those of tools are neither counted nor embedded. A sentence has no keywords: its passage holds them.
-- Returns how many are pending. user_id, generations; drawer_ids, room_ids, ordinals, starts, ends, roles, kinds,
-- standing, texts, configurations (of text search, by the drawer's language), further (words that the parser does not
-- find, separated by spaces; of those in Latin letters the stem is stored) are arrays of one length.
WITH given AS (
    SELECT * FROM unnest(
        CAST(:drawer_ids AS bigint[]), CAST(:room_ids AS bigint[]), CAST(:ordinals AS int[]), CAST(:starts AS int[]),
        CAST(:ends AS int[]), CAST(:roles AS text[]), CAST(:kinds AS text[]),
        CAST(:standing AS boolean[]), CAST(:texts AS text[]), CAST(:configurations AS regconfig[]),
        CAST(:further AS text[])
    ) AS passage (drawer_id, room_id, ordinal, char_start, char_end, role, kind, is_standing, content,
                  configuration, further)
), filed AS (
    INSERT INTO passage (user_id, drawer_id, ordinal, char_start, char_end, kind, room_id, is_person, is_standing, tsv)
    SELECT :user_id, drawer_id, ordinal, char_start, char_end, kind, room_id, role = 'user', is_standing,
           CASE WHEN kind <> 'sentence' THEN
               setweight(to_tsvector(configuration, content), 'A')
               || setweight(to_tsvector('palace_plain', content), 'B')
               || CASE WHEN further = '' THEN '' ELSE array_to_tsvector(ARRAY(
                      SELECT unnest(ts_lexize(CASE WHEN word ~ '^[a-z]+$' THEN CAST('english_stem' AS regdictionary)
                                                   ELSE CAST('simple' AS regdictionary) END, word))
                      FROM unnest(string_to_array(further, ' ')) AS word)) END
               END
    FROM given
    RETURNING drawer_id, ordinal, kind, tsv
), counted AS (
    INSERT INTO term_delta (user_id, lexemes, amounts)
    SELECT :user_id, array_agg(lexeme), array_agg(passages)
    FROM (SELECT word.lexeme, count(*) AS passages
          FROM filed CROSS JOIN LATERAL unnest(filed.tsv) AS word
          WHERE kind <> 'tool' GROUP BY word.lexeme) AS held
    HAVING count(*) > 0
    RETURNING id
), pending AS (
    INSERT INTO passage_embedding (user_id, drawer_id, ordinal, generation_id)
    SELECT :user_id, drawer_id, ordinal, generation_id
    FROM filed CROSS JOIN unnest(CAST(:generations AS int[])) AS written (generation_id)
    WHERE kind IN ('whole', 'sentence')
    RETURNING generation_id
)
SELECT count(*) FROM pending
