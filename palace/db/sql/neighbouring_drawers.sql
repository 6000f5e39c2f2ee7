-- Returns, for each of some drawers, up to a number of drawers before and after it in its room, in the order they were
-- said.
-- user_id; drawer_ids (an array); count. beside: the id of the drawer that a row is a neighbour of. Leans on pk_drawer
-- and uq_drawer_user_id_room_id_number.
SELECT h.id AS beside, near.is_after, near.id
FROM unnest(CAST(:drawer_ids AS bigint[])) AS asked (drawer_id)
JOIN drawer AS h ON h.user_id = :user_id AND h.id = asked.drawer_id
CROSS JOIN LATERAL (
    (SELECT b.id, b.position, b.number, false AS is_after FROM drawer AS b
     WHERE b.user_id = :user_id AND b.room_id = h.room_id AND (b.position, b.number) < (h.position, h.number)
     ORDER BY b.position DESC, b.number DESC LIMIT :count)
    UNION ALL
    (SELECT b.id, b.position, b.number, true AS is_after FROM drawer AS b
     WHERE b.user_id = :user_id AND b.room_id = h.room_id AND (b.position, b.number) > (h.position, h.number)
     ORDER BY b.position, b.number LIMIT :count)
) AS near
ORDER BY h.id, near.position, near.number
