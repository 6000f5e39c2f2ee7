-- Returns each conversation of the user with the hash of its state and the size of its texts in bytes. The hash is over
-- the identities of its drawers, each with a mark for current or replaced, and of its tombstones, so it is the same on
-- every machine. Parameter: user_id. Leans on the index of drawers by conversation.
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
