"""Feasts and named days in German, by what they are called in English."""

from __future__ import annotations

FEASTS = {
    "heiligabend": "christmas eve", "weihnachten": "christmas", "silvester": "new year's eve",
    "neujahr": "new year's day", "dreikönigstag": "epiphany", "ostern": "easter", "ostersonntag": "easter sunday",
    "ostermontag": "easter monday", "gründonnerstag": "maundy thursday", "karfreitag": "good friday",
    "karsamstag": "holy saturday", "palmsonntag": "palm sunday", "pfingsten": "pentecost",
    "pfingstsonntag": "pentecost",
    "pfingstmontag": "whit monday", "nikolaus": "st nicholas day", "rosenmontag": "rose monday",
    "faschingsdienstag": "shrove tuesday", "aschermittwoch": "ash wednesday",
    "christi himmelfahrt": "ascension day", "himmelfahrt": "ascension day", "allerheiligen": "all saints day",
    "cyber monday": "cyber monday",
}  # fmt: skip
"""In lower case. "Schwarzer Freitag" is inflected, and has a pattern of its own."""

BLACK_FRIDAY = r"schwarze[nrms]? freitag|black friday"
"""With its endings."""
