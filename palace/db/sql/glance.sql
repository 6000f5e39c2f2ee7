-- Summarises a user's palace for a quick look: its drawers, wings and rooms, the last mining, waiting and failed jobs.
-- user_id. Leans on the maintained counts, and on one lookup in the index of drawers by room for each room.
SELECT
    (SELECT coalesce(sum(amount), 0) FROM count_delta WHERE user_id = :user_id AND counted = 'drawer') AS drawers,
    held.wings,
    held.rooms,
    (SELECT max(finished_at) FROM mining_run WHERE user_id = :user_id AND drawer_count > 0) AS last_mined_at,
    queued.waiting,
    queued.failed
FROM (
    SELECT count(DISTINCT r.wing_id) AS wings, count(*) AS rooms FROM room AS r
    WHERE r.user_id = :user_id
      AND EXISTS (SELECT FROM drawer AS d WHERE d.user_id = :user_id AND d.room_id = r.id)
) AS held
CROSS JOIN (
    SELECT count(*) FILTER (WHERE CAST(j.status AS text) IN ('todo', 'doing')) AS waiting,
           count(*) FILTER (WHERE CAST(j.status AS text) = 'failed') AS failed
    FROM procrastinate_jobs AS j WHERE j.user_id = :user_id
) AS queued
WHERE EXISTS (SELECT FROM palace_user WHERE id = :user_id)
