-- Gives those of a user's words that are spelled in one of some ways, or like a long word, with how many passages hold
-- each. What is not folded yet counts as well.
-- user_id; spelled (text[]); and of a long word its first letter and what comes behind it in any collation (null:
-- nothing, null: no end), how many letters it may have, and patterns of LIKE, of which one is met.
-- Leans on pk_term_count: the operators on which its index conditions stand are leakproof, the others are not.
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
