-- Lists drawers that say some words, all of them.
-- user_id; text, whose words they are; most, how many passages with them are looked at. By itself, since a cluster calls
-- no function of ours in the midst of a statement that it hands on. Leans on ix_passage_user_id_tsv, which only
-- keyword_candidates may use.
SELECT DISTINCT drawer_id
FROM keyword_candidates(:user_id, ARRAY[plainto_tsquery('palace_plain', :text)], ARRAY[CAST(1 AS float8)], :most, :most,
                        true, NULL, NULL, NULL, NULL, NULL, NULL)
WHERE drawer_id IS NOT NULL
