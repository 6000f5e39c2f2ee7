-- Records deltas for the words of some drawers' passages, which will hold them no longer.
-- user_id, drawer_ids. Leans on pk_passage.
INSERT INTO term_delta (user_id, lexemes, amounts)
SELECT :user_id, array_agg(lexeme), array_agg(passages)
FROM (SELECT word.lexeme, -count(*) AS passages
      FROM passage AS p CROSS JOIN LATERAL unnest(p.tsv) AS word
      WHERE p.user_id = :user_id AND p.drawer_id = ANY (CAST(:drawer_ids AS bigint[])) AND p.kind <> 'tool'
      GROUP BY word.lexeme) AS held
HAVING count(*) > 0
RETURNING id
