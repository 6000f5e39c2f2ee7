-- Lists non-empty wings whose name or number begins as typed.
-- user_id, typed (a pattern of LIKE, in lower case), limit. Reads a user's wings, which are few.
SELECT 'W-' || lpad(CAST(w.number AS text), greatest(3, length(CAST(w.number AS text))), '0') AS pointer, w.name
FROM wing AS w
WHERE w.user_id = :user_id
  AND (lower(w.name) LIKE :typed
       OR 'w-' || lpad(CAST(w.number AS text), greatest(3, length(CAST(w.number AS text))), '0') LIKE :typed)
  AND EXISTS (
      SELECT FROM room AS r WHERE r.user_id = :user_id AND r.wing_id = w.id
        AND EXISTS (SELECT FROM drawer AS d WHERE d.user_id = :user_id AND d.room_id = r.id))
ORDER BY w.number
LIMIT :limit
