"""What pages tell a person to do and the tests cannot, with the reason; and what a page tells will be refused."""

from __future__ import annotations

_MAKES_AN_ENVIRONMENT = "it makes a virtual environment and runs the tests: itself"
_INSTALLS = "it installs from the network"
_NEEDS_A_KEY = "a provider's key is a person's own"
_NOTHING_HIDDEN = "nothing is forgotten in the palace of a line; tests/changes does it"
_IN_A_TERMINAL = "it draws on a terminal; tests/tui presses its keys"
_SPEAKS = "it speaks a protocol until it is ended; tests/protocol does it"
_OWN_CLIENT = "the client is a program of somebody else's"
_OWN_MODEL = "the model is a person's own; tests/embedding/test_local_palace.py switches to one"
_FETCHES = "it fetches from the network; tests/embedding/test_hub.py has a hub of its own"
_NEEDS_DOCKER = "it needs Docker"
_NO_PROJECT = "nothing was allowed in the palace of a line; tests/projects does it"
_OWN_PALACE = "it was tried on an empty palace; tests/mining/test_mail_once.py mines such files"
_PREPARES = "tests/hosts/shared.py runs it as a superuser, for the server that this page is tried on"
_PUBLISHED = "the exports it was tried on are not in the repository"
_DOWNLOADS = "it works on benchmark files that are downloaded"
_OWN_SERVER = "it is about an embedded server; a test of its own runs it in tests/docs/test_pages.py"
_NOT_EMPTY = "the page's palace is not empty; docs/backup.md restores into one that is"
_MEASURES = "it measures for minutes to hours, on an export of a person's own; tests/bench runs what is behind it"

NOT_RUN: dict[str, dict[str, str]] = {
    "README.md": {
        "python3 -m venv .venv": _INSTALLS,
        ".venv/bin/pip install -q .": _INSTALLS,
        ".venv/bin/pip install -q '.[mcp]'": _INSTALLS,
        "make check": _MAKES_AN_ENVIRONMENT,
    },
    "CONTRIBUTING.md": {
        "make setup": _MAKES_AN_ENVIRONMENT,
        "make check": _MAKES_AN_ENVIRONMENT,
        "make test": _MAKES_AN_ENVIRONMENT,
        "make test-shared": _MAKES_AN_ENVIRONMENT,
        "make test-pooled": _MAKES_AN_ENVIRONMENT,
        "make fix": "it rewrites the sources",
        "make pictures": "it rewrites the pictures; tests/pictures draws them",
    },
    "docs/quickstart.md": {
        "git clone <this repository> palace": "the address is whatever a person has it from",
        "cd palace": "what was cloned is not there",
        "python3 -m venv .venv": _INSTALLS,
        ".venv/bin/pip install .": _INSTALLS,
        "export ANTHROPIC_API_KEY=…": f"{_NEEDS_A_KEY}; without it the next line warns",
    },
    "docs/changing.md": {
        "palace restore W-001/R-02/D-003": _NOTHING_HIDDEN,
    },
    "docs/extraction.md": {
        "export OPENAI_API_KEY=…": f"{_NEEDS_A_KEY}; nothing of the page calls a model",
    },
    "docs/models.md": {
        "palace embeddings switch local:/srv/models/e5-small-v2": _OWN_MODEL,
        "palace embeddings fetch hf:intfloat/e5-small-v2": _FETCHES,
        "palace embeddings switch 'hf:intfloat/e5-small-v2?query_prefix=query: &passage_prefix=passage: '": _FETCHES,
    },
    "docs/howto/mcp.md": {
        "pip install 'memory-palace-pg[mcp]'": _INSTALLS,
        "claude mcp add palace -- palace mcp": _OWN_CLIENT,
        "claude mcp add --scope user palace -- palace mcp": _OWN_CLIENT,
        "palace mcp --http --profile chatgpt": _SPEAKS,
        "palace mcp --http --port 8797": _SPEAKS,
    },
    "docs/howto/browse.md": {
        "palace browse": _IN_A_TERMINAL,
        'palace browse "Efoil rebuild"': _IN_A_TERMINAL,
        "palace browse W-001/R-02/D-003": _IN_A_TERMINAL,
    },
    "docs/cli.md": {
        'palace projects deny ~/work/api "Old project"': _NO_PROJECT,
        "palace projects deny ~/work/api --source tools": _NO_PROJECT,
        "palace projects drop ~/work/api": _NO_PROJECT,
        "claude mcp add palace -- palace mcp": _OWN_CLIENT,
        'palace mcp --profile readonly --wing "Efoil rebuild"': _SPEAKS,
        "palace mcp --http --port 8797": _SPEAKS,
        "palace browse": _IN_A_TERMINAL,
        'palace browse "Efoil rebuild"': _IN_A_TERMINAL,
        "palace browse W-001/R-02/D-003": _IN_A_TERMINAL,
        "palace embeddings fetch hf:sentence-transformers/all-mpnet-base-v2": _FETCHES,
        "palace embeddings switch openai/text-embedding-3-small --dimension 512": _NEEDS_A_KEY,
        "palace graph efoil --format dot | dot -Tpdf > efoil.pdf": "it needs Graphviz",
        "palace restore W-001/R-02": _NOTHING_HIDDEN,
        'palace restore "§ W-001/R-03/D-002"': _NOTHING_HIDDEN,
        "palace worker --watch ~/.claude/projects": "it works until it is ended; tests/queue/test_watching.py ends it",
        "palace db start": _OWN_SERVER,
        "palace db stop": _OWN_SERVER,
        "palace db restore today.backup": _NOT_EMPTY,
        "palace rebuild --extraction": "a model is a person's own to name; tests/extraction runs it",
    },
    "docs/backup.md": {
        "pip install --upgrade memory-palace-pg": _INSTALLS,
    },
    "docs/shared-server.md": {
        "export PALACE_ADMIN_PASSWORD=$(openssl rand -hex 16)": "the server has its passwords already",
        "export PALACE_OWNER_PASSWORD=$(openssl rand -hex 16)": "the server has its passwords already",
        "export PALACE_APP_PASSWORD=$(openssl rand -hex 16)": "the server has its passwords already",
        "docker compose up --detach --wait": _NEEDS_DOCKER,
        "createdb memory": _PREPARES,
        "PALACE_OWNER_PASSWORD=… PALACE_APP_PASSWORD=… psql --dbname=memory --file=docker/prepare.sql": _PREPARES,
    },
    "docs/benchmarks.md": {
        (
            ".venv/bin/python -m bench.graph --set bench/graph/sets/tune --sessions sessions.jsonl.gz --rounds 3 --json"
        ): _MEASURES,
        (
            ".venv/bin/python -m bench.graph --set bench/graph/sets/tune --sessions sessions.jsonl.gz --baseline spacy"
        ): _MEASURES,
        (
            ".venv/bin/python -m bench.graph kinds --set bench/graph/sets/tune --without graph --without kinds --missed"
        ): _MEASURES,
        ".venv/bin/python -m bench.graph --set bench/graph/sets/tune --sessions sessions.jsonl.gz --replay": _MEASURES,
        ".venv/bin/python -m bench.graph asof": _MEASURES,
        ".venv/bin/python -m bench.graph latency --sessions sessions.jsonl.gz --without graph": _MEASURES,
        (
            ".venv/bin/python -m bench.secrets --messages bench/secrets/sets/third.jsonl --missed --json"
        ): "tests/bench/secrets runs it",
        (
            ".venv/bin/python -m bench.gate --messages bench/gate/sets/late.jsonl --missed"
        ): "tests/bench/test_gate_bench.py runs it",
        ".venv/bin/python -m bench.turn latency --home /tmp/palace-turn --json": _MEASURES,
        ".venv/bin/python -m bench.turn facts --home /tmp/palace-turn --user facts --json": _MEASURES,
        ".venv/bin/python -m bench.longmemeval smoke": "tests/bench/test_retrieval_run.py runs it",
        ".venv/bin/python -m bench.longmemeval download longmemeval_s_cleaned.json": _DOWNLOADS,
        (
            ".venv/bin/python -m bench.longmemeval full --data bench/runs/retrieval/data/longmemeval_s_cleaned.json"
        ): _DOWNLOADS,
        (
            ".venv/bin/python -m bench.longmemeval full --data FILE.json --haystack pooled --variant "
            "half-and-half --json"
        ): _DOWNLOADS,
        ".venv/bin/python -m bench.locomo full --data locomo10.json": _DOWNLOADS,
        ".venv/bin/python -m bench.longmemeval compare BEFORE.jsonl AFTER.jsonl": _DOWNLOADS,
        ".venv/bin/python -m bench.longmemeval same BEFORE.jsonl AFTER.jsonl": _DOWNLOADS,
        ".venv/bin/python -m bench.longmemeval qa --data FILE.json": _NEEDS_A_KEY,
        ".venv/bin/python -m bench.longmemeval score-qa --data FILE.json": _NEEDS_A_KEY,
        (
            ".venv/bin/python -m bench.locomo full --data locomo10.json --reader openai/gpt-4o-mini "
            "--judge openai/gpt-4o --qa"
        ): _NEEDS_A_KEY,
    },
    "docs/performance.md": {
        ".venv/bin/python -m bench.scale grow --home /tmp/palace-large --users large=100000": _MEASURES,
        (
            ".venv/bin/python -m bench.browse --home /tmp/palace-large --user large --mine --recall --seconds 600"
        ): _MEASURES,
        ".venv/bin/python -m bench.seek typed --home /tmp/palace-large --user large": _MEASURES,
        ".venv/bin/python -m bench.scale mining --source EXPORT --drawers 1500": _MEASURES,
        ".venv/bin/python -m bench.scale mining --source EXPORT --drawers 10000 --home /tmp/palace-bench": _MEASURES,
        ".venv/bin/python -m bench.scale recall --home /tmp/palace-bench --queries QUESTIONS.txt": _MEASURES,
        ".venv/bin/python -m bench.scale cold --home /tmp/palace-bench": _MEASURES,
        ".venv/bin/python -m bench.scale memory --source EXPORT --whole": _MEASURES,
        ".venv/bin/python -m bench.scale profile --source EXPORT --drawers 1000": _MEASURES,
        (
            ".venv/bin/python -m bench.scale grow --source EXPORT --home /tmp/palace-large --users "
            "large=100000 small=1000 --rebuild"
        ): _MEASURES,
        (
            ".venv/bin/python -m bench.scale semantic --home /tmp/palace-large --user large --queries QUESTIONS.txt"
        ): _MEASURES,
        (
            ".venv/bin/python -m bench.scale recall --home /tmp/palace-large --user small --queries QUESTIONS.txt"
        ): _MEASURES,
        ".venv/bin/python -m bench.scale million --source EXPORT --home /tmp/palace-million": _MEASURES,
        ".venv/bin/python -m bench.scale semantic --home /tmp/palace-million --user bench-large": _MEASURES,
        "python3 -m venv /tmp/peer": _INSTALLS,
        "/tmp/peer/bin/pip install mempalace==3.11.0": _INSTALLS,
        (
            ".venv/bin/python -m bench.scale peer --source EXPORT --chats 100 --peer-command "
            "'/tmp/peer/bin/mempalace --palace {palace} mine {folder} --mode convos --wing bench'"
        ): _MEASURES,
    },
    "docs/worker.md": {
        ".venv/bin/python -m bench.queue --json": "it takes minutes; tests/bench/test_queue_bench.py does less",
    },
    "docs/transcripts.md": {
        "palace mine takeout.mbox saved": _OWN_PALACE,
        'palace recall "what broke at the mast?" --top-k 1': _OWN_PALACE,
        "palace mine chatgpt_conversations.json": _PUBLISHED,
        "palace mine .": _PUBLISHED,
        "palace ls": _PUBLISHED,
        'palace recall "How do I fix the failing authentication test?" --top-k 2': _PUBLISHED,
        'palace recall "what did they say about the sailor?" --top-k 1': _PUBLISHED,
        (
            'palace recall "What was the first issue I had with my new car after its first service?" --top-k 3'
        ): _PUBLISHED,
    },
}
"""Commands by page, each with why no test runs it; that it could be called so is tried all the same."""

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
