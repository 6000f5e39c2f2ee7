"""Where what another palace's export holds stands in this one. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from palace.files.lines import ExportedConversation
from palace.records import MovedPlace, Pointer, RoomPointer


class Moved:
    """Collects the rooms that have other numbers here, and the drawers that do not follow their room."""

    def __init__(self) -> None:
        self.places: list[MovedPlace] = []

    def add(
        self, conversation: ExportedConversation, identities: Sequence[bytes], here: Mapping[bytes, Pointer]
    ) -> None:
        """Take a conversation of the file; ``identities`` are those of its drawers here, in order."""
        for room in conversation.rooms:
            pairs = [
                (Pointer(room.wing, room.number, line.number), here[identity])
                for line, identity in zip(conversation.drawers, identities, strict=True)
                if line.slice == room.slice and identity in here
            ]
            self._add_room(RoomPointer(room.wing, room.number), pairs)

    def _add_room(self, was: RoomPointer, pairs: Sequence[tuple[Pointer, Pointer]]) -> None:
        if not pairs:
            return
        now = Counter(here.of_room for _, here in pairs).most_common(1)[0][0]
        if now != was:
            self.places.append(MovedPlace(str(was), str(now)))
        followed = {there: Pointer(now.wing, now.room, there.drawer) for there, _ in pairs}
        self.places += [MovedPlace(str(there), str(here)) for there, here in pairs if followed[there] != here]
