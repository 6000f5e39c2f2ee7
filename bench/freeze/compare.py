"""What differs between two freezes, item by item and figure by figure. Pure but for reading them."""

from __future__ import annotations

import json
import lzma
import tarfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from bench.metrics import Difference, paired_difference
from palace.errors import BadRequest

MANIFEST, ENDING = "freeze.json", ".jsonl"
TIMINGS = "timings"
"""A part that earlier freezes have; it is not compared."""
SHOWN = 5
"""Items that are named of each part, and values of each item."""
LONGEST = 160
ROUNDING = 1.5e-4
"""What two fractions may differ by: each is rounded to four digits, and sums of floats end in other last bits."""
MOST_ROUNDED = 0.1
"""The share of a part's items that may differ so; more have drifted. Figures are held to the last digit."""
UNREADABLE = (OSError, EOFError, KeyError, TypeError, ValueError, tarfile.TarError, lzma.LZMAError, zlib.error)
_MISSING = object()

Item = dict[str, Any]
Part = Mapping[str, Item]
"""Items by their ids."""


@dataclass(frozen=True, slots=True)
class Freeze:
    """What was written at one time."""

    name: str
    is_quick: bool
    parts: Mapping[str, Part]


@dataclass(frozen=True, slots=True)
class Figure:
    """The means of a score, over all items of a group that have it."""

    group: str
    name: str
    before: float
    after: float
    paired: Difference
    """Of the items that both have."""


@dataclass(slots=True)
class PartCompared:
    """What differs in one part."""

    items: int
    changed: dict[str, list[str]] = field(default_factory=dict)
    """Items by id, each with the values that differ."""
    only_before: list[str] = field(default_factory=list)
    only_after: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    """Those that differ."""
    rounded: int = 0
    """Items that differ in the last digit of a fraction alone."""

    @property
    def differs(self) -> bool:
        """Whether any item does by more than rounding, or too many by that."""
        has_drifted = self.rounded > max(1, MOST_ROUNDED * self.items)
        return bool(self.changed or self.only_before or self.only_after or self.figures or has_drifted)


@dataclass(frozen=True, slots=True)
class Compared:
    """What differs between two freezes."""

    names: tuple[str, str]
    parts: Mapping[str, PartCompared]
    only_in_one: tuple[str, ...]
    """Parts that one of them lacks."""

    @property
    def differs(self) -> bool:
        """Whether anything does."""
        return bool(self.only_in_one) or any(part.differs for part in self.parts.values())


def read_freeze(path: Path, parts: Collection[str] | None = None) -> Freeze:
    """Read a freeze, or some of its parts, from a folder or an archive of one.

    Raises:
        BadRequest: it is not there, or is none.
    """
    try:
        texts = dict(_archived(path) if path.is_file() else _in_folder(path))
        is_quick = bool(json.loads(texts.pop(MANIFEST))["quick"])
        read = {name.removesuffix(ENDING): _items(text) for name, text in sorted(texts.items())}
    except UNREADABLE as problem:
        raise BadRequest(f"{path} is no freeze: {problem!r}") from problem
    if absent := sorted(set(parts or ()) - read.keys()):
        raise BadRequest(f"{path} holds no {', '.join(absent)}")
    return Freeze(path.name, is_quick, {name: items for name, items in read.items() if not parts or name in parts})


def _in_folder(folder: Path) -> Iterator[tuple[str, str]]:
    for path in (folder / MANIFEST, *folder.glob(f"*{ENDING}")):
        yield path.name, path.read_text(encoding="utf-8")


def _archived(path: Path) -> Iterator[tuple[str, str]]:
    with tarfile.open(path) as archive:
        names = [Path(member.name) for member in archive if member.isfile()]
        if len({name.parent for name in names}) > 1:
            raise ValueError("it holds files of more than one folder")
        for name in names:
            if name.name == MANIFEST or name.suffix == ENDING:
                yield name.name, cast("IO[bytes]", archive.extractfile(name.as_posix())).read().decode("utf-8")


def _items(text: str) -> Part:
    items = [json.loads(line) for line in text.removesuffix("\n").split("\n") if line]
    if not all(isinstance(item["id"], str) and isinstance(item.get("scores", {}), dict) for item in items):
        raise ValueError("an item is no object with a text for its id")
    twice = [name for name, count in Counter(item["id"] for item in items).items() if count > 1]
    if twice:
        raise ValueError(f"{twice[0]} is there twice")
    return {item["id"]: item for item in items}


def compare(before: Freeze, after: Freeze) -> Compared:
    """Compare two freezes of one size.

    Raises:
        BadRequest: one is quick and the other is not, or they share no item to compare.
    """
    if before.is_quick is not after.is_quick:
        raise BadRequest("one freeze is quick and the other is not: they hold different questions")
    shared = [name for name in before.parts if name in after.parts and name != TIMINGS]
    if not any(before.parts[name] or after.parts[name] for name in shared):
        raise BadRequest("the two freezes share nothing that is judged")
    lacking = (before.parts.keys() ^ after.parts.keys()) - {TIMINGS}
    return Compared(
        (before.name, after.name),
        {name: compare_part(before.parts[name], after.parts[name]) for name in shared},
        tuple(sorted(lacking)),
    )


def compare_part(before: Part, after: Part) -> PartCompared:
    """Compare one part: its items by id, whatever their order, and the figures of their scores."""
    shared = [name for name in before if name in after]
    told = {name: list(differences(before[name], after[name])) for name in shared}
    return PartCompared(
        len(shared),
        {name: values for name, values in told.items() if values},
        [name for name in before if name not in after],
        [name for name in after if name not in before],
        list(_figures(before, after)),
        sum(before[name] != after[name] and not values for name, values in told.items()),
    )


def differences(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Say where two values of JSON differ; of lists of texts, what only one of them has."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            inner = f"{where}.{name}" if where else name
            yield from differences(before.get(name, _MISSING), after.get(name, _MISSING), inner)
    elif _are_texts(before) and _are_texts(after) and sorted(before) != sorted(after):
        lost, gained = Counter(before) - Counter(after), Counter(after) - Counter(before)
        yield from (f"{where} - {_short(each)}" for each in lost.elements())
        yield from (f"{where} + {_short(each)}" for each in gained.elements())
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif (before != after or isinstance(before, bool) is not isinstance(after, bool)) and not _are_one_rounded(
        before, after
    ):
        yield f"{where}: {_short(before)} → {_short(after)}"


def _are_one_rounded(before: Any, after: Any) -> bool:
    return isinstance(before, float) and isinstance(after, float) and abs(before - after) <= ROUNDING


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _short(value: Any) -> str:
    if value is _MISSING:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _figures(before: Part, after: Part) -> Iterator[Figure]:
    groups = dict.fromkeys(("", *(item.get("of", "") for item in (*before.values(), *after.values()))))
    for group in groups:
        one, other = (_scored(part, group) for part in (before, after))
        for name in dict.fromkeys((*one, *other)):
            scores = one.get(name, {}), other.get(name, {})
            if scores[0] != scores[1]:
                both = [each for each in scores[0] if each in scores[1]]
                paired = paired_difference(*([side[each] for each in both] for side in scores))
                yield Figure(group, name, _mean(scores[0]), _mean(scores[1]), paired)


def _scored(part: Part, group: str) -> dict[str, dict[str, float]]:
    """Give the scores by name and item, of one group or, for "", of all items."""
    found: dict[str, dict[str, float]] = {}
    for name, item in part.items():
        if group in ("", item.get("of", "")):
            for figure, value in item.get("scores", {}).items():
                found.setdefault(figure, {})[name] = value
    return found


def _mean(scores: Mapping[str, float]) -> float:
    return sum(scores.values()) / len(scores) if scores else 0.0


def report(compared: Compared) -> str:
    """Write what differs to be read: a line for each part, then its figures and some of its items."""
    lines = [f"{compared.names[0]} → {compared.names[1]}"]
    lines += [f"{part}: only in one of them" for part in compared.only_in_one]
    for name, part in compared.parts.items():
        lines += _part_lines(name, part)
    return "\n".join(lines)


def _part_lines(name: str, part: PartCompared) -> Iterator[str]:
    rounded = f", {part.rounded:,} in the last digit" if part.rounded else ""
    if not part.differs:
        yield f"{name}: {part.items:,} items, no difference{rounded}"
        return
    yield f"{name}: {len(part.changed):,} of {part.items:,} items differ{rounded}"
    for side, ids in (("before", part.only_before), ("after", part.only_after)):
        if ids:
            yield f"  only {side}: {_listed(ids)}"
    yield from (f"  {_figure_line(figure)}" for figure in part.figures)
    for item, values in list(part.changed.items())[:SHOWN]:
        yield f"  {item}"
        yield from (f"    {value}" for value in values[:SHOWN])
        if len(values) > SHOWN:
            yield f"    … {len(values) - SHOWN:,} more"
    if len(part.changed) > SHOWN:
        yield f"  … {_listed(list(part.changed)[SHOWN:])}"


def _figure_line(figure: Figure) -> str:
    paired, (low, high) = figure.paired, figure.paired.interval
    return (
        f"{figure.group + ': ' if figure.group else ''}{figure.name} {figure.before:.4f} → {figure.after:.4f}, "
        f"paired {paired.mean:+.4f} ({low:+.4f} to {high:+.4f}), {paired.better} better, {paired.worse} worse"
    )


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (f" and {len(ids) - SHOWN:,} more" if len(ids) > SHOWN else "")
