-- Lists jobs whose id begins as typed, the latest first.
-- user_id, typed (a pattern of LIKE), limit. Leans on ix_procrastinate_jobs_user_id_id.
SELECT CAST(j.id AS text) AS id, CAST(j.status AS text) || ' ' || coalesce(c.title, '') AS means
FROM procrastinate_jobs AS j
LEFT JOIN conversation AS c ON c.user_id = :user_id AND c.id = CAST(j.args ->> 'conversation_id' AS bigint)
WHERE j.user_id = :user_id AND CAST(j.id AS text) LIKE :typed
ORDER BY j.id DESC
LIMIT :limit
