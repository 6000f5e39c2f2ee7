"""Medicines as German notes them, with a verb or without. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.records.graph import Action
from palace.text.claims.dates import Times
from palace.text.claims.drafts import draft
from palace.text.claims.english.objects import Complement
from palace.text.claims.german.clause import Place
from palace.text.claims.german.grammar.small import PARTICLES
from palace.text.claims.german.lexicon.medicines import UNITS
from palace.text.claims.german.objects import complements, fits
from palace.text.claims.tokens import Token

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


def read_dose(tokens: Sequence[Token], where: Place) -> None:
    """Read "jeden Abend 20 mg Atorvastatin", noted without a verb."""
    message = where.message
    folded = message.content[where.span.start : where.span.end].casefold()
    habits = [(found.start() + where.span.start, found.end() + where.span.start) for found in HABIT.finditer(folded)]
    kept = [
        token
        for token in tokens
        if token.text not in PARTICLES and not any(start <= token.start < end for start, end in habits)
    ]
    if not habits or any(token.text in ("nicht", "kein", "keine", "statt") for token in kept):
        return
    for each in complements(kept, message.content, message.names):
        if each.before == "" and fits(each.phrase, "dosed"):
            message.claim(draft(message.speaker, "takes", plain_medicine(each), Action.HOLDS, Times(), where.span))
