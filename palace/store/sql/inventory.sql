-- Counts a user's rows as they are, and those that should not be.
-- user_id. Reads every index once: for `palace doctor`, not for everyday work.
SELECT
    (SELECT count(*) FROM drawer WHERE user_id = :user_id) AS drawers,
    (SELECT count(*) FROM passage WHERE user_id = :user_id) AS passages,
    (SELECT count(*) FROM passage AS p
     CROSS JOIN user_generation AS g
     WHERE p.user_id = :user_id AND g.user_id = :user_id AND NOT p.is_tool AND NOT EXISTS (
         SELECT FROM passage_embedding AS e
         WHERE e.user_id = :user_id AND e.drawer_id = p.drawer_id AND e.ordinal = p.ordinal
           AND e.generation_id = g.generation_id)) AS unindexed,
    (SELECT count(*) FROM passage_embedding AS e
     WHERE e.user_id = :user_id AND NOT EXISTS (
         SELECT FROM user_generation AS g
         WHERE g.user_id = :user_id AND g.generation_id = e.generation_id)) AS leftover,
    (SELECT count(*) FROM passage_embedding WHERE user_id = :user_id AND embedding IS NULL) AS pending,
    (SELECT count(*) FROM conversation AS c
     WHERE c.user_id = :user_id AND NOT EXISTS (
         SELECT FROM drawer AS d WHERE d.user_id = :user_id AND d.conversation_id = c.id)) AS hollow
