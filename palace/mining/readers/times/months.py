"""The names of months and days of the week, in the languages that phones and diaries write them in."""

from __future__ import annotations

import re

_MONTHS = (
    "january januar jänner janvier enero gennaio janeiro januari styczeń stycznia",
    "february februar février febrero febbraio fevereiro februari luty lutego",
    "march märz mars marzo março maart marts marec marzec marca",
    "april avril abril aprile kwiecień kwietnia",
    "may mai mayo maggio maio mei maj maja",
    "june juni juin junio giugno junho czerwiec czerwca",
    "july juli juillet julio luglio julho lipiec lipca",
    "august août agosto augustus augusti sierpień sierpnia",
    "september septembre septiembre settembre setembro wrzesień września",
    "october oktober octobre octubre ottobre outubro październik października",
    "november novembre noviembre novembro listopad listopada",
    "december dezember décembre diciembre dicembre dezembro desember grudzień grudnia",
)
_SHORT = (
    "jan jän janv ene gen sty",
    "feb févr fév fev lut",
    "mar mär mrz",
    "apr avr abr kwi",
    "mag",
    "jun giu cze",
    "jul juil lug lip",
    "aug ago sie",
    "sep sept set wrz",
    "oct okt ott out paź",
    "nov lis",
    "dec dez déc dic gru des",
)
_DAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim "
    "lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom "
    "lunedì martedì mercoledì giovedì venerdì sabato "
    "segunda terça quarta quinta sexta segunda-feira terça-feira quarta-feira quinta-feira sexta-feira "
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag "
    "måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag"
)

MONTHS = {
    name: number
    for names in (_MONTHS, _SHORT)
    for number, spellings in enumerate(names, 1)
    for name in spellings.split()
}
"""The number of each month's name, in small letters."""


def one_of(words: frozenset[str] | dict[str, int]) -> str:
    """Give a pattern that matches any of some words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


MONTH = one_of(MONTHS)
"""Matches a month's name."""
WEEKDAY = one_of(frozenset(_DAYS.split()))
"""Matches a day of the week."""
