-- Relations of entities, as subject or object, as they were believed at a moment, with the drawers that supported and
-- ended them by then in chronological order; latest begun first, up to a number for each entity and side.
-- user_id; entity_ids (an array); begun_by, over_after: relations that had begun by the one and were not over at the
-- other ('infinity' and '-infinity' for any); believed ('infinity' for what is believed now); most.
-- Leans on ix_relation_user_id_subject_id_begun and ix_relation_user_id_object_id. OFFSET 0 has each row looked up by
-- its id: without statistics the planner would scan all of the user's instead.
WITH found AS (
SELECT DISTINCT found.id
FROM unnest(CAST(:entity_ids AS bigint[])) AS asked (entity_id)
CROSS JOIN LATERAL (
    (SELECT s.id FROM relation AS s
     CROSS JOIN LATERAL (SELECT CASE WHEN s.valid_from IS NULL THEN CAST('-infinity' AS timestamptz)
                                     ELSE s.valid_from END AS begun) AS since
     WHERE s.user_id = :user_id AND s.subject_id = asked.entity_id AND since.begun <= CAST(:begun_by AS timestamptz)
       AND (s.valid_to IS NULL OR s.valid_to > CAST(:over_after AS timestamptz))
       AND s.recorded_at <= CAST(:believed AS timestamptz)
       AND (s.superseded_at IS NULL OR s.superseded_at > CAST(:believed AS timestamptz))
     ORDER BY since.begun DESC, s.predicate, s.ordinal
     LIMIT :most)
    UNION ALL
    (SELECT o.id FROM relation AS o
     CROSS JOIN LATERAL (SELECT CASE WHEN o.valid_from IS NULL THEN CAST('-infinity' AS timestamptz)
                                     ELSE o.valid_from END AS begun) AS since
     WHERE o.user_id = :user_id AND o.object_id = asked.entity_id AND since.begun <= CAST(:begun_by AS timestamptz)
       AND (o.valid_to IS NULL OR o.valid_to > CAST(:over_after AS timestamptz))
       AND o.recorded_at <= CAST(:believed AS timestamptz)
       AND (o.superseded_at IS NULL OR o.superseded_at > CAST(:believed AS timestamptz))
     ORDER BY since.begun DESC, o.subject_id, o.predicate, o.ordinal
     LIMIT :most)
) AS found
)
SELECT r.id, r.subject_id, r.predicate, r.object_id, r.valid_from, r.from_precision, r.valid_to, r.to_precision,
       r.recorded_at, r.superseded_at, s.name AS subject, coalesce(o.name, r.object) AS named, told.supports, told.closes
FROM found
CROSS JOIN LATERAL (SELECT * FROM relation WHERE user_id = :user_id AND id = found.id OFFSET 0) AS r
CROSS JOIN LATERAL (SELECT name, key FROM entity WHERE user_id = :user_id AND id = r.subject_id OFFSET 0) AS s
LEFT JOIN LATERAL (SELECT name FROM entity WHERE user_id = :user_id AND id = r.object_id OFFSET 0) AS o ON true
CROSS JOIN LATERAL (
    SELECT array_agg(said.place ORDER BY said.at, said.position, said.ordinal, said.id) FILTER (WHERE NOT said.closes)
               AS supports,
           array_agg(said.place ORDER BY said.at, said.position, said.ordinal, said.id) FILTER (WHERE said.closes) AS closes
    FROM (SELECT e.closes, ARRAY[w.number, m.number, d.number] AS place, coalesce(d.said_at, d.filed_at) AS at,
                 d.position, a.ordinal, a.id
          FROM evidence AS e
          JOIN assertion AS a ON a.user_id = :user_id AND a.id = e.assertion_id
          JOIN drawer AS d ON d.user_id = :user_id AND d.id = a.drawer_id
          JOIN room AS m ON m.user_id = :user_id AND m.id = d.room_id
          JOIN wing AS w ON w.user_id = :user_id AND w.id = m.wing_id
          WHERE e.user_id = :user_id AND e.relation_id = r.id
            AND coalesce(d.said_at, d.filed_at) <= CAST(:believed AS timestamptz)) AS said
) AS told
ORDER BY CASE WHEN r.valid_from IS NULL THEN CAST('-infinity' AS timestamptz) ELSE r.valid_from END DESC,
         s.key, r.predicate, r.ordinal
