-- Returns drawers with one passage of each, their places, what is known of them, and what in the passage matched a
-- query.
-- user_id; drawer_ids, ordinals, in_full (arrays of one length): in_full, whether what matched is returned; vector
-- (null: no similarities) and lexemes of the query; any_word, a tsquery for any of them (null: there is none); heads,
-- the first letters of words with those lexemes;
-- languages, stemmers (arrays of one length): the dictionary of each language, English for others; {generation} is
-- inserted as an integer. wings (ids, null for any): drawers elsewhere are neither referred to nor end any statement.
-- now, known (null: all is): statements that end after now, or by what was said from known on, still hold. until: when
-- the first of its statements ended, with the drawer that says what holds instead; is_part: whether others still hold.
-- starts, ends, similarities: the passage and its sentences that have vectors, with inner products; null for none.
-- stems, words: the lexemes that it holds, and how each is written there; null for none. The kinds of tokens that are
-- stemmed are those of the configuration `english`. Leans on pk_drawer, pk_passage, pk_passage_embedding, pk_room,
-- pk_wing and ix_assertion_user_id_drawer_id.
SELECT d.id, d.number, d.content, d.role, d.speaker, d.said_at, d.filed_at, d.position, d.is_revision, d.is_repaired,
       d.redacted, w.number AS wing_number, w.name AS wing_name, r.number AS room_number, r.name AS room_name,
       k.name AS closet_name, d.said_offset, d.replaced_at, d.language,
       nw.number AS replacing_wing, nr.number AS replacing_room, n.number AS replacing_drawer,
       aw.number AS answered_wing, ar.number AS answered_room, a.number AS answered_drawer,
       stale.until, stale.wing AS later_wing, stale.room AS later_room, stale.drawer AS later_drawer,
       stale.is_part, stale.subject, stale.predicate, stale.object,
       p.ordinal, p.char_start, p.char_end, near.starts, near.ends, near.similarities, said.stems, said.words
FROM unnest(CAST(:drawer_ids AS bigint[]), CAST(:ordinals AS int[]), CAST(:in_full AS boolean[]))
    AS wanted (drawer_id, ordinal, in_full)
JOIN drawer AS d ON d.user_id = :user_id AND d.id = wanted.drawer_id
JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = wanted.drawer_id AND p.ordinal = wanted.ordinal
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
JOIN wing AS w ON w.user_id = :user_id AND w.id = r.wing_id
LEFT JOIN closet AS k ON k.user_id = :user_id AND k.id = d.closet_id
LEFT JOIN drawer AS n ON n.user_id = :user_id AND n.id = d.replaced_by
LEFT JOIN room AS nr ON nr.user_id = :user_id AND nr.id = n.room_id
LEFT JOIN wing AS nw ON nw.user_id = :user_id AND nw.id = nr.wing_id
    AND (CAST(:wings AS bigint[]) IS NULL OR nw.id = ANY(CAST(:wings AS bigint[])))
LEFT JOIN drawer AS a ON a.user_id = :user_id AND a.id = d.answers
LEFT JOIN room AS ar ON ar.user_id = :user_id AND ar.id = a.room_id
LEFT JOIN wing AS aw ON aw.user_id = :user_id AND aw.id = ar.wing_id
    AND (CAST(:wings AS bigint[]) IS NULL OR aw.id = ANY(CAST(:wings AS bigint[])))
LEFT JOIN LATERAL (
    SELECT t.until, lw.number AS wing, lr.number AS room, l.number AS drawer, t.subject, t.predicate, t.object,
           EXISTS (SELECT FROM assertion AS h
                   WHERE h.user_id = :user_id AND h.drawer_id = d.id AND h.action IN ('holds', 'begins', 'corrects')
                     AND (h.until IS NULL OR h.until > coalesce(CAST(:now AS timestamptz), 'infinity'))) AS is_part
    FROM assertion AS t
    LEFT JOIN drawer AS l ON l.user_id = :user_id AND l.id = t.superseded_by
    LEFT JOIN room AS lr ON lr.user_id = :user_id AND lr.id = l.room_id
    LEFT JOIN wing AS lw ON lw.user_id = :user_id AND lw.id = lr.wing_id
    WHERE t.user_id = :user_id AND t.drawer_id = d.id AND t.until <= coalesce(CAST(:now AS timestamptz), 'infinity') AND t.superseded_by IS DISTINCT FROM d.id
      AND t.action IN ('holds', 'begins', 'corrects')
      AND (CAST(:known AS timestamptz) IS NULL OR coalesce(l.said_at, l.filed_at) IS NULL
           OR coalesce(l.said_at, l.filed_at) < CAST(:known AS timestamptz))
      AND (CAST(:wings AS bigint[]) IS NULL OR lr.wing_id = ANY(CAST(:wings AS bigint[])) OR l.id IS NULL AND EXISTS (
              SELECT FROM evidence AS v
              JOIN evidence AS z ON z.user_id = :user_id AND z.relation_id = v.relation_id AND z.closes
              JOIN assertion AS y ON y.user_id = :user_id AND y.id = z.assertion_id
              JOIN drawer AS q ON q.user_id = :user_id AND q.id = y.drawer_id
              JOIN room AS qr ON qr.user_id = :user_id AND qr.id = q.room_id
              WHERE v.user_id = :user_id AND v.assertion_id = t.id AND qr.wing_id = ANY(CAST(:wings AS bigint[]))))
    ORDER BY t.until, t.ordinal LIMIT 1
) AS stale ON true
CROSS JOIN LATERAL (
    SELECT array_agg(s.char_start) AS starts, array_agg(s.char_end) AS ends,
           array_agg(-(e.embedding <#> CAST(:vector AS halfvec))) AS similarities
    FROM passage AS s
    JOIN passage_embedding AS e ON e.user_id = :user_id AND e.generation_id = {generation}
         AND e.drawer_id = s.drawer_id AND e.ordinal = s.ordinal AND e.embedding IS NOT NULL
    WHERE s.user_id = :user_id AND s.drawer_id = p.drawer_id AND CAST(:vector AS halfvec) IS NOT NULL
      AND wanted.in_full
      AND (s.ordinal = p.ordinal OR s.kind = 'sentence' AND s.char_start >= p.char_start AND s.char_start < p.char_end)
) AS near
CROSS JOIN LATERAL (
    SELECT array_agg(stem) AS stems, array_agg(word) AS words
    FROM (SELECT DISTINCT parsed.token AS word, (ts_lexize(CASE WHEN parsed.tokid IN (1, 2, 10, 11, 16, 17)
                     THEN coalesce((CAST(:stemmers AS regdictionary[]))[array_position(:languages, d.language)],
                                   'english_stem') ELSE CAST('simple' AS regdictionary) END,
                     parsed.token))[1] AS stem
          FROM ts_parse('default', substr(d.content, p.char_start + 1, p.char_end - p.char_start)) AS parsed
          WHERE wanted.in_full AND p.tsv @@ CAST(:any_word AS tsquery) AND CASE WHEN parsed.tokid IN (12, 13) THEN false
                     ELSE lower(left(parsed.token, 1)) = ANY(CAST(:heads AS text[])) END) AS spoken
    WHERE stem = ANY(CAST(:lexemes AS text[]))
) AS said
