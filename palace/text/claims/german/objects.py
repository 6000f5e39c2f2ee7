"""What stands around a German verb, and whether it is the kind of object that the verb's claim is about. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from palace.records.graph import EntityType
from palace.text.claims.english.objects import Complement
from palace.text.claims.english.objects import fits as fits_english
from palace.text.claims.german.lexicon.medicines import is_dose, is_german_medicine
from palace.text.claims.german.lexicon.nouns import (
    is_doing,
    is_game,
    is_german_job,
    is_group,
    is_instrument,
    is_owned,
    person_noun,
)
from palace.text.claims.german.lexicon.things import FIRM_NOUNS, NO_OBJECT
from palace.text.claims.german.lexicon.words import grammar
from palace.text.claims.kinds import words
from palace.text.claims.phrases import Names, Phrase, phrase_at
from palace.text.claims.tokens import Token, listed
from palace.text.entities.lists.lexicon import folded, well_known

_PREPOSITIONS = {
    "im": "in", "ins": "in", "am": "an", "ans": "an", "zum": "zu", "zur": "zu", "vom": "von", "beim": "bei",
    "aufs": "auf", "gerne": "gern", "fürs": "für",
}  # fmt: skip
_PLAIN = listed(
    "in an auf aus bei mit nach von zu für als über gegen lieber gern statt vor neben unter um durch ohne wegen namens"
    " pro hinter zwischen außer per"
)
_MOST = 7
_TOPICS = (
    "ik",
    "ogie",
    "wissenschaft",
    "wissenschaften",
    "bau",
    "jura",
    "medizin",
    "chemie",
    "kunst",
    "geschichte",
    "bwl",
    "vwl",
)
_NO_TOPIC = ("prüfung", "zeit", "geld", "aufgabe", "aufgaben")
_OWNERS_INDEFINITE = ("ein", "eine", "einen", "ne", "nen", "n", "zwei", "drei", "")
_OWNERS_OURS = (
    "mein", "meine", "meinen", "unser", "unsere", "unseren", "das", "den", "die", "meins", "sein", "seine",
    "seinen", "ihr", "ihre", "ihren",
)  # fmt: skip
_CLUBS = (
    "verein", "chor", "band", "orchester", "partei", "gewerkschaft", "klub", "club", "mannschaft", "feuerwehr",
    "kapelle", "verband", "kirche",
)  # fmt: skip
_UNITS = listed(
    "euro € franken chf cent dollar kilo kg mikrogramm mg grad prozent kwh ps gb tb volt watt liter quadratmeter qm m²"
)


def complements(tokens: Sequence[Token], content: str, names: Names) -> list[Complement]:
    """Read the noun phrases among some words, at most seven."""
    found: list[Complement] = []
    place = 0
    while place < len(tokens) and len(found) < _MOST:
        text = tokens[place].text
        before = _PREPOSITIONS.get(text, text if text in _PLAIN else "")
        if text in ("namens", "zurück"):
            place += 1
            continue
        is_listed = text in ("und", ",", "&", "oder", "sowie") and bool(found)
        start = place + (1 if before or is_listed else 0)
        if is_listed and start < len(tokens) and tokens[start].text in _PREPOSITIONS.keys() | _PLAIN:
            place += 1
            continue
        phrase = phrase_at(tokens, start, content, names, grammar())
        if phrase is None:
            place += 1
            continue
        phrase = trimmed(phrase, tokens, content, names)
        if text in _PREPOSITIONS and before == _PREPOSITIONS[text] and text not in ("gerne",) and not phrase.owner:
            phrase = replace(phrase, owner="dem")
        if text == "," and is_apposed(found[-1].phrase, phrase):
            found[-1] = Complement(found[-1].before, phrase)
        else:
            found.append(Complement(found[-1].before if is_listed else before, phrase))
        place = phrase.next
    return found


def is_apposed(phrase: Phrase, after: Phrase) -> bool:
    """Whether what stands behind a comma says what it is by name: "ein Motorrad, eine Kawasaki"."""
    is_article = after.owner in (
        "ein",
        "eine",
        "einen",
        "der",
        "die",
        "das",
        "den",
        "dem",
        "einem",
        "einer",
        "ne",
        "nen",
    )
    return is_article and phrase.name is None and (after.name is not None or after.is_value or after.is_named)


def trimmed(phrase: Phrase, tokens: Sequence[Token], content: str, names: Names) -> Phrase:
    """Leave of a phrase what has capitals: "fließend Schwedisch" is Schwedisch, "980 Euro warm" is 980 Euro."""
    kept = list(phrase.tokens)
    apart = _before_owner(phrase, names)
    if apart is not None:
        return replace(phrase, tokens=apart, text=content[apart[0].start : apart[-1].end], name=None, next=phrase.next)
    solid = [place for place, token in enumerate(kept) if _is_solid(token)]
    if not solid or not any(token.is_upper for token in kept) or phrase.name is not None:
        return phrase
    town = names.at(kept[0].start)
    if town is not None and town.type is EntityType.PLACE and len(kept) > 1:
        inner = [token for token in kept if token.end <= town.end]
        after = next(place for place, token in enumerate(tokens) if token.start == inner[-1].start) + 1
        return replace(phrase, tokens=tuple(inner), text=town.text, name=town, next=after)
    first = solid[0]
    last = first
    while last + 1 < len(kept) and (
        _is_solid(kept[last + 1]) or kept[last + 1].text in ("&", "von", "van", "de", "der", "del")
    ):
        last += 1
    while not _is_solid(kept[last]):
        last -= 1
    if first == 0 and last == len(kept) - 1:
        return phrase
    inner = kept[first : last + 1]
    after = next(place for place, token in enumerate(tokens) if token.start == inner[-1].start) + 1
    text = " ".join(content[inner[0].start : inner[-1].end].split()).rstrip("'’")
    named = names.within(inner[0].start, inner[-1].end)
    closing = named[-1] if named and named[-1].end >= inner[-1].end else None
    return replace(phrase, tokens=tuple(inner), text=closing.text if closing else text, name=closing, next=after)


def _before_owner(phrase: Phrase, names: Names) -> tuple[Token, ...] | None:
    """Part what is spoken of from whose it is: "die Packung von Konrad"."""
    texts = [token.text for token in phrase.tokens]
    place = texts.index("von") if "von" in texts[1:] else 0
    owner = names.at(phrase.tokens[place + 1].start) if place and place + 1 < len(texts) else None
    return phrase.tokens[:place] if owner is not None and owner.type is EntityType.PERSON else None


def _is_solid(token: Token) -> bool:
    return token.is_upper or token.text[0].isdigit() or token.text in _UNITS or token.text[0] in "€$£"


def is_model(phrase: Phrase) -> bool:
    """Whether it is a thing by name, or by what a model of it is called: "eine Kawasaki Z650"."""
    if phrase.name is not None:
        return phrase.name.type is EntityType.ITEM
    first, last = phrase.tokens[0], phrase.tokens[-1]
    is_numbered = len(phrase.tokens) > 1 and any(letter.isdigit() for letter in last.text) and last.text not in _UNITS
    return first.is_upper and is_numbered and not first.text[0].isdigit() and person_noun(first.text) is None


def is_written_so(phrase: Phrase) -> bool:
    """Whether a phrase is a name, or is written with a capital."""
    return phrase.name is not None or phrase.tokens[-1].is_upper


def _is_type(phrase: Phrase, *types: EntityType) -> bool:
    return phrase.name is not None and phrase.name.type in types


def _is_free(phrase: Phrase) -> bool:
    """Whether it can be a thing at all: no person, no time, no figure, nothing of everyday."""
    is_plain = phrase.head not in NO_OBJECT and not phrase.is_value
    return is_plain and person_noun(phrase.head) is None and phrase.head not in ("mir", "dir", "ihr", "uns")


def _place(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type in (EntityType.PLACE, EntityType.ORGANISATION)
    is_bare = not phrase.owner and len(phrase.tokens) <= 2 and _is_free(phrase)
    is_odd = phrase.head.endswith(
        ("straße", "weg", "woche", "zimmer", "haus", "heim", "wohnung", "jahr", "wg", "gegend")
    )
    return is_bare and not is_odd and phrase.head.isalpha() and len(phrase.head) > 2


def _firm(phrase: Phrase) -> bool:
    if phrase.name is not None:
        is_firm = phrase.name.type in (EntityType.ORGANISATION, EntityType.PLACE, EntityType.PROJECT)
        return is_firm or phrase.tokens[0].text in ("firma", "agentur", "kanzlei")
    if phrase.head in FIRM_NOUNS or phrase.tokens[0].text in FIRM_NOUNS:
        return True
    is_known = phrase.owner in ("", "der", "die", "das", "den", "dem", "ner", "nem")
    is_doing_there = is_doing(phrase.head) or (phrase.head.endswith(("ung", "en")) and phrase.owner != "")
    return is_known and is_written_so(phrase) and _is_free(phrase) and not is_doing_there


def _lower_firm(phrase: Phrase) -> bool:
    """Whether it is a firm that everybody knows, written without a capital."""
    return phrase.name is None and well_known().get(folded(phrase.text)) is EntityType.ORGANISATION


def _named_firm(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type is EntityType.ORGANISATION
    return phrase.head in FIRM_NOUNS or phrase.tokens[0].text in FIRM_NOUNS


def _possession(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type is EntityType.ITEM
    return (
        is_model(phrase)
        or is_owned(phrase.head)
        or (len(phrase.tokens) > 1 and is_owned(phrase.tokens[0].text) and phrase.is_named)
    )


def _goods(phrase: Phrase) -> bool:
    if _is_type(phrase, EntityType.ORGANISATION):
        return phrase.owner in ("ein", "eine", "einen", "ne", "nen", "das", "den", "die", "mein", "meinen", "unseren")
    if _is_type(phrase, EntityType.PERSON, EntityType.TIME, EntityType.PLACE):
        return False
    if phrase.head in NO_OBJECT and not is_owned(phrase.head):
        return False
    if _possession(phrase):
        return phrase.owner not in ("dein", "deine", "deinen", "dieser", "diese", "dieses", "keinen", "kein", "keine")
    return _is_free(phrase) and phrase.name is None and phrase.owner in _OWNERS_INDEFINITE[:5] and _is_kept(phrase.head)


_PASSING = (
    "ung", "heit", "keit", "schaft", "ion", "tät", "ein", "nis", "tag", "abend", "karte", "ticket", "tickets",
    "essen", "schein", "buch", "termin", "pass", "preis", "zeug", "idee", "vertrag", "platz", "kurs", "tipp",
    "plan", "blick", "geschenk", "brief", "flug", "reise", "stelle", "job", "praktikum", "studium", "brot",
    "kuchen", "eis", "kaffee", "tee", "bier", "wein", "saft", "ticket", "strafe", "zettel", "anruf", "mail",
    "nachricht", "versicherung",
)  # fmt: skip


def _is_kept(noun: str) -> bool:
    """Whether an unknown noun may be of a thing that one keeps."""
    return not noun.endswith(_PASSING) and len(noun) > 2


def _sold(phrase: Phrase) -> bool:
    is_ours = phrase.owner in _OWNERS_OURS
    if _is_type(phrase, EntityType.ORGANISATION):
        return is_ours
    if _is_type(phrase, EntityType.PERSON, EntityType.TIME, EntityType.PLACE):
        return False
    return _possession(phrase) or (is_ours and _is_free(phrase) and _is_kept(phrase.head))


def _liked(phrase: Phrase) -> bool:
    if phrase.head in NO_OBJECT - {"kaffee", "bier", "wein", "pizza", "fleisch", "fisch"} or phrase.is_value:
        return False
    is_thing = not _is_type(phrase, EntityType.PERSON, EntityType.TIME) and person_noun(phrase.head) is None
    is_bare = not phrase.owner and len(phrase.tokens) <= 3
    is_noun = is_written_so(phrase) or len(phrase.tokens) == 1
    return is_bare and is_thing and is_noun and not phrase.head.endswith(("lich", "ig", "isch", "tens"))


def _named(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type in (EntityType.ITEM, EntityType.ORGANISATION, EntityType.PROJECT)
    is_bare = not phrase.owner and _is_free(phrase) and (is_written_so(phrase) or folded(phrase.text) in well_known())
    return (
        is_bare and not is_doing(phrase.head) and not is_owned(phrase.head) and not phrase.head.endswith(("ung", "en"))
    )


def _named_place(phrase: Phrase) -> bool:
    return _is_type(phrase, EntityType.PLACE, EntityType.ORGANISATION)


def _hobby(phrase: Phrase) -> bool:
    """Whether it can be something one takes up: "mit Tai-Chi angefangen"."""
    if is_doing(phrase.head):
        return True
    is_thing = phrase.name is None or phrase.name.type is EntityType.ITEM
    is_plain = not phrase.owner and len(phrase.tokens) == 1 and is_written_so(phrase) and not phrase.is_value
    return is_thing and is_plain and _is_free(phrase)


def _person(phrase: Phrase) -> bool:
    if phrase.name is not None:
        return phrase.name.type is EntityType.PERSON
    return not phrase.owner and phrase.tokens[0].is_upper and _is_free(phrase) and len(phrase.tokens) <= 2


def _group(phrase: Phrase) -> bool:
    if phrase.tokens[0].text in _GROUPS and len(phrase.tokens) > 1:
        return True
    if phrase.name is not None:
        return phrase.name.type in (EntityType.ORGANISATION, EntityType.PROJECT)
    return is_group(phrase.head) or is_group(phrase.tokens[0].text)


_NO_DRUGS = ("therapie", "gymnastik", "massage", "massagen", "einlagen", "ruhe", "reha", "kur", "übungen", "brille", "pause")  # noqa: E501  # fmt: skip


def _drug(phrase: Phrase) -> bool:
    """Whether it may be a medicine, of what a doctor prescribes."""
    is_bare = phrase.owner in ("", "das", "die") and is_written_so(phrase) and len(phrase.tokens) <= 3
    return is_bare and _is_free(phrase) and not phrase.head.endswith(_NO_DRUGS)


_GROUPS = frozenset(["collegium", "camerata", "kantorei", "ensemble", "chor", "club", "band", "big"])


def _left_group(phrase: Phrase) -> bool:
    """Whether it is a group by its words, not only by its name: "das Collegium Musicum"."""
    return is_group(phrase.head) or phrase.tokens[0].text in (
        "collegium",
        "camerata",
        "kantorei",
        "ensemble",
        "chor",
        "club",
    )


def _topic(phrase: Phrase) -> bool:
    is_bare = not phrase.owner and _is_free(phrase) and len(phrase.tokens) <= 3
    is_known = is_written_so(phrase) or phrase.head.endswith(_TOPICS)
    return is_bare and is_known and not phrase.head.endswith(_NO_TOPIC) and phrase.head.isalpha()


def _led(phrase: Phrase) -> bool:
    if _is_type(phrase, EntityType.ORGANISATION, EntityType.PROJECT):
        return True
    return is_group(phrase.head) or is_group(phrase.tokens[0].text)


_TESTS: dict[str, Callable[[Phrase], bool]] = {
    "place": _place,
    "firm": _firm,
    "named_firm": _named_firm,
    "job": lambda phrase: is_german_job(phrase.head),
    "topic": _topic,
    "thing": _possession,
    "possession": _possession,
    "goods": _goods,
    "sold": _sold,
    "liked": _liked,
    "named": _named,
    "named_place": _named_place,
    "activity": lambda phrase: is_doing(phrase.head),
    "played": lambda phrase: is_instrument(phrase.head) or is_game(phrase.head),
    "led": _led,
    "group": _group,
    "left_group": _left_group,
    "employer": lambda phrase: _named_firm(phrase) and not _left_group(phrase),
    "hobby": _hobby,
    "sight": lambda phrase: _is_type(phrase, EntityType.PLACE, EntityType.EVENT),
    "instrument": lambda phrase: is_instrument(phrase.head),
    "drug": _drug,
    "person": _person,
    "language": lambda phrase: phrase.head in words("languages"),
    "medicine": lambda phrase: (
        fits_english(phrase, "medicine")
        or (_is_type(phrase, EntityType.ITEM) and not phrase.owner)
        or (is_german_medicine(phrase.head) and phrase.owner in ("", "das", "die", "den", "mein", "meine"))
    ),
    "dosed": lambda phrase: is_dose([token.text for token in phrase.tokens]),
    "club": lambda phrase: phrase.head.endswith(_CLUBS),
    "lower_firm": _lower_firm,
}


def fits(phrase: Phrase, wants: str) -> bool:
    """Whether a phrase is the kind of object that a use of a verb wants."""
    return bool(phrase.tokens) and any(_TESTS[want](phrase) for want in wants.split("|"))
