-- Proposes what keyword_candidates does, but passages of one role or one speaker alone; rooms are scored as it does.
-- user_id, terms, worths, match_limit, tools, wing_id, since, until (see keyword_candidates); limit; role, speaker (null
-- for any). Everything found is looked through: the best of all may be others'. Leans on pk_drawer.
WITH found AS MATERIALIZED (
    SELECT drawer_id, ordinal, room_id, score
    FROM keyword_candidates(
        CAST(:terms AS tsquery[]), CAST(:worths AS float8[]), :match_limit,
        :match_limit * greatest(cardinality(CAST(:terms AS tsquery[])), 1), :tools, :wing_id, :since, :until)
)
(SELECT f.drawer_id, f.ordinal, f.room_id, f.score
 FROM found AS f
 JOIN drawer AS d ON d.user_id = :user_id AND d.id = f.drawer_id
 WHERE (CAST(:role AS text) IS NULL OR d.role = :role)
   AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
 ORDER BY f.score DESC, f.drawer_id, f.ordinal LIMIT :limit)
UNION ALL
(SELECT drawer_id, ordinal, room_id, score FROM found
 WHERE drawer_id IS NULL ORDER BY score DESC, room_id LIMIT :limit)
