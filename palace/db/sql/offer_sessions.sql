-- Lists talks that programs had under names of their own and that may be meant by what is typed, the latest first.
-- user_id, typed (a pattern of LIKE, in small letters), reader (how the identities of talks begin), limit.
-- Those without a name of their own ("~…") are left out. Reads a user's conversations.
SELECT substr(c.identity, length(:reader) + 1) AS session, c.title
FROM conversation AS c
WHERE c.user_id = :user_id AND starts_with(c.identity, :reader)
  AND left(substr(c.identity, length(:reader) + 1), 1) <> '~'
  AND lower(substr(c.identity, length(:reader) + 1)) LIKE :typed
ORDER BY c.id DESC
LIMIT :limit
