"""Taking back what was forgotten: hiding it for a while, listing it, restoring it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from itertools import groupby

from palace.errors import BadRequest
from palace.files.hidden import HiddenParts
from palace.intake import given
from palace.mining.index import Runner
from palace.opened import OpenPalace
from palace.records import ForgetRequest, HiddenPlace, RoomPointer, TakenBack
from palace.store.changes.hidden import Hidden, drop_hidden, list_hidden, sweep_hidden
from palace.store.counts import fold_counts, refresh_statistics
from palace.store.database import UserSession
from palace.store.transfer.filing import find_known
from palace.store.transfer.hiding import link_back, put_back
from palace.telemetry import memory
from palace.transfer.load import new_drawer
from palace.verbs.activity.telling import tell_restored
from palace.verbs.forget import ForgetVerbs
from palace.verbs.forgotten.apart import keep_apart
from palace.verbs.forgotten.hiding import GONE, choose_hidden
from palace.verbs.forgotten.standing import find_places, keep_numbers


class ForgottenVerbs:
    """What was forgotten and can still be taken back, and what somebody asks to have forgotten."""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened

    def list(self) -> tuple[HiddenPlace, ...]:
        """List what can be restored, room by room, as it stood."""
        found = self._opened.run(list_hidden)
        return tuple(_place(list(group)) for _, group in groupby(found, key=lambda each: each.pointer.of_room))

    def restore(self, *what: str) -> TakenBack:
        """Take back what was forgotten: drawers, rooms and wings by their pointers, a wing by its name too.

        They are filed again under the pointers and dates that they had, and found again. What was filed again
        meanwhile stays as it is. Where their wing was made anew meanwhile they get new pointers in it, and the former
        ones lead there; the warnings tell of those that cannot. Where another wing has the name meanwhile and is a
        project's, they get one of their own beside it, which the warnings tell.

        Raises:
            BadRequest: nothing is named; NotFound: nothing of that is hidden, or its time is over.
        """
        names = [given.text("what", each) for each in what]
        if not names:
            raise BadRequest(f"name what to restore: {GONE}")
        opened = self._opened
        opened.database.shared.check_schema()
        work = opened.work()
        restored: list[Hidden] = []
        there: list[Hidden] = []
        conversations: list[int] = []
        told: list[str] = []

        def take_back(session: UserSession) -> None:
            conversations.clear()
            hidden = list_hidden(session)
            restored[:], there[:] = _missing(session, choose_hidden(hidden, names))
            apart = keep_apart(session, [each.parts for each in restored])
            told[:] = apart.told
            parts = keep_numbers(apart.parts, (each.parts for each in hidden))
            conversations.extend(_file(session, parts, opened.settings.zone))
            drop_hidden(session, [each.parts.drawer.identity for each in (*restored, *there)])
            sweep_hidden(session)
            tell_restored(session, len(restored))

        with memory("upsert_memory", "restore") as observed:
            opened.run(take_back)
            observed.count(len(restored))
        opened.run(fold_counts)
        opened.run(refresh_statistics)
        runner = Runner(work, asked=True)
        runner.run(conversations)
        were = {each.parts.drawer.identity: each.pointer for each in restored}
        found = opened.run(lambda session: find_places(session, were))
        warnings = (*told, *found.told, *runner.warnings)
        return TakenBack(len(restored), found.pointers, len(there), warnings, found.wings, found.moved)

    def ask(self, what: str) -> ForgetRequest:
        """Ask to have something forgotten, as a model may: nothing is until a person gives this to ``palace.forget``.

        Raises:
            NotFound: there is nothing of that name.
        """
        planned = ForgetVerbs(self._opened).part(what, closet=None, conversation=False, dry_run=True)
        return ForgetRequest(what, planned.what, planned.removal)


def _missing(session: UserSession, chosen: Sequence[Hidden]) -> tuple[list[Hidden], list[Hidden]]:
    """Tell those that are not there from those that were filed again."""
    filed = find_known(session, [each.parts.drawer.identity for each in chosen]).filed
    restored = [each for each in chosen if each.parts.drawer.identity not in filed]
    return restored, [each for each in chosen if each.parts.drawer.identity in filed]


def _file(session: UserSession, chosen: Sequence[HiddenParts], zone: tzinfo) -> Iterator[int]:
    parts = sorted(chosen, key=_in_order)
    for _, group in groupby(parts, key=lambda each: each.conversation.identity):
        together = list(group)
        yield put_back(session, together, [new_drawer(each.drawer, zone) for each in together])
    link_back(session, parts)


def _in_order(parts: HiddenParts) -> tuple[str, int, int]:
    return parts.conversation.identity, parts.drawer.position, parts.drawer.number


def _place(hidden: Sequence[Hidden]) -> HiddenPlace:
    first = hidden[0]
    return HiddenPlace(
        room=str(RoomPointer(first.pointer.wing, first.pointer.room)),
        wing_name=first.parts.wing.name,
        room_name=first.parts.room.name,
        pointers=tuple(str(each.pointer) for each in hidden),
        hidden_at=max(each.hidden_at for each in hidden),
        due_at=min(each.due_at for each in hidden),
    )
