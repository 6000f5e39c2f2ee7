"""All that one user has, as a function of the store could be given it by somebody else.

What a parameter means is told by its name; where it takes a record, one is made of that record's own fields.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections import abc
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

import palace
from palace import ShownDrawer, UserSession
from palace.db.tables import Drawer
from palace.models import TargetKind
from tests.isolation.victim import Cast, Victim

BEGUN, EVER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
VECTOR = np.full(384, 384**-0.5, np.float32)
PLAIN: dict[type, object] = {
    bool: True,
    int: 1,
    float: 0.0,
    str: "planted",
    datetime: BEGUN,
    timedelta: timedelta(days=1),
    tzinfo: UTC,
    Decimal: Decimal(1),
    UUID: UUID(int=5),
}
"""A value of each type, where a name says nothing better."""
SPECIAL: dict[str, dict[str, Any]] = {
    "activity.events.drop_oldest": {"most": 0},
    "candidates.words.": {"parts": (), "grams": ()},
    "candidates.spelled.words_like": {"spelled": ["vault"]},
    "counts.": {"drawers": {"de": 1}},
    "filing.conversations.find_elsewhere": {"conversation_id": 1},
    "filing.drawers.usual_language": {"told": {}},
    "filing.steps.find_failures": {"step": "vectors"},
    "graph.kinds.find_of_kinds": {"kinds": {"dog"}},
    "graph.listing.list_entities": {"type": None},
    "keys.add_key": {"key": {"label": "planted", "digest": b"", "scopes": ["read"]}},
    "keys.change_key": {"values": {"label": "planted"}},
    "keys.change_session": {"values": {"digest": b""}},
    "grants.change_grant": {"values": {"client_name": "planted"}},
    "keys.": {"answer": {}},
    "settings.": {"name": "rerank_model", "names": ["rerank_model"]},
    "working.summaries.": {"identity": "openai:summed", "agent": ""},
    "settings.stored.file_settings": {"SettingLine.name": "top_k", "SettingLine.value": 3},
}
"""By the beginning of functions' paths, where a name means something else than in the others."""
OTHERWISE = {
    "graph.asked.get_relations": {"ids": "relation_ids"},
    "graph.kinds.": {"words": "keys_of_entities"},
    "graph.entities.": {"names": "keys_of_entities"},
    "graph.tags.": {"words": "keys_of_entities", "names": "keys_of_entities"},
    "projects.": {"key": "agent"},
    "tree.list_wings": {"ids": "wing_ids"},
    "changes.removal.drawers_in": {"id": "wing_id"},
}
"""The same, where it means what has another name."""


RUNS = "SELECT id FROM mining_run WHERE user_id = :user_id ORDER BY id"


def _nothing(*_: object) -> None:
    """Stand for what follows when drawers go."""


@dataclass(frozen=True, slots=True)
class Loot:
    """What somebody has, by the names that parameters and fields have."""

    user_id: int
    values: dict[str, Any]

    @classmethod
    def of(cls, victim: Victim) -> Loot:
        """Take note of all that somebody has."""
        with victim.palace._opened.session() as session:
            own = own_ids(session, "AND position = 0")
            key = session.execute(sa.text("SELECT key FROM entity WHERE user_id = :user_id ORDER BY id DESC LIMIT 1"))
            named = _named(victim.cast, str(key.scalar_one()), victim.palace.show(f"W-{victim.cast.number}/R-01/D-001"))
            tables = ("entity", "assertion", "relation", "closet")
            made: dict[str, Any] = {f"{table}_id": _newest(session, table) for table in tables}
            made["relation_ids"] = [made["relation_id"]]
            held = {
                "wing_number": victim.cast.number,
                "job_id": victim.job_id,
                "key_id": _newest(session, "api_key"),
                "identity": _one(session, "SELECT identity FROM conversation WHERE user_id = :user_id"),
                "identities": _all(session, "SELECT identity FROM drawer WHERE user_id = :user_id ORDER BY id"),
                "drawer_identity": _all(session, "SELECT identity FROM drawer WHERE user_id = :user_id ORDER BY id")[0],
                "hash": _all(session, "SELECT line_hash FROM conversation_edge WHERE user_id = :user_id")[0],
                "runs": {run: 1 + place for place, run in enumerate(_all(session, RUNS))},
                "rebuild_id": _newest(session, "rebuild"),
                "decision_id": _one(session, "SELECT count(*) FROM entity_decision WHERE user_id = :user_id"),
                "generation": victim.palace._opened.find_generation(),
                "digests": [row.digest.hex() for row in session.run("sync_states")],
                "fixed_by": own["drawer_id"],
            }
        return cls(victim.user_id, named | made | held | own)

    def arguments(self, path: str, function: Callable[..., Any], session: UserSession) -> dict[str, Any]:
        """Give a value to each parameter of a function."""
        theirs = sa.select(Drawer.id).where(Drawer.user_id == session.user_id, Drawer.id == self.values["drawer_id"])
        values = self.values | {"chosen": theirs}
        for beginning, meant in SPECIAL.items():
            values |= meant if path.startswith(beginning) else {}
        for beginning, other in OTHERWISE.items():
            values |= {name: self.values[same] for name, same in other.items()} if path.startswith(beginning) else {}
        maker = _Maker(values)
        return {name: maker.make(name, hint) for name, hint in hints_of(function).items()}

    def mixtures(self, names: abc.Iterable[str], own: Mapping[str, Any]) -> list[dict[str, Any]]:
        """List ways to put one's own ids in the place of theirs: of none, of one each, of all but one each."""
        ids = [name for name in names if name in own]
        chosen = [[], *([name] for name in ids), *([other for other in ids if other != name] for name in ids)]
        return [
            {name: own[name] for name in some}
            for some in sorted({tuple(some) for some in chosen if some != ids or not ids})
        ]


@dataclass(frozen=True, slots=True)
class _Maker:
    values: dict[str, Any]

    def make(self, name: str, hint: Any) -> Any:
        """Make a value of a type; what is known by its name is taken if it fits."""
        single = _singular(name.rpartition(".")[2])
        for known in (name, name.rpartition(".")[2], single, f"{single}_id", f"drawer_{single}"):
            if known in self.values and _fits(self.values[known], hint):
                return self.values[known]
        origin = typing.get_origin(hint)
        return (
            self._one_of(name, hint) if origin is None else self._made_of(name, single, origin, typing.get_args(hint))
        )

    def _made_of(self, name: str, single: str, origin: Any, inner: tuple[Any, ...]) -> Any:
        """Make what has parts, with one of each."""
        if origin in (types.UnionType, typing.Union):
            return self.make(name, inner[0])
        if origin in (abc.Callable, np.ndarray):
            return str.upper if origin is abc.Callable else VECTOR.reshape(1, -1)
        if origin is tuple:
            parts = (inner[0],) if inner[1:] == (...,) else inner
            return tuple(self.make(_part(name, place), part) for place, part in enumerate(parts))
        made = self.make(single, inner[0])
        if origin in (dict, abc.Mapping):
            return {made: self.make(single, inner[1])}
        return frozenset([made]) if origin is abc.Collection and isinstance(made, abc.Hashable) else [made]

    def _one_of(self, name: str, kind: Any) -> Any:
        if kind is bytes or kind in PLAIN:
            return self.values["grave"] if kind is bytes else PLAIN[kind]
        if kind is Any or not isinstance(kind, type):
            return self.values.get(name, "planted")
        if issubclass(kind, Enum):
            return next(iter(kind))
        hints = _hints_of_fields(kind)
        if getattr(kind, "_is_protocol", False):
            made = {part: self.make(part, hint) for part, hint in hints.items()}
            return SimpleNamespace(**made, before=_nothing, after=_nothing)
        if is_dataclass(kind):
            needed = {each.name for each in fields(kind) if each.default is each.default_factory is MISSING}
            hints = {part: hint for part, hint in hints.items() if part in needed}
        return kind(**{part: self.make(f"{kind.__name__}.{part}", hint) for part, hint in hints.items()})


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Give the types of a function's parameters, the session aside."""
    hints = typing.get_type_hints(function, _names_of_types() | function.__globals__)
    return {name: hints.get(name, Any) for name in list(inspect.signature(function).parameters)[1:]}


def _hints_of_fields(kind: Any) -> dict[str, Any]:
    if not isinstance(kind, type):
        return {}
    names = _names_of_types() | vars(sys.modules[kind.__module__])
    hints = typing.get_type_hints(kind, names)
    given = {name: part.fget for name, part in vars(kind).items() if isinstance(part, property)}
    if getattr(kind, "_is_protocol", False):
        hints |= {name: typing.get_type_hints(get, names)["return"] for name, get in given.items()}
    return hints


@cache
def _names_of_types() -> dict[str, Any]:
    """Give every type of the library by its name, for those that are named where they are not imported."""
    modules = [import_module(each.name) for each in walk_packages(palace.__path__, "palace.")]
    named = ((name, value) for module in modules for name, value in vars(module).items() if isinstance(value, type))
    # An embedder's vectors are named without importing numpy.
    return {name: value for name, value in named if value.__module__.startswith("palace")} | {"np": np, "npt": npt}


def own_ids(session: UserSession, which: str = "") -> dict[str, Any]:
    """Give the ids of the only drawer of a user, or of the chosen one, and of where it stands."""
    query = f"SELECT id, room_id, conversation_id, run_id FROM drawer WHERE user_id = :user_id {which}"
    drawer_id, room_id, conversation_id, run_id = session.execute(sa.text(query)).one()
    wing_id = _one(session, "SELECT id FROM wing WHERE user_id = :user_id")
    return {
        **{"drawer_id": drawer_id, "room_id": room_id, "wing_id": wing_id, "run_id": run_id, "into": wing_id},
        **{"conversation_id": conversation_id, "drawer_ids": [drawer_id], "ids": [drawer_id], "room_ids": [room_id]},
        **{"wing_ids": [wing_id], "run_ids": [run_id], "conversations": [conversation_id], "basis": [run_id]},
    }


def _named(cast: Cast, key: str, said: ShownDrawer) -> dict[str, Any]:
    """Give what goes by a name of theirs, and how much is asked for."""
    words = cast.query.split()
    return {
        **{"query": cast.query, "words": cast.secret, "word": words[0], "slug": cast.wing.lower(), "name": cast.wing},
        **{"agent": cast.former_wing, "key": key, "family": key, "folded": key, "self_key": "i", "kind": "planted"},
        **{"number": cast.number, "room_number": 1, "limit": 50, "most": 100, "last": 50, "offset": 0, "after": 0},
        **{"turns": 99, "longest": 6000, "count": 5, "width": 60, "rare": 8, "newest": 9, "least": -1.0},
        **{"since": None, "among": None, "state": None, "kinds": None, "behind": None, "behind_at": None},
        **{"begun": (None, EVER), "until": EVER, "edges": (BEGUN, EVER), "windows": [(BEGUN, EVER)], "end": EVER},
        **{"grave": cast.grave.encode(), "digest": cast.grave.encode(), "start": datetime(2000, 1, 1, tzinfo=UTC)},
        **{"vector": VECTOR.tolist(), "model": "testing/hashing-384", "dimension": 384, "without_readers": []},
        **{
            "zone": UTC,
            "believed": None,
            "now": None,
            "source": "planted",
            "predicates": ["has_code", "lives_in"],
            "where": None,
        },
        **{
            "Word.query": f"'{words[0]}'",
            "Span.start": 0,
            "Span.end": 7,
            "Target.kind": TargetKind.WING,
            "ordinals": [0],
        },
        **{"keys_of_entities": [key], "drawer": said.drawer, "pointer": said.drawer.pointer},
        **{"ordinal": 0, "place": (cast.number, 1, 1), "day": "2026-01-02", "as_said": True, "query_word": words[0]},
    }


def _singular(name: str) -> str:
    return {"identities": "identity", "hashes": "hash", "replies": "reply", "families": "family"}.get(
        name, name.removesuffix("s")
    )


def _part(name: str, place: int) -> str:
    return {"near": ("generation", "vector")}.get(name, (_singular(name),) * 9)[place]


def _fits(value: Any, hint: Any) -> bool:
    """Tell whether a value is of a type, its parts as far as the first."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if hint is None or hint is types.NoneType:
        return value is None
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, each) for each in inner)
    if origin is tuple and isinstance(value, tuple):
        return inner[1:] == (...,) or len(inner) == len(value)
    if isinstance(origin, type) and issubclass(origin, abc.Iterable) and origin is not abc.Mapping:
        parts = isinstance(value, list | tuple | frozenset) and origin is not dict
        return parts and all(_fits(each, inner[0]) for each in list(value)[:1])
    kind = origin or hint
    return isinstance(kind, type) and isinstance(value, kind) and (kind is not int or not isinstance(value, bool))


def _newest(session: UserSession, table: str) -> int:
    return int(_one(session, f"SELECT coalesce(max(id), 0) FROM {table} WHERE user_id = :user_id"))


def _one(session: UserSession, query: str) -> Any:
    return session.execute(sa.text(query)).scalar_one()


def _all(session: UserSession, query: str) -> list[Any]:
    return list(session.execute(sa.text(query)).scalars())
