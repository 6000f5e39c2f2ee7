"""A store of LangGraph in a palace; import it only with LangGraph (extra ``langgraph``)."""

from __future__ import annotations

import asyncio
import hashlib
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

from palace import BadRequest, Drawer, NotFound, Palace, Wing

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )
except ImportError as problem:
    missing = "the store needs LangGraph: pip install 'memory-palace-pg[langgraph]'"
    raise ImportError(missing) from problem

Namespace = tuple[str, ...]

_MOST = 1000
"""Hits of a query that a filter can choose from: the most that recall returns."""
_SHOWN = 60
"""Characters of a namespace in the name of its wing."""
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


class PalaceStore(BaseStore):
    """LangGraph's long-term memory in one user's palace: ``graph.compile(store=PalaceStore(palace))``.

    An item is a note, each value of it a version; a namespace is a wing, whose name begins with ``wing``. A query is
    answered by ``palace.recall``, with its ``floor``; without a query the latest come first. Secrets in values are
    replaced, unless ``keep_secrets``. ``index`` has no effect.
    """

    def __init__(
        self, palace: Palace, *, wing: str = "LangGraph", floor: str | None = None, keep_secrets: bool = False
    ) -> None:
        self._palace = palace
        self._wing = wing
        self._floor = floor
        self._keep_secrets = keep_secrets
        self._namespaces: dict[int, Namespace | None] = {}

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Answer what reads, in order, then write; of several values of an item the last is written.

        Raises:
            BadRequest: a value is not JSON, or too large.
        """
        given = list(ops)
        for op in given:
            validate_op_namespace(op)
        results = [self._read(op) for op in given]
        for put in {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}.values():
            self._put(put)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op.namespace, op.key)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._list_namespaces(op)
        return None

    def _get(self, namespace: Namespace, key: str) -> Item | None:
        with suppress(NotFound):
            return _item(self._palace.note_versions(self._id(namespace, key))[-1])
        return None

    def _put(self, op: PutOp) -> None:
        if op.value is None:
            self._delete(op)
            return
        former, now = self._get(op.namespace, op.key), datetime.now(UTC)
        if former is not None and former.value == op.value:
            return
        times = {"created_at": (former.created_at if former else now).isoformat(), "updated_at": now.isoformat()}
        text = _written({"value": op.value, "item": [*op.namespace, op.key], **times})
        drawer = self._palace.note(
            text,
            id=self._id(op.namespace, op.key),
            wing=self._wing_name(op.namespace),
            said_at=now,
            keep_secrets=self._keep_secrets,
        )
        item = _item(drawer)
        if item is None or (item.namespace, item.key) != (op.namespace, op.key):
            self._palace.forget(str(drawer.pointer), now=True)
            raise BadRequest("what looks like a secret cannot be taken out of the item: PalaceStore(keep_secrets=True)")

    def _delete(self, op: PutOp) -> None:
        with suppress(NotFound):
            version = self._palace.note_versions(self._id(op.namespace, op.key))[-1]
            self._palace.forget(str(version.pointer), versions=True)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        wings = [
            wing for namespace, wing in self._wings() if namespace[: len(op.namespace_prefix)] == op.namespace_prefix
        ]
        if not wings:
            return []
        found = self._recalled(op, wings) if op.query else self._latest(wings)
        wanted = op.filter or {}
        kept = [item for item in found if _matches(item.value, wanted)]
        return kept[op.offset : op.offset + op.limit]

    def _recalled(self, op: SearchOp, wings: list[Wing]) -> Iterator[SearchItem]:
        most = _MOST if op.filter else min(_MOST, max(1, op.offset + op.limit))
        names = [f"W-{wing.number:03}" for wing in wings]
        hits = self._palace.recall(cast("str", op.query), wings=names, top_k=most, floor=self._floor).hits
        for hit in hits:
            item = _item(hit.drawer, hit.score) if hit.drawer.replaced_at is None else None
            if item is not None:
                yield item

    def _latest(self, wings: list[Wing]) -> list[SearchItem]:
        items = filter(None, map(_item, self._current(wings)))
        return sorted(items, key=lambda item: item.updated_at, reverse=True)

    def _current(self, wings: list[Wing]) -> Iterator[Drawer]:
        page = self._palace.tree.all_drawers(wings=wings)
        while page:
            yield from (drawer for drawer in page if drawer.replaced_at is None)
            page = self._palace.tree.all_drawers(wings=wings, behind=page[-1].pointer)

    def _wings(self) -> Iterator[tuple[Namespace, Wing]]:
        """List the wings of namespaces; the namespace of a wing is that of the items in it."""
        for wing in self._palace.tree.wings(counted=False):
            if not wing.name.startswith(f"{self._wing} "):
                continue
            if wing.id not in self._namespaces:
                items = filter(None, map(_item, self._palace.tree.all_drawers(wings=[wing], limit=1)))
                self._namespaces[wing.id] = next((item.namespace for item in items), None)
            namespace = self._namespaces[wing.id]
            if namespace is not None:
                yield namespace, wing

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        found = (namespace for namespace, _ in self._wings())
        kept = {each[: op.max_depth] for each in found if all(_is_in(each, one) for one in conditions)}
        return sorted(kept)[op.offset : op.offset + op.limit]

    def _wing_name(self, namespace: Namespace) -> str:
        """Name the wing of a namespace: a digest keeps those apart that look alike as names."""
        shown = " ".join("/".join(namespace).split())[:_SHOWN]
        return f"{self._wing} {shown} {_digest(*namespace)[:8]}"

    def _id(self, namespace: Namespace, key: str) -> str:
        return f"langgraph-{_digest(self._wing, *namespace, key)}"


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _written(stored: Mapping[str, Any]) -> str:
    """Write what is stored as JSON, but with the lines of texts as lines, so that recall reads their words."""
    try:
        text = json.dumps(stored, ensure_ascii=False, indent=1)
        is_same = json.loads(text) == stored
    except (TypeError, ValueError, RecursionError) as problem:
        raise BadRequest(f"a value must be JSON: {str(problem)[:80]}") from problem
    if not is_same:
        raise BadRequest("a value must be JSON, which has no tuples, no keys but texts, and no NaN")
    text = re.sub(r"\\.", lambda found: {r"\n": "\n", r"\t": "\t"}.get(found[0], found[0]), text)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _item(drawer: Drawer, score: float | None = None) -> SearchItem | None:
    """Read an item; None where the note is none of the store's."""
    try:
        stored = json.loads(drawer.content, strict=False)
        *namespace, key = stored["item"]
        created_at, updated_at = (datetime.fromisoformat(stored[name]) for name in ("created_at", "updated_at"))
        return SearchItem(tuple(namespace), key, stored["value"], created_at, updated_at, score=score)
    except (ValueError, TypeError, KeyError):
        return None


def _matches(value: Any, wanted: Any) -> bool:
    """Check a value against a filter of LangGraph: equal, or as ``$gt`` and the others say, at any depth."""
    if isinstance(wanted, Mapping) and any(name.startswith("$") for name in wanted):
        if unknown := wanted.keys() - _COMPARED.keys():
            raise BadRequest(f"a filter knows {', '.join(_COMPARED)}, not {', '.join(sorted(unknown))}")
        return all(_holds(name, value, other) for name, other in wanted.items())
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(_matches(value.get(name), each) for name, each in wanted.items())
    return bool(value == (list(wanted) if isinstance(wanted, tuple) else wanted))


def _holds(name: str, value: Any, other: Any) -> bool:
    try:
        return _COMPARED[name](value, other)
    except TypeError:
        return False


def _is_in(namespace: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return len(part) == len(path) and all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))
