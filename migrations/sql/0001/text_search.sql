CREATE TEXT SEARCH DICTIONARY palace_plain (TEMPLATE = simple, STOPWORDS = english);
CREATE TEXT SEARCH CONFIGURATION palace_plain (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION palace_plain
  ALTER MAPPING FOR asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
  WITH palace_plain;
