-- Lists who said anything and may be meant by what is typed.
-- user_id, typed (a pattern of LIKE, in small letters), limit. Reads a user's drawers, as long as there is time.
SELECT d.speaker, '' AS means
FROM drawer AS d
WHERE d.user_id = :user_id AND lower(d.speaker) LIKE :typed
GROUP BY d.speaker
ORDER BY count(*) DESC, d.speaker
LIMIT :limit
