-- Returns the passages of the user in some rooms, closets and small wings that are nearest to a vector.
-- user_id; rooms, closets, wings (ids); small, the most rooms of a wing that is searched; looked_at, the most drawers
-- examined; vector; limit; within (ids of wings, null for any), to which all is restricted; {generation} is inserted as
-- an integer. Leans on pk_room, pk_closet, uq_room_user_id_wing_id_number, uq_drawer_user_id_room_id_number and
-- pk_passage_embedding.
WITH places AS (
    SELECT id AS room_id, CAST(NULL AS bigint) AS closet_id FROM room
    WHERE user_id = :user_id AND id = ANY (CAST(:rooms AS bigint[]))
    UNION ALL
    SELECT room_id, id FROM closet WHERE user_id = :user_id AND id = ANY (CAST(:closets AS bigint[]))
    UNION ALL
    SELECT id, CAST(NULL AS bigint)
    FROM (SELECT id, count(*) OVER (PARTITION BY wing_id) AS beside FROM room
          WHERE user_id = :user_id AND wing_id = ANY (CAST(:wings AS bigint[]))) AS within
    WHERE beside <= :small
), said AS MATERIALIZED (
    SELECT d.id FROM places AS p
    JOIN room AS r ON r.user_id = :user_id AND r.id = p.room_id
                  AND (CAST(:within AS bigint[]) IS NULL OR r.wing_id = ANY (CAST(:within AS bigint[])))
    JOIN drawer AS d ON d.user_id = :user_id AND d.room_id = p.room_id
                    AND (p.closet_id IS NULL OR d.closet_id = p.closet_id)
    WHERE d.role = 'user' LIMIT :looked_at
)
SELECT e.drawer_id, e.ordinal, e.embedding <#> CAST(:vector AS halfvec) AS negated
FROM (SELECT DISTINCT id FROM said) AS s
JOIN passage_embedding AS e ON e.user_id = :user_id AND e.generation_id = {generation} AND e.drawer_id = s.id
WHERE e.embedding IS NOT NULL
ORDER BY negated LIMIT :limit
