-- Lists rooms of a wing whose number begins as typed.
-- user_id, wing (its number), typed (a pattern of LIKE, "r-0%"), limit. Leans on uq_room_user_id_wing_id_number.
SELECT 'R-' || lpad(CAST(r.number AS text), greatest(2, length(CAST(r.number AS text))), '0') AS pointer, r.name
FROM room AS r
JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id
WHERE r.user_id = :user_id AND w.number = :wing
  AND 'r-' || lpad(CAST(r.number AS text), greatest(2, length(CAST(r.number AS text))), '0') LIKE :typed
  AND EXISTS (SELECT FROM drawer AS d WHERE d.user_id = :user_id AND d.room_id = r.id)
ORDER BY r.number
LIMIT :limit
