"""Mine a conversation, recall from it, and write what a model would be given; run from the repository's root.

PALACE_HOME=/tmp/palace-demo python examples/remember.py
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from palace import Palace

CONVERSATION = Path(__file__).with_name("efoil.json")


def main() -> None:
    """Show the verbs that most programs need."""
    with Palace.open() as palace:
        summary = palace.mine(CONVERSATION)
        print(f"{summary.drawers_new} new drawers, {summary.drawers_unchanged} known already\n")

        found = palace.recall("which battery wiring overheated?", top_k=2)
        for hit in found.hits:
            print(f"{hit.drawer.pointer}  {hit.drawer.closet_name}\n{hit.drawer.content}\n")

        holiday = palace.recall("where are we going on holiday?", since=datetime(2025, 5, 1, tzinfo=UTC))
        print(palace.context_block(holiday, token_budget=400))


if __name__ == "__main__":
    main()
