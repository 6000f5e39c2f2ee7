"""What pages tell a person to do and the tests cannot, with the reason; and what a page tells will be refused."""

from __future__ import annotations

import re

NEVER_RUN: dict[str, str] = {
    r"python3 -m venv |(\S+/)?pip install ": "it installs from the network",
    r"git clone |cd palace$": "the address is whatever a person has it from",
    r"make ": "it makes an environment and runs the tests: itself, or rewrites what is in the repository",
    r"export (ANTHROPIC|OPENAI)_API_KEY=": "a provider's key is a person's own",
    r"\.venv/bin/python -m bench\.": "it measures for minutes to hours, or on files that are downloaded",
    r"palace browse": "it draws on a terminal; tests/tui presses its keys",
    r"palace mcp |palace worker --watch ~/.claude/projects$": "it goes on until it is ended; tests of its own do that",
    r"claude mcp add": "the client is a program of somebody else's",
    r".*[ ']hf:": "it fetches from the network",
    r"export PALACE_(ADMIN|OWNER|APP)_PASSWORD=": "the server has its passwords already",
    r"docker compose |createdb |PALACE_OWNER_PASSWORD=": "tests/hosts prepares the server that the page is tried on",
}
"""Commands of any page, as patterns, each with why no test runs it; that it can be called so is tried all the same."""

_NOTHING_HIDDEN = "nothing is forgotten in the palace of a line; tests/changes does it"
_PUBLISHED = "the exports it was tried on are not in the repository"

NOT_RUN: dict[str, dict[str, str]] = {
    "docs/changing.md": {"palace restore W-001/R-02/D-003": _NOTHING_HIDDEN},
    "docs/cli.md": {
        **dict.fromkeys(
            (
                'palace projects deny ~/work/api "Old project"',
                "palace projects deny ~/work/api --source tools",
                "palace projects drop ~/work/api",
            ),
            "nothing was allowed in the palace of a line; tests/projects does it",
        ),
        "palace embeddings switch openai/text-embedding-3-small --dimension 512": "a provider's key is a person's own",
        "palace graph efoil --format dot | dot -Tpdf > efoil.pdf": "it needs Graphviz",
        "palace restore W-001/R-02": _NOTHING_HIDDEN,
        'palace restore "§ W-001/R-03/D-002"': _NOTHING_HIDDEN,
        "palace db start": "it is about an embedded server; a test of its own runs it",
        "palace db stop": "it is about an embedded server; a test of its own runs it",
        "palace db restore today.backup": "the page's palace is not empty; docs/backup.md restores into one that is",
        "palace rebuild --extraction": "a model is a person's own to name; tests/extraction runs it",
    },
    "docs/models.md": {"palace embeddings switch local:/srv/models/e5-small-v2": "the model is a person's own"},
    "docs/transcripts.md": dict.fromkeys(
        (
            "palace mine takeout.mbox saved",
            'palace recall "what broke at the mast?" --top-k 1',
            "palace mine chatgpt_conversations.json",
            "palace mine .",
            "palace ls",
            'palace recall "How do I fix the failing authentication test?" --top-k 2',
            'palace recall "what did they say about the sailor?" --top-k 1',
            'palace recall "What was the first issue I had with my new car after its first service?" --top-k 3',
        ),
        _PUBLISHED,
    ),
}
"""Commands by page, each with why no test runs it there."""

REFUSED: dict[str, dict[str, str]] = {
    "docs/cli.md": {
        # Nothing waits in the page's palace: that the command asks for that very job is all that can be tried.
        "palace jobs show 17": "there is no job 17",
        "palace jobs retry 17": "there is no job 17",
        "palace jobs cancel 17": "there is no job 17",
        # Nobody is there to be asked.
        "palace connect claude-code": "nothing was written",
    },
    "docs/transcripts.md": {
        "palace recall car --wing Nope": "there is no wing 'Nope'",
        'palace recall ""': "the query is empty",
    },
}
"""Commands by page that fail where they stand, as the page says, with a part of what they say."""

OTHERS_OPTIONS = {
    "--enable-row-security": "pg_dump",
    "--format": "pg_dump, too",
    "--library": "optimum-cli",
    "--model": "optimum-cli",
    "--schema": "pg_dump",
    "--system": "useradd",
}
"""Options of other programs that prose names."""


def is_run(page: str, command: str) -> bool:
    """Whether a command of a page is run by its tests."""
    return command not in NOT_RUN.get(page, {}) and not any(re.match(pattern, command) for pattern in NEVER_RUN)
