-- Gives drawers with one passage of each, where they stand, and what is known of them.
-- user_id; drawer_ids, ordinals (arrays of one length). Leans on pk_drawer, pk_passage, pk_room and pk_wing.
SELECT d.id, d.number, d.content, d.role, d.speaker, d.said_at, d.filed_at, d.position, d.is_revision, d.is_repaired,
       w.number AS wing_number, w.name AS wing_name, r.number AS room_number, r.name AS room_name,
       k.name AS closet_name, d.said_offset, d.replaced_at,
       nw.number AS replacing_wing, nr.number AS replacing_room, n.number AS replacing_drawer,
       aw.number AS answered_wing, ar.number AS answered_room, a.number AS answered_drawer,
       p.ordinal, p.char_start, p.char_end
FROM unnest(CAST(:drawer_ids AS bigint[]), CAST(:ordinals AS int[])) AS wanted (drawer_id, ordinal)
JOIN drawer AS d ON d.user_id = :user_id AND d.id = wanted.drawer_id
JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = wanted.drawer_id AND p.ordinal = wanted.ordinal
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id
LEFT JOIN closet AS k ON k.user_id = :user_id AND k.id = d.closet_id
LEFT JOIN drawer AS n ON n.user_id = :user_id AND n.id = d.replaced_by
LEFT JOIN room AS nr ON nr.user_id = :user_id AND nr.id = n.room_id
LEFT JOIN wing AS nw ON nw.user_id = :user_id AND nw.id = nr.wing_id
LEFT JOIN drawer AS a ON a.user_id = :user_id AND a.id = d.answers
LEFT JOIN room AS ar ON ar.user_id = :user_id AND ar.id = a.room_id
LEFT JOIN wing AS aw ON aw.user_id = :user_id AND aw.id = ar.wing_id
