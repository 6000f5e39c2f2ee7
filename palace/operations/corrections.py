"""Correct the graph: add, end and reject relations on the person's behalf."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from palace.db.database import UserSession
from palace.db.graph.asked import Moments, NamedEntity, get_named, list_relations_of
from palace.errors import BadRequest, NotFound
from palace.graph.predicates import object_types
from palace.graph.resolve import fold_name
from palace.graph.wording import predicate_of, words_of
from palace.models import Drawer, Role, intake
from palace.models.claims import SELF, Action, Claim
from palace.models.graph import Relation
from palace.opened import Verbs
from palace.operations.naming import SELVES, find_named, name_given, shown

WING = "Corrections"
MOST = 5_000
"""Relations of one entity, the latest, among which the corrected one is searched."""


class CorrectionVerbs(Verbs):
    """Correct the graph: add, end and reject relations.

    Each correction is a note in the wing "Corrections", so it survives rebuilds, is exported, and can be undone like
    other notes: by undoing its run, or forgetting it. Subject and object are given by any of their names, with a type
    if it is ambiguous ("Austin (place)"); a predicate as it is shown, ``lives_in`` or "live in". Dates are "2026",
    "2026-05" or "2026-05-03".
    """

    def add(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        since: str | date | None = None,
        until: str | date | None = None,
    ) -> Drawer:
        """Add a relation that is true from ``since`` to ``until``; return the note that states it.

        Raises:
            BadRequest: a name is ambiguous, a date or the predicate is invalid, or it was known already.
        """
        return self._correct(Action.HOLDS, (subject, predicate, object), since, until)

    def end(self, subject: str, predicate: str, object: str, *, until: str | date | None = None) -> Drawer:
        """End a relation at ``until``, or now; return the note that states it.

        Raises:
            NotFound: there is no such relation; BadRequest: a name is ambiguous, a date is invalid, or it has ended.
        """
        return self._correct(Action.ENDS, (subject, predicate, object), None, until)

    def reject(self, subject: str, predicate: str, object: str) -> Drawer:
        """Reject a relation that is not true and never was; return the note that states it.

        Earlier messages do not bring it back, however often they are read; later ones may.

        Raises:
            NotFound: there is no such relation; BadRequest: a name is ambiguous.
        """
        return self._correct(Action.DENIES, (subject, predicate, object), None, None)

    def _correct(
        self, action: Action, sides: tuple[str, str, str], since: str | date | None, until: str | date | None
    ) -> Drawer:
        # Imports of readers and filing happen only in calls that correct something.
        from palace.mining.extraction.corrected import read_correction, written
        from palace.mining.note import Note
        from palace.operations.forget import ForgetVerbs
        from palace.operations.mine import note

        who, whom = _name("subject", sides[0]), _name("object", sides[2])
        what = predicate_of(intake.text("predicate", sides[1]))
        claim, known = self._opened.run(lambda session: self._claim(session, action, who, what, whom))
        dates = _date("since", since), _date("until", until)
        text = written(claim, *dates)
        read = next(iter(read_correction(text).claims), claim)
        found = read.predicate, bool(read.valid_from), bool(read.valid_to)
        if not read.end or found != (what, bool(dates[0]), bool(dates[1])):
            raise BadRequest(f"{text!r} cannot be read: predicates are words, dates like 2026, 2026-05 or 2026-05-03")
        # The correction must be later than everything it corrects, even if the clock of a source was ahead.
        moment = max([datetime.now(UTC), *(each.recorded_at + timedelta(seconds=1) for each in known)])
        role = Role.TOOL if action is Action.DENIES else Role.SYSTEM
        made = Note(text, moment, WING, zone=self._opened.settings.zone, role=role)
        drawer = note(self._opened, made, keeps_secrets=action is not Action.HOLDS, background=False)
        _, now = self._opened.run(lambda session: self._claim(session, Action.HOLDS, who, what, whom))
        if _standing(now) == _standing(known):
            verbs, place = ForgetVerbs(self._opened), str(drawer.pointer)
            verbs.part(place, closet=None, conversation=False, dry_run=False, now=True)
            raise BadRequest(f"that changes nothing of what is known: {text}")
        return drawer

    def _claim(
        self, session: UserSession, action: Action, who: str, what: str, whom: str
    ) -> tuple[Claim, Sequence[Relation]]:
        """Build the claim of a correction from the given names; return it with the relations that it concerns."""
        subject, target = self._find(session, who), self._find(session, whom)
        of_subject = list_relations_of(session, [subject.id], Moments(), most=MOST) if subject else []
        known = [
            each
            for each in of_subject
            if (each.subject_id, each.predicate) == (subject and subject.id, what)
            and (fold_name(each.object) == fold_name(whom) or (target and each.object_id == target.id))
        ]
        name = _written(subject) if subject else SELF if fold_name(who) in SELVES else who
        if action is not Action.HOLDS and not known:
            told = f"{name} {words_of(what, name)} {whom}"
            raise NotFound(f"nothing says that {told}; `palace relations` lists what is known")
        if known:
            found = get_named(session, [known[0].object_id]) if known[0].object_id else []
            return Claim(name, what, _written(found[0]) if found else known[0].object, action, 0, 0), known
        is_new = target is None and what in object_types() and whom[:1].isupper() and not whom.endswith(")")
        named = f"{whom} ({object_types()[what]})" if is_new else _written(target) if target else whom
        return Claim(name, what, named, action, 0, 0), known

    def _find(self, session: UserSession, name: str) -> NamedEntity | None:
        with suppress(NotFound):
            return find_named(session, name, person=self._opened.names)
        return None


def _name(what: str, value: object) -> str:
    name = name_given(what, value)
    if "|" in name:
        raise BadRequest(f"{what} must be a name without '|', not {name!r}")
    return name


def _date(what: str, value: object) -> str | None:
    return None if value is None else str(value) if isinstance(value, date) else intake.text(what, value).strip()


def _written(entity: NamedEntity) -> str:
    return shown(entity) if entity.is_named and entity.name != SELF else entity.name


def _standing(relations: Sequence[Relation]) -> list[tuple[object, ...]]:
    return sorted((str(r.valid_from), str(r.valid_to), str(r.evidence), str(r.closed_by)) for r in relations)
