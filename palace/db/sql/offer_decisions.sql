-- Lists decisions that are not undone, whose id begins as typed, latest first.
-- user_id, typed (a pattern of LIKE), limit. Leans on the primary key of entity_decision.
SELECT CAST(e.id AS text) AS id, e.verb
FROM entity_decision AS e
WHERE e.user_id = :user_id AND e.undone_at IS NULL AND CAST(e.id AS text) LIKE :typed
ORDER BY e.id DESC
LIMIT :limit
