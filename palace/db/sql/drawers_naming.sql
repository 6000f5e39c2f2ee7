-- Lists drawers that may contain one of some names, for each key.
-- user_id; keys, names (arrays of one length); most: how many passages of each name are read, and how many drawers
-- returned of each key. A statement of its own, since a Citus cluster calls no function of ours within a statement that
-- it distributes. Leans on ix_passage_user_id_tsv, which only keyword_candidates may use.
SELECT DISTINCT wanted.key, found.drawer_id
FROM (SELECT key, array_agg(phraseto_tsquery('palace_plain', name)) AS terms
      FROM unnest(CAST(:keys AS bigint[]), CAST(:names AS text[])) AS given (key, name) GROUP BY key) AS wanted
CROSS JOIN LATERAL keyword_candidates(:user_id, wanted.terms,
                                      array_fill(CAST(1 AS float8), ARRAY[cardinality(wanted.terms)]), :most, :most,
                                      false, NULL, NULL, NULL, NULL, NULL, NULL) AS found
WHERE found.drawer_id IS NOT NULL
