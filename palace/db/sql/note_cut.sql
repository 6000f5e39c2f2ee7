-- Makes the steps of a conversation pending, because its drawers changed, except those whose version is kept; marks the
-- step that cuts passages as done unless it has a state.
-- Parameters: user_id, conversation_id, step (the one that cuts), version, done_at; kept (names of steps).
-- Leans on pk_index_step.
WITH pending AS (
    UPDATE index_step
    SET version = CASE WHEN step = ANY(CAST(:kept AS text[])) THEN version ELSE 0 END, attempts = 0, failure = NULL,
        failed_at = NULL
    WHERE user_id = :user_id AND conversation_id = :conversation_id
      AND (attempts > 0 OR (step <> ALL(CAST(:kept AS text[])) AND version > 0))
    RETURNING step
)
INSERT INTO index_step (user_id, conversation_id, step, version, done_at)
SELECT :user_id, :conversation_id, :step, :version, :done_at
WHERE NOT EXISTS (SELECT FROM index_step WHERE user_id = :user_id AND conversation_id = :conversation_id AND step = :step)
ON CONFLICT (user_id, conversation_id, step) DO NOTHING
RETURNING step
