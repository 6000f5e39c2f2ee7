-- Proposes passages as semantic_quantised does, restricted to wings, a stretch of time, a role, a speaker or a
-- language.
-- user_id, vector, limit, shortlist (how many are examined); wings (ids), since, until, role, speaker, language, memories
-- (types; null for any), readers (null for none) whose conversations are left out; {generation} is inserted as an integer. An
-- undated drawer counts as said when its room began. Leans on ix_drawer_user_id_said_at for a stretch of time, on
-- ix_passage_embedding_code for codes, on pk_passage_embedding for vectors.
WITH alike AS MATERIALIZED (
    SELECT e.drawer_id, e.ordinal, (e.code <~> binary_quantize(CAST(:vector AS halfvec))) + 0 AS differing
    FROM passage_embedding AS e
    JOIN drawer AS d ON d.user_id = e.user_id AND d.id = e.drawer_id
    JOIN room AS r ON r.user_id = d.user_id AND r.id = d.room_id
    WHERE e.user_id = :user_id AND e.generation_id = {generation} AND e.code IS NOT NULL
      AND (d.said_at IS NULL OR (d.said_at >= coalesce(CAST(:since AS timestamptz), '-infinity')
                                 AND d.said_at < coalesce(CAST(:until AS timestamptz), 'infinity')))
      AND (CAST(:wings AS bigint[]) IS NULL OR r.wing_id = ANY(CAST(:wings AS bigint[])))
      AND (CAST(:since AS timestamptz) IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) >= :since)
      AND (CAST(:until AS timestamptz) IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) < :until)
      AND (CAST(:role AS text) IS NULL OR d.role = :role)
      AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
      AND (CAST(:language AS text) IS NULL OR coalesce(d.language, 'en') = :language)
      AND (CAST(:readers AS text[]) IS NULL OR r.conversation_id NOT IN (
           SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
      AND (CAST(:memories AS text[]) IS NULL OR EXISTS (SELECT FROM memory AS m WHERE m.user_id = :user_id
           AND m.drawer_id = d.id AND m.state = 'accepted' AND m.type = ANY(CAST(:memories AS text[]))))
    ORDER BY differing
    LIMIT :shortlist
)
SELECT e.drawer_id, e.ordinal, (e.embedding <#> CAST(:vector AS halfvec)) + 0 AS negated
FROM alike
JOIN passage_embedding AS e
     ON e.user_id = :user_id AND e.generation_id = {generation}
    AND e.drawer_id = alike.drawer_id AND e.ordinal = alike.ordinal
ORDER BY negated
LIMIT :limit
