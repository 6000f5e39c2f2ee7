-- Returns what recall needs to know of the user's palace before it searches: the active generation, the settings of the
-- user and of one agent except those about secrets, the numbers of drawers and vectors, and whether the vectors have a
-- valid index.
-- user_id; agent; index (the beginning of the indexes' names).
SELECT g.id, g.model, g.dimension, g.normalised, s.stored, n.drawers, n.vectors,
       coalesce(i.indisvalid, false) AS is_indexed
FROM (SELECT CAST(coalesce(sum(amount) FILTER (WHERE counted = 'drawer'), 0) AS bigint) AS drawers,
             CAST(coalesce(sum(amount) FILTER (WHERE counted <> 'drawer'), 0) AS bigint) AS vectors
      FROM count_delta WHERE user_id = :user_id AND counted IN ('drawer', 'passage', 'sentence')) AS n
CROSS JOIN (SELECT jsonb_agg(jsonb_build_array(agent, name, value)) AS stored FROM setting
            WHERE user_id = :user_id AND agent IN ('', :agent) AND NOT starts_with(name, 'secrets_')) AS s
LEFT JOIN (SELECT e.id, e.model, e.dimension, e.normalised
           FROM user_generation AS u JOIN embedding_generation AS e ON e.id = u.generation_id
           WHERE u.user_id = :user_id AND u.state = 'active' ORDER BY e.id LIMIT 1) AS g ON true
LEFT JOIN pg_index AS i
       ON i.indexrelid = to_regclass(concat_ws('_', CAST(:index AS text), g.id, CAST(:user_id AS bigint)))
