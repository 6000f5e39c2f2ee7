-- Returns relations of any entities as they were believed at a moment, latest begun first, up to a number.
-- user_id; begun_by, over_after, believed, most: as in relations_of. Leans on ix_relation_user_id_begun.
SELECT r.id FROM relation AS r
CROSS JOIN LATERAL (SELECT CASE WHEN r.valid_from IS NULL THEN CAST('-infinity' AS timestamptz)
                                ELSE r.valid_from END AS begun) AS since
WHERE r.user_id = :user_id AND since.begun <= CAST(:begun_by AS timestamptz)
  AND (r.valid_to IS NULL OR r.valid_to > CAST(:over_after AS timestamptz))
  AND r.recorded_at <= CAST(:believed AS timestamptz)
  AND (r.superseded_at IS NULL OR r.superseded_at > CAST(:believed AS timestamptz))
ORDER BY since.begun DESC, r.subject_id, r.predicate, r.ordinal
LIMIT :most
