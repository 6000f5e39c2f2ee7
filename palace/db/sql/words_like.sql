-- Returns a user's words that are spelled in one of some ways, or similar to a long word, with the number of passages
-- that hold each, including deltas not yet added.
-- user_id; spelled (text[]); and for a long word its first letter and the next one in any collation (null: nothing;
-- null: no end), the fewest and most letters, and patterns of LIKE, one of which must match.
-- Leans on pk_term_count: the operators of its index conditions are leakproof, the others are not.
WITH unfolded AS MATERIALIZED (
    SELECT word.lexeme, sum(word.amount) AS passage_count
    FROM (SELECT lexemes, amounts FROM term_delta WHERE user_id = :user_id) AS waiting
    CROSS JOIN LATERAL unnest(waiting.lexemes, waiting.amounts) AS word (lexeme, amount)
    GROUP BY word.lexeme
), found AS (
    SELECT lexeme, passage_count FROM term_count
    WHERE user_id = :user_id AND lexeme = ANY (CAST(:spelled AS text[]))
    UNION
    SELECT lexeme, passage_count FROM term_count
    WHERE user_id = :user_id AND lexeme >= CAST(:letter AS text) AND (CAST(:next_letter AS text) IS NULL OR lexeme < :next_letter)
      AND char_length(lexeme) BETWEEN :fewest_letters AND :most_letters AND lexeme LIKE ANY (CAST(:patterns AS text[]))
    UNION ALL
    SELECT lexeme, passage_count FROM unfolded
    WHERE lexeme = ANY (CAST(:spelled AS text[]))
       OR (lexeme >= CAST(:letter AS text) AND char_length(lexeme) BETWEEN :fewest_letters AND :most_letters
           AND lexeme LIKE ANY (CAST(:patterns AS text[])))
)
SELECT lexeme, sum(passage_count) AS passages FROM found GROUP BY lexeme HAVING sum(passage_count) > 0
