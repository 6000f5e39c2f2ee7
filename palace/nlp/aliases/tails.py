"""Short for one name of the conversation: "the band" of the Matlock Wind Band, "the Volvo" of a Volvo V60. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from palace.models.claims import EntityType, NamedSpan
from palace.nlp.aliases.beside import Naming
from palace.nlp.aliases.nouns import kind_of
from palace.nlp.aliases.parts import Parts
from palace.nlp.aliases.tokens import listed
from palace.nlp.time.vocabulary import fold

_BEFORE = listed(
    "the der die das den dem my our mein meine meinen meinem unser unsere unseren unserem unserer im am zum"
)
_MAKERS = listed(
    """
audi bmw mercedes vw volkswagen opel ford skoda škoda seat cupra renault peugeot citroën citroen dacia fiat volvo saab
toyota honda mazda nissan suzuki subaru mitsubishi kia hyundai tesla mini rover vauxhall jeep porsche brompton trek
yamaha kawasaki ducati vespa piaggio canyon giant specialized
"""
)
"""Of vehicles, which are called by their makers' names."""


class Tails:
    """The names of a conversation by what they may be shortened to."""

    def __init__(self, spans: Iterable[Sequence[NamedSpan]]) -> None:
        """``spans`` are the names in each message."""
        self._by_tail: dict[str, set[str]] = defaultdict(set)
        self._by_maker: dict[str, set[str]] = defaultdict(set)
        written: dict[str, str] = {}
        for span in (span for each in spans for span in each if span.type not in _WHOLE):
            words = fold(span.text).split()
            if len(words) < 2:
                continue
            name = written.setdefault(" ".join(words), span.text)
            if span.type is EntityType.PROJECT or kind_of(words[-1]) not in (None, EntityType.PERSON):
                self._by_tail[words[-1]].add(name)
            if words[0] in _MAKERS and span.type is not EntityType.PLACE:
                self._by_maker[words[0]].add(name)

    def names(self, parts: Parts) -> Iterator[Naming]:
        """List what a message calls by the last word of one name, or by its maker."""
        for place in range(1, len(parts)):
            part = parts[place]
            if parts[place - 1].text not in _BEFORE:
                continue
            if part.name is None:
                is_alone = parts[place + 1].name is None and not kind_of(parts[place + 1].text)
                found = _only(self._by_tail.get(part.text)) if is_alone else ()
            else:
                found = _only(self._by_maker.get(fold(part.name.text)))
            yield from (Naming(place, part.name.text if part.name else part.text, name) for name in found)


_WHOLE = (EntityType.PERSON, EntityType.TIME)
"""What is never called by the last word of its name."""


def _only(names: set[str] | None) -> Sequence[str]:
    return tuple(names) if names is not None and len(names) == 1 else ()
