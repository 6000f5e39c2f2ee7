"""What a stranger tries with each command; ``{…}`` is filled in from a guess."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from palace_cli.app import app

COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "mine": (
        ("{source}", "--dry-run"),
        ("{source}", "--wing", "{wing}", "--exclude", "{query}"),
        ("{source}", "--wing", "{number}", "--restore-forgotten", "--keep-secrets"),
        ("{wing}",),
        ("{source}", "--background"),
    ),
    "note": (
        ("Bees hum.", "--wing", "{wing}"),
        ("Bees dance.", "--wing", "{number}", "--said-at", "2026-01-01"),
        ("{secret}", "--id", "{query}", "--keep-secrets"),
    ),
    "recall": (
        ("{query}",),
        ("{query}", "--format", "block"),
        ("{query}", "--order", "time"),
        ("{query}", "--verbose", "--color", "--floor", "none"),
        ("{query}", "--now", "2000-01-01", "--rerank"),
        ("{query}", "--role", "user", "--speaker", "{query}"),
        ("{query}", "--language", "en"),
        ("{secret}", "--top-k", "50", "--since", "2000-01-01", "--until", "2100-01-01", "--tools", "--context", "9"),
        ("bees", "--wing", "{wing}"),
        ("{query}", "--agent", "{former_wing}"),
        ("bees", "--wing", "{former_wing}"),
        ("bees", "--wing", "{number}"),
    ),
    "recent": (
        (),
        ("--days", "30000", "--limit", "1000", "--now", "2080-01-01"),
        ("--since", "2000-01-01", "--budget", "100000"),
        ("--since", "2000-01-01", "--block"),
        ("--wing", "{wing}"),
        ("--wing", "{former_wing}"),
        ("--wing", "{number}"),
    ),
    "ls": (
        (),
        ("{wing}",),
        ("{number}",),
        ("{former_number}",),
        ("{room}", "--limit", "5", "--offset", "0"),
        ("{room}", "--since", "2000-01-01", "--until", "2100-01-01"),
        ("{former_room}",),
    ),
    "show": (("{pointer}",), ("{room}",), ("{pointer}", "--raw"), ("{former_pointer}", "--context", "9")),
    "relations": (
        (),
        ("{former_wing}",),
        ("--about", "{query}", "--limit", "1000"),
        ("I", "--as-of", "2000-01-01", "--believed", "2100-01-01"),
    ),
    "timeline": (("{former_wing}",), ("me", "--limit", "1", "--about", "{query}")),
    "graph": (
        ("{former_wing}", "--past"),
        ("I", "--hops", "5", "--as-of", "2100-01-01", "--limit", "1000", "--format", "svg"),
    ),
    "status": ((), ("--svg", "-")),
    "move": (
        ("--suggest", "--limit", "1000"),
        ("{room}", "Bees"),
        ("{former_number}", "Bees"),
        ("{wing}", "Bees"),
        ("W-001/R-01", "{number}", "--create"),
        ("W-001/R-01", "{wing}", "--create"),
    ),
    "rename": (("{room}", "Mine"), ("{wing}", "Mine"), ("{former_number}", "Mine"), ("Bees", "{wing}")),
    "forget": (
        ("{pointer}", "--yes"),
        ("{pointer}", "--conversation", "--yes"),
        ("{room}", "--closet", "{closet}", "--yes"),
        ("W-001/R-01", "--closet", "{closet}", "--yes"),
        ("{former_room}", "--dry-run"),
        ("{wing}", "--yes"),
        ("{former_number}", "--yes"),
        ("{pointer}", "--now", "--yes"),
        ("--list",),
        ("--everything", "--dry-run"),
        ("--everything", "--yes"),
    ),
    "restore": (("{pointer}",), ("{room}",), ("{wing}",), ("{number}",)),
    "runs": (("--limit", "1000"),),
    # A worker works for everybody who has jobs: what a stranger may have of it is to be told that this is no call.
    "worker": (
        ("--once", "--until-empty", "--log-level", "debug", "--log-json"),
        ("--once", "--until-empty", "--watch", "{source}", "--wing", "{wing}", "--exclude", "x", "--keep-secrets"),
        ("--install", "--uninstall"),
    ),
    # Whatever a stranger's agent sends, or says that it is: there is no such user, so there is nothing.
    "hook": (
        ("prompt",),
        ("session-start", "--harness", "codex"),
        ("stop", "--harness", "claude-code"),
        ("why", "{query}?", "--folder", "/tmp"),
    ),
    # It speaks a protocol, which tests of its own try: here a stranger is told that this is no call.
    "mcp": (
        ("--http", "--no-token", "--show-token", "--port", "9", "--profile", "full", "--timeout", "5"),
        ("--no-token", "--show-token", "--wing", "{wing}", "--agent", "{former_wing}"),
        ("--no-token", "--show-token", "--log-level", "debug", "--log-json"),
    ),
    # It is for a terminal alone: a stranger is told that, wherever they want to begin.
    "browse": ((), ("{pointer}",), ("{former_number}",)),
    "chat": (
        (),
        ("--session", "{wing}", "--agent", "{former_wing}"),
        (
            "--session",
            "cinnabar",
            "--model",
            "nobody/at-all",
            "--api-base",
            "http://127.0.0.1:9",
            "--system",
            "{query}",
        ),
        ("--working-memory", "none"),
    ),
    # It is about files of whoever runs this, which are to stay: what would write to them is refused.
    "connect": (
        (),
        ("vscode",),
        ("vscode", "--undo", "--mine"),
        ("--project", "--yes"),
        ("vscode", "--wing", "{wing}"),
    ),
    "outbox list": ((),),
    "projects list": ((),),
    "projects wing": (("{former_wing}", "{wing}"), ("/tmp", "{number}", "--create")),
    "projects allow": (("{former_wing}", "{wing}", "--source", "mail"), ("/tmp", "{number}")),
    "projects deny": (("{former_wing}", "{wing}", "--source", "mail"),),
    "projects drop": (("{former_wing}",),),
    "outbox flush": ((),),
    "outbox discard": (("--refused", "--yes"), ("--yes",)),
    "jobs list": ((), ("--limit", "1000"), ("--state", "waiting")),
    "jobs show": (("{job_id}",),),
    "jobs retry": (("{job_id}",),),
    "jobs cancel": (("{job_id}",),),
    "jobs enqueue": ((),),
    "undo": (("{run_id}", "--yes"), ("{run_id}", "--cascade", "--yes"), ("{run_id}", "--dry-run")),
    "export": (
        ("-",),
        ("-", "--wing", "{wing}"),
        ("-", "--wing", "{former_number}"),
        ("{source}",),
        ("-", "--settings"),
        ("--format", "markdown", "--to", "{folder}/stolen-pages"),
        ("--format", "html", "--to", "{folder}/stolen-leaves", "--wing", "{wing}"),
    ),
    "import": (("{export}",), ("{source}",), ("{export}", "--settings")),
    "activity": ((), ("--limit", "1000", "--since", "2000-01-01"), ("--kind", "mined")),
    "scrub": (("--wing", "{wing}"), ("--wing", "{former_number}", "--dry-run"), ()),
    "rebuild": (("--wing", "{wing}"), ("--wing", "{former_number}"), (), ("--extraction", "--wing", "{wing}", "--yes")),
    "costs": ((), ("--since", "2000-01-01"), ("--by", "conversation"), ("--by", "source"), ("--by", "day")),
    "doctor": ((),),
    "embeddings status": ((),),
    "embeddings backfill": ((),),
    "embeddings switch": (("bundled/all-MiniLM-L6-v2", "--dimension", "384"),),
    "embeddings fetch": (("bundled/all-MiniLM-L6-v2",),),
    "settings get": (("rerank_model", "--agent", "{former_wing}"),),
    "settings set": (("rerank_model", "planted", "--agent", "{former_wing}"), ("top_k", "5")),
    "settings reset": (("--all", "--agent", "{former_wing}"), ("top_k",)),
    "settings explain": (("rerank_model", "--agent", "{former_wing}"),),
    "entities find": (("{former_wing}",), ("I",)),
    "entities merge": (("{former_wing}", "I", "--yes"), ("I", "{former_wing}", "--yes")),
    "entities split": (
        ("{former_wing}",),
        ("{former_wing}", "--wing", "{wing}"),
        ("I", "--conversation", "{room}", "--to", "Mine"),
        ("I", "--wing", "{former_number}"),
        ("I", "--from", "{former_wing}"),
    ),
    "entities rename": (("{former_wing}", "Mine"), ("I", "{former_wing}")),
    "entities undo": (("1",), ("2",)),
    "entities decisions": (("--limit", "1000"),),
    "entities suggest": (("--limit", "1000"),),
    "db start": ((),),
    "db stop": ((),),
    "db status": ((),),
    "db url": ((), ("--owner",)),
    "db upgrade": ((),),
    "db backup": (("{source}",), ("{folder}/stolen.backup",)),
    "db restore": (("{export}",),),
}

NEITHER_ANSWERS_NOR_ASKS = {
    "--user",
    "--json",
    "--help",
    "--force",
    "--version",
    "--new-user",
    "--name",
    "--dates",
    "--encoding",
}


def iter_commands(command: Any = None, path: str = "") -> Iterator[tuple[str, Any]]:
    """Give each command by the words that call it."""
    command = command or get_command(app)
    parts: dict[str, Any] = getattr(command, "commands", {})
    if not parts:
        yield path, command
    for name, part in parts.items():
        yield from iter_commands(part, f"{path} {name}".strip())


def untried(path: str, command: Any) -> list[str]:
    """List the options of a command that no attempt uses."""
    tried = {word for attempt in COMMANDS[path] for word in attempt}
    options = [parameter.opts for parameter in command.params if parameter.opts[0].startswith("-")]
    return [names[0] for names in options if not tried & set(names) and names[0] not in NEITHER_ANSWERS_NOR_ASKS]
