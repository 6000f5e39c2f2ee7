"""What is watched, and how it is mined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from palace.errors import BadRequest
from palace.intake import given
from palace.mining.files.containers import printable
from palace.mining.pipeline import MineOptions


@dataclass(frozen=True, slots=True)
class Watched:
    """What is watched, and how it is mined."""

    folders: tuple[str, ...]
    options: MineOptions
    user: str | None = None
    """Whose palace it goes to; that of the settings' user unless given."""
    make_user: bool = True
    """Whether the user whose palace it goes to is made at first sight."""

    @classmethod
    def of(
        cls, folders: Sequence[str | Path], options: MineOptions, *, user: str | None = None, make_user: bool = True
    ) -> Watched:
        """Check what is to be watched; it need not be there yet.

        Raises:
            BadRequest: nothing is named, or a name is none.
        """
        names = tuple(dict.fromkeys(given.text("folder", str(folder)) for folder in folders))
        if not names:
            raise BadRequest("name what to watch: a folder, or a file")
        for name in names:
            if name == "-" or not name or "\0" in name:
                raise BadRequest(f"{printable(name)!r} cannot be watched: name a folder, or a file")
        return cls(names, options, user, make_user)
