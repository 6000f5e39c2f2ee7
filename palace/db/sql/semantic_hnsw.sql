-- Proposes a user's passages of one generation by inner product with a unit vector, nearest first: of those whose
-- binary quantisation differs least from the vector's, as the user's HNSW index over these finds them.
-- user_id, vector, limit, shortlist (how many are examined); {user}, {generation} and {dimension} are inserted as
-- integers, as in the index's declaration. Returns the negated product. Leans on that index, and on
-- pk_passage_embedding for vectors.
WITH alike AS MATERIALIZED (
    SELECT e.drawer_id, e.ordinal
    FROM passage_embedding AS e
    WHERE e.user_id = :user_id AND e.user_id = {user} AND e.generation_id = {generation} AND e.code IS NOT NULL
    ORDER BY e.code::bit({dimension}) <~> CAST(binary_quantize(CAST(:vector AS halfvec)) AS bit({dimension}))
    LIMIT :shortlist
)
SELECT e.drawer_id, e.ordinal, (e.embedding <#> CAST(:vector AS halfvec)) + 0 AS negated
FROM alike
JOIN passage_embedding AS e
     ON e.user_id = :user_id AND e.generation_id = {generation}
    AND e.drawer_id = alike.drawer_id AND e.ordinal = alike.ordinal
ORDER BY negated
LIMIT :limit
