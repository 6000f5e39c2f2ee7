"""Which way a statement points a time by its verb or by what opens ahead: "wir liefern am", "not before". Pure."""

from __future__ import annotations

import re
from functools import cache

from palace.patterns import late
from palace.text.open_ends.past import tells_past
from palace.text.times import Tense
from palace.text.times.vocabulary import compiled, fold

_WHO = r"(?:[Ww]ir|[Ii]ch|[Ee]r|[Ss]ie|[Ee]s|[Mm]an|[Ii]hr)"
_OWN = r"(?:[Dd](?:er|ie|as)|(?:[Uu]nse?r|[Mm]ein|[Dd]ein|[Ss]ein|[Ii]hr|[Ee]uer|[Ee]in)e?)"
_NOUN = rf"(?:{_OWN}\s(?:[a-zäöüß]+\s)?[A-ZÄÖÜ][\w-]+)"
_STEMS_IN_T = (
    r"(?:be|ver|er|ent|auf|vor|ge|unter|ein|aus|an|ab)?"
    r"(?:arbei|star|war|tes|leis|bie|tre|hal|lei|brei|rei|mie|kos|pos|rich|rüs|strei|schal|stal|bit|rat|ra|hei?ra)t"
)
"""Of verbs whose present ends as the past of others does: "wir arbeiten", "wir lieferten"."""
_STRONG = (
    r"(?:be|ver|er|ent|zer|ge|miss|über|unter)?(?:ging|kam|fand|gab|fuhr|flog|zog|traf|schrieb|sprach|blieb|lief|stand|lag"
    r"|saß|gaß|aß|trank|schlief|nahm|rief|ließ|sah|las|lud|trug|schlug|warf|half|starb|lor|gann|wann|sang|sprang|schwamm"
    r"|stieg|fiel|goss|schloss|schob|hob|hing|wusch|brach|stahl|fror|schied|biss|riss|lieh|log|wog|schwand|band|wuchs"
    r"|war|wurd)en"
    r"|(?:be|ver|er|ent|ge)?(?:hielt|galt|tat|bat|bot|trat|litt|schnitt|stritt|ritt|riet|wurde)"
)
"""What else was: plurals, and the singulars that end as the present does."""
_NO_VERB = (
    r"alle|beide|heute|gerne|eine|keine|deine|seine|ihre|unsere|diese|ohne|neben|zwischen|gegen|wegen|oben|unten"
    r"|die|eine[nmrs]?|gestern|morgen|drüben|eben|selten|hinten|außen|innen|mitten|zusammen|nicht|mit|seit|erst|jetzt|fast|dort|selbst"
    r"|recht|leicht|vielleicht|zuletzt|überhaupt|glaube|denke|meine|finde|erinnere|vermisse|danke|kenne|liebe|hat|habe|haben|ist|bist|hast|habt|bitte"
)
_VERB = (
    rf"(?!(?:{_STRONG}|{_NO_VERB})\b)(?:{_STEMS_IN_T}(?:e|en|et)|muss|kann|soll|will|darf|wird"
    r"|(?!\w*te[n]?\b)[a-zäöüß]{2,}(?:e|e[lr]?n|t))\b"
)
_WAS = rf"(?!{_STEMS_IN_T}en?\b)(?:{_STRONG}|[a-zäöüß]{{2,}}ten?)\b"
_HOUR = r"(?:\sum\s[\d:.]+(?:\sUhr)?)?"
_ASIDE = r"(?:\s[^\s,.;:!?–]+){0,4}?"
_DAY = r"(?:[Aa]m|[Aa]b|[Bb]is|[Vv]or|[Ii]m|[Zz]um)\s(?:zum\s)?(?:de[nm]\s)?"
_BEGINS_WITH_DAY = late(rf"(?:\A\W*|[,:–—]\s|\b(?:[Uu]nd|[Aa]ber|[Dd]enn|[Oo]der)\s){_DAY}\Z")
"""Where the verb follows the day: "Am Montag liefern wir"."""
_WILL_GERMAN = late(r"(?<!\w)(?:werde|werden|wird|werdet)(?!\w)(?![^.!?]*\bworden\b)")

_SHIP = (
    r"(?:ship|deliver|release|launch|publish|present|open|close|go|send|pay|deploy|switch|migrate|install|play|perform"
    r"|host|marry|collect|drive|take|start|begin|end|finish|meet|move|travel|come|get|do|have|work|test|interview)"
)
_SHIPS = (
    r"(?:ships|delivers|releases|launches|publishes|presents|goes|sends|pays|deploys|switches|migrates|installs|plays"
    r"|performs)"
)
_PRESENT = (
    r"(?<!did\s)(?<!didn't\s)(?:i|we|they|you)(?: (?:only|also|now|then|still))?"
    rf" {_SHIP}(?: [^\s,.;:!?]+){{0,4}}? (?:on|from)(?: the)? ?\Z"
    rf"|{_SHIPS}(?: [^\s,.;:!?]+){{0,4}}? (?:on|from)(?: the)? ?\Z"
)
_OPENS = (
    r"(?<!\w)(?:ab|erst(?: am| im| zum)?|frühestens(?: am| im| ab)?|nicht vor|nicht früher als"
    r"|not (?:before|until|till)|(?:not|no) (?:earlier|sooner) than|at the earliest(?: on)?|starting(?: on| from)?"
    r"|(?:delivery|deliveries|shipping|available|open|closed|away|valid|effective|free|busy|holidays?|vacation|leave"
    r"|strike|sale) from"
    r")(?: (?:de[mnr]|the))? ?\Z|\A\W*from(?: the)? ?\Z"
)
_CLOSES = r"(?<!\w)(?:before|vor)(?: (?:de[mnr]|the))? ?\Z"
_AND_OPENS = r"\A,? (?:at the earliest|onwards?|or later|frühestens|on(?=\s*(?:[,;:!?)]|\.(?!\w)|\Z)))"
_BUT = late(r",?\s(?:but|and|aber|und|sondern)(?=\s(?:not|no|nicht|erst|frühestens)\b[^.!?;]*\Z)")


def way_of(before: str, after: str) -> Tense | None:
    """Tell which way a statement points a time, by its words before it and behind it; None where they do not say.

    >>> way_of("Wir liefern am ", "."), way_of("We shipped on ", "."), way_of("Pizza am ", ".")
    (<Tense.FUTURE: 'future'>, <Tense.PAST: 'past'>, None)
    """
    folded, rest = fold(before), fold(after)
    if will_be(folded, rest):
        return Tense.FUTURE
    if tells_past(_BUT.sub("", folded), rest) or _finds(_german(_WAS), before, after):
        return Tense.PAST
    is_open = any(compiled(each).search(folded) for each in (_OPENS, _CLOSES, _PRESENT)) or compiled(_AND_OPENS).search(
        rest
    )
    return Tense.FUTURE if is_open or _finds(_german(_VERB), before, after) else None


def will_be(before: str, after: str) -> bool:
    """Tell whether German words of what will be stand in the folded sentence of a time: "wird am Montag geliefert"."""
    return _WILL_GERMAN.search(f"{before} {after}") is not None


@cache
def _german(verb: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Give where a verb stands before a day, behind who does it, and behind a day, before who does it."""
    return (
        re.compile(rf"(?<!\w)(?:{_WHO}|{_NOUN})\s{verb}{_ASIDE}\s{_DAY}\Z"),
        re.compile(rf"\A{_HOUR}\s{verb}\s(?:{_WHO}\b|{_OWN}\s|[A-ZÄÖÜ])"),
    )


def _finds(verbs: tuple[re.Pattern[str], re.Pattern[str]], before: str, after: str) -> bool:
    first, inverted = verbs
    is_first = _BEGINS_WITH_DAY.search(before) is not None
    return first.search(before) is not None or (is_first and inverted.search(after) is not None)
