"""What a stranger tries with each command; ``{…}`` is filled in from a guess."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from palace_cli.app import app

COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "recall": (
        ("{query}",),
        ("{secret}", "--since", "2000-01-01", "--tools", "--context", "9"),
        ("bees", "--wing", "{wing}"),
    ),
    "answer": (("{query}",), ("bees", "--wing", "{wing}")),
    "work here": (("/tmp",),),
    "recent": (("--since", "2000-01-01", "--block"), ("--wing", "{former_wing}")),
    "about": (("--past", "--limit", "1000"), ("{former_wing}",)),
    "ls": (("{wing}",), ("{former_room}", "--limit", "5")),
    "show": (("{pointer}",), ("{former_pointer}", "--context", "9")),
    "relations": (("--about", "{query}", "--limit", "1000"), ("reject", "{former_wing}", "is", "1")),
    "timeline": (("{former_wing}",),),
    "graph": (("{former_wing}", "--past"),),
    "status": ((),),
    "runs": (("--limit", "1000"),),
    "activity": (("--limit", "1000", "--since", "2000-01-01"),),
    "costs": (("--by", "conversation"), ("--by", "source")),
    "doctor": ((),),
    "export": (
        ("-", "--wing", "{wing}"),
        ("-", "--settings"),
        ("--format", "html", "--to", "{folder}/stolen-leaves", "--wing", "{wing}"),
        ("--format", "markdown", "{folder}/stolen-pages"),
    ),
    "outbox list": ((),),
    "outbox flush": ((),),
    "outbox discard": (("--refused", "--yes"),),
    "projects list": ((),),
    "jobs list": (("--limit", "1000"),),
    "jobs show": (("{job_id}",),),
    "jobs retry": (("{job_id}",),),
    "jobs cancel": (("{job_id}",),),
    "jobs enqueue": ((),),
    "keys list": ((),),
    "keys grants": ((),),
    "keys revoke": (("{key_id}",),),
    "keys revoke-grant": (("{grant_id}",),),
    "keys rotate": (("{key_id}",),),
    "keys log": (("--limit", "1000"),),
    "keys create": (("mine", "--wing", "{wing}"),),
    "memories list": (("--wing", "{wing}"), ("--state", "accepted", "--limit", "10000")),
    "memories show": (("{pointer}",), ("{former_pointer}",)),
    "memories versions": (("{pointer}",),),
    "memories accept": (("{pointer}",),),
    "memories reject": (("{pointer}", "--reason", "{query}"),),
    "memories pin": (("{pointer}",),),
    "memories unpin": (("{pointer}",),),
    "memories update": (("{pointer}", "Bees hum."),),
    "memories make": (("{pointer}",), ("--wing", "{wing}")),
    "memories conflicts": ((),),
    "memories resolve": (("{pointer}",),),
    "memories consolidate": (("{pointer}", "{former_pointer}"),),
    "memories reflect": ((),),
    "memories forget": (("{pointer}", "--yes"), ("--wing", "{wing}", "--yes"), ("--type", "semantic", "--dry-run")),
    "memories sweep": ((),),
    "eval capture": (("on",),),
    "eval replay": (("--limit", "1000"),),
    "eval clear": ((),),
    "impact": (("--limit", "10000"), ("--wing", "{wing}")),
    "embeddings status": ((),),
    "embeddings backfill": ((),),
    "embeddings switch": (("bundled/all-MiniLM-L6-v2", "--dimension", "384"),),
    "embeddings fetch": (("bundled/all-MiniLM-L6-v2",),),
    "settings get": (("rerank_model", "--agent", "{former_wing}"),),
    "settings explain": (("rerank_model", "--agent", "{former_wing}"),),
    "entities find": (("{former_wing}",),),
    "entities undo": (("1",),),
    "entities decisions": (("--limit", "1000"),),
    "entities suggest": (("--limit", "1000"),),
    # A worker works for everybody who has jobs: what a stranger may have of it is to be told that this is no call.
    "worker": (("--once", "--watch", "{source}", "--wing", "{wing}", "--exclude", "x", "--keep-secrets"),),
    # Whatever a stranger's agent sends, or says that it is: there is no such user, so there is nothing.
    "hook": (("session-start", "--harness", "codex"), ("why", "{query}?", "--folder", "/tmp")),
    # It speaks a protocol, which tests of its own try: here a stranger is told that this is no call.
    "mcp": (("--no-token", "--show-token", "--wing", "{wing}", "--agent", "{former_wing}"),),
    # It serves until it is ended, which tests of its own try: here a stranger is told that this is no call.
    "serve": (("--socket", "{folder}/x.sock", "--port", "1", "--rate", "1", "--allow-host", "{wing}"),),
    # It is for a terminal alone: a stranger is told that, wherever they want to begin.
    "browse": (("{pointer}",),),
    "chat": (("--session", "{wing}", "--agent", "{former_wing}"),),
    # It is about files of whoever runs this, which are to stay: what would write to them is refused.
    "connect": (("vscode", "--wing", "{wing}"),),
    "db start": ((),),
    "db stop": ((),),
    "db status": ((),),
    "db url": (("--owner",),),
    "db upgrade": ((),),
    "db backup": (("{folder}/stolen.backup",),),
    "db restore": (("{export}",),),
}
"""Those that leave nothing of the stranger's own: one of them tries them all."""
LASTING: dict[str, tuple[tuple[str, ...], ...]] = {
    "mine": (("{source}", "--wing", "{wing}", "--exclude", "{query}"), ("{source}", "--background")),
    "note": (
        ("{secret}", "--id", "{query}", "--keep-secrets"),
        ("Bees dance.", "--wing", "{number}"),
        ("Bees hum.", "--type", "semantic", "--evidence", "{pointer}", "--importance", "1"),
    ),
    "move": (("{room}", "Bees"), ("W-001/R-01", "{wing}", "--create")),
    "rename": (("{wing}", "Mine"), ("Bees", "{wing}")),
    "forget": (
        ("{room}", "--closet", "{closet}", "--yes"),
        ("{pointer}", "--conversation", "--yes"),
        ("{wing}", "--now", "--yes"),
        ("--list",),
        ("--everything", "--yes"),
    ),
    "restore": (("{pointer}",), ("{wing}",)),
    "undo": (("{run_id}", "--cascade", "--yes"),),
    "import": (("{export}", "--settings"),),
    "sync": (("--status",), ("{folder}",)),
    "scrub": (("--wing", "{wing}"), ()),
    "rebuild": (("--extraction", "--wing", "{wing}", "--yes"), ()),
    "projects wing": (("{former_wing}", "{wing}"),),
    "projects allow": (("{former_wing}", "{wing}", "--source", "mail"),),
    "projects deny": (("{former_wing}", "{wing}", "--source", "mail"),),
    "projects drop": (("{former_wing}",),),
    "settings set": (("rerank_model", "planted", "--agent", "{former_wing}"),),
    "settings reset": (("--all", "--agent", "{former_wing}"),),
    "entities merge": (("{former_wing}", "I", "--yes"),),
    "entities split": (("{former_wing}", "--wing", "{wing}"),),
    "entities rename": (("{former_wing}", "Mine"),),
}
"""Those that do, which what is tried next would tell: another stranger is sent then."""


def iter_commands(command: Any = None, path: str = "") -> Iterator[tuple[str, Any]]:
    """Give each command by the words that call it."""
    command = command or get_command(app)
    parts: dict[str, Any] = getattr(command, "commands", {})
    if not parts:
        yield path, command
    for name, part in parts.items():
        yield from iter_commands(part, f"{path} {name}".strip())
