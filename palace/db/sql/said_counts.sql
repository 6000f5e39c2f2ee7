-- Counts what was said between each two neighbouring edges, in all wings or one.
-- user_id; edges (moments in order; drawers before the first or from the last on are left out); wing_id (null for any).
-- slot: the number, from 1, of the edge at which it begins; empty slots are left out. An undated drawer counts as said
-- when its room began. No drawer is read, only the index: leans on ix_drawer_user_id_said_at and pk_room.
WITH bounds AS MATERIALIZED (
    SELECT min(edge) AS first, max(edge) AS last FROM unnest(CAST(:edges AS timestamptz[])) AS t (edge)
), said AS (
    SELECT d.said_at AS moment, d.room_id FROM drawer AS d
    WHERE d.user_id = :user_id AND d.said_at >= (SELECT first FROM bounds) AND d.said_at < (SELECT last FROM bounds)
    UNION ALL
    SELECT coalesce(r.started_at, d.filed_at), d.room_id
    FROM drawer AS d JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
    WHERE d.user_id = :user_id AND d.said_at IS NULL
      AND coalesce(r.started_at, d.filed_at) >= (SELECT first FROM bounds)
      AND coalesce(r.started_at, d.filed_at) < (SELECT last FROM bounds)
)
SELECT width_bucket(said.moment, CAST(:edges AS timestamptz[])) AS slot, count(*) AS drawers
FROM said
WHERE CAST(:wing_id AS bigint) IS NULL OR said.room_id IN (
    SELECT w.id FROM room AS w WHERE w.user_id = :user_id AND w.wing_id = CAST(:wing_id AS bigint))
GROUP BY slot ORDER BY slot
