-- Lists drawers that may have one of some names.
-- user_id; names, folded; most, how many passages with each are looked at and how many are given back. By itself, since
-- a cluster calls no function of ours in the midst of a statement that it hands on. Leans on ix_passage_user_id_tsv,
-- which only keyword_candidates may use.
SELECT DISTINCT drawer_id
FROM keyword_candidates(:user_id,
                        ARRAY(SELECT phraseto_tsquery('palace_plain', one) FROM unnest(CAST(:names AS text[])) AS one),
                        array_fill(CAST(1 AS float8), ARRAY[cardinality(CAST(:names AS text[]))]), :most, :most,
                        false, NULL, NULL, NULL, NULL, NULL, NULL)
WHERE drawer_id IS NOT NULL
