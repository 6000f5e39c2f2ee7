"""What the words around a name, wherever they stand, speak for: "brand", "trail", "leash", "she"."""

from __future__ import annotations

from collections.abc import Iterator

from palace.records.graph import EntityType
from palace.text.entities.page import Token

_REACH = 8
"""Words that are looked at on each side of a name."""
_WORTH = 0.3

_WRITTEN = {
    EntityType.ITEM: """
app apps tool tools software library libraries framework version install installed download downloaded plugin package
database game
games console phone laptop lens tablet device model gadget printer router editor spreadsheet browser language code
script medication
medicine pill pills dose supplement bike guitar boots shoes jacket backpack headphones tv update updated battery
""",
    EntityType.ORGANISATION: """
brand brands company companies firm firms store stores shop shops restaurant chain band bands concert concerts tickets
team teams magazine
magazines newspaper newspapers school university employer organization organizations organisation charity agency hired
internship
website order
ordering menu deals manufacturer publisher publishers bank airline insurance album delivery certified founded ceo
employees clients
customers startup retailers
members membership
""",
    EntityType.PLACE: """
city town trail trails beach neighborhood neighbourhood located area region island visit visited visiting travel trip
traveling
hike hiking street near nearby suburb village downtown venue live lives living moved stay flight fly landed drive miles
""",
    EntityType.PERSON: """
he she him her his said told met friend author wrote singer actor actress born married says thinks colleague sister
brother artist
scientist novelist director written
""",
    EntityType.EVENT: "festival race marathon attended annual held conference happens tournament finals register",
}
_TABLE = {word: kind for kind, words in _WRITTEN.items() for word in words.split()}
_ANIMAL_WRITTEN = """
dog dogs cat cats puppy kitten vet leash litter groomer grooming fur treats paw paws collar pet pets
breed walkies tail bark barks barking meow purr purrs hund katze tierarzt gassi futter leine pfote pfoten harness
aquarium stable hooves
"""
_ANIMAL = frozenset(_ANIMAL_WRITTEN.split())


def types_nearby(tokens: tuple[Token, ...], first: int, last: int) -> Iterator[tuple[EntityType, float, str]]:
    """Say what the words near ``tokens[first:last]`` speak for, how much each counts, and by what evidence."""
    for token in (*tokens[max(0, first - _REACH) : first], *tokens[last : last + _REACH]):
        if kind := _TABLE.get(token.lower):
            yield kind, _WORTH, "nearby"
        elif token.lower in _ANIMAL:
            yield EntityType.ITEM, 2.5 * _WORTH, "animals"
