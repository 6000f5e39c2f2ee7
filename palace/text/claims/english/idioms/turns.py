"""English turns of phrase, and what is claimed by each. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from palace.records.graph import Action

_HOME = r"(?:place|flat|house|home|apartment|room|studio|condo|cottage)"
_THE = r"(?:the|a|an|my|our|his|her|their|this)"
_POST = r"(?:job|internship|position|post|role|gig|apprenticeship|placement|traineeship)"
_YEAR = r"(?P<year>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of phrase; its object begins where it ends."""

    pattern: re.Pattern[str]
    predicate: str
    wants: str
    action: Action
    is_own: bool = False
    """Whether it is the speaker's, whoever is the subject."""


def _turn(written: str, predicate: str, wants: str, action: Action, *, is_own: bool = False) -> Turn:
    return Turn(re.compile(rf"(?:(?<![\w'])|(?='))(?:{written})\s(?=\S)"), predicate, wants, action, is_own)


TURNS = (
    _turn("(?:finally |all |now )?(?:done|finished) (?:with|at)", "works_at", "company", Action.ENDS),
    _turn("handed in (?:my|his|her|their) notice at", "works_at", "employer", Action.ENDS),
    _turn("(?:gave|given|giving) (?:my |his |her )?notice (?:at|to)", "works_at", "employer", Action.ENDS),
    _turn("(?:retired|resigned|got laid off|was laid off|got fired) from", "works_at", "employer", Action.ENDS),
    _turn("last (?:day|shift|week) at", "works_at", "employer", Action.ENDS),
    _turn("(?:first|1st) (?:day|shift|week) at|day (?:one|1) at", "works_at", "employer", Action.BEGINS),
    _turn(
        rf"(?:got|landed|accepted|took|taken|starting|started|start|starts|began) {_THE} (?:\S+ ){{0,2}}{_POST}"
        r" (?:at|with)",
        "works_at",
        "employer",
        Action.BEGINS,
    ),
    _turn("(?:hired by|signed (?:on )?with|taken on by)", "works_at", "employer", Action.BEGINS),
    _turn(rf"(?:my|our) {_YEAR} year (?:here )?in", "lives_in", "place", Action.HOLDS, is_own=True),
    _turn(rf"(?:our |my |the )?(?:new )?{_HOME} (?:is|'s) (?:in|on)", "lives_in", "place", Action.HOLDS, is_own=True),
    _turn(
        rf"(?:moved into|settled into) {_THE} (?:new )?{_HOME} (?:in|on)",
        "lives_in",
        "place",
        Action.BEGINS,
    ),
    _turn(
        rf"(?:gave up|given up|moved out of|sold|moving out of) {_THE} (?:old )?{_HOME} (?:in|on)",
        "lives_in",
        "place",
        Action.ENDS,
    ),
    _turn(rf"(?:signed for|got|rented|took) {_THE} (?:new )?{_HOME} (?:in|on)", "lives_in", "told_keys", Action.BEGINS),
    _turn(
        r"home (?:is )?now(?:\s?:| is)|new (?:home|address) ?(?::|is)(?: (?:in|at))?",
        "lives_in",
        "place",
        Action.HOLDS,
        is_own=True,
    ),
    _turn(
        r"spent (?:\w+ ){1,3}years (?:(?:living|working) )?in",
        "lives_in",
        "place_named",
        Action.WAS,
    ),
    _turn("(?:grew up|born and raised|raised|brought up) in", "comes_from", "place", Action.HOLDS),
    _turn("(?:come|came|now|been|is|'s|am|'m|im|hes|shes) (?:now )?off", "takes", "medicine", Action.ENDS),
    _turn("off", "takes", "taken", Action.ENDS),
    _turn(
        "(?:put|has put|have put) (?:me|us) on|prescribed me|(?:gp|doctor|nurse|psychiatrist|consultant) prescribed",
        "takes",
        "medicine",
        Action.BEGINS,
        is_own=True,
    ),
    _turn("(?:continue|continuing|carry on|staying|still|now) (?:with|on)", "takes", "medicine", Action.HOLDS),
    _turn("(?:stopped|stopping) (?:taking )?", "takes", "medicine", Action.ENDS),
    _turn("(?:laid down|gave up|given up|quit|dropped|packed in)", "plays", "instrument", Action.ENDS),
    _turn("(?:dropped|packed in|done with|quit|gave up)", "does", "activity", Action.ENDS),
    _turn("(?:taken up|took up)", "plays", "taken_up", Action.BEGINS),
    _turn("subscribes? to|subscribed to", "has", "named", Action.HOLDS),
    _turn("the sale of", "owns", "sold", Action.ENDS, is_own=True),
    _turn("lies (?:at|in)|is (?:moored|berthed|based|located|situated) (?:at|in)", "located_in", "place", Action.HOLDS),
)
NOTED = re.compile(
    r"(?:^|(?<=[.;,(•*-]\s))(?:the |my |our )?(?P<noun>rent|salary|mortgage|bank|insurance|landlord|landlady|dentist"
    r"|doctor|gp|vet|boss|manager|accountant|supplier|neighbour|therapist|lawyer|plumber|insurer|broker)"
    r"(?P<link>\s?:| (?:is )?now(?: with)?:?|)\s(?=\S)"
)
"""A property of the speaker's as it is noted: "Rent up to 1.640", "Landlord: Mr Hoekstra", "Bank now Bunq"."""
