-- Replaces a user's count deltas by one row for each count; rows that another transaction is summing up are skipped.
-- user_id. Leans on pk_count_delta.
WITH taken AS (
    SELECT id, counted FROM count_delta WHERE user_id = :user_id FOR UPDATE SKIP LOCKED
), gone AS (
    DELETE FROM count_delta AS d USING taken
    WHERE d.user_id = :user_id AND d.id = taken.id AND d.counted = taken.counted
    RETURNING d.counted, d.amount
)
INSERT INTO count_delta (user_id, counted, amount)
SELECT :user_id, counted, sum(amount) FROM gone GROUP BY counted
RETURNING counted
