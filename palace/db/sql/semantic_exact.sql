-- Proposes a user's passages of one generation by inner product with a unit vector, nearest first, all compared.
-- user_id, vector, limit; {generation} is rendered as an integer: bound, a generic plan would not know it.
-- Given is the negated product; written twice, it would be computed twice. The "+ 0" keeps the planner off an HNSW
-- index. Leans on pk_passage_embedding where the user has few of the rows.
SELECT e.drawer_id, e.ordinal, (e.embedding <#> CAST(:vector AS halfvec)) + 0 AS negated
FROM passage_embedding AS e
WHERE e.user_id = :user_id AND e.generation_id = {generation} AND e.embedding IS NOT NULL
ORDER BY negated
LIMIT :limit
