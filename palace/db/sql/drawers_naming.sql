-- Lists drawers that may contain one of some names.
-- user_id; names, folded; most: how many passages of each are read, and how many drawers returned. A statement of its
-- own, since a Citus cluster calls no function of ours within a statement that it distributes. Leans on
-- ix_passage_user_id_tsv, which only keyword_candidates may use.
SELECT DISTINCT drawer_id
FROM keyword_candidates(:user_id,
                        ARRAY(SELECT phraseto_tsquery('palace_plain', one) FROM unnest(CAST(:names AS text[])) AS one),
                        array_fill(CAST(1 AS float8), ARRAY[cardinality(CAST(:names AS text[]))]), :most, :most,
                        false, NULL, NULL, NULL, NULL, NULL, NULL)
WHERE drawer_id IS NOT NULL
