"""The commands of a chat: lines that begin with a slash and a word."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.console import Group, RenderableType
from rich.text import Text

from palace.errors import BadRequest, PalaceError
from palace.models import Recollection
from palace_cli import diagnostics, output
from palace_cli.chat.screen import Lines
from palace_cli.chat.session import ChatSession
from palace_cli.render.figures import count, moment, removal_line, restored_line
from palace_cli.render.hits import recent_view, recollection_view
from palace_cli.render.layout import named_values
from palace_cli.render.visible import visible

if TYPE_CHECKING:
    from palace.turns import Turn


def why_view(turn: Turn, *, width: int) -> Group:
    decision, query = turn.decision, turn.query
    rows = [
        ("gate", f"{'searched' if decision.searched else 'not searched'}: {decision.reason} ({decision.rule})"),
        ("query", (query.text or "(nothing: the most useful memories)") if query else ""),
        ("because", query.why if query else ""),
        ("terms", ", ".join(query.terms) if query else ""),
        ("put in", f"{len(turn.block):,} characters, {len(turn.hits)} hits" if turn.block else "nothing"),
        ("took", ", ".join(f"{step} {spent:.0f} ms" for step, spent in turn.timings.items())),
        *(("note", note) for note in turn.notes),
    ]
    parts: list[RenderableType] = [named_values(rows)]
    if turn.hits:
        found = Recollection(query.text if query else "", turn.hits)
        parts += ["", recollection_view(found, width=width, verbose=True)]
    return Group(*parts)


T = TypeVar("T")

_COMMAND = re.compile(r"/([a-z]+)(?:\s+(.*))?", re.DOTALL | re.IGNORECASE)
DAYS = 7


class Command(NamedTuple):
    """One command."""

    takes: str
    """Its argument, as help shows it."""
    means: str
    do: Callable[[Slash, str], None]


@dataclass(frozen=True, slots=True)
class Slash:
    """The commands of one chat."""

    chat: ChatSession
    lines: Lines

    def takes(self, line: str) -> bool:
        """Return whether a line is a command; a path such as /etc/hosts, or one with two leading slashes, is none."""
        return _COMMAND.fullmatch(line) is not None

    def do(self, line: str) -> bool:
        """Run a command; return False if it ends the chat. Errors are shown on one line."""
        found = _COMMAND.fullmatch(line)
        assert found is not None
        name, argument = found[1].lower(), (found[2] or "").strip()
        if name in ("quit", "exit", "bye"):
            return False
        command = COMMANDS.get(name)
        try:
            if command is None:
                raise BadRequest(f"there is no /{name}: /help lists what there is; two slashes say it as it is")
            command.do(self, argument)
        except PalaceError as problem:
            diagnostics.report(problem, as_json=self.chat.screen.is_json)
        return True

    def why(self, _: str) -> None:
        """Show the details of the last turn."""
        turn = self._turn()
        told: dict[str, Any] = {"decision": turn.decision, "query": turn.query, "hits": turn.hits}
        told |= {"timings_ms": dict(turn.timings), "notes": turn.notes}
        self._present(told, lambda _: why_view(turn, width=output.text_width()))

    def _present(self, value: T, view: Callable[[T], RenderableType]) -> None:
        if self.chat.screen.is_json:
            output.write_json(value, indent=None)
        else:
            output.present(value, view, as_json=False)

    def block(self, _: str) -> None:
        """Show the memory block of the last message."""
        block = self._turn().block
        if block:
            self._present(block, lambda text: Text(visible(text)))
        else:
            self.chat.screen.dim("nothing was put in")

    def forget(self, what: str) -> None:
        """Forget what a pointer refers to, after a confirmation."""
        if not what:
            raise BadRequest("say what to forget, by its pointer: /forget W-001/R-02/D-003")
        palace = self.chat.palace
        planned = palace.forget(what, dry_run=True)
        if not self._confirms(f"Forget {planned.what}: {removal_line(planned.removal)}?"):
            self.chat.screen.dim("nothing was forgotten")
            return
        done = palace.forget(what, at_most=planned.removal.drawers)
        back = f"; until {moment(done.until)} /restore {what} takes it back" if done.until else ", for good"
        self.chat.screen.dim(f"forgot {done.what}: {removal_line(done.removal)}{back}")
        self._read_back()

    def restore(self, what: str) -> None:
        """Restore forgotten drawers; without a pointer, list what can be restored."""
        if not what:
            self._list_hidden()
            return
        found = self.chat.palace.forgotten.restore(what)
        self.chat.screen.dim(f"restored {restored_line(found)}")
        for warning in found.warnings:
            self.chat.screen.warn(warning)
        self._read_back()

    def recent(self, days: str) -> None:
        """Show what matters of the last days."""
        if days and not (days.isascii() and days.isdigit() and len(days) < 6):
            raise BadRequest(f"/recent takes a number of days, not {days!r}")
        found = self.chat.palace.recent(days=int(days or DAYS))
        view = partial(recent_view, now=datetime.now(UTC))
        self._present(found, view)

    def retry(self, _: str) -> None:
        """Ask the model again for the last message."""
        self._turn()
        history = self.chat.history
        if history and history[-1]["role"] == "assistant":
            history.pop()
        told = self.chat.answer()
        if self.chat.screen.is_json:
            output.write_json(told, indent=None)

    def help(self, _: str) -> None:
        """List the commands."""
        listed = [(f"/{name} {each.takes}".strip(), each.means) for name, each in COMMANDS.items()]
        output.present(listed, named_values, as_json=False)
        self.chat.screen.dim(f"session {self.chat.session}; Ctrl-C stops a reply, Ctrl-D ends the talk")

    def _turn(self) -> Turn:
        if self.chat.turn is None:
            raise BadRequest("nothing was said yet")
        return self.chat.turn

    def _confirms(self, question: str) -> bool:
        self.chat.screen.ask(question)
        return self.lines.answer().lower() in {"y", "yes", "j", "ja"}

    def _list_hidden(self) -> None:
        places = self.chat.palace.forgotten.list()
        for place in places:
            until = f"until {moment(place.due_at)}"
            self.chat.screen.dim(f"{place.room}: {count(len(place.pointers), 'drawer')}, {until}")
        if not places:
            self.chat.screen.dim("nothing is hidden")

    def _read_back(self) -> None:
        # Reload the history, so that forgotten messages are not sent to the model again.
        if not self.chat.read_back() and self.chat.model is not None:
            self.chat.screen.warn("what waits in the outbox keeps this talk from being read anew: it goes on as it is")


COMMANDS: dict[str, Command] = {
    "why": Command("", "why memory was looked at for the last message, what was found, how long it took", Slash.why),
    "block": Command("", "the very text that was put beside it", Slash.block),
    "forget": Command("POINTER", "forget a drawer, a room or a wing; it asks first", Slash.forget),
    "restore": Command("[POINTER]", "take back what was forgotten, or list what can be", Slash.restore),
    "recent": Command("[DAYS]", "what matters of the last days, what is open, what is coming up", Slash.recent),
    "retry": Command("", "ask the model again", Slash.retry),
    "help": Command("", "this list", Slash.help),
    "quit": Command("", "end the talk, as Ctrl-D does", Slash.help),
}


def spoken(line: str) -> str:
    """Return a message with two leading slashes reduced to one."""
    return line[1:] if line.startswith("//") else line
