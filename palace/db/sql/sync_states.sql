-- Returns each conversation of the user with a hash of its state, which is the same in every palace: the identities of
-- its drawers, those that are replaced marked as such, and of what is forgotten; and how many bytes it says.
-- user_id. Leans on the index of drawers by conversation.
SELECT c.id, c.identity, s.digest, s.bytes
FROM (SELECT l.conversation_id, substring(sha256(string_agg(l.line, ''::bytea ORDER BY l.line)), 1, 16) AS digest,
             CAST(sum(l.bytes) AS bigint) AS bytes
      FROM (SELECT d.conversation_id, octet_length(d.content) AS bytes,
                   d.identity || CASE WHEN d.replaced_at IS NULL THEN '\x01' ELSE '\x02' END::bytea AS line
            FROM drawer AS d WHERE d.user_id = :user_id
            UNION ALL
            SELECT t.conversation_id, 0, t.identity || '\x00'::bytea
            FROM tombstone AS t WHERE t.user_id = :user_id AND t.restored_by IS NULL) AS l
      GROUP BY l.conversation_id) AS s
JOIN conversation AS c ON c.user_id = :user_id AND c.id = s.conversation_id
ORDER BY c.id
