"""Who is spoken of in German: subjects and pronouns, and people and animals told by what they are to somebody. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Message, Party, draft
from palace.text.claims.german.grammar.small import DETERMINERS, PREPOSITIONS
from palace.text.claims.german.grammar.verbs import forms
from palace.text.claims.german.lexicon.nouns import genitives, is_doing, is_plural, person_noun
from palace.text.claims.german.lexicon.words import grammar
from palace.text.claims.german.objects import trimmed
from palace.text.claims.kinds import gender_of, roles, words
from palace.text.claims.people import Telling, name_at, tell_one
from palace.text.claims.phrases import Phrase, phrase_at
from palace.text.claims.tokens import Token, listed
from palace.text.entities.lists.lexicon import folded, given_names, is_ordinary, sexes

_OWN = listed(
    "mein meine meinen meinem meiner meines unser unsere unseren unserem unserer unseres unsrer unsre mei unsern"
)
_HIS = {**dict.fromkeys(("sein", "seine", "seinen", "seinem", "seiner"), "mna"),
        **dict.fromkeys(("ihr", "ihre", "ihren", "ihrem", "ihrer"), "fna")}  # fmt: skip
_PRONOUNS = {"er": "mnta", "sie": "fnta", "es": "t", "der": "mta", "die": "fta", "das": "t"}
_FRIENDLY = listed(
    """
beste bester besten gute guter guten alte alter alten ehemalige alten langjährige ein eine einen ne nen n einer
einem ner nem liebe
"""
)
_OWNERLESS = listed("mama papa mutti vati mami papi oma opa omi opi mum")
MANY = "p"
"""The gender of several, of whom only their names are told."""
_ACQUAINTED = listed("freund freundin kumpel kollege kollegin nachbar nachbarin mitbewohner mitbewohnerin")
_TITLES = listed("herr herrn frau fr. hr.")
_ARTICLES = listed("der die den dem")
_BETWEEN = listed(", ( : - – namens")
_JOINS = listed(", und & u")
_NO_NAMES = listed(
    """
montag dienstag mittwoch donnerstag freitag samstag sonntag geburtstag urlaub nachwuchs besuch arbeit angst probleme
hunger spaß zeit lust recht fieber krebs corona januar februar märz april mai juni juli august september oktober
november dezember weihnachten ostern gestern heute morgen termin feierabend elternzeit rente homeoffice fußball
musik nachts
"""
)
_NO_NAME_ENDINGS = ("ung", "heit", "keit", "schaft", "tion", "chen", "zeit", "tag", "abend", "arbeit", "schule", "jahr")


def subjects_of(tokens: Sequence[Token], message: Message, sentence: int) -> list[Party]:
    """Resolve a subject, one party each of "Anna und Tom"; nothing of one that is not sure."""
    if not tokens:
        return []
    first = tokens[0]
    if first.text in ("ich", "wir") or tokens[-1].text == "ich":
        return [Party(message.speaker, "s", message.turn, sentence)]
    if len(tokens) == 1 and first.text in _PRONOUNS:
        meant = _meant(_PRONOUNS[first.text], message, sentence)
        return [Party(meant, message.spoken.gender(meant) or "n", message.turn, sentence)] if meant else []
    noun = noun_place(tokens)
    if noun is not None:
        return _called_by_noun(tokens, noun, message, sentence)
    return _others(tokens, message, sentence)


def _meant(genders: str, message: Message, sentence: int) -> str | None:
    """Find whom or what a pronoun means: a person rather than a thing."""
    people = genders.replace("t", "")
    meant = message.spoken.meant(people, message.turn, sentence) if people else None
    return meant or message.spoken.meant(genders, message.turn, sentence)


def noun_place(tokens: Sequence[Token]) -> int | None:
    """Find the first noun of kin, a role or an animal, of a phrase that begins with no name."""
    for place, token in enumerate(tokens[:5]):
        if token.is_mark:
            return None
        if person_noun(token.text) is not None and token.text not in _TITLES | {"mann"} | (
            set() if place else {"frau"}
        ):
            return place
        is_owned = place and (tokens[place - 1].text in _OWN | _HIS.keys() or _is_genitive(tokens[place - 1]))
        if person_noun(token.text) is not None and is_owned:
            return place
        if token.text in _TITLES:
            return None
    return None


def _is_genitive(token: Token) -> bool:
    return (
        token.is_upper
        and token.text.endswith(("s", "'", "'s"))
        and len(token.text) > 3
        and token.text not in DETERMINERS
    )


def _called_by_noun(tokens: Sequence[Token], noun: int, message: Message, sentence: int) -> list[Party]:
    known = noun_at(tokens, noun)
    owner = owner_of(tokens, noun, message, sentence)
    names = list(names_behind(tokens, noun, message))
    gender = gender_of(known) or "a"
    if names:
        kept = names if is_plural(tokens[noun].text) else names[:1]
        return [Party(name, gender, message.turn, sentence) for name in kept]
    if owner is None:
        return []
    if is_plural(tokens[noun].text) and known != "parents":
        return [Party(message.of_owner(owner, known), MANY, message.turn, sentence)]
    if known in words("animals") and tokens[0].text in _OWN:
        return [Party(message.of_owner(owner, known).removeprefix("my "), "a", message.turn, sentence)]
    return [Party(message.of_owner(owner, known), gender, message.turn, sentence)]


def noun_at(tokens: Sequence[Token], place: int) -> str:
    """Give the noun of a person as the lists know it: a friend where "Freund" is not the one."""
    known = person_noun(tokens[place].text) or tokens[place].text
    before = [token.text for token in tokens[max(0, place - 2) : place]]
    after = [token.text for token in tokens[place + 1 : place + 3]]
    is_friend = bool(_FRIENDLY & set(before)) or after in (["von", "mir"], ["von", "uns"])
    is_friend = is_friend and tokens[place].text not in ("lebensgefährte", "lebensgefährtin")
    return "kumpel" if known in ("freund", "freundin") and is_friend else known


def told_of(noun: str, message: Message) -> str:
    """Take a friend for one where the speaker has spoken of a husband or a wife."""
    married = {"my husband", "my wife"}
    is_married = any(claim.predicate == "married_to" for _, claim in message.spoken.claims) or any(
        party.text in married for party in message.spoken.parties
    )
    return "kumpel" if noun in ("freund", "freundin") and is_married else noun


def owner_of(tokens: Sequence[Token], noun: int, message: Message, sentence: int) -> str | None:
    """Say whose somebody is, by what stands before ("Annas Mutter") or behind ("die Mutter von Jonas")."""
    for place in range(noun - 1, -1, -1):
        token = tokens[place]
        if token.text in _OWN:
            return message.speaker
        if token.text in _HIS:
            return message.spoken.meant(_HIS[token.text], message.turn, sentence)
        if place == noun - 1 and (name := _in_genitive(token, message)):
            return name
    after = [token.text for token in tokens[noun + 1 : noun + 3]]
    if after in (["von", "mir"], ["von", "uns"]) or (not noun and tokens[0].text in _OWNERLESS):
        return message.speaker
    if after[:1] == ["von"]:
        return _owner_behind(tokens, noun + 2, message)
    is_genitive = bool(after) and after[0] in ("meiner", "meines", "unserer", "unseres")
    return _owner_behind(tokens, noun + 1, message) if is_genitive else None


def _in_genitive(token: Token, message: Message) -> str | None:
    """Give the name that a word is the genitive of: Anna, of "Annas"."""
    name = message.names.at(token.start)
    if name is not None and name.end == token.end - 1:
        return name.text
    if not _is_genitive(token):
        return None
    return message.content[token.start : token.end].rstrip("'’").removesuffix("s").rstrip("'’")


def _owner_behind(tokens: Sequence[Token], place: int, message: Message) -> str | None:
    if place < len(tokens) and tokens[place].text in _OWN:
        at = place + 1
        while at < len(tokens) and person_noun(tokens[at].text) is None and at - place < 3:
            at += 1
        if at >= len(tokens):
            return None
        text = genitives().get(tokens[at].text, tokens[at].text)
        named = next(names_behind(tokens, at, message), None)
        return named or (message.of_owner(message.speaker, person_noun(text) or text) if person_noun(text) else None)
    found = name_at(tokens, place, message) if place < len(tokens) else None
    return found[0] if found else None


def _others(tokens: Sequence[Token], message: Message, sentence: int) -> list[Party]:
    found: list[Party] = []
    place = 0
    while place < len(tokens):
        while place < len(tokens) and tokens[place].text in _TITLES:
            place += 1
        phrase = phrase_at(tokens, place, message.content, message.names, grammar())
        if phrase is None:
            return []
        phrase = trimmed(phrase, tokens, message.content, message.names)
        party = _other(phrase.text, phrase, tokens[place], message, sentence)
        place = phrase.next
        if place < len(tokens) and tokens[place].text == ",":
            named = phrase_at(tokens, place + 1, message.content, message.names, grammar())
            if named is not None and named.name is not None and party is not None:
                party = Party(named.text, party.gender, party.turn, party.sentence)
                place = named.next + (named.next < len(tokens) and tokens[named.next].text == ",")
        if party is None:
            return []
        found.append(party)
        is_of_thing = party.gender == "t" and place < len(tokens) and tokens[place].text in PREPOSITIONS
        if is_of_thing or (place < len(tokens) and tokens[place].text == ","):
            return found
        if place < len(tokens):
            if tokens[place].text not in ("und", "&", "u"):
                return []
            place += 1
    return found


def _other(text: str, phrase: Phrase, first: Token, message: Message, sentence: int) -> Party | None:
    kind = phrase.name.type if phrase.name else None
    is_bare = not phrase.owner or (phrase.owner in _ARTICLES and kind is EntityType.PERSON)
    is_met = message.spoken.gender(text) is not None
    is_given = is_met or folded(first.text) in given_names() or first.text in ("dr.", "dr", "prof.", "prof")
    is_name = first.is_upper and is_given and not phrase.is_value and len(phrase.tokens) <= 3
    if kind is EntityType.PERSON or (
        kind is None and is_bare and is_name and not _is_noun(phrase.head) and phrase.owner == ""
    ):
        return Party(text, message.spoken.gender(text) or "n", message.turn, sentence)
    if kind is not None or phrase.owner in _OWN or phrase.owner in _ARTICLES | {"das", "unser"}:
        return Party(text, message.spoken.gender(text) or "t", message.turn, sentence)
    return None


def _is_noun(word: str) -> bool:
    """Whether a word is a noun rather than a name, as far as its end tells."""
    return word in _NO_NAMES or word.endswith(_NO_NAME_ENDINGS) or is_doing(word)


def names_behind(tokens: Sequence[Token], place: int, message: Message) -> Iterator[str]:
    """Give the names that stand behind a noun of kin: "Schwester Anna", "Chef, der Herr Petersen"."""
    start = place + 1
    if start + 1 < len(tokens) and [tokens[start].text, tokens[start + 1].text] == ["von", "mir"]:
        start += 2
    is_apart = start < len(tokens) and tokens[start].text in _BETWEEN - {"namens"}
    while start < len(tokens) and tokens[start].text in _BETWEEN:
        start += 1
    if (
        start + 1 < len(tokens)
        and tokens[start].text in _ARTICLES
        and not is_apart | (tokens[start + 1].text in _TITLES)
    ):
        start += tokens[start + 1].is_upper
    elif start + 1 < len(tokens) and tokens[start].text in _ARTICLES:
        start += 1
        is_apart = True
    while start < len(tokens):
        found = _name(tokens, start, message)
        if found is None or (is_apart and not _is_closed(tokens, found[1])):
            return
        name, start = found
        yield name
        while start < len(tokens) and tokens[start].text in _JOINS:
            start += 1


def _is_closed(tokens: Sequence[Token], place: int) -> bool:
    """Whether what stands apart ends there: "mein Chef, der Herr Petersen, …"."""
    return place >= len(tokens) or tokens[place].is_mark or tokens[place].text in ("und", "u")


def _name(tokens: Sequence[Token], place: int, message: Message) -> tuple[str, int] | None:
    while place < len(tokens) and (tokens[place].text in _TITLES or _is_read_title(tokens, place, message)):
        place += 1
    if place >= len(tokens) or (message.names.at(tokens[place].start) is None and _is_noun(tokens[place].text)):
        return None
    if tokens[place].text in DETERMINERS | {"die", "der", "das"} or person_noun(tokens[place].text) is not None:
        return None
    return name_at(tokens, place, message) or _doctor(tokens, place, message)


def _doctor(tokens: Sequence[Token], place: int, message: Message) -> tuple[str, int] | None:
    """Read a doctor's name without a capital: "dr lindqvist"."""
    at = place + 1
    if tokens[place].text not in ("dr", "dr.") or at >= len(tokens):
        return None
    at += tokens[at].text == "." and at + 1 < len(tokens)
    text = tokens[at].text
    is_whole = tokens[at].start - tokens[place].end <= 2
    is_whole &= at + 1 >= len(tokens) or tokens[at + 1].is_mark or tokens[at + 1].text in PREPOSITIONS
    if not is_whole or not tokens[at].is_word or len(text) < 4 or is_ordinary(text) or text in forms():
        return None
    return message.content[tokens[place].start : tokens[at].end], at + 1


def _is_read_title(tokens: Sequence[Token], place: int, message: Message) -> bool:
    text, after = tokens[place].text, tokens[place + 1] if place + 1 < len(tokens) else None
    if text in ("doktor", "professor", "professorin"):
        return after is not None and after.is_upper
    is_title = text in ("dr.", "dr", "prof.", "prof")
    return is_title and after is not None and message.names.at(after.start) is not None


def tell_people(tokens: Sequence[Token], telling: Telling) -> None:
    """Claim of people and animals that are named by what they are to somebody: "meine Schwester Anna"."""
    for place, token in enumerate(tokens):
        if person_noun(token.text) is None or (place and tokens[place - 1].text == "als"):
            continue
        first = _first_of(tokens, place)
        owner = _teller(tokens[first:], place - first, telling) if first < place else None
        if owner is None and first < place and tokens[first].text in _HIS:
            owner = _subject_before(tokens, first, telling)
        if owner is not None and not tell(telling, owner, tokens, place):
            _tell_before(telling, owner, tokens, first, place)


def _subject_before(tokens: Sequence[Token], place: int, telling: Telling) -> str | None:
    """Say whose "seine Freundin" is, of one who is named before and does what the sentence says: "Tom kam mit ihr"."""
    message, sex = telling.message, "m" if tokens[place].text.startswith("sein") else "f"
    found: list[str] = []
    for start in range(place - 1):
        name = message.names.at(tokens[start].start)
        if name is not None and name.type is EntityType.PERSON:
            end = next((at for at in range(start, place) if tokens[at].start >= name.end), place)
            known = message.spoken.gender(name.text) or sexes().get(folded(name.text.split()[0]), "")
        elif tokens[start].text in _OWN and person_noun(tokens[start + 1].text) is not None:
            end, noun = start + 2, noun_at(tokens, start + 1)
            known = gender_of(noun) or ""
        else:
            continue
        if end < place and any(form.is_finite for form in forms().get(tokens[end].text, ())):
            if known != sex:
                return None
            found.append(name.text if name is not None else message.of_owner(message.speaker, noun))
    return found[0] if len(found) == 1 else None


def _tell_before(telling: Telling, owner: str, tokens: Sequence[Token], first: int, noun: int) -> None:
    """Claim of one whose name stands before: "Dr. Seidel, meine Hausärztin, …", "Karin Dähne, einer Kollegin"."""
    if first < 2 or tokens[first - 1].text != "," or is_plural(tokens[noun].text):
        return
    for start in range(max(0, first - 4), first - 1):
        name = telling.message.names.at(tokens[start].start)
        if name is not None and name.end >= tokens[first - 2].end and name.type is EntityType.PERSON:
            tell_of(telling, owner, noun_at(tokens, noun), name.text)
            return


def _first_of(tokens: Sequence[Token], noun: int) -> int:
    """Find where the phrase of a noun begins: its possessive or article, adjectives between."""
    for place in range(noun - 1, max(-1, noun - 4), -1):
        text = tokens[place].text
        if text in DETERMINERS | _OWN | _HIS.keys() or text in ("vom", "zum", "beim", "zur") or text[-1:] == "s":
            return place
        if not text.endswith(("e", "en", "er", "em")) or tokens[place].is_mark:
            return noun
    return noun


def _teller(tokens: Sequence[Token], noun: int, telling: Telling) -> str | None:
    message, first = telling.message, tokens[0]
    if noun and tokens[noun - 1].text in ("nicht", "kein", "keine"):
        return None
    owner = owner_of(tokens, noun, message, telling.sentence)
    if owner is not None:
        return owner
    known = person_noun(tokens[noun].text)
    is_served = known in roles() or known in ("kollege", "kollegin")
    is_articled = first.text in ("der", "die", "den", "dem", "vom", "beim", "zum", "zur")
    folded = message.content[telling.span.start : telling.span.end].casefold()
    if is_articled and known in words("animals") and "gibt es" in folded:
        return message.speaker
    is_one = first.text in ("ein", "eine", "einer", "einem", "einen") and known in _ACQUAINTED
    return message.speaker if (is_served and is_articled) or is_one else None


def tell(telling: Telling, owner: str, tokens: Sequence[Token], noun: int) -> int:
    """Claim of those whose names stand behind a noun of people or animals; say how many they are."""
    is_many = is_plural(tokens[noun].text)
    names = list(names_behind(tokens, noun, telling.message))
    known = noun_at(tokens, noun)
    if owner == telling.message.speaker:
        known = told_of(known, telling.message)
    if known in ("mann", "frau") and owner == telling.message.speaker:
        telling.message.spoken.note(
            Party(
                telling.message.of_owner(owner, known), gender_of(known) or "n", telling.message.turn, telling.sentence
            )
        )
    for name in names if is_many else names[:1]:
        tell_of(telling, owner, known, name, is_only=not is_many)
    return len(names)


def tell_of(telling: Telling, owner: str, noun: str, name: str, *, is_only: bool = True) -> None:
    """Claim what one who is named is to somebody."""
    if noun == "parents":
        telling.message.claim(draft(owner, "child_of", name, Action.HOLDS, Times(), telling.span))
    else:
        tell_one(telling, owner, noun, name, is_only=is_only)
