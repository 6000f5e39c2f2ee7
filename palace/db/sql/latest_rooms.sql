-- Lists the non-empty rooms of a wing, latest beginning first, those with an unknown one last.
-- user_id; wing_id; behind: the number of the room after which the page begins, 0 for the first page; behind_at: when
-- that room began, null if unknown; limit. Leans on uq_room_user_id_wing_id_number, and on one lookup in
-- uq_drawer_user_id_room_id_number for each room; only drawers of the page's rooms are counted.
SELECT page.*, counted.drawers, counted.replaced
FROM (
    SELECT r.id, r.wing_id, r.number, r.name, r.started_at
    FROM room r
    CROSS JOIN LATERAL (SELECT 1 FROM drawer d WHERE d.user_id = :user_id AND d.room_id = r.id LIMIT 1) held
    WHERE r.user_id = :user_id AND r.wing_id = :wing_id
      AND (:behind = 0
           OR (coalesce(r.started_at, '-infinity'), r.number)
              < (coalesce(CAST(:behind_at AS timestamptz), '-infinity'), :behind))
    ORDER BY r.started_at DESC NULLS LAST, r.number DESC
    LIMIT :limit
) page
CROSS JOIN LATERAL (
    SELECT count(*) AS drawers, count(d.replaced_at) AS replaced
    FROM drawer d WHERE d.user_id = :user_id AND d.room_id = page.id
) counted
ORDER BY page.started_at DESC NULLS LAST, page.number DESC
