"""Who a query asks about: one about the person whose palace it is, in the words that they use of themselves. Pure.

Drawers say "I work at …"; whoever asks on the person's behalf says "the user", their name, or "they". Rules of our own
for English and German, made to leave alone what they are not sure of. Two kinds of queries are never touched: those in
which nobody is mentioned, and those that say "I", "my", "we" themselves, so that "the user" is somebody else there.
What stands in quotation marks, and what is no prose (code, addresses, paths), comes back as it was. "The customer" and
"the client" stay: in a person's own memory those are the person's customers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.nlp.questions import english, german
from palace.nlp.questions.names import mark_names
from palace.nlp.rules import rules
from palace.nlp.words import NOT_PROSE

LONGEST_QUESTION = 500
"""Characters; what is longer is a message that somebody passes on, and not touched."""

_HIDDEN = "\ue000"
"""Stands for a stretch that is not touched; of a private range, so that it is part of no word."""

_QUOTED = r"\"[^\"\n]{1,2000}\"|“[^”\n]{1,2000}”|„[^“”\n]{1,2000}[“”]|«[^»\n]{1,2000}»|»[^«\n]{1,2000}«"
_SINGLE_QUOTED = r"(?<!\w)'[^'\n]{1,2000}'(?!\w)|(?<!\w)‘[^’\n]{1,2000}’(?!\w)"
_KEPT = re.compile(rf"[\ue000-\ue002]|{_QUOTED}|{_SINGLE_QUOTED}|{NOT_PROSE.pattern}", re.DOTALL)


def in_first_person(query: str, names: Sequence[str] = ()) -> str:
    """Put a query about the person into the first person; any other comes back as it is, to the byte.

    ``names`` are those of the person, full ("Marta Lindqvist") or in part, with capitals. With a full name the first
    and the last one count as well. In the query they may be in lower case, but for a name that is a word as well.
    """
    if len(query) > LONGEST_QUESTION:
        return query
    kept = _KEPT.findall(query)
    text = _KEPT.sub(_HIDDEN, query)
    german_words, english_words = (rules("asked", each)["spoken"].findall(text) for each in ("german", "english"))
    is_german = len(german_words) > len(english_words)
    language, data = (german, rules("asked", "german")) if is_german else (english, rules("asked", "english"))
    if data["first"].search(data["telling"].sub("", text)):
        return query
    marked = mark_names(language.mark_users(text), names, data.words("opening"), language.POSSESSIVE)
    marked = language.mark_pronouns(marked, is_mentioned=marked != text)
    if marked == text:
        return query
    stretches = iter(kept)
    return re.sub(_HIDDEN, lambda _: next(stretches), language.spoken(marked))
