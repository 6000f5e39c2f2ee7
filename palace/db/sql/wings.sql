-- Lists the non-empty wings in order of number, with counts of their contents if counted.
-- user_id; after: the number after which they begin; ids: an array, null for all; limit, null for all; offset; counted.
-- Leans on uq_wing_user_id_number, and for each wing on uq_room_user_id_wing_id_number and
-- uq_drawer_user_id_room_id_number: EXISTS may become a scan of every drawer. Counting reads every drawer of the wings.
SELECT page.*, coalesce(counted.rooms, 0) AS rooms, coalesce(counted.drawers, 0) AS drawers,
       coalesce(counted.replaced, 0) AS replaced, counted.latest_at
FROM (
    SELECT w.id, w.number, w.slug, w.name, w.kind
    FROM wing w
    CROSS JOIN LATERAL (
        SELECT 1 FROM room r JOIN drawer d ON d.user_id = r.user_id AND d.room_id = r.id
        WHERE r.user_id = :user_id AND d.user_id = :user_id AND r.wing_id = w.id
        LIMIT 1
    ) held
    WHERE w.user_id = :user_id AND w.number > :after AND (CAST(:ids AS bigint[]) IS NULL OR w.id = ANY (:ids))
    ORDER BY w.number
    LIMIT :limit OFFSET :offset
) page
LEFT JOIN LATERAL (
    SELECT count(*) AS rooms, sum(d.drawers) AS drawers, sum(d.replaced) AS replaced, max(r.started_at) AS latest_at
    FROM room r
    CROSS JOIN LATERAL (
        SELECT count(*) AS drawers, count(drawer.replaced_at) AS replaced
        FROM drawer WHERE drawer.user_id = :user_id AND drawer.room_id = r.id
    ) d
    WHERE r.user_id = :user_id AND r.wing_id = page.id AND d.drawers > 0
) counted ON CAST(:counted AS boolean)
ORDER BY page.number
