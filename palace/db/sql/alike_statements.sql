-- Pairs of similar passages of different drawers.
-- user_id; drawers, ordinals (arrays of one length); least (the smallest inner product of similar passages);
-- {generation} is inserted as an integer. Each pair comes once, as indices in the arrays, from 1, the smaller first.
-- Leans on pk_passage_embedding.
WITH said AS MATERIALIZED (
    SELECT asked.place, e.drawer_id, e.embedding
    FROM unnest(CAST(:drawers AS bigint[]), CAST(:ordinals AS int[])) WITH ORDINALITY AS asked (drawer_id, ordinal, place)
    JOIN passage_embedding AS e
         ON e.user_id = :user_id AND e.generation_id = {generation}
        AND e.drawer_id = asked.drawer_id AND e.ordinal = asked.ordinal AND e.embedding IS NOT NULL
)
SELECT one.place, other.place, -(one.embedding <#> other.embedding) AS likeness
FROM said AS one
JOIN said AS other ON other.place > one.place AND other.drawer_id <> one.drawer_id
WHERE -(one.embedding <#> other.embedding) >= :least
