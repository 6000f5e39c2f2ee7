-- Tells whether a conversation waits for embeddings or topics.
-- user_id, conversation_id. Leans on ix_drawer_user_id_conversation_id_position and pk_passage_embedding.
SELECT c.topics_pending OR EXISTS (
    SELECT FROM drawer AS d
    JOIN passage_embedding AS e ON e.user_id = :user_id AND e.drawer_id = d.id
    WHERE d.user_id = :user_id AND d.conversation_id = c.id AND e.embedding IS NULL)
FROM conversation AS c
WHERE c.user_id = :user_id AND c.id = :conversation_id
