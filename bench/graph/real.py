"""Claims read from real chats, held against what a person judged of each; the labels hold no text of the chats."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from palace import BadRequest, Role
from palace.mining.extraction.rules import read_by_rules
from palace.models.claims import SELF, Claim, Said

LABELS = Path(__file__).parent / "sets" / "real" / "labels.tsv"
"""A line each: session, turn, first and last character, predicate, digest, right or wrong, and why."""
SAID_AT = datetime(2025, 5, 14, 10, tzinfo=UTC)
"""The chats do not say when they were held."""


def score(sessions: Path, most: int) -> tuple[dict[str, Any], list[str]]:
    """Judge what is claimed in the first ``most`` sessions; the lines are the claims without a label."""
    labels = dict(_labels())
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    unlabelled = []
    for session in drawn(sessions, most):
        said = [Said(turn["content"], Role(turn["role"]), None, SAID_AT) for turn in session["turns"]]
        for turn, (message, reading) in enumerate(zip(said, read_by_rules(said, (), UTC), strict=True)):
            for claim in filter(_is_shown, reading.claims):
                key = (session["session_id"], turn, digest(claim))
                counts[labels.get(key, "unlabelled")] += 1
                wrong[claim.predicate] += labels.get(key) == "wrong"
                if key not in labels:
                    unlabelled.append(_line(key, claim, message.content))
    share = counts["right"] / max(1, counts["right"] + counts["wrong"])
    return {"sessions": most, **counts, "right_share": round(share, 4), "wrong_by": dict(+wrong)}, unlabelled


def drawn(sessions: Path, most: int) -> list[dict[str, Any]]:
    """Draw sessions, the same ones each time."""
    with gzip.open(sessions, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return sorted(found, key=lambda each: hashlib.sha256(f"36 {each['session_id']}".encode()).digest())[:most]


def _is_shown(claim: Claim) -> bool:
    """Leave out what a noun stands for in its conversation alone: "the park" is another name there, and no relation."""
    return claim.predicate != "called" or claim.subject.startswith((SELF, "my ")) or "'s " in claim.subject


def digest(claim: Claim) -> str:
    """Write a claim, but not where it stands and when it was so, in twelve letters."""
    written = "\t".join((claim.subject, claim.predicate, claim.object, claim.action.value))
    return hashlib.sha256(written.encode()).hexdigest()[:12]


def _labels() -> Iterator[tuple[tuple[str, int, str], str]]:
    for number, line in enumerate(LABELS.read_text(encoding="utf-8").splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != 8 or cells[6] not in ("right", "wrong"):
            raise BadRequest(f"{LABELS}, line {number}, is no label")
        yield (cells[0], int(cells[1]), cells[5]), cells[6]


def _line(key: tuple[str, int, str], claim: Claim, content: str) -> str:
    place = "\t".join((key[0], str(key[1]), str(claim.start), str(claim.end), claim.predicate, key[2]))
    said = " ".join(content[max(0, claim.start - 40) : claim.end + 40].split())
    return f"{place}\t?\t{claim.subject} | {claim.predicate} | {claim.object} | {claim.action} << {said}"
