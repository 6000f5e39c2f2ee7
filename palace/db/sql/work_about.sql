-- Returns what coding agents did with some files, commands, errors or symbols, and decisions about these; newest first.
-- user_id; kinds and keys (of equal length: what is looked up); path (null for any): of a file or a decision about one,
-- its path ends so, or is an end of it, or a folder above it or an ending (*.md);
-- command (null for none): the key of a command whose errors are returned;
-- is_part: also those of commands that go on behind it; program (null for none): also its errors that were fixed;
-- words: also errors that have more than one in least of them;
-- newest: how many of the latest drawers are taken whatever they are about, 0 for none; wings (ids, null for any);
-- readers (null for none) whose conversations are left out; since (null for any time); without (null for none): the
-- id of a session that is left out; limit. Reading a file is left out. more is the number of further ones.
-- Leans on ix_work_action_user_id_kind_key, ix_work_action_user_id_subject, ix_work_action_user_id_program, pk_drawer and
-- ix_drawer_user_id_conversation_id_position.
WITH asked AS (
    SELECT a.drawer_id, a.ordinal
    FROM unnest(CAST(:kinds AS text[]), CAST(:keys AS text[])) AS looked (kind, key)
    JOIN work_action AS a ON a.user_id = :user_id AND a.kind = looked.kind AND a.key = looked.key
    WHERE CAST(:path AS text) IS NULL OR a.kind NOT IN ('file', 'decision') OR a.subject = :path
       OR right(a.subject, length(:path) + 1) = '/' || :path OR right(:path, length(a.subject) + 1) = '/' || a.subject
       OR left(a.subject, 2) = '*.' OR (right(a.subject, 1) = '/' AND strpos('/' || :path, '/' || a.subject) > 0)
    UNION
    SELECT a.drawer_id, a.ordinal FROM work_action AS a
    WHERE a.user_id = :user_id AND a.kind = 'error' AND a.subject = CAST(:command AS text) AND a.char_start IS NOT NULL
    UNION
    SELECT a.drawer_id, a.ordinal FROM work_action AS a
    WHERE a.user_id = :user_id AND a.kind = 'error'
      AND (:is_part AND a.char_start IS NOT NULL AND starts_with(a.subject, CAST(:command AS text) || ' ')
           OR :least * (SELECT count(*) FROM unnest(CAST(:words AS text[])) AS word WHERE position(word IN lower(a.key)) > 0)
              > cardinality(CAST(:words AS text[])))
      AND (:is_part OR cardinality(CAST(:words AS text[])) > 0)
    UNION
    SELECT a.drawer_id, a.ordinal FROM work_action AS a
    WHERE a.user_id = :user_id AND a.kind = 'error' AND (a.operation = 'fixed' OR :is_part) AND a.char_start IS NOT NULL
      AND split_part(a.subject, ' ', 1) = CAST(:program AS text)
    UNION
    SELECT a.drawer_id, a.ordinal
    FROM (SELECT d.id FROM drawer AS d
          JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
          WHERE d.user_id = :user_id AND :newest > 0
            AND (CAST(:wings AS bigint[]) IS NULL OR r.wing_id = ANY(CAST(:wings AS bigint[])))
          ORDER BY coalesce(d.said_at, d.filed_at) DESC LIMIT :newest) AS latest
    JOIN work_action AS a ON a.user_id = :user_id AND a.drawer_id = latest.id
    WHERE (a.kind IN ('file', 'decision') OR (a.kind = 'error' AND a.char_start IS NOT NULL)) AND a.operation NOT IN ('near', 'said')
), shown AS (
    SELECT a.*, d.content, d.role, d.said_at, d.position, d.conversation_id, coalesce(d.said_at, d.filed_at) AS at,
           w.id AS wing_id, w.number AS wing_number, r.number AS room_number, d.number AS drawer_number, w.name AS wing,
           coalesce(c.title, r.name) AS title,
           count(*) OVER () AS found
    FROM asked
    JOIN work_action AS a ON a.user_id = :user_id AND a.drawer_id = asked.drawer_id AND a.ordinal = asked.ordinal
    JOIN drawer AS d ON d.user_id = :user_id AND d.id = a.drawer_id AND d.replaced_at IS NULL
    JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
    JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id
    JOIN conversation AS c ON c.user_id = :user_id AND c.id = d.conversation_id
    WHERE a.operation <> 'read' AND a.kind <> 'command'
      AND (CAST(:wings AS bigint[]) IS NULL OR w.id = ANY(CAST(:wings AS bigint[])))
      AND (CAST(:readers AS text[]) IS NULL OR c.reader <> ALL(CAST(:readers AS text[])))
      AND (CAST(:since AS timestamptz) IS NULL OR coalesce(d.said_at, d.filed_at) >= :since)
      AND (CAST(:without AS text) IS NULL OR right(c.identity, length(:without) + 1) <> ':' || :without)
    ORDER BY at DESC, a.drawer_id DESC, a.ordinal DESC LIMIT :limit
)
SELECT s.kind, s.key, s.subject, s.operation, s.exit_status, s.duration_ms, s.moved_from,
       replace(substring(s.content FROM s.char_start + 1 FOR s.char_end - s.char_start),
               CASE WHEN starts_with(s.content, '{"output":') THEN '\"' ELSE '' END, '"') AS said, s.role, s.said_at,
       s.wing_number, s.room_number, s.drawer_number, s.wing, s.title, fw.number AS fix_wing, fr.number AS fix_room,
       f.number AS fix_drawer, f.said_at AS fix_said_at, did.files AS fix_files, did.command AS fix_command, words.said AS words,
       s.kind = 'error' AND s.operation = 'open' AND EXISTS (
           SELECT FROM work_action AS again
           JOIN drawer AS later ON later.user_id = :user_id AND later.id = again.drawer_id
           JOIN room AS there ON there.user_id = :user_id AND there.id = later.room_id
           WHERE again.user_id = :user_id AND again.kind = 'command' AND again.key = s.subject AND again.operation = 'succeeded'
             AND coalesce(later.said_at, later.filed_at) > s.at
             AND (CAST(:wings AS bigint[]) IS NULL OR there.wing_id = ANY(CAST(:wings AS bigint[])))) AS is_past,
       (SELECT array_agg(beside.key) FROM work_action AS beside
        WHERE beside.user_id = :user_id AND beside.drawer_id = s.drawer_id AND beside.kind = 'error' AND s.kind = 'error') AS lines,
       (SELECT array_agg(p.key) FROM project AS p WHERE p.user_id = :user_id AND p.wing_id = s.wing_id) AS projects,
       s.found
FROM shown AS s
LEFT JOIN drawer AS f ON f.user_id = :user_id AND f.id = s.fixed_by
LEFT JOIN room AS fr ON fr.user_id = :user_id AND fr.id = f.room_id
LEFT JOIN wing AS fw ON fw.user_id = :user_id AND fw.id = fr.wing_id
LEFT JOIN LATERAL (
    SELECT array_agg(DISTINCT a.subject) FILTER (WHERE a.kind = 'file' AND a.operation <> 'read') AS files,
           min(a.subject) FILTER (WHERE a.kind = 'command') AS command
    FROM work_action AS a WHERE a.user_id = :user_id AND a.drawer_id = f.id
) AS did ON f.id IS NOT NULL
LEFT JOIN LATERAL (
    SELECT coalesce(string_agg(left(near.content, 300), E'\n' ORDER BY near.is_after DESC)
                        FILTER (WHERE NOT near.is_after OR near.content LIKE '%`%'), min(left(near.content, 600))) AS said
    FROM (SELECT DISTINCT ON (t.position > f.position) t.content, t.position > f.position AS is_after FROM drawer AS t
          WHERE t.user_id = :user_id AND t.conversation_id = f.conversation_id AND t.replaced_at IS NULL
            AND CASE f.role WHEN 'user' THEN t.id = f.id
                ELSE t.role = 'assistant' AND t.position BETWEEN s.position AND f.position + 8 END
          ORDER BY t.position > f.position, abs(t.position - f.position)) AS near
) AS words ON f.id IS NOT NULL
ORDER BY s.at DESC, s.drawer_id DESC, s.ordinal DESC
