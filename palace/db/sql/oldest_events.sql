-- Deletes all but the latest events of activity.
-- user_id, most (how many are kept). Scans ix_activity_user_id_happened_at from its end; rows that another transaction
-- is deleting are skipped.
DELETE FROM activity
WHERE user_id = :user_id AND id IN (
    SELECT id FROM activity
    WHERE user_id = :user_id
    ORDER BY happened_at DESC, id DESC
    OFFSET :most
    FOR UPDATE SKIP LOCKED
)
