-- Lists for each key, as (key, drawer_id), drawers that may contain one of its names.
-- Parameters: user_id; keys, names (arrays of one length, a pair for each name); most (passages to read for each name,
-- and drawers to return for each key).
-- Called apart from other statements, since Citus cannot call Palace's functions in a statement that it distributes.
-- Leans on ix_passage_user_id_tsv, which only keyword_candidates may use.
SELECT DISTINCT wanted.key, found.drawer_id
FROM (SELECT key, array_agg(phraseto_tsquery('palace_plain', name)) AS terms
      FROM unnest(CAST(:keys AS bigint[]), CAST(:names AS text[])) AS given (key, name) GROUP BY key) AS wanted
CROSS JOIN LATERAL keyword_candidates(:user_id, wanted.terms,
                                      array_fill(CAST(1 AS float8), ARRAY[cardinality(wanted.terms)]), :most, :most,
                                      false, NULL, NULL, NULL, NULL, NULL, NULL) AS found
WHERE found.drawer_id IS NOT NULL
