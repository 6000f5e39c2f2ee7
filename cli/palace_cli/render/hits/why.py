"""Why recall found a drawer: in words for everybody, in numbers for who asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palace.records import Drawer, Hit, PlaceKind, Role
from palace_cli.render.drawer import speaker
from palace_cli.render.visible import one_line

MOST_WORDS = 5
"""Words of the query that are named; the rarest come first."""

NEAREST = 10
"""Place by meaning down to which a drawer is called close."""

_NAMED = frozenset(
    {"semantic", "keyword", "room", "named", "time", "spoken_of", "standing"} | {"about", "holds", "kind"}
)
"""The reasons that are put into words; others are signals of a strategy of the caller's own."""


def in_words(hit: Hit, better: Sequence[Hit] = ()) -> str:
    """Say on one line why a drawer was found; ``better`` are the hits in front of it."""
    ranks = {arm.arm: arm.rank for arm in hit.arms}
    reasons = [
        *([] if hit.confidence is None else [f"{hit.confidence:.0%} likely"]),
        *_words(hit, "keyword" in ranks),
        *_meaning(ranks.get("semantic")),
        *(_room(hit, better) if "room" in ranks else []),
        *(_named(hit) if "named" in ranks else []),
        *("said then, as asked" if arm.score >= 1 else "said near then" for arm in hit.arms if arm.arm == "time"),
        *(["speaks of then, as asked"] if "spoken_of" in ranks else []),
        *([_told(ranks)] if ranks.keys() & {"about", "holds"} else []),
        *(["names one of the kind"] if "kind" in ranks else []),
        *([_standing(hit.drawer)] if "standing" in ranks else []),
        *([f"chosen by the language model as number {hit.reranked}"] if hit.reranked else []),
        *(one_line(name) for name in ranks if name not in _NAMED),
        *([f"said again in {', '.join(str(drawer.pointer) for drawer in hit.again)}"] if hit.again else []),
    ]
    if len(reasons) <= (hit.confidence is not None):
        reasons.append("its room is about it" if "room" in ranks else "not far in meaning")
    return "; ".join(reasons)


def _told(ranks: Mapping[str, int]) -> str:
    return "tells what is asked of whom the query names" if "holds" in ranks else "names whom or what the query does"


def in_numbers(hit: Hit) -> str:
    """Give the fused score, how likely it answers, each signal's score and rank, and the place when reranked."""
    arms = (f"{arm.arm} {arm.score:.2f} (#{arm.rank})" for arm in hit.arms)
    reranked = () if hit.reranked is None else (f"reranked #{hit.reranked}",)
    likely = () if hit.confidence is None else (f"confidence {hit.confidence:.2f}",)
    return " · ".join((f"score {hit.score:.2f}", *likely, *arms, *reranked))


def _words(hit: Hit, is_worded: bool) -> list[str]:
    if not hit.words:
        return ["says words of yours elsewhere"] if is_worded else []
    said = hit.drawer.content[slice(*hit.passage)].lower()
    # Of the ways that a word is written there, the first.
    first = [min(forms, key=lambda form: (form not in said, said.find(form), -len(form))) for forms in hit.words]
    named = list(dict.fromkeys(first))
    more = ", …" if len(named) > MOST_WORDS else ""
    return ["says " + ", ".join(f'"{one_line(word)}"' for word in named[:MOST_WORDS]) + more]


def _meaning(rank: int | None) -> list[str]:
    if rank is None or rank > NEAREST:
        return []
    return ["closest in meaning" if rank == 1 else "close in meaning"]


def _room(hit: Hit, better: Sequence[Hit]) -> list[str]:
    room = hit.drawer.pointer.of_room
    found = next((other.drawer.pointer for other in better if other.drawer.pointer.of_room == room), None)
    # Without its sign, which a narrow terminal would part from it; commands take it as well.
    return [f"same room as {str(found).removeprefix('§ ')}"] if found else []


def _named(hit: Hit) -> list[str]:
    """Say which names around it say what it lacks."""
    drawer = hit.drawer
    called = {
        PlaceKind.CLOSET: ("under", drawer.closet_name),
        PlaceKind.ROOM: ("in the conversation", drawer.room_name),
        PlaceKind.WING: ("in the wing", drawer.wing_name),
    }
    return [f"{where} “{one_line(name)}”" for where, name in (called[kind] for kind in hit.named) if name]


def _standing(drawer: Drawer) -> str:
    if drawer.role is Role.USER and drawer.speaker is None:
        return "standing: you asked for this"
    return f"standing: {speaker(drawer)} asked for this"
