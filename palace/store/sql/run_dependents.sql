-- Lists the runs that filed where some runs had filed before, or left turns out because those had filed them.
-- user_id, run_ids. Leans on ix_drawer_user_id_run_id, ix_drawer_user_id_conversation_id_position
-- and ix_run_basis_user_id_basis_id.
WITH begun AS (
    SELECT conversation_id, min(filed_at) AS since
    FROM drawer
    WHERE user_id = :user_id AND run_id = ANY (CAST(:run_ids AS bigint[]))
    GROUP BY conversation_id
)
SELECT DISTINCT d.run_id
FROM begun
JOIN drawer AS d ON d.user_id = :user_id AND d.conversation_id = begun.conversation_id AND d.filed_at > begun.since
WHERE d.run_id <> ALL (CAST(:run_ids AS bigint[]))
UNION
SELECT b.run_id
FROM run_basis AS b
WHERE b.user_id = :user_id AND b.basis_id = ANY (CAST(:run_ids AS bigint[]))
  AND b.run_id <> ALL (CAST(:run_ids AS bigint[]))
  AND EXISTS (SELECT FROM drawer AS d WHERE d.user_id = b.user_id AND d.run_id = b.run_id)
