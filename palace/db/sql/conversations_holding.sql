-- Lists the conversations, id and identity, with a drawer of a given text, latest first.
-- user_id; drawer_ids to search; digest of the text; hidden, the same under the palace's key, for drawers that were
-- redacted. Leans on pk_drawer.
SELECT DISTINCT c.id, c.identity
FROM drawer AS d
JOIN conversation AS c ON c.user_id = :user_id AND c.id = d.conversation_id
WHERE d.user_id = :user_id AND d.id = ANY (CAST(:drawer_ids AS bigint[]))
  AND CASE WHEN d.said IS NULL THEN substring(sha256(convert_to(d.content, 'UTF8')), 1, 16) = :digest
           ELSE d.said = :hidden END
ORDER BY c.id DESC
