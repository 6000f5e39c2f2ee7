"""Projects: folders on this machine whose memory stands in a wing, and what a hook answers in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from palace.models.compared import Scope
from palace.models.place import Pointer, WingPointer


class SourceKind(StrEnum):
    """What of a wing is recalled in a project only where the person allowed it."""

    TOOLS = "tools"
    """What tools were told and returned."""
    MAIL = "mail"
    """What came as mail."""
    CHATS = "chats"
    """What was said in Slack and other chats between people."""


READERS_OF: dict[SourceKind, tuple[str, ...]] = {
    SourceKind.MAIL: ("mail",),
    SourceKind.CHATS: ("discord", "slack", "telegram", "whatsapp"),
}
"""The readers whose conversations are of a kind; tools speak in conversations of every reader."""


@dataclass(frozen=True, slots=True)
class ProjectWing:
    """A wing of a project, whether anything stands in it yet or not."""

    id: int
    number: int
    name: str

    @property
    def pointer(self) -> WingPointer:
        """The wing as it is cited."""
        return WingPointer(self.number)


@dataclass(frozen=True, slots=True)
class Project:
    """A project as it is listed."""

    key: str
    """Where it lies, from the home folder on (``work/client-a/api``), or from the root."""
    wing: ProjectWing
    """Where its sessions are filed."""
    wings: tuple[ProjectWing, ...] = ()
    """What else may be recalled there."""
    sources: tuple[SourceKind, ...] = ()
    """What else of these may be recalled there; in order."""


@dataclass(frozen=True, slots=True)
class ProjectScope:
    """What may be recalled in a folder, and nothing else."""

    key: str
    """Of the project that the folder belongs to; "" where the folder has none."""
    wing_id: int | None = None
    """The project's wing; None while nothing was filed for it."""
    wing_name: str | None = None
    wing_ids: tuple[int, ...] = ()
    """The project's wing and those that the person listed for it; nothing may be recalled where there are none."""
    sources: tuple[SourceKind, ...] = ()
    """What of these may be recalled; in order."""
    wing_number: int | None = None
    """Of the project's wing: what it is called may mean another one."""

    @property
    def scope(self) -> Scope:
        """Where recall looks for it."""
        readers = (reader for kind, of in READERS_OF.items() if kind not in self.sources for reader in of)
        return Scope(
            wing_ids=self.wing_ids, tools=SourceKind.TOOLS in self.sources, without_readers=tuple(sorted(readers))
        )


@dataclass(frozen=True, slots=True)
class HookHit:
    """A drawer that was found for a prompt, and how much it bears on that."""

    pointer: Pointer
    said: str
    """Its beginning, or what of it speaks most for it."""
    confidence: float | None
    """How likely it answers; None for an embedding model that this was not measured for."""
    coverage: float
    """The share of the prompt's words that it says, rarer ones counting for more."""
    bears: float
    """What is held against ``least``: both together, or for work the confidence alone."""
    is_kept: bool
    """Whether it would be put beside the prompt."""


@dataclass(frozen=True, slots=True)
class HookReason:
    """What a hook would answer a prompt in a session of its own, and what kept back the rest."""

    prompt: str
    project: str
    """The key of the project; "" where the folder has none."""
    wings: tuple[str, ...]
    """Names of the wings that it is recalled from."""
    gate: str
    """The rule of the gate that decided; "" where it was not asked."""
    gate_reason: str
    wants: str
    """What the prompt is taken to want: "asks_back", "asks", "error", "works" or "shows"; "" where it was not read."""
    least: float | None
    """What the best hit must bear on such a prompt; None where memory was not looked at."""
    hits: tuple[HookHit, ...]
    """What was found, the best first."""
    silent: str
    """Why nothing would be answered, on one line; "" where something would."""
    block: str
    """What would be put beside the prompt."""
