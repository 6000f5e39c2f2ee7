"""Mine the transcripts that hooks left notes on, each into the wing of its session's project.

However often a transcript is left, a turn is filed once. What cannot be mined now is retried; what can never be mined
is logged as a hook's failure, and its note deleted.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from palace.cancellation import Cancellation, ended_by
from palace.config.checkout import key_of_folder
from palace.config.settings import Settings
from palace.db.memory_making import follow
from palace.errors import Cancelled, NotFound, UnreadableSource
from palace.hooks.caller_settings import is_here, is_stale, settings_of_note
from palace.hooks.failures import code_of, note
from palace.hooks.hand_over_log import judge
from palace.hooks.inbox import Left, done, is_empty, take
from palace.hooks.sessions import Sessions
from palace.hooks.transcripts import refusal, where_it_lies
from palace.mining.discovery import Gathered, gather
from palace.mining.filing.conversation import Filed
from palace.mining.filing.projects import ensure_project
from palace.mining.pipeline import MineOptions
from palace.mining.readers.registry import read_conversations
from palace.models import Conversation
from palace.opened import OpenPalace, SharedResources
from palace.operations.mine import mine_gathered
from palace_hook.events import END

READERS = frozenset({"claude-code", "codex", "gemini-cli", "cursor"})
"""Readers whose transcripts are mined; hooks name no other files."""
REST_SECONDS = 1.0
"""Seconds without a write after which a transcript is mined; its last line may still be on its way."""
LONGEST_WAIT = 60.0
"""Seconds to wait at most for a transcript that is being written all the time, or does not exist yet."""
LAST_SECONDS = 3 * 86_400.0
"""Seconds after which a transcript that cannot be mined is given up."""
LONGEST_PAUSE = 300.0
"""Seconds between two tries, at most."""


@dataclass(slots=True)
class _Tries:
    """Failed tries of a note, and the time of the next one."""

    count: int = 0
    at: float = 0.0


@dataclass(slots=True)
class InboxMiner:
    """Mines the inbox of a home, again and again; no error stops it."""

    resources: SharedResources
    filed: int = 0
    mined: int = 0
    """Notes that were finished, including those without anything new."""
    is_idle: bool = True
    """Whether no note waits that could be mined now."""
    _cancel: Cancellation = field(default_factory=Cancellation)
    _tries: dict[Path, _Tries] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """Return the settings of the palace that is open here."""
        return self.resources.settings

    @property
    def home(self) -> Path:
        """Return the home folder with the inbox."""
        return self.settings.home_folder

    def begin(self) -> None:
        """Prepare for work, also after a stop."""
        self._cancel = Cancellation()

    def run(self, stopping: Event, seconds: float) -> None:
        """Mine the inbox every so many seconds, until ``stopping`` is set."""
        while not stopping.is_set():
            self.look()
            stopping.wait(seconds)

    def stop(self) -> None:
        """Stop at the next message; unfinished transcripts are mined later."""
        self._cancel.cancel()

    def look(self) -> None:
        """Mine the waiting notes; never raises."""
        if is_empty(self.home):
            self.is_idle = True
            return
        with suppress(Cancelled), ended_by(self._cancel):
            taken = take(self.home, lambda left: is_here(self.settings, left) or is_stale(left))
            self._tries = {path: self._tries.get(path, _Tries()) for path, _ in taken}
            waiting = [self._waits(path, left) for path, left in taken]
            # Failed notes wait for their next try: the worker need not stay awake for that.
            self.is_idle = not any(waiting)

    def _waits(self, path: Path, left: Left) -> bool:
        """Mine one note; return whether it should be looked at again soon."""
        left = replace(left, transcript=where_it_lies(left.transcript, left.harness))
        reason = refusal(left.transcript) if is_here(self.settings, left) else "no_worker"
        is_new = 0 <= time.time() - left.at < LONGEST_WAIT
        if is_new and (reason == "vanished" or (not reason and _is_growing(left.transcript))):
            return True
        if reason:
            self._give_up(path, left, reason)
        elif time.monotonic() >= self._tries[path].at:
            self._try(path, left)
        return False

    def _try(self, path: Path, left: Left) -> None:
        try:
            self._mine(left)
        except UnreadableSource:
            self._give_up(path, left, "unreadable")
        except Cancelled:
            raise
        except Exception as problem:  # noqa: BLE001 — what no reader was made for must not stop the others
            count = self._tries[path].count + 1
            self._tries[path] = _Tries(count, time.monotonic() + min(2.0**count, LONGEST_PAUSE))
            if count == 1:
                note(self.home, left.event, left.harness, code_of(problem), step="mine")
            if not 0 <= time.time() - left.at < LAST_SECONDS:
                self._give_up(path, left, "given_up")
        else:
            self.mined += 1
            done(path)

    def _give_up(self, path: Path, left: Left, reason: str) -> None:
        note(self.home, left.event, left.harness, reason, step="mine")
        done(path)

    def _mine(self, left: Left) -> None:
        settings = settings_of_note(self.settings, left)
        if left.variables and not settings.hooks:
            return
        if left.event == END:  # the hook may have had no time for it
            Sessions(self.home, left.user or settings.user).end(left.session)
        try:
            opened = self._open(left, settings)
        except NotFound:  # the named user has no palace: none is created, it may be a typo
            note(self.home, left.event, left.harness, "no_user", step="mine")
            return
        if not opened.effective(left.harness).auto_mine:
            return
        gathered = gather([left.transcript])
        if _is_of_agents(gathered):
            is_over = left.event == END

            sessions = Sessions(self.home, left.user or settings.user)

            def follow_on(conversation: Conversation, filed: Filed) -> None:
                turns = conversation.turns
                opened.run(lambda session: judge(sessions, left.session, turns, session, is_over=is_over))
                number = filed.conversation_id
                if number is not None and (filed.new or is_over):
                    opened.run(lambda session: follow(session, number, is_over=is_over))

            wing_id = _wing_of(opened, left.folder)
            options = MineOptions(wing_id=wing_id, background=True, on_filed=follow_on)
            self.filed += mine_gathered(opened, gathered, options).drawers_new

    def _open(self, left: Left, settings: Settings) -> OpenPalace:
        user = left.user or settings.user
        person = settings.person if user == settings.user else None
        others = {name: value for name, value in left.variables.items() if name.upper() != "PALACE_USER"}
        is_usual = user == settings_of_note(self.settings, replace(left, variables=others)).user
        is_named = left.is_typed or left.variables
        return OpenPalace.of(self.resources, user=user, make_user=is_usual or not is_named, person=person)


def _is_of_agents(gathered: Gathered) -> bool:
    """Return whether the gathered sources contain any conversation.

    Raises:
        UnreadableSource: they are not sessions of agents, or cannot be read.
    """
    says = False
    for source in gathered.sources:
        first = next(read_conversations(source, MineOptions().reading_of(source)), None)
        if first is not None and first.reader not in READERS:
            raise UnreadableSource(source.file, "is no session of an agent")
        says = says or first is not None
    return says


def _wing_of(opened: OpenPalace, folder: str) -> int | None:
    """Return the wing id of a folder's project, created if needed; None if the folder is in no project."""
    key = key_of_folder(folder)
    project = opened.run(lambda session: ensure_project(session, key)) if key else None
    return None if project is None else project.wing_id


def _is_growing(transcript: str) -> bool:
    try:
        return abs(time.time() - os.stat(transcript).st_mtime) < REST_SECONDS  # noqa: PTH116
    except OSError:
        return False
