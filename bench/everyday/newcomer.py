"""`python -m bench.everyday.newcomer`: mine a year of one person's files, and look at what somebody new would look at.

The year is a diary, notes, chats, mails and talks with an assistant; beside it stand its names, what changed in it and
what is coming up. The odd ones of each are apart from those to develop with.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.everyday.sets import FOLDER
from bench.harness import Figures, home_settings
from bench.retrieval.embeddings import KeptEmbeddings
from palace import Entity, Palace, Palaces, Recent
from palace.ai.embedders.registry import embedder_for

TITLES = {"dr", "mr", "mrs", "the"}
MOST = 500
"""More than what is coming up in the whole year."""
Named = tuple[str, list[str]]
"""A name, and the types that it may have."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of both halves as JSON lines."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday.newcomer", description=__doc__)
    parser.add_argument("--embeddings", type=Path, help="a folder where embeddings are kept from one run to the next")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only the even ones of each, or only the odd ones")
    parser.add_argument("--missed", action="store_true", help="list what came out wrong")
    options = parser.parse_args(arguments)
    expected = json.loads((FOLDER / "newcomer" / "expected.json").read_text(encoding="utf-8"))
    with home_settings(user="newcomer", worker_starts=False, server_idle_minutes=1, timezone="UTC") as settings:
        folder = options.embeddings or settings.home_folder.parent
        embedder = KeptEmbeddings(embedder_for(settings.embedding_model, settings), folder)
        with Palaces.open(settings, embedder=embedder) as palaces:
            palace = palaces.palace(settings.user, person=expected["person"])
            mined = palace.mine(FOLDER / "newcomer" / "sources")
            print(json.dumps({"drawers": mined.drawers_new, "failures": [each.message for each in mined.failures]}))
            for half in (0, 1) if options.half is None else (options.half,):
                for figures, missed in _measure(palace, expected, half):
                    print(json.dumps({"half": half, **figures}), *missed if options.missed else (), sep="\n    ")
        embedder.save()
    return 0


def _measure(palace: Palace, expected: dict[str, Any], half: int) -> Iterator[tuple[Figures, list[str]]]:
    """Give the figures of names, of what changed and of what is coming, each with lines about what came out wrong."""
    now = datetime.fromisoformat(expected["asked_at"])
    yield _names(palace.entities.list(limit=None), expected["names"][half::2], expected["not_names"][half::2])
    yield _changed(palace, expected["changed"][half::2], now)
    yield _recent(palace.recent(limit=MOST, now=now), palace.recent(now=now), expected, half)


def _names(entities: Sequence[Entity], names: list[Named], others: list[str]) -> tuple[Figures, list[str]]:
    types = {_folded(name): entity.type.value for entity in reversed(entities) for name in entity.aliases}
    types |= {_folded(entity.name): entity.type.value for entity in reversed(entities)}
    found = [(name, types.get(_folded(name)), right) for name, right in names]
    missing = [f"missing: {name}" for name, type, _ in found if type is None]
    wrong = [f"{name}: {type}, not {right}" for name, type, right in found if type not in (None, "unknown", *right)]
    shown = [f"no name: {name}" for name in others if _folded(name) in types]
    figures = {"names": len(names), "missing": len(missing), "wrong_type": len(wrong)}
    return {**figures, "no_names": len(others), "no_names_shown": len(shown)}, [*missing, *wrong, *shown]


def _folded(name: str) -> str:
    words = name.casefold().replace(".", "").split()
    return " ".join(words[1:] if words[0] in TITLES and len(words) > 1 else words)


def _changed(palace: Palace, changed: list[dict[str, Any]], now: datetime) -> tuple[Figures, list[str]]:
    places, missed = [], []
    for each in changed:
        hits = [_plain(hit.drawer.content) for hit in palace.recall(each["question"], now=now).hits]
        present = _place([each["now"]["text"], *each.get("also", [])], hits)
        places.append((present, _place([each["before"]["text"]], hits)))
        if present != 1:
            missed.append(f"{each['question']} {places[-1]}: {(hits or ['nothing'])[0][:150]}")
    figures = {
        "changed": len(places),
        "now_first": sum(present == 1 for present, _ in places),
        "now_in_five": sum((present or MOST) <= 5 for present, _ in places),
        "before_in_front": sum((before or MOST) < (present or MOST) for present, before in places),
    }
    return figures, missed


def _place(texts: Sequence[str], hits: Sequence[str]) -> int | None:
    return next((place for place, hit in enumerate(hits, 1) if any(_plain(text) in hit for text in texts)), None)


def _recent(recent: Recent, page: Recent, expected: dict[str, Any], half: int) -> tuple[Figures, list[str]]:
    """Count what is coming up, of all that is shown; and on the page that is shown unless more is asked for."""
    shown, first = _days(recent), _days(page)
    ahead = [each["text"] for each in expected["coming"]]
    right = {each["text"]: each["day"] for each in expected["coming"][half::2]}
    old = [each["before"]["text"] for each in expected["changed"][half::2]]
    decoys = [each["text"] for each in expected["decoys"][half::2]]
    days = {text: [day for said, day in shown if _is_same(said, text)] for text in (*right, *old, *decoys)}
    figures = {
        "coming": len(right),
        "shown": sum(bool(days[text]) for text in right),
        "on_its_day": sum(day in days[text] for text, day in right.items()),
        "old_shown": sum(bool(days[text]) for text in old),
        "decoys": len(decoys),
        "decoys_shown": sum(bool(days[text]) for text in decoys),
        "all_shown": len(shown),
        "first_page": len(first),
        "right_on_first_page": sum(any(_is_same(said, text) for text in ahead) for said, _ in first),
    }
    wrong = [f"not shown on {day} but {days[text]}: {text}" for text, day in right.items() if day not in days[text]]
    known = [*ahead, *(each["text"] for each in expected["decoys"]), *old]
    others = [f"other: {said}" for said, _ in shown if not any(_is_same(said, text) for text in known)]
    return figures, [*wrong, *(f"shown: {text}" for text in (*old, *decoys) if days[text]), *others]


def _days(recent: Recent) -> list[tuple[str, str]]:
    """List the sentences that are coming up, each with its day."""
    return [
        (_plain(item.drawer.content[slice(*item.sentence)]), f"{item.due.start:%Y-%m-%d}")
        for item in recent.coming
        if item.due is not None
    ]


def _is_same(said: str, text: str) -> bool:
    return said in _plain(text) or _plain(text) in said


def _plain(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    raise SystemExit(main())
