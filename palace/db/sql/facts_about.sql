-- Returns the drawers that are evidence of relations of some entities, and of entities one relation away from them.
-- user_id; entities (ids); self, the key of the palace's owner, from whom no relation is followed; predicates, those
-- followed from entities one relation away; own, those of the entities themselves (null: all); asked_from, asked_to:
-- the time asked for, null for any; events, predicates that count at any time; most: relations examined, latest first;
-- wings (ids, null for any): only evidence there counts. hops: 0 for relations of the entities, 1 for those one
-- relation away. Leans on ix_relation_user_id_object_id, ix_evidence, pk_assertion and the unique index of relation by
-- subject.
WITH direct AS (
    SELECT r.id, r.predicate, r.subject_id, r.object_id
    FROM relation AS r
    WHERE r.user_id = :user_id AND r.superseded_at IS NULL
      AND (r.subject_id = ANY(CAST(:entities AS bigint[])) OR r.object_id = ANY(CAST(:entities AS bigint[])))
      AND (CAST(:own AS text[]) IS NULL OR r.predicate = ANY(CAST(:own AS text[])))
      AND (CAST(:asked_from AS timestamptz) IS NULL OR r.predicate = ANY(CAST(:events AS text[]))
           OR r.valid && tstzrange(CAST(:asked_from AS timestamptz), CAST(:asked_to AS timestamptz), '[]'))
      AND (CAST(:wings AS bigint[]) IS NULL OR EXISTS (SELECT FROM evidence AS v JOIN assertion AS a ON a.user_id = :user_id AND a.id = v.assertion_id
           JOIN drawer AS s ON s.user_id = :user_id AND s.id = a.drawer_id
           JOIN room AS o ON o.user_id = :user_id AND o.id = s.room_id AND o.wing_id = ANY(CAST(:wings AS bigint[]))
           WHERE v.user_id = :user_id AND v.relation_id = r.id AND NOT v.closes))
    ORDER BY r.valid_from DESC NULLS LAST, r.id LIMIT :most
), reached AS (
    SELECT DISTINCT e.id
    FROM direct AS d
    JOIN entity AS e ON e.user_id = :user_id AND e.id IN (d.subject_id, d.object_id)
    WHERE e.key <> :self AND e.id <> ALL(CAST(:entities AS bigint[])) AND cardinality(CAST(:predicates AS text[])) > 0
), further AS (
    SELECT r.id, r.predicate, r.subject_id, r.object_id
    FROM reached JOIN relation AS r ON r.user_id = :user_id AND r.superseded_at IS NULL AND r.subject_id = reached.id
    WHERE r.predicate = ANY(CAST(:predicates AS text[]))
      AND (CAST(:asked_from AS timestamptz) IS NULL OR r.predicate = ANY(CAST(:events AS text[]))
           OR r.valid && tstzrange(CAST(:asked_from AS timestamptz), CAST(:asked_to AS timestamptz), '[]'))
      AND (CAST(:wings AS bigint[]) IS NULL OR EXISTS (SELECT FROM evidence AS v JOIN assertion AS a ON a.user_id = :user_id AND a.id = v.assertion_id
           JOIN drawer AS s ON s.user_id = :user_id AND s.id = a.drawer_id
           JOIN room AS o ON o.user_id = :user_id AND o.id = s.room_id AND o.wing_id = ANY(CAST(:wings AS bigint[]))
           WHERE v.user_id = :user_id AND v.relation_id = r.id AND NOT v.closes))
    ORDER BY r.valid_from DESC NULLS LAST, r.id LIMIT :most
)
SELECT DISTINCT a.drawer_id, told.predicate, told.hops, told.subject_id, told.object_id
FROM (SELECT *, 0 AS hops FROM direct UNION ALL SELECT *, 1 AS hops FROM further) AS told
JOIN evidence AS v ON v.user_id = :user_id AND v.relation_id = told.id AND NOT v.closes
JOIN assertion AS a ON a.user_id = :user_id AND a.id = v.assertion_id
WHERE (CAST(:wings AS bigint[]) IS NULL OR EXISTS (SELECT FROM drawer AS s JOIN room AS r ON r.user_id = :user_id AND r.id = s.room_id
    WHERE s.user_id = :user_id AND s.id = a.drawer_id AND r.wing_id = ANY(CAST(:wings AS bigint[]))))
ORDER BY told.hops, a.drawer_id
