-- Lists conversations that programs named themselves and whose name begins as typed, latest first.
-- user_id, typed (a pattern of LIKE, in lower case), reader (how the identities begin), limit.
-- Those without a name of their own ("~…") are left out. Reads a user's conversations.
SELECT substr(c.identity, length(:reader) + 1) AS session, c.title
FROM conversation AS c
WHERE c.user_id = :user_id AND starts_with(c.identity, :reader)
  AND left(substr(c.identity, length(:reader) + 1), 1) <> '~'
  AND lower(substr(c.identity, length(:reader) + 1)) LIKE :typed
ORDER BY c.id DESC
LIMIT :limit
