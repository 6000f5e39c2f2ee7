-- Proposes a user's passages of one generation through its HNSW index, with the negated cosine, sorted again:
-- iterative scans relax the order.
-- user_id, vector, limit; {generation} and {dimension} are rendered as integers, as the index was declared with.
WITH near AS MATERIALIZED (
    SELECT e.drawer_id, e.ordinal,
           (e.embedding::halfvec({dimension}) <=> CAST(:vector AS halfvec({dimension}))) - 1 AS negated
    FROM passage_embedding AS e
    WHERE e.user_id = :user_id AND e.generation_id = {generation} AND e.embedding IS NOT NULL
    ORDER BY e.embedding::halfvec({dimension}) <=> CAST(:vector AS halfvec({dimension}))
    LIMIT :limit
)
SELECT drawer_id, ordinal, negated FROM near ORDER BY negated
