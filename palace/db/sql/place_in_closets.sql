-- Puts drawers into closets of their room; those that are there already are not rewritten.
-- user_id; drawer_ids, closet_ids (arrays of one length). Leans on pk_drawer.
UPDATE drawer AS d
SET closet_id = given.closet_id
FROM unnest(CAST(:drawer_ids AS bigint[]), CAST(:closet_ids AS bigint[])) AS given (drawer_id, closet_id)
WHERE d.user_id = :user_id AND d.id = given.drawer_id AND d.closet_id IS DISTINCT FROM given.closet_id
