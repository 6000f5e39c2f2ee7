"""Why a hit was found, in words and in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from palace.models import Hit, PlaceKind, Recollection, Role

MOST_WORDS = 5
"""Words of the query that are named, at most, the rarest first."""

NEAREST = 10
"""Rank by meaning up to which a hit is called close."""

_NAMED = frozenset(
    {"semantic", "keyword", "room", "named", "time", "spoken_of", "standing"} | {"about", "holds", "kind"}
)
"""The signals with a wording of their own; others come from a caller's own strategy."""


def reasons(hit: Hit, better: Sequence[Hit] = ()) -> str:
    """Return in one line why a hit was found; ``better`` are the hits before it."""
    ranks = {arm.arm: arm.rank for arm in hit.arms}
    close = "closest in meaning" if ranks.get("semantic") == 1 else "close in meaning"
    is_own = hit.drawer.role is Role.USER and hit.drawer.speaker is None
    asker = "you" if is_own else hit.drawer.speaker or hit.drawer.role.value
    found = [
        *_words(hit, "keyword" in ranks),
        *([close] if ranks.get("semantic", NEAREST + 1) <= NEAREST else []),
        *(_room(hit, better) if "room" in ranks else []),
        *(_named(hit) if "named" in ranks else []),
        *("said then, as asked" if arm.score >= 1 else "said near then" for arm in hit.arms if arm.arm == "time"),
        *(["speaks of then, as asked"] if "spoken_of" in ranks else []),
        *(["says what you ask about the name in the query"] if "holds" in ranks else []),
        *(["names whom or what the query does"] if "about" in ranks and "holds" not in ranks else []),
        *(["names one of the kind"] if "kind" in ranks else []),
        *([f"standing: {asker} asked for this"] if "standing" in ranks else []),
        *([f"chosen by the language model as number {hit.reranked}"] if hit.reranked else []),
        *(name for name in ranks if name not in _NAMED),
        *([f"said again in {', '.join(str(drawer.pointer) for drawer in hit.again)}"] if hit.again else []),
    ]
    if not found:
        found.append("its room is about it" if "room" in ranks else "not far in meaning")
    return "; ".join(found)


NEAREST_TEXT = 160
"""Most characters of the nearest drawer's sentence in the message."""


def silence(found: Recollection) -> str:
    """Return the message that nothing seems to answer, with the nearest drawer if there is one."""
    nearest = found.nearest
    if nearest is None:
        return "nothing here seems to answer this"
    said = " ".join(nearest.drawer.content[slice(*(nearest.sentence or nearest.passage))].split())
    shown = said if len(said) <= NEAREST_TEXT else f"{said[: NEAREST_TEXT - 1]}…"
    return f"nothing here seems to answer this; nearest: {nearest.drawer.pointer} “{shown}”"


def in_numbers(hit: Hit) -> str:
    """Return the fused score, the confidence, each signal's score and rank, and the rank after reranking."""
    arms = (f"{arm.arm} {arm.score:.2f} (#{arm.rank})" for arm in hit.arms)
    reranked = () if hit.reranked is None else (f"reranked #{hit.reranked}",)
    likely = () if hit.confidence is None else (f"confidence {hit.confidence:.2f}",)
    return " · ".join((f"score {hit.score:.2f}", *likely, *arms, *reranked))


def _words(hit: Hit, is_worded: bool) -> list[str]:
    if not hit.words:
        return ["has your words outside this passage"] if is_worded else []
    said = hit.drawer.content[slice(*hit.passage)].lower()
    # Of the written forms of a word, the first in the passage.
    first = [min(forms, key=lambda form: (form not in said, said.find(form), -len(form))) for forms in hit.words]
    named = list(dict.fromkeys(first))
    more = ", …" if len(named) > MOST_WORDS else ""
    return ["says " + ", ".join(f'"{word}"' for word in named[:MOST_WORDS]) + more]


def _room(hit: Hit, better: Sequence[Hit]) -> list[str]:
    room = hit.drawer.pointer.of_room
    found = next((other.drawer.pointer for other in better if other.drawer.pointer.of_room == room), None)
    # Without its sign, from which a narrow terminal might separate it; commands accept that too.
    return [f"same room as {str(found).removeprefix('§ ')}"] if found else []


def _named(hit: Hit) -> list[str]:
    drawer = hit.drawer
    called = {
        PlaceKind.CLOSET: ("under", drawer.closet_name),
        PlaceKind.ROOM: ("in the conversation", drawer.room_name),
        PlaceKind.WING: ("in the wing", drawer.wing_name),
    }
    return [f"{where} “{name}”" for where, name in (called[kind] for kind in hit.named) if name]
