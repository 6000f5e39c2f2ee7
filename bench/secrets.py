"""`python -m bench.secrets --messages FILE`: what redaction finds of secrets that were planted in messages.

A line is ``{"message", "secrets": [{"text", "kind"}]}``; the sets are in ``bench/secrets/sets``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from bench.harness import Figures, figure_lines
from palace.nlp.secrets import redact

SPLIT = "\u241f"
"""Stands within the secrets of the sets, so that nobody who scans the repository takes them for real ones; removed when
a file is read."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message and its secrets."""

    text: str
    secrets: tuple[tuple[str, str], ...]
    """Each as it stands in the message, and its kind."""


@dataclass(slots=True)
class Measured:
    """What was found in some messages."""

    messages: int = 0
    planted: int = 0
    found: int = 0
    of_right_kind: int = 0
    without: int = 0
    false: int = 0
    """Messages without any secret in which something was found."""
    extra: int = 0
    """Findings in messages with secrets that touch none of them."""
    characters: int = 0
    seconds: float = 0.0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def figures(self) -> Figures:
        """Give the figures as one object."""
        names = ("messages", "planted", "found", "of_right_kind", "without", "false", "extra")
        return {
            **{name: getattr(self, name) for name in names},
            "found_by_kind": dict(sorted(self.kinds.items())),
            "us_a_kilobyte": round(self.seconds * 1e6 / max(1.0, self.characters / 1000), 1),
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where the file cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        measured = measure(list(read_messages(options.messages)))
    except (OSError, ValueError) as error:
        print(f"bench.secrets: {error}", file=sys.stderr)
        return 1
    if options.missed:
        print(*(f"missed {each}" for each in measured.missed), sep="\n", file=sys.stderr)
        print(*(f"wrong  {each}" for each in measured.wrong), sep="\n", file=sys.stderr)
    found = measured.figures()
    print(json.dumps(found) if options.json else "\n".join(figure_lines(found)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.secrets", description=__doc__)
    parser.add_argument(
        "--messages", type=Path, required=True, metavar="FILE", help="lines of messages with their secrets"
    )
    parser.add_argument("--missed", action="store_true", help="print what was missed, and what was taken for a secret")
    parser.add_argument("--json", action="store_true", help="print one object")
    return parser


def read_messages(path: Path) -> Iterator[Message]:
    """Read a file of messages, one a line; ``ValueError`` names the line."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                read = json.loads(line.replace(SPLIT, "").replace("\\u241f", ""))
                secrets = tuple((each["text"], each.get("kind", "")) for each in read.get("secrets") or ())
                yield Message(read["message"], secrets)
            except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from error


def measure(messages: Sequence[Message]) -> Measured:
    """Redact each message; a secret is found when nothing of it is left where it stood."""
    measured = Measured()
    redact("")  # reads the rules, once a process
    for message in messages:
        began = process_time()
        findings = redact(message.text).findings
        measured.seconds += process_time() - began
        measured.messages += 1
        measured.characters += len(message.text)
        _count(measured, message, [(found.start, found.end, found.kind) for found in findings])
    return measured


def _count(measured: Measured, message: Message, found: list[tuple[int, int, str]]) -> None:
    text = message.text
    if not message.secrets:
        measured.without += 1
        measured.false += bool(found)
        measured.wrong += [f"{kind}: {text[start:end]!r} in {text!r}" for start, end, kind in found]
        return
    touched: set[int] = set()
    for secret, kind in message.secrets:
        measured.planted += 1
        start = text.find(secret)
        covering = [each for each in found if each[0] <= start and start + len(secret) <= each[1]]
        touched |= {each[0] for each in found if each[0] < start + len(secret) and start < each[1]}
        if start >= 0 and covering:
            measured.found += 1
            measured.of_right_kind += covering[0][2] == kind
            measured.kinds[kind] += 1
        else:
            measured.missed.append(f"{kind}: {secret!r} in {text!r}")
    beside = [each for each in found if each[0] not in touched]
    measured.extra += len(beside)
    measured.wrong += [f"{kind}: {text[start:end]!r} beside" for start, end, kind in beside]


if __name__ == "__main__":
    sys.exit(main())
