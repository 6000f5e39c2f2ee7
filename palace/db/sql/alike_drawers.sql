-- Pairs of drawers whose passages nearest to a vector are similar.
-- user_id; drawers (ids); vector; least (the smallest inner product of similar passages); rare (the most passages that
-- may hold a rare common word; null: none is looked for); named (a regular expression, null for none); stretches
-- (whether texts are wanted); {generation} is inserted as an integer.
-- Each pair comes once, the smaller id first. shares: whether both hold a rare word; naming: which of them match named.
-- A drawer paired with itself has its passage nearest to the vector with the text beside it. Leans on
-- pk_passage_embedding, pk_passage, pk_term_count and pk_drawer.
WITH nearest AS MATERIALIZED (
    SELECT DISTINCT ON (e.drawer_id) e.drawer_id, e.embedding, d.content ~* CAST(:named AS text) AS names,
           CASE WHEN :stretches
                THEN substr(d.content, greatest(p.char_start - 200, 1), p.char_end - p.char_start + 400) END AS stretch
    FROM unnest(CAST(:drawers AS bigint[])) AS asked (drawer_id)
    JOIN drawer AS d ON d.user_id = :user_id AND d.id = asked.drawer_id
    JOIN passage_embedding AS e
         ON e.user_id = :user_id AND e.generation_id = {generation} AND e.drawer_id = asked.drawer_id
    JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = e.drawer_id AND p.ordinal = e.ordinal
    WHERE e.embedding IS NOT NULL
    ORDER BY e.drawer_id, e.embedding <#> CAST(:vector AS halfvec)
), said AS MATERIALIZED (
    SELECT DISTINCT p.drawer_id, word.lexeme
    FROM unnest(CAST(:drawers AS bigint[])) AS asked (drawer_id)
    JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = asked.drawer_id
    CROSS JOIN LATERAL unnest(p.tsv) AS word
    WHERE CAST(:rare AS int) IS NOT NULL AND 'A' = ANY (word.weights)
), rare AS MATERIALIZED (
    SELECT shared.lexeme, shared.drawers
    FROM (SELECT lexeme, array_agg(drawer_id) AS drawers FROM said GROUP BY lexeme HAVING count(*) > 1) AS shared
    LEFT JOIN term_count AS t ON t.user_id = :user_id AND t.lexeme = shared.lexeme
    WHERE coalesce(t.passage_count, 0) <= CAST(:rare AS int)
)
SELECT one.drawer_id AS one, other.drawer_id AS other, -(one.embedding <#> other.embedding) AS likeness,
       EXISTS (SELECT FROM rare WHERE rare.drawers @> ARRAY[one.drawer_id, other.drawer_id]) AS shares,
       array_remove(ARRAY[CASE WHEN one.names IS NOT FALSE THEN one.drawer_id END,
                          CASE WHEN other.names IS NOT FALSE THEN other.drawer_id END], NULL) AS naming, NULL AS stretch
FROM nearest AS one
JOIN nearest AS other ON other.drawer_id > one.drawer_id
WHERE -(one.embedding <#> other.embedding) >= :least
UNION ALL SELECT drawer_id, drawer_id, 1, false, NULL, stretch FROM nearest WHERE stretch IS NOT NULL
