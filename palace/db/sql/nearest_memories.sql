-- Returns the accepted, current memories of a type whose first passage is nearest to a vector, nearest first.
-- user_id, vector, type, limit; wing (its slug, null for any); {generation} is inserted as an integer.
-- Leans on pk_memory, pk_drawer and pk_passage_embedding.
SELECT d.id, d.identity, d.content, coalesce(d.said_at, d.filed_at) AS said_at, w.slug AS wing, -(e.embedding <#> CAST(:vector AS halfvec)) AS similarity
FROM memory AS m
JOIN drawer AS d ON d.user_id = :user_id AND d.id = m.drawer_id AND d.replaced_at IS NULL
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id AND (CAST(:wing AS text) IS NULL OR w.slug = :wing)
JOIN passage_embedding AS e ON e.user_id = :user_id AND e.generation_id = {generation} AND e.drawer_id = d.id
     AND e.ordinal = 0 AND e.embedding IS NOT NULL
WHERE m.user_id = :user_id AND m.type = :type AND m.state = 'accepted'
  AND (m.expires_at IS NULL OR m.expires_at > now())
ORDER BY similarity DESC, d.id
LIMIT :limit
