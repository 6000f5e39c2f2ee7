"""The entities that a query wishes for by their tags."""

from __future__ import annotations

from collections.abc import Sequence

from palace.graph.naming import SELF_KEY
from palace.graph.resolve import fold_name
from palace.graph.tags import KINDS
from palace.store.database import UserSession
from palace.store.graph.tags import CalledEntity, list_called_so
from palace.text.aaak import Wish


def wished_in(session: UserSession, wishes: Sequence[Wish]) -> list[int]:
    """List the entities of a tag's kind that go by its name, the longest name that there is; each once."""
    folded = {name: fold_name(name) for wish in wishes for name in wish.names}
    known: dict[str, list[CalledEntity]] = {}
    for one in list_called_so(session, {each for each in folded.values() if each}, self_key=SELF_KEY):
        known.setdefault(one.folded, []).append(one)
    found: dict[int, None] = {}
    for wish in wishes:
        meant = ([one for one in known.get(folded[name], ()) if KINDS[one.type] is wish.kind] for name in wish.names)
        found |= dict.fromkeys(one.entity_id for one in next(filter(None, meant), ()))
    return list(found)
