-- Proposes a user's passages of one generation by inner product with a unit vector, nearest first, comparing all.
-- user_id, vector, limit; {generation} is inserted as an integer: a generic plan would not know a bound one.
-- Returns the negated product; written twice, it would be computed twice. The "+ 0" keeps the planner off an HNSW
-- index. Leans on pk_passage_embedding where the user has few of the rows.
SELECT e.drawer_id, e.ordinal, (e.embedding <#> CAST(:vector AS halfvec)) + 0 AS negated
FROM passage_embedding AS e
WHERE e.user_id = :user_id AND e.generation_id = {generation} AND e.embedding IS NOT NULL
ORDER BY negated
LIMIT :limit
