-- Files drawers of one conversation; one whose identity the user has already is left out. Gives id and identity.
-- user_id, conversation_id; run_ids … said (arrays of one length, in order of identity), a null in filed_at is
-- now; spoken_of holds multiranges as text, null for none.
-- Leans on uq_drawer_user_id_identity.
INSERT INTO drawer (user_id, conversation_id, run_id, room_id, number, filed_at, identity, position, role, speaker,
                    said_at, content, is_revision, is_repaired, spoken_of, said_offset, reading, language,
                    redacted, said)
SELECT :user_id, :conversation_id, run_id, room_id, number, coalesce(filed_at, clock_timestamp()), identity, position,
       role, speaker, said_at, content, is_revision, is_repaired, spoken_of, said_offset, reading, language,
       redacted, said
FROM unnest(
    CAST(:run_ids AS bigint[]), CAST(:room_ids AS bigint[]), CAST(:numbers AS int[]), CAST(:filed_at AS timestamptz[]),
    CAST(:identities AS bytea[]), CAST(:positions AS int[]), CAST(:roles AS text[]), CAST(:speakers AS text[]),
    CAST(:times AS timestamptz[]), CAST(:contents AS text[]), CAST(:revisions AS boolean[]), CAST(:repairs AS boolean[]),
    CAST(:spoken_of AS tstzmultirange[]), CAST(:offsets AS smallint[]), CAST(:readings AS smallint[]),
    CAST(:languages AS text[]), CAST(:redacted AS jsonb[]), CAST(:said AS bytea[])
) AS given (run_id, room_id, number, filed_at, identity, position, role, speaker, said_at, content, is_revision,
            is_repaired, spoken_of, said_offset, reading, language, redacted, said)
ON CONFLICT (user_id, identity) DO NOTHING
RETURNING id, identity
