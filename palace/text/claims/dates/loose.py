"""Stretches of a sentence that tell a time and hardly more: what they do to what was said before them. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palace.patterns import late
from palace.text.claims.dates.told import Times, in_english, times_of
from palace.text.claims.tokens import listed
from palace.text.times import find_told
from palace.text.times.periods import Tense


class Turn(StrEnum):
    """What a time is of."""

    BEGIN = "begin"
    END = "end"


_LIFE = "works_at works_as does plays takes studies studies_at member_of uses leads works_on has prefers speaks"


def _of(verbs: str, predicates: str) -> dict[str, str]:
    return dict.fromkeys(listed(verbs), predicates)


_BEGUN = {
    **_of("started start starts starting began begin begins beginning angefangen begonnen", _LIFE),
    **_of("bought got get adopted picked collected arrived delivered gekauft geholt bekommen", "owns has uses"),
    **_of("moved move moving eingezogen hergezogen umgezogen hingezogen gezogen zogen zog", "lives_in"),
    **_of("joined join beigetreten eingetreten", "member_of works_at does"),
    **_of("married geheiratet", "married_to"),
    **_of("met kennengelernt", "partner_of friend_of married_to"),
    **_of("took taken", "does plays owns takes"),
}
"""What begins by each verb."""
_ENDED = {
    **_of("sold died lost returned scrapped verkauft gestorben verloren", "owns has"),
    **_of("stopped quit left retired cancelled canceled gekündigt aufgehört", f"{_LIFE} lives_in"),
    **_of("ended finished beendet", f"{_LIFE} lives_in has partner_of married_to"),
    **_of("divorced separated geschieden getrennt", "married_to partner_of"),
}
"""What ends by each verb."""
_SMALL = listed(
    """
i we he she they it that this which who there here them him her us me one those these have has had ve 's s 've been
was is were be am are 'm 're done do did so and but , . ! ; : ( ) - – — back just only already actually officially
finally also now again then around about in into up out of on with w/ my our his their the a first last day shift
happened ever will 'll since because as for way sometime some point to at together it's that's i've we've i'm ok well
ich wir er sie es das den die der ihn ihm mir uns dort da hier war waren ist sind bin habe haben hab hat wurde schon
und aber dann damals so seit seitdem auch noch erst wieder dorthin dahin mich sich jetzt letzter tag mein
"""
)
_AHEAD = late(
    r"(?<!\w)(?:starts?|starting|begins?|beginning|moving|will|'ll|gonna|joining|is|it's|i'm|we're|ist|wird|werde|ab)(?!\w)"
)
_SINCE = late(r"\W*(?:and |und )?(?:ever )?(?:since|seit|seitdem)(?!\w)")
_LAST_DAY = late(r"(?<!\w)(?:last|final) (?:day|shift)|letzter (?:arbeits)?tag(?!\w)")
_COMPANY = late(r"(?:with|w/|mit) (?:(?:my|our|his|her|meine[mr]?|unsere[mr]?) )?\w+")
_WORD = late(r"[\w'/]+|[^\w\s]")
_FILLERS = listed("and that so but ok okay then also , . - – — : just well oh um uh btw anyway sometime some point")
_LONGEST_LEAD = 70


@dataclass(frozen=True, slots=True)
class Loose:
    """A stretch that tells a time of what was said before it."""

    times: Times
    turn: Turn
    predicates: frozenset[str]
    """Of which it may be told; none where it may be of any."""
    pronoun: str
    """"i", "she" or "" where it says of whom."""


def is_only_time(text: str) -> bool:
    """Whether a folded stretch tells a time and nothing else, as before the clause that it is the time of."""
    if len(text) > _LONGEST_LEAD:
        return False
    words = in_english(text).text
    moment = datetime.fromisoformat("2020-06-15T12:00:00+00:00")
    if not find_told(words, moment, tense=Tense.PAST) and not find_told(words, moment, tense=Tense.FUTURE):
        return False
    left = min((times_of(text, None, ahead=ahead)[1] for ahead in (False, True)), key=lambda each: len(each.split()))
    return all(word in _FILLERS for word in _WORD.findall(left))


def is_aside(text: str) -> bool:
    """Whether a folded stretch is no more than small words."""
    return all(word in _SMALL for word in _WORD.findall(text))


def read_loose(text: str, now: datetime | None) -> Loose | None:
    """Read a folded stretch that claims nothing by itself; None where it is more than a time, or without one."""
    times, left = times_of(text, now, ahead=_AHEAD.search(text) is not None)
    if not times.is_told:
        return None
    words = _WORD.findall(_COMPANY.sub(" ", left))
    if _SINCE.match(text):
        return Loose(Times(since=times.start), Turn.BEGIN, frozenset(), "") if times.start else None
    pronoun = next((word for word in words if word in ("i", "we", "he", "she", "they", "ich", "wir")), "")
    verbs = [word for word in words if word in _BEGUN or word in _ENDED]
    if any(word not in _SMALL and word not in verbs for word in words) or len(verbs) > 1:
        return None
    if _LAST_DAY.search(text):
        return Loose(times, Turn.END, frozenset(["works_at", "works_as"]), pronoun)
    verb = verbs[0] if verbs else ""
    turn = Turn.END if verb in _ENDED else Turn.BEGIN
    return Loose(times, turn, frozenset((_BEGUN | _ENDED).get(verb, "").split()), pronoun)
