"""Times that pin a day, a month, a year, a feast or a clock time, where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from palace.records import Span
from palace.text.entities.page import Page

_EN_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_EN_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_SHORT = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_YEAR = r"(?:19|20)\d\d"
_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_ORDINALS = (
    "(?:twenty[ -]|thirty[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth"
    "|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth"
)
_DAYS_NAME = rf"(?:(?:on\s)?(?:{_EN_DAY}|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?),?\s(?:the\s)?)?"
_UPTO = rf"(?:(?:\s?[-–]\s?|\sto\s|\suntil\s|\sthrough\s)(?:(?:{_EN_DAY}),?\s)?\d{{1,2}}(?:st|nd|rd|th)?)"
_DAYS_NAME_TOLD = _DAYS_NAME.removesuffix("?")
_NAMED_DAY = (
    r"black\sfriday|cyber\smonday|giving\stuesday|good\sfriday|ash\swednesday|(?:shrove|fat)\stuesday"
    r"|(?:maundy|holy)\sthursday|(?:holy|easter)\ssaturday|(?:palm|mothering|remembrance|whit|easter)\ssunday"
    r"|(?:easter|whit|rose|shrove)\smonday"
)
_NOT_IN_NAME = "".join(
    rf"(?<!\b{word}\s)"
    for word in (
        *("black", "cyber", "giving", "good", "ash", "shrove", "fat", "maundy", "holy", "palm", "mothering"),
        *("remembrance", "whit", "easter", "rose", "patch", "super", "casual", "taco", "freaky", "throwback", "bloody"),
        *("blue", "ruby", "happy", "sheffield", "man", "lazy", "cheat", "manic", "girl"),
    )
)
"""Before a weekday that is a part of a name."""
_ENGLISH = rf"""
{_DAYS_NAME}(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?{_UPTO}?(?:\sof)?\s(?:{_EN_MONTH}|(?:{_SHORT})\b\.?)(?:,?\s{_YEAR})?
|{_DAYS_NAME}(?:{_EN_MONTH}|{_SHORT})\.?\s(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?(?:\s?[-–]\s?\d{{1,2}})?(?:,\s{_YEAR})?\b
|{_DAYS_NAME}(?:(?:19|20)\d\d-[01]\d-[0-3]\d|[0-3]?\d/[0-3]?\d/(?:20)?\d\d)
|{_DAYS_NAME_TOLD}[0-3]?\d/[0-3]?\d
|[0-3]?\d\.[01]?\d\.(?:19|20)\d\d
|{_NAMED_DAY}
|(?:(?:last|next|this|on|every|each)\s)?(?=[mtwfs]){_NOT_IN_NAME}(?:{_EN_DAY})s?(?:\s(?:morning|afternoon|evening|night))?
|(?:in|by|since|until|till|last|next|this|early|late|mid|from|around|before|after
|for)[\s-](?:{_EN_MONTH}|{_SHORT})\b(?!\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b(?!:))(?:,?\s{_YEAR})?
|(?:january|february|april|june|july|august|september|october|november|december)(?:\s{_YEAR})?
|(?:may|march)\s{_YEAR}
|(?:on|the|by|until|since|from|before|after)\s(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)
|(?:in|since|until|till|by|from|around|before|after|back\sin|during)\s{_YEAR}(?!\s?(?:euros?|dollars?|steps|words
|people|calories|%|€|kg|km))
|(?:spring|summer|autumn|fall|winter)\s(?:of\s)?{_YEAR}
|today|yesterday|tomorrow|tonight|the\sday\s(?:before\syesterday|after\stomorrow)
|(?:last|this|next)\s(?:month|year|night|spring|summer|autumn|winter|weekend|week)
|christmas(?:\s(?:eve|day))?|xmas|easter(?:\s(?:sunday|monday))?|halloween|thanksgiving|new\syear['’]?s?(?:\s(?:eve
|day))?|valentine['’]?s(?:\sday)?|hanukkah|diwali|ramadan|eid|passover
|labou?r\sday|memorial\sday|independence\sday|mother['’]?s\sday|father['’]?s\sday|good\sfriday|boxing\sday
|(?:at\s)?\d{{1,2}}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.)|(?:at\s)?(?:[01]?\d|2[0-3]):[0-5]\d|(?:at\s)(?:noon|midnight)
|(?:\d{{1,2}}|{_NUMBERS})\so['’]clock
|(?:the\s)?(?:early\s|mid\s|late\s)?(?:19|20)\d0s
|(?:on\s)?the\s(?:{_ORDINALS})\sof\s(?:{_EN_MONTH})
|(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?|[0-3]?\d/[0-3]?\d/(?:20)?\d\d
"""
_DE_MONTH = "januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
_DE_DAY = "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag"
_TAG = rf"(?:(?:(?:am|ab|seit|bis|vom|zum)\s)?(?:{_DE_DAY}|(?:mo|di|mi|do|fr|sa|so)\b\.?),?\s(?:de[nmr]\s)?)?"
_GERMAN = rf"""
{_TAG}\d{{1,2}}\.(?:(?:\s?[-–]\s?|\sbis\s(?:zum\s)?)(?:(?:{_DE_DAY}),?\s(?:den\s)?)?\d{{1,2}}\.)?\s?(?:{_DE_MONTH})(?:\s{_YEAR})?
|{_TAG}\d{{1,2}}\.\d{{1,2}}\.(?:{_YEAR}|\d\d)?
|schwarze[nrms]?\sfreitag|black\sfriday|cyber\smonday
|(?:(?:am|ab|seit|bis|vom|zum|letzten|nächsten|diesen|kommenden)\s)?(?=[mdfs])(?<!schwarzer\s)(?<!schwarzen\s)(?<!weißer\s)(?<!weißen\s)(?<!blauer\s)(?<!blauen\s)(?:{_DE_DAY})s?(?:(?:morgen|mittag|nachmittag|abend
|nacht)|\s(?:früh|morgen|abend))?
|(?:(?:im|seit|ab|bis|ende|anfang|mitte|letzten|nächsten|diesen)\s){{0,2}}(?:{_DE_MONTH})(?:\s{_YEAR})?
|(?:(?:im|seit|letzten|nächsten|diesen)\s){{0,2}}(?:frühling|frühjahr|sommer|herbst|winter)\s{_YEAR}
|(?:(?:im|seit|ab|bis)\s)(?:jahr\s)?{_YEAR}
|heute|gestern|vorgestern|übermorgen|(?:letzte|letzten|nächste|nächsten|dieses|letztes|nächstes)\s(?:woche|monat|jahr
|wochenende)
|weihnachten|heiligabend|pfingsten|silvester|neujahr|karfreitag|aschermittwoch|rosenmontag|faschingsdienstag
|gründonnerstag|karsamstag|(?:palm|oster|pfingst)sonntag|(?:oster|pfingst)montag|ostern|christi\shimmelfahrt
|allerheiligen
|(?:um\s)?\d{{1,2}}(?::\d\d)?\suhr(?:\s\d\d)?|\d{{1,2}}:\d\d
|\d{{4}}-\d\d-\d\d
"""
_OTHERS = {
    "fr": (
        r"(?:le\s)?\d{1,2}(?:er)?\s(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre"
        r"|décembre)(?:\s\d{4})?"
        r"|(?:en|depuis)\s(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
        r"|(?:19|20)\d\d)"
        r"|hier|demain|aujourd['’]hui|avant-hier|après-demain|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
        r"|noël|pâques|la\stoussaint|\d{1,2}\s?h(?:\d\d)?"
    ),
    "es": (
        r"(?:el\s)?\d{1,2}\sde\s(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
        r"|diciembre)(?:\sde\s\d{4})?"
        r"|(?:en|desde)\s(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
        r"|diciembre|(?:19|20)\d\d)"
        r"|ayer|hoy|anteayer|(?:el\s)?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|navidad|nochevieja"
    ),
    "ru": (
        r"\d{1,2}\s(?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)(?:\s\d{4})?"
        r"|вчера|сегодня|завтра|позавчера|послезавтра"
        r"|в\s(?:январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре|понедельник"
        r"|вторник|среду|четверг|пятницу|субботу|воскресенье)"
    ),
    "zh": r"(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号])?|\d{4}年|昨天|今天|明天|前天|后天|(?:星期|周)[一二三四五六日天]"
    r"|春节|中秋节|圣诞节",
}
_MAY_VERB = re.compile(r"(?:this|for|of|by|from|before|after)\s(?:may|march)\b(?!\s?\d)", re.IGNORECASE)
_HINT = re.compile(
    r"\d|day|month|year|week|night|noon|january|february|march|april|may|june|july|august|september|october"
    r"|november|december"
    r"|yesterday|tomorrow|spring|summer|autumn|winter|christmas|easter|xmas|halloween|\b(?:jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec)\b",
    re.IGNORECASE,
)

_SHORTENED = re.compile(
    r"(?:(?<![\w/])(?:[Ss]ince|[Tt]ill|[Uu]ntil|[Oo]n|[Ff]rom|[Bb]y|[Nn]ot|[Hh]ours|[Ll]ast|[Nn]ext|[Ee]very)\s"
    r"(?P<time>(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun))\b(?!\w|['’])"
    r")"
)
"""A weekday that is shortened, with a capital, behind a word that a time follows."""


@cache
def _rules(language: str) -> re.Pattern[str]:
    alone = (
        "".join((_GERMAN if language == "de" else _ENGLISH).split("\n"))
        if language in ("en", "de")
        else _OTHERS[language]
    )
    edges = ("", "") if language == "zh" else (r"(?<![\w$€£.,/-])(?:", r")(?![\w%]|[.,:/-]\d)")
    return re.compile(f"{edges[0]}{alone}{edges[1]}".replace(r"\s", " "), re.IGNORECASE)


def _is_verb(written: str) -> bool:
    return bool(_MAY_VERB.fullmatch(written)) and not written.endswith(("May", "March"))


def time_spans(page: Page) -> Iterator[Span]:
    """Give the times of a message in order, without overlap."""
    language = page.language or "en"
    spans = [Span(*found.span("time")) for found in _SHORTENED.finditer(page.text)]
    if language not in ("de", *_OTHERS) and _HINT.search(page.text):
        spans += (Span(*found.span()) for found in _rules("en").finditer(page.text) if not _is_verb(found[0]))
    elif language == "de":
        spans += (Span(*found.span()) for found in _rules("de").finditer(page.text))
        spans += (Span(*found.span()) for found in _rules("en").finditer(page.text) if not _is_verb(found[0]))
    elif language in _OTHERS:
        spans += (Span(*found.span()) for found in _rules(language).finditer(page.text))
    end = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start >= end:
            yield span
            end = span.end
