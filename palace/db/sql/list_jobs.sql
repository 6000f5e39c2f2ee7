-- Lists a user's jobs: what runs, then what waits in order of turn, then what failed. What a step said when it failed for
-- the conversation stands with the conversation, not in the queue.
--
-- user_id  whose jobs
-- job      one of them; null for all
-- status   those of one status; null for all
-- limit    how many at most
--
-- Leans on ix_procrastinate_jobs_user_id_id and the primary keys of conversation and index_step.
SELECT j.id, j.task_name, CAST(j.status AS text) AS status, own.conversation_id, c.title, j.attempts, j.enqueued_at,
       j.changed_at, j.scheduled_at, j.error, failed.failure
FROM procrastinate_jobs AS j
CROSS JOIN LATERAL (SELECT CAST(j.args ->> 'conversation_id' AS bigint) AS conversation_id) AS own
LEFT JOIN conversation AS c ON c.user_id = :user_id AND c.id = own.conversation_id
LEFT JOIN LATERAL (
    SELECT s.failure FROM index_step AS s
    WHERE s.user_id = :user_id AND s.conversation_id = own.conversation_id AND s.failure IS NOT NULL
    ORDER BY s.failed_at DESC LIMIT 1
) AS failed ON true
WHERE j.user_id = :user_id
  AND (CAST(:job AS bigint) IS NULL OR j.id = CAST(:job AS bigint))
  AND (CAST(:status AS text) IS NULL OR CAST(j.status AS text) = :status)
ORDER BY CAST(j.status AS text) = 'doing' DESC, CAST(j.status AS text) = 'todo' DESC, j.priority DESC, j.id
LIMIT :limit
