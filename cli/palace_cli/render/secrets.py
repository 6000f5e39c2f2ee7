"""Secrets that were taken out: how many of which kind and where, and never what they were."""

from __future__ import annotations

from collections.abc import Sequence

from palace.records import Kinds, SecretsFound
from palace_cli.render.figures import count
from palace_cli.render.visible import one_line

MOST_PLACES = 10
"""So many messages are named; ``--json`` has all."""


def kinds(secrets: Kinds) -> str:
    """Write how many there are of each kind: "2 passwords, 1 key"."""
    return ", ".join(count(number, kind) for kind, number in secrets)


def places(found: Sequence[SecretsFound]) -> list[str]:
    """Write where they were, a line for each message; of many the first."""
    lines = [f"{one_line(each.where)}: {kinds(each.kinds)}" for each in found[:MOST_PLACES]]
    more = len(found) - len(lines)
    return [*lines, f"… and {more:,} more messages (--json has them)"] if more else lines
