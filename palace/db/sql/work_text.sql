-- Returns the text of a drawer, whether it was put into requests and never used, the commands of its conversation, and
-- the assistant's last message before it.
-- user_id; wing, room and drawer (numbers); unused: how many requests are enough; with_commands: whether commands are
-- wanted. Leans on the keys of numbers, pk_drawer_use, ix_drawer_user_id_conversation_id_position and pk_work_action.
SELECT d.id, d.content,
       EXISTS (SELECT FROM drawer_use AS u
               WHERE u.user_id = :user_id AND u.drawer_id = d.id AND u.injected_count >= :unused AND u.used_count = 0)
           AS is_never_used,
       (SELECT t.content FROM drawer AS t
        WHERE t.user_id = :user_id AND t.conversation_id = d.conversation_id AND t.role = 'assistant'
          AND t.position < d.position AND t.replaced_at IS NULL
        ORDER BY t.position DESC LIMIT 1) AS before,
       (SELECT array_agg(DISTINCT a.subject)
        FROM drawer AS beside
        JOIN work_action AS a ON a.user_id = :user_id AND a.drawer_id = beside.id AND a.kind = 'command'
        WHERE :with_commands AND beside.user_id = :user_id AND beside.conversation_id = d.conversation_id) AS commands
FROM wing AS w
JOIN room AS r ON r.user_id = :user_id AND r.wing_id = w.id AND r.number = :room
JOIN drawer AS d ON d.user_id = :user_id AND d.room_id = r.id AND d.number = :drawer
WHERE w.user_id = :user_id AND w.number = :wing
