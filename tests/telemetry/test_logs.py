"""What is written to the log: one form, and no word of what anybody said or is called, whatever goes wrong."""

from __future__ import annotations

import json
import logging
import traceback
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Palace, PalaceError, Settings
from palace.telemetry.logs import JsonLines, PlainLines, tell, write_log
from palace.testing import Answer, HashingEmbedder, LanguageModelServer
from palace.turns import TurnOptions
from tests.held import database_away
from tests.queue.conftest import work

pytestmark = pytest.mark.usefixtures("no_jobs")

MARK = "xylotomous"
"""A word that stands in everything that is said, asked, named and broken below."""
LOGGER = logging.getLogger("palace.tests")


class Kept(logging.Handler):
    """Keeps all that could be written of a record, in whatever form."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        self.texts.append(f"{record.getMessage()} {record.__dict__!r} {trace}")

    def having(self, word: str) -> list[str]:
        return [text for text in self.texts if word in text.lower()]


@pytest.fixture
def log() -> Iterator[Kept]:
    handler, logger = Kept(), logging.getLogger("palace")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


def said(*texts: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text} for text in texts]


@pytest.fixture
def marked(settings: Settings, tmp_path: Path) -> Iterator[Palace]:
    own = settings.model_copy(update={"home": tmp_path, "rerank_model": "openai/gpt-4o-mini", "person": MARK.title()})
    with Palace.open(own, user=f"{MARK}-{uuid.uuid4()}", embedder=HashingEmbedder()) as palace:
        yield palace


def test_whatever_is_done_and_fails_no_word_of_it_is_logged(
    marked: Palace, log: Kept, provider: LanguageModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"sk-test-{MARK}")
    marked.file(said(f"My {MARK} boat.", f"Your {MARK} sail."), id=MARK, title=MARK, wing=MARK)
    marked.note(f"A {MARK} note.")
    for broken in (f'{{"{MARK}": ', f'[{{"role": "{MARK}", "content": 7}}]', f"\x00{MARK}"):
        path = tmp_path / f"{MARK}.json"
        path.write_text(broken, encoding="utf-8")
        try_it(partial(marked.mine, path))
    provider.script += [json.dumps({"keep": [1]}), f"{MARK} is no JSON", Answer.REFUSED]
    for _ in range(3):
        marked.recall(f"Which {MARK}?", rerank=True)
    try_it(lambda: marked.recall(MARK, wing=f"no {MARK}"))
    rewriting = TurnOptions(strategy="llm", rewriter=marked.turns.rewriter("openai/gpt-4o-mini"))
    marked.turn(f"{MARK}?", history=said(MARK), session=MARK, agent=MARK, options=rewriting).finish(MARK)
    given = marked._opened.embedders.given
    assert isinstance(given, HashingEmbedder)
    given.fail_on = lambda text: MARK in text.lower()
    marked.turn(f"What of my {MARK}?").finish(f"{MARK}!")
    marked.file(said(f"Another {MARK}."), id="other", background=True)
    work(marked._opened.settings, embedder=given)
    given.fail_on = None
    marked.forget(MARK)
    marked.forgotten.restore(MARK)
    marked.scrub()
    assert log.having(MARK) == []
    assert {json.loads(text.partition("} {")[0] + "}")["event"] for text in log.texts} >= {
        "search_memory",
        "upsert_memory",
        "delete_memory",
        "update_memory",
        "palace.turn",
        "palace.index",
        "palace.job",
        "job_failed",
    }


def test_nor_where_the_database_is_away_or_refuses(marked: Palace, log: Kept) -> None:
    marked.file(said(f"My {MARK} boat."), id=MARK)

    def refused() -> None:
        statement = sa.text("SELECT id FROM drawer WHERE user_id = :user_id AND CAST(:word AS timestamptz) IS NULL")
        marked._opened.run(lambda session: session.execute(statement, {"word": MARK}))

    def refusing(text: str) -> bool:
        refused()
        return True

    given = marked._opened.embedders.given
    assert isinstance(given, HashingEmbedder)
    given.fail_on = refusing
    try_it(lambda: marked.turn(f"What of my {MARK}?").finish(MARK))
    marked.file(said(f"Another {MARK}."), id="other", background=True)
    work(marked._opened.settings, embedder=given)
    given.fail_on = None
    with database_away(marked):
        try_it(lambda: marked.recall(MARK))
        marked.turn(f"What of my {MARK}?").finish(MARK)
    marked.turns.flush()
    outcomes = [text for text in log.texts if "database_unavailable" in text or "data_refused" in text]
    assert outcomes
    assert log.having(MARK) == []
    job = marked.jobs.list()
    assert all(MARK not in (each.error or "").partition(":")[0] for each in job)


def try_it(call: Callable[[], object]) -> None:
    """Do what may fail."""
    with suppress(PalaceError):
        call()


def lines(formatter: logging.Formatter) -> list[str]:
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    LOGGER.addHandler(handler)
    try:
        tell(LOGGER, logging.WARNING, "job_failed", job=7, outcome="timeout")
        LOGGER.warning("plain %s", "words")
    finally:
        LOGGER.removeHandler(handler)
    return stream.getvalue().splitlines()


def test_a_line_is_one_json_object_or_one_for_people() -> None:
    ours, others = map(json.loads, lines(JsonLines()))
    assert ours.pop("time").endswith("+00:00")
    assert ours == {"level": "warning", "logger": "palace.tests", "event": "job_failed", "job": 7, "outcome": "timeout"}
    assert (others["event"], others["message"]) == ("message", "plain words")
    plain, other = lines(PlainLines())
    assert plain.endswith("warning palace.tests job_failed job=7 outcome=timeout")
    assert other.endswith("warning palace.tests plain words")


def test_a_program_of_ours_writes_to_standard_error_and_to_nobody_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.getLogger("palace")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "level", logger.level)
    try:
        write_log("info", as_json=True)
        write_log("info", as_json=True)
        tell(LOGGER, logging.INFO, "something")
        tell(LOGGER, logging.DEBUG, "something_else")
        (line,) = capsys.readouterr().err.splitlines()
        assert json.loads(line)["event"] == "something"
    finally:
        logger.setLevel(logging.NOTSET)
