-- Every table of a user as rows that two palaces with one history share: no internal id, no run, no clock time.
-- Each statement stands below the name of its kind, without parameters; the policies keep it to the user.

-- wing
SELECT number, slug, name, kind, room_seq, name_tsv::text FROM wing;

-- wing_alias
SELECT a.slug, a.name, a.number, w.number FROM wing_alias a JOIN wing w ON w.id = a.wing_id;

-- room
SELECT w.number, r.number, c.identity, r.slice, r.name, r.started_at, r.drawer_seq, r.name_tsv::text
FROM room r JOIN wing w ON w.id = r.wing_id JOIN conversation c ON c.id = r.conversation_id;

-- room_alias
SELECT a.wing_number, a.room_number, w.number, r.number
FROM room_alias a JOIN room r ON r.id = a.room_id JOIN wing w ON w.id = r.wing_id;

-- closet
SELECT w.number, r.number, k.slug, k.name, k.name_tsv::text
FROM closet k JOIN room r ON r.id = k.room_id JOIN wing w ON w.id = r.wing_id;

-- conversation
SELECT identity, reader, title FROM conversation;

-- index_step
SELECT c.identity, s.step, s.version, s.attempts, s.failure, s.failed_at IS NULL, s.done_at IS NULL
FROM index_step s JOIN conversation c ON c.id = s.conversation_id;

-- conversation_edge
SELECT c.identity, e.line_hash FROM conversation_edge e JOIN conversation c ON c.id = e.conversation_id;

-- drawer
SELECT w.number, r.number, d.number, encode(d.identity, 'hex'), d.position, d.role, d.speaker, d.said_at,
       d.said_offset, d.content, d.is_revision, d.is_repaired,
       d.redacted::text, d.said IS NULL, d.language, d.spoken_of::text, d.reading, k.slug,
       k.name, d.replaced_at IS NULL, d.replaced_run_id IS NULL, encode(instead.identity, 'hex'),
       encode(answered.identity, 'hex'), d.conversation_id = r.conversation_id
FROM drawer d JOIN room r ON r.id = d.room_id JOIN wing w ON w.id = r.wing_id
LEFT JOIN closet k ON k.id = d.closet_id
LEFT JOIN drawer instead ON instead.id = d.replaced_by LEFT JOIN drawer answered ON answered.id = d.answers;

-- passage
SELECT encode(d.identity, 'hex'), p.ordinal, p.char_start, p.char_end, p.kind, p.tsv::text,
       p.is_standing, p.is_person, p.room_id = d.room_id
FROM passage p JOIN drawer d ON d.id = p.drawer_id;

-- user_generation
SELECT g.model, u.state FROM user_generation u JOIN embedding_generation g ON g.id = u.generation_id;

-- passage_embedding
SELECT encode(d.identity, 'hex'), e.ordinal, g.model, e.embedding::text
FROM passage_embedding e JOIN drawer d ON d.id = e.drawer_id
JOIN embedding_generation g ON g.id = e.generation_id;

-- tombstone
SELECT encode(t.identity, 'hex'), c.identity, t.position, t.restored_by IS NULL
FROM tombstone t JOIN conversation c ON c.id = t.conversation_id;

-- term_count
SELECT lexeme, sum(amount)
FROM (SELECT lexeme, passage_count AS amount FROM term_count UNION ALL
      SELECT unnest(lexemes), unnest(amounts) FROM term_delta) AS counted
GROUP BY lexeme HAVING sum(amount) <> 0;

-- entity
SELECT key, name, type, is_named, kinds FROM entity;

-- alias
SELECT c.identity, a.folded, a.name, a.type, a.is_named, a.count, a.family, a.kinds, e.key
FROM alias a JOIN conversation c ON c.id = a.conversation_id LEFT JOIN entity e ON e.id = a.entity_id;

-- mention
SELECT encode(d.identity, 'hex'), m.char_start, m.char_end, m.folded, m.conversation_id = d.conversation_id
FROM mention m JOIN drawer d ON d.id = m.drawer_id;

-- known_name
SELECT encode(d.identity, 'hex'), k.folded FROM known_name k JOIN drawer d ON d.id = k.drawer_id;

-- assertion
SELECT encode(d.identity, 'hex'), a.ordinal, a.subject, a.predicate, a.object, a.object_folded, a.action,
       a.char_start, a.char_end, a.valid_from, a.from_precision, a.valid_to, a.to_precision, a.until IS NULL,
       encode(instead.identity, 'hex'), a.conversation_id = d.conversation_id
FROM assertion a JOIN drawer d ON d.id = a.drawer_id
LEFT JOIN drawer instead ON instead.id = a.superseded_by;

-- relation
SELECT s.key, r.predicate, r.ordinal, r.object, o.key, r.is_single, isempty(r.valid),
       r.from_precision, r.to_precision,
       r.valid_from IS NULL, r.valid_to IS NULL, r.recorded_at IS NULL, r.superseded_at IS NULL
FROM relation r JOIN entity s ON s.id = r.subject_id LEFT JOIN entity o ON o.id = r.object_id;

-- evidence
SELECT s.key, r.predicate, r.object, encode(d.identity, 'hex'), a.ordinal, e.closes
FROM evidence e JOIN relation r ON r.id = e.relation_id JOIN entity s ON s.id = r.subject_id
JOIN assertion a ON a.id = e.assertion_id JOIN drawer d ON d.id = a.drawer_id;

-- entity_decision
SELECT verb, decided::text, undone_at IS NULL FROM entity_decision;

-- extraction_reply
SELECT c.identity, encode(r.digest, 'hex'), r.model, r.prompt, r.reply::text, r.is_imported,
       (SELECT count(*) FROM drawer d WHERE d.id = ANY (r.drawers)) = cardinality(r.drawers)
FROM extraction_reply r JOIN conversation c ON c.id = r.conversation_id;

-- injection
SELECT encode(key, 'hex'), block, cited_count FROM injection;

-- injection_citation
SELECT encode(c.key, 'hex'), encode(d.identity, 'hex')
FROM injection_citation c JOIN drawer d ON d.id = c.drawer_id;

-- memory
SELECT encode(d.identity, 'hex'), m.type, m.state, m.origin, m.maker, m.importance, m.confidence, m.is_pinned, m.reason,
       m.evidence::text, m.alike::text, m.contradicts::text, m.expires_at IS NULL, m.updated_at IS NULL
FROM memory m JOIN drawer d ON d.id = m.drawer_id;

-- drawer_use
SELECT encode(d.identity, 'hex'), u.injected_count, u.used_count, u.corrected_count, u.used_at IS NULL
FROM drawer_use u JOIN drawer d ON d.id = u.drawer_id;

-- hidden_drawer
SELECT encode(identity, 'hex'), wing_number, room_number, number, parts->'drawer'->>'content'
FROM hidden_drawer;

-- working_summary
SELECT identity, agent, summary, covered, stays::text, failures, tried, model FROM working_summary;

-- review_mark
SELECT m.kind,
       (SELECT encode(d.identity, 'hex') FROM drawer d WHERE m.kind <> 'filed' AND d.id = m.item),
       (SELECT encode(d.identity, 'hex') FROM drawer d WHERE d.id = m.by)
FROM review_mark m;

-- project
SELECT p.key, w.name, p.sources FROM project p JOIN wing w ON w.id = p.wing_id;

-- project_wing
SELECT p.key, w.name FROM project_wing p JOIN wing w ON w.id = p.wing_id;

-- setting
SELECT agent, name, value::text FROM setting;

-- count_delta
SELECT counted, sum(amount) FROM count_delta GROUP BY counted;

-- work_action
SELECT encode(d.identity, 'hex'), a.ordinal, a.kind, a.key, a.subject, a.operation, a.exit_status, a.duration_ms,
       a.char_start, a.char_end, (SELECT encode(f.identity, 'hex') FROM drawer f WHERE f.id = a.fixed_by), a.moved_from
FROM work_action a JOIN drawer d ON d.id = a.drawer_id;
