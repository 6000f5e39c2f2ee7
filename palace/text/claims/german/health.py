"""Medicines as German notes them, with a verb or without. Pure."""

from __future__ import annotations

import re

from palace.text.claims.english.objects import Complement
from palace.text.claims.german.lexicon.medicines import UNITS

HABIT = re.compile(
    r"(?<!\w)(?:(?:an )?jede[nrsm]? (?:zweite[nrs]? |einzelne[nrs]? )?"
    r"(?:morgen|vormittag|mittag|nachmittag|abend|nacht|tag|woche|monat|montag|dienstag|mittwoch|donnerstag|freitag"
    r"|samstag|sonntag|wochenende)|alle (?:\w+ )?(?:tage|wochen|monate|stunden)"
    r"|(?:ein|zwei|drei|vier|[1-6])[ -]?(?:mal|x) (?:am tag|täglich|pro (?:tag|woche)|die woche|in der woche)"
    r"|(?:morgens|abends|mittags|nachts|täglich|tgl\.?)(?: und (?:morgens|abends|mittags|nachts))?"
    r"|(?:vor|nach|zu) (?:dem|jedem|der) (?:frühstück|essen|schlafen|schlafengehen|mittagessen|abendessen|mahlzeit)"
    r"|zum (?:frühstück|essen|einschlafen)|auf nüchternen magen|bei bedarf)(?!\w)"
)
"""How often something is done, which is no object of it."""


def plain_medicine(each: Complement) -> str:
    """Leave the dose out: "Ramipril 5mg", "75 Mikrogramm L-Thyroxin"."""
    written = each.phrase.text.split()
    kept = [word for word in written if not word[0].isdigit() and word.casefold().strip(".") not in UNITS]
    return " ".join(kept) or each.phrase.text
