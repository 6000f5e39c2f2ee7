"""Couples that come together and part in German, whoever says it of whom. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.records.graph import Action
from palace.text.claims.drafts import Party, Tense
from palace.text.claims.german.clause import German
from palace.text.claims.german.grammar.small import DETERMINERS
from palace.text.claims.german.lexicon.nouns import person_noun
from palace.text.claims.german.people import names_behind, noun_at
from palace.text.claims.kinds import in_english, kin
from palace.text.claims.people import name_at
from palace.text.entities.lists.lexicon import folded, given_names

BONDS = ("married_to", "partner_of")
_SINGLE = frozenset(["single", "solo"])
_ALONE = frozenset(["zusammen", "paar", "wieder", "nicht", "mehr", "kein", "ein", ",", "."])


def read_couple(clause: German, parties: Sequence[Party]) -> None:
    """Read "Lisa und ich haben uns getrennt", "Jan und ich sind wieder zusammen", "wir sind nicht mehr zusammen"."""
    own = [each for each in parties if each.text == clause.message.speaker]
    other = [each for each in parties if each.text != clause.message.speaker]
    is_we = bool(clause.subject) and clause.subject[0].text == "wir"
    if not own or len(other) > 1 or not (other or is_we):
        return
    name = other[0].text if other else ""
    if clause.verb == "sein" and {"zusammen", "paar"} & clause.texts:
        _are_together(clause, name)
    elif clause.verb in ("trennen", "scheiden") and clause.tense is Tense.PAST and (name or clause.verb == "scheiden" or not clause.behind):  # noqa: E501  # fmt: skip
        end_bond(clause, name, "married_to" if clause.verb == "scheiden" else "")
    elif clause.verb == "heiraten" and clause.tense is Tense.PAST and name:
        clause.claim(own[0].text, "married_to", name, Action.BEGINS)
    elif clause.verb == "verloben" and clause.tense is Tense.PAST and name:
        clause.claim(own[0].text, "partner_of", name, Action.HOLDS)


def _are_together(clause: German, name: str) -> None:
    """Read who is a couple, or is none any longer, where nothing else is said that they do together."""
    words = [token for token in clause.rest if token.text not in _ALONE]
    if len(words) == 3 and [token.text for token in words[1:]] == ["und", "ich"] and not name:
        name, words = clause.message.content[words[0].start : words[0].end], []
    if words or clause.tense is not Tense.PRESENT:
        return
    if clause.is_ended:
        end_bond(clause, name)
    elif name and not clause.is_denied:
        clause.claim(clause.message.speaker, "partner_of", name, Action.HOLDS)


def read_parting(clause: German) -> None:
    """Read "sie hat sich von ihrem Mann getrennt" and "ich bin seit Mai geschieden"."""
    is_told = clause.tense is Tense.PAST and clause.party.gender not in ("t", "a")
    if not is_told or (clause.subject and clause.subject[-1].text == "ich" and len(clause.subject) > 1):
        return
    bond = "married_to" if clause.verb == "scheiden" else ""
    place = next((at for at, token in enumerate(clause.rest) if token.text in ("von", "vom")), None)
    if place is None:
        if bond and (not clause.subject or clause.subject[0].text != "wir"):
            _end(clause, clause.party.text, bond, "")
        return
    told = _told_behind(clause, place + 1)
    if told is not None:
        name, noun_bond = told
        _end(clause, clause.party.text, bond or noun_bond or _known(clause, name) or "partner_of", name)


def _told_behind(clause: German, place: int) -> tuple[str, str] | None:
    """Give who is named behind "von" or "mit", and by which bond: "seiner Frau Katja", "ihrem Mann", "Jonas"."""
    tokens, message = clause.rest, clause.message
    for noun in range(place, min(len(tokens), place + 4)):
        if person_noun(tokens[noun].text) is None:
            continue
        known = noun_at(tokens, noun)
        bond = kin().get(known, ("", ""))[0]
        if bond not in BONDS:
            return None
        named = next(names_behind(tokens, noun, message), None)
        is_owned = noun > place and tokens[noun - 1].text in DETERMINERS
        return (named or message.of_owner(clause.party.text, known), bond) if named or is_owned else None
    if place >= len(tokens) or tokens[place].text == "schluss":
        return None
    first = tokens[place]
    found = name_at(tokens, place, message) if first.text not in DETERMINERS else None
    if found is not None:
        return found[0], ""
    is_given = first.is_word and folded(first.text) in given_names() and first.text not in DETERMINERS
    return (message.content[first.start : first.end], "") if is_given else None


def read_broken_up(clause: German) -> bool:
    """Read "Jan hat mit mir Schluss gemacht", "hab mit Ben Schluss gemacht"; tell whether it is that."""
    if "schluss" not in clause.texts or clause.tense is not Tense.PAST:
        return False
    place = next((at for at, token in enumerate(clause.rest) if token.text == "mit"), None)
    is_own = clause.party.text == clause.message.speaker
    told = _told_behind(clause, place + 1) if place is not None else None
    if told is not None:
        _end(clause, clause.party.text, told[1] or _known(clause, told[0]) or "partner_of", told[0])
    elif not is_own and clause.party.gender not in ("t", "a") and _is_with_me(clause.texts, place):
        bond = _known(clause, clause.party.text)
        if bond or {"mir"} & clause.texts:
            _end(clause, clause.message.speaker, bond or "partner_of", clause.party.text)
    return True


def _is_with_me(texts: frozenset[str], place: int | None) -> bool:
    return place is None or bool({"mir", "uns"} & texts)


def read_left(clause: German) -> bool:
    """Read "meine Frau Sabine hat mich verlassen"; tell whether it is that."""
    if "mich" not in clause.texts or clause.tense is not Tense.PAST:
        return False
    bond = _known(clause, clause.party.text)
    if bond:
        _end(clause, clause.message.speaker, bond, clause.party.text)
    return True


def read_single(clause: German) -> None:
    """Read "ich bin jetzt single"."""
    is_now = clause.party.text == clause.message.speaker and clause.tense is Tense.PRESENT
    words = {token.text for token in clause.rest if token.is_word}
    if is_now and words and words & _SINGLE and len(words) <= 2 and not clause.is_denied:
        _end(clause, clause.message.speaker, "partner_of", "")


def end_bond(clause: German, name: str, bond: str = "") -> None:
    """Claim that the speaker and somebody are no couple any longer; without a name, whoever was the other one."""
    speaker = clause.message.speaker
    if not name:
        known = [
            each for _, each in clause.message.spoken.claims if each.subject == speaker and each.predicate in BONDS
        ]
        name, bond = (known[-1].object, bond or known[-1].predicate) if known else ("", bond)
    _end(clause, speaker, bond or _known(clause, name) or "partner_of", name)


def _known(clause: German, name: str) -> str:
    """Say by which bond somebody was spoken of; empty where none was."""
    claims = [each for _, each in clause.message.spoken.claims if each.object == name and each.predicate in BONDS]
    nouns = {f"my {in_english(noun)}": bond for noun, (bond, _) in kin().items() if bond in BONDS}
    return claims[-1].predicate if claims else nouns.get(name, "")


def _end(clause: German, subject: str, bond: str, name: str) -> None:
    clause.claim(subject, bond, name, Action.ENDS)
