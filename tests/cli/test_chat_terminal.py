"""``palace chat`` at a terminal: Ctrl-C stops a reply and keeps what came, Ctrl-D ends the talk."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from threading import Event

import pytest

from palace import Palace
from palace.settings import Settings
from palace.testing import LanguageModelServer, ModelRequest
from tests.cli.conftest import addresses

pytestmark = pytest.mark.process
PROGRAM = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); from palace_cli.entry import main; main()"
SECONDS = 60


class SlowServer(LanguageModelServer):
    """Says the first words of a reply, and the rest when it is told to."""

    def __init__(self, *script: str) -> None:
        super().__init__(*script)
        self.goes_on = Event()

    def _pieces(self, request: ModelRequest, answer: str) -> Iterator[bytes]:
        for number, piece in enumerate(super()._pieces(request, answer)):
            if number == 3:
                self.goes_on.wait(SECONDS)
            yield piece


class Terminal:
    """The program at a terminal of the test's own."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.shown, self.master, child = b"", *pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            env=environment,
            stdin=child,
            stdout=child,
            stderr=child,
            start_new_session=True,
        )
        os.close(child)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    @property
    def screen(self) -> str:
        """All that was written so far, without colours and the like."""
        return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", self.shown.decode(errors="replace"))

    def wait_for(self, shown: str) -> None:
        until = time.monotonic() + SECONDS
        while shown not in self.screen:
            assert time.monotonic() < until, f"no {shown!r} in {self.screen!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.master, 65536)
                except OSError:
                    assert shown in self.screen, f"no {shown!r} in {self.screen!r}"

    def end(self) -> int:
        return self.process.wait(SECONDS)


@pytest.fixture
def user() -> str:
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def terminal(settings: Settings, user: str) -> Iterator[Callable[[LanguageModelServer], Terminal]]:
    opened: list[Terminal] = []

    def start(server: LanguageModelServer) -> Terminal:
        environment = {**os.environ, **addresses(settings), "PALACE_USER": user}
        environment |= {"TERM": "xterm", "PALACE_TURN_TIMEOUT_SECONDS": "60"}
        where = ["--model", "openai/scripted", "--api-base", server.api_base, "--session", "boats"]
        opened.append(Terminal(["chat", *where], environment))
        return opened[-1]

    yield start
    for each in opened:
        each.process.kill()
        each.process.wait()
        os.close(each.master)


def said(settings: Settings, user: str) -> list[str]:
    with Palace.open(settings, user=user) as palace:
        return [message["content"] for message in palace.turns.history("boats")]


@pytest.mark.nightly
def test_ctrl_c_stops_a_reply_and_ctrl_d_ends_the_talk(
    terminal: Callable[[LanguageModelServer], Terminal], settings: Settings, user: str
) -> None:
    with SlowServer("One two three four.", "Fünf Fässer.") as server:
        talking = terminal(server)
        talking.wait_for("session boats")
        talking.type("Count.\n")
        talking.wait_for("One two")
        talking.type("\x03")
        talking.wait_for("stopped: what came is kept")
        server.goes_on.set()
        talking.type("Weiter, schönes Segel.\n")
        talking.wait_for("Fünf Fässer.\r\n> ")
        time.sleep(1)  # readline heeds a signal that comes before it waits with the next key alone
        talking.type("\x03")
        talking.wait_for("Ctrl-D or /quit ends the talk\r\n> ")  # before its prompt, a terminal ends the line by it
        talking.type("\x04")
        assert talking.end() == 0
        assert [each["content"] for each in server.requests[1].body["messages"]][:2] == ["Count.", "One two "]
    assert said(settings, user) == ["Count.", "One two ", "Weiter, schönes Segel.", "Fünf Fässer."]
