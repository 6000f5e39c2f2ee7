"""Holidays whose date is fixed or can be computed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from palace.text.times.periods import DAY, Dates, one_day


def easter(year: int) -> date:
    """Compute Easter Sunday of the Gregorian calendar (the algorithm of Meeus, Jones and Butcher)."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    skipped, correction = divmod(century, 4)
    leaps, common = divmod(rest, 4)
    proemptosis = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - skipped - proemptosis + 15) % 30
    weekday = (32 + 2 * correction + 2 * leaps - epact - common) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """Find a month's nth weekday, Monday being 0; -1 is the month's last."""
    if nth < 0:
        last = date(year + month // 12, month % 12 + 1, 1) - DAY
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def _fixed(month: int, day: int, days: int = 1) -> Callable[[int], Dates]:
    return lambda year: Dates(date(year, month, day), date(year, month, day) + days * DAY)


def _moving(month: int, weekday: int, nth: int, later: int = 0) -> Callable[[int], Dates]:
    return lambda year: one_day(nth_weekday(year, month, weekday, nth) + later * DAY)


def _easter(later: int, days: int = 1) -> Callable[[int], Dates]:
    return lambda year: Dates(easter(year) + later * DAY, easter(year) + (later + days) * DAY)


HOLIDAYS: dict[str, Callable[[int], Dates]] = {
    r"(?:christmas|xmas|x-mas) eve": _fixed(12, 24),
    r"(?:christmas|xmas|x-mas) day": _fixed(12, 25),
    r"christmas|xmas|x-mas": _fixed(12, 24, 3),
    r"boxing day": _fixed(12, 26),
    r"new years?'?s? eve": _fixed(12, 31),
    r"new years?'?s? day": _fixed(1, 1),
    r"new year'?s": _fixed(12, 31, 2),
    r"halloween": _fixed(10, 31),
    r"valentine'?s(?: day)?": _fixed(2, 14),
    r"(?:st\.?|saint) patrick'?s day": _fixed(3, 17),
    r"independence day": _fixed(7, 4),
    r"juneteenth": _fixed(6, 19),
    r"veterans day": _fixed(11, 11),
    r"martin luther king(?: jr\.?)? day|mlk day": _moving(1, 0, 3),
    r"memorial day": _moving(5, 0, -1),
    r"labou?r day": _moving(9, 0, 1),
    r"mothers?'?s? day": _moving(5, 6, 2),
    r"fathers?'?s? day": _moving(6, 6, 3),
    r"thanksgiving(?: day)?": _moving(11, 3, 4),
    r"black friday": _moving(11, 3, 4, later=1),
    r"cyber monday": _moving(11, 3, 4, later=4),
    r"giving tuesday": _moving(11, 3, 4, later=5),
    r"remembrance sunday": _moving(11, 6, 2),
    r"mothering sunday": _easter(-21),
    r"maundy thursday|holy thursday": _easter(-3),
    r"holy saturday": _easter(-1),
    r"easter saturday": _easter(-1),
    r"(?:rose|shrove) monday": _easter(-48),
    r"(?:shrove|fat|pancake) tuesday|pancake day|mardi gras": _easter(-47),
    r"ash wednesday": _easter(-46),
    r"palm sunday": _easter(-7),
    r"ascension(?: day)?": _easter(39),
    r"pentecost|whitsun|whit sunday": _easter(49),
    r"whit monday": _easter(50),
    r"epiphany|twelfth night": _fixed(1, 6),
    r"may day": _fixed(5, 1),
    r"midsummer(?:'?s)?(?: day| eve)?": _fixed(6, 24),
    r"all saints'?(?: day)?": _fixed(11, 1),
    r"(?:st\.? nicholas|saint nicholas) day": _fixed(12, 6),
    r"burns night": _fixed(1, 25),
    r"bonfire night|guy fawkes(?: night)?": _fixed(11, 5),
    r"cinco de mayo": _fixed(5, 5),
    r"good friday": _easter(-2),
    r"easter monday": _easter(1),
    r"easter weekend": _easter(-2, 4),
    r"easter(?: sunday)?": _easter(0),
}
"""How each is written, as a pattern on lower-case text, and its days in a year; those of the United States where
countries differ. What begins another stands before it."""

NO_DAY = (
    r"(?:patch|super|casual|taco|freaky|throwback|bloody|blue|ruby|happy|dress-down|sheffield|man|lazy|cheat|manic"
    r"|girl) "
)
"""Before a weekday in a name that is none of the calendar's: "Patch Tuesday", "Casual Friday"."""
