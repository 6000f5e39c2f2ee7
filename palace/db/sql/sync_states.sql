-- Returns each conversation of the user with the hash of its state and the size of its texts in bytes. The hash is over
-- the identities of its drawers, each with its position (not of notes, which are ordered by time), when and by what it
-- was replaced, and when it was last changed as a memory, and of its tombstones with their times, so it is the same on
-- every machine.
-- Parameter: user_id. Leans on the index of drawers by conversation.
SELECT c.id, c.identity, s.digest, s.bytes
FROM (SELECT l.conversation_id, substring(sha256(string_agg(l.line, ''::bytea ORDER BY l.line)), 1, 16) AS digest,
             CAST(sum(l.bytes) AS bigint) AS bytes
      FROM (SELECT d.conversation_id, octet_length(d.content) AS bytes,
                   d.identity || CASE WHEN d.replaced_at IS NULL THEN '\x01'::bytea
                                      ELSE '\x02'::bytea || timestamptz_send(d.replaced_at) END
                   || CASE WHEN v.reader IN ('note', 'memory') THEN '' ELSE int4send(d.position) END
                   || coalesce(n.identity, '') || coalesce('\x03'::bytea || timestamptz_send(m.updated_at), '') AS line
            FROM drawer AS d
            JOIN conversation AS v ON v.user_id = :user_id AND v.id = d.conversation_id
            LEFT JOIN drawer AS n ON n.user_id = :user_id AND n.id = d.replaced_by
            LEFT JOIN memory AS m ON m.user_id = :user_id AND m.drawer_id = d.id
            WHERE d.user_id = :user_id
            UNION ALL
            SELECT t.conversation_id, 0, t.identity || '\x00'::bytea || timestamptz_send(t.forgotten_at)
            FROM tombstone AS t WHERE t.user_id = :user_id AND t.restored_by IS NULL) AS l
      GROUP BY l.conversation_id) AS s
JOIN conversation AS c ON c.user_id = :user_id AND c.id = s.conversation_id
ORDER BY c.id
