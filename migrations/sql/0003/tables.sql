-- Sentences with vectors of their own, statements of choice, and the times that a message speaks of.
-- Sentences and times are added by a rebuild; here every passage only learns where it stands and who said it.

ALTER TABLE drawer ADD COLUMN spoken_of TSTZMULTIRANGE;

ALTER TABLE count_delta DROP CONSTRAINT ck_count_delta_counted,
    ADD CONSTRAINT ck_count_delta_counted CHECK (counted IN ('drawer', 'passage', 'sentence'));

-- Made again below: every row is rewritten, and an index is built in less time than it is updated.
DROP INDEX ix_passage_user_id_tsv;

ALTER TABLE passage ALTER COLUMN tsv DROP NOT NULL,
    ADD COLUMN is_embedded BOOLEAN,
    ADD COLUMN room_id BIGINT,
    ADD COLUMN is_person BOOLEAN,
    ADD COLUMN is_sentence BOOLEAN DEFAULT false NOT NULL,
    ADD COLUMN is_choice BOOLEAN DEFAULT false NOT NULL;

UPDATE passage AS p SET is_embedded = NOT p.is_tool, room_id = d.room_id, is_person = d.role = 'user'
FROM drawer AS d WHERE d.user_id = p.user_id AND d.id = p.drawer_id;

ALTER TABLE passage ALTER COLUMN is_embedded SET NOT NULL,
    ALTER COLUMN room_id SET NOT NULL,
    ALTER COLUMN is_person SET NOT NULL,
    ADD CONSTRAINT ck_passage_keywords CHECK ((tsv IS NULL) = is_sentence);

CREATE INDEX ix_passage_user_id_tsv ON passage USING gin (user_id, tsv) WITH (gin_pending_list_limit = 256)
    WHERE tsv IS NOT NULL;

ALTER TABLE passage_embedding ADD COLUMN code BIT VARYING GENERATED ALWAYS AS (binary_quantize(embedding)) STORED;

CREATE INDEX ix_passage_embedding_code ON passage_embedding (user_id, generation_id) INCLUDE (drawer_id, ordinal, code)
    WHERE code IS NOT NULL;
