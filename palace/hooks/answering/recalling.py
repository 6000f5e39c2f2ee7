"""What is recalled for an event: in the wings that are allowed where it happens, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from palace.hooks.answering.asked.looking import Looked, look_up
from palace.hooks.answering.budget import MOST_TOKENS, writer_of
from palace.hooks.contract.events import HookEvent, Moment
from palace.hooks.sessions import Session
from palace.mining.redaction.rules import rules_of
from palace.opened import OpenPalace
from palace.records import ProjectScope
from palace.settings.personal.effective import Effective
from palace.text.secrets import redact
from palace.turns.injection.writing import Written
from palace.verbs.projects import project_scope


@dataclass(slots=True)
class Recalling:
    """Recalls for one event, in a thread that may be left behind: what it came to stands here when it is done."""

    opening: Callable[[], OpenPalace]
    event: HookEvent
    known: Session
    block: str = ""
    step: str = "open"

    def run(self) -> None:
        """Recall, and write the block.

        Raises:
            PalaceError: a step failed.
        """
        opened = self.opening()
        self.step = "scope"
        effective = opened.effective(self.event.harness.value)
        where = project_scope(opened, self.known.folder)
        if not effective.enabled or not where.wing_ids:
            return
        self.step = "recall"
        if self.event.moment is Moment.START:
            # Of what begins a session no prompt wants anything.
            from palace.hooks.answering.waking import wake_up

            written = wake_up(opened, where, effective)
        else:
            written = self._recall(opened, where, effective)
        self.known = self.known.told(written.drawer_ids)
        self.block = written.block

    def _recall(self, opened: OpenPalace, where: ProjectScope, effective: Effective) -> Written:
        known = self.known
        said = redact(self.event.prompt, rules_of(opened.settings)).text
        self.known = known.asked(said)
        return recall_for(opened, self.event, known, where, effective)


def recall_for(
    opened: OpenPalace, event: HookEvent, known: Session, where: ProjectScope, effective: Effective
) -> Written:
    """Write what was found for a prompt and bears on it; nothing where nothing is certain enough to be of use."""
    return written_of(opened, look_up(opened, event, known, where, effective), effective)


def written_of(opened: OpenPalace, looked: Looked, effective: Effective) -> Written:
    """Write what is kept of what was found."""
    if looked.found is None or not looked.kept:
        return Written()
    return writer_of(opened.settings.zone, effective, MOST_TOKENS).of_hits(looked.found, looked.kept, looked.wanted)
