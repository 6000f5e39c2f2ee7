-- Lists runs that filed something and are not undone, whose id begins as typed, latest first.
-- user_id, typed (a pattern of LIKE), limit. Leans on the primary key of mining_run.
SELECT CAST(m.id AS text) AS id, m.source
FROM mining_run AS m
WHERE m.user_id = :user_id AND m.undone_at IS NULL AND m.drawer_count > 0 AND CAST(m.id AS text) LIKE :typed
ORDER BY m.id DESC
LIMIT :limit
