-- Returns entities with drawers that are about them without a mention: by a claim about them, or by a name that is
-- known from another conversation and stands for no other entity. user_id; entities (ids); most, drawers of each,
-- latest filed first; wings (ids, null for any) of the drawers. Leans on ix_alias_user_id_entity_id,
-- ix_assertion_user_id_conversation_id_subject, ix_alias_user_id_folded and ix_known_name_user_id_folded.
SELECT named.entity_id, found.drawer_id
FROM unnest(CAST(:entities AS bigint[])) AS named (entity_id)
CROSS JOIN LATERAL (
    SELECT about.drawer_id FROM (
    SELECT t.drawer_id
    FROM alias AS a
    JOIN assertion AS t ON t.user_id = :user_id AND t.conversation_id = a.conversation_id AND t.subject = a.folded
    WHERE a.user_id = :user_id AND a.entity_id = named.entity_id
    UNION
    SELECT k.drawer_id
    FROM (SELECT DISTINCT a.folded FROM alias AS a WHERE a.user_id = :user_id AND a.entity_id = named.entity_id) AS called
    JOIN known_name AS k ON k.user_id = :user_id AND k.folded = called.folded
    WHERE NOT EXISTS (
        SELECT FROM alias AS o
        WHERE o.user_id = :user_id AND o.folded = called.folded AND o.entity_id <> named.entity_id
    )
    ) AS about
    WHERE (CAST(:wings AS bigint[]) IS NULL OR EXISTS (SELECT FROM drawer AS s JOIN room AS r ON r.user_id = :user_id AND r.id = s.room_id
        WHERE s.user_id = :user_id AND s.id = about.drawer_id AND r.wing_id = ANY(CAST(:wings AS bigint[]))))
    ORDER BY about.drawer_id DESC
    LIMIT :most
) AS found
