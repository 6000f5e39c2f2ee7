-- Lists the conversations, id and identity, that hold a drawer of a content, the latest first.
-- user_id; beginning, words that its first passage has, all of them; digest, of its content; most, how many passages with these
-- words are looked at. Leans on ix_passage_user_id_tsv, which only keyword_candidates may use.
SELECT DISTINCT c.id, c.identity
FROM keyword_candidates(
    ARRAY[plainto_tsquery('palace_plain', :beginning)], ARRAY[CAST(1 AS float8)], :most, :most, true, NULL, NULL, NULL
) AS met
JOIN drawer AS d ON d.user_id = :user_id AND d.id = met.drawer_id
JOIN conversation AS c ON c.user_id = :user_id AND c.id = d.conversation_id
WHERE substring(sha256(convert_to(d.content, 'UTF8')), 1, 16) = :digest
ORDER BY c.id DESC
