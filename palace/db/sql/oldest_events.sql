-- Drops the events of activity that stand behind the latest.
-- user_id, most (how many are kept). Goes through ix_activity_user_id_happened_at from its end; of what somebody else
-- is dropping nothing is waited for, since they have it.
DELETE FROM activity
WHERE user_id = :user_id AND id IN (
    SELECT id FROM activity
    WHERE user_id = :user_id
    ORDER BY happened_at DESC, id DESC
    OFFSET :most
    FOR UPDATE SKIP LOCKED
)
