-- Returns what users and assistants said in a stretch of time, and earlier drawers that speak of a time ahead or a change.
-- Memories are left out, but for accepted ones that the person wrote.
-- user_id; since, until (the stretch, both included); now, after which a time is ahead; wings (ids, null for any);
-- readers (null for none) whose conversations are left out; scanned, how many drawers are examined, newest first, of
-- dated and of undated ones; most, how many are returned of the stretch, in turns from each day and room, those neither
-- short nor long first and the user's before the assistant's; most_ahead, how many from before it that speak of a time
-- ahead; most_changes, how many others that match changing, a regular expression, among the newest changes; longest,
-- the characters returned of each; questions, a regular expression; tools and replaced drawers are left out.
-- An undated drawer counts as said when its room began, else when it was filed; of those from before the stretch, the
-- newest that hold a year are returned. is_answered: whether one of the four
-- turns after a possible question is by somebody else. Leans on ix_drawer_user_id_said_at, pk_room, pk_drawer and
-- ix_drawer_user_id_conversation_id_position.
WITH dated AS MATERIALIZED (
    SELECT d.id, d.room_id, d.role = 'user' AS is_person, d.said_at AS at, octet_length(d.content) AS size
    FROM drawer AS d
    WHERE d.user_id = :user_id AND d.said_at BETWEEN :since AND :until AND d.role IN ('user', 'assistant')
      AND d.replaced_at IS NULL AND (CAST(:wings AS bigint[]) IS NULL OR d.room_id IN (
          SELECT r.id FROM room AS r WHERE r.user_id = :user_id AND r.wing_id = ANY(CAST(:wings AS bigint[]))))
      AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (
           SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
    ORDER BY d.said_at DESC LIMIT :scanned
), undated AS MATERIALIZED (
    SELECT d.id, d.room_id, d.role = 'user' AS is_person, coalesce(r.started_at, d.filed_at) AS at, octet_length(d.content) AS size
    FROM drawer AS d
    JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
    WHERE d.user_id = :user_id AND d.said_at IS NULL AND coalesce(r.started_at, d.filed_at) BETWEEN :since AND :until
      AND (CAST(:wings AS bigint[]) IS NULL OR r.wing_id = ANY(CAST(:wings AS bigint[])))
      AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (
           SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
      AND d.role IN ('user', 'assistant') AND d.replaced_at IS NULL
    ORDER BY coalesce(r.started_at, d.filed_at) DESC LIMIT :scanned
), taken AS (
    SELECT id, at, is_person,
           row_number() OVER (PARTITION BY is_person, room_id, floor(extract(epoch FROM at) / 86400)
                              ORDER BY size BETWEEN 24 AND 2000 DESC, at DESC, id DESC) AS place
    FROM (SELECT * FROM dated UNION ALL SELECT * FROM undated) AS said
), ahead AS MATERIALIZED (
    SELECT id, said_at AS at
    FROM (SELECT id, said_at, is_ahead, row_number() OVER (PARTITION BY is_ahead ORDER BY said_at DESC) AS nth
    FROM (SELECT d.id, d.said_at, coalesce(upper(d.spoken_of) > :now, false) AS is_ahead,
                 CASE WHEN octet_length(d.content) <= :longest THEN d.content END AS content,
                 row_number() OVER (ORDER BY d.said_at DESC) AS place
          FROM drawer AS d
          WHERE d.user_id = :user_id AND d.said_at < :since AND d.role = 'user' AND d.replaced_at IS NULL
            AND (CAST(:wings AS bigint[]) IS NULL OR d.room_id IN (
                SELECT r.id FROM room AS r WHERE r.user_id = :user_id AND r.wing_id = ANY(CAST(:wings AS bigint[]))))
            AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (
           SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
          ORDER BY d.said_at DESC LIMIT :scanned) AS earlier
    WHERE is_ahead OR (place <= :changes AND content ~* CAST(:changing AS text))) AS found
    WHERE nth <= CASE WHEN is_ahead THEN :most_ahead ELSE :most_changes END
), undated_ahead AS MATERIALIZED (
    SELECT id, at
    FROM (SELECT d.id, coalesce(r.started_at, d.filed_at) AS at, d.content
          FROM drawer AS d
          JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
          WHERE d.user_id = :user_id AND d.said_at IS NULL AND coalesce(r.started_at, d.filed_at) < :since
            AND d.role = 'user' AND d.replaced_at IS NULL
            AND (CAST(:wings AS bigint[]) IS NULL OR r.wing_id = ANY(CAST(:wings AS bigint[])))
            AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (
                 SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
          ORDER BY coalesce(r.started_at, d.filed_at) DESC LIMIT :changes) AS earlier
    WHERE content ~ '20[0-9][0-9]' LIMIT :most_ahead
), chosen AS (
    (SELECT id, at FROM taken WHERE is_person OR place <= 2 ORDER BY is_person DESC, place, at DESC, id DESC LIMIT :most)
    UNION ALL
    SELECT id, at FROM ahead
    UNION ALL
    SELECT id, at FROM undated_ahead
)
SELECT d.id, d.room_id, r.wing_id, d.conversation_id, d.position, d.role, d.speaker, c.at, d.said_at IS NOT NULL AS is_dated,
       left(d.content, :longest) AS text,
       CASE WHEN octet_length(d.content) <= 800 AND d.content ~ :questions THEN EXISTS (
           SELECT FROM drawer AS n
           WHERE n.user_id = :user_id AND n.conversation_id = d.conversation_id AND n.position > d.position
             AND n.position <= d.position + 4 AND n.role IN ('user', 'assistant')
             AND (n.role, coalesce(n.speaker, '')) <> (d.role, coalesce(d.speaker, ''))) ELSE false END AS is_answered,
       coalesce(upper(d.spoken_of) > :now, false) AS speaks_ahead
FROM chosen AS c
JOIN drawer AS d ON d.user_id = :user_id AND d.id = c.id
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
WHERE NOT EXISTS (SELECT FROM memory AS m WHERE m.user_id = :user_id AND m.drawer_id = d.id
      AND (m.maker <> 'person' OR m.state <> 'accepted' OR m.expires_at <= now()))
ORDER BY c.at DESC, d.id DESC
