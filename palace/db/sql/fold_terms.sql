-- Adds a user's deltas of words to the counts of words, and deletes the deltas. Updates known words and inserts others,
-- since an upsert would write each row, and its log, twice.
-- Parameter: user_id. The caller holds the lock on counts. Leans on pk_term_delta and pk_term_count.
WITH gone AS (
    DELETE FROM term_delta WHERE user_id = :user_id RETURNING lexemes, amounts
), changed AS MATERIALIZED (
    SELECT word.lexeme, sum(word.amount) AS amount
    FROM gone CROSS JOIN LATERAL unnest(gone.lexemes, gone.amounts) AS word (lexeme, amount)
    GROUP BY word.lexeme
), known AS (
    UPDATE term_count AS t SET passage_count = t.passage_count + changed.amount
    FROM changed WHERE t.user_id = :user_id AND t.lexeme = changed.lexeme
    RETURNING t.lexeme
), made AS (
    INSERT INTO term_count (user_id, lexeme, passage_count)
    SELECT :user_id, lexeme, amount FROM changed
    WHERE NOT EXISTS (SELECT FROM known WHERE known.lexeme = changed.lexeme)
    ORDER BY lexeme
    RETURNING lexeme
)
SELECT count(*) FROM made
