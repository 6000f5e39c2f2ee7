-- Makes every passage of a user that has vectors pending in a generation.
-- user_id, generation_id. Leans on pk_passage.
INSERT INTO passage_embedding (user_id, drawer_id, ordinal, generation_id)
SELECT user_id, drawer_id, ordinal, :generation_id
FROM passage
WHERE user_id = :user_id AND kind IN ('whole', 'sentence')
ON CONFLICT DO NOTHING
