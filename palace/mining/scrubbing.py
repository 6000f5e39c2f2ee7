"""Taking secrets out of what was filed before: one conversation in one transaction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from palace.config.zones import in_zone
from palace.db.changes import scrubbing as stored
from palace.db.database import UserSession
from palace.db.filing.conversations import get_end_contents, write_edges
from palace.graph.update import GraphFollower, Owner
from palace.mining.filing.identity import content_digest
from palace.mining.keeping import Keeping, added_up, kinds_of, values_of, without
from palace.models import Kinds, NewDrawer, Role
from palace.nlp.edges import edges_of, lines_of
from palace.nlp.secrets import Redacted, redact
from palace.nlp.sentences import index_message

_DAY_OF_NOTES = re.compile(r"note:\d+/")


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What is to be taken out of a conversation, or was."""

    drawers: int = 0
    kinds: Kinds = ()
    names: int = 0
    """Titles and names of rooms."""


@dataclass(slots=True)
class Scrubber:
    """Takes secrets out of conversations, and remembers what they were until it is done."""

    keeping: Keeping
    owner: Owner
    wing_id: int | None = None
    values: set[str] = field(default_factory=set, repr=False)
    """What was taken out, to be looked for in names; it goes nowhere else."""

    @property
    def zone(self) -> tzinfo:
        """The person's."""
        return self.owner.zone

    def look(self, session: UserSession, conversations: Sequence[int]) -> dict[int, Scrubbed]:
        """Return what is to be taken out of those of some conversations in which anything is found."""
        found: dict[int, Scrubbed] = {}
        for conversation_id, text in stored.list_texts(session, conversations, self.wing_id):
            redacted = redact(text, self.keeping.rules)
            if redacted.findings:
                before = found.get(conversation_id, Scrubbed())
                kinds = added_up([before.kinds, kinds_of(redacted)])
                found[conversation_id] = Scrubbed(before.drawers + 1, kinds)
        for conversation_id, name in stored.list_names(session, conversations):
            if self.keeping.redacted(name).findings:
                before = found.get(conversation_id, Scrubbed())
                found[conversation_id] = replace(before, names=before.names + 1)
        return found

    def scrub(self, session: UserSession, conversation_id: int) -> None:
        """Take what is found out of a conversation, and have all that was made of it made again."""
        if not stored.hold_conversation(session, conversation_id):
            return
        standing = stored.list_standing(session, conversation_id, self.wing_id)
        found = {one.id: self.keeping.redacted(one.placed.drawer.content) for one in standing}
        found = {drawer_id: redacted for drawer_id, redacted in found.items() if redacted.findings}
        for one in standing:
            if one.id in found:
                self.values |= values_of(one.placed.drawer.content, found[one.id])
        name = stored.get_identity(session, conversation_id)
        hide = self.keeping.key.hide_note if _DAY_OF_NOTES.match(name) else self.keeping.key.hide
        anew = {
            one.id: self._anew(one.placed.drawer, found[one.id], hide(one.placed.drawer.identity))
            for one in standing
            if one.id in found
        }
        if anew:
            stored.replace_drawers(session, conversation_id, anew, GraphFollower(self.owner))
            self._hide(session, conversation_id, name)
        self._rename(session, conversation_id)

    def without_values(self, text: str) -> str:
        """Return a name without secrets, and without what was found elsewhere and stands in it by itself."""
        return self.keeping.redacted(without(text, self.values)).text

    def _anew(self, drawer: NewDrawer, found: Redacted, identity: bytes) -> NewDrawer:
        said_at = in_zone(drawer.said_at, self.zone) if drawer.said_at else None
        return replace(
            drawer,
            identity=identity,
            content=found.text,
            redacted=added_up([drawer.redacted, kinds_of(found)]),
            said=drawer.said or self.keeping.key.hide(content_digest(drawer.content)),
            index=index_message(found.text, Role(drawer.role), said_at),
        )

    def _hide(self, session: UserSession, conversation_id: int, name: str) -> None:
        """Hide what an opening named: the conversation, and all turns of it, whose identities are made of its own."""
        hidden = self.keeping.key.hide_name(name)
        if hidden != name:
            stored.rename_identity(session, conversation_id, hidden)
            identities = stored.list_identities(session, conversation_id)
            names = {plain: self.keeping.key.hide(plain) for plain in identities}
            stored.rename_turns(session, conversation_id, {was: now for was, now in names.items() if was != now})
        if ":~" in name:
            write_edges(session, conversation_id, edges_of(lines_of(get_end_contents(session, conversation_id))))

    def _rename(self, session: UserSession, conversation_id: int) -> None:
        names = {name: self.without_values(name) for _, name in stored.list_names(session, [conversation_id])}
        stored.rename_places(session, conversation_id, {was: now for was, now in names.items() if was != now})
