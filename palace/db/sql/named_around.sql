-- Returns drawers whose room, closet or wing has a name with words of a query that the drawer's own passage lacks, with
-- the weight of those words, and the kinds of these places.
-- user_id; drawers, ordinals (arrays of one length); words, idfs (of the query); kinds, places, terms: the places whose
-- names hold words, and which words by number, from 1 (arrays of one length). Leans on pk_drawer, pk_room and
-- pk_passage.
WITH named AS MATERIALIZED (
    SELECT p.kind, p.id, p.term, w.word, w.idf
    FROM unnest(CAST(:kinds AS text[]), CAST(:places AS bigint[]), CAST(:terms AS int[])) AS p (kind, id, term)
    JOIN unnest(CAST(:words AS tsquery[]), CAST(:idfs AS float8[])) WITH ORDINALITY AS w (word, idf, n) ON w.n = p.term
), around AS MATERIALIZED (
    SELECT d.id, given.ordinal, d.room_id, d.closet_id, r.wing_id
    FROM unnest(CAST(:drawers AS bigint[]), CAST(:ordinals AS int[])) AS given (drawer_id, ordinal)
    JOIN drawer AS d ON d.user_id = :user_id AND d.id = given.drawer_id
    JOIN room AS r ON r.user_id = :user_id AND r.id = d.room_id
), held AS MATERIALIZED (
    SELECT a.id, n.term, n.idf, n.kind
    FROM around AS a
    JOIN named AS n ON n.id = CASE n.kind WHEN 'room' THEN a.room_id WHEN 'closet' THEN a.closet_id ELSE a.wing_id END
    JOIN passage AS p ON p.user_id = :user_id AND p.drawer_id = a.id AND p.ordinal = a.ordinal
    WHERE NOT p.tsv @@ n.word
)
SELECT w.id, w.weight, k.kinds
FROM (SELECT id, sum(idf) AS weight FROM (SELECT DISTINCT id, term, idf FROM held) AS each GROUP BY id) AS w
JOIN (SELECT id, array_agg(DISTINCT kind) AS kinds FROM held GROUP BY id) AS k ON k.id = w.id
