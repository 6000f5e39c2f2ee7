-- Writes the times that drawers speak of, and their languages; rows that are the same already are not rewritten.
-- user_id; drawer_ids, spoken_of, languages (arrays of one length; multiranges as text, or null). Leans on pk_drawer.
UPDATE drawer AS d
SET spoken_of = given.spoken_of, language = given.language
FROM unnest(CAST(:drawer_ids AS bigint[]), CAST(:spoken_of AS tstzmultirange[]), CAST(:languages AS text[]))
     AS given (drawer_id, spoken_of, language)
WHERE d.user_id = :user_id AND d.id = given.drawer_id
  AND (d.spoken_of, d.language) IS DISTINCT FROM (given.spoken_of, given.language)
