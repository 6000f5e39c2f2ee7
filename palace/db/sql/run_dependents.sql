-- Lists the runs that filed where some runs had filed before, or skipped turns because those had filed them. Notes in
-- one day's room do not depend on each other, except versions of one note. user_id, run_ids. Leans on
-- ix_drawer_user_id_run_id, ix_drawer_user_id_conversation_id_position, ix_drawer_user_id_replaced_by and
-- ix_run_basis_user_id_basis_id.
WITH begun AS (
    SELECT d.conversation_id, min(d.filed_at) AS since, c.reader IN ('note', 'memory') AS of_notes
    FROM drawer AS d
    JOIN conversation AS c ON c.user_id = :user_id AND c.id = d.conversation_id
    WHERE d.user_id = :user_id AND d.run_id = ANY (CAST(:run_ids AS bigint[]))
    GROUP BY d.conversation_id, c.reader
)
SELECT DISTINCT d.run_id
FROM begun
JOIN drawer AS d ON d.user_id = :user_id AND d.conversation_id = begun.conversation_id AND d.filed_at > begun.since
WHERE d.run_id <> ALL (CAST(:run_ids AS bigint[]))
  AND (NOT begun.of_notes OR EXISTS (
      SELECT FROM drawer AS o
      WHERE o.user_id = :user_id AND o.replaced_by = d.id AND o.run_id = ANY (CAST(:run_ids AS bigint[]))))
UNION
SELECT b.run_id
FROM run_basis AS b
WHERE b.user_id = :user_id AND b.basis_id = ANY (CAST(:run_ids AS bigint[]))
  AND b.run_id <> ALL (CAST(:run_ids AS bigint[]))
  AND EXISTS (SELECT FROM drawer AS d WHERE d.user_id = :user_id AND d.run_id = b.run_id)
