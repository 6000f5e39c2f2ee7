"""Projects: folders on this machine with their wings, and the answers of hooks in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from palace.models.compared import Scope
from palace.models.place import Pointer, WingPointer


class SourceKind(StrEnum):
    """Kinds of sources that are recalled in a project only with the person's permission."""

    TOOLS = "tools"
    """Arguments and results of tools."""
    MAIL = "mail"
    """Mail."""
    CHATS = "chats"
    """Slack and other chats between people."""


READERS_OF: dict[SourceKind, tuple[str, ...]] = {
    SourceKind.MAIL: ("mail",),
    SourceKind.CHATS: ("discord", "slack", "telegram", "whatsapp"),
}
"""The readers of each kind of source; tools occur in conversations of every reader."""


@dataclass(frozen=True, slots=True)
class ProjectWing:
    """A wing of a project, which may still be empty."""

    id: int
    number: int
    name: str

    @property
    def pointer(self) -> WingPointer:
        """Return the pointer of the wing."""
        return WingPointer(self.number)


@dataclass(frozen=True, slots=True)
class Project:
    """A project as it is listed."""

    key: str
    """Its path, relative to the home folder (``work/client-a/api``), else from the root."""
    wing: ProjectWing
    """The wing of its sessions."""
    wings: tuple[ProjectWing, ...] = ()
    """Further wings that may be recalled there."""
    sources: tuple[SourceKind, ...] = ()
    """Kinds of sources that may be recalled there, in order."""


@dataclass(frozen=True, slots=True)
class ProjectScope:
    """What may be recalled in a folder."""

    key: str
    """The key of the folder's project; "" where it has none."""
    wing_id: int | None = None
    """The project's wing; None while nothing was filed for it."""
    wing_name: str | None = None
    wing_ids: tuple[int, ...] = ()
    """The project's wing and those that the person listed for it; if empty, nothing may be recalled."""
    sources: tuple[SourceKind, ...] = ()
    """Kinds of sources that may be recalled, in order."""
    wing_number: int | None = None
    """Number of the project's wing; its name may be ambiguous."""

    @property
    def scope(self) -> Scope:
        """Return the scope of recall."""
        readers = (reader for kind, of in READERS_OF.items() if kind not in self.sources for reader in of)
        return Scope(
            wing_ids=self.wing_ids, tools=SourceKind.TOOLS in self.sources, without_readers=tuple(sorted(readers))
        )


@dataclass(frozen=True, slots=True)
class HookHit:
    """A drawer that was found for a prompt, and its relevance."""

    pointer: Pointer
    said: str
    """Its beginning, or the part that matches best."""
    confidence: float | None
    """Probability that it answers; None for an embedding model without a calibration."""
    coverage: float
    """Share of the prompt's words that it contains, weighted by rarity."""
    bears: float
    """Its relevance, which is compared with ``least``: confidence plus coverage, or for work the confidence alone."""
    is_kept: bool
    """Whether it would be injected."""


@dataclass(frozen=True, slots=True)
class HookReason:
    """A hook's answer to a prompt in a new session, with the reasons for it."""

    prompt: str
    project: str
    """The key of the project; "" where the folder has none."""
    wings: tuple[str, ...]
    """Names of the wings that are recalled from."""
    gate: str
    """The rule of the gate that decided; "" where the gate did not run."""
    gate_reason: str
    wants: str
    """What the prompt asks for: "asks_back", "asks", "error", "works" or "shows"; "" where it was not analysed."""
    least: float | None
    """Relevance that the best hit needs for such a prompt; None where recall did not run."""
    hits: tuple[HookHit, ...]
    """The hits, best first."""
    silent: str
    """Why there is no answer, in one line; "" where there is one."""
    block: str
    """The block that would be injected."""
