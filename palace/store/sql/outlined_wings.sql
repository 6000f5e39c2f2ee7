-- Lists the wings that hold anything, in order of number.
-- user_id; after: the number that they stand behind; limit. Leans on uq_wing_user_id_number, and for each wing looks
-- into uq_room_user_id_wing_id_number and uq_drawer_user_id_room_id_number: EXISTS may become a scan of every drawer.
SELECT w.id, w.number, w.name, w.kind
FROM wing w
CROSS JOIN LATERAL (
    SELECT 1 FROM room r JOIN drawer d ON d.user_id = r.user_id AND d.room_id = r.id
    WHERE r.user_id = :user_id AND d.user_id = :user_id AND r.wing_id = w.id
    LIMIT 1
) held
WHERE w.user_id = :user_id AND w.number > :after
ORDER BY w.number
LIMIT :limit
