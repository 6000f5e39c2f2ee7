"""Rewrite queries about the palace's user into the first person, in which the user's drawers are written. Pure.

Drawers say "I work at …"; an agent that asks for the person says "the user", their name, or "they". Rules for English
and German, which leave doubtful queries alone. Two kinds of queries are never changed: those that mention nobody, and
those that say "I", "my" or "we" themselves, where "the user" is another person. Quotations and anything but prose
(code, addresses, paths) stay as they are. So do "the customer" and "the client": in a person's own memory those are
the person's customers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.nlp.questions import english, german
from palace.nlp.questions.names import mark_names
from palace.nlp.rules import rules
from palace.nlp.words import NOT_PROSE

LONGEST_QUESTION = 500
"""Most characters of a query; a longer one is a passed-on message and stays as it is."""

_HIDDEN = "\ue000"
"""Replaces text that must not change; a private-use character, so that it is part of no word."""

_QUOTED = r"\"[^\"\n]{1,2000}\"|“[^”\n]{1,2000}”|„[^“”\n]{1,2000}[“”]|«[^»\n]{1,2000}»|»[^«\n]{1,2000}«"
_SINGLE_QUOTED = r"(?<!\w)'[^'\n]{1,2000}'(?!\w)|(?<!\w)‘[^’\n]{1,2000}’(?!\w)"
_KEPT = re.compile(rf"[\ue000-\ue002]|{_QUOTED}|{_SINGLE_QUOTED}|{NOT_PROSE.pattern}", re.DOTALL)


def in_first_person(query: str, names: Sequence[str] = ()) -> str:
    """Rewrite a query about the palace's user into the first person; return any other unchanged.

    ``names`` are the user's, full ("Marta Lindqvist") or in part, with capitals; of a full name the first and the last
    count as well. In the query they may be in lower case, unless the name is also a word.
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
