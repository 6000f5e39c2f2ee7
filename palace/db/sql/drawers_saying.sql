-- Lists drawers that hold all words of a text.
-- user_id; text; most: how many passages with them are read. A statement of its own, since a Citus cluster calls no
-- function of ours within a statement that it distributes. Leans on ix_passage_user_id_tsv, which only
-- keyword_candidates may use.
SELECT DISTINCT drawer_id
FROM keyword_candidates(:user_id, ARRAY[plainto_tsquery('palace_plain', :text)], ARRAY[CAST(1 AS float8)], :most, :most,
                        true, NULL, NULL, NULL, NULL, NULL, NULL)
WHERE drawer_id IS NOT NULL
