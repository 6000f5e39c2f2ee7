"""How German says that one gets or loses a post or a place to learn, or leaves what one is in. Pure."""

from __future__ import annotations

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Tense
from palace.text.claims.english.objects import Complement
from palace.text.claims.german.clause import German
from palace.text.claims.german.objects import complements, fits
from palace.text.claims.tokens import listed

_LEARNING = listed("studium ausbildung lehre studiengang promotion masterstudium bachelor master uni")
_TRAINING = listed("ausbildung lehre praktikum volontariat referendariat traineeship")
_EMPLOYER = listed("firma arbeitgeber betrieb laden unternehmen startup start-up agentur bude")
_CONTRACTS = listed("arbeitsvertrag zeitvertrag werkvertrag jahresvertrag")
_BROKE = listed("pleite insolvent bankrott dichtgemacht dicht")
_NOW = listed("jetzt nun inzwischen mittlerweile neuerdings")
_FORMERLY = listed("vorher früher davor zuvor")
_SHOPS = listed(
    "ikea lidl aldi rewe edeka netto penny kaufland rossmann obi bauhaus hornbach starbucks mcdonald's mcdonalds"
    " saturn mediamarkt h&m zara primark decathlon kik tchibo migros coop hofer billa spar"
)
"""Firms that one is at as a customer as well."""
_KINDS = ("bei", "an")


def firm_told(clause: German, *, is_known: bool = False) -> str:
    """Name the firm behind "bei" or "an"; empty where none is, or none that it was said of."""
    for each in clause.behind:
        if each.before in _KINDS and fits(each.phrase, "firm|lower_firm"):
            return each.phrase.text if not is_known or _works_at(clause, each.phrase.text) else ""
    return ""


def _works_at(clause: German, firm: str = "") -> str:
    """Give the firm that somebody was said to be with; empty of none, or of another than the one asked for."""
    known = [
        claim.object
        for _, claim in clause.message.spoken.claims
        if (claim.subject, claim.predicate) == (clause.party.text, "works_at")
        and claim.action in (Action.HOLDS, Action.BEGINS, Action.CORRECTS)
        and (not firm or claim.object.casefold() == firm.casefold())
    ]
    return known[-1] if known else ""


def read_dropping_out(clause: German) -> None:
    """Read "ich habe das Studium geschmissen" and "meine Ausbildung bei Audi hab ich abgebrochen"."""
    heads = {each.phrase.head for each in clause.behind if each.before == ""}
    if clause.tense is not Tense.PAST or not heads & (_LEARNING | _TRAINING):
        return
    party = clause.party.text
    firm = firm_told(clause)
    if firm and heads & _TRAINING:
        clause.claim(party, "works_at", firm, Action.ENDS)
        return
    claims = [claim for _, claim in clause.message.spoken.claims if claim.subject == party]
    for predicate in ("studies", "studies_at"):
        known = [claim.object for claim in claims if claim.predicate == predicate]
        clause.claim(party, predicate, known[-1] if known else "", Action.ENDS)


def read_running_out(clause: German) -> None:
    """Read "mein Arbeitsvertrag bei Siemens läuft Ende Juni aus"."""
    texts = {token.text for token in (*clause.subject, *clause.rest)}
    is_post = bool(texts & _CONTRACTS)
    if not (is_post or "vertrag" in texts) or (clause.times.start is None and clause.tense is not Tense.PAST):
        return
    speaker = clause.message.speaker
    known = [
        claim.object
        for _, claim in clause.message.spoken.claims
        if (claim.subject, claim.predicate) == (speaker, "works_at")
    ]
    firm = _named_in(clause)
    if firm and (is_post or firm.casefold() in [each.casefold() for each in known]):
        clause.claim(speaker, "works_at", firm, Action.ENDS)
    elif is_post and known and not firm:
        clause.claim(speaker, "works_at", known[-1], Action.ENDS)


def _named_in(clause: German) -> str:
    spans = clause.message.names.within(clause.where.span.start, clause.where.span.end)
    return next((each.text for each in spans if each.type is EntityType.ORGANISATION), "")


def read_broke(clause: German) -> bool:
    """Read "die Firma ist pleite", "Fluxbyte ist insolvent": whoever worked there does so no longer.

    Only of a firm that the speaker said to work at. Tells whether it says that of something.
    """
    if not clause.texts & _BROKE or clause.is_denied or clause.party.gender not in ("t", "n"):
        return False
    speaker = clause.message.speaker
    known = [
        claim
        for _, claim in clause.message.spoken.claims
        if claim.predicate == "works_at" and claim.subject == speaker and claim.action is not Action.ENDS
    ]
    nouns = {token.text for token in clause.subject}
    named = next((each for each in reversed(known) if each.object.casefold() in clause.party.text.casefold()), None)
    meant = named or (known[-1] if known and nouns & _EMPLOYER and nouns & {"die", "der", "mein", "meine"} else None)
    if meant is not None:
        clause.claim(speaker, "works_at", meant.object, Action.ENDS)
    return True


def read_taken_on(clause: German) -> None:
    """Read "ich wurde bei BMW genommen", "bin bei der Polizei angenommen worden"."""
    firm = firm_told(clause)
    if firm and clause.tense is Tense.PAST and clause.party.gender not in ("t", "a"):
        clause.claim(clause.party.text, "works_at", firm, Action.BEGINS)


def _give_up(clause: German, each: Complement) -> None:
    """Read "aus dem Chor ausgetreten" of the choir that was spoken of, or of one without a name."""
    party, head = clause.party.text, each.phrase.head
    known = [
        claim.object
        for _, claim in clause.message.spoken.claims
        if (claim.subject, claim.predicate) == (party, "member_of") and claim.object.casefold().endswith(head)
    ]
    clause.claim(party, "member_of", known[-1] if known else each.phrase.text, Action.ENDS)


def read_leaving_group(clause: German) -> None:
    """Read "bin aus dem Chor ausgetreten"."""
    if clause.tense is not Tense.PAST and clause.times.start is None:
        return
    for each in clause.behind:
        if each.before == "aus" and fits(each.phrase, "group|club"):
            _give_up(clause, each)
            return


def read_cancelled_membership(clause: German) -> bool:
    """Read "ich kündige meine Mitgliedschaft im Alpenverein zum 31. Dezember"; tell whether it is that."""
    if not any(each.before == "" and each.phrase.head == "mitgliedschaft" for each in clause.behind):
        return False
    group = next((each for each in clause.behind if each.before in ("in", "bei") and fits(each.phrase, "club|group|firm")), None)  # noqa: E501  # fmt: skip
    is_done = clause.tense is Tense.PAST or clause.times.start or clause.times.until or "hiermit" in clause.texts
    if group is not None and is_done:
        _give_up(clause, group)
    return True


def read_dismissal(clause: German) -> bool:
    """Read "Continental hat mir gekündigt" of where the speaker was; tell whether it is that."""
    if "mir" not in clause.texts or clause.tense is not Tense.PAST or clause.party.text == clause.message.speaker:
        return False
    speaker = clause.message.speaker
    known = [claim for _, claim in clause.message.spoken.claims if claim.predicate == "works_at"]
    if any(claim.subject == speaker and claim.object == clause.party.text for claim in known):
        clause.claim(speaker, "works_at", clause.party.text, Action.ENDS)
    return True


def read_dismissed(clause: German) -> None:
    """Read "ich wurde bei Opel entlassen": with nothing told of where, whatever firm it was."""
    if clause.tense is Tense.PAST and not any(each.before == "aus" for each in clause.behind):
        clause.claim(clause.party.text, "works_at", firm_told(clause) or _works_at(clause), Action.ENDS)


def read_last_day(clause: German) -> bool:
    """Read "heute war mein letzter Tag bei der Sparkasse"; tell whether it is that."""
    words = (*clause.subject, *clause.rest)
    texts = [token.text for token in words]
    if "letzter" not in texts or not {"tag", "arbeitstag"} & set(texts) or not {"mein", "ihr", "sein"} & set(texts):
        return False
    firm = next((each.phrase for each in complements(words, clause.message.content, clause.message.names) if each.before == "bei" and fits(each.phrase, "firm|lower_firm")), None)  # noqa: E501  # fmt: skip
    if firm is not None and "mein" in texts:
        clause.claim(clause.message.speaker, "works_at", firm.text, Action.ENDS)
    return True


def read_placed(clause: German) -> bool:
    """Read "Tim ist jetzt bei Siemens, vorher war er bei Bosch"; tell whether it is that."""
    is_now = clause.tense is Tense.PRESENT and bool(clause.texts & _NOW)
    is_before = clause.tense is Tense.PAST and bool(clause.texts & _FORMERLY)
    if not (is_now or is_before) or clause.party.gender in ("t", "a") or clause.is_denied or clause.times.at:
        return False
    for each in clause.behind:
        is_firm = fits(each.phrase, "organisation|lower_firm") and each.phrase.text.casefold() not in _SHOPS
        if each.before == "bei" and is_firm:
            clause.claim(clause.party.text, "works_at", each.phrase.text, Action.HOLDS if is_now else Action.WAS)
            return True
    return False


def read_staying(clause: German) -> None:
    """Read "ich bleibe erstmal bei Zalando"."""
    firm = firm_told(clause)
    name = next((each for each in clause.behind if each.phrase.text == firm), None)
    if firm and name is not None and fits(name.phrase, "named_firm|lower_firm") and clause.tense is Tense.PRESENT:
        clause.claim(clause.party.text, "works_at", firm, Action.HOLDS, Times())
