-- Inserts drawers of one conversation, except those whose identity the user has already. Returns id and identity.
-- user_id, conversation_id; the other columns (run_id … said) are arrays of one length, in order of identity: a null in
-- filed_at is now, a microsecond apart in the order of the turns, so that the latest of undated ones is the newest;
-- spoken_of holds multiranges as text, null for none.
-- Leans on uq_drawer_user_id_identity.
INSERT INTO drawer (user_id, conversation_id, run_id, room_id, number, filed_at, identity, position, role, speaker,
                    said_at, content, is_revision, is_repaired, spoken_of, said_offset, reading, language,
                    redacted, said)
SELECT :user_id, :conversation_id, run_id, room_id, number,
       coalesce(filed_at, statement_timestamp() - (count(*) OVER () - row_number() OVER (ORDER BY position, number)) * interval '1 microsecond'),
       identity, position, role, speaker, said_at, content, is_revision, is_repaired, spoken_of, said_offset, reading, language,
       redacted, said
FROM unnest(
    CAST(:run_id AS bigint[]), CAST(:room_id AS bigint[]), CAST(:number AS int[]), CAST(:filed_at AS timestamptz[]),
    CAST(:identity AS bytea[]), CAST(:position AS int[]), CAST(:role AS text[]), CAST(:speaker AS text[]),
    CAST(:said_at AS timestamptz[]), CAST(:content AS text[]), CAST(:is_revision AS boolean[]), CAST(:is_repaired AS boolean[]),
    CAST(:spoken_of AS tstzmultirange[]), CAST(:said_offset AS smallint[]), CAST(:reading AS smallint[]),
    CAST(:language AS text[]), CAST(:redacted AS jsonb[]), CAST(:said AS bytea[])
) AS given (run_id, room_id, number, filed_at, identity, position, role, speaker, said_at, content, is_revision,
            is_repaired, spoken_of, said_offset, reading, language, redacted, said)
ORDER BY identity
ON CONFLICT (user_id, identity) DO NOTHING
RETURNING id, identity
