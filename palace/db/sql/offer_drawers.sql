-- Lists drawers of a room whose number begins as typed, each with the beginning of its text.
-- user_id, wing, room (numbers), typed (a pattern of LIKE, "d-00%"), limit. Leans on the index of drawers by room.
SELECT 'D-' || lpad(CAST(d.number AS text), greatest(3, length(CAST(d.number AS text))), '0') AS pointer,
       left(d.content, 80) AS begins
FROM drawer AS d
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id
WHERE d.user_id = :user_id AND w.number = :wing AND r.number = :room
  AND 'd-' || lpad(CAST(d.number AS text), greatest(3, length(CAST(d.number AS text))), '0') LIKE :typed
ORDER BY d.number
LIMIT :limit
