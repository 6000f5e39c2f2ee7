"""The corpus of files as palaces hold them, what each command answers of the README's sample, and the schema."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.endurance.caller import Caller
from bench.endurance.canonical import canonical_form
from bench.freeze.context import Context, Line
from bench.freeze.ordinals import Ordinals
from bench.freeze.sets import digest
from bench.harness import read_statements
from palace import PalaceError, Palaces
from palace.db.database import Database, owner_connection
from palace.testing import HashingEmbedder

SAMPLE = Path(__file__).parents[2] / "examples" / "efoil.json"
EXPECTED = ".expected.json"
"""How the names of the corpus end that say what is to be read of the file beside them."""
CHANGED_AT = datetime(2026, 6, 1, tzinfo=UTC).timestamp()
DIMENSION = 8
QUICK_STEP = 4
"""The quick corpus is every fourth file."""
VECTORS = "passage_embedding"
PATIENCE_SECONDS = 120
COMMANDS = Path(__file__).with_name("commands.txt")
CATALOG = read_statements(Path(__file__).with_name("schema.sql"))
"""What makes a schema what it is; the first two columns name the row."""


def corpus(context: Context) -> Iterator[Line]:
    """Mine each file of the corpus into a palace of its own, and write its canonical form."""
    with context.ground("corpus") as ground:
        folder = ground.folder / "corpus"
        shutil.copytree(context.corpus, folder)
        for path in (folder, *folder.rglob("*")):
            # What says nothing of its time is dated by its file.
            os.utime(path, (CHANGED_AT, CHANGED_AT))
        cases = sorted(each for part in folder.iterdir() for each in part.iterdir() if EXPECTED not in each.name)
        with Palaces.open(ground.settings, embedder=HashingEmbedder(DIMENSION)) as palaces:
            for path in cases[:: QUICK_STEP if context.is_quick else 1]:
                yield from mined(palaces, path, folder)


def mined(palaces: Palaces, path: Path, folder: Path) -> Iterator[Line]:
    """Mine one file below a folder, and write what its palace holds: a line for all, then one for each kind of row."""
    name = path.relative_to(folder).as_posix()
    palace, ordinals, error = palaces.palace(name), Ordinals({str(folder): "<corpus>"}, _began()), ""
    try:
        summary = palace.mine(path)
        told = [ordinals.text(str(failure.message)) for failure in summary.failures]
    except PalaceError as problem:
        told, error = [], ordinals.text(str(problem))
    form = canonical_form(palace)
    yield {"id": name, "error": error, "failures": told, "drawers": len(form["drawer"])}
    for kind, rows in form.items():
        if rows:
            # Vectors would be most of it.
            lines = [digest(row) if kind == VECTORS else ordinals.text(row) for row in rows]
            yield {"id": f"{name} {kind}", "rows": len(rows), "lines": lines}


def commands(context: Context) -> Iterator[Line]:
    """Run each command on the README's sample, one after another in one palace, and write what it answers."""
    with context.ground("commands") as ground:
        folder = ground.folder / "work"
        folder.mkdir()
        folders = {str(SAMPLE): "<sample>", str(SAMPLE.parents[1]): "<program>", str(ground.folder): "<folder>"}
        folders |= {quote(str(ground.folder), safe=""): "<folder>"}
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PALACE_")}
        environment |= {"PALACE_HOME": str(ground.settings.home_folder), "LOGNAME": "mara", "TZ": "UTC"}
        environment |= {"PALACE_WORKER_STARTS": "false", "HOME": str(folder), "NO_COLOR": "1", "COLUMNS": "120"}
        with Caller(folder, environment, longest=PATIENCE_SECONDS) as caller:
            times = Counter[str]()
            for line in COMMANDS.read_text(encoding="utf-8").splitlines():
                words = [word.replace("SAMPLE", str(SAMPLE)) for word in shlex.split(line)]
                ended, ordinals = caller.call(words, ""), Ordinals(folders, _began())
                out = ordinals.plain(_document(ended.out))
                times[line] += 1
                name = line if times[line] == 1 else f"{line} #{times[line]}"
                yield {"id": name, "code": ended.code, "out": out, "err": ordinals.text(ended.bug or ended.err)}


def _document(out: str) -> Any:
    """Read JSON, also a document a line; any other text stays as it is."""
    with suppress(ValueError):
        return json.loads(out)
    with suppress(ValueError):
        return [json.loads(line) for line in out.splitlines()]
    return out


def schema(context: Context) -> Iterator[Line]:
    """Write everything that makes the schema what it is."""
    with context.ground("schema") as ground:
        ground.palace("schema").close()
        with owner_connection(Database(ground.settings)) as connection:
            connection.exec_driver_sql("SET search_path = palace, public")
            for kind, query in CATALOG.items():
                for row in sorted(tuple(map(repr, row)) for row in connection.exec_driver_sql(query)):
                    yield {"id": " ".join((kind, *(each.strip("'") for each in row[:2]))), "row": row}


def _began() -> datetime:
    """Give a moment from which on times are those of the run; nothing in the corpus and the sample is that late."""
    return datetime.now(UTC) - timedelta(days=1)
