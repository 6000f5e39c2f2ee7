-- Lists passages of a user that are pending in a generation, in key order, after a given key.
-- user_id, generation_id, conversations (null for all), drawer_id, ordinal, limit.
-- Leans on ix_passage_embedding_pending.
SELECT e.drawer_id, e.ordinal, p.char_start, p.char_end
FROM passage_embedding AS e
JOIN passage AS p USING (user_id, drawer_id, ordinal)
JOIN drawer AS d ON d.user_id = e.user_id AND d.id = e.drawer_id
WHERE e.user_id = :user_id AND e.generation_id = :generation_id AND e.embedding IS NULL
  AND (e.drawer_id, e.ordinal) > (CAST(:drawer_id AS bigint), CAST(:ordinal AS int))
  AND (CAST(:conversations AS bigint[]) IS NULL OR d.conversation_id = ANY (CAST(:conversations AS bigint[])))
ORDER BY e.drawer_id, e.ordinal
LIMIT :limit
