"""Taking secrets out of what was filed before."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from palace.cancellation import go_on
from palace.db.changes.scrubbing import clean_texts, hide_tombstones, list_inhabited
from palace.db.database import UserSession
from palace.db.generations import count_pending, find_generation
from palace.db.hidden import drop_hidden, list_hidden, sweep_hidden
from palace.db.summaries import clean_summaries
from palace.db.users import get_palace_key
from palace.mining.index import Runner
from palace.mining.keeping import Keeping, added_up, find_rules
from palace.mining.scrubbing import Scrubbed, Scrubber
from palace.models import OnProgress, Phase, Progress, ScrubSummary, Wing
from palace.models.activity import SCRUBBED
from palace.models.external_keys import Key
from palace.models.lines import parts_to_json
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.operations.activity import told
from palace.operations.tree import TreeVerbs
from palace.telemetry import memory

MOST_DRAWERS = 2_000
"""So many are looked at in one transaction, but those of one conversation together."""

UNTOLD = "{} forgotten drawers held secrets: they are deleted, and cannot be restored any more"


def scrub(opened: OpenPalace, *, wing: str | None, dry_run: bool, progress: OnProgress | None) -> ScrubSummary:
    """Find the secrets in a wing or in the whole palace, and take them out; ``dry_run`` only counts.

    What was made of them goes with them, and is made again at the end; interrupted there, the next scrub does it.
    """
    opened.database.shared.check_schema()
    key = Key(opened.run(get_palace_key))
    named = None if wing is None else TreeVerbs(opened).wing(wing)
    rules = opened.run(lambda session: find_rules(session, opened.settings))
    scrubber = Scrubber(Keeping(key, rules), opened.owner, named.id if named else None)
    run = _Run(opened, scrubber, named, progress)
    if dry_run:
        for _ in run.look():
            pass
        return run.summary(dry_run=True)
    with memory("update_memory", "scrub") as observed, told(opened, SCRUBBED) as tell:
        run.scrub()
        observed.count(run.done.drawers)
        if run.done.drawers or run.done.names:
            tell(run.details())
    return run.summary(dry_run=False)


@dataclass(slots=True)
class _Run:
    """One call of scrub, and what it has come to so far."""

    opened: OpenPalace
    scrubber: Scrubber
    wing: Wing | None
    progress: OnProgress | None
    done: Scrubbed = field(default_factory=Scrubbed)
    conversations: int = 0
    read: int = 0
    untold: int = 0
    """Forgotten drawers that cannot be restored any more."""
    warnings: Sequence[str] = ()
    started: float = field(default_factory=time.monotonic)

    def look(self) -> Iterator[Mapping[int, Scrubbed]]:
        """Give what is to be taken out of which conversations, some at a time, and count it."""
        counted = self.opened.run(lambda session: list_inhabited(session, self.scrubber.wing_id))
        total = sum(drawers for _, drawers in counted)
        for page in _pages(counted):
            go_on()
            found = self.opened.run(partial(self.scrubber.look, conversations=[each for each, _ in page]))
            yield found
            self._add(found.values())
            self.read += sum(drawers for _, drawers in page)
            if self.progress:
                self.progress(Progress(Phase.READ, self.read, total, "drawers"))

    def scrub(self) -> None:
        """Take everything out, one conversation after the other, and make again what was made of it."""
        for found in self.look():
            for conversation_id in found:
                go_on()
                self.opened.run(partial(self.scrubber.scrub, conversation_id=conversation_id))
        clean = self.scrubber.without_values
        names = self.opened.run(lambda session: clean_texts(session, clean, slugify) + clean_summaries(session, clean))
        self.done = Scrubbed(self.done.drawers, self.done.kinds, self.done.names + names)
        self.untold = self.opened.run(self._drop_hidden)
        if self.wing is None:
            self.opened.run(hide_tombstones)
        if self.opened.find_generation() is not None:
            # Of all that wait: another scrub may have been interrupted.
            runner = Runner(self.opened.work(self.progress))
            runner.run()
            self.warnings = runner.warnings

    def _drop_hidden(self, session: UserSession) -> int:
        """Delete for good what was forgotten, can still be restored and holds a secret; give how much that was."""
        sweep_hidden(session)
        hides = self.scrubber.keeping.hides
        telling = [
            each.parts.drawer.identity
            for each in list_hidden(session)
            if (self.wing is None or each.pointer.wing == self.wing.number)
            and any(hides(text) for text in _texts(parts_to_json(each.parts)))
        ]
        drop_hidden(session, telling)
        return len(telling)

    def _add(self, found: Iterable[Scrubbed]) -> None:
        for each in found:
            self.conversations += bool(each.drawers)
            kinds = added_up([self.done.kinds, each.kinds])
            self.done = Scrubbed(self.done.drawers + each.drawers, kinds, self.done.names + each.names)

    def details(self) -> dict[str, object]:
        """Say in an event what was taken out."""
        return {
            "is_whole": self.wing is None,
            "drawers": self.done.drawers,
            "conversations": self.conversations,
            "names": self.done.names,
            "secrets": dict(self.done.kinds),
        }

    def summary(self, *, dry_run: bool) -> ScrubSummary:
        """Sum up."""
        return ScrubSummary(
            wing=self.wing.name if self.wing else None,
            dry_run=dry_run,
            drawers=self.done.drawers,
            secrets=self.done.kinds,
            conversations=self.conversations,
            names=self.done.names,
            read=self.read,
            passages_pending=self._count_pending(),
            seconds=time.monotonic() - self.started,
            warnings=(*self.warnings, *([UNTOLD.format(self.untold)] if self.untold else [])),
        )

    def _count_pending(self) -> int:
        with self.opened.session() as session:
            active = find_generation(session, "active")
            return 0 if active is None else count_pending(session, active.id)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _pages(counted: Sequence[tuple[int, int]]) -> Iterator[Sequence[tuple[int, int]]]:
    page: list[tuple[int, int]] = []
    for each in counted:
        if page and sum(drawers for _, drawers in page) + each[1] > MOST_DRAWERS:
            yield page
            page = []
        page.append(each)
    if page:
        yield page
