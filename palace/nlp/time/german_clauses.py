"""German times of a statement put into English words, so that one calendar reads both; ``german`` has a query's."""

from __future__ import annotations

import re
from functools import cache

from palace.nlp.time.feasts import BLACK_FRIDAY, FEASTS
from palace.nlp.time.rewriting import Say

_UNITS = {"tag": "day", "woche": "week", "monat": "month", "jahr": "year", "wochenende": "weekend"}
_UNIT = r"(?P<unit>wochenende|tag|woche|monat|jahr)(?:e?n|e?s|e)?"
_WHICH = {"letzt": "last", "vorig": "last", "vergangen": "last", "dies": "this", "nächst": "next", "kommend": "next"}
_WHICH_WORD = rf"(?P<which>{'|'.join(_WHICH)})(?:e[nmrs]?)"
_COUNTS = {
    "anderthalb": "1.5", "eineinhalb": "1.5", "zweieinhalb": "2.5", "ein halb": "half a", "ein": "a", "paar": "few",
    "einig": "several", "mehrer": "several", "zwei": "two", "drei": "three", "vier": "four", "fünf": "five",
    "sechs": "six", "sieben": "seven", "acht": "eight", "neun": "nine", "zehn": "ten", "elf": "eleven",
    "zwölf": "twelve", "fünfzehn": "fifteen", "zwanzig": "twenty", "dreißig": "thirty", "dreissig": "thirty",
    "vierzig": "forty",
}  # fmt: skip
_COUNT = (
    r"(?P<count>[0-9]{1,2}|(?:ein )?(?:"
    + "|".join(sorted(_COUNTS, key=len, reverse=True))
    + r")(?:e[nmrs]?|er)?(?: halb(?:e[nmrs]?))?)"
)
_ABOUT = (
    r"(?:(?:etwa|ca\.?|circa|gut|rund|knapp|über|fast|ungefähr|mehr als|mindestens|schon|den letzten|mittlerweile) )?"
)
_MONTHS = {
    "januar": "january", "jänner": "january", "februar": "february", "märz": "march", "maerz": "march",
    "april": "april", "mai": "may", "juni": "june", "juli": "july", "august": "august", "september": "september",
    "oktober": "october", "november": "november", "dezember": "december",
}  # fmt: skip
_DAYS = {
    "montag": "monday", "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday", "freitag": "friday",
    "samstag": "saturday", "sonnabend": "saturday", "sonntag": "sunday",
}  # fmt: skip
_SEASONS = {
    "frühling": "spring", "frühjahr": "spring", "spätsommer": "late summer", "sommer": "summer", "herbst": "autumn",
    "winter": "winter",
}  # fmt: skip
_NEAR = {
    "vorgestern": "the day before yesterday", "gestern": "yesterday", "heute": "today", "übermorgen":
    "the day after tomorrow",
}  # fmt: skip
_PARTS = {"anfang": "the beginning of", "mitte": "mid", "ende": "the end of"}
_LEADS = {
    "im": "in", "in": "in", "am": "on", "an": "on", "zu": "at", "zum": "for", "über": "over", "seit": "since",
    "bis": "until", "ab": "starting", "von": "from", "vom": "from", "um": "around", "während": "during",
    "per": "for", "nach": "after", "vor": "before",
}  # fmt: skip


def _any(words: dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_LEAD = (
    rf"(?:(?P<lead>{_any(_LEADS)})(?: zu[mr]?| in den)? )?(?:(?:de[rnms]|die|das) )?"
    r"(?:(?:frühe|späte)[nrms]? )?(?:(?P<part>anfang|mitte|ende) (?:(?:de[rnms]|von|diese[ns]) )?)?"
)
_NAME = rf"(?P<name>{_any(_MONTHS | _SEASONS)})s?"
_YEAR = r"(?: (?P<year>(?:1[89]|20)[0-9]{2})(?!\w)| (?P<of>letzten|vorigen|vergangenen|diesen|dieses|nächsten) jahres)?"


def _count(found: re.Match[str]) -> str:
    words = found["count"]
    is_half = re.search(r" halb", words) is not None
    word = words.split()[-1 - is_half] if not words.startswith("ein halb") else "ein halb"
    chosen = next((english for german, english in _longest_first() if word.startswith(german)), word)
    return "half a" if is_half and chosen == "a" else chosen


def _counted(found: re.Match[str]) -> str:
    return f"{_count(found)} {_UNITS[found['unit']]}s"


@cache
def _longest_first() -> tuple[tuple[str, str], ...]:
    return tuple(sorted(_COUNTS.items(), key=lambda pair: -len(pair[0])))


def _led(found: re.Match[str], english: str) -> str:
    groups = found.groupdict()
    lead, part = groups.get("lead"), groups.get("part")
    words = [_LEADS[lead] if lead else "in" if part else "", _PARTS.get(part or "", ""), english]
    if lead in ("bis", "seit", "ab", "zum", "von", "vom") or not part:
        words[0] = _LEADS.get(lead or "", "")
    return " ".join(word for word in words if word)


def _of_year(found: re.Match[str]) -> str:
    groups = found.groupdict()
    if groups.get("year"):
        return f" {groups['year']}"
    of = groups.get("of")
    return f" {'this' if of.startswith('dies') else 'next' if of.startswith('näch') else 'last'} year" if of else ""


def _which(found: re.Match[str]) -> str:
    return next(english for german, english in _WHICH.items() if found["which"].startswith(german))


def _day(found: re.Match[str]) -> str:
    return _led(found, f"{found['day']} {_MONTHS[found['name']]}{_of_year(found)}")


def _figures(found: re.Match[str]) -> str | None:
    day, month, year = int(found["day"]), int(found["month"]), found["year"] or ""
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return None
    name = list(dict.fromkeys(_MONTHS.values()))[month - 1]
    full = "" if not year else year if len(year) == 4 else f"20{year}"
    return _led(found, f"{day} {name} {full}".rstrip())


def _named(found: re.Match[str]) -> str | None:
    groups = found.groupdict()
    if not (groups["lead"] or groups["part"] or groups["year"] or groups["of"]):
        return None
    name = (_MONTHS | _SEASONS)[found["name"]]
    lead = None if groups["lead"] or groups["part"] else "in "
    return (lead or "") + _led(found, f"{name}{_of_year(found)}")


def _bare_year(found: re.Match[str]) -> str | None:
    if not (found["lead"] or found["part"]):
        return None
    is_in = not found["part"] and found["lead"].startswith("im ")
    return f"in {found['year']}" if is_in else _led(found, found["year"])


def _part_of_unit(found: re.Match[str]) -> str:
    unit = _UNITS[found["unit"]]
    which = _which(found) + " " if found["which"] else "this "
    lead = _LEADS.get(found["lead"] or "", "at")
    return f"{lead} {_PARTS[found['part']]} {which}{unit}"


_RULES: tuple[tuple[str, Say], ...] = (
    (rf"(?:seit|schon) {_ABOUT}{_COUNT} {_UNIT}(?! (?:alt|später))", lambda it: f"for {_counted(it)}"),
    (rf"{_ABOUT}{_COUNT} {_UNIT} lang", lambda it: f"for {_counted(it)}"),
    (rf"vor {_ABOUT}{_COUNT} {_UNIT}", lambda it: f"{_counted(it)} ago"),
    (rf"in {_ABOUT}{_COUNT} {_UNIT}", lambda it: f"in {_counted(it)}"),
    (rf"nach {_ABOUT}{_COUNT} {_UNIT}", lambda it: f"after {_counted(it)}"),
    (
        rf"(?:(?P<lead>seit|bis|ab|zum) )?(?P<part>anfang|mitte|ende) (?:de[rs] )?(?:{_WHICH_WORD} )?{_UNIT}",
        _part_of_unit,
    ),
    (rf"{_LEAD}{_WHICH_WORD} {_UNIT}", lambda it: _led(it, f"{_which(it)} {_UNITS[it['unit']]}")),
    (
        rf"{_LEAD}{_WHICH_WORD} (?P<name>{_any(_DAYS | _MONTHS | _SEASONS | FEASTS)})s?",
        lambda it: _led(it, f"{_which(it)} {(_DAYS | _MONTHS | _SEASONS | FEASTS)[it['name']]}"),
    ),
    (rf"{_LEAD}(?:(?:{_any(_DAYS)}),? (?:de[nm] )?)?(?P<day>[0-3]?[0-9])\. ?(?P<name>{_any(_MONTHS)}){_YEAR}", _day),
    (rf"{_LEAD}(?P<day>[0-3]?[0-9])\.(?P<month>[01]?[0-9])\.(?P<year>(?:20|19)?[0-9]{{2}})?", _figures),
    (rf"{_LEAD}{_NAME}{_YEAR}", _named),
    (
        r"(?P<lead>seit|bis|ab|von|vom|zum|am|an|nach) (?:de[nm] )?"
        rf"(?P<name>{_any(_DAYS)})(?P<tail>morgen|abend|nacht|mittag|nachmittag)?",
        lambda it: _led(it, _DAYS[it["name"]]),
    ),
    (rf"(?P<name>{_any(_DAYS)})(?:abend|nacht|morgen|mittag|nachmittag)", lambda it: f"on {_DAYS[it['name']]}"),
    (rf"{_LEAD}(?P<name>{BLACK_FRIDAY})", lambda it: _led(it, "black friday") if it["lead"] else "on black friday"),
    (rf"{_LEAD}(?P<name>{_any(FEASTS)})(?: (?P<year>20[0-9]{{2}}))?",
     lambda it: _led(it, f"{FEASTS[it['name']]}{_of_year(it)}") if it["lead"] else f"at {FEASTS[it['name']]}"),
    (rf"{_LEAD}(?P<near>{_any(_NEAR)})(?: (?:früh|vormittag|morgen|mittag|nachmittag|abend|nacht))?",
     lambda it: _led(it, _NEAR[it["near"]])),
    (r"(?P<lead>ab|bis|seit) morgen", lambda it: f"{_LEADS[it['lead']]} tomorrow"),
    (r"(?<!guten\s)(?<!jeden\s)(?<!am\s)(?<!heute\s)(?<!diesen\s)morgen(?: früh|abend| abend|mittag| mittag)?",
     lambda _it: "tomorrow"),
    (r"am wochenende", lambda _it: "this weekend"),
    (r"(?P<lead>seit|bis|ab) (?:zum )?wochenende", lambda it: f"{_LEADS[it['lead']]} this weekend"),
    (r"(?:in|seit|aus) den (?P<decade>[5-9]0|(?:19|20)[0-9]0)er(?:n|-?jahren| jahren)",
     lambda it: f"in the {it['decade']}s"),
    (
        r"(?:(?P<lead>seit|bis|ab|von|um|nach|im jahr[e]?) )?(?:(?P<part>anfang|mitte|ende) )?"
        r"(?P<year>(?:1[89]|20)[0-9]{2})(?= |[.,;:!?)]|$)(?! (?:euro|€|km|kg|stück))",
        _bare_year,
    ),
    (r"(?:dieses jahr|heuer)", lambda _it: "this year"),
)  # fmt: skip

HINT = re.compile(
    r"seit|bis|ab|anfang|mitte|ende|letzt|vorig|vergangen|nächst|kommend|dies|gestern|heute|morgen|heuer|lang|vor "
    rf"|nach |wochenende|(?:{_any(_DAYS | _SEASONS | FEASTS)})|januar|februar|märz|mai|juni|juli|oktober|dezember"
    r"|jänner|maerz|[0-9]\.|\bin |\bim |\bam |\bzum |[0-9]er",
)
"""Without one of these nothing is told in German."""


@cache
def rules() -> tuple[tuple[re.Pattern[str], Say], ...]:
    """Give the rules that put German times into English."""
    return tuple((re.compile(rf"(?<!\w)(?:{rule})(?!\w)".replace(" ", r"\s{1,3}")), say) for rule, say in _RULES)
