-- Lists the turns of a conversation in order: drawers, and tombstones of those forgotten and not restored.
-- Parameters: user_id, conversation_id, digests (true to compute digests, which reads every text; false returns nulls).
-- Leans on ix_drawer_user_id_conversation_id_position and ix_tombstone_user_id_conversation_id.
SELECT d.identity, d.position, d.number, false AS is_forgotten, d.id AS drawer_id, d.role, d.speaker, d.said_at,
       d.run_id, d.reading, d.replaced_by, d.replaced_at IS NOT NULL AS is_replaced,
       d.answers IS NOT NULL AS is_answering,
       CASE WHEN :digests THEN coalesce(d.said, substring(sha256(convert_to(d.content, 'UTF8')), 1, 16)) END AS digest
FROM drawer AS d
WHERE d.user_id = :user_id AND d.conversation_id = :conversation_id
UNION ALL
SELECT t.identity, t.position, 0, true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM tombstone AS t
WHERE t.user_id = :user_id AND t.conversation_id = :conversation_id AND t.restored_by IS NULL
ORDER BY position, number, identity
