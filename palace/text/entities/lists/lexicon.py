"""Words and names that are known beforehand: ordinary English, given names, places, software, firms and services."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from palace.records.graph import EntityType
from palace.text.stopwords import STOP_WORDS

_CHAT_WRITTEN = """
lol jk btw thx gonna wanna kinda gotta omg tbh idk imo imho ur n w cos cuz coz nah yeah yep yup nope ok okay pls plz im
ive id ill dont cant wont didnt doesnt isnt wasnt arent werent havent hasnt hadnt couldnt wouldnt shouldnt shes hes
thats
whats heres theres youre youve youll theyre theyve weve were lets itll ill wtf fyi asap aka etc vs eta rn ngl smh ty np
hi hey hiya hello haha hahaha hehe lmao rofl ugh argh hmm hm um uh er erm wow yay oh ah aw aww oops ouch tho thru bc
info roomie app apps admin wifi email emails gym gyms mum mums mom moms dad dads gf bf bday xmas kinda sorta dunno lemme
gimme til
till esp prob probs def obvs tmrw tmr tonite bro sis dude dudes meds vet vets gp docs doc repo repos config backend
frontend api apis url ui ux cpu gpu ram ssd usb pdf csv json html css sql ai llm llms tv pc cv pr hr ceo cto cfo pm am
diy faq atm id ids eu lunchbox todo todos blog vlog podcast podcasts spreadsheet startup startups hashtag selfie emoji
meetup signup login logout username offline online website websites webpage online ecommerce onboarding wishlist
favourite favourites colour colours flavour neighbour neighbours neighbourhood organise organised organising realise
realised apologise centre centres theatre theatres metre metres litre litres kilometre programme programmes grey cosy
tyre tyres cheque cheques jewellery mould plough travelled travelling cancelled cancelling knackered reckon quid
allergen smartwatch smartphone ebike ebook ebooks audiobook veggie veggies vegan takeaway takeout
"""
CHAT = frozenset(_CHAT_WRITTEN.split())
"""Words of chats that no dictionary has, and British spellings."""

_ENDINGS = (
    ("'s", ""), ("ies", "y"), ("es", ""), ("es", "e"), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""),
    ("ing", "e"), ("ings", ""), ("er", ""), ("er", "e"), ("ers", ""), ("ers", "e"), ("ier", "y"), ("est", ""),
    ("est", "e"), ("iest", "y"), ("ly", ""), ("ily", "y"), ("ness", ""), ("iness", "y"), ("able", ""), ("able", "e"),
    ("less", ""), ("ful", ""), ("ish", ""), ("like", ""), ("y", ""), ("ment", ""), ("ation", "e"), ("ations", "e"),
    ("ion", "e"), ("ions", "e"), ("ion", ""), ("ions", ""), ("ability", "able"), ("ally", "al"), ("n't", ""),
)  # fmt: skip
_BEGINNINGS = ("un", "re", "non", "pre", "over", "under", "out", "mis", "dis", "in", "super", "anti", "multi", "self")


@cache
def english() -> frozenset[str]:
    """Read the stems of ordinary English words, in lower case."""
    return frozenset(_lines("english.txt")) | STOP_WORDS | CHAT


@cache
def given_names() -> frozenset[str]:
    """Read given names of many countries, folded."""
    return frozenset(folded(name) for name in _lines("given-names.txt") if len(name) > 2)


@cache
def sexes() -> Mapping[str, str]:
    """Read given names, folded, that only men ("m") or only women ("f") have."""
    known: dict[str, str] = {}
    sex = ""
    for line in _lines("sexes.txt"):
        if line.startswith("["):
            sex = line.strip("[]")
        else:
            known[line] = sex
    return known


@cache
def nicknames() -> Mapping[str, frozenset[str]]:
    """Read English given names, folded, with what each is shortened to."""
    lines = (line.partition(": ") for line in _lines("nicknames.txt"))
    return {name: frozenset(short.split()) for name, _, short in lines}


@cache
def places() -> frozenset[str]:
    """Read the names of countries, of some regions and of cities of more than 100,000 people, folded."""
    return frozenset(folded(name) for name in _lines("places.txt"))


@cache
def well_known() -> Mapping[str, EntityType]:
    """Read software, firms, services and medicines that many people speak of, folded, with what each is."""
    known: dict[str, EntityType] = {}
    kind = EntityType.ITEM
    for line in _lines("well-known.txt"):
        if line.startswith("["):
            kind = EntityType(line.strip("[]"))
        else:
            known.update((folded(name), kind) for name in line.split(", "))
    return known


def folded(name: str) -> str:
    """Give a name without case, accents and surplus spaces, with straight apostrophes."""
    plain = name.casefold().replace("’", "'")
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return plain if " " not in plain else " ".join(plain.split())


@cache
def _is_ordinary(word: str) -> bool:
    words = english()
    if word in words:
        return True
    if word in well_known():
        return False
    if "-" in word:
        return all(_is_ordinary(part) for part in word.split("-") if part)
    stems = [word, *_american(word), *(word.removeprefix(each) for each in _BEGINNINGS if len(word) > len(each) + 2)]
    return any(_stands(stem) for stem in stems)


_BRITISH = (
    ("our", "or"), ("is", "iz"), ("ys", "yz"), ("tre", "ter"), ("bre", "ber"), ("ll", "l"), ("ae", "e"), ("oe", "e"),
    ("ogue", "og"), ("mme", "m"), ("ence", "ense"), ("grey", "gray"), ("yre", "ire"),
)  # fmt: skip


def _american(word: str) -> list[str]:
    return [word.replace(british, instead) for british, instead in _BRITISH if british in word]


def _stands(word: str) -> bool:
    words = english()
    if word in words:
        return True
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending) + instead
            if stem in words or (len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in words):
                return True
    return False


def is_ordinary(word: str) -> bool:
    """Tell whether a word is one of ordinary English or of chats, in whatever form; case does not count."""
    return len(word) < 30 and _is_ordinary(word.lower().replace("’", "'"))


def _lines(name: str) -> list[str]:
    text = files("palace").joinpath("data", "names", name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line]
