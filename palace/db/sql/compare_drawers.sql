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
-- as well: {farthest} where the other side says nothing in three. Each drawer is read once, and carried along. Leans on
-- the keys and ix_drawer_user_id_conversation_id_position.
WITH proposed AS MATERIALIZED (
    SELECT d.id, conversation_id, position, role, room_id, said_at, filed_at, spoken_of, replaced_at, replaced_by,
           speaker, language, octet_length(content) AS size,
           CASE WHEN octet_length(content) <= {longest} THEN content END AS short,
           CASE WHEN octet_length(content) <= {longest} AND content LIKE ANY (CAST(:signs AS text[]))
                THEN substring(content FROM :ending) END AS ends
    FROM unnest(CAST(:drawers AS bigint[])) AS t (drawer_id)
    JOIN drawer AS d ON d.user_id = :user_id AND d.id = t.drawer_id
), judged AS MATERIALIZED (
    SELECT p.*, short ~ :bare OR length(short) - length(ends) <= {lead}
                OR substr(short, {lead} + 1, length(short) - length(ends) - {lead} + 1) !~ :breaks AS is_question
    FROM proposed AS p
), question AS MATERIALIZED (
    SELECT conversation_id, position, CASE WHEN EXISTS (
               SELECT FROM drawer AS t WHERE t.user_id = :user_id AND t.conversation_id = p.conversation_id
                 AND t.role <> p.role AND t.position > p.position AND t.position <= p.position + 3
                 AND (octet_length(t.content) > {longest} OR t.content !~ :questions)) THEN 3 ELSE {farthest} END AS turns
    FROM judged AS p WHERE is_question
), asked AS MATERIALIZED (
    SELECT id, conversation_id, position, role, room_id, said_at, filed_at, spoken_of, replaced_at, replaced_by, speaker,
           language, size, short, CASE WHEN is_question THEN short END AS asked
    FROM judged
    UNION ALL
    SELECT DISTINCT ON (n.id) n.id, n.conversation_id, n.position, n.role, n.room_id, n.said_at, n.filed_at, n.spoken_of,
           n.replaced_at, n.replaced_by, n.speaker, n.language, octet_length(n.content),
           CASE WHEN octet_length(n.content) <= {longest} THEN n.content END,
           CASE WHEN octet_length(n.content) <= {longest} AND n.content ~ :questions THEN n.content END
    FROM question AS p
    JOIN drawer AS n ON n.user_id = :user_id AND n.conversation_id = p.conversation_id
                    AND n.position > p.position AND n.position <= p.position + p.turns
    WHERE n.id <> ALL (CAST(:drawers AS bigint[]))
), within AS MATERIALIZED (
    SELECT a.*, r.wing_id, coalesce(a.said_at, r.started_at, a.filed_at) AS moment,
           NOT coalesce(a.spoken_of && CAST(:around AS tstzmultirange),
                        CAST(:around AS tstzmultirange) @> coalesce(a.said_at, r.started_at, a.filed_at)) AS elsewhere
    FROM asked AS a JOIN room AS r ON r.user_id = :user_id AND r.id = a.room_id
), said AS MATERIALIZED (
    SELECT p.drawer_id, p.ordinal, p.kind, p.char_start, p.char_end, a.elsewhere,
           CASE WHEN p.kind <> 'sentence' THEN p.tsv || ''::tsvector END AS tsv,
           -(e.embedding <#> CAST(:vector AS halfvec)) AS similarity
    FROM within AS a JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = a.id
    LEFT JOIN passage_embedding AS e ON e.user_id = :user_id AND e.generation_id = {generation}
                                    AND e.drawer_id = p.drawer_id AND e.ordinal = p.ordinal
    WHERE CAST(:tools AS boolean) OR p.kind <> 'tool'
), near AS MATERIALIZED (
    SELECT s.*, max(similarity) OVER each AS nearest, first_value(char_start) OVER each AS place,
           char_end - char_start AS length
    FROM said AS s
    WINDOW each AS (PARTITION BY drawer_id ORDER BY similarity DESC NULLS LAST, ordinal
                    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
), worded AS MATERIALIZED (
    SELECT s.drawer_id, s.ordinal, s.nearest,
           s.nearest IS NOT NULL AND s.place >= s.char_start AND s.place < s.char_end AS is_nearest,
           w.held, p.held AS pairs, 1.9 / (1.45 + 0.45 * s.length / avg(s.length) OVER ()) AS fit
    FROM near AS s
    CROSS JOIN LATERAL (SELECT coalesce(sum(CASE WHEN s.elsewhere THEN other ELSE idf END)
                                        FILTER (WHERE s.tsv @@ word), 0) AS held
                        FROM unnest(CAST(:words AS tsquery[]), CAST(:idfs AS float8[]), CAST(:elsewhere AS float8[]))
                             AS t (word, idf, other)) AS w
    CROSS JOIN LATERAL (SELECT coalesce(sum(CASE WHEN s.elsewhere THEN other ELSE idf END)
                                        FILTER (WHERE s.tsv @@ pair), 0) AS held
                        FROM unnest(CAST(:pairs AS tsquery[]), CAST(:pair_idfs AS float8[]),
                                    CAST(:pairs_elsewhere AS float8[])) AS t (pair, idf, other) WHERE w.held > 0) AS p
    WHERE s.kind <> 'sentence'
), best AS MATERIALIZED (
    SELECT drawer_id, max(nearest) AS similarity, max(held * fit) AS keyword, max(pairs * fit) AS phrase, max(held) AS held,
           (array_agg(ordinal ORDER BY is_nearest DESC, held DESC, ordinal))[1] AS ordinal
    FROM worded GROUP BY drawer_id
)
SELECT d.id, best.ordinal, d.room_id, d.conversation_id, d.position, d.role = 'user' AS is_person,
       d.moment AS said_at, d.said_at IS NOT NULL AS is_dated,
       coalesce(d.spoken_of && CAST(:windows AS tstzmultirange), false) AS speaks_of_it,
       lower(d.spoken_of) AS speaks_from, d.replaced_at IS NOT NULL AS is_replaced, d.replaced_by,
       best.similarity, best.keyword, best.phrase, best.held, d.asked,
       CASE WHEN d.role = 'assistant' OR coalesce(best.similarity, 1) > :near THEN d.short END AS text, d.speaker, d.size
FROM best JOIN within AS d ON d.id = best.drawer_id
WHERE (CAST(:wings AS bigint[]) IS NULL OR d.wing_id = ANY(CAST(:wings AS bigint[])))
  AND (CAST(:since AS timestamptz) IS NULL OR d.moment >= :since)
  AND (CAST(:until AS timestamptz) IS NULL OR d.moment < :until)
  AND (CAST(:role AS text) IS NULL OR d.role = :role) AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
  AND (CAST(:language AS text) IS NULL OR coalesce(d.language, 'en') = :language)
  AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
