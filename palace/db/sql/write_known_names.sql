-- Stores names in drawers, except those that the drawer mentions or nothing goes by any more, and drawers that are
-- being deleted.
-- user_id; drawer_ids, folded (arrays of one length). Drawers are locked in order of id. Leans on pk_drawer and
-- pk_mention.
INSERT INTO known_name (user_id, drawer_id, folded)
SELECT :user_id, d.id, given.folded
FROM unnest(CAST(:drawer_ids AS bigint[]), CAST(:folded AS text[])) AS given (drawer_id, folded)
JOIN drawer AS d ON d.user_id = :user_id AND d.id = given.drawer_id
WHERE NOT EXISTS (
    SELECT FROM mention AS m WHERE m.user_id = :user_id AND m.drawer_id = d.id AND m.folded = given.folded
) AND (given.folded LIKE 'my %'
       OR EXISTS (SELECT FROM alias AS a WHERE a.user_id = :user_id AND a.folded = given.folded))
ORDER BY d.id, given.folded
FOR KEY SHARE OF d SKIP LOCKED
ON CONFLICT DO NOTHING
