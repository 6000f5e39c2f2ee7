-- Counts what is removed with some drawers: themselves, their passages, and the places left empty.
-- user_id, drawer_ids. Leans on pk_drawer, uq_drawer_user_id_room_id_number and
-- ix_drawer_user_id_conversation_id_position.
WITH doomed AS MATERIALIZED (
    SELECT id, room_id, conversation_id FROM drawer
    WHERE user_id = :user_id AND id = ANY (CAST(:drawer_ids AS bigint[]))
), emptied AS MATERIALIZED (
    SELECT r.id, r.wing_id
    FROM (SELECT room_id, count(*) AS going FROM doomed GROUP BY room_id) AS g
    JOIN room AS r ON r.user_id = :user_id AND r.id = g.room_id
    WHERE g.going = (SELECT count(*) FROM drawer AS d WHERE d.user_id = :user_id AND d.room_id = g.room_id)
)
SELECT
    (SELECT count(*) FROM doomed) AS drawers,
    (SELECT count(*) FROM passage AS p JOIN doomed AS d ON p.user_id = :user_id AND p.drawer_id = d.id) AS passages,
    (SELECT count(*) FROM emptied) AS rooms,
    (SELECT count(*) FROM (SELECT wing_id, count(*) AS going FROM emptied GROUP BY wing_id) AS w
     WHERE w.going = (SELECT count(*) FROM room AS r WHERE r.user_id = :user_id AND r.wing_id = w.wing_id)) AS wings,
    (SELECT count(*) FROM (SELECT conversation_id, count(*) AS going FROM doomed GROUP BY conversation_id) AS c
     WHERE c.going = (SELECT count(*) FROM drawer AS d
                      WHERE d.user_id = :user_id AND d.conversation_id = c.conversation_id)) AS conversations
