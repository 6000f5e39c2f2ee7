-- Returns the entities that drawers are about, each once: those they mention, those of their claims, and those whose
-- name they contain and other conversations know, if it stands for one entity alone.
-- user_id; drawer_ids; self, the key of the palace's owner, who is left out; most, for each drawer; as_said: by the
-- names in the drawer's own conversation, and without entities known only from others.
-- char_start, char_end: the first mention, else the claim; null where only the name is known. No two drawers share a
-- time: each is returned where it is mentioned. Named entities come first, then in order of text. Leans on pk_mention,
-- ix_assertion_user_id_drawer_id, pk_known_name, pk_alias, ix_alias_user_id_folded, pk_entity.
SELECT wanted.drawer_id, told.type, told.name, told.char_start, told.char_end
FROM unnest(CAST(:drawer_ids AS bigint[])) AS wanted (drawer_id)
CROSS JOIN LATERAL (
    SELECT e.type, CASE WHEN CAST(:as_said AS boolean) THEN (array_agg(found.name ORDER BY found.char_start, found.name))[1]
                        ELSE e.name END AS name, min(found.char_start) AS char_start,
           (array_agg(found.char_end ORDER BY found.char_start))[1] AS char_end
    FROM (
        SELECT a.entity_id, a.name, m.char_start, m.char_end
        FROM mention AS m
        JOIN alias AS a ON a.user_id = :user_id AND a.conversation_id = m.conversation_id AND a.folded = m.folded
        WHERE m.user_id = :user_id AND m.drawer_id = wanted.drawer_id
        UNION ALL
        SELECT a.entity_id, a.name, t.char_start, t.char_end
        FROM assertion AS t
        CROSS JOIN LATERAL (VALUES (t.subject), (t.object_folded)) AS side (folded)
        JOIN alias AS a ON a.user_id = :user_id AND a.conversation_id = t.conversation_id AND a.folded = side.folded
        WHERE t.user_id = :user_id AND t.drawer_id = wanted.drawer_id
        UNION ALL
        SELECT coalesce(own.entity_id, CASE WHEN first.entity_id = last.entity_id THEN first.entity_id END), own.name, NULL,
               NULL
        FROM known_name AS k
        JOIN drawer AS d ON d.user_id = :user_id AND d.id = k.drawer_id
        LEFT JOIN alias AS own
            ON own.user_id = :user_id AND own.conversation_id = d.conversation_id AND own.folded = k.folded
        LEFT JOIN LATERAL (
            SELECT a.entity_id FROM alias AS a
            WHERE a.user_id = :user_id AND a.folded = k.folded AND a.entity_id IS NOT NULL
            ORDER BY a.entity_id LIMIT 1
        ) AS first ON true
        LEFT JOIN LATERAL (
            SELECT a.entity_id FROM alias AS a
            WHERE a.user_id = :user_id AND a.folded = k.folded AND a.entity_id IS NOT NULL
            ORDER BY a.entity_id DESC LIMIT 1
        ) AS last ON true
        WHERE k.user_id = :user_id AND k.drawer_id = wanted.drawer_id
          AND (own.entity_id IS NOT NULL OR NOT CAST(:as_said AS boolean))
    ) AS found
    JOIN entity AS e ON e.user_id = :user_id AND e.id = found.entity_id AND e.key <> :self
    GROUP BY e.id, e.type, e.name, e.is_named, CASE WHEN e.type = 'time' THEN found.char_start END
    ORDER BY e.is_named DESC, min(found.char_start), e.id
    LIMIT :most
) AS told
ORDER BY wanted.drawer_id, told.char_start, told.name
