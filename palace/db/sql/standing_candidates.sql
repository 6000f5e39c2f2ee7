-- Proposes standing statements of a user, nearest to a vector first, with their texts.
-- user_id; vector; newest (how many are examined, latest filed first); limit; wings (ids, null for any); names of the
-- user, in lower case; addressed, readers with which, as where an assistant takes part, a message without a speaker is
-- the user's; {generation} is inserted as an integer. Accepted instructions among the memories are proposed whatever
-- their words. Replaced drawers and memories that do not count are left out. An undated drawer counts as said when its
-- room began. Leans on ix_passage_standing, pk_passage_embedding, pk_memory and pk_drawer.
WITH standing AS MATERIALIZED (
    (SELECT p.drawer_id, p.ordinal, p.char_start, p.char_end
    FROM passage AS p JOIN drawer AS d ON d.user_id = :user_id AND d.id = p.drawer_id
    WHERE p.user_id = :user_id AND p.is_standing AND d.role = 'user' AND (
          lower(d.speaker) = ANY(CAST(:names AS text[])) OR d.speaker IS NULL AND (
              EXISTS (SELECT FROM conversation AS c WHERE c.user_id = :user_id AND c.id = d.conversation_id AND c.reader = ANY(CAST(:addressed AS text[])))
              OR EXISTS (SELECT FROM drawer AS a WHERE a.user_id = :user_id AND a.conversation_id = d.conversation_id AND a.role = 'assistant')))
      AND (CAST(:wings AS bigint[]) IS NULL OR EXISTS (
          SELECT FROM room AS o WHERE o.user_id = :user_id AND o.id = p.room_id AND o.wing_id = ANY(CAST(:wings AS bigint[]))))
    ORDER BY p.drawer_id DESC, p.ordinal DESC LIMIT :newest)
    UNION
    (SELECT p.drawer_id, p.ordinal, p.char_start, p.char_end
    FROM memory AS m JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = m.drawer_id AND p.ordinal = 0
    WHERE m.user_id = :user_id AND m.type = 'instruction' AND m.origin = 'person'
      AND (CAST(:wings AS bigint[]) IS NULL OR EXISTS (
          SELECT FROM room AS o WHERE o.user_id = :user_id AND o.id = p.room_id AND o.wing_id = ANY(CAST(:wings AS bigint[]))))
    ORDER BY p.drawer_id DESC LIMIT :newest)
), near AS (
    SELECT s.drawer_id, s.ordinal, s.char_start, s.char_end, -(e.embedding <#> CAST(:vector AS halfvec)) AS similarity
    FROM standing AS s
    JOIN passage_embedding AS e ON e.user_id = :user_id AND e.generation_id = {generation}
        AND e.drawer_id = s.drawer_id AND e.ordinal = s.ordinal AND e.embedding IS NOT NULL
    ORDER BY similarity DESC, s.drawer_id, s.ordinal LIMIT :limit
)
SELECT near.drawer_id, near.ordinal, substr(d.content, near.char_start + 1, near.char_end - near.char_start) AS text,
       near.similarity, coalesce(d.said_at, r.started_at, d.filed_at) AS said_at, d.content AS message
FROM near JOIN drawer AS d ON d.user_id = :user_id AND d.id = near.drawer_id
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
WHERE d.replaced_at IS NULL AND NOT EXISTS (
    SELECT FROM memory AS m WHERE m.user_id = :user_id AND m.drawer_id = d.id
    AND (m.state <> 'accepted' OR m.expires_at <= now()))
ORDER BY near.similarity DESC, near.drawer_id, near.ordinal
