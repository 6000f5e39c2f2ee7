-- Compares drawers with a query by every measure that ranks them, whichever arm proposed them.
--
-- Parameters: user_id; drawers (ids); vector (null: no similarity); words with idfs, pairs with pair_idfs (see
-- weigh_words), weight (of all words), any_pair (null without pairs); elsewhere, pairs_elsewhere: the idfs in text
-- about another time than around (a multirange, null: no text is); windows (a multirange), nouns (a query), tools,
-- wings (ids), since, until, role, speaker, language, memories (types) and readers (left out), each null for none or any; kinds,
-- places, terms: places whose names hold words of the query, and each of these words (arrays of one length).
-- {generation} is inserted as an integer.
--
-- Columns: similarity: inner product of the nearest vector; ordinal: its passage, else the one with most words;
-- keyword and phrase: BM25 as in keyword_candidates, over words and over pairs; coverage: the words' idf in the best
-- passage ÷ weight; is_of_kind: it holds one of nouns; named: which of places and terms are around it, by number, if
-- the passage lacks the term; text: the drawer's, if it is short, and an assistant's or as similar as near, so that
-- it may be the query itself; asked: its text, if it is short and ends as a question.
--
-- What ends as a question is found for proposed drawers by bare, which no longer text than {bare_longest} matches,
-- else in steps, the cheap ones first: patterns of LIKE (signs), what may be behind the last question mark (after,
-- unless there are other_signs), ending, and breaks, which the text between the first {lead} characters and that end
-- must not match. Of the turns that follow a question, three are compared as well, as one may answer: {farthest}
-- where the other side says nothing in three.
--
-- Memories that are not accepted, or have expired, are left out. An undated drawer counts as said when its room began.
-- Passages of tools have no vectors. Each drawer is read once,
-- and carried along, because a generic plan joins what is not a table in nested loops. Leans on the keys and
-- ix_drawer_user_id_conversation_id_position.
WITH named AS MATERIALIZED (
    SELECT kind, id, term, n
    FROM unnest(CAST(:kinds AS text[]), CAST(:places AS bigint[]), CAST(:terms AS tsquery[])) WITH ORDINALITY
         AS t (kind, id, term, n)
), proposed AS MATERIALIZED (
    SELECT d.id, conversation_id, position, role, room_id, closet_id, said_at, filed_at, spoken_of, replaced_at,
           replaced_by, speaker, language, octet_length(content) AS size,
           CASE WHEN octet_length(content) <= {longest} THEN content END AS short
    FROM unnest(CAST(:drawers AS bigint[])) AS t (drawer_id)
    JOIN drawer AS d ON d.user_id = :user_id AND d.id = t.drawer_id
), judged AS MATERIALIZED (
    SELECT p.*, (length(short) <= {bare_longest} AND short ~ :bare) OR CASE
               WHEN short LIKE ANY (CAST(:signs AS text[]))
                AND (split_part(short, '?', -1) ~ :after OR short LIKE ANY (CAST(:other_signs AS text[])))
               THEN (SELECT length(short) - length(ends) <= {lead}
                         OR substr(short, {lead} + 1, length(short) - length(ends) - {lead} + 1) !~ :breaks
                     FROM substring(short FROM :ending) AS ends) END AS is_question
    FROM proposed AS p
), following AS MATERIALIZED (
    SELECT p.id AS question, p.position AS asked_at, p.role <> n.role AS is_other, n.id, n.conversation_id, n.position,
           n.role, n.room_id, n.closet_id, n.said_at, n.filed_at, n.spoken_of, n.replaced_at, n.replaced_by, n.speaker,
           n.language, octet_length(n.content) AS size,
           CASE WHEN octet_length(n.content) <= {longest} THEN n.content END AS short
    FROM judged AS p
    JOIN drawer AS n ON n.user_id = :user_id AND n.conversation_id = p.conversation_id
                    AND n.position > p.position AND n.position <= p.position + {farthest}
    WHERE is_question
), answering AS (
    SELECT f.*, CASE WHEN bool_or(is_other AND position <= asked_at + 3 AND is_question IS NOT TRUE)
                               OVER (PARTITION BY question) THEN 3 ELSE {farthest} END AS turns
    FROM (SELECT f.*, CASE
               WHEN short LIKE ANY (CAST(:signs AS text[]))
                AND (split_part(short, '?', -1) ~ :after OR short LIKE ANY (CAST(:other_signs AS text[])))
               THEN (SELECT length(short) - length(ends) <= {lead}
                         OR substr(short, {lead} + 1, length(short) - length(ends) - {lead} + 1) !~ :breaks
                     FROM substring(short FROM :ending) AS ends) END AS is_question
          FROM following AS f) AS f
), asked AS (
    SELECT id, conversation_id, position, role, room_id, closet_id, said_at, filed_at, spoken_of, replaced_at,
           replaced_by, speaker, language, size, short, CASE WHEN is_question THEN short END AS asked
    FROM judged
    UNION ALL
    SELECT DISTINCT ON (id) id, conversation_id, position, role, room_id, closet_id, said_at, filed_at, spoken_of,
           replaced_at, replaced_by, speaker, language, size, short, CASE WHEN is_question THEN short END
    FROM answering
    WHERE position <= asked_at + turns AND id <> ALL (CAST(:drawers AS bigint[]))
), within AS MATERIALIZED (
    SELECT a.*, r.wing_id, coalesce(a.said_at, r.started_at, a.filed_at) AS moment, nearest.similarity,
           NOT coalesce(a.spoken_of && CAST(:around AS tstzmultirange),
                        CAST(:around AS tstzmultirange) @> coalesce(a.said_at, r.started_at, a.filed_at)) AS elsewhere,
           (SELECT char_start FROM passage AS p
            WHERE p.user_id = :user_id AND p.drawer_id = a.id AND p.ordinal = nearest.ordinal) AS nearest_at
    FROM asked AS a JOIN room AS r ON r.user_id = :user_id AND r.id = a.room_id
    LEFT JOIN LATERAL (
        SELECT e.ordinal, -(e.embedding <#> CAST(:vector AS halfvec)) AS similarity
        FROM passage_embedding AS e
        WHERE e.user_id = :user_id AND e.generation_id = {generation} AND e.drawer_id = a.id
          AND e.embedding IS NOT NULL
        ORDER BY similarity DESC, e.ordinal LIMIT 1
    ) AS nearest ON true
), worded AS (
    SELECT a.*, p.ordinal, coalesce(of_words.held, 0) AS held, coalesce(of_pairs.held, 0) AS pairs,
           p.kind <> 'tool' AND stored.tsv @@ CAST(:nouns AS tsquery) AS holds_noun,
           coalesce(a.nearest_at >= p.char_start AND a.nearest_at < p.char_end, false) AS is_nearest,
           1.9 / (1.45 + 0.45 * (p.char_end - p.char_start) / avg(p.char_end - p.char_start) OVER ()) AS fit
    FROM within AS a JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = a.id
    -- Concatenated, it is read from where it is stored once, not for each word.
    CROSS JOIN LATERAL (SELECT p.tsv || ''::tsvector AS tsv OFFSET 0) AS stored
    CROSS JOIN LATERAL (SELECT sum(CASE WHEN a.elsewhere THEN other ELSE idf END) FILTER (WHERE stored.tsv @@ word)
                               AS held
                        FROM unnest(CAST(:words AS tsquery[]), CAST(:idfs AS float8[]), CAST(:elsewhere AS float8[]))
                             AS t (word, idf, other)) AS of_words
    CROSS JOIN LATERAL (SELECT sum(CASE WHEN a.elsewhere THEN other ELSE idf END) FILTER (WHERE stored.tsv @@ pair)
                               AS held
                        FROM unnest(CAST(:pairs AS tsquery[]), CAST(:pair_idfs AS float8[]),
                                    CAST(:pairs_elsewhere AS float8[])) AS t (pair, idf, other)
                        WHERE stored.tsv @@ CAST(:any_pair AS tsquery)) AS of_pairs
    WHERE p.kind <> 'sentence' AND (CAST(:tools AS boolean) OR p.kind <> 'tool')
), best AS (
    SELECT w.*, max(held * fit) OVER each AS keyword, max(pairs * fit) OVER each AS phrase, max(held) OVER each AS most,
           bool_or(holds_noun) OVER each AS is_of_kind, row_number() OVER each AS rank
    FROM worded AS w
    WINDOW each AS (PARTITION BY id ORDER BY is_nearest DESC, held DESC, ordinal
                    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
)
SELECT d.id, ordinal, d.room_id, d.conversation_id, d.position, d.role = 'user' AS is_person, d.moment AS said_at,
       coalesce(d.spoken_of && CAST(:windows AS tstzmultirange), false) AS speaks_of_it,
       d.similarity, keyword, phrase, most / CAST(:weight AS float8) AS coverage,
       d.replaced_at IS NOT NULL AS is_replaced, d.replaced_by, d.asked,
       CASE WHEN d.role = 'assistant' OR coalesce(d.similarity, 1) > :near THEN d.short END AS text, d.speaker, d.size,
       d.said_at IS NOT NULL AS is_dated, coalesce(is_of_kind, false) AS is_of_kind,
       (SELECT array_agg(n.n ORDER BY n.n) FROM named AS n
        WHERE n.id = CASE n.kind WHEN 'room' THEN d.room_id WHEN 'closet' THEN d.closet_id ELSE d.wing_id END
          AND EXISTS (SELECT FROM passage AS p WHERE p.user_id = :user_id AND p.drawer_id = d.id
                      AND p.ordinal = d.ordinal AND NOT p.tsv @@ n.term)) AS named
FROM best AS d
WHERE rank = 1 AND (CAST(:wings AS bigint[]) IS NULL OR d.wing_id = ANY(CAST(:wings AS bigint[])))
  AND (CAST(:since AS timestamptz) IS NULL OR d.moment >= :since)
  AND (CAST(:until AS timestamptz) IS NULL OR d.moment < :until)
  AND (CAST(:role AS text) IS NULL OR d.role = :role) AND (CAST(:speaker AS text) IS NULL OR lower(d.speaker) = lower(:speaker))
  AND (CAST(:language AS text) IS NULL OR coalesce(d.language, 'en') = :language)
  AND (CAST(:readers AS text[]) IS NULL OR d.conversation_id NOT IN (SELECT c.id FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[]))))
  AND NOT EXISTS (SELECT FROM memory AS m WHERE m.user_id = :user_id AND m.drawer_id = d.id
                  AND (m.state <> 'accepted' OR m.expires_at <= now() OR d.replaced_at IS NOT NULL))
  AND (CAST(:memories AS text[]) IS NULL OR EXISTS (SELECT FROM memory AS m WHERE m.user_id = :user_id
       AND m.drawer_id = d.id AND m.type = ANY(CAST(:memories AS text[]))))
