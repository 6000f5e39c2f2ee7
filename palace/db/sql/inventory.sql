-- Counts a user's rows, and inconsistent ones.
-- user_id, white_space (characters). Reads every row once, texts too: for `palace doctor`, not for everyday work.
WITH cut AS (
    SELECT drawer_id, count(*) AS n, max(ordinal) AS last, min(char_start) AS first_char, max(char_end) AS last_char
    FROM passage WHERE user_id = :user_id AND kind <> 'sentence'
    GROUP BY drawer_id
)
SELECT
    (SELECT count(*) FROM drawer WHERE user_id = :user_id) AS drawers,
    (SELECT count(*) FROM passage WHERE user_id = :user_id AND kind <> 'sentence') AS passages,
    (SELECT count(*) FROM passage WHERE user_id = :user_id AND kind = 'sentence') AS sentences,
    (SELECT count(*) FROM passage AS p
     CROSS JOIN user_generation AS g
     WHERE p.user_id = :user_id AND g.user_id = :user_id AND p.kind IN ('whole', 'sentence') AND NOT EXISTS (
         SELECT FROM passage_embedding AS e
         WHERE e.user_id = :user_id AND e.drawer_id = p.drawer_id AND e.ordinal = p.ordinal
           AND e.generation_id = g.generation_id)) AS unindexed,
    (SELECT count(*) FROM passage_embedding AS e
     WHERE e.user_id = :user_id AND NOT EXISTS (
         SELECT FROM user_generation AS g
         WHERE g.user_id = :user_id AND g.generation_id = e.generation_id)) AS leftover,
    (SELECT count(*) FROM conversation AS c
     WHERE c.user_id = :user_id
       AND NOT EXISTS (SELECT FROM drawer AS d WHERE d.user_id = :user_id AND d.conversation_id = c.id)
       AND NOT EXISTS (SELECT FROM tombstone AS t WHERE t.user_id = :user_id AND t.conversation_id = c.id)) AS hollow,
    (SELECT count(*) FROM drawer AS d
     LEFT JOIN cut ON cut.drawer_id = d.id
     WHERE d.user_id = :user_id AND (
         CASE WHEN cut.n IS NULL THEN btrim(d.content, :white_space) <> ''
              ELSE cut.n <> cut.last + 1 OR cut.last_char <> length(rtrim(d.content, :white_space))
                OR cut.first_char <> length(d.content) - length(ltrim(d.content, :white_space)) END)) AS uncovered,
    (SELECT count(*) FROM drawer AS d
     JOIN index_step AS s ON s.user_id = :user_id AND s.conversation_id = d.conversation_id AND s.step = 'topics'
     WHERE d.user_id = :user_id AND d.closet_id IS NULL AND s.version > 0) AS unplaced,
    (SELECT count(*) FROM closet AS k
     WHERE k.user_id = :user_id AND NOT EXISTS (
         SELECT FROM drawer AS d
         WHERE d.user_id = :user_id AND d.room_id = k.room_id AND d.closet_id = k.id)) AS empty_closets
