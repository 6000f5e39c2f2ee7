-- Samples, evenly over time, drawers that were said in stretches of time or speak of them, with the rarity of their
-- words. Memories are left out, but for accepted ones that the person wrote.
-- user_id; windows (a multirange of when they were said), first, last (its bounds); meant (a multirange of what they
-- speak of), told_first, told_last: when those were said; slices, each: the number of slices of the time, and of
-- drawers from each; sampled: drawers in total, if that is more; many: with so many drawers, only some are read, and
-- none for what they speak of; tools; wings (ids), since, until, role, speaker, language (null for any), readers (whose
-- conversations are left out). ordinal: the first passage; rarity: the summed idf (see weigh_words) of its first 16
-- words; words: how many. An undated drawer counts as said when its room began. Of drawers said then, only the index is
-- read, except for the sample. Leans on ix_drawer_user_id_said_at, pk_room, pk_drawer, pk_passage and pk_term_count.
WITH few AS (
    (SELECT FROM drawer AS d
     WHERE d.user_id = :user_id AND d.said_at >= CAST(:first AS timestamptz) AND d.said_at < CAST(:last AS timestamptz)
     LIMIT :many)
    UNION ALL
    (SELECT FROM drawer AS d WHERE d.user_id = :user_id AND d.said_at IS NULL LIMIT :many)
), thinned AS MATERIALIZED (
    SELECT CASE WHEN (SELECT count(*) FROM few) < :many THEN 1
                ELSE greatest(2 * coalesce(sum(amount), 0) / CAST(:many AS int), 1) END AS step
    FROM count_delta WHERE user_id = :user_id AND counted = 'drawer'
), found AS MATERIALIZED (
    SELECT d.id, d.said_at AS moment, d.room_id
    FROM drawer AS d
    WHERE d.user_id = :user_id AND d.said_at >= CAST(:first AS timestamptz) AND d.said_at < CAST(:last AS timestamptz)
      AND CAST(:windows AS tstzmultirange) @> d.said_at AND hashint8(d.id) % (SELECT step FROM thinned) = 0
      AND (CAST(:role AS text) IS NULL OR d.role = :role)
      AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
      AND (CAST(:language AS text) IS NULL OR coalesce(d.language, 'en') = :language)
    UNION ALL
    SELECT d.id, coalesce(r.started_at, d.filed_at), d.room_id
    FROM drawer AS d
    JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
    WHERE d.user_id = :user_id AND d.said_at IS NULL AND hashint8(d.id) % (SELECT step FROM thinned) = 0
      AND CAST(:windows AS tstzmultirange) @> coalesce(r.started_at, d.filed_at)
      AND (CAST(:role AS text) IS NULL OR d.role = :role)
      AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
      AND (CAST(:language AS text) IS NULL OR coalesce(d.language, 'en') = :language)
    UNION ALL
    SELECT d.id, d.said_at, d.room_id
    FROM drawer AS d
    WHERE d.user_id = :user_id AND d.said_at >= CAST(:told_first AS timestamptz)
      AND d.said_at < CAST(:told_last AS timestamptz) AND d.spoken_of && CAST(:meant AS tstzmultirange)
      AND NOT CAST(:windows AS tstzmultirange) @> d.said_at AND (SELECT step FROM thinned) = 1
      AND (CAST(:role AS text) IS NULL OR d.role = :role)
      AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
      AND (CAST(:language AS text) IS NULL OR coalesce(d.language, 'en') = :language)
), wanted AS MATERIALIZED (
    SELECT f.id, f.moment, width_bucket(extract(epoch FROM f.moment), extract(epoch FROM min(f.moment) OVER ()),
                                        extract(epoch FROM max(f.moment) OVER ()) + 1, CAST(:slices AS int)) AS slice
    FROM found AS f
    WHERE (CAST(:wings AS bigint[]) IS NULL OR EXISTS (
               SELECT FROM room AS r WHERE r.user_id = :user_id AND r.id = f.room_id AND r.wing_id = ANY(CAST(:wings AS bigint[]))))
      AND (CAST(:readers AS text[]) IS NULL OR NOT EXISTS (
               SELECT FROM room AS r JOIN conversation AS c ON c.user_id = :user_id AND c.id = r.conversation_id
               WHERE r.user_id = :user_id AND r.id = f.room_id AND c.reader = ANY(CAST(:readers AS text[]))))
      AND (CAST(:since AS timestamptz) IS NULL OR f.moment >= :since)
      AND (CAST(:until AS timestamptz) IS NULL OR f.moment < :until)
), chosen AS MATERIALIZED (
    SELECT id, moment
    FROM wanted
    JOIN (SELECT slice, count(*) AS held FROM wanted GROUP BY slice) AS s USING (slice)
    -- The hash chooses the same ones every time.
    WHERE (hashint8(id) & 65535)
          < 65536 * greatest(CAST(:each AS float8) / held, CAST(:sampled AS float8) / (SELECT count(*) FROM wanted))
), counted AS MATERIALIZED (
    SELECT coalesce(sum(amount), 0)::float8 AS passages
    FROM count_delta WHERE user_id = :user_id AND counted = 'passage'
)
SELECT d.id, p.ordinal, d.room_id, d.conversation_id, d.position, d.role, chosen.moment,
       coalesce(d.spoken_of && CAST(:meant AS tstzmultirange), false) AS speaks_of_it, d.said_at IS NOT NULL AS is_dated,
       d.replaced_at IS NOT NULL AS is_replaced, d.replaced_by, left(d.content, 800) AS beginning,
       word.rarity, word.words
FROM chosen
JOIN drawer AS d ON d.user_id = :user_id AND d.id = chosen.id
JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = chosen.id AND p.ordinal = 0
CROSS JOIN LATERAL (
    SELECT coalesce(sum(ln(1 + (greatest(c.passages - coalesce(t.passage_count, 0), 0) + 0.5)
                            / (coalesce(t.passage_count, 0) + 0.5))), 0) AS rarity, count(*) AS words
    FROM (SELECT lexeme FROM unnest(p.tsv) WHERE 'A' = ANY(weights) LIMIT 16) AS said
    CROSS JOIN counted AS c
    LEFT JOIN term_count AS t ON t.user_id = :user_id AND t.lexeme = said.lexeme
) AS word
WHERE (CAST(:tools AS boolean) OR d.role <> 'tool')
  AND NOT EXISTS (SELECT FROM memory AS m WHERE m.user_id = :user_id AND m.drawer_id = d.id
      AND (m.maker <> 'person' OR m.state <> 'accepted' OR m.expires_at <= now()))
