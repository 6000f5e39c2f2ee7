-- Lists names that begin as typed, most frequent first, each with its entity.
-- user_id, typed (a pattern of LIKE, folded), limit. Leans on ix_alias_user_id_folded.
SELECT (array_agg(a.name ORDER BY a.count DESC))[1] AS name, e.name || ' (' || e.type || ')' AS means
FROM alias AS a
JOIN entity AS e ON e.user_id = :user_id AND e.id = a.entity_id
WHERE a.user_id = :user_id AND a.folded LIKE :typed AND e.is_named AND e.type <> 'time'
GROUP BY a.folded, e.id, e.name, e.type
ORDER BY sum(a.count) DESC, a.folded
LIMIT :limit
