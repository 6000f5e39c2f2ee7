-- Proposes a user's passages of one generation by inner product with a unit vector, nearest first: of those whose
-- binary quantisation (the signs of their numbers, `code`) differs least from the vector's.
-- user_id, vector, limit, shortlist (how many are examined); {generation} is inserted as an integer. Returns the
-- negated product. Leans on ix_passage_embedding_code for the codes, on pk_passage_embedding for vectors.
WITH alike AS MATERIALIZED (
    SELECT e.drawer_id, e.ordinal, (e.code <~> binary_quantize(CAST(:vector AS halfvec))) + 0 AS differing
    FROM passage_embedding AS e
    WHERE e.user_id = :user_id AND e.generation_id = {generation} AND e.code IS NOT NULL
    ORDER BY differing
    LIMIT :shortlist
)
SELECT e.drawer_id, e.ordinal, (e.embedding <#> CAST(:vector AS halfvec)) + 0 AS negated
FROM alike
JOIN passage_embedding AS e
     ON e.user_id = :user_id AND e.generation_id = {generation}
    AND e.drawer_id = alike.drawer_id AND e.ordinal = alike.ordinal
ORDER BY negated
LIMIT :limit
