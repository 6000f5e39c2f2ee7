"""Count the hand-overs of hooks to agents on this machine, and whether they were used.

A file of each user below the home has a line for each hand-over. Its words are kept until the session is mined next:
then it is known what followed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path

from palace.config.folders import locked_folder
from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.memories import count_injected, count_used
from palace.db.tree import list_wings
from palace.hooks.sessions import KEPT_SECONDS, Sessions, read_file
from palace.memories.using import used_by
from palace.models import HandOvers, Turn
from palace.opened import OpenPalace
from palace_hook.notes import HOOKS, make_private, write_whole

FOLDER = "hand-overs"
MOST = 5000
"""Hand-overs that are kept of a user, the latest ones."""
LARGEST = 1 << 22


@dataclass(frozen=True, slots=True)
class HandOverRecord:
    """One hand-over."""

    at: float
    session: str
    drawer: int
    wing: int
    """Id of the project's wing."""
    tokens: int
    milliseconds: float
    text: str = ""
    """What was handed over, until it is judged."""
    files: tuple[str, ...] = ()
    """Names of files that it is about, other than the one that the tool was used on."""
    used: bool | None = None
    """Whether its words or a file of it appear in what followed; None until that is known."""


def list_hand_overs(sessions: Sessions) -> list[HandOverRecord]:
    """List the hand-overs of a user, the latest last; invalid lines are skipped."""
    found = []
    with suppress(OSError):
        for line in read_file(_path(sessions), 2 * LARGEST).splitlines():
            with suppress(ValueError, TypeError, RecursionError):
                read = HandOverRecord(**json.loads(line))
                found.append(replace(read, files=tuple(read.files)))
    return found


def by_week(opened: OpenPalace) -> tuple[HandOvers, ...]:
    """Count the hand-overs of a user by week and wing, the latest week first."""
    names = {wing.id: wing.name for wing in opened.run(list_wings)}
    found: dict[tuple[date, str], list[HandOverRecord]] = {}
    for each in list_hand_overs(Sessions(opened.settings.home_folder, opened.user)):
        day = datetime.fromtimestamp(each.at, opened.settings.zone).date()
        found.setdefault((day - timedelta(days=day.weekday()), names.get(each.wing, "")), []).append(each)
    return tuple(
        HandOvers(
            *place,
            len(every),
            sum(each.used is True for each in every),
            sum(each.tokens for each in every),
            round(sum(each.milliseconds for each in every), 1),
        )
        for place, every in sorted(found.items(), key=lambda one: one[0], reverse=True)
    )


def add_hand_over(sessions: Sessions, record: HandOverRecord) -> None:
    """Add a hand-over; does nothing if the disk refuses. What is too old is removed once a day."""
    path = _path(sessions)
    with suppress(OSError):
        make_private(str(sessions.home), HOOKS, FOLDER)
    with suppress(OSError), locked_folder(path.parent):
        with open(path, "a+b", opener=_opener) as file:
            found = os.fstat(file.fileno())
            is_torn = found.st_size and os.pread(file.fileno(), 1, found.st_size - 1) != b"\n"
            file.write((b"\n" if is_torn else b"") + _line(record))
        if found.st_size > LARGEST or found.st_mtime // 86_400 != time.time() // 86_400:
            _write(sessions, list_hand_overs(sessions))


def delete_hand_overs(sessions: Sessions) -> None:
    """Delete all hand-overs of a user."""
    path = _path(sessions)
    with suppress(OSError), locked_folder(path.parent):
        path.unlink()


def judge(sessions: Sessions, session: str, turns: Sequence[Turn], palace: UserSession, *, is_over: bool) -> None:
    """Count the hand-overs of a session as injected and, if what followed has words or a file of theirs, as used.

    One that nothing followed yet waits, unless the session is over.
    """
    with suppress(OSError), locked_folder(_path(sessions).parent):
        every = list_hand_overs(sessions)
        waiting = [each for each in every if each.session == session and each.used is None]
        judged = {each: _is_used(each, turns, palace) for each in waiting}
        done = {each: bool(used) for each, used in judged.items() if used is not None or is_over}
        if done:
            count_injected(palace, [each.drawer for each in done])
            count_used(palace, [each.drawer for each, used in done.items() if used])
            _write(
                sessions,
                [replace(each, used=done[each], text="", files=()) if each in done else each for each in every],
            )


def _is_used(record: HandOverRecord, turns: Sequence[Turn], palace: UserSession) -> bool | None:
    timed = [(turn.said_at.timestamp(), turn.content) for turn in turns if turn.said_at is not None]
    reply = "\n".join(text for at, text in timed if at > record.at)
    before = "\n".join(text for at, text in timed if at <= record.at)
    if not reply:
        return None
    drawers = (replace(each, content=record.text) for each in get_drawers(palace, [record.drawer]).values())
    return any(name in reply for name in record.files) or bool(used_by(reply, before, drawers))


def _write(sessions: Sessions, every: Sequence[HandOverRecord]) -> None:
    # Those of sessions that were never mined again keep no words.
    old = time.time() - KEPT_SECONDS
    every = [replace(each, text="", files=()) if each.at < old else each for each in every[-MOST:]]
    with suppress(OSError):
        make_private(str(sessions.home), HOOKS, FOLDER)
        write_whole(str(_path(sessions)), b"".join(map(_line, every)))


def _line(record: HandOverRecord) -> bytes:
    return json.dumps({name: getattr(record, name) for name in record.__slots__}).encode() + b"\n"


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _path(sessions: Sessions) -> Path:
    return sessions.home / HOOKS / FOLDER / f"{sessions.key}.jsonl"
