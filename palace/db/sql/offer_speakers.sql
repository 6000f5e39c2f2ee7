-- Lists speakers whose name begins as typed.
-- user_id, typed (a pattern of LIKE, in lower case), limit. Reads a user's drawers, as long as the timeout allows.
SELECT d.speaker, '' AS means
FROM drawer AS d
WHERE d.user_id = :user_id AND lower(d.speaker) LIKE :typed
GROUP BY d.speaker
ORDER BY count(*) DESC, d.speaker
LIMIT :limit
