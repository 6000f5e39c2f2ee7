-- Pairs of drawers that say alike, where each says what is nearest to a vector.
-- user_id; drawers (ids); vector; least (the inner product from which on two are alike); {generation} is rendered as an
-- integer. Each pair stands once, the smaller id first. Leans on pk_passage_embedding.
WITH nearest AS MATERIALIZED (
    SELECT DISTINCT ON (e.drawer_id) e.drawer_id, e.embedding
    FROM unnest(CAST(:drawers AS bigint[])) AS asked (drawer_id)
    JOIN passage_embedding AS e
         ON e.user_id = :user_id AND e.generation_id = {generation} AND e.drawer_id = asked.drawer_id
    WHERE e.embedding IS NOT NULL
    ORDER BY e.drawer_id, e.embedding <#> CAST(:vector AS halfvec)
)
SELECT one.drawer_id, other.drawer_id, -(one.embedding <#> other.embedding) AS likeness
FROM nearest AS one
JOIN nearest AS other ON other.drawer_id > one.drawer_id
WHERE -(one.embedding <#> other.embedding) >= :least
