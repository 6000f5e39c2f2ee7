-- Replaces a user's count deltas by the numbers of rows, both as of one moment. A delta committed later is about rows
-- not counted here, and stays. user_id. Leans on pk_drawer and pk_passage. The caller holds the lock on counts.
WITH gone AS (
    DELETE FROM count_delta WHERE user_id = :user_id
)
INSERT INTO count_delta (user_id, counted, amount)
SELECT :user_id, 'drawer', count(*) FROM drawer WHERE user_id = :user_id
UNION ALL
SELECT :user_id, CASE WHEN kind = 'sentence' THEN 'sentence' ELSE 'passage' END, count(*)
FROM passage WHERE user_id = :user_id GROUP BY kind = 'sentence'
UNION ALL
SELECT :user_id, 'language:' || language, count(*)
FROM drawer WHERE user_id = :user_id AND language <> 'en' GROUP BY language
RETURNING counted
