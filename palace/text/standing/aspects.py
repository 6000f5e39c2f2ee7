"""What of a task an instruction is about without a word of it: code, wording, measures, hours, manner. Pure.

"Indent with tabs" is about every program that is asked for, "no jargon" about every answer. Kinds of work that anybody
gives to an assistant, not subjects: what an instruction is about beside these is told by its vector.
"""

from __future__ import annotations

import re
from enum import Enum

from palace.text.standing.instructions import is_general


class Aspect(Enum):
    """What of a task an instruction may be about."""

    CODE = "code"
    WORDING = "wording"
    """Of what is written to somebody, or for somebody to read."""
    MEASURES = "measures"
    HOURS = "hours"
    """Days and times of day."""
    MANNER = "manner"
    """Of the answer itself."""


_CODE = (
    r"\b(?:cod(?:e|es|ing|er)|scripts?|program(?:s|me|ming|mier\w*)?|programm\w*|functions?|class(?:es)? (?:that|for"
    r"|with|which|in)"
    r"|methods?|modules?|librar(?:y|ies)|dependenc(?:y|ies)|pars(?:e|er|ers|ing)|regex|sql|apis?|python|javascript"
    r"|typescript"
    r"|java|rust|golang|html|css|bash|snippets?|unit ?tests?|refactor\w*|debug\w*|indent(?:ed|ation)?|linters?"
    r"|formatters?"
    r"|variables?|compil\w+|repo(?:sitory)?|commits?|pull requests?|skripte?n?|funktion(?:en)?|bibliotheken?"
    r"|abhängigkeiten"
    r"|quelltext\w*|einrück\w*|leerzeichen|tabs)\b"
)
_WORDING = (
    r"\b(?:e-?mails?|mails?|letters?|messages?|text messages?|draft\w*|compos\w+|repl(?:y|ies) to|greetings?"
    r"|invitations?|captions?"
    r"|speech(?:es)?|articles?|essays?|paragraphs?|proofread\w*|spelling|spell|wording|word(?:ed)? (?:it|this|that"
    r"|messages)"
    r"|newsletters?|announcements?|cover letter|posts?|blurbs?|sign(?:ed)? off|translat\w+|text (?:to|for|telling)"
    r"|(?:write|put together|prepare)(?: me)? (?:something|a (?:few|couple|note|card|text|line)|to)|briefe?n?"
    r"|nachricht(?:en)?|anschreiben"
    r"|einladung\w*|entwirf\w*|formulier\w*|rechtschreibung|elternbriefe?n?|rundschreiben|glückwunsch\w*|übersetz\w*)\b"
)
_UNITS = (
    r"\b(?:metric|imperial|celsius|fahrenheit|centigrade|units|\w*met(?:re|er)s?|kilos?|kilogram\w*|grams?"
    r"|inch(?:es)?|feet|miles?"
    r"|pounds|ounces|lit(?:re|er)s?|gallons?|zoll|meilen|einheiten|gramm)\b"
)
_MEASURING = (
    r"\bhow (?:far|hot|heavy|large|big|long should|tall|high|deep|wide|cold|fast|warm|thick|much (?:flour|water|sugar"
    r"|weight))\b"
    r"|\bwhat (?:size|temperature|distance|weight|length|dimensions)\b|\bmeasurements?\b|\bwie (?:weit|heiß|schwer"
    r"|groß|hoch|tief|breit|warm|dick)\b"
)
_DAYS = (
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|evenings?|afternoons?|nights?|weekends?|o'clock"
    r"|(?:before|after|until|till) (?:\w+ )?(?:noon|midnight|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|\d{1,2})"
    r"|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?|wochenende\w*|abends?|morgens"
    r"|vormittags?"
    r"|nachmittags?|uhr)\b"
)
_ARRANGING = (
    r"\b(?:when (?:can|could|should|shall|might|would|will|do)|what time|which (?:day|evening|night|morning|afternoon"
    r"|weekend)s?|slots?"
    r"|appointments?|schedul\w+|arrange|fit in|squeeze in|get in touch|(?:ring|phone|call) me|meet(?:ing)?(?: up)?"
    r"|midweek"
    r"|does that suit|wann|termine?|verabred\w*|uhrzeit)\b"
)
_EXPLAINING = (
    r"\b(?:explain|why (?:do|does|is|are)|how (?:do|does|is|are|can) (?!i\b|we\b)|what (?:is|are|does|do) (?!my\b"
    r"|our\b|i\b|we\b)|tell me (?:about|how|why|what)|teach|describe"
    r"|summari[sz]e|walk me through|erklär\w*|warum|beschreib\w*|wie (?:funktioniert|geht|kommt))\b"
)
_OF_STATEMENTS = {Aspect.CODE: _CODE, Aspect.WORDING: _WORDING, Aspect.MEASURES: _UNITS, Aspect.HOURS: _DAYS}
_OF_TASKS = {
    Aspect.CODE: _CODE,
    Aspect.WORDING: _WORDING,
    Aspect.MEASURES: _MEASURING,
    Aspect.HOURS: _ARRANGING,
    Aspect.MANNER: _EXPLAINING,
}


def aspects_of_statement(statement: str) -> frozenset[Aspect]:
    """List what a standing statement is about."""
    found = _found(statement, _OF_STATEMENTS)
    return found | {Aspect.MANNER} if is_general(statement) else found


def aspects_of_task(query: str) -> frozenset[Aspect]:
    """List what a task is about, or a question; the manner, where an explanation is asked for."""
    return _found(query, _OF_TASKS)


def _found(text: str, patterns: dict[Aspect, str]) -> frozenset[Aspect]:
    plain = text.replace("\u2019", "'").lower()
    return frozenset(aspect for aspect, pattern in patterns.items() if re.search(pattern, plain))
