-- Replaces a user's counts of words by those in the passages, both as of one moment; later deltas stay.
-- user_id. Leans on pk_passage. The caller holds the lock on counts.
WITH gone AS (
    DELETE FROM term_delta WHERE user_id = :user_id
), there AS (
    SELECT word.lexeme, count(*) AS passages
    FROM passage AS p CROSS JOIN LATERAL unnest(p.tsv) AS word
    WHERE p.user_id = :user_id AND p.kind <> 'tool'
    GROUP BY word.lexeme
), unsaid AS (
    DELETE FROM term_count AS t
    WHERE t.user_id = :user_id AND NOT EXISTS (SELECT FROM there WHERE there.lexeme = t.lexeme)
)
INSERT INTO term_count AS t (user_id, lexeme, passage_count)
SELECT :user_id, lexeme, passages FROM there ORDER BY lexeme
ON CONFLICT (user_id, lexeme) DO UPDATE SET passage_count = excluded.passage_count
