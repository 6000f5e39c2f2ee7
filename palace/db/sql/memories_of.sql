-- Returns what makes drawers memories, with the pointers of the drawers that they cite and how they were used.
-- user_id; drawer_ids. evidence, alike and contradicts are arrays of (wing, room, drawer) numbers in their order, null
-- for none. Leans on pk_memory, pk_drawer_use, pk_room, pk_wing and uq_drawer_user_id_identity.
SELECT m.drawer_id, m.type, m.state, m.origin, m.maker, m.importance, m.confidence, m.is_pinned, m.reason,
       m.expires_at, m.updated_at, cited.evidence, cited.alike, cited.contradicts,
       coalesce(u.injected_count, 0) AS injected_count, coalesce(u.used_count, 0) AS used_count,
       coalesce(u.corrected_count, 0) AS corrected_count, u.used_at
FROM memory AS m
LEFT JOIN drawer_use AS u ON u.user_id = :user_id AND u.drawer_id = m.drawer_id
CROSS JOIN LATERAL (
    SELECT array_agg(numbers ORDER BY numbers) FILTER (WHERE identity = ANY(m.evidence)) AS evidence,
           array_agg(numbers ORDER BY numbers) FILTER (WHERE identity = ANY(m.alike)) AS alike,
           array_agg(numbers ORDER BY numbers) FILTER (WHERE identity = ANY(m.contradicts)) AS contradicts
    FROM (SELECT d.identity, ARRAY[w.number, r.number, d.number] AS numbers
          FROM drawer AS d
          JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
          JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id
          WHERE d.user_id = :user_id AND d.identity = ANY(m.evidence || m.alike || m.contradicts)) AS d
) AS cited
WHERE m.user_id = :user_id AND m.drawer_id = ANY(CAST(:drawer_ids AS bigint[]))
