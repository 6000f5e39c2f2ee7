-- Notes that a conversation's topics are drawn, unless drawers came since or embeddings are missing.
-- user_id, conversation_id, turns. Leans on ix_drawer_user_id_conversation_id_position.
UPDATE conversation AS c
SET topics_pending = (
    SELECT count(*) <> :turns OR count(*) FILTER (WHERE EXISTS (
        SELECT FROM passage_embedding AS e
        WHERE e.user_id = :user_id AND e.drawer_id = d.id AND e.embedding IS NULL)) > 0
    FROM drawer AS d WHERE d.user_id = :user_id AND d.conversation_id = c.id)
WHERE c.user_id = :user_id AND c.id = :conversation_id
