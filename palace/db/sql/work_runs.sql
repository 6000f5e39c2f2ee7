-- Returns the last commands of a program that succeeded in a drawer's wing, newest first.
-- user_id; wing, room and drawer (numbers); program: its name; fix: the key of a command, of which is_after_fix says whether
-- it succeeded before in the same conversation.
-- Leans on ix_work_action_user_id_kind_key and pk_drawer.
SELECT a.subject AS line, a.key, ran.conversation_id = d.conversation_id AS is_of_session,
       (coalesce(ran.said_at, ran.filed_at), ran.id) > (coalesce(d.said_at, d.filed_at), d.id) AS is_later,
       EXISTS (SELECT FROM work_action AS f JOIN drawer AS beside ON beside.user_id = :user_id AND beside.id = f.drawer_id
               WHERE f.user_id = :user_id AND f.kind = 'command' AND f.key = :fix
                 AND f.operation = 'succeeded' AND beside.conversation_id = ran.conversation_id
                 AND beside.position < ran.position) AS is_after_fix
FROM wing AS w
JOIN room AS r ON r.user_id = :user_id AND r.wing_id = w.id AND r.number = :room
JOIN drawer AS d ON d.user_id = :user_id AND d.room_id = r.id AND d.number = :drawer
JOIN work_action AS a ON a.user_id = :user_id AND a.kind = 'command' AND a.operation = 'succeeded'
                     AND split_part(a.key, ' ', 1) = :program
JOIN drawer AS ran ON ran.user_id = :user_id AND ran.id = a.drawer_id AND ran.replaced_at IS NULL
JOIN room AS there ON there.user_id = :user_id AND there.id = ran.room_id AND there.wing_id = w.id
WHERE w.user_id = :user_id AND w.number = :wing
ORDER BY coalesce(ran.said_at, ran.filed_at) DESC, ran.id DESC LIMIT 40
