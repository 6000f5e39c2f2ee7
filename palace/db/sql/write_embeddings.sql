-- Writes the vectors of pending passages; those that are gone or already embedded are left alone.
-- user_id, generation_id, drawer_ids, ordinals, vectors (arrays of one length, in key order).
-- Leans on pk_passage_embedding.
UPDATE passage_embedding AS e
SET embedding = CAST(given.vector AS halfvec)
FROM unnest(CAST(:drawer_ids AS bigint[]), CAST(:ordinals AS int[]), CAST(:vectors AS text[]))
     AS given (drawer_id, ordinal, vector)
WHERE e.user_id = :user_id AND e.generation_id = :generation_id
  AND e.drawer_id = given.drawer_id AND e.ordinal = given.ordinal AND e.embedding IS NULL
