"""Whether what is said holds from then on though no word of it says so: it speaks of kinds, not of one thing. Pure.

"Use pnpm, not npm" holds, "use the other branch" is of the moment: who means one thing says "the", "this" or "it". Made
to be right where it speaks: what is asked, told of, passed on or confined to the moment is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from palace.patterns import Rules, late

LANGUAGES = tuple(Rules("standing", f"{language}_kinds.toml") for language in ("english", "german"))
LONGEST = 200
"""Characters beyond which a sentence is taken for what somebody explains."""
_LEAD = late(
    r"(?:(?:[-*•–>]|\d{1,2}[.)]|\[[ x]\])\s+|(?:ok(?:ay)?|and|also|so|but|btw|by the way|please|pls|hey|hi|note"
    r"|important"
    r"|rules?|reminder|fyi|oh|well|yes|no|good|thanks|general(?:ly)?|one (?:more )?thing|remember|und|bitte|aber"
    r"|übrigens"
    r"|wichtig|regeln?|ja|nein|gut|danke|noch was|achtung|merke?)(?:[,:]\s*|\s+-\s+|\s+)(?<!\bno )(?<!\bbitte ))*"
)
_CLAUSE = late(r"\s*;\s+|\s+[–—-]\s+|,\s+(?:and|but|btw|by the way|also|und|aber|übrigens)\s+|(?<=[a-zäöüß]):\s+")
_END = late(r"[\s.!)…]+$")
_REPEATED = 8
"""Clauses of a sentence that are looked at."""


def speaks_of_kinds(sentence: str) -> bool:
    """Tell whether a sentence, in lower case and no question, asks for something to be done so from then on."""
    if len(sentence) > LONGEST:
        return False
    return any(_holds(clause, language) for language in LANGUAGES for clause in _clauses(sentence, language))


def _clauses(sentence: str, language: Rules) -> Iterator[str]:
    """Give the clauses by which it may ask for something; none of what somebody else says."""
    said = _LEAD.sub("", sentence, count=1)
    if language.pattern("PASSED_ON").search(said):
        return
    for clause in _CLAUSE.split(said)[:_REPEATED]:
        told = _END.sub("", _LEAD.sub("", clause, count=1))
        if told:
            yield told


def _holds(clause: str, language: Rules) -> bool:
    reason = language.pattern("REASONS").search(clause)
    asked = clause[: reason.start()] if reason else clause
    found = language.pattern("KINDS").match(asked)
    return found is not None and not language.pattern("PASSING").search(asked)
