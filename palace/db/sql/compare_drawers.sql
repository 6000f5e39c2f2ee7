-- Compares drawers with a query by every measure that ranks them, whichever arm proposed them.
-- user_id; drawers (ids); vector (null: no similarity); words, idfs and pairs, pair_idfs (see weigh_words); windows (a
-- multirange, null for none); elsewhere, pairs_elsewhere: the idfs in text about another time than around (a
-- multirange, null: no text is); tools; wings (ids), since, until, role, speaker, language (null for any), readers
-- (left out; null for none); {generation} is inserted as an integer. similarity: inner product of the nearest vector;
-- ordinal: its passage, else the one with most words. keyword and phrase: BM25 as in keyword_candidates, over words and
-- over pairs; held: the words' idf in the best passage. An undated drawer counts as said when its room began. text: the
-- drawer's, if it is short, and an assistant's or as similar as near, so that it may be the query itself. asked: its
-- text, if it is short and ends as a question: by the pattern questions, or, for proposed drawers, by bare if it has no
-- sign, or in three cheaper steps (signs, patterns of LIKE; ending; breaks, which the text between the first {lead}
-- characters and that end must not match). Of these, the three turns that follow, one of which may answer, are compared
-- as well: {farthest} where the other side says nothing in three. Leans on the keys and
-- ix_drawer_user_id_conversation_id_position. ARRAY: the planner, not knowing how few there are, would read all of the
-- user's drawers.
WITH proposed AS MATERIALIZED (
    SELECT d.id, conversation_id, position, role, CASE WHEN octet_length(content) <= {longest} THEN content END AS short,
           CASE WHEN octet_length(content) <= {longest} AND content LIKE ANY (CAST(:signs AS text[]))
                THEN substring(content FROM :ending) END AS ends
    FROM unnest(CAST(:drawers AS bigint[])) AS t (drawer_id)
    JOIN drawer AS d ON d.user_id = :user_id AND d.id = t.drawer_id
), question AS MATERIALIZED (
    SELECT id, conversation_id, position, short, CASE WHEN EXISTS (
               SELECT FROM drawer AS t WHERE t.user_id = :user_id AND t.conversation_id = p.conversation_id
                 AND t.role <> p.role AND t.position > p.position AND t.position <= p.position + 3
                 AND (octet_length(t.content) > {longest} OR t.content !~ :questions)) THEN 3 ELSE {farthest} END AS turns
    FROM proposed AS p WHERE short ~ :bare OR length(short) - length(ends) <= {lead}
       OR substr(short, {lead} + 1, length(short) - length(ends) - {lead} + 1) !~ :breaks
), asked AS MATERIALIZED (
    SELECT id AS drawer_id FROM proposed UNION SELECT n.id FROM question AS p
    JOIN drawer AS n ON n.user_id = :user_id AND n.conversation_id = p.conversation_id
                    AND n.position > p.position AND n.position <= p.position + p.turns
), elsewhere AS MATERIALIZED (
    SELECT asked.drawer_id FROM asked JOIN drawer AS d ON d.user_id = :user_id AND d.id = asked.drawer_id
    JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
    WHERE CAST(:around AS tstzmultirange) IS NOT NULL
      AND NOT coalesce(d.spoken_of && CAST(:around AS tstzmultirange),
                       CAST(:around AS tstzmultirange) @> coalesce(d.said_at, r.started_at, d.filed_at))
), said AS MATERIALIZED (
    SELECT p.drawer_id, p.ordinal, p.kind, p.char_start, p.char_end,
           CASE WHEN p.kind <> 'sentence' THEN p.tsv || ''::tsvector END AS tsv,
           -(e.embedding <#> CAST(:vector AS halfvec)) AS similarity
    FROM asked JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = asked.drawer_id
    LEFT JOIN passage_embedding AS e ON e.user_id = :user_id AND e.generation_id = {generation}
                                    AND e.drawer_id = p.drawer_id AND e.ordinal = p.ordinal
    WHERE CAST(:tools AS boolean) OR p.kind <> 'tool'
), worded AS MATERIALIZED (
    SELECT s.drawer_id, s.ordinal, s.char_start, s.char_end, w.held, p.held AS pairs,
           1.9 / (1.45 + 0.45 * (s.char_end - s.char_start) / avg(s.char_end - s.char_start) OVER ()) AS fit
    FROM said AS s LEFT JOIN elsewhere AS o ON o.drawer_id = s.drawer_id
    CROSS JOIN LATERAL (SELECT coalesce(sum(CASE WHEN o.drawer_id IS NULL THEN idf ELSE other END)
                                        FILTER (WHERE s.tsv @@ word), 0) AS held
                        FROM unnest(CAST(:words AS tsquery[]), CAST(:idfs AS float8[]), CAST(:elsewhere AS float8[]))
                             AS t (word, idf, other)) AS w
    CROSS JOIN LATERAL (SELECT coalesce(sum(CASE WHEN o.drawer_id IS NULL THEN idf ELSE other END)
                                        FILTER (WHERE s.tsv @@ pair), 0) AS held
                        FROM unnest(CAST(:pairs AS tsquery[]), CAST(:pair_idfs AS float8[]),
                                    CAST(:pairs_elsewhere AS float8[])) AS t (pair, idf, other) WHERE w.held > 0) AS p
    WHERE s.kind <> 'sentence'
), near AS (
    SELECT drawer_id, max(similarity) AS similarity,
           (array_agg(char_start ORDER BY similarity DESC NULLS LAST, ordinal))[1] AS place
    FROM said GROUP BY drawer_id
), best AS (
    SELECT w.drawer_id, max(w.held * w.fit) AS keyword, max(w.pairs * w.fit) AS phrase, max(w.held) AS held,
           (array_agg(w.ordinal ORDER BY n.similarity IS NOT NULL AND n.place >= w.char_start
                                         AND n.place < w.char_end DESC, w.held DESC, w.ordinal))[1] AS ordinal
    FROM worded AS w JOIN near AS n ON n.drawer_id = w.drawer_id GROUP BY w.drawer_id
)
SELECT d.id, best.ordinal, d.room_id, d.conversation_id, d.position, d.role = 'user' AS is_person,
       coalesce(d.said_at, r.started_at, d.filed_at) AS said_at, d.said_at IS NOT NULL AS is_dated,
       coalesce(d.spoken_of && CAST(:windows AS tstzmultirange), false) AS speaks_of_it,
       lower(d.spoken_of) AS speaks_from, d.replaced_at IS NOT NULL AS is_replaced, d.replaced_by,
       near.similarity, best.keyword, best.phrase, best.held, CASE WHEN p.id IS NOT NULL THEN q.short
            WHEN octet_length(d.content) <= {longest} AND d.content ~ :questions THEN d.content END AS asked,
       CASE WHEN octet_length(d.content) <= {longest} AND (d.role = 'assistant' OR coalesce(near.similarity, 1) > :near)
            THEN d.content END AS text, d.speaker, octet_length(d.content) AS size
FROM best JOIN near USING (drawer_id)
JOIN drawer AS d ON d.user_id = :user_id AND d.id = best.drawer_id AND d.id = ANY(ARRAY(SELECT drawer_id FROM asked))
JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id LEFT JOIN proposed AS p ON p.id = d.id LEFT JOIN question AS q ON q.id = d.id
WHERE (CAST(:wings AS bigint[]) IS NULL OR r.wing_id = ANY(CAST(:wings AS bigint[])))
  AND (CAST(:since AS timestamptz) IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) >= :since)
  AND (CAST(:until AS timestamptz) IS NULL OR coalesce(d.said_at, r.started_at, d.filed_at) < :until)
  AND (CAST(:role AS text) IS NULL OR d.role = :role) AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
  AND (CAST(:language AS text) IS NULL OR coalesce(d.language, 'en') = :language)
  AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
