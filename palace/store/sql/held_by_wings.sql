-- Counts what some wings hold, and says from when to when it is.
-- user_id; wing_ids (an array). Leans on uq_room_user_id_wing_id_number, and counts every drawer of theirs, room by room,
-- in uq_drawer_user_id_room_id_number; no row of them is read.
SELECT r.wing_id, count(*) AS rooms, sum(d.drawers) AS drawers, min(r.started_at) AS first, max(r.started_at) AS last
FROM room r
CROSS JOIN LATERAL (
    SELECT count(*) AS drawers FROM drawer WHERE drawer.user_id = :user_id AND drawer.room_id = r.id
) d
WHERE r.user_id = :user_id AND r.wing_id = ANY (CAST(:wing_ids AS bigint[])) AND d.drawers > 0
GROUP BY r.wing_id
