-- Returns the id of a conversation, created if missing; nothing where another transaction has just created it.
-- user_id, identity, reader, title, run_id, filed_at (null for now). Leans on uq_conversation_user_id_identity.
WITH found AS (
    SELECT id FROM conversation WHERE user_id = :user_id AND identity = :identity
), made AS (
    INSERT INTO conversation (user_id, identity, reader, title, run_id, filed_at)
    SELECT :user_id, :identity, :reader, :title, :run_id, coalesce(CAST(:filed_at AS timestamptz), now())
    WHERE NOT EXISTS (SELECT FROM found)
    ON CONFLICT (user_id, identity) DO NOTHING
    RETURNING id
)
SELECT id FROM found UNION ALL SELECT id FROM made
