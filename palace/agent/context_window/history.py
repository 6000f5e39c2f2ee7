"""A conversation history as providers accept it: messages, calls paired with results, the latest that fit. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palace.agent.messages import INSTRUCTING
from palace.errors import BadRequest
from palace.nlp.blocks import without_blocks

BLOCKS = ("<memory_context", "<memories")
"""How a block of recalled memories begins."""

CallKey = tuple[str, Hashable]
"""Identifies a call and its result: the kind of call, and its id or the name of the function."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One message of a history."""

    index: int
    """Its index in the history."""
    message: Any
    """What is sent: the caller's object, unless calls had to be removed from it."""
    shape: Mapping[str, Any]
    """The message as a mapping."""

    @property
    def role(self) -> object:
        """Return the message's role."""
        return self.shape.get("role")

    @property
    def is_user(self) -> bool:
        """Return whether it is a user's message; a request begins with one."""
        return self.role == "user"

    @property
    def instructs(self) -> bool:
        """Return whether it is a system message."""
        return isinstance(self.role, str) and self.role in INSTRUCTING

    @property
    def is_block(self) -> bool:
        """Return whether it is a block of memories from an earlier request."""
        content = self.shape.get("content")
        return self.instructs and isinstance(content, str) and content.lstrip().startswith(BLOCKS)

    @property
    def is_pinned(self) -> bool:
        """Return whether it is always sent."""
        return self.instructs and not self.is_block

    @property
    def said(self) -> Mapping[str, Any]:
        """Return the message without blocks of memories, which come and go."""
        content = self.shape.get("content")
        if isinstance(content, str):
            return {**self.shape, "content": without_blocks(content)}
        if not isinstance(content, (list, tuple)):
            return self.shape
        return {**self.shape, "content": [part for part in map(_without_block, content) if part is not None]}

    @property
    def answers(self) -> CallKey | None:
        """Return the key of the call that this message is the result of, or None unless it is a result."""
        if self.role == "tool":
            return "tool", _hashable(self.shape.get("tool_call_id"))
        return ("function", _hashable(self.shape.get("name"))) if self.role == "function" else None

    @property
    def calls(self) -> list[CallKey]:
        """List the keys of the calls that the message makes."""
        if self.role != "assistant":
            return []
        called: list[CallKey] = [("tool", _id_of(call)) for call in tool_calls(self.shape)]
        function = self.shape.get("function_call")
        if isinstance(function, Mapping):
            called.append(("function", _hashable(function.get("name"))))
        return called


def entries_of(history: Sequence[Any]) -> list[HistoryEntry]:
    """Read a history into entries.

    Raises:
        BadRequest: it is no sequence, or a message is neither a mapping nor has ``model_dump``.
    """
    if isinstance(history, (str, bytes, Mapping)) or not isinstance(history, Sequence):
        raise BadRequest(f"a history must be a list of messages, not {type(history).__name__}")
    return [HistoryEntry(index, message, _mapping(index, message)) for index, message in enumerate(history)]


def tool_calls(shape: Mapping[str, Any]) -> list[Any]:
    """List the tool calls of a message."""
    calls = shape.get("tool_calls")
    return list(calls) if isinstance(calls, (list, tuple)) else []


@dataclass(frozen=True, slots=True)
class Group:
    """Messages that are sent together or not at all."""

    entries: tuple[HistoryEntry, ...]
    cost: int

    @property
    def size(self) -> int:
        """Count its messages, blocks of memories apart."""
        return sum(not entry.is_block for entry in self.entries)

    @property
    def is_user(self) -> bool:
        """Return whether it is a user's message, perhaps with its block."""
        return all(entry.is_user for entry in self.entries if not entry.is_block)


@dataclass(frozen=True, slots=True)
class SplitHistory:
    """A history split into system messages and exchanges, without messages that providers refuse."""

    pinned: tuple[HistoryEntry, ...]
    """System messages, which are always sent."""
    exchanges: tuple[tuple[Group, ...], ...]
    """Each begins with a user's message."""
    warnings: tuple[str, ...]
    """What was left out because providers refuse it, one line each."""

    @property
    def groups(self) -> list[Group]:
        """List all groups."""
        return [group for exchange in self.exchanges for group in exchange]

    def latest(self, *, room: int, least: int) -> list[Group]:
        """Choose the latest groups whose total cost fits ``room``, in order.

        The latest ``least`` messages are chosen even if they cost more. Of an exchange that does not fit whole, its
        opening user message is chosen with the latest of the groups after it.
        """
        chosen: list[list[Group]] = []
        used = count = 0
        for head, *rest in reversed(self.exchanges):
            taken: list[Group] = []
            for group in reversed(rest):
                if count >= least and used + head.cost + group.cost > room:
                    break
                taken.append(group)
                used, count = used + group.cost, count + group.size
            is_alone = not rest and (count < least or used + head.cost <= room)
            if not taken and not is_alone:
                break
            chosen.append([head, *reversed(taken)])
            used, count = used + head.cost, count + head.size
            if len(taken) < len(rest):
                break
        return [group for groups in reversed(chosen) for group in groups]

    def with_pinned(self, groups: Sequence[Group]) -> list[HistoryEntry]:
        """List the messages of some groups and the system messages, in order."""
        said = (entry for group in groups for entry in group.entries)
        return sorted((*self.pinned, *said), key=lambda entry: entry.index)


def split_history(entries: Sequence[HistoryEntry], cost: Callable[[HistoryEntry], int]) -> SplitHistory:
    """Drop messages that providers refuse, and split the rest into exchanges; ``cost`` weighs a message.

    A result belongs to the latest call of its id before it, and is left out without one. An unanswered call is removed,
    except at the end of the history, where its result is still to come. Before the first user message only system
    messages stay.
    """
    kept, bonds, warnings = _mend(entries)
    pinned = tuple(entry for entry in kept if entry.is_pinned)
    others = [entry for entry in kept if not entry.is_pinned]
    if not any(entry.is_user for entry in others):
        return SplitHistory(pinned, (), warnings)
    exchanges: list[list[Group]] = []
    for together in _stretches(others, bonds):
        group = Group(tuple(together), sum(cost(entry) for entry in together))
        if group.is_user:
            exchanges.append([])
        exchanges[-1].append(group)
    return SplitHistory(pinned, tuple(tuple(groups) for groups in exchanges), warnings)


def _mend(entries: Sequence[HistoryEntry]) -> tuple[list[HistoryEntry], dict[int, int], tuple[str, ...]]:
    """Return the messages that providers accept, the index of each calling message's last result, and warnings."""
    first = next((entry.index for entry in entries if entry.is_user), len(entries))
    said = [entry for entry in entries if entry.index >= first or entry.instructs]
    answered, orphans = _pair(said)
    waiting_from = next((entry.index for entry in reversed(said) if entry.answers is None and not entry.instructs), 0)
    kept: list[HistoryEntry] = []
    unanswered = 0
    for entry in said:
        if entry.index in orphans:
            continue
        missing = frozenset(entry.calls) - answered.get(entry.index, {}).keys()
        if not missing or entry.index >= waiting_from:
            kept.append(entry)
            continue
        unanswered += len(missing)
        mended = _without_calls(entry, missing)
        if mended is not None:
            kept.append(mended)
    warnings = []
    if orphans:
        warnings.append(f"{len(orphans):,} tool results without their call were left out: no provider takes them")
    if unanswered:
        warnings.append(f"{unanswered:,} tool calls that were never answered were left out: no provider takes them")
    return kept, {index: max(results.values()) for index, results in answered.items()}, tuple(warnings)


def _pair(entries: Sequence[HistoryEntry]) -> tuple[dict[int, dict[CallKey, int]], set[int]]:
    """Find the last result of each call, by the index of the calling message, and the results without a call."""
    latest: dict[CallKey, int] = {}
    answered: dict[int, dict[CallKey, int]] = {}
    orphans: set[int] = set()
    for entry in entries:
        for called in entry.calls:
            latest[called] = entry.index
        if (answers := entry.answers) is None:
            continue
        if (calling := latest.get(answers)) is None:
            orphans.add(entry.index)
        else:
            answered.setdefault(calling, {})[answers] = entry.index
    return answered, orphans


def _without_calls(entry: HistoryEntry, unanswered: frozenset[CallKey]) -> HistoryEntry | None:
    shape = dict(entry.shape)
    left = [call for call in tool_calls(shape) if ("tool", _id_of(call)) not in unanswered]
    if left:
        shape["tool_calls"] = left
    else:
        shape.pop("tool_calls", None)
    function = shape.get("function_call")
    if isinstance(function, Mapping) and ("function", _hashable(function.get("name"))) in unanswered:
        del shape["function_call"]
    says = shape.get("content") or left or shape.get("function_call")
    return HistoryEntry(entry.index, shape, shape) if says else None


def _stretches(entries: Sequence[HistoryEntry], bonds: Mapping[int, int]) -> list[list[HistoryEntry]]:
    """Group messages that must be sent together: calls with their results, blocks with their messages."""
    stretches: list[list[HistoryEntry]] = []
    until = -1
    for number, entry in enumerate(entries):
        if stretches and (entry.index <= until or _is_beside(entries, number)):
            stretches[-1].append(entry)
        else:
            stretches.append([entry])
        until = max(until, bonds.get(entry.index, -1))
    return stretches


def _is_beside(entries: Sequence[HistoryEntry], number: int) -> bool:
    """Return whether a message goes with the one before it, because one of them is a block.

    A block belongs to the user's message before it, else to the one behind it.
    """
    before, here = entries[number - 1], entries[number]
    if here.is_block:
        return before.is_block or before.is_user or not _leads(entries, number)
    return before.is_block and here.is_user and _leads(entries, number - 1)


def _leads(entries: Sequence[HistoryEntry], number: int) -> bool:
    """Return whether the block at an index belongs to the user's message after it."""
    behind = next((entry for entry in entries[number:] if not entry.is_block), None)
    before = next((entry for entry in reversed(entries[:number]) if not entry.is_block), None)
    return behind is not None and behind.is_user and not (before is not None and before.is_user)


def _without_block(part: Any) -> Any:
    text = part.get("text") if isinstance(part, Mapping) else None
    if not isinstance(text, str) or (left := without_blocks(text)) == text:
        return part
    return {**part, "text": left} if left else None


def _mapping(index: int, message: Any) -> Mapping[str, Any]:
    if isinstance(message, Mapping):
        return message
    dump = getattr(message, "model_dump", None)
    shape = dump(exclude_none=True) if callable(dump) and not isinstance(message, type) else None
    if not isinstance(shape, Mapping):
        raise BadRequest(f"message {index + 1} of the history must be a mapping, not {type(message).__name__}")
    return shape


def _id_of(call: Any) -> Hashable:
    return _hashable(call.get("id")) if isinstance(call, Mapping) else None


def _hashable(value: Any) -> Hashable:
    return value if isinstance(value, (str, int)) else None
