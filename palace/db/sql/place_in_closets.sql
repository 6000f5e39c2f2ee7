-- Puts drawers into closets of their rooms; those that are there already are not rewritten.
-- user_id; drawer_ids, room_ids, slugs (arrays of one length). Leans on pk_drawer and uq_closet_user_id_room_id_slug.
UPDATE drawer AS d
SET closet_id = c.id
FROM unnest(CAST(:drawer_ids AS bigint[]), CAST(:room_ids AS bigint[]), CAST(:slugs AS text[]))
     AS given (drawer_id, room_id, slug)
JOIN closet AS c ON c.user_id = :user_id AND c.room_id = given.room_id AND c.slug = given.slug
WHERE d.user_id = :user_id AND d.id = given.drawer_id AND d.closet_id IS DISTINCT FROM c.id
