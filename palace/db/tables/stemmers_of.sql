-- Gives the dictionaries that take the words of the languages other than English to their stems in which a user has
-- drawers. Leans on pk_count_delta.
CREATE OR REPLACE FUNCTION stemmers_of(whose bigint) RETURNS SETOF regdictionary
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT stemmer::regdictionary
    FROM (SELECT counted FROM @palace@.count_delta WHERE user_id = whose AND starts_with(counted, 'language:')
          GROUP BY counted HAVING sum(amount) > 0) AS told
    JOIN (VALUES
        ('ar', 'arabic_stem'), ('da', 'danish_stem'), ('de', 'german_stem'), ('el', 'greek_stem'),
        ('es', 'spanish_stem'), ('fi', 'finnish_stem'), ('fr', 'french_stem'), ('hi', 'hindi_stem'),
        ('hu', 'hungarian_stem'), ('id', 'indonesian_stem'), ('it', 'italian_stem'), ('nl', 'dutch_stem'),
        ('no', 'norwegian_stem'), ('pt', 'portuguese_stem'), ('ro', 'romanian_stem'), ('ru', 'russian_stem'),
        ('sv', 'swedish_stem'), ('tr', 'turkish_stem')
    ) AS known (language, stemmer) ON counted = 'language:' || language;
$$;
