-- Statements that put many relations into a palace that holds one drawer, in their order: entities that have had so
-- many values of so many predicates, one after another, a year each.

-- entity
INSERT INTO entity (user_id, key, name, type, is_named)
SELECT %(user)s, 'thing ' || one, 'Thing ' || one, 'item', true FROM generate_series(1, %(entities)s) AS one;

-- alias
INSERT INTO alias (user_id, conversation_id, folded, name, type, is_named, count, family, entity_id)
SELECT user_id, %(conversation)s, key, name, type, true, 1, split_part(key, ' ', 1), id FROM entity
WHERE user_id = %(user)s AND key LIKE 'thing %%';

-- assertion
INSERT INTO assertion (user_id, drawer_id, conversation_id, ordinal, subject, predicate, object, action, char_start,
                       char_end)
SELECT user_id, %(drawer)s, %(conversation)s, 0, folded, 'has_part' || predicate, 'value ' || period, 'begins', 0, 1
FROM alias, generate_series(1, %(predicates)s) AS predicate, generate_series(1, %(periods)s) AS period
WHERE user_id = %(user)s AND folded LIKE 'thing %%';

-- relation
INSERT INTO relation (user_id, subject_id, predicate, ordinal, object, is_single, valid_from, from_precision,
                      valid_to, to_precision, recorded_at)
SELECT user_id, id, 'has_part' || predicate, period, 'value ' || period, true,
       %(begun)s + make_interval(years => period - 1), 'day',
       CASE WHEN period < %(periods)s THEN %(begun)s + make_interval(years => period) END,
       CASE WHEN period < %(periods)s THEN 'day' END, %(begun)s + make_interval(years => period - 1)
FROM entity, generate_series(1, %(predicates)s) AS predicate, generate_series(1, %(periods)s) AS period
WHERE user_id = %(user)s AND key LIKE 'thing %%';

-- evidence
INSERT INTO evidence (user_id, relation_id, assertion_id, closes)
SELECT r.user_id, r.id, a.id, false
FROM relation r JOIN entity e ON e.user_id = r.user_id AND e.id = r.subject_id
JOIN assertion a ON a.user_id = r.user_id AND a.conversation_id = %(conversation)s AND a.subject = e.key
     AND a.predicate = r.predicate AND a.object = r.object
WHERE r.user_id = %(user)s;
