"""Remove secrets from filed drawers: one conversation per transaction."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from palace.cancellation import go_on
from palace.config.zones import in_zone
from palace.db.changes import scrubbing as stored
from palace.db.database import UserSession
from palace.db.filing.conversations import get_end_contents, write_edges
from palace.db.generations import count_pending, find_generation
from palace.db.hidden import drop_hidden, list_hidden, sweep_hidden
from palace.db.summaries import clean_summaries
from palace.db.users import get_palace_key
from palace.graph.update import GraphFollower
from palace.mining.filing.identity import content_digest
from palace.mining.index import Runner
from palace.mining.redaction import Redactor, added_up, find_rules, kinds_of, values_of, without
from palace.models import Kinds, NewDrawer, OnProgress, Phase, Progress, Role, ScrubSummary, Wing
from palace.models.activity import SCRUBBED
from palace.models.external_keys import Key
from palace.models.lines import parts_to_json
from palace.nlp.edges import edges_of, lines_of
from palace.nlp.secrets import Redacted, redact
from palace.nlp.sentences import index_message
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.operations.activity import recorded
from palace.operations.tree import TreeVerbs
from palace.telemetry import memory

MOST_DRAWERS = 2_000
"""Drawers that are read in one transaction; a larger conversation is read at once nevertheless."""
DELETED = "{} forgotten drawers held secrets: they are deleted, and cannot be restored any more"
_DAY_OF_NOTES = re.compile(r"(?:note|memory):\d+/")


def scrub(opened: OpenPalace, *, wing: str | None, dry_run: bool, progress: OnProgress | None) -> ScrubSummary:
    """Find the secrets in a wing or in the whole palace, and remove them; ``dry_run`` only counts.

    Data derived from them is deleted too, and rebuilt at the end; if that is interrupted, the next scrub continues it.
    """
    opened.database.shared.check_schema()
    key = Key(opened.run(get_palace_key))
    named = None if wing is None else TreeVerbs(opened).wing(wing)
    run = _Scrub(
        opened, Redactor(key, opened.run(lambda session: find_rules(session, opened.settings))), named, progress
    )
    if dry_run:
        for _ in run.look():
            pass
        return run.summary(dry_run=True)
    with memory("update_memory", "scrub") as observed, recorded(opened, SCRUBBED) as tell:
        run.scrub()
        observed.count(run.drawers)
        if run.drawers or run.names:
            tell(
                {
                    "is_whole": run.wing is None,
                    "drawers": run.drawers,
                    "conversations": run.conversations,
                    "names": run.names,
                    "secrets": dict(run.kinds),
                }
            )
    return run.summary(dry_run=False)


@dataclass(slots=True)
class _Scrub:
    """One call of scrub, with its results so far."""

    opened: OpenPalace
    redactor: Redactor
    wing: Wing | None
    progress: OnProgress | None
    values: set[str] = field(default_factory=set, repr=False)
    """The removed secrets, to search names for them; they are stored nowhere."""
    drawers: int = 0
    kinds: Kinds = ()
    names: int = 0
    """Titles and names of rooms."""
    conversations: int = 0
    read: int = 0
    deleted: int = 0
    """Forgotten drawers that were deleted and cannot be restored any more."""
    warnings: Sequence[str] = ()
    started: float = field(default_factory=time.monotonic)

    @property
    def wing_id(self) -> int | None:
        return self.wing.id if self.wing else None

    def look(self) -> Iterator[Sequence[int]]:
        """Yield the conversations with secrets, a batch at a time, and count the secrets."""
        counted = self.opened.run(lambda session: stored.list_inhabited(session, self.wing_id))
        total = sum(drawers for _, drawers in counted)
        for page in _pages(counted):
            go_on()
            drawers, names = self.opened.run(partial(self._find, conversations=[each for each, _ in page]))
            yield list(dict.fromkeys([*drawers, *names]))
            self.conversations += len(drawers)
            self.drawers += sum(map(len, drawers.values()))
            self.kinds = added_up([self.kinds, *(kinds for each in drawers.values() for kinds in each)])
            self.names += names.total()
            self.read += sum(drawers for _, drawers in page)
            if self.progress:
                self.progress(Progress(Phase.READ, self.read, total, "drawers"))

    def _find(self, session: UserSession, conversations: Sequence[int]) -> tuple[dict[int, list[Kinds]], Counter[int]]:
        """Find secrets in conversations: their kinds by drawer, and the number of names with any."""
        drawers: dict[int, list[Kinds]] = {}
        for conversation_id, text in stored.list_texts(session, conversations, self.wing_id):
            redacted = redact(text, self.redactor.rules)
            if redacted.findings:
                drawers.setdefault(conversation_id, []).append(kinds_of(redacted))
        names = stored.list_names(session, conversations)
        return drawers, Counter(number for number, name in names if self.redactor.redacted(name).findings)

    def scrub(self) -> None:
        """Remove all secrets, one conversation after the other, and rebuild what was derived from them."""
        for found in self.look():
            for conversation_id in found:
                go_on()
                self.opened.run(partial(self._scrub, conversation_id=conversation_id))
        clean = self._without_values
        self.names += self.opened.run(
            lambda session: stored.clean_texts(session, clean, slugify) + clean_summaries(session, clean)
        )
        self.deleted = self.opened.run(self._drop_hidden)
        if self.wing is None:
            self.opened.run(stored.hide_tombstones)
        if self.opened.find_generation() is not None:
            # All pending steps, because another scrub may have been interrupted.
            runner = Runner(self.opened.work(self.progress))
            runner.run()
            self.warnings = runner.warnings

    def _scrub(self, session: UserSession, conversation_id: int) -> None:
        """Remove the secrets from a conversation, and mark its derived data as pending."""
        if not stored.hold_conversation(session, conversation_id):
            return
        name = stored.get_identity(session, conversation_id)
        hide = self.redactor.key.hide_note if _DAY_OF_NOTES.match(name) else self.redactor.key.hide
        anew: dict[int, NewDrawer] = {}
        for one in stored.list_standing(session, conversation_id, self.wing_id):
            drawer = one.placed.drawer
            redacted = self.redactor.redacted(drawer.content)
            if redacted.findings:
                self.values |= values_of(drawer.content, redacted)
                anew[one.id] = self._anew(drawer, redacted, hide(drawer.identity))
        if anew:
            stored.replace_drawers(session, conversation_id, anew, GraphFollower(self.opened.owner))
            self._hide(session, conversation_id, name)
        names = {was: self._without_values(was) for _, was in stored.list_names(session, [conversation_id])}
        stored.rename_places(session, conversation_id, {was: now for was, now in names.items() if was != now})

    def _without_values(self, text: str) -> str:
        """Return a name without secrets, including those that were found elsewhere."""
        return self.redactor.redacted(without(text, self.values)).text

    def _anew(self, drawer: NewDrawer, found: Redacted, identity: bytes) -> NewDrawer:
        said_at = in_zone(drawer.said_at, self.opened.settings.zone) if drawer.said_at else None
        return replace(
            drawer,
            identity=identity,
            content=found.text,
            redacted=added_up([drawer.redacted, kinds_of(found)]),
            said=drawer.said or self.redactor.key.hide(content_digest(drawer.content)),
            index=index_message(found.text, Role(drawer.role), said_at),
        )

    def _hide(self, session: UserSession, conversation_id: int, name: str) -> None:
        """Replace identities derived from a conversation's opening by keyed ones: its own, and those of its turns."""
        hidden = self.redactor.key.hide_name(name)
        if hidden != name:
            stored.rename_identity(session, conversation_id, hidden)
            identities = stored.list_identities(session, conversation_id)
            names = {plain: self.redactor.key.hide(plain) for plain in identities}
            stored.rename_turns(session, conversation_id, {was: now for was, now in names.items() if was != now})
        if ":~" in name:
            write_edges(session, conversation_id, edges_of(lines_of(get_end_contents(session, conversation_id))))

    def _drop_hidden(self, session: UserSession) -> int:
        """Delete for good the forgotten drawers with a secret that could still be restored; return their number."""
        sweep_hidden(session)
        telling = [
            each.parts.drawer.identity
            for each in list_hidden(session)
            if (self.wing is None or each.pointer.wing == self.wing.number)
            and any(map(self.redactor.hides, _texts(parts_to_json(each.parts))))
        ]
        drop_hidden(session, telling)
        return len(telling)

    def summary(self, *, dry_run: bool) -> ScrubSummary:
        """Return the result."""
        with self.opened.session() as session:
            active = find_generation(session, "active")
            pending = 0 if active is None else count_pending(session, active.id)
        return ScrubSummary(
            wing=self.wing.name if self.wing else None,
            dry_run=dry_run,
            drawers=self.drawers,
            secrets=self.kinds,
            conversations=self.conversations,
            names=self.names,
            read=self.read,
            passages_pending=pending,
            seconds=time.monotonic() - self.started,
            warnings=(*self.warnings, *([DELETED.format(self.deleted)] if self.deleted else [])),
        )


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
