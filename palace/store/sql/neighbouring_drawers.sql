-- Gives the drawers that stand around some drawers in their rooms: for each, up to so many before and after it, in the
-- order they were said, with where they stand and what is known of them.
-- user_id; drawer_ids (an array); count. beside: the id of the drawer that a row is a neighbour of. Leans on pk_drawer,
-- uq_drawer_user_id_room_id_number, pk_room and pk_wing.
SELECT h.id AS beside, near.is_after,
       d.id, d.number, d.content, d.role, d.speaker, d.said_at, d.filed_at, d.position, d.is_revision, d.is_repaired,
       w.number AS wing_number, w.name AS wing_name, r.number AS room_number, r.name AS room_name,
       k.name AS closet_name, d.said_offset, d.replaced_at,
       nw.number AS replacing_wing, nr.number AS replacing_room, n.number AS replacing_drawer,
       aw.number AS answered_wing, ar.number AS answered_room, a.number AS answered_drawer
FROM unnest(CAST(:drawer_ids AS bigint[])) AS asked (drawer_id)
JOIN drawer AS h ON h.user_id = :user_id AND h.id = asked.drawer_id
CROSS JOIN LATERAL (
    (SELECT b.id, false AS is_after FROM drawer AS b
     WHERE b.user_id = :user_id AND b.room_id = h.room_id AND (b.position, b.number) < (h.position, h.number)
     ORDER BY b.position DESC, b.number DESC LIMIT :count)
    UNION ALL
    (SELECT b.id, true AS is_after FROM drawer AS b
     WHERE b.user_id = :user_id AND b.room_id = h.room_id AND (b.position, b.number) > (h.position, h.number)
     ORDER BY b.position, b.number LIMIT :count)
) AS near
JOIN drawer AS d ON d.user_id = :user_id AND d.id = near.id
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id
LEFT JOIN closet AS k ON k.user_id = :user_id AND k.id = d.closet_id
LEFT JOIN drawer AS n ON n.user_id = :user_id AND n.id = d.replaced_by
LEFT JOIN room AS nr ON nr.user_id = :user_id AND nr.id = n.room_id
LEFT JOIN wing AS nw ON nw.user_id = :user_id AND nw.id = nr.wing_id
LEFT JOIN drawer AS a ON a.user_id = :user_id AND a.id = d.answers
LEFT JOIN room AS ar ON ar.user_id = :user_id AND ar.id = a.room_id
LEFT JOIN wing AS aw ON aw.user_id = :user_id AND aw.id = ar.wing_id
ORDER BY h.id, d.position, d.number
