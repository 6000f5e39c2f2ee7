-- Adds a user's deltas of words to the counts of words.
-- user_id. Leans on pk_term_delta and pk_term_count. The caller holds the lock on counts.
WITH gone AS (
    DELETE FROM term_delta WHERE user_id = :user_id RETURNING lexemes, amounts
)
INSERT INTO term_count AS t (user_id, lexeme, passage_count)
SELECT :user_id, word.lexeme, sum(word.amount)
FROM gone CROSS JOIN LATERAL unnest(gone.lexemes, gone.amounts) AS word (lexeme, amount)
GROUP BY word.lexeme
ORDER BY word.lexeme
ON CONFLICT (user_id, lexeme) DO UPDATE SET passage_count = t.passage_count + excluded.passage_count
